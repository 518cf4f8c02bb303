// SPDX-License-Identifier: Apache-2.0
/// Parts of the study loader.
#ifndef AMO_STUDY_STUDY_LOAD_H
#define AMO_STUDY_STUDY_LOAD_H

#include "study/study.h"

/// `runs:` and the verbs at the top of the file.
amo_status amo_study_load_runs(amo_study *s, const amo_yaml *root, amo_diags *d);
/// `expect:`.
amo_status amo_study_load_expectations(amo_study *s, const amo_yaml *root, amo_diags *d);

/// Is it a word of a check (`equals`, `tolerance`, ...)? One that says what is expected?
bool amo_expect_is_word(const char *word);
bool amo_expect_is_condition(const char *word);
/// Beside the values of a group: is it still a word of the check (`tolerance`, `note`), not a value?
bool amo_expect_is_aside(const char *word);

bool amo_study_is_verb(const char *word);
/// An option of any verb.
bool amo_study_is_option(const char *word);
/// A key of a study, synonyms included (not the verbs).
bool amo_study_is_key(const char *word);
/// true/false, yes/no, on/off in any case; false if it is neither.
bool amo_study_truth(const amo_yaml *n, bool *out);

/// The first of the words that the mapping has, or NULL.
const amo_yaml *amo_yaml_first_of(const amo_yaml *map, const char *const *words);
/// Set an entry of a mapping made of our own copies; an entry with the same key is replaced.
bool amo_yaml_put(amo_arena *a, amo_yaml *map, const amo_yaml *key, const amo_yaml *n);
/// Copy of a mapping entry under the same key, for building merged mappings. NULL when out of memory.
amo_yaml *amo_yaml_copy_entry(amo_arena *a, const amo_yaml *n);
/// A mapping with the entries of `base`, those of `over` replacing equal keys. Either may be NULL.
const amo_yaml *amo_yaml_merged(amo_arena *a, const amo_yaml *base, const amo_yaml *over);
/// Put entry `n` (copied, under key `key`) at the end of a synthetic mapping.
bool amo_yaml_append(amo_arena *a, amo_yaml *map, const char *key, const amo_yaml *n);

#endif
