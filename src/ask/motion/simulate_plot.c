// SPDX-License-Identifier: Apache-2.0
// The figures of `simulate --plot`: phase portrait, friction against slip velocity, histories; or what
// --plot-x and --plot-y ask for.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "plot/figure.h"
#include "ask/motion/simulate_run.h"

#define MAX_MARKS  200  // events marked in one panel
#define MAX_CURVES 7    // curves in one panel
#define FEW_ROWS   400  // too few to join samples of a curve

typedef struct drawing {
  const amo_run *run;
  const amo_trajectory *t;
  amo_figure *figure;
  const double *time, *mode;  // columns; mode of the first contact, or NULL
  double *x, *y;              // scratch, room for all rows and a gap after each
} drawing;

/// Rows of one kind only. A NaN breaks the line where the contact changes its mode: between two phases
/// of slip nothing was passed through.
static size_t part(const drawing *d, const double *x, const double *y, bool stick)
{
  size_t n = 0;
  for (size_t i = 0; i < d->t->rows; i++) {
    bool wanted = (d->mode[i] == AMO_STICK) == stick;
    if (n && !isnan(d->x[n - 1]) && (!wanted || d->mode[i] != d->mode[i - 1])) d->x[n] = d->y[n] = NAN, n++;
    if (wanted) d->x[n] = x[i], d->y[n++] = y[i];
  }
  return n;
}

/// `chords`: a straight line between two samples of slip says something. On a curve of friction it does
/// not when samples are few: the way out and the way back would enclose an area.
static void add_split(drawing *d, amo_panel *p, const double *x, const double *y, bool named, bool chords)
{
  if (!d->mode) {
    amo_panel_series(p, AMO_STYLE_LINE, "", x, y, d->t->rows);
    return;
  }
  for (int stick = 0; stick < 2; stick++) {
    size_t n = part(d, x, y, stick);
    amo_figure_series *s = amo_panel_series(p, stick || chords ? AMO_STYLE_LINE : AMO_STYLE_POINTS,
                                            !named  ? ""
                                            : stick ? "stick"
                                                    : "slip",
                                            d->x, d->y, n);
    if (!s) return;
    s->colour = stick ? AMO_COLOUR_ORANGE : AMO_COLOUR_BLUE;
    if (stick) s->width = 1.6;
  }
}

/// Dots where the first contact begins to stick (filled) and to slip (open). Rows come twice at events.
static void add_marks(drawing *d, amo_panel *p, const double *x, const double *y)
{
  size_t n[2] = {0, 0};
  if (!d->mode) return;
  for (int stick = 0; stick < 2; stick++) {
    for (size_t i = 1; i < d->t->rows && n[stick] < MAX_MARKS; i++) {
      if (d->time[i] != d->time[i - 1] || d->mode[i] == d->mode[i - 1]) continue;
      if ((d->mode[i] == AMO_STICK) != (stick == 1)) continue;
      d->x[n[stick]] = x[i];
      d->y[n[stick]++] = y[i];
    }
    if (!n[stick]) continue;
    amo_figure_series *s = amo_panel_series(p, stick ? AMO_STYLE_POINTS : AMO_STYLE_OPEN_POINTS,
                                            stick ? "stick starts" : "slip starts", d->x, d->y, n[stick]);
    if (s) s->colour = stick ? AMO_COLOUR_ORANGE : AMO_COLOUR_BLUE;
  }
}

static void add_bands(const drawing *d, amo_panel *p)
{
  if (!d->mode) return;
  for (size_t i = 0; i < d->t->rows;) {
    size_t k = i;
    while (k + 1 < d->t->rows && d->mode[k + 1] == d->mode[i]) k++;
    if (d->mode[i] == AMO_STICK) amo_panel_band(p, d->time[i], d->time[k]);
    i = k + 1;
  }
}

