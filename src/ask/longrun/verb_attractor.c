// SPDX-License-Identifier: Apache-2.0
// attractor: what a motion tends to.
#include <math.h>

#include "ask/audit.h"
#include "ask/longrun/chaos.h"
#include "ask/watched_run.h"
#include "result/json.h"

// clang-format off
static const amo_opt_def opts[] = {
    {"until", AMO_OPT_NUMBER, "T", "1000", NULL, "time by which the motion must have settled", 0, 0},
    {"from", AMO_OPT_NUMBER, "T", NULL, NULL, "time at the start, instead of the model's", 0, 0},
    AMO_STATE_OPT,
    AMO_METHOD_OPTS,
    AMO_STEPPING_OPTS,
    {"repeat-tol", AMO_OPT_NUMBER, "TOL", "1e-7", NULL, "states are the same if they differ by less, relative to the size of the motion", 1e-15, 1},
    {"most-turns", AMO_OPT_INTEGER, "N", "64", NULL, "longest period looked for, in turning points of the first coordinate or events", 1, 100000},
    {"quick", AMO_OPT_FLAG, NULL, NULL, NULL, "call it undecided if nothing repeats, without looking for chaos", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

static int on_step(void *ctx, amo_sim *s)
{
  const amo_watched_run *j = ctx;
  const amo_call *c = j->call;
  if (c->progress) c->progress(c->progress_ctx, 0.5 * (amo_sim_time(s) - j->from) / (j->until - j->from));
  return c->interrupted && *c->interrupted;
}

/// The attractor in a few words, the same from every start that reaches it.
static void label_of(const amo_model *m, const amo_attractor *a, char out[160])
{
  const char *x = amo_model_states(m) ? amo_model_state(m, 0).name : "";
  if (a->kind == AMO_ATTRACTOR_CYCLE && a->drift != 0.0)
    snprintf(out, 160, "cycle of period %.4g, %.60s moves on by %.4g", a->period, x, a->drift);
  else if (a->kind == AMO_ATTRACTOR_CYCLE)
    snprintf(out, 160, "cycle of period %.4g, %.60s from %.4g to %.4g", a->period, x, a->low, a->high);
  else if (a->drift != 0.0)
    snprintf(out, 160, "%s, %.60s moves on at %.4g", amo_attractor_name(a->kind), x, a->drift);
  else if (a->kind == AMO_ATTRACTOR_SLIDING && *x)
    snprintf(out, 160, "sliding at %.60s = %.4g", x, a->low);
  else
    snprintf(out, 160, "%s", amo_attractor_name(a->kind));
}

static cJSON *result_json(const amo_model *m, const amo_attractor *a)
{
  char label[160];
  cJSON *o = cJSON_CreateObject(), *range = NULL;
  const bool cycle = a->kind == AMO_ATTRACTOR_CYCLE;
  label_of(m, a, label);
  cJSON_AddStringToObject(o, "model", amo_model_name(m));
  cJSON_AddStringToObject(o, "kind", amo_attractor_name(a->kind));
  cJSON_AddStringToObject(o, "label", label);
  if (*a->why) cJSON_AddStringToObject(o, "why", a->why);
  amo_json_add_or(o, "period", a->period, "not a cycle");
  amo_json_add_or(o, "turns", cycle ? (double)a->turns : NAN, "not a cycle");
  amo_json_add_or(o, "sticks", cycle ? (double)a->sticks : NAN, "not a cycle");
  amo_json_add_or(o, "events", cycle ? (double)a->events : NAN, "not a cycle");
  if (a->drift != 0.0)
    amo_json_add(cJSON_AddObjectToObject(o, "drift"), amo_model_state(m, 0).name, a->drift);
  amo_json_add_or(o, "settled", a->settled, "it has not settled");
  range = cJSON_AddObjectToObject(o, "range");
  cJSON_AddStringToObject(range, "of", amo_model_states(m) ? amo_model_state(m, 0).name : "");
  amo_json_add(range, "min", a->low);
  amo_json_add(range, "max", a->high);
  cJSON *e = cJSON_AddObjectToObject(o, "exponent");
  amo_json_add_or(e, "value", a->exponent, "computed only where nothing repeats");
  amo_json_add(e, "error", a->error);
  return o;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  amo_watched_run j = {0};
  amo_attractor a;
  amo_attractor_opts o = amo_attractor_opts_default();
  *result = NULL;
  amo_status st = amo_watched_run_begin(call, &j);
  if (st == AMO_OK) {
    o.until = j.until;
    o.tol = amo_opt_number(call->opt, "repeat-tol");
    o.turns = (size_t)amo_opt_integer(call->opt, "most-turns");
    o.exponents = !amo_opt_flag(call->opt, "quick") && j.opts.method == AMO_METHOD_EVENT;
    o.on_step = on_step;
    o.ctx = &j;
    st = amo_sim_start(j.sim, j.from, j.start);
    if (st == AMO_OK) st = amo_attractor_find(j.sim, &o, &a);
    if (st != AMO_OK && st != AMO_EINTR)
      amo_error(call->diags, (amo_at){0}, NULL, "stopped at t = %.12g: %s", amo_sim_time(j.sim),
                amo_sim_message(j.sim)[0] ? amo_sim_message(j.sim) : amo_status_text(st));
  }
  if (st == AMO_OK) {
    *result = result_json(call->model, &a);
    st = amo_watched_run_audit(&j, *result);
  }
  amo_watched_run_end(&j);
  return st;
}

static void print(const cJSON *o, FILE *out, int wide)
{
  (void)wide;
  fprintf(out, "%s: %s\n", amo_json_text(o, "model"), amo_json_text(o, "label"));
  if (*amo_json_text(o, "why")) fprintf(out, "%s\n", amo_json_text(o, "why"));
  if (isfinite(amo_json_get(o, "period")))
    fprintf(out, "period %.12g, %.0f phase%s of stick, %.0f event%s\n", amo_json_get(o, "period"),
            amo_json_get(o, "sticks"), amo_json_get(o, "sticks") == 1 ? "" : "s", amo_json_get(o, "events"),
            amo_json_get(o, "events") == 1 ? "" : "s");
  const cJSON *e = cJSON_GetObjectItemCaseSensitive(o, "exponent");
  if (isfinite(amo_json_get(e, "value")))
    fprintf(out, "largest Lyapunov exponent %.5g +- %.2g\n", amo_json_get(e, "value"),
            amo_json_get(e, "error"));
  if (isfinite(amo_json_get(o, "settled"))) fprintf(out, "settled at t = %.6g\n", amo_json_get(o, "settled"));
  amo_audit_print(o, out);
}

const amo_verb amo_verb_attractor = {
    .name = "attractor",
    .summary = "what a motion tends to: rest, sliding, a cycle, chaos",
    .usage = "MODEL [options]",
    .description = "Follows the motion until it stands still for a tenth of the time allowed (rest, or "
                   "sliding where a contact "
                   "slips; steady where nothing changes but what nothing depends on), or until its states at "
                   "the turning points of the first coordinate, or at its "
                   "events, agree three periods "
                   "long within --repeat-tol of their size (cycle). If nothing repeats by --until, "
                   "neighbours are followed for as "
                   "long again: chaos, if the largest Lyapunov exponent stands out of its error fourfold. "
                   "Everything else is "
                   "undecided: slow to settle, quasi-periodic, or longer in period than was looked for.\n\n"
                   "amontons map MODEL --of attractor asks this for a plane of initial states.",
    .example = "amontons attractor models/block-on-belt.yaml --until 200\n"
               "amontons map models/hump.yaml --of attractor --with until=400 --x x=0.5:1.5 --y "
               "\"x'=-0.4:0.4\" --size 6x5",
    .main = "label",
    .opts = opts,
    .run = run,
    .print = print};
