// SPDX-License-Identifier: Apache-2.0
#include "num/rkf45.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/rounding.h"

enum { STAGES = 6 };
static const double node[STAGES] = {0.0, 1.0 / 4, 3.0 / 8, 12.0 / 13, 1.0, 1.0 / 2};
static const double row[STAGES][5] = {
    {0},
    {1.0 / 4},
    {3.0 / 32, 9.0 / 32},
    {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
    {8341.0 / 4104, -32832.0 / 4104, 29440.0 / 4104, -845.0 / 4104},
    {-6080.0 / 20520, 41040.0 / 20520, -28352.0 / 20520, 9295.0 / 20520, -5643.0 / 20520},
};
static const double weight5[STAGES] = {902880.0 / 7618050,   0,
                                       3953664.0 / 7618050,  3855735.0 / 7618050,
                                       -1371249.0 / 7618050, 277020.0 / 7618050};
static const double error5[STAGES] = {
    -2090.0 / 752400, 0, 22528.0 / 752400, 21970.0 / 752400, -15048.0 / 752400, -27360.0 / 752400};

amo_status amo_rkf45_init(amo_rkf45 *r, int n, double tol, double h, double h_max)
{
  *r = (amo_rkf45){.n = n, .tol = tol, .h = h, .h_max = h_max};
  r->stage = calloc((size_t)(STAGES + 1) * (size_t)(n + 1), sizeof *r->stage);
  return r->stage != NULL ? AMO_OK : AMO_ENOMEM;
}

void amo_rkf45_free(amo_rkf45 *r)
{
  free(r->stage);
  r->stage = NULL;
}

static amo_status run_stages(amo_rkf45 *r, amo_rhs f, void *ctx, double t, double h, const double *y)
{
  size_t n = (size_t)r->n;
  double *at = r->stage + STAGES * n;
  for (int s = 0; s < STAGES; s++) {
    for (size_t i = 0; i < n; i++) {
      double sum = 0.0;
      for (int j = 0; j < s; j++) sum += row[s][j] * r->stage[(size_t)j * n + i];
      at[i] = y[i] + h * sum;
    }
    amo_status st = f(ctx, t + node[s] * h, at, r->stage + (size_t)s * n);
    if (st != AMO_OK) return st;
    r->rhs++;
  }
  return AMO_OK;
}

static void norms(const amo_rkf45 *r, double h, const double *y, double *err, double *size)
{
  size_t n = (size_t)r->n;
  *err = 0.0;
  *size = 1.0;
  for (size_t i = 0; i < n; i++) {
    double e = 0.0, w = r->weight != NULL ? r->weight[i] : 1.0;
    for (int s = 0; s < STAGES; s++) e += error5[s] * r->stage[(size_t)s * n + i];
    *err = fmax(*err, fabs(w * h * e));
    *size = fmax(*size, fabs(w * y[i]));
  }
}

amo_status amo_rkf45_step(amo_rkf45 *r, amo_rhs f, void *ctx, double *t, double t_end, double *y)
{
  size_t n = (size_t)r->n;
  for (;;) {
    double h = fmin(r->h, t_end - *t);
    amo_status st = run_stages(r, f, ctx, *t, h, y);
    if (st != AMO_OK) return st;
    double err, size;
    norms(r, h, y, &err, &size);
    if (!isfinite(err)) return AMO_ENOANSWER;
    double grow = err > 0.0 ? 0.8 * pow(r->tol * size / err, 0.2) : 1e3;
    r->h = fmin(r->h_max, h * grow);
    if (err <= r->tol * size) {
      for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (int s = 0; s < STAGES; s++) sum += weight5[s] * r->stage[(size_t)s * n + i];
        y[i] += h * sum;
      }
      *t = h == t_end - *t ? t_end : *t + h;
      return AMO_OK;
    }
    r->rejected++;
    if (!(r->h > AMO_LAST_DIGITS * fmax(fabs(*t), r->h_max))) return AMO_ENOANSWER;
  }
}
