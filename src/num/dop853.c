// SPDX-License-Identifier: Apache-2.0
#include "num/dop853.h"

#include <math.h>
#include <string.h>

#include "num/dop853_table.h"

enum { STAGES = AMO_DOP853_STAGES, ALL = AMO_DOP853_ALL, DEGREE = AMO_DOP853_DEGREE };

void amo_dop853_take(amo_dop853 *d, amo_arena *memory, size_t n)
{
  d->n = n;
  AMO_TAKE(memory, double, ALL *(n + 1), &d->k);
  AMO_TAKE(memory, double, n + 1, &d->stage, &d->end);
}

static amo_status take_stage(amo_dop853 *d, double t, const double *y, double h, int s, double *at)
{
  for (size_t i = 0; i < d->n; i++) {
    double sum = 0.0;
    for (int j = 0; j < s; j++) sum += dop_a[s][j] * d->k[(size_t)j * d->n + i];
    at[i] = y[i] + h * sum;
  }
  return d->rates(d->ctx, t + dop_c[s] * h, at, d->k + (size_t)s * d->n);
}

/// The last stage is the end of the step.
amo_status amo_dop853_step(amo_dop853 *d, double t, const double *y, double h)
{
  amo_status st = AMO_OK;
  for (int s = 1; s <= STAGES && st == AMO_OK; s++) st = take_stage(d, t, y, h, s, d->end);
  return st;
}

double amo_dop853_error(const amo_dop853 *d, double h, const double *unit)
{
  double e5 = 0.0, e3 = 0.0;
  for (size_t i = 0; i < d->n; i++) {
    double a = 0.0, b = 0.0;
    for (int s = 0; s <= STAGES; s++) {
      a += dop_e5[s] * d->k[(size_t)s * d->n + i];
      b += dop_e3[s] * d->k[(size_t)s * d->n + i];
    }
    e5 += (a / unit[i]) * (a / unit[i]);
    e3 += (b / unit[i]) * (b / unit[i]);
  }
  const double both = e5 + 0.01 * e3;
  if (!isfinite(both)) return INFINITY;
  return both > 0.0 ? h * e5 / sqrt(both * (double)d->n) : 0.0;
}

/// y0 + x(F0 + (1-x)(F1 + x(F2 + (1-x)(F3 + ...)))) expanded into powers of x.
static void expand(const double *F, double y0, double *p)
{
  memset(p, 0, (DEGREE + 1) * sizeof *p);
  for (int j = DEGREE - 1; j >= 0; j--) {
    const bool by_x = (DEGREE - 1 - j) % 2 == 0;
    p[0] += F[j];
    for (int c = DEGREE; c >= 0; c--) {
      const double below = c > 0 ? p[c - 1] : 0.0;
      p[c] = by_x ? below : p[c] - below;
    }
  }
  p[0] = y0;
}

amo_status amo_dop853_dense(amo_dop853 *d, double t, const double *y, double h, double *dense)
{
  amo_status st = AMO_OK;
  for (int s = STAGES + 1; s < ALL && st == AMO_OK; s++) st = take_stage(d, t, y, h, s, d->stage);
  for (size_t i = 0; st == AMO_OK && i < d->n; i++) {
    const double *k = d->k + i;
    double F[DEGREE];
    F[0] = d->end[i] - y[i];
    F[1] = h * k[0] - F[0];
    F[2] = 2 * F[0] - h * (k[(size_t)STAGES * d->n] + k[0]);
    for (int f = 0; f < DEGREE - 3; f++) {
      F[3 + f] = 0.0;
      for (int s = 0; s < ALL; s++) F[3 + f] += h * dop_d[f][s] * k[(size_t)s * d->n];
    }
    expand(F, y[i], dense + i * (DEGREE + 1));
  }
  return st;
}
