// SPDX-License-Identifier: Apache-2.0
/// Figures of a study: panels of curves taken from trajectories, sweeps and printed points.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "plot/figure.h"
#include "study/figure_curve.h"
#include "study/study.h"
#include "study/keys.h"

// ---- axes ----

typedef struct axis {
  const char *label;
  double min, max;
  bool log_scale;
} axis;

/// `x: label`, or `x: {label:, min:, max:, log:}`.
static amo_status read_axis(const amo_yaml *n, const char *what, amo_diags *d, axis *out)
{
  *out = (axis){"", NAN, NAN, false};
  if (!n) return AMO_OK;
  if (n->kind == AMO_YAML_SCALAR) {
    out->label = n->text;
    return AMO_OK;
  }
  amo_status st = amo_yaml_expect(n, AMO_YAML_MAP, what, d);
  if (st == AMO_OK) st = amo_yaml_only_of(n, what, amo_figure_keys, "panel.x", d);
  if (st != AMO_OK) return st;
  const amo_yaml *label = amo_yaml_get(n, "label"), *low = amo_yaml_get(n, "min"),
                 *high = amo_yaml_get(n, "max");
  const amo_yaml *log_node = amo_yaml_get(n, "log");
  if (label) st = amo_yaml_string(label, "label", d, &out->label);
  if (low && st == AMO_OK) st = amo_yaml_number(low, "min", d, &out->min);
  if (high && st == AMO_OK) st = amo_yaml_number(high, "max", d, &out->max);
  if (log_node && st == AMO_OK) st = amo_yaml_bool(log_node, "log", d, &out->log_scale);
  return st;
}

// ---- things drawn beside the curves ----

static const char *text_or(const amo_yaml *map, const char *key, const char *fallback)
{
  const amo_yaml *n = amo_yaml_get(map, key);
  return n && n->kind == AMO_YAML_SCALAR ? n->text : fallback;
}

static amo_status draw_marks(amo_figure_job *j, amo_panel *p, const amo_yaml *list)
{
  for (const amo_yaml *c = list ? list->first : NULL; c; c = c->next) {
    double x = 0.0, y = 0.0;
    amo_status st = amo_yaml_only_of(c, "a mark", amo_figure_keys, "panel.marks[]", j->diags);
    const amo_yaml *nx = amo_yaml_get(c, "x"), *ny = amo_yaml_get(c, "y");
    if (st == AMO_OK && (!nx || !ny)) st = amo_error(j->diags, c->at, NULL, "a mark needs x and y");
    if (st == AMO_OK) st = amo_value_number(j->r, nx, j->diags, &x);
    if (st == AMO_OK) st = amo_value_number(j->r, ny, j->diags, &y);
    if (st != AMO_OK) return st;
    amo_panel_mark(p, x, y, text_or(c, "text", ""));
  }
  return AMO_OK;
}

static amo_status draw_lines(amo_figure_job *j, amo_panel *p, const amo_yaml *list)
{
  for (const amo_yaml *c = list ? list->first : NULL; c; c = c->next) {
    double at = 0.0;
    amo_status st = amo_yaml_only_of(c, "a line", amo_figure_keys, "panel.lines[]", j->diags);
    const amo_yaml *x = amo_yaml_get(c, "x"), *y = amo_yaml_get(c, "y");
    if (st == AMO_OK && !x == !y) st = amo_error(j->diags, c->at, NULL, "a line needs x or y");
    if (st == AMO_OK) st = amo_value_number(j->r, x ? x : y, j->diags, &at);
    if (st != AMO_OK) return st;
    amo_panel_rule(p, x != NULL, at, text_or(c, "label", ""));
  }
  return AMO_OK;
}

/// `stick: {run: simulate, contact: belt, from: t0}`: shade the times of stick (x axis t - from).
static amo_status draw_stick(amo_figure_job *j, amo_panel *p, const amo_yaml *n)
{
  double from = 0.0, begun = NAN;
  if (!n) return AMO_OK;
  amo_status st = amo_yaml_only_of(n, "stick", amo_figure_keys, "panel.stick", j->diags);
  const amo_recorded *rec = amo_find_recorded(j->r, text_or(n, "run", "simulate"), 0);
  char name[128];
  snprintf(name, sizeof name, "%s.mode", text_or(n, "contact", "belt"));
  const amo_column *mode = rec ? amo_trajectory_column(rec->trajectory, name) : NULL;
  const amo_column *t = rec ? amo_trajectory_column(rec->trajectory, "t") : NULL;
  if (st == AMO_OK && (!mode || !t))
    st = amo_error(j->diags, n->at, NULL, "no column '%s' in that run", name);
  if (st == AMO_OK && amo_yaml_get(n, "from"))
    st = amo_value_number(j->r, amo_yaml_get(n, "from"), j->diags, &from);
  if (st != AMO_OK) return st;
  size_t rows = rec->trajectory->rows;
  for (size_t i = 0; i < rows; i++) {
    bool stick = mode->value[i] == 0.0;
    if (stick && isnan(begun)) begun = t->value[i];
    if ((!stick || i + 1 == rows) && !isnan(begun)) {
      if (t->value[i] > begun) amo_panel_band(p, begun - from, t->value[i] - from);
      begun = NAN;
    }
  }
  return AMO_OK;
}

