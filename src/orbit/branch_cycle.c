// SPDX-License-Identifier: Apache-2.0
/// Branches of cycles: unknowns y_0, the period (autonomous), the parameter.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "orbit/branch_impl.h"
#include "orbit/forcing.h"
#include "orbit/quiet.h"
#include "orbit/stability.h"

static double forced_period(amo_follower *w, double p)
{
  amo_forcing kind;
  double period = w->o->cycle->forcing;
  if (period > 0.0) return period * w->periods;
  amo_shooter_set(w->shooter, (uint32_t)w->o->parameter, p);
  if (!w->forced && amo_forced_new(w->m, &w->forced) != AMO_OK) return NAN;
  if (amo_forced_at(w->forced, &w->shooter->values, &kind, &period) != AMO_OK) return NAN;
  return period * w->periods;
}

/// What the parameter changes of it; the arc shot last was one at p.
static double forced_slope(const amo_follower *w, double period)
{
  const bool given = w->o->cycle->forcing > 0.0;  // stays
  return given || w->autonomous ? 0.0
                                : amo_forced_slope(w->forced, &w->shooter->values, w->shooter->along, period);
}

static amo_status drift_at(amo_follower *w, double p)
{
  amo_drift_free(w->drift);
  amo_shooter_set(w->shooter, (uint32_t)w->o->parameter, p);
  return amo_drift_find(w->m, w->shooter->param, &w->drift);
}

/// What the parameter changes of the shift itself (ratio of gears), taken out of the differences r [ns]
/// of the states: added to the column of the parameter. Leaves the shifts at p in w->drift.
static amo_status add_shift_slope(amo_follower *w, double p, double period, const double *r, double *column)
{
  const size_t ns = w->shooter->ns;
  const double h = 1e-6 * fmax(fabs(p), 1e-3 * fabs(w->o->to - w->o->from));
  double *shifted = amo_zalloc(ns, sizeof *shifted);
  amo_status st = shifted ? AMO_OK : AMO_ENOMEM;
  for (int side = -1; st == AMO_OK && side <= 1; side += 2) {
    st = drift_at(w, p + side * h);
    memcpy(shifted, r, ns * sizeof *r);
    if (st == AMO_OK) amo_drift_remove(w->drift, w->autonomous, period, shifted, NULL);
    for (size_t i = 0; i < ns; i++) column[i] += side * shifted[i] / (2 * h);
  }
  free(shifted);
  return st == AMO_OK ? drift_at(w, p) : st;
}

/// Free shifts go out of the equations; their own states keep where the motion starts. Without derivatives jacobian is NULL.
static amo_status take_shifts_out(amo_follower *w, const double *x, double period, double *f,
                                  double *jacobian)
{
  const size_t ns = w->shooter->ns, n = w->curve->n;
  amo_status st = drift_at(w, x[n]);
  if (st != AMO_OK) return st;
  bool moves = false;
  for (size_t k = 0; k < w->drift->frees; k++)
    for (size_t i = 0; i < ns; i++) moves |= w->drift->along[k * ns + i] != 0.0 && i != w->drift->pivot[k];
  if (moves && jacobian) st = add_shift_slope(w, x[n], period, f, jacobian + n * n);
  if (st != AMO_OK) return st;
  const amo_drift *d = w->drift;
  amo_drift_remove(d, w->autonomous, period, f, NULL);
  for (size_t k = 0; k < d->frees; k++) {
    const size_t own = d->pivot[k];
    for (size_t c = 0; jacobian && c <= n; c++) {
      const double amount = jacobian[c * n + own];
      for (size_t i = 0; i < ns; i++) jacobian[c * n + i] -= amount * d->along[k * ns + i];
      jacobian[c * n + own] = c == own;
    }
    f[own] = x[own] - w->anchor[own];
  }
  return AMO_OK;
}

/// What start, period and parameter change of the end less the start, from the arc shot last.
static void fill_jacobian(const amo_follower *w, double period, double *jacobian)
{
  const size_t ns = w->shooter->ns, n = w->curve->n;
  const double slope = forced_slope(w, period);
  for (size_t i = 0; i < ns; i++) {
    for (size_t j = 0; j < ns; j++) jacobian[j * n + i] = w->shot->matrix[j * ns + i] - (i == j);
    if (w->autonomous) jacobian[ns * n + i] = w->shot->arrive[i];
    jacobian[n * n + i] = w->shot->sensitivity[i] + w->shot->arrive[i] * slope;
  }
}

