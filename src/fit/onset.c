// SPDX-License-Identifier: Apache-2.0
#include "fit/onset.h"

#include <math.h>

#include "num/bracket.h"

enum { LEAST = 8, SCAN = 16 };

typedef struct onset_search {
  const double *t, *x;
  size_t n;
  double omega, kappa;
} onset_search;

/// What the slope and the jump add behind the break-down, times omega^2: answers of the oscillator to a ramp and to a step.
static void answers(const onset_search *s, double time, double *ramp, double *step)
{
  const double h = 0.5 * s->kappa, o2 = s->omega * s->omega, w = sqrt(o2 - h * h), e = exp(-h * time);
  const double c = e * cos(w * time), d = e * sin(w * time);
  *step = 1 - c - h / w * d;
  *ramp = time - s->kappa / o2 * (1 - c) + (s->kappa * h / o2 - 1) / w * d;
}

/// Level, slope and jump for a break-down at `at`, by elimination; a jump below zero is none.
static double solve(const onset_search *s, double at, amo_onset *o)
{
  double m[3][3] = {{0}}, r[3] = {0}, mean = 0, sum = 0;
  for (size_t i = 0; i < s->n; i++) mean += s->x[i] / (double)s->n;
#define BASIS                                     \
  double b[3] = {1, s->t[i] - at, 0}, ramp, step; \
  if (b[1] > 0) {                                 \
    answers(s, b[1], &ramp, &step);               \
    b[1] -= ramp;                                 \
    b[2] = -step;                                 \
  }
  for (size_t i = 0; i < s->n; i++) {
    BASIS
    for (int k = 0; k < 3; k++) {
      r[k] += b[k] * (s->x[i] - mean);
      for (int l = 0; l < 3; l++) m[k][l] += b[k] * b[l];
    }
  }
  *o = (amo_onset){.t = at, .sum = INFINITY};
  for (int terms = 3; terms >= 2; terms--) {
    const double a = m[0][0], b = m[0][1], d = m[1][1], det2 = a * d - b * b;
    if (!(det2 > 0)) return INFINITY;
    const double p = terms == 3 ? m[0][2] : 0, q = terms == 3 ? m[1][2] : 0;
    const double u = (p * d - q * b) / det2, v = (q * a - p * b) / det2, rest = m[2][2] - u * p - v * q;
    const double jump = terms == 3 && rest > 1e-12 * m[2][2] ? (r[2] - u * r[0] - v * r[1]) / rest : 0;
    o->level = ((r[0] - jump * p) * d - (r[1] - jump * q) * b) / det2;
    o->slope = ((r[1] - jump * q) * a - (r[0] - jump * p) * b) / det2;
    o->jump = jump;
    o->level_se = sqrt(d / det2 + (terms == 3 && rest > 0 ? u * u / rest : 0));
    if (jump >= 0) break;
  }
  for (size_t i = 0; i < s->n; i++) {
    BASIS
    const double off = s->x[i] - mean - o->level * b[0] - o->slope * b[1] - o->jump * b[2];
    sum += off * off;
  }
#undef BASIS
  o->level += mean;
  return o->sum = sum;
}

bool amo_onset_fit(const double *t, const double *x, size_t n, double omega, double kappa, double t0,
                   double t1, amo_onset *out)
{
  const onset_search s = {t, x, n, omega, kappa};
  amo_onset o;
  double best = INFINITY, place = t0;
  if (n < LEAST || !(t1 > t0) || !(omega > 0.5 * fabs(kappa))) return false;
  const double step = (t1 - t0) / SCAN;
  for (int k = 0; k <= SCAN; k++) {
    const double f = solve(&s, t0 + k * step, &o);
    if (f < best) best = f, place = t0 + k * step;
  }
  if (!(best < INFINITY)) return false;
  amo_valley v = amo_valley_of(fmax(t0, place - step), fmin(t1, place + step), place, best, 1e-7 * (t1 - t0));
  double at;
  for (int i = 0; i < 40 && amo_valley_next(&v, &at); i++) amo_valley_take(&v, at, solve(&s, at, &o));
  const double h = 0.25 * step,
               bend = (solve(&s, v.best.x + h, &o) - 2 * v.best.f + solve(&s, v.best.x - h, &o)) / (h * h);
  (void)solve(&s, v.best.x, out);
  out->level_se = hypot(out->level_se, bend > 0 ? out->slope * sqrt(2 / bend) : out->slope * step);
  return isfinite(out->sum);
}
