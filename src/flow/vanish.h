// SPDX-License-Identifier: Apache-2.0
/// Motions that come to rest in finite time at the zero of a root: a vessel that runs empty (h' = -sqrt(h)), a drag with the root of
/// speed. Close to it the root still drives its argument to zero, in ever shorter steps; at the zero itself it stays there.
#ifndef AMO_FLOW_VANISH_H
#define AMO_FLOW_VANISH_H

#include "flow/flow.h"

struct amo_vanish;

/// *out is NULL where the program has no root or power of something that varies.
amo_status amo_vanish_new(const amo_flow *f, amo_arena *memory, struct amo_vanish **out);
/// Is the argument of a root or power (exponent below 1) zero up to the errors of the steps, does it tend to zero, and does it
/// stay there once it is exactly zero? Then it is set so, by a change of one state within its error; what decides by its sign has none any
/// more. True: it was, and the lane is expanded anew. The lane must have been expanded at its state.
bool amo_vanish_settle(amo_flow *f, int lane);
/// Does the argument of a root or power head for its zero so that it would be there within h?
bool amo_vanish_ahead(const amo_flow *f, int lane, double h);
/// Does the argument of a root or power, not negative at the start of the step, seem to be next to zero or negative after h?
bool amo_vanish_leaves(const amo_flow *f, int lane, double h);
/// Does an argument that begins positive come next to zero within h, or below?
bool amo_vanish_within(const amo_flow *f, int lane, double h);
/// Register of the argument of a root, by the register of its result.
uint32_t amo_vanish_argument(const struct amo_vanish *v, uint32_t result);

#endif
