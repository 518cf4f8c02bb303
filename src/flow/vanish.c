// SPDX-License-Identifier: Apache-2.0
#include "flow/vanish.h"

#include <stdlib.h>
#include <string.h>

/// Steps add errors of this many tol at most (flow/explained.c); what is nearer to zero may be zero.
static const double near = 10.0;
enum { ITERATIONS = 4 };  // of Newton's method, on what is all but linear

struct amo_vanish {
  amo_broken *list;
  size_t count;
  double *y, *own;                // [ns] a state on trial; the lane's
  double *slope;                  // [ns] of the argument on trial by the states
  double *rate_there, *rate_off;  // [ns]
  signed char *branch;            // [nsw] the lane's
};

amo_status amo_vanish_new(const amo_flow *f, amo_arena *memory, struct amo_vanish **out)
{
  const size_t count = amo_prog_broken(f->m->step, NULL, 0);
  *out = NULL;
  if (count == 0) return AMO_OK;
  struct amo_vanish *v = *out = amo_arena_alloc(memory, sizeof *v);
  if (v == NULL) return AMO_ENOMEM;
  AMO_TAKE(memory, amo_broken, count, &v->list);
  AMO_TAKE(memory, double, f->ns, &v->y, &v->own, &v->slope, &v->rate_there, &v->rate_off);
  AMO_TAKE(memory, signed char, f->nsw, &v->branch);
  if (memory->failed) return AMO_ENOMEM;
  v->count = amo_prog_broken(f->m->step, v->list, count);
  return AMO_OK;
}

static double argument_at(amo_flow *f, const amo_lane *l, const double *y, uint32_t reg)
{
  amo_point_registers(f->point, l->t, y, l->mode);
  return f->point->reg[reg];
}

/// Slopes of the argument by the states, over their errors. The state that needs to change least, in units of its error, for it
/// to be zero; -1: none does with less than its error.
static long nearest_state(amo_flow *f, const amo_lane *l, uint32_t reg)
{
  struct amo_vanish *v = f->vanish;
  const double here = argument_at(f, l, v->own, reg);
  double least = 1.0;
  long best = -1;
  memcpy(v->y, v->own, f->ns * sizeof *v->y);
  for (uint32_t i = 0; i < f->ns; i++) {
    const double error = near * f->opt.tol * l->scale[i];
    v->slope[i] = 0.0;
    if (!(error > 0.0)) continue;
    v->y[i] = v->own[i] + error;
    const double change = argument_at(f, l, v->y, reg) - here, part = fabs(here / change);
    v->y[i] = v->own[i];
    if (isfinite(change)) v->slope[i] = change / error;
    if (!(part <= least)) continue;  // no for NaN
    least = part;
    best = (long)i;
  }
  return best;
}

/// Change state i until the argument is exactly zero; the state is v->y.
static bool find_zero(amo_flow *f, const amo_lane *l, uint32_t reg, long i)
{
  struct amo_vanish *v = f->vanish;
  memcpy(v->y, v->own, f->ns * sizeof *v->y);
  for (int k = 0; k < ITERATIONS; k++) {
    const double a = argument_at(f, l, v->y, reg);
    if (a == 0.0) return true;
    v->y[i] -= a / v->slope[i];
  }
  return argument_at(f, l, v->y, reg) == 0.0;
}

/// Rates by the actual signs.
static bool rates_at(amo_flow *f, int lane, const double *y, double *rate)
{
  double sum = 0.0;
  if (amo_point_evaluate(f->point, f->lane[lane].t, y, f->lane[lane].mode) != AMO_OK) return false;
  for (uint32_t i = 0; i < f->ns; i++) {
    rate[i] = amo_point_rate(f->point, i);
    sum += fabs(rate[i]);
  }
  return isfinite(sum);
}

/// Does the root drive its argument to zero from one side at least? Beside the zero it is what rates differ by most.
static bool tends_to_zero(amo_flow *f, int lane, long i)
{
  struct amo_vanish *v = f->vanish;
  const double at = v->y[i], error = near * f->opt.tol * f->lane[lane].scale[i];
  bool tends = false;
  f->point->branch = NULL;
  if (!rates_at(f, lane, v->y, v->rate_there)) return false;
  for (int side = -1; side <= 1 && !tends; side += 2) {
    v->y[i] = at + side * error;
    if (!rates_at(f, lane, v->y, v->rate_off)) continue;
    double along = 0.0;
    for (uint32_t k = 0; k < f->ns; k++) along += v->slope[k] * (v->rate_off[k] - v->rate_there[k]);
    tends = along * v->slope[i] * side < 0.0;
  }
  v->y[i] = at;
  return tends;
}

