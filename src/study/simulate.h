// SPDX-License-Identifier: Apache-2.0
/// The simulate verb as a function, for studies that also want the trajectory for a figure.
#ifndef AMO_STUDY_SIMULATE_H
#define AMO_STUDY_SIMULATE_H

#include "study/trajectory.h"
#include "study/verb.h"

/// Run `simulate` with the options of `call` (resolved, of amo_verb_simulate's table).
/// @param trajectory  NULL: record only if the options need it (csv, h5, plot, samples); otherwise
///                    recorded and handed over (amo_trajectory_free), also when the run failed half way
/// @return AMO_OK; AMO_EAUDIT, AMO_ENOANSWER, AMO_ELIMIT, AMO_EINTR come with *result (and *trajectory)
amo_status amo_simulate(const amo_call *call, amo_trajectory **trajectory, cJSON **result);
/// plot-x and plot-y without a plot are a mistake.
amo_status amo_plot_given(const amo_call *call);

extern const amo_verb amo_verb_limits, amo_verb_map, amo_verb_brake;
extern const amo_verb amo_verb_steady, amo_verb_quasistatic;
extern const amo_verb amo_verb_simulate, amo_verb_evaluate, amo_verb_describe, amo_verb_draw,
    amo_verb_contact, amo_verb_rest;

#endif
