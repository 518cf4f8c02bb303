// SPDX-License-Identifier: Apache-2.0
/// Least squares with exact derivatives, by Levenberg and Marquardt's method (cminpack): weights, bounds, priors, losses that
/// forgive outliers; and what the answer is worth: standard errors, Student's intervals, which combinations of parameters the
/// data do not determine.
///
/// Where residuals come from is the caller's business: a relation on columns of a table, a motion of a model.
#ifndef AMO_FIT_LEAST_SQUARES_H
#define AMO_FIT_LEAST_SQUARES_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "amontons/status.h"
#include "base/mem.h"

/// A source of residuals: model minus measurement.
typedef struct amo_residuals {
  size_t n, rows;           // parameters; residuals
  const char *const *name;  // [n] of parameters, for people
  const double *weight;     // [rows] residuals are multiplied by it, 0: not looked at; NULL: 1
  const unsigned *group;    // [rows] residuals of one group have noise of one size; NULL: all have
  size_t groups;            // 0, 1: all
  const double *measured;   // [rows] what was measured, for the comparison with a constant; NULL: none
  /// r [rows] and, unless NULL, j [n][rows]: the derivative of all residuals by the first parameter, by the second, ... Not
  /// weighted. AMO_ENOANSWER: there are none at p (a shorter step is tried); other failures end the fit.
  amo_status (*at)(void *ctx, const double *p, double *r, double *j);
  void *ctx;
} amo_residuals;

typedef enum amo_loss { AMO_LOSS_SQUARES, AMO_LOSS_HUBER, AMO_LOSS_CAUCHY, AMO_LOSS_TUKEY } amo_loss;

/// What is known of a parameter beforehand. {NAN start ...} is not allowed; low = -INFINITY, high = INFINITY: free.
typedef struct amo_fit_parameter {
  double start;
  double low, high;     // bounds
  double prior, sigma;  // it is prior +- sigma; sigma = 0: nothing is known
} amo_fit_parameter;

typedef struct amo_fit_opts {
  amo_loss loss;
  bool known;    // weights are 1/sigma of each residual, with sigma known; false: only their ratios count
  double level;  // of intervals, 0.95
  double
      tol;  // the search ends where steps are shorter than this part of the parameters or of their standard errors
  double first_step;                   // bound on the first step: that many times the size of the parameters
  long most;                           // evaluations
  volatile sig_atomic_t *interrupted;  // may be NULL
} amo_fit_opts;

amo_fit_opts amo_fit_opts_default(void);

/// The outcome. What belongs to a parameter at one of its bounds (or, where `open`, to one that the data leave open) has no standard
/// error: se is NaN (INFINITY), and the errors of the others hold for this value of it.
typedef struct amo_fit {
  amo_arena memory;
  size_t n, rows, used;   // parameters; residuals; residuals with weight
  double *value, *se;     // [n]
  double *low, *high;     // [n] Student's interval at opts.level
  signed char *at_bound;  // [n] -1, +1: at its lower, upper bound, and pushed against it; 0 otherwise
  bool *open;             // [n] the data leave it open
  double *covariance;     // [n][n]; rows and columns of parameters without standard error are NaN
  double *correlation;    // [n][n]
  double *residual;       // [rows] model minus measurement, not weighted
  double *jacobian;       // [n][rows] of `residual`
  double *loss_weight;    // [rows] from 0 to 1: what a loss that forgives makes of each residual; 1 otherwise
  double sum;             // of squares of weighted residuals
  double deviation;       // residual standard deviation s, of weighted residuals
  double freedom;         // degrees of it; INFINITY where the noise is known
  double aicc;            // Akaike's criterion, corrected for small samples
  double fisher, fisher_p;  // F against a constant, and the probability of more by chance; NaN: not asked
  // What is determined: singular values of the weighted derivative, each column of size 1, that of the least one last
  size_t rank;
  double *singular;  // [n]; those of parameters at bounds are left out, count = free
  double *
      combination;  // [n][n] row k: change of all parameters in the direction of singular[k], of se-like size 1
  size_t free;      // parameters not at a bound
  long evaluations, jacobians, rounds;
} amo_fit;

/// AMO_EINPUT-like failures of the source are handed through. AMO_ERANGE: fewer residuals than free parameters, or a start that
/// is not between its bounds. AMO_ENOANSWER: no residuals at the start, or the search did not end (out is then filled all the
/// same with the best so far). The outcome is to be freed in every case where *out is not NULL.
amo_status amo_fit_solve(const amo_residuals *source, const amo_fit_parameter *parameter,
                         const amo_fit_opts *opts, amo_fit **out);
void amo_fit_free(amo_fit *f);  // accepts NULL

#endif
