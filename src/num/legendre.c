// SPDX-License-Identifier: Apache-2.0
#include "num/legendre.h"

#include <math.h>

void amo_legendre_values(double x, size_t n, double *p)
{
  p[0] = 1.0;
  if (n > 0) p[1] = x;
  for (size_t k = 1; k < n; k++)
    p[k + 1] = ((double)(2 * k + 1) * x * p[k] - (double)k * p[k - 1]) / (double)(k + 1);
}

void amo_legendre_powers(size_t n, double *c)
{
  c[0] = 1.0;
  if (n < 2) return;
  c[1] = -1.0;
  c[n + 1] = 2.0;
  for (size_t j = 1; j + 1 < n; j++)
    for (size_t k = 0; k <= j + 1; k++) {
      const double below = k > 0 ? 2.0 * c[(k - 1) * n + j] : 0.0;
      c[k * n + j + 1] =
          ((double)(2 * j + 1) * (below - c[k * n + j]) - (double)j * c[k * n + j - 1]) / (double)(j + 1);
    }
}

void amo_gauss_points(size_t n, double *x, double *w)
{
  const double size = (double)n;
  double p[AMO_MOST_LEGENDRE + 1];
  for (size_t i = 0; i < n; i++) {
    double z = -cos(acos(-1.0) * ((double)i + 0.75) / (size + 0.5)), slope = 0.0;
    for (int pass = 0; pass < 20; pass++) {
      amo_legendre_values(z, n, p);
      slope = size * (p[n - 1] - z * p[n]) / (1.0 - z * z);
      z -= p[n] / slope;
    }
    x[i] = 0.5 * (1.0 + z);
    w[i] = 1.0 / ((1.0 - z * z) * slope * slope);
  }
}
