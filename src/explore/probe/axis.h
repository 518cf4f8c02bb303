// SPDX-License-Identifier: Apache-2.0
/// What can be varied, found by its name.
#ifndef AMO_EXPLORE_PROBE_AXIS_H
#define AMO_EXPLORE_PROBE_AXIS_H

#include "amontons/probe.h"

/// The parameter, state or time that a->name says, into kind and index. before: begins messages ("--vary: "), or "".
amo_status amo_axis_find(const amo_model *m, const char *before, amo_diags *diags, amo_axis *a);

#endif
