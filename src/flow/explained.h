// SPDX-License-Identifier: Apache-2.0
/// A step is checked, not trusted: what loads, laws and conditions may do over it that their series do not show (expr/explain.h)
/// must stay below the tolerance.
#ifndef AMO_FLOW_EXPLAINED_H
#define AMO_FLOW_EXPLAINED_H

#include "flow/flow.h"

struct amo_explained;

/// *out is NULL where nothing can deceive.
amo_status amo_explained_new(const amo_flow *f, amo_arena *memory, struct amo_explained **out);
void amo_explained_free(struct amo_explained *x);
/// The longest of h, h/2, h/4, ... over which the series of a lane are complete; each refusal counts as a rejected step. h is at most
/// the trial length of the lane, whose powers are in place.
double amo_explained_length(amo_flow *f, int lane, double h);

/// Size of a state: the largest met so far, or where its first coefficients take it over h.
double amo_flow_state_size(const amo_flow *f, int lane, uint32_t i, double h);

#endif
