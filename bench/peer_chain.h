// SPDX-License-Identifier: Apache-2.0
/// The chain of blocks on the belt by hand-written C on SUNDIALS ERKStep, event-driven like the engine.
///
///   m x_i'' = -k x_i + c (x_{i+1} - x_i) - c (x_i - x_{i-1}) + F_i,   F_i = -+ Fs/(1 + delta |x_i' - v|)
#ifndef BENCH_PEER_CHAIN_H
#define BENCH_PEER_CHAIN_H

typedef struct chain {
  int n;
  double m, k, c, Fs, delta, v;
} chain;

typedef struct peer_chain peer_chain;

/// @param order 5 (Dormand-Prince) or 8 (Fehlberg)
peer_chain *peer_chain_new(const chain *c, int order, double tol);
void peer_chain_free(peer_chain *p);  // accepts NULL
/// From `state` (x_1..x_n, x_1'..x_n') at t = 0 to t_end, in place. 0, or -1 when the solver fails.
int peer_chain_run(peer_chain *p, double t_end, double *state);
long peer_chain_events(const peer_chain *p);  // of the last run
long peer_chain_rhs(const peer_chain *p);

#endif
