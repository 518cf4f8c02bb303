// SPDX-License-Identifier: Apache-2.0
/// Whole files in, whole files out. A written file appears complete or not at all.
#ifndef AMO_BASE_FILE_H
#define AMO_BASE_FILE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "amontons/diag.h"

#define AMO_MODEL_BYTES ((size_t)16 << 20)  // largest model or study file

/// Read a whole file, at most `limit` bytes. *out is the caller's (free()), NUL-terminated beyond
/// *size. AMO_EIO (missing, directory, no permission), AMO_ELIMIT, AMO_ENOMEM; reported in diags.
amo_status amo_file_read(const char *path, size_t limit, amo_diags *diags, char **out, size_t *size);

/// Where a file goes: links are followed, so that the link stays and what it points at is replaced. The
/// temporary file lies beside the real one; commit renames it into place, abort removes it.
typedef struct amo_file_place {
  char *path;       // the real file
  char *temporary;  // NULL: a pipe or a device, written to as it stands
} amo_file_place;

/// Pipes and devices are never replaced: refused (AMO_EINPUT), or with `stream` left to be written to. So is "-",
/// which is standard output everywhere; a file of that name is "./-".
amo_status amo_file_place_begin(const char *path, bool stream, amo_diags *diags, amo_file_place *out);
/// Either way the place is finished; on failure the old file is untouched. AMO_EINTR: interrupted.
amo_status amo_file_place_commit(amo_file_place *p, amo_diags *diags);
void amo_file_place_abort(amo_file_place *p);  // harmless after commit

typedef struct amo_file_writer {
  FILE *stream;  // write here; errors are found at commit
  amo_file_place place;
} amo_file_writer;

amo_status amo_file_write_begin(const char *path, amo_diags *diags, amo_file_writer *out);
/// The same for text that may also go down a pipe or to a device; "-" is standard output.
amo_status amo_file_stream_begin(const char *path, amo_diags *diags, amo_file_writer *out);
/// Either way the writer is finished; on failure the old file is untouched.
amo_status amo_file_write_commit(amo_file_writer *w, amo_diags *diags);
void amo_file_write_abort(amo_file_writer *w);  // harmless after commit
/// A whole text, to a plain file or to standard output ("-").
amo_status amo_file_write_text(const char *path, const char *text, amo_diags *diags);

/// Would writing to one destroy the other? True for one file under two names, also when it is yet to be.
bool amo_file_same(const char *a, const char *b);

// ---- interrupts ----
/// The flag that a signal sets: from then on nothing is committed, writers give up early.
void amo_file_watch(const volatile sig_atomic_t *interrupted);
bool amo_file_interrupted(void);
/// Remove every temporary file that is being written. Only calls that are safe in a signal handler.
void amo_file_remove_temporaries(void);

#endif
