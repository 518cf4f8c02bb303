// SPDX-License-Identifier: Apache-2.0
/// Have all numbers a value? Expressions may have values without having derivatives, and steps may leave the range of numbers.
#ifndef AMO_NUM_FINITE_H
#define AMO_NUM_FINITE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static inline bool amo_all_finite(const double *x, size_t n)
{
  bool ok = true;
  for (size_t i = 0; i < n; i++) ok &= isfinite(x[i]);
  return ok;
}

#endif
