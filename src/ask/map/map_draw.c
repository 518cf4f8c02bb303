// SPDX-License-Identifier: Apache-2.0
// A map as a drawing of our own, for studies and reports: coloured cells, axes with units, a legend of the verdicts
// or a scale of the numbers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "plot/figure_layout.h"
#include "plot/axis_label.h"
#include "ask/map/map_colour.h"
#include "ask/map/map_files.h"

#define WIDTH  640.0
#define HEIGHT 440.0
#define LEFT   78.0
#define TOP    40.0
#define ACROSS 400.0  // px of the cells
#define UP     340.0

typedef struct sheet {
  const amo_chart *chart;
  const amo_plane *m;
  amo_map_regions regions;
  double least, most;  // of numbers
  amo_text t;
} sheet;

static void put_text(sheet *s, double x, double y, const char *more, const char *text)
{
  amo_text_printf(&s->t, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, more);
  for (; *text; text++) {
    if (*text == '<' || *text == '>' || *text == '&')
      amo_text_printf(&s->t, "&#%d;", *text);
    else
      amo_text_add(&s->t, (unsigned char)*text < 0x20 || *text == 0x7f ? " " : text, 1);
  }
  amo_text_str(&s->t, "</text>\n");
}

/// Dark to light, as even to the eye as to the numbers.
static void scale_colour(double part, char out[8])
{
  static const double stop[5][3] = {
      {68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
  const double at = 4.0 * fmin(fmax(part, 0.0), 1.0);
  const int i = at >= 4.0 ? 3 : (int)at;
  unsigned c[3];
  for (int k = 0; k < 3; k++)
    c[k] = (unsigned)(stop[i][k] + (at - i) * (stop[i + 1][k] - stop[i][k]) + 0.5) & 255u;
  snprintf(out, 8, "#%02x%02x%02x", c[0], c[1], c[2]);
}

static void cell_colour(const sheet *s, size_t i, char out[8])
{
  const amo_plane *m = s->m;
  if (s->regions.discrete)
    snprintf(out, 8, "%s", amo_map_colour(m, amo_map_region(m, &s->regions, i)));
  else if (m->word[i] >= 0 || !isfinite(m->number[i]))
    snprintf(out, 8, "#ffffff");
  else
    scale_colour(s->most > s->least ? (m->number[i] - s->least) / (s->most - s->least) : 0.5, out);
}

/// Neighbours of one colour in a row are one rectangle.
static void put_cells(sheet *s)
{
  const amo_plane *m = s->m;
  const double w = ACROSS / (double)m->nx, h = UP / (double)m->ny;
  amo_text_str(&s->t, "<g shape-rendering=\"crispEdges\">\n");
  for (size_t j = 0; j < m->ny; j++)
    for (size_t i = 0, k; i < m->nx; i = k) {
      char mine[8], next[8];
      cell_colour(s, j * m->nx + i, mine);
      for (k = i + 1; k < m->nx; k++) {
        cell_colour(s, j * m->nx + k, next);
        if (strcmp(mine, next) != 0) break;
      }
      amo_text_printf(&s->t, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n",
                      LEFT + w * (double)i, TOP + UP - h * (double)(j + 1), w * (double)(k - i), h, mine);
    }
  amo_text_str(&s->t, "</g>\n");
}

/// The outermost cells reach half a cell beyond the ends of the axis.
static double place(const amo_axis *a, size_t points, double v)
{
  const double half = 0.5 * (a->to - a->from) / (double)(points - 1);
  return (v - a->from + half) / (a->to - a->from + 2.0 * half);
}

static void put_axis(sheet *s, const amo_axis *a, size_t points, bool across)
{
  const double low = fmin(a->from, a->to), high = fmax(a->from, a->to);
  const double step = amo_layout_step(low, high, across ? ACROSS : UP, across);
  char text[300];
  for (double k = ceil(low / step - 1e-9); step > 0.0 && k * step <= high + 1e-9 * step; k += 1.0) {
    const double part = place(a, points, k * step);
    const double x = LEFT + (across ? part * ACROSS : 0.0), y = TOP + UP - (across ? 0.0 : part * UP);
    snprintf(text, sizeof text, "%.8g", k * step);
    amo_text_printf(&s->t, "<path d=\"M%.1f %.1fl%d %d\" stroke=\"#333\"/>\n", x, y, across ? 0 : -5,
                    across ? 5 : 0);
    put_text(s, across ? x : x - 8.0, across ? y + 18.0 : y + 4.0,
             across ? "text-anchor=\"middle\"" : "text-anchor=\"end\"", text);
  }
  amo_label(s->chart->model, "", a->kind == AMO_AXIS_TIME ? "t" : a->name, text, sizeof text);
  if (across)
    put_text(s, LEFT + 0.5 * ACROSS, TOP + UP + 42.0, "text-anchor=\"middle\"", text);
  else
    put_text(s, -(TOP + 0.5 * UP), 18.0, "text-anchor=\"middle\" transform=\"rotate(-90)\"", text);
}

static void put_contours(sheet *s)
{
  const amo_contours *c = s->chart->contours;
  for (size_t i = 0; i < c->count; i++) {
    amo_text_str(&s->t, "<polyline fill=\"none\" stroke=\"#000\" stroke-width=\"1.2\" points=\"");
    for (size_t k = 0; k < c->item[i].points; k++)
      amo_text_printf(&s->t, "%.2f,%.2f ", LEFT + ACROSS * place(&s->m->x, s->m->nx, c->item[i].x[k]),
                      TOP + UP - UP * place(&s->m->y, s->m->ny, c->item[i].y[k]));
    amo_text_str(&s->t, "\"/>\n");
  }
}

static void put_legend(sheet *s)
{
  const amo_plane *m = s->m;
  const double x = LEFT + ACROSS + 20.0;
  char text[32], colour[8];
  const size_t n = s->regions.discrete ? m->nwords + s->regions.numbers : 5;
  for (size_t i = 0; i < n; i++) {
    const double y = TOP + 8.0 + 22.0 * (double)i;
    if (s->regions.discrete)
      snprintf(colour, sizeof colour, "%s", amo_map_colour(m, i));
    else
      scale_colour(1.0 - (double)i / 4.0, colour);
    amo_text_printf(&s->t,
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"14\" height=\"14\" fill=\"%s\" stroke=\"#999\" "
                    "stroke-width=\"0.5\"/>\n",
                    x, y - 11.0, colour);
    if (!s->regions.discrete)
      snprintf(text, sizeof text, "%.4g", s->most - (s->most - s->least) * (double)i / 4.0);
    else if (i >= m->nwords)
      amo_number_text(s->regions.number[i - m->nwords], text);
    put_text(s, x + 20.0, y, "text-anchor=\"start\"",
             s->regions.discrete && i < m->nwords ? m->words[i] : text);
  }
}

char *amo_chart_svg(const amo_chart *c)
{
  const amo_plane *m = c->plane;
  sheet s = {.chart = c, .m = m, .least = INFINITY, .most = -INFINITY};
  char title[300];
  amo_map_regions_of(m, &s.regions);
  for (size_t i = 0; i < m->nx * m->ny; i++)
    if (m->word[i] < 0 && isfinite(m->number[i]))
      s.least = fmin(s.least, m->number[i]), s.most = fmax(s.most, m->number[i]);
  amo_text_printf(
      &s.t,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
      "font-family=\"Helvetica,Arial,sans-serif\" font-size=\"13\" fill=\"#333\">\n"
      "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
      WIDTH, HEIGHT, WIDTH, HEIGHT);
  snprintf(title, sizeof title, "%.140s: %.140s", amo_model_name(c->model), c->of);
  put_text(&s, LEFT + 0.5 * ACROSS, 24.0, "text-anchor=\"middle\" font-size=\"15\"", title);
  put_cells(&s);
  put_contours(&s);
  amo_text_printf(&s.t, "<path d=\"M%.1f %.1fv%.1fh%.1f\" fill=\"none\" stroke=\"#333\"/>\n", LEFT, TOP, UP,
                  ACROSS);
  put_axis(&s, &m->x, m->nx, true);
  put_axis(&s, &m->y, m->ny, false);
  put_legend(&s);
  amo_text_str(&s.t, "</svg>\n");
  return amo_text_take(&s.t);
}
