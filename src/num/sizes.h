// SPDX-License-Identifier: Apache-2.0
/// Normal forces that are sizes of reactions which they change themselves, through their friction:
///
///   N_i = | a_i + sum_k unit_ik N_k |,   a_i, unit_ik in R^3,  N_i >= 0.
///
/// One joint: a quadratic, with one root while |unit| < 1, else none or two (a paradox). Several: Newton's method from the
/// reactions without friction, and where that fails along the friction, from none to all of it. If every row of |unit_ik|
/// sums to less than 1 the right side is a contraction: there is exactly one solution, whatever the number of joints.
#ifndef AMO_NUM_SIZES_H
#define AMO_NUM_SIZES_H

#include <stdbool.h>
#include <stdint.h>

enum { AMO_AXES = 3 };  // components of a_i; those that are not there are zero

typedef struct amo_sizes {
  uint32_t n;
  const double *alone;  // [n][3] a: reactions without friction of the joints
  const double *unit;   // [n][n][3] of joint i by a unit of the normal force of joint k
  // joints whose equation is linear, N = aim . (a + sum unit N) + more: higher coefficients of a power series
  const bool *aimed;         // [n] NULL: none
  const double *aim, *more;  // [n][3] unit vectors, [n]
  double *work;              // [n (n + 2)]
  uint32_t *group;           // [n] scratch
} amo_sizes;

/// N [n]. other [n] (or NULL): joints of which the larger of two roots is asked for, where there are two. False: no
/// solution, or none was found.
bool amo_sizes_solve(const amo_sizes *s, const bool *other, double *N);
/// Is the solution surely the only one?
bool amo_sizes_unique(const amo_sizes *s);

#endif
