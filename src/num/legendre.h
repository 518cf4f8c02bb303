// SPDX-License-Identifier: Apache-2.0
/// Legendre's polynomials and Gauss's points.
#ifndef AMO_NUM_LEGENDRE_H
#define AMO_NUM_LEGENDRE_H

#include <stddef.h>

enum { AMO_MOST_LEGENDRE = 41 };  // largest degree

/// p[0..n]: Legendre's polynomials at x in [-1, 1], and beyond.
void amo_legendre_values(double x, size_t n, double *p);
/// c[k*n + j]: coefficient of x^k in polynomial j < n, shifted to [0, 1]. c [n][n] is zero before.
void amo_legendre_powers(size_t n, double *c);
/// Gauss's points x [n] on [0, 1], rising, and their weights w [n], whose sum is 1.
void amo_gauss_points(size_t n, double *x, double *w);

#endif
