// SPDX-License-Identifier: Apache-2.0
/// Relative equilibria: motions q = q0 + V t with constant V in which no acceleration, no stick force and no rate of
/// a further state ever changes. Newton's method with second derivatives that are exact.
#ifndef AMO_STEADY_RELATIVE_H
#define AMO_STEADY_RELATIVE_H

#include "contact/expansion.h"
#include "contact/ties.h"

typedef struct amo_relative {
  amo_expansion *x;  // borrowed
  amo_ties ties;
  uint32_t n;     // states
  double *dir;    // [n] the motion: (u, 0, z')
  double *slope;  // [rows_f][n] first derivatives of accelerations, rates and stick forces
  double *jac, *r, *step, *move, *trial;
  double *scratch;
  bool settled;     // further states stand still: a sharper question than that their rates do not change
  size_t rows;      // of the system of equations
  double residual;  // largest equation, relative to the size of its terms
  int iterations;
} amo_relative;

amo_status amo_relative_new(amo_expansion *x, amo_arena *memory, amo_relative **out);
/// From `state` (in) to a relative equilibrium (out) in this mode. AMO_ENOANSWER: none was found from there.
amo_status amo_relative_find(amo_relative *r, double t, double *state, const signed char *mode);
/// Largest change of accelerations along the motion beyond the first order, in units of their terms, per time `1/rate`:
/// not zero where loads come and go.
double amo_relative_drift(amo_relative *r, double rate);

#endif
