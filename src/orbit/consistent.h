// SPDX-License-Identifier: Apache-2.0
/// Models with constraints, guides or supports that are closed: arcs start at the nearest state that satisfies them, so that every start is a
/// good one and the derivative of an arc knows which directions do not exist.
#ifndef AMO_ORBIT_CONSISTENT_H
#define AMO_ORBIT_CONSISTENT_H

#include "flow/variation.h"

typedef struct amo_consistent {
  uint32_t ns, np;
  uint32_t ties, lasting;  // at the state; those that hold at every state
  double *y;               // [ns] the state
  double *project;         // [ns][ns] its derivative with respect to the state given, by columns
  double *drift;           // [np][ns] with respect to parameters
  double *inverse;         // [ns][ties] of their rows
  double *rows;            // [ties][ns]
  double *move;            // [2][ns] work
} amo_consistent;

/// NULL in *out when the model has no ties at any state.
amo_status amo_consistent_new(const amo_derivative *d, amo_consistent **out);
void amo_consistent_free(amo_consistent *c);
/// From y0 in the modes of `at` (whose state is not used).
amo_status amo_consistent_find(amo_consistent *c, amo_derivative *d, const amo_place *at, const double *y0);
/// Columns of g that begin at c->y: directions that do not exist there are projected away.
void amo_consistent_begin(const amo_consistent *c, amo_variation *g);

#endif
