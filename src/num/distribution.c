// SPDX-License-Identifier: Apache-2.0
/// Beta and gamma functions by continued fractions and series, their common factor by Stirling's series with its large terms taken
/// out (Loader), so that thousands of degrees of freedom cost no digits. Quantiles: zeros between two bounds.
#include "num/distribution.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "num/bracket.h"

static const double root_two_pi = 2.50662827463100050242;

double amo_normal_below(double z)
{
  return 0.5 * erfc(-z / sqrt(2.0));
}

double amo_normal_quantile(double p)
{
  if (!(p > 0.0 && p < 1.0)) return p == 0.0 ? -INFINITY : p == 1.0 ? INFINITY : NAN;
  if (p > 0.5) return -amo_normal_quantile(1.0 - p);
  double z = p < 0.1 ? -sqrt(-2.0 * log(p)) : (p - 0.5) * root_two_pi;
  for (int i = 0; i < 60; i++) {  // Halley's steps, on the logarithm far out
    const double q = amo_normal_below(z), density = exp(-0.5 * z * z) / root_two_pi;
    const double step = z < -1.0 ? log(q / p) * q / density : (q - p) / density;
    const double move = step / (z < -1.0 ? 1.0 : 1.0 + 0.5 * z * step);
    z -= move;
    if (fabs(move) <= DBL_EPSILON * fabs(z)) break;
  }
  return z;
}

// ---- the common factor ----

/// ln(1 + u) - u.
static double log_rest(double u)
{
  if (fabs(u) > 0.1) return log1p(u) - u;
  double sum = 0.0, power = u;
  for (int k = 2; k < 20; k++) {
    power *= -u;
    sum += power / k;
  }
  return sum;
}

/// What Stirling's formula leaves of ln Gamma(a).
static double stirling_rest(double a)
{
  if (a < 15.0) return lgamma(a) - (a - 0.5) * log(a) + a - log(root_two_pi);
  const double q = 1.0 / (a * a);
  return (1.0 / 12 -
          q * (1.0 / 360 - q * (1.0 / 1260 - q * (1.0 / 1680 - q * (1.0 / 1188 - q * 691.0 / 360360))))) /
         a;
}

/// x^a y^b / B(a, b), y = 1 - x.
static double beta_factor(double a, double b, double x, double y)
{
  const double n = a + b, off = x * b - a * y;
  if (x <= 0.0 || y <= 0.0) return 0.0;
  const double u = off / a, v = -off / b;
  // the first powers of off cancel, and are left out where both are small
  const double power = fabs(u) < 0.5 && fabs(v) < 0.5 ? a * log_rest(u) + b * log_rest(v)
                                                      : a * (u > -0.5 ? log1p(u) : log(x * n / a)) +
                                                            b * (v > -0.5 ? log1p(v) : log(y * n / b));
  return sqrt(a * b / n) / root_two_pi * exp(power + stirling_rest(n) - stirling_rest(a) - stirling_rest(b));
}

static double away_from_zero(double x)
{
  return fabs(x) < DBL_MIN ? DBL_MIN : x;
}

/// Factor over I_x(a, b) as a continued fraction (DiDonato and Morris 1992, 9), for x below the mean: nothing cancels in its terms,
/// y = 1 - x given.
static double beta_fraction(double a, double b, double x, double y)
{
  const double off = a * y - b * x;
  double f = away_from_zero(a * (off + 1.0) / (a + 1.0)), c = f, d = 0.0;
  for (int n = 1; n < 1000000; n++) {
    const double above =
                     (a + n - 1) / (a + 2 * n - 1) * (a + b + n - 1) / (a + 2 * n - 1) * n * (b - n) * x * x,
                 below = n + n * (b - n) * x / (a + 2 * n - 1) +
                         (a + n) * (off + 1.0 + n * (1.0 + y)) / (a + 2 * n + 1);
    d = 1.0 / away_from_zero(below + above * d);
    c = away_from_zero(below + above / c);
    f *= c * d;
    if (fabs(c * d - 1.0) <= DBL_EPSILON) break;
  }
  return f;
}

double amo_beta_below(double a, double b, double x, double y)
{
  if (!(a > 0.0 && b > 0.0 && x >= 0.0 && y >= 0.0)) return NAN;
  if (x * (a + b + 2.0) <= a + 1.0) return beta_factor(a, b, x, y) / beta_fraction(a, b, x, y);
  return 1.0 - beta_factor(a, b, x, y) / beta_fraction(b, a, y, x);
}

/// As I_x, of the smaller tail to its last digits: *above says which one it is.
static double beta_tail(double a, double b, double x, double y, bool *above)
{
  *above = x * (a + b + 2.0) > a + 1.0;
  return *above ? amo_beta_below(b, a, y, x) : amo_beta_below(a, b, x, y);
}

// ---- quantiles ----

