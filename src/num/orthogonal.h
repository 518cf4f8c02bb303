// SPDX-License-Identifier: Apache-2.0
/// Matrices that are not square, or not regular: by orthogonal transformations, from LAPACK. Row by row.
#ifndef AMO_NUM_ORTHOGONAL_H
#define AMO_NUM_ORTHOGONAL_H

#include <stddef.h>

#include "amontons/status.h"

/// Orthonormal basis of the null space of a [rows][n] (destroyed): z [n][n], its first *rank columns span the row
/// space, the others the null space, the flattest direction last. Singular values up to tol times the largest count as
/// zero.
amo_status amo_null_space(double *a, size_t rows, size_t n, double tol, double *z, size_t *rank);
/// Singular values s [n] of a, column by column [n][rows] (destroyed), rows >= n or zero from there on, the largest first; v [n][n]:
/// row k the direction of s[k].
amo_status amo_singular(double *a, size_t rows, size_t n, double *s, double *v);
/// x [columns][max(rows, n)], one right side [rows] after the other, becomes the smallest x [n] that comes nearest to
/// solving a x = b, a [rows][n]. Singular values up to tol times the largest count as zero.
amo_status amo_least_squares(const double *a, size_t rows, size_t n, double tol, double *x, size_t columns);
/// out [n][rows] := pseudo-inverse of a [rows][n].
amo_status amo_pseudo_inverse(const double *a, size_t rows, size_t n, double tol, double *out);
/// c = z' a z with the columns [first, n) of z [n][n]: c is [n - first][n - first].
amo_status amo_project(const double *a, const double *z, size_t n, size_t first, double *c);
/// a [n][n] := Q' a Q, Q orthogonal, its first columns spanning the `count` directions known [count][n] (destroyed).
amo_status amo_turn(double *a, size_t n, double *known, size_t count);

#endif
