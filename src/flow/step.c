// SPDX-License-Identifier: Apache-2.0
/// One step of a lane: how far the series can be trusted, what ends it, where it leads.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flow/flow.h"
#include "flow/lanes.h"
#include "flow/rk8.h"

/// Powers beyond this leave no room for a coefficient; such steps (polynomial motion) go by Horner's rule.
static const double largest_power = 1e200;

static const double *state_series(const amo_flow *f, int lane, uint32_t i)
{
  return f->state[i] + lane;
}

void amo_flow_dense(const amo_flow *f, int lane, double s, double *y)
{
  for (uint32_t i = 0; i < f->ns; i++)
    y[i] = amo_poly_value(state_series(f, lane, i), (size_t)f->W, f->P, s);
}

/// Characteristic time of the series when nothing is known yet: ratio of early to late coefficients.
static double first_rhythm(const amo_flow *f, int lane)
{
  double best = INFINITY;
  for (uint32_t i = 0; i < f->ns; i++) {
    const double *c = state_series(f, lane, i);
    double early = 0.0, late = fabs(c[(size_t)(f->P - 1) * (size_t)f->W]) + fabs(c[(size_t)f->P * (size_t)f->W]);
    for (int k = 1; k <= 3; k++) early = fmax(early, fabs(c[(size_t)k * (size_t)f->W]));
    if (early > 0.0 && late > 0.0) best = fmin(best, pow(early / late, 1.0 / (f->P - 2)));
  }
  return isfinite(best) ? 0.2 * best : 1.0;
}

static double larger(double a, double b)
{
  return a > b ? a : b;
}

static double group_floor(const amo_lane *l, uint32_t first, uint32_t count)
{
  double s = 0.0;
  for (uint32_t i = 0; i < count; i++) s = larger(s, l->scale[first + i]);
  return 1e-8 * s;
}

/// Errors are measured against the largest value met so far, never much less than the others of its kind.
static void weigh(const amo_flow *f, amo_lane *l)
{
  const uint32_t nq = f->m->nq;
  const double floor_q = group_floor(l, 0, nq), floor_u = group_floor(l, nq, nq);
  l->unscaled = false;
  for (uint32_t i = 0; i < f->ns; i++) {
    const double size = larger(l->scale[i], i < nq ? floor_q : i < 2 * nq ? floor_u : 0.0);
    l->weight[i] = size > 0.0 ? 1.0 / size : 0.0;
    l->unscaled |= !(size > 0.0);
  }
  l->weighed = true;
}

/// A state that has been zero until now is measured by where the step takes it.
static double first_weight(const amo_flow *f, int lane, uint32_t i, double h)
{
  const double *c = state_series(f, lane, i);
  double size = 0.0, power = h;
  for (int k = 1; k <= 3; k++, power *= h) size = larger(size, fabs(c[(size_t)k * (size_t)f->W]) * power);
  return size > 0.0 ? 1.0 / size : 0.0;
}

/// Relative size of the two last coefficients of everything that decides events and states.
/// False when one is not finite.
static bool tail_ratios(const amo_flow *f, int lane, double h, double *last, double *before)
{
  const amo_lane *l = &f->lane[lane];
  const size_t W = (size_t)f->W, top = (size_t)f->P * W + (size_t)lane;
  double x = 0.0, y = 0.0, sum = 0.0;  // NaN and infinities survive a sum, not a comparison
  for (uint32_t i = 0; i < f->ns; i++) {
    double w = l->weight[i];
    if (w == 0.0) w = first_weight(f, lane, i, h);
    const double a = fabs(f->state[i][top]) * w, b = fabs(f->state[i][top - W]) * w;
    x = larger(x, a);
    y = larger(y, b);
    sum += a + b;
  }
  for (uint32_t k = 0; k < f->m->nc; k++) {
    if (l->mode[k] != 0) continue;
    const amo_watch *w = &f->watch[k];
    const double s = fabs(w->bound[lane]), a = w->stick_fixed ? 0.0 : fabs(w->stick[top - W]),
                 b = w->bound_fixed ? 0.0 : fabs(w->bound[top - W]);
    if (s > 0.0) y = larger(y, larger(a, b) / s);
    sum += a + b;
  }
  *last = x;
  *before = y;
  return isfinite(sum);
}

