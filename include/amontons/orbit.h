// SPDX-License-Identifier: Apache-2.0
/// Periodic motion: limit cycles and forced responses, with their Floquet multipliers.
///
///   amo_cycle_opts o = amo_cycle_opts_default();
///   amo_cycle *c;
///   if (amo_cycle_find(model, &o, NULL, NULL, &c) == AMO_OK) use(c->period, c->multiplier, c->stable);
///   amo_cycle_free(c);
#ifndef AMONTONS_ORBIT_H
#define AMONTONS_ORBIT_H

#include "amontons/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct amo_cycle_opts {
  amo_sim_opts sim;    // method, tolerance; the audit is not used
  double period;       // guess: shoot from the state itself; 0: let the motion settle and see after what time it repeats
  double forcing;      // period of what depends on time; 0: taken from the model
  int periods;         // forced: the motion repeats after so many of them; 0: found out
  double transient;    // time to let pass before anything else
  double accuracy;     // defect of the periodicity, relative to the size of each state
  int iterations;      // most Newton steps
  int segments;        // arcs of multiple shooting; 1: single shooting
  double perturbation; // method switch: absolute change of the states for the derivatives
  bool damped;         // halve Newton steps that do not help
  volatile int *stop;  // may be NULL: set it to nonzero to end the search (AMO_EINTR)
} amo_cycle_opts;
AMO_API amo_cycle_opts amo_cycle_opts_default(void);

typedef struct amo_multiplier {
  double re, im, abs;
} amo_multiplier;

/// Effort of a search or of an arc.
typedef struct amo_cycle_effort {
  long trajectories, steps, rejected, rhs, jacobians, factorisations;
} amo_cycle_effort;

/// A Newton iterate: where it stood, and where the full step would have led.
typedef struct amo_cycle_iterate {
  double period, residual, damping, proposed_period;
  double *state, *proposed;  // [states]
  double *matrix;            // [states][states] by columns, NULL if it was not needed
  amo_cycle_effort effort;   // of its arc
} amo_cycle_iterate;

typedef struct amo_cycle {
  size_t states, contacts;
  double period;       // the shortest after which the motion repeats
  int multiple;        // the period that the iteration found is this many times longer
  bool forced;         // period given by the forcing; then there is no multiplier 1 of the phase
  double forcing;      // its period; 0 if not forced
  double t;            // time at the start
  double *state;       // [states] at the start
  double *matrix;      // [states][states] column j: d state(T) / d state_j(0)
  amo_multiplier *multiplier;  // [states] largest first
  size_t zeros;        // that are exactly zero because contacts stick
  size_t trivial;      // number of the multiplier 1 of an autonomous system; = states when there is none
  bool stable;
  bool grazing;        // an event without crossing: multipliers do not exist there
  double residual;     // largest defect of the state after a period
  int iterations;      // Newton steps
  amo_cycle_iterate *iterate;  // [iterations + 1]
  amo_cycle_effort effort, final_effort;  // of the whole search; of the last arc
  size_t events;
  amo_event *event;     // [events] over one period (event method)
  double *event_state;  // [events][states] just after
  double *stick;        // [contacts] fraction of the period in stick
  double *size;         // [states] largest magnitude along the cycle
} amo_cycle;

/// @param start  [states], NULL: the model's initial state
/// AMO_ENOANSWER: there is no cycle, or none was found; the reason is in `diags`.
AMO_API amo_status amo_cycle_find(const amo_model *m, const amo_cycle_opts *o, const double *start, amo_diags *diags,
                                  amo_cycle **out);
AMO_API void amo_cycle_free(amo_cycle *c);  // accepts NULL

#ifdef __cplusplus
}
#endif
#endif
