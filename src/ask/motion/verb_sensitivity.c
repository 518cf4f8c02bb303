// SPDX-License-Identifier: Apache-2.0
// sensitivity: how the motion changes with its start and with parameters.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "amontons/sensitivity.h"
#include "ask/orbit/cycle.h"
#include "result/json.h"
#include "ask/orbit/orbit_json.h"
#include "ask/sim_options.h"

// clang-format off
static const amo_opt_def opts[] = {
    {"until", AMO_OPT_NUMBER, "T", "10", NULL, "time at the end", 0, 0},
    {"for", AMO_OPT_TEXT, "NAMES", NULL, NULL, "parameters for which there are derivatives, \"k, v\"; event method", 0, 0},
    {"samples", AMO_OPT_INTEGER, "N", "0", NULL, "also the matrix at N equal times; event method", 0, 1e6},
    {"differences", AMO_OPT_NUMBER, "H", NULL, NULL, "also central differences of the motion with this step, to compare", 1e-300, INFINITY},
    {"perturbation", AMO_OPT_NUMBER, "XI", "1e-4", NULL, "switch: absolute change of states for derivatives", -INFINITY, INFINITY},
    AMO_STATE_OPT,
    AMO_METHOD_OPTS,
    AMO_STEPPING_OPTS,
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

static amo_status add_parameter(const amo_call *call, const char *text, size_t n, size_t *param,
                                size_t *count)
{
  char name[128];
  if (n == 0 || n >= sizeof name || *count == AMO_SENSITIVITY_PARAMETERS)
    return amo_error(call->diags, (amo_at){0}, "for example --for \"k, v\"",
                     "--for needs names of parameters, at most %d", AMO_SENSITIVITY_PARAMETERS);
  memcpy(name, text, n);
  name[n] = '\0';
  const long i = amo_model_find_parameter(call->model, name);
  if (i < 0) return amo_error(call->diags, (amo_at){0}, NULL, "the model has no parameter '%s'", name);
  for (size_t k = 0; k < *count; k++)
    if (param[k] == (size_t)i)
      return amo_error(call->diags, (amo_at){0}, NULL, "--for names '%s' more than once", name);
  param[(*count)++] = (size_t)i;
  return AMO_OK;
}

/// Names separated by commas or blanks.
static amo_status read_parameters(const amo_call *call, size_t *param, size_t *count)
{
  const char *p = amo_opt_text(call->opt, "for");
  amo_status st = AMO_OK;
  for (bool more = p != NULL; more && st == AMO_OK;) {
    p += strspn(p, " ");
    const size_t n = strcspn(p, ", ");
    st = add_parameter(call, p, n, param, count);
    p += n;
    p += strspn(p, " ");
    more = *p != '\0';
    if (*p == ',') p++;
  }
  return st;
}

// ---- JSON ----

typedef struct telling {
  const amo_model *m;
  const amo_sensitivity *s;
  const size_t *param;
} telling;

static void add_columns(const telling *x, cJSON *o, const amo_sensitivity_at *at)
{
  const size_t ns = x->s->states;
  cJSON_AddItemToObject(o, "matrix", amo_orbit_matrix_json(at->matrix, ns, ns));
  if (!at->parameter) return;
  cJSON *all = cJSON_AddObjectToObject(o, "parameters");
  for (size_t i = 0; i < x->s->parameters; i++)
    cJSON_AddItemToObject(all, amo_model_parameter(x->m, x->param[i]).name,
                          amo_orbit_state_json(x->m, at->parameter + i * ns));
}

static cJSON *events_json(const telling *x)
{
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < x->s->events; i++) {
    const amo_sensitivity_event *k = &x->s->event[i];
    cJSON *e = amo_orbit_event_json(x->m, &k->event, 0.0, k->after.state), *before = cJSON_CreateObject();
    add_columns(x, before, &k->before);
    cJSON_AddItemToObject(e, "before", before);
    add_columns(x, e, &k->after);
    cJSON_AddItemToArray(list, e);
  }
  return list;
}

static cJSON *samples_json(const telling *x)
{
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < x->s->samples; i++) {
    cJSON *o = cJSON_CreateObject();
    amo_json_add(o, "t", x->s->sample[i].t);
    cJSON_AddItemToObject(o, "state", amo_orbit_state_json(x->m, x->s->sample[i].state));
    add_columns(x, o, &x->s->sample[i]);
    cJSON_AddItemToArray(list, o);
  }
  return list;
}

