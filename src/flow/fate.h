// SPDX-License-Identifier: Apache-2.0
/// Is the present state the last one? Decided by what can be proved, never by waiting:
/// rest for ever where the loads on the sticking contacts grow along their cones of friction, flight for ever where
/// the energy of the motion about the growing quasi-static gap cannot close it.
#ifndef AMO_FLOW_FATE_H
#define AMO_FLOW_FATE_H

#include "flow/flow.h"

struct amo_fate;
amo_status amo_fate_new(const amo_model *m, struct amo_fate **out);
void amo_fate_free(struct amo_fate *w);
/// Of a lane at the end of a step, events handled.
amo_fate_kind amo_flow_fate(amo_flow *f, int lane);

#endif
