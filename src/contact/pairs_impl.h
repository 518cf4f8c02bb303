// SPDX-License-Identifier: Apache-2.0
/// Shared by the files of pairs: numbers with bounds, in double, and the linear problem of one pattern.
#ifndef AMO_CONTACT_PAIRS_IMPL_H
#define AMO_CONTACT_PAIRS_IMPL_H

#include <float.h>
#include <math.h>

#include "contact/pairs.h"

#define real double
#define EPS  DBL_EPSILON
#define ROOT sqrt
#define FABS fabs
#include "num/bounded.inc"

enum { MOST = AMO_MOST_PAIRS };

static inline int told(num x)  // its sign; 0: not to be told from zero
{
  return magnitude(x.v) > x.e ? (x.v > 0 ? 1 : -1) : 0;
}

static inline bool is_back(size_t pattern, size_t j)
{
  return pattern >> j & 1u;
}

static inline num known(const amo_known *a, size_t i)
{
  return (num){a[i].value, a[i].error};
}

/// Entry of the matrix of a pattern: what the force of contact j does to gap i. Of an open support
/// the unknown is its gap instead, as the force that would close it alone.
num amo_pattern_entry(const amo_pairs_problem *p, size_t pattern, size_t i, size_t j);

/// The continua of solutions in a pattern whose determinant vanishes join out->continuum.
amo_status amo_pairs_continuum(const amo_pairs_problem *p, size_t pattern, amo_pairs *out);

#endif
