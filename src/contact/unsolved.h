// SPDX-License-Identifier: Apache-2.0
/// Why a balance of forces could not be solved, in words.
#ifndef AMO_CONTACT_UNSOLVED_H
#define AMO_CONTACT_UNSOLVED_H

#include "contact/balance.h"

enum { AMO_UNSOLVED_TEXT = 320 };  // characters, a name of the longest kind included

/// What of the balance at these values is not a number: a coefficient of friction, a direction, an inertia. Otherwise the masses are
/// singular: at this coordinate (-1: not known). Returns text, or a constant.
const char *amo_unsolved(const amo_model *m, amo_span values, long coordinate, char text[AMO_UNSOLVED_TEXT]);

#endif
