// SPDX-License-Identifier: Apache-2.0
/// A search for a cycle, shared by the files that find, reduce and report it.
#ifndef AMO_ORBIT_CYCLE_IMPL_H
#define AMO_ORBIT_CYCLE_IMPL_H

#include "amontons/orbit.h"
#include "orbit/shooting.h"

typedef struct amo_cycle_search {
  const amo_model *m;
  const amo_cycle_opts *o;
  amo_diags *diags;
  amo_shooter *shooter;
  amo_shooting *shooting;
  amo_drift *drift;  // shifts that the equations do not notice
  double forcing;    // 0: autonomous
  int multiple;      // period found over shortest period
  double period;     // shortest
  double quiet;      // > 0, time from the start of the cycle to where no event is near
  amo_cycle *cycle;
} amo_cycle_search;

/// What a caller has set, over the defaults; all->sim is `sim`.
amo_status amo_cycle_opts_take(const amo_cycle_opts *given, amo_cycle_opts *all, amo_sim_opts *sim);
/// amo_cycle_find for other values [np] of the parameters.
amo_status amo_cycle_find_at(const amo_model *m, const double *param, const amo_cycle_opts *o,
                             const double *start, amo_diags *diags, amo_cycle **out);
/// Is the cycle that Newton's method has found stable?
bool amo_search_attracts(amo_cycle_search *k);
/// The shortest period: does the motion repeat after a twelfth, an eleventh ... half of it?
amo_status amo_search_minimal(amo_cycle_search *k);
/// One more period from the cycle's state: multipliers, events, time in stick.
amo_status amo_search_report(amo_cycle_search *k);
/// Events of one period with the states just after them, times in stick, sizes of the states (event method).
amo_status amo_search_follow(amo_cycle_search *k);

#endif
