// SPDX-License-Identifier: Apache-2.0
#include "fit/relation.h"

#include <math.h>
#include <string.h>

#include "num/bracket.h"
#include "num/rounding.h"

enum { STARTS = 6, ROUNDS = 12 };  // searches from the best places of the grid; new weights

static amo_equation_rows rows_of(const amo_relation_fit *f)
{
  return (amo_equation_rows){f->table->value, f->table->rows};
}

static amo_status residuals(void *ctx, const double *p, double *r, double *j)
{
  amo_relation_fit *f = ctx;
  const amo_equation_rows t = rows_of(f);
  amo_status st = amo_equation_evaluate(f->equation, &t, p, NULL, r, j);
  for (size_t i = 0; st == AMO_OK && i < t.rows; i++) r[i] -= f->measured[i];
  return st;
}

amo_residuals amo_relation_residuals(amo_relation_fit *f)
{
  return (amo_residuals){.n = amo_equation_unknowns(f->equation),
                         .rows = f->table->rows,
                         .name = amo_equation_names_of(f->equation),
                         .weight = f->weight ? f->weight : f->table->weight,
                         .measured = f->measured,
                         .at = residuals,
                         .ctx = f};
}

amo_status amo_relation_begin(amo_relation_fit *f, const amo_relation_table *t, amo_arena *memory)
{
  double zero[AMO_EQUATION_UNKNOWNS] = {0};
  f->table = t;
  f->measured = amo_arena_alloc(memory, (t->rows + 1) * sizeof *f->measured);
  if (t->sigma || t->scatter) f->weight = amo_arena_alloc(memory, (t->rows + 1) * sizeof *f->weight);
  if (!f->measured || ((t->sigma || t->scatter) && !f->weight)) return AMO_ENOMEM;
  for (size_t i = 0; f->weight && i < t->rows; i++) f->weight[i] = t->weight ? t->weight[i] : 1;
  const amo_equation_rows rows = rows_of(f);
  return amo_equation_evaluate(f->equation, &rows, zero, f->measured, NULL, NULL);
}

void amo_relation_free(amo_relation_fit *f)
{
  amo_fit_free(f->fit);
  amo_equation_free(f->equation);
  f->fit = NULL;
  f->equation = NULL;
}

// ---- the search ----

/// No unknown at a bound or open, rate constants known to half of themselves, and better than a constant.
static bool is_identifiable(const amo_relation_fit *f)
{
  const amo_fit *o = f->fit;
  bool good = o->rank == o->n && !(o->fisher_p > 0.05);
  for (size_t i = 0; i < o->n; i++) {
    good &= !o->at_bound[i] && !o->open[i];
    good &= amo_equation_is_linear(f->equation, i) || !(o->se[i] > 0.5 * fabs(o->value[i]));
  }
  return good;
}

/// From several starts with the present weights.
static amo_status search(amo_relation_fit *f, const amo_fit_opts *o, amo_arena *memory)
{
  const amo_residuals of = amo_relation_residuals(f);
  const amo_equation_rows t = rows_of(f);
  const size_t n = of.n;
  amo_fit_parameter *p = amo_arena_alloc(memory, (n + 1) * sizeof *p);
  double *start = amo_arena_alloc(memory, (n * STARTS + 1) * sizeof *start);
  size_t starts = 0;
  if (!p || !start) return AMO_ENOMEM;
  memcpy(p, f->parameter, n * sizeof *p);
  amo_status st =
      amo_equation_starts(f->equation, &t, f->measured, of.weight, f->parameter, start, STARTS, &starts);
  if (st == AMO_OK && starts == 0) st = AMO_ENOANSWER;
  amo_status last = AMO_ENOANSWER;
  for (size_t k = 0; k < starts && st == AMO_OK; k++) {
    amo_fit *one = NULL;
    for (size_t i = 0; i < n; i++) p[i].start = start[k * n + i];
    last = amo_fit_solve(&of, p, o, &one);
    if (one && (!f->fit || one->sum < f->fit->sum)) {
      amo_fit_free(f->fit);
      f->fit = one;
      memcpy(f->parameter, p, n * sizeof *p);
    } else
      amo_fit_free(one);
  }
  return st == AMO_OK && f->fit == NULL ? last : st;
}

// ---- weights that count errors of both sides ----

