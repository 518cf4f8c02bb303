// SPDX-License-Identifier: Apache-2.0
/// C source of a program for one order and width: what the interpreter's kernels do, instruction after instruction, with every
/// offset a number. The recurrences are those of the kernels themselves (src/expr/recurrences.inc), which stand in front of it
/// as text: there is one source of them, and the same sums in the same order.
#ifndef AMO_EMIT_SOURCE_H
#define AMO_EMIT_SOURCE_H

#include "base/text.h"
#include "expr/program.h"

#define AMO_EMIT_ABI 3  // of the table below: another number, another table

/// What a compiled source shows under the name AMO_EMIT_SYMBOL: `abi` and `size` come first in every version.
typedef struct amo_emitted_table {
  int abi, size;
  const char *key;  // what it was asked for by
  amo_code code;
} amo_emitted_table;
#define AMO_EMIT_SYMBOL "amo_emitted"

/// A coordinate by itself: the rate of `velocity` is force over mass, of which the force may vary.
typedef struct amo_free_coordinate {
  uint32_t velocity, force, mass;  // a leaf, registers
} amo_free_coordinate;

typedef struct amo_emit_request {
  const amo_prog *prog;
  const amo_integral *integral;  // [integrals] d(leaf)/dt = rate; none: no series in one call
  size_t integrals;
  int order, lanes;
  const amo_free_coordinate
      *free;     // [frees] of a model with a balance: what rates of velocities are where nothing is to be
  size_t frees;  // solved for; the integrals are those of all other states
} amo_emit_request;

/// The source, without its key: KEY is to be defined in front of it, as a string.
void amo_emit_source(const amo_emit_request *r, amo_text *out);
/// Instructions of the program; sources grow with them.
size_t amo_emit_size(const amo_prog *p);

#endif
