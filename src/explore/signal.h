// SPDX-License-Identifier: Apache-2.0
/// A quantity of the motion: a column of `simulate` (x, x', belt.force, an output) or an expression of columns and
/// parameters, read from samples of the dense output.
#ifndef AMO_EXPLORE_SIGNAL_H
#define AMO_EXPLORE_SIGNAL_H

#include "amontons/amontons.h"

typedef struct amo_signal amo_signal;

/// @param option  named in messages
amo_status amo_signal_new(const amo_values *v, const char *option, const char *text, amo_diags *diags,
                          amo_signal **out);
void amo_signal_free(amo_signal *s);  // accepts NULL
double amo_signal_value(amo_signal *s, const amo_sample *p);
/// Does it read nothing of a sample but time and state?
bool amo_signal_is_of_state(const amo_signal *s);
/// Unit of a column that has one, "" otherwise.
const char *amo_signal_unit(const amo_signal *s);
const char *amo_signal_time_unit(const amo_signal *s);  // "s", or "" in a model without units

#endif
