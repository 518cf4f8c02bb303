// SPDX-License-Identifier: Apache-2.0
// contact: all solutions of the contact problem at a state, and their class.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "result/json.h"
#include "ask/number.h"
#include "ask/sim_options.h"
#include "ask/motion/simulate.h"
#include "ask/contact/solutions_json.h"

// clang-format off
static const amo_opt_def opts[] = {
    AMO_STATE_OPT,
    {"stiffness", AMO_OPT_SETTINGS, "C=VALUE ...", NULL, NULL,
     "stiffness of contacts, for which stability is asked [all 1]", 0, 0},
    {"time", AMO_OPT_NUMBER, "T", NULL, NULL, "time, instead of the model's start", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

static cJSON *column(const cJSON *contacts, const char *key)
{
  const cJSON *x = NULL;
  cJSON *o = cJSON_CreateObject();
  cJSON_ArrayForEach(x, contacts)
  {
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(x, key);
    if (v) cJSON_AddItemToObject(o, x->string, cJSON_Duplicate(v, true));
  }
  return o;
}

static cJSON *result_json(const amo_solutions *s, double t, const double *state)
{
  cJSON *o = cJSON_CreateObject(), *at = cJSON_CreateObject(), *contacts = amo_solutions_contacts_json(s);
  cJSON_AddStringToObject(o, "model", amo_model_name(s->m));
  amo_json_add(o, "t", t);
  for (size_t i = 0; i < amo_model_states(s->m); i++)
    amo_json_add(at, amo_model_state(s->m, i).name, state[i]);
  cJSON_AddItemToObject(o, "state", at);
  cJSON_AddStringToObject(o, "class", amo_class_name(s->kind));
  cJSON_AddBoolToObject(o, "border", s->border);
  cJSON_AddBoolToObject(o, "zero_reaction", s->zero_reaction);
  cJSON_AddNumberToObject(o, "count", (double)s->count);
  amo_solutions_add_complete(o, s);
  if (s->chosen < 0)
    cJSON_AddNullToObject(o, "chosen");
  else
    cJSON_AddNumberToObject(o, "chosen", (double)s->chosen);
  cJSON_AddStringToObject(o, "why", s->why);
  cJSON_AddItemToObject(o, "solutions", amo_solutions_list_json(s));
  cJSON_AddItemToObject(o, "L", column(contacts, "L"));
  cJSON_AddItemToObject(o, "mu_L", column(contacts, "mu_L"));
  cJSON_AddItemToObject(o, "R0", column(contacts, "R0"));
  cJSON_AddItemToObject(o, "contacts", contacts);
  cJSON_AddItemToObject(o, "pairs", amo_pairs_json(s));
  return o;
}

/// --stiffness; 1 where none is given.
static amo_status read_stiffness(const amo_call *call, double *stiffness)
{
  const amo_setting *set = NULL;
  amo_status st = AMO_OK;
  for (uint32_t c = 0; c < call->model->nc; c++) stiffness[c] = 1.0;
  for (size_t i = 0, n = amo_opt_settings(call->opt, "stiffness", &set); i < n; i++) {
    const long c = amo_model_find_contact(call->model, set[i].name);
    double x = NAN;
    amo_status one = c < 0 ? amo_error(call->diags, (amo_at){0}, "name a contact of the model",
                                       "unknown contact '%s' in 'stiffness'", set[i].name)
                           : amo_number_eval(set[i].text, (amo_at){0}, call->values, call->diags, &x);
    if (one == AMO_OK && !(x > 0.0 && isfinite(x)))
      one = amo_error(call->diags, (amo_at){0}, NULL, "the stiffness of '%s' must be positive, got %g",
                      set[i].name, x);
    if (one == AMO_OK) stiffness[c] = x;
    if (one != AMO_OK) st = one;
  }
  return st;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  double t = 0.0, *state = amo_zalloc(amo_model_states(call->model) + call->model->nc, sizeof *state);
  amo_solutions *s = NULL;
  *result = NULL;
  if (!state) return AMO_ENOMEM;
  double *stiffness = state + amo_model_states(call->model);
  amo_status st = amo_state_at(call, &t, state);
  if (st == AMO_OK) st = read_stiffness(call, stiffness);
  if (st == AMO_OK) st = amo_solutions_new(call->model, &s);
  if (st == AMO_OK) {
    s->assesses = true;
    s->stiffness = stiffness;
  }
  if (st == AMO_OK) st = amo_solutions_at(call->values, t, state, call->diags, &s);
  if (st == AMO_OK) {
    *result = result_json(s, t, state);
    st = amo_painleve_add(call, s, t, state, cJSON_GetObjectItemCaseSensitive(*result, "solutions"));
  }
  amo_solutions_free(s);
  free(state);
  return st;
}

static void print(const cJSON *result, FILE *out, int wide)
{
  int n = (int)amo_json_get(result, "count");
  fprintf(out, "%s: %s", amo_json_text(result, "model"), amo_json_text(result, "class"));
  if (n == 0 && strcmp(amo_json_text(result, "class"), "degenerate") == 0)
    fprintf(out, ", %s\n", amo_json_text(result, "why"));
  else if (n == 0)
    fprintf(out, ", the equations of rigid bodies with friction have no solution here\n");
  else if (isnan(amo_json_get(result, "chosen")))
    fprintf(out, ", %d solution%s, none is chosen: %s\n", n, n == 1 ? "" : "s", amo_json_text(result, "why"));
  else
    fprintf(out, ", %d solution%s; number %d is chosen: %s\n", n, n == 1 ? "" : "s",
            (int)amo_json_get(result, "chosen") + 1, amo_json_text(result, "why"));
  if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(result, "border")))
    fprintf(out, "the state lies on the border mu|L| = 1\n");
  if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(result, "zero_reaction")))
    fprintf(out, "the reaction without friction is zero\n");
  fprintf(out, "\n");
  amo_solutions_print(result, out, wide);
  amo_pairs_print(result, out);
}

const amo_verb amo_verb_contact = {
    .name = "contact",
    .summary = "all solutions of the contact problem at a state",
    .usage = "MODEL [options]",
    .description =
        "At one state: every solution of the equations of motion with Coulomb friction (stick, slip with "
        "either sign "
        "of the reaction), which of them is stable under a slightly compliant contact, and the class of the "
        "problem: unique, several, none (Painleve's paradoxes) or degenerate. For each guide the influence "
        "coefficient L, mu|L| (paradoxes need mu|L| > 1), the critical mu, the reaction R0 without friction "
        "and the "
        "relative error of taking it for the true one.\n\n"
        "Chosen is rest where nothing moves and rest is possible, else the stable slip whose reactions have "
        "the "
        "signs they would have without friction.\n\n"
        "For contacts that slip and act on each other: the determinants of all patterns of signs, whether "
        "the "
        "solution is unique whatever the loads, and how much more friction would end that. With --stiffness "
        "the eigenvalues of slightly compliant contacts: centre, divergence or flutter.",
    .example = "amontons contact models/painleve-klein.yaml --at \"q'=1\" --set mu=1 phi=1.3",
    .main = "class",
    .opts = opts,
    .run = run,
    .print = print};
