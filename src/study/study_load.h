// SPDX-License-Identifier: Apache-2.0
/// Parts of the study loader.
#ifndef AMO_STUDY_STUDY_LOAD_H
#define AMO_STUDY_STUDY_LOAD_H

#include "study/study.h"

/// `runs:` and the verbs at the top of the file.
amo_status amo_study_load_runs(amo_study *s, const amo_yaml *root, amo_diags *d);
/// `expect:`.
amo_status amo_study_load_expectations(amo_study *s, const amo_yaml *root, amo_diags *d);

/// Copy of a mapping entry under the same key, for building merged mappings. NULL when out of memory.
amo_yaml *amo_yaml_copy_entry(amo_arena *a, const amo_yaml *n);
/// A mapping with the entries of `base`, those of `over` replacing equal keys. Either may be NULL.
const amo_yaml *amo_yaml_merged(amo_arena *a, const amo_yaml *base, const amo_yaml *over);
/// Put entry `n` (copied, under key `key`) at the end of a synthetic mapping.
bool amo_yaml_append(amo_arena *a, amo_yaml *map, const char *key, const amo_yaml *n);

#endif
