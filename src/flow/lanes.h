// SPDX-License-Identifier: Apache-2.0
/// Power series of W lanes (1 or AMO_LANES) evaluated together: coefficient k of lane l lies at c[k*W + l].
/// Sums run over k in the same four partial sums at every width, so a lane's bits do not depend on W.
#ifndef AMO_FLOW_LANES_H
#define AMO_FLOW_LANES_H

#include <stddef.h>

/// Doubles that arrays of powers need, and that may be read (not used) beyond the end of a series.
#define AMO_LANES_PADDING 4

/// power[k*W + l] = h[l]^k for k = 0..order.
void amo_lanes_powers(double *power, const double *h, int order, int W);
/// value[l] = sum over k = 0..order of c_k power_k, small terms first.
void amo_lanes_value(const double *c, const double *power, int order, int W, double *value);
/// low[l] <= sign[l] * series on [0, h]: every later coefficient counts where it pulls down. NaN if one is.
void amo_lanes_low(const double *c, const double *power, const double *sign, int order, int W, double *low);
/// high[l] >= |series - c_0| on [0, h].
void amo_lanes_swing(const double *c, const double *power, int order, int W, double *high);

#endif
