// SPDX-License-Identifier: Apache-2.0
/// What a fit is worth (inside of least_squares.h).
#ifndef AMO_FIT_JUDGE_H
#define AMO_FIT_JUDGE_H

#include "fit/descent.h"

/// Weight of a residual u, in sizes of the noise, by a loss: psi(u)/u.
double amo_loss_weight(amo_loss loss, double u);
/// Everything of the outcome that follows from residuals and derivatives. scale: size of the noise that residuals were measured by.
amo_status amo_fit_judge(amo_descent *s, amo_fit *f, double scale);

#endif
