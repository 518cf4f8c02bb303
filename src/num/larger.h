// SPDX-License-Identifier: Apache-2.0
/// The larger and the smaller of two numbers, in one instruction where fmax and fmin are calls: `a`, which is a number, where `b` is none.
#ifndef AMO_NUM_LARGER_H
#define AMO_NUM_LARGER_H

static inline double amo_larger(double a, double b)
{
  return b > a ? b : a;
}

static inline double amo_smaller(double a, double b)
{
  return b < a ? b : a;
}

#endif
