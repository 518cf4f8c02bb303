// SPDX-License-Identifier: Apache-2.0
/// Finding a cycle: from a guess by Newton's method, or from anywhere by letting the motion settle until it comes back.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amontons/orbit.h"
#include "base/mem.h"
#include "base/options.h"
#include "orbit/floquet.h"
#include "orbit/forcing.h"
#include "orbit/cycle_impl.h"
#include "orbit/quiet.h"
#include "orbit/recurrence.h"

AMO_OPTS_INIT(amo_cycle_opts, .accuracy = AMO_FAINT, .iterations = 30, .segments = 1, .perturbation = 1e-4)

amo_status amo_cycle_opts_take(const amo_cycle_opts *given, amo_cycle_opts *all, amo_sim_opts *sim)
{
  *all = amo_cycle_opts_default();
  *sim = amo_sim_opts_default();
  sim->max_steps = AMO_CYCLE_STEPS;
  amo_status st = amo_opts_take(all, sizeof *all, given);
  if (st == AMO_OK) st = amo_opts_take(sim, sizeof *sim, all->sim);
  all->sim = sim;
  return st;
}

static amo_status refuse(amo_cycle_search *k, const char *why)
{
  return amo_error(k->diags, (amo_at){0}, NULL, "%s", why);
}

static amo_status check(amo_cycle_search *k)
{
  const amo_cycle_opts *o = k->o;
  if (!(o->period >= 0.0) || !isfinite(o->period)) return refuse(k, "the guess of the period must be > 0");
  if (!(o->forcing >= 0.0) || !isfinite(o->forcing))
    return refuse(k, "the period of the forcing must be > 0");
  if (!(o->accuracy > 0.0)) return refuse(k, "the accuracy must be > 0");
  if (o->segments < 1 || o->segments > 1000) return refuse(k, "there must be 1 to 1000 segments");
  if (!(fabs(o->perturbation) > 0.0)) return refuse(k, "the perturbation of the states must not be 0");
  if (!(o->transient >= 0.0)) return refuse(k, "the transient must be >= 0");
  if (o->sim->method == AMO_METHOD_SWITCH && o->perturbation < sqrt(o->sim->tol))
    amo_warn(k->diags, (amo_at){0}, "choose it larger, or a smaller tol",
             "perturbation %g is below sqrt(tol): the derivatives will be noise", o->perturbation);
  return AMO_OK;
}

/// Does time enter, and after what time do the equations repeat?
static amo_status find_forcing(amo_cycle_search *k)
{
  amo_forcing kind;
  double period;
  amo_status st = amo_forcing_of(&k->shooter->values, &kind, &period);
  if (st != AMO_OK) return st;
  if (kind == AMO_TIME_DEPENDENT && k->o->forcing == 0.0 && !k->drift->steady)
    return amo_error(k->diags, (amo_at){0}, "--forcing T",
                     "the model depends on time in a way whose period is not known; give it");
  if (kind == AMO_AUTONOMOUS && k->o->forcing > 0.0)
    return amo_error(k->diags, (amo_at){0}, "--period-guess T for the guess of an unknown period",
                     "the model does not depend on time: there is no forcing");
  k->forcing = k->o->forcing > 0.0 ? k->o->forcing : period;
  return AMO_OK;
}

static amo_status newton(amo_cycle_search *k, double t, const double *y, double period, bool damped, int most)
{
  k->shooting->damped = damped;
  amo_status st = amo_shooting_begin(k->shooting, t, y, period);
  return st == AMO_OK ? amo_shooting_solve(k->shooting, k->o->accuracy, most) : st;
}

/// Newton from the state itself. A guess of the period of a forced motion counts whole periods of the forcing.
static amo_status shoot_directly(amo_cycle_search *k, const double *y)
{
  double period = k->o->period;
  if (k->forcing > 0.0) {
    const double n = k->o->periods > 0 ? k->o->periods : fmax(1.0, nearbyint(period / k->forcing));
    period = n * k->forcing;
  }
  amo_status st = newton(k, k->shooter->values.t0, y, period, k->o->damped, k->o->iterations);
  if (st != AMO_ENOANSWER || k->o->damped) return st;
  if (k->shooting->iterates <= 1 && k->shooting->rests) return st;
  return newton(k, k->shooter->values.t0, y, period, true, k->o->iterations);
}

/// Newton from a return of the transient, carried on to where no event is near.
static amo_status shoot_from(amo_cycle_search *k, const amo_return *back)
{
  const int most = k->o->iterations < 10 ? k->o->iterations : 10;
  const size_t ns = k->shooter->ns;
  amo_shot *shot = k->shooting->shot[0];
  double *y = amo_zalloc(ns, sizeof *y), t = back->t;
  if (!y) return AMO_ENOMEM;
  memcpy(y, back->state, ns * sizeof *y);
  amo_drift_fold(k->drift, false, 0.0, y);  // far away its states would be known to fewer digits
  if (k->forcing == 0.0 && amo_shoot(k->shooter, t, y, back->period, false, shot) == AMO_OK) {
    const double wait = amo_quiet_time(shot, t, back->period);
    if (wait > 0.0 && amo_shoot(k->shooter, t, y, wait, false, shot) == AMO_OK) {
      memcpy(y, shot->end, ns * sizeof *y);
      t += wait;
    }
  }
  const amo_status st = newton(k, t, y, back->period, true, most);
  free(y);
  return st;
}

