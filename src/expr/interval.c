// SPDX-License-Identifier: Apache-2.0
#include "expr/interval.h"

static const amo_interval one = {1.0, 1.0};
static const double pi = 3.14159265358979323846;

/// Bounds that the C library computed.
static amo_interval library(double lo, double hi)
{
  const double wide = AMO_LIBRARY_ULPS * DBL_EPSILON;
  return amo_interval_between(lo - (fabs(lo) * wide + 0x1p-1000), hi + (fabs(hi) * wide + 0x1p-1000));
}

static amo_interval clamp(amo_interval a, double lo, double hi)
{
  return (amo_interval){a.lo < lo ? lo : a.lo, a.hi > hi ? hi : a.hi};
}

amo_interval amo_interval_div(amo_interval a, amo_interval b)
{
  if (amo_interval_has_zero(b)) return amo_interval_whole();
  if (amo_interval_is_zero(a)) return a;
  const double q = a.lo / b.lo;
  if (amo_interval_thin(a) && amo_interval_thin(b) && fabs(a.lo) > 0x1p-900 && fma(q, b.lo, -a.lo) == 0.0)
    return amo_interval_of(q);
  amo_interval d = amo_interval_corners(q, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi);
  if ((a.lo >= 0.0) == (b.lo > 0.0) && !(a.lo < 0.0 && a.hi > 0.0)) d.lo = d.lo > 0.0 ? d.lo : 0.0;
  return d;
}

amo_interval amo_interval_sqr(amo_interval a)
{
  const amo_interval b = amo_interval_abs(a);
  return amo_interval_mul(b, b);
}

amo_interval amo_interval_sqrt(amo_interval a)
{
  if (!(a.lo >= 0.0) || !(a.hi < INFINITY)) return amo_interval_whole();
  const double lo = sqrt(a.lo), hi = sqrt(a.hi);
  if (amo_interval_thin(a) && fma(lo, lo, -a.lo) == 0.0) return amo_interval_of(lo);
  return clamp(amo_interval_rounded(lo, hi), 0.0, INFINITY);
}

amo_interval amo_interval_abs(amo_interval a)
{
  if (a.lo >= 0.0) return a;
  if (a.hi <= 0.0) return amo_interval_neg(a);
  return (amo_interval){0.0, amo_interval_size(a)};
}

amo_interval amo_interval_exp(amo_interval a)
{
  if (amo_interval_is_zero(a)) return one;
  if (!amo_interval_finite(a)) return amo_interval_whole();
  return clamp(library(exp(a.lo), exp(a.hi)), 0.0, INFINITY);
}

amo_interval amo_interval_log(amo_interval a)
{
  if (!(a.lo > 0.0) || !(a.hi < INFINITY)) return amo_interval_whole();
  return library(log(a.lo), log(a.hi));
}

/// Is some  phase + k period  in [lo, hi]? Rather yes than no.
static bool meets(amo_interval a, double phase, double period)
{
  const double slack = 4.0 * DBL_EPSILON * (amo_interval_size(a) + period);
  return floor((a.hi + slack - phase) / period + 1e-15) >= ceil((a.lo - slack - phase) / period - 1e-15);
}

/// sin or cos, whose maxima lie at top + 2 pi k.
static amo_interval wave(amo_interval a, double (*f)(double), double top)
{
  if (!(a.hi - a.lo < 2.0 * pi) || !(amo_interval_size(a) < 1e15)) return (amo_interval){-1.0, 1.0};
  const double x = f(a.lo), y = f(a.hi);
  amo_interval d = library(x < y ? x : y, x > y ? x : y);
  if (meets(a, top, 2.0 * pi)) d.hi = 1.0;
  if (meets(a, top + pi, 2.0 * pi)) d.lo = -1.0;
  return clamp(d, -1.0, 1.0);
}

amo_interval amo_interval_sin(amo_interval a)
{
  return amo_interval_is_zero(a) ? a : wave(a, sin, 0.5 * pi);
}

amo_interval amo_interval_cos(amo_interval a)
{
  return amo_interval_is_zero(a) ? one : wave(a, cos, 0.0);
}

amo_interval amo_interval_tan(amo_interval a)
{
  if (amo_interval_is_zero(a)) return a;
  if (!(amo_interval_size(a) < 1e15) || !(a.hi - a.lo < pi) || meets(a, 0.5 * pi, pi))
    return amo_interval_whole();
  return library(tan(a.lo), tan(a.hi));
}

