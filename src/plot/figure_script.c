// SPDX-License-Identifier: Apache-2.0
// A figure as a gnuplot script and its data. The look of all our figures is decided here.
#include <math.h>
#include <string.h>

#include "plot/figure_impl.h"
#include "plot/figure_layout.h"

#define INK       "#333333"  // axes and text
#define GRID      "#e4e4e4"
#define SHADE     "#f3e3d3"  // stick phases: a pale tint of the stick colour
#define MAX_BANDS 400        // more would only be a grey blur

static const char *const colour_name[AMO_COLOUR_COUNT] = {
    [AMO_COLOUR_BLUE] = "#0072B2",  [AMO_COLOUR_ORANGE] = "#D55E00", [AMO_COLOUR_GREEN] = "#009E73",
    [AMO_COLOUR_PINK] = "#CC79A7",  [AMO_COLOUR_SKY] = "#56B4E9",    [AMO_COLOUR_AMBER] = "#E69F00",
    [AMO_COLOUR_BLACK] = "#222222", [AMO_COLOUR_GREY] = "#8c8c8c"};

void amo_gp_quote(amo_text *out, const char *s)
{
  size_t n = strlen(s);
  amo_text_str(out, "'");
  for (size_t i = 0; i < n;) {
    size_t length = amo_utf8_length(s + i, n - i);
    if (s[i] == '\'')
      amo_text_str(out, "'.\"'\".'");  // two doubled quotes in a row end gnuplot's string
    else if (!strncmp(s + i, "^2", 2) || !strncmp(s + i, "^3", 2))
      amo_text_str(out, s[i + 1] == '2' ? "²" : "³"), length = 2;
    else  // a line break in a string would make gnuplot run what follows it
      amo_text_safe(out, s + i, length ? length : 1);
    i += length ? length : 1;
  }
  amo_text_str(out, "'");
}

void amo_gp_name(amo_text *out, const char *s)
{
  amo_text_str(out, *s == '/' ? "'" : "'./");
  for (; *s; s++) {
    if (*s == '\'')
      amo_text_str(out, "'.\"'\".'");
    else
      amo_text_add(out, s, 1);
  }
  amo_text_str(out, "'");
}

static void put_terminal(amo_text *o, amo_figure_format format, double w, double h)
{
  switch (format) {
    case AMO_FIGURE_SVG:
      amo_text_printf(
          o, "set terminal svg noenhanced size %.0f,%.0f font 'Helvetica,13' background rgb 'white'\n", w, h);
      break;
    case AMO_FIGURE_PNG:
      amo_text_printf(o,
                      "set terminal pngcairo noenhanced size %.0f,%.0f font 'Helvetica,10' fontscale 2 "
                      "linewidth 2 pointscale 2\n",
                      2 * w, 2 * h);
      break;
    case AMO_FIGURE_PDF:
      amo_text_printf(o,
                      "set terminal pdfcairo noenhanced size %.3fin,%.3fin font 'Helvetica,10' linewidth 1.2 "
                      "pointscale 0.8\n",
                      w / 100, h / 100);
      break;
  }
}

static double figure_width(const amo_figure *f, int columns)
{
  return f->width > 0 ? f->width : columns == 1 ? 600 : 440.0 * columns;
}

static double figure_height(const amo_figure *f, int rows)
{
  return f->height > 0 ? f->height : (rows == 1 ? 400.0 : 330.0 * rows) + (*f->title ? 20 : 0);
}

static void put_head(amo_text *o, const amo_figure *f, const amo_figure_names *names, int columns, int rows)
{
  const double w = figure_width(f, columns), h = figure_height(f, rows);
  amo_text_str(o, "# Made by Amontons; run again with gnuplot, in this folder\nset encoding utf8\n");
  put_terminal(o, names->format, w, h);
  amo_text_str(o, "if (!exists(\"amo_out\")) amo_out = ");
  amo_gp_name(o, names->figure);
  amo_text_str(o, "\nset output amo_out\ndata = ");
  amo_gp_name(o, names->data);
  amo_text_str(o, "\nset border 3 lw 1 lc rgb '" INK "'\n"
                  "set tics nomirror out scale 0.6 textcolor rgb '" INK "'\n"
                  "set format '%.8g'\n"  // gnuplot's own has too few digits far from zero
                  "set grid lt 1 lw 0.7 lc rgb '" GRID "'\n"
                  "set style fill solid noborder\nset bars 0\nset clip two\n");
  amo_text_printf(o, "set multiplot layout %d,%d", rows, columns);
  if (*f->title) {
    amo_text_str(o, " title ");
    amo_gp_quote(o, f->title);
    amo_text_str(o, " font ',15'");
  }
  amo_text_str(o, "\n");
}

