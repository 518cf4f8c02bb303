// SPDX-License-Identifier: Apache-2.0
/// Rest whose forces the motion does not determine: between which limits does each of them lie?
#ifndef AMO_EXPLORE_REST_REST_RANGES_H
#define AMO_EXPLORE_REST_REST_RANGES_H

#include "amontons/rest.h"
#include "contact/point.h"

/// One entry for each combination of signs of the reactions of guides with which rest is possible: *share [*shares][nc], the
/// caller's to free; p has been evaluated at rest, in these modes. AMO_EUNSUPPORTED: friction in a plane, joints, or too many guides.
amo_status amo_rest_ranges(amo_point *p, const signed char *stick, amo_rest_range **share, size_t *shares);

#endif
