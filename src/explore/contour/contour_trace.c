// SPDX-License-Identifier: Apache-2.0
#include "explore/contour/contour_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/bracket.h"

enum { MAX_POINTS = 20000, MAX_CURVES = 2000 };

typedef struct point {
  double x, y;  // of the unit square
} point;

// ---- the field ----

static double of_cell(const amo_tracer *t, size_t i)
{
  if (isnan(t->level))
    return t->m->word[i] >= 0 ? !strcmp(t->m->words[t->m->word[i]], t->word) ? 1.0 : -1.0 : NAN;
  return t->m->word[i] >= 0 ? NAN : t->m->number[i] - t->level;
}

static double field(amo_tracer *t, point a)
{
  amo_reading r;
  const double value[2] = {t->m->x.from + a.x * (t->m->x.to - t->m->x.from),
                           t->m->y.from + a.y * (t->m->y.to - t->m->y.from)};
  amo_probe_read(t->p, value, NULL, &r);
  t->out->evaluations++;
  if (isnan(t->level)) return r.kind == AMO_READ_NUMBER ? NAN : !strcmp(r.text, t->word) ? 1.0 : -1.0;
  return r.kind == AMO_READ_NUMBER ? r.number - t->level : NAN;
}

static bool differ(double a, double b)
{
  return (a < 0.0 && b >= 0.0) || (a >= 0.0 && b < 0.0);
}

/// The zero between a and b, where the signs differ. False: a pole, or no value.
static bool zero_between(amo_tracer *t, point a, double fa, point b, double fb, point *out)
{
  const double width = hypot(b.x - a.x, b.y - a.y);
  amo_zero z = {.a = 0.0, .b = 1.0, .fa = fa, .fb = fb};
  double s, end[2] = {fa, fb};
  for (int i = 0; i < 100 && (z.b - z.a) * width > t->finest && amo_zero_next(&z, &s); i++) {
    double f = field(t, (point){a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)});
    if (isnan(f)) return false;
    if (f == 0.0) z.a = z.b = s;
    if (f == 0.0) break;
    if (isnan(t->level)) z.kept = 0;  // words have no size
    amo_zero_take(&z, s, f);
    end[z.b == s] = f;
  }
  s = fabs(end[0]) < fabs(end[1]) ? z.a : z.b;
  *out = (point){a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)};
  return isnan(t->level) || !(fmin(fabs(end[0]), fabs(end[1])) > 1e3 * fmax(fabs(fa), fabs(fb)));
}

static bool inside(point a)
{
  return a.x >= 0.0 && a.x <= 1.0 && a.y >= 0.0 && a.y <= 1.0;
}

// ---- edges of the grid that a piece of curve crosses ----

static point node(const amo_tracer *t, size_t i, size_t j)
{
  return (point){(double)i / (double)(t->m->nx - 1), (double)j / (double)(t->m->ny - 1)};
}

static double side(point a, point b, point c)
{
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static void mark(amo_tracer *t, point a, point b)
{
  const size_t nx = t->m->nx, ny = t->m->ny;
  const double gx = (double)(nx - 1), gy = (double)(ny - 1), slack = 1e-9;
  long i0 = (long)floor(fmin(a.x, b.x) * gx - slack), i1 = (long)floor(fmax(a.x, b.x) * gx + slack) + 1;
  long j0 = (long)floor(fmin(a.y, b.y) * gy - slack), j1 = (long)floor(fmax(a.y, b.y) * gy + slack) + 1;
  for (long j = j0 < 0 ? 0 : j0; j <= j1 && j < (long)ny; j++)
    for (long i = i0 < 0 ? 0 : i0; i <= i1 && i < (long)nx; i++)
      for (int up = 0; up < 2; up++) {
        size_t k = (size_t)i + (up ? 0 : 1), l = (size_t)j + (up ? 1 : 0);
        if (k >= nx || l >= ny) continue;
        point c = node(t, (size_t)i, (size_t)j), d = node(t, k, l);
        double e = 1e-7 / fmax(gx, gy);
        if (side(a, b, c) * side(a, b, d) <= e * e && side(c, d, a) * side(c, d, b) <= e * e)
          t->seen[((size_t)up * ny + (size_t)j) * nx + (size_t)i] = true;
      }
}

// ---- one curve ----

static void add_point(amo_tracer *t, amo_contour *c, point a)
{
  if (c->points == c->capacity) {
    size_t n = c->capacity ? 2 * c->capacity : 64;
    double *x = realloc(c->x, n * sizeof *x);
    if (x) c->x = x;
    double *y = realloc(c->y, n * sizeof *y);
    if (y) c->y = y;
    if (!x || !y) {
      t->status = AMO_ENOMEM;
      return;
    }
    c->capacity = n;
  }
  c->x[c->points] = a.x;
  c->y[c->points++] = a.y;
}

/// Onto the curve near `guess`, across the direction d; reach: how far it may be.
static bool correct(amo_tracer *t, point guess, point d, double reach, point *out)
{
  const point n = {-d.y, d.x};
  for (double w = 0.25 * reach; w <= reach; w *= 2.0) {
    point a = {guess.x - w * n.x, guess.y - w * n.y}, b = {guess.x + w * n.x, guess.y + w * n.y};
    double fa = field(t, a), fb = field(t, b);
    if (differ(fa, fb)) return zero_between(t, a, fa, b, fb, out);
  }
  return false;
}

/// Direction of the curve at a: across the line between opposite signs around it.
static bool direction_at(amo_tracer *t, point a, point *d)
{
  const double r = 1e-3 * t->longest, pi = acos(-1.0);
  const int steps = 16;
  double last = field(t, (point){a.x + r, a.y});
  for (int k = 1; k <= steps; k++) {
    double w = 2.0 * pi * k / steps, before = w - 2.0 * pi / steps;
    point p = {a.x + r * cos(before), a.y + r * sin(before)}, q = {a.x + r * cos(w), a.y + r * sin(w)}, z;
    double now = field(t, q);
    if (differ(last, now) && zero_between(t, p, last, q, now, &z)) {
      double size = hypot(z.x - a.x, z.y - a.y);
      if (size > 0.0) return *d = (point){(z.x - a.x) / size, (z.y - a.y) / size}, true;
    }
    last = now;
  }
  return false;
}

/// Where the curve leaves the map: on the border between a (inside) and b (outside).
static void leave(amo_tracer *t, amo_contour *c, point a, point b)
{
  double s = 1.0;
  point out = {0.0, 0.0}, z;
  const double part[4] = {a.x / (a.x - b.x), (1.0 - a.x) / (b.x - a.x), a.y / (a.y - b.y),
                          (1.0 - a.y) / (b.y - a.y)};
  const bool beyond[4] = {b.x<0.0, b.x> 1.0, b.y<0.0, b.y> 1.0};
  for (int i = 0; i < 4; i++)
    if (beyond[i] && part[i] <= s) {
      s = part[i];
      out = i < 2 ? (point){1.0, 0.0} : (point){0.0, 1.0};
    }
  z = (point){a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)};
  if (out.x != 0.0) z.x = b.x < 0.0 ? 0.0 : 1.0;
  if (out.y != 0.0) z.y = b.y < 0.0 ? 0.0 : 1.0;
  if (!correct(t, z, out, 0.5 * t->longest, &z) || !inside(z)) return;  // a corner
  mark(t, a, z);
  add_point(t, c, z);
}

