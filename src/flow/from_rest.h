// SPDX-License-Identifier: Apache-2.0
/// Power series of a motion in which spatial slips begin from rest.
#ifndef AMO_FLOW_FROM_REST_H
#define AMO_FLOW_FROM_REST_H

#include "flow/flow.h"

/// Spatial contacts begin to slip from rest (lane 0 of a trial, directions xi_0 known). The balance at order k is affine in the unknown
/// coefficients j of their directions: j = k where there is a reaction to begin with, k - 1 where it begins with zero too. How every
/// [xi x gamma] of a mechanism depends on them is the same at every order but for the factor 1/(k+1) of the balance, so one trial for each at the
/// first order tells; then the coefficients are those for which every gamma stays parallel to its xi.
void amo_expand_from_rest(amo_flow *f);

#endif