/// x^(1/n) to a percent, enough for a step length and much cheaper than pow. x > 0, not tiny.
static double rough_root(double x, int n)
{
  const uint64_t fraction = (UINT64_C(1) << 52) - 1, one = UINT64_C(1023) << 52;
  uint64_t b;
  memcpy(&b, &x, sizeof b);
  const double e = (double)((int)(b >> 52) - 1023);
  b = (b & fraction) | one;
  double f;
  memcpy(&f, &b, sizeof f);                                    // x = f 2^e, 1 <= f < 2
  const double y = (e - 5.0 / 3.0 + f * (2.0 - f / 3.0)) / n;  // within 0.01 of log2, divided by n
  const int whole = (int)(y + 1024.0) - 1024;                  // rounds down
  const double part = y - whole;
  b = (uint64_t)(whole + 1023) << 52;
  memcpy(&f, &b, sizeof f);
  return f * (1.0 + part * (0.66 + 0.34 * part));
}

/// Largest h with |c_P| h^P and |c_{P-1}| h^{P-1} below tol of the scale. INFINITY for polynomials,
/// NaN when the series is not finite. Repeated while scales still depend on h.
static double trusted_length(const amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  if (!l->weighed || l->rhythm == 0.0) weigh(f, l);  // no rhythm: may have been placed elsewhere
  double h = !l->unscaled ? 0.0 : l->rhythm > 0.0 ? l->rhythm : first_rhythm(f, lane);
  for (int pass = 0; pass < 5; pass++) {
    double last, before;
    if (!tail_ratios(f, lane, h, &last, &before)) return NAN;
    double a = last > 0.0 ? rough_root(f->opt.tol / last, f->P) : INFINITY;
    double b = before > 0.0 ? rough_root(f->opt.tol / before, f->P - 1) : INFINITY;
    double next = fmin(a, b);
    if (!f->lane[lane].unscaled || !isfinite(next) || fabs(next - h) < 0.05 * h) return next;
    h = next;
  }
  return h;
}

static bool all_finite(const double *y, size_t n)
{
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) sum += fabs(y[i]);
  return sum <= 1.7e308;
}

/// Non-finite coefficients: say which state, and whether the system itself or only its series fails.
static amo_status not_finite(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  for (uint32_t i = 0; i < f->ns; i++) {
    const double *c = state_series(f, lane, i);
    for (int k = 0; k <= f->P; k++) {
      if (isfinite(c[(size_t)k * (size_t)f->W])) continue;
      const char *name = amo_model_state(f->m, i).name;
      if (k <= 1) return amo_flow_fail(l, AMO_ENOANSWER, "the rate of %s is not finite at t = %.12g", name, l->t);
      return amo_flow_fail(l, AMO_ENOANSWER,
                           "the motion of %s is not smooth at t = %.12g (a root, power or quotient at its singular "
                           "point); --stepper rk8 may pass it", name, l->t);
    }
  }
  return amo_flow_fail(l, AMO_ENOANSWER, "a quantity is not finite at t = %.12g", l->t);
}

/// Length of the step to take, its series in place. Power series by default; Runge-Kutta when asked for,
/// or for this one step when the series does not exist.
static amo_status prepare_step(amo_flow *f, int lane, double t_end, double *length)
{
  amo_lane *l = &f->lane[lane];
  bool rk8 = f->opt.stepper == AMO_STEPPER_RK8;
  l->interpolated = rk8;
  if (!rk8) {
    *length = trusted_length(f, lane);
    if (*length > 0.0) {  // false for NaN
      l->rhythm = isfinite(*length) ? *length : 0.0;
      return AMO_OK;
    }
    if (!isfinite(*state_series(f, lane, 0)) || f->rk8 == NULL) return not_finite(f, lane);
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
    if (!(fabs(l->y[i]) > l->scale[i])) continue;
    l->scale[i] = fabs(l->y[i]);
    l->weighed = false;
  }
}

