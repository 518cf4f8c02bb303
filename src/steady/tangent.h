// SPDX-License-Identifier: Apache-2.0
/// The linearised motion at a state: its matrix on the perturbations that the mode allows, less positions that
/// nothing depends on.
#ifndef AMO_STEADY_TANGENT_H
#define AMO_STEADY_TANGENT_H

#include "amontons/steady.h"
#include "steady/expansion.h"
#include "steady/ties.h"

typedef struct amo_tangent {
  uint32_t n;     // states
  double *full;   // [n][n] d(rates)/d(states)
  double *force;  // [3 nc][n] d(reaction, friction)/d(states)
  double *tie;    // [zeros][n]
  uint32_t ties;
  size_t order, locked, neutral;
  double *reduced;  // [order][order]
} amo_tangent;

/// The expansion must be at the state.
amo_status amo_tangent_make(amo_expansion *x, amo_tangent **out);
/// The same without the reduced matrix.
amo_status amo_tangent_full(amo_expansion *x, amo_tangent **out);
void amo_tangent_free(amo_tangent *t);
/// Quasi-static slip stiffness of contact c; NaN where it does not slip.
amo_status amo_tangent_stiffness(const amo_expansion *x, const amo_tangent *t, uint32_t c,
                                 amo_slip_stiffness *out);

#endif
