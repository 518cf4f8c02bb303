// SPDX-License-Identifier: Apache-2.0
// rest: does a mechanism at rest hold, start, or may it do either?
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "result/json.h"
#include "ask/rest/region_json.h"
#include "explore/rest/rest.h"
#include "ask/sim_options.h"
#include "ask/motion/simulate.h"
#include "ask/contact/solutions_json.h"
#include "ask/svg_file.h"
#include "ask/rest/theorem_json.h"

// clang-format off
static const amo_opt_def opts[] = {
    AMO_STATE_OPT,
    {"time", AMO_OPT_NUMBER, "T", NULL, NULL, "time, instead of the model's start", 0, 0},
    {"region", AMO_OPT_SETTINGS, "NAME=FROM:TO ...", NULL, NULL, "one or two loads: the whole region in which it rests", 0, 0},
    {"plot", AMO_OPT_FILE, "FILE", NULL, NULL, "draw the region (.svg); - is standard output", 0, 0},
    {"draw", AMO_OPT_FLAG, NULL, NULL, NULL, "put the drawing of the region into the result (svg)", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

/// Between which limits forces lie that the motion does not determine.
static void add_ranges(cJSON *o, const amo_model *m, const amo_rest *r)
{
  if (!r->open) return;
  cJSON *all = r->ranged ? cJSON_AddArrayToObject(o, "shares") : cJSON_AddNullToObject(o, "shares");
  if (!r->ranged)
    cJSON_AddStringToObject(o, "shares_reason", "not for friction in a plane, joints, or more than 8 guides");
  for (size_t i = 0; i < r->shares; i++) {
    cJSON *one = cJSON_CreateObject();
    cJSON_AddItemToArray(all, one);
    for (size_t c = 0; c < r->contacts; c++) {
      const amo_rest_range *x = &r->share[i * r->contacts + c];
      cJSON *k = cJSON_AddObjectToObject(one, amo_model_contact(m, c).name);
      if (!isnan(x->reaction[0]))
        cJSON_AddItemToObject(k, "reaction", amo_json_pair(x->reaction[0], x->reaction[1]));
      if (!isnan(x->friction[0]))
        cJSON_AddItemToObject(k, "friction", amo_json_pair(x->friction[0], x->friction[1]));
    }
  }
}

static void add_contacts(cJSON *o, const amo_model *m, const amo_rest *r)
{
  cJSON *all = cJSON_AddObjectToObject(o, "contacts");
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_rest_contact *x = &r->contact[c];
    if (amo_is_on_nothing(&m->contact[c])) continue;  // holds nothing
    cJSON *k = cJSON_AddObjectToObject(all, m->contact[c].sym.name);
    amo_json_add(k, "needed", x->needed);
    amo_json_add(k, "bound", x->bound);
    amo_json_add(k, "reaction", x->reaction);
    amo_json_add_or(k, "margin", x->margin,
                    x->open                        ? "the support is open"
                    : x->holds && isnan(x->margin) ? "it carries nothing"
                                                   : "there is no friction");
  }
}

static amo_status add_region(const amo_call *call, double t, const double *state, cJSON *o)
{
  const char *path = amo_opt_text(call->opt, "plot");
  const amo_setting *set = NULL;
  char *text = NULL;
  const bool draw = amo_opt_flag(call->opt, "draw");
  if (amo_opt_settings(call->opt, "region", &set) == 0)
    return path || draw ? amo_error(call->diags, (amo_at){0}, "--region M=-50:50 P=-100:100",
                                    "--plot and --draw are for the region of --region")
                        : AMO_OK;
  amo_status st = path ? amo_svg_path_check(call, "plot", path) : AMO_OK;
  if (st == AMO_OK) st = amo_region_json(call, t, state, o);
  if (st != AMO_OK || !(path || draw)) return st;
  st = amo_region_plot(call, cJSON_GetObjectItemCaseSensitive(o, "region"), &text);
  if (st == AMO_OK && path) st = amo_file_write_text(path, text, call->diags);
  if (st == AMO_OK && draw) cJSON_AddStringToObject(o, "svg", text);
  free(text);
  return st;
}

static cJSON *result_json(const amo_model *m, const amo_rest *r)
{
  const amo_solutions *s = amo_rest_solutions(r);
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "model", amo_model_name(m));
  add_contacts(o, m, r);
  add_ranges(o, m, r);
  cJSON_AddStringToObject(o, "verdict", amo_rest_verdict_name(r->verdict));
  cJSON_AddNumberToObject(o, "direction", r->direction);
  amo_json_add(o, "margin", r->margin);
  amo_theorem_add(s, o);
  amo_solutions_add_complete(o, s);
  cJSON_AddItemToObject(o, "solutions", amo_solutions_list_json(s));
  return o;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  double *state = amo_zalloc(amo_model_states(call->model), sizeof *state);
  amo_rest_opts how = amo_rest_opts_default();
  amo_rest *r = NULL;
  *result = NULL;
  if (!state) return AMO_ENOMEM;
  how.state = state;
  how.values = call->values;
  amo_status st = amo_state_at_rest(call, "rest", &how.t, state);
  if (st == AMO_OK) st = amo_rest_find(call->model, &how, call->diags, &r);
  if (st == AMO_OK) {
    *result = result_json(call->model, r);
    st = add_region(call, r->t, r->state, *result);
  }
  if (st != AMO_OK) {
    cJSON_Delete(*result);
    *result = NULL;
  }
  amo_rest_free(r);
  free(state);
  return st;
}