/// Rows that turn with the motion leave their tie by the error of a step; put the state back on it.
static bool drifts(const amo_flow *f, const amo_lane *l)
{
  const amo_model *m = f->m;
  if (m->ng > 0) return true;
  for (uint32_t c = 0; c < m->nc; c++) {
    if (l->mode[c] != 0) continue;
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
  amo_status st = amo_point_evaluate(f->point, l->t, l->y, l->mode);
  if (st == AMO_OK) st = amo_settle(f->point, l->t, l->y, l->mode);
  return st == AMO_OK ? st : amo_flow_fail(l, st, "the mass matrix is singular at t = %.9g", l->t);
}

/// How far may the lane go, events apart?
static amo_status begin_step(amo_flow *f, int lane, double t_end)
{
  amo_lane *l = &f->lane[lane];
  if (l->status != AMO_OK) return l->status;
  if (l->stats.steps >= f->opt.max_steps)
    return amo_flow_fail(l, AMO_ELIMIT, "more than %ld steps (t = %.9g)", f->opt.max_steps, l->t);
  if (l->stats.events >= f->opt.max_events)
    return amo_flow_fail(l, AMO_ELIMIT, "more than %ld events (t = %.9g)", f->opt.max_events, l->t);
  double trusted = 0.0, left = t_end - l->t;
  amo_status st = prepare_step(f, lane, t_end, &trusted);
  if (st != AMO_OK) return st;
  l->trial = trusted < f->opt.max_step ? trusted : f->opt.max_step;
  if (left < l->trial) l->trial = left;
  if (!(l->trial > 4e-16 * fabs(l->t)) && left > 4e-16 * fabs(l->t))
    return amo_flow_fail(l, AMO_ENOANSWER, "the step size fell to %.3g at t = %.12g: the motion is singular there",
                         l->trial, l->t);
  return AMO_OK;
}

static void begin_steps(amo_flow *f, double t_end)
{
  double h[AMO_LANES] = {0};
  for (int i = 0; i < f->W; i++) {
    f->lane[i].stepping = f->lane[i].active && begin_step(f, i, t_end) == AMO_OK;
    if (f->lane[i].stepping) h[i] = f->lane[i].trial;
  }
  amo_lanes_powers(f->power, h, f->P, f->W);
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
    h[i] = l->reached = amo_flow_first_event(f, i, l->trial);
    shorter |= l->reached != l->trial;
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
      l->y[i] = top[k] < largest_power ? y[k]
                                       : amo_poly_value(state_series(f, k, i), (size_t)f->W, f->P, l->reached);
    }
  }
}

static amo_status finish_step(amo_flow *f, int lane, double t_end)
{
  amo_lane *l = &f->lane[lane];
  l->start = l->t;
  memcpy(l->step_mode, l->mode, f->m->nc);
  memcpy(l->step_branch, l->branch, f->nsw);
  l->h = l->reached;
  l->t = l->hits == 0 && l->trial == t_end - l->start ? t_end : l->start + l->reached;
  if (!all_finite(l->y, f->ns)) return not_finite(f, lane);
  l->stats.steps++;
  l->expanded = false;
  raise_scales(f, l);
  if (l->reached > 0.0) {  // whatever left its limit is away from it now
    memset(l->fresh, 0, f->m->nc * sizeof *l->fresh);
    memset(l->switch_fresh, 0, f->nsw * sizeof *l->switch_fresh);
  }
  return l->hits > 0 ? amo_flow_resolve(f, lane) : finish_quietly(f, lane);
}

