// SPDX-License-Identifier: Apache-2.0
/// The characteristic polynomial of a matrix and Hurwitz's determinants of it.
#ifndef AMO_NUM_HURWITZ_H
#define AMO_NUM_HURWITZ_H

#include <stdbool.h>
#include <stddef.h>

#include "amontons/status.h"

/// Beyond this order the determinants say nothing that rounding has not spoiled.
#define AMO_HURWITZ_ORDER 24

/// a[0..n): coefficients of  s^n + a[0] s^(n-1) + ... + a[n-1] = det(s - matrix)  (matrix [n][n] is destroyed).
amo_status amo_characteristic(double *matrix, size_t n, double *a);
/// h[0..n): leading minors of the Hurwitz matrix, but the last, which is a[n-1] (its minor is that times the one
/// before): all roots have negative real parts if and only if all are positive. AMO_ELIMIT: n too large.
amo_status amo_hurwitz(const double *a, size_t n, double *h);

#endif
