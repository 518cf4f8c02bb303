// SPDX-License-Identifier: Apache-2.0
/// Intervals that surely contain the true value of what was computed: every bound is moved outwards by more than the
/// rounding of the operation that made it. No rounding mode is touched, so any thread and any compiler setting that
/// keeps to IEEE arithmetic will do. Functions of the C library are trusted to AMO_LIBRARY_ULPS.
///
/// lo <= hi always and neither is NaN: what is undefined somewhere (the root of a negative number, a division by an interval
/// with zero inside, an overflow) is the whole line, of which nothing can be proven. Numbers that are exact stay exact: a
/// zero coefficient remains zero, and whole numbers keep their value through sums and products.
#ifndef AMO_EXPR_INTERVAL_H
#define AMO_EXPR_INTERVAL_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#define AMO_LIBRARY_ULPS 8  // of sin, exp, pow, ...; those of common libraries are good to 1 or 2

typedef struct amo_interval {
  double lo, hi;
} amo_interval;

static inline amo_interval amo_interval_whole(void)
{
  return (amo_interval){-INFINITY, INFINITY};
}

static inline amo_interval amo_interval_of(double x)
{
  return isfinite(x) ? (amo_interval){x, x} : amo_interval_whole();
}

/// [lo, hi]; the whole line if one of them is NaN.
static inline amo_interval amo_interval_between(double lo, double hi)
{
  return lo <= hi ? (amo_interval){lo, hi} : amo_interval_whole();
}

static inline bool amo_interval_thin(amo_interval a)
{
  return a.lo == a.hi;
}

static inline bool amo_interval_is_zero(amo_interval a)
{
  return a.lo == 0.0 && a.hi == 0.0;
}

static inline bool amo_interval_has_zero(amo_interval a)
{
  return a.lo <= 0.0 && a.hi >= 0.0;
}

static inline bool amo_interval_finite(amo_interval a)
{
  return a.hi - a.lo < INFINITY;
}

/// Largest |x|.
static inline double amo_interval_size(amo_interval a)
{
  return -a.lo > a.hi ? -a.lo : a.hi;
}

static inline amo_interval amo_interval_hull(amo_interval a, amo_interval b)
{
  return (amo_interval){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

/// Bounds of a result that was rounded once, to nearest, without underflow (sums never underflow).
static inline amo_interval amo_interval_rounded(double lo, double hi)
{
  return amo_interval_between(lo - fabs(lo) * DBL_EPSILON, hi + fabs(hi) * DBL_EPSILON);
}

/// The same where small results may have lost everything: products and quotients.
static inline amo_interval amo_interval_rounded_small(double lo, double hi)
{
  return amo_interval_between(lo - (fabs(lo) * DBL_EPSILON + 0x1p-1000),
                              hi + (fabs(hi) * DBL_EPSILON + 0x1p-1000));
}

static inline amo_interval amo_interval_neg(amo_interval a)
{
  return (amo_interval){-a.hi, -a.lo};
}

static inline amo_interval amo_interval_add(amo_interval a, amo_interval b)
{
  const double lo = a.lo + b.lo, hi = a.hi + b.hi;
  if (lo == hi) {  // of two numbers: exact?
    const double part = lo - a.lo, rest = (a.lo - (lo - part)) + (b.lo - part);
    if (rest == 0.0 && amo_interval_thin(a) && amo_interval_thin(b)) return (amo_interval){lo, hi};
  }
  return amo_interval_rounded(lo, hi);
}

static inline amo_interval amo_interval_sub(amo_interval a, amo_interval b)
{
  return amo_interval_add(a, amo_interval_neg(b));
}

/// From the four corners; the sign of a product is known exactly.
static inline amo_interval amo_interval_corners(double p, double q, double r, double s)
{
  if (!(fabs(p) + fabs(q) + fabs(r) + fabs(s) < INFINITY)) return amo_interval_whole();
  const double a = p < q ? p : q, b = r < s ? r : s, c = p > q ? p : q, d = r > s ? r : s;
  return amo_interval_rounded_small(a < b ? a : b, c > d ? c : d);
}

static inline amo_interval amo_interval_mul(amo_interval a, amo_interval b)
{
  if (amo_interval_is_zero(a) || amo_interval_is_zero(b)) return (amo_interval){0.0, 0.0};
  const double p = a.lo * b.lo;
  if (amo_interval_thin(a) && amo_interval_thin(b) && fabs(p) > 0x1p-900 && fma(a.lo, b.lo, -p) == 0.0)
    return amo_interval_of(p);
  amo_interval d = amo_interval_corners(p, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi);
  if ((a.lo >= 0.0 && b.lo >= 0.0) || (a.hi <= 0.0 && b.hi <= 0.0)) d.lo = d.lo > 0.0 ? d.lo : 0.0;
  if ((a.lo >= 0.0 && b.hi <= 0.0) || (a.hi <= 0.0 && b.lo >= 0.0)) d.hi = d.hi < 0.0 ? d.hi : 0.0;
  return d;
}

amo_interval amo_interval_div(amo_interval a, amo_interval b);
amo_interval amo_interval_sqr(amo_interval a);
amo_interval amo_interval_sqrt(amo_interval a);
amo_interval amo_interval_pow(amo_interval a, amo_interval b);
amo_interval amo_interval_exp(amo_interval a);
amo_interval amo_interval_log(amo_interval a);
amo_interval amo_interval_sin(amo_interval a);
amo_interval amo_interval_cos(amo_interval a);
amo_interval amo_interval_tan(amo_interval a);
amo_interval amo_interval_asin(amo_interval a);
amo_interval amo_interval_acos(amo_interval a);
amo_interval amo_interval_atan(amo_interval a);
amo_interval amo_interval_atan2(amo_interval y, amo_interval x);
amo_interval amo_interval_sinh(amo_interval a);
amo_interval amo_interval_cosh(amo_interval a);
amo_interval amo_interval_tanh(amo_interval a);
amo_interval amo_interval_asinh(amo_interval a);
amo_interval amo_interval_abs(amo_interval a);

/// c[0] + c[1] x + ... + c[degree] x^degree by Horner's rule.
amo_interval amo_interval_poly(const amo_interval *c, int degree, amo_interval x);
/// Its derivative.
amo_interval amo_interval_poly_slope(const amo_interval *c, int degree, amo_interval x);
/// Its range over [from, to] by the mean value form.
amo_interval amo_interval_poly_range(const amo_interval *c, int degree, double from, double to);

#endif
