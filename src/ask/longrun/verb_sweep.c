// SPDX-License-Identifier: Apache-2.0
// sweep: a parameter walked up and down, the motion carried along; bifurcation diagram and hysteresis.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/compiled.h"
#include "plot/figure.h"
#include "ask/audit.h"
#include "ask/longrun/chaos.h"
#include "ask/longrun/sweep_run.h"

// clang-format off
static const amo_opt_def opts[] = {
    {"vary", AMO_OPT_TEXT, "NAME=FROM:TO", NULL, NULL, "parameter and its range", 0, 0},
    {"points", AMO_OPT_INTEGER, "N", "50", NULL, "values of the parameter, ends included", 2, 100000},
    {"way", AMO_OPT_CHOICE, "WAY", "both", "both|up|down", "up, then down again; or one of them", 0, 0},
    AMO_SECTION_OPTS,
    {"transient", AMO_OPT_NUMBER, "T", "200", NULL, "time to settle at each value", 0, INFINITY},
    {"duration", AMO_OPT_NUMBER, "T", "200", NULL, "time to look at each value, at most", 1e-300, INFINITY},
    {"returns", AMO_OPT_INTEGER, "N", "100", NULL, "passes to look at, at most", 3, 1e6},
    {"repeat-tol", AMO_OPT_NUMBER, "TOL", "1e-6", NULL, "passes are the same if they differ by less, relative to the size of the motion", 1e-15, 1},
    {"most-turns", AMO_OPT_INTEGER, "N", "32", NULL, "longest period looked for, in passes", 1, 100000},
    {"differ", AMO_OPT_NUMBER, "PART", "1e-3", NULL, "hysteresis: way up and way down differ by more than this part of the whole range", 1e-12, 1},
    {"from", AMO_OPT_NUMBER, "T", NULL, NULL, "time at the start, instead of the model's", 0, 0},
    AMO_STATE_OPT,
    AMO_METHOD_OPTS,
    AMO_STEPPING_OPTS,
    {"csv", AMO_OPT_FILE, "FILE", NULL, NULL, "write every pass as CSV; - is standard output", 0, 0},
    {"plot", AMO_OPT_FILE, "FILE", NULL, NULL, "draw the diagram: .svg, .png or .pdf", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

static double of_value(void *ctx, const amo_sample *p)
{
  return amo_signal_value(ctx, p);
}

static int on_step(void *ctx, amo_sim *s)
{
  const amo_walk *w = ctx;
  const amo_call *c = w->j.call;
  (void)s;
  if (c->progress) c->progress(c->progress_ctx, (double)w->done / (double)w->total);
  return c->interrupted && *c->interrupted;
}

static amo_status prepare(amo_walk *w, const amo_call *c)
{
  const char *vary = amo_opt_text(c->opt, "vary"), *plot = amo_opt_text(c->opt, "plot");
  if (!vary)
    return amo_error(c->diags, (amo_at){0}, "--vary NAME=FROM:TO",
                     "sweep needs the parameter to vary and its range");
  amo_status st = amo_axis_read(c, "vary", vary, &w->axis);
  if (st == AMO_OK && w->axis.kind != AMO_AXIS_PARAMETER)
    st = amo_error(c->diags, (amo_at){0}, NULL, "--vary: '%s' is not a parameter", w->axis.name);
  if (st == AMO_OK && plot) st = amo_figure_check_name(plot, c->diags);
  if (st == AMO_OK) st = amo_where_read(c, &w->where);
  if (st == AMO_OK)
    st = amo_span_check(c->opt, 0.0, amo_opt_number(c->opt, "transient") + amo_opt_number(c->opt, "duration"),
                        c->diags);
  if (st == AMO_OK) st = amo_watched_run_begin(c, &w->j);
  if (st != AMO_OK) return st;
  const char *way = amo_opt_text(c->opt, "way");
  w->n = (size_t)amo_opt_integer(c->opt, "points");
  w->total = w->n * (!strcmp(way, "both") ? 2 : 1);
  for (int i = 0; i < 2; i++)
    if (strcmp(way, i ? "up" : "down") != 0 && !(w->leg[i] = amo_zalloc(w->n, sizeof *w->leg[i])))
      return AMO_ENOMEM;
  w->o = (amo_sweep_opts){.size = sizeof w->o,
                          .parameter = w->axis.index,
                          .transient = amo_opt_number(c->opt, "transient"),
                          .duration = amo_opt_number(c->opt, "duration"),
                          .returns = (size_t)amo_opt_integer(c->opt, "returns"),
                          .tol = amo_opt_number(c->opt, "repeat-tol"),
                          .turns = (size_t)amo_opt_integer(c->opt, "most-turns"),
                          .section = &w->where.section,
                          .of = of_value,
                          .of_ctx = w->where.of,
                          .of_state = amo_signal_is_of_state(w->where.of),
                          .on_step = on_step,
                          .ctx = w};
  return AMO_OK;
}

/// The forcing may have another period at each value.
static amo_status time_section(amo_walk *w, double at)
{
  const amo_model *m = w->j.call->model;
  if (!w->where.forcing) return AMO_OK;
  amo_values v = *w->j.call->values;
  v.param = amo_zalloc(m->np, sizeof *v.param);
  if (!v.param) return AMO_ENOMEM;
  memcpy(v.param, w->j.call->values->param, m->np * sizeof *v.param);
  v.param[w->axis.index] = at;
  amo_model_derive(m, v.param);
  const amo_status st = amo_where_forcing(&w->where, w->j.call, &v);
  free(v.param);
  return st;
}

static amo_status go(amo_walk *w, int leg)
{
  amo_status st = AMO_OK;
  for (size_t k = 0; w->leg[leg] && k < w->n && st == AMO_OK; k++) {
    const size_t i = leg ? w->n - 1 - k : k;
    const double at = amo_axis_value(&w->axis, i, w->n);
    st = time_section(w, at);
    if (st != AMO_OK) break;
    st = amo_sweep_visit(w->j.sim, &w->o, at, w->j.start, &w->leg[leg][i]);
    if (st != AMO_OK && st != AMO_EINTR)
      amo_error(w->j.call->diags, (amo_at){0}, NULL, "stopped at %s = %.9g, t = %.9g: %s", w->axis.name, at,
                amo_sim_time(w->j.sim), amo_sim_message(w->j.sim));
    if (st != AMO_OK) break;
    w->visited[leg]++;
    w->done++;
  }
  return st;
}

/// The first value of each way whose motion fails its audit is told.
static amo_status tell_audits(const amo_walk *w)
{
  char what[200];
  amo_status st = AMO_OK;
  for (int leg = 0; leg < 2; leg++)
    for (size_t k = 0, told = 0; k < w->visited[leg] && !told; k++) {
      const amo_sweep_point *p = &w->leg[leg][leg ? w->n - 1 - k : k];
      snprintf(what, sizeof what, "the motion at %.120s = %.9g on the way %s", w->axis.name, p->at,
               leg ? "down" : "up");
      if (amo_audit_tell(&p->audit, what, w->j.call->diags) == AMO_OK) continue;
      st = AMO_EAUDIT;
      told = 1;
    }
  return st;
}

static void release(amo_walk *w)
{
  for (int leg = 0; leg < 2; leg++) {
    for (size_t i = 0; w->leg[leg] && i < w->n; i++) amo_sweep_point_free(&w->leg[leg][i]);
    free(w->leg[leg]);
  }
  amo_where_free(&w->where);
  amo_watched_run_end(&w->j);
}

/// Motion that never passes the section would make an empty diagram.
static void warn_if_empty(const amo_call *call, const amo_walk *w)
{
  for (int leg = 0; leg < 2; leg++)
    for (size_t i = 0; w->leg[leg] && i < w->n; i++)
      if (w->leg[leg][i].passes > 0 || w->leg[leg][i].still) return;
  amo_warn(call->diags, (amo_at){0},
           "--section \"x' = 0\" with one of the model's names, or --section forcing",
           "the motion never passes the section '%s'", w->where.text);
}

static amo_status run(const amo_call *call, cJSON **result)
{
  amo_walk w = {0};
  *result = NULL;
  amo_status st = prepare(&w, call);
  if (st == AMO_OK) st = amo_sim_start(w.j.sim, w.j.from, w.j.start);
  if (st == AMO_OK) st = go(&w, 0);
  if (st == AMO_OK) st = go(&w, 1);
  if (st == AMO_EINTR && w.done > 0) *result = amo_walk_json(&w);
  if (st == AMO_OK) {
    warn_if_empty(call, &w);
    *result = amo_walk_json(&w);
    st = amo_walk_files(&w);
    amo_status audit = tell_audits(&w);
    if (st == AMO_OK) st = audit;
  }
  release(&w);
  return st;
}

const amo_verb amo_verb_sweep = {.name = "sweep",
                                 .summary = "bifurcation diagram: a parameter walked up and down",
                                 .usage = "MODEL --vary NAME=FROM:TO [options]",
                                 .description =
                                     "Sets the parameter to one value after the other, up and down again, "
                                     "and lets the motion go on from where the last "
                                     "value left it. At each value it may settle for --transient; then its "
                                     "passes through a section are noted, with the "
                                     "quantity --of there and its range. still: nothing moves; cycle: the "
                                     "passes repeat; irregular: they do not.\n\n"
                                     "Where the way up and the way down differ there is hysteresis: two "
                                     "attractors, and which one is met depends on "
                                     "where the motion came from. Ends of ranges are values of the grid.",
                                 .example = "amontons sweep models/block-aging.yaml --vary a=0.03:0.12 "
                                            "--points 19 --section stick --plot diagram.svg",
                                 .opts = opts,
                                 .run = run,
                                 .print = amo_walk_print};
