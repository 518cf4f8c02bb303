// SPDX-License-Identifier: Apache-2.0
/// A model as a program of its own: C or CUDA that moves many of its motions and needs nothing but a compiler.
///
///   char *source = NULL;
///   if (amo_emit_program(model, NULL, NULL, &source) == AMO_OK) puts(source);
///   free(source);
///
/// The text has one entry, swarm_run(job); docs/swarm.md tells how to call it. Threads may write side by side; the model is only read.
#ifndef AMONTONS_EMIT_H
#define AMONTONS_EMIT_H

#include "amontons/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum amo_emit_target {
  AMO_EMIT_C,    // for cc: eight lanes, as vectors of gcc and clang
  AMO_EMIT_CUDA  // for nvcc: one thread a motion
} amo_emit_target;

/// How it is written. Get it from amo_emit_opts_default() and change what you need; later versions may add fields at the end.
typedef struct amo_emit_opts {
  size_t size;             // sizeof(amo_emit_opts), set by amo_emit_opts_init
  amo_emit_target target;  // language
  int order;               // of the power series, 8 to 40
} amo_emit_opts;

AMO_API void amo_emit_opts_init(amo_emit_opts *o, size_t size);
static inline amo_emit_opts amo_emit_opts_default(void)
{
  amo_emit_opts o;
  amo_emit_opts_init(&o, sizeof o);
  return o;
}

/// *source is the caller's (free()). AMO_EUNSUPPORTED: the model is not of the kind that such a program moves (diags says why);
/// AMO_ERANGE: an order or target that does not exist.
AMO_API amo_status amo_emit_program(const amo_model *m, const amo_emit_opts *opts, amo_diags *diags,
                                    char **source);

#ifdef __cplusplus
}
#endif
#endif
