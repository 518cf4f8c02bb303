// SPDX-License-Identifier: Apache-2.0
/// The initial state of a model is made of parameters: what it does when they change.
#ifndef AMO_ORBIT_START_SLOPES_H
#define AMO_ORBIT_START_SLOPES_H

#include "model/compiled.h"

typedef struct amo_start_slopes amo_start_slopes;

amo_status amo_start_slopes_new(const amo_model *m, amo_start_slopes **out);
void amo_start_slopes_free(amo_start_slopes *s);
/// At parameters `param`: the initial state they give (before it is made to fit constraints), and its derivative along their rates
/// `rate`. value, slope: [states], value may be NULL.
void amo_start_slopes_along(amo_start_slopes *s, const double *param, const double *rate, double *value,
                            double *slope);

#endif
