// SPDX-License-Identifier: Apache-2.0
/// Columns of the linearised flow over a stretch by collocation: Y' = A(t) Y + B(t) D holds at points inside it, Y' a
/// polynomial through them. Where A has a pole at an end of the stretch (the direction of a slip that begins or ends),
/// the smooth solution is the one that polynomials can follow; no other is found: for these the points lie inside. What decays fast need not be
/// followed in its own time, as it must be by power series: Radau's points are stable for every decay, and damp it wholly.
#ifndef AMO_FLOW_COLLOCATION_H
#define AMO_FLOW_COLLOCATION_H

#include "flow/variation.h"

typedef struct amo_collocation amo_collocation;

enum { AMO_COLLOCATION_POINTS = 14 };

/// @param open  points inside the stretch; else Radau's, the end among them
amo_status amo_collocation_new(uint32_t ns, uint32_t columns, bool open, amo_collocation **out);
void amo_collocation_free(amo_collocation *c);
/// Where A and B are to be taken: [AMO_COLLOCATION_POINTS] on (0, 1].
const double *amo_collocation_points(const amo_collocation *c);
/// Advance g->y over a stretch of length h, its course into g->series; g->node holds A and B at the points, [AMO_COLLOCATION_POINTS][ns +
/// np][ns]. False: the
/// polynomials do not resolve the columns, or the system is singular.
bool amo_collocate(amo_collocation *c, amo_variation *g, const double *scale, double h);

#endif
