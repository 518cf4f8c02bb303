// SPDX-License-Identifier: Apache-2.0
/// When does the present mode end? Every condition that holds the mode together is a power series that
/// must stay positive: slip along its sign, the two margins of a sticking contact, the sign of each switch.
#include <float.h>
#include <math.h>

#include "expr/bounds.h"
#include "flow/flow.h"
#include "expr/lanes.h"
#include "flow/promise.h"
#include "flow/rk8.h"
#include "flow/vanish.h"

static double largest_from(const amo_promise *g, int first)
{
  double x = 0.0;
  for (int k = first; k <= g->degree; k++) x = fabs(g->a[k]) > x ? fabs(g->a[k]) : x;
  return x;
}

/// Drop the first `n` coefficients of a condition that starts exactly at its limit (they are zero up to rounding), then any that do not count against
/// the rest; what remains has the sign of the condition right after the start.
static void strip(amo_promise *g, int n, double none)
{
  double rest = largest_from(g, n);
  while (n < g->degree && fabs(g->a[n]) <= none * rest) n++;
  for (int k = n; k <= g->degree; k++) g->a[k - n] = g->a[k];
  g->degree -= n;
}

static double exit_time(amo_promise *g, double h)
{
  if (g->a[0] == 0.0 && g->degree == 0) return INFINITY;  // identically at the limit: nothing happens
  double x = amo_poly_first_exit(g->a, g->degree);
  return x > 1.0 ? INFINITY : x * h;
}

/// Does a condition that holds at both ends come as near to zero as its error in between?
static bool dips(amo_promise *g, double end, double error)
{
  if (!(g->a[0] > 2.0 * error && end > 2.0 * error)) return false;
  g->a[0] -= error;
  return amo_poly_first_exit(g->a, g->degree) <= 1.0;
}

/// A little more than the step, for conditions that dip near its end.
static const double more_than_step = AMO_LANES_BEYOND;

/// Does a condition of this size that is a register surely hold for a little more than the step, by more than it is known? Most do in
/// most steps, and a look at the terms that lead down is enough.
static bool keeps_far(const amo_flow *f, int lane, uint32_t reg, int side, double size)
{
  if (amo_prog_is_fixed(f->m->step, reg)) return false;
  const double *a = amo_flow_series(f, lane, reg);
  return amo_lanes_least(a, f->power + lane, f->P, f->W, side) > 2.0 * amo_flow_resolution(f) * size;
}

/// Does a condition surely stay above a margin on a little more than the step? By nested multiplication.
static bool keeps_clear(const amo_promise *g, double margin)
{
  double low = g->a[g->degree];
  for (int k = g->degree - 1; k >= 0; k--) low = g->a[k] + (low < 0.0 ? more_than_step * low : 0.0);
  return low > margin;
}

/// When does a condition end that is known to `error` only? What dips below zero by no more than that and turns has touched
/// its limit: it goes on, whatever the rounding of the dip. A little more than the step is looked at, so that
/// the end of a step in a dip changes nothing.
static double crossing_time(amo_lane *l, amo_promise *g, double h, double error)
{
  const double more = more_than_step;
  if (keeps_clear(g, 2.0 * error)) return INFINITY;
  amo_poly_scale(g->a, g->degree, more);
  g->a[0] += error;
  double x = amo_poly_first_exit(g->a, g->degree);
  g->a[0] -= error;
  const double end = amo_poly_value(g->a, 1, g->degree, 1.0);
  if (x > 1.0 && end > 0.0) {
    l->touched |= dips(g, end, error);
    return INFINITY;
  }
  x = more * amo_poly_last_exit(g->a, g->degree, fmin(x, 1.0));
  return x > 1.0 ? INFINITY : x * h;
}

/// Registers s after the start of the step.
static double *registers_at(const amo_flow *f, int lane, double s)
{
  const amo_lane *l = &f->lane[lane];
  amo_flow_place_point(f, lane);
  amo_flow_dense(f, lane, s, f->within);
  amo_point_registers(f->point, l->t + s, f->within, l->mode);
  return f->point->reg;
}

/// Does contact c hold more at rest than friction takes there, s after the start of the step?
static bool holds_more(const amo_flow *f, int lane, uint32_t c, double s)
{
  const amo_contact *k = &f->m->contact[c];
  const double *reg = registers_at(f, lane, s), bound = reg[amo_bound_register(k)];
  return bound - reg[amo_kinetic_register(k)] > AMO_SAME * bound;
}

