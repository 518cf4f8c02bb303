// SPDX-License-Identifier: Apache-2.0
/// Parts of reading `expect:` (study_expect.c, expect_statement.c, expect_tolerance.c).
#ifndef AMO_STUDY_EXPECT_LOAD_H
#define AMO_STUDY_EXPECT_LOAD_H

#include "study/study_load.h"

/// An expectation that says nothing yet, at the place of n.
amo_expectation amo_expect_blank(const amo_yaml *n);
/// Check an expectation and add it to the study.
amo_status amo_expect_add(amo_study *s, amo_expectation e, amo_diags *d);

/// `a < b`, `a == b and c`, `x in [1, 2]`, `not a`: read all of it and add it.
amo_status amo_expect_statement(amo_study *s, const amo_yaml *n, amo_diags *d);
/// `value: a < b` where no condition stands beside it: the text into value and condition.
amo_status amo_expect_split(amo_study *s, amo_expectation *e, const amo_yaml *n, amo_diags *d);
/// `path: > 0.5`: the condition at the beginning of n; false if there is none.
amo_status amo_expect_ordering(amo_study *s, amo_expectation *e, const amo_yaml *n, bool *found);

/// The tolerances that a mapping gives. Where it gives any, they replace all that e had.
amo_status amo_expect_tolerance(amo_expectation *e, const amo_yaml *n, amo_diags *d);
/// `0.0355 +- 0.001` in `equals` and `not`: the value and its absolute tolerance.
amo_status amo_expect_margin(amo_study *s, amo_expectation *e, amo_diags *d);
/// Where a tolerance (+-, +/-, ±) stands in a text, and how long the sign is; NULL if there is none.
const char *amo_expect_margin_sign(const char *text, size_t *length);

/// Does it compare with nothing?
bool amo_expect_nothing(const amo_expectation *e);

/// The value of the one spelling that is used; two of them contradict each other.
const amo_yaml *amo_expect_pick(const amo_yaml *n, const char *const *words, amo_diags *d);
/// The part [from, to) of a scalar as a scalar of its own, blanks cut off, position kept. A part that is
/// wholly in quotes is a text.
const amo_yaml *amo_expect_part(amo_arena *a, const amo_yaml *n, const char *from, const char *to);

#endif
