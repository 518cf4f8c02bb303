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

/// The numbers of free flight with a lane's parameters, one after the other: offset and speed [nq] of the quasi-static motion, reach [nc]
/// (n K^-1 n), M and K [nq][nq], gap and its rate [nc], rows n [nc][nq]. False: flight is not linear, or its energy may grow.
bool amo_flow_flight(amo_flow *f, int lane, double *out);
size_t amo_flow_flight_size(const amo_model *m);

#endif