/// The start in the plane of the phase, in units of time, like the unknown it belongs to.
static void fill_phase(const amo_follower *w, const double *x, double *f, double *jacobian)
{
  const size_t ns = w->shooter->ns, n = w->curve->n;
  double size = 0.0;
  for (size_t i = 0; i < ns; i++) size += fabs(w->phase[i]) * w->state_scale[i];
  f[ns] = 0.0;
  for (size_t i = 0; i < ns; i++) {
    const double normal = w->phase[i] / size * w->curve->scale[ns];
    f[ns] += normal * (x[i] - w->anchor[i]);
    if (jacobian) jacobian[i * n + ns] = normal;
  }
  if (jacobian) jacobian[ns * n + ns] = jacobian[n * n + ns] = 0.0;
}

static amo_status look(void *ctx, const double *x, double *f, double *jacobian)
{
  amo_follower *w = ctx;
  const size_t ns = w->shooter->ns, n = w->curve->n;
  const double period = w->autonomous ? x[ns] : forced_period(w, x[n]);
  if (!(period > 0.0)) return AMO_ENOANSWER;
  amo_shooter_set(w->shooter, (uint32_t)w->o->parameter, x[n]);
  amo_status st = amo_shoot(w->shooter, w->t0, x, period, jacobian != NULL, w->shot);
  if (st != AMO_OK) return st;
  for (size_t i = 0; i < ns; i++) f[i] = w->shot->end[i] - x[i];
  if (jacobian) fill_jacobian(w, period, jacobian);
  st = take_shifts_out(w, x, period, f, jacobian);
  if (st == AMO_OK && w->autonomous) fill_phase(w, x, f, jacobian);
  return st;
}

/// An arc without derivatives costs less than half of one with them.
static amo_status value(void *ctx, const double *x, double *f)
{
  return look(ctx, x, f, NULL);
}

// ---- what happens during a period, whatever the start ----

static int compare_events(const amo_event *a, const amo_event *b)
{
  if (a->contact != b->contact) return a->contact < b->contact ? -1 : 1;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  return a->to < b->to ? -1 : a->to > b->to;
}

/// The rotation of the list that comes first in the order of events.
static size_t first_rotation(const amo_event *e, size_t n)
{
  size_t best = 0;
  for (size_t k = 1; k < n; k++)
    for (size_t i = 0; i < n; i++) {
      const int c = compare_events(&e[(k + i) % n], &e[(best + i) % n]);
      if (c < 0) best = k;
      if (c != 0) break;
    }
  return best;
}

static char mode_letter(int mode)
{
  return mode == AMO_STICK ? '0' : mode == AMO_OPEN ? 'o' : mode > 0 ? '+' : '-';
}

/// A start in stick whose slip is a rounding error away from zero sticks at once: no event of the cycle. Its contact is
/// found in that mode by the end of the period.
static bool is_rounding(const amo_follower *w, const amo_event *e, double period)
{
  const amo_shot *s = w->shot;
  if (e->t - w->t0 > 1e-7 * period) return false;
  for (size_t i = s->events; i-- > 0;)
    if (s->event[i].kind == AMO_EVENT_MODE && s->event[i].contact == e->contact)
      return s->event[i].to == e->to;
  return false;
}

char *amo_cycles_signature(const amo_follower *w, double period)
{
  const amo_shot *s = w->shot;
  amo_text t = {0};
  amo_event *e = amo_zalloc(s->events, sizeof *e);
  size_t n = 0;
  for (size_t i = 0; e && i < s->events; i++)
    if ((s->event[i].kind == AMO_EVENT_MODE && !is_rounding(w, &s->event[i], period)) ||
        s->event[i].kind == AMO_EVENT_TOUCH)
      e[n++] = s->event[i];
  const size_t first = e ? first_rotation(e, n) : 0;
  for (size_t i = 0; i < n; i++) {
    const amo_event *x = &e[(first + i) % n];
    amo_text_printf(&t, "%s%s %c%c", i ? ", " : "", w->m->contact[x->contact].sym.name, mode_letter(x->from),
                    mode_letter(x->to));
  }
  free(e);
  amo_text_str(&t, "");
  return amo_text_take(&t);
}

