// SPDX-License-Identifier: Apache-2.0
// Decisions allow for rounding; the quantity behind the decision tells the limit more exactly.
#include <math.h>
#include <string.h>

#include "explore/limits/limits_impl.h"

/// The zero, next to `at`, of a quantity of a solution that exists on one side only (side = -1, +1).
static void extrapolate(search *s, double at, double side, double *best, double *zero)
{
  const amo_axis *axis = &s->p->axis[0];
  double h = side * 1e-7 * fmax(fabs(at), 1e-3 * s->range);
  if (at + 2.0 * h < axis->from || at + 2.0 * h > axis->to) return;
  sample a = amo_limits_look(s, at + h), b = amo_limits_look(s, at + 2.0 * h);
  if (strcmp(a.verdict, b.verdict) != 0) return;
  for (size_t w = 0; w < a.r.branches && w < b.r.branches; w++) {
    double f = a.r.branch[w], g = b.r.branch[w], z = a.x - f * (b.x - a.x) / (g - f);
    if (g == f || !(fabs(z - at) < fmin(*best, amo_limits_band(s, at)))) continue;
    *best = fabs(z - at);
    *zero = z;
  }
}

void amo_limits_polish(search *s, amo_limit *x)
{
  double h = amo_limits_band(s, x->at), best = INFINITY, at = x->at;
  double lo = fmax(x->at - h, s->p->axis[0].from), hi = fmin(x->at + h, s->p->axis[0].to);
  sample a = amo_limits_look(s, lo), b = amo_limits_look(s, hi);
  for (size_t w = 0; w < a.r.watched && w < b.r.watched; w++) {
    if (!amo_limits_crosses(amo_limits_watched(&a, w), amo_limits_watched(&b, w))) continue;
    sample z = amo_limits_zero(s, a, b, w);
    const double f = fabs(amo_limits_watched(&z, w));
    if (f > fabs(amo_limits_watched(&a, w)) && f > fabs(amo_limits_watched(&b, w))) continue;  // a pole
    if (fabs(z.x - x->at) < best) {
      best = fabs(z.x - x->at);
      at = z.x;
    }
  }
  if (best == INFINITY) {
    extrapolate(s, x->at, -1.0, &best, &at);
    extrapolate(s, x->at, 1.0, &best, &at);
  }
  if (fabs(at) < 1e-15 * s->range) at = 0.0;
  if (amo_limits_interrupted(s)) return;
  x->at = at;
  sample on = amo_limits_look(s, at);
  if (amo_limits_interrupted(s)) return;
  if (strcmp(x->from, x->to) == 0 && !strcmp(on.verdict, x->from)) return;  // a point that rounding hides
  x->on[0] = '\0';
  if (strcmp(on.verdict, x->from) != 0 && strcmp(on.verdict, x->to) != 0)
    memcpy(x->on, on.verdict, sizeof x->on);
}
