// SPDX-License-Identifier: Apache-2.0
#include "flow/leading.h"

#include <float.h>
#include <string.h>

enum {
  TRIES = 200,  // quarters, from the largest lengths to the smallest
  MOST = 3      // order: coefficients beside a singular point do more harm than good
};
static const double nothing = 1e-280;  // as far as steps go

/// Coefficients of a series up to the last of those that are all finite.
static int finite_order(const amo_flow *f, const double *series, int top)
{
  int k = 0;
  while (k <= top && isfinite(series[(size_t)k * (size_t)f->W])) k++;
  return k - 1;
}

/// The order up to which all states are finite; coordinates are so to one more.
static int common_order(const amo_flow *f, int lane)
{
  int n = f->P - 1;
  for (uint32_t i = f->m->nq; i < f->ns; i++) {
    const int k = finite_order(f, f->state[i] + lane, n);
    n = k < n ? k : n;
  }
  return n;
}

static void cut(const amo_flow *f, double *series, int order)
{
  const int finite = finite_order(f, series, order);
  for (int k = finite + 1; k <= f->P; k++) series[(size_t)k * (size_t)f->W] = 0.0;
}

static void cut_all(const amo_flow *f, double *first, size_t count, int lane, int order)
{
  for (size_t i = 0; i < count; i++) cut(f, first + i * amo_flow_item(f) + lane, order);
}

/// Of all series of the lane only the first coefficients stay: conditions are looked for on them as on any others.
static void keep_leading(amo_flow *f, int lane, int order)
{
  const amo_model *m = f->m;
  for (uint32_t r = 0; r < amo_prog_registers(m->step); r++)
    if (!amo_prog_is_fixed(m->step, r)) cut(f, f->jet + r * amo_flow_item(f) + lane, order);
  for (uint32_t i = 0; i < m->nq; i++) {
    const size_t W = (size_t)f->W, at = (size_t)order * W + (size_t)lane;
    f->state[i][at + W] = f->state[m->nq + i][at] / (order + 1);
  }
  cut_all(f, f->acc, m->nq, lane, order - 1);
  cut_all(f, f->lambda, m->nc, lane, order);
  cut_all(f, f->multiplier, m->ng, lane, order);
  cut_all(f, f->reaction, m->nc, lane, order);
  cut_all(f, f->traction, m->nxi, lane, order);
  if (m->nxi > 0) cut_all(f, f->speed, m->nc, lane, order);
}

/// Where the other states have this order, coordinates have one more: their rates are the velocities.
static int order_of(const amo_flow *f, uint32_t i, int order)
{
  return i < f->m->nq ? order + 1 : order;
}

static bool finite_rates(amo_flow *f, int lane, double t, const double *y)
{
  double sum = 0.0;
  if (amo_point_evaluate(f->point, t, y, f->lane[lane].mode) != AMO_OK) return false;
  for (uint32_t i = 0; i < f->ns; i++) sum += fabs(amo_point_rate(f->point, i));
  return isfinite(sum);
}

/// Sizes of states that have been zero until now: where true rates would take them within a small part of what lies ahead.
static void find_sizes(amo_flow *f, int lane, int order, double limit)
{
  amo_lane *l = &f->lane[lane];
  double *y = f->leading, *size = l->leading_size, x = 1e-6 * limit;
  for (uint32_t i = 0; i < f->ns; i++) size[i] = l->weight[i] > 0.0 ? 1.0 / l->weight[i] : 0.0;
  for (int k = 0; l->unscaled && k < TRIES; k++, x *= 0.25) {
    for (uint32_t i = 0; i < f->ns; i++)
      y[i] = amo_poly_value(f->state[i] + lane, (size_t)f->W, order_of(f, i, order), x);
    if (!finite_rates(f, lane, l->t + x, y)) continue;
    for (uint32_t i = 0; i < f->ns; i++)
      if (size[i] == 0.0) size[i] = fabs(amo_point_rate(f->point, i)) * x;
    return;
  }
}

