// SPDX-License-Identifier: Apache-2.0
/// Terms of the balance as numbers (inside of the balance).
#ifndef AMO_CONTACT_BALANCE_NUMBERS_H
#define AMO_CONTACT_BALANCE_NUMBERS_H

#include <string.h>

#include "contact/balance_impl.h"

#define num       double
#define span      amo_span
#define result    amo_result
#define ADD(x, y) ((x) + (y))
#define SUB(x, y) ((x) - (y))
#define MUL(x, y) ((x) * (y))
#define NEG(x)    (-(x))
#define OF(x)     (x)
#include "contact/balance_terms.inc"

#endif
