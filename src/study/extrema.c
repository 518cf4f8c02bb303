// SPDX-License-Identifier: Apache-2.0
// Extrema within a step, from the polynomial through its Chebyshev points: as accurate as the step,
// and no further evaluation of the model (which would cost a thousand times too much for long chains).
#include <math.h>

#include "study/statistics.h"

/// Barycentric interpolation of a table column at t.
static double interpolate(const amo_statistics *s, const double *value, size_t stride, double t)
{
  double top = 0, bottom = 0;
  for (int k = 0; k <= s->intervals; k++) {
    double d = t - s->time[k], y = value[(size_t)k * stride];
    if (d == 0) return y;
    double w = (k % 2 ? -1.0 : 1.0) * (k == 0 || k == s->intervals ? 0.5 : 1.0) / d;
    top += w * y;
    bottom += w;
  }
  return top / bottom;
}

static double value_at(const amo_statistics *s, size_t c, double t)
{
  return interpolate(s, s->table + c, s->columns, t);
}

static double slope_at(const amo_statistics *s, size_t c, double t)
{
  return interpolate(s, s->slope + c, 2 * s->coordinates, t);
}

static double at(const amo_statistics *s, int k, size_t c)
{
  return s->table[(size_t)k * s->columns + c];
}

static void consider(amo_statistics *s, size_t c, double x, double t)
{
  if (x < s->min[c].value) s->min[c] = (amo_extremum){x, t};
  if (x > s->max[c].value) s->max[c] = (amo_extremum){x, t};
}

/// Root of the exact slope in [a, b], where it changes sign (Illinois).
static void refine_root(amo_statistics *s, size_t c, double a, double b)
{
  double fa = slope_at(s, c, a), fb = slope_at(s, c, b), t = a;
  int kept = 0;  // which end stayed last: 1 = a, -1 = b
  for (int i = 0; i < 60 && b - a > 4e-16 * fmax(fabs(a), fabs(b)); i++) {
    t = (a * fb - b * fa) / (fb - fa);
    if (!(t > a && t < b)) t = 0.5 * (a + b);
    double f = slope_at(s, c, t);
    if (f == 0) break;
    if ((f < 0) == (fb < 0)) {
      b = t, fb = f, fa *= kept == 1 ? 0.5 : 1;
      kept = 1;
    } else {
      a = t, fa = f, fb *= kept == -1 ? 0.5 : 1;
      kept = -1;
    }
  }
  consider(s, c, value_at(s, c, t), t);
}

/// Golden section for columns whose slope is not at hand; `sign` 1 looks for a maximum.
static void refine_golden(amo_statistics *s, size_t c, double a, double b, double sign)
{
  const double g = 0.61803398874989485;
  double x[2] = {b - g * (b - a), a + g * (b - a)};
  double f[2] = {sign * value_at(s, c, x[0]), sign * value_at(s, c, x[1])};
  for (int i = 0; i < 45; i++) {  // 0.618^45 = 4e-10 of the bracket: value exact to its square
    int k = f[0] > f[1] ? 0 : 1;  // the new point goes on the better side
    if (k == 0)
      b = x[1], x[1] = x[0], f[1] = f[0], x[0] = b - g * (b - a);
    else
      a = x[0], x[0] = x[1], f[0] = f[1], x[1] = a + g * (b - a);
    f[k] = sign * value_at(s, c, x[k]);
  }
  consider(s, c, sign * fmax(f[0], f[1]), f[0] > f[1] ? x[0] : x[1]);
}

// ---- outputs: any formula, so also one with a pole between two points of the step ----

#define HUGE_GROWTH 1e6  // over the points around it: nothing smooth on a step does that

static bool is_output(const amo_statistics *s, size_t c)
{
  return c >= s->states && c < s->states + s->outputs;
}

static void found_pole(amo_statistics *s, size_t c, double t)
{
  if (!s->flaw[c].kind) s->flaw[c] = (amo_flaw){AMO_FLAW_POLE, t};
}

/// A change of sign is a root or a pole: halving tells, as values fall or grow.
static void pole_in_sign_change(amo_statistics *s, size_t c, int k)
{
  double a = s->time[k], b = s->time[k + 1], fa = at(s, k, c), fb = at(s, k + 1, c);
  double t = 0.5 * (a + b), f = amo_statistics_look(s, c, t), size = fmax(fabs(fa), fabs(fb)), bound = 0;
  for (int i = 0; i <= s->intervals; i++) bound = fmax(bound, fabs(at(s, i, c)));
  if (fabs(f - value_at(s, c, t)) <= 1e-3 * bound) return;  // the polynomial knows this stretch
  for (int i = 0; i < 50 && b - a > 1e-15 * fmax(fabs(a), fabs(b)); i++) {
    if (!isfinite(f) || fabs(f) > HUGE_GROWTH * size) {
      found_pole(s, c, t);
      return;
    }
    if ((f < 0) == (fa < 0))
      a = t, fa = f;
    else
      b = t, fb = f;
    t = 0.5 * (a + b);
    f = amo_statistics_look(s, c, t);
  }
}

