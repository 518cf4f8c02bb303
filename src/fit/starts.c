// SPDX-License-Identifier: Apache-2.0
/// Starts for the unknowns of a relation: those in which it is linear are solved for at every point of a grid of the others.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "fit/equation.h"

enum { MOST_SCALES = 17, MOST_POINTS = 20000, KEPT = 12 };

typedef struct start_search {
  amo_equation *r;
  const amo_equation_rows *t;
  const double *y, *w;
  const amo_fit_parameter *parameter;
  size_t n, rows;
  size_t grid[AMO_EQUATION_UNKNOWNS], grids;     // unknowns on the grid
  size_t solved[AMO_EQUATION_UNKNOWNS], solves;  // linear ones
  double *value[AMO_EQUATION_UNKNOWNS];          // points of each grid
  size_t points[AMO_EQUATION_UNKNOWNS];
  double *right, *gradient, *column;  // [rows], [n][rows], [solves + 1][rows]
  double *start, *sum;                // the best so far, [most][n], [most]
  size_t most, count;
} start_search;

static double weight(const start_search *s, size_t row)
{
  return s->w ? s->w[row] : 1;
}

/// The linear unknowns by orthogonal columns (Gram and Schmidt, twice); p is complete then. The sum of squares, INFINITY: no value.
static double project(start_search *s, double *p)
{
  const size_t rows = s->rows, k = s->solves;
  double upper[AMO_EQUATION_UNKNOWNS + 1][AMO_EQUATION_UNKNOWNS + 1] = {{0}}, sum = 0;
  for (size_t i = 0; i < k; i++) p[s->solved[i]] = 0;
  if (amo_equation_evaluate(s->r, s->t, p, NULL, s->right, s->gradient) != AMO_OK) return INFINITY;
  for (size_t row = 0; row < rows; row++) {
    for (size_t i = 0; i < k; i++)
      s->column[i * rows + row] = weight(s, row) * s->gradient[s->solved[i] * rows + row];
    s->column[k * rows + row] = weight(s, row) * (s->y[row] - s->right[row]);
  }
  for (size_t i = 0; i <= k; i++) {
    double *c = s->column + i * rows, before = 0, after = 0;
    for (size_t row = 0; row < rows; row++) before += c[row] * c[row];
    for (int twice = 0; twice < 2; twice++)
      for (size_t j = 0; j < i; j++) {
        const double *q = s->column + j * rows;
        double dot = 0;
        for (size_t row = 0; row < rows; row++) dot += c[row] * q[row];
        for (size_t row = 0; row < rows; row++) c[row] -= dot * q[row];
        upper[j][i] += dot;
      }
    for (size_t row = 0; row < rows; row++) after += c[row] * c[row];
    upper[i][i] = after > 1e-20 * before ? sqrt(after) : 0;
    for (size_t row = 0; row < rows && i < k; row++) c[row] = upper[i][i] > 0 ? c[row] / upper[i][i] : 0;
    sum = after;
  }
  for (size_t i = k; i-- > 0;) {
    double x = upper[i][k];
    for (size_t j = i + 1; j < k; j++) x -= upper[i][j] * p[s->solved[j]];
    p[s->solved[i]] = upper[i][i] > 0 ? x / upper[i][i] : 0;
  }
  for (size_t i = 0; i < s->n; i++) p[i] = fmin(fmax(p[i], s->parameter[i].low), s->parameter[i].high);
  return sum;
}

/// Keep a start among the best. Neighbours on the grid lead to the same place, but that costs little.
static void keep(start_search *s, const double *p, double sum)
{
  size_t at = s->count;
  if (!(sum < INFINITY)) return;
  while (at > 0 && s->sum[at - 1] > sum) at--;
  if (at >= s->most) return;
  if (s->count < s->most) s->count++;
  for (size_t i = s->count - 1; i > at; i--) {
    s->sum[i] = s->sum[i - 1];
    memcpy(s->start + i * s->n, s->start + (i - 1) * s->n, s->n * sizeof *s->start);
  }
  s->sum[at] = sum;
  memcpy(s->start + at * s->n, p, s->n * sizeof *p);
}

