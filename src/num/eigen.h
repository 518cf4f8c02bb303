// SPDX-License-Identifier: Apache-2.0
/// Eigenvalues of small dense matrices, row by row, from LAPACK; with what rounding may have done to them.
#ifndef AMO_NUM_EIGEN_H
#define AMO_NUM_EIGEN_H

#include <stdbool.h>
#include <stddef.h>

#include "amontons/status.h"

typedef double _Complex amo_complex;

/// Eigenvalues of a [n][n] (destroyed), the two of a pair side by side, that with the positive frequency first. left,
/// right [n][n] or NULL: eigenvectors, one after the other; of a pair the real and the imaginary part.
amo_status amo_eigen(double *a, size_t n, double *re, double *im, double *left, double *right);
/// Values w with det(a - w b) = 0: (re + i im) / over, where over is not zero. a and b [n][n] are destroyed.
amo_status amo_eigenvalues_of_pair(double *a, double *b, size_t n, double *re, double *im, double *over);
/// Eigenvalues of a [n][n] (destroyed), by descending real part; of a pair the positive frequency first.
amo_status amo_eigenvalues(double *a, size_t n, double *re, double *im);
/// The same with what rounding may have done to each, error [n], seen through left and right eigenvectors; scales of the
/// states have no part in it. terms [n][n]: sizes of the terms that each entry of a was summed from; NULL: the entries.
/// A real part within its error is zero: set so.
amo_status amo_eigenvalues_judged(const double *a, const double *terms, size_t n, double *re, double *im,
                                  double *error);
/// x [n] := (a - shift)^-1 x, or with the adjoint of a - shift. The shift may be an eigenvalue but for rounding.
amo_status amo_solve_shifted(const double *a, size_t n, amo_complex shift, bool adjoint, amo_complex *x);
/// Powers of two by which the states of d(rates)/d(states) a [n][n] are best divided: rows and columns of the matrix
/// in states/scale have the same size. Units of states have no part in what is done with those.
amo_status amo_balance_scales(const double *a, size_t n, double *scale);

#endif
