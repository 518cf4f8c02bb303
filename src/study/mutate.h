// SPDX-License-Identifier: Apache-2.0
/// Can the expectations of a study fail? After the study has run, each that holds is judged again with what it
/// expects changed: numbers moved beyond their tolerance, up and down, borders past the value, words replaced.
/// What still holds then has not looked.
#ifndef AMO_STUDY_MUTATE_H
#define AMO_STUDY_MUTATE_H

#include "study/study.h"

/// Adds {value, at, changed, weak} to the list `survivors` for every change that went unnoticed; with `weak` also
/// for tolerances that cannot tell the expected number from 0. @return number of changes tried.
size_t amo_study_mutate(const amo_study *s, amo_study_result *r, cJSON *survivors);

/// The same with a line for each survivor on `out` (may be NULL) and the list as `unnoticed` in `entry` (may be NULL).
/// Adds to *changes; @return survivors, without those that are only weak.
size_t amo_mutate_report(const amo_study *s, amo_study_result *r, FILE *out, cJSON *entry, size_t *changes);

#endif
