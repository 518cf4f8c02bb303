// SPDX-License-Identifier: Apache-2.0
/// Whole files in, whole files out. A written file appears complete or not at all.
#ifndef AMO_BASE_FILE_H
#define AMO_BASE_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "amontons/diag.h"

#define AMO_MODEL_BYTES ((size_t)16 << 20)  // largest model or study file

/// Read a whole file, at most `limit` bytes. *out is the caller's (free()), NUL-terminated beyond
/// *size. AMO_EIO (missing, directory, no permission), AMO_ELIMIT, AMO_ENOMEM; reported in diags.
amo_status amo_file_read(const char *path, size_t limit, amo_diags *diags, char **out, size_t *size);

/// Write to a temporary file beside `path`; commit renames it into place, abort removes it.
typedef struct amo_file_writer {
  FILE *stream;  // write here; errors are found at commit
  char *path, *temporary;
} amo_file_writer;

amo_status amo_file_write_begin(const char *path, amo_diags *diags, amo_file_writer *out);
/// Either way the writer is finished; on failure the old file is untouched.
amo_status amo_file_write_commit(amo_file_writer *w, amo_diags *diags);
void amo_file_write_abort(amo_file_writer *w);  // harmless after commit

#endif
