// SPDX-License-Identifier: Apache-2.0
/// The whole system at one state, as values: registers, balance, forces.
#ifndef AMO_CONTACT_POINT_H
#define AMO_CONTACT_POINT_H

#include "base/mem.h"
#include "contact/balance.h"

/// Values of the whole system at one state: registers of the step program plus the solved balance.
typedef struct amo_point {
  amo_arena memory;
  const amo_model *m;
  double *reg;    // [registers of step], leaves included
  double *fixed;  // [np + nc] parameters and modes of which the fixed registers are
  bool prepared;  // there are such
  double *acc, *lambda, *multiplier;
  double *reaction;  // [nc] normal force: given, or R of a guide or support
  double *traction;  // [nxi] friction along the axes of spatial contacts; lambda: its size, negative in slip
  double *xi;        // [nxi] directions of slip where the slip velocity is zero
  signed char *reaction_sign;      // [nc] assumed sign of the reaction of slipping guides; see balance.h
  amo_balance *balance;            // as arranged last
  struct amo_joints *joints;       // normal forces that are sizes of reactions; NULL: none
  struct amo_balance_cache *kept;  // owns it where matrices are constant; NULL otherwise
  const signed char *branch;       // NULL: actual signs
  const bool *stressed;            // [nc] see amo_balance_share_out; NULL: none
  uint32_t *diagonal;              // [nq] register of M_ii
  double slack;                    // relative difference of forces that is rounding (default 1e-12)
  double *work;                    // [2 nc + nxi + ng + nq] scratch of amo_settle
  signed char *bare;               // [nc] zeros: guides without friction, for projections
  signed char *mirrored;           // [nc] scratch of amo_point_evaluate
  double *extra;                   // [nq]
  double *impulse;                 // [2 nc + nxi + ng] scratch of amo_point_project
} amo_point;

amo_status amo_point_new(const amo_model *m, amo_point **out);
void amo_point_free(amo_point *p);
/// Take over parameters; call before the first evaluation and after changes.
void amo_point_parameters(amo_point *p, const double *param);
/// Evaluate at (t, state) in the given modes: registers, factors, accelerations, all contact forces.
amo_status amo_point_evaluate(amo_point *p, double t, const double *state, const signed char *mode);
/// The two halves of it: the program, then the balance with an `extra` generalised force (NULL: none).
void amo_point_registers(amo_point *p, double t, const double *state, const signed char *mode);
amo_status amo_point_solve(amo_point *p, const signed char *mode, const double *extra);
/// The registers without the normal forces of joints, which are to be found.
void amo_point_clear_joints(amo_point *p);
/// The balance arranged for these modes and factored at the evaluated registers.
amo_status amo_point_arrange(amo_point *p, const signed char *mode, const signed char *reaction_sign);
/// Smallest change of velocities that removes the rates of the ties of these modes (NULL where there are none).
amo_status amo_point_project(amo_point *p, const signed char *mode, amo_rates violation, double *du);
/// Slip of contact c, which is not tied in these modes, by a unit of impulse along it; guides without friction. 0: nothing, or
/// the balance is singular.
double amo_point_ease(amo_point *p, const signed char *mode, uint32_t c);
/// Rate of state i at the evaluated point.
double amo_point_rate(const amo_point *p, uint32_t i);
/// Largest friction force in stick: bound, times |R| for guides and supports.
double amo_point_bound(const amo_point *p, uint32_t c);
/// The stick force of contact c is not determined by the motion.
bool amo_point_indeterminate(const amo_point *p, uint32_t c);
/// Slip acceleration of contact c at the evaluated point.
double amo_point_slip_acceleration(const amo_point *p, uint32_t c);
/// Scale of slip accelerations that friction can cause: bound * w M^-1 w (diagonal estimate).
double amo_point_acceleration_scale(const amo_point *p, uint32_t c);

/// Loads and friction at evaluated registers, `stride` apart: the coordinate on which the force has no finite value (a root of a negative
/// number), or the number of coordinates and the contact of which the friction has none; -1: all have.
long amo_undefined_at(const amo_model *m, const double *reg, size_t stride);
/// In words, for a message: "the force on x".
enum { AMO_UNDEFINED_TEXT = 160 };
void amo_undefined_name(const amo_model *m, long what, char *text, size_t size);

/// A contact that is at rest at the evaluated registers, where its law says nothing; -1: none.
long amo_point_lawless(const amo_point *p);

/// One contact that may change its mode now.
typedef enum amo_standing {
  AMO_MOVING,    // slip velocity is not zero: mode stays
  AMO_RESTING,   // sticking before, may stay
  AMO_ARRIVING,  // slip velocity has just reached zero
  AMO_LEAVING,   // stick bound has just been reached: slips in the direction given by mode
  AMO_PASSING    // slip velocity is zero where nothing can hold it: goes on in the direction given by mode
} amo_standing;

/// Memory of a law at the start of stick: what `reset` says at the evaluated point, into `state`. Is there any?
bool amo_reset_memory(const amo_point *p, double *state, uint32_t contact);

/// Set the slip velocity of sticking contacts (and the constraint rates) to zero by the smallest change
/// of velocities, then exactly for slips that are a plain difference of velocities. The registers of the point must be
/// those of this state and these modes; they are so afterwards, but for that last correction.
amo_status amo_settle(amo_point *p, double t, double *state, const signed char *mode);

/// Coordinates without mass whose friction is beyond what holds them, or not that of their slip, move until it is.
void amo_settle_sliders(amo_point *p, double t, double *state, const signed char *mode);

/// A row of the balance times velocities or accelerations x.
static inline double amo_along(const amo_point *p, const amo_entry *row, uint32_t n, const double *x)
{
  double sum = 0.0;
  for (uint32_t e = 0; e < n; e++) sum += p->reg[row[e].reg] * x[row[e].col];
  return sum;
}

#endif
