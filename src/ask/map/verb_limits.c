// SPDX-License-Identifier: Apache-2.0
// limits: every value of a parameter or initial state at which a verdict changes.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "result/json.h"
#include "amontons/limits.h"
#include "ask/axis_option.h"
#include "ask/map/verb_probe.h"
#include "ask/sim_options.h"
#include "ask/motion/simulate.h"
#include "result/table.h"

// clang-format off
static const amo_opt_def opts[] = {
    {"vary", AMO_OPT_TEXT, "NAME=FROM:TO", NULL, NULL, "parameter, state or time t, and its range", 0, 0},
    {"of", AMO_OPT_TEXT, "VERB.VALUE", "rest.verdict", NULL, "the verdict: any value of a verb's --json", 0, 0},
    {"with", AMO_OPT_SETTINGS, "OPTION=VALUE ...", NULL, NULL, "options of that verb", 0, 0},
    AMO_STATE_OPT,
    {"points", AMO_OPT_INTEGER, "N", "400", NULL, "samples over the range before refinement", 2, 2e5},
    {"level", AMO_OPT_NUMBER, "X", NULL, NULL, "a number: where does it pass this value? otherwise, zero", 0, 0},
    {"extrema", AMO_OPT_FLAG, NULL, NULL, NULL, "a number: also where it is least or largest", 0, 0},
    {"tol", AMO_OPT_NUMBER, "TOL", "1e-13", NULL, "relative width of the final brackets", 1e-16, 1e-2},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

static cJSON *change_json(const amo_limit *x, bool exact)
{
  cJSON *v = cJSON_CreateObject();
  amo_json_add(v, "at", x->at);
  cJSON_AddStringToObject(v, "from", x->from);
  cJSON_AddStringToObject(v, "to", x->to);
  cJSON_AddStringToObject(v, "how",
                          x->open        ? "open"
                          : x->unsettled ? "unsettled"
                          : exact        ? "exact"
                                         : "bracketed");
  if (x->open || x->unsettled) cJSON_AddItemToObject(v, "between", amo_json_pair(x->low, x->high));
  if (x->on[0]) cJSON_AddStringToObject(v, "on", x->on);
  return v;
}

static void add_extrema(cJSON *o, const amo_limits *l)
{
  cJSON *all = cJSON_AddArrayToObject(o, "extrema");
  for (size_t i = 0; i < l->extrema; i++) {
    const amo_limits_extremum *x = &l->extremum[i];
    cJSON *v = cJSON_CreateObject();
    amo_json_add(v, "at", x->at);
    amo_json_add(v, "value", x->value);
    cJSON_AddStringToObject(v, "kind", x->least ? "least" : "largest");
    amo_json_add(v, "width", x->width);
    cJSON_AddItemToArray(all, v);
  }
}

static void add_unsettled(cJSON *o, const amo_limits *l)
{
  cJSON *all = cJSON_AddArrayToObject(o, "unsettled");
  for (size_t i = 0; i < l->unsettleds; i++)
    cJSON_AddItemToArray(all, amo_json_pair(l->unsettled[i].low, l->unsettled[i].high));
}

static cJSON *result_json(const amo_call *call, const amo_axis *a, const amo_limits *l, bool whole)
{
  cJSON *o = cJSON_CreateObject(), *range = cJSON_CreateArray(), *all = NULL;
  cJSON_AddStringToObject(o, "model", amo_model_name(call->model));
  cJSON_AddStringToObject(o, "vary", a->name);
  cJSON_AddItemToArray(range, amo_json_number(a->from));
  cJSON_AddItemToArray(range, amo_json_number(a->to));
  cJSON_AddItemToObject(o, "range", range);
  cJSON_AddStringToObject(o, "of", amo_opt_text(call->opt, "of"));
  cJSON_AddBoolToObject(o, "by_sign", l->by_sign);
  cJSON_AddStringToObject(o, "how", l->exact ? "exact" : "bracketed");
  cJSON_AddStringToObject(o, "first", l->first);
  cJSON_AddNumberToObject(o, "count", (double)l->count);
  all = cJSON_AddArrayToObject(o, "values");
  for (size_t i = 0; i < l->count; i++) cJSON_AddItemToArray(all, change_json(&l->item[i], l->exact));
  add_unsettled(o, l);
  cJSON_AddBoolToObject(o, "explored", !l->tired);
  cJSON_AddBoolToObject(o, "finished", whole);
  if (!whole) amo_json_add(o, "reached", l->reached);
  if (amo_opt_flag(call->opt, "extrema")) add_extrema(o, l);
  cJSON_AddNumberToObject(o, "evaluations", (double)l->evaluations);
  cJSON *audit = cJSON_AddObjectToObject(o, "audit");
  cJSON_AddBoolToObject(audit, "ok", l->unsound == 0);
  cJSON_AddNumberToObject(audit, "failed", (double)l->unsound);
  return o;
}

static amo_status tell_audit(const amo_call *call, const amo_axis *a, const amo_limits *l)
{
  if (l->unsound == 0) return AMO_OK;
  amo_error(
      call->diags, (amo_at){0}, "a smaller tol in --with may help",
      "the motions at %zu of %zu values fail their audit, first at %s = %.9g: do not trust these limits",
      l->unsound, l->evaluations, a->name, l->first_unsound);
  return AMO_EAUDIT;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  amo_axis axis;
  amo_probe p = {0};
  amo_limits l = {0};
  *result = NULL;
  if (!amo_opt_text(call->opt, "vary"))
    return amo_error(call->diags, (amo_at){0}, "--vary NAME=FROM:TO",
                     "limits needs the parameter to vary and its range");
  amo_status st = amo_axis_read(call, "vary", amo_opt_text(call->opt, "vary"), &axis);
  if (st == AMO_OK) st = amo_verb_probe(call, amo_opt_text(call->opt, "of"), &axis, 1, true, call->diags, &p);
  const double level = amo_opt_given(call->opt, "level") ? amo_opt_number(call->opt, "level") : 0.0;
  const amo_limits_opts how = {.size = sizeof how,
                               .points = (size_t)amo_opt_integer(call->opt, "points"),
                               .tol = amo_opt_number(call->opt, "tol"),
                               .level = amo_opt_given(call->opt, "level") ? &level : NULL,
                               .extrema = amo_opt_flag(call->opt, "extrema"),
                               .stop = amo_call_stop(call),
                               .progress = amo_call_progress,
                               .ctx = (void *)(uintptr_t)call};
  if (st == AMO_OK) st = amo_limits_find(&p, &how, call->diags, &l);
  if (st == AMO_OK || st == AMO_EINTR) *result = result_json(call, &axis, &l, st == AMO_OK);
  if (st == AMO_OK) st = tell_audit(call, &axis, &l);
  amo_limits_free(&l);
  amo_probe_free(&p);
  return st;
}

static void print_extrema(const cJSON *result, FILE *out)
{
  const cJSON *x = NULL;
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(result, "extrema"))
      fprintf(out, "%s %.15g at %s = %.15g\n", amo_json_text(x, "kind"), amo_json_get(x, "value"),
              amo_json_text(result, "vary"), amo_json_get(x, "at"));
}

