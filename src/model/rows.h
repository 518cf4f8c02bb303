// SPDX-License-Identifier: Apache-2.0
/// The row of a contact or constraint over all coordinates (prescribed ones included).
#ifndef AMO_MODEL_ROWS_H
#define AMO_MODEL_ROWS_H

#include "model/loader.h"

/// d(velocity)/dt = sum value_i * u_i' (free coordinates) + zeta.
/// Reports if `velocity` is not affine in the velocities or no (free) coordinate moves it: a contact may
/// slide under imposed motion alone, a constraint may not.
amo_status amo_row_make(amo_loader *ld, amo_node velocity, amo_at at, const char *what, bool needs_free,
                        amo_row *out);
/// The same of a relation between positions e(q,t) = 0: its rate, and the row of the rate over the free velocities.
/// That row is de/dq.
amo_status amo_row_of_position(amo_loader *ld, amo_node e, amo_at at, const char *what, amo_node *rate,
                               amo_row *out);
void amo_row_free(amo_row *r);

#endif
