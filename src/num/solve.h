// SPDX-License-Identifier: Apache-2.0
/// Square systems of equations, dense and row by row: one elimination for all. Rows are brought to size 1 by powers of two, so
/// that their units have no part in which pivots are taken, nor in what counts as singular. Not LAPACK's: most systems have
/// a handful of rows, and their answers should not depend on whose LAPACK it is.
#ifndef AMO_NUM_SOLVE_H
#define AMO_NUM_SOLVE_H

#include <stdbool.h>
#include <stddef.h>

#include "amontons/status.h"

typedef struct amo_lu {
  size_t n;
  double *a;      // [n][n] the matrix, then its factors
  double *scale;  // [n] of rows
  size_t *swap;   // [n] row exchanged with row k at step k
} amo_lu;

/// Memory for n rows. On failure too amo_lu_free is to be called.
amo_status amo_lu_make(amo_lu *f, size_t n);
void amo_lu_free(amo_lu *f);
/// Factors of f->a, in its place. False: singular to rounding.
bool amo_lu_factor(amo_lu *f);
/// x [n] := a^-1 x.
void amo_lu_solve(const amo_lu *f, double *x);

/// a [n][n] := its transpose.
void amo_transpose(double *a, size_t n);
/// x [columns][n], one right side after the other, := a^-1 x; a [n][n] is destroyed. AMO_ENOANSWER: singular to rounding, or
/// the answer is not finite. Allocates nothing up to 64 rows.
amo_status amo_solve(double *a, size_t n, double *x, size_t columns);
/// out [n][n] := a^-1; a [n][n] is destroyed. As amo_solve; what is nearest to the unit matrix is a times out.
amo_status amo_invert(double *a, size_t n, double *out);
/// Unknowns [at, at + n) leave the equations a [rows][width]: each is given by the row that has most of it, of the first `prefer`
/// where these have any. used [rows + n], zero at first: rows that gave one; they are left as they were then.
void amo_release(double *a, size_t rows, size_t width, size_t prefer, size_t at, size_t n, bool *used);
/// Determinant of a [n][n], destroyed. *size (or NULL): the logarithm of its size, -INFINITY where a is singular to
/// rounding. NAN: no memory.
double amo_determinant(double *a, size_t n, double *size);
/// Cholesky's factor in the lower triangle of a symmetric a [n][n], only which is read. The first row whose pivot is not
/// above `least`; n: a is positive definite.
size_t amo_cholesky(double *a, size_t n, double least);

#endif
