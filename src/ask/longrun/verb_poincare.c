// SPDX-License-Identifier: Apache-2.0
// poincare: passes through a section, the first-return map, and whether the passes repeat.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "model/compiled.h"
#include "orbit/scale.h"
#include "plot/figure.h"
#include "plot/axis_label.h"
#include "ask/audit.h"
#include "ask/longrun/chaos.h"
#include "result/json.h"
#include "ask/section_options.h"
#include "result/show.h"

// clang-format off
static const amo_opt_def opts[] = {
    AMO_SECTION_OPTS,
    {"returns", AMO_OPT_INTEGER, "N", "200", NULL, "stop after this many passes", 1, 1e7},
    {"until", AMO_OPT_NUMBER, "T", "1e4", NULL, "stop here if there are fewer", 0, 0},
    AMO_WATCHED_RUN_OPTS,
    {"repeat-tol", AMO_OPT_NUMBER, "TOL", "1e-6", NULL, "passes are the same if they differ by less, relative to the size of the motion", 1e-15, 1},
    {"most-turns", AMO_OPT_INTEGER, "N", "64", NULL, "longest period looked for, in passes", 1, 100000},
    {"csv", AMO_OPT_FILE, "FILE", NULL, NULL, "write the passes as CSV; - is standard output", 0, 0},
    {"plot", AMO_OPT_FILE, "FILE", NULL, NULL, "draw section and return map: .svg, .png or .pdf", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

typedef struct study {
  amo_watched_run j;
  amo_where where;
  amo_returns returns;
  amo_scale scale;
  double *value;
  size_t values, value_capacity, wanted;
} study;

static int on_hit(void *ctx, const amo_sample *p)
{
  study *s = ctx;
  if (p->t < s->j.after) return 0;
  if (!AMO_ROOM(s->value, s->values, s->value_capacity) ||
      (s->j.status = amo_returns_add(&s->returns, p->t, p->state)) != AMO_OK) {
    s->j.status = AMO_ENOMEM;
    return 1;
  }
  s->value[s->values++] = amo_signal_value(s->where.of, p);
  return s->values >= s->wanted;
}

static int on_step(void *ctx, amo_watched_run *j)
{
  study *s = ctx;
  if (amo_sim_time(j->sim) >= j->after) amo_scale_step(&s->scale, j->sim);
  amo_status st = amo_section_step(&s->where.section, j->sim, j->sample, on_hit, s);
  if (st == AMO_EINTR) return 1;
  j->status = st;
  return st == AMO_OK ? 0 : 2;
}

// ---- results ----

static void add_points(cJSON *o, const study *s)
{
  const amo_model *m = s->j.call->model;
  cJSON *list = cJSON_AddArrayToObject(o, "points"), *map = cJSON_AddArrayToObject(o, "return_map");
  for (size_t i = 0; i < s->values; i++) {
    cJSON *p = cJSON_CreateObject(), *state = cJSON_CreateObject();
    amo_json_add(p, "t", s->returns.t[i]);
    amo_json_add(p, "value", s->value[i]);
    for (size_t k = 0; k < s->returns.states; k++)
      amo_json_add(state, amo_model_state(m, k).name, s->returns.state[i * s->returns.states + k]);
    cJSON_AddItemToObject(p, "state", state);
    cJSON_AddItemToArray(list, p);
    if (i == 0) continue;
    p = cJSON_CreateObject();
    amo_json_add(p, "value", s->value[i - 1]);
    amo_json_add(p, "next", s->value[i]);
    amo_json_add(p, "time", s->returns.t[i] - s->returns.t[i - 1]);
    cJSON_AddItemToArray(map, p);
  }
}

static void add_period(cJSON *o, const study *s)
{
  const double tol = amo_opt_number(s->j.call->opt, "repeat-tol");
  const size_t most = (size_t)amo_opt_integer(s->j.call->opt, "most-turns");
  double period;
  const size_t turns = amo_returns_turns(&s->returns, s->scale.span, tol, most, &period), n = s->values;
  char why[160];
  snprintf(why, sizeof why, "no period of up to %zu passes within %g of the size of the motion",
           n / 3 < most ? n / 3 : most, tol);
  amo_json_add_or(o, "turns", turns ? (double)turns : NAN, why);
  amo_json_add_or(o, "period", period, why);
}

static cJSON *result_json(const study *s, bool finished)
{
  cJSON *o = cJSON_CreateObject();
  double least = INFINITY, most = -INFINITY;
  cJSON_AddStringToObject(o, "model", amo_model_name(s->j.call->model));
  cJSON_AddStringToObject(o, "section", s->where.text);
  cJSON_AddStringToObject(o, "of", s->where.of_text);
  cJSON_AddNumberToObject(o, "count", (double)s->values);
  cJSON_AddBoolToObject(o, "finished", finished);
  add_period(o, s);
  for (size_t i = 0; i < s->values; i++) least = fmin(least, s->value[i]), most = fmax(most, s->value[i]);
  amo_json_add(o, "min", least);
  amo_json_add(o, "max", most);
  add_points(o, s);
  return o;
}

static amo_status write_csv(const study *s, const char *path)
{
  const amo_model *m = s->j.call->model;
  amo_file_writer w = {0};
  amo_status st = amo_file_stream_begin(path, s->j.call->diags, &w);
  if (st != AMO_OK) return st;
  fprintf(w.stream, "t");
  for (size_t k = 0; k < s->returns.states; k++) {
    fputc(',', w.stream);
    amo_show_field(amo_model_state(m, k).name, w.stream);
  }
  fprintf(w.stream, ",value\n");
  for (size_t i = 0; i < s->values; i++) {
    fprintf(w.stream, "%.17g", s->returns.t[i]);
    for (size_t k = 0; k < s->returns.states; k++)
      fprintf(w.stream, ",%.17g", s->returns.state[i * s->returns.states + k]);
    fprintf(w.stream, ",%.17g\n", s->value[i]);
  }
  return amo_file_write_commit(&w, s->j.call->diags);
}

static amo_status draw(const study *s, const char *path)
{
  const amo_model *m = s->j.call->model;
  const size_t ns = s->returns.states, n = s->values,
               other = amo_model_coordinates(m) > 1 ? 1 : amo_model_coordinates(m);
  char x_label[300], y_label[300];
  double *x = amo_zalloc(n, sizeof *x), *y = amo_zalloc(n, sizeof *y);
  amo_figure *f = amo_figure_new(amo_model_name(m));
  if (x && y) {
    if (ns > 1) {
      for (size_t i = 0; i < n; i++) x[i] = s->returns.state[i * ns], y[i] = s->returns.state[i * ns + other];
      amo_label(m, "", amo_model_state(m, 0).name, x_label, sizeof x_label);
      amo_label(m, "", amo_model_state(m, other).name, y_label, sizeof y_label);
      amo_panel *p = amo_figure_panel(f, "Section", x_label, y_label);
      amo_panel_series(p, n > 500 ? AMO_STYLE_DOTS : AMO_STYLE_POINTS, "", x, y, n);
    }
    const char *unit = s->where.of ? amo_signal_unit(s->where.of) : "";
    snprintf(x_label, sizeof x_label, *unit ? "%.150s [%.100s]" : "%.150s", s->where.of_text, unit);
    snprintf(y_label, sizeof y_label, *unit ? "%.150s at the next pass [%.100s]" : "%.150s at the next pass",
             s->where.of_text, unit);
    amo_panel *p = amo_figure_panel(f, "First return", x_label, y_label);
    if (n > 1)
      amo_panel_series(p, n > 500 ? AMO_STYLE_DOTS : AMO_STYLE_POINTS, "", s->value, s->value + 1, n - 1);
    for (int i = 0; i < 2; i++) {
      x[i] = INFINITY;
      for (size_t k = 0; k < n; k++) x[i] = fmin(x[i], i ? -s->value[k] : s->value[k]);
    }
    x[1] = -x[1];
    amo_figure_series *line = amo_panel_series(p, AMO_STYLE_DASHED, "", x, x, n > 1 ? 2 : 1);
    if (line) line->colour = AMO_COLOUR_GREY;
  }
  amo_status st = x && y ? amo_figure_write(f, path, s->j.call->diags) : AMO_ENOMEM;
  amo_figure_free(f);
  free(x);
  free(y);
  return st;
}

static amo_status write_files(const study *s)
{
  const char *csv = amo_opt_text(s->j.call->opt, "csv"), *plot = amo_opt_text(s->j.call->opt, "plot");
  amo_status st = csv ? write_csv(s, csv) : AMO_OK, one = plot ? draw(s, plot) : AMO_OK;
  return st == AMO_OK ? one : st;
}

static amo_status prepare(study *s, const amo_call *call)
{
  const char *plot = amo_opt_text(call->opt, "plot");
  amo_status st = amo_watched_run_begin(call, &s->j);
  s->j.on_step = on_step;
  s->j.ctx = s;
  s->returns.states = amo_model_states(call->model);
  s->wanted = (size_t)amo_opt_integer(call->opt, "returns");
  amo_status where = amo_where_read(call, &s->where);
  if (st == AMO_OK) st = where;
  if (st == AMO_OK) st = amo_scale_make(&s->scale, call->model);
  if (st == AMO_OK && plot) st = amo_figure_check_name(plot, call->diags);
  return st;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  study s = {0};
  *result = NULL;
  amo_status st = prepare(&s, call);
  if (st == AMO_OK) st = amo_watched_run_run(&s.j);
  if (st == AMO_EINTR && s.values > 0) {
    *result = result_json(&s, false);
    (void)amo_watched_run_audit(&s.j, *result);
  }
  if (st == AMO_OK && s.values == 0) {
    amo_error(call->diags, (amo_at){0}, "another --section, an earlier --after or a later --until",
              "no pass of the section '%s' between t = %g and %g", s.where.text, s.j.after,
              amo_sim_time(s.j.sim));
    st = AMO_ENOANSWER;
  }
  if (st == AMO_OK) {
    *result = result_json(&s, true);
    st = write_files(&s);
    amo_status audit = amo_watched_run_audit(&s.j, *result);
    if (st == AMO_OK) st = audit;
  }
  amo_scale_free(&s.scale);
  amo_returns_free(&s.returns);
  amo_where_free(&s.where);
  amo_watched_run_end(&s.j);
  free(s.value);
  return st;
}

static void print(const cJSON *o, FILE *out, int wide)
{
  (void)wide;
  fprintf(out, "%s: %.0f passes of the section '%s'\n", amo_json_text(o, "model"), amo_json_get(o, "count"),
          amo_json_text(o, "section"));
  fprintf(out, "%s from %.10g to %.10g\n", amo_json_text(o, "of"), amo_json_get(o, "min"),
          amo_json_get(o, "max"));
  if (isfinite(amo_json_get(o, "turns")))
    fprintf(out, "periodic: %.0f pass%s, period %.12g\n", amo_json_get(o, "turns"),
            amo_json_get(o, "turns") == 1 ? "" : "es", amo_json_get(o, "period"));
  else
    fprintf(out, "%s\n", amo_json_text(o, "turns_reason"));
  amo_audit_print(o, out);
}

const amo_verb amo_verb_poincare = {
    .name = "poincare",
    .summary = "passes through a section, first-return map, period",
    .usage = "MODEL [options]",
    .description = "Notes the state at every pass through a section: the events at which a contact begins to "
                   "stick or to slip, the "
                   "zeros of an equation (--section \"x' = 0\"), or even times (--every T, for excited "
                   "systems). Events and zeros are "
                   "located in the dense output to rounding; states at events are those just after.\n\n"
                   "The return map sets the quantity --of at one pass against the next. The motion is called "
                   "periodic with n passes "
                   "if the last three periods agree in every state within --repeat-tol of the size of the "
                   "motion; a motion that is "
                   "still settling, or chaotic, has none.",
    .example = "amontons poincare models/block-aging.yaml --after 200 --section stick --plot return.svg\n"
               "amontons poincare models/violin-string.yaml --set d=0.25e-3 --after 0.5 --section slip "
               "--returns 2000 --csv p.csv",
    .opts = opts,
    .run = run,
    .print = print};
