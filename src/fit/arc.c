// SPDX-License-Identifier: Apache-2.0
#include "fit/arc.h"

#include <math.h>
#include <string.h>

#include "num/bracket.h"

static const double pi = 3.14159265358979323846;

static double turning(const amo_arc *a)  // frequency of the damped arc
{
  return sqrt(a->omega * a->omega - 0.25 * a->kappa * a->kappa);
}

/// Values of 1, e cos, e sin (order 0), and their slopes and second derivatives.
static void basis(const amo_arc *a, double t, int order, double b[3])
{
  const double s = t - a->at, w = turning(a), e = exp(-0.5 * a->kappa * s), h = -0.5 * a->kappa;
  double c = e * cos(w * s), d = e * sin(w * s);
  b[0] = order == 0;
  for (; order > 0; order--) {  // (c, d)' = (h c - w d, h d + w c)
    const double next = h * c - w * d;
    d = h * d + w * c;
    c = next;
  }
  b[1] = c, b[2] = d;
}

static double combined(const amo_arc *a, double t, int order)
{
  double b[3];
  basis(a, t, order, b);
  return b[0] * a->level + b[1] * a->p + b[2] * a->q;
}

double amo_arc_value(const amo_arc *a, double t)
{
  return combined(a, t, 0);
}

double amo_arc_slope(const amo_arc *a, double t)
{
  return combined(a, t, 1);
}

double amo_arc_size(const amo_arc *a)
{
  return hypot(a->p, a->q);
}

/// Inverse of a symmetric matrix of positive pivots; false: it has none.
static bool invert(double m[3][3], double out[3][3])
{
  double w[3][6];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 6; k++) w[i][k] = k < 3 ? m[i][k] : k - 3 == i;
  for (int i = 0; i < 3; i++) {
    if (!(w[i][i] > 1e-12 * m[i][i])) return false;
    const double pivot = w[i][i];
    for (int k = 0; k < 6; k++) w[i][k] /= pivot;
    for (int r = 0; r < 3; r++) {
      const double f = w[r][i];
      for (int k = 0; r != i && k < 6; k++) w[r][k] -= f * w[i][k];
    }
  }
  for (int i = 0; i < 3; i++) memcpy(out[i], w[i] + 3, 3 * sizeof *out[i]);
  return true;
}

bool amo_arc_fit(const double *t, const double *x, size_t n, double omega, double kappa, amo_arc *a)
{
  double m[3][3] = {{0}}, r[3] = {0}, mean = 0, b[3];
  if (n < 4 || !(omega > 0.5 * fabs(kappa))) return false;
  *a = (amo_arc){.omega = omega, .kappa = kappa, .at = 0.5 * (t[0] + t[n - 1]), .n = n};
  for (size_t i = 0; i < n; i++) mean += x[i] / (double)n;
  for (size_t i = 0; i < n; i++) {
    basis(a, t[i], 0, b);
    for (int k = 0; k < 3; k++) {
      r[k] += b[k] * (x[i] - mean);
      for (int l = 0; l < 3; l++) m[k][l] += b[k] * b[l];
    }
  }
  if (!invert(m, a->cofactor)) return false;
  double c[3];
  for (int k = 0; k < 3; k++)
    c[k] = a->cofactor[k][0] * r[0] + a->cofactor[k][1] * r[1] + a->cofactor[k][2] * r[2];
  a->level = c[0] + mean, a->p = c[1], a->q = c[2];
  for (size_t i = 0; i < n; i++) {
    const double off = x[i] - amo_arc_value(a, t[i]);
    a->sum += off * off;
  }
  return true;
}

double amo_arc_turn(const amo_arc *a, double t)
{
  const double w = turning(a), h = 0.5 * a->kappa;
  const double phase = atan2(w * a->q - h * a->p, w * a->p + h * a->q);  // slope zero where tan(w s) is this
  const double s = (t - a->at) * w - phase;
  return a->at + (phase + pi * round(s / pi)) / w;
}

bool amo_arc_slope_is(const amo_arc *a, double turn, int side, double v, double *t)
{
  const double w = turning(a),
               far = acos(0.5 * a->kappa / a->omega * (side < 0 ? -1 : 1)) / w;  // x'' = 0 there
  amo_zero z = {.a = side < 0 ? turn - far : turn, .b = side < 0 ? turn : turn + far};
  z.fa = amo_arc_slope(a, z.a) - v;
  z.fb = amo_arc_slope(a, z.b) - v;
  *t = turn;
  if (v == 0) return true;
  if (!((z.fa > 0) != (z.fb > 0))) return false;
  for (int i = 0; i < 80 && amo_zero_next(&z, t); i++) {
    const double f = amo_arc_slope(a, *t) - v;
    if (f == 0) return true;
    amo_zero_take(&z, *t, f);
  }
  return true;
}

double amo_arc_error(const amo_arc *a, double t, double noise, double speed_noise)
{
  double b[3], slope[3], bend = combined(a, t, 2), v = amo_arc_slope(a, t), variance = 0, g[3];
  basis(a, t, 0, b);
  basis(a, t, 1, slope);
  if (bend == 0) return INFINITY;
  for (int k = 0; k < 3; k++) g[k] = b[k] - v * slope[k] / bend;
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 3; l++) variance += g[k] * a->cofactor[k][l] * g[l];
  return hypot(noise * sqrt(variance), v / bend * speed_noise);
}
