// SPDX-License-Identifier: Apache-2.0
/// Files of this room as texts, put together by cmake/embed.cmake: what a program consists of besides the equations of its model.
#ifndef AMO_SWARM_TEXTS_H
#define AMO_SWARM_TEXTS_H

extern const char amo_swarm_text_prelude[], amo_swarm_text_wide[],
    amo_swarm_text_narrow[];  // numbers and lanes
extern const char amo_swarm_text_lane[], amo_swarm_text_flight[], amo_swarm_text_series[],
    amo_swarm_text_engine[];  // a step
extern const char amo_swarm_text_low[], amo_swarm_text_events[], amo_swarm_text_start[],
    amo_swarm_text_final[];                                    // what follows it, and what precedes
extern const char amo_swarm_text_cpu[], amo_swarm_text_gpu[];  // the entry

#endif
