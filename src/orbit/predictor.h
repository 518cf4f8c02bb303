// SPDX-License-Identifier: Apache-2.0
/// Where a curve goes on: the polynomial through the last points along it and their directions, as a graph over its direction at the
/// last of them. As many points are taken as still add less than those before them: what is older, or no better known than the
/// equations were solved to, would add noise.
#ifndef AMO_ORBIT_PREDICTOR_H
#define AMO_ORBIT_PREDICTOR_H

#include <stddef.h>

#include "amontons/status.h"

enum { AMO_PREDICTOR_POINTS = 6 };

typedef struct amo_predictor {
  size_t n, points;                     // unknowns; points kept
  double *x[AMO_PREDICTOR_POINTS];      // [n] the last one first
  double *along[AMO_PREDICTOR_POINTS];  // [n] directions there, of any length
  double *term;                         // [2 points][n] of the polynomial where it was asked for last
} amo_predictor;

amo_status amo_predictor_make(amo_predictor *p, size_t n);
void amo_predictor_free(amo_predictor *p);
/// What follows does not go on from what was kept.
void amo_predictor_forget(amo_predictor *p);
/// The next point along the curve, its unit tangent [n] in units of `scale` [n].
void amo_predictor_keep(amo_predictor *p, const double *x, const double *tangent, const double *scale);
/// The point that is `ds` away along the tangent at the last point, in the plane normal to it. Without any: AMO_ENOANSWER.
amo_status amo_predictor_next(const amo_predictor *p, const double *scale, double ds, double *x);

#endif
