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
/// x [n][columns] := a^-1 x; a [n][n] is destroyed. AMO_ENOANSWER: singular.
amo_status amo_linear_solve(double *a, size_t n, double *x, size_t columns);

#endif
