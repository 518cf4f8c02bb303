// SPDX-License-Identifier: Apache-2.0
/// HDF5 files of numbers that say what they are: chunked, packed, each with attributes `unit` and `meaning`. A file appears whole or
/// not at all; the library's own messages are silenced. HDF5 is loaded when a file is written and not before
/// (result/h5_library.h), so that nobody here needs its headers.
#ifndef AMO_RESULT_H5_H
#define AMO_RESULT_H5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "amontons/diag.h"

struct amo_h5_library;

/// A file or a group in one, open.
typedef struct amo_h5 {
  const struct amo_h5_library *library;
  int64_t id;
} amo_h5;

/// Types of numbers; in files they are little-endian, and 32 bits long where they are whole.
typedef enum amo_h5_type { AMO_H5_DOUBLE, AMO_H5_INT } amo_h5_type;

/// What is in a dataset.
typedef struct amo_h5_numbers {
  const char *name;            // "/x"
  const char *unit;            // "" : none
  const char *meaning;         // NULL: not said
  int axes;                    // 1 or 2
  uint64_t size[2], chunk[2];  // [axes] chunk 0: in one piece
  amo_h5_type type;
  const void *value;
} amo_h5_numbers;

/// A column of a table of structs.
typedef struct amo_h5_member {
  const char *name;
  size_t offset;
  amo_h5_type type;
} amo_h5_member;

bool amo_h5_put_numbers(const amo_h5 *where, const amo_h5_numbers *n);
bool amo_h5_put_table(const amo_h5 *where, const char *name, const amo_h5_member *member, int members,
                      size_t row_size, const void *rows, size_t n);
/// An attribute, or a dataset where the text is longer than attributes may be (64 kB).
bool amo_h5_put_text(const amo_h5 *file, const char *name, const char *text);
/// A group of datasets: `put` fills it and says whether it could.
bool amo_h5_put_group(const amo_h5 *file, const char *name, bool (*put)(void *ctx, const amo_h5 *group),
                      void *ctx);

/// Write a file: `put` fills it and says whether it could.
amo_status amo_h5_write(const char *path, bool (*put)(void *ctx, const amo_h5 *file), void *ctx,
                        amo_diags *diags);

#endif
