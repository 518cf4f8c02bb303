// SPDX-License-Identifier: Apache-2.0
/// The contact problem at AMO_LANES states at once, for maps: the model's program and its error bounds run for all
/// lanes together; then each lane is searched. Answers are those of amo_solutions_find, bit for bit.
#ifndef AMO_CONTACT_BATCH_H
#define AMO_CONTACT_BATCH_H

#include "contact/solutions.h"

typedef struct amo_batch amo_batch;  // workspace; one per thread

amo_status amo_batch_new(const amo_model *m, amo_batch **out);
void amo_batch_free(amo_batch *b);  // accepts NULL
/// What lane l is to be asked at: time, all parameters [np], state.
void amo_batch_put(amo_batch *b, size_t lane, double t, const double *param, const double *state);
/// Evaluate lanes 0 .. lanes-1.
void amo_batch_evaluate(amo_batch *b, size_t lanes);
/// Registers of the model's step program in an evaluated lane, AMO_LANES apart.
const double *amo_batch_registers(const amo_batch *b, size_t lane);
/// All solutions of an evaluated lane; valid until the next call.
amo_status amo_batch_solutions(amo_batch *b, size_t lane, const amo_solutions **out);

#endif
