// SPDX-License-Identifier: Apache-2.0
/// Dormand-Prince 8(5,3) as a second stepper of the event-driven engine: an independent check of the first.
#ifndef AMO_FLOW_RK8_H
#define AMO_FLOW_RK8_H

#include "flow/flow.h"

typedef struct amo_rk8 amo_rk8;

amo_status amo_rk8_new(const amo_model *m, amo_arena *memory, amo_rk8 **out);
/// One accepted step of a lane in its modes and branches, at most to t_end. The states, slips, bounds,
/// stick forces and switching arguments along it are written into the engine's series (degree 7),
/// so that events are found in the same way. *length: the step.
amo_status amo_rk8_expand(amo_rk8 *r, amo_flow *f, int lane, double t_end, double *length);
/// The condition of a hit at offset s of the step, from the dense output itself: positive while it holds.
double amo_rk8_condition(amo_rk8 *r, amo_flow *f, int lane, const amo_condition *hit, double s);

#endif
