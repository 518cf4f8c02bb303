// SPDX-License-Identifier: Apache-2.0
/// Polynomials through values at Gauss's points of [0, 1]. What such a polynomial leaves out of a function is orthogonal to all of lower
/// degree.
#ifndef AMO_NUM_GAUSS_FIT_H
#define AMO_NUM_GAUSS_FIT_H

#include <stddef.h>

enum { AMO_GAUSS_POINTS = 8, AMO_GAUSS_ORDERS = 24 };

typedef struct amo_gauss_fit {
  double x[AMO_GAUSS_POINTS];
  double legendre[AMO_GAUSS_POINTS][AMO_GAUSS_POINTS],
      power[AMO_GAUSS_POINTS][AMO_GAUSS_POINTS];  // [from][to]
  double beyond
      [AMO_GAUSS_ORDERS];  // of x^k in the polynomial of degree AMO_GAUSS_POINTS, over 2 AMO_GAUSS_POINTS + 1
} amo_gauss_fit;

void amo_gauss_fit_make(amo_gauss_fit *b);
/// Coefficients of Legendre's polynomials, shifted to [0, 1], from values at the points, `apart` doubles from one to the next.
void amo_gauss_fit_legendre(const amo_gauss_fit *b, const double *value, size_t apart, double *out);
/// Coefficients of the powers of x, times `factor`, from the first `count` of those.
void amo_gauss_fit_powers(const amo_gauss_fit *b, const double *legendre, size_t count, double factor,
                          double *out);

#endif
