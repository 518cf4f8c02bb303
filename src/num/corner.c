// SPDX-License-Identifier: Apache-2.0
#include "num/corner.h"

#include <math.h>

#include "num/rounding.h"

static double *at(const amo_corner *p, size_t row, size_t column)
{
  return &p->table[row * (p->columns + 1) + column];
}

static bool is_barred(const amo_corner *p, size_t variable)
{
  return variable == p->columns || p->barred[variable];
}

/// Every row by what it lacks.
static void begin(amo_corner *p)
{
  for (size_t i = 0; i < p->rows; i++) {
    const double sense = p->b[i] < 0.0 ? -1.0 : 1.0;
    for (size_t j = 0; j < p->columns; j++) *at(p, i, j) = sense * p->a[i * p->columns + j];
    *at(p, i, p->columns) = sense * p->b[i];
    p->basis[i] = p->columns;
  }
  for (size_t j = 0; j < p->columns; j++) p->place[j] = p->rows;
  p->pivots = 0;
}

bool amo_corner_new(amo_arena *memory, size_t rows, size_t columns, const double *a, const double *b,
                    amo_corner *out)
{
  *out = (amo_corner){.rows = rows, .columns = columns, .a = a, .b = b};
  AMO_TAKE(memory, double, (rows + 1) * (columns + 1), &out->table);
  AMO_TAKE(memory, size_t, rows, &out->basis);
  AMO_TAKE(memory, size_t, columns, &out->place);
  AMO_TAKE(memory, bool, columns, &out->barred);
  if (memory->failed) return false;
  begin(out);
  return true;
}

double amo_corner_value(const amo_corner *p, size_t column)
{
  return p->place[column] < p->rows ? *at(p, p->place[column], p->columns) : 0.0;
}

static void pivot(amo_corner *p, size_t row, size_t column)
{
  const size_t width = p->columns + 1;
  double *from = at(p, row, 0), by = from[column];
  for (size_t j = 0; j < width; j++) from[j] /= by;
  from[column] = 1.0;
  for (size_t i = 0; i <= p->rows; i++) {
    double *to = at(p, i, 0), f = to[column];
    if (i == row || f == 0.0) continue;
    for (size_t j = 0; j < width; j++) to[j] -= f * from[j];
    to[column] = 0.0;
    if (i < p->rows && to[p->columns] < 0.0) to[p->columns] = 0.0;  // rounding: ratios were compared
  }
  if (p->basis[row] < p->columns) p->place[p->basis[row]] = p->rows;
  p->basis[row] = column;
  p->place[column] = row;
  p->pivots++;
}

/// The row that ends the growth of a variable; rows: none does. `hold`: what is barred stays at zero.
static size_t leaving(const amo_corner *p, size_t column, bool hold)
{
  size_t row = p->rows;
  double least = INFINITY, largest = 0.0;
  for (size_t i = 0; i < p->rows; i++) {
    const double d = *at(p, i, column);
    const bool held = hold && is_barred(p, p->basis[i]) && fabs(d) > AMO_SAME;
    if (!held && !(d > AMO_SAME)) continue;
    const double ratio = held ? 0.0 : *at(p, i, p->columns) / d;
    if (ratio > least + AMO_CANCELLED || (ratio > least - AMO_CANCELLED && fabs(d) <= largest)) continue;
    least = fmin(ratio, least);
    largest = fabs(d);
    row = i;
  }
  return row;
}

/// The variable with the most gain; late in the game the first with any, so that it ends. columns: none.
static size_t entering(const amo_corner *p, size_t steps)
{
  size_t column = p->columns;
  double most = AMO_BORDER;
  for (size_t j = 0; j < p->columns; j++) {
    if (p->barred[j] || p->place[j] < p->rows || !(*at(p, p->rows, j) > most)) continue;
    column = j;
    if (steps > 2 * p->rows + 20) break;
    most = *at(p, p->rows, j);
  }
  return column;
}

static double lack(const amo_corner *p)
{
  double sum = 0.0;
  for (size_t i = 0; i < p->rows; i++)
    if (is_barred(p, p->basis[i])) sum += *at(p, i, p->columns);
  return sum;
}

static size_t most_steps(const amo_corner *p)
{
  return 20 * (p->rows + p->columns) + 100;
}

/// The least sum of what is barred; 0 where that is not found.
static double least_lack(amo_corner *p)
{
  for (size_t j = 0; j <= p->columns; j++) *at(p, p->rows, j) = 0.0;
  for (size_t i = 0; i < p->rows; i++)
    for (size_t j = 0; is_barred(p, p->basis[i]) && j <= p->columns; j++) *at(p, p->rows, j) += *at(p, i, j);
  for (size_t steps = 0; steps < most_steps(p); steps++) {
    double left = lack(p);
    if (left <= AMO_BORDER) return left;
    const size_t column = entering(p, steps), row = column < p->columns ? leaving(p, column, false) : p->rows;
    if (row == p->rows) return left;
    pivot(p, row, column);
  }
  return 0.0;
}

bool amo_corner_solve(amo_corner *p)
{
  if (least_lack(p) <= AMO_ROUGH) return true;
  if (p->pivots <= p->rows) return false;
  begin(p);  // a verdict from fresh numbers
  return least_lack(p) <= AMO_ROUGH;
}

bool amo_corner_positive(amo_corner *p, size_t column)
{
  for (size_t i = 0; i < p->rows; i++) {
    double *rest = at(p, i, p->columns);
    if (!is_barred(p, p->basis[i])) continue;
    if (*rest > AMO_CANCELLED) return true;  // hardly solved: not told
    *rest = 0.0;
  }
  if (p->place[column] == p->rows) {
    const size_t row = leaving(p, column, true);
    if (row == p->rows) return true;  // without end
    pivot(p, row, column);
  }
  for (size_t steps = 0; steps < most_steps(p); steps++) {
    const size_t own = p->place[column];
    if (amo_corner_value(p, column) > AMO_ROUNDED) return true;
    for (size_t j = 0; j <= p->columns; j++) *at(p, p->rows, j) = -*at(p, own, j);
    const size_t more = entering(p, steps);
    if (more == p->columns) return false;
    const size_t row = leaving(p, more, true);
    if (row == p->rows) return true;
    pivot(p, row, more);
  }
  return true;  // not told
}
