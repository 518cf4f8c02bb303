// SPDX-License-Identifier: Apache-2.0
/// What results can contain, beyond the result at hand: the keys of items of a list that happens to be empty,
/// and the words that a key can hold (docs/json.md). A misspelt key or word would otherwise select nothing,
/// and "nothing was found" is what many expectations ask for.
#ifndef AMO_STUDY_JSON_WORDS_H
#define AMO_STUDY_JSON_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/// Keys of the items of the list of this name, separated by blanks; NULL where they are not known.
const char *amo_words_keys(const char *list);
/// Words that a key of this name can hold, separated by `|`; NULL where it may be any text.
const char *amo_words_values(const char *key);
/// Is word[0..n) one of the words of a list separated by `separator`?
bool amo_words_has(const char *words, char separator, const char *word, size_t n);

#endif
