// SPDX-License-Identifier: Apache-2.0
#include "flow/collocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/solve.h"

struct amo_collocation {
  amo_arena memory;
  size_t ns, columns, points;
  double
      *integral;  // [points + 1][points] of the polynomial through unit values, to each point and to the end
  double *tail;   // [2][points] its last two Chebyshev coefficients
  amo_lu matrix;  // [points ns][points ns]
  double *rate;   // [columns][points ns] right-hand sides, then Y' at the points
};

/// Powers up to x^(n-1) at the points: integrals of polynomials follow from them by one linear solve.
static bool fill_integrals(amo_collocation *c, const double *x)
{
  const size_t n = c->points;
  double *v = malloc(n * n * sizeof *v);
  bool ok = v != NULL;
  for (size_t k = 0; ok && k < n; k++)
    for (size_t i = 0; i < n; i++) v[k * n + i] = pow(2.0 * x[i] - 1.0, (double)k);
  for (size_t i = 0; ok && i <= n; i++) {
    const double s = i < n ? 2.0 * x[i] - 1.0 : 1.0;
    for (size_t k = 0; k < n; k++)
      c->integral[i * n + k] = 0.5 * (pow(s, (double)k + 1) - pow(-1.0, (double)k + 1)) / ((double)k + 1);
  }
  ok = ok && amo_solve(v, n, c->integral, n + 1) == AMO_OK;
  free(v);
  return ok;
}

static void fill_tail(amo_collocation *c, const double *x)
{
  const size_t n = c->points;
  for (size_t k = 0; k < 2; k++)
    for (size_t i = 0; i < n; i++)
      c->tail[k * n + i] = 2.0 / (double)n * cos((double)(n - 1 - k) * acos(2.0 * x[i] - 1.0));
}

amo_status amo_collocation_new(uint32_t ns, uint32_t columns, int points, const double *x,
                               amo_collocation **out)
{
  amo_collocation *c = *out = calloc(1, sizeof *c);
  if (!c) return AMO_ENOMEM;
  const size_t n = c->points = (size_t)points, rows = n * ns;
  c->ns = ns;
  c->columns = columns;
  AMO_TAKE(&c->memory, double, (n + 1) * n, &c->integral);
  AMO_TAKE(&c->memory, double, 2 * n, &c->tail);
  AMO_TAKE(&c->memory, double, (columns + 1u) * rows, &c->rate);
  if (amo_lu_make(&c->matrix, rows) != AMO_OK || c->memory.failed) return AMO_ENOMEM;
  fill_tail(c, x);
  return fill_integrals(c, x) ? AMO_OK : AMO_ENOMEM;
}

void amo_collocation_free(amo_collocation *c)
{
  if (!c) return;
  amo_lu_free(&c->matrix);
  amo_arena_free(&c->memory);
  free(c);
}

/// Y'_i - h A_i sum_j I_ij Y'_j = A_i Y_0 + B_i D.
static void assemble(amo_collocation *c, const amo_variation *g, double h)
{
  const size_t ns = c->ns, n = c->points, rows = n * ns, entries = (ns + g->np) * ns;
  memset(c->rate, 0, g->columns * rows * sizeof *c->rate);
  for (size_t i = 0; i < n; i++) {
    const double *a = g->node + i * entries;
    for (size_t j = 0; j < n; j++)
      for (size_t r = 0; r < ns; r++)
        for (size_t s = 0; s < ns; s++)
          c->matrix.a[(i * ns + r) * rows + j * ns + s] =
              (i == j && r == s) - h * c->integral[i * n + j] * a[s * ns + r];
    for (size_t k = 0; k < g->columns; k++)
      for (size_t s = 0; s < ns + g->np; s++) {
        const double y = s < ns ? g->y[k * ns + s] : g->direction[k * g->np + s - ns];
        for (size_t r = 0; y != 0.0 && r < ns; r++) c->rate[k * rows + i * ns + r] += a[s * ns + r] * y;
      }
  }
}

/// Do the last coefficients of Y' count in what it adds to a column?
static bool resolved(const amo_collocation *c, const amo_variation *g, const double *scale, double h)
{
  const size_t ns = c->ns, n = c->points;
  for (size_t k = 0; k < g->columns; k++) {
    double size = 0.0, rest = 0.0;  // of the column, each state measured by its own
    for (size_t r = 0; r < ns; r++) {
      const double unit = scale[r] > 0.0 ? scale[r] : 1.0;
      double tail[2] = {0.0, 0.0}, most = fabs(g->y[k * ns + r]);
      for (size_t i = 0; i < n; i++) {
        const double x = c->rate[k * n * ns + i * ns + r];
        for (int t = 0; t < 2; t++) tail[t] += c->tail[(size_t)t * n + i] * x;
        most = fmax(most, h * fabs(x));
      }
      size = fmax(size, most / unit);
      rest = fmax(rest, h * fmax(fabs(tail[0]), fabs(tail[1])) / unit);
    }
    if (!(rest <= fmax(AMO_BORDER, 100.0 * g->blur) * size)) return false;
  }
  return true;
}

bool amo_collocate(amo_collocation *c, amo_variation *g, const double *scale, double h)
{
  const size_t ns = c->ns, n = c->points;
  assemble(c, g, h);
  if (!amo_lu_factor(&c->matrix)) return false;
  for (size_t k = 0; k < g->columns; k++) amo_lu_solve(&c->matrix, c->rate + k * n * ns);
  if (!resolved(c, g, scale, h)) return false;
  for (size_t k = 0; k < g->columns; k++)
    for (size_t i = 0; i < n; i++)
      for (size_t r = 0; r < ns; r++)
        g->y[k * ns + r] += h * c->integral[n * n + i] * c->rate[k * n * ns + i * ns + r];
  return true;
}