static void put_range(amo_text *o, char axis, double lo, double hi)
{
  if (isnan(lo) && isnan(hi)) {
    amo_text_printf(o, "set %crange [*:*]\n", axis);
    return;
  }
  amo_text_printf(o, "set %crange [", axis);
  if (isnan(lo))
    amo_text_str(o, "*");
  else
    amo_text_printf(o, "%.10g", lo);
  amo_text_str(o, ":");
  if (isnan(hi))
    amo_text_str(o, "*");
  else
    amo_text_printf(o, "%.10g", hi);
  amo_text_str(o, "]\n");
}

static void put_tics(amo_text *o, char axis, const amo_axis_span *a)
{
  if (a->step > 0.0)
    amo_text_printf(o, "set %ctics %.10g\n", axis, a->step);
  else
    amo_text_printf(o, "set %ctics autofreq\n", axis);
}

static void put_key(amo_text *o, const amo_panel *p, const amo_layout *l)
{
  static const char *const place[] = {[AMO_KEY_AUTO] = "above horizontal left font ',11'",
                                      [AMO_KEY_OFF] = "off",
                                      [AMO_KEY_TOP_LEFT] = "top left",
                                      [AMO_KEY_TOP_RIGHT] = "top right",
                                      [AMO_KEY_BOTTOM_LEFT] = "bottom left",
                                      [AMO_KEY_BOTTOM_RIGHT] = "bottom right",
                                      [AMO_KEY_OUTSIDE] = "outside right top"};
  bool any = false;
  for (const amo_figure_series *s = p->series; s; s = s->next) any = any || *s->label;
  if (!any || p->key == AMO_KEY_OFF)
    amo_text_str(o, "unset key\n");
  else
    amo_text_printf(
        o,
        "set key default\nset key %s Left reverse samplen 1.4 width -1 spacing 1.1 textcolor rgb '" INK "'\n",
        place[p->key]);
  const int columns = any && p->key == AMO_KEY_AUTO ? amo_layout_key(l, p) : 0;
  if (columns) amo_text_printf(o, "set key maxcols %d\n", columns);
}

static void put_label(amo_text *o, const char *axis, const char *text, const char *more)
{
  amo_text_printf(o, "set %s ", axis);
  amo_gp_quote(o, text);
  amo_text_printf(o, " textcolor rgb '" INK "'%s\n", more);
}

static void put_bands(amo_text *o, const amo_panel *p)
{
  int bands = 0;
  for (const amo_band *b = p->band; b; b = b->next)
    if (isfinite(b->from) && isfinite(b->to) && bands++ < MAX_BANDS)
      amo_text_printf(o,
                      b->of_y ? "set object rectangle from graph 0, first %.10g to graph 1, first %.10g "
                              : "set object rectangle from first %.10g, graph 0 to first %.10g, graph 1 ",
                      b->from, b->to),
          amo_text_str(o, "fc rgb '" SHADE "' fs solid noborder behind\n");
}

/// What an axis shows: the limits given, else those of the data (the axis then ends at most a few tics beyond).
typedef struct extent {
  double lo, hi;
  bool log_scale;
} extent;

static extent extent_of(const amo_panel *p, bool of_x)
{
  extent e = {INFINITY, -INFINITY, of_x ? p->x_log : p->y_log};
  for (const amo_figure_series *s = p->series; s; s = s->next)
    for (size_t i = 0; i < s->n; i++) {
      double v = of_x ? s->x[i] : s->y[i];
      if (!isfinite(s->x[i]) || !isfinite(s->y[i]) || (e.log_scale && !(v > 0))) continue;
      e.lo = fmin(e.lo, v);
      e.hi = fmax(e.hi, v);
    }
  double min = of_x ? p->x_min : p->y_min, max = of_x ? p->x_max : p->y_max;
  if (!isnan(min)) e.lo = min;
  if (!isnan(max)) e.hi = max;
  return e;
}

