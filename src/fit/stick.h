// SPDX-License-Identifier: Apache-2.0
/// The straight line of a stick beside a slip, as far as it is straight.
#ifndef AMO_FIT_STICK_H
#define AMO_FIT_STICK_H

#include "fit/oscillogram.h"

typedef struct amo_stick_line {
  double slope, slope_se;
  size_t samples;
} amo_stick_line;

/// Through samples a to b - 1, from one end (the last sample: at_end) on as far as a straight line goes through the noise and the drive goes at v (NAN: not known). False: fewer
/// than four samples.
bool amo_stick_line_fit(const amo_trace *w, size_t a, size_t b, bool at_end, double v, double noise,
                        amo_stick_line *out);

#endif
