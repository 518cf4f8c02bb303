// SPDX-License-Identifier: Apache-2.0
/// Numbers of a record, read fast and exactly (inside of the records).
#ifndef AMO_BASE_RECORD_NUMBER_H
#define AMO_BASE_RECORD_NUMBER_H

#include <stdbool.h>

/// The number that begins at *at, before end; *at is behind it then. `comma`: a comma is a decimal one. False: there is none.
bool amo_record_number(const char **at, const char *end, bool comma, double *value);
/// Does the text say that there is no number: nothing, nan, NA, N/A, null, -, --?
bool amo_record_gap(const char *begin, const char *end);

#endif
