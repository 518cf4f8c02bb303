// SPDX-License-Identifier: Apache-2.0
// Relations that have names, and what columns of a table say of relations before they are fitted.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "fit/relation.h"
#include "fit/survey.h"

/// An unknown of a relation that has a name, and where it can lie so that a column can show it: from 0.02 over its range to 50 over its lower
/// half (what most values are above its least); or between numbers.
typedef struct named_bound {
  const char *unknown, *column;
  double low, high;
} named_bound;

#define BETA          \
  {                   \
    "beta", "f", 0, 0 \
  }
#define DELTA_T          \
  {                      \
    "delta_T", "T", 0, 0 \
  }
static const struct {
  const char *name, *text;
  named_bound bound[3];
} named[] = {
    {"rate", "F_plus = F0 + A*exp(-beta*f)", {BETA}},
    {"time", "F_plus = F_inf - (F_inf - F0)*exp(-delta_T*T)", {DELTA_T}},
    {"both",
     "F_plus = F0 + A*exp(-beta*f)*(1 - kappa*exp(-delta_T*T))",
     {BETA, DELTA_T, {"kappa", NULL, 0, 1}}},
    {"sliding", "R = F0 + slope*w + cubic*w^3 - delta*v", {{0}}},
    {"creep", "x = x1 + Delta*(1 - exp(-(t - t0)/tau))", {{0}}},
    {"creep-force", "F = F_inf + (F1 - F_inf)*exp(-(t - t0)/tau)", {{0}}},
    {"creep-rates", "rate = Delta*(exp(-(t1 - t0)/tau) - exp(-(t2 - t0)/tau))/(t2 - t1)", {{0}}},
};

size_t amo_relation_column(const amo_relation_table *t, const char *name)
{
  for (size_t i = 0; i < t->columns; i++)
    if (!strcmp(t->column[i], name)) return i;
  return SIZE_MAX;
}

const char *amo_relation_named(const amo_relation_table *t, const char *name, amo_arena *memory)
{
  for (size_t i = 0; i < sizeof named / sizeof *named; i++)
    if (!strcmp(named[i].name, name)) {
      const char *text = named[i].text;  // tables call it F_plus or F
      const bool other = !strncmp(text, "F_plus", 6) && amo_relation_column(t, "F_plus") == SIZE_MAX;
      return other ? amo_arena_printf(memory, "F%s", text + 6) : text;
    }
  return NULL;
}

static void bound_unknown(amo_relation_fit *f, named_bound b)
{
  const amo_relation_table *t = f->table;
  const size_t c = b.column ? amo_relation_column(t, b.column) : SIZE_MAX;
  double low = INFINITY, high = -INFINITY;
  amo_spread all = {0};
  for (size_t row = 0; c != SIZE_MAX && row < t->rows; row++) {
    const double x = t->value[c * t->rows + row];
    low = fmin(low, x), high = fmax(high, x);
    amo_spread_add(&all, x);
  }
  const double half = amo_spread_median(&all) - low;
  if (high > low) b.low = 0.02 / (high - low), b.high = 50 / (half > 0 ? half : high - low);
  for (size_t k = 0; k < amo_equation_unknowns(f->equation); k++) {
    amo_fit_parameter *p = &f->parameter[k];
    if (!strcmp(amo_equation_names_of(f->equation)[k], b.unknown) && !isfinite(p->low) &&
        !isfinite(p->high) && b.high > b.low)
      p->low = b.low, p->high = b.high;
  }
}

void amo_relation_bounds(amo_relation_fit *f)
{
  for (size_t i = 0; i < sizeof named / sizeof *named; i++)
    for (int k = 0; !strcmp(named[i].name, f->called) && k < 3 && named[i].bound[k].unknown; k++)
      bound_unknown(f, named[i].bound[k]);
}

/// Of y by x.
static double inflation(const double *x, const double *y, size_t n)
{
  double m[3][4] = {{0}}, mean = 0, total = 0, left = 0;
  bool logs = true;
  for (size_t i = 0; i < n; i++) logs &= x[i] > 0 && y[i] > 0;
#define X(i) (logs ? log(x[i]) : x[i])
#define Y(i) (logs ? log(y[i]) : y[i])
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < n; i++) low = fmin(low, X(i)), high = fmax(high, X(i)), mean += Y(i) / (double)n;
  if (!(high > low)) return 1;
  for (size_t i = 0; i < n; i++) {
    const double u = (2 * X(i) - low - high) / (high - low), b[3] = {1, u, u * u};
    for (int r = 0; r < 3; r++) {
      for (int c = 0; c < 3; c++) m[r][c] += b[r] * b[c];
      m[r][3] += b[r] * (Y(i) - mean);
    }
    total += (Y(i) - mean) * (Y(i) - mean);
  }
  double c[3] = {0};
  for (int r = 0; r < 3; r++) {  // elimination; a column that adds nothing stays out
    const double pivot = m[r][r];
    if (!(pivot > 1e-9 * (double)n)) continue;
    for (int q = 0; q < 3; q++)
      for (int k = 3; q != r && k >= r; k--) m[q][k] -= m[q][r] / pivot * m[r][k];
  }
  for (int r = 0; r < 3; r++) c[r] = m[r][r] > 1e-9 * (double)n ? m[r][3] / m[r][r] : 0;
  for (size_t i = 0; i < n; i++) {
    const double u = (2 * X(i) - low - high) / (high - low),
                 off = Y(i) - mean - c[0] - c[1] * u - c[2] * u * u;
    left += off * off;
  }
#undef X
#undef Y
  return left > 0 ? fmax(1, total / left) : INFINITY;
}

double amo_relation_inflation(const amo_relation_table *t, size_t a, size_t b)
{
  const double *x = t->value + a * t->rows, *y = t->value + b * t->rows;
  return fmax(inflation(x, y, t->rows), inflation(y, x, t->rows));
}
