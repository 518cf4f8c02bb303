// SPDX-License-Identifier: Apache-2.0
/// One step of a lane: how far the series can be trusted, what ends it, where it leads.
#include <math.h>
#include <string.h>

#include "flow/explained.h"
#include "flow/flow.h"
#include "flow/lanes.h"
#include "flow/proof.h"
#include "flow/rk8.h"

/// Powers beyond this leave no room for a coefficient; such steps (polynomial motion) go by Horner's rule.
static const double largest_power = 1e200;

static const double *state_series(const amo_flow *f, int lane, uint32_t i)
{
  return f->state[i] + lane;
}

void amo_flow_dense(const amo_flow *f, int lane, double s, double *y)
{
  for (uint32_t i = 0; i < f->ns; i++) y[i] = amo_poly_value(state_series(f, lane, i), (size_t)f->W, f->P, s);
}

static bool all_finite(const double *y, size_t n)
{
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) sum += fabs(y[i]);
  return sum <= 1.7e308;
}

/// Is a quantity at the start of the step beyond the range of numbers?
static bool overflows(const amo_flow *f, int lane)
{
  for (uint32_t r = 0; r < amo_prog_registers(f->m->step); r++)
    if (isinf(*amo_flow_series(f, lane, r))) return true;
  return false;
}

/// Non-finite coefficients: say which state, and whether the system itself or only its series fails.
static amo_status not_finite(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  for (uint32_t i = 0; i < f->ns; i++)
    if (!isfinite(l->y[i]))
      return amo_flow_fail(l, AMO_ENOANSWER,
                           "the motion overflows: %s leaves the range of numbers at t = %.12g",
                           amo_model_state(f->m, i).name, l->t);
  if (overflows(f, lane))
    return amo_flow_fail(l, AMO_ENOANSWER,
                         "an expression overflows at t = %.12g (a quotient by zero, exp or cosh of a large "
                         "number, a power)",
                         l->t);
  for (int k = 0; k <= f->P;
       k++) {  // the lowest order first: a rate that is undefined spoils all that follow
    for (uint32_t i = 0; i < f->ns; i++) {
      if (isfinite(state_series(f, lane, i)[(size_t)k * (size_t)f->W])) continue;
      const char *name = amo_model_state(f->m, i).name;
      if (k <= 1)
        return amo_flow_fail(l, AMO_ENOANSWER,
                             "the rate of %s is not finite (undefined or beyond all bounds) at t = %.12g",
                             name, l->t);
      return amo_flow_fail(
          l, AMO_ENOANSWER,
          "the motion of %s is not smooth at t = %.12g (a root, power or quotient at its singular "
          "point); --stepper rk8 may pass it",
          name, l->t);
    }
  }
  return amo_flow_fail(l, AMO_ENOANSWER, "a quantity is not finite at t = %.12g", l->t);
}

/// Are all rates numbers? The last coefficients, which give the length, need not show it: a choice by something
/// undefined is constant in time.
static bool rates_known(const amo_flow *f, int lane)
{
  double sum = 0.0;
  for (uint32_t i = 0; i < f->ns; i++) sum += state_series(f, lane, i)[f->W];
  return !isnan(sum);
}

/// Length of the step to take, its series in place. Power series by default; Runge-Kutta when asked for,
/// or for this one step when the series does not exist. In: how far the series can be trusted.
static amo_status prepare_step(amo_flow *f, int lane, double t_end, double *length)
{
  amo_lane *l = &f->lane[lane];
  bool rk8 = f->opt.stepper == AMO_STEPPER_RK8;
  l->interpolated = rk8;
  if (!rk8) {
    amo_status launched = f->m->nxi > 0 ? amo_flow_launch(f, lane) : AMO_OK;
    if (launched != AMO_OK) return launched;
    if (f->m->nxi > 0) *length = amo_flow_trusted_length(f, lane);
    if (!rates_known(f, lane)) return not_finite(f, lane);
    if (*length > 0.0) {  // false for NaN
      l->rhythm = isfinite(*length) ? *length : 0.0;
      if (isfinite(*length))
        l->pace = *length;
      else
        *length = amo_flow_polynomial_length(f, lane);
      return AMO_OK;
    }
    if (!isfinite(*state_series(f, lane, 0)) || overflows(f, lane) || f->solutions != NULL ||
        f->trial != NULL)
      return not_finite(f, lane);
    l->interpolated = true;
    l->rhythm = 0.0;
  }
  amo_status st = amo_rk8_expand(f->rk8, f, lane, t_end, length);
  if (l->interpolated && !rk8) l->rhythm = 0.0;  // Runge-Kutta lengths say nothing about series
  if (st == AMO_ENOANSWER) return not_finite(f, lane);
  return st == AMO_OK ? st : amo_flow_fail(l, st, "%s", amo_status_text(st));
}

