// SPDX-License-Identifier: Apache-2.0
/// Newton's method for periodic motion, single or multiple shooting:
///
///   phi(y_i; t0 + iT/N, T/N) = y_{i+1},  y_N = y_0 + shift   T unknown (autonomous) or given (forced)
///   f(y_0) . dy_0 = 0                                        autonomous: the phase
///
/// The shift is what the equations do not notice (drift.h), whatever it is; the start stays where it is along free ones.
///
/// The steps are solved by singular values in scaled variables, so that what the equations leave open (a family of
/// cycles, directions that stick has made equal) stays where it is.
#ifndef AMO_ORBIT_SHOOTING_H
#define AMO_ORBIT_SHOOTING_H

#include "orbit/drift.h"
#include "orbit/shot.h"

/// One Newton iterate, before its step.
typedef struct amo_iterate {
  double period, residual;
  double *state;     // [ns] y_0
  double *matrix;    // [ns][ns] of the first arc; valid if has_matrix
  double *proposed;  // [ns] where the full step would lead
  double proposed_period;
  double damping;  // part of the full step that was taken
  bool has_matrix;
  amo_effort effort;  // of the arcs themselves
} amo_iterate;

typedef struct amo_shooting {
  amo_shooter *s;
  const amo_drift *drift;
  bool autonomous;
  int segments;
  double t0, period;
  double *y;        // [segments][ns]
  amo_shot **shot;  // [segments] at y
  double *defect;   // [segments][ns] of the arcs: end less next start, less the shift
  double *scale;    // [ns] sizes of the states along the cycle
  double residual;  // largest component of the defects
  double error;     // the same against the scales
  bool rests;       // the last iterate is an equilibrium
  bool guarded;     // period kept within a factor of two per step
  bool damped;      // steps that make things worse are halved
  amo_iterate *iterate;
  size_t iterates, capacity;
  double *unit;  // [ns] of the states in the linear system
  double unit_time;
  double *a, *b, *lu;  // linear system
  double *work;
} amo_shooting;

amo_status amo_shooting_new(amo_shooter *s, const amo_drift *drift, bool autonomous, int segments,
                            amo_shooting **out);
void amo_shooting_free(amo_shooting *x);
/// Start at (t0, y0) with this period; further nodes lie on the trajectory.
amo_status amo_shooting_begin(amo_shooting *x, double t0, const double *y0, double period);
/// Iterate until `error` <= accuracy. AMO_ENOANSWER: no convergence, or an equilibrium (x->s->message).
amo_status amo_shooting_solve(amo_shooting *x, double accuracy, int most);

#endif
