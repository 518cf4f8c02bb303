// SPDX-License-Identifier: Apache-2.0
/// Relations (fit/equation.h) fitted to the rows of a table, whose numbers have errors on either side of the equality sign.
///
/// Errors of columns on the right side count by the slope of the relation there (effective variance),
///   s_i^2 = tau^2 + s_left^2 + sum_c (d right/d c)^2 s_c^2,
/// found anew until they stay. tau is what the rows scatter beyond their errors, where that is asked for: the least for which the residuals
/// are no larger than they should be.
#ifndef AMO_FIT_RELATION_H
#define AMO_FIT_RELATION_H

#include "fit/equation.h"

typedef struct amo_relation_table {
  const char **column;  // [columns] names
  size_t columns, rows;
  double *value;   // [columns][rows]; columns that are not used are empty
  double *weight;  // [rows] 1/standard deviation of the left side; NULL: 1
  double *sigma;   // [columns][rows] standard deviations of what stands on the right, 0: exact; NULL: all are
  bool scatter;    // rows may scatter by more than that: there is a tau
} amo_relation_table;

typedef struct amo_relation_fit {
  const amo_relation_table *table;
  amo_equation *equation;
  const char *called;            // its name, or its text
  amo_fit_parameter *parameter;  // [unknowns]
  const char **unit;             // [unknowns]
  double *measured;              // [rows] its left side
  double *weight;                // [rows] that count; NULL: those of the table
  amo_fit *fit;                  // NULL: the source has handed it out, or it has none
  bool identifiable;
  double tau;   // of the left side; 0: no scatter beyond the errors
  double aicc;  // NAN: no outcome
} amo_relation_fit;

/// Measured values and memory for the weights, from `memory`. AMO_ENOANSWER: the left side is no number in some row.
amo_status amo_relation_begin(amo_relation_fit *f, const amo_relation_table *t, amo_arena *memory);
/// Its residuals with the weights that they have now.
amo_residuals amo_relation_residuals(amo_relation_fit *f);
/// From the best places of a grid; the least sum of all. Fills fit, parameter (its start), weight, tau, identifiable, aicc. AMO_ENOANSWER: no
/// start was found, or none from which there is an answer.
amo_status amo_relation_solve(amo_relation_fit *f, const amo_fit_opts *o, amo_arena *memory);
void amo_relation_free(amo_relation_fit *f);  // of what is in it

/// Text of a relation that has a name (rate, time, ...), written with the columns of this table, from `memory` or constant; NULL: it is none.
const char *amo_relation_named(const amo_relation_table *t, const char *name, amo_arena *memory);
/// Bounds that belong to unknowns of a relation that has a name: a rate constant that its column could not show.
void amo_relation_bounds(amo_relation_fit *f);
/// Variance inflation of column b by a or of a by b, the larger: 1/(1 - R^2) of a parabola through their logarithms (their values, where one is
/// not positive). INFINITY: one is a function of the other.
double amo_relation_inflation(const amo_relation_table *t, size_t a, size_t b);
/// Number of the column with this name; SIZE_MAX: there is none.
size_t amo_relation_column(const amo_relation_table *t, const char *name);

#endif
