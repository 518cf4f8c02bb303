// SPDX-License-Identifier: Apache-2.0
/// Long-time states of many starts at once, for maps: trajectories on the lanes of one engine that stays.
#ifndef AMO_ASK_MAP_MAP_LONG_TIME_H
#define AMO_ASK_MAP_MAP_LONG_TIME_H

#include "ask/verb.h"

enum { AMO_LONG_TIMES = 1024 };  // at once: a lane that is done takes the next

typedef struct amo_long_times amo_long_times;

/// With the options of `simulate` in opt. *out stays NULL where they ask for something else than a final state.
amo_status amo_long_times_new(const amo_values *v, const amo_options *opt, amo_long_times **out);
void amo_long_times_free(amo_long_times *f);  // accepts NULL
/// Start i of the next run.
void amo_long_times_put(amo_long_times *f, size_t i, const double *param, const double *state);
/// Run the first n; the state that each ends in ("stick", "open", "undecided"), or NULL where it failed.
void amo_long_times_run(amo_long_times *f, size_t n, volatile sig_atomic_t *stop,
                        const char *out[AMO_LONG_TIMES]);

#endif
