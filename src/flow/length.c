// SPDX-License-Identifier: Apache-2.0
/// How far can the series of a lane be trusted? As far as the last terms of everything that matters stay below the
/// tolerance: the states, and every condition whose zero would be an event.
#include <math.h>

#include "flow/flow.h"
#include "expr/lanes.h"

enum { TAIL = AMO_LANES_TAIL };

/// What the last coefficients of a lane's series amount to; lanes lie side by side.
typedef struct tail {
  double *size;  // [TAIL] relative size of coefficient P-j
  double *sum;   // NaN and infinities survive a sum, not a comparison
  size_t step;   // from one size to the next
} tail;

/// What a size weighs; its inverse stays within the range of numbers.
static double weight_of(double size)
{
  return size > 0.0 ? 1.0 / fmax(size, 1e-290) : 0.0;
}

/// Coefficient k of a series of this lane.
static double at(const amo_flow *f, const double *series, int lane, int k)
{
  return series[(size_t)k * (size_t)f->W + (size_t)lane];
}

/// Take in the last coefficients of a series known up to order `top`.
static void take(const tail *t, const amo_flow *f, const double *series, int lane, int top, double weight)
{
  const size_t W = (size_t)f->W;
  const double *last = series + (size_t)f->lane[lane].degree * W + (size_t)lane;
  double *size = t->size, sum = *t->sum;
  for (int j = 0; j < TAIL; j++, last -= W, size += t->step) {
    if (j < f->P - top) continue;
    const double x = fabs(*last) * weight;
    *size = amo_larger(*size, x);
    sum += x;
  }
  *t->sum = sum;
}

/// Size of a condition: the largest value met so far, or where the step takes it.
static double condition_weight(const amo_flow *f, const double *series, int lane, double *scale, double h)
{
  *scale = amo_larger(*scale, fabs(at(f, series, lane, 0)));
  double size = *scale, power = h > 0.0 ? h : 1.0;
  for (int k = 1; size == 0.0 && k <= 3; k++, power *= power) size = fabs(at(f, series, lane, k)) * power;
  return weight_of(size);
}

static void take_conditions(const tail *t, const amo_flow *f, int lane, double h)
{
  amo_lane *l = &f->lane[lane];
  for (uint32_t c = 0; c < f->m->nc; c++) {
    const amo_watch *w = &f->watch[c];
    const amo_contact *contact = &f->m->contact[c];
    if (l->mode[c] == AMO_MODE_OPEN) {
      if (!amo_has_gap(contact)) continue;
      const double *gap = amo_flow_series(f, 0, contact->r_gap);
      if (!amo_prog_is_fixed(f->m->step, contact->r_gap))
        take(t, f, gap, lane, f->P, condition_weight(f, gap, lane, &l->gap_scale[c], h));
      continue;
    }
    if (amo_has_gap(contact)) {  // reactions decide, in slip by their sign, in stick by their size
      const double *r = f->reaction + (size_t)c * (size_t)(f->P + 1) * (size_t)f->W, size = fabs(r[lane]);
      if (size > 0.0) take(t, f, r, lane, f->P - 1, 1.0 / size);
    }
    if (l->mode[c] != 0 || amo_is_loose(contact)) {
      if (w->slip_own)
        take(t, f, w->slip, lane, f->P, condition_weight(f, w->slip, lane, &l->condition_scale[c], h));
      continue;
    }
    double bound = fabs(w->bound[lane]);
    if (amo_has_gap(contact))
      bound *= fabs(f->reaction[(size_t)c * (size_t)(f->P + 1) * (size_t)f->W + (size_t)lane]);
    const double weight = bound > 0.0 ? 1.0 / bound : 0.0;
    for (uint32_t a = 0; a < amo_axes(contact); a++)
      take(t, f, f->traction + (contact->xi + a) * amo_flow_item(f), lane, f->P - 1, weight);
    if (!w->stick_fixed && !amo_turns(contact)) take(t, f, w->stick, lane, f->P - 1, weight);
    if (!w->bound_fixed && !amo_flow_is_idle(f, lane, c)) take(t, f, w->bound, lane, f->P - 1, weight);
  }
  for (uint32_t i = 0; i < f->nsw; i++) {
    const double *series = amo_flow_series(f, 0, amo_prog_switch_register(f->m->step, i));
    if (isnan(series[lane])) continue;  // not in use here
    const double weight = condition_weight(f, series, lane, &l->condition_scale[f->m->nc + i], h);
    if (amo_prog_switch_kind(f->m->step, i) != AMO_SWITCH_FOLD)
      take(t, f, series, lane, f->P, weight);
    else if (amo_flow_may_fold(f, lane, i))  // known well enough to see it turn
      take(t, f, series, lane, f->P, weight * f->opt.tol / (0.1 * amo_fold_margin));
  }
}

// ---- weights of the states ----

/// Errors are measured against the largest value met so far, never much less than the others of its kind and mechanism.
void amo_flow_weigh(const amo_flow *f, amo_lane *l)
{
  const uint32_t nq = f->m->nq, *first = f->m->mechanism;
  double *most = f->size;  // [2 nq] of the coordinates and velocities of a mechanism, at its first one
  for (uint32_t i = 0; i < 2 * nq; i++) most[i] = 0.0;
  for (uint32_t i = 0; i < 2 * nq; i++) {
    const uint32_t at = i < nq ? first[i] : nq + first[i - nq];
    most[at] = amo_larger(most[at], l->scale[i]);
  }
  l->unscaled = false;
  for (uint32_t i = 0; i < f->ns; i++) {
    const double others = i < nq ? most[first[i]] : i < 2 * nq ? most[nq + first[i - nq]] : 0.0;
    const double size = amo_larger(l->scale[i], AMO_ROUGH * others);
    l->weight[i] = weight_of(size);
    l->unscaled |= !(size > 0.0);
  }
  l->weighed = true;
}

