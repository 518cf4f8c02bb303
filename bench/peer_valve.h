// SPDX-License-Identifier: Apache-2.0
/// The relief valve by hand-written C on SUNDIALS ERKStep: roots at the seat, and the rebound.
///
///   x'' = -kappa x' - (x + delta) + p,   p' = beta (q - x sqrt(p)),   x = 0: x' -> -r x'
#ifndef BENCH_PEER_VALVE_H
#define BENCH_PEER_VALVE_H

typedef struct valve {
  double kappa, delta, beta, q, r;
} valve;

/// From `state` (x, x', p) at t = 0 to t_end, in place.
/// @param order 5 (Dormand-Prince) or 8 (Fehlberg)
/// @return strikes of the seat, or -1 when the solver fails
long peer_valve_run(const valve *v, int order, double tol, double t_end, double *state);

#endif