/// What is left of a condition tells its sign after x, and where that changes, the condition itself. One that begins at its zero has been
/// decided.
static bool tells(const amo_flow *f, int lane, uint32_t reg, double scale, int order, double x)
{
  const double *series = amo_flow_series(f, lane, reg), value = f->point->reg[reg];
  if (amo_prog_is_fixed(f->m->step, reg) || !isfinite(series[0])) return true;
  const double left = amo_poly_value(series, (size_t)f->W, finite_order(f, series, order), x),
               off = fabs(value - left);
  if (off <= f->opt.tol * fmax(scale, fabs(value))) return true;
  return value * left > 0.0 && left * series[0] >= 0.0 && off <= 0.25 * fabs(left);
}

static bool conditions_tell(const amo_flow *f, int lane, int order, double x)
{
  const amo_model *m = f->m;
  const amo_lane *l = &f->lane[lane];
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    if (l->mode[c] == AMO_MODE_OPEN && amo_has_gap(k) && !tells(f, lane, k->r_gap, l->gap_scale[c], order, x))
      return false;
    if (l->mode[c] == 0 || l->mode[c] == AMO_MODE_OPEN || amo_turns(k) || l->fresh[c]) continue;
    if (!tells(f, lane, k->r_slip, l->condition_scale[c], order, x)) return false;
  }
  for (uint32_t i = 0; i < f->nsw; i++)
    if (amo_prog_switch_kind(m->step, i) != AMO_SWITCH_FOLD && !l->switch_fresh[i] &&
        !tells(f, lane, amo_prog_switch_register(m->step, i), l->condition_scale[m->nc + i], order, x))
      return false;
  return true;
}

/// Share of a row in coordinate q.
static double share_of(const amo_flow *f, const amo_entry *row, uint32_t n, uint32_t q)
{
  double sum = 0.0;
  for (uint32_t e = 0; e < n; e++)
    if (row[e].col == q) sum += fabs(f->point->reg[row[e].reg]);
  return sum;
}

/// What an acceleration owes to the rounding of friction: where a slip begins, that all but balances the other forces.
static double rate_rounding(const amo_flow *f, uint32_t i)
{
  const amo_model *m = f->m;
  if (i < m->nq || i >= 2 * m->nq) return 0.0;
  const uint32_t q = i - m->nq;
  const double mass = f->point->reg[f->point->diagonal[q]];
  double force = fabs(f->point->reg[m->r_h[q]]);
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    for (uint32_t a = 0; a < amo_slip_rows(k); a++)
      force += share_of(f, amo_slip_row(k, a).w, amo_slip_row(k, a).nw, q) * fabs(f->point->lambda[c]);
  }
  return mass > 0.0 ? 32.0 * DBL_EPSILON * force / mass : 0.0;
}

/// Do the rates at offset x of a step of length h agree with those of the polynomials?
static bool agrees(amo_flow *f, int lane, int order, double x, double h)
{
  amo_lane *l = &f->lane[lane];
  double *y = f->leading, *slope = y + f->ns;
  for (uint32_t i = 0; i < f->ns; i++) {
    y[i] = amo_poly_value(f->state[i] + lane, (size_t)f->W, order_of(f, i, order), x);
    slope[i] = amo_poly_slope(f->state[i] + lane, (size_t)f->W, order_of(f, i, order), x);
  }
  if (amo_point_evaluate(f->point, l->t + x, y, l->mode) != AMO_OK) return false;
  l->stats.rhs++;
  if (!conditions_tell(f, lane, order, x)) return false;
  for (uint32_t i = 0; i < f->ns; i++) {
    const double off = fabs(amo_point_rate(f->point, i) - slope[i]),
                 size = fmax(l->leading_size[i], fabs(y[i]));
    if (!(off * h <= f->opt.tol * size) && !(off * h <= nothing) && !(off <= rate_rounding(f, i)))
      return false;
  }
  return true;
}

