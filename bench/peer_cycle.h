// SPDX-License-Identifier: Apache-2.0
/// Shooting for the block on the belt by hand-written C on SUNDIALS: motion and variational equation by CVODE's Adams
/// method, the library's rootfinding at the ends of slip, stick and both jumps in closed form, Newton's method on the
/// state and the period.
#ifndef BENCH_PEER_CYCLE_H
#define BENCH_PEER_CYCLE_H

#include "block.h"

typedef struct peer_cycle peer_cycle;

peer_cycle *peer_cycle_new(const block *b, double tol);  // NULL when out of memory
void peer_cycle_free(peer_cycle *p);
/// From (x, 0) and the guess of the period to a defect of at most `accuracy`; returns the period, NAN on failure.
double peer_cycle_find(peer_cycle *p, double x, double period, double accuracy);
long peer_cycle_rhs(const peer_cycle *p);  // of the last search, dimension 6
double peer_cycle_defect(const peer_cycle *p);

#endif
