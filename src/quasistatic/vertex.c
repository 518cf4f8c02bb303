// SPDX-License-Identifier: Apache-2.0
/// A spatial contact that touches without force may begin to slip in any direction d in which the friction that
/// arises is opposite to it: speed*force.d + force0 + mu (normal0 + speed normal.d) d = 0. Without the speed,
///   h(angle) = X(d) (e.force0) - (d.force0 + mu normal0) (e.force.d) = 0,   e = d turned by 90 degrees,
/// a trigonometric polynomial of degree 3. On either half turn, with x = tan(angle/2), (1 + x^2)^3 h is a polynomial of
/// degree 6 over -1..1; between the zeros of its derivative it has one zero at most.
#include <complex.h>
#include <float.h>
#include <math.h>

#include "num/bracket.h"
#include "num/poly.h"
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

/// Zeros over -1..1 of a polynomial of degree n; also where it comes to zero within rounding and turns back.
static size_t zeros(const double *p, int n, double *out)
{
  double slope[DEGREE + 1], edge[DEGREE + 2] = {-1.0}, rounding = 0.0;
  if (n == 0) return 0;
  for (int i = 0; i <= n; i++) rounding += 32.0 * DBL_EPSILON * fabs(p[i]);
  for (int i = 1; i <= n; i++) slope[i - 1] = i * p[i];
  size_t edges = 1 + zeros(slope, n - 1, edge + 1), found = 0;
  edge[edges] = 1.0;
  for (size_t i = 0; i < edges && found < (size_t)n; i++) {
    const double a = amo_poly_value(p, 1, n, edge[i]), b = amo_poly_value(p, 1, n, edge[i + 1]);
    if (i > 0 && fabs(a) <= rounding && rounding > 0.0) {
      out[found++] = edge[i];
    } else if ((a > 0.0) != (b > 0.0)) {
      amo_bracket k = {edge[i], edge[i + 1], 0};
      for (double x; amo_bracket_next(&k, &x);)
        *((amo_poly_value(p, 1, n, x) > 0.0) == (a > 0.0) ? &k.a : &k.b) = x;
      out[found++] = k.a;
    }
  }
  return found;
}

size_t amo_vertex_directions(const amo_slip_response *r, double d[][2])
{
  size_t n = 0;
  for (int half = 0; half < 2; half++) {
    const double middle = (0.5 + half) * acos(-1.0);
    double p[DEGREE + 1], x[DEGREE];
    half_turn(r, middle, p);
    for (size_t i = 0, m = zeros(p, DEGREE, x); i < m; i++, n++) {
      const double angle = middle + 2.0 * atan(x[i]);
      d[n][0] = cos(angle), d[n][1] = sin(angle);
    }
  }
  return n;
}