/// Slip, or the margin of stick, of a size: where friction jumps at rest a slip that comes to zero stays there, and a contact
/// that reaches its limit leaves it, however shallow the dip; without such a jump it only touches.
static double friction_crossing(const amo_flow *f, int lane, uint32_t c, amo_promise *g, double h,
                                double size)
{
  const double error = amo_flow_resolution(f) * size;
  if (keeps_clear(g, 2.0 * error)) return INFINITY;
  const double x = amo_poly_first_exit(g->a, g->degree);
  if (x <= 1.0) {
    const double slope = amo_poly_slope(g->a, 1, g->degree, x);
    const double beyond = x + 2.0 * error / fmax(-slope, 1e-300);  // goes straight on to more than a touch?
    if (beyond <= 1.0 && amo_poly_value(g->a, 1, g->degree, beyond) <= -error) return x * h;
    if (holds_more(f, lane, c, x * h)) return x * h;
  }
  return crossing_time(&f->lane[lane], g, h, error);
}

static double slip_exit(const amo_flow *f, int lane, const amo_condition *x, double h)
{
  const uint32_t c = x->index;
  const amo_lane *l = &f->lane[lane];
  const amo_watch *w = &f->watch[c];
  if (!l->fresh[c] && keeps_far(f, lane, f->m->contact[c].r_slip, x->side, l->condition_scale[c]))
    return INFINITY;
  amo_promise g = amo_promise_of(f, lane, x);
  // left its stick without a drop of force: the slip then starts with t^2
  bool no_kick = fabs(w->slip_fixed ? 0.0 : w->slip[(size_t)f->W + (size_t)lane]) <= l->release_scale[c];
  amo_poly_scale(g.a, g.degree, h);
  // a spatial slip begins along its own acceleration: one that seems to be against it, or hardly counts, is rounding
  if (amo_turns(&f->m->contact[c])) no_kick |= g.a[1] <= AMO_SAME * largest_from(&g, 2);
  // decided once more at the same instant: what seems to be against it is the rounding of that decision
  if (l->stalled > 1) no_kick |= g.a[1] < 0.0 && -g.a[1] <= AMO_SAME * largest_from(&g, 2);
  if (!l->fresh[c]) return friction_crossing(f, lane, c, &g, h, l->condition_scale[c]);
  strip(&g, no_kick ? 2 : 1, amo_lane_rounding(l, h));
  return exit_time(&g, h);
}

/// Is a margin of stick zero, as far as forces at a rounded time are known?
static bool is_rounding(const amo_flow *f, int lane, double margin, double bound)
{
  const amo_lane *l = &f->lane[lane];
  return fabs(margin) <= 10.0 * amo_lane_rounding(l, l->trial) * bound;
}

/// The same of one direction. What is left counts only if the decision would see a slip in it: a contact sent there and back
/// would not get away from this instant.
static bool is_at_limit(const amo_flow *f, int lane, double margin, double bound)
{
  if (margin > 0.0) return margin <= 0.5 * amo_flow_slack(f, &f->lane[lane]) * bound;
  return is_rounding(f, lane, margin, bound);
}

/// How much a condition changes over the step, whatever part of it is looked at. Not scaled yet.
static double change_over_step(const amo_lane *l, const amo_promise *g)
{
  double most = 0.0, power = l->trial;
  for (int k = 1; k <= g->degree; k++, power *= l->trial) most = amo_larger(most, fabs(g->a[k]) * power);
  return most;
}

/// What the margin of a contact without friction is measured against, now or (a bound that begins at zero) for this moment:
/// what it changes by, or the loads of its block.
static double size_without_bound(const amo_flow *f, int lane, uint32_t c, const amo_promise *g)
{
  const double change = 1e-2 * change_over_step(&f->lane[lane], g);
  if (f->series != NULL || f->lane[lane].interpolated) return change;
  const amo_span values = {f->jet + lane, amo_flow_item(f), (size_t)f->W};
  return fmax(change, amo_balance_force_size(f->balance[lane], values, NULL, c));
}

