// SPDX-License-Identifier: Apache-2.0
#include "num/eigen.h"

#include <complex.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/solve.h"

static bool goes_before(const double *re, const double *im, size_t i, size_t j)
{
  if (re[i] != re[j]) return re[i] > re[j];
  return im[i] > im[j];
}

amo_status amo_eigen(double *a, size_t n, double *re, double *im, double *left, double *right)
{
  const lapack_int ln = (lapack_int)n;
  const char l = left ? 'V' : 'N', r = right ? 'V' : 'N';
  if (n == 0) return AMO_OK;
  for (size_t i = 0; i < n * n; i++)
    if (!isfinite(a[i])) return AMO_ENOANSWER;
  amo_transpose(a, n);
  return LAPACKE_dgeev(LAPACK_COL_MAJOR, l, r, ln, a, ln, re, im, left, ln, right, ln) == 0 ? AMO_OK
                                                                                            : AMO_ENOANSWER;
}

amo_status amo_eigenvalues_of_pair(double *a, double *b, size_t n, double *re, double *im, double *over)
{
  const lapack_int ln = (lapack_int)n;
  if (n == 0) return AMO_OK;
  const lapack_int info =
      LAPACKE_dggev(LAPACK_COL_MAJOR, 'N', 'N', ln, a, ln, b, ln, re, im, over, NULL, 1, NULL, 1);
  return info == 0 ? AMO_OK : AMO_ENOANSWER;
}

amo_status amo_eigenvalues(double *a, size_t n, double *re, double *im)
{
  const amo_status st = amo_eigen(a, n, re, im, NULL, NULL);
  for (size_t i = 1; st == AMO_OK && i < n; i++)
    for (size_t j = i; j > 0 && goes_before(re, im, j, j - 1); j--) {
      double x = re[j], y = im[j];
      re[j] = re[j - 1], im[j] = im[j - 1];
      re[j - 1] = x, im[j - 1] = y;
    }
  return st;
}

amo_status amo_solve_shifted(const double *a, size_t n, amo_complex shift, bool adjoint, amo_complex *x)
{
  amo_complex *m = amo_zalloc(n * n, sizeof *m);
  lapack_int *pivot = amo_zalloc(n, sizeof *pivot), info = 0;
  const bool room = m && pivot;
  for (size_t i = 0; room && i < n; i++)
    for (size_t j = 0; j < n; j++)
      m[j * n + i] =
          adjoint ? a[j * n + i] - (i == j ? conj(shift) : 0.0) : a[i * n + j] - (i == j ? shift : 0.0);
  if (room && n > 0)
    info = LAPACKE_zgesv(LAPACK_COL_MAJOR, (lapack_int)n, 1, (lapack_complex_double *)m, (lapack_int)n, pivot,
                         (lapack_complex_double *)x, (lapack_int)n);
  free(m);
  free(pivot);
  return !room ? AMO_ENOMEM : info == 0 ? AMO_OK : AMO_ENOANSWER;
}

// ---- eigenvalues with their errors ----

typedef struct eigen {  // in balanced states
  size_t n;
  double *a, *terms, *left, *right;  // [n][n]; eigenvectors one after the other
  amo_complex *x, *y, *side;         // [n]
} eigen;

/// y'A x / y'x, and the rounding of its terms beside it.
static amo_complex quotient(const eigen *e, const amo_complex *y, const amo_complex *x, double *rounding)
{
  amo_complex top = 0.0, bottom = 0.0;
  double terms = 0.0;
  for (size_t i = 0; i < e->n; i++) {
    amo_complex sum = 0.0;
    for (size_t j = 0; j < e->n; j++) {
      sum += e->a[i * e->n + j] * x[j];
      terms += cabs(y[i]) * e->terms[i * e->n + j] * cabs(x[j]);
    }
    top += conj(y[i]) * sum;
    bottom += conj(y[i]) * x[i];
  }
  *rounding = 32.0 * (double)e->n * DBL_EPSILON * terms / cabs(bottom);
  return top / bottom;
}

/// One step of inverse iteration of v with A - at (adjoint: with its adjoint). False: singular.
static bool improve(const eigen *e, amo_complex at, bool adjoint, amo_complex *v)
{
  const size_t n = e->n;
  double size = 0.0;
  memcpy(e->side, v, n * sizeof *v);
  if (amo_solve_shifted(e->a, n, at, adjoint, e->side) != AMO_OK) return false;
  for (size_t i = 0; i < n; i++) size = fmax(size, cabs(e->side[i]));
  if (!(size > 0.0) || !isfinite(size)) return false;
  for (size_t i = 0; i < n; i++) v[i] = e->side[i] / size;
  return true;
}

