// SPDX-License-Identifier: Apache-2.0
/// The quasistatic verb as a function, for studies that also want the path for a figure.
#ifndef AMO_STUDY_QUASISTATIC_H
#define AMO_STUDY_QUASISTATIC_H

#include "study/trajectory.h"
#include "study/verb.h"

/// trajectory: NULL, or where the recorded path goes (NULL there without --until).
amo_status amo_quasistatic_call(const amo_call *call, amo_trajectory **trajectory, cJSON **result);

#endif
