// SPDX-License-Identifier: Apache-2.0
#include "fit/descent.h"

#include <cminpack-1/cminpack.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/rounding.h"
#include "num/solve.h"

static const double nowhere = 1e100;  // a residual where there is none: any step back is better

amo_status amo_descent_new(const amo_residuals *source, const amo_fit_parameter *parameter,
                           const amo_fit_opts *opts, amo_descent **out)
{
  *out = NULL;
  const size_t n = source->n, rows = source->rows;
  if (n > INT_MAX / 2 || rows > INT_MAX / 2) return AMO_ELIMIT;
  amo_descent *s = calloc(1, sizeof *s);
  if (!s) return AMO_ENOMEM;
  *s = (amo_descent){.source = source, .parameter = parameter, .opts = opts, .n = n, .rows = rows};
  for (size_t i = 0; i < n; i++) s->priors += parameter[i].sigma > 0.0;
  const size_t all = rows + s->priors;
  AMO_TAKE(&s->memory, double, rows + 1, &s->factor, &s->residual);
  AMO_TAKE(&s->memory, double, n + 1, &s->value, &s->x, &s->p, &s->scale);
  AMO_TAKE(&s->memory, double, n *all + 1, &s->jacobian, &s->matrix);
  AMO_TAKE(&s->memory, double, n *n + 1, &s->normal);
  AMO_TAKE(&s->memory, double, all + 1, &s->row);
  AMO_TAKE(&s->memory, double, 4 * n + all + 1, &s->work);
  AMO_TAKE(&s->memory, signed char, n + 1, &s->at_bound);
  AMO_TAKE(&s->memory, size_t, n + 1, &s->free);
  AMO_TAKE(&s->memory, int, n + 1, &s->pivot);
  AMO_TAKE(&s->memory, bool, n + 1, &s->idle);
  if (s->memory.failed) {
    amo_descent_free(s);
    return AMO_ENOMEM;
  }
  *out = s;
  return AMO_OK;
}

void amo_descent_free(amo_descent *s)
{
  if (!s) return;
  amo_arena_free(&s->memory);
  free(s);
}

static double clamped(const amo_fit_parameter *q, double x)
{
  return x < q->low ? q->low : x > q->high ? q->high : x;
}

/// Residuals of all rows at s->p, and their derivatives by the parameters `which` [count] (out may be NULL).
static void assemble(const amo_descent *s, const double *r, const double *j, const size_t *which,
                     size_t count, double *row, double *matrix)
{
  const size_t all = s->rows + s->priors;
  for (size_t i = 0; row && i < s->rows; i++) row[i] = r[i] * s->factor[i];
  for (size_t k = 0; matrix && k < count; k++) {
    double *column = matrix + k * all;
    const double *from = j + (which ? which[k] : k) * s->rows;
    for (size_t i = 0; i < s->rows; i++) column[i] = from[i] * s->factor[i];
    memset(column + s->rows, 0, s->priors * sizeof *column);
  }
  for (size_t i = 0, at = s->rows; i < s->n; i++) {
    const amo_fit_parameter *q = &s->parameter[i];
    if (!(q->sigma > 0.0)) continue;
    if (row) row[at] = (s->p[i] - q->prior) / q->sigma;
    for (size_t k = 0; matrix && k < count; k++)
      if ((which ? which[k] : k) == i) matrix[k * all + at] = 1.0 / q->sigma;
    at++;
  }
}

void amo_descent_rows(amo_descent *s)
{
  memcpy(s->p, s->value, s->n * sizeof *s->p);
  assemble(s, s->residual, s->jacobian, NULL, s->n, s->row, s->matrix);
}

static void place(amo_descent *s, const double *x)
{
  memcpy(s->p, s->value, s->n * sizeof *s->p);
  for (size_t k = 0; k < s->nfree; k++) s->p[s->free[k]] = clamped(&s->parameter[s->free[k]], x[k]);
}

static bool finite_row(const double *x, size_t n)
{
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) sum += x[i] * 0.0;
  return sum == 0.0;
}