void amo_flow_advance(amo_flow *f, double t_end)
{
  begin_steps(f, t_end);
  find_events(f);
  land(f);
  for (int i = 0; i < f->W; i++)
    if (f->lane[i].stepping) (void)finish_step(f, i, t_end);
}

// ---- making ----

/// Plain models: q' = u, u' = acc, z' = rate, all explicit.
static amo_status make_series(amo_flow *f)
{
  const amo_model *m = f->m;
  if (!m->plain) return AMO_OK;
  amo_integral *list = calloc(f->ns + 1u, sizeof *list);
  if (list == NULL) return AMO_ENOMEM;
  for (uint32_t i = 0; i < f->ns; i++)
    list[i] = (amo_integral){amo_flow_state_register(m, i), i < m->nq       ? m->leaf.u + i
                                                            : i < 2 * m->nq ? m->r_acc[i - m->nq]
                                                                            : m->extra[i - 2 * m->nq].r_rate};
  amo_status st = amo_series_new(m->step, list, f->ns, f->P, f->W, &f->series);
  free(list);
  return st;
}

static bool make_lane(const amo_flow *f, amo_lane *l)
{
  size_t nc = f->m->nc + 1u, nsw = f->nsw + 1u, ns = f->ns + 1u;
  l->y = calloc(ns, sizeof *l->y);
  l->scale = calloc(ns, sizeof *l->scale);
  l->weight = calloc(ns, sizeof *l->weight);
  l->mode = calloc(nc, 1);
  l->step_mode = calloc(nc, 1);
  l->press = calloc(nc, 1);
  l->branch = calloc(nsw, 1);
  l->step_branch = calloc(nsw, 1);
  l->fresh = calloc(nc, sizeof *l->fresh);
  l->switch_fresh = calloc(nsw, sizeof *l->switch_fresh);
  l->release_scale = calloc(nc, sizeof *l->release_scale);
  l->hit = calloc(nc + nsw, sizeof *l->hit);
  l->event = calloc(nc + nsw, sizeof *l->event);
  return l->y && l->scale && l->weight && l->mode && l->step_mode && l->press && l->branch && l->step_branch && l->fresh && l->switch_fresh &&
         l->release_scale && l->hit && l->event;
}

static void free_lane(amo_lane *l)
{
  free(l->y); free(l->scale); free(l->weight); free(l->mode); free(l->step_mode); free(l->press); free(l->branch); free(l->step_branch); free(l->fresh);
  free(l->switch_fresh); free(l->release_scale); free(l->hit); free(l->event);
}

/// Order that costs least for an accuracy: about half the digits' worth of e-folds, more when small.
static int order_for(double tol)
{
  int p = (int)lround(4.0 - 1.5 * log10(tol));
  return p < 9 ? 9 : p > 30 ? 30 : p;  // at least 8: a Runge-Kutta step must fit in
}

/// Where the series lie.
static void find_series(amo_flow *f)
{
  const amo_model *m = f->m;
  const size_t it = (size_t)(f->P + 1) * (size_t)f->W;
  for (uint32_t i = 0; i < f->ns; i++) f->state[i] = f->jet + amo_flow_state_register(m, i) * it;
  for (uint32_t c = 0; c < m->nc; c++) {
    amo_watch *w = &f->watch[c];
    w->slip = amo_flow_series(f, 0, m->contact[c].r_slip);
    w->bound = amo_flow_series(f, 0, m->contact[c].r_bound);
    w->stick = amo_flow_stick_force(f, 0, c, &w->stick_fixed);
    w->slip_fixed = amo_prog_is_fixed(m->step, m->contact[c].r_slip);
    w->bound_fixed = amo_prog_is_fixed(m->step, m->contact[c].r_bound);
  }
}

