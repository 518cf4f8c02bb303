// SPDX-License-Identifier: Apache-2.0
/// From a solved point to the sample a user sees.
#ifndef AMO_FLOW_INSTANT_H
#define AMO_FLOW_INSTANT_H

#include "contact/point.h"
#include "flow/sim.h"

/// Copy slip, force, bound, normal, accelerations, multipliers of an evaluated point into p.
void amo_instant_take(amo_sim *s, const amo_point *point, amo_sample *p);

#endif
