// SPDX-License-Identifier: Apache-2.0
// A map as a picture: coloured regions with a legend, or a colour scale. Script and data stay beside it.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "plot/figure_impl.h"
#include "base/text.h"
#include "ask/map/map_colour.h"
#include "ask/map/map_files.h"

#define MOST_RECTANGLES 4096

static void put_data(const amo_plane *m, const amo_map_regions *l, amo_text *o)
{
  char x[32], y[32], v[32];
  for (size_t j = 0; j < m->ny; j++)
    for (size_t i = 0; i < m->nx; i++) {
      size_t k = j * m->nx + i;
      amo_number_text(amo_axis_value(&m->x, i, m->nx), x);
      amo_number_text(amo_axis_value(&m->y, j, m->ny), y);
      if (l->discrete)
        snprintf(v, sizeof v, "%zu", amo_map_region(m, l, k));
      else if (m->word[k] >= 0)
        strcpy(v, "NaN");
      else
        amo_number_text(m->number[k], v);
      amo_text_printf(o, "%s %s %s\n", x, y, v);
    }
}

/// Second block of the data: the boundaries, an empty line between two of them.
static void put_contours(const amo_contours *c, amo_text *o)
{
  char x[32], y[32];
  if (!c->count) return;
  amo_text_str(o, "\n\n");
  for (size_t i = 0; i < c->count; i++) {
    for (size_t k = 0; k < c->item[i].points; k++) {
      amo_number_text(c->item[i].x[k], x);
      amo_number_text(c->item[i].y[k], y);
      amo_text_printf(o, "%s %s\n", x, y);
    }
    amo_text_str(o, "\n");
  }
}

/// Viewers blur the few large cells of a coarse image; as rectangles they have edges.
static void put_cells(const amo_plane *m, amo_text *o)
{
  if (m->nx * m->ny <= MOST_RECTANGLES) amo_text_str(o, " pixels");
}

static void put_boundary(const amo_chart *c, amo_text *o)
{
  if (c->contours->count)
    amo_text_str(o, ", \\\n     data index 1 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle");
}

/// The image shows whole cells, half of the outermost ones beyond the ends of the axis.
static void put_label(const amo_model *model, const char *axis, const amo_axis *a, size_t points, amo_text *o)
{
  char text[256];
  const char *unit = a->kind == AMO_AXIS_PARAMETER ? amo_model_parameter(model, a->index).unit
                     : a->kind == AMO_AXIS_STATE   ? amo_model_state(model, a->index).unit
                                                   : "s";
  if (unit && *unit)
    snprintf(text, sizeof text, "%s [%s]", a->name, unit);
  else
    snprintf(text, sizeof text, "%s", a->name);
  amo_text_printf(o, "set %slabel ", axis);
  amo_gp_quote(o, text);
  const double half = 0.5 * (a->to - a->from) / (double)(points - 1);
  amo_text_printf(o, "\nset %srange [%.17g:%.17g]\n", axis, a->from - half, a->to + half);
}

static void put_regions(const amo_chart *c, const amo_map_regions *l, amo_text *o)
{
  const amo_plane *m = c->plane;
  size_t n = m->nwords + l->numbers;
  amo_text_printf(o, "unset colorbox\nset cbrange [-0.5:%zu.5]\nset palette maxcolors %zu defined (", n - 1,
                  n > 1 ? n : 2);
  for (size_t i = 0; i < n; i++) amo_text_printf(o, "%s%zu '%s'", i ? ", " : "", i, amo_map_colour(m, i));
  // one colour alone makes no palette
  if (n == 1) amo_text_printf(o, ", 1 '%s'", amo_map_colour(m, 0));
  amo_text_str(o,
               ")\nset key outside right top reverse Left\nplot data index 0 using 1:2:3 notitle with image");
  put_cells(m, o);
  put_boundary(c, o);
  for (size_t i = 0; i < n; i++) {
    char text[32];
    if (i >= m->nwords) amo_number_text(l->number[i - m->nwords], text);
    amo_text_printf(o, ", \\\n     NaN with points pt 5 ps 2 lc rgb '%s' title ", amo_map_colour(m, i));
    amo_gp_quote(o, i < m->nwords ? m->words[i] : text);
  }
  amo_text_str(o, "\n");
}

