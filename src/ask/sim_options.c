// SPDX-License-Identifier: Apache-2.0
#include "ask/sim_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "expr/parse.h"
#include "model/complete.h"
#include "ask/number.h"

static const char *const method_name[] = {"event", "switch", "smooth", "euler"};
static const char *const stepper_name[] = {"taylor", "rk8", "rkf45", "bdf", "radau", "auto"};

static const char *const compile_name[] = {"auto", "never", "wait"};

const char *amo_method_name(amo_method method)
{
  return method_name[method];
}

static int index_of(const char *const *names, int n, const char *text)
{
  for (int i = 0; i < n; i++)
    if (!strcmp(names[i], text)) return i;
  return 0;  // options have checked the choice
}

static bool fits(amo_method method, amo_stepper stepper)
{
  switch (method) {
    case AMO_METHOD_EVENT: return stepper != AMO_STEPPER_RKF45 && stepper != AMO_STEPPER_BDF;
    case AMO_METHOD_SWITCH: return stepper == AMO_STEPPER_RKF45;
    case AMO_METHOD_SMOOTH: return stepper == AMO_STEPPER_BDF;
    case AMO_METHOD_EULER: return false;
  }
  return false;
}

static void read_number(const amo_options *o, const char *name, double *out)
{
  if (amo_opt_given(o, name)) *out = amo_opt_number(o, name);
}

/// An option of another method would be ignored; the user should know.
static void warn_unused(const amo_options *o, amo_method method, amo_diags *diags)
{
  static const struct {
    const char *name;
    amo_method method;
  } row[] = {{"eta", AMO_METHOD_SWITCH}, {"kappa", AMO_METHOD_SWITCH}, {"eps", AMO_METHOD_SMOOTH}};
  for (int i = 0; i < 3; i++)
    if (amo_opt_given(o, row[i].name) && method != row[i].method)
      amo_warn(diags, (amo_at){0}, NULL, "'%s' belongs to method %s and has no effect with method %s",
               row[i].name, method_name[row[i].method], method_name[method]);
}

static amo_status read_stepping(const amo_options *o, amo_diags *diags, amo_sim_opts *out)
{
  read_number(o, "tol", &out->tol);
  read_number(o, "max-step", &out->max_step);
  if (amo_opt_given(o, "order")) out->order = (int)amo_opt_integer(o, "order");
  if (amo_opt_given(o, "max-steps")) out->max_steps = amo_opt_integer(o, "max-steps");
  if (amo_opt_given(o, "max-events")) out->max_events = amo_opt_integer(o, "max-events");
  if (amo_opt_given(o, "compile"))
    out->compile = (amo_compile)index_of(compile_name, 3, amo_opt_text(o, "compile"));
  if (!amo_opt_given(o, "stepper")) return AMO_OK;
  out->stepper = (amo_stepper)index_of(stepper_name, 6, amo_opt_text(o, "stepper"));
  if (fits(out->method, out->stepper)) return AMO_OK;
  return amo_error(diags, (amo_at){0},
                   "auto, taylor, radau and rk8 go with event, rkf45 with switch, bdf with smooth",
                   "stepper %s does not fit method %s", stepper_name[out->stepper], method_name[out->method]);
}

amo_status amo_sim_opts_read(const amo_values *v, const amo_options *o, bool stepping, amo_diags *diags,
                             amo_sim_opts *out)
{
  *out = amo_sim_opts_default();
  out->values = v;
  out->audit = true;
  out->method = (amo_method)index_of(method_name, 4, amo_opt_text(o, "method"));
  out->stepper = out->method == AMO_METHOD_SWITCH   ? AMO_STEPPER_RKF45
                 : out->method == AMO_METHOD_SMOOTH ? AMO_STEPPER_BDF
                                                    : AMO_STEPPER_AUTO;
  read_number(o, "eta", &out->eta);
  read_number(o, "kappa", &out->kappa);
  read_number(o, "eps", &out->eps);
  warn_unused(o, out->method, diags);
  return stepping ? read_stepping(o, diags, out) : AMO_OK;
}

