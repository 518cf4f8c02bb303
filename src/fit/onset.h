// SPDX-License-Identifier: Apache-2.0
/// The beginning of a slip where friction falls with the sliding speed: a straight line of slope s up to t, and from there on
///   x'' + kappa (x' - s) + omega^2 (x - line) = -(jump + s (time - t)) omega^2 + ...   from x = level, x' = s:
/// friction that drops by `jump` >= 0 at once and then changes with the speed as kappa says (kappa < 0: falls). With jump 0 the departure
/// from the line is of third order, and no arc shows where it began.
#ifndef AMO_FIT_ONSET_H
#define AMO_FIT_ONSET_H

#include <stdbool.h>
#include <stddef.h>

typedef struct amo_onset {
  double t;                // break-down
  double level, level_se;  // force there; its standard deviation for noise 1
  double slope;            // of the line before it
  double jump;             // of the force of friction
  double sum;              // of squares of residuals
} amo_onset;

/// Through n samples, with the break-down between t0 and t1. False: too few samples, or no line.
bool amo_onset_fit(const double *t, const double *x, size_t n, double omega, double kappa, double t0,
                   double t1, amo_onset *out);

#endif
