// SPDX-License-Identifier: Apache-2.0
#include "fit/arcs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "fit/arc.h"
#include "num/bracket.h"

enum { MOST = 128, LONGEST = 2048, LEAST_ARC = 6 };  // slips kept; samples of one

static const double pi = 3.14159265358979323846;

typedef struct kept_slip {
  double *t, *x;  // [n]
  size_t n;
  size_t a, b;   // samples that count: its steep middle, later all of the arc
  double lasts;  // between its extrema, if it is an arc
  bool falling;
} kept_slip;

typedef struct arc_pool {
  kept_slip slip[MOST];
  size_t n, stride, seen;
  amo_spread lasts[2];  // of rises, falls
  double omega, kappa;
} arc_pool;

static void free_slip(kept_slip *s)
{
  free(s->t), free(s->x);
  *s = (kept_slip){0};
}

/// Room for one more: every second one goes where there is none.
static bool make_room(arc_pool *p)
{
  if (p->stride == 0) p->stride = 1;
  if (p->seen++ % p->stride != 0) return false;
  if (p->n < MOST) return true;
  for (size_t i = 0; i < MOST; i++)
    if (i % 2 == 0 && i > 0)
      p->slip[i / 2] = p->slip[i], p->slip[i] = (kept_slip){0};
    else if (i % 2 == 1)
      free_slip(&p->slip[i]);
  p->n = MOST / 2;
  p->stride *= 2;
  return true;
}

static amo_status on_stretch(void *ctx, const amo_oscillogram *o, size_t from, size_t to, bool falling)
{
  arc_pool *p = ctx;
  const amo_trace *w = &o->trace;
  amo_oscillogram *mine = (amo_oscillogram *)o;
  mine->keep = to;
  if (from == 0) return AMO_OK;
  const bool known = o->opts->drive || isfinite(o->opts->speed);
  if (known && falling != (w->v[from - w->first] >= 0)) return AMO_OK;
  size_t a, b;
  const double lasts = amo_trace_core(w, from, to, &a, &b);
  amo_spread_add(&p->lasts[falling], fmax(lasts, o->survey.interval));
  if (isfinite(o->opts->mass) && lasts > 2 * pi * sqrt(o->opts->mass / o->opts->stiffness)) return AMO_OK;
  if (b < a + 2 || !make_room(p)) return AMO_OK;  // a fall within a step or two is no arc
  const size_t margin = b - a,
               first = a > w->first + margin ? a - margin : w->first;  // the whole slip, and some stick
  const size_t last = b + margin < amo_trace_end(w) ? b + margin : amo_trace_end(w);
  const size_t every = (last - first + LONGEST - 1) / LONGEST, n = (last - first + every - 1) / every;
  kept_slip *s = &p->slip[p->n++];
  *s = (kept_slip){amo_zalloc(n, sizeof *s->t), amo_zalloc(n, sizeof *s->x), n, 0, 0, lasts, falling};
  if (!s->t || !s->x) return AMO_ENOMEM;
  for (size_t i = 0; i < n; i++) {
    const size_t k = first + i * every;
    s->t[i] = amo_trace_t(w, k), s->x[i] = amo_trace_x(w, k);
    s->a += k < a, s->b += k < b;
  }
  return AMO_OK;
}

/// From the steep middle to all of each arc, as the present omega and kappa have it.
static void widen(arc_pool *p, double half)
{
  for (size_t i = 0; i < p->n; i++) {
    kept_slip *s = &p->slip[i];
    amo_arc a;
    if (s->b < s->a + LEAST_ARC ||
        !amo_arc_fit(s->t + s->a, s->x + s->a, s->b - s->a, p->omega, p->kappa, &a))
      continue;
    const double middle = 0.5 * (s->t[s->a] + s->t[s->b - 1]);
    const double from = amo_arc_turn(&a, middle - 0.5 * half), to = amo_arc_turn(&a, middle + 0.5 * half);
    while (s->a > 0 && s->t[s->a - 1] >= from) s->a--;
    while (s->b < s->n && s->t[s->b] <= to) s->b++;
  }
}

/// Sum of squares of all arcs that have a place among them. *freedom: samples less coefficients.
static double pooled(const arc_pool *p, double omega, double kappa, double *freedom)
{
  double sum = 0;
  *freedom = 0;
  for (size_t i = 0; i < p->n; i++) {
    amo_arc a;
    const kept_slip *s = &p->slip[i];
    if (s->b < s->a + LEAST_ARC || !amo_arc_fit(s->t + s->a, s->x + s->a, s->b - s->a, omega, kappa, &a))
      continue;
    sum += a.sum;
    *freedom += (double)a.n - 3;
  }
  return sum;
}

