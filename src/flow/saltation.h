// SPDX-License-Identifier: Apache-2.0
/// Columns through the events at the end of a step.
#ifndef AMO_FLOW_SALTATION_H
#define AMO_FLOW_SALTATION_H

#include "flow/variation.h"

amo_status amo_variation_jump(amo_variation *g, const amo_flow *f, int lane);

#endif
