// SPDX-License-Identifier: Apache-2.0
/// The contact problem at AMO_LANES states at once, for maps: the model's program and its error bounds run for all
/// lanes together; then each lane is searched. Answers are those of amo_solutions_find, bit for bit. Who asks for verdicts alone gets them
/// from searches that were recorded in other lanes (num/retrace.h), where they went the same way.
#ifndef AMO_EXPLORE_CONTACT_BATCH_H
#define AMO_EXPLORE_CONTACT_BATCH_H

#include "contact/solutions.h"

typedef struct amo_batch amo_batch;  // workspace; one per thread

amo_status amo_batch_new(const amo_model *m, amo_batch **out);
void amo_batch_free(amo_batch *b);  // accepts NULL
/// What lane l is to be asked at: time, all parameters [np], state.
void amo_batch_put(amo_batch *b, size_t lane, double t, const double *param, const double *state);
/// Registers of the start program, AMO_LANES wide, of a caller who evaluates it anyhow (amo_values_follow_lanes).
double *amo_batch_start(amo_batch *b);
/// Evaluate lanes 0 .. lanes-1.
void amo_batch_evaluate(amo_batch *b, size_t lanes);
/// Registers of the model's step program in an evaluated lane, AMO_LANES apart.
const double *amo_batch_registers(const amo_batch *b, size_t lane);
/// All solutions of an evaluated lane; valid until the next call.
amo_status amo_batch_solutions(amo_batch *b, size_t lane, const amo_solutions **out);

typedef struct amo_lane_verdict {
  amo_status status;  // AMO_OK: the rest holds
  amo_class kind;
  size_t count;      // of solutions
  double L, mu, R0;  // of the contact that was asked for (amo_influence)
} amo_lane_verdict;

/// Of evaluated lanes, those that are asked for bit by bit; `contact`: that of L, mu and R0. Others of out [AMO_LANES] stay as they are.
void amo_batch_verdicts(amo_batch *b, unsigned asked, uint32_t contact, amo_lane_verdict *out);

#endif