bool amo_flow_is_idle(const amo_flow *f, int lane, uint32_t c)
{
  const amo_contact *k = &f->m->contact[c];
  const amo_lane *l = &f->lane[lane];
  if (k->r_side == AMO_NO_REGISTER || l->mode[c] != 0 || f->series != NULL || l->interpolated) return false;
  const amo_span values = {f->jet + lane, amo_flow_item(f), (size_t)f->W};
  const double *x = amo_turns(k) ? f->traction + k->xi * amo_flow_item(f) : f->watch[c].stick;
  const double none = AMO_ROUNDED * amo_balance_force_size(f->balance[lane], values, NULL, c);
  for (size_t a = 0; a < amo_slip_rows(k); a++, x += amo_flow_item(f)) {
    double power = 1.0;
    for (size_t i = 0; i < (size_t)f->P; i++, power *= l->pace)
      if (fabs(x[i * (size_t)f->W + (size_t)lane]) * power > none) return false;
  }
  return true;
}

/// Does the margin of a sticking contact whose bound is a register surely stay away from its limit, as keeps_far?
static bool margin_keeps_far(const amo_flow *f, int lane, uint32_t c, int side)
{
  const amo_watch *w = &f->watch[c];
  const amo_lane *l = &f->lane[lane];
  double reach, low = w->bound[lane];
  if (amo_has_gap(&f->m->contact[c]) || l->reaction_fresh[c] || amo_flow_carried(f, lane, c, &reach))
    return false;
  const double none = fmax(2.0 * amo_flow_resolution(f), amo_flow_slack(f, l)) * low;
  if (w->stick_fixed) return false;
  if (!w->bound_fixed) low = amo_lanes_least(w->bound + lane, f->power + lane, f->P - 1, f->W, 1.0);
  low += amo_lanes_least(w->stick + lane, f->power + lane, f->P - 1, f->W, -side);
  return low > none && none > 0.0;
}

/// Margin bound - side*lambda of a sticking contact.
static double margin_exit(const amo_flow *f, int lane, uint32_t c, int side, double h)
{
  const amo_condition x = {.what = AMO_IS_MARGIN, .index = c, .side = (signed char)side};
  double bound = amo_promise_bound(f, lane, c), reach;
  if (margin_keeps_far(f, lane, c, side)) return INFINITY;
  amo_promise g = amo_promise_of(f, lane, &x);
  if (amo_flow_carried(f, lane, c, &reach))
    bound = amo_larger(bound, reach);  // forces are rounded by what is shared
  if (!(bound > 0.0) || f->lane[lane].reaction_fresh[c])
    bound = amo_larger(bound, size_without_bound(f, lane, c, &g));
  amo_poly_scale(g.a, g.degree, h);
  if (!is_at_limit(f, lane, g.a[0], bound)) {
    // leave a rounding later, not earlier: the friction of slip must not push the contact back
    g.a[0] += AMO_ROUNDED * bound;
    return friction_crossing(f, lane, c, &g, h, bound);
  }
  if (largest_from(&g, 1) <= AMO_CANCELLED * bound) return INFINITY;  // stays at the limit: holds
  // what has no mass comes to rest as its load turns: its margin begins with t^2
  const bool turns = amo_is_massless(&f->m->contact[c]) && fabs(g.a[1]) <= AMO_SAME * largest_from(&g, 2);
  strip(&g, turns ? 2 : 1, amo_lane_rounding(&f->lane[lane], h));
  return exit_time(&g, h);
}

/// Margin bound^2 - |lambda|^2 of a sticking spatial contact.
static double cone_exit(const amo_flow *f, int lane, const amo_condition *x, double h)
{
  const uint32_t c = x->index;
  if (amo_flow_is_idle(f, lane, c)) return INFINITY;
  amo_promise g = amo_promise_of(f, lane, x);
  const double bound = amo_promise_bound(f, lane, c) * amo_promise_bound(f, lane, c);
  amo_poly_scale(g.a, g.degree, h);
  double reach;  // a share is made anew until there is none: what is left of it counts
  const bool shared = amo_flow_carried(f, lane, c, &reach) && g.a[0] > AMO_NOTHING * bound;
  if (shared || !is_rounding(f, lane, g.a[0], bound)) {
    g.a[0] += AMO_ROUNDED * bound;
    return crossing_time(&f->lane[lane], &g, h, amo_flow_resolution(f) * bound);
  }
  if (largest_from(&g, 1) <= AMO_CANCELLED * bound) return INFINITY;  // stays at the limit: holds
  strip(&g, 1, amo_lane_rounding(&f->lane[lane], h));
  return exit_time(&g, h);
}

