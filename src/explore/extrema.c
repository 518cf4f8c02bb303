// SPDX-License-Identifier: Apache-2.0
// Extrema within a step, from the polynomial through its samples: as accurate as the step, and no further evaluation of
// the model (which would cost a thousand times too much for long chains). Places in the step run from 0 to 1.
#include <float.h>
#include <math.h>

#include "expr/lanes.h"
#include "num/bracket.h"
#include "explore/statistics.h"

/// Value of a row of samples at a place between them.
static double between(const amo_statistics *s, const double *row, double x)
{
  return amo_row_between(row, s->samples->place, s->barycentric, x);
}

static double by_polynomial(const amo_statistics *s, double x)
{
  return between(s, s->row, x);
}

static double by_model(amo_statistics *s, size_t c, double x)
{
  return amo_statistics_look(s, c, s->samples->from + x * s->samples->length);
}

static void consider(amo_statistics *s, size_t c, double value, double x)
{
  const double t = x == 1 ? s->samples->t[s->samples->points - 1] : s->samples->from + x * s->samples->length;
  if (value < s->min[c].value) s->min[c] = (amo_extremum){value, t};
  if (value > s->max[c].value) s->max[c] = (amo_extremum){value, t};
}

/// Root of a slope that is fa at a and fb at b, of different signs (Illinois). The value is flat there: half the digits of the
/// place give all of its own.
static double root_of_slope(const amo_statistics *s, const double *slope, double a, double b, double fa,
                            double fb)
{
  amo_zero z = {.a = a, .b = b, .fa = fa, .fb = fb};
  double x, last = a, before = b;
  for (int i = 0; i < 60 && z.b - z.a > 1e-15 && fabs(last - before) > 1e-11 && amo_zero_next(&z, &x); i++) {
    const double f = between(s, slope, x);
    before = last, last = x;
    if (f == 0) break;
    amo_zero_take(&z, x, f);
  }
  return last;
}

// ---- an extremum in a bracket, by values ----

#define HUGE_GROWTH 1e6  // over the points around it: nothing smooth on a step does that

typedef struct peak {
  double x, f;  // place, and value (of a minimum: its negative)
} peak;

/// The highest point of sign * column in [a, b]. False where values grow beyond `limit`: a pole.
static bool highest(amo_statistics *s, size_t c, double a, double b, double sign, double limit,
                    double (*look)(amo_statistics *, size_t, double), peak *best)
{
  double x = a + AMO_GOLDEN * (b - a);
  amo_valley v = amo_valley_of(a, b, x, -sign * look(s, c, x), 2e-9);
  bool good = isfinite(v.best.f) && fabs(v.best.f) <= limit;
  for (int i = 0; i < 60 && good && amo_valley_next(&v, &x); i++) {
    amo_valley_take(&v, x, -sign * look(s, c, x));
    good = isfinite(v.best.f) && fabs(v.best.f) <= limit;
  }
  *best = (peak){v.best.x, -v.best.f};
  return good;
}

// ---- outputs: any formula, so also one with a pole between two points of the step ----

static bool is_output(const amo_statistics *s, size_t c)
{
  return c >= s->states && c < s->states + s->outputs;
}

static void found_pole(amo_statistics *s, size_t c, double x)
{
  if (!s->flaw[c].kind) s->flaw[c] = (amo_flaw){AMO_FLAW_POLE, s->samples->from + x * s->samples->length};
}

/// A change of sign is a root or a pole: halving tells, as values fall or grow.
static void pole_in_sign_change(amo_statistics *s, size_t c, int k)
{
  const double *row = s->row, *place = s->samples->place;
  double a = place[k], b = place[k + 1], fa = row[k], bound = 0, size = fmax(fabs(fa), fabs(row[k + 1]));
  double x = 0.5 * (a + b), f = by_model(s, c, x);
  for (int i = 0; i < s->samples->points; i++) bound = fmax(bound, fabs(row[i]));
  if (fabs(f - by_polynomial(s, x)) <= 1e-3 * bound) return;  // the polynomial knows this stretch
  for (int i = 0; i < 50 && b - a > 1e-15; i++) {
    if (!isfinite(f) || fabs(f) > HUGE_GROWTH * size) {
      found_pole(s, c, x);
      return;
    }
    if ((f < 0) == (fa < 0))
      a = x, fa = f;
    else
      b = x;
    x = 0.5 * (a + b);
    f = by_model(s, c, x);
  }
}

/// Would it be a record? Of maxima (sign 1) or minima (-1).
static bool is_record(const amo_statistics *s, size_t c, double value, double sign)
{
  return sign > 0 ? value > s->max[c].value : value < s->min[c].value;
}

/// The extremum of the polynomial between points k and last, where it has one.
static bool peak_of_polynomial(const amo_statistics *s, const double *row, int k, int last, double sign,
                               peak *best)
{
  double slope[AMO_STEP_POINTS];
  const double *place = s->samples->place;
  bool found = false;
  amo_row_slopes(row, s->differentiation[0], slope);
  for (; k < last; k++) {
    if (!(sign * slope[k] > 0 && sign * slope[k + 1] < 0)) continue;
    const double x = root_of_slope(s, slope, place[k], place[k + 1], slope[k], slope[k + 1]);
    const double f = sign * between(s, row, x);
    if (!found || f > best->f) *best = (peak){x, f};
    found = true;
  }
  return found;
}