/// A column that would not be noticed in what was measured, were its parameter twice as large, is rounding: nothing depends on it.
static void drop_rounding(amo_descent *s)
{
  const double *y = s->source->measured;
  double size = 0.0;
  for (size_t i = 0; y && i < s->rows; i++) size += y[i] * s->factor[i] * y[i] * s->factor[i];
  for (size_t k = 0; y && k < s->n; k++) {
    double *column = s->jacobian + k * s->rows, sum = 0.0;
    for (size_t i = 0; i < s->rows; i++) sum += column[i] * s->factor[i] * column[i] * s->factor[i];
    if (s->p[k] != 0.0 && sqrt(sum) * fabs(s->p[k]) <= AMO_FAINT * sqrt(size))
      memset(column, 0, s->rows * sizeof *column);
  }
}

/// What lmder asks: residuals (1), derivatives (2).
static int answer(void *ctx, int m, int n, const double *x, double *r, double *j, int ld, int what)
{
  amo_descent *s = ctx;
  (void)n, (void)ld;
  place(s, x);
  double *jacobian = what == 2 ? s->jacobian : NULL;
  amo_status st = s->source->at(s->source->ctx, s->p, s->residual, jacobian);
  s->evaluations += what == 1;
  s->jacobians += what == 2;
  if (s->opts->interrupted && *s->opts->interrupted) st = AMO_EINTR;
  if (st == AMO_OK && !finite_row(s->residual, s->rows)) st = AMO_ENOANSWER;
  if (st == AMO_ENOANSWER && what == 1 && s->evaluations > 1) {
    for (int i = 0; i < m; i++) r[i] = nowhere;
    return 0;
  }
  s->failure = st;
  if (st != AMO_OK) return -1;
  if (jacobian) drop_rounding(s);
  assemble(s, s->residual, jacobian, s->free, s->nfree, what == 1 ? r : NULL, what == 2 ? j : NULL);
  for (size_t k = 0; what == 2 && k < s->nfree; k++)
    if (x[k] != s->p[s->free[k]]) memset(j + k * (size_t)m, 0, (size_t)m * sizeof *j);
  return 0;
}

/// Residuals and derivatives at s->value.
static amo_status look(amo_descent *s)
{
  s->jacobians++;
  s->failure = s->source->at(s->source->ctx, s->value, s->residual, s->jacobian);
  memcpy(s->p, s->value, s->n * sizeof *s->p);
  if (s->failure == AMO_OK) drop_rounding(s);
  return s->failure;
}

/// The parameters that are not held, from s->value.
static amo_status descend(amo_descent *s)
{
  const size_t all = s->rows + s->priors, n = s->nfree;
  int evaluations = 0, jacobians = 0;
  double *w = s->work;
  for (size_t k = 0; k < n; k++) s->x[k] = s->value[s->free[k]];
  const int info = n == 0
                       ? 1
                       : lmder(answer, s, (int)all, (int)n, s->x, s->row, s->matrix, (int)all, s->opts->tol,
                               s->opts->tol, 0.0, (int)s->opts->most, s->scale, 1, s->opts->first_step, 0,
                               &evaluations, &jacobians, s->pivot, w, w + n, w + 2 * n, w + 3 * n, w + 4 * n);
  if (info < 0) return s->failure;
  place(s, s->x);
  memcpy(s->value, s->p, s->n * sizeof *s->value);
  const amo_status st = look(s);
  return st == AMO_OK && info == 5 ? AMO_ELIMIT : st;
}