/// Does something else than its friction hold or drive this sticking contact?
static bool is_driven(const amo_flow *f, int lane, uint32_t c)
{
  if (amo_is_loose(&f->m->contact[c])) return true;
  return f->lane[lane].mode[c] == 0 && amo_flow_hold(f, lane, c) != AMO_HELD_BY_FRICTION;
}

/// What the velocities that make up the slip of contact c could do in a step, moving or accelerated, if from nothing.
static double reach_of_slip(const amo_flow *f, int lane, uint32_t c, double h)
{
  const amo_contact *k = &f->m->contact[c];
  const amo_lane *l = &f->lane[lane];
  double size = l->condition_scale[c];
  for (uint32_t e = 0; e < k->nw; e++) {
    amo_promise u = {.degree = f->P};
    amo_promise_read(&u, f, amo_flow_series(f, 0, f->m->leaf.u + k->w[e].col), lane, false, 1.0);
    amo_poly_scale(u.a, u.degree, h);
    const double moves = fmax(l->scale[f->m->nq + k->w[e].col], largest_from(&u, 1));
    size = amo_larger(size, fabs(amo_flow_series(f, lane, k->w[e].reg)[0]) * moves);
  }
  return size;
}

/// A contact that others hold, or drive, rests only while its slip stays zero. Does it not? *to: the way it goes.
static bool is_driven_off(const amo_flow *f, int lane, uint32_t c, double h, signed char *to)
{
  const amo_lane *l = &f->lane[lane];
  if (!is_driven(f, lane, c)) return false;
  amo_promise g = amo_promise_of(f, lane, &(amo_condition){.what = AMO_IS_SLIP, .index = c, .side = 1});
  amo_poly_scale(g.a, g.degree, h);
  const double none = f->m->contact[c].nw == 0 ? AMO_ROUNDED : amo_lane_rounding(l, l->trial);
  if (largest_from(&g, 1) <= none * reach_of_slip(f, lane, c, h)) return false;
  strip(&g, 1, amo_lane_rounding(l, h));
  *to = g.a[0] > 0.0 ? 1 : -1;
  return true;
}

static double stick_exit(const amo_flow *f, int lane, uint32_t c, double h, signed char *to)
{
  int side;
  if (amo_flow_is_idle(f, lane, c)) return INFINITY;
  const long leader = amo_flow_leader(f, lane, c, &side);
  const bool follows = leader >= 0 && leader != (long)c;  // goes with the other
  double up = follows && side > 0 ? INFINITY : margin_exit(f, lane, c, 1, h);
  double down = follows && side < 0 ? INFINITY : margin_exit(f, lane, c, -1, h);
  *to = up <= down ? -1 : 1;
  if (fabs(up - down) <= AMO_SAME * f->lane[lane].trial) *to = 0;  // there is nothing left to hold with
  return fmin(up, down);
}

/// A support that rebounds: its gap begins with a speed, however small, and a short flight is looked at closely.
static double rebound_exit(const amo_flow *f, int lane, const amo_condition *x, double h)
{
  amo_promise g = amo_promise_of(f, lane, x);
  const double flight = g.a[2] < 0.0 ? -g.a[1] / g.a[2] : h;
  for (double reach = fmin(8.0 * flight, h);; reach = h) {
    g = amo_promise_of(f, lane, x);
    amo_poly_scale(g.a, g.degree, reach);
    for (int k = 1; k <= g.degree; k++) g.a[k - 1] = g.a[k];
    g.degree--;
    const double at = exit_time(&g, reach);
    if (at <= reach || !(reach < h)) return at;
  }
}

static bool is_within(const amo_flow *f, int lane, uint32_t c)
{
  return amo_is_within(&f->m->contact[c], f->jet + lane, amo_flow_item(f));
}

/// The gap of an open support stays positive. Beyond its ends it may be anything; what is under it comes to be above it where
/// its gap, which is followed with the other sign, is zero.
static double gap_exit(const amo_flow *f, int lane, amo_condition *x, double h)
{
  const uint32_t c = x->index;
  const double error = amo_flow_resolution(f) * f->lane[lane].gap_scale[c];
  if (!is_within(f, lane, c)) return INFINITY;
  if (f->lane[lane].gap_zeros[c] == 0 &&
      keeps_far(f, lane, f->m->contact[c].r_gap, x->side, f->lane[lane].gap_scale[c]))
    return INFINITY;
  if (f->lane[lane].gap_zeros[c] == 1) return rebound_exit(f, lane, x, h);
  amo_promise g = amo_promise_of(f, lane, x);
  amo_poly_scale(g.a, g.degree, h);
  if (f->lane[lane].gap_zeros[c] == 0) {
    if (amo_has_ends(&f->m->contact[c]) && g.a[0] < -error) x->side = -1;
    for (int k = 0; x->side < 0 && k <= g.degree; k++) g.a[k] = -g.a[k];
    return crossing_time(&f->lane[lane], &g, h, error);
  }
  strip(&g, f->lane[lane].gap_zeros[c], amo_lane_rounding(&f->lane[lane], h));
  return exit_time(&g, h);
}

