// SPDX-License-Identifier: Apache-2.0
// cycle: periodic motion, its multipliers and what happens during a period.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orbit/forcing.h"
#include "ask/audit.h"
#include "ask/orbit/cycle.h"
#include "result/json.h"
#include "ask/orbit/orbit_json.h"
#include "ask/sim_options.h"
#include "explore/statistics.h"

// clang-format off
static const amo_opt_def opts[] = {
    AMO_STATE_OPT,
    AMO_CYCLE_OPTS,
    AMO_METHOD_OPTS,
    AMO_STEPPING_OPTS,
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

amo_status amo_cycle_opts_read(const amo_call *call, amo_cycle_opts *out, amo_sim_opts *sim)
{
  const amo_options *o = call->opt;
  *out = amo_cycle_opts_default();
  out->sim = sim;
  amo_status st = amo_sim_opts_read(call->values, o, true, call->diags, sim);
  if (!amo_opt_given(o, "max-steps")) sim->max_steps = AMO_CYCLE_STEPS;
  if (amo_opt_given(o, "period-guess")) out->period = amo_opt_number(o, "period-guess");
  if (amo_opt_given(o, "period")) {
    amo_forcing kind = AMO_AUTONOMOUS;
    double found;
    if (st == AMO_OK) st = amo_forcing_of(call->values, &kind, &found);
    *(kind == AMO_AUTONOMOUS ? &out->period : &out->forcing) = amo_opt_number(o, "period");
  }
  if (amo_opt_given(o, "forcing")) out->forcing = amo_opt_number(o, "forcing");
  if (amo_opt_given(o, "periods")) out->periods = (int)amo_opt_integer(o, "periods");
  out->transient = amo_opt_number(o, "transient");
  out->accuracy = amo_opt_number(o, "accuracy");
  out->iterations = (int)amo_opt_integer(o, "iterations");
  out->segments = (int)amo_opt_integer(o, "segments");
  out->perturbation = amo_opt_number(o, "perturbation");
  out->damped = amo_opt_flag(o, "damped");
  out->stop = (volatile int *)call->interrupted;
  return st;
}

static cJSON *effort_json(const amo_cycle_effort *e)
{
  cJSON *o = cJSON_CreateObject();
  cJSON_AddNumberToObject(o, "trajectories", (double)e->trajectories);
  cJSON_AddNumberToObject(o, "steps", (double)e->steps);
  cJSON_AddNumberToObject(o, "rejected", (double)e->rejected);
  cJSON_AddNumberToObject(o, "rhs", (double)e->rhs);
  cJSON_AddNumberToObject(o, "jacobians", (double)e->jacobians);
  cJSON_AddNumberToObject(o, "factorisations", (double)e->factorisations);
  return o;
}

static cJSON *iterates_json(const amo_model *m, const amo_cycle *c)
{
  cJSON *list = cJSON_CreateArray();
  for (int i = 0; i <= c->iterations; i++) {
    const amo_cycle_iterate *it = &c->iterate[i];
    cJSON *o = cJSON_CreateObject(), *full = cJSON_CreateObject();
    cJSON_AddItemToObject(o, "state", amo_orbit_state_json(m, it->state));
    amo_json_add(o, "period", it->period);
    amo_json_add(o, "residual", it->residual);
    if (it->matrix)
      cJSON_AddItemToObject(o, "matrix", amo_orbit_matrix_json(it->matrix, c->states, c->states));
    cJSON_AddItemToObject(full, "state", amo_orbit_state_json(m, it->proposed));
    amo_json_add(full, "period", it->proposed_period);
    cJSON_AddItemToObject(o, "full_step", full);
    amo_json_add(o, "damping", it->damping);
    cJSON_AddItemToObject(o, "effort", effort_json(&it->effort));
    cJSON_AddItemToArray(list, o);
  }
  return list;
}

// ---- one period, looked at closely ----

static void add_ranges(cJSON *o, const amo_statistics *s, double t0)
{
  cJSON *amplitude = cJSON_AddObjectToObject(o, "amplitude"),
        *extrema = cJSON_AddObjectToObject(o, "extrema"), *mean = cJSON_AddObjectToObject(o, "mean"),
        *rms = cJSON_AddObjectToObject(o, "rms");
  char name[256], why[128];
  for (size_t i = 0; i < s->columns; i++) {
    const char *key = amo_statistics_name(s, i, name, sizeof name);
    if (*amo_statistics_reason(s, i, why, sizeof why)) continue;
    cJSON *e = cJSON_AddObjectToObject(extrema, key);
    amo_json_add(e, "min", s->min[i].value);
    amo_json_add(e, "max", s->max[i].value);
    amo_json_add(e, "t_min", s->min[i].t - t0);
    amo_json_add(e, "t_max", s->max[i].t - t0);
    amo_json_add(amplitude, key, 0.5 * (s->max[i].value - s->min[i].value));
    amo_json_add(mean, key, s->sum[i] / s->duration);
    amo_json_add(rms, key, sqrt(s->sum_square[i] / s->duration));
  }
}

static int take_step(void *ctx, amo_sim *sim)
{
  (void)sim;
  return amo_statistics_step(ctx) != AMO_OK;
}

static void add_audit(cJSON *o, const amo_audit *a)
{
  cJSON *work = cJSON_AddObjectToObject(o, "work");
  amo_json_add(work, "dissipated", a->dissipated);
  amo_json_add(work, "supplied", a->supplied);
  cJSON_AddItemToObject(o, "audit", amo_audit_json(a));
}

static amo_status add_period(const amo_call *call, const amo_sim_opts *opt, const amo_cycle *c, cJSON *o)
{
  amo_statistics *s = NULL;
  amo_sim *sim = NULL;
  amo_sim_opts audited = *opt;
  audited.audit = true;
  amo_status st = amo_sim_new(call->model, &audited, NULL, &sim);
  if (st == AMO_OK) st = amo_statistics_new(sim, -INFINITY, &s);
  if (st == AMO_OK) st = amo_sim_start(sim, c->t, c->state);
  if (st == AMO_OK) st = amo_sim_run(sim, c->t + c->period, take_step, s);
  if (st == AMO_OK) {
    const amo_audit *audit = amo_sim_audit(sim);
    cJSON *stick = cJSON_AddObjectToObject(o, "stick_fraction");
    for (size_t i = 0; i < c->contacts; i++)
      if (strcmp(call->model->contact[i].law_type, "smooth") != 0)
        amo_json_add(stick, amo_model_contact(call->model, i).name, s->stick[i] / s->duration);
    add_ranges(o, s, c->t);
    add_audit(o, audit);
    st = amo_audit_tell(audit, "the cycle", call->diags);
  }
  amo_statistics_free(s);
  amo_sim_free(sim);
  return st;
}

// ---- the result ----

static cJSON *events_json(const amo_model *m, const amo_cycle *c)
{
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < c->events; i++)
    cJSON_AddItemToArray(list, amo_orbit_event_json(m, &c->event[i], c->t, c->event_state + i * c->states));
  return list;
}

