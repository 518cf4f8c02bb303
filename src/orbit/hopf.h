// SPDX-License-Identifier: Apache-2.0
/// A Hopf point of steady states: the oscillation that begins there, and which way it goes.
#ifndef AMO_ORBIT_HOPF_H
#define AMO_ORBIT_HOPF_H

#include "contact/derivative.h"

typedef struct amo_hopf {
  double frequency;  // [rad/s]
  double lyapunov;   // first Lyapunov coefficient, eigenvector of length 1; NaN: not known
  double *re, *im;   // [ns] the eigenvector, of length 1; re owns both
} amo_hopf;

/// The pair of eigenvalues nearest to the imaginary axis, in the steady state that d has just been taken at.
/// AMO_ENOANSWER: there is no pair. Memory: amo_hopf_release.
amo_status amo_hopf_find(const amo_derivative *d, amo_hopf *out);
/// The coefficient, from second and third derivatives along the eigenvector. Not for models with ties: NaN.
amo_status amo_hopf_judge(const amo_model *m, const amo_derivative *d, const double *param,
                          const amo_place *at, amo_hopf *h);
/// Turns the phase of the eigenvector: its parts, each state by its scale, become normal, the real one the longer.
void amo_hopf_turn(amo_hopf *h, const double *scale, size_t ns);
void amo_hopf_release(amo_hopf *h);

#endif
