// SPDX-License-Identifier: Apache-2.0
/// One request to compiled code: out of the cache, or compiled into it.
#ifndef AMO_EMIT_LIBRARY_H
#define AMO_EMIT_LIBRARY_H

#include "emit/compiler.h"
#include "emit/source.h"

typedef struct amo_library {
  void *handle;
  amo_code code;
} amo_library;

/// Any source: with KEY defined in front of it (a string), compiled unless the cache has it, loaded. What it shows under the name `symbol` must
/// be a pointer to that string: another library is not used. dlclose is the caller's.
amo_status amo_library_open(amo_compiler_run *run, amo_compiler_language language, const char *source,
                            const char *symbol, void **handle);
/// `source` as amo_emit_source wrote it for this order and width.
amo_status amo_library_get(amo_compiler_run *run, const char *source, int order, int lanes, amo_library *out);
void amo_library_close(amo_library *l);

#endif
