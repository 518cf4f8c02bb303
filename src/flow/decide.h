// SPDX-License-Identifier: Apache-2.0
/// What follows an event: impacts of supports that close, and the modes of all contacts together.
#ifndef AMO_FLOW_DECIDE_H
#define AMO_FLOW_DECIDE_H

#include "flow/flow.h"

/// Workspace of the decisions.
struct amo_decider;
amo_status amo_decider_new(const amo_model *m, struct amo_decider **out);
void amo_decider_free(struct amo_decider *s);

/// At a start: which supports are open? The point has been evaluated there.
void amo_decide_open(amo_flow *f, int lane);

/// A support that faces its surface from now on: does it touch it? What comes from beside is under it, or above. The
/// point has been evaluated.
bool amo_decide_enters(amo_flow *f, uint32_t c);

/// Registers and balance of an impact, at the engine's parameters: of a model whose contacts stick and slide where those of the engine
/// give way before they slide. The time of an impact is too short for that.
amo_point *amo_decide_impact_point(amo_flow *f);

/// Velocities and modes at the lane's state: impacts of supports that have just closed, then the modes of all contacts,
/// each condition decided by its first non-zero derivative. `standing` is set to what it is after
/// impacts. jumped: loads may have.
amo_status amo_decide(amo_flow *f, int lane, amo_standing *standing, bool jumped);

/// The slip of a guide jams, and those of the guides that it belongs with: modes at rest.
amo_status amo_decide_jam(amo_flow *f, int lane, amo_standing *standing, uint32_t contact);

#endif
