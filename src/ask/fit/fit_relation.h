// SPDX-License-Identifier: Apache-2.0
/// Fits of relations between columns: the inside, shared by the files that read tables, compare relations and predict.
#ifndef AMO_ASK_FIT_FIT_RELATION_H
#define AMO_ASK_FIT_FIT_RELATION_H

#include "fit/relation.h"
#include "ask/fit/fit.h"

enum { AMO_EQUATIONS = 16 };

typedef struct amo_equation_set {
  const amo_call *call;
  amo_arena memory;
  amo_relation_table table;  // columns of the first record; rows of all
  amo_equation_names names;
  amo_relation_fit of[AMO_EQUATIONS];
  size_t n, preferred;
  amo_fit_series *series;
  size_t nseries;
} amo_equation_set;

/// Names of the columns of the first record.
amo_status amo_equation_columns(amo_equation_set *s);
/// Columns, rows and errors of all records, for relations that are known.
amo_status amo_equation_table(amo_equation_set *s);
/// Which columns of different relations go together in these rows, so that the relations cannot be told apart; into the result and as a
/// warning, with a programme of the drive that would separate them.
void amo_equation_tied(const amo_equation_set *s, cJSON *result, amo_diags *d);
/// What --predict asks for.
amo_status amo_equation_predictions(const amo_equation_set *s, const amo_relation_fit *of, const amo_fit *f,
                                    cJSON *result, amo_diags *d);

#endif
