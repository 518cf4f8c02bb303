// SPDX-License-Identifier: Apache-2.0
/// Fits of relations between columns: the inside, shared by the files that read tables, compare relations and predict.
#ifndef AMO_ASK_FIT_FIT_RELATION_H
#define AMO_ASK_FIT_FIT_RELATION_H

#include "fit/equation.h"
#include "ask/fit/fit.h"

enum { AMO_EQUATIONS = 16 };

/// One of the relations that are fitted to the same rows.
typedef struct amo_equation_fit {
  struct amo_equation_set *set;
  amo_equation *relation;
  const char *called;            // its name, or its text
  amo_fit_parameter *parameter;  // [unknowns]
  const char **unit;             // [unknowns]
  double *measured;              // [rows] its left side
  amo_fit *fit;                  // NULL: the source has handed it out, or it has none
  bool identifiable;
  double aicc;  // NAN: no outcome
} amo_equation_fit;

typedef struct amo_equation_set {
  const amo_call *call;
  amo_arena memory;
  const char **column;  // names of the first record's columns
  size_t columns;
  double *value;   // [columns][rows]; columns that are not used are empty
  double *weight;  // [rows], NULL: 1
  size_t rows;
  amo_equation_names names;
  amo_equation_fit of[AMO_EQUATIONS];
  size_t n, preferred;
  amo_fit_series *series;
  size_t nseries;
} amo_equation_set;

/// Text of a relation that has a name (rate, time, ...), written with the columns of this table; NULL: it is none.
const char *amo_equation_named(amo_equation_set *s, const char *name);
/// Bounds that belong to unknowns of a relation that has a name: a rate constant that its column could not show.
void amo_equation_bounds(const amo_equation_set *s, amo_equation_fit *f, const char *name);
/// Names of the columns of the first record.
amo_status amo_equation_columns(amo_equation_set *s);
/// Columns, rows and weights of all records, for relations that are known.
amo_status amo_equation_table(amo_equation_set *s);
/// Which columns of different relations go together in these rows, so that the relations cannot be told apart; into the result and as a
/// warning, with a programme of the drive that would separate them.
void amo_equation_tied(const amo_equation_set *s, cJSON *result, amo_diags *d);
/// What --predict asks for.
amo_status amo_equation_predictions(const amo_equation_set *s, const amo_equation_fit *of, const amo_fit *f,
                                    cJSON *result, amo_diags *d);

#endif
