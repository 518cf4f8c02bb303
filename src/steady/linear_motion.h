// SPDX-License-Identifier: Apache-2.0
/// The linearised motion at a state: its matrix on the perturbations that the mode allows, less positions that
/// nothing depends on.
#ifndef AMO_STEADY_LINEAR_MOTION_H
#define AMO_STEADY_LINEAR_MOTION_H

#include "amontons/steady.h"
#include "steady/expansion.h"
#include "steady/ties.h"

typedef struct amo_linear_motion {
  uint32_t n;     // states
  double *full;   // [n][n] d(rates)/d(states)
  double *force;  // [3 nc][n] d(reaction, friction)/d(states)
  double *tie;    // [zeros][n]
  uint32_t ties;
  size_t order, locked, neutral;
  double *reduced;  // [order][order]
  double *terms;    // [order][order] sizes of the terms that entries of `reduced` were summed from
} amo_linear_motion;

/// The expansion must be at the state.
amo_status amo_linear_motion_make(amo_expansion *x, amo_linear_motion **out);
/// The same without the reduced matrix.
amo_status amo_linear_motion_full(amo_expansion *x, amo_linear_motion **out);
void amo_linear_motion_free(amo_linear_motion *t);
/// Quasi-static slip stiffness of contact c; NaN where it does not slip.
amo_status amo_linear_motion_stiffness(const amo_expansion *x, const amo_linear_motion *t, uint32_t c,
                                       amo_slip_stiffness *out);

#endif
