// SPDX-License-Identifier: Apache-2.0
/// The classical Runge-Kutta-Fehlberg pair with plain step control, as Leine et al. (1998) used it:
/// 5th-order result carried on, absolute-relative maximum norm, step halted nowhere.
#ifndef AMO_NUM_RKF45_H
#define AMO_NUM_RKF45_H

#include "amontons/status.h"

typedef amo_status (*amo_rhs)(void *ctx, double t, const double *y, double *dy);

typedef struct amo_rkf45 {
  int n;
  double tol, h, h_max;
  const double *weight;  // NULL: all 1
  double *stage;         // [7][n] work
  long rhs, rejected;
} amo_rkf45;

amo_status amo_rkf45_init(amo_rkf45 *r, int n, double tol, double h, double h_max);
void amo_rkf45_free(amo_rkf45 *r);
/// One accepted step from *t towards t_end; y is replaced.
amo_status amo_rkf45_step(amo_rkf45 *r, amo_rhs f, void *ctx, double *t, double t_end, double *y);

#endif
