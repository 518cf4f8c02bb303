// SPDX-License-Identifier: Apache-2.0
/// Points as a person writes them: a part, a point in a part's axes, or expressions of the coordinates.
#ifndef AMO_ASK_REST_BRAKE_POINTS_H
#define AMO_ASK_REST_BRAKE_POINTS_H

#include "explore/moving_points.h"
#include "ask/verb.h"

/// Add the points of option `point`, then every part and loaded point of the model, and compile. Names are
/// borrowed from the options and the model.
amo_status amo_brake_points_read(const amo_call *call, amo_moving_points *s);
/// The material of this name; reports if there is none. -1 then.
long amo_material_find(const amo_call *call, const char *option, const char *name, size_t length);

#endif
