// SPDX-License-Identifier: Apache-2.0
/// One simulation in progress and what is kept of it; shared by driver, JSON and plot of `simulate`.
#ifndef AMO_ASK_MOTION_SIMULATE_RUN_H
#define AMO_ASK_MOTION_SIMULATE_RUN_H

#include "explore/statistics.h"
#include "explore/trajectory.h"
#include "ask/verb.h"

typedef enum amo_run_end {
  AMO_END_TIME,
  AMO_END_EVENTS,
  AMO_END_INTERRUPTED,
  AMO_END_FAILED,
  AMO_END_SETTLED
} amo_run_end;

typedef struct amo_run {
  const amo_call *call;
  amo_sim_opts opts;
  amo_sim *sim;
  double *start;  // [states]
  double from, until;
  long stop_events;  // 0 = no such stop
  long mode_events;
  bool settle;  // stop as soon as it is proved what becomes of the motion
  amo_trajectory *trajectory;
  amo_recorder recorder;
  amo_statistics *statistics;
  bool collects;  // what it is made for is wanted
  bool started;
  amo_run_end end;
  amo_status status;   // of the simulation
  const char *reason;  // why it ended early; "" if it did not
} amo_run;

/// The result of `simulate`; NULL when out of memory.
cJSON *amo_run_json(const amo_run *r);
/// Is what --plot, --plot-x and --plot-y ask for possible? Needs the trajectory's columns, no rows.
amo_status amo_run_plot_check(const amo_run *r, const char *path);
/// The figure of --plot.
amo_status amo_run_plot(const amo_run *r, const char *path);
/// The result for a person.
void amo_run_print(const cJSON *result, FILE *out, int wide);

#endif
