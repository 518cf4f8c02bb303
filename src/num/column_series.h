// SPDX-License-Identifier: Apache-2.0
/// Columns of the linearised flow over a stretch as power series: Y' = A(x) Y + B(x) D for x in [0, 1], where each entry of A and B is a
/// polynomial and D is constant. Entries that are zero cost nothing.
#ifndef AMO_NUM_COLUMN_SERIES_H
#define AMO_NUM_COLUMN_SERIES_H

#include <stdint.h>

#include "base/mem.h"

typedef struct amo_column_entry {
  size_t column;        // beyond the states: parameters
  size_t first, count;  // coefficients
} amo_column_entry;

typedef struct amo_column_series {
  size_t ns, np;
  size_t columns, wide;  // followed last; with those that fill up the vectors
  int degree;
  double *term;   // [degree + 1][ns][wide]
  double *sum;    // [ns][wide] at the end
  double *start;  // [np][wide] D
  double *size;   // [degree + 1][ns] largest of a row of each term
  double *peak;   // [ns] largest of all terms
  amo_column_entry *entry;
  size_t *row;    // [ns + 1] first entry of each row
  size_t rows;    // begun so far
  double *power;  // coefficients of all entries
  size_t powers;
} amo_column_series;

/// Room for so many columns, and for entries with up to `count` coefficients.
void amo_column_series_take(amo_column_series *s, amo_arena *memory, size_t ns, size_t np, size_t columns,
                            size_t count);
/// Entries are told row by row, in each row some columns as powers of x [count].
void amo_column_series_clear(amo_column_series *s);
void amo_column_series_add(amo_column_series *s, size_t column, const double *power, size_t count);
void amo_column_series_end_row(amo_column_series *s);
/// Columns start from y [columns][ns], directions [columns][np]: the first term.
void amo_column_series_begin(amo_column_series *s, size_t columns, const double *y, const double *direction);
/// All terms, from such a start. False: they do not end, or cancel.
bool amo_column_series_run(amo_column_series *s, size_t columns, const double *y, const double *direction);
/// Columns at x, [columns][ns].
void amo_column_series_at(const amo_column_series *s, double x, double *y);
/// The same at the end.
void amo_column_series_last(const amo_column_series *s, double *y);

#endif
