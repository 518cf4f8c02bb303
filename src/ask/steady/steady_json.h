// SPDX-License-Identifier: Apache-2.0
// A steady state as JSON and for a person.
#ifndef AMO_ASK_STEADY_STEADY_JSON_H
#define AMO_ASK_STEADY_STEADY_JSON_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "amontons/steady.h"
#include "model/compiled.h"

cJSON *amo_steady_json(const amo_model *m, const amo_steady *s);
void amo_steady_print(const cJSON *result, FILE *out, int wide);
/// Modes that contacts have at a state by their slip velocities alone; t NaN: the model's start.
void amo_steady_slips(const amo_values *v, double t, const double *state, int *mode);

#endif
