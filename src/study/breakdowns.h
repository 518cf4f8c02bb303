// SPDX-License-Identifier: Apache-2.0
/// Verbs about records alone: breakdowns, statistics.
#ifndef AMO_STUDY_BREAKDOWNS_H
#define AMO_STUDY_BREAKDOWNS_H

#include "study/verb.h"

/// The first of `names` (ends with NULL) that the record's head has, else `otherwise`. AMO_EIO and the like where it cannot be read.
amo_status amo_record_pick(const char *path, const char *const *names, const char *otherwise,
                           amo_diags *diags, const char **out);

extern const amo_verb amo_verb_breakdowns;

#endif
