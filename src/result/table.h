// SPDX-License-Identifier: Apache-2.0
/// A small aligned table for a terminal.
#ifndef AMO_RESULT_TABLE_H
#define AMO_RESULT_TABLE_H

#include <stdio.h>

#include "base/mem.h"

#define AMO_TABLE_COLUMNS 16

typedef struct amo_table {
  amo_arena arena;
  const char *head[AMO_TABLE_COLUMNS];  // first character '<' or '>': alignment
  size_t columns;
  const char **cell;
  size_t cells, capacity;
} amo_table;

void amo_table_head(amo_table *t, const char *text);
void amo_table_cell(amo_table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/// Fill the row with empty cells, if it has begun.
void amo_table_end_row(amo_table *t);
/// Print (columns beyond `wide` characters are left out; 0 = no limit) and free.
void amo_table_print(amo_table *t, FILE *out, int wide);

#endif
