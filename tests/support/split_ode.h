// SPDX-License-Identifier: Apache-2.0
/// Another integrator, for comparison: extrapolated midpoint steps in long double, cut where a quantity changes its sign. Nothing of the
/// library is in it.
#ifndef SUPPORT_SPLIT_ODE_H
#define SUPPORT_SPLIT_ODE_H

enum { SPLIT_STATES = 8, SPLIT_SIGNS = 4 };

typedef struct split_ode {
  int states, signs;
  /// Rates with the signs held; `sign` has one entry for each quantity.
  void (*rates)(const void *ctx, long double t, const long double *y, const int *sign, long double *rate);
  /// Quantity i, whose sign is held between its zeros.
  long double (*quantity)(const void *ctx, int i, long double t, const long double *y, const int *sign);
  const void *ctx;
} split_ode;

/// From t to end in steps of h at most. sign: at the start, and then at the end.
void split_ode_run(const split_ode *ode, long double *y, int *sign, long double t, long double end,
                   long double h);

#endif
