// SPDX-License-Identifier: Apache-2.0
/// What a mode promises (contact/conditions.h) along the motion of a lane, as a polynomial that must stay positive: decisions look at its
/// first coefficients, events at its zeros.
#ifndef AMO_FLOW_PROMISE_H
#define AMO_FLOW_PROMISE_H

#include "flow/flow.h"

typedef struct amo_promise {
  double a[AMO_POLY_MAX];
  int degree;
} amo_promise;

/// Coefficients 0..degree of a series of the lane, times a factor; of a fixed one there is only the first.
void amo_promise_read(amo_promise *g, const amo_flow *f, const double *series, int lane, bool fixed,
                      double factor);
/// The condition, not scaled. A bound is coefficient times reaction where that is to be found: of this sign, or of its present one.
amo_promise amo_promise_with(const amo_flow *f, int lane, const amo_condition *x, double reaction_sign);
amo_promise amo_promise_of(const amo_flow *f, int lane, const amo_condition *x);
/// What friction can hold at the start.
double amo_promise_bound(const amo_flow *f, int lane, uint32_t contact);

#endif
