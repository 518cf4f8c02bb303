// SPDX-License-Identifier: Apache-2.0
/// Random numbers that are the same on every machine: SplitMix64 (Steele, Lea and Flood 2014), and Box and Muller's
/// normal numbers of it. {seed} begins a sequence.
#ifndef AMO_NUM_RANDOM_H
#define AMO_NUM_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct amo_random {
  uint64_t state;  // the seed, and then so many increments on
  double kept;     // the second normal number of a pair
  bool has_kept;
} amo_random;

uint64_t amo_random_next(amo_random *r);
/// In [0, 1): the top 53 bits.
double amo_random_uniform(amo_random *r);
/// Of mean 0 and variance 1. Uniform numbers come in pairs: cosine first, then sine.
double amo_random_normal(amo_random *r);

#endif
