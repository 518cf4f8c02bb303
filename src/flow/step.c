// SPDX-License-Identifier: Apache-2.0
/// One step of a lane: how far the series can be trusted, what ends it, where it leads.
#include <math.h>
#include <string.h>

#include "contact/unsolved.h"
#include "flow/defect.h"
#include "flow/explained.h"
#include "flow/flow.h"
#include "flow/implicit.h"
#include "expr/lanes.h"
#include "flow/leading.h"
#include "flow/proof.h"
#include "flow/rk8.h"
#include "flow/vanish.h"

/// Powers beyond this leave no room for a coefficient; such steps (polynomial motion) go by Horner's rule.
static const double largest_power = 1e200;
enum {
  MOST_CRAWLING = 1000,  // steps in a row that lead nowhere
  MOST_CREEPING = 20000  // and that lead almost nowhere
};

static const double *state_series(const amo_flow *f, int lane, uint32_t i)
{
  return f->state[i] + lane;
}

void amo_flow_dense(const amo_flow *f, int lane, double s, double *y)
{
  const int degree = s == 0.0 ? 0 : f->P;  // beside a pole the others may be beyond the range of numbers
  for (uint32_t i = 0; i < f->ns; i++)
    y[i] = amo_poly_value(state_series(f, lane, i), (size_t)f->W, degree, s);
}

void amo_flow_dense_along(const amo_flow *f, int lane, const double *s, size_t count, double *y)
{
  for (uint32_t i = 0; i < f->ns; i++)
    amo_poly_values(state_series(f, lane, i), (size_t)f->W, f->P, s, count, y + i, f->ns);
}

void amo_flow_write_powers(const amo_flow *f, double *series, const double *power, int degree, double h)
{
  double unit = 1.0;
  for (int k = 0; k <= f->P; k++, unit /= h)
    series[(size_t)k * (size_t)f->W] = k <= degree ? power[k] * unit : 0.0;
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

/// Do the coefficients of a series grow as those of 1/(T - t)^n, with T - t less than `near`?
static bool has_pole(const double *c, size_t step, double near)
{
  for (size_t k = 1; k <= 4; k++)
    if (!(c[0] * c[k * step] > 0.0) || !isfinite(c[k * step])) return false;
  const double distance = fabs(c[3 * step] / c[4 * step]);
  return distance < near && fabs(c[step]) * distance > 0.01 * fabs(c[0]);
}

/// Steps that end nowhere because a state, or its rate, grows beyond all bounds: told as such. It is then larger than ever before; a rate
/// has no record, and is judged by where it would have led in the longest step.
static bool grows(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  const size_t W = (size_t)f->W;
  const double near = AMO_SAME * fabs(l->t);
  for (uint32_t rate = 0; rate < 2; rate++)
    for (uint32_t i = 0; i < f->ns; i++) {
      const double *c = state_series(f, lane, i) + rate * W;
      const bool large =
          rate == 0 ? fabs(c[0]) >= 0.5 * l->scale[i] : fabs(c[0]) * l->longest > 1e3 * l->scale[i];
      if (!large || !has_pole(c, W, near)) continue;
      (void)amo_flow_fail(l, AMO_ENOANSWER, "%s%s grows without bound as t tends to %.12g",
                          rate == 0 ? "" : "the rate of ", amo_model_state(f->m, i).name, l->t);
      return true;
    }
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
  if (grows(f, lane)) return l->status;
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
          "the motion of %s is not smooth at t = %.12g (a root, power or quotient at its singular point)",
          name, l->t);
    }
  }
  return amo_flow_fail(l, AMO_ENOANSWER, "a quantity is not finite at t = %.12g", l->t);
}

/// Are all rates finite numbers? The last coefficients, which give the length, need not show it: a quotient by zero, or a choice by
/// something undefined, may be constant in time.
static bool rates_known(const amo_flow *f, int lane)
{
  double sum = 0.0;
  for (uint32_t i = 0; i < f->ns; i++) sum += state_series(f, lane, i)[f->W];
  return isfinite(sum);
}

