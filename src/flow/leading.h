// SPDX-License-Identifier: Apache-2.0
/// A step by the leading coefficients alone, where the series ends early: sqrt(x), x^1.5, |z|^n at their zero.
#ifndef AMO_FLOW_LEADING_H
#define AMO_FLOW_LEADING_H

#include "flow/flow.h"

/// Take what is finite of the lane's series, the first rates at least, and find the length up to `limit` for which the rates at its end
/// and between agree with the true ones. *length in: how far the whole series can be trusted; NaN where it ends early. If this gets
/// further, the series are cut and lane.leading is set. AMO_ENOANSWER: the rates are not finite, or agree nowhere.
amo_status amo_leading_step(amo_flow *f, int lane, double limit, double *length);

/// A branch of an expression may begin a rounding short of where it is defined: (-y)^1.5 at y = 1e-18 where y has just passed zero.
/// Move the state on by the rounding of time, along the rates that the actual signs give. True if it was so and is mended: the lane
/// needs a new expansion.
bool amo_leading_nudge(amo_flow *f, int lane);

/// The roundings of time by which a state may stand on the wrong side of a zero: the first, and each is twice the one before.
enum { AMO_ROUNDINGS = 12 };
double amo_first_rounding(const amo_lane *l);

/// Or end a rounding beyond: then the last step ends that much earlier.
void amo_leading_draw_back(amo_flow *f, int lane);

#endif
