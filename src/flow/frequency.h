// SPDX-License-Identifier: Apache-2.0
/// Lowest natural frequency of the model at a state, friction aside.
#ifndef AMO_FLOW_FREQUENCY_H
#define AMO_FLOW_FREQUENCY_H

#include "model/compiled.h"

/// Smallest positive omega with det(K - omega^2 M) = 0, K = -dh/dq by exact differentiation;
/// 1 when there is none (no stiffness).
amo_status amo_lowest_frequency(const amo_model *m, const double *param, double t, const double *state,
                                double *omega);

#endif
