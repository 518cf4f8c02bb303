// SPDX-License-Identifier: Apache-2.0
/// Searches along a line, told what is found where they want to look:  while (next(&s, &x)) take(&s, x, f(x)).
#ifndef AMO_NUM_BRACKET_H
#define AMO_NUM_BRACKET_H

#include <stdbool.h>

/// Something is so at a and not at b; the caller moves one of them to where it has looked. {a, b}.
typedef struct amo_bracket {
  double a, b;
  int halvings;
} amo_bracket;

/// The middle; false where no number lies between, or the width is 2^-64 of the first.
bool amo_bracket_next(amo_bracket *k, double *x);

/// A zero between a and b, a < b, where the function is fa and fb, of different signs: false position, an end that stays
/// counting for less (Illinois), and the middle where three looks have not halved the width. {a, b, fa, fb}.
typedef struct amo_zero {
  double a, b, fa, fb;
  int kept;      // which end stayed last: 1 = a, -1 = b
  int looks;     // since the width was measured
  double width;  // then
} amo_zero;

/// Between a and b; false where no number lies between.
bool amo_zero_next(amo_zero *z, double *x);
void amo_zero_take(amo_zero *z, double x, double f);

/// The lowest point between a and b: parabolas, and golden sections where they do not help (Brent).
typedef struct amo_low {
  double x, f;
} amo_low;
typedef struct amo_valley {
  double a, b, fine;  // fine: to what the place is to be known
  amo_low best, second, third;
  double last, before;  // moves
} amo_valley;

#define AMO_GOLDEN 0.38196601125010515  // (3 - sqrt 5)/2: where the first look between a and b is best

/// From one point x between a and b, where the function is f.
amo_valley amo_valley_of(double a, double b, double x, double f, double fine);
/// False: known.
bool amo_valley_next(amo_valley *v, double *x);
void amo_valley_take(amo_valley *v, double x, double f);

#endif