/// A state that has been zero until now is measured by where the step takes it.
static double first_weight(const amo_flow *f, int lane, uint32_t i, double h)
{
  double size = 0.0, power = h;
  for (int k = 1; k <= 3; k++, power *= h) size = amo_larger(size, fabs(at(f, f->state[i], lane, k)) * power);
  return weight_of(size);
}

/// Characteristic time of the series when nothing is known yet: ratio of early to late coefficients.
static double first_rhythm(const amo_flow *f, int lane)
{
  double best = INFINITY;
  for (uint32_t i = 0; i < f->ns; i++) {
    double early = 0.0, late = 0.0;
    for (int k = 1; k <= 3; k++) early = amo_larger(early, fabs(at(f, f->state[i], lane, k)));
    for (int k = f->P - TAIL + 1; k <= f->P; k++) late = amo_larger(late, fabs(at(f, f->state[i], lane, k)));
    if (early > 0.0 && late > 0.0) best = fmin(best, pow(early / late, 1.0 / (f->P - 3)));
  }
  return isfinite(best) ? 0.2 * best : 1.0;
}

// ---- from coefficients to a length ----

/// A lane with a state that has no size yet: the length tells the size, the size the length.
static double find_length(amo_flow *f, int lane)
{
  const amo_lane *l = &f->lane[lane];
  double h = l->rhythm > 0.0 ? l->rhythm : l->unscaled ? first_rhythm(f, lane) : 0.0;
  for (int pass = 0; pass < 5; pass++) {
    double size[TAIL] = {0.0}, sum = 0.0, next;
    const tail t = {size, &sum, 1};
    for (uint32_t i = 0; i < f->ns; i++) {
      const double w = l->weight[i] > 0.0 ? l->weight[i] : first_weight(f, lane, i, h);
      take(&t, f, f->state[i], lane, f->P, w);
    }
    take_conditions(&t, f, lane, h);
    if (!isfinite(sum)) return NAN;
    amo_lanes_length(size, l->degree, f->opt.tol, 1, &next);
    if (!l->unscaled || !isfinite(next) || fabs(next - h) < 0.05 * h) return next;
    h = next;
  }
  return h;
}

static void weigh_anew(const amo_flow *f, amo_lane *l)
{
  if (!l->weighed || l->rhythm == 0.0) amo_flow_weigh(f, l);  // no rhythm: may have been placed elsewhere
}

double amo_flow_trusted_length(amo_flow *f, int lane)
{
  weigh_anew(f, &f->lane[lane]);
  return find_length(f, lane);
}

void amo_flow_trusted_lengths(amo_flow *f, double *length)
{
  const size_t W = (size_t)f->W;
  if (W == 1) {
    *length = amo_flow_trusted_length(f, 0);
    return;
  }
  double size[TAIL * AMO_LANES] = {0.0}, sum[AMO_LANES] = {0.0}, weight[AMO_LANES] = {0.0};
  for (int k = 0; k < f->W; k++)
    if (f->lane[k].active) weigh_anew(f, &f->lane[k]);
  for (uint32_t i = 0; i < f->ns; i++) {
    for (size_t k = 0; k < W; k++) weight[k] = f->lane[k].weight[i];
    amo_lanes_tail(f->state[i], weight, f->P, size, sum);
  }
  for (int k = 0; k < f->W; k++)
    if (f->lane[k].active && !f->lane[k].unscaled)
      take_conditions(&(tail){size + k, sum + k, W}, f, k, f->lane[k].rhythm);
  amo_lanes_length(size, f->P, f->opt.tol, f->W, length);
  for (int k = 0; k < f->W; k++) {
    if (!isfinite(sum[k])) length[k] = NAN;
    if (f->lane[k].active && f->lane[k].unscaled) length[k] = find_length(f, k);
  }
}

/// Polynomial motion may go on for ever, but its powers must stay within the range of numbers.
static double cap(const amo_flow *f, const double *series, int lane, int top)
{
  double h = INFINITY;
  for (int k = 2; k <= top; k++) {
    const double c = fabs(at(f, series, lane, k));
    if (c == 0.0) continue;
    const double most = k == 2 ? sqrt(1e60 / c) : pow(1e60 / c, 1.0 / k);
    h = most < h ? most : h;
  }
  return h;
}

double amo_flow_polynomial_length(const amo_flow *f, int lane)
{
  double h = INFINITY;
  for (uint32_t i = 0; i < f->ns; i++) h = amo_smaller(h, cap(f, f->state[i], lane, f->P));
  for (uint32_t c = 0; c < f->m->nc; c++) {
    const amo_watch *w = &f->watch[c];
    if (!w->slip_fixed) h = amo_smaller(h, cap(f, w->slip, lane, f->P));
    if (amo_turns(&f->m->contact[c])) continue;  // its forces are not plain unknowns
    if (!w->stick_fixed) h = amo_smaller(h, cap(f, w->stick, lane, f->P - 1));
    if (!w->bound_fixed) h = amo_smaller(h, cap(f, w->bound, lane, f->P - 1));
  }
  for (uint32_t i = 0; i < f->nsw; i++) {
    const double *series = amo_flow_series(f, 0, amo_prog_switch_register(f->m->step, i));
    if (amo_prog_switch_kind(f->m->step, i) != AMO_SWITCH_FOLD && !isnan(series[lane]))
      h = amo_smaller(h, cap(f, series, lane, f->P));
  }
  return h;
}
