// SPDX-License-Identifier: Apache-2.0
/// A sum of many numbers with what rounding has left out of it (Neumaier): a little that each of a million has gained does not drown in
/// what all of them have.
#ifndef AMO_NUM_LONG_SUM_H
#define AMO_NUM_LONG_SUM_H

#include <math.h>

typedef struct amo_long_sum {
  double sum, rest;
} amo_long_sum;

static inline void amo_long_sum_add(amo_long_sum *s, double x)
{
  const double sum = s->sum + x;
  s->rest += fabs(s->sum) >= fabs(x) ? s->sum - sum + x : x - sum + s->sum;
  s->sum = sum;
}

static inline double amo_long_sum_of(const amo_long_sum *s)
{
  return s->sum + s->rest;
}

#endif
