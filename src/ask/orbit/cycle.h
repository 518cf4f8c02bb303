// SPDX-License-Identifier: Apache-2.0
/// The cycle verb as functions, for verbs that start from a cycle.
#ifndef AMO_ASK_ORBIT_CYCLE_H
#define AMO_ASK_ORBIT_CYCLE_H

#include "ask/verb.h"

// clang-format off
/// Rows of a verb's table: how a cycle is looked for.
#define AMO_CYCLE_OPTS                                                                                        \
  {"period-guess", AMO_OPT_NUMBER, "T", NULL, NULL,                                                           \
   "shoot from the state itself with this period; otherwise the motion settles first", 1e-300, INFINITY},     \
  {"period", AMO_OPT_NUMBER, "T", NULL, NULL,                                                                 \
   "period-guess, or for a model that depends on time: forcing", 1e-300, INFINITY},                           \
  {"forcing", AMO_OPT_NUMBER, "T", NULL, NULL,                                                                \
   "period of what depends on time; found out where it is a sine or cosine", 1e-300, INFINITY},               \
  {"periods", AMO_OPT_INTEGER, "N", NULL, NULL, "forced: repeats after so many periods of the forcing", 1, 1e6}, \
  {"transient", AMO_OPT_NUMBER, "T", "0", NULL, "time to let pass before looking for returns", 0, INFINITY},  \
  {"accuracy", AMO_OPT_NUMBER, "A", "1e-10", NULL, "defect after a period, relative to the size of each state", \
   1e-15, 1},                                                                                                 \
  {"iterations", AMO_OPT_INTEGER, "N", "30", NULL, "most Newton steps", 0, 1000},                             \
  {"segments", AMO_OPT_INTEGER, "N", "1", NULL, "arcs of multiple shooting", 1, 1000},                        \
  {"perturbation", AMO_OPT_NUMBER, "XI", "1e-4", NULL, "switch: absolute change of states for derivatives",   \
   -INFINITY, INFINITY},                                                                                      \
  {"damped", AMO_OPT_FLAG, NULL, NULL, NULL, "halve Newton steps that make the defect larger", 0, 0}
// clang-format on

/// out->sim is `sim`.
amo_status amo_cycle_opts_read(const amo_call *call, amo_cycle_opts *out, amo_sim_opts *sim);

extern const amo_verb amo_verb_cycle, amo_verb_sensitivity, amo_verb_continue;

#endif
