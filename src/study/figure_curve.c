// SPDX-License-Identifier: Apache-2.0
/// One curve of a panel. Four kinds:
///   {run: simulate, x: t, y: x}        columns of a trajectory, or expressions of them
///   {run: spectrum, x: frequency, y: psd}   lists of any other verb's result
///   {each: sweep, x: over.v, y: ...}   one point for every item of a sweep, or of a list in a result
///   {contours: map}                    boundaries that a map has traced
///   {points: [[0, 1], [1, 2]]}         numbers as printed by a source
#include "study/figure_curve.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "result/json_path.h"
#include "study/keys.h"

typedef struct points {
  double *x, *y;
  size_t n;
  bool *unstable;  // of items of a branch, which say so; NULL otherwise
  double *branch;  // number of the branch they belong to
} points;

const amo_recorded *amo_find_recorded(const amo_study_result *r, const char *name, long item)
{
  for (size_t i = 0; i < r->recordeds; i++)
    if (!strcmp(r->recorded[i].run, name) && r->recorded[i].item == item) return &r->recorded[i];
  return NULL;
}

// ---- columns of a trajectory ----

/// Replace results (definitions, paths) in an expression of columns by their numbers.
static amo_status insert_results(amo_figure_job *j, const amo_yaml *n, amo_text *out)
{
  amo_json_path path = {.root = j->r->root, .scratch = j->r->scratch};
  for (size_t i = 0; i < n->length;) {
    size_t word = 0, used = 0;
    const char *s = n->text + i;
    while (isalnum((unsigned char)s[word]) || s[word] == '_' || s[word] == '\'' || s[word] == '.') word++;
    if (isalpha((unsigned char)*s) && amo_json_path_starts(&path, s)) {
      const cJSON *v = NULL;
      amo_status st = amo_json_path_follow(&path, s, n->at, j->diags, &used, &v);
      if (st != AMO_OK) return st;
      if (!cJSON_IsNumber(v)) return amo_error(j->diags, n->at, NULL, "'%.*s' is not a number", (int)used, s);
      amo_text_printf(out, "(%.17g)", v->valuedouble);
      i += used;
    } else {
      amo_text_add(out, s, word ? word : 1);
      i += word ? word : 1;
    }
  }
  return out->failed ? AMO_ENOMEM : AMO_OK;
}

static amo_status eval_columns(amo_figure_job *j, const amo_recorded *rec, const amo_yaml *n, double *value)
{
  const amo_column *c = amo_trajectory_column(rec->trajectory, n->text);
  if (c) {
    memcpy(value, c->value, rec->trajectory->rows * sizeof *value);
    return AMO_OK;
  }
  amo_text text = {0};
  amo_status st = insert_results(j, n, &text);
  if (st == AMO_OK)
    st = amo_trajectory_eval(rec->trajectory, amo_model_values(rec->model), text.data, j->diags, value);
  amo_text_free(&text);
  return st;
}

static amo_status read_window(amo_figure_job *j, const amo_yaml *n, double *from, double *to)
{
  amo_status st = AMO_OK;
  const amo_yaml *a = amo_yaml_get(n, "from"), *b = amo_yaml_get(n, "to");
  *from = -INFINITY;
  *to = INFINITY;
  if (a) st = amo_value_number(j->r, a, j->diags, from);
  if (b && st == AMO_OK) st = amo_value_number(j->r, b, j->diags, to);
  return st;
}

/// Rows outside [from, to] (times) go; `only: steps` keeps the points where the integrator stepped.
static void select_rows(const amo_recorded *rec, double from, double to, bool steps, points *p)
{
  const amo_column *t = amo_trajectory_column(rec->trajectory, "t");
  size_t kept = 0;
  for (size_t i = 0; i < p->n; i++) {
    if (t && !(t->value[i] >= from && t->value[i] <= to)) continue;
    if (steps && !rec->trajectory->is_step_end[i]) continue;
    p->x[kept] = p->x[i];
    p->y[kept++] = p->y[i];
  }
  p->n = kept;
}

static amo_status new_points(points *p, size_t n)
{
  p->n = n;
  p->x = amo_zalloc(n, sizeof *p->x);
  p->y = amo_zalloc(n, sizeof *p->y);
  return p->x && p->y ? AMO_OK : AMO_ENOMEM;
}

// ---- lists of a result ----