/// Is the reaction over the whole step no more than rounding of the loads of its block? Then it has no sign.
static bool is_nothing(const amo_flow *f, int lane, const amo_condition *x)
{
  const amo_lane *l = &f->lane[lane];
  if (l->interpolated) return false;
  amo_promise g = amo_promise_of(f, lane, x);
  amo_poly_scale(g.a, g.degree, l->trial);
  const amo_span values = {f->jet + lane, amo_flow_item(f), (size_t)f->W};
  return largest_from(&g, 0) <=
         amo_value_rounding(l, l->trial) * amo_balance_force_size(f->balance[lane], values, NULL, x->index);
}

/// The reaction of a slipping guide keeps its sign; it belongs to the mode. That of a support is positive.
static double reaction_exit(const amo_flow *f, int lane, const amo_condition *x, double h)
{
  const amo_lane *l = &f->lane[lane];
  amo_promise g = amo_promise_of(f, lane, x);
  amo_poly_scale(g.a, g.degree, h);
  if (largest_from(&g, 0) == 0.0) return INFINITY;  // touches without load, others carry it
  if (l->reaction_fresh[x->index]) strip(&g, 1, amo_lane_rounding(l, h));
  const double at = exit_time(&g, h);
  return at <= h && is_nothing(f, lane, x) ? INFINITY : at;
}

/// The reaction that presses a joint turns about where its size passes zero: the friction then has another slope.
static double pressing_exit(const amo_flow *f, int lane, const amo_condition *x, double h)
{
  amo_promise g = amo_promise_of(f, lane, x);
  amo_poly_scale(g.a, g.degree, h);
  if (largest_from(&g, 0) == 0.0) return INFINITY;
  strip(&g, 0, 0.0);  // it may begin with zero
  return exit_time(&g, h);
}

static const double *switch_series(const amo_flow *f, uint32_t i)
{
  return amo_flow_series(f, 0, amo_prog_switch_register(f->m->step, i));
}

/// Is the argument of a root next to zero after s? Where its root merely seems to be, the series of the root has no say there: it
/// begins beside a simple zero, in a step that is longer than it reaches.
static bool argument_vanishes(const amo_flow *f, int lane, uint32_t i, double s)
{
  if (f->vanish == NULL) return true;  // a trial
  const double root = f->lane[lane].condition_scale[f->m->nc + i];
  const uint32_t reg = amo_vanish_argument(f->vanish, amo_prog_switch_register(f->m->step, i));
  const double a = amo_poly_value(amo_flow_series(f, lane, reg), (size_t)f->W, f->P, s);
  return fabs(a) <= AMO_NOTHING * root * root;
}

/// A square root whose argument touches zero and turns: its series goes on to negative values, the root itself turns. The
/// step ends a little after that, where the argument is more than its rounding again.
static double fold_exit(const amo_flow *f, int lane, uint32_t i, amo_promise *g, double h)
{
  if (f->lane[lane].leading || !amo_flow_may_fold(f, lane, i)) return INFINITY;
  g->a[0] += amo_fold_margin * f->lane[lane].condition_scale[f->m->nc + i];
  const double at = exit_time(g, h);
  return at <= h && argument_vanishes(f, lane, i, at) ? at : INFINITY;
}

bool amo_flow_may_fold(const amo_flow *f, int lane, uint32_t i)
{
  const double *r = switch_series(f, i) + lane;
  const size_t W = (size_t)f->W;
  if (!(r[0] > 0.0)) return false;  // begins at its zero, or is not defined and not chosen
  return r[0] > 0.01 * f->lane[lane].condition_scale[f->m->nc + i] ||
         fabs(r[2 * W]) * r[0] < 0.1 * r[W] * r[W];
}

