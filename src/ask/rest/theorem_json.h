// SPDX-License-Identifier: Apache-2.0
#ifndef AMO_ASK_REST_THEOREM_JSON_H
#define AMO_ASK_REST_THEOREM_JSON_H

#include <cjson/cJSON.h>

#include "contact/solutions.h"

/// source{theorem, verdict, direction, mu_L, enumeration} in the result of `rest`, for one degree of freedom and one
/// guide: Le xuan Anh's Theorem 2 (mu|L| < 1) or Theorem 3 (> 1) as printed, and whether the enumeration agrees with or
/// differs from it. Theorem 3 (iii), "rest or motion", is no state of Coulomb's friction: rest violates the inequality.
void amo_theorem_add(const amo_solutions *s, cJSON *result);

#endif
