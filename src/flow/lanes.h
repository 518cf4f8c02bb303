// SPDX-License-Identifier: Apache-2.0
/// Power series of W lanes (1 or AMO_LANES) evaluated together: coefficient k of lane l lies at c[k*W + l].
/// Sums run over k in the same four partial sums at every width, so a lane's bits do not depend on W.
#ifndef AMO_FLOW_LANES_H
#define AMO_FLOW_LANES_H

#include <stddef.h>
#include <stdint.h>

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

enum { AMO_SYSTEM_MAX = 32 };  // states and unknowns

/// x = A y with A constant: unknowns of a linear system, some of them the rates of y. Series of lane 0 of each.
typedef struct amo_lanes_system {
  int rows, states;
  const double *matrix;       // W = 1: [states + 1][rows up to a multiple of 4]; else [states + 1][rows][W];
                              // the last column goes with time
  double *x[AMO_SYSTEM_MAX];  // [rows]
  double *y[AMO_SYSTEM_MAX];  // [states]
  int integral
      [AMO_SYSTEM_MAX];  // [states] of which y_i is the integral: i < states: y_i, else x_(i - states); -1: a constant
} amo_lanes_system;

/// Coefficients 2..order of y and 1..order-1 of x from coefficients 1 of y.
void amo_lanes_linear(const amo_lanes_system *s, int order, int W);

#endif
