// SPDX-License-Identifier: Apache-2.0
#include "num/orthogonal.h"

#include <lapacke.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

amo_status amo_null_space(double *a, size_t rows, size_t n, double tol, double *z, size_t *rank)
{
  size_t most = rows > n ? rows : n, small = rows < n ? rows : n;
  *rank = 0;
  memset(z, 0, n * n * sizeof *z);
  if (rows == 0 || n == 0) {
    for (size_t i = 0; i < n; i++) z[i * n + i] = 1.0;
    return AMO_OK;
  }
  double *s = amo_zalloc(2 * most, sizeof *s), *vt = amo_zalloc(n * n, sizeof *vt),
         *u = amo_zalloc(1, sizeof *u);
  amo_status st = s && vt && u ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK && LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'A', (lapack_int)rows, (lapack_int)n, a,
                                     (lapack_int)n, s, u, (lapack_int)rows, vt, (lapack_int)n, s + most) != 0)
    st = AMO_ENOANSWER;
  for (size_t i = 0; st == AMO_OK && i < small; i++) *rank += s[i] > tol * s[0];
  for (size_t i = 0; st == AMO_OK && i < n; i++)
    for (size_t j = 0; j < n; j++) z[i * n + j] = vt[j * n + i];
  free(s);
  free(vt);
  free(u);
  return st;
}

amo_status amo_singular(double *a, size_t rows, size_t n, double *s, double *v)
{
  const size_t most = rows > n ? rows : n;
  double *work = amo_zalloc(n * n + most, sizeof *work), none;
  if (!work) return AMO_ENOMEM;
  memset(s, 0, n * sizeof *s);
  lapack_int info = 0;
  if (rows > 0 && n > 0)
    info = LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'A', (lapack_int)rows, (lapack_int)n, a, (lapack_int)rows, s,
                          &none, 1, work, (lapack_int)n, work + n * n);
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < n; i++) v[k * n + i] = work[i * n + k];
  free(work);
  return info == 0 ? AMO_OK : AMO_ENOANSWER;
}

amo_status amo_least_squares(const double *a, size_t rows, size_t n, double tol, double *x, size_t columns)
{
  const size_t most = rows > n ? rows : n;
  if (most == 0 || columns == 0) return AMO_OK;
  double *work = amo_zalloc(rows * n + most, sizeof *work);
  if (!work) return AMO_ENOMEM;
  lapack_int rank, info = 0;
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < n; j++) work[j * rows + i] = a[i * n + j];
  if (rows > 0 && n > 0)
    info = LAPACKE_dgelsd(LAPACK_COL_MAJOR, (lapack_int)rows, (lapack_int)n, (lapack_int)columns, work,
                          (lapack_int)rows, x, (lapack_int)most, work + rows * n, tol, &rank);
  free(work);
  return info == 0 ? AMO_OK : AMO_ENOANSWER;
}

amo_status amo_pseudo_inverse(const double *a, size_t rows, size_t n, double tol, double *out)
{
  const size_t most = rows > n ? rows : n;
  double *x = amo_zalloc(rows * most, sizeof *x);
  if (!x) return AMO_ENOMEM;
  for (size_t k = 0; k < rows; k++) x[k * most + k] = 1.0;
  const amo_status st = amo_least_squares(a, rows, n, tol, x, rows);
  for (size_t i = 0; st == AMO_OK && i < n; i++)
    for (size_t k = 0; k < rows; k++) out[i * rows + k] = x[k * most + i];
  free(x);
  return st;
}

amo_status amo_project(const double *a, const double *z, size_t n, size_t first, double *c)
{
  size_t m = n - first;
  double *az = amo_zalloc(n * m, sizeof *az);
  if (!az) return AMO_ENOMEM;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++)
      for (size_t j = 0; j < m; j++) az[i * m + j] += a[i * n + k] * z[k * n + first + j];
  memset(c, 0, m * m * sizeof *c);
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < m; i++)
      for (size_t j = 0; j < m; j++) c[i * m + j] += z[k * n + first + i] * az[k * m + j];
  free(az);
  return AMO_OK;
}

/// LAPACK sees the transpose of a, and Q' a' Q is the transpose of what is wanted.
amo_status amo_turn(double *a, size_t n, double *known, size_t count)
{
  const lapack_int ln = (lapack_int)n, k = (lapack_int)count;
  if (count == 0) return AMO_OK;
  double *tau = amo_zalloc(count, sizeof *tau);
  if (!tau) return AMO_ENOMEM;
  const bool ok = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, ln, k, known, ln, tau) == 0 &&
                  LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'T', ln, ln, k, known, ln, tau, a, ln) == 0 &&
                  LAPACKE_dormqr(LAPACK_COL_MAJOR, 'R', 'N', ln, ln, k, known, ln, tau, a, ln) == 0;
  free(tau);
  return ok ? AMO_OK : AMO_ENOANSWER;
}
