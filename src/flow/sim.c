// SPDX-License-Identifier: Apache-2.0
#include "flow/sim.h"
#include "base/options.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/point.h"
#include "flow/step_samples.h"

AMO_OPTS_INIT(amo_sim_opts, .method = AMO_METHOD_EVENT, .stepper = AMO_STEPPER_AUTO,
              .tol = 1e-12,  // with power series hardly dearer than 1e-8
              .max_step = INFINITY, .eta = 1e-6, .eps = 1e6, .audit = true, .max_steps = 100000000,
              .max_events = 100000000)

amo_status amo_sim_fail(amo_sim *s, amo_status st, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  vsnprintf(s->message, sizeof s->message, fmt, args);
  va_end(args);
  return st;
}

amo_status amo_sim_check_options(const amo_sim_opts *o, amo_diags *d)
{
  const amo_at nowhere = {0};
  amo_status st = AMO_OK;
  if (!(o->tol > 1e-16 && o->tol < 0.1))
    st = amo_error(d, nowhere, "for example 1e-10", "tol must lie between 1e-16 and 0.1, got %g", o->tol);
  if (o->order != 0 && (o->order < 8 || o->order > AMO_MAX_ORDER))
    st = amo_error(d, nowhere, "0 chooses it from tol", "order must lie between 8 and %d, got %d",
                   AMO_MAX_ORDER, o->order);
  if (o->method < AMO_METHOD_EVENT || o->method > AMO_METHOD_EULER || o->stepper < AMO_STEPPER_TAYLOR ||
      o->stepper > AMO_STEPPER_AUTO)
    st = amo_error(d, nowhere, NULL, "no method %d or stepper %d", (int)o->method, (int)o->stepper);
  if (!(o->max_step > 0.0)) st = amo_error(d, nowhere, NULL, "max_step must be > 0, got %g", o->max_step);
  if (o->method == AMO_METHOD_SWITCH && !(o->eta > 0.0 && isfinite(o->eta)))
    st = amo_error(d, nowhere, "a small fraction of the slip speeds, for example 1e-6",
                   "eta must be > 0, got %g", o->eta);
  if (o->method == AMO_METHOD_SWITCH && !(o->kappa >= 0.0 && isfinite(o->kappa)))
    st =
        amo_error(d, nowhere, "0 takes the lowest natural frequency", "kappa must be >= 0, got %g", o->kappa);
  if (o->method == AMO_METHOD_SMOOTH && !(o->eps > 0.0 && isfinite(o->eps)))
    st = amo_error(d, nowhere, "a large slope, for example 1e6", "eps must be > 0, got %g", o->eps);
  if (o->certify && o->method != AMO_METHOD_EVENT)
    st = amo_error(d, nowhere, "the other methods approximate the law of friction",
                   "certify needs the method event");
  if (o->max_steps <= 0 || o->max_events <= 0)
    st = amo_error(d, nowhere, NULL, "max_steps and max_events must be > 0");
  if (st == AMO_OK && o->method == AMO_METHOD_SWITCH && o->tol >= o->eta)
    amo_warn(d, nowhere, "choose tol below eta", "tol %g is not below the band eta %g: steps will be many",
             o->tol, o->eta);
  return st;
}

void amo_sim_log_modes(amo_sim *s, double *last)
{
  for (uint32_t c = 0; c < s->m->nc; c++)
    if (s->mode[c] != s->step_mode[c])
      s->event[s->events++] =
          (amo_event){AMO_EVENT_MODE, s->t, (int)c, s->step_mode[c], s->mode[c], 0.0, false, NULL};
  s->stats.events += (long)s->events;
  if (s->events == 0) return;
  if (!isnan(*last)) s->stats.min_event_gap = fmin(s->stats.min_event_gap, s->t - *last);
  *last = s->t;
}

bool amo_sim_reset_memory(amo_sim *s, const amo_point *p)
{
  bool any = false;
  for (uint32_t c = 0; c < s->m->nc; c++)
    if (s->mode[c] == 0 && s->step_mode[c] != 0) any |= amo_reset_memory(p, s->y, c);
  return any;
}

static const amo_sim_ops *ops_of(amo_method method)
{
  return method == AMO_METHOD_SWITCH   ? &amo_switch_method
         : method == AMO_METHOD_SMOOTH ? &amo_smooth_method
         : method == AMO_METHOD_EULER  ? &amo_euler_method
                                       : &amo_event_method;
}

