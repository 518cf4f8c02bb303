// SPDX-License-Identifier: Apache-2.0
/// Simplex method on the tableau; Bland's rule, so that it ends. Problems have a handful of rows.
#include "contact/share.h"

#include <math.h>
#include <stdlib.h>

/// Rows 0..rows-1: conditions, row `rows`: what is gained per unit. Columns: y+, y-, t - t0, slacks, right side.
typedef struct tableau {
  size_t rows, columns;
  double *x;
  size_t *basis;
} tableau;

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
  }
  t->basis[row] = column;
}

/// One exchange; false at the optimum, or where the gain has no end.
static bool improve(tableau *t)
{
  size_t column = t->columns, row = t->rows;
  double least = INFINITY;
  for (size_t j = 0; j < t->columns && column == t->columns; j++)
    if (*at(t, t->rows, j) > 1e-11) column = j;
  if (column == t->columns) return false;
  for (size_t i = 0; i < t->rows; i++) {
    double d = *at(t, i, column);
    if (!(d > 1e-11)) continue;
    double ratio = *at(t, i, t->columns) / d;
    if (ratio > least || (ratio == least && t->basis[i] > t->basis[row])) continue;
    least = ratio;
    row = i;
  }
  if (row == t->rows) return false;
  pivot(t, row, column);
  return true;
}

bool amo_most_room(size_t rows, size_t n, const double *a, const double *b, double most, double *y,
                   double *room)
{
  tableau t = {.rows = rows + 1, .columns = 2 * n + 1 + rows + 1};
  double start = most;  // y = 0 has this much room
  for (size_t i = 0; i < rows; i++) start = fmin(start, b[i]);
  t.x = calloc((t.rows + 1) * (t.columns + 1), sizeof *t.x);
  t.basis = calloc(t.rows + 1, sizeof *t.basis);
  bool ok = t.x && t.basis;
  for (size_t i = 0; ok && i < t.rows; i++) {
    for (size_t j = 0; i < rows && j < n; j++) {
      *at(&t, i, j) = a[i * n + j];
      *at(&t, i, n + j) = -a[i * n + j];
    }
    *at(&t, i, 2 * n) = 1.0;
    *at(&t, i, 2 * n + 1 + i) = 1.0;
    *at(&t, i, t.columns) = (i < rows ? b[i] : most) - start;
    t.basis[i] = 2 * n + 1 + i;
  }
  if (ok) *at(&t, t.rows, 2 * n) = 1.0;
  for (size_t steps = 0; ok && steps < 1000 && improve(&t); steps++) {}
  for (size_t j = 0; ok && j < n; j++) y[j] = 0.0;
  *room = start;
  for (size_t i = 0; ok && i < t.rows; i++) {
    double value = *at(&t, i, t.columns);
    if (t.basis[i] < n) y[t.basis[i]] += value;
    if (t.basis[i] >= n && t.basis[i] < 2 * n) y[t.basis[i] - n] -= value;
    if (t.basis[i] == 2 * n) *room = start + value;
  }
  free(t.x);
  free(t.basis);
  return ok;
}
