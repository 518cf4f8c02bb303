// SPDX-License-Identifier: Apache-2.0
/// What a written program is asked: the structure of final.txt, seen from here.
#ifndef AMO_SWARM_JOB_H
#define AMO_SWARM_JOB_H

#include <stdint.h>

enum { AMO_SWARM_SEATS = 64 };  // motions that are under way at a time; each keeps its seat while it is

typedef struct amo_swarm_job {
  int64_t count;
  const double *state, *parameter;  // [count][states], [count][parameters]; or one for all
  int shares_state, shares_parameter, wants_fate;
  double t0, t_end, tol;
  int64_t most_steps, most_events;
  const double *flight;  // flow/long_time.h; NULL: flight is not linear
  double *final_state, *final_time;
  signed char *final_mode;
  int64_t *events;
  unsigned char *fate, *status;  // [count] status: 0 done, 1 not decided
  const volatile int *stop;
  void *ctx;  // changes of modes as they come, and ends of trajectories
  void (*tell)(void *ctx, int seat, double t, int contact, int from, int to, double impulse, const double *y);
  void (*end)(void *ctx, int seat, int64_t who, int good);
} amo_swarm_job;

#endif
