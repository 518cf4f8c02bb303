// SPDX-License-Identifier: Apache-2.0
/// SUNDIALS' CVODE (BDF with a dense Newton matrix), as the smoothed systems need it.
#ifndef AMO_NUM_BDF_H
#define AMO_NUM_BDF_H

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <stdbool.h>
#include <stddef.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "amontons/status.h"

typedef struct amo_bdf {
  SUNContext context;
  void *cvode;  // NULL before the first start
  N_Vector y, atol;
  SUNMatrix matrix;
  SUNLinearSolver solver;
} amo_bdf;

typedef struct amo_bdf_calls {
  CVRhsFn rates;
  CVLsJacFn jacobian;
  CVErrHandlerFn error;
  void *user;  // of all three
} amo_bdf_calls;

typedef struct amo_bdf_counts {
  long steps, rhs, rejected, jacobians, factorisations;
} amo_bdf_counts;

/// Room for n states. On failure too amo_bdf_free is to be called.
amo_status amo_bdf_make(amo_bdf *b, size_t n);
void amo_bdf_free(amo_bdf *b);
/// From b->y at time t, with absolute tolerances b->atol. What is set the first time stays: calls and tolerance.
bool amo_bdf_start(amo_bdf *b, double t, double tol, const amo_bdf_calls *calls);
amo_bdf_counts amo_bdf_count(const amo_bdf *b);

#endif