static amo_status read_list(amo_figure_job *j, const cJSON *result, const amo_yaml *n, double **out,
                            size_t *count)
{
  const cJSON *v = NULL, *x = NULL;
  size_t i = 0;
  amo_study_result one = {.root = (cJSON *)(uintptr_t)result, .scratch = j->r->scratch};
  amo_status st = amo_value_eval(&one, n, j->diags, &v);
  if (st != AMO_OK) return st;
  if (!cJSON_IsArray(v)) return amo_error(j->diags, n->at, NULL, "'%s' is not a list", n->text);
  *count = (size_t)cJSON_GetArraySize(v);
  *out = amo_zalloc(*count, sizeof **out);
  if (!*out) return AMO_ENOMEM;
  cJSON_ArrayForEach(x, v)(*out)[i++] = cJSON_IsNumber(x) ? x->valuedouble : NAN;
  return AMO_OK;
}

static amo_status from_lists(amo_figure_job *j, const amo_yaml *n, const cJSON *result, points *p)
{
  const amo_yaml *x = amo_yaml_get(n, "x"), *y = amo_yaml_get(n, "y");
  size_t count = 0;
  if (!x || !y)
    return amo_error(j->diags, n->at, "for example  {run: spectrum, x: frequency, y: psd}",
                     "the curve needs x and y");
  amo_status st = read_list(j, result, x, &p->x, &p->n);
  if (st == AMO_OK) st = read_list(j, result, y, &p->y, &count);
  if (st == AMO_OK && count != p->n)
    st = amo_error(j->diags, n->at, NULL, "x has %zu values, y has %zu", p->n, count);
  return st;
}

/// The result of a run without trajectory; NULL if there is none.
static const cJSON *find_result(const amo_figure_job *j, const char *name, long item)
{
  const cJSON *v = cJSON_GetObjectItemCaseSensitive(j->r->root, name);
  if (cJSON_IsArray(v)) v = cJSON_GetArrayItem(v, (int)item);
  return cJSON_IsObject(v) ? v : NULL;
}

static amo_status from_run(amo_figure_job *j, const amo_yaml *n, points *p)
{
  const amo_yaml *run = amo_yaml_get(n, "run"), *item = amo_yaml_get(n, "item"),
                 *only = amo_yaml_get(n, "only");
  const amo_yaml *x = amo_yaml_get(n, "x"), *y = amo_yaml_get(n, "y");
  long k = 0;
  double from = 0.0, to = 0.0;
  if (item && amo_yaml_integer(item, "item", j->diags, &k) != AMO_OK) return AMO_EINPUT;
  const char *name = run && run->kind == AMO_YAML_SCALAR ? run->text : "simulate";
  const amo_recorded *rec = amo_find_recorded(j->r, name, k);
  if (!rec) {
    const cJSON *result = find_result(j, name, k);
    return result ? from_lists(j, n, result, p)
                  : amo_error(j->diags, n->at, NULL, "there is no run '%s' to draw", name);
  }
  if (!x || !y)
    return amo_error(j->diags, n->at, "for example  {run: simulate, x: t, y: x}", "the curve needs x and y");
  amo_status st = new_points(p, rec->trajectory->rows);
  if (st == AMO_OK) st = eval_columns(j, rec, x, p->x);
  if (st == AMO_OK) st = eval_columns(j, rec, y, p->y);
  if (st == AMO_OK) st = read_window(j, n, &from, &to);
  if (st == AMO_OK) select_rows(rec, from, to, only && !strcmp(only->text, "steps"), p);
  return st;
}

// ---- sweeps and printed points ----

/// A number inside one item of a sweep; where the result has none (null) the curve has a gap.
static amo_status number_or_gap(amo_study_result *one, const amo_yaml *n, amo_diags *d, double *out)
{
  const cJSON *v = NULL;
  amo_status st = amo_value_eval(one, n, d, &v);
  *out = NAN;
  if (st == AMO_OK && cJSON_IsNull(v)) return AMO_OK;
  return st == AMO_OK ? amo_value_number(one, n, d, out) : st;
}