/// The best omega (or kappa) between a and b, the other held; its standard error.
static double best(arc_pool *p, bool of_omega, double a, double b, double *se)
{
  double x = 0.5 * (a + b), freedom;
#define AT(x) (of_omega ? pooled(p, (x), p->kappa, &freedom) : pooled(p, p->omega, (x), &freedom))
  amo_valley v = amo_valley_of(a, b, x, AT(x), 1e-7 * p->omega);
  for (int i = 0; i < 60 && amo_valley_next(&v, &x); i++) amo_valley_take(&v, x, AT(x));
  const double h = 1e-3 * p->omega, least = AT(v.best.x);
  const double bend = (AT(v.best.x + h) - 2 * least + AT(v.best.x - h)) / (h * h);
#undef AT
  *se = bend > 0 && freedom > 1 ? sqrt(2 * least / (freedom - 1) / bend) : INFINITY;
  return v.best.x;
}

/// Half of the median height of the slips.
static double typical_range(const arc_pool *p)
{
  amo_spread s = {0};
  for (size_t i = 0; i < p->n; i++)
    if (p->slip[i].b > p->slip[i].a)
      amo_spread_add(&s, 0.5 * fabs(p->slip[i].x[p->slip[i].a] - p->slip[i].x[p->slip[i].b - 1]));
  return amo_spread_median(&s);
}

/// Only the slips that go the right way and last half a period stay.
static void sort_out(arc_pool *p, double dir, double half, const amo_oscillogram *o)
{
  size_t kept = 0;
  const bool known = o->opts->drive || isfinite(o->opts->speed);
  for (size_t i = 0; i < p->n; i++) {
    kept_slip own = p->slip[i], *s = &own;
    p->slip[i] = (kept_slip){0};
    if ((known || s->falling == (dir > 0)) && s->lasts > 0.6 * half && s->lasts < 1.5 * half)
      p->slip[kept++] = *s;
    else
      free_slip(s);
  }
  p->n = kept;
}

static amo_status settle(arc_pool *p, amo_oscillogram *o, amo_breakdowns *b, double *dir, double *half,
                         bool *local)
{
  const double rises = amo_spread_median(&p->lasts[0]), falls = amo_spread_median(&p->lasts[1]);
  double freedom;
  *dir = isnan(falls) || rises < falls ? -1 : 1;
  *half = fmin(isnan(falls) ? INFINITY : falls, isnan(rises) ? INFINITY : rises);
  const bool given = isfinite(o->opts->mass);
  if (given) *half = pi * sqrt(o->opts->mass / o->opts->stiffness);
  sort_out(p, *dir, *half, o);
  p->omega = pi / *half;
  size_t arcs = 0;
  for (size_t i = 0; i < p->n; i++) arcs += p->slip[i].b >= p->slip[i].a + LEAST_ARC;
  if (!given && arcs == 0)
    return amo_error(o->diags, (amo_at){0}, "give --mass, or sample faster", "%s: %s", o->path,
                     p->n == 0 ? "no slip stands out of the noise"
                               : "too few samples in each slip to find their frequency"),
           AMO_ENOANSWER;
  for (int round = 0; round < 4 && arcs > 0; round++) {
    if (!given) p->omega = best(p, true, 0.7 * p->omega, 1.4 * p->omega, &b->omega_se);
    if (round > 0) p->kappa = best(p, false, -0.5 * p->omega, 0.5 * p->omega, &b->kappa_se);
    if (round < 2) widen(p, pi / sqrt(p->omega * p->omega - 0.25 * p->kappa * p->kappa));
  }
  if (!(fabs(p->kappa) > 3 * b->kappa_se) || fabs(p->kappa) < 1e-4 * p->omega) {  // none that can be told
    p->kappa = 0;
    if (!given && arcs > 0) p->omega = best(p, true, 0.7 * p->omega, 1.4 * p->omega, &b->omega_se);
  }
  const double sum = pooled(p, p->omega, p->kappa, &freedom);
  const double rms = freedom > 0 ? sqrt(sum / freedom) : 0;
  *local = rms > 3 * o->survey.noise && rms > 1e-3 * typical_range(p);
  if (!*local && rms > o->survey.noise)
    o->survey.noise = b->noise = rms;  // a rounded straight line has no noise
  b->omega = p->omega, b->kappa = p->kappa;
  *half = pi / sqrt(p->omega * p->omega - 0.25 * p->kappa * p->kappa);
  return AMO_OK;
}

amo_status amo_arcs_find(amo_oscillogram *o, amo_breakdowns *b, double *dir, double *half, bool *local)
{
  arc_pool *p = amo_zalloc(1, sizeof *p);
  if (p == NULL) return AMO_ENOMEM;
  amo_status st = amo_oscillogram_pass(o, on_stretch, NULL, p);
  if (st == AMO_OK) st = settle(p, o, b, dir, half, local);
  for (size_t i = 0; i < MOST; i++) free_slip(&p->slip[i]);
  free(p);
  return st;
}