/// Is the series so much shorter than the last, or than others before, that the step must have begun beside a singular point?
static bool collapses(const amo_flow *f, const amo_lane *l, double length)
{
  if (f->vanish == NULL) return false;
  return length < 1e-4 * l->rhythm || length <= AMO_CANCELLED * fabs(l->t) || length < 1e-6 * l->longest;
}

/// Length of the step to take, its series in place. In: how far the series can be trusted.
static amo_status by_series(amo_flow *f, int lane, double t_end, double *length)
{
  amo_lane *l = &f->lane[lane];
  amo_status launched = f->m->nxi > 0 ? amo_flow_start_slips(f, lane) : AMO_OK;
  if (launched != AMO_OK) return launched;
  if (f->m->nxi > 0) *length = amo_flow_trusted_length(f, lane);
  if (!rates_known(f, lane)) return not_finite(f, lane);
  if (!(*length > 0.0) && grows(f, lane)) return l->status;
  if (!(*length > 0.0) || collapses(f, l, *length)) {
    amo_status st = amo_leading_step(f, lane, fmin(f->opt.max_step, t_end - l->t), length);
    if (st != AMO_OK) return not_finite(f, lane);
    if (l->leading) {
      l->rhythm = 0.0;
      return AMO_OK;
    }
  }
  l->rhythm = isfinite(*length) ? *length : 0.0;
  if (isfinite(*length))
    l->pace = *length;
  else
    *length = amo_flow_polynomial_length(f, lane);
  return AMO_OK;
}

static amo_status prepare_step(amo_flow *f, int lane, double t_end, double *length)
{
  amo_lane *l = &f->lane[lane];
  l->leading = false;
  if (l->implicit) return AMO_OK;
  l->interpolated = f->opt.stepper == AMO_STEPPER_RK8;
  if (!l->interpolated) return by_series(f, lane, t_end, length);
  amo_status st = amo_rk8_expand(f->rk8, f, lane, t_end, length);
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
    if (amo_is_two_sided(k) || (amo_is_slider(k) && l->mode[c] != 0)) return true;
    if (amo_is_tied(k, l->mode[c]) &&
        !(amo_row_is_fixed(m, k->n, k->nn) && amo_prog_is_fixed(m->step, k->r_gap_zeta)))
      return true;
    for (uint32_t a = 0; l->mode[c] == 0 && a < amo_slip_rows(k); a++) {
      const amo_slip_axis x = amo_slip_row(k, a);
      if (!(amo_row_is_fixed(m, x.w, x.nw) && amo_prog_is_fixed(m->step, x.r_zeta))) return true;
    }
  }
  return false;
}

void amo_flow_place_point(const amo_flow *f, int lane)
{
  const amo_model *m = f->m;
  const amo_lane *l = &f->lane[lane];
  f->point->branch = l->branch;
  f->point->stressed = l->stressed;
  for (uint32_t i = 0; i < m->np; i++)
    f->point->reg[m->leaf.param + i] = f->param[i * (uint32_t)f->W + (uint32_t)lane];
  memcpy(f->point->reaction_sign, l->reaction_sign, m->nc);
  memcpy(f->point->xi, l->xi, m->nxi * sizeof *l->xi);
}

static amo_status finish_quietly(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  l->events = 0;
  l->stalled = 0;
  if (!drifts(f, l)) return AMO_OK;
  amo_flow_place_point(f, lane);
  amo_status st = amo_point_evaluate(f->point, l->t, l->y, l->mode);
  if (st == AMO_OK) amo_settle_sliders(f->point, l->t, l->y, l->mode);
  if (st == AMO_OK) st = amo_settle(f->point, l->t, l->y, l->mode);
  if (st == AMO_OK) return st;
  char why[AMO_UNSOLVED_TEXT];
  return amo_flow_fail(l, st, "%s at t = %.9g", amo_unsolved(f->m, (amo_span){f->point->reg, 1, 0}, -1, why),
                       l->t);
}