static amo_figure_key key_place(const amo_yaml *n, amo_diags *d)
{
  static const char *const words[] = {"auto",        "off",          "top-left", "top-right",
                                      "bottom-left", "bottom-right", "outside",  NULL};
  int i = 0;
  if (!n || amo_yaml_choice(n, "key", words, d, &i) != AMO_OK) return AMO_KEY_AUTO;
  return (amo_figure_key)(AMO_KEY_AUTO + i);
}

static amo_status draw_panel(amo_figure_job *j, amo_figure *f, const amo_yaml *n, bool own_title)
{
  axis x, y;
  bool equal = false;
  amo_status st = amo_yaml_only_of(n, "a panel", amo_figure_keys, "panel", j->diags);
  if (st == AMO_OK) st = read_axis(amo_yaml_get(n, "x"), "x", j->diags, &x);
  if (st == AMO_OK) st = read_axis(amo_yaml_get(n, "y"), "y", j->diags, &y);
  const amo_yaml *same = amo_yaml_get(n, "equal"), *curves = amo_yaml_get(n, "curves");
  if (st == AMO_OK && same) st = amo_yaml_bool(same, "equal", j->diags, &equal);
  if (st == AMO_OK) st = amo_yaml_expect(curves, AMO_YAML_LIST, "curves", j->diags);
  if (st != AMO_OK) return st;
  amo_panel *p = amo_figure_panel(f, own_title ? text_or(n, "title", "") : "", x.label, y.label);
  if (!p) return AMO_ENOMEM;
  p->x_min = x.min, p->x_max = x.max, p->y_min = y.min, p->y_max = y.max;
  p->x_log = x.log_scale, p->y_log = y.log_scale;
  p->equal = equal;
  p->key = key_place(amo_yaml_get(n, "key"), j->diags);
  st = draw_stick(j, p, amo_yaml_get(n, "stick"));
  for (const amo_yaml *c = curves->first; c && st == AMO_OK; c = c->next) st = amo_draw_curve(j, p, c);
  if (st == AMO_OK) st = draw_marks(j, p, amo_yaml_get(n, "marks"));
  if (st == AMO_OK) st = draw_lines(j, p, amo_yaml_get(n, "lines"));
  return st;
}

// ---- one figure, all figures ----

static amo_status draw_figure(amo_figure_job *j, const amo_yaml *n, const char *path)
{
  amo_status st = amo_yaml_expect(n, AMO_YAML_MAP, "figure", j->diags);
  if (st != AMO_OK) return st;
  const amo_yaml *panels = amo_yaml_get(n, "panels"), *columns = amo_yaml_get(n, "columns");
  const amo_yaml *size = amo_yaml_get(n, "size");
  amo_figure *f = amo_figure_new(text_or(n, "title", ""));
  if (!f) return AMO_ENOMEM;
  if (columns) amo_figure_columns(f, atoi(columns->text));
  if (size && size->count == 2) amo_figure_size(f, atof(size->first->text), atof(size->first->next->text));
  if (panels) st = amo_yaml_only_of(n, "figure", amo_figure_keys, "figure", j->diags);
  if (!panels && st == AMO_OK) st = draw_panel(j, f, n, false);
  for (const amo_yaml *c = panels ? panels->first : NULL; c && st == AMO_OK; c = c->next)
    st = draw_panel(j, f, c, true);
  if (st == AMO_OK) st = amo_figure_write(f, path, j->diags);
  amo_figure_free(f);
  return st;
}

amo_status amo_study_figures(const amo_study *s, amo_study_result *r, const char *dir, amo_diags *diags,
                             cJSON *files)
{
  amo_figure_job j = {s, r, diags};
  amo_status worst = AMO_OK;
  if (!s->figure) return AMO_OK;
  bool many = s->figure->kind == AMO_YAML_LIST;
  size_t k = 0;
  for (const amo_yaml *n = many ? s->figure->first : s->figure; n; n = many ? n->next : NULL) {
    amo_text path = {0};
    amo_text_printf(&path, "%s/%s", dir, s->id[0]);
    if (++k > 1) amo_text_printf(&path, "-%zu", k);
    amo_text_str(&path, ".svg");
    amo_status st = path.failed               ? AMO_ENOMEM
                    : amo_yaml_get(n, "draw") ? amo_draw_schematic(&j, n, path.data)
                                              : draw_figure(&j, n, path.data);
    if (st == AMO_OK) {
      cJSON *entry = cJSON_CreateObject();
      cJSON_AddStringToObject(entry, "file", path.data);
      cJSON_AddStringToObject(entry, "caption", text_or(n, "caption", text_or(n, "title", "")));
      cJSON_AddItemToArray(files, entry);
    } else {
      worst = st;
    }
    amo_text_free(&path);
  }
  return worst;
}