static void print_changes(const cJSON *result, const char *vary, FILE *out, int wide)
{
  const cJSON *x = NULL;
  amo_table t = {0};
  char head[160];
  snprintf(head, sizeof head, ">%.120s", vary);
  amo_table_head(&t, head), amo_table_head(&t, "<from"), amo_table_head(&t, "<to"),
      amo_table_head(&t, "<on it");
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(result, "values"))
  {
    const cJSON *between = cJSON_GetObjectItemCaseSensitive(x, "between");
    if (between)
      amo_table_cell(&t, "%.15g .. %.15g", cJSON_GetArrayItem(between, 0)->valuedouble,
                     cJSON_GetArrayItem(between, 1)->valuedouble);
    else
      amo_table_cell(&t, "%.15g", amo_json_get(x, "at"));
    amo_table_cell(&t, "%s", amo_json_text(x, "from"));
    amo_table_cell(&t, "%s", amo_json_text(x, "to"));
    amo_table_cell(&t, "%s", amo_json_text(x, "on"));
  }
  amo_table_print(&t, out, wide);
}

static void print_unsettled(const cJSON *result, const char *vary, FILE *out)
{
  const cJSON *x = NULL;
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(result, "unsettled")) fprintf(
      out, "not settled for %s from %.10g to %.10g: verdicts come and go, more often than looks can tell\n",
      vary, cJSON_GetArrayItem(x, 0)->valuedouble, cJSON_GetArrayItem(x, 1)->valuedouble);
  if (cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(result, "explored")))
    fprintf(out, "not everything between samples was looked at: more --points tell more\n");
}