static amo_status no_progress(amo_flow *f, int lane, double length)
{
  amo_lane *l = &f->lane[lane];
  if (grows(f, lane)) return l->status;
  return amo_flow_fail(l, AMO_ENOANSWER,
                       "the step size fell to %.3g at t = %.12g: the motion is singular there", length, l->t);
}

/// A motion that could not go on because the reaction of a guide that slips grows beyond all bounds jams there instead.
static amo_status jam_instead(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  const double *r = f->reaction + lane, near = AMO_SAME * fabs(l->t);
  uint32_t c = l->status == AMO_ENOANSWER && f->jams ? 0 : f->m->nc;
  while (c < f->m->nc && (!amo_is_two_sided(&f->m->contact[c]) || l->mode[c] == 0 ||
                          !has_pole(r + c * amo_flow_item(f), (size_t)f->W, near)))
    c++;
  if (c == f->m->nc) return l->status;
  memcpy(l->step_mode, l->mode, 2 * (f->m->nc + 1u) + f->nsw);
  l->start = l->t;
  l->h = 0.0;
  l->hits = 0;
  l->status = AMO_OK;
  return amo_flow_jam(f, lane, c);
}

/// Steps that are nothing to the time that has passed, or to others before, may come beside a singular point, but not go on so; nor
/// can a motion be followed whose steps are so small a part of what they were, and of what lies ahead, that no run has so many.
static amo_status watch_progress(amo_flow *f, int lane, double t_end)
{
  amo_lane *l = &f->lane[lane];
  if (l->stats.steps == 1) {
    l->longest = 0.0;
    l->crawling = l->creeping = 0;
  }
  l->longest = amo_larger(l->longest, l->h);
  const bool nowhere = l->h <= AMO_LAST_DIGITS * amo_larger(l->longest, fabs(l->t)) && l->hits == 0;
  const bool slow = l->h * (double)f->opt.max_steps <= amo_smaller(l->longest, t_end - l->t) && l->hits == 0;
  l->crawling = nowhere ? l->crawling + 1 : 0;
  l->creeping = slow ? l->creeping + 1 : 0;
  if (l->crawling > MOST_CRAWLING) return no_progress(f, lane, l->h);
  if (l->creeping <= MOST_CREEPING) return AMO_OK;
  return amo_flow_fail(
      l, AMO_ENOANSWER,
      "steps have shrunk to %.3g at t = %.12g and stay so: the motion is stiff (a law or force that "
      "changes within a tiny range of speed or place); give that range a width",
      l->h, l->t);
}

/// How far may the lane go, events apart?
static amo_status begin_step(amo_flow *f, int lane, double t_end, double trusted)
{
  amo_lane *l = &f->lane[lane];
  if (l->status != AMO_OK) return l->status;
  if (l->stats.steps + l->stats.rejected >= f->opt.max_steps)
    return amo_flow_fail(l, AMO_ELIMIT, "more than %ld steps, rejected ones included (t = %.9g)",
                         f->opt.max_steps, l->t);
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
  return !(l->trial > AMO_LAST_DIGITS * fabs(l->t)) && left > AMO_LAST_DIGITS * fabs(l->t)
             ? no_progress(f, lane, l->trial)
             : AMO_OK;
}

/// Does the expansion of a lane have no rates?
static bool has_no_rates(const amo_flow *f, int lane)
{
  double sum = 0.0;
  for (uint32_t i = 0; i < f->ns; i++) sum += f->state[i][(size_t)f->W + (size_t)lane];
  return !isfinite(sum);
}

/// Does a switch end the step?
static bool switches(const amo_lane *l)
{
  for (size_t i = 0; i < l->hits; i++)
    if (l->hit[i].what == AMO_IS_SWITCH) return true;
  return false;
}

