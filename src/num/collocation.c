// SPDX-License-Identifier: Apache-2.0
#include "num/collocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/legendre.h"
#include "num/radau.h"
#include "num/rounding.h"
#include "num/solve.h"

static const double beside =
    1e-3;  // part of all of a column, each state by its scale, that the motion's own error leaves in its
           // derivatives: less is not told apart

struct amo_collocation {
  amo_arena memory;
  size_t ns, np, columns;
  double *x;  // [points] on (0, 1]
  double
      *integral;  // [points + 1][points] of the polynomial through unit values, to each point and to the end
  double *tail;   // [2][points] its last two coefficients in Legendre's polynomials
  double *power;  // [points][points] its powers
  amo_lu matrix;  // [points ns][points ns]
  double *rate;   // [columns + 1][points ns] right-hand sides, then Y' at the points; one more for errors
  double *error, *most;  // [ns]
  bool open;             // the ends of the stretch are no points
};

/// What is taken of polynomials through values at the points, as weights of those: it is known of Legendre's polynomials, and the weights
/// follow by one linear solve.
static bool fill_weights(amo_collocation *c)
{
  enum { n = AMO_COLLOCATION_POINTS };
  double v[n * n], p[n + 1];
  for (size_t i = 0; i <= n; i++) {
    const double x = i < n ? c->x[i] : 1.0;
    amo_legendre_values(2.0 * x - 1.0, n, p);
    c->integral[i * n] = x;
    for (size_t k = 1; k < n; k++) c->integral[i * n + k] = (p[k + 1] - p[k - 1]) / (double)(4 * k + 2);
    for (size_t k = 0; i < n && k < n; k++) v[k * n + i] = p[k];
  }
  for (size_t k = 0; k < 2; k++) c->tail[k * n + n - 1 - k] = 1.0;
  amo_legendre_powers(n, c->power);
  return amo_solve(v, n, c->integral, n + 1 + 2 + n) == AMO_OK;
}

/// Chebyshev's, all inside the stretch, or Radau's.
static amo_status fill_points(amo_collocation *c)
{
  enum { n = AMO_COLLOCATION_POINTS };
  const double pi = 3.14159265358979323846;
  amo_radau r;
  amo_status st = AMO_OK;
  if (c->open) {
    for (size_t i = 0; i < n; i++) c->x[i] = 0.5 - 0.5 * cos(pi * ((double)i + 0.5) / n);
    return st;
  }
  st = amo_radau_make(&r, n, 0, 1);
  if (st == AMO_OK) memcpy(c->x, r.x, n * sizeof *c->x);
  amo_radau_free(&r);
  return st;
}

amo_status amo_collocation_new(size_t ns, size_t np, size_t columns, bool open, amo_collocation **out)
{
  amo_collocation *c = *out = calloc(1, sizeof *c);
  if (!c) return AMO_ENOMEM;
  const size_t n = AMO_COLLOCATION_POINTS, rows = n * ns;
  c->ns = ns;
  c->np = np;
  c->columns = columns;
  c->open = open;
  AMO_TAKE(&c->memory, double, n, &c->x);
  AMO_TAKE(&c->memory, double, (n + 1 + 2 + n) * n, &c->integral);
  AMO_TAKE(&c->memory, double, ns + 1u, &c->error, &c->most);
  AMO_TAKE(&c->memory, double, (columns + 1u) * rows, &c->rate);
  if (amo_lu_make(&c->matrix, rows) != AMO_OK || c->memory.failed) return AMO_ENOMEM;
  c->tail = c->integral + (n + 1) * n;
  c->power = c->tail + 2 * n;
  amo_status st = fill_points(c);
  return st != AMO_OK ? st : fill_weights(c) ? AMO_OK : AMO_ENOMEM;
}

const double *amo_collocation_points(const amo_collocation *c)
{
  return c->x;
}

void amo_collocation_free(amo_collocation *c)
{
  if (!c) return;
  amo_lu_free(&c->matrix);
  amo_arena_free(&c->memory);
  free(c);
}

/// Y'_i - h A_i sum_j I_ij Y'_j = A_i Y_0 + B_i D.
static void assemble(amo_collocation *c, const amo_column_problem *p, const double *y)
{
  const size_t ns = c->ns, n = AMO_COLLOCATION_POINTS, rows = n * ns, entries = (ns + c->np) * ns;
  const double h = p->length;
  memset(c->rate, 0, p->columns * rows * sizeof *c->rate);
  for (size_t i = 0; i < n; i++) {
    const double *a = p->node + i * entries;
    for (size_t j = 0; j < n; j++)
      for (size_t r = 0; r < ns; r++)
        for (size_t s = 0; s < ns; s++)
          c->matrix.a[(i * ns + r) * rows + j * ns + s] =
              (i == j && r == s) - h * c->integral[i * n + j] * a[s * ns + r];
    for (size_t k = 0; k < p->columns; k++)
      for (size_t s = 0; s < ns + c->np; s++) {
        const double of = s < ns ? y[k * ns + s] : p->direction[k * c->np + s - ns];
        for (size_t r = 0; of != 0.0 && r < ns; r++) c->rate[k * rows + i * ns + r] += a[s * ns + r] * of;
      }
  }
}