static bool series_is_zero(const amo_flow *f, int lane, uint32_t reg)
{
  const double *a = amo_flow_series(f, lane, reg);
  for (int k = 0; k < f->P; k++)
    if (a[(size_t)k * (size_t)f->W] != 0.0) return false;  // NaN too
  return true;
}

/// What decides by the sign of something that is exactly zero now decides by its zero.
static void take_branches(amo_flow *f, amo_lane *l)
{
  f->point->branch = NULL;
  amo_point_registers(f->point, l->t, l->y, l->mode);
  for (uint32_t i = 0; i < f->nsw; i++)
    if (amo_prog_switch_kind(f->m->step, i) == AMO_SWITCH_CHOICE &&
        f->point->reg[amo_prog_switch_register(f->m->step, i)] == 0.0)
      l->branch[i] = 0;
}

/// Does the argument stay at zero? Otherwise everything is as before.
static bool stays(amo_flow *f, int lane, uint32_t reg)
{
  struct amo_vanish *v = f->vanish;
  amo_lane *l = &f->lane[lane];
  memcpy(v->branch, l->branch, f->nsw);
  memcpy(l->y, v->y, f->ns * sizeof *v->y);
  take_branches(f, l);
  amo_flow_expand(f);
  bool finite = true;
  for (uint32_t i = 0; i < f->ns && finite; i++)
    for (int k = 0; k <= f->P && finite; k++)
      finite = isfinite(f->state[i][(size_t)k * (size_t)f->W + (size_t)lane]);
  if (finite && series_is_zero(f, lane, reg)) return true;
  memcpy(l->branch, v->branch, f->nsw);
  memcpy(l->y, v->own, f->ns * sizeof *v->own);
  amo_flow_expand(f);
  return false;
}

bool amo_vanish_settle(amo_flow *f, int lane)
{
  struct amo_vanish *v = f->vanish;
  amo_lane *l = &f->lane[lane];
  amo_flow_place_point(f, lane);
  memcpy(v->own, l->y, f->ns * sizeof *l->y);
  for (size_t k = 0; k < v->count; k++) {
    const amo_broken *b = &v->list[k];
    const double r = b->exponent == AMO_NO_EXPONENT ? 0.5 : *amo_flow_series(f, lane, b->exponent);
    if (!(r > 0.0 && r < 1.0) || *amo_flow_series(f, lane, b->argument) == 0.0) continue;
    f->point->branch = l->branch;
    const long i = nearest_state(f, l, b->argument);
    if (i < 0 || !find_zero(f, l, b->argument, i) || !tends_to_zero(f, lane, i)) continue;
    if (stays(f, lane, b->argument)) return true;
  }
  return false;
}

bool amo_vanish_ahead(const amo_flow *f, int lane, double h)
{
  const struct amo_vanish *v = f->vanish;
  for (size_t k = 0; k < v->count; k++) {
    const double *a = amo_flow_series(f, lane, v->list[k].argument);
    if (*a > 0.0 && !(*a + a[f->W] * h > 0.0)) return true;
  }
  return false;
}

bool amo_vanish_within(const amo_flow *f, int lane, double h)
{
  const struct amo_vanish *v = f->vanish;
  for (size_t k = 0; v != NULL && k < v->count; k++) {
    const double *a = amo_flow_series(f, lane, v->list[k].argument);
    double p[AMO_POLY_MAX], power = 1.0, size = 0.0;
    for (int j = 0; j <= f->P; j++, power *= h) p[j] = a[(size_t)j * (size_t)f->W] * power;
    for (int j = 0; j <= f->P; j++) size = fmax(size, fabs(p[j]));
    p[0] -= 1e-3 * size;
    if (*a > 0.0 && amo_poly_first_exit(p, f->P) <= 1.0) return true;
  }
  return false;
}

bool amo_vanish_leaves(const amo_flow *f, int lane, double h)
{
  const struct amo_vanish *v = f->vanish;
  for (size_t k = 0; k < v->count; k++) {
    const double *a = amo_flow_series(f, lane, v->list[k].argument);
    const double end = amo_poly_value(a, (size_t)f->W, f->P, h);
    if (*a >= 0.0 && !(end > 1e-3 * *a) && (*a > 0.0 || end != 0.0))
      return true;  // the end is rounded otherwise
  }
  return false;
}

uint32_t amo_vanish_argument(const struct amo_vanish *v, uint32_t result)
{
  size_t k = 0;
  while (k < v->count && v->list[k].result != result) k++;
  return k < v->count ? v->list[k].argument : AMO_NO_REGISTER;
}
