// SPDX-License-Identifier: Apache-2.0
/// From one value of a parameter to the next as a slow change would do it: a motion that is carried over must not be torn
/// from what it touches, nor find its drive at another phase.
#ifndef AMO_ORBIT_CARRY_H
#define AMO_ORBIT_CARRY_H

#include "flow/sim.h"

typedef struct amo_carry amo_carry;

/// What the simulation's contacts do at `state`, before its parameter changes.
amo_status amo_carry_new(amo_sim *s, const double *state, amo_carry **out);
void amo_carry_free(amo_carry *c);  // accepts NULL
/// The state and the time with the new parameters:
/// - what sticks goes on sticking when the surface moves under it, gaps of supports and their rates stay what they were:
///   by the least change of coordinates and velocities that does it (not in models with spatial contacts);
/// - a periodic forcing whose period changes goes on at the phase it has reached: t' / T' = t / T.
amo_status amo_carry_state(amo_carry *c, const amo_values *v, double *state, double *t);

#endif
