// SPDX-License-Identifier: Apache-2.0
#include "flow/defect.h"

#include <math.h>
#include <string.h>

#include "contact/balance_cache.h"
#include "flow/explained.h"
#include "expr/lanes.h"

/// The last term of a series is of the size of the tolerance, its derivative larger by the order.
static const double allowed = 10.0;
/// In half the step a true defect is smaller than by this, the lowest order included; rounding only by two.
static const double falls = 4.0;
enum { HALVINGS = 1100 };  // from the largest number to the smallest

bool amo_defect_matters(const amo_flow *f)
{
  const amo_model *m = f->m;
  if (f->is_trial || m->nxi > 0) return false;
  return amo_prog_multiplies(m->step) || (!m->plain && !amo_balance_cache_applies(m));
}

/// Derivative of a series of the lane, h after the start.
static double derivative(const amo_flow *f, const double *series, int lane, double h)
{
  const double *c = series + lane;
  double sum = 0.0;
  for (int k = f->P; k > 0; k--) sum = sum * h + k * c[(size_t)k * (size_t)f->W];
  return sum;
}

/// Largest difference of derivative and rate, h after the start, times h and relative to f->size, which a first look
/// measures: the size of the state, or where the rate takes it. What has no rate there is told by others.
static double defect(amo_flow *f, int lane, double h, bool first)
{
  const amo_model *m = f->m;
  const amo_lane *l = &f->lane[lane];
  amo_point *p = f->point;
  const bool here = first && f->W == 1 && isfinite(f->power[f->P]);  // powers are those of h
  amo_flow_place_point(f, lane);
  if (here)
    memcpy(f->within, f->ending, f->ns * sizeof *f->within);
  else
    amo_flow_dense(f, lane, h, f->within);
  if (amo_point_evaluate(p, l->t + h, f->within, l->mode) != AMO_OK) return 0.0;
  double worst = 0.0;
  for (uint32_t i = m->nq; i < f->ns - f->givens; i++) {
    const double rate = amo_point_rate(p, i);
    double slope;
    if (here)
      amo_lanes_slope(f->state[i], f->power, f->P, 1, &slope);
    else
      slope = derivative(f, f->state[i], lane, h);
    const double d = fabs(rate - slope) * h;
    if (first) f->size[i] = fmax(amo_flow_state_size(f, lane, i, h), fabs(rate) * h);
    if (d > 0.0) worst = amo_larger(worst, d / f->size[i]);
  }
  return worst;
}

static double allowed_defect(const amo_flow *f)
{
  return allowed * (f->P + 1) * f->opt.tol;
}

// ---- all lanes at once ----

void amo_defect_prepare(amo_flow *f)
{
  const amo_prog *p = f->m->step;
  const size_t W = (size_t)f->W;
  for (uint32_t r = 0; r < f->m->leaf.count; r++)
    for (size_t l = 0; l < W; l++) f->end[r * W + l] = amo_flow_series(f, 0, r)[l];
  if (W == 1)
    amo_prog_prepare1(p, f->end);
  else
    amo_prog_prepare8(p, f->end);
}

/// Registers at the ends of all lanes.
static void evaluate_ends(amo_flow *f, const double *h)
{
  const amo_model *m = f->m;
  const size_t W = (size_t)f->W;
  for (int k = 0; k < f->W; k++) f->end[m->leaf.t * W + (size_t)k] = f->lane[k].t + h[k];
  if (W == 1)
    amo_prog_eval1(m->step, f->end, f->branch);
  else
    amo_prog_eval8(m->step, f->end, f->branch);
}

void amo_defect_agrees(amo_flow *f, const double *h, bool *agrees)
{
  const amo_model *m = f->m;
  const double limit = allowed_defect(f);
  double slope[AMO_LANES];
  evaluate_ends(f, h);
  for (int k = 0; k < f->W; k++) agrees[k] = f->lane[k].stepping;
  for (uint32_t i = m->nq; i < f->ns; i++) {
    const double *rate = f->end + (size_t)amo_rate_register(m, i) * (size_t)f->W;
    amo_lanes_slope(f->state[i], f->power, f->P, f->W, slope);
    for (int k = 0; k < f->W; k++) {
      if (!agrees[k]) continue;
      const double size = fmax(amo_flow_state_size(f, k, i, h[k]), fabs(rate[k]) * h[k]);
      agrees[k] = fabs(rate[k] - slope[k]) * h[k] <= limit * size;
    }
  }
}

// ---- one lane ----

double amo_defect_length(amo_flow *f, int lane, double h)
{
  const double limit = allowed_defect(f);
  double now = defect(f, lane, h, true);
  for (int i = 0; i < HALVINGS && now > limit; i++) {
    const double half = defect(f, lane, 0.5 * h, false);
    if (half * falls > now) break;  // rounding, which no step makes smaller
    f->lane[lane].stats.rejected++;
    now = half;
    h *= 0.5;
  }
  return h;
}