/// Of a function that grows from below zero at a to above it at b.
static double zero_between(double (*at)(const double *c, double x), const double *c, double a, double b)
{
  amo_zero z = {.a = a, .b = b, .fa = at(c, a), .fb = at(c, b)};
  double x = a;
  if (z.fa >= 0.0) return a;
  if (z.fb <= 0.0) return b;
  while (amo_zero_next(&z, &x)) {
    const double f = at(c, x);
    if (f == 0.0) return x;
    amo_zero_take(&z, x, f);
  }
  return x;
}

/// Of I_x at x = e^u/(1 + e^u): both x and 1 - x keep their digits. c: a, b, p.
static double beta_miss(const double *c, double u)
{
  const double x = u < 0.0 ? exp(u) / (1.0 + exp(u)) : 1.0 / (1.0 + exp(-u)),
               y = u < 0.0 ? 1.0 / (1.0 + exp(u)) : exp(-u) / (1.0 + exp(-u));
  bool above;
  const double tail = beta_tail(c[0], c[1], x, y, &above);
  return above ? (1.0 - c[2]) - tail : tail - c[2];
}

double amo_beta_quantile(double a, double b, double p)
{
  if (!(a > 0.0 && b > 0.0 && p >= 0.0 && p <= 1.0)) return NAN;
  if (p == 0.0 || p == 1.0) return p;
  const double c[] = {a, b, p}, u = zero_between(beta_miss, c, -700.0, 700.0);
  return u < 0.0 ? exp(u) / (1.0 + exp(u)) : 1.0 / (1.0 + exp(-u));
}

double amo_student_above(double freedom, double t)
{
  if (isinf(freedom)) return amo_normal_below(-t);
  if (t < 0.0) return 1.0 - amo_student_above(freedom, -t);
  const double square = t * t, n = freedom + square;
  return 0.5 * amo_beta_below(0.5 * freedom, 0.5, freedom / n, square / n);
}

/// c: degrees of freedom, probability of more than t.
static double student_miss(const double *c, double t)
{
  return c[1] - amo_student_above(c[0], t);
}

double amo_student_quantile(double freedom, double p)
{
  if (!(freedom > 0.0 && p > 0.0 && p < 1.0)) return NAN;
  if (isinf(freedom)) return amo_normal_quantile(p);
  if (p < 0.5) return -amo_student_quantile(freedom, 1.0 - p);
  const double c[] = {freedom, 1.0 - p};
  double most = 1.0;
  while (student_miss(c, most) < 0.0 && most < DBL_MAX / 4) most *= 2.0;
  return zero_between(student_miss, c, 0.0, most);
}

double amo_fisher_above(double n, double m, double f)
{
  if (!(f >= 0.0)) return NAN;
  if (isinf(m)) return amo_gamma_above(0.5 * n, 0.5 * n * f);
  const double s = m + n * f;
  return amo_beta_below(0.5 * m, 0.5 * n, m / s, n * f / s);
}

/// c: both degrees of freedom, probability of more than e^u.
static double fisher_miss(const double *c, double u)
{
  return c[2] - amo_fisher_above(c[0], c[1], exp(u));
}

double amo_fisher_quantile(double n, double m, double p)
{
  if (!(n > 0.0 && m > 0.0 && p > 0.0 && p < 1.0)) return NAN;
  const double c[] = {n, m, 1.0 - p};
  return exp(zero_between(fisher_miss, c, -700.0, 700.0));
}

// ---- gamma ----

/// x^a e^-x / Gamma(a + 1).
static double gamma_factor(double a, double x)
{
  const double u = (x - a) / a, power = fabs(u) < 0.5 ? a * log_rest(u) : a * log(x / a) - (x - a);
  return exp(power - stirling_rest(a)) / (root_two_pi * sqrt(a));
}

static double gamma_series(double a, double x)
{
  double term = 1.0, sum = 1.0;
  for (int k = 1; k < 1000000 && term > DBL_EPSILON * sum; k++) {
    term *= x / (a + k);
    sum += term;
  }
  return gamma_factor(a, x) * sum;
}

static double gamma_fraction(double a, double x)
{
  double b = x + 1.0 - a, c = 1.0 / DBL_MIN, d = 1.0 / away_from_zero(b), f = d;
  for (int k = 1; k < 1000000; k++) {
    const double n = -k * (k - a);
    b += 2.0;
    d = 1.0 / away_from_zero(n * d + b);
    c = away_from_zero(b + n / c);
    f *= c * d;
    if (fabs(c * d - 1.0) <= DBL_EPSILON) break;
  }
  return gamma_factor(a, x) * a * f;
}

double amo_gamma_below(double a, double x)
{
  if (!(a > 0.0 && x >= 0.0)) return NAN;
  if (x == 0.0) return 0.0;
  return x < a + 1.0 ? gamma_series(a, x) : 1.0 - gamma_fraction(a, x);
}

double amo_gamma_above(double a, double x)
{
  if (!(a > 0.0 && x >= 0.0)) return NAN;
  if (x == 0.0) return 1.0;
  return x < a + 1.0 ? 1.0 - gamma_series(a, x) : gamma_fraction(a, x);
}