static double within(extent e, double part)
{
  return e.log_scale ? e.lo * pow(e.hi / e.lo, part) : e.lo + part * (e.hi - e.lo);
}

/// Far enough beyond both ends that the line crosses the whole panel.
static extent beyond(extent e)
{
  double more = e.hi > e.lo ? 2.0 * (e.hi - e.lo) : fmax(fabs(e.lo), 1.0);
  return e.log_scale ? (extent){1e-3 * e.lo, 1e3 * e.hi, true} : (extent){e.lo - more, e.hi + more, false};
}

/// One item of `plot` that takes nothing from the data but that there is a row: gnuplot cuts it off at the axes, as
/// it does not with arrows and labels.
static void put_item(amo_text *o, int block, int *shown)
{
  amo_text_printf(o, "%sdata index %d every ::0::0 using ", (*shown)++ ? ", \\\n     " : "plot ", block);
}

static void put_rules(amo_text *o, const amo_panel *p, int block, int *shown)
{
  const extent x = extent_of(p, true), y = extent_of(p, false), wide = beyond(x), high = beyond(y);
  for (const amo_rule *r = p->rule; r; r = r->next) {
    if (!isfinite(r->at) || ((r->vertical ? x : y).log_scale && !(r->at > 0))) continue;
    put_item(o, block, shown);
    if (r->vertical)
      amo_text_printf(o, "(%.10g):(%.10g):(0):(%.10g)", r->at, high.lo, high.hi - high.lo);
    else
      amo_text_printf(o, "(%.10g):(%.10g):(%.10g):(0)", wide.lo, r->at, wide.hi - wide.lo);
    amo_text_str(o, " noautoscale notitle with vectors nohead lw 1 dt (6,4) lc rgb '#777777'");
    if (!*r->label) continue;
    put_item(o, block, shown);
    amo_text_printf(o, "(%.10g):(%.10g):(", r->vertical ? r->at : within(x, 0.99),
                    r->vertical ? within(y, 0.95) : r->at);
    amo_gp_quote(o, r->label);
    amo_text_printf(o, ") noautoscale notitle with labels %s textcolor rgb '#555555'",
                    r->vertical ? "left offset 0.5,0" : "right offset 0,0.6");
  }
}

/// Points of interest belong to what is shown: automatic axes reach as far as they.
static void put_notes(amo_text *o, const amo_panel *p, const amo_layout *l, int block, int *shown)
{
  amo_note_place place[AMO_MOST_NOTES];
  size_t i = 0;
  amo_layout_notes(l, p, place);
  for (const amo_note *k = p->note; k && i < AMO_MOST_NOTES; k = k->next, i++) {
    if (!isfinite(k->x) || !isfinite(k->y)) continue;
    put_item(o, block, shown);
    amo_text_printf(o, "(%.10g):(%.10g):(", k->x, k->y);
    amo_gp_quote(o, place[i].said ? "" : k->text);
    amo_text_printf(o, ") notitle with labels %s", place[i].right ? "right" : "left");
    if (k->mark)
      amo_text_printf(o, " point pt 7 ps 0.7 lc rgb '" INK "' offset graph %.4f, graph %.4f", place[i].dx,
                      place[i].dy);
    amo_text_str(o, " textcolor rgb '" INK "'");
  }
}

