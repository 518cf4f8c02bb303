// SPDX-License-Identifier: Apache-2.0
/// Where a curve goes on: the polynomial through the last points along it and their directions, as a graph over its direction at the
/// last of them. As many points are taken as still add less than those before them: what is older, or no better known than the
/// equations were solved to, would add noise. The derivatives of the equations go on in the same way.
#ifndef AMO_ORBIT_PREDICTOR_H
#define AMO_ORBIT_PREDICTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "amontons/status.h"

enum { AMO_PREDICTOR_POINTS = 6 };

typedef struct amo_predictor_point {
  double *x, *along;  // [n] the point; the direction there, of any length
  double *matrix;     // [n - 1][n] derivatives of the equations, column by column
} amo_predictor_point;

typedef struct amo_predictor {
  size_t n, points;                                 // unknowns; points kept
  size_t matrices;                                  // points, from the last one on, whose matrices are known
  amo_predictor_point point[AMO_PREDICTOR_POINTS];  // the last one first
  double *room, *term;  // of all; [2 points][n] of the polynomial that was asked for last
} amo_predictor;

amo_status amo_predictor_make(amo_predictor *p, size_t n);
void amo_predictor_free(amo_predictor *p);
/// What follows does not go on from what was kept.
void amo_predictor_forget(amo_predictor *p);
/// The next point along the curve, its unit tangent [n] in units of `scale` [n], the derivatives there (NULL: not known).
void amo_predictor_keep(amo_predictor *p, const double *x, const double *tangent, const double *scale,
                        const double *matrix);
/// The point that is `ds` away along the tangent at the last point, in the plane normal to it. Without any: AMO_ENOANSWER.
amo_status amo_predictor_next(const amo_predictor *p, const double *scale, double ds, double *x);
/// The derivatives there. False: too few are known. `work` [n].
bool amo_predictor_matrix(const amo_predictor *p, const double *scale, double ds, double *work,
                          double *matrix);

#endif
