// SPDX-License-Identifier: Apache-2.0
/// Where a statement of a study (`0 < a < 2`, `a > 0 and b == 1`, `x in [1, 2]`) falls apart, outside quotes and brackets.
#ifndef AMO_STUDY_STATEMENT_H
#define AMO_STUDY_STATEMENT_H

#include <stdbool.h>
#include <stddef.h>

/// The first comparison (=, ==, !=, <, <=, >, >=) from `from` on, and its length; NULL if there is none.
const char *amo_statement_comparison(const char *from, size_t *length);
/// The first `word` that stands between blanks; NULL if there is none.
const char *amo_statement_word(const char *from, const char *word);
/// The first comma.
const char *amo_statement_comma(const char *from);
/// Is all of text[0..length) inside one pair of brackets `open` ... ?
bool amo_statement_enclosed(const char *text, size_t length, char open);

#endif