static amo_status allocate(amo_flow *f)
{
  const amo_model *m = f->m;
  size_t W = (size_t)f->W, it = (size_t)(f->P + 1) * W;
  f->jet = calloc((size_t)(amo_prog_registers(m->step) + 1u) * it, sizeof *f->jet);
  f->acc = calloc((m->nq + 1u) * it, sizeof *f->acc);
  f->lambda = calloc((m->nc + 1u) * it + AMO_LANES_PADDING, sizeof *f->lambda);
  f->multiplier = calloc((m->ng + 1u) * it, sizeof *f->multiplier);
  f->reaction = calloc((m->nc + 1u) * it, sizeof *f->reaction);
  f->lane = calloc(W, sizeof *f->lane);
  f->balance = calloc(W, sizeof(amo_balance *));
  f->branch = calloc((f->nsw + 1u) * W, 1);
  f->param = calloc((m->np + 1u) * W, sizeof *f->param);
  f->standing = calloc(m->nc + 1u, sizeof *f->standing);
  f->state = calloc(f->ns + 1u, sizeof *f->state);
  f->watch = calloc(m->nc + 1u, sizeof *f->watch);
  f->power = calloc(it + AMO_LANES_PADDING, sizeof *f->power);
  f->calm = calloc((m->nc + f->nsw + 1u) * W, sizeof *f->calm);
  if (!f->state || !f->watch || !f->power || !f->calm) return AMO_ENOMEM;
  if (!f->jet || !f->acc || !f->lambda || !f->multiplier || !f->reaction || !f->lane || !f->balance || !f->branch || !f->param ||
      !f->standing)
    return AMO_ENOMEM;
  amo_status st = make_series(f);
  if (st != AMO_OK) return st;
  find_series(f);
  for (int l = 0; l < f->W; l++) {
    if (!make_lane(f, &f->lane[l])) return AMO_ENOMEM;
    if (f->series == NULL && amo_balance_new(m, &f->balance[l]) != AMO_OK) return AMO_ENOMEM;
    f->jet[m->leaf.t * it + W + (size_t)l] = 1.0;  // dt/dt
  }
  st = amo_rk8_new(m, &f->rk8);
  return st == AMO_OK ? amo_point_new(m, &f->point) : st;
}

amo_status amo_flow_new(const amo_model *m, const amo_sim_opts *opt, int W, amo_flow **out)
{
  *out = NULL;
  amo_flow *f = calloc(1, sizeof *f);
  if (f == NULL) return AMO_ENOMEM;
  f->m = m;
  f->opt = *opt;
  f->ns = 2 * m->nq + m->nz;
  f->nsw = amo_prog_switches(m->step);
  f->W = W;
  f->P = opt->order > 0 ? opt->order : order_for(opt->tol);
  amo_status st = allocate(f);
  if (st != AMO_OK) {
    amo_flow_free(f);
    return st;
  }
  for (int l = 0; l < W; l++) amo_flow_parameters(f, l, m->param_value);
  *out = f;
  return AMO_OK;
}

void amo_flow_free(amo_flow *f)
{
  if (f == NULL) return;
  for (int l = 0; l < f->W; l++) {
    if (f->lane) free_lane(&f->lane[l]);
    if (f->balance) amo_balance_free(f->balance[l]);
  }
  free(f->jet); free(f->acc); free(f->lambda); free(f->multiplier); free(f->reaction); free(f->lane); free(f->balance);
  free(f->branch); free(f->param); free(f->standing);
  free(f->state); free(f->watch); free(f->power); free(f->calm);
  amo_series_free(f->series);
  amo_point_free(f->point);
  amo_rk8_free(f->rk8);
  free(f);
}

void amo_flow_parameters(amo_flow *f, int lane, const double *param)
{
  const amo_model *m = f->m;
  size_t it = (size_t)(f->P + 1) * (size_t)f->W;
  for (uint32_t i = 0; i < m->np; i++) {
    f->param[i * (uint32_t)f->W + (uint32_t)lane] = param[i];
    f->jet[(m->leaf.param + i) * it + (size_t)lane] = param[i];
  }
  f->lane[lane].rearrange = true;
}
