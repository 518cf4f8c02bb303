// SPDX-License-Identifier: Apache-2.0
/// Where to begin when a spatial contact is to slip but does not move yet.
#ifndef AMO_STEADY_GUESS_H
#define AMO_STEADY_GUESS_H

#include "contact/expansion.h"

/// Gives spatial contacts that slip in `mode` but stand still at `state` a velocity: against the friction that would
/// hold them (or its change), as fast as the loads ask for. The expansion's directions and `state` are changed.
amo_status amo_guess_slip(amo_expansion *x, double t, double *state, const signed char *mode);

#endif
