// SPDX-License-Identifier: Apache-2.0
// The figures of `simulate --plot`: phase portrait, friction against slip velocity, histories; or what
// --plot-x and --plot-y ask for.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "plot/figure.h"
#include "study/simulate_run.h"

#define MAX_MARKS  200  // events marked in one panel
#define MAX_CURVES 7    // curves in one panel

typedef struct drawing {
  const amo_run *run;
  const amo_trajectory *t;
  amo_figure *figure;
  const double *time, *mode;  // columns; mode of the first contact, or NULL
  double *x, *y;              // [rows] scratch
} drawing;

/// Rows of one kind only; NaN elsewhere breaks the line.
static void part(const drawing *d, const double *from, bool stick, double *to)
{
  for (size_t i = 0; i < d->t->rows; i++) to[i] = (d->mode[i] == AMO_STICK) == stick ? from[i] : NAN;
}

static void add_split(drawing *d, amo_panel *p, const double *x, const double *y, bool named)
{
  if (!d->mode) {
    amo_panel_series(p, AMO_STYLE_LINE, "", x, y, d->t->rows);
    return;
  }
  for (int stick = 0; stick < 2; stick++) {
    part(d, y, stick, d->y);
    amo_series *s = amo_panel_series(p, AMO_STYLE_LINE,
                                     !named  ? ""
                                     : stick ? "stick"
                                             : "slip",
                                     x, d->y, d->t->rows);
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
    amo_series *s = amo_panel_series(p, stick ? AMO_STYLE_POINTS : AMO_STYLE_OPEN_POINTS,
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
  add_split(d, p, values(d, x), values(d, v), true);
  add_marks(d, p, values(d, x), values(d, v));
}

static void friction(drawing *d)
{
  const char *contact = amo_model_contact(d->run->call->model, 0).name;
  char slip[256], force[256];
  snprintf(slip, sizeof slip, "%s.slip", contact);
  snprintf(force, sizeof force, "%s.force", contact);
  amo_panel *p = panel(d, "Friction force against slip velocity", slip, force);
  add_split(d, p, values(d, slip), values(d, force), false);
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

static amo_status curve(drawing *d, amo_panel *p, const double *x, const char *text, bool alone)
{
  const amo_run *r = d->run;
  amo_status st = amo_trajectory_eval(d->t, r->call->model, text, r->call->diags, d->x);
  if (st != AMO_OK) return st;
  if (alone)
    add_split(d, p, x, d->x, true);
  else
    amo_panel_series(p, AMO_STYLE_LINE, text, x, d->x, d->t->rows);
  return AMO_OK;
}

/// Curves "y1, y2, ..." over x. Commas inside parentheses and brackets do not separate.
static amo_status asked_for(drawing *d, const char *x_text, const char *y_text)
{
  amo_status st = AMO_OK, one = AMO_OK;
  double *x = amo_zalloc(d->t->rows, sizeof *x);
  char *list = amo_strdup(y_text);
  if (!x || !list) st = AMO_ENOMEM;
  if (st == AMO_OK) st = amo_trajectory_eval(d->t, d->run->call->model, x_text, d->run->call->diags, x);
  amo_panel *p = st == AMO_OK ? panel(d, "", x_text, y_text) : NULL;
  bool over_time = !strcmp(x_text, "t");
  if (p && over_time) add_bands(d, p);
  int depth = 0;
  bool alone = !over_time;
  for (const char *c = y_text; *c; c++) alone = alone && *c != ',';
  for (char *s = list, *c = list; p && list; c++) {
    depth += (*c == '(' || *c == '[') - (*c == ')' || *c == ']');
    if (*c && !(*c == ',' && depth <= 0)) continue;
    bool last = !*c;
    *c = '\0';
    while (*s == ' ') s++;
    for (char *e = c; e > s && e[-1] == ' ';) *--e = '\0';
    if ((one = curve(d, p, x, s, alone)) != AMO_OK) st = one;
    if (last) break;
    s = c + 1;
  }
  free(list);
  free(x);
  return st;
}

amo_status amo_run_plot(const amo_run *r, const char *path)
{
  const amo_model *m = r->call->model;
  const char *title = *amo_model_title(m) ? amo_model_title(m) : amo_model_name(m);
  const char *px = amo_opt_text(r->call->opt, "plot-x"), *py = amo_opt_text(r->call->opt, "plot-y");
  drawing d = {.run = r, .t = r->trajectory, .figure = amo_figure_new(title)};
  amo_status st = AMO_OK;
  d.x = amo_zalloc(d.t->rows + MAX_MARKS, sizeof *d.x);
  d.y = amo_zalloc(d.t->rows + MAX_MARKS, sizeof *d.y);
  d.time = values(&d, "t");
  if (amo_model_contacts(m)) {
    char name[256];
    snprintf(name, sizeof name, "%s.mode", amo_model_contact(m, 0).name);
    d.mode = values(&d, name);
  }
  if (!d.figure || !d.x || !d.y)
    st = AMO_ENOMEM;
  else if (!px && !py)
    overview(&d);
  else
    st = asked_for(&d, px ? px : "t", py ? py : d.t->column[1].name);
  if (st == AMO_OK) st = amo_figure_write(d.figure, path, r->call->diags);
  free(d.x);
  free(d.y);
  amo_figure_free(d.figure);
  return st;
}
