// SPDX-License-Identifier: Apache-2.0
/// The least sum of squares between bounds (inside of least_squares.h). Outside its bounds a parameter is taken at the bound, where
/// nothing depends on it; one that ends there and is pushed outwards is held there while the others are sought again, until none
/// wants to leave its bound or to reach it (an active set).
#ifndef AMO_FIT_DESCENT_H
#define AMO_FIT_DESCENT_H

#include "fit/least_squares.h"

typedef struct amo_descent {
  amo_arena memory;
  const amo_residuals *source;
  const amo_fit_parameter *parameter;
  const amo_fit_opts *opts;
  size_t n, rows, priors;  // rows of the source; rows behind them, of priors
  double *factor;          // [rows] each residual counts times this
  double *value;           // [n] in: the start; out: the best
  signed char *at_bound;   // [n] out: held there
  double *residual;        // [rows] of the source at `value`
  double *jacobian;        // [n][rows] there
  long evaluations, jacobians;
  amo_status failure;  // of the source
  // work
  size_t *free;  // [n] numbers of parameters that are sought
  size_t nfree;
  double *x, *p, *scale, *work;
  double *row, *matrix;  // [rows + priors]; [n][rows + priors]
  double *normal;        // [n][n]
  bool *idle;            // [n] nothing depends on it
  int *pivot;
} amo_descent;

amo_status amo_descent_new(const amo_residuals *source, const amo_fit_parameter *parameter,
                           const amo_fit_opts *opts, amo_descent **out);
void amo_descent_free(amo_descent *s);
/// AMO_ELIMIT: too many evaluations; `value` is the best so far.
amo_status amo_descent_run(amo_descent *s);
/// Rows of residuals with their factors and priors, and of derivatives by all parameters, as the sum has them: into s->row, s->matrix.
void amo_descent_rows(amo_descent *s);

#endif