/// What errors of the states make of the argument of a switch, s after the start of the step: nothing of one that hangs on
/// time alone, however large it was before.
static double inherited_error(const amo_flow *f, int lane, uint32_t i, double s)
{
  const amo_model *m = f->m;
  const amo_lane *l = &f->lane[lane];
  const double *reg = registers_at(f, lane, s);
  for (uint32_t k = 0; k < m->leaf.count; k++) f->error[k] = 0.0;
  for (uint32_t k = 0; k < f->ns; k++) f->error[amo_state_leaf(m, k)] = amo_flow_resolution(f) * l->scale[k];
  f->error[m->leaf.t] = DBL_EPSILON * fabs(l->t);
  amo_bound_prepare1(m->step, reg, f->error);
  amo_bound1(m->step, reg, f->error);
  return f->error[amo_prog_switch_register(m->step, i)];
}

/// How well is the argument of a switch known that is g over the step? Its size says so only of the series; where that
/// passes zero it is asked for more: what looks like a touch beside values that were large may be a whole pulse.
static double switch_error(const amo_flow *f, int lane, uint32_t i, const amo_promise *g, double h)
{
  const double most = amo_flow_resolution(f) * f->lane[lane].condition_scale[f->m->nc + i];
  const double x = amo_poly_first_exit(g->a, g->degree);
  if (!(x <= 1.0) || f->lane[lane].interpolated) return most;
  const double rest = 10.0 * (fabs(g->a[g->degree]) + fabs(g->a[g->degree - 1]));
  return fmin(most, rest + inherited_error(f, lane, i, x * h));
}

static double switch_exit(const amo_flow *f, int lane, uint32_t i, double h)
{
  const amo_lane *l = &f->lane[lane];
  if (isnan(switch_series(f, i)[lane]))
    return INFINITY;  // not in use: if it were, the rates would be undefined too
  const bool plain = amo_prog_switch_kind(f->m->step, i) != AMO_SWITCH_FOLD && !l->switch_fresh[i];
  if (plain && l->branch[i] != 0 &&
      keeps_far(f, lane, amo_prog_switch_register(f->m->step, i), l->branch[i],
                l->condition_scale[f->m->nc + i]))
    return INFINITY;
  const amo_condition x = {.what = AMO_IS_SWITCH, .index = i, .side = l->branch[i] == 0 ? 1 : l->branch[i]};
  amo_promise g = amo_promise_of(f, lane, &x);
  amo_poly_scale(g.a, g.degree, h);
  if (amo_prog_switch_kind(f->m->step, i) == AMO_SWITCH_FOLD) return fold_exit(f, lane, i, &g, h);
  if (l->branch[i] == 0) return largest_from(&g, 0) == 0.0 ? INFINITY : 0.0;
  if (!l->switch_fresh[i]) return crossing_time(&f->lane[lane], &g, h, switch_error(f, lane, i, &g, h));
  if (largest_from(&g, 1) == 0.0) return INFINITY;
  strip(&g, 1, amo_lane_rounding(l, h));
  return exit_time(&g, h);
}

// ---- the earliest of all ----

/// Keep the earliest; what happens within rounding of it happens together.
static void note(amo_lane *l, double *best, double window, double at, amo_condition hit)
{
  if (!(at <= *best + (l->hits > 0 ? window : 0.0))) return;
  if (at < *best - window) l->hits = 0;
  *best = l->hits == 0 ? at : fmin(*best, at);
  l->hit[l->hits++] = hit;
}

/// When a condition ends. Those of stick come in pairs, one for each side: the first speaks for both, and says where to.
static double exit_of(const amo_flow *f, int lane, amo_condition *x, double h)
{
  const uint32_t c = x->index;
  switch (x->what) {
    case AMO_IS_SLIP:
      if (f->lane[lane].mode[c] != 0) return slip_exit(f, lane, x, h);
      return x->side < 0 && is_driven_off(f, lane, c, h, &x->to) ? 0.0 : INFINITY;
    case AMO_IS_MARGIN: return x->side > 0 ? stick_exit(f, lane, c, h, &x->to) : INFINITY;
    case AMO_IS_CONE: return cone_exit(f, lane, x, h);
    case AMO_IS_REACTION: return reaction_exit(f, lane, x, h);
    case AMO_IS_GAP: return gap_exit(f, lane, x, h);
    case AMO_IS_PRESSING: return pressing_exit(f, lane, x, h);
    default: return switch_exit(f, lane, c, h);
  }
}

