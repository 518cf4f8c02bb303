// SPDX-License-Identifier: Apache-2.0
#include "orbit/consistent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/newton.h"
#include "num/orthogonal.h"

amo_status amo_consistent_new(const amo_derivative *d, amo_consistent **out)
{
  *out = NULL;
  if (d->most_ties == 0) return AMO_OK;
  amo_consistent *c = *out = amo_zalloc(1, sizeof *c);
  if (!c) return AMO_ENOMEM;
  const size_t ns = d->ns, ties = d->most_ties;
  c->ns = d->ns;
  c->np = d->np;
  c->lasting = d->lasting;
  c->y = amo_zalloc(ns, sizeof *c->y);
  c->project = amo_zalloc(ns * ns, sizeof *c->project);
  c->drift = amo_zalloc((size_t)d->np * ns + ns, sizeof *c->drift);
  c->inverse = amo_zalloc(ties * ns, sizeof *c->inverse);
  c->rows = amo_zalloc(ties * ns, sizeof *c->rows);
  c->move = amo_zalloc(2 * ns, sizeof *c->move);
  if (c->y && c->project && c->drift && c->inverse && c->rows && c->move) return AMO_OK;
  amo_consistent_free(c);
  *out = NULL;
  return AMO_ENOMEM;
}

void amo_consistent_free(amo_consistent *c)
{
  if (!c) return;
  free(c->y);
  free(c->project);
  free(c->drift);
  free(c->inverse);
  free(c->rows);
  free(c->move);
  free(c);
}

/// Pseudo-inverse of the rows of the ties: column k moves tie k by one and no other.
static amo_status invert(amo_consistent *c, const amo_derivative *d)
{
  for (size_t k = 0; k < c->ties; k++) memcpy(c->rows + k * c->ns, d->tie[k].d, c->ns * sizeof *c->rows);
  return amo_pseudo_inverse(c->rows, c->ties, c->ns, AMO_NOTHING, c->inverse);
}

static void fill(amo_consistent *c, const amo_derivative *d)
{
  const size_t ns = c->ns;
  for (size_t j = 0; j < ns; j++)
    for (size_t i = 0; i < ns; i++) {
      double x = i == j;
      for (size_t k = 0; k < c->ties; k++) x -= c->inverse[i * c->ties + k] * d->tie[k].d[j];
      c->project[j * ns + i] = x;
    }
  for (size_t p = 0; p < c->np; p++)
    for (size_t i = 0; i < ns; i++) {
      double x = 0.0;
      for (size_t k = 0; k < c->ties; k++) x -= c->inverse[i * c->ties + k] * d->tie[k].d[ns + p];
      c->drift[p * ns + i] = x;
    }
}

typedef struct correction {
  amo_consistent *c;
  amo_derivative *d;
  amo_place at;
} correction;

static amo_status look(void *ctx, const double *y, double *size)
{
  correction *k = ctx;
  k->at.y = y;
  *size = 1.0;  // steps tell
  const amo_status st = amo_derivative_conditions(k->d, &k->at);
  k->c->ties = k->d->ties;
  return st == AMO_OK ? invert(k->c, k->d) : st;
}

static amo_status step(void *ctx, const double *y, double *move, double *length, double *unused)
{
  const correction *k = ctx;
  const size_t ns = k->c->ns, ties = k->c->ties;
  double moved = 0.0, size = 0.0;
  (void)unused;
  for (size_t i = 0; i < ns; i++) {
    move[i] = 0.0;
    for (size_t t = 0; t < ties; t++) move[i] -= k->c->inverse[i * ties + t] * k->d->tie[t].value;
    moved = fmax(moved, fabs(move[i]));
    size = fmax(size, fabs(y[i] + move[i]));
  }
  *length = moved > 0.0 ? moved / size : 0.0;
  return AMO_OK;
}

amo_status amo_consistent_find(amo_consistent *c, amo_derivative *d, const amo_place *at, const double *y0)
{
  correction k = {c, d, *at};
  amo_newton p = {look, step, &k, .n = c->ns, .move = c->move, .trial = c->move + c->ns};
  p.enough = 0.0, p.still = 1e-15, p.most = 6;
  memcpy(c->y, y0, c->ns * sizeof *y0);
  amo_status st = amo_newton_solve(&p, c->y);
  if (st == AMO_ENOANSWER && p.steps == p.most) st = AMO_OK;  // as near as rounding lets it come
  if (st == AMO_OK) fill(c, d);
  return st;
}

void amo_consistent_begin(const amo_consistent *c, amo_variation *g)
{
  const size_t ns = c->ns;
  memcpy(g->y, c->project, ns * ns * sizeof *g->y);
  memcpy(g->y + ns * ns, c->drift, c->np * ns * sizeof *g->y);
  if (g->rank > ns - c->ties) g->rank = (uint32_t)ns - c->ties;
}
