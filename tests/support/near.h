// SPDX-License-Identifier: Apache-2.0
/// Comparison of doubles that prints both values (cmocka's own works in single precision).
#ifndef SUPPORT_NEAR_H
#define SUPPORT_NEAR_H

#include <math.h>

#define assert_near(got, want, tolerance)                                                       \
  do {                                                                                          \
    const double got_ = (got), want_ = (want), tol_ = (tolerance);                              \
    if (!(fabs(got_ - want_) <= tol_))                                                          \
      fail_msg("%s = %.17g, expected %.17g within %.3g (off by %.3g)", #got, got_, want_, tol_, \
               got_ - want_);                                                                   \
  } while (0)

#endif
