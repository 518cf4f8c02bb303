// SPDX-License-Identifier: Apache-2.0
/// A first look at a long record: sampling, noise, range, and what is wrong with it.
#ifndef AMO_FIT_SURVEY_H
#define AMO_FIT_SURVEY_H

#include <stdbool.h>
#include <stddef.h>

#include "amontons/diag.h"

/// A sample of at most so many of many numbers, evenly spread.
enum { AMO_SPREAD = 8192 };
typedef struct amo_spread {
  double value[AMO_SPREAD];
  size_t n, stride, seen;
} amo_spread;

void amo_spread_add(amo_spread *s, double x);
double amo_spread_median(amo_spread *s);  // NAN of nothing; sorts the sample

/// A run of samples at an end of the range.
typedef struct amo_limit_run {
  double value;          // the end
  size_t runs, longest;  // of three samples or more; samples of the longest
  size_t line;           // where that begins
  size_t now, began;     // the run under way
} amo_limit_run;

typedef struct amo_survey {
  size_t rows;                    // with all their numbers
  size_t missing, first_missing;  // rows without one, line
  size_t doubled, first_doubled;  // times that stand twice
  size_t back, first_back;        // times that go back
  size_t holes, first_hole;       // longer than 1.5 intervals
  double from, to;
  double interval;  // median
  double usual;     // median of the first ones; 0: not yet
  double noise;     // standard deviation of a sample about straight lines through its neighbours
  double hole;      // longest
  amo_limit_run low, high;
  amo_spread step, bend;
  double t[3], x[3];  // the last samples
  size_t kept;        // of them
} amo_survey;

/// One row. False: it does not count (a gap, or a time that stands twice).
bool amo_survey_add(amo_survey *s, double t, double x, size_t line);
/// What the rows say together.
void amo_survey_end(amo_survey *s);
/// Warnings, and an error where nothing can be built on it.
amo_status amo_survey_tell(const amo_survey *s, const char *file, const char *column, size_t least,
                           amo_diags *diags);

#endif
