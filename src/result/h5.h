// SPDX-License-Identifier: Apache-2.0
/// HDF5 files of numbers that say what they are: chunked, packed, each with attributes `unit` and `meaning`. A file appears whole or
/// not at all; the library's own messages are silenced.
#ifndef AMO_RESULT_H5_H
#define AMO_RESULT_H5_H

#include <hdf5.h>

#include "amontons/diag.h"

/// What is in a dataset.
typedef struct amo_h5_numbers {
  const char *name;           // "/x"
  const char *unit;           // "" : none
  const char *meaning;        // NULL: not said
  int axes;                   // 1 or 2
  hsize_t size[2], chunk[2];  // [axes] chunk 0: in one piece
  hid_t memory, file;         // types of the numbers there and here: H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE
  const void *value;
} amo_h5_numbers;

bool amo_h5_put_numbers(hid_t where, const amo_h5_numbers *n);
bool amo_h5_put_attribute(hid_t object, const char *name, const char *text);
/// An attribute, or a dataset where the text is longer than attributes may be (64 kB).
bool amo_h5_put_text(hid_t file, const char *name, const char *text);

/// Write a file: `put` fills it and says whether it could.
amo_status amo_h5_write(const char *path, bool (*put)(void *ctx, hid_t file), void *ctx, amo_diags *diags);

#endif
