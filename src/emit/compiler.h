// SPDX-License-Identifier: Apache-2.0
/// The system's C compiler: CC of the environment (a program and its first arguments), or cc. It runs in a process group of its
/// own without terminal, input or output; nothing that it says is shown.
#ifndef AMO_EMIT_COMPILER_H
#define AMO_EMIT_COMPILER_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include "amontons/status.h"
#include "base/text.h"

/// What may be stopped from another thread.
typedef struct amo_compiler_run {
  pthread_mutex_t lock;
  bool stop;  // nothing is started any more
  pid_t group;
} amo_compiler_run;

void amo_compiler_run_init(amo_compiler_run *run);
void amo_compiler_stop(amo_compiler_run *run);
void amo_compiler_run_free(amo_compiler_run *run);

typedef enum amo_compiler_language {
  AMO_COMPILER_C,        // CC, or cc: the interpreter's bits
  AMO_COMPILER_C_FUSED,  // the same compiler, products and sums in one: for answers within a tolerance
  AMO_COMPILER_CUDA      // NVCC, or nvcc
} amo_compiler_language;

/// Which compiler, with which flags, and which instructions of this machine does it use? By the macros that it defines, written
/// to the file `scratch` on the way. AMO_EIO: there is no compiler that works.
amo_status amo_compiler_describe(amo_compiler_run *run, amo_compiler_language language, const char *scratch,
                                 amo_text *out);
/// A source to a shared library. The library must not exist yet.
amo_status amo_compiler_compile(amo_compiler_run *run, amo_compiler_language language, const char *source,
                                const char *library);

#endif