/// A lane beside the zero of a root or power: it may have come to rest there, or stand a rounding short of where its rates are defined.
/// True: it needs a new expansion.
static bool put_right(amo_flow *f, int lane, double trusted)
{
  const amo_lane *l = &f->lane[lane];
  if (!l->active || l->status != AMO_OK) return false;
  if (trusted > 0.0 && !collapses(f, l, trusted) && !switches(l) && !amo_vanish_ahead(f, lane, trusted))
    return false;
  if (amo_vanish_settle(f, lane)) return true;
  return !(trusted > 0.0) && has_no_rates(f, lane) && amo_leading_nudge(f, lane);
}

/// How far the series can be trusted.
static void trust(amo_flow *f, double *trusted)
{
  bool changed = false;
  if (f->m->nxi == 0 || f->vanish != NULL) amo_flow_trusted_lengths(f, trusted);
  for (int i = 0; f->vanish != NULL && i < f->W; i++) changed |= put_right(f, i, trusted[i]);
  if (!changed) return;
  amo_flow_expand(f);
  amo_flow_trusted_lengths(f, trusted);
}

static void begin_steps(amo_flow *f, double t_end)
{
  double h[AMO_LANES] = {0}, trusted[AMO_LANES] = {0};
  if (f->lane[0].implicit && !amo_implicit_step(f, 0, t_end, trusted)) amo_flow_expand(f);
  if (f->opt.stepper != AMO_STEPPER_RK8 && !f->lane[0].implicit) trust(f, trusted);
  for (int i = 0; i < f->W; i++) {
    if (f->lane[i].active && f->lane[i].pending) {
      amo_flow_tell_start(f, i);
      f->lane[i].stepping = false;
      continue;
    }
    f->lane[i].stepping = f->lane[i].active && begin_step(f, i, t_end, trusted[i]) == AMO_OK;
    if (f->lane[i].stepping) h[i] = f->lane[i].trial;
    if (f->lane[i].active && !f->lane[i].stepping) (void)jam_instead(f, i);
  }
  amo_lanes_powers(f->power, h, f->P, f->W);
}

/// Nothing has happened before the first event, so a shorter step has none. False: it is no shorter.
static bool shorten(amo_lane *l, double h)
{
  if (h == l->reached) return false;
  l->trial = l->reached = h;
  l->hits = 0;
  l->doomed = -1;
  return true;
}

static void find_ends(amo_flow *f)
{
  for (uint32_t i = 0; i < f->ns; i++)
    amo_lanes_value(f->state[i], f->power, f->P, f->W, f->ending + i * (size_t)f->W);
  f->at_end = true;
}

/// Do steps go further than their series can be believed, by the rates at their ends? True: some did.
static bool check_rates(amo_flow *f, double *h)
{
  bool agrees[AMO_LANES] = {false}, shorter = false;
  const double *top = f->power + (size_t)f->P * (size_t)f->W;
  find_ends(f);
  if (f->end != NULL) amo_defect_agrees(f, h, agrees);
  for (int i = 0; i < f->W; i++) {
    amo_lane *l = &f->lane[i];
    if (!l->stepping || l->interpolated || l->leading || !(l->reached > 0.0)) continue;
    if (agrees[i] && top[i] < largest_power) continue;
    shorter |= shorten(l, amo_defect_length(f, i, l->reached));
    h[i] = l->reached;
  }
  return shorter;
}