/// From the start along d until the border, the start again, or an end of the curve. True: closed.
static bool walk(amo_tracer *t, amo_contour *c, point start, point d)
{
  point a = start;
  double h = 0.5 * t->longest;
  for (int i = 0; i < MAX_POINTS && t->status == AMO_OK && h > 1e-6; i++) {
    if (t->stop && *t->stop) t->status = AMO_EINTR;
    point guess = {a.x + h * d.x, a.y + h * d.y}, b;
    if (!inside(guess) && h > 1e-3 * t->longest) {
      if (!correct(t, guess, d, h, &b)) b = guess;
      if (!inside(b)) return leave(t, c, a, b), false;
    }
    if (!correct(t, guess, d, h, &b)) {
      h *= 0.5;
      continue;
    }
    double size = hypot(b.x - a.x, b.y - a.y);
    point e = {(b.x - a.x) / size, (b.y - a.y) / size};
    if (!(e.x * d.x + e.y * d.y > 0.94)) {  // about 20 degrees
      h *= 0.5;
      continue;
    }
    mark(t, a, b);
    add_point(t, c, b);
    double back = hypot(b.x - start.x, b.y - start.y);
    if (i > 3 && back < 0.75 * h && (start.x - a.x) * d.x + (start.y - a.y) * d.y > 0.0)
      return mark(t, b, start), add_point(t, c, start), true;
    if (!inside(b)) return false;
    d = e;
    a = b;
    h = fmin(1.6 * h, t->longest);
  }
  return false;
}

static void reverse(amo_contour *c)
{
  for (size_t i = 0, j = c->points; i + 1 < j; i++) {
    j--;
    double x = c->x[i], y = c->y[i];
    c->x[i] = c->x[j], c->y[i] = c->y[j];
    c->x[j] = x, c->y[j] = y;
  }
}

static void trace_from(amo_tracer *t, point a)
{
  point d;
  if (t->out->count >= MAX_CURVES || !direction_at(t, a, &d)) return;
  if (!AMO_ROOM(t->out->item, t->out->count, t->out->capacity)) {
    t->status = AMO_ENOMEM;
    return;
  }
  amo_contour *c = &t->out->item[t->out->count++];
  *c = (amo_contour){.level = t->level};
  if (t->word) snprintf(c->word, sizeof c->word, "%s", t->word);
  add_point(t, c, a);
  c->closed = walk(t, c, a, d);
  if (!c->closed) {
    reverse(c);
    walk(t, c, a, (point){-d.x, -d.y});
  }
  for (size_t i = 0; i < c->points; i++) {  // from the unit square
    c->x[i] = t->m->x.from + c->x[i] * (t->m->x.to - t->m->x.from);
    c->y[i] = t->m->y.from + c->y[i] * (t->m->y.to - t->m->y.from);
  }
  if (c->points < 2) {
    free(c->x);
    free(c->y);
    t->out->count--;
  }
}

void amo_trace_all(amo_tracer *t)
{
  const size_t nx = t->m->nx, ny = t->m->ny;
  memset(t->seen, 0, 2 * nx * ny * sizeof *t->seen);
  for (size_t j = 0; j < ny; j++)
    for (size_t i = 0; i < nx && t->status == AMO_OK; i++)
      for (int up = 0; up < 2; up++) {
        size_t k = i + (up ? 0 : 1), l = j + (up ? 1 : 0), e = ((size_t)up * ny + j) * nx + i;
        if (k >= nx || l >= ny || t->seen[e]) continue;
        double fa = of_cell(t, j * nx + i), fb = of_cell(t, l * nx + k);
        point z;
        t->seen[e] = true;
        if (differ(fa, fb) && zero_between(t, node(t, i, j), fa, node(t, k, l), fb, &z)) trace_from(t, z);
      }
}
