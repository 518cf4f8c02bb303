// SPDX-License-Identifier: Apache-2.0
/// Motion that is linear with constant coefficients as long as the modes last: masses, ties and coefficients of friction are
/// constant, forces linear in the states and in time. Coefficients k >= 1 of all unknowns of the balance are then one matrix times
/// coefficients k of the states (at k = 1: and of time). The matrix belongs to modes and parameters; it is found once, from unit
/// vectors, and kept together with the factors of the balance.
#ifndef AMO_FLOW_LINEAR_SERIES_H
#define AMO_FLOW_LINEAR_SERIES_H

#include "flow/flow.h"

struct amo_linear_series;

/// *out stays NULL where the motion is not of this kind, or too large for a full matrix.
amo_status amo_linear_series_new(const amo_flow *f, struct amo_linear_series **out);
void amo_linear_series_free(struct amo_linear_series *w);
/// The balance of a lane becomes the one for its modes and parameters.
void amo_linear_series_arrange(amo_flow *f, int lane);
/// Factors and matrices of what is new; fixed registers must be known.
void amo_linear_series_prepare(amo_flow *f);
/// Did the factors of the lane's balance exist?
amo_status amo_linear_series_status(const amo_flow *f, int lane);
/// All series from coefficients 0 of states and unknowns.
void amo_linear_series_expand(amo_flow *f);

#endif
