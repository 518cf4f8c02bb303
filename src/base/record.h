// SPDX-License-Identifier: Apache-2.0
/// Measured records: columns of numbers from a text file. Columns are separated by semicolons, tabs, commas or blanks, and may be quoted; lines that
/// begin with # and empty ones are skipped. The first line may name the columns, units behind the names: time [s], force (N).
#ifndef AMO_BASE_RECORD_H
#define AMO_BASE_RECORD_H

#include <stddef.h>

#include "amontons/diag.h"

#define AMO_RECORD_BYTES ((size_t)64 << 20)  // largest file

typedef struct amo_record {
  size_t rows;
  double *value;  // [column wanted][rows], one column after another
} amo_record;

/// The columns of a file, each by its name or by its number from 1. What is wrong is reported with file, line and column; what
/// is wrong with the names, at `asked`. AMO_EINPUT, AMO_EIO, AMO_ELIMIT, AMO_ENOMEM.
amo_status amo_record_read(const char *path, const char *const *column, size_t columns, amo_at asked,
                           amo_diags *diags, amo_record *out);
void amo_record_free(amo_record *r);  // harmless when empty

#endif