/// What has moved on after a period; nothing where the motion simply comes back.
static void add_drift(cJSON *r, const amo_model *m, const amo_cycle *c)
{
  cJSON *drift = NULL;
  for (size_t i = 0; i < c->states; i++) {
    if (!c->shifts[i]) continue;
    if (!drift) drift = cJSON_AddObjectToObject(r, "drift");
    amo_json_add(drift, amo_model_state(m, i).name, c->drift[i]);
  }
}

static cJSON *result_json(const amo_call *call, const amo_cycle_opts *o, const amo_cycle *c)
{
  const amo_model *m = call->model;
  cJSON *r = cJSON_CreateObject();
  cJSON_AddStringToObject(r, "model", amo_model_name(m));
  cJSON_AddStringToObject(r, "method", amo_method_name(o->sim->method));
  amo_json_add(r, "period", c->period);
  amo_json_add(r, "frequency", 1.0 / c->period);
  cJSON_AddNumberToObject(r, "multiple", c->multiple);
  amo_json_add(r, "found_period", c->period * c->multiple);
  cJSON_AddBoolToObject(r, "forced", c->forced);
  if (c->forced) amo_json_add(r, "forcing", c->forcing);
  if (c->forced) cJSON_AddNumberToObject(r, "periods", nearbyint(c->period / c->forcing));
  add_drift(r, m, c);
  cJSON_AddItemToObject(r, "multipliers", amo_orbit_multipliers_json(c->multiplier, c->multipliers));
  cJSON_AddNumberToObject(r, "zeros", (double)c->zeros);
  if (c->trivial < c->multipliers) {
    const amo_multiplier *one = &c->multiplier[c->trivial];
    cJSON_AddNumberToObject(r, "trivial", (double)c->trivial);
    amo_json_add(r, "trivial_error", hypot(one->re - 1.0, one->im));
  }
  cJSON_AddBoolToObject(r, "stable", c->stable);
  cJSON_AddStringToObject(r, "verdict", amo_stability_name(c->verdict));
  if (c->grazing) cJSON_AddBoolToObject(r, "grazing", true);
  amo_json_add(r, "residual", c->residual);
  cJSON_AddNumberToObject(r, "iterations", c->iterations);
  cJSON_AddNumberToObject(r, "evaluations", (double)c->effort.rhs);
  amo_json_add(r, "t", c->t);
  cJSON_AddItemToObject(r, "state", amo_orbit_state_json(m, c->state));
  cJSON_AddItemToObject(r, "matrix", amo_orbit_matrix_json(c->matrix, c->states, c->states));
  cJSON_AddItemToObject(r, "events", events_json(m, c));
  cJSON_AddItemToObject(r, "effort", effort_json(&c->effort));
  cJSON_AddItemToObject(r, "final", effort_json(&c->final_effort));
  cJSON_AddItemToObject(r, "iterates", iterates_json(m, c));
  return r;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  amo_cycle_opts o;
  amo_sim_opts sim;
  amo_cycle *c = NULL;
  *result = NULL;
  amo_status st = amo_cycle_opts_read(call, &o, &sim);
  double *start = amo_zalloc(amo_model_states(call->model), sizeof *start);
  if (!start) return AMO_ENOMEM;
  if (st == AMO_OK) st = amo_state_read(call->values, call->opt, call->diags, start);
  if (st == AMO_OK) st = amo_cycle_find(call->model, &o, start, call->diags, &c);
  if (st == AMO_OK) {
    *result = result_json(call, &o, c);
    st = add_period(call, &sim, c, *result);
  }
  amo_cycle_free(c);
  free(start);
  return st;
}

