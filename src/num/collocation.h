// SPDX-License-Identifier: Apache-2.0
/// Columns of a linearised flow over a stretch by collocation: Y' = A(t) Y + B(t) D holds at points inside it, Y' a
/// polynomial through them. Where A has a pole at an end of the stretch (the direction of a slip that begins or ends),
/// the smooth solution is the one that polynomials can follow; no other is found: for these the points lie inside. What decays fast need not be
/// followed in its own time, as it must be by power series: Radau's points are stable for every decay, and damp it wholly.
#ifndef AMO_NUM_COLLOCATION_H
#define AMO_NUM_COLLOCATION_H

#include "amontons/status.h"
#include "num/column_series.h"

typedef struct amo_collocation amo_collocation;

enum { AMO_COLLOCATION_POINTS = 14 };

/// What is to be solved over one stretch.
typedef struct amo_column_problem {
  const double *node;       // [AMO_COLLOCATION_POINTS][ns + np][ns] A and B at the points, column by column
  const double *direction;  // [columns][np] D
  size_t columns;
  double length;        // of the stretch
  const double *scale;  // [ns] sizes of the states, 0: none
  double allowed;       // part of a column that its last coefficients may make
} amo_column_problem;

/// @param open  points inside the stretch; else Radau's, the end among them
amo_status amo_collocation_new(size_t ns, size_t np, size_t columns, bool open, amo_collocation **out);
void amo_collocation_free(amo_collocation *c);
/// Where A and B are to be taken: [AMO_COLLOCATION_POINTS] on (0, 1].
const double *amo_collocation_points(const amo_collocation *c);
/// Advance y [columns][ns] over the stretch, its course into `to`. False: the polynomials do not resolve the columns, or the system is
/// singular.
bool amo_collocate(amo_collocation *c, const amo_column_problem *p, amo_column_series *to, double *y);

#endif
