// SPDX-License-Identifier: Apache-2.0
/// A number as a person writes it: plain or an expression of a model's parameters.
#ifndef AMO_ASK_NUMBER_H
#define AMO_ASK_NUMBER_H

#include "amontons/amontons.h"

/// Value of `text`; `v` may be NULL (no names then, except pi and the like). at.line == 0: not from a
/// file; messages then show the text itself.
amo_status amo_number_eval(const char *text, amo_at at, const amo_values *v, amo_diags *diags, double *out);

#endif
