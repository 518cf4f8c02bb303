// SPDX-License-Identifier: Apache-2.0
/// The compiled code of a model: asked for by runs, made in the background, used by all that evaluate its programs as soon as it is
/// there. Where there is no compiler, no folder for it, or anything else goes wrong, nothing happens: the interpreter serves.
#ifndef AMO_EMIT_EMITTED_H
#define AMO_EMIT_EMITTED_H

#include <stdbool.h>

#include "emit/source.h"

typedef struct amo_emitted amo_emitted;

amo_status amo_emitted_new(amo_emitted **out);
/// Stops compilers that run. The programs are not evaluated any more.
void amo_emitted_free(amo_emitted *e);

/// Work done by the interpreter, in instructions and coefficients; from any thread. True: code would have been worth its while.
bool amo_emitted_worth(amo_emitted *e, double work);
/// Code for this program, order and width, unless it has been asked for before. wait: until it is there, or failed.
void amo_emitted_want(amo_emitted *e, const amo_emit_request *r, amo_prog *prog, bool wait);

#endif