/// An extremum between points k and last: by the polynomial where it agrees with the model; else on the model itself
/// (corners, and poles without a change of sign). Only outputs are formulas that need not be smooth. Where the samples
/// resolve a column, what is no record by the polynomial is none.
static void refine(amo_statistics *s, size_t c, int k, int last, double sign)
{
  const double *row = s->row, a = s->samples->place[k], b = s->samples->place[last];
  double size = 0, x = a + AMO_GOLDEN * (b - a);
  peak p = {a, 0};
  const bool found = peak_of_polynomial(s, row, k, last, sign, &p);
  if (found && !s->rough[c] && !is_record(s, c, sign * p.f, sign)) return;
  for (int i = 0; i <= 2 && is_output(s, c); i++)
    size = fmax(size, fabs(by_polynomial(s, a + 0.5 * i * (b - a))));
  if (!is_output(s, c) || fabs(by_model(s, c, x) - by_polynomial(s, x)) <= 1e-11 * size) {
    if (found) consider(s, c, sign * p.f, p.x);
    return;
  }
  if (highest(s, c, a, b, sign, HUGE_GROWTH * size, by_model, &p))
    consider(s, c, sign * p.f, p.x);
  else
    found_pole(s, c, p.x);
}

// ---- which brackets are worth a search ----

/// Columns with an exact slope: every change of its sign that could set a record.
static void extrema_by_slope(amo_statistics *s, size_t c)
{
  const double *row = s->row, *slope = s->slope, *place = s->samples->place;
  double low, high;
  amo_lanes_range(slope, s->samples->points, &low, &high);
  if (!(low < 0 && high > 0)) return;
  for (int k = 0; k + 1 < s->samples->points; k++) {
    double l = slope[k], r = slope[k + 1];
    if (!(l < 0 ? r > 0 : l > 0 && r < 0)) continue;
    double over = fmax(fabs(l), fabs(r)) * (place[k + 1] - place[k]) * s->samples->length;
    if (!is_record(s, c, l > 0 ? fmax(row[k], row[k + 1]) + over : fmin(row[k], row[k + 1]) - over, l))
      continue;
    const double x = root_of_slope(s, slope, place[k], place[k + 1], l, r);
    consider(s, c, by_polynomial(s, x), x);
  }
}

/// The others: a point above (below) its neighbours brackets an extremum.
static void extrema_by_value(amo_statistics *s, size_t c)
{
  const double *row = s->row;
  if (amo_row_is_monotone(row)) return;
  for (int k = 1; k + 1 < s->samples->points; k++) {
    double l = row[k - 1], m = row[k], r = row[k + 1], over = fmax(fabs(m - l), fabs(m - r));
    bool high = m >= l && m >= r && m + over > s->max[c].value;
    bool low = m <= l && m <= r && m - over < s->min[c].value;
    if (over > 4 * DBL_EPSILON * fabs(m) && (high || low)) refine(s, c, k - 1, k + 1, high ? 1 : -1);
  }
}

/// An extremum between the first (or last) two points hides behind the end of the step; a point close
/// to the end tells.
static void extremum_at_edge(amo_statistics *s, size_t c, int end, int inner)
{
  const double *row = s->row, *place = s->samples->place;
  double f = row[end], x = place[end], d = place[inner] - x;
  bool high = f == s->max[c].value && f > row[inner], low = f == s->min[c].value && f < row[inner];
  if (!high && !low) return;
  double near = by_polynomial(s, x + 1e-4 * d);
  if (high ? near > f : near < f)
    refine(s, c, end < inner ? end : inner, end < inner ? inner : end, high ? 1 : -1);
}

void amo_statistics_extrema(amo_statistics *s, size_t c)
{
  const double *row = s->row;
  const int last = s->samples->points - 1;
  double low, high;
  if (s->flaw[c].kind) return;
  amo_lanes_range(row, last + 1, &low, &high);
  if (amo_statistics_is_rounding(s, c, fmax(-low, high))) {
    consider(s, c, 0.0, 0.0);
    return;
  }
  for (int k = 0; low < 0 && high > 0 && is_output(s, c) && k < last; k++)
    if (row[k] * row[k + 1] < 0) pole_in_sign_change(s, c, k);
  // points lie so close that a smooth function goes beyond them by far less than this
  const double reach = 0.125 * (high - low);
  if (!(high + reach > s->max[c].value || low - reach < s->min[c].value)) return;
  for (int k = 0; (high > s->max[c].value || low < s->min[c].value) && k <= last; k++)
    consider(s, c, row[k], s->samples->place[k]);
  if (s->slope != NULL) {
    extrema_by_slope(s, c);
    return;
  }
  extrema_by_value(s, c);
  extremum_at_edge(s, c, 0, 1);
  extremum_at_edge(s, c, last, last - 1);
}
