// SPDX-License-Identifier: Apache-2.0
// Answers of the quasi-static rate problem, sectors of load rates, and paths, as JSON.
#ifndef AMO_ASK_STEADY_QUASISTATIC_JSON_H
#define AMO_ASK_STEADY_QUASISTATIC_JSON_H

#include <cjson/cJSON.h>

#include "explore/rates/rates.h"
#include "explore/trajectory.h"
#include "ask/verb.h"

/// AMO_ENOMEM; *result holds what was written.
amo_status amo_rate_json(const amo_call *call, double t, amo_rate_state *r, cJSON **result);
/// sectors[]: directions in the plane of two parameters that are rates of load, and what may happen in each.
amo_status amo_sectors_json(const amo_call *call, double t, const double *state, const size_t axis[2],
                            cJSON *result);
/// The two parameters of "C1,C2".
amo_status amo_sectors_axes(const amo_call *call, const char *plane, size_t axis[2]);
cJSON *amo_path_json(const amo_call *call, const amo_quasistatic *p);
/// Rows of the path as a trajectory, for CSV and figures.
amo_status amo_path_trajectory(const amo_model *m, const amo_quasistatic *p, amo_trajectory **out);

#endif
