// SPDX-License-Identifier: Apache-2.0
// Random systems written as model text: numbers that are the same on every machine, and text that grows.
#ifndef AMO_TESTS_RANDOM_H
#define AMO_TESTS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

// The next number of the sequence of *seed (splitmix64), uniform in [lo, hi).
double random_uniform(uint64_t *seed, double lo, double hi);

typedef struct text {
  char at[8192];
  size_t n;
} text;

// Append; the test fails when the text is full.
__attribute__((format(printf, 2, 3))) void put(text *t, const char *fmt, ...);

#endif
