// SPDX-License-Identifier: Apache-2.0
/// Long-time states of many starts at once, for maps: trajectories on the lanes of one engine that stays.
#ifndef AMO_STUDY_MAP_FATE_H
#define AMO_STUDY_MAP_FATE_H

#include "study/verb.h"

enum { AMO_FATES = 64 };  // at once: a lane that is done takes the next

typedef struct amo_fates amo_fates;

/// With the options of `simulate` in opt. *out stays NULL where they ask for something else than a final state.
amo_status amo_fates_new(const amo_model *m, const amo_options *opt, amo_fates **out);
void amo_fates_free(amo_fates *f);  // accepts NULL
/// Start i of the next run.
void amo_fates_put(amo_fates *f, size_t i, const double *param, const double *state);
/// Run the first n; the state that each ends in ("stick", "open", "undecided"), or NULL where it failed.
void amo_fates_run(amo_fates *f, size_t n, volatile sig_atomic_t *stop, const char *out[AMO_FATES]);

#endif
