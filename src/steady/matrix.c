// SPDX-License-Identifier: Apache-2.0
#include "steady/matrix.h"

#include <lapacke.h>
#include <math.h>
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

static bool goes_before(const double *re, const double *im, size_t i, size_t j)
{
  if (re[i] != re[j]) return re[i] > re[j];
  return im[i] > im[j];
}

amo_status amo_eigenvalues(double *a, size_t n, double *re, double *im)
{
  if (n == 0) return AMO_OK;
  if (LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', (lapack_int)n, a, (lapack_int)n, re, im, NULL, 1, NULL, 1) !=
      0)
    return AMO_ENOANSWER;
  for (size_t i = 1; i < n; i++)
    for (size_t j = i; j > 0 && goes_before(re, im, j, j - 1); j--) {
      double x = re[j], y = im[j];
      re[j] = re[j - 1], im[j] = im[j - 1];
      re[j - 1] = x, im[j - 1] = y;
    }
  return AMO_OK;
}

amo_status amo_linear_solve(double *a, size_t n, double *x, size_t columns)
{
  if (n == 0 || columns == 0) return AMO_OK;
  lapack_int *pivot = amo_zalloc(n, sizeof *pivot);
  if (!pivot) return AMO_ENOMEM;
  lapack_int info = LAPACKE_dgesv(LAPACK_ROW_MAJOR, (lapack_int)n, (lapack_int)columns, a, (lapack_int)n,
                                  pivot, x, (lapack_int)columns);
  free(pivot);
  for (size_t i = 0; info == 0 && i < n * columns; i++)
    if (!isfinite(x[i])) info = 1;
  return info == 0 ? AMO_OK : AMO_ENOANSWER;
}
