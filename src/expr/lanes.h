// SPDX-License-Identifier: Apache-2.0
/// Power series of W lanes (1 or AMO_LANES) evaluated together: coefficient k of lane l lies at c[k*W + l].
/// Sums run over k in the same four partial sums at every width, so a lane's bits do not depend on W.
#ifndef AMO_EXPR_LANES_H
#define AMO_EXPR_LANES_H

#include <stddef.h>
#include <stdint.h>

/// Doubles that arrays of powers need, and that may be read (not used) beyond the end of a series.
#define AMO_LANES_PADDING 4

/// power[k*W + l] = h[l]^k for k = 0..order.
void amo_lanes_powers(double *power, const double *h, int order, int W);
/// value[l] = sum over k = 0..order of c_k power_k, small terms first.
void amo_lanes_value(const double *c, const double *power, int order, int W, double *value);
/// slope[l] = sum over k = 1..order of k c_k power_(k-1), small terms first.
void amo_lanes_slope(const double *c, const double *power, int order, int W, double *slope);
/// A number below sign * series, one lane, from the start of the step to a little beyond its end (AMO_LANES_BEYOND of it): what leads down,
/// all of it, taken from the start. NaN where a coefficient is. Successive coefficients and powers of the lane lie W apart.
#define AMO_LANES_BEYOND 1.001
double amo_lanes_least(const double *c, const double *power, int order, int W, double sign);

/// Numbers with which amo_lanes_shift moves series of an order: [order + 1] rows of order + 1.
void amo_lanes_shift_table(double *table, int order);
/// Coefficients of a series about its start: those about s later, of which power[k] = s^k. One lane; to and from do not overlap.
void amo_lanes_shift(double *to, const double *from, const double *table, const double *power, int order);

/// Smallest and largest of n values, n a multiple of 4. A NaN among them may be passed over.
void amo_lanes_range(const double *value, int n, double *low, double *high);

/// Coefficients looked at for a length: a series in powers of t^2 or t^4 has zeros among its last ones.
enum { AMO_LANES_TAIL = 6 };

/// W = AMO_LANES: size[j*W + l] = max of itself and |c_(order-j)| weight[l] for j = 0..AMO_LANES_TAIL-1; sum[l] += all of these.
void amo_lanes_tail(const double *c, const double *weight, int order, double *size, double *sum);
/// The radius of convergence times (tol/10)^(1/order), so that |c_order| h^order is tol/10; INFINITY when the last coefficients
/// are all zero. The last two give the radius. Where they are zeros of a series with gaps, or nearly so, those before them
/// tell what they should have been: by the trend of two pairs, or, when the pair between is missing too, by a series
/// that falls off like that of the exponential function.
void amo_lanes_length(const double *size, int order, double tol, int W, double *length);

/// States and unknowns, each at most; the place of a zero behind both.
enum { AMO_SYSTEM_MAX = 32, AMO_SYSTEM_ZERO = 2 * AMO_SYSTEM_MAX + 3 };

/// x = A y with A constant: unknowns of a linear system, some of them the rates of y. Series of lane 0 of each.
typedef struct amo_lanes_system {
  int rows, states;
  const double *matrix;       // W = 1: [states + 1][rows up to a multiple of 4]; else [states + 1][rows][W];
                              // the last column goes with time
  double *x[AMO_SYSTEM_MAX];  // [rows]
  double *y[AMO_SYSTEM_MAX];  // [states]
  int integral[AMO_SYSTEM_MAX];  // [states] y_i is that of y_j: j, of x_j: states + j, of a constant: _ZERO
} amo_lanes_system;

/// Coefficients 2..order of y and 1..order-1 of x from coefficients 1 of y.
void amo_lanes_linear(const amo_lanes_system *s, int order, int W);

#endif
