// SPDX-License-Identifier: Apache-2.0
/// A cycle is best cut open far from its events: a start at an event has no derivative on both sides.
#ifndef AMO_ORBIT_QUIET_H
#define AMO_ORBIT_QUIET_H

#include "orbit/shot.h"

/// From a period's shot that began at t0: the time to the middle of the longest stretch without an event; 0 if the
/// start is good enough.
double amo_quiet_time(const amo_shot *s, double t0, double period);

#endif
