// SPDX-License-Identifier: Apache-2.0
/// A spatial contact that touches without force may begin to slip in any direction d in which the friction that
/// arises is opposite to it: speed*force.d + force0 + mu (normal0 + speed normal.d) d = 0. Without the speed,
///   h(angle) = X(d) (e.force0) - (d.force0 + mu normal0) (e.force.d) = 0,   e = d turned by 90 degrees,
/// a trigonometric polynomial of degree 3: at most six zeros.
#include <math.h>

#include "quasistatic/rate.h"

enum { SAMPLES = 1440 };

static double h(const amo_slip_response *r, double angle)
{
  const double d[2] = {cos(angle), sin(angle)}, e[2] = {-d[1], d[0]};
  double across = e[0] * r->force0[0] + e[1] * r->force0[1];
  double along = d[0] * r->force0[0] + d[1] * r->force0[1] + r->mu * r->normal0;
  return amo_slip_along(r, d) * across - along * amo_slip_across(r, d);
}

static double bisect(const amo_slip_response *r, double a, double b)
{
  double fa = h(r, a);
  for (int i = 0; i < 200; i++) {
    double x = 0.5 * (a + b), f = h(r, x);
    if (x <= a || x >= b) break;
    if ((f < 0.0) == (fa < 0.0))
      a = x, fa = f;
    else
      b = x;
  }
  return 0.5 * (a + b);
}

/// |h| has a least value between a and b, where the signs agree: does it pass zero in between? Then *at is beyond.
static bool dips(const amo_slip_response *r, double a, double b, double *at)
{
  const double golden = 0.38196601125010515, fa = h(r, a);
  for (int i = 0; i < 60; i++) {
    double x = a + golden * (b - a), y = b - golden * (b - a), fx = h(r, x), fy = h(r, y);
    if ((fx < 0.0) != (fa < 0.0)) return *at = x, true;
    if ((fy < 0.0) != (fa < 0.0)) return *at = y, true;
    if (fabs(fx) < fabs(fy))
      b = y;
    else
      a = x;
  }
  return false;
}

size_t amo_vertex_directions(const amo_slip_response *r, double *angle, size_t room)
{
  const double step = 2.0 * acos(-1.0) / SAMPLES, begin = 1e-4;  // off the axes, where zeros like to be
  size_t n = 0;
  for (int i = 0; i < SAMPLES; i++) {
    double a = begin + i * step, b = a + step, fa = h(r, a), fb = h(r, b), at;
    if ((fa < 0.0) != (fb < 0.0)) {
      if (n < room) angle[n++] = bisect(r, a, b);
      continue;
    }
    double before = h(r, a - step), after = h(r, b + step);
    bool least = fabs(fa) <= fabs(before) && fabs(fb) <= fabs(after);
    if (!least || !dips(r, a, b, &at)) continue;
    if (n < room) angle[n++] = bisect(r, a, at);
    if (n < room) angle[n++] = bisect(r, at, b);
  }
  return n;
}