static void raise_scales(const amo_flow *f, amo_lane *l)
{
  for (uint32_t i = 0; i < f->ns; i++) {
    const double size = fabs(l->y[i]);
    if (!(size > l->scale[i])) continue;
    l->scale[i] = size;
    if (!(size * l->weight[i] < 1.1) || l->weight[i] == 0.0) l->weighed = false;  // a little lag does no harm
  }
}

/// Rows that turn with the motion leave their tie by the error of a step; put the state back on it.
static bool drifts(const amo_flow *f, const amo_lane *l)
{
  const amo_model *m = f->m;
  if (m->ng > 0) return true;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    if (k->kind == AMO_GUIDE) return true;
    if (k->kind == AMO_SUPPORT && l->mode[c] != AMO_MODE_OPEN) {
      for (uint32_t e = 0; e < k->nn; e++)
        if (!amo_prog_is_fixed(m->step, k->n[e].reg)) return true;
      if (!amo_prog_is_fixed(m->step, k->r_gap_zeta)) return true;
    }
    if (l->mode[c] != 0) continue;
    for (uint32_t a = 0; k->spatial && a < 2; a++) {
      for (uint32_t e = 0; e < k->axis[a].nw; e++)
        if (!amo_prog_is_fixed(m->step, k->axis[a].w[e].reg)) return true;
      if (!amo_prog_is_fixed(m->step, k->axis[a].r_zeta)) return true;
    }
    if (k->spatial) continue;
    for (uint32_t e = 0; e < m->contact[c].nw; e++)
      if (!amo_prog_is_fixed(m->step, m->contact[c].w[e].reg)) return true;
    if (!amo_prog_is_fixed(m->step, m->contact[c].r_zeta)) return true;
  }
  return false;
}

static amo_status finish_quietly(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  l->events = 0;
  l->stalled = 0;
  if (!drifts(f, l)) return AMO_OK;
  f->point->branch = l->branch;
  for (uint32_t i = 0; i < f->m->np; i++)
    f->point->reg[f->m->leaf.param + i] = f->param[i * (uint32_t)f->W + (uint32_t)lane];
  memcpy(f->point->press, l->press, f->m->nc);
  amo_status st = amo_point_evaluate(f->point, l->t, l->y, l->mode);
  if (st == AMO_OK) st = amo_settle(f->point, l->t, l->y, l->mode);
  return st == AMO_OK ? st : amo_flow_fail(l, st, "the mass matrix is singular at t = %.9g", l->t);
}

/// How far may the lane go, events apart?
static amo_status begin_step(amo_flow *f, int lane, double t_end, double trusted)
{
  amo_lane *l = &f->lane[lane];
  if (l->status != AMO_OK) return l->status;
  if (l->stats.steps >= f->opt.max_steps)
    return amo_flow_fail(l, AMO_ELIMIT, "more than %ld steps (t = %.9g)", f->opt.max_steps, l->t);
  if (l->stats.events >= f->opt.max_events)
    return amo_flow_fail(l, AMO_ELIMIT, "more than %ld events (t = %.9g)", f->opt.max_events, l->t);
  const double left = t_end - l->t;
  amo_status st = prepare_step(f, lane, t_end, &trusted);
  if (st != AMO_OK) return st;
  l->trial = trusted < f->opt.max_step ? trusted : f->opt.max_step;
  if (left < l->trial) l->trial = left;
  // not so far ahead that an event could not be told from the start of the step
  double far = 1e4 * (fabs(l->t) > l->pace ? fabs(l->t) : l->pace);
  if (far == 0.0) far = fmin(left, 1.0);
  if (l->trial > far) l->trial = far;
  l->doomed = -1;
  amo_flow_watch_masses(f, lane);
  if (!(l->trial > 4e-16 * fabs(l->t)) && left > 4e-16 * fabs(l->t))
    return amo_flow_fail(l, AMO_ENOANSWER,
                         "the step size fell to %.3g at t = %.12g: the motion is singular there", l->trial,
                         l->t);
  return AMO_OK;
}

