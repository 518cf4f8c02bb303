// SPDX-License-Identifier: Apache-2.0
/// Rates of the motion in a given mode and their exact derivatives along states, parameters and time; the same for
/// every condition whose zero is an event. Derivatives are series of order 1, eight directions at a time.
#ifndef AMO_CONTACT_DERIVATIVE_H
#define AMO_CONTACT_DERIVATIVE_H

#include "contact/expansion.h"
#include "contact/ties.h"
#include "model/vary.h"

/// A state in its modes. Modes and branches are those of the engine (amo_lane).
typedef struct amo_place {
  double t;
  const double *y;  // [ns]
  const signed char *mode, *reaction_sign, *branch;
  const bool *begins;  // [nc] spatial slips that begin here from rest, NULL: none
  const double *xi;    // [nxi] their directions
  bool own_side;       // of seams, by the sign of their argument here, which `branch` may have beyond them
} amo_place;

/// An impact that the engine has solved, or a stop of guides: what each contact does in it (contact/impact.h).
typedef struct amo_impact_modes {
  const signed char *mode, *reaction_sign;  // [nc]
  const bool *bounces;                      // [nc] the support closes with its restitution
  long turns;                               // spatial contact that slides in it, -1: none
  const double *xi;                         // [nxi] its direction
} amo_impact_modes;

/// A value and its derivatives along all directions: states, chosen parameters, time.
typedef struct amo_gradient {
  double value;
  double *d;  // [n]
} amo_gradient;

typedef struct amo_derivative {
  amo_arena memory;
  const amo_model *model;  // whose modes and branches places have
  amo_vary *vary;
  const amo_model *m;  // = &vary->view
  uint32_t ns, np, n;  // states; chosen parameters; n = ns + np + 1 directions, time last
  double *f;           // [ns] rates
  double *df;          // [n][ns] derivative of the rates along each direction
  double blur;         // of directions of spatial slips: rounding of the slip velocity, relative to it
  // what amo_derivative_conditions fills
  amo_gradient *slip, *bound, *lambda, *reaction;  // [nc]; lambda: of sticking contacts
  amo_gradient *gap;                               // [nc] of supports
  amo_gradient *axis, *pull;  // [nxi] slips and stick forces of spatial contacts along axes
  amo_gradient *change;       // [switches of the model] switching arguments
  amo_gradient
      *tie;  // [ties] what stays at zero, positions and velocities: constraints, guides, closed supports
  uint32_t ties, lasting, most_ties;  // at this place; those that hold at every place come first; room
  amo_gradient *reset;                // [nz] value taken when stick begins
  // what amo_derivative_impact fills
  double *kick;   // [nq] change of velocities
  double *dkick;  // [n][nq]
  // work
  amo_expansion *x;  // of order 1, a direction or a place in each lane
  amo_ties held;
  double *value, *rate, *work, *violation, *across;
  signed char *incoming;
  bool *turning;    // [nc]
  long *switch_of;  // [switches of the view] the model's number, -1: none
  bool prepared;
  long evaluations;
} amo_derivative;

/// Derivatives along all states, the np parameters and time. The model must outlive it. amo_derivative_parameters comes next.
amo_status amo_derivative_new(const amo_model *m, const uint32_t *param, size_t np, amo_derivative **out);
void amo_derivative_free(amo_derivative *d);
void amo_derivative_parameters(amo_derivative *d, const double *value);
/// f and df. AMO_ENOANSWER: singular mass matrix.
amo_status amo_derivative_rates(amo_derivative *d, const amo_place *at);
/// df along states and parameters at places along a smooth stretch, with modes and branches of `common`: t [count], y [count][ns];
/// df [count][ns + np][ns]. Leaves the largest blur.
amo_status amo_derivative_rates_along(amo_derivative *d, const amo_place *common, size_t count,
                                      const double *t, const double *y, double *df);
/// f, df and all conditions.
amo_status amo_derivative_conditions(amo_derivative *d, const amo_place *at);
/// Change of velocities in an impact of that kind, and its derivatives, at the place before it, where conditions have just been taken.
amo_status amo_derivative_impact(amo_derivative *d, const amo_place *before, const amo_impact_modes *strike);
/// Margin of a sticking contact towards slip in direction `to`: zero when it leaves. `out->d` has room for n.
void amo_derivative_margin(const amo_derivative *d, uint32_t contact, int to, amo_gradient *out);
/// Directions that the last place has lost: velocities of sticking contacts that hold something of their own, gaps of
/// closed supports and their rates.
uint32_t amo_derivative_lost(const amo_derivative *d, const amo_place *at);

#endif
