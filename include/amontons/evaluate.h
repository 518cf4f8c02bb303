// SPDX-License-Identifier: Apache-2.0
/// One state under the magnifying glass: modes, forces, accelerations, and the right-hand side of a method.
///
///   amo_evaluation *e = NULL;
///   amo_status st = amo_evaluation_new(model, &e);
///   if (st == AMO_OK) st = amo_evaluate(model, NULL, 0.0, NULL, e, NULL);
///   if (st == AMO_OK) printf("friction %g of at most %g\n", e->sample->force[0], e->sample->bound[0]);
///   amo_evaluation_free(e);
///
/// An evaluation is one thread's business and may be filled again and again; a model may be shared by many.
#ifndef AMONTONS_EVALUATE_H
#define AMONTONS_EVALUATE_H

#include "amontons/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct amo_evaluation {
  amo_sample *sample;  // everything amo_sim_sample gives, modes decided by the method
  double *rates;       // [states] right-hand side of the method
  double *needed;      // [contacts] force that would keep the contact's slip constant (stick force) [N]
  double *slope;       // [contacts] d force / d slip of the friction curve at this slip
  void *memory;        // of the library
} amo_evaluation;

AMO_API amo_status amo_evaluation_new(const amo_model *m,
                                      amo_evaluation **out);  // to be filled; AMO_ERANGE, AMO_ENOMEM
AMO_API void amo_evaluation_free(amo_evaluation *e);          // accepts NULL
/// opts: method and values, NULL for defaults. state: NULL is the initial state of opts->values.
/// AMO_ENOANSWER: no acceleration exists there (diags says why); AMO_EINPUT, AMO_ENOMEM.
AMO_API amo_status amo_evaluate(const amo_model *m, const amo_sim_opts *opts, double t, const double *state,
                                amo_evaluation *out, amo_diags *diags);

#ifdef __cplusplus
}
#endif
#endif
