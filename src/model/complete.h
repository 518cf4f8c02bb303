// SPDX-License-Identifier: Apache-2.0
/// A state in which some values are given and the others follow from guides and constraints.
#ifndef AMO_MODEL_COMPLETE_H
#define AMO_MODEL_COMPLETE_H

#include "model/compiled.h"

typedef struct amo_complete amo_complete;  // workspace; one per thread

amo_status amo_complete_new(const amo_model *m, amo_complete **out);
void amo_complete_free(amo_complete *c);
/// Are there guides or constraints at all?
bool amo_complete_needed(const amo_model *m);
/// Changes values of state [2*nq + nz] that are not given (given may be NULL: none is) until every guide and
/// constraint holds, in positions, then in velocities: first values that the model file leaves open, then those it
/// states. Coordinates declared last are adapted first. A state that holds already is not touched.
/// AMO_ENOANSWER: it cannot be done; amo_complete_fault names the guide or constraint that stays violated.
amo_status amo_complete_state(amo_complete *c, const double *param, double t, double *state,
                              const bool *given);
/// Does a state hold already, so that amo_complete_state would not touch it? From registers of the step program that have been
/// evaluated there, `stride` apart. False where that takes a closer look.
bool amo_complete_holds(const amo_complete *c, const double *reg, size_t stride, const double *state);
/// AMO_ENOANSWER: a state penetrates the support that amo_complete_fault names.
amo_status amo_complete_supports(amo_complete *c, const double *param, double t, const double *state);
const char *amo_complete_fault(const amo_complete *c, double *by);

#endif