amo_status amo_span_check(const amo_options *o, double from, double until, amo_diags *diags)
{
  const amo_at nowhere = {0};
  const double span = until - from, least = 1e-12 * span;
  if (!(span > 0.0))
    return amo_error(diags, nowhere, NULL, "until must be later than the start: until = %.15g, start = %.15g",
                     until, from);
  if (!(span > 1e-12 * fmax(fabs(from), fabs(until))) || !(least > 0.0))  // times would have no digits left
    return amo_error(diags, nowhere, NULL, "the run from %.17g to %.17g is too short for times of that size",
                     from, until);
  if (amo_opt_given(o, "max-step") && amo_opt_number(o, "max-step") < least)
    return amo_error(diags, nowhere, NULL, "max-step must be at least 1e-12 of the run, that is %g, got %g",
                     least, amo_opt_number(o, "max-step"));
  return AMO_OK;
}

static const char *state_name(void *ctx, size_t i)
{
  const amo_model *m = ctx;
  return i < amo_model_states(m) ? amo_model_state(m, i).name : NULL;
}

static amo_status unknown_state(const amo_model *m, const char *name, amo_diags *diags)
{
  const char *near = amo_nearest(name, strlen(name), state_name, (void *)(uintptr_t)m);
  if (near)
    return amo_error(diags, (amo_at){0}, NULL, "unknown state '%s' in 'at'; did you mean '%s'?", name, near);
  return amo_error(diags, (amo_at){0}, NULL, "unknown state '%s' in 'at'; the model's states begin with '%s'",
                   name, amo_model_states(m) ? amo_model_state(m, 0).name : "");
}

/// What `at` leaves open follows from the guides and constraints; supports must not be penetrated.
static amo_status complete(const amo_values *v, double t, const bool *given, amo_diags *diags, double *state)
{
  const amo_model *m = v->model;
  amo_complete *c = NULL;
  double by;
  amo_status st = amo_complete_new(m, &c);
  if (st == AMO_OK && amo_complete_needed(m)) st = amo_complete_state(c, v->param, t, state, given);
  if (st == AMO_ENOANSWER) {
    const char *name = amo_complete_fault(c, &by);
    st = amo_error(diags, (amo_at){0}, "give fewer values: the others follow from guides and constraints",
                   "the values of 'at' do not fit %s: it stays violated by %g", name, by);
  }
  if (st == AMO_OK && amo_complete_supports(c, v->param, t, state) != AMO_OK) {
    const char *name = amo_complete_fault(c, &by);
    st = amo_error(diags, (amo_at){0}, "a support is a gap >= 0",
                   "the values of 'at' penetrate support %s: gap %g", name, by);
  }
  amo_complete_free(c);
  return st;
}

amo_status amo_state_values(const amo_values *v, const amo_options *o, amo_diags *diags, double *state,
                            bool *given)
{
  const amo_model *m = v->model;
  amo_status st = AMO_OK;
  const amo_setting *set = NULL;
  size_t n = amo_opt_settings(o, "at", &set);
  memcpy(state, v->initial, amo_model_states(m) * sizeof *state);
  for (size_t i = 0; i < n; i++) {
    long k = amo_model_find_state(m, set[i].name);
    amo_status one = k < 0 ? unknown_state(m, set[i].name, diags)
                           : amo_number_eval(set[i].text, (amo_at){0}, v, diags, &state[k]);
    if (one != AMO_OK) st = one;
    if (k >= 0) given[k] = true;
  }
  return st;
}

amo_status amo_state_read(const amo_values *v, const amo_options *o, amo_diags *diags, double *state)
{
  bool *given = amo_zalloc(amo_model_states(v->model) + 1, sizeof *given);
  amo_status st = given ? amo_state_values(v, o, diags, state, given) : AMO_ENOMEM;
  const bool timed = amo_opt_known(o, "time") && amo_opt_given(o, "time");
  const double t = timed ? amo_opt_number(o, "time") : v->t0;
  const amo_setting *set = NULL;
  const bool moved = timed || amo_opt_settings(o, "at", &set) > 0;  // ties may be driven in time
  if (st == AMO_OK && moved) st = complete(v, t, given, diags, state);
  free(given);
  return st;
}
