// SPDX-License-Identifier: Apache-2.0
/// Motion along guides: reactions are unknown, their signs belong to the mode, and a slip may cease to exist.
#ifndef AMO_FLOW_GUIDED_H
#define AMO_FLOW_GUIDED_H

#include "flow/flow.h"

bool amo_has_guides(const amo_model *m);

/// Modes and reaction signs at the lane's state, from all solutions of the contact problem there; standing as for
/// amo_decide. Rest where it is possible; else the stable slip. No slip possible although the contact moves: an
/// instant stop (tangential impact), then what follows at rest. Velocities are settled. At a dead point nothing can
/// hold a slip: it passes.
amo_status amo_guided_decide(amo_flow *f, int lane, amo_standing *standing);

/// Slips that arrive at a dead point, where nothing can hold them, go on to the other side.
void amo_guided_pass_dead_points(amo_flow *f, int lane, amo_standing *standing);
/// No slip is possible: those of guides end at once (tangential impact), told as such. False: no guide moves.
bool amo_guided_stop(amo_flow *f, int lane, amo_standing *standing);

/// The reaction of contact c has come to zero: it changes its sign where mu |L| < 1, else the slip has lost its
/// existence and stops.
amo_status amo_guided_reaction(amo_flow *f, int lane, uint32_t c);

/// Does a guide start in slip with a reaction that begins at zero? Values cannot tell its sign.
bool amo_guided_unsigned(const amo_flow *f, int lane);

/// After a step: a slip whose friction grows beyond all bounds (1 + sigma eps mu L -> 0) jams and stops.
amo_status amo_guided_watch(amo_flow *f, int lane);

#endif
