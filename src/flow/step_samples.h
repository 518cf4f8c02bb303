// SPDX-License-Identifier: Apache-2.0
/// The last step looked at from the model's side: everything at Gauss points and at the ends of the step, forces solved anew
/// from the states there. Taken once per step, read by the audit and by whoever wants integrals and extrema. Models without
/// spatial contacts are evaluated eight points at a time (flow/step_lanes.h).
#ifndef AMO_FLOW_STEP_SAMPLES_H
#define AMO_FLOW_STEP_SAMPLES_H

#include "flow/sim.h"
#include "flow/step_rows.h"

typedef struct amo_step_samples {
  amo_arena memory;
  int points;                      // 16, or 8 for methods of short steps; the first and the last are the ends
  double place[AMO_STEP_POINTS];   // in [0, 1]; beyond the last point 2
  double weight[AMO_STEP_POINTS];  // of the quadrature, sum 1, none at the ends: exact to degree 2 points - 5
  double from, length;             // what is covered: all of the step, or a part
  double t[AMO_STEP_POINTS];
  double *state;                // [states]
  double *acceleration;         // [coordinates]
  double *rate;                 // [further states]
  double *slip, *force;         // [contacts]
  double *bound, *normal;       // [contacts] largest force in stick, normal force
  double *gap;                  // [contacts] 0 where there is none, or only rounding of one
  double *speed, *reach;        // [contacts] sizes of the terms of slip and gap
  double *output;               // [outputs]
  double *kinetic, *potential;  // energies
  double *supplied;             // power of loads, dampers, drives, moving surfaces and ties
  double *blur;                 // power that is not known better
  double *power;                // [order + 1][AMO_STEP_POINTS] powers of the places; NULL without series
  signed char *side;            // [switches of the report][8] branches inside the step, for its ends
  // ---- evaluation of eight points at a time ----
  double *step_register, *report_register;  // [registers][8]; NULL: one at a time
  double *multiplier;                       // [constraints] forces of ties
  double
      *error;    // [registers of the step][lanes] what rounding may have made of them, where it was asked for
  bool bounded;  // it was
  signed char *branch;          // [switches][8] of the step
  signed char *prepared_mode;   // [contacts] modes of which the fixed registers are, then signs of reactions
  bool prepared;                // these are in place
  struct amo_balance *balance;  // arranged for them; NULL: a plain model
  bool steady;                  // its matrices do not change in time: factored when they were prepared
} amo_step_samples;

/// Values of one item at all points.
static inline double *amo_step_row(double *array, size_t item)
{
  return array + item * AMO_STEP_POINTS;
}

amo_status amo_step_samples_new(const amo_sim *s, amo_step_samples **out);
void amo_step_samples_free(amo_step_samples *p);  // accepts NULL
/// Parameters or the state have changed: nothing of the last step is of use.
void amo_step_samples_reset(amo_step_samples *p);
/// Look at what lies in [from, to] of the last step. What is there already is not taken again.
amo_status amo_step_samples_take(amo_sim *s, double from, double to);

/// What the forces of contact c are measured against at the end of the step: loads of its block. 0: not known.
double amo_step_force_size(const amo_step_samples *p, uint32_t c);

#endif
