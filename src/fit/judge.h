// SPDX-License-Identifier: Apache-2.0
/// What a fit is worth (inside of least_squares.h).
#ifndef AMO_FIT_JUDGE_H
#define AMO_FIT_JUDGE_H

#include "fit/descent.h"

/// Weight of a residual u, in sizes of the noise, by a loss: psi(u)/u.
double amo_loss_weight(amo_loss loss, double u);
static inline size_t amo_fit_groups(const amo_residuals *s)
{
  return s->group && s->groups > 1 ? s->groups : 1;
}

/// What residual i counts times, the noise of each group being of size scale[].
static inline double amo_fit_factor(const amo_residuals *s, const double *scale, size_t i)
{
  return (s->weight ? s->weight[i] : 1.0) / scale[amo_fit_groups(s) > 1 ? s->group[i] : 0];
}

/// Everything of the outcome that follows from residuals and derivatives. scale [groups]: sizes of the noise that residuals were measured by.
amo_status amo_fit_judge(amo_descent *s, amo_fit *f, const double *scale);

/// Changes of sign from one residual to the next, less those of noise, in standard deviations of that: far below 0 residuals hang together.
/// Residuals of 0 and rows of weight 0 are passed over. NaN: too few.
double amo_fit_runs(const double *residual, const double *weight, size_t count);

#endif
