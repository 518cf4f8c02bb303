// SPDX-License-Identifier: Apache-2.0
#include "num/gauss_fit.h"

#include <string.h>

#include "base/clones.h"
#include "num/legendre.h"

enum { N = AMO_GAUSS_POINTS };

void amo_gauss_fit_make(amo_gauss_fit *b)
{
  double w[N], p[N + 1], first = 1.0, power[N][N] = {{0.0}};
  memset(b, 0, sizeof *b);
  amo_gauss_points(N, b->x, w);
  amo_legendre_powers(N, power[0]);
  for (int i = 0; i < N; i++) {
    amo_legendre_values(2.0 * b->x[i] - 1.0, N, p);
    for (int k = 0; k < N; k++) {
      b->legendre[i][k] = (2 * k + 1) * w[i] * p[k];
      b->power[i][k] = power[k][i];
    }
  }
  for (int k = 1; k <= N; k++) first *= (double)k / (N + k);
  b->beyond[N] = first / (2 * N + 1);
  for (int k = N; k + 1 < AMO_GAUSS_ORDERS; k++)
    b->beyond[k + 1] = b->beyond[k] * (k + 1.0) * (k + 1.0) / ((k + 1.0 - N) * (k + 2.0 + N));
}

CLONES void amo_gauss_fit_legendre(const amo_gauss_fit *b, const double *value, size_t apart, double *out)
{
  double c[N] = {0.0};
  for (size_t i = 0; i < N; i++)
    for (size_t k = 0; k < N; k++) c[k] += b->legendre[i][k] * value[i * apart];
  memcpy(out, c, sizeof c);
}

CLONES void amo_gauss_fit_powers(const amo_gauss_fit *b, const double *legendre, size_t count, double factor,
                                 double *out)
{
  double c[N] = {0.0};
  for (size_t j = count; j-- > 0;)
    for (size_t k = 0; k < N; k++) c[k] += b->power[j][k] * (factor * legendre[j]);
  memcpy(out, c, sizeof c);
}
