// SPDX-License-Identifier: Apache-2.0
/// One arc of motion and its derivatives, by any of the three methods:
///   event   exact modes; the linearised flow with saltation (flow/variation.h)
///   switch  stick band; differences of perturbed runs, as in Leine et al. (1998)
///   smooth  arctan friction; variational equation integrated with the motion
#ifndef AMO_ORBIT_SHOT_H
#define AMO_ORBIT_SHOT_H

#include "amontons/sim.h"
#include "model/compiled.h"

/// What an arc cost.
typedef struct amo_effort {
  long trajectories, steps, rejected, rhs, jacobians, factorisations, events;
} amo_effort;

typedef struct amo_shot {
  double *end;          // [ns] state after the arc
  double *matrix;       // [ns][ns] column j: d end / d start_j
  double *sensitivity;  // [np][ns] d end / d parameter
  double *leave;        // [ns] rates at the start
  double *arrive;       // [ns] rates at the end
  double *size;         // [ns] largest magnitude along the arc
  double *low, *high;   // [nq] range of the coordinates, turning points included (event method)
  amo_event *event;     // of the arc (event method)
  size_t events, capacity;
  uint32_t ties;  // conditions that constraints and guides put on the state
  uint32_t rank;  // bound on the rank of the matrix
  bool grazing, together;
  long points;  // step ends near stick (smooth), for the count of the source
} amo_shot;

typedef struct amo_shooter amo_shooter;

typedef struct amo_shooter_ops {
  amo_status (*make)(amo_shooter *s);
  void (*destroy)(amo_shooter *s);
  /// The arc alone (derivatives false), or with `matrix` and `sensitivity`.
  amo_status (*run)(amo_shooter *s, double t0, const double *y0, double duration, bool derivatives,
                    amo_shot *out);
} amo_shooter_ops;

struct amo_shooter {
  const amo_model *m;
  amo_sim_opts opt;
  const amo_shooter_ops *ops;
  void *impl;
  uint32_t ns, np;
  uint32_t *param_index;  // [np]
  double *param;          // [model np]
  amo_values values;      // with `param`; initial state and time are those of opt.values
  const double *
      along;  // [np][model np] what each chosen one changes of all, at the last run; NULL: not known to this method
  double xi;  // switch: size of the perturbations
  amo_effort total, last;
  volatile int *stop;  // may be NULL: nonzero ends a run
  char message[256];
};

/// @param param  [np] plain parameters with sensitivities (event method only)
amo_status amo_shooter_new(const amo_model *m, const amo_sim_opts *opt, const uint32_t *param, size_t np,
                           double xi, amo_diags *diags, amo_shooter **out);
void amo_shooter_free(amo_shooter *s);
/// Change plain parameter i of the model; derived ones follow.
void amo_shooter_set(amo_shooter *s, uint32_t i, double value);
amo_status amo_shot_new(const amo_shooter *s, amo_shot **out);
void amo_shot_free(amo_shot *x);
amo_status amo_shoot(amo_shooter *s, double t0, const double *y0, double duration, bool derivatives,
                     amo_shot *out);
bool amo_shot_note(amo_shot *x, const amo_event *e);  // append; false without memory
amo_status amo_shooter_fail(amo_shooter *s, amo_status st, const char *fmt, ...) AMO_PRINTF(3, 4);

extern const amo_shooter_ops amo_shoot_event, amo_shoot_switch, amo_shoot_smooth;

#endif