/// The longest of limit, limit/4, ... beyond `least` over which polynomials of this order agree; 0 if there is none.
static double find_length(amo_flow *f, int lane, int order, double least, double limit)
{
  double h = limit;
  for (int i = 0; i < TRIES && h > least; i++, h *= 0.25)
    if (agrees(f, lane, order, h, h) && agrees(f, lane, order, 0.5 * h, h) &&
        agrees(f, lane, order, 0.125 * h, h))
      return h;
  return 0.0;
}

amo_status amo_leading_step(amo_flow *f, int lane, double limit, double *length)
{
  amo_lane *l = &f->lane[lane];
  const bool ends = !(*length > 0.0);  // NaN too
  double longest = fmax(ends ? 0.0 : *length, AMO_LAST_DIGITS * fabs(l->t));
  const int finite = common_order(f, lane), most = finite < MOST ? finite : MOST;
  int best = 0;
  amo_flow_place_point(f, lane);
  f->point->branch = NULL;  // a step may end at a switch: its rates beyond are the true ones
  if (most > 0) find_sizes(f, lane, most, limit);
  for (int order = 1; order <= most; order++) {
    const double h = find_length(f, lane, order, longest, limit);
    if (!(h > longest)) continue;
    longest = h;
    best = order;
  }
  if (best == 0 && ends && most > 0 && limit > longest) {  // a condition may end within the rounding of time
    best = 1;
    longest *= 2.0;
  }
  if (best == 0) return ends ? AMO_ENOANSWER : AMO_OK;
  keep_leading(f, lane, best);
  *length = longest;
  l->leading = true;
  return AMO_OK;
}

// ---- on the wrong side by rounding ----

double amo_first_rounding(const amo_lane *l)
{
  return DBL_EPSILON / 64.0 * fmax(fabs(l->t), fmax(l->h, l->pace));
}

bool amo_leading_nudge(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  double *y = f->leading, *rate = y + f->ns, dt = amo_first_rounding(l);
  amo_flow_place_point(f, lane);
  if (finite_rates(f, lane, l->t, l->y)) return false;
  f->point->branch = NULL;
  if (!finite_rates(f, lane, l->t, l->y)) return false;
  for (uint32_t i = 0; i < f->ns; i++) rate[i] = amo_point_rate(f->point, i);
  f->point->branch = l->branch;
  for (int k = 0; k < AMO_ROUNDINGS; k++, dt *= 2.0) {
    for (uint32_t i = 0; i < f->ns; i++) y[i] = l->y[i] + dt * rate[i];
    if (!finite_rates(f, lane, l->t + dt, y)) continue;
    memcpy(l->y, y, f->ns * sizeof *y);
    l->t += dt;
    return true;
  }
  return false;
}

/// The step of a lane ends at h, with the state on trial there: so do the powers by which it is sampled.
static void end_at(amo_flow *f, int lane, double h)
{
  amo_lane *l = &f->lane[lane];
  double power = 1.0;
  memcpy(l->y, f->leading, f->ns * sizeof *l->y);
  for (int k = 0; k <= f->P; k++, power *= h) f->power[(size_t)k * (size_t)f->W + (size_t)lane] = power;
  l->h = l->reached = h;
  l->t = l->start + h;
}

void amo_leading_draw_back(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  double *y = f->leading, dt = amo_first_rounding(l);
  amo_flow_place_point(f, lane);
  amo_flow_dense(f, lane, l->h, y);  // samples are taken so, which rounds differently
  if (finite_rates(f, lane, l->t, l->y) && finite_rates(f, lane, l->t, y)) return;
  for (; dt < 0.5 * l->h; dt *= 2.0) {
    amo_flow_dense(f, lane, l->h - dt, y);
    if (!finite_rates(f, lane, l->t - dt, y)) continue;
    end_at(f, lane, l->h - dt);
    return;
  }
}
