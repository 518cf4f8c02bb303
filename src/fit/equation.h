// SPDX-License-Identifier: Apache-2.0
/// A relation between columns of a table and unknowns, "F = F0 + A*exp(-beta*f)", with exact derivatives by the unknowns.
#ifndef AMO_FIT_EQUATION_H
#define AMO_FIT_EQUATION_H

#include "amontons/diag.h"
#include "amontons/model.h"
#include "fit/least_squares.h"

enum { AMO_EQUATION_UNKNOWNS = 32 };

/// What names in a relation mean: columns; numbers that are set; unknowns. Where none are listed every other name is an unknown.
typedef struct amo_equation_names {
  const char *const *column;
  size_t columns;
  const char *const *set;   // names of numbers, [sets]
  const double *set_value;  // [sets]
  size_t sets;
  const char *const *unknown;  // [unknowns]; 0: found
  size_t unknowns;
} amo_equation_names;

typedef struct amo_equation amo_equation;

/// left = right. What is left of the equality sign is measured and holds no unknown. Mistakes are reported.
amo_status amo_equation_new(const char *text, const amo_equation_names *names, amo_diags *diags,
                            amo_equation **out);
void amo_equation_free(amo_equation *r);  // accepts NULL
size_t amo_equation_unknowns(const amo_equation *r);
const char *const *amo_equation_names_of(const amo_equation *r);  // [unknowns]
const char *amo_equation_text(const amo_equation *r);
const char *amo_equation_column(const amo_equation *r, size_t column);  // its name; NULL: there are no more
bool amo_equation_uses(const amo_equation *r, size_t column);
bool amo_equation_right_uses(const amo_equation *r, size_t column);
bool amo_equation_is_linear(const amo_equation *r,
                            size_t unknown);  // in all of these together the right side is linear

/// Rows of a table: value[column*rows + row]; columns that the relation does not use may be anything.
typedef struct amo_equation_rows {
  const double *value;
  size_t rows;
} amo_equation_rows;

/// left [rows], right [rows], gradient [unknown][rows]; each may be NULL. AMO_ENOANSWER: a value is no finite number.
amo_status amo_equation_evaluate(amo_equation *r, const amo_equation_rows *t, const double *p, double *left,
                                 double *right, double *gradient);

/// d right/d column [rows], of a column that the right side uses.
amo_status amo_equation_slope(amo_equation *r, const amo_equation_rows *t, const double *p, size_t column,
                              double *slope);

/// Starts for a search, for unknowns whose start is NAN: linear unknowns are eliminated, the others sought on a grid whose scales come from
/// the columns (variable projection). The best `most` of them, the best first, start[k*unknowns + i]; *count: how many. Measured values
/// y [rows], weights w [rows] (NULL: 1).
amo_status amo_equation_starts(amo_equation *r, const amo_equation_rows *t, const double *y, const double *w,
                               const amo_fit_parameter *parameter, double *start, size_t most, size_t *count);

/// A quantity that follows from the unknowns, "v_m = beta*A^2/m*exp(-2*beta*c*v_m)": what is defined may stand on the right too, the
/// equation is then solved. Delta method: se^2 = g' C g with the exact gradient g (covariance [n][n], NULL: none).
typedef struct amo_prediction {
  char name[64];
  double value, se;
  double gradient[AMO_EQUATION_UNKNOWNS];
} amo_prediction;

/// names.unknown are those of the fit. AMO_EINPUT; AMO_ENOANSWER (reported): it has no value, or none was found.
amo_status amo_predict(const char *text, const amo_equation_names *names, const double *p,
                       const double *covariance, amo_diags *diags, amo_prediction *out);

#endif