/// The same search as refine_golden on the model itself, where the polynomial is not to be trusted:
/// corners, and poles without a change of sign.
static void refine_true(amo_statistics *s, size_t c, double a, double b, double sign, double size)
{
  const double g = 0.6180339887498949;
  double x[2] = {b - g * (b - a), a + g * (b - a)};
  double f[2] = {sign * amo_statistics_look(s, c, x[0]), sign * amo_statistics_look(s, c, x[1])};
  for (int i = 0; i < 60; i++) {
    int k = f[0] > f[1] ? 0 : 1;
    if (!isfinite(f[k]) || fabs(f[k]) > HUGE_GROWTH * size) {
      found_pole(s, c, x[k]);
      return;
    }
    if (k == 0)
      b = x[1], x[1] = x[0], f[1] = f[0], x[0] = b - g * (b - a);
    else
      a = x[0], x[0] = x[1], f[0] = f[1], x[1] = a + g * (b - a);
    f[k] = sign * amo_statistics_look(s, c, x[k]);
  }
  consider(s, c, sign * fmax(f[0], f[1]), f[0] > f[1] ? x[0] : x[1]);
}

/// An extremum of an output between two points: by the polynomial where it agrees with the model.
static void refine_output(amo_statistics *s, size_t c, double a, double b, double sign)
{
  double size =
      fmax(fabs(value_at(s, c, a)), fmax(fabs(value_at(s, c, b)), fabs(value_at(s, c, 0.5 * (a + b)))));
  double t = a + 0.381966 * (b - a), true_value = amo_statistics_look(s, c, t);
  if (fabs(true_value - value_at(s, c, t)) <= 1e-11 * size)
    refine_golden(s, c, a, b, sign);
  else
    refine_true(s, c, a, b, sign, size);
}

static void refine(amo_statistics *s, size_t c, double a, double b, double sign)
{
  if (is_output(s, c))
    refine_output(s, c, a, b, sign);
  else
    refine_golden(s, c, a, b, sign);
}

/// Columns with an exact slope: every change of its sign that could set a record.
static void extrema_by_slope(amo_statistics *s, size_t c)
{
  for (int k = 0; k < s->intervals; k++) {
    double l = s->slope[(size_t)k * 2 * s->coordinates + c];
    double r = s->slope[(size_t)(k + 1) * 2 * s->coordinates + c];
    if (!(l < 0 ? r > 0 : l > 0 && r < 0)) continue;
    double over = fmax(fabs(l), fabs(r)) * (s->time[k + 1] - s->time[k]);
    if (l > 0 ? fmax(at(s, k, c), at(s, k + 1, c)) + over > s->max[c].value
              : fmin(at(s, k, c), at(s, k + 1, c)) - over < s->min[c].value)
      refine_root(s, c, s->time[k], s->time[k + 1]);
  }
}

/// The others: a point above (below) its neighbours brackets an extremum.
static void extrema_by_value(amo_statistics *s, size_t c)
{
  for (int k = 1; k < s->intervals; k++) {
    double l = at(s, k - 1, c), m = at(s, k, c), r = at(s, k + 1, c), over = fmax(fabs(m - l), fabs(m - r));
    bool high = m >= l && m >= r && m + over > s->max[c].value;
    bool low = m <= l && m <= r && m - over < s->min[c].value;
    if (high || low) refine(s, c, s->time[k - 1], s->time[k + 1], high ? 1 : -1);
  }
}

/// An extremum between the first (or last) two points hides behind the end of the step; a point close
/// to the end tells.
static void extremum_at_edge(amo_statistics *s, size_t c, int end, int inner)
{
  double f = at(s, end, c), t = s->time[end], d = s->time[inner] - t;
  bool high = f == s->max[c].value && f > at(s, inner, c), low = f == s->min[c].value && f < at(s, inner, c);
  if (!high && !low) return;
  double near = value_at(s, c, t + 1e-4 * d);
  if (high ? near > f : near < f) refine(s, c, fmin(t, t + d), fmax(t, t + d), high ? 1 : -1);
}

void amo_statistics_extrema(amo_statistics *s, size_t c)
{
  int n = s->intervals;
  if (s->flaw[c].kind) return;
  for (int k = 0; is_output(s, c) && k < n; k++)
    if (at(s, k, c) * at(s, k + 1, c) < 0) pole_in_sign_change(s, c, k);
  for (int k = 0; k <= n; k++) consider(s, c, at(s, k, c), s->time[k]);
  if (c < 2 * s->coordinates) {
    extrema_by_slope(s, c);
    return;
  }
  extrema_by_value(s, c);
  extremum_at_edge(s, c, 0, 1);
  extremum_at_edge(s, c, n, n - 1);
}