/// Newton at every promising return of the transient, until one converges to a cycle that attracts; else the last that
/// converged at all.
static amo_status settle_and_shoot(amo_cycle_search *k, const double *y)
{
  amo_recurrence *r = NULL;
  amo_return back;
  amo_status st = amo_recurrence_new(k->m, k->o->sim, k->shooter->param, k->drift, k->forcing, &r);
  if (st == AMO_OK) st = amo_recurrence_start(r, k->shooter->values.t0, y);
  if (st == AMO_OK && k->o->transient > 0.0) st = amo_recurrence_skip(r, k->o->transient, k->o->stop);
  double within = 0.05;
  bool found = false;
  long wait = 0, rests = 1;  // returns to let pass: Newton's method has led to a steady state so many times
  for (int tries = 0; st == AMO_OK && !found && tries < 60; tries++) {
    st = amo_recurrence_next(r, within, k->o->stop, &back);
    if (st != AMO_OK) break;
    if (wait > 0) {  // the motion may tend to that state, or to a cycle about it: it goes on and shows
      wait--, tries--;
      continue;
    }
    within = fmax(AMO_SAME, 0.2 * fmin(back.distance, within));
    if (k->forcing > 0.0 && k->o->periods > 0 &&
        fabs(back.period - k->o->periods * k->forcing) > 1e-6 * k->forcing)
      continue;
    const amo_status one = shoot_from(k, &back);
    if (one == AMO_EINTR || one == AMO_ENOMEM || one == AMO_EUNSUPPORTED) st = one;
    found = one == AMO_OK && (amo_search_attracts(k) || within <= AMO_SAME);
    if (one == AMO_ENOANSWER && k->shooting->rests) {
      wait = rests;
      rests *= 2;
      within = 0.05;
      tries--;
    }
  }
  if (st != AMO_OK && st != AMO_EINTR) {
    const char *why = r ? amo_recurrence_message(r) : "";
    if (*why) amo_shooter_fail(k->shooter, st, "%s", why);
  } else if (st == AMO_OK && !found) {
    st = amo_shooter_fail(k->shooter, AMO_ENOANSWER, "no cycle was found near the motion");
  }
  amo_recurrence_free(r);
  return st;
}

static amo_status search(amo_cycle_search *k, const double *start)
{
  amo_status st = k->o->period > 0.0 ? shoot_directly(k, start) : settle_and_shoot(k, start);
  if (st == AMO_ENOANSWER && k->o->period > 0.0 && k->shooting->iterates > 1) {
    amo_warn(k->diags, (amo_at){0}, NULL,
             "Newton's method does not get there from this state (%s); the motion settles first",
             k->shooter->message);
    st = settle_and_shoot(k, start);
  }
  if (st == AMO_OK) st = amo_search_minimal(k);
  if (st == AMO_OK) st = amo_search_report(k);
  return st;
}

amo_status amo_cycle_find_at(const amo_model *m, const double *param, const amo_cycle_opts *o,
                             const double *start, amo_diags *diags, amo_cycle **out)
{
  amo_cycle_search k = {.m = m, .o = o, .diags = diags};
  *out = NULL;
  amo_status st = check(&k);
  if (st == AMO_OK) st = amo_shooter_new(m, o->sim, NULL, 0, o->perturbation, diags, &k.shooter);
  if (st == AMO_OK) {
    k.shooter->stop = o->stop;
    memcpy(k.shooter->param, param, m->np * sizeof *param);
  }
  if (st == AMO_OK) st = amo_drift_find(m, k.shooter->param, &k.drift);
  if (st == AMO_OK) st = find_forcing(&k);
  if (st == AMO_OK) st = amo_shooting_new(k.shooter, k.drift, k.forcing == 0.0, o->segments, &k.shooting);
  if (st == AMO_OK) {
    st = search(&k, start);
    if (st != AMO_OK && st != AMO_ENOMEM && k.shooter->message[0])
      amo_error(diags, (amo_at){0}, NULL, "%s", k.shooter->message);
  }
  amo_shooting_free(k.shooting);
  amo_drift_free(k.drift);
  amo_shooter_free(k.shooter);
  if (st == AMO_OK)
    *out = k.cycle;
  else
    amo_cycle_free(k.cycle);
  return st;
}

amo_status amo_cycle_find(const amo_model *m, const amo_cycle_opts *o, const double *start, amo_diags *diags,
                          amo_cycle **out)
{
  if (!out) return AMO_ERANGE;
  *out = NULL;
  if (!o) return AMO_ERANGE;
  amo_cycle_opts all;
  amo_sim_opts sim;
  const amo_status st = amo_cycle_opts_take(o, &all, &sim);
  if (st != AMO_OK) return st;
  const amo_values *v = amo_values_or_file(sim.values, m);
  if (!v) return AMO_ERANGE;
  return amo_cycle_find_at(m, v->param, &all, start ? start : v->initial, diags, out);
}
