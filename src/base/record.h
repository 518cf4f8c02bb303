// SPDX-License-Identifier: Apache-2.0
/// Measured records: columns of numbers from a text file, read in blocks, so that a record may be longer than memory.
///
/// Columns are separated by semicolons, tabs, commas or blanks (one of them in the whole file) and may be quoted. Where the separator
/// is no comma, a comma in a number is a decimal one. Lines that begin with # or % and empty ones are skipped; lines of words
/// before the first line of numbers are the head: the last of them names the columns, with units behind the names (time [s], force (N),
/// F_kN) or in a line of their own below. A file without names has columns by numbers from 1.
#ifndef AMO_BASE_RECORD_H
#define AMO_BASE_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "amontons/diag.h"

typedef struct amo_record_opts {
  bool
      gaps;  // cells that are empty or say that there is no number (nan, NA, -) become NaN and are counted; else a mistake
  bool units;  // values in SI where the head says a unit; else as written
} amo_record_opts;

/// One of the columns that were asked for.
typedef struct amo_record_column {
  char name[64];     // as the head calls it, without its unit; its number where it has no name
  char unit[32];     // of the numbers that come out: "N" of a column in kN that is read as SI; "" if not said
  double scale;      // what the written numbers are multiplied by
  size_t gaps;       // cells without a number so far
  size_t first_gap;  // line of the first, 0: none
} amo_record_column;

typedef struct amo_record_stream amo_record_stream;

/// Open a record and find columns in it, each by its name or by its number from 1. What is wrong is reported with file, line and
/// column; what is wrong with the names, at `asked`. opts NULL: no gaps, numbers as written. AMO_EINPUT, AMO_EIO, AMO_ENOMEM.
amo_status amo_record_open(const char *path, const char *const *column, size_t columns, amo_at asked,
                           const amo_record_opts *opts, amo_diags *diags, amo_record_stream **out);
/// The next rows, at most `most`: value[column*most + row], and where line is not NULL the lines they stand in. *rows 0: the record
/// has ended.
amo_status amo_record_next(amo_record_stream *s, double *value, size_t most, size_t *line, size_t *rows);
const amo_record_column *amo_record_about(const amo_record_stream *s, size_t column);
size_t amo_record_line(const amo_record_stream *s);                 // of the last row read, from 1
bool amo_record_has(const amo_record_stream *s, const char *name);  // does the head name such a column?
/// Every column that the head names, or the numbers of the columns: `name` gets a copy that the stream owns; false: no more.
bool amo_record_name(const amo_record_stream *s, size_t i, const char **name);
void amo_record_close(amo_record_stream *s);  // accepts NULL

/// A whole record in memory.
typedef struct amo_record {
  size_t rows, columns;
  double *value;              // [column wanted][rows], one column after another
  amo_record_column *column;  // [columns]
} amo_record;

#define AMO_RECORD_VALUES ((size_t)1 << 27)  // most numbers that are read whole: 1 GiB

/// All rows. AMO_ELIMIT (reported) beyond AMO_RECORD_VALUES numbers.
amo_status amo_record_read(const char *path, const char *const *column, size_t columns, amo_at asked,
                           const amo_record_opts *opts, amo_diags *diags, amo_record *out);
void amo_record_free(amo_record *r);  // harmless when empty

#endif
