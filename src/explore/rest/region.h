// SPDX-License-Identifier: Apache-2.0
/// The rest region in the space of loads: where rest is possible, where slip is, by structure and not by samples.
#ifndef AMO_EXPLORE_REST_REGION_H
#define AMO_EXPLORE_REST_REGION_H

#include "amontons/rest.h"

/// What a question about rest is asked of: values, time, and the state at rest [states], the caller's to free.
amo_status amo_rest_start(const amo_model *m, const amo_rest_opts *opts, const amo_values **v, double *t,
                          double **state);
/// At this state, which is at rest. `started`: it is the initial one, so the loads must not change it either.
/// AMO_ENOANSWER: the axes enter otherwise than linearly in the loads, *why says how; AMO_ELIMIT.
amo_status amo_region_of(const amo_values *v, double t, const double *state, bool started,
                         const amo_axis *axis, size_t axes, const char **why, amo_region **out);

#endif
