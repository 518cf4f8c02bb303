// SPDX-License-Identifier: Apache-2.0
// lyapunov: how fast neighbouring motions part, in every direction.
#include "ask/audit.h"
#include "ask/longrun/chaos.h"
#include "ask/watched_run.h"
#include "result/json.h"
#include "result/table.h"

// clang-format off
static const amo_opt_def opts[] = {
    {"until", AMO_OPT_NUMBER, "T", "1000", NULL, "end of the run", 0, 0},
    AMO_WATCHED_RUN_OPTS,
    {"blocks", AMO_OPT_INTEGER, "N", "40", NULL, "parts of the time; their spread gives the errors", 5, 100000},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

#define LOST "the direction is lost where a contact begins to stick, a support closes or a memory is reset"

static int on_step(void *ctx, amo_watched_run *j)
{
  amo_lyapunov *l = ctx;
  j->status = amo_lyapunov_step(l, j->sim);
  if (j->status == AMO_OK) return 0;
  amo_error(j->call->diags, (amo_at){0}, NULL, "stopped at t = %.9g: %s", amo_sim_time(j->sim),
            amo_lyapunov_message(l));
  return 2;
}

static amo_status on_start(void *ctx, amo_watched_run *j)
{
  amo_status st = amo_lyapunov_start(ctx, j->sim);
  if (st != AMO_OK)
    amo_error(j->call->diags, (amo_at){0}, NULL, "no derivative at the start: %s", amo_status_text(st));
  return st;
}

/// Growth by less than e^10 in all the time is no sign of anything; more must stand out of its error, and be more than that of the
/// motion itself, which a chaotic one does not have.
static const char *verdict(const amo_lyapunov_result *r)
{
  const amo_exponent e = r->exponent[0];
  if (!(e.value * r->time > 10.0)) return "regular";
  if (r->growth > 0.5 * e.value * r->time) return "unbounded";
  return e.value > 4.0 * e.error ? "chaos" : "undecided";
}

static cJSON *exponent_json(amo_exponent e)
{
  cJSON *o = cJSON_CreateObject();
  amo_json_add_or(o, "value", e.value, LOST);
  amo_json_add(o, "error", isfinite(e.value) ? e.error : NAN);
  return o;
}

static void add_zero(cJSON *o, const amo_lyapunov_result *r)
{
  size_t best = 0;
  for (size_t i = 1; i < r->finite; i++)
    if (fabs(r->exponent[i].value) < fabs(r->exponent[best].value)) best = i;
  if (r->finite) cJSON_AddItemToObject(o, "nearest_zero", exponent_json(r->exponent[best]));
}

static cJSON *result_json(const amo_call *call, const amo_lyapunov_result *r, bool finished)
{
  cJSON *o = cJSON_CreateObject(), *list = NULL;
  cJSON_AddStringToObject(o, "model", amo_model_name(call->model));
  cJSON_AddStringToObject(o, "verdict", r->finite ? verdict(r) : "regular");
  list = cJSON_AddArrayToObject(o, "exponents");
  for (size_t i = 0; i < r->count; i++) cJSON_AddItemToArray(list, exponent_json(r->exponent[i]));
  if (r->count) cJSON_AddItemToObject(o, "largest", exponent_json(r->exponent[0]));
  add_zero(o, r);
  cJSON_AddNumberToObject(o, "finite", (double)r->finite);
  cJSON_AddNumberToObject(o, "lost", (double)(r->count - r->finite));
  amo_json_add(o, "sum", r->sum);
  amo_json_add(o, "sum_error", r->sum_error);
  if (finished)
    amo_json_add_or(o, "divergence", r->divergence, "directions are lost, so volumes shrink to nothing");
  else
    amo_json_add_or(o, "divergence", NAN, "interrupted within a block of time");
  amo_json_add_or(o, "kaplan_yorke", r->kaplan_yorke, "there are no states");
  amo_json_add(o, "time", r->time);
  amo_json_add(o, "growth", r->growth);
  cJSON_AddBoolToObject(o, "finished", finished);
  cJSON_AddNumberToObject(o, "blocks", (double)r->blocks);
  cJSON_AddNumberToObject(o, "events", (double)r->events);
  cJSON_AddBoolToObject(o, "autonomous", r->autonomous);
  cJSON_AddBoolToObject(o, "grazing", r->grazing);
  return o;
}

static void warn(const amo_call *call, const amo_lyapunov_result *r)
{
  if (r->grazing)
    amo_warn(call->diags, (amo_at){0}, NULL,
             "the motion grazes an event, where it has no derivative; the exponents are doubtful");
  if (r->together)
    amo_warn(call->diags, (amo_at){0}, NULL,
             "several events happened at once; the derivative depends on their order, and one was taken");
}

static amo_status prepare(const amo_call *call, amo_watched_run *j, amo_lyapunov **l)
{
  amo_status st = amo_watched_run_begin_in_steps(call, 1000, j);  // columns must not vanish in one
  if (st != AMO_OK) return st;
  if (!amo_opt_given(call->opt, "after")) j->after = j->from + 0.1 * (j->until - j->from);
  if (j->opts.method != AMO_METHOD_EVENT)
    return amo_error(call->diags, (amo_at){0}, NULL, "exponents are computed with method event only");
  st = amo_lyapunov_new(call->model, j->after, j->until, (size_t)amo_opt_integer(call->opt, "blocks"), l);
  j->on_step = on_step;
  j->on_start = on_start;
  j->ctx = *l;
  return st;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  amo_watched_run j = {0};
  amo_lyapunov *l = NULL;
  const amo_lyapunov_result *r = NULL;
  *result = NULL;
  amo_status st = prepare(call, &j, &l);
  if (st == AMO_OK) st = amo_watched_run_run(&j);
  if (st == AMO_EINTR && amo_lyapunov_finish(l, &r) == AMO_OK) {
    *result = result_json(call, r, false);
    (void)amo_watched_run_audit(&j, *result);
  }
  if (st == AMO_OK && (st = amo_lyapunov_finish(l, &r)) != AMO_OK)
    amo_error(call->diags, (amo_at){0}, "a later --until", "%s", amo_lyapunov_message(l));
  if (st == AMO_OK) {
    warn(call, r);
    *result = result_json(call, r, true);
    st = amo_watched_run_audit(&j, *result);
  }
  amo_lyapunov_free(l);
  amo_watched_run_end(&j);
  return st;
}

static void print(const cJSON *o, FILE *out, int wide)
{
  const cJSON *e = NULL;
  fprintf(out, "%s: %s, from %.0f events in a time of %.6g\n\n", amo_json_text(o, "model"),
          amo_json_text(o, "verdict"), amo_json_get(o, "events"), amo_json_get(o, "time"));
  amo_table t = {0};
  amo_table_head(&t, ">exponent"), amo_table_head(&t, ">error");
  cJSON_ArrayForEach(e, cJSON_GetObjectItemCaseSensitive(o, "exponents"))
  {
    if (isfinite(amo_json_get(e, "value"))) {
      amo_table_cell(&t, "%.6g", amo_json_get(e, "value"));
      amo_table_cell(&t, "%.2g", amo_json_get(e, "error"));
    } else {
      amo_table_cell(&t, "-infinity");
      amo_table_cell(&t, "%s", "");
    }
  }
  amo_table_print(&t, out, wide);
  fprintf(out, "\nsum %.6g", amo_json_get(o, "sum"));
  if (isfinite(amo_json_get(o, "divergence")))
    fprintf(out, ", mean divergence with jumps %.6g", amo_json_get(o, "divergence"));
  else
    fprintf(out, " of the finite ones");
  fprintf(out, "; dimension by Kaplan and Yorke %.4g\n", amo_json_get(o, "kaplan_yorke"));
  amo_audit_print(o, out);
}

const amo_verb amo_verb_lyapunov = {
    .name = "lyapunov",
    .summary = "Lyapunov exponents: regular motion or chaos",
    .usage = "MODEL [options]",
    .description =
        "Carries a frame of small changes along the motion by the exact derivative of the flow, with its "
        "jumps at events, "
        "and averages the logarithms of its growth from --after (a tenth of the run, if absent) to --until. "
        "Errors are "
        "standard errors of the means of --blocks parts, corrected for the correlation of neighbours.\n\n"
        "Where a contact begins to stick a direction is lost at once: its exponent is minus infinity (null "
        "in JSON, with a "
        "reason). A motion that does not rest and is not driven in time has one exponent zero. Where no "
        "direction is lost "
        "the exponents add up to the mean divergence of the rates plus the jumps, which is computed "
        "apart.\n\n"
        "unbounded: the motion itself has grown with small changes. Chaos: the largest exponent stands out "
        "of its error fourfold and small changes have grown by more "
        "than e^10; "
        "regular: they have not grown by that.",
    .example = "amontons lyapunov models/block-on-belt.yaml --until 300\n"
               "amontons lyapunov models/violin-string.yaml --set d=0.25e-3 --after 0.1 --until 0.6",
    .opts = opts,
    .no_joints = true,
    .run = run,
    .print = print};