/// A family of cycles has multipliers 1 whose errors mean nothing.
static void count(const amo_multiplier *mu, size_t n, amo_signs *s)
{
  s->flips = s->pluses = s->pairs = 0;
  s->flip = s->plus = s->pair = 1.0;
  for (size_t i = 0; i < n; i++) {
    if (mu[i].kind != AMO_MULTIPLIER_OWN) continue;
    if (mu[i].im == 0.0) {
      s->flip *= mu[i].re + 1.0;
      s->plus *= mu[i].re - 1.0;
      s->flips += mu[i].re < -1.0;
      s->pluses += mu[i].re > 1.0 + mu[i].error;
    } else {
      s->pairs += mu[i].abs > 1.0 + mu[i].error;
      if (mu[i].im > 0.0) s->pair *= mu[i].abs - 1.0;
    }
  }
}

static amo_status judge(amo_follower *w, const double *x, amo_branch_point *out, amo_signs *signs)
{
  const size_t ns = w->shooter->ns, nq = amo_places(w->m);
  const amo_monodromy whole = {.matrix = w->shot->matrix,
                               .scale = w->state_scale,
                               .ns = ns,
                               .rank = w->shot->rank,
                               .ties = w->shot->ties,
                               .drift = w->drift,
                               .flow = w->autonomous ? w->shot->arrive : NULL,
                               .noise = amo_shooter_noise(w->shooter)};
  amo_stability verdict;
  amo_status st = amo_monodromy_judge(&whole, out->multiplier, &verdict);
  if (st != AMO_OK) return st;
  const size_t have = ns - w->shot->ties;
  count(out->multiplier, have, signs);
  out->stable = verdict == AMO_STABLE;
  out->multipliers = have;
  out->value = x[w->curve->n];
  out->t = w->t0;
  out->period = w->autonomous ? x[ns] : forced_period(w, out->value);
  memcpy(out->state, x, ns * sizeof *x);
  memcpy(out->low, w->shot->low, nq * sizeof *x);
  memcpy(out->high, w->shot->high, nq * sizeof *x);
  free(out->signature);
  out->signature = amo_cycles_signature(w, out->period);
  return out->signature ? AMO_OK : AMO_ENOMEM;
}

// ---- the best start ----

static void take_phase(amo_follower *w, const double *x)
{
  const size_t ns = w->shooter->ns;
  for (size_t i = 0; i < ns; i++) {
    const double size = w->state_scale[i];
    w->phase[i] = w->shot->leave[i] / (size * size);
  }
  memcpy(w->anchor, x, ns * sizeof *x);
}

/// The start of a forced period moves on by `wait`, modulo the period: the later it were, the more a change of the
/// forcing's frequency would change the state there. y(t0; p) = y(t0 - T(p); p).
static void turn_back(amo_follower *w, double wait, double period, double *tangent)
{
  const size_t n = w->curve->n;
  const double *scale = w->curve->scale;
  w->t0 += wait;
  if (w->t0 < w->shooter->values.t0 + period) return;
  const double slope = forced_slope(w, period);
  w->t0 -= period;
  for (uint32_t i = 0; i < w->shooter->ns; i++)
    tangent[i] += w->shot->leave[i] * slope * tangent[n] * scale[n] / scale[i];
}

static void bring_to_one(double *tangent, size_t n)
{
  double size = 0.0;
  for (size_t i = 0; i < n; i++) size += tangent[i] * tangent[i];
  for (size_t i = 0; i < n; i++) tangent[i] /= sqrt(size);
}

/// Cycles may grow far beyond the first one: steps are measured by the largest oscillation so far.
static void grow_scales(amo_follower *w, double *tangent)
{
  const size_t nq = amo_places(w->m), n = w->curve->n;
  const amo_shot *s = w->shot;
  double *scale = w->curve->scale;
  for (size_t i = 0; i < nq + w->m->nq; i++) {
    const double now = i < nq ? 0.5 * (s->high[i] - s->low[i]) : s->size[i];
    if (!(now > scale[i])) continue;
    tangent[i] *= scale[i] / now;
    w->state_scale[i] = scale[i] = now;
  }
  bring_to_one(tangent, n + 1);
}

