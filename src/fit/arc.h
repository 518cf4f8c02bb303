// SPDX-License-Identifier: Apache-2.0
/// The arc of a slip, x = level + e^{-kappa s/2} (p cos(w s) + q sin(w s)), s = t - at, w^2 = omega^2 - kappa^2/4, through samples
/// by linear least squares.
#ifndef AMO_FIT_ARC_H
#define AMO_FIT_ARC_H

#include <stdbool.h>
#include <stddef.h>

typedef struct amo_arc {
  double omega, kappa;  // undamped frequency, rate of decay of x'' + kappa x' + omega^2 (x - level) = 0
  double at;            // time in its middle
  double level, p, q;
  double cofactor[3][3];  // covariance of level, p, q for noise 1
  double sum;             // of squares of residuals
  size_t n;
} amo_arc;

/// False: fewer than four samples, or they do not determine it.
bool amo_arc_fit(const double *t, const double *x, size_t n, double omega, double kappa, amo_arc *out);
double amo_arc_value(const amo_arc *a, double t);
double amo_arc_slope(const amo_arc *a, double t);
double amo_arc_size(const amo_arc *a);  // amplitude at its middle
/// The instant nearest to t where the arc has an extremum.
double amo_arc_turn(const amo_arc *a, double t);
/// Where the slope is v, from the extremum at `turn` to the steepest place beside it (side -1: before it, +1: behind it). False: nowhere.
bool amo_arc_slope_is(const amo_arc *a, double turn, int side, double v, double *t);
/// Standard deviation of the value where the slope is v, for a sample's noise and that of v.
double amo_arc_error(const amo_arc *a, double t, double noise, double speed_noise);

#endif
