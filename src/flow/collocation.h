// SPDX-License-Identifier: Apache-2.0
/// Columns of the linearised flow over a stretch by collocation: Y' = A(t) Y + B(t) D holds at points inside it, Y' a
/// polynomial through them. Where A has a pole at an end of the stretch (the direction of a slip that begins or ends),
/// the smooth solution is the one that polynomials can follow; no other is found.
#ifndef AMO_FLOW_COLLOCATION_H
#define AMO_FLOW_COLLOCATION_H

#include "flow/variation.h"

typedef struct amo_collocation amo_collocation;

/// @param x  [points] on (0, 1)
amo_status amo_collocation_new(uint32_t ns, uint32_t columns, int points, const double *x,
                               amo_collocation **out);
void amo_collocation_free(amo_collocation *c);
/// Advance g->y over a stretch of length h; g->node holds A and B at the points, [points][ns + np][ns]. False: the
/// polynomials do not resolve the columns, or the system is singular.
bool amo_collocate(amo_collocation *c, amo_variation *g, const double *scale, double h);

#endif
