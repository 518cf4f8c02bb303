// SPDX-License-Identifier: Apache-2.0
/// Is the present state the last one? Decided by what can be proved, never by waiting:
/// rest for ever where the loads on the sticking contacts grow along their cones of friction, flight for ever where
/// the energy of the motion about the growing quasi-static gap cannot close it.
#ifndef AMO_FLOW_LONG_TIME_H
#define AMO_FLOW_LONG_TIME_H

#include "flow/flow.h"

struct amo_long_time;
amo_status amo_long_time_new(const amo_model *m, amo_arena *memory, struct amo_long_time **out);
/// Of a lane at the end of a step, events handled.
amo_fate_kind amo_flow_long_time(amo_flow *f, int lane);

#endif
