// SPDX-License-Identifier: Apache-2.0
/// Inside of amo_lyapunov: the walk (lyapunov.c) and what is made of it (lyapunov_result.c).
#ifndef AMO_ORBIT_LYAPUNOV_IMPL_H
#define AMO_ORBIT_LYAPUNOV_IMPL_H

#include "amontons/lyapunov.h"
#include "flow/variation.h"
#include "orbit/scale.h"

struct amo_lyapunov {
  const amo_model *m;
  double after, until;
  size_t ns, blocks, block;
  amo_variation *tangent;
  amo_variation *jump;  // identity before an event: the jump itself, for the sum rule
  amo_scale scale;
  double *weight;             // [ns] metric of the frame
  double *growth;             // [ns] of the last step
  double *step;               // [ns] its logarithm
  double *sum;                // [ns] logarithms in the present block
  double *mean;               // [blocks][ns]
  double *length;             // [blocks]
  double *state, *matrix;     // scratch
  double volume;              // divergence and jumps since `after`
  size_t ties;                // independent rows of guides and constraints
  double begun, block_start;  // times
  bool started, averaging;
  const char *message;
  amo_lyapunov_result result;
};

#endif
