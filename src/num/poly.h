// SPDX-License-Identifier: Apache-2.0
/// Polynomials: the dense output of a step on [0, 1], searched for the first zero; all real zeros on [-1, 1].
#ifndef AMO_NUM_POLY_H
#define AMO_NUM_POLY_H

#include <stddef.h>

#define AMO_POLY_MAX 41  // coefficients

/// sum_k c[k*stride] x^k, k = 0..degree.
double amo_poly_value(const double *c, size_t stride, int degree, double x);

/// The same at count places, into out, `apart` doubles from one to the next.
void amo_poly_values(const double *c, size_t stride, int degree, const double *x, size_t count, double *out,
                     size_t apart);

/// The polynomial through values at nodes first..count - 1: row k of out [count][count] makes its coefficient k of them.
void amo_poly_through(const double *node, int count, int first, double *out);

/// Its slope.
double amo_poly_slope(const double *c, size_t stride, int degree, double x);

/// The polynomial of x/h: a[k] h^k in place of a[k].
void amo_poly_scale(double *a, int degree, double h);

/// First x in [0, 1] at which p(x) = sum a[k] x^k leaves the positive side; 2.0 if it never does.
/// Certain, not sampled: intervals are excluded only where all Bernstein coefficients are positive, so
/// several roots in one step, and dips that end before the step does, are found. p(0) <= 0 gives 0.
double amo_poly_first_exit(const double *a, int degree);

/// The last x < to at which p leaves the positive side, where p(to) <= 0; 0 if it is not positive before.
double amo_poly_last_exit(const double *a, int degree, double to);

/// All x in [-1, 1] at which p(x) = sum a[k] x^k is zero, into out [degree], in order; also where it comes to zero within
/// rounding and turns back. Returns how many.
size_t amo_poly_zeros(const double *a, int degree, double *out);

/// Series: a := a / c, c[0] not zero; and to += factor a c.
void amo_series_divide(double *a, const double *c, int orders);
void amo_series_add_product(double *to, const double *a, const double *c, double factor, int orders);

#endif
