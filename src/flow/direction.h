// SPDX-License-Identifier: Apache-2.0
/// Directions of slip of spatial contacts, as power series. In regular slip xi = gamma/|gamma| follows from the slip
/// velocity order by order. Where a slip begins from rest, gamma(0) = 0 and xi is the limit of that quotient: its
/// coefficients are found so that gamma stays parallel to xi.
#ifndef AMO_FLOW_DIRECTION_H
#define AMO_FLOW_DIRECTION_H

#include "flow/flow.h"

/// Coefficient k of all directions, after the program has been evaluated at order k. False if it has to be evaluated
/// again: a direction is new.
bool amo_direction_take(amo_flow *f, int k);

/// Slip acceleration of contact c along its axes at order k, from accelerations up to order k; lane 0 of a trial.
void amo_direction_rate(const amo_flow *f, uint32_t c, int k, double rate[2]);

/// Size of the slip accelerations that friction of contact c can cause in lane 0, by the masses it acts on.
double amo_direction_scale(const amo_flow *f, uint32_t c);

/// Write coefficient k of the direction of contact c, lane 0.
void amo_direction_set(amo_flow *f, uint32_t c, int k, double x, double y);

#endif
