// SPDX-License-Identifier: Apache-2.0
/// Brute force for contacts that share coordinates; an oracle that shares nothing with the engine.
///
///   M x'' = -K x + sum_c W_c^T lambda_c,      slip_c = W_c x' - belt_c
///   slip:  lambda_c = -sign(slip_c) kinetic_c/(1 + delta_c |slip_c|);   stick: |lambda_c| <= static_c
///
/// Method: fixed steps h, Moreau type. Spring forces frozen at the midpoint x + h/2 u; the impulses of all contacts
/// follow together from the Delassus matrix G = W M^-1 W^T by projected Gauss-Seidel: a contact in slip has the
/// friction of its mean speed, one in stick has the impulse that keeps its slip zero, clamped to +-h static. A
/// step in which a contact in slip passes zero, or in which the contacts in stick can no longer hold (Gauss-Seidel
/// at the end of the step leaves an acceleration), is cut there by bisection. There the accelerations of all contacts
/// with zero slip are solved for together, and their signs are the new modes. Second order in h, events
/// included. No integrator order control, no dense output, no power series, no factorisation by modes.
///
/// With static = kinetic(0) this problem has one solution. With static > kinetic(0) it may have several when one
/// change of mode makes other contacts change at the same moment; the oracle then stops: `cascade`.
#ifndef ORACLE_COUPLED_H
#define ORACLE_COUPLED_H

#include <stdbool.h>

enum { COUPLED_N = 4, COUPLED_C = 3, COUPLED_EVENTS = 512 };

typedef struct coupled {
  int n, nc;
  double M[COUPLED_N][COUPLED_N], K[COUPLED_N][COUPLED_N], W[COUPLED_C][COUPLED_N];
  double belt[COUPLED_C], hold[COUPLED_C], kinetic[COUPLED_C], delta[COUPLED_C];  // hold: static friction
  double x[COUPLED_N], u[COUPLED_N];
} coupled;

typedef struct coupled_event {
  double t;
  int contact, from, to;
} coupled_event;

typedef struct coupled_run {
  int start[COUPLED_C], end[COUPLED_C];
  coupled_event event[COUPLED_EVENTS];
  int events;
  bool lost;       // too many events, or Gauss-Seidel did not converge
  double cascade;  // time of the first change of mode with more than one answer; infinity if there is none
  double x[COUPLED_N], u[COUPLED_N];
} coupled_run;

/// Run with `steps` equal steps to t_end, or to the first cascade.
void oracle_coupled_run(const coupled *c, double t_end, long steps, coupled_run *r);

/// The oracle with its own error, from runs with h, h/2, h/4: e = C h^2, C the larger one of the two differences, and of
/// all components; a factor 2 because C is irregular (where an event falls in its step), see oracle_chain.h.
/// Where the three runs disagree in the modes of a contact, or at a cascade, t_end is shortened to just before. The rule
/// looks at the oracle alone.
typedef struct coupled_result {
  coupled_run run;  // the finest
  double t_end, state_error, time_error, order;
  bool cascade;  // shortened because of one
} coupled_result;

void oracle_coupled_solve(const coupled *c, double t_end, double h, coupled_result *r);

#endif
