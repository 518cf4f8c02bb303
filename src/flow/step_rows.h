// SPDX-License-Identifier: Apache-2.0
/// Sums, ranges and comparisons over rows of a step: AMO_STEP_POINTS numbers each, one per point. Every step of a run with
/// audit passes through here for every quantity, so they go by vectors. Sums run in four parts on every machine. Where a step has fewer points, the rest of a row is
/// zero, and so are the weights there.
#ifndef AMO_FLOW_STEP_ROWS_H
#define AMO_FLOW_STEP_ROWS_H

#include <stdbool.h>

/// At most so many points; quantities lie [item][AMO_STEP_POINTS] whatever their number.
enum { AMO_STEP_POINTS = 16 };

/// value[i] = sum over k <= order of c[k] h[k] power[k][i], small terms first; h: powers of the length of the step. Three numbers
/// beyond the last of c and h are read.
void amo_row_series(const double *c, const double *h, const double *power, int order, double *value);
/// sum of w x, and of w x^2.
void amo_row_moments(const double *w, const double *x, double *sum, double *square);
/// sum of w x.
double amo_row_sum(const double *w, const double *x);
/// sum of w x y.
double amo_row_sum2(const double *w, const double *x, const double *y);
/// sum of w |x|.
double amo_row_sum_sizes(const double *w, const double *x);
/// The largest of |a - a0| + |b - b0| + |a| among the first n points.
double amo_row_largest_energy(const double *a, double a0, const double *b, double b0, int n);
/// Value at place x between the points, by weights of barycentric interpolation.
double amo_row_between(const double *row, const double *place, const double *weight, double x);
/// slope = matrix * row; matrix [from][to].
void amo_row_slopes(const double *row, const double *matrix, double *slope);
/// Never falls, or never rises, from point to point. False where a number is none.
bool amo_row_is_monotone(const double *x);

#endif
