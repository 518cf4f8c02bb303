// SPDX-License-Identifier: Apache-2.0
#include "num/radau.h"

#include <math.h>
#include <string.h>

#include "num/legendre.h"
#include "num/rounding.h"

enum { MOST_STAGES = 40, ITERATIONS = 12, EARLY = 4 };
/// Newton's matrix is renewed where a change is larger than this part of the last; above the second it goes nowhere.
static const double slow = 0.05, stalls = 0.3;

// ---- points and polynomials ----

/// Zero i of P_n + P_(n-1) on [-1, 1), the first of which is -1, and its weight in Radau's rule.
static double left_point(size_t n, size_t i, double *weight)
{
  const double size = (double)n;
  double p[MOST_STAGES + 1], x = -cos(2.0 * acos(-1.0) * (double)i / (2.0 * size - 1.0));
  for (int pass = 0; i > 0 && pass < 20; pass++) {
    amo_legendre_values(x, n, p);
    x -= (1.0 - x) / size * (p[n - 1] + p[n]) / (p[n - 1] - p[n]);
  }
  amo_legendre_values(x, n, p);
  *weight = (1.0 - x) / (size * p[n - 1] * size * p[n - 1]);
  return x;
}

/// Integrals of Legendre's polynomials from 0 to (x + 1)/2, shifted to [0, 1].
static void integrals(double x, size_t n, double *out)
{
  double p[MOST_STAGES + 2];
  amo_legendre_values(x, n, p);
  for (size_t k = 0; k < n; k++)
    out[k] = 0.5 * (k == 0 ? x + 1.0 : (p[k + 1] - p[k - 1]) / (double)(2 * k + 1));
}