/// Scales that an unknown may have: 1, those of the columns, and their inverses.
static size_t scales(const start_search *s, size_t columns, double *scale)
{
  size_t n = 0;
  scale[n++] = 1;
  for (size_t c = 0; c < columns && n + 2 <= MOST_SCALES; c++) {
    double low = INFINITY, high = -INFINITY;
    if (!amo_equation_right_uses(s->r, c)) continue;
    for (size_t row = 0; row < s->rows; row++) {
      low = fmin(low, s->t->value[c * s->rows + row]);
      high = fmax(high, s->t->value[c * s->rows + row]);
    }
    const double range = high > low ? high - low : fabs(high);
    if (range > 0) scale[n++] = range, scale[n++] = 1 / range;
  }
  return n;
}

/// From 0.02 to 50 of every scale, both signs of 1 where one unknown is sought; what its bounds allow.
static amo_status make_grid(start_search *s, size_t columns, size_t i)
{
  static const size_t per_scale[] = {0, 40, 12, 6, 4};
  double scale[MOST_SCALES];
  const size_t n = scales(s, columns, scale), steps = per_scale[s->grids < 4 ? s->grids : 4];
  const amo_fit_parameter *q = &s->parameter[s->grid[i]];
  s->value[i] = amo_zalloc(2 * n * steps + 4, sizeof *s->value[i]);
  if (s->value[i] == NULL) return AMO_ENOMEM;
  for (int sign = 1; sign >= (s->grids == 1 ? -1 : 1); sign -= 2)
    for (size_t k = 0; k < n; k++)
      for (size_t j = 0; j < steps; j++) {
        const double x = sign * scale[k] * 0.02 * pow(2500, ((double)j + 0.5) / (double)steps);
        if (x >= q->low && x <= q->high) s->value[i][s->points[i]++] = x;
      }
  if (isfinite(q->low))
    s->value[i][s->points[i]++] = isfinite(q->high) ? 0.5 * (q->low + q->high) : q->low + 1;
  if (isfinite(q->low) && isfinite(q->high) && q->low > 0)
    s->value[i][s->points[i]++] = sqrt(q->low * q->high);
  if (s->points[i] == 0) s->value[i][s->points[i]++] = fmin(fmax(0, q->low), q->high);
  return AMO_OK;
}

static void walk_grid(start_search *s)
{
  double p[AMO_EQUATION_UNKNOWNS], all = 1;
  for (size_t i = 0; i < s->grids; i++) all *= (double)s->points[i];
  const double every = fmax(1, all / MOST_POINTS);  // of more, evenly spread ones
  for (double at = 0; at < all; at += every) {
    size_t number = (size_t)at;
    for (size_t i = 0; i < s->n; i++) p[i] = s->parameter[i].start;
    for (size_t i = 0; i < s->grids; i++) {
      p[s->grid[i]] = s->value[i][number % s->points[i]];
      number /= s->points[i];
    }
    keep(s, p, project(s, p));
  }
}

amo_status amo_equation_starts(amo_equation *r, const amo_equation_rows *t, const double *y, const double *w,
                               const amo_fit_parameter *parameter, double *start, size_t most, size_t *count)
{
  start_search s = {.r = r,
                    .t = t,
                    .y = y,
                    .w = w,
                    .parameter = parameter,
                    .n = amo_equation_unknowns(r),
                    .rows = t->rows,
                    .start = start,
                    .most = most};
  size_t columns = 0;
  amo_status st = AMO_OK;
  while (amo_equation_column(r, columns)) columns++;
  for (size_t i = 0; i < s.n; i++)
    if (amo_equation_is_linear(r, i))
      s.solved[s.solves++] = i;
    else if (isnan(parameter[i].start))
      s.grid[s.grids++] = i;
  double *work = amo_zalloc((2 * s.n + 2) * s.rows + most, sizeof *work);
  if (work == NULL) return AMO_ENOMEM;
  s.right = work, s.gradient = s.right + s.rows, s.column = s.gradient + s.n * s.rows;
  s.sum = s.column + (s.solves + 1) * s.rows;
  for (size_t i = 0; i < s.grids && st == AMO_OK; i++) st = make_grid(&s, columns, i);
  if (st == AMO_OK) walk_grid(&s);
  *count = s.count;
  for (size_t i = 0; i < s.grids; i++) free(s.value[i]);
  free(work);
  return st;
}
