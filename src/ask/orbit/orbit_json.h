// SPDX-License-Identifier: Apache-2.0
/// Pieces of JSON that verbs about periodic motion share.
#ifndef AMO_ASK_ORBIT_ORBIT_JSON_H
#define AMO_ASK_ORBIT_ORBIT_JSON_H

#include "ask/verb.h"

cJSON *amo_orbit_state_json(const amo_model *m, const double *state);
/// Rows of a matrix stored by columns.
cJSON *amo_orbit_matrix_json(const double *matrix, size_t rows, size_t columns);
cJSON *amo_orbit_multipliers_json(const amo_multiplier *m, size_t n);
cJSON *amo_orbit_event_json(const amo_model *m, const amo_event *e, double t0, const double *state);
/// "1, -0.2226821929, 0", "0.0280 +- 0.3350i" for a person.
void amo_orbit_print_multipliers(const cJSON *list, FILE *out);

#endif
