// SPDX-License-Identifier: Apache-2.0
/// Pseudo-arclength continuation of F(X) = 0 with one unknown more than equations. What the unknowns mean, how the
/// solutions are to be judged and where the problem may be re-stated is the business of a problem's operations.
#ifndef AMO_ORBIT_CURVE_H
#define AMO_ORBIT_CURVE_H

#include <stdbool.h>
#include <stddef.h>

#include "amontons/status.h"

typedef struct amo_curve_ops {
  /// F [n] and its derivative [n+1 columns][n] at X [n+1].
  amo_status (*look)(void *ctx, const double *x, double *f, double *jacobian);
  /// F alone, where that costs much less; or NULL.
  amo_status (*value)(void *ctx, const double *x, double *f);
} amo_curve_ops;

typedef struct amo_curve {
  const amo_curve_ops *ops;
  void *ctx;
  size_t n;         // equations
  double *scale;    // [n+1] sizes of the unknowns
  double accuracy;  // of the scaled equations
  double *f, *jacobian, *a, *b, *start, *move;
  long looks;               // so far
  const double *direction;  // of the plane, during a search
} amo_curve;

amo_status amo_curve_new(const amo_curve_ops *ops, void *ctx, size_t n, amo_curve **out);
void amo_curve_free(amo_curve *c);
/// F and its derivative at x [n+1], into f and jacobian.
amo_status amo_curve_look(amo_curve *c, const double *x);
/// One step of Newton's method from x with derivatives known beforehand, in c->jacobian, in the plane through x normal to `direction`. x
/// stays where it is if that is no answer.
amo_status amo_curve_approach(amo_curve *c, double *x, const double *direction);
/// Newton's method in the plane through x normal to `direction` [n+1] (scaled). x is replaced; *steps: Newton steps.
amo_status amo_curve_correct(amo_curve *c, double *x, const double *direction, int most, int *steps);
/// Unit tangent (scaled) at the point looked at last, along `direction` (may be the same array).
amo_status amo_curve_tangent(amo_curve *c, const double *direction, double *tangent);

#endif
