// SPDX-License-Identifier: Apache-2.0
/// What the verb brake prints: verdicts on points, and on all points of a part (the field).
#ifndef AMO_ASK_REST_BRAKE_JSON_H
#define AMO_ASK_REST_BRAKE_JSON_H

#include <cjson/cJSON.h>

#include "explore/brake/brake.h"
#include "ask/verb.h"

/// One question under way: the mechanism at rest, the points, and what counts as zero.
typedef struct amo_brake_run {
  const amo_call *call;
  amo_brake *brake;
  amo_moving_points *spots;
  double t, *state;  // [states]
  double tol, size;
} amo_brake_run;

cJSON *amo_vector_json(const double *v, int dims);
void amo_brake_head_json(const amo_brake_run *r, cJSON *o);
cJSON *amo_brake_point_json(const amo_brake_run *r, const amo_moving_point *spot);

/// --field PART: poles, the line of self-braking points with its intervals, the grid and its counts.
amo_status amo_brake_field_json(const amo_brake_run *r, cJSON *o);
/// The mechanism with its points, their classes and stagnation angles; with the field behind, if there is one.
/// *text: SVG, the caller's to free.
amo_status amo_brake_plot(const amo_brake_run *r, const cJSON *result, char **text);

#endif
