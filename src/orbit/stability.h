// SPDX-License-Identifier: Apache-2.0
/// Multipliers with their errors, and what they say. Directions that the motion itself keeps (along the orbit; a shift of a
/// coordinate that nothing depends on) have the multiplier 1 exactly. They are divided out before eigenvalues are taken:
///
///   Q' M Q = [1 *; 0 M'],  Q orthonormal, its first columns the kept directions
///
/// so that what is left is not torn from a double 1 by the square root of rounding. An eigenvalue of M' is known to
/// |E| / |y'x| (x, y its right and left eigenvectors of length 1, E the error of M), and near others like a root of |E|.
#ifndef AMO_ORBIT_STABILITY_H
#define AMO_ORBIT_STABILITY_H

#include "amontons/orbit.h"
#include "orbit/drift.h"
#include "orbit/shot.h"

typedef struct amo_monodromy {
  const double *matrix;   // [ns][ns] by columns: d state(T) / d state(0)
  const double *scale;    // [ns] sizes of the states
  size_t ns, rank, ties;  // rank: bound on that of the matrix; ties: conditions on every state
  const double
      *flow;  // [ns] rates at the end of the period; the matrix keeps them, less the drives'; NULL: forced
  const amo_drift *drift;  // free directions, which the matrix keeps
  double noise;            // relative error of the matrix
} amo_monodromy;

/// Multipliers [ns] largest first; those beyond the rank exactly 0, the last `ties` mean nothing.
amo_status amo_monodromy_judge(const amo_monodromy *m, amo_multiplier *out, amo_stability *verdict);
/// Number of the multiplier of the phase; n: there is none.
size_t amo_monodromy_phase(const amo_multiplier *mu, size_t n);
/// How well the matrices of this shooter are known, relative to their size.
double amo_shooter_noise(const amo_shooter *s);

#endif
