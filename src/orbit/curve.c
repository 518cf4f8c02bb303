// SPDX-License-Identifier: Apache-2.0
#include "orbit/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/solve.h"

amo_status amo_curve_new(const amo_curve_ops *ops, void *ctx, size_t n, amo_curve **out)
{
  amo_curve *c = *out = amo_zalloc(1, sizeof *c);
  if (!c) return AMO_ENOMEM;
  c->ops = ops;
  c->ctx = ctx;
  c->n = n;
  c->accuracy = 1e-10;
  c->scale = amo_zalloc(n + 1, sizeof *c->scale);
  c->f = amo_zalloc(n, sizeof *c->f);
  c->jacobian = amo_zalloc(n * (n + 1), sizeof *c->jacobian);
  c->a = amo_zalloc((n + 1) * (n + 1), sizeof *c->a);
  c->b = amo_zalloc(n + 1, sizeof *c->b);
  c->start = amo_zalloc(n + 1, sizeof *c->start);
  if (c->scale && c->f && c->jacobian && c->a && c->b && c->start) return AMO_OK;
  amo_curve_free(c);
  *out = NULL;
  return AMO_ENOMEM;
}

void amo_curve_free(amo_curve *c)
{
  if (!c) return;
  free(c->scale);
  free(c->f);
  free(c->jacobian);
  free(c->a);
  free(c->b);
  free(c->start);
  free(c);
}

/// The n equations (scaled; equation i has the size of unknown i) and the plane as the last row.
static void fill(amo_curve *c, const double *direction)
{
  const size_t n = c->n, all = n + 1;
  for (size_t j = 0; j <= n; j++) {
    for (size_t i = 0; i < n; i++) c->a[i * all + j] = c->jacobian[j * n + i] * c->scale[j] / c->scale[i];
    c->a[n * all + j] = direction[j];
  }
}

amo_status amo_curve_correct(amo_curve *c, double *x, const double *direction, int most, int *steps)
{
  const size_t n = c->n;
  memcpy(c->start, x, (n + 1) * sizeof *x);
  for (*steps = 0;; ++*steps) {
    amo_status st = c->ops->look(c->ctx, x, c->f, c->jacobian);
    if (st != AMO_OK) return st;
    double error = 0.0, off = 0.0;
    for (size_t i = 0; i < n; i++) {
      c->b[i] = -c->f[i] / c->scale[i];
      error = fmax(error, fabs(c->b[i]));
    }
    for (size_t i = 0; i <= n; i++) off += (x[i] - c->start[i]) / c->scale[i] * direction[i];
    c->b[n] = -off;
    if (error <= c->accuracy) return AMO_OK;
    if (*steps >= most || !isfinite(error)) return AMO_ENOANSWER;
    fill(c, direction);
    if (amo_solve(c->a, n + 1, c->b, 1) != AMO_OK) return AMO_ENOANSWER;
    for (size_t i = 0; i <= n; i++) x[i] += c->b[i] * c->scale[i];
  }
}

amo_status amo_curve_tangent(amo_curve *c, const double *direction, double *tangent)
{
  const size_t n = c->n;
  double size = 0.0;
  fill(c, direction);
  memset(c->b, 0, n * sizeof *c->b);
  c->b[n] = 1.0;
  if (amo_solve(c->a, n + 1, c->b, 1) != AMO_OK) return AMO_ENOANSWER;
  for (size_t i = 0; i <= n; i++) size += c->b[i] * c->b[i];
  size = sqrt(size);
  if (!(size > 0.0) || !isfinite(size)) return AMO_ENOANSWER;
  for (size_t i = 0; i <= n; i++) tangent[i] = c->b[i] / size;
  return AMO_OK;
}