/// Eigenvalue k and its error. What improving the vectors changes is part of the error; it is taken over where the
/// eigenvalue stands apart from all others, so that none is counted twice. Where the error is no longer small against the
/// distance to the next, both may come from one double value, which moves up to twice as far as the first order says.
static double judge_one(const eigen *e, const double *re, const double *im, size_t k, amo_complex *value)
{
  const size_t n = e->n;
  const bool pair = im[k] != 0.0;
  amo_complex first = re[k] + im[k] * _Complex_I;
  double rounding, apart = INFINITY;
  for (size_t i = 0; i < n; i++) {
    e->x[i] = e->right[k * n + i] + (pair ? e->right[(k + 1) * n + i] * _Complex_I : 0.0);
    e->y[i] = e->left[k * n + i] + (pair ? e->left[(k + 1) * n + i] * _Complex_I : 0.0);
    if (i != k) apart = fmin(apart, cabs(re[i] + im[i] * _Complex_I - first));
  }
  amo_complex before = quotient(e, e->y, e->x, &rounding), now = before;
  double moved = cabs(before - first), shift = moved;
  const double torn = rounding;
  if (improve(e, before, false, e->x) && improve(e, before, true, e->y)) {
    now = quotient(e, e->y, e->x, &rounding);
    shift = cabs(now - before);
    moved = fmax(moved, cabs(now - first));
  }
  const bool good = moved < 0.05 * apart && isfinite(rounding) && isfinite(shift);
  *value = good ? now : first;
  const double one = good ? rounding + shift : torn + moved;
  return isfinite(one) ? one * (1.0 + fmin(1.0, 4.0 * one / apart)) : INFINITY;
}

/// A repeated eigenvalue without vectors of its own moves by the k-th root of rounding where k of them meet, and by no
/// more, however small y'x is.
static double most_error(const eigen *e, const double *re, const double *im, size_t i)
{
  const size_t n = e->n;
  double size = 0.0, reach = INFINITY;
  for (size_t r = 0; r < n; r++) {
    double sum = 0.0;
    for (size_t c = 0; c < n; c++) sum += fmax(fabs(e->a[r * n + c]), e->terms[r * n + c]);
    size = fmax(size, sum);
  }
  for (size_t k = 2; k <= n; k++) {
    size_t near = 0;
    reach = 8.0 * size * pow((double)n * DBL_EPSILON, 1.0 / (double)k);
    for (size_t j = 0; j < n; j++) near += hypot(re[j] - re[i], im[j] - im[i]) <= reach;
    if (near > k) continue;
    return 8.0 * size * pow((double)n * DBL_EPSILON, 1.0 / (double)(k + 1));  // one more may hide beside them
  }
  return reach;
}

static void sort_judged(size_t n, double *re, double *im, double *error)
{
  for (size_t i = 0; i < n; i++)
    if (fabs(re[i]) <= error[i]) re[i] = 0.0;
  for (size_t i = 1; i < n; i++)
    for (size_t j = i; j > 0 && goes_before(re, im, j, j - 1); j--) {
      const double x = re[j], y = im[j], z = error[j];
      re[j] = re[j - 1], im[j] = im[j - 1], error[j] = error[j - 1];
      re[j - 1] = x, im[j - 1] = y, error[j - 1] = z;
    }
}

static void judge_all(const eigen *e, double *re, double *im, double *error, double *value)
{
  for (size_t k = 0; k < e->n; k++) {
    amo_complex v;
    error[k] = fmin(judge_one(e, re, im, k, &v), most_error(e, re, im, k));
    value[2 * k] = creal(v);
    value[2 * k + 1] = im[k] != 0.0 ? cimag(v) : 0.0;
    if (im[k] == 0.0) continue;
    k++;
    error[k] = error[k - 1];
    value[2 * k] = value[2 * k - 2];
    value[2 * k + 1] = -value[2 * k - 1];
  }
  for (size_t k = 0; k < e->n; k++) re[k] = value[2 * k], im[k] = value[2 * k + 1];
}

amo_status amo_eigenvalues_judged(const double *a, const double *terms, size_t n, double *re, double *im,
                                  double *error)
{
  if (n == 0) return AMO_OK;
  double *all = amo_zalloc(5 * n * n + 3 * n, sizeof *all), *work = all + 4 * n * n, *scale = work + n * n,
         *value = scale + n;
  amo_complex *vectors = amo_zalloc(3 * n, sizeof *vectors);
  amo_status st = all && vectors ? amo_balance_scales(a, n, scale) : AMO_ENOMEM;
  eigen e = {.n = n, .a = all, .terms = all + n * n, .left = all + 2 * n * n, .right = all + 3 * n * n};
  if (st == AMO_OK) e.x = vectors, e.y = e.x + n, e.side = e.y + n;
  for (size_t i = 0; st == AMO_OK && i < n; i++)
    for (size_t j = 0; j < n; j++) {
      work[i * n + j] = e.a[i * n + j] = a[i * n + j] * scale[j] / scale[i];
      e.terms[i * n + j] = fabs((terms ? terms : a)[i * n + j]) * scale[j] / scale[i];
    }
  if (st == AMO_OK) st = amo_eigen(work, n, re, im, e.left, e.right);
  if (st == AMO_OK) {
    judge_all(&e, re, im, error, value);
    sort_judged(n, re, im, error);
  }
  free(all);
  free(vectors);
  return st;
}

amo_status amo_balance_scales(const double *a, size_t n, double *scale)
{
  lapack_int low, high;
  double *copy = amo_zalloc(n * n, sizeof *copy);
  if (!copy) return AMO_ENOMEM;
  memcpy(copy, a, n * n * sizeof *copy);
  lapack_int info =
      n ? LAPACKE_dgebal(LAPACK_ROW_MAJOR, 'S', (lapack_int)n, copy, (lapack_int)n, &low, &high, scale) : 0;
  free(copy);
  return info == 0 ? AMO_OK : AMO_ENOANSWER;
}