static amo_panel *panel(drawing *d, const char *title, const char *x, const char *y)
{
  char *xl = amo_trajectory_label(d->t, x), *yl = amo_trajectory_label(d->t, y);
  amo_panel *p = amo_figure_panel(d->figure, title, xl ? xl : x, yl ? yl : y);
  free(xl);
  free(yl);
  return p;
}

static const double *values(const drawing *d, const char *name)
{
  const amo_column *c = amo_trajectory_column(d->t, name);
  return c ? c->value : NULL;
}

static void history(drawing *d, const char *title, const char *name)
{
  amo_panel *p = panel(d, title, "t", name);
  add_bands(d, p);
  amo_panel_series(p, AMO_STYLE_LINE, "", d->time, values(d, name), d->t->rows);
}

/// All coordinates in one panel; names in the key when there are several.
static void histories(drawing *d)
{
  const amo_model *m = d->run->call->model;
  size_t n = amo_model_coordinates(m);
  if (n == 1) {
    history(d, "Time history", amo_model_state(m, 0).name);
    return;
  }
  amo_panel *p = panel(d, "Time history", "t", "coordinates");
  for (size_t i = 0; i < n && i < MAX_CURVES; i++) {
    const char *name = amo_model_state(m, i).name;
    amo_panel_series(p, AMO_STYLE_LINE, name, d->time, values(d, name), d->t->rows);
  }
}

static void phase_portrait(drawing *d)
{
  const amo_model *m = d->run->call->model;
  const char *x = amo_model_state(m, 0).name, *v = amo_model_state(m, amo_model_coordinates(m)).name;
  amo_panel *p = panel(d, "Phase portrait", x, v);
  add_split(d, p, values(d, x), values(d, v), true, true);
  add_marks(d, p, values(d, x), values(d, v));
}

static void friction(drawing *d)
{
  const char *contact = amo_model_contact(d->run->call->model, 0).name;
  char slip[256], force[256];
  snprintf(slip, sizeof slip, "%s.slip", contact);
  snprintf(force, sizeof force, "%s.force", contact);
  amo_panel *p = panel(d, "Friction force against slip velocity", slip, force);
  add_split(d, p, values(d, slip), values(d, force), false, d->t->rows >= FEW_ROWS);
  history(d, "Friction force", force);
}

/// Without coordinates (everything prescribed) the outputs are what there is to see.
static void overview(drawing *d)
{
  const amo_model *m = d->run->call->model;
  bool coordinates = amo_model_coordinates(m) > 0;
  if (coordinates) phase_portrait(d), histories(d);
  if (amo_model_contacts(m)) friction(d);
  if (coordinates) return;
  for (size_t i = 0; i < amo_model_outputs(m) && i < 4; i++) history(d, "", amo_model_output(m, i).name);
}

/// A figure shows a part of a large model; the user should know which.
static void say_what_is_left_out(const drawing *d)
{
  const amo_model *m = d->run->call->model;
  size_t contacts = amo_model_contacts(m), q = amo_model_coordinates(m);
  if (contacts > 1)
    amo_warn(d->run->call->diags, (amo_at){0}, "--plot-x and --plot-y choose",
             "the figure shows the friction of '%s', the first of %zu contacts", amo_model_contact(m, 0).name,
             contacts);
  if (q > MAX_CURVES)
    amo_warn(d->run->call->diags, (amo_at){0}, "--plot-x and --plot-y choose",
             "the figure shows the first %d of %zu coordinates", MAX_CURVES, q);
}

// ---- what --plot-x and --plot-y ask for ----

static amo_status curve(drawing *d, amo_panel *p, const double *x, const char *text, bool alone)
{
  const amo_run *r = d->run;
  double *y = amo_zalloc(d->t->rows, sizeof *y);
  amo_status st = y ? amo_trajectory_eval(d->t, r->call->values, text, r->call->diags, y) : AMO_ENOMEM;
  if (st == AMO_OK && alone)
    add_split(d, p, x, y, true, true);
  else if (st == AMO_OK)
    amo_panel_series(p, AMO_STYLE_LINE, text, x, y, d->t->rows);
  free(y);
  return st;
}

