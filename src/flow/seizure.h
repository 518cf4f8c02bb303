// SPDX-License-Identifier: Apache-2.0
/// Slips that cease to exist: where no reaction suits a slip, or its friction grows beyond all bounds, friction and reaction
/// impulses end it at once (a tangential impact, a jam). And dead points, where nothing can end a slip.
#ifndef AMO_FLOW_SEIZURE_H
#define AMO_FLOW_SEIZURE_H

#include "flow/flow.h"

/// Slips that arrive at a dead point go on to the other side.
void amo_seizure_pass_dead_points(amo_flow *f, int lane, amo_standing *standing);

/// The slips of those guides end at once that belong together with contact `first` (stops[c]), told as an event of that kind, with its reason.
void amo_seizure_stop(amo_flow *f, int lane, amo_standing *standing, const bool *stops, uint32_t first,
                      amo_event_kind kind, const char *why);

/// Loads have jumped. Of several solutions a slip goes to the one that its reaction before the jump leads to: stops[c] where that is a
/// stop at once, the reaction beyond the basin of the others (contact/solutions.h), each contact by itself. Is there one?
bool amo_seizure_recall(amo_flow *f, int lane, const amo_standing *standing, bool *stops);

/// A guide whose slip jams, friction having grown beyond all bounds (amo_solutions_left); *contact -1: none.
amo_status amo_seizure_watch(amo_flow *f, int lane, long *contact);

#endif
