// SPDX-License-Identifier: Apache-2.0
/// Small dense matrices, row by row: what linear analysis needs of LAPACK, said once.
#ifndef AMO_STEADY_MATRIX_H
#define AMO_STEADY_MATRIX_H

#include <stddef.h>

#include "amontons/status.h"

/// Orthonormal basis of the null space of a [rows][n] (destroyed): z [n][n], its first *rank columns span the row
/// space, the others the null space. Singular values up to tol times the largest count as zero.
amo_status amo_null_space(double *a, size_t rows, size_t n, double tol, double *z, size_t *rank);
/// c = z' a z with the columns [first, n) of z [n][n]: c is [n - first][n - first].
amo_status amo_project(const double *a, const double *z, size_t n, size_t first, double *c);
/// Eigenvalues of a [n][n] (destroyed), by descending real part; of a pair the positive frequency first.
amo_status amo_eigenvalues(double *a, size_t n, double *re, double *im);
/// The same with what rounding may have done to each, error [n], seen through left and right eigenvectors; scales of the
/// states have no part in it. terms [n][n]: sizes of the terms that each entry of a was summed from; NULL: the entries.
/// A real part within its error is zero: set so.
amo_status amo_eigenvalues_judged(const double *a, const double *terms, size_t n, double *re, double *im,
                                  double *error);
/// Powers of two by which the states of d(rates)/d(states) a [n][n] are best divided: rows and columns of the matrix
/// in states/scale have the same size. Units of states have no part in what is done with those.
amo_status amo_balance_scales(const double *a, size_t n, double *scale);
/// x [n][columns] := a^-1 x; a [n][n] is destroyed. AMO_ENOANSWER: singular.
amo_status amo_linear_solve(double *a, size_t n, double *x, size_t columns);

#endif
