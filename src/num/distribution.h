// SPDX-License-Identifier: Apache-2.0
/// Distributions of statistics: normal, beta, Student's t, Fisher's F. Probabilities to some 1e-14 of themselves, tails included;
/// quantiles to 1e-13.
#ifndef AMO_NUM_DISTRIBUTION_H
#define AMO_NUM_DISTRIBUTION_H

/// Probability of less than z, and the z that has the probability p in (0, 1).
double amo_normal_below(double z);
double amo_normal_quantile(double p);
/// Regularised incomplete beta function I_x(a, b), a, b > 0, with y = 1 - x given too: near 1 it is the better known of both.
double amo_beta_below(double a, double b, double x, double y);
/// The x in [0, 1] with I_x(a, b) = p.
double amo_beta_quantile(double a, double b, double p);
/// Student's t with `freedom` > 0 degrees, INFINITY: normal. Probability of more than t; the t with the probability p of less.
double amo_student_above(double freedom, double t);
double amo_student_quantile(double freedom, double p);
/// Fisher's F with n over m degrees of freedom, m may be INFINITY.
double amo_fisher_above(double n, double m, double f);
double amo_fisher_quantile(double n, double m, double p);
/// Regularised lower incomplete gamma function P(a, x); chi squared of n degrees: P(n/2, chi2/2).
double amo_gamma_below(double a, double x);
/// Above x: 1 - P without cancellation.
double amo_gamma_above(double a, double x);

#endif
