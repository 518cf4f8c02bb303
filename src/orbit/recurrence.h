// SPDX-License-Identifier: Apache-2.0
/// Let the motion settle and notice when it comes back: the way from anywhere to a first guess of a cycle.
#ifndef AMO_ORBIT_RECURRENCE_H
#define AMO_ORBIT_RECURRENCE_H

#include "flow/flow.h"
#include "orbit/drift.h"

typedef struct amo_recurrence amo_recurrence;

/// A return to a state met before, as good a guess as the transient has given so far.
typedef struct amo_return {
  double t;             // time of the state
  const double *state;  // [ns]
  double period;        // time since it was met
  double distance;      // largest difference, relative to how far each state moves
} amo_return;

/// @param drift    shifts that do not count
/// @param forcing  period at which states are compared; 0: at events and turning points
amo_status amo_recurrence_new(const amo_model *m, const amo_sim_opts *o, const double *param,
                              const amo_drift *drift, double forcing, amo_recurrence **out);
void amo_recurrence_free(amo_recurrence *r);
amo_status amo_recurrence_start(amo_recurrence *r, double t, const double *state);
/// Let this much time pass without looking.
amo_status amo_recurrence_skip(amo_recurrence *r, double time, volatile int *stop);
/// Go on until the motion comes back closer than `distance`. AMO_ENOANSWER: it comes to rest, or nothing repeats
/// within the limits (amo_recurrence_message).
amo_status amo_recurrence_next(amo_recurrence *r, double distance, volatile int *stop, amo_return *out);
const char *amo_recurrence_message(const amo_recurrence *r);

#endif
