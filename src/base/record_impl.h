// SPDX-License-Identifier: Apache-2.0
/// The inside of a stream of records, shared by the files that read lines, the head and rows.
#ifndef AMO_BASE_RECORD_IMPL_H
#define AMO_BASE_RECORD_IMPL_H

#include <stdio.h>

#include "base/mem.h"
#include "base/record.h"

typedef struct amo_record_field {
  const char *begin, *end;  // without blanks and quotes around it
} amo_record_field;

struct amo_record_stream {
  FILE *file;
  const char *called;  // the file in messages
  amo_diags *diags;
  amo_record_opts opts;
  amo_arena arena;
  char *block;        // what was read and not yet used
  size_t used, at;    // bytes in the block; where the next line begins
  bool ended;         // the file has no more bytes
  size_t line;        // of the line read last, from 1
  char between;       // separator of columns, ' ' for blanks
  size_t fields;      // columns of the file
  const char **head;  // [fields] names of all columns, NULL: the file names none
  size_t columns;     // that are wanted
  amo_record_column *column;
  size_t *wanted;  // [fields] which wanted column a field is, from 1; 0: none
};

/// The next line, without its end. False at the end of the file, or with *st (reported) on failure.
bool amo_record_next_line(amo_record_stream *s, const char **begin, const char **end, amo_status *st);
/// The next field of a line from *at on; false: there is none.
bool amo_record_field_next(const char **at, const char *end, char between, amo_record_field *out);
/// Is the line empty or a remark?
bool amo_record_skipped(const char *begin, const char *end);
/// Names, units, separator and the wanted columns; the next line is then the first row.
amo_status amo_record_read_head(amo_record_stream *s, const char *const *column, amo_at asked);

#endif
