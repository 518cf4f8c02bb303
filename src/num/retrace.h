// SPDX-License-Identifier: Apache-2.0
/// A calculation with error bounds (num/bounded.inc), recorded as it is done once and done again for AMO_RETRACE_LANES sets of numbers side by
/// side. What it asked of its numbers on the way (a sign, which of two is larger) is recorded with the answers: where the answers are the same,
/// so is the way, and the results are those of the calculation itself, bit for bit. Where one is not, nothing is said.
#ifndef AMO_NUM_RETRACE_H
#define AMO_NUM_RETRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "amontons/status.h"

enum { AMO_RETRACE_LANES = 8 };

typedef struct amo_retrace amo_retrace;

/// A number while it is recorded: its value and bound in this recording. tape NULL: the same in every one, a constant.
typedef struct amo_traced {
  amo_retrace *tape;
  uint32_t line;
  double value, bound;
} amo_traced;

typedef enum amo_retrace_op {
  AMO_RETRACE_GIVEN,  // registers a of value and bound
  AMO_RETRACE_ADD,
  AMO_RETRACE_SUB,
  AMO_RETRACE_MUL,
  AMO_RETRACE_QUOTIENT,
  AMO_RETRACE_ROOT,
  AMO_RETRACE_NEGATIVE,
  AMO_RETRACE_ABSOLUTE,
  AMO_RETRACE_LESS_PRODUCT,
  AMO_RETRACE_VALUE_OF,
  AMO_RETRACE_BOUND_OF,
  AMO_RETRACE_BOUNDED_BY,
  AMO_RETRACE_LARGER,
  AMO_RETRACE_SMALLER,
  AMO_RETRACE_POWER_NEAR,
  AMO_RETRACE_SHOWN,
  // questions
  AMO_RETRACE_IS_NOTHING,
  AMO_RETRACE_IS_CERTAIN,
  AMO_RETRACE_IS_POSITIVE,  // for certain
  AMO_RETRACE_IS_NEGATIVE,
  AMO_RETRACE_IS_ABOVE,
  AMO_RETRACE_VANISHES,
  AMO_RETRACE_IS_FINITE
} amo_retrace_op;

/// For a calculation with so many results, which are not numbers until they are given.
amo_status amo_retrace_new(size_t results, amo_retrace **out);
void amo_retrace_free(amo_retrace *t);  // accepts NULL

/// Register `at`, which now holds this value and bound.
amo_traced amo_retrace_given(amo_retrace *t, uint32_t at, double value, double bound);
/// What num/bounded.inc does under this name. c: of AMO_RETRACE_LESS_PRODUCT, a - b c.
amo_traced amo_retrace_do(amo_retrace_op op, amo_traced a, amo_traced b, amo_traced c);
bool amo_retrace_ask(amo_retrace_op question, amo_traced a, amo_traced b);
/// Result number k of the calculation, as it is shown.
void amo_retrace_result(amo_retrace *t, size_t k, amo_traced x);
/// The recording is over: what neither an answer nor a result needs is left out. AMO_ELIMIT: it was too long.
amo_status amo_retrace_finish(amo_retrace *t);

/// The calculation from registers and bounds [..][AMO_RETRACE_LANES]. `asked`: bit by bit the lanes that are asked for; returned: those of them in
/// which it went the recorded way.
unsigned amo_retrace_run(amo_retrace *t, const double *reg, const double *err, unsigned asked);
/// Result k of a lane that was returned.
double amo_retrace_read(const amo_retrace *t, size_t k, size_t lane);
/// Lines that are replayed.
size_t amo_retrace_length(const amo_retrace *t);

#endif
