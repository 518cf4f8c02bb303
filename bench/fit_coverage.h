// SPDX-License-Identifier: Apache-2.0
/// How often do intervals of fits hold the true value? Records of a model with noise, each fitted from a start of its own.
#ifndef BENCH_FIT_COVERAGE_H
#define BENCH_FIT_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

enum { COVERAGE_UNKNOWNS = 8 };

typedef struct coverage {
  const char *model;                       // file
  const char *quantity;                    // what is measured
  const char *unknown[COVERAGE_UNKNOWNS];  // ends with NULL
  double until;                            // length of the records
  int samples, records;
  double noise;  // standard deviation
  double off;    // starts are up to this part off
  uint64_t seed;
  // out
  int held[COVERAGE_UNKNOWNS];  // intervals (95 %) that hold the true value
  int failed;                   // fits that did not end, or at another valley
  double seconds;               // of all fits
} coverage;

bool coverage_run(coverage *c);

#endif
