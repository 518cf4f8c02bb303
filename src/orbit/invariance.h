// SPDX-License-Identifier: Apache-2.0
/// Linear forms of coordinates, extra states and time that the equations really depend on: what keeps all of them keeps
/// the equations.
#ifndef AMO_ORBIT_INVARIANCE_H
#define AMO_ORBIT_INVARIANCE_H

#include "orbit/equations.h"

/// Linear forms, reduced: each row is 1 in a column of its own, where all others are 0.
typedef struct amo_echelon {
  size_t columns, rank;
  double *row;   // [columns][columns] the first `rank` are set
  long *row_of;  // [columns] the row whose own it is; -1: none, a direction in which nothing changes
} amo_echelon;

typedef struct amo_invariance {
  amo_echelon held;  // forms that must not change at all
  amo_echelon all;   // these, and those inside sines and cosines
  double *wave;      // [waves][columns] forms inside sines and cosines
  size_t waves, capacity;
} amo_invariance;

/// Columns: coordinates, extra states, time.
amo_status amo_invariance_find(const amo_model *m, const double *param, amo_invariance *v);
void amo_invariance_free(amo_invariance *v);
/// Component c of the direction that keeps all forms and is 1 in column `own`, 0 in the other columns without a row.
double amo_echelon_null(const amo_echelon *e, size_t own, size_t c);

#endif