static void fill_points(amo_radau *r)
{
  const size_t n = r->stages;
  double p[MOST_STAGES + 1], to[MOST_STAGES + 1];
  for (size_t i = 0; i < n; i++) {  // mirrored: the end of the step is a point
    double w;
    const double x = -left_point(n, n - 1 - i, &w);
    r->x[i] = 0.5 * (x + 1.0);
    amo_legendre_values(x, n, p);
    for (size_t k = 0; k < n; k++) r->legendre[k * n + i] = 0.5 * (double)(2 * k + 1) * w * p[k];
  }
  for (size_t i = 0; i < n; i++) {
    integrals(2.0 * r->x[i] - 1.0, n, to);
    for (size_t j = 0; j < n; j++)
      for (size_t k = 0; k < n; k++) r->integral[i * n + j] += to[k] * r->legendre[k * n + j];
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      for (size_t k = 0; k < n; k++) r->twice[i * n + j] += r->integral[i * n + k] * r->integral[k * n + j];
}

amo_status amo_radau_make(amo_radau *r, size_t stages, size_t nq, size_t nz)
{
  const size_t n = stages < 2 ? 2 : stages > MOST_STAGES ? MOST_STAGES : stages;
  *r = (amo_radau){.stages = n, .nq = nq, .nr = nq + nz, .ns = 2 * nq + nz};
  AMO_TAKE(&r->memory, double, n, &r->x);
  AMO_TAKE(&r->memory, double, n *n, &r->integral, &r->twice, &r->legendre, &r->power);
  AMO_TAKE(&r->memory, double, n *(r->nr + 1), &r->rate, &r->change, &r->trend);
  AMO_TAKE(&r->memory, double, n *(r->ns + 1), &r->state);
  AMO_TAKE(&r->memory, double, r->ns + 1, &r->f);
  AMO_TAKE(&r->memory, double, n *(r->ns + 1) * r->ns + 1, &r->df);
  AMO_TAKE(&r->memory, double, r->nr + 1, &r->in_time);
  if (amo_lu_make(&r->matrix, n * r->nr) != AMO_OK || r->memory.failed) return AMO_ENOMEM;
  fill_points(r);
  amo_legendre_powers(n, r->power);
  return AMO_OK;
}

void amo_radau_free(amo_radau *r)
{
  amo_lu_free(&r->matrix);
  amo_arena_free(&r->memory);
}

static double coefficient(const amo_radau *r, const double *value, size_t stride, size_t k)
{
  double sum = 0.0;
  for (size_t i = 0; i < r->stages; i++) sum += r->legendre[k * r->stages + i] * value[i * stride];
  return sum;
}

void amo_radau_powers(const amo_radau *r, const double *value, size_t stride, double least, double below,
                      double *out)
{
  const size_t n = r->stages;
  double c[MOST_STAGES], size = 0.0;
  for (size_t k = 0; k < n; k++) {
    c[k] = coefficient(r, value, stride, k);
    size = fmax(size, fabs(c[k]));
  }
  memset(out, 0, n * sizeof *out);
  if (below > 0.0) least = fmax(least, AMO_ROUNDED * size);
  double last = 0.0;
  for (size_t k = n > EARLY ? n - EARLY : 0; k < n; k++) last = fmax(last, fabs(c[k]));
  if (last <= below) least = fmax(least, last);
  for (size_t j = 0; j < n; j++)
    for (size_t k = 0; !(fabs(c[j]) <= least) && k <= j; k++) out[k] += r->power[k * n + j] * c[j];
}

// ---- one step ----

/// States at the points from the rates there.
static void place(amo_radau *r, const double *y, double h)
{
  const size_t n = r->stages, nq = r->nq;
  for (size_t i = 0; i < n; i++) {
    double *to = r->state + i * r->ns;
    for (size_t c = 0; c < r->nr; c++) {
      double once = 0.0, twice = 0.0;
      for (size_t j = 0; j < n; j++) {
        once += r->integral[i * n + j] * r->rate[j * r->nr + c];
        twice += r->twice[i * n + j] * r->rate[j * r->nr + c];
      }
      to[nq + c] = y[nq + c] + h * once;
      if (c < nq) to[c] = y[c] + h * (r->x[i] * y[nq + c] + h * twice);
    }
  }
}

/// Residuals of the equations at the points, and (`derive`) derivatives of the rates.
static bool look(amo_radau *r, const amo_radau_system *s, double t, double h, bool derive)
{
  const size_t ns = r->ns;
  for (size_t i = 0; i < r->stages; i++) {
    double *df = derive ? r->df + i * (ns + 1) * ns : NULL;
    if (s->rates(s->context, t + r->x[i] * h, r->state + i * ns, r->f, df) != AMO_OK) return false;
    for (size_t c = 0; c < r->nr; c++) {
      const double rest = r->f[r->nq + c] - r->rate[i * r->nr + c];
      if (!isfinite(rest)) return false;
      r->change[i * r->nr + c] = rest;
    }
  }
  r->rhs += (long)r->stages;
  return true;
}

/// u'_i - sum_j (h I_ij df/du + h^2 (I I)_ij df/dq) u'_j: Newton's matrix.
static bool factor(amo_radau *r, double h)
{
  const size_t n = r->stages, nr = r->nr, nq = r->nq, ns = r->ns, rows = n * nr;
  for (size_t i = 0; i < n; i++)
    for (size_t row = 0; row < nr; row++) {
      double *to = r->matrix.a + (i * nr + row) * rows;
      const double *df = r->df + i * (ns + 1) * ns + nq + row;
      r->in_time[row] = fmax(i > 0 ? r->in_time[row] : 0.0, fabs(df[ns * ns]));
      for (size_t j = 0; j < n; j++)
        for (size_t c = 0; c < nr; c++) {
          const double once = h * r->integral[i * n + j] * df[(nq + c) * ns];
          const double twice = c < nq ? h * h * r->twice[i * n + j] * df[c * ns] : 0.0;
          to[j * nr + c] = (i == j && row == c) - once - twice;
        }
    }
  r->jacobians++;
  for (size_t i = 0; i < rows * rows; i++)
    if (!isfinite(r->matrix.a[i])) return false;
  (void)amo_lu_factor(&r->matrix);  // nearly singular ones are seen by what follows
  return true;
}

/// Take the change; the largest effect on a state, in units of its weight.
static double apply(amo_radau *r, double h, const double *weight)
{
  double size = 0.0;
  amo_lu_solve(&r->matrix, r->change);
  for (size_t i = 0; i < r->stages; i++)
    for (size_t c = 0; c < r->nr; c++) {
      const double d = r->change[i * r->nr + c], moved = fabs(d) * h;
      r->rate[i * r->nr + c] += d;
      size = fmax(size, moved * weight[r->nq + c]);
      if (c < r->nq) size = fmax(size, moved * h * weight[c]);
      if (isnan(d)) return NAN;
    }
  return size;
}

/// Rates to begin with: the last step's polynomials as far as their terms fall, or those at the start.
static bool guess(amo_radau *r, const amo_radau_system *s, double t, const double *y, double h, double after)
{
  double p[MOST_STAGES + 1];
  if (!(r->length > 0.0) && s->rates(s->context, t, y, r->f, NULL) != AMO_OK) return false;
  for (size_t i = 0; i < r->stages; i++) {
    if (r->length > 0.0) amo_legendre_values(2.0 * (after + r->x[i] * h) / r->length - 1.0, r->stages, p);
    for (size_t c = 0; c < r->nr; c++) {
      double sum = r->length > 0.0 ? r->trend[c] : r->f[r->nq + c], least = INFINITY;
      for (size_t k = 1; r->length > 0.0 && k < r->stages; k++) {
        const double term = r->trend[k * r->nr + c] * p[k];
        if (!(fabs(term) <= least)) break;
        sum += term;
        if (term != 0.0) least = fabs(term);
      }
      r->rate[i * r->nr + c] = sum;
    }
  }
  return true;
}

bool amo_radau_solve(amo_radau *r, const amo_radau_system *system, double t, const double *y, double h,
                     double after, const double *weight, double tol)
{
  double last = INFINITY;
  bool renew = true;
  if (!guess(r, system, t, y, h, after)) return false;
  place(r, y, h);
  for (int i = 0; i < ITERATIONS; i++) {
    if (!look(r, system, t, h, renew) || (renew && !factor(r, h))) return false;
    const double size = apply(r, h, weight);
    place(r, y, h);
    const double falls = size / last;
    if (size <= tol || (i > 0 && falls < 1.0 && size * falls / (1.0 - falls) <= tol)) return true;
    if (falls > stalls && size <= fmax(10.0 * tol, AMO_CANCELLED)) return true;  // rounding: no smaller
    if (!(falls < 2.0)) return false;
    renew = falls > slow;
    last = size;
  }
  return false;
}

void amo_radau_keep(amo_radau *r, double h)
{
  for (size_t c = 0; c < r->nr; c++)
    for (size_t k = 0; k < r->stages; k++) r->trend[k * r->nr + c] = coefficient(r, r->rate + c, r->nr, k);
  r->length = h;
}