static void begin_steps(amo_flow *f, double t_end)
{
  double h[AMO_LANES] = {0}, trusted[AMO_LANES] = {0};
  if (f->opt.stepper != AMO_STEPPER_RK8 && f->m->nxi == 0) amo_flow_trusted_lengths(f, trusted);
  for (int i = 0; i < f->W; i++) {
    if (f->lane[i].active && f->lane[i].pending) {
      amo_flow_tell_start(f, i);
      f->lane[i].stepping = false;
      continue;
    }
    f->lane[i].stepping = f->lane[i].active && begin_step(f, i, t_end, trusted[i]) == AMO_OK;
    if (f->lane[i].stepping) h[i] = f->lane[i].trial;
  }
  amo_lanes_powers(f->power, h, f->P, f->W);
}

/// Does the step go further than its series can be believed? Nothing has happened before the first event, so a shorter
/// step has none.
static bool shorten(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  const double h = amo_explained_length(f, lane, l->reached);
  if (h == l->reached) return false;
  l->trial = l->reached = h;
  l->hits = 0;
  l->doomed = -1;
  return true;
}

/// Step lengths after the events are known.
static void find_events(amo_flow *f)
{
  double h[AMO_LANES] = {0};
  bool shorter = false;
  amo_flow_find_calm(f);
  for (int i = 0; i < f->W; i++) {
    amo_lane *l = &f->lane[i];
    if (!l->stepping) continue;
    l->reached = amo_flow_first_event(f, i, l->trial);
    shorter |= l->reached != l->trial;
    if (f->explained != NULL && !l->interpolated && l->reached > 0.0) shorter |= shorten(f, i);
    h[i] = l->reached;
  }
  if (shorter) amo_lanes_powers(f->power, h, f->P, f->W);
}

static void land(amo_flow *f)
{
  double y[AMO_LANES];
  const double *top = f->power + (size_t)f->P * (size_t)f->W;
  for (uint32_t i = 0; i < f->ns; i++) {
    amo_lanes_value(f->state[i], f->power, f->P, f->W, y);
    for (int k = 0; k < f->W; k++) {
      amo_lane *l = &f->lane[k];
      if (!l->stepping || !(l->reached > 0.0)) continue;
      l->y[i] = top[k] < largest_power
                    ? y[k]
                    : amo_poly_value(state_series(f, k, i), (size_t)f->W, f->P, l->reached);
    }
  }
}

static amo_status finish_step(amo_flow *f, int lane, double t_end)
{
  amo_lane *l = &f->lane[lane];
  const size_t nc = f->m->nc + 1u;
  l->start = l->t;
  memcpy(l->step_mode, l->mode, 2 * nc + f->nsw);  // press and branch with it
  l->h = l->reached;
  l->t = l->hits == 0 && l->trial == t_end - l->start ? t_end : l->start + l->reached;
  if (!all_finite(l->y, f->ns)) return not_finite(f, lane);
  l->stats.steps++;
  raise_scales(f, l);
  if (f->prover != NULL) (void)amo_prover_step(f->prover, f, lane);
  if (l->t > l->start) memset(l->fresh, 0, 3 * nc + f->nsw);  // whatever left its limit is away from it now
  if (l->hits == 0 && f->m->nxi > 0) amo_flow_watch_stops(f, lane);
  if (l->hits > 0) return amo_flow_resolve(f, lane);
  if (l->doomed >= 0)
    return amo_flow_fail(l, AMO_ENOANSWER, "the inertia of coordinate %s vanishes at t = %.12g",
                         f->m->q_sym[l->doomed].name, l->t);
  amo_status st = finish_quietly(f, lane);
  return st == AMO_OK && f->solutions != NULL ? amo_flow_watch_guides(f, lane) : st;
}

void amo_flow_advance(amo_flow *f, double t_end)
{
  begin_steps(f, t_end);
  find_events(f);
  land(f);
  for (int i = 0; i < f->W; i++)
    if (f->lane[i].stepping) (void)finish_step(f, i, t_end);
}