/// Steps by events may be those of clusters. *out = NULL: this model has none, or they do not suit the options.
static amo_status in_clusters(const amo_model *m, const amo_sim_opts *o, amo_sim **out)
{
  *out = NULL;
  const bool series = o->stepper == AMO_STEPPER_AUTO || o->stepper == AMO_STEPPER_TAYLOR;
  if (o->method != AMO_METHOD_EVENT || !series || o->certify || o->whole) return AMO_OK;
  return amo_sim_make(m, o, &amo_cluster_method, out);
}

static amo_status allocate(amo_sim *s)
{
  const amo_model *m = s->m;
  size_t ns = 2u * m->nq + m->nz + 1u, nc = m->nc + 1u;
  AMO_TAKE(&s->memory, double, m->np + 1u, &s->param);
  AMO_TAKE(&s->memory, double, ns, &s->y);
  AMO_TAKE(&s->memory, signed char, nc, &s->mode, &s->step_mode);
  AMO_TAKE(&s->memory, amo_event, 2 * nc + amo_prog_switches(m->step) + 1u, &s->event);
  AMO_TAKE(&s->memory, double, amo_prog_registers(m->report.prog) + 1u, &s->report);
  AMO_TAKE(&s->memory, double, nc, &s->reach, &s->carry, &s->lift, &s->speed);
  AMO_TAKE(&s->memory, double, amo_prog_registers(m->step) + 1u, &s->rounding);
  AMO_TAKE(&s->memory, double, m->nz + 1u, &s->rate);
  amo_ledger_make(&s->ledger, m, &s->memory);
  if (s->memory.failed) return AMO_ENOMEM;
  s->values = *s->opt.values;
  memcpy(s->param, s->values.param, m->np * sizeof *s->param);
  s->values.param = s->param;
  return amo_sample_new(m, &s->probe);
}

amo_status amo_sim_make(const amo_model *m, const amo_sim_opts *o, const amo_sim_ops *ops, amo_sim **out)
{
  amo_sim *s = *out = calloc(1, sizeof *s);
  if (s == NULL) return AMO_ENOMEM;
  s->m = m;
  s->opt = *o;
  s->ops = ops;
  amo_status st = allocate(s);
  if (st == AMO_OK) st = s->ops->make(s);
  if (st == AMO_OK && s->impl == NULL) {  // the method has no use for this model
    amo_sim_free(s);
    *out = NULL;
    return AMO_OK;
  }
  return st == AMO_OK ? amo_step_samples_new(s, &s->samples) : st;
}

amo_status amo_sim_new(const amo_model *m, const amo_sim_opts *opts, amo_diags *diags, amo_sim **out)
{
  if (out == NULL) return AMO_ERANGE;
  *out = NULL;
  amo_sim_opts o = amo_sim_opts_default();
  amo_status st = amo_opts_take(&o, sizeof o, opts);
  if (st != AMO_OK) return st;
  o.values = amo_values_or_file(o.values, m);
  if (o.values == NULL) return AMO_ERANGE;
  st = amo_sim_check_options(&o, diags);
  if (st != AMO_OK) return st;
  amo_sim *s = NULL;
  st = in_clusters(m, &o, &s);
  if (st == AMO_OK && s == NULL) st = amo_sim_make(m, &o, ops_of(o.method), &s);
  if (st == AMO_OK) st = amo_sim_start(s, o.values->t0, NULL);
  if (st != AMO_OK) {
    if (st != AMO_ENOMEM && s != NULL)
      amo_error(diags, (amo_at){0}, NULL, "%s", s->message[0] ? s->message : amo_status_text(st));
    amo_sim_free(s);
    return st;
  }
  *out = s;
  return AMO_OK;
}

void amo_sim_free(amo_sim *s)
{
  if (s == NULL) return;
  if (s->impl != NULL) s->ops->destroy(s);
  amo_sample_free(s->probe);
  amo_step_samples_free(s->samples);
  amo_arena_free(&s->memory);
  free(s);
}