static void put_script(const amo_chart *c, const amo_map_regions *l, const char *figure, const char *data,
                       amo_text *o)
{
  const amo_plane *m = c->plane;
  const char *dot = strrchr(figure, '.');
  amo_text_str(o, "# Made by Amontons; run again with gnuplot, in this folder\nset encoding utf8\n");
  if (!strcasecmp(dot, ".png"))
    amo_text_str(
        o, "set terminal pngcairo noenhanced size 1280,880 font 'Helvetica,10' fontscale 2 linewidth 2\n");
  else if (!strcasecmp(dot, ".pdf"))
    amo_text_str(o, "set terminal pdfcairo noenhanced size 6.4in,4.4in font 'Helvetica,10'\n");
  else
    amo_text_str(o, "set terminal svg noenhanced size 640,440 font 'Helvetica,13' background rgb 'white'\n");
  amo_text_str(o, "if (!exists(\"amo_out\")) amo_out = ");
  amo_gp_name(o, figure);
  amo_text_str(o, "\nset output amo_out\ndata = ");
  amo_gp_name(o, data);
  amo_text_str(o, "\nset border 3 lw 1 lc rgb '#333333'\nset tics nomirror out scale 0.6 textcolor rgb "
                  "'#333333'\nset format '%.8g'\nset title ");
  amo_text title = {0};
  amo_text_printf(&title, "%s: %s", amo_model_name(c->model), c->of);
  amo_gp_quote(o, title.data ? title.data : "");
  amo_text_free(&title);
  amo_text_str(o, "\n");
  put_label(c->model, "x", &m->x, m->nx, o);
  put_label(c->model, "y", &m->y, m->ny, o);
  if (l->discrete)
    put_regions(c, l, o);
  else {
    amo_text_str(o, "set palette defined (0 '#440154', 1 '#3b528b', 2 '#21918c', 3 '#5ec962', 4 "
                    "'#fde725')\nplot data index 0 using 1:2:3 notitle with image");
    put_cells(m, o);
    put_boundary(c, o);
    amo_text_str(o, "\n");
  }
}

static amo_status write_text(const char *path, amo_text *text, amo_diags *diags)
{
  amo_file_writer w = {0};
  char *data = amo_text_take(text);
  amo_status st = data ? amo_file_write_begin(path, diags, &w) : AMO_ENOMEM;
  if (st == AMO_OK) {
    fputs(data, w.stream);
    st = amo_file_write_commit(&w, diags);
  }
  free(data);
  return st;
}

static char *beside(const char *path, const char *ending)
{
  amo_text t = {0};
  const char *dot = strrchr(path, '.');
  amo_text_add(&t, path, (size_t)(dot - path));
  amo_text_str(&t, ending);
  return amo_text_take(&t);
}

static const char *base_of(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static amo_status draw(const char *path, const char *script, amo_diags *diags)
{
  amo_file_place place = {0};
  const char *slash = strrchr(path, '/');
  char *folder = slash ? amo_strndup(path, slash == path ? 1 : (size_t)(slash - path)) : amo_strdup(".");
  amo_text run = {0};
  amo_text_printf(&run, "./%s", base_of(script));
  amo_status st = folder && run.data ? amo_file_place_begin(path, false, diags, &place) : AMO_ENOMEM;
  if (st == AMO_OK) {
    const char *to = place.temporary[0] == '/' ? place.temporary : base_of(place.temporary);
    st = amo_gnuplot_run(folder, run.data, to, diags);
    if (st == AMO_OK) st = amo_file_place_commit(&place, diags);
    amo_file_place_abort(&place);
  }
  amo_text_free(&run);
  free(folder);
  return st;
}

amo_status amo_chart_plot(const amo_chart *c, const char *path)
{
  const amo_plane *m = c->plane;
  amo_map_regions l;
  amo_map_regions_of(m, &l);
  amo_text script = {0}, data = {0};
  amo_status st = amo_figure_check_name(path, c->diags);
  if (st != AMO_OK) return st;
  char *gp = beside(path, ".gp"), *dat = beside(path, ".dat");
  if (!gp || !dat) st = AMO_ENOMEM;
  if (st == AMO_OK) {
    put_data(m, &l, &data);
    put_contours(c->contours, &data);
    put_script(c, &l, base_of(path), base_of(dat), &script);
    st = write_text(dat, &data, c->diags);
  }
  if (st == AMO_OK) st = write_text(gp, &script, c->diags);
  if (st == AMO_OK) st = draw(path, gp, c->diags);
  amo_text_free(&script);
  amo_text_free(&data);
  free(gp);
  free(dat);
  return st;
}
