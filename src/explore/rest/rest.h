// SPDX-License-Identifier: Apache-2.0
/// Rest, for those who tell about it.
#ifndef AMO_EXPLORE_REST_REST_H
#define AMO_EXPLORE_REST_REST_H

#include "amontons/rest.h"
#include "explore/contact/solve.h"

/// What stands behind r->all.
const amo_solutions *amo_rest_solutions(const amo_rest *r);

#endif
