// SPDX-License-Identifier: Apache-2.0
#include "num/bracket.h"

#include <math.h>

enum { MOST_HALVINGS = 64 };

bool amo_bracket_next(amo_bracket *k, double *x)
{
  *x = 0.5 * (k->a + k->b);
  return *x != k->a && *x != k->b && k->halvings++ < MOST_HALVINGS;
}

bool amo_zero_next(amo_zero *z, double *x)
{
  bool slow = false;
  if (z->looks++ % 3 == 0) {
    slow = z->looks > 1 && z->b - z->a > 0.5 * z->width;
    z->width = z->b - z->a;
  }
  *x = (z->a * z->fb - z->b * z->fa) / (z->fb - z->fa);
  if (slow || !(*x > z->a && *x < z->b)) *x = 0.5 * (z->a + z->b);
  return *x > z->a && *x < z->b;
}

void amo_zero_take(amo_zero *z, double x, double f)
{
  if ((f < 0.0) == (z->fb < 0.0)) {
    z->b = x, z->fb = f;
    if (z->kept == 1) z->fa *= 0.5;
    z->kept = 1;
  } else {
    z->a = x, z->fa = f;
    if (z->kept == -1) z->fb *= 0.5;
    z->kept = -1;
  }
}

/// Where the parabola through three points has its lowest; anywhere if it has none.
static double parabola(amo_low p, amo_low q, amo_low r)
{
  const double u = (p.x - q.x) * (p.f - r.f), v = (p.x - r.x) * (p.f - q.f);
  return p.x - 0.5 * ((p.x - q.x) * u - (p.x - r.x) * v) / (u - v);
}

amo_valley amo_valley_of(double a, double b, double x, double f, double fine)
{
  const amo_low p = {x, f};
  return (amo_valley){a, b, fine, p, p, p, b - a, b - a};
}

bool amo_valley_next(amo_valley *v, double *x)
{
  const double middle = 0.5 * (v->a + v->b), at = v->best.x;
  if (!(v->b - v->a > v->fine)) return false;
  double move = parabola(v->best, v->second, v->third) - at;
  if (!(at + move > v->a && at + move < v->b && fabs(move) < 0.5 * fabs(v->before)))
    move = AMO_GOLDEN * ((at < middle ? v->b : v->a) - at), v->last = v->b - v->a;
  if (fabs(move) < 0.1 * v->fine) {  // settled: one look at either side closes the bracket
    if (fabs(at - middle) + 0.5 * (v->b - v->a) <= 4 * v->fine) return false;
    move = at < middle ? v->fine : -v->fine;
  }
  v->before = v->last, v->last = move;
  *x = at + move;
  return true;
}

void amo_valley_take(amo_valley *v, double x, double f)
{
  const amo_low p = {x, f};
  if (f <= v->best.f) {
    *(x < v->best.x ? &v->b : &v->a) = v->best.x;
    v->third = v->second, v->second = v->best, v->best = p;
    return;
  }
  *(x < v->best.x ? &v->a : &v->b) = x;
  if (f <= v->second.f || v->second.x == v->best.x)
    v->third = v->second, v->second = p;
  else
    v->third = p;
}