/// The step that solves the linear problem at the present rows: s->x [nfree]. What it changes, in standard errors of the best determined;
/// NaN: the matrix is singular.
static double linear_step(amo_descent *s)
{
  const size_t all = s->rows + s->priors, n = s->nfree;
  double *a = s->normal, sum = 0.0, gain = 0.0;
  for (size_t i = 0; i < all; i++) sum += s->row[i] * s->row[i];
  for (size_t k = 0; k < n; k++) {
    const double *x = s->matrix + s->free[k] * all;
    s->x[k] = 0.0;
    for (size_t i = 0; i < all; i++) s->x[k] -= x[i] * s->row[i];
    s->scale[k] = s->x[k];
    for (size_t l = 0; l <= k; l++) {
      const double *y = s->matrix + s->free[l] * all;
      double dot = 0.0;
      for (size_t i = 0; i < all; i++) dot += x[i] * y[i];
      a[k * n + l] = a[l * n + k] = dot;
    }
  }
  if (amo_solve(a, n, s->x, 1) != AMO_OK) return NAN;
  for (size_t k = 0; k < n; k++) gain += s->scale[k] * s->x[k];
  return sqrt(gain / (sum / (double)all));
}

/// A sum of squares is flat near its least value: it cannot tell where that is to more than half the digits. The linear steps can, as
/// long as each is shorter than the one before.
static amo_status polish(amo_descent *s)
{
  amo_status st = AMO_OK;
  double before = INFINITY;
  for (int step = 0; st == AMO_OK && step < 40 && s->nfree > 0; step++) {
    amo_descent_rows(s);
    const double now = linear_step(s);
    bool inside = true, moves = false;
    for (size_t k = 0; k < s->nfree; k++) {
      const double x = s->value[s->free[k]], to = x + s->x[k];
      inside &= to == clamped(&s->parameter[s->free[k]], to);
      moves |= fabs(to - x) > s->opts->tol * fabs(x);
    }
    if (!(now > s->opts->tol && now < 0.7 * before && now < 1.0) || !inside || !moves) break;
    for (size_t k = 0; k < s->nfree; k++) s->value[s->free[k]] += s->x[k];
    before = now;
    st = look(s);
  }
  return st;
}

/// -1, +1: at its lower, upper bound, and the sum falls outwards. 0: it should be free.
static signed char held(const amo_descent *s, size_t i)
{
  const size_t all = s->rows + s->priors;
  const amo_fit_parameter *q = &s->parameter[i];
  double slope = 0.0;
  for (size_t k = 0; k < all; k++) slope += s->matrix[i * all + k] * s->row[k];
  if (s->value[i] <= q->low && (slope >= 0.0 || q->low == q->high)) return -1;
  if (s->value[i] >= q->high && slope <= 0.0) return 1;
  return 0;
}

static void list_free(amo_descent *s, bool idle_too)
{
  s->nfree = 0;
  for (size_t i = 0; i < s->n; i++)
    if (s->at_bound[i] == 0 && (idle_too || !s->idle[i])) s->free[s->nfree++] = i;
}

/// Parameters that nothing depends on here are left alone: their steps would have no size. Has that changed?
static bool find_idle(amo_descent *s)
{
  bool changed = false;
  for (size_t i = 0; i < s->n; i++) {
    bool idle = !(s->parameter[i].sigma > 0.0);
    for (size_t k = 0; idle && k < s->rows; k++) idle = s->jacobian[i * s->rows + k] * s->factor[k] == 0.0;
    changed |= idle != s->idle[i];
    s->idle[i] = idle;
  }
  return changed;
}

amo_status amo_descent_run(amo_descent *s)
{
  amo_status st = look(s);
  bool changed = st == AMO_OK;
  for (size_t i = 0; i < s->n; i++) s->at_bound[i] = s->parameter[i].low == s->parameter[i].high ? -1 : 0;
  if (changed) find_idle(s);
  for (size_t round = 0; st == AMO_OK && changed && round < 2 * s->n + 2; round++) {
    list_free(s, false);
    st = descend(s);
    if (st == AMO_OK) st = polish(s);
    if (st != AMO_OK && st != AMO_ELIMIT) break;
    amo_descent_rows(s);
    changed = find_idle(s);
    for (size_t i = 0; i < s->n; i++) {
      const signed char now = s->idle[i] && s->parameter[i].low < s->parameter[i].high ? 0 : held(s, i);
      changed |= now != s->at_bound[i];
      s->at_bound[i] = now;
    }
  }
  list_free(s, true);
  return st;
}
