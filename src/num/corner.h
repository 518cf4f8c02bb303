// SPDX-License-Identifier: Apache-2.0
/// Corners of the set A x = b, x >= 0 (simplex method on the tableau). Variables may be barred, which asks for them to be zero, and
/// allowed again at any time: every corner is a fair place to go on from.
#ifndef AMO_NUM_CORNER_H
#define AMO_NUM_CORNER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

typedef struct amo_corner {
  size_t rows, columns;
  const double *a, *b;  // [rows][columns], [rows]: columns and b of size about 1
  bool *barred;         // [columns]
  double *table;        // [rows + 1][columns + 1] the last row: what is gained by a unit of each
  size_t *basis;        // [rows] variable of each row; columns: what the row lacks, barred for ever
  size_t *place;        // [columns] row of a variable; rows: it is zero
  size_t pivots;        // since the table was made from a and b
} amo_corner;

/// a and b stay where they are; nothing is barred.
bool amo_corner_new(amo_arena *memory, size_t rows, size_t columns, const double *a, const double *b,
                    amo_corner *out);
double amo_corner_value(const amo_corner *p, size_t column);
/// Go where the sum of what is barred is least. False: it is more than rounding; nothing solves the equations without it.
bool amo_corner_solve(amo_corner *p);
/// Can the variable be positive, from a corner that solves the equations? Goes on to one where it is.
bool amo_corner_positive(amo_corner *p, size_t column);

#endif
