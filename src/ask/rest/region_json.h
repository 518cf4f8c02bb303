// SPDX-License-Identifier: Apache-2.0
/// The rest region (explore/rest/region.h) as JSON, in words and as a picture.
#ifndef AMO_ASK_REST_REGION_JSON_H
#define AMO_ASK_REST_REGION_JSON_H

#include <cjson/cJSON.h>

#include "ask/verb.h"

/// Add `region` to the result of rest: option `region` of the call (NAME=FROM:TO, one or two) at this state.
amo_status amo_region_json(const amo_call *call, double t, const double *state, cJSON *result);
void amo_region_print(const cJSON *result, FILE *out);
/// The region as a picture. *text: SVG, the caller's to free.
amo_status amo_region_plot(const amo_call *call, const cJSON *region, char **text);

#endif