static void print_interrupted(const cJSON *result, const char *vary, FILE *out)
{
  double reached = amo_json_get(result, "reached");
  fprintf(out, "\nNOT FINISHED: ");
  if (isnan(reached))
    fprintf(out, "no value of %s was looked at\n", vary);
  else
    fprintf(out, "looked at %s up to %.10g; there may be more changes, also between these\n", vary, reached);
}

static void print(const cJSON *result, FILE *out, int wide)
{
  const cJSON *range = cJSON_GetObjectItemCaseSensitive(result, "range");
  int n = (int)amo_json_get(result, "count");
  const char *vary = amo_json_text(result, "vary");
  fprintf(out, "%s: %s for %s from %.10g to %.10g: ", amo_json_text(result, "model"),
          amo_json_text(result, "of"), vary, cJSON_GetArrayItem(range, 0)->valuedouble,
          cJSON_GetArrayItem(range, 1)->valuedouble);
  bool whole = !cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(result, "finished"));
  if (n > 0)
    fprintf(out, "%d change%s%s\n\n", n, n == 1 ? "" : "s", whole ? "" : " so far");
  else if (whole)
    fprintf(out, "%s everywhere\n", amo_json_text(result, "first"));
  else
    fprintf(out, "no change so far\n");
  if (n > 0) print_changes(result, vary, out, wide);
  print_extrema(result, out);
  print_unsettled(result, vary, out);
  if (!whole) print_interrupted(result, vary, out);
}

const amo_verb amo_verb_limits = {
    .name = "limits",
    .summary = "every value of a parameter at which a verdict changes",
    .usage = "MODEL --vary NAME=FROM:TO [options]",
    .description =
        "Follows a verdict (any text, number or boolean that a verb prints with --json) along a "
        "range of one parameter, "
        "initial state or time, and lists every value at which it changes, from what and to what. "
        "A measured number (not a count or a mode) counts by its sign, or with --level by whether it lies "
        "above that value; --extrema also lists where it is least or largest, as far as the samples show.\n\n"
        "Where the parameter enters the loads only, and linearly, the limits of verdicts of rest and contact "
        "are found exactly, from the straight lines that bound every solution; no samples are taken.\n\n"
        "Otherwise: between the samples the quantities that decide verdicts (mu|L| - 1, R0, margins, "
        "reactions) are followed "
        "too: where one passes or touches zero the verdict is looked at again, so that a change "
        "that is undone "
        "before the next sample is found. Each change is bisected. On it: the verdict at the "
        "limit itself, where it is "
        "neither of its neighbours'. Every stretch of one verdict is asked again at other places; where it "
        "answers otherwise without end (noise, or more changes than samples), no single value is a limit, "
        "and "
        "it is called not settled. Interrupted, it prints what it knows: changes that were not narrowed "
        "down "
        "appear as LOW .. HIGH.\n\n"
        "The question may itself be limits, once (--of limits.count): at which length do the arcs of "
        "paradox over a turn vanish?",
    .example = "amontons limits models/painleve-klein.yaml --vary mu=0.2:3 --of contact.class --at \"q'=1\"\n"
               "amontons limits models/link-mechanism.yaml --set w0=0.001 P=0 --vary J=1:5 --points 5 --of "
               "limits.count --with vary=phi0=0.02:3.12 of=contact.class points=100",
    .opts = opts,
    .run = run,
    .print = print};