static double search(amo_flow *f, int lane, double h)
{
  const amo_model *m = f->m;
  amo_lane *l = &f->lane[lane];
  double best = h, window = AMO_CANCELLED * h + AMO_LAST_DIGITS * fabs(l->t);
  l->hits = 0;
  l->touched = false;
  for (uint32_t c = 0; c < m->nc; c++) {
    amo_condition list[AMO_MOST_CONDITIONS];
    l->condition_scale[c] = amo_larger(l->condition_scale[c], fabs(f->watch[c].slip[lane]));
    double reach = l->hits > 0 ? fmin(best + window, h) : best;
    if (reach <= 0.0) reach = window > 0.0 ? window : h;
    const amo_hold hold = l->mode[c] == 0 ? amo_flow_hold(f, lane, c) : AMO_HELD_BY_FRICTION;
    const int n = amo_conditions(&m->contact[c], c, l->mode[c], l->reaction_sign[c], hold, list);
    for (int i = 0; i < n; i++) {
      const double at = exit_of(f, lane, &list[i], reach);
      note(l, &best, window, at, list[i]);
    }
  }
  for (uint32_t i = 0; i < f->nsw; i++) {
    double reach = l->hits > 0 ? fmin(best + window, h) : best;
    if (!(best > 0.0)) reach = h;
    amo_condition x = {.what = AMO_IS_SWITCH, .index = i};
    note(l, &best, window, exit_of(f, lane, &x, reach), x);
  }
  return best;
}

/// The condition of a hit s after the start of the step, by the state there: positive while it holds.
static double condition_at(amo_flow *f, int lane, const amo_condition *hit, double s)
{
  const amo_lane *l = &f->lane[lane];
  if (l->interpolated) return amo_rk8_condition(f->rk8, f, lane, hit, s);
  (void)registers_at(f, lane, s);  // the state, into f->within
  if (amo_point_evaluate(f->point, l->t + s, f->within, l->mode) != AMO_OK) return NAN;
  const double bound = amo_point_bound(f->point, hit->index);
  return amo_condition_value(f->point, hit) + AMO_ROUNDED * bound * bound;
}

/// The time at which the condition of a hit really ends, near `found`: by the motion itself, not by the polynomial of the condition.
static double polish(amo_flow *f, int lane, const amo_condition *hit, double found)
{
  const double length = f->lane[lane].trial, step = 1e-5 * length;
  double a = fmax(found - step, 0.0), b = found, ga = condition_at(f, lane, hit, a);
  for (int i = 0; i < 8 && b != a; i++) {  // secant
    const double gb = condition_at(f, lane, hit, b), slope = (gb - ga) / (b - a), next = b - gb / slope;
    if (!(slope < 0.0) || gb == 0.0) break;
    if (!(fabs(next - found) < step)) return found;
    a = b;
    ga = gb;
    b = next;
    if (fabs(b - a) <= AMO_LAST_DIGITS * length) break;
  }
  return b;
}

/// Roots are found to rounding of the interval; an early one in a long step is looked for again in a short one.
double amo_flow_first_event(amo_flow *f, int lane, double h)
{
  double found = search(f, lane, h);
  for (int i = 0; i < 60 && found > 0.0 && found < 0.02 * h; i++) {
    h = 8.0 * found;
    found = search(f, lane, h);
  }
  amo_lane *l = &f->lane[lane];
  // a polynomial of the second stepper, or of squares: less exact than the motion
  const bool rough = (l->interpolated && !l->implicit) || (l->hits > 0 && l->hit[0].what == AMO_IS_CONE);
  return rough && l->hits == 1 && found > 0.0 ? polish(f, lane, l->hit, found) : found;
}

void amo_flow_watch_masses(amo_flow *f, int lane)
{
  const amo_model *m = f->m;
  amo_lane *l = &f->lane[lane];
  for (uint32_t e = 0; e < m->nmass && !l->interpolated; e++) {
    if (m->mass[e].row != m->mass[e].col || amo_prog_is_fixed(m->step, m->mass[e].reg)) continue;
    amo_promise g = {.degree = f->P - 1};
    amo_promise_read(&g, f, amo_flow_series(f, 0, m->mass[e].reg), lane, false, 1.0);
    amo_poly_scale(g.a, g.degree, l->trial);
    double at = exit_time(&g, l->trial);
    if (!(at <= l->trial)) continue;
    l->trial = at;
    l->doomed = (long)m->mass[e].row;
  }
}