/// Carry the point and its tangent along the flow to the quiet time.
static amo_status restate(amo_follower *w, double *x, double *tangent)
{
  const size_t ns = w->shooter->ns, n = w->curve->n;
  const double *scale = w->curve->scale;
  const double period = w->autonomous ? x[ns] : forced_period(w, x[n]);
  amo_shooter_set(w->shooter, (uint32_t)w->o->parameter, x[n]);
  grow_scales(w, tangent);
  const double wait = amo_quiet_time(w->shot, w->t0, period);
  if (wait > 0.0 || w->autonomous) amo_predictor_forget(&w->predictor);  // another place, or another plane
  if (wait > 0.0) {
    amo_status st = amo_shoot(w->shooter, w->t0, x, wait, true, w->shot);
    if (st != AMO_OK) return AMO_OK;  // stays where it is
    double *moved = amo_zalloc(ns, sizeof *moved);
    if (!moved) return AMO_ENOMEM;
    for (size_t i = 0; i < ns; i++) {
      moved[i] = w->shot->sensitivity[i] * tangent[n] * scale[n];
      for (size_t j = 0; j < ns; j++) moved[i] += w->shot->matrix[j * ns + i] * tangent[j] * scale[j];
    }
    for (size_t i = 0; i < ns; i++) tangent[i] = moved[i] / scale[i];
    free(moved);
    memcpy(x, w->shot->end, ns * sizeof *x);
    memcpy(w->shot->leave, w->shot->arrive, ns * sizeof *x);
    if (!w->autonomous) turn_back(w, wait, period, tangent);
    bring_to_one(tangent, n + 1);
  }
  take_phase(w, x);
  return AMO_OK;
}

/// The start itself may be an event, which its period does not show: then the branch begins half a period later.
static amo_status leave_event(amo_follower *w, double *x, double period)
{
  const double wait = 0.5 * period;
  if (w->shot->events > 0 || w->m->nc == 0) return AMO_OK;
  double *y = amo_zalloc(w->shooter->ns, sizeof *y);
  if (!y) return AMO_ENOMEM;
  amo_status st = amo_shoot(w->shooter, w->t0, x, wait, false, w->shot);
  if (st == AMO_OK) memcpy(y, w->shot->end, w->shooter->ns * sizeof *y);
  if (st == AMO_OK) st = amo_shoot(w->shooter, w->t0 + wait, y, period, true, w->shot);
  if (st == AMO_OK && w->shot->events > 0) {
    memcpy(x, y, w->shooter->ns * sizeof *y);
    w->t0 += wait;
    if (!w->autonomous && w->t0 >= w->shooter->values.t0 + period) w->t0 -= period;
  } else if (st == AMO_OK) {
    st = amo_shoot(w->shooter, w->t0, x, period, true, w->shot);
  }
  free(y);
  return st;
}

amo_status amo_cycles_begin(amo_follower *w, const amo_cycle *c)
{
  const size_t ns = c->states, n = w->curve->n;
  w->t0 = c->forced ? w->shooter->values.t0 + fmod(c->t - w->shooter->values.t0, c->period) : c->t;
  double *x = w->here.x, *scale = w->curve->scale;
  memcpy(x, c->state, ns * sizeof *x);
  for (size_t i = 0; i < ns; i++) w->state_scale[i] = scale[i] = c->size[i] > 0.0 ? c->size[i] : 1.0;
  if (w->autonomous) x[ns] = scale[ns] = c->period;
  x[n] = w->o->from;
  scale[n] = fabs(w->o->to - w->o->from);
  memset(w->here.tangent, 0, (n + 1) * sizeof *x);
  w->here.tangent[n] = w->o->to > w->o->from ? 1.0 : -1.0;
  amo_status st = amo_shoot(w->shooter, w->t0, x, c->period, true, w->shot);
  if (st == AMO_OK) st = leave_event(w, x, c->period);
  if (st == AMO_OK) take_phase(w, x);
  return st == AMO_OK ? restate(w, x, w->here.tangent) : st;
}

const amo_problem amo_problem_cycles = {{look, value}, judge, restate};
