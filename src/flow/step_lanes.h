// SPDX-License-Identifier: Apache-2.0
/// Points of a step evaluated eight at a time: both programs run on lanes, the balance of forces is solved for each lane out
/// of the lanes' registers.
#ifndef AMO_FLOW_STEP_LANES_H
#define AMO_FLOW_STEP_LANES_H

#include "flow/step_samples.h"

/// What it needs beyond the rows; false: out of memory.
bool amo_step_lanes_make(amo_step_samples *p, const amo_model *m);
/// All points, whose times and states are in place. False where this does not do (a law read beside its range, forces that
/// the balance leaves open): then one at a time.
bool amo_step_lanes_take(amo_sim *s, amo_step_samples *p);

static inline signed char amo_sign_of(double x)
{
  return (signed char)((x > 0.0) - (x < 0.0));
}

#endif
