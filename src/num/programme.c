// SPDX-License-Identifier: Apache-2.0
/// Simplex method on the tableau. Problems have a handful of rows.
#include "num/programme.h"

#include <math.h>

#include "num/rounding.h"

/// Rows 0..rows-1: conditions, row `rows`: what is gained per unit. Columns: y+, y-, t - t0, slacks, right side.
typedef struct tableau {
  size_t rows, columns;
  double *x;
  size_t *basis;
} tableau;

static tableau shape(size_t rows, size_t n)
{
  return (tableau){.rows = rows + 1, .columns = 2 * n + 1 + rows + 1};
}

size_t amo_room_work(size_t rows, size_t n)
{
  const tableau t = shape(rows, n);
  return (t.rows + 1) * (t.columns + 1);
}

size_t amo_room_basis(size_t rows, size_t n)
{
  return shape(rows, n).rows + 1;
}

static double *at(const tableau *t, size_t row, size_t column)
{
  return &t->x[row * (t->columns + 1) + column];
}

static void pivot(tableau *t, size_t row, size_t column)
{
  double p = *at(t, row, column);
  for (size_t j = 0; j <= t->columns; j++) *at(t, row, j) /= p;
  for (size_t i = 0; i <= t->rows; i++) {
    double f = *at(t, i, column);
    if (i == row || f == 0.0) continue;
    for (size_t j = 0; j <= t->columns; j++) *at(t, i, j) -= f * *at(t, row, j);
    *at(t, i, column) = 0.0;
    if (i < t->rows && *at(t, i, t->columns) < 0.0) *at(t, i, t->columns) = 0.0;  // rounding
  }
  t->basis[row] = column;
}

/// The variable with the most gain; late in the game the first with any (Bland), so that it ends. columns: none.
static size_t entering(const tableau *t, bool late)
{
  size_t column = t->columns;
  double most = AMO_BORDER;
  for (size_t j = 0; j < t->columns; j++) {
    if (!(*at(t, t->rows, j) > most)) continue;
    column = j;
    if (late) break;
    most = *at(t, t->rows, j);
  }
  return column;
}

/// Of rows that end the growth together the one with the largest entry: small ones are rounding, or make it grow.
static size_t leaving(const tableau *t, size_t column)
{
  size_t row = t->rows;
  double least = INFINITY;
  for (size_t i = 0; i < t->rows; i++) {
    const double d = *at(t, i, column), rest = *at(t, i, t->columns);
    if (!(d > AMO_BORDER)) continue;
    const double off = rest / d - least;
    if (off > AMO_CANCELLED || (off > -AMO_CANCELLED && d <= *at(t, row, column))) continue;
    least = fmin(least, rest / d);
    row = i;
  }
  return row;
}

/// One exchange; false at the optimum, or where the gain has no end.
static bool improve(tableau *t, bool late)
{
  const size_t column = entering(t, late), row = column < t->columns ? leaving(t, column) : t->rows;
  if (row == t->rows) return false;
  pivot(t, row, column);
  return true;
}

/// y = 0 with the room it has; returns that.
static double begin(const amo_room *p, tableau *t)
{
  const size_t n = p->n;
  double start = p->most;
  for (size_t i = 0; i < p->rows; i++)
    if (p->held == NULL || !p->held[i]) start = fmin(start, p->b[i]);
  for (size_t i = 0; i < (t->rows + 1) * (t->columns + 1); i++) t->x[i] = 0.0;
  for (size_t i = 0; i < t->rows; i++) {
    for (size_t j = 0; i < p->rows && j < n; j++) {
      *at(t, i, j) = p->a[i * n + j];
      *at(t, i, n + j) = -p->a[i * n + j];
    }
    const bool held = p->held != NULL && i < p->rows && p->held[i];
    *at(t, i, 2 * n) = held ? 0.0 : 1.0;
    *at(t, i, 2 * n + 1 + i) = 1.0;
    *at(t, i, t->columns) = held ? fmax(p->b[i], 0.0) : (i < p->rows ? p->b[i] : p->most) - start;
    t->basis[i] = 2 * n + 1 + i;
  }
  *at(t, t->rows, 2 * n) = 1.0;
  return start;
}

static bool in_basis(const tableau *t, size_t column)
{
  for (size_t i = 0; i < t->rows; i++)
    if (t->basis[i] == column) return true;
  return false;
}

static void list_active(const tableau *t, size_t n, size_t *active)
{
  size_t count = 0;
  for (size_t i = 0; i < t->rows && count <= n; i++)
    if (!in_basis(t, 2 * n + 1 + i)) active[count++] = i;
  for (size_t k = 0; k < n && count <= n; k++)
    if (!in_basis(t, k) && !in_basis(t, n + k)) active[count++] = t->rows + k;
}

double amo_most_room(const amo_room *p, double *y, size_t *active)
{
  const size_t n = p->n;
  tableau t = shape(p->rows, n);
  t.x = p->work;
  t.basis = p->basis;
  double room = begin(p, &t);
  for (size_t steps = 0; steps < 1000 && improve(&t, steps > 100); steps++) {}
  for (size_t j = 0; j < n; j++) y[j] = 0.0;
  for (size_t i = 0; i < t.rows; i++) {
    double value = *at(&t, i, t.columns);
    if (t.basis[i] < n) y[t.basis[i]] += value;
    if (t.basis[i] >= n && t.basis[i] < 2 * n) y[t.basis[i] - n] -= value;
    if (t.basis[i] == 2 * n) room += value;
  }
  if (active != NULL) list_active(&t, n, active);
  return room;
}
