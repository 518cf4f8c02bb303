// SPDX-License-Identifier: Apache-2.0
#ifndef AMO_CONTACT_INFLUENCE_H
#define AMO_CONTACT_INFLUENCE_H

#include "contact/solutions.h"

/// Influence of guide c without taking it away, for mechanisms that have no inertia without it (a massless crank): R0
/// is its reaction without friction, L what a unit force along the slip adds to it. The registers of p are those of the
/// state, with mode[c] != 0. scratch [nq].
amo_status amo_influence_kept(amo_point *p, const signed char *mode, uint32_t c, bool moving, double *scratch,
                              amo_influence *f);

#endif
