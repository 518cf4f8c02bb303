// SPDX-License-Identifier: Apache-2.0
/// How a spatial slip begins: the direction in which a contact leaves its rest.
#ifndef AMO_FLOW_SLIP_START_H
#define AMO_FLOW_SLIP_START_H

#include "flow/flow.h"

/// Trial `tr` at rest in contact c: find the direction xi_0 for which the slip that friction against xi_0
/// leaves is along xi_0, into its lane. With a direction already there that fits (the stick limit was reached along
/// it), that one. Sets reaction_fresh where the reaction begins with zero. False if there is none.
bool amo_slip_start_direction(amo_flow *tr, uint32_t c);
/// The same of several contacts of one mechanism, in the trial of f.
bool amo_slip_start_directions(amo_flow *f, const uint32_t *contact, uint32_t n);

#endif