amo_interval amo_interval_asin(amo_interval a)
{
  if (!(a.lo >= -1.0 && a.hi <= 1.0)) return amo_interval_whole();
  return amo_interval_is_zero(a) ? a : library(asin(a.lo), asin(a.hi));
}

amo_interval amo_interval_acos(amo_interval a)
{
  if (!(a.lo >= -1.0 && a.hi <= 1.0)) return amo_interval_whole();
  return library(acos(a.hi), acos(a.lo));
}

amo_interval amo_interval_atan(amo_interval a)
{
  return amo_interval_is_zero(a) ? a : library(atan(a.lo), atan(a.hi));
}

amo_interval amo_interval_atan2(amo_interval y, amo_interval x)
{
  if (x.lo <= 0.0 && amo_interval_has_zero(y))
    return amo_interval_whole();  // the origin, or the jump by 2 pi
  if (!amo_interval_finite(x) || !amo_interval_finite(y)) return amo_interval_whole();
  const double p = atan2(y.lo, x.lo), q = atan2(y.lo, x.hi), r = atan2(y.hi, x.lo), s = atan2(y.hi, x.hi);
  return library(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));
}

amo_interval amo_interval_sinh(amo_interval a)
{
  return amo_interval_is_zero(a) ? a : library(sinh(a.lo), sinh(a.hi));
}

amo_interval amo_interval_cosh(amo_interval a)
{
  if (amo_interval_is_zero(a)) return one;
  const amo_interval b = amo_interval_abs(a);
  return clamp(library(cosh(b.lo), cosh(b.hi)), 1.0, INFINITY);
}

amo_interval amo_interval_tanh(amo_interval a)
{
  return amo_interval_is_zero(a) ? a : clamp(library(tanh(a.lo), tanh(a.hi)), -1.0, 1.0);
}

amo_interval amo_interval_asinh(amo_interval a)
{
  return amo_interval_is_zero(a) ? a : library(asinh(a.lo), asinh(a.hi));
}

/// a^n for a whole number n; a may have any sign.
static amo_interval whole_power(amo_interval a, double n)
{
  if (n == 0.0) return one;
  if (n == 1.0) return a;
  if (n < 0.0) {
    if (amo_interval_has_zero(a)) return amo_interval_whole();
    return amo_interval_div(one, whole_power(a, -n));
  }
  if (!amo_interval_finite(a)) return amo_interval_whole();
  if (fmod(n, 2.0) == 0.0) a = amo_interval_abs(a);
  const double lo = pow(a.lo, n), hi = pow(a.hi, n);
  const amo_interval d = library(lo, hi);
  return a.lo >= 0.0 ? clamp(d, 0.0, INFINITY) : d;
}

amo_interval amo_interval_pow(amo_interval a, amo_interval b)
{
  if (amo_interval_thin(b) && b.lo == floor(b.lo) && fabs(b.lo) <= 4096.0) return whole_power(a, b.lo);
  if (!(a.lo >= 0.0) || (a.lo == 0.0 && !(b.lo > 0.0)) || !amo_interval_finite(a) || !amo_interval_finite(b))
    return amo_interval_whole();
  const double p = pow(a.lo, b.lo), q = pow(a.lo, b.hi), r = pow(a.hi, b.lo), s = pow(a.hi, b.hi);
  return clamp(library(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s))), 0.0, INFINITY);
}

// ---- polynomials ----

amo_interval amo_interval_poly(const amo_interval *c, int degree, amo_interval x)
{
  amo_interval sum = c[degree];
  for (int k = degree - 1; k >= 0; k--) sum = amo_interval_add(c[k], amo_interval_mul(sum, x));
  return sum;
}

amo_interval amo_interval_poly_slope(const amo_interval *c, int degree, amo_interval x)
{
  amo_interval sum = {0.0, 0.0};
  for (int k = degree; k >= 1; k--)
    sum = amo_interval_add(amo_interval_mul(amo_interval_of(k), c[k]), amo_interval_mul(sum, x));
  return sum;
}

amo_interval amo_interval_poly_range(const amo_interval *c, int degree, double from, double to)
{
  const double middle = from + 0.5 * (to - from);
  const amo_interval x = {from, to}, m = amo_interval_of(middle);
  const amo_interval direct = amo_interval_poly(c, degree, x);
  const amo_interval mean =
      amo_interval_add(amo_interval_poly(c, degree, m),
                       amo_interval_mul(amo_interval_poly_slope(c, degree, x), amo_interval_sub(x, m)));
  return amo_interval_between(fmax(direct.lo, mean.lo), fmin(direct.hi, mean.hi));
}