static void print_range(const cJSON *range, const char *name, FILE *out)
{
  const cJSON *low = cJSON_GetArrayItem(range, 0), *high = cJSON_GetArrayItem(range, 1);
  if (range != NULL)
    fprintf(out, ", %s %.10g to %.10g", name, cJSON_IsNumber(low) ? low->valuedouble : -INFINITY,
            cJSON_IsNumber(high) ? high->valuedouble : INFINITY);
}

static void print_share(const cJSON *share, FILE *out)
{
  const cJSON *x = NULL;
  fprintf(out, "it holds with any share of forces in");
  cJSON_ArrayForEach(x, share)
  {
    fprintf(out, "%s %s", x == share->child ? "" : ";", x->string);
    print_range(cJSON_GetObjectItemCaseSensitive(x, "reaction"), "reaction", out);
    print_range(cJSON_GetObjectItemCaseSensitive(x, "friction"), "friction", out);
  }
  fprintf(out, "\n");
}

/// Does nothing slip in one of them? One that only a stress inside holds comes last.
static bool may_rest(const cJSON *solutions)
{
  const cJSON *x = NULL;
  bool any = false;
  cJSON_ArrayForEach(x, solutions) any |= strstr(amo_json_text(x, "kind"), "slip") == NULL;
  return any;
}

static void print(const cJSON *result, FILE *out, int wide)
{
  const cJSON *x = NULL;
  int direction = (int)amo_json_get(result, "direction");
  const char *verdict = amo_json_text(result, "verdict");
  fprintf(out, "%s: %s", amo_json_text(result, "model"), verdict);
  const cJSON *solutions = cJSON_GetObjectItemCaseSensitive(result, "solutions");
  if (cJSON_GetArraySize(solutions) > 1)
    fprintf(out, may_rest(solutions) ? ", it may rest or move: %d solutions" : ", it may move in %d ways",
            cJSON_GetArraySize(solutions));
  else if (direction != 0 && cJSON_GetObjectItemCaseSensitive(solutions->child, "traction") == NULL)
    fprintf(out, ", motion towards %s slip", direction > 0 ? "positive" : "negative");
  fprintf(out, "\n");
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(result, "contacts"))
  {
    if (isnan(amo_json_get(x, "margin")))
      fprintf(out, "%s: %s\n", x->string, amo_json_text(x, "margin_reason"));
    else
      fprintf(out, "%s: needs %.10g of at most %.10g to hold (margin %.4g)\n", x->string,
              amo_json_get(x, "needed"), amo_json_get(x, "bound"), amo_json_get(x, "margin"));
  }
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(result, "shares")) print_share(x, out);
  x = cJSON_GetObjectItemCaseSensitive(result, "source");
  if (x && strcmp(amo_json_text(x, "enumeration"), "differs") == 0)
    fprintf(out, "Theorem %d as printed by Le xuan Anh says %s: not so\n", (int)amo_json_get(x, "theorem"),
            amo_json_text(x, "verdict"));
  fprintf(out, "\n");
  amo_solutions_print(result, out, wide);
  const cJSON *region = cJSON_GetObjectItemCaseSensitive(result, "region");
  if (region) amo_region_print(region, out);
}

const amo_verb amo_verb_rest = {
    .name = "rest",
    .summary = "does it hold, start, or may it do either?",
    .usage = "MODEL [options]",
    .description =
        "Takes the mechanism at rest and lists every solution: rest, and slip in either direction. Verdict: "
        "holds, "
        "starts (with the direction of slip), several, or none. The margin is the reserve of each contact's "
        "holding force relative to its limit: 1 unloaded, 0 at the limit, negative beyond it. Where rest "
        "does not "
        "determine all forces it tells between which limits each of them lies.\n\n"
        "With --region the whole region of one or two loads in which rest is possible: exact intervals or "
        "polygons, found "
        "from the linear structure of the contact problem, with the part in which slip is possible too. The "
        "parameters "
        "must enter the loads linearly and nothing else.",
    .example = "amontons rest models/painleve-klein.yaml --set P1=1 P2=0.2\n"
               "amontons rest models/link-mechanism.yaml --region M=-100:100 P=-400:400",
    .main = "verdict",
    .at_rest = true,
    .opts = opts,
    .run = run,
    .print = print};
