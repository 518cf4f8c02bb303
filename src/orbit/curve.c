// SPDX-License-Identifier: Apache-2.0
#include "orbit/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/newton.h"
#include "num/rounding.h"
#include "num/solve.h"

amo_status amo_curve_new(const amo_curve_ops *ops, void *ctx, size_t n, amo_curve **out)
{
  amo_curve *c = *out = amo_zalloc(1, sizeof *c);
  if (!c) return AMO_ENOMEM;
  c->ops = ops;
  c->ctx = ctx;
  c->n = n;
  c->accuracy = AMO_FAINT;
  c->scale = amo_zalloc(n + 1, sizeof *c->scale);
  c->f = amo_zalloc(n, sizeof *c->f);
  c->jacobian = amo_zalloc(n * (n + 1), sizeof *c->jacobian);
  c->a = amo_zalloc((n + 1) * (n + 1), sizeof *c->a);
  c->b = amo_zalloc(n + 1, sizeof *c->b);
  c->start = amo_zalloc(n + 1, sizeof *c->start);
  c->move = amo_zalloc(2 * (n + 1), sizeof *c->move);
  if (c->scale && c->f && c->jacobian && c->a && c->b && c->start && c->move) return AMO_OK;
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
  free(c->move);
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

amo_status amo_curve_look(amo_curve *c, const double *x)
{
  c->looks++;
  return c->ops->look(c->ctx, x, c->f, c->jacobian);
}

/// Right sides of the scaled equations; the largest.
static double take_values(amo_curve *c)
{
  double size = 0.0;
  for (size_t i = 0; i < c->n; i++) {
    c->b[i] = -c->f[i] / c->scale[i];
    size = isnan(c->b[i]) ? NAN : fmax(size, fabs(c->b[i]));
  }
  return size;
}

static amo_status look(void *ctx, const double *x, double *size)
{
  amo_curve *c = ctx;
  const amo_status st = amo_curve_look(c, x);
  *size = st == AMO_OK ? take_values(c) : NAN;
  return st;
}

static amo_status step(void *ctx, const double *x, double *move, double *length, double *size)
{
  amo_curve *c = ctx;
  const size_t n = c->n;
  (void)length, (void)size;
  c->b[n] = 0.0;
  for (size_t i = 0; i <= n; i++) c->b[n] -= (x[i] - c->start[i]) / c->scale[i] * c->direction[i];
  fill(c, c->direction);
  const amo_status st = amo_solve(c->a, n + 1, c->b, 1);
  for (size_t i = 0; i <= n; i++) move[i] = c->b[i] * c->scale[i];
  return st;
}

amo_status amo_curve_approach(amo_curve *c, double *x, const double *direction)
{
  double length, size;
  c->looks++;
  amo_status st = c->ops->value(c->ctx, x, c->f);
  if (st != AMO_OK || !isfinite(take_values(c))) return AMO_ENOANSWER;
  c->direction = direction;
  memcpy(c->start, x, (c->n + 1) * sizeof *x);
  st = step(c, x, c->move, &length, &size);
  for (size_t i = 0; st == AMO_OK && i <= c->n; i++) x[i] += c->move[i];
  return st;
}

amo_status amo_curve_correct(amo_curve *c, double *x, const double *direction, int most, int *steps)
{
  const size_t all = c->n + 1;
  amo_newton p = {look, step, c, .n = all, .move = c->move, .trial = c->move + all, .most = most};
  p.enough = c->accuracy;
  c->direction = direction;
  memcpy(c->start, x, all * sizeof *x);
  const amo_status st = amo_newton_solve(&p, x);
  *steps = p.steps;
  return st;
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
