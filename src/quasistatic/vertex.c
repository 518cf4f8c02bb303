// SPDX-License-Identifier: Apache-2.0
/// A spatial contact that touches without force may begin to slip in any direction d in which the friction that
/// arises is opposite to it: speed*force.d + force0 + mu (normal0 + speed normal.d) d = 0. Without the speed,
///   h(angle) = X(d) (e.force0) - (d.force0 + mu normal0) (e.force.d) = 0,   e = d turned by 90 degrees,
/// a trigonometric polynomial of degree 3. On either half turn, with x = tan(angle/2), (1 + x^2)^3 h is a polynomial of
/// degree 6 over -1..1; between the zeros of its derivative it has one zero at most.
#include <complex.h>
#include <math.h>

#include "num/poly.h"
#include "num/rounding.h"
#include "quasistatic/rate.h"

enum { SAMPLES = 8, DEGREE = 6 };

static double h(const amo_slip_response *r, double angle)
{
  const double d[2] = {cos(angle), sin(angle)}, e[2] = {-d[1], d[0]};
  double across = e[0] * r->force0[0] + e[1] * r->force0[1];
  double along = d[0] * r->force0[0] + d[1] * r->force0[1] + r->mu * r->normal0;
  return amo_slip_along(r, d) * across - along * amo_slip_across(r, d);
}

/// Coefficients of (1 + x^2)^3 h over the half turn about `middle`, x = tan((angle - middle)/2).
static void half_turn(const amo_slip_response *r, double middle, double p[DEGREE + 1])
{
  const double step = 2.0 * acos(-1.0) / SAMPLES;
  for (int i = 0; i <= DEGREE; i++) p[i] = 0.0;
  for (int k = 0; k <= 3; k++) {  // harmonic k is Re(c (1 + ix)^2k) (1 + x^2)^-k
    double complex c = 0.0, q[DEGREE + 1] = {0};
    for (int j = 0; j < SAMPLES; j++)
      c += (k ? 2.0 : 1.0) / SAMPLES * h(r, middle + j * step) * cexp(-I * ((double)k * j * step));
    q[0] = c;
    for (int i = 0; i < DEGREE; i++)  // times 1 + ix, or 1 - ix where the two make 1 + x^2
      for (int j = i + 1; j > 0; j--) q[j] += (i < 3 + k ? I : -I) * q[j - 1];
    for (int i = 0; i <= DEGREE; i++) p[i] += creal(q[i]);
  }
}

size_t amo_vertex_directions(const amo_slip_response *r, double d[][2])
{
  size_t n = 0;
  for (int half = 0; half < 2; half++) {
    const double middle = (0.5 + half) * acos(-1.0);
    double p[DEGREE + 1], x[DEGREE];
    half_turn(r, middle, p);
    for (size_t i = 0, m = amo_poly_zeros(p, DEGREE, x); i < m; i++) {
      const double angle = middle + 2.0 * atan(x[i]);
      d[n][0] = cos(angle), d[n][1] = sin(angle);
      bool known = false;  // where half turns meet, and where two are one
      for (size_t j = 0; j < n; j++) known |= hypot(d[n][0] - d[j][0], d[n][1] - d[j][1]) <= AMO_ROUGH;
      n += !known;
    }
  }
  return n;
}