/// Step lengths after the events are known.
static void find_events(amo_flow *f)
{
  double h[AMO_LANES] = {0};
  bool shorter = false;
  for (int i = 0; i < f->W; i++) {
    amo_lane *l = &f->lane[i];
    if (!l->stepping) continue;
    l->reached = amo_flow_first_event(f, i, l->trial);
    shorter |= l->reached != l->trial;
    if (f->explained != NULL && (!l->interpolated || l->implicit) && l->reached > 0.0)
      shorter |= shorten(l, amo_explained_length(f, i, l->reached));
    h[i] = l->reached;
  }
  if (shorter) amo_lanes_powers(f->power, h, f->P, f->W);
  f->at_end = false;
  if (!f->checks_rates || !check_rates(f, h)) return;
  amo_lanes_powers(f->power, h, f->P, f->W);
  f->at_end = false;
}

static void land(amo_flow *f)
{
  const double *top = f->power + (size_t)f->P * (size_t)f->W;
  if (!f->at_end) find_ends(f);
  for (uint32_t i = 0; i < f->ns; i++) {
    const double *y = f->ending + i * (size_t)f->W;
    for (int k = 0; k < f->W; k++) {
      amo_lane *l = &f->lane[k];
      if (!l->stepping || !(l->reached > 0.0)) continue;
      l->y[i] = top[k] < largest_power
                    ? y[k]
                    : amo_poly_value(state_series(f, k, i), (size_t)f->W, f->P, l->reached);
    }
  }
}

/// Where the step leads.
static double end_of(const amo_lane *l, double t_end)
{
  return l->hits == 0 && l->trial == t_end - l->t ? t_end : l->t + l->reached;
}

static amo_status close_step(amo_flow *f, int lane, double t_end, double end)
{
  amo_lane *l = &f->lane[lane];
  const size_t nc = f->m->nc + 1u;
  l->start = l->t;
  memcpy(l->step_mode, l->mode, 2 * nc + f->nsw);  // press and branch with it
  l->h = l->reached;
  l->t = end;
  if (!all_finite(l->y, f->ns)) return not_finite(f, lane);
  if (f->vanish != NULL && !l->interpolated && (switches(l) || amo_vanish_leaves(f, lane, l->h)))
    amo_leading_draw_back(f, lane);
  l->stats.steps++;
  raise_scales(f, l);
  if (f->prover != NULL) (void)amo_prover_step(f->prover, f, lane);
  if (l->t > l->start) memset(l->fresh, 0, 3 * nc + f->nsw);  // whatever left its limit is away from it now
  if (l->hits == 0 && f->m->nxi > 0) amo_flow_watch_stops(f, lane);
  if (watch_progress(f, lane, t_end) != AMO_OK) return jam_instead(f, lane);
  if (l->hits > 0) return amo_flow_resolve(f, lane);
  if (l->doomed >= 0)
    return amo_flow_fail(l, AMO_ENOANSWER, "the inertia of coordinate %s vanishes at t = %.12g",
                         f->m->sym.q[l->doomed].name, l->t);
  amo_status st = finish_quietly(f, lane);
  return st == AMO_OK && f->jams ? amo_flow_watch_guides(f, lane) : st;
}

static void finish_step(amo_flow *f, int lane, double t_end, double end)
{
  (void)close_step(f, lane, t_end, end);
  amo_implicit_choose(f, lane);
}

void amo_flow_plan(amo_flow *f, double t_end)
{
  begin_steps(f, t_end);
  find_events(f);
}

double amo_flow_planned_end(const amo_flow *f, double t_end)
{
  return end_of(&f->lane[0], t_end);
}

void amo_flow_land(amo_flow *f, double end, bool as_planned)
{
  amo_lane *l = &f->lane[0];
  if (!as_planned) {
    l->reached = end - l->t;
    l->hits = 0;
    l->doomed = -1;
  }
  amo_lanes_powers(f->power, &l->reached, f->P, 1);
  f->at_end = false;
  land(f);
  finish_step(f, 0, INFINITY, end);
}

void amo_flow_advance(amo_flow *f, double t_end)
{
  amo_flow_plan(f, t_end);
  land(f);
  for (int i = 0; i < f->W; i++)
    if (f->lane[i].stepping) finish_step(f, i, t_end, end_of(&f->lane[i], t_end));
}
