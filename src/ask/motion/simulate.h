// SPDX-License-Identifier: Apache-2.0
/// Verbs that look at a model or move it.
#ifndef AMO_ASK_MOTION_SIMULATE_H
#define AMO_ASK_MOTION_SIMULATE_H

#include "explore/trajectory.h"
#include "ask/verb.h"

/// The run of `simulate`. The motion is handed over (call->recorded) also when the run failed half way.
amo_status amo_simulate(const amo_call *call, cJSON **result);
/// plot-x and plot-y without a plot are a mistake.
amo_status amo_plot_given(const amo_call *call);

extern const amo_verb amo_verb_limits, amo_verb_map, amo_verb_brake;
extern const amo_verb amo_verb_steady, amo_verb_quasistatic;
extern const amo_verb amo_verb_simulate, amo_verb_evaluate, amo_verb_describe, amo_verb_draw, amo_verb_emit,
    amo_verb_contact, amo_verb_rest;

#endif
