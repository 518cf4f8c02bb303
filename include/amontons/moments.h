// SPDX-License-Identifier: Apache-2.0
/// Statistics of samples: plain and grouped, several groups beside each other, proportions.
///
///   amo_moments m;
///   const double x[] = {1, 2, 4};
///   if (amo_moments_of(x, NULL, 3, 0, 0, 0.95, &m) == AMO_OK) printf("%g, %g to %g\n", m.mean, m.low, m.high);
#ifndef AMONTONS_MOMENTS_H
#define AMONTONS_MOMENTS_H

#include <stddef.h>

#include "amontons/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct amo_moments {
  double n;                        // size of the sample
  double sum;                      // of the weights: of frequencies, 1
  double mean;                     // sum of the values over n
  double population;               // mean square about the mean
  double variance, deviation;      // with n - 1; its root. NAN for n = 1
  double sheppard;                 // variance less width^2/12, what grouping adds
  double of_mean, se;              // variance of the mean, its root
  double low, high;                // Student's interval of the mean
  double normal_low, normal_high;  // the normal one
  double least, largest;           // value of the sample
} amo_moments;

/// Of n values x; weight [n] NULL: each counts once; else how often each was found, as counts or, with size > 0, as parts of a sample of
/// that size. width: of the groups whose middles the x are, 0: not grouped. level: of the intervals. AMO_ERANGE: no values, a weight is
/// negative, or not finite.
AMO_API amo_status amo_moments_of(const double *x, const double *weight, size_t n, double size, double width,
                                  double level, amo_moments *out);

/// Groups in an order: rows of equal `group` belong together; both arrays have n rows.
typedef struct amo_group_test {
  size_t groups;  // how many there are
  double within,
      between;  // sums of squares about the groups' means (pure error), and of those about the whole
  double fisher, fisher_p;  // F of their ratio, and the probability of more by chance
  double trend;             // Jonckheere's statistic, standardised: > 0 values grow from group to group
  double trend_p;           // two-sided
} amo_group_test;

/// group must be sorted (ascending). AMO_ERANGE: fewer than two groups, or not sorted.
AMO_API amo_status amo_groups_test(const double *group, const double *x, size_t n, amo_group_test *out);

typedef struct amo_proportion {
  double p;                              // k/n
  double wilson[2], clopper_pearson[2];  // low, high
} amo_proportion;

/// k of n. AMO_ERANGE: not 0 <= k <= n, n >= 1.
AMO_API amo_status amo_proportion_of(double k, double n, double level, amo_proportion *out);

#ifdef __cplusplus
}
#endif
#endif
