// SPDX-License-Identifier: Apache-2.0
/// Peers: the block integrated by hand-written C on SUNDIALS, each given its best chance.
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include <stddef.h>

#include "block.h"

typedef enum peer_solver { PEER_ADAMS, PEER_DP5, PEER_FEHLBERG8, PEER_SOLVERS } peer_solver;

typedef enum peer_event {
  PEER_ROOT,   // the library's own rootfinding on its interpolant
  PEER_HENON,  // one library step past the event, then back to it with x' as independent variable
  PEER_EVENTS
} peer_event;

/// Everything a user of the library can turn; the scan goes over these.
typedef struct peer_options {
  peer_solver solver;
  peer_event event;
  double rtol, atol;
  double first_step;  // 0 = the library's choice
  double conv_coef;   // Adams: fixed-point convergence, 0 = default
  int controller;     // ERKStep: 0 PID, 1 PI, 2 I, 3 explicit Gustafsson
  int degree;         // ERKStep interpolant degree with PEER_ROOT
} peer_options;

typedef struct peer peer;

const char *peer_name(peer_solver s, peer_event e);
peer *peer_new(const block *b, const peer_options *o);  // NULL when out of memory
void peer_free(peer *p);                                // accepts NULL
/// One period from breakaway to breakaway; NAN when the solver fails. Allocates nothing: ReInit only.
double peer_period(peer *p);
/// Right-hand sides of the last period.
long peer_rhs(const peer *p);

/// Cheapest options of this solver with period error <= bound, by a scan of all of peer_options.
///
/// @param reliable  cheapest that meets the bound at its tolerance and at every tighter one: what a person
///                  who does not know the answer could pick
/// @param any       cheapest that meets the bound at all, also by luck (errors pass through zero)
/// @param tried     settings run
/// @return 0, or -1 if no setting of the grid reaches the bound
int peer_scan(const block *b, peer_solver s, peer_event e, double exact, double bound, peer_options *reliable,
              peer_options *any, int *tried);

#endif