static cJSON *result_json(const telling *x, amo_method method)
{
  const amo_sensitivity *s = x->s;
  const bool event = method == AMO_METHOD_EVENT;
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "model", amo_model_name(x->m));
  cJSON_AddStringToObject(o, "method", amo_method_name(method));
  amo_json_add(o, "t", s->end.t);
  if (event) cJSON_AddItemToObject(o, "events", events_json(x));
  if (event && s->samples) cJSON_AddItemToObject(o, "samples", samples_json(x));
  cJSON_AddItemToObject(o, "state", amo_orbit_state_json(x->m, s->end.state));
  add_columns(x, o, &s->end);
  if (event) {
    cJSON_AddNumberToObject(o, "rank", (double)s->rank);
    cJSON_AddBoolToObject(o, "grazing", s->grazing);
    cJSON_AddBoolToObject(o, "one_sided", s->one_sided);
    cJSON_AddBoolToObject(o, "together", s->together);
  }
  if (s->eigenvalue)
    cJSON_AddItemToObject(o, "eigenvalues", amo_orbit_multipliers_json(s->eigenvalue, s->states));
  if (s->differences)
    cJSON_AddItemToObject(o, "differences", amo_orbit_matrix_json(s->differences, s->states, s->states));
  return o;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  amo_sensitivity_opts how = amo_sensitivity_opts_default();
  amo_sim_opts sim;
  amo_sensitivity *s = NULL;
  size_t param[AMO_SENSITIVITY_PARAMETERS];
  double *start = amo_zalloc(amo_model_states(call->model), sizeof *start);
  *result = NULL;
  if (!start) return AMO_ENOMEM;
  amo_status st = amo_sim_opts_read(call->values, call->opt, true, call->diags, &sim);
  how.until = amo_opt_number(call->opt, "until");
  how.samples = (size_t)amo_opt_integer(call->opt, "samples");
  how.perturbation = amo_opt_number(call->opt, "perturbation");
  if (amo_opt_given(call->opt, "differences")) how.differences = amo_opt_number(call->opt, "differences");
  if (amo_opt_given(call->opt, "at")) how.start = start;  // else parameters in initial values move it
  how.parameter = param;
  how.sim = &sim;
  how.stop = amo_call_stop(call);
  if (st == AMO_OK) st = amo_state_read(call->values, call->opt, call->diags, start);
  if (st == AMO_OK) st = read_parameters(call, param, &how.parameters);
  if (st == AMO_OK) st = amo_span_check(call->opt, call->values->t0, how.until, call->diags);
  if (st == AMO_OK) st = amo_sensitivity_find(call->model, &how, call->diags, &s);
  if (st == AMO_OK) *result = result_json(&(telling){call->model, s, param}, sim.method);
  amo_sensitivity_free(s);
  free(start);
  return st;
}

static void print_matrix(const cJSON *m, const cJSON *state, FILE *out)
{
  const cJSON *row = NULL, *x = NULL, *name = state ? state->child : NULL;
  cJSON_ArrayForEach(row, m)
  {
    fprintf(out, "  %-10s", name ? name->string : "");
    cJSON_ArrayForEach(x, row) fprintf(out, " %16.10g", x->valuedouble);
    fprintf(out, "\n");
    if (name) name = name->next;
  }
}

static void print(const cJSON *result, FILE *out, int wide)
{
  const cJSON *state = cJSON_GetObjectItemCaseSensitive(result, "state"), *p = NULL, *x = NULL;
  (void)wide;
  fprintf(out, "%s: derivative of the state at t = %.10g with respect to the state at the start\n",
          amo_json_text(result, "model"), amo_json_get(result, "t"));
  print_matrix(cJSON_GetObjectItemCaseSensitive(result, "matrix"), state, out);
  cJSON_ArrayForEach(p, cJSON_GetObjectItemCaseSensitive(result, "parameters"))
  {
    fprintf(out, "with respect to %s\n", p->string);
    cJSON_ArrayForEach(x, p) fprintf(out, "  %-10s %16.10g\n", x->string, x->valuedouble);
  }
  fprintf(out, "eigenvalues: ");
  amo_orbit_print_multipliers(cJSON_GetObjectItemCaseSensitive(result, "eigenvalues"), out);
  fprintf(out, "\n");
}

const amo_verb amo_verb_sensitivity = {
    .name = "sensitivity",
    .summary = "how the motion changes with its start and with parameters",
    .usage = "MODEL --until T [options]",
    .description = "The derivative of the state at the end with respect to the state at the start (the "
                   "fundamental matrix) and to "
                   "parameters, exact through slip, stick and every event: the variational equation between "
                   "events, and at an "
                   "event the jump that follows from the condition that ends the mode. Where stick begins "
                   "the matrix loses a "
                   "rank. With the methods switch and smooth: what these methods give.",
    .example = "amontons sensitivity models/block-on-belt.yaml --until 8 --for \"k, v\"",
    .opts = opts,
    .no_joints = true,
    .run = run,
    .print = print};