/// Variances of the rows without tau, at the present answer; r: residuals.
static amo_status variances(amo_relation_fit *f, double *slope, double *r, double *v)
{
  const amo_relation_table *t = f->table;
  const amo_equation_rows rows = rows_of(f);
  amo_status st = residuals(f, f->fit->value, r, NULL);
  for (size_t i = 0; i < t->rows; i++)
    v[i] = t->weight ? 1 / (t->weight[i] * t->weight[i]) : t->sigma ? 0 : 1;
  for (size_t c = 0; st == AMO_OK && t->sigma && c < t->columns; c++) {
    if (!amo_equation_right_uses(f->equation, c)) continue;
    st = amo_equation_slope(f->equation, &rows, f->fit->value, c, slope);
    for (size_t i = 0; st == AMO_OK && i < t->rows; i++)
      v[i] += slope[i] * slope[i] * t->sigma[c * t->rows + i] * t->sigma[c * t->rows + i];
  }
  return st;
}

static double excess(const double *r, const double *v, size_t rows, double freedom, double square)
{
  double sum = -freedom;
  for (size_t i = 0; i < rows; i++) sum += r[i] * r[i] / (square + v[i]);
  return sum;
}

/// The least tau^2 for which the sum of squares is that of its freedom; 0: it is without.
static double scatter(const double *r, const double *v, size_t rows, size_t unknowns)
{
  const double freedom = (double)rows - (double)unknowns;
  double largest = 0, zero = 0;
  const double low = freedom >= 1 ? excess(r, v, rows, freedom, 0) : 0;
  if (!(low > 0)) return 0;
  for (size_t i = 0; i < rows; i++) largest = fmax(largest, r[i] * r[i]);
  largest *= (double)rows / freedom;
  amo_zero z = {.a = 0, .b = largest, .fa = low, .fb = excess(r, v, rows, freedom, largest)};
  while (amo_zero_next(&z, &zero)) {
    const double more = excess(r, v, rows, freedom, zero);
    amo_zero_take(&z, zero, more);
    if (more == 0) break;
  }
  return zero;
}

/// New weights; by how much the largest change is, relative.
static amo_status weigh(amo_relation_fit *f, double *work, double *change)
{
  const size_t rows = f->table->rows;
  double *slope = work, *r = work + rows, *v = work + 2 * rows;
  const amo_status st = variances(f, slope, r, v);
  if (st != AMO_OK) return st;
  const double square = f->table->scatter ? scatter(r, v, rows, amo_equation_unknowns(f->equation)) : 0;
  double squares = 0;
  for (size_t i = 0; i < rows; i++) {
    v[i] = square + v[i] > 0 ? 1 / sqrt(square + v[i]) : f->weight[i];
    squares += v[i] * v[i];
  }
  *change = 0;
  f->tau = sqrt(square);
  for (size_t i = 0; i < rows; i++) {  // residuals keep their unit where only ratios count
    const double w = f->table->scatter && squares > 0 ? v[i] * sqrt((double)rows / squares) : v[i];
    *change = fmax(*change, fabs(w - f->weight[i]) / w);
    f->weight[i] = w;
  }
  return AMO_OK;
}

/// Weights, answer, weights, ... until they stay.
static amo_status settle(amo_relation_fit *f, const amo_fit_opts *o, amo_arena *memory)
{
  const size_t n = amo_equation_unknowns(f->equation);
  double *work = amo_arena_alloc(memory, (3 * f->table->rows + 1) * sizeof *work), change = INFINITY;
  amo_status st = work ? AMO_OK : AMO_ENOMEM;
  for (int round = 0; st == AMO_OK && round < ROUNDS; round++) {
    amo_fit *next = NULL;
    st = weigh(f, work, &change);
    if (st != AMO_OK || change < AMO_FAINT) break;
    for (size_t i = 0; i < n; i++) f->parameter[i].start = f->fit->value[i];
    const amo_residuals of = amo_relation_residuals(f);
    st = amo_fit_solve(&of, f->parameter, o, &next);
    if (next == NULL) break;
    amo_fit_free(f->fit);
    f->fit = next;
  }
  return st;
}

amo_status amo_relation_solve(amo_relation_fit *f, const amo_fit_opts *o, amo_arena *memory)
{
  amo_status st = search(f, o, memory);
  if (st == AMO_OK && f->weight) st = settle(f, o, memory);
  f->aicc = f->fit ? f->fit->aicc : NAN;
  for (size_t i = 0; f->weight && i < f->table->rows; i++)  // likelihoods of different weights
    f->aicc -= 2 * log(f->weight[i] / (f->table->weight ? f->table->weight[i] : 1));
  f->identifiable = f->fit && is_identifiable(f);
  return st;
}
