// SPDX-License-Identifier: Apache-2.0
/// Diagnostics: everything the library has to say about an input, with positions.
/// The library never prints; a caller renders the list (amo_diags_render) where it likes.
#ifndef AMONTONS_DIAG_H
#define AMONTONS_DIAG_H

#include <stdbool.h>
#include <stddef.h>

#include "amontons/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A place in an input text. `file` is borrowed from the amo_diags (interned there).
/// line and column count from 1; line 0 means "no position". `length` characters are underlined.
typedef struct amo_at {
  const char *file;          // as it was named; NULL: no text
  int line, column, length;  // of what is meant
} amo_at;

typedef enum amo_severity { AMO_NOTE, AMO_WARNING, AMO_ERROR } amo_severity;  // only errors end a question

typedef struct amo_diag {
  amo_severity severity;  // how bad it is
  amo_at at;              // where in an input; line 0: nowhere
  const char *message;    // what is wrong
  const char *hint;       // what would be right; NULL if the message says it all
} amo_diag;

typedef struct amo_diags amo_diags;  // what was reported, in order; one thread's business

AMO_API amo_diags *amo_diags_new(void);               // NULL: out of memory
AMO_API void amo_diags_free(amo_diags *d);            // accepts NULL
#define AMO_DIAGS_KEPT 200                            // of a hostile file; further ones are only counted
AMO_API size_t amo_diags_count(const amo_diags *d);   // all that are kept
AMO_API size_t amo_diags_errors(const amo_diags *d);  // errors, those not kept too
/// The i-th diagnostic in order of report; NULL when i is out of range.
AMO_API const amo_diag *amo_diags_get(const amo_diags *d, size_t i);

/// Text for a terminal: "file:line:col: error: message", the source line, a caret, the hint.
/// Returned string is the caller's (free()). NULL on out of memory.
AMO_API char *amo_diags_render(const amo_diags *d);

/// Reporting (also for embedders who load their own sections). All accept d == NULL (dropped).
/// Return AMO_EINPUT for errors so that `return amo_error(...)` reads well.
AMO_API amo_status amo_error(amo_diags *d, amo_at at, const char *hint, const char *fmt, ...)
    AMO_PRINTF(4, 5);
AMO_API void amo_warn(amo_diags *d, amo_at at, const char *hint, const char *fmt, ...) AMO_PRINTF(4, 5);

/// Register a source text so that carets can be drawn; returns the interned file name for amo_at.
AMO_API const char *amo_diags_source(amo_diags *d, const char *file, const char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
