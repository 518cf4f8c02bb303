// SPDX-License-Identifier: Apache-2.0
/// Where a number is least or largest along the axis. Values alone tell the place to half their digits only; where the
/// number is smooth, the zero of its slope (central differences of high order) tells almost all of them.
#include <math.h>

#include "base/mem.h"
#include "num/bracket.h"
#include "explore/limits/limits_impl.h"

#define REACH  4   // differences use this many values on either side
#define FINEST 10  // halvings of the samples where a slope comes near zero

typedef struct valley {  // of sign*f: a minimum between lo and hi
  search *s;
  double sign, lo, hi;
  double at, value;
} valley;

static double height(valley *v, double x)
{
  sample a = amo_limits_look(v->s, x);
  return a.r.kind == AMO_READ_NUMBER ? v->sign * a.r.number : NAN;
}

/// Down to what the values can tell.
static void descend(valley *v)
{
  amo_valley k = amo_valley_of(v->lo, v->hi, v->at, v->value, 1e-8 * (v->hi - v->lo));
  for (double x; amo_valley_next(&k, &x);) amo_valley_take(&k, x, height(v, x));
  v->at = k.best.x;
  v->value = k.best.f;
}

/// Slope times 840 h, exact for polynomials of degree 8.
static double slope(valley *v, double x, double h)
{
  static const double weight[REACH + 1] = {0.0, 672.0, -168.0, 32.0, -3.0};
  double sum = 0.0;
  for (int k = 1; k <= REACH; k++) sum += weight[k] * (height(v, x + k * h) - height(v, x - k * h));
  return sum;
}

/// The zero of the slope near x by the secant method; NaN where it is not found within a difference's reach.
static double stationary(valley *v, double x, double h)
{
  const double from = x;
  double before = x - 0.1 * h, f = slope(v, before, h);
  for (int i = 0; i < 12; i++) {
    double g = slope(v, x, h), next = x - g * (x - before) / (g - f);
    if (g == f || g == 0.0) return g == 0.0 || fabs(x - before) <= 1e-9 * h ? x : NAN;
    if (!(fabs(next - from) <= h)) return NAN;
    before = x;
    f = g;
    x = next;
    if (fabs(x - before) <= 1e-12 * fabs(x)) return x;
  }
  return fabs(x - before) <= 1e-6 * h ? x : NAN;
}

/// Two spacings that agree show that the number is smooth there.
static double polish(valley *v)
{
  const double room = fmin(v->at - v->lo, v->hi - v->at), width = 1e-7 * (v->hi - v->lo);
  const double h = 0.2 * room / REACH;
  const double coarse = stationary(v, v->at, h), fine = stationary(v, v->at, 0.5 * h);
  if (!(fabs(coarse - fine) < width)) return width;
  v->at = fine;
  v->value = height(v, fine);
  return fabs(coarse - fine);
}

static amo_status record(valley *v, double width)
{
  amo_limits *l = v->s->out;
  if (!AMO_ROOM(l->extremum, l->extrema, l->extremum_capacity)) return AMO_ENOMEM;
  l->extremum[l->extrema++] = (amo_limits_extremum){
      .at = v->at, .value = v->sign * v->value + v->s->level, .width = width, .least = v->sign > 0.0};
  return AMO_OK;
}

static double chord(const sample *a)  // from a to the next
{
  if (a[0].r.kind != AMO_READ_NUMBER || a[1].r.kind != AMO_READ_NUMBER) return NAN;
  return (a[1].r.number - a[0].r.number) / (a[1].x - a[0].x);
}

/// May the slope pass zero and back between a[1] and a[2], although the chords before, over and after agree in sign?
static bool may_turn_twice(const sample *a)
{
  const double before = chord(a), over = chord(a + 1), after = chord(a + 2);
  const double bend = fabs(before - 2.0 * over + after), width = a[2].x - a[1].x;
  if (!(before * over > 0.0 && over * after > 0.0)) return false;
  return fabs(over) < bend && bend * width > 1e-12 * fabs(a[1].r.number);
}

/// May it turn in the first or last stretch? next: the one beside it.
static bool may_turn_at_end(const sample *a, const sample *next)
{
  const double last = chord(a), before = chord(next), bend = fabs(last - before);
  return last * before > 0.0 && fabs(last) < bend && bend * (a[1].x - a[0].x) > 1e-12 * fabs(a[0].r.number);
}

/// Is more to be known about the stretch from sample i to the next?
static bool hides_turns(const search *s, size_t n, size_t i)
{
  const sample *a = &s->grid[i];
  if (a[1].x - a[0].x <= 1e6 * amo_limits_finest(s, a[0].x, a[1].x)) return false;
  if (i == 0) return may_turn_at_end(a, a + 1);
  return i + 2 == n ? may_turn_at_end(a, a - 1) : may_turn_twice(a - 1);
}

/// A least and a largest value may hide between two samples: more of them where the slope comes near zero.
static void add_turns(search *s)
{
  for (int round = 0; round < FINEST && s->out->evaluations < s->explore; round++) {
    const size_t n = s->count;
    for (size_t i = 0; i + 1 < n && n > 2 && !s->failed && !amo_limits_interrupted(s); i++) {
      const bool hides = hides_turns(s, n, i);
      const double x = s->grid[i].x, y = s->grid[i + 1].x;
      for (int k = 1; k < 4 && hides; k++) {
        sample m = amo_limits_look(s, x + 0.25 * k * (y - x));
        amo_limits_keep(s, &m);
      }
    }
    amo_limits_sort(s);
    if (s->count == n) return;
  }
}

amo_status amo_limits_extrema(search *s)
{
  add_turns(s);
  if (s->failed) return AMO_ENOMEM;
  for (size_t i = 1; i + 1 < s->count; i++) {
    const sample *a = &s->grid[i - 1], *b = &s->grid[i], *c = &s->grid[i + 1];
    if (a->r.kind != AMO_READ_NUMBER || b->r.kind != AMO_READ_NUMBER || c->r.kind != AMO_READ_NUMBER)
      continue;
    const double down = b->r.number - a->r.number, up = c->r.number - b->r.number;
    if (!(down * up < 0.0) || fmin(fabs(down), fabs(up)) <= 1e-10 * fabs(b->r.number + s->level)) continue;
    valley v = {.s = s, .sign = up > 0.0 ? 1.0 : -1.0, .lo = a->x, .hi = c->x, .at = b->x};
    v.value = v.sign * b->r.number;
    descend(&v);
    amo_status st = record(&v, polish(&v));
    if (st != AMO_OK) return st;
  }
  return AMO_OK;
}
