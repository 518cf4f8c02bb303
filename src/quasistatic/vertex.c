// SPDX-License-Identifier: Apache-2.0
/// A spatial contact that touches without force may begin to slip in any direction d in which the friction that
/// arises is opposite to it: speed*force.d + force0 + mu (normal0 + speed normal.d) d = 0. Without the speed,
///   h(angle) = X(d) (e.force0) - (d.force0 + mu normal0) (e.force.d) = 0,   e = d turned by 90 degrees,
/// a trigonometric polynomial of degree 3: at most six zeros, those eigenvalues exp(i angle) of its companion matrix
/// that lie on the unit circle.
#include <complex.h>
#include <math.h>

#include "num/eigen.h"
#include "quasistatic/rate.h"

enum { SAMPLES = 8, DEGREE = 6 };

static double h(const amo_slip_response *r, double angle)
{
  const double d[2] = {cos(angle), sin(angle)}, e[2] = {-d[1], d[0]};
  double across = e[0] * r->force0[0] + e[1] * r->force0[1];
  double along = d[0] * r->force0[0] + d[1] * r->force0[1] + r->mu * r->normal0;
  return amo_slip_along(r, d) * across - along * amo_slip_across(r, d);
}

/// Coefficients of z^0..z^6 of z^3 h, z = exp(i angle), from samples.
static void coefficients(const amo_slip_response *r, amo_complex c[DEGREE + 1])
{
  const double step = 2.0 * acos(-1.0) / SAMPLES;
  for (int k = 0; k <= DEGREE; k++) c[k] = 0.0;
  for (int j = 0; j < SAMPLES; j++) {
    double f = h(r, j * step) / SAMPLES;
    for (int k = 0; k <= DEGREE; k++) c[k] += f * cexp(-I * ((double)(k - 3) * (double)j * step));
  }
}

/// Newton on h itself: the eigenvalue is good to half the digits where two zeros are close.
static double polish(const amo_slip_response *r, double angle)
{
  const double eps = 1e-6;
  double f = h(r, angle);
  for (int i = 0; i < 8; i++) {
    double slope = (h(r, angle + eps) - h(r, angle - eps)) / (2.0 * eps), next = angle - f / slope;
    if (!isfinite(next) || fabs(next - angle) > 1e-3) break;
    double g = h(r, next);
    if (!(fabs(g) < fabs(f))) break;
    angle = next;
    f = g;
  }
  return angle;
}

static bool is_new(const double *angle, size_t n, double a)
{
  const double turn = 2.0 * acos(-1.0);
  for (size_t i = 0; i < n; i++)
    if (fabs(remainder(angle[i] - a, turn)) < 1e-9) return false;
  return true;
}

static void sort(double *angle, size_t n)
{
  for (size_t i = 1; i < n; i++)
    for (size_t j = i; j > 0 && angle[j] < angle[j - 1]; j--) {
      double x = angle[j];
      angle[j] = angle[j - 1], angle[j - 1] = x;
    }
}

size_t amo_vertex_directions(const amo_slip_response *r, double *angle, size_t room)
{
  const double turn = 2.0 * acos(-1.0);
  amo_complex c[DEGREE + 1], z[DEGREE];
  double size = 0.0;
  int top = DEGREE, low = 0;
  size_t n = 0;
  coefficients(r, c);
  for (int k = 0; k <= DEGREE; k++) size = fmax(size, cabs(c[k]));
  while (top > 3 && cabs(c[top]) <= 1e-14 * size) top--;  // the coefficients of z^k and z^-k vanish together
  low = DEGREE - top;
  const int m = top - low;
  if (m <= 0 || !(size > 0.0) || amo_polynomial_roots(c + low, (size_t)m, z) != AMO_OK) return 0;
  for (int k = 0; k < m && n < room; k++) {
    if (fabs(cabs(z[k]) - 1.0) > 1e-5) continue;
    double x = polish(r, carg(z[k]));
    x -= turn * floor(x / turn);
    if (fabs(h(r, x)) <= 1e-9 * size && is_new(angle, n, x)) angle[n++] = x;
  }
  sort(angle, n);
  return n;
}
