// SPDX-License-Identifier: Apache-2.0
/// The linearised motion at a state: its matrix on the perturbations that the mode allows, less positions that
/// nothing depends on.
#ifndef AMO_STEADY_LINEAR_MOTION_H
#define AMO_STEADY_LINEAR_MOTION_H

#include "amontons/steady.h"
#include "contact/derivative.h"

typedef struct amo_linear_motion {
  amo_arena memory;
  size_t n;            // states
  size_t forces;       // 3 for each contact
  size_t zeros, ties;  // of ties: what the mode holds at zero, then what it would keep at its place
  double *full;        // [n][n] d(rates)/d(states)
  double *force;       // [forces][n] d(reaction, friction)/d(states)
  double *tie;         // [ties][n]
  size_t order, locked, neutral;
  double *reduced;  // [order][order]
  double *terms;    // [order][order] sizes of the terms that entries of `reduced` were summed from
} amo_linear_motion;

/// From derivatives of a motion at a place.
amo_status amo_linear_motion_of(const amo_derivative *d, amo_linear_motion **out);
/// The expansion must be at the state.
amo_status amo_linear_motion_make(amo_expansion *x, amo_linear_motion **out);
/// The same without the reduced matrix.
amo_status amo_linear_motion_full(amo_expansion *x, amo_linear_motion **out);
void amo_linear_motion_free(amo_linear_motion *t);
/// Quasi-static slip stiffness of contact c; NaN where it does not slip.
amo_status amo_linear_motion_stiffness(const amo_expansion *x, const amo_linear_motion *t, uint32_t c,
                                       amo_slip_stiffness *out);

#endif
