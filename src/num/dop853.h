// SPDX-License-Identifier: Apache-2.0
/// A step of Dormand-Prince 8(5,3): stages, error, dense output of degree 7.
#ifndef AMO_NUM_DOP853_H
#define AMO_NUM_DOP853_H

#include "amontons/status.h"
#include "base/mem.h"

enum { AMO_DOP853_STAGES = 12, AMO_DOP853_ALL = 16 };  // the last 3 serve the dense output only
enum { AMO_DOP853_DEGREE = 7 };

typedef struct amo_dop853 {
  size_t n;
  double *k;            // [AMO_DOP853_ALL][n] rates; the first are those at the start
  double *stage, *end;  // [n] work; the state after the step
  amo_status (*rates)(void *ctx, double t, const double *y, double *dy);
  void *ctx;
} amo_dop853;

/// Room for n states. arena->failed tells.
void amo_dop853_take(amo_dop853 *d, amo_arena *memory, size_t n);
/// From y at t over h, the rates at y known: into d->end.
amo_status amo_dop853_step(amo_dop853 *d, double t, const double *y, double h);
/// Its error, each state in units of `unit` [n]; 1: as large as it may be. INFINITY where a stage left the domain of some function.
double amo_dop853_error(const amo_dop853 *d, double h, const double *unit);
/// What lies between: dense [n][AMO_DOP853_DEGREE + 1], powers of the part of the step.
amo_status amo_dop853_dense(amo_dop853 *d, double t, const double *y, double h, double *dense);

#endif