static void print_events(const cJSON *result, FILE *out)
{
  const cJSON *e = NULL;
  cJSON_ArrayForEach(e, cJSON_GetObjectItemCaseSensitive(result, "events"))
  {
    fprintf(out, "  %-14.10g %-10s %s\n", amo_json_get(e, "t"), amo_json_text(e, "kind"),
            amo_json_text(e, "contact"));
  }
}

static void print(const cJSON *result, FILE *out, int wide)
{
  const cJSON *x = NULL, *amplitude = cJSON_GetObjectItemCaseSensitive(result, "amplitude");
  (void)wide;
  fprintf(out, "%s: period %.12g, %s\n", amo_json_text(result, "model"), amo_json_get(result, "period"),
          amo_json_text(result, "verdict"));
  if (amo_json_get(result, "multiple") > 1)
    fprintf(out, "  (the iteration found %.12g, %g times as long)\n", amo_json_get(result, "found_period"),
            amo_json_get(result, "multiple"));
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(result, "drift"))
      fprintf(out, "%s moves on by %.10g in a period\n", x->string, x->valuedouble);
  fprintf(out, "multipliers: ");
  amo_orbit_print_multipliers(cJSON_GetObjectItemCaseSensitive(result, "multipliers"), out);
  fprintf(out, "\n");
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(result, "stick_fraction"))
      fprintf(out, "stick of %s: %.6g of the time\n", x->string, x->valuedouble);
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(result, "state"))
  {
    const cJSON *a = cJSON_GetObjectItemCaseSensitive(amplitude, x->string);
    fprintf(out, "  %-12s %-18.12g amplitude %.8g\n", x->string, x->valuedouble, a ? a->valuedouble : NAN);
  }
  if (cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(result, "events")) > 0) fprintf(out, "events:\n");
  print_events(result, out);
  fprintf(out, "%g Newton steps, %g evaluations, defect %.2g\n", amo_json_get(result, "iterations"),
          amo_json_get(result, "evaluations"), amo_json_get(result, "residual"));
  amo_audit_print(result, out);
}

const amo_verb amo_verb_cycle = {
    .name = "cycle",
    .summary = "periodic motion, its stability and multipliers",
    .usage = "MODEL [options]",
    .description =
        "Finds a limit cycle, or the periodic response of a forced model, by Newton's method on the state "
        "and the "
        "period (shooting), with the exact derivative of the flow through stick, slip and all events. "
        "Without "
        "--period-guess the motion settles from the given state until it nearly comes back; that is where "
        "the method "
        "starts. With it the method starts at the state itself, and may find unstable cycles too.\n\n"
        "Multipliers: the eigenvalues of the derivative of the state after a period; one of them is 1 for "
        "models that "
        "do not depend on time, and those that vanish because contacts stick are exactly 0. The motion is "
        "stable when "
        "all others lie inside the unit circle. The shortest period is reported, also where the iteration "
        "found a "
        "multiple of it.\n\n"
        "Methods: event (exact modes, derivative with jumps at events), switch (stick band; derivatives by "
        "differences "
        "of perturbed runs, as Leine et al. 1998), smooth (arctan friction with its variational equation).",
    .example = "amontons cycle models/block-on-belt.yaml\n"
               "amontons cycle models/block-on-belt.yaml --at \"x=1.1, x'=0\" --period-guess 12 --json",
    .opts = opts,
    .no_joints = true,
    .run = run,
    .print = print};
