// SPDX-License-Identifier: Apache-2.0
/// Implicit steps of a lane (num/radau.h) in its modes and branches, where power series crawl: motions that decay fast keep
/// these short long after they have decayed. The polynomials stand where the series would, so events, dense output and the audit read them
/// in the same way.
#ifndef AMO_FLOW_IMPLICIT_H
#define AMO_FLOW_IMPLICIT_H

#include "flow/flow.h"

typedef struct amo_implicit amo_implicit;

void amo_implicit_free(amo_implicit *x);
/// Can a step of these options ever be implicit?
bool amo_implicit_possible(const amo_flow *f);
/// The same of a model, with series of an order; and after a step by series that went as far as these could be trusted: was it one
/// of those that crawl?
bool amo_implicit_suits(const amo_model *m, int order);
bool amo_implicit_misses(const amo_flow *f);
/// After a step: is the next one to be implicit?
void amo_implicit_choose(amo_flow *f, int lane);
/// An implicit step, at most to t_end. *length: how far it goes. False: there is none; the step is one of series.
bool amo_implicit_step(amo_flow *f, int lane, double t_end, double *length);

#endif