/// Items of a branch say whether they are stable, and which branch they belong to.
static amo_status note_branch(const cJSON *list, points *p)
{
  const cJSON *item = NULL;
  size_t i = 0;
  cJSON_ArrayForEach(item,
                     list) if (!cJSON_IsBool(cJSON_GetObjectItemCaseSensitive(item, "stable"))) return AMO_OK;
  p->unstable = amo_zalloc(p->n + 1, sizeof *p->unstable);
  p->branch = amo_zalloc(p->n + 1, sizeof *p->branch);
  if (!p->unstable || !p->branch) return AMO_ENOMEM;
  cJSON_ArrayForEach(item, list)
  {
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(item, "branch");
    p->unstable[i] = cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(item, "stable"));
    p->branch[i++] = cJSON_IsNumber(number) ? number->valuedouble : 0.0;
  }
  return AMO_OK;
}

static amo_status from_each(amo_figure_job *j, const amo_yaml *n, points *p)
{
  const amo_yaml *each = amo_yaml_get(n, "each"), *x = amo_yaml_get(n, "x"), *y = amo_yaml_get(n, "y");
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(j->r->root, each->text);
  if (!cJSON_IsArray(list) && amo_value_eval(j->r, each, j->diags, &list) != AMO_OK) return AMO_EINPUT;
  if (!cJSON_IsArray(list))
    return amo_error(j->diags, each->at, NULL, "'%s' is neither a sweep nor a list of a result", each->text);
  if (!x || !y) return amo_error(j->diags, n->at, NULL, "the curve needs x and y");
  amo_status st = new_points(p, (size_t)cJSON_GetArraySize(list));
  size_t i = 0;
  cJSON *item = NULL;
  cJSON_ArrayForEach(item, list)
  {
    // The item plays the part of all results: x and y are read inside it.
    amo_study_result one = {.root = item, .scratch = j->r->scratch};
    if (st == AMO_OK) st = number_or_gap(&one, x, j->diags, &p->x[i]);
    if (st == AMO_OK) st = number_or_gap(&one, y, j->diags, &p->y[i]);
    i++;
  }
  return st == AMO_OK ? note_branch(list, p) : st;
}

static amo_status from_points(amo_figure_job *j, const amo_yaml *n, points *p)
{
  const amo_yaml *list = amo_yaml_get(n, "points");
  amo_status st = amo_yaml_expect(list, AMO_YAML_LIST, "points", j->diags);
  if (st == AMO_OK) st = new_points(p, list->count);
  size_t i = 0;
  for (const amo_yaml *c = list ? list->first : NULL; c && st == AMO_OK; c = c->next, i++) {
    if (c->kind != AMO_YAML_LIST || c->count != 2)
      return amo_error(j->diags, c->at, NULL, "a point is [x, y]");
    st = amo_value_number(j->r, c->first, j->diags, &p->x[i]);
    if (st == AMO_OK) st = amo_value_number(j->r, c->first->next, j->diags, &p->y[i]);
  }
  return st;
}

/// Boundaries of a map, one after the other with gaps between them.
static amo_status from_contours(amo_figure_job *j, const amo_yaml *n, points *p)
{
  const amo_yaml *run = amo_yaml_get(n, "contours");
  const cJSON *map = cJSON_GetObjectItemCaseSensitive(j->r->root, run->text), *c = NULL, *q = NULL;
  const cJSON *all = cJSON_GetObjectItemCaseSensitive(map, "contours");
  size_t count = 0, i = 0;
  if (!cJSON_IsArray(all))
    return amo_error(j->diags, run->at, "a run of map with the option contours", "'%s' has no contours",
                     run->text);
  cJSON_ArrayForEach(c, all) count +=
      (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(c, "points")) + 1;
  amo_status st = new_points(p, count);
  if (st != AMO_OK) return st;
  cJSON_ArrayForEach(c, all)
  {
    cJSON_ArrayForEach(q, cJSON_GetObjectItemCaseSensitive(c, "points"))
    {
      p->x[i] = cJSON_GetArrayItem(q, 0)->valuedouble;
      p->y[i++] = cJSON_GetArrayItem(q, 1)->valuedouble;
    }
    p->x[i] = p->y[i] = NAN;
    i++;
  }
  return AMO_OK;
}

// ---- looks ----

