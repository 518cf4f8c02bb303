// SPDX-License-Identifier: Apache-2.0
// evaluate: one state under the magnifying glass.
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "amontons/evaluate.h"
#include "model/compiled.h"
#include "result/json.h"
#include "ask/sim_options.h"
#include "ask/motion/simulate.h"
#include "result/table.h"

// clang-format off
static const amo_opt_def opts[] = {
    AMO_STATE_OPT,
    {"time", AMO_OPT_NUMBER, "T", NULL, NULL, "time, instead of the model's start", 0, 0},
    AMO_METHOD_OPTS,
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

static cJSON *contacts(const amo_model *m, const amo_evaluation *e)
{
  const amo_sample *p = e->sample;
  cJSON *all = cJSON_CreateObject();
  for (size_t i = 0; i < amo_model_contacts(m); i++) {
    cJSON *o = cJSON_AddObjectToObject(all, amo_model_contact(m, i).name);
    amo_json_add(o, "slip", p->slip[i]);
    amo_json_add_mode(o, "mode", p->mode[i]);
    amo_json_add(o, "force", p->force[i]);
    amo_json_add(o, "bound", p->bound[i]);
    amo_json_add(o, "normal", p->normal[i]);
    amo_json_add(o, "needed", e->needed[i]);
    amo_json_add(o, "slope", e->slope[i]);
  }
  return all;
}

static cJSON *states(const amo_model *m, const double *value)
{
  cJSON *o = cJSON_CreateObject();
  for (size_t i = 0; i < amo_model_states(m); i++) amo_json_add(o, amo_model_state(m, i).name, value[i]);
  return o;
}

static cJSON *accelerations(const amo_model *m, const amo_sample *p)
{
  cJSON *o = cJSON_CreateObject();
  size_t nq = amo_model_coordinates(m);
  for (size_t i = 0; i < nq; i++) {
    char name[256];
    snprintf(name, sizeof name, "%s'", amo_model_state(m, nq + i).name);
    amo_json_add(o, name, p->acceleration[i]);
  }
  return o;
}

static cJSON *result_json(const amo_model *m, const amo_evaluation *e, const double *state, amo_method method)
{
  const amo_sample *p = e->sample;
  cJSON *o = cJSON_CreateObject(), *modes = cJSON_CreateObject(), *outputs = cJSON_CreateObject();
  cJSON *multipliers = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "model", amo_model_name(m));
  cJSON_AddStringToObject(o, "method", amo_method_name(method));
  amo_json_add(o, "t", p->t);
  cJSON_AddItemToObject(o, "state", states(m, state));
  for (size_t i = 0; i < amo_model_contacts(m); i++)
    amo_json_add_mode(modes, amo_model_contact(m, i).name, p->mode[i]);
  cJSON_AddItemToObject(o, "modes", modes);
  cJSON_AddItemToObject(o, "rates", states(m, e->rates));
  cJSON_AddItemToObject(o, "accelerations", accelerations(m, p));
  cJSON_AddItemToObject(o, "contacts", contacts(m, e));
  for (uint32_t i = 0; i < m->ng; i++) amo_json_add(multipliers, m->constraint[i].sym.name, p->multiplier[i]);
  cJSON_AddItemToObject(o, "constraints", multipliers);
  for (size_t i = 0; i < amo_model_outputs(m); i++)
    amo_json_add(outputs, amo_model_output(m, i).name, p->output[i]);
  cJSON_AddItemToObject(o, "outputs", outputs);
  amo_json_add(o, "kinetic", p->kinetic);
  amo_json_add(o, "potential", p->potential);
  amo_json_add(o, "energy", p->kinetic + p->potential);
  return o;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  const amo_model *m = call->model;
  amo_sim_opts o;
  amo_evaluation *e = NULL;
  double *state = amo_zalloc(amo_model_states(m), sizeof *state);
  double t = amo_opt_given(call->opt, "time") ? amo_opt_number(call->opt, "time") : call->values->t0;
  *result = NULL;
  if (!state) return AMO_ENOMEM;
  amo_status st = amo_sim_opts_read(call->values, call->opt, false, call->diags, &o);
  amo_status read = amo_state_read(call->values, call->opt, call->diags, state);
  if (st == AMO_OK) st = read;
  if (st == AMO_OK) st = amo_evaluation_new(m, &e);
  if (st == AMO_OK) st = amo_evaluate(m, &o, t, state, e, call->diags);
  if (st == AMO_OK) *result = result_json(m, e, state, o.method);
  amo_evaluation_free(e);
  free(state);
  return st;
}

static void print(const cJSON *result, FILE *out, int wide)
{
  const cJSON *state = cJSON_GetObjectItemCaseSensitive(result, "state");
  const cJSON *rate = cJSON_GetObjectItemCaseSensitive(result, "rates")->child, *x = NULL;
  static const char *const head[] = {"slip", "mode", "force", "bound", "normal", "needed", "slope"};
  amo_table t = {0}, c = {0};
  fprintf(out, "%s at t = %.10g, method %s\n\n", amo_json_text(result, "model"), amo_json_get(result, "t"),
          amo_json_text(result, "method"));
  amo_table_head(&t, "<state"), amo_table_head(&t, ">value"), amo_table_head(&t, ">rate");
  cJSON_ArrayForEach(x, state)
  {
    amo_table_cell(&t, "%s", x->string);
    amo_table_cell(&t, "%.15g", x->valuedouble);
    amo_table_cell(&t, "%.15g", amo_json_next(&rate, x->string));
  }
  amo_table_print(&t, out, wide);
  fprintf(out, "\n");
  amo_table_head(&c, "<contact");
  for (int i = 0; i < 7; i++) {
    char text[16];
    snprintf(text, sizeof text, ">%s", head[i]);
    amo_table_head(&c, text);
  }
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(result, "contacts"))
  {
    amo_table_cell(&c, "%s", x->string);
    for (int i = 0; i < 7; i++) {
      const cJSON *value = cJSON_GetObjectItemCaseSensitive(x, head[i]);
      if (cJSON_IsString(value))
        amo_table_cell(&c, "%s", value->valuestring);
      else
        amo_table_cell(&c, "%.10g", amo_json_get(x, head[i]));
    }
  }
  amo_table_print(&c, out, wide);
  fprintf(out, "\n");
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(result, "outputs"))
      fprintf(out, "%s = %.15g\n", x->string, cJSON_IsNumber(x) ? x->valuedouble : NAN);
  fprintf(out, "energy: kinetic %.10g, potential %.10g\n", amo_json_get(result, "kinetic"),
          amo_json_get(result, "potential"));
}

const amo_verb amo_verb_evaluate = {
    .name = "evaluate",
    .summary = "modes, forces and rates at one state",
    .usage = "MODEL [options]",
    .description =
        "At one state: which contacts stick or slip, friction force, its bound, the force that would hold "
        "stick, the slope of the friction curve, accelerations, the right-hand side of the chosen method, "
        "outputs and energies. Where velocities jump at once (an impact, or a stop of slip that has no "
        "acceleration) there is "
        "nothing to show, and that is said.",
    .example =
        "amontons evaluate models/block-on-belt.yaml --at \"x=0.3, x'=0.2\"\n"
        "amontons evaluate models/block-on-belt.yaml --at \"x=0.3, x'=0.2\" --method smooth --eps 1e3 --json",
    .opts = opts,
    .run = run,
    .print = print};