amo_status amo_sim_start(amo_sim *s, double t, const double *state)
{
  if (s == NULL) return AMO_ERANGE;
  const amo_model *m = s->m;
  const double *from = state != NULL ? state : s->values.initial;
  size_t ns = 2u * m->nq + m->nz;
  for (size_t i = 0; i < ns; i++)
    if (!isfinite(from[i]))
      return amo_sim_fail(s, AMO_EINPUT, "state %s is not finite", amo_model_state(m, i).name);
  if (!isfinite(t)) return amo_sim_fail(s, AMO_EINPUT, "the start time is not finite");
  memmove(s->y, from, ns * sizeof *s->y);
  s->t = s->start = t;
  s->events = 0;
  s->started = false;
  s->message[0] = '\0';
  s->stats = (amo_stats){.min_event_gap = INFINITY};
  amo_step_samples_reset(s->samples);
  double given = s->opt.audit ? amo_audit_given_energy(s) : 0.0;
  amo_status st = s->ops->start(s);
  if (st != AMO_OK) return st;
  memcpy(s->step_mode, s->mode, m->nc);
  s->started = true;
  if (s->opt.audit) st = amo_audit_open(s);
  if (s->opt.audit && st == AMO_OK) amo_audit_start_loss(s, given);
  return st;
}

amo_status amo_sim_parameter(amo_sim *s, size_t i, double value)
{
  if (s == NULL) return AMO_ERANGE;
  if (i >= s->m->np || !isfinite(value))
    return amo_sim_fail(s, AMO_ERANGE, "no parameter %zu, or a value that is not finite", i);
  if (s->m->param[i].expr != AMO_NODE_NONE)
    return amo_sim_fail(s, AMO_ERANGE, "parameter %s follows from others: change those",
                        s->m->param[i].sym.name);
  s->param[i] = value;
  amo_model_derive(s->m, s->param);
  s->started = false;
  return AMO_OK;
}

amo_status amo_sim_step(amo_sim *s, double t_end)
{
  if (s == NULL) return AMO_ERANGE;
  if (!s->started) return amo_sim_fail(s, AMO_ERANGE, "call amo_sim_start after a parameter has changed");
  if (isnan(t_end)) return amo_sim_fail(s, AMO_ERANGE, "the end of the step is not a number");
  if (!(t_end > s->t)) return AMO_OK;
  s->events = 0;
  if (s->opt.method != AMO_METHOD_EVENT && s->stats.steps >= s->opt.max_steps)
    return amo_sim_fail(s, AMO_ELIMIT, "more than %ld steps (t = %.9g)", s->opt.max_steps, s->t);
  amo_status st = s->ops->step(s, t_end);
  if (st == AMO_OK && s->opt.audit) st = s->ops->audit != NULL ? s->ops->audit(s) : amo_audit_step(s);
  return st;
}

amo_status amo_sim_run(amo_sim *s, double t_end, int (*on_step)(void *ctx, amo_sim *s), void *ctx)
{
  if (s == NULL) return AMO_ERANGE;
  if (isnan(t_end)) return amo_sim_fail(s, AMO_ERANGE, "the end of the run is not a number");
  while (s->t < t_end) {
    amo_status st = amo_sim_step(s, t_end);
    if (st != AMO_OK) return st;
    if (on_step != NULL && on_step(ctx, s) != 0)
      return amo_sim_fail(s, AMO_EINTR, "stopped at t = %.9g", s->t);
  }
  return AMO_OK;
}

double amo_sim_time(const amo_sim *s)
{
  return s != NULL ? s->t : NAN;
}
double amo_sim_step_start(const amo_sim *s)
{
  return s != NULL ? s->start : NAN;
}
const double *amo_sim_state(const amo_sim *s)
{
  if (s == NULL) return NULL;
  if (s->ops->state != NULL) s->ops->state((amo_sim *)s);
  return s->y;
}
int amo_sim_mode(const amo_sim *s, size_t c)
{
  return s != NULL && c < s->m->nc ? s->mode[c] : 0;
}
size_t amo_sim_new_events(const amo_sim *s)
{
  return s != NULL ? s->events : 0;
}
const amo_event *amo_sim_new_event(const amo_sim *s, size_t i)
{
  return s != NULL && i < s->events ? &s->event[i] : NULL;
}
const amo_audit *amo_sim_audit(const amo_sim *s)
{
  if (s == NULL) return NULL;
  if (s->ops->judge != NULL && s->started && s->opt.audit) s->ops->judge((amo_sim *)s);
  return &s->audit;
}
const amo_stats *amo_sim_stats(const amo_sim *s)
{
  return s != NULL ? &s->stats : NULL;
}
amo_fate_kind amo_sim_fate(amo_sim *s)
{
  return s != NULL && s->ops->fate != NULL && s->started ? s->ops->fate(s) : AMO_FATE_UNDECIDED;
}
const char *amo_sim_message(const amo_sim *s)
{
  return s != NULL ? s->message : "";
}
