// SPDX-License-Identifier: Apache-2.0
// Answers of the quasi-static rate problem, sectors of load rates, and paths, as JSON.
#ifndef AMO_ASK_STEADY_QUASISTATIC_JSON_H
#define AMO_ASK_STEADY_QUASISTATIC_JSON_H

#include <cjson/cJSON.h>

#include "quasistatic/rate.h"
#include "explore/trajectory.h"
#include "ask/verb.h"

/// The rate problem at a state: known is the equilibrium with closed contacts held.
typedef struct amo_rate_state {
  amo_statics *s;
  amo_qs_known known;
  amo_qs_at *at;
  amo_rate_set all;
  bool beyond;  // no equilibrium: a contact cannot hold what it would have to
} amo_rate_state;

amo_status amo_rate_state_find(const amo_call *call, double t, const double *state, amo_rate_state *out);
void amo_rate_state_free(amo_rate_state *r);
/// "stick+slip-+open" of one contact; several contacts: "A:stick B:slip+, ...".
char *amo_rate_words(const amo_statics *s, const amo_rate_set *all);
cJSON *amo_rate_json(const amo_call *call, double t, amo_rate_state *r);
/// sectors[]: directions in the plane of two parameters that are rates of load, and what may happen in each.
amo_status amo_sectors_json(const amo_call *call, double t, const double *state, const size_t axis[2],
                            cJSON *result);
/// The two parameters of "C1,C2".
amo_status amo_sectors_axes(const amo_call *call, const char *plane, size_t axis[2]);
cJSON *amo_path_json(const amo_call *call, const amo_quasistatic *p);
/// Rows of the path as a trajectory, for CSV and figures.
amo_status amo_path_trajectory(const amo_model *m, const amo_quasistatic *p, amo_trajectory **out);

#endif
