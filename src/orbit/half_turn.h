// SPDX-License-Identifier: Apache-2.0
/// Do the equations of a model repeat after half the time in which all their angles make whole turns? abs(sin(w*t)) does.
#ifndef AMO_ORBIT_HALF_TURN_H
#define AMO_ORBIT_HALF_TURN_H

#include "model/compiled.h"

/// @param angle  [n] arguments of sin and cos in which time occurs; it occurs nowhere else
/// @param turns  [n] whole turns that each of them makes in the period
/// @param same   the equations are the same half a period later
amo_status amo_half_turn(const amo_model *m, const amo_node *angle, const long *turns, size_t n, bool *same);

#endif
