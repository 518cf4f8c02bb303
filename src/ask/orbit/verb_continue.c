// SPDX-License-Identifier: Apache-2.0
// continue: branches of cycles or of steady sliding along a parameter, and what happens on the way.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "expr/parse.h"
#include "model/compiled.h"
#include "ask/audit.h"
#include "ask/orbit/branch_plot.h"
#include "ask/orbit/cycle.h"
#include "result/json.h"
#include "ask/number.h"
#include "ask/orbit/orbit_json.h"
#include "ask/sim_options.h"
#include "result/table.h"

// clang-format off
static const amo_opt_def opts[] = {
    {"vary", AMO_OPT_TEXT, "NAME=FROM:TO", NULL, NULL, "parameter and its range; the branch starts at FROM, TO may be smaller", 0, 0},
    {"of", AMO_OPT_CHOICE, "WHAT", "cycle", "cycle|steady", "cycles, or steady sliding", 0, 0},
    {"branches", AMO_OPT_FLAG, NULL, NULL, NULL, "also follow branches that leave at period doublings, branch points and Hopf points", 0, 0},
    {"points", AMO_OPT_INTEGER, "N", "400", NULL, "most points of a branch", 1, 1e6},
    {"stride", AMO_OPT_NUMBER, "S", "0.01", NULL, "first step along the branch; 1 is the whole range of the parameter", 1e-6, 1},
    {"max-stride", AMO_OPT_NUMBER, "S", "0.05", NULL, "longest step along the branch", 1e-6, 1},
    {"locus", AMO_OPT_TEXT, "NAME=TO", NULL, NULL, "follow the special points of the first branch as this parameter goes to TO, too", 0, 0},
    {"locus-points", AMO_OPT_INTEGER, "N", "20", NULL, "points of each locus", 1, 10000},
    {"plot", AMO_OPT_FILE, "FILE", NULL, NULL, "draw amplitude and period over the parameter (.svg, .pdf, .png)", 0, 0},
    AMO_STATE_OPT,
    AMO_CYCLE_OPTS,
    AMO_METHOD_OPTS,
    AMO_STEPPING_OPTS,
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

static const char *parameter_name(void *ctx, size_t i)
{
  const amo_model *m = ctx;
  return i < amo_model_parameters(m) ? amo_model_parameter(m, i).name : NULL;
}

static amo_status read_range(const amo_call *call, const char *text, amo_branch_opts *o)
{
  char name[128], from[256];
  const char *equal = text ? strchr(text, '=') : NULL, *colon = equal ? strchr(equal, ':') : NULL;
  if (!colon || equal == text || (size_t)(equal - text) >= sizeof name ||
      (size_t)(colon - equal) > sizeof from)
    return amo_error(call->diags, (amo_at){0}, "for example --vary v=0.1:1",
                     "continue needs --vary NAME=FROM:TO%s%s", text ? ", got " : "", text ? text : "");
  memcpy(name, text, (size_t)(equal - text));
  name[equal - text] = '\0';
  memcpy(from, equal + 1, (size_t)(colon - equal - 1));
  from[colon - equal - 1] = '\0';
  const long i = amo_model_find_parameter(call->model, name);
  if (i < 0) {
    const char *near = amo_nearest(name, strlen(name), parameter_name, (void *)(uintptr_t)call->model);
    return amo_error(call->diags, (amo_at){0}, NULL, "--vary: the model has no parameter '%s'%s%s%s", name,
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
  o->parameter = (size_t)i;
  amo_status st = amo_number_eval(from, (amo_at){0}, call->values, call->diags, &o->from);
  return st == AMO_OK ? amo_number_eval(colon + 1, (amo_at){0}, call->values, call->diags, &o->to) : st;
}

// ---- the result ----

static void add_point(const amo_call *call, const amo_branch *b, const amo_branch_point *p, const char *name,
                      cJSON *o)
{
  const amo_model *m = call->model;
  cJSON *amplitude = NULL, *low = NULL, *high = NULL;
  amo_json_add(o, "parameter", p->value);
  if (strcmp(name, "parameter") != 0) amo_json_add(o, name, p->value);
  if (p->period > 0.0) amo_json_add(o, "period", p->period);
  cJSON_AddBoolToObject(o, "stable", p->stable);
  cJSON_AddNumberToObject(o, "branch", p->branch);
  cJSON_AddItemToObject(o, p->period > 0.0 ? "multipliers" : "eigenvalues",
                        amo_orbit_multipliers_json(p->multiplier, p->multipliers));
  amplitude = cJSON_AddObjectToObject(o, "amplitude");
  low = cJSON_AddObjectToObject(o, "min");
  high = cJSON_AddObjectToObject(o, "max");
  for (size_t i = 0; i < b->coordinates; i++) {
    const char *q = amo_model_state(m, i).name;
    amo_json_add(amplitude, q, 0.5 * (p->high[i] - p->low[i]));
    amo_json_add(low, q, p->low[i]);
    amo_json_add(high, q, p->high[i]);
  }
  cJSON_AddItemToObject(o, "state", amo_orbit_state_json(m, p->state));
  if (p->period > 0.0) amo_json_add(o, "t", p->t);
  cJSON_AddStringToObject(o, "sequence", p->signature);
}

static void add_hopf(const amo_special *s, cJSON *o)
{
  amo_json_add(o, "frequency", s->frequency);
  cJSON_AddStringToObject(o, "criticality", amo_criticality_name(s->criticality));
  amo_json_add(o, "lyapunov", s->lyapunov);
  cJSON_AddNumberToObject(o, "cycles", s->cycles);
}

static cJSON *result_json(const amo_call *call, const amo_branch_opts *opt, const amo_branch *b,
                          bool finished)
{
  cJSON *o = cJSON_CreateObject(), *list, *counts;
  const char *name = amo_model_parameter(call->model, opt->parameter).name;
  cJSON_AddStringToObject(o, "model", amo_model_name(call->model));
  cJSON_AddStringToObject(o, "of", amo_opt_text(call->opt, "of"));
  cJSON_AddStringToObject(o, "vary", name);
  cJSON_AddNumberToObject(o, "points", (double)b->points);
  cJSON_AddNumberToObject(o, "branches", b->branches + 1);
  cJSON_AddStringToObject(o, "ended", b->ends ? b->ended[0] : "");
  cJSON_AddBoolToObject(o, "finished", finished);
  list = cJSON_AddArrayToObject(o, "ends");
  for (size_t i = 0; i < b->ends; i++) cJSON_AddItemToArray(list, cJSON_CreateString(b->ended[i]));
  counts = cJSON_AddObjectToObject(o, "counts");
  list = cJSON_AddArrayToObject(o, "special");
  for (size_t i = 0; i < b->specials; i++) {
    const amo_special *s = &b->special[i];
    cJSON *x = cJSON_CreateObject(), *n = cJSON_GetObjectItemCaseSensitive(counts, amo_special_name(s->type));
    cJSON_AddStringToObject(x, "type", amo_special_name(s->type));
    amo_json_add(x, "at", s->at.value);
    amo_json_add(x, "width", s->width);
    add_point(call, b, &s->at, name, x);
    cJSON_AddStringToObject(x, "after", s->after);
    if (s->type == AMO_SPECIAL_HOPF) add_hopf(s, x);
    cJSON_AddItemToArray(list, x);
    if (n)
      cJSON_SetNumberValue(n, n->valuedouble + 1);
    else
      cJSON_AddNumberToObject(counts, amo_special_name(s->type), 1);
  }
  list = cJSON_AddArrayToObject(o, "branch");
  for (size_t i = 0; i < b->points; i++) {
    cJSON *x = cJSON_CreateObject();
    add_point(call, b, &b->point[i], name, x);
    cJSON_AddItemToArray(list, x);
  }
  cJSON_AddNumberToObject(o, "evaluations", (double)b->effort.rhs);
  return o;
}

// ---- the audit ----

/// One period from the point's state, watched; AMO_OK also where it fails.
static amo_status audit_point(amo_sim *sim, size_t parameter, const amo_branch_point *p)
{
  amo_status st = amo_sim_parameter(sim, parameter, p->value);
  if (st == AMO_OK) st = amo_sim_start(sim, p->t, p->state);
  return st == AMO_OK ? amo_sim_run(sim, p->t + p->period, NULL, NULL) : st;
}

/// Every cycle of the branches runs through once more with its audit; the first that fails is told.
static amo_status add_audit(const amo_call *call, const amo_branch_opts *o, const amo_branch *b,
                            cJSON *result)
{
  amo_sim *sim = NULL;
  amo_audit worst = amo_audit_none();
  amo_sim_opts audited = *o->cycle->sim;
  amo_status verdict = AMO_OK;
  char what[200];
  audited.audit = true;
  amo_status st = amo_sim_new(call->model, &audited, NULL, &sim);
  for (size_t i = 0; st == AMO_OK && i < b->points; i++) {
    const amo_branch_point *p = &b->point[i];
    if (!(p->period > 0.0)) continue;
    st = audit_point(sim, o->parameter, p);
    if (st != AMO_OK)
      amo_error(call->diags, (amo_at){0}, NULL, "the cycle at %s = %.9g does not run through: %s",
                amo_model_parameter(call->model, o->parameter).name, p->value, amo_sim_message(sim));
    amo_audit_worst(&worst, amo_sim_audit(sim));
    if (amo_sim_audit(sim)->ok || verdict != AMO_OK) continue;
    snprintf(what, sizeof what, "the cycle at %.120s = %.9g",
             amo_model_parameter(call->model, o->parameter).name, p->value);
    verdict = amo_audit_tell(amo_sim_audit(sim), what, call->diags);
  }
  if (o->kind == AMO_BRANCH_CYCLES || b->branches > 0)
    cJSON_AddItemToObject(result, "audit", amo_audit_json(&worst));
  amo_sim_free(sim);
  return st == AMO_OK ? verdict : st;
}

// ---- loci ----

static cJSON *locus_json(const amo_call *call, const amo_branch_opts *o, size_t other, const amo_special *s,
                         const amo_locus *l)
{
  cJSON *x = cJSON_CreateObject(), *list;
  const char *first = amo_model_parameter(call->model, o->parameter).name,
             *second = amo_model_parameter(call->model, other).name;
  cJSON_AddStringToObject(x, "type", amo_special_name(s->type));
  cJSON_AddStringToObject(x, "ended", l->ended);
  list = cJSON_AddArrayToObject(x, "points");
  for (size_t i = 0; i < l->points; i++) {
    cJSON *p = cJSON_CreateObject();
    amo_json_add(p, "parameter", l->value[i]);
    amo_json_add(p, "second", l->other[i]);
    amo_json_add(p, first, l->value[i]);
    amo_json_add(p, second, l->other[i]);
    cJSON_AddItemToArray(list, p);
  }
  return x;
}

/// --locus NAME=TO. second: index of the parameter, -1: not asked for.
static amo_status read_locus(const amo_call *call, const amo_branch_opts *o, long *second, double *to)
{
  const char *text = amo_opt_text(call->opt, "locus"), *equal = text ? strchr(text, '=') : NULL;
  char name[128];
  *second = -1;
  if (!text) return AMO_OK;
  if (!equal || equal == text || (size_t)(equal - text) >= sizeof name)
    return amo_error(call->diags, (amo_at){0}, "for example --locus m=2", "--locus needs NAME=TO, got '%s'",
                     text);
  memcpy(name, text, (size_t)(equal - text));
  name[equal - text] = '\0';
  *second = amo_model_find_parameter(call->model, name);
  if (*second < 0 || (size_t)*second == o->parameter || call->model->param[*second].expr != AMO_NODE_NONE)
    return amo_error(call->diags, (amo_at){0}, NULL,
                     "--locus: '%s' is not a second parameter of the model, or follows from others", name);
  return amo_number_eval(equal + 1, (amo_at){0}, call->values, call->diags, to);
}

static amo_status add_loci(const amo_call *call, const amo_branch_opts *o, const amo_branch *b, long other,
                           double to, cJSON *result)
{
  amo_status st = AMO_OK;
  if (other < 0) return AMO_OK;
  cJSON *list = cJSON_AddArrayToObject(result, "loci");
  for (size_t i = 0; st == AMO_OK && i < b->specials; i++) {
    amo_locus *l = NULL;
    if (b->special[i].at.branch != 0) continue;
    st = amo_locus_follow(call->model, o, &b->special[i], (size_t)other, to,
                          (int)amo_opt_integer(call->opt, "locus-points"), &l);
    if (st == AMO_OK) cJSON_AddItemToArray(list, locus_json(call, o, (size_t)other, &b->special[i], l));
    amo_locus_free(l);
  }
  return st;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  amo_branch_opts o = amo_branch_opts_default();
  amo_cycle_opts cycle;
  amo_sim_opts sim;
  amo_branch *b = NULL;
  long second = -1;
  double to = NAN;  // the second parameter of --locus and where it goes
  *result = NULL;
  amo_status st = amo_cycle_opts_read(call, &cycle, &sim);
  o.cycle = &cycle;
  if (st == AMO_OK) st = read_range(call, amo_opt_text(call->opt, "vary"), &o);
  if (st == AMO_OK) st = read_locus(call, &o, &second, &to);
  o.kind = strcmp(amo_opt_text(call->opt, "of"), "steady") == 0 ? AMO_BRANCH_STEADY : AMO_BRANCH_CYCLES;
  o.branches = amo_opt_flag(call->opt, "branches");
  o.points = (int)amo_opt_integer(call->opt, "points");
  o.step = amo_opt_number(call->opt, "stride");
  o.max_step = fmax(amo_opt_number(call->opt, "max-stride"), o.step);
  o.stop = cycle.stop;
  double *start = amo_zalloc(amo_model_states(call->model), sizeof *start);
  const amo_setting *at = NULL;
  if (!start) return AMO_ENOMEM;
  if (st == AMO_OK) st = amo_state_read(call->values, call->opt, call->diags, start);
  const bool given = amo_opt_settings(call->opt, "at", &at) > 0;
  if (st == AMO_OK) st = amo_branch_follow(call->model, &o, given ? start : NULL, call->diags, &b);
  if (b) *result = result_json(call, &o, b, st == AMO_OK);
  amo_status audit = st == AMO_OK ? add_audit(call, &o, b, *result) : AMO_OK;
  if (st == AMO_OK) st = add_loci(call, &o, b, second, to, *result);
  if (st == AMO_OK && amo_opt_text(call->opt, "plot"))
    st = amo_branch_plot(call->model, b, amo_model_parameter(call->model, o.parameter).name,
                         amo_opt_text(call->opt, "plot"), call->diags);
  amo_branch_free(b);
  free(start);
  return st == AMO_OK ? audit : st;
}

/// One line for each branch: how many points, from where to where, why it ends.
static void print_branches(const cJSON *result, FILE *out)
{
  const cJSON *p = NULL, *first = NULL, *last = NULL,
              *ends = cJSON_GetObjectItemCaseSensitive(result, "ends");
  const int branches = (int)amo_json_get(result, "branches");
  for (int i = 0; i < branches; i++) {
    int n = 0;
    cJSON_ArrayForEach(p, cJSON_GetObjectItemCaseSensitive(result, "branch"))
    {
      if ((int)amo_json_get(p, "branch") != i) continue;
      if (n++ == 0) first = p;
      last = p;
    }
    if (n == 0) continue;
    if (i == 0)
      fprintf(out, "%s", amo_json_text(result, "model"));
    else
      fprintf(out, "branch %d", i);
    fprintf(out, ": %d points, %s from %.8g to %.8g; %s\n", n, amo_json_text(result, "vary"),
            amo_json_get(first, "parameter"), amo_json_get(last, "parameter"),
            cJSON_GetStringValue(cJSON_GetArrayItem(ends, i)));
  }
}

static void print_special(const cJSON *x, bool branches, amo_table *t)
{
  const char *criticality = amo_json_text(x, "criticality");
  amo_table_cell(t, "%.12g", amo_json_get(x, "at"));
  if (*criticality)
    amo_table_cell(t, "%s, %s", amo_json_text(x, "type"), criticality);
  else
    amo_table_cell(t, "%s", amo_json_text(x, "type"));
  if (branches) amo_table_cell(t, "%g", amo_json_get(x, "branch"));
  if (*criticality)
    amo_table_cell(t, "%.10g", 6.283185307179586 / amo_json_get(x, "frequency"));
  else if (isnan(amo_json_get(x, "period")))
    amo_table_cell(t, "%s", "");
  else
    amo_table_cell(t, "%.10g", amo_json_get(x, "period"));
  amo_table_cell(t, "%s", amo_json_text(x, "sequence"));
  amo_table_cell(t, "%s", amo_json_text(x, "after"));
}

static void print(const cJSON *result, FILE *out, int wide)
{
  const cJSON *x = NULL, *special = cJSON_GetObjectItemCaseSensitive(result, "special");
  const bool branches = amo_json_get(result, "branches") > 1.0;
  print_branches(result, out);
  amo_audit_print(result, out);
  if (cJSON_GetArraySize(special) == 0) {
    fprintf(out, "nothing special on the way\n");
    return;
  }
  amo_table t = {0};
  char head[160];
  snprintf(head, sizeof head, ">%.120s", amo_json_text(result, "vary"));
  amo_table_head(&t, head), amo_table_head(&t, "<type");
  if (branches) amo_table_head(&t, ">branch");
  amo_table_head(&t, ">period"), amo_table_head(&t, "<during a period"), amo_table_head(&t, "<then");
  cJSON_ArrayForEach(x, special) print_special(x, branches, &t);
  amo_table_print(&t, out, wide);
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(result, "loci"))
  {
    const cJSON *points = cJSON_GetObjectItemCaseSensitive(x, "points"), *p = NULL;
    fprintf(out, "\nlocus of %s\n", amo_json_text(x, "type"));
    cJSON_ArrayForEach(p, points)
        fprintf(out, "  %16.10g %16.10g\n", amo_json_get(p, "second"), amo_json_get(p, "parameter"));
    if (*amo_json_text(x, "ended")) fprintf(out, "  %s\n", amo_json_text(x, "ended"));
  }
}

const amo_verb amo_verb_continue = {
    .name = "continue",
    .summary = "follow cycles or steady sliding along a parameter",
    .usage = "MODEL --vary NAME=FROM:TO [options]",
    .description = "Follows a branch of cycles (or of steady sliding) through its folds by pseudo-arclength "
                   "continuation and "
                   "locates what is special on it: folds, period doublings, Neimark-Sacker and Hopf "
                   "bifurcations, branch points "
                   "(a symmetry breaks), and what only systems with friction have: where stick phases begin "
                   "or cease to exist, "
                   "where slip begins to pass through zero without stick, and other changes of what happens "
                   "during a period.\n\n"
                   "The first cycle is found at FROM as `cycle` does it. --branches also follows what leaves "
                   "at period doublings "
                   "and branch points, with --of steady the cycles that leave at Hopf points.",
    .example = "amontons continue models/block-on-belt.yaml --vary v=0.2:1\n"
               "amontons continue models/block-aging-ideal.yaml --vary a=0.01:0.1 --json\n"
               "amontons continue models/drive-spring-slider.yaml --of steady --vary v=1.3:0.3 --branches",
    .opts = opts,
    .no_joints = true,
    .run = run,
    .print = print};
