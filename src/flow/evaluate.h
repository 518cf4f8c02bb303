// SPDX-License-Identifier: Apache-2.0
/// One state under the magnifying glass: modes, forces, and the right-hand side of a method.
#ifndef AMO_FLOW_EVALUATE_H
#define AMO_FLOW_EVALUATE_H

#include "amontons/sim.h"
#include "base/mem.h"

typedef struct amo_evaluation {
  amo_arena memory;
  amo_sample *sample;  // everything amo_sim_sample gives, modes decided by the method
  double *rates;       // [states] right-hand side of the method
  double *needed;      // [contacts] force that would keep the contact's slip constant (stick force)
  double *slope;       // [contacts] d force / d slip of the friction curve at this slip
} amo_evaluation;

amo_status amo_evaluation_new(const amo_model *m, amo_evaluation **out);
void amo_evaluation_free(amo_evaluation *e);
/// `state` NULL: the initial state of opts->values.
amo_status amo_evaluate(const amo_model *m, const amo_sim_opts *opts, double t, const double *state,
                        amo_evaluation *out, amo_diags *diags);

#endif
