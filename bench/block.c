// SPDX-License-Identifier: Apache-2.0
#include "block.h"

#include <math.h>

enum { ORDER_MAX = 48 };

// Power series of the slip motion with x' < v about the current point, by recurrence:
//   d = 1 + delta (v - x'),  f = Fs/d,  x'' = (f - k x)/m.
#define SERIES(REAL, NAME)                                                                  \
  static void NAME(const block *b, int order, REAL x0, REAL u0, REAL *x, REAL *u)           \
  {                                                                                         \
    REAL d[ORDER_MAX + 1], f[ORDER_MAX + 1];                                                \
    const REAL k = (REAL)b->k, im = 1 / (REAL)b->m, delta = (REAL)b->delta;                 \
    x[0] = x0;                                                                              \
    u[0] = u0;                                                                              \
    d[0] = 1 + delta * ((REAL)b->v - u0);                                                   \
    const REAL id = 1 / d[0];                                                               \
    f[0] = (REAL)b->Fs * id;                                                                \
    for (int n = 0; n < order; n++) {                                                       \
      const REAL step = 1 / (REAL)(n + 1);                                                  \
      x[n + 1] = u[n] * step;                                                               \
      u[n + 1] = (f[n] - k * x[n]) * im * step;                                             \
      d[n + 1] = -delta * u[n + 1];                                                         \
      REAL s = 0;                                                                           \
      for (int j = 0; j <= n; j++) s += f[j] * d[n + 1 - j];                                \
      f[n + 1] = -s * id;                                                                   \
    }                                                                                       \
  }                                                                                         \
  static REAL NAME##_at(const REAL *c, int order, REAL t)                                   \
  {                                                                                         \
    REAL s = c[order];                                                                      \
    for (int n = order; n-- > 0;) s = s * t + c[n];                                         \
    return s;                                                                               \
  }                                                                                         \
  /* zero of u - v in (0, h], known to change sign there: Newton kept inside the bracket */ \
  static REAL NAME##_root(const REAL *u, int order, REAL v, REAL h)                         \
  {                                                                                         \
    REAL lo = 0, hi = h, t = h / 2;                                                         \
    for (int it = 0; it < 100; it++) {                                                      \
      REAL g = u[order], dg = 0;                                                            \
      for (int n = order; n-- > 0;) dg = dg * t + g, g = g * t + u[n];                      \
      g -= v;                                                                               \
      if (g < 0)                                                                            \
        lo = t;                                                                             \
      else                                                                                  \
        hi = t;                                                                             \
      REAL next = t - g / dg;                                                               \
      if (!(next >= lo && next <= hi)) next = (lo + hi) / 2;                                \
      if (next == t || hi - lo == 0) break;                                                 \
      const REAL change = next > t ? next - t : t - next;                                   \
      t = next;                                                                             \
      if (change < 1e-17 * h) break;                                                        \
    }                                                                                       \
    return t;                                                                               \
  }

SERIES(long double, series_l)
SERIES(double, series_d)

double block_period_reference(const block *b)
{
  enum { ORDER = 40 };
  long double x[ORDER_MAX + 1], u[ORDER_MAX + 1];
  long double t = 0, x0 = (long double)b->Fs / b->k, u0 = b->v;
  const long double breakaway = x0, h = 0.05L;
  for (int step = 0; step < 100000; step++) {
    series_l(b, ORDER, x0, u0, x, u);
    const long double u1 = series_l_at(u, ORDER, h);
    if (u1 >= b->v) {
      const long double tau = series_l_root(u, ORDER, b->v, h);
      const long double xs = series_l_at(x, ORDER, tau);
      return (double)(t + tau + (breakaway - xs) / b->v);
    }
    x0 = series_l_at(x, ORDER, h);
    u0 = u1;
    t += h;
  }
  return NAN;
}

double block_period_by_hand(const block *b, int order, double tol, long *coefficients)
{
  double x[ORDER_MAX + 1], u[ORDER_MAX + 1];
  double t = 0, x0 = b->Fs / b->k, u0 = b->v;
  const double breakaway = x0, scale = tol, root = 1.0 / order, root1 = 1.0 / (order - 1);
  for (int step = 0; step < 100000; step++) {
    series_d(b, order, x0, u0, x, u);
    *coefficients += order;
    // step from the last two coefficients of each series, as usual for Taylor methods
    const double a = fmax(fabs(x[order]), fabs(u[order])), c = fmax(fabs(x[order - 1]), fabs(u[order - 1]));
    const double h = fmin(pow(scale / a, root), pow(scale / c, root1));
    const double u1 = series_d_at(u, order, h);
    if (u1 >= b->v) {
      const double tau = series_d_root(u, order, b->v, h);
      return t + tau + (breakaway - series_d_at(x, order, tau)) / b->v;
    }
    x0 = series_d_at(x, order, h);
    u0 = u1;
    t += h;
  }
  return NAN;
}
