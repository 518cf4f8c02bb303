// SPDX-License-Identifier: Apache-2.0
#include "num/hurwitz.h"

#include <lapacke.h>
#include <stdlib.h>

#include "base/mem.h"
#include "num/solve.h"

/// La Budde's recurrence on the Hessenberg form: p_k = det(s - leading k x k block), row k of `p`, lowest power first.
static void recurrence(const double *m, size_t n, double *p)
{
  p[0] = 1.0;
  for (size_t k = 1; k <= n; k++) {
    double *now = p + k * (n + 1);
    const double *last = now - (n + 1);
    for (size_t i = 0; i <= k; i++)
      now[i] = (i > 0 ? last[i - 1] : 0.0) - (i < k ? m[(k - 1) * n + k - 1] * last[i] : 0.0);
    double below = 1.0;
    for (size_t j = k - 1; j > 0; j--) {  // products of the subdiagonal
      below *= m[j * n + j - 1];
      const double f = m[(j - 1) * n + k - 1] * below, *old = p + (j - 1) * (n + 1);
      for (size_t i = 0; i < j; i++) now[i] -= f * old[i];
    }
  }
}

amo_status amo_characteristic(double *matrix, size_t n, double *a)
{
  if (n == 0) return AMO_OK;
  double *p = amo_zalloc((n + 1) * (n + 1), sizeof *p), *tau = amo_zalloc(n, sizeof *tau);
  amo_status st = p && tau ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK && n > 1 &&
      LAPACKE_dgehrd(LAPACK_ROW_MAJOR, (lapack_int)n, 1, (lapack_int)n, matrix, (lapack_int)n, tau) != 0)
    st = AMO_ENOANSWER;
  if (st == AMO_OK) {
    recurrence(matrix, n, p);
    for (size_t i = 0; i < n; i++) a[i] = p[n * (n + 1) + n - 1 - i];
  }
  free(p);
  free(tau);
  return st;
}

static double coefficient(const double *a, size_t n, long i)
{
  return i == 0 ? 1.0 : i < 0 || i > (long)n ? 0.0 : a[i - 1];
}

static double minor_of(const double *a, size_t n, size_t k)
{
  double m[AMO_HURWITZ_ORDER * AMO_HURWITZ_ORDER];
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < k; j++) m[i * k + j] = coefficient(a, n, 2 * ((long)j + 1) - ((long)i + 1));
  return amo_determinant(m, k, NULL);
}

amo_status amo_hurwitz(const double *a, size_t n, double *h)
{
  if (n > AMO_HURWITZ_ORDER) return AMO_ELIMIT;
  for (size_t k = 1; k < n; k++) h[k - 1] = minor_of(a, n, k);
  if (n > 0) h[n - 1] = a[n - 1];
  return AMO_OK;
}
