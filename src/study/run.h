// SPDX-License-Identifier: Apache-2.0
/// Parts of executing a study.
#ifndef AMO_STUDY_RUN_H
#define AMO_STUDY_RUN_H

#include "study/study.h"

/// Settings of every item of a sweep: a list of `count` mappings (name: value), from the arena.
/// NULL `over`: one empty item.
amo_status amo_sweep_expand(amo_arena *a, const amo_yaml *over, amo_diags *d, const amo_yaml ***items,
                            size_t *count);

/// Load the model of a run: a file beside the study, or the mapping in the study itself.
amo_status amo_study_model(const amo_study *s, const amo_yaml *model, const amo_setting *set, size_t nset,
                           amo_diags *d, amo_model **out, amo_arena *a);

/// Path of a file that a study names (`what` it is, for the message); AMO_EIO (reported) if there is none.
amo_status amo_study_find_file(const amo_study *s, const char *what, const char *text, amo_at at,
                               amo_diags *d, const char **path, amo_arena *a);
/// Path of the model file that a study names; AMO_EIO (reported) if there is none.
amo_status amo_study_find_model(const amo_study *s, const amo_yaml *model, amo_diags *d, const char **path,
                                amo_arena *a);

/// 0 done, 1 no answer, 2 bad input: the exit status that the command line gives.
int amo_exit_status(amo_status st);

#endif