/// Size of each state of column k over the stretch; the largest, each measured by its scale.
static double sizes(const amo_collocation *c, const amo_column_problem *p, const double *y, size_t k)
{
  const size_t ns = c->ns, n = AMO_COLLOCATION_POINTS;
  double size = 0.0;
  for (size_t r = 0; r < ns; r++) {
    c->most[r] = fabs(y[k * ns + r]);
    for (size_t i = 0; i < n; i++)
      c->most[r] = fmax(c->most[r], p->length * fabs(c->rate[k * n * ns + i * ns + r]));
    size = fmax(size, c->most[r] / (p->scale[r] > 0.0 ? p->scale[r] : 1.0));
  }
  return size;
}

/// The larger of the last two coefficients of the rate of row r in column k, where it is more than rounding of its terms.
static double tail_of(const amo_collocation *c, const amo_column_problem *p, size_t k, size_t r)
{
  const size_t ns = c->ns, n = AMO_COLLOCATION_POINTS, entries = (ns + c->np) * ns;
  double tail[2] = {0.0, 0.0}, terms = 0.0;
  for (size_t i = 0; i < n; i++) {
    double sum = 0.0;
    for (int t = 0; t < 2; t++) tail[t] += c->tail[(size_t)t * n + i] * c->rate[k * n * ns + i * ns + r];
    for (size_t s = 0; s < ns; s++) sum += fabs(p->node[i * entries + s * ns + r]) * c->most[s];
    terms = fmax(terms, sum);
  }
  return fmax(fmax(fabs(tail[0]), fabs(tail[1])) - AMO_CANCELLED * terms, 0.0);
}

/// What rates that are off by their last coefficients make of column k at the end, into c->error: what decays forgets it, and what
/// others are made of does not stay alone.
static void propagate(amo_collocation *c, const amo_column_problem *p, size_t k)
{
  const size_t ns = c->ns, n = AMO_COLLOCATION_POINTS;
  double *off = c->rate + c->columns * n * ns;
  for (size_t r = 0; r < ns; r++)
    for (size_t i = 0; i < n; i++) off[i * ns + r] = i == 0 ? tail_of(c, p, k, r) : off[r];
  amo_lu_solve(&c->matrix, off);
  memset(c->error, 0, ns * sizeof *c->error);
  for (size_t r = 0; r < ns; r++)
    for (size_t i = 0; i < n; i++) c->error[r] += p->length * c->integral[n * n + i] * off[i * ns + r];
}

/// Do the last coefficients of Y' count in what it adds to a column? Each state is measured by its own size.
static bool resolved(amo_collocation *c, const amo_column_problem *p, const double *y)
{
  for (size_t k = 0; k < p->columns; k++) {
    const double size = sizes(c, p, y, k);
    propagate(c, p, k);
    for (size_t r = 0; r < c->ns; r++) {
      const double least = (c->open ? 1.0 : beside) * size * (p->scale[r] > 0.0 ? p->scale[r] : 1.0);
      if (!(fabs(c->error[r]) <= p->allowed * fmax(c->most[r], least))) return false;
    }
  }
  return true;
}

/// The columns in powers of the part of the stretch, and at its end.
static void keep(const amo_collocation *c, const amo_column_problem *p, amo_column_series *to, double *all)
{
  const size_t ns = c->ns, n = AMO_COLLOCATION_POINTS;
  const double h = p->length;
  amo_column_series_begin(to, p->columns, all, p->direction);
  const size_t wide = to->wide;
  to->degree = (int)n;
  for (size_t k = 0; k < p->columns; k++)
    for (size_t r = 0; r < ns; r++) {
      const double *rate = c->rate + k * n * ns + r;
      double *y = &all[k * ns + r], *out = to->term + (ns + r) * wide + k;
      for (size_t j = 0; j < n; j++) {
        double power = 0.0;
        for (size_t i = 0; i < n; i++) power += c->power[j * n + i] * rate[i * ns];
        out[j * ns * wide] = h * power / (double)(j + 1);
        *y += h * c->integral[n * n + j] * rate[j * ns];
      }
    }
}

bool amo_collocate(amo_collocation *c, const amo_column_problem *p, amo_column_series *to, double *y)
{
  assemble(c, p, y);
  if (!amo_lu_factor(&c->matrix)) return false;
  for (size_t k = 0; k < p->columns; k++)
    amo_lu_solve(&c->matrix, c->rate + k * AMO_COLLOCATION_POINTS * c->ns);
  if (!resolved(c, p, y)) return false;
  keep(c, p, to, y);
  return true;
}