static void put_style(amo_text *o, const amo_figure_series *s, const char *colour)
{
  double w = s->width > 0 ? s->width : 1;
  switch (s->style) {
    case AMO_STYLE_LINE: amo_text_printf(o, "with lines lw %.3g", 1.8 * w); break;
    case AMO_STYLE_DASHED: amo_text_printf(o, "with lines dt (8,5) lw %.3g", 1.8 * w); break;
    case AMO_STYLE_POINTS: amo_text_printf(o, "with points pt 7 ps %.3g", 0.55 * w); break;
    case AMO_STYLE_OPEN_POINTS: amo_text_printf(o, "with points pt 6 lw 1.6 ps %.3g", 0.65 * w); break;
    case AMO_STYLE_STEPS: amo_text_printf(o, "with steps lw %.3g", 1.8 * w); break;
    case AMO_STYLE_LINE_POINTS:
      amo_text_printf(o, "with linespoints pt 7 ps %.3g lw %.3g", 0.35 * w, 1.3 * w);
      break;
    case AMO_STYLE_DOTS: amo_text_printf(o, "with points pt 7 ps %.3g", 0.12 * w); break;
  }
  amo_text_printf(o, " lc rgb '%s'", colour);
}

static bool has_points(const amo_figure_series *s)
{
  for (size_t i = 0; i < s->n; i++)
    if (isfinite(s->x[i]) && isfinite(s->y[i])) return true;
  return false;
}

/// `block` counts the blocks of the data file; a series without points has none.
static void put_panel(amo_text *o, const amo_panel *p, const amo_layout *l, int *block)
{
  int next = 0, shown = 0;
  amo_text_str(o, "\nunset object\n");
  put_label(o, "title", p->title, " font ',13'");
  put_label(o, "xlabel", p->x_label, "");
  put_label(o, "ylabel", p->y_label, "");
  amo_text_printf(o, "%s logscale x\n%s logscale y\n", p->x_log ? "set" : "unset",
                  p->y_log ? "set" : "unset");
  put_range(o, 'x', p->x_min, p->x_max);
  put_range(o, 'y', p->y_min, p->y_max);
  put_tics(o, 'x', &l->x);
  put_tics(o, 'y', &l->y);
  amo_text_printf(o, "set size %s\n", p->equal ? "ratio -1" : "noratio");
  put_key(o, p, l);
  put_bands(o, p);
  const int first = *block;
  bool any = false;
  for (const amo_figure_series *s = p->series; s; s = s->next) any = any || has_points(s);
  if (any) put_rules(o, p, first, &shown);
  for (const amo_figure_series *s = p->series; s; s = s->next) {
    int c = s->colour >= 0 && s->colour < AMO_COLOUR_COUNT ? (int)s->colour : next++ % AMO_COLOUR_COUNT;
    if (!has_points(s)) continue;
    amo_text_printf(o, "%sdata index %d using 1:2 ", shown++ ? ", \\\n     " : "plot ", (*block)++);
    put_style(o, s, colour_name[c]);
    amo_text_str(o, *s->label ? " title " : " notitle");
    if (*s->label) amo_gp_quote(o, s->label);
  }
  if (any) put_notes(o, p, l, first, &shown);
  amo_text_str(o, shown ? "\n" : "set multiplot next\n");
}

void amo_figure_script(const amo_figure *f, const amo_figure_names *names, amo_text *out)
{
  int block = 0;
  int columns = f->columns > 0 ? f->columns : f->panels <= 1 ? 1 : f->panels <= 4 ? 2 : 3;
  if (columns > f->panels) columns = f->panels;
  const int rows = (f->panels + columns - 1) / columns;
  put_head(out, f, names, columns, rows);
  for (const amo_panel *p = f->panel; p; p = p->next) {
    const amo_layout l = amo_layout_of(p, figure_width(f, columns) / columns, figure_height(f, rows) / rows);
    put_panel(out, p, &l, &block);
  }
  amo_text_str(out, "\nunset multiplot\nunset output\n");
}

void amo_figure_data(const amo_figure *f, amo_text *out)
{
  for (const amo_panel *p = f->panel; p; p = p->next)
    for (const amo_figure_series *s = p->series; s; s = s->next) {
      if (!has_points(s)) continue;
      amo_text_str(out, "# ");
      amo_text_safe(out, s->label, strlen(s->label));
      amo_text_str(out, "\n");
      for (size_t i = 0; i < s->n; i++) {
        if (isfinite(s->x[i]) && isfinite(s->y[i]))
          amo_text_printf(out, "%.17g %.17g\n", s->x[i], s->y[i]);
        else
          amo_text_str(out, "NaN NaN\n");
      }
      amo_text_str(out, "\n\n");
    }
}
