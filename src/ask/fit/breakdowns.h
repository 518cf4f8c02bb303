// SPDX-License-Identifier: Apache-2.0
/// Verbs about records alone: breakdowns, statistics.
#ifndef AMO_ASK_FIT_BREAKDOWNS_H
#define AMO_ASK_FIT_BREAKDOWNS_H

#include "ask/verb.h"

/// The first of `names` (ends with NULL) that the record's head has, else `otherwise`. AMO_EIO and the like where it cannot be read.
amo_status amo_record_pick(const char *path, const char *const *names, const char *otherwise,
                           amo_diags *diags, const char **out);

struct amo_record;
/// The i-th number of a cycle, as `breakdowns --csv` calls it; NULL: there are no more.
const char *amo_cycle_number(size_t i);
/// The cycles of an oscillogram as a table with a column for each of those numbers; options of breakdowns as settings (stiffness=7e5, drive=v).
amo_status amo_cycles_table(const char *path, const amo_setting *set, size_t n, amo_diags *diags,
                            struct amo_record *out);

extern const amo_verb amo_verb_breakdowns, amo_verb_statistics;

#endif