/// Cuts the next of "y1, y2, ..." off *list; commas inside parentheses and brackets do not separate.
/// NULL at the end. The list is written into.
static char *next_expression(char **list)
{
  char *s = *list;
  int depth = 0;
  if (!s) return NULL;
  s += strspn(s, " ");
  char *c = s;
  for (; *c && !(*c == ',' && depth <= 0); c++) depth += (*c == '(' || *c == '[') - (*c == ')' || *c == ']');
  *list = *c ? c + 1 : NULL;
  *c = '\0';
  while (c > s && c[-1] == ' ') *--c = '\0';
  return s;
}

static amo_status asked_for(drawing *d, const char *x_text, const char *y_text)
{
  amo_status st = AMO_OK, one = AMO_OK;
  double *x = amo_zalloc(d->t->rows, sizeof *x);
  char *list = amo_strdup(y_text), *rest = list;
  if (!x || !list) st = AMO_ENOMEM;
  if (st == AMO_OK) st = amo_trajectory_eval(d->t, d->run->call->values, x_text, d->run->call->diags, x);
  amo_panel *p = st == AMO_OK ? panel(d, "", x_text, y_text) : NULL;
  bool over_time = !strcmp(x_text, "t"), first = true;
  if (p && over_time) add_bands(d, p);
  for (char *s = p ? next_expression(&rest) : NULL; s; s = next_expression(&rest), first = false)
    if ((one = curve(d, p, x, s, first && !rest && !over_time)) != AMO_OK) st = one;
  free(list);
  free(x);
  return st;
}

amo_status amo_run_plot_check(const amo_run *r, const char *path)
{
  const amo_call *c = r->call;
  const char *px = amo_opt_text(c->opt, "plot-x"), *py = amo_opt_text(c->opt, "plot-y");
  char *list = amo_strdup(py ? py : ""), *rest = list;
  amo_status st = list ? amo_figure_check_name(path, c->diags) : AMO_ENOMEM, one = AMO_OK;
  double none = 0;  // the trajectory has no rows yet: only the names are looked at
  if (px && list && (one = amo_trajectory_eval(r->trajectory, c->values, px, c->diags, &none)) != AMO_OK)
    st = one;
  for (char *s = py && list ? next_expression(&rest) : NULL; s; s = next_expression(&rest))
    if ((one = amo_trajectory_eval(r->trajectory, c->values, s, c->diags, &none)) != AMO_OK) st = one;
  free(list);
  return st;
}

amo_status amo_run_plot(const amo_run *r, const char *path)
{
  const amo_model *m = r->call->model;
  const char *title = *amo_model_title(m) ? amo_model_title(m) : amo_model_name(m);
  const char *px = amo_opt_text(r->call->opt, "plot-x"), *py = amo_opt_text(r->call->opt, "plot-y");
  drawing d = {.run = r, .t = r->trajectory, .figure = amo_figure_new(title)};
  amo_status st = AMO_OK;
  d.x = amo_zalloc(2 * d.t->rows + MAX_MARKS, sizeof *d.x);
  d.y = amo_zalloc(2 * d.t->rows + MAX_MARKS, sizeof *d.y);
  d.time = values(&d, "t");
  if (amo_model_contacts(m)) {
    char name[256];
    snprintf(name, sizeof name, "%s.mode", amo_model_contact(m, 0).name);
    d.mode = values(&d, name);
  }
  if (!d.figure || !d.x || !d.y)
    st = AMO_ENOMEM;
  else if (!px && !py)
    overview(&d), say_what_is_left_out(&d);
  else
    st = asked_for(&d, px ? px : "t", py ? py : d.t->column[1].name);
  if (st == AMO_OK) st = amo_figure_write(d.figure, path, r->call->diags);
  free(d.x);
  free(d.y);
  amo_figure_free(d.figure);
  return st;
}
