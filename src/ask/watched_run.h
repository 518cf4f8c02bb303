// SPDX-License-Identifier: Apache-2.0
/// A simulation as verbs need it that look at the motion for something else than itself: options read, model started,
/// steps shown to a callback, progress told, interruption and failures reported.
#ifndef AMO_ASK_WATCHED_RUN_H
#define AMO_ASK_WATCHED_RUN_H

#include "ask/sim_options.h"

// clang-format off
/// Rows of a verb's table. `until` has no default here: verbs differ.
#define AMO_WATCHED_RUN_OPTS                                                                                    \
  {"from", AMO_OPT_NUMBER, "T", NULL, NULL, "time at the start, instead of the model's", 0, 0},             \
  {"after", AMO_OPT_NUMBER, "T", NULL, NULL, "what lies before this time is a transient and not looked at", 0, 0}, \
  AMO_STATE_OPT,                                                                                            \
  AMO_METHOD_OPTS,                                                                                          \
  AMO_STEPPING_OPTS
// clang-format on

typedef struct amo_watched_run {
  const amo_call *call;
  amo_sim_opts opts;
  amo_sim *sim;
  amo_sample *sample;  // scratch
  double *start;       // [states]
  double from, after, until;
  /// After every step; nonzero ends the journey: 1 as wanted, 2 with `status` and a message already given.
  int (*on_step)(void *ctx, struct amo_watched_run *j);
  amo_status (*on_start)(void *ctx, struct amo_watched_run *j);  // may be NULL; reports its failures
  void *ctx;
  bool interrupted;
  amo_status status;
} amo_watched_run;

/// Options `from`, `after`, `until` (where the table has it and it is given), state and stepping. amo_watched_run_end
/// is needed in any case.
amo_status amo_watched_run_begin(const amo_call *call, amo_watched_run *j);
/// The same in at least so many steps: a motion at rest would be one.
amo_status amo_watched_run_begin_in_steps(const amo_call *call, long least, amo_watched_run *j);
/// From the start to j->until. AMO_EINTR when interrupted; other failures are reported.
amo_status amo_watched_run_run(amo_watched_run *j);
void amo_watched_run_end(amo_watched_run *j);

/// The verdict of the audit: AMO_OK, or AMO_EAUDIT with the reason in diags; adds "audit" to the result.
amo_status amo_watched_run_audit(const amo_watched_run *j, cJSON *result);

#endif