static amo_status read_looks(amo_figure_job *j, const amo_yaml *n, amo_series_style *style,
                             amo_colour *colour)
{
  static const char *const styles[] = {"line",  "dashed",      "points", "open",
                                       "steps", "line-points", "dots",   NULL};
  static const char *const colours[] = {"blue",  "orange", "green", "pink", "sky",
                                        "amber", "black",  "grey",  NULL};
  const amo_yaml *s = amo_yaml_get(n, "style"), *c = amo_yaml_get(n, "colour");
  int i = 0, k = (int)AMO_COLOUR_AUTO;
  amo_status st = AMO_OK;
  if (!c) c = amo_yaml_get(n, "color");
  if (s) st = amo_yaml_choice(s, "style", styles, j->diags, &i);
  if (c && st == AMO_OK) st = amo_yaml_choice(c, "colour", colours, j->diags, &k);
  *style = (amo_series_style)i;
  *colour = (amo_colour)k;
  return st;
}

/// The points of one stability, a gap wherever it changes or another branch begins; the stretch that leads out
/// belongs to it.
static size_t stretch(const points *p, bool unstable, double *x, double *y)
{
  size_t n = 0;
  for (size_t i = 0; i < p->n; i++) {
    const size_t before = i ? i - 1 : 0;
    const bool apart = p->branch[i] != p->branch[before];
    const bool mine = p->unstable[i] == unstable, joins = !apart && p->unstable[before] == unstable;
    if (apart && n) x[n] = y[n] = NAN, n++;
    if (mine || joins) x[n] = p->x[i], y[n++] = p->y[i];
    if (!mine && joins) x[n] = y[n] = NAN, n++;
  }
  return n;
}

/// The first colour that no curve of the panel has yet.
static amo_colour next_colour(const amo_panel *p)
{
  for (int c = 0; c < AMO_COLOUR_COUNT; c++) {
    bool used = false;
    for (const amo_figure_series *s = p->series; s; s = s->next) used = used || (int)s->colour == c;
    if (!used) return (amo_colour)c;
  }
  return AMO_COLOUR_AUTO;
}

/// Lines of a branch: stable parts as the style says, unstable ones dashed, in one colour.
static amo_status add_branch(amo_panel *p, const points *data, const char *label, amo_colour colour,
                             double width)
{
  double *x = amo_zalloc(4 * data->n + 4, sizeof *x), *y = x ? x + 2 * data->n + 2 : NULL;
  amo_status st = x ? AMO_OK : AMO_ENOMEM;
  for (int unstable = 0; unstable < 2 && st == AMO_OK; unstable++) {
    const size_t n = stretch(data, unstable, x, y);
    if (!n) continue;
    amo_figure_series *s = amo_panel_series(p, unstable ? AMO_STYLE_DASHED : AMO_STYLE_LINE, label, x, y, n);
    if (!s) st = AMO_ENOMEM;
    if (s) s->colour = colour, s->width = width;
    label = "";
  }
  free(x);
  return st;
}

amo_status amo_draw_curve(amo_figure_job *j, amo_panel *p, const amo_yaml *n)
{
  points data = {0};
  amo_series_style style = AMO_STYLE_LINE;
  amo_colour colour = AMO_COLOUR_AUTO;
  const amo_yaml *label = amo_yaml_get(n, "label"), *width = amo_yaml_get(n, "width");
  amo_status st = amo_yaml_expect(n, AMO_YAML_MAP, "a curve", j->diags);
  if (st == AMO_OK) st = amo_yaml_only_of(n, "a curve", amo_figure_keys, "panel.curves[]", j->diags);
  if (st == AMO_OK) st = read_looks(j, n, &style, &colour);
  if (st == AMO_OK)
    st = amo_yaml_get(n, "points")     ? from_points(j, n, &data)
         : amo_yaml_get(n, "each")     ? from_each(j, n, &data)
         : amo_yaml_get(n, "contours") ? from_contours(j, n, &data)
                                       : from_run(j, n, &data);
  const double thick = width && atof(width->text) > 0.0 ? atof(width->text) : 1.0;
  if (colour == AMO_COLOUR_AUTO) colour = next_colour(p);
  if (st == AMO_OK && data.unstable && style == AMO_STYLE_LINE) {
    st = add_branch(p, &data, label ? label->text : "", colour, thick);
  } else if (st == AMO_OK) {
    amo_figure_series *s = amo_panel_series(p, style, label ? label->text : "", data.x, data.y, data.n);
    if (s && colour != AMO_COLOUR_AUTO) s->colour = colour;
    if (s) s->width = thick;
    if (!s) st = AMO_ENOMEM;
  }
  free(data.x);
  free(data.y);
  free(data.unstable);
  free(data.branch);
  return st;
}
