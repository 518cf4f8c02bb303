// SPDX-License-Identifier: Apache-2.0
/// The linearised system, once: exact derivatives of a whole system in a given mode. Every quantity is a power series along a straight line
/// in the space of states, parameters and time. One direction gives a directional derivative, two orders a second one; nothing
/// is differenced. The balance of forces is that of the contacts, order by order, so that tangents contain the turning of
/// slip directions and the change of reactions. Lines lie side by side in lanes: all directions from one place at once, or one from many.
#ifndef AMO_CONTACT_EXPANSION_H
#define AMO_CONTACT_EXPANSION_H

#include "base/mem.h"
#include "contact/balance.h"

typedef struct amo_expansion {
  amo_arena memory;
  const amo_model *m;                 // everything that is read has a series in it
  int order;                          // highest coefficient
  size_t lanes;                       // 1 or AMO_LANES
  double *jet;                        // [registers][order + 1][lanes]
  signed char *branch;                // [switches][lanes]
  signed char *mode, *reaction_sign;  // [nc]
  bool hold;                          // branches stay as they are in `branch`
  double *xi;                         // [nxi] directions of spatial contacts, used where they do not move, or
  const bool *begins;                 // [nc] where their slips begin from rest; NULL: none
  double *speed;                      // [nc][order + 1][lanes] of spatial slips
  amo_balance *balance;
  size_t unknowns;  // numbers in each of:
  double *unknown
      [2];  // accelerations, friction, reactions, multipliers, friction along axes, [order + 1] each; [1]: shared out
} amo_expansion;

/// Coefficients of a quantity.
static inline size_t amo_width(const amo_expansion *x)
{
  return (size_t)x->order + 1;
}

/// Coefficient k of a register in a lane; of a fixed one there is only the first.
static inline double amo_coefficient(const amo_expansion *x, uint32_t reg, int k, int lane)
{
  if (k > 0 && amo_prog_is_fixed(x->m->step, reg)) return 0.0;
  return x->jet[(reg * amo_width(x) + (size_t)k) * x->lanes + (size_t)lane];
}

/// One line at a time, in the expanded model.
amo_status amo_expansion_new(const amo_model *m, int order, amo_expansion **out);
/// In a model that is compiled for series (amo_model_expanded, amo_vary).
amo_status amo_expansion_of(const amo_model *m, int order, size_t lanes, amo_expansion **out);
void amo_expansion_free(amo_expansion *x);
void amo_expansion_parameters(amo_expansion *x, const double *param);

// ---- step by step, in all lanes ----

/// Coefficient k of a leaf.
void amo_expansion_put(amo_expansion *x, uint32_t leaf, int k, double value);
void amo_expansion_place(amo_expansion *x, double t, const double *state);
/// Modes as numbers of the program, and what depends on them and on parameters alone.
void amo_expansion_fix(amo_expansion *x, const signed char *mode);
/// Coefficient k of all registers, directions of spatial slips among them.
void amo_expansion_eval(amo_expansion *x, int k);
/// The balance in x->mode and x->reaction_sign, or (impacts) in others; then its factors at lane 0, and coefficient k in a lane.
void amo_expansion_arrange(amo_expansion *x, const signed char *mode, const signed char *reaction_sign);
amo_status amo_expansion_factor(amo_expansion *x);
void amo_expansion_solve(amo_expansion *x, int lane, int k, const amo_rates *jump);
/// Forces that the balance leaves open are shared out, in coefficients 0..order.
amo_status amo_expansion_share(amo_expansion *x, int lane, int order);
/// Where the balance puts its unknowns, or where they are when shared out.
amo_result amo_expansion_results(const amo_expansion *x, bool shared);

// ---- at a state, along a line; one lane ----

/// Values at a state. The signs of the reactions of slipping guides are found. AMO_ENOANSWER: singular.
amo_status amo_expansion_at(amo_expansion *x, double t, const double *state, const signed char *mode);
/// The first half of it: registers only, no balance of forces.
void amo_expansion_registers(amo_expansion *x, double t, const double *state, const signed char *mode);
/// Coefficients 1..order along state + s*dir, t + s*dt; the state is that of amo_expansion_at.
void amo_expansion_along(amo_expansion *x, const double *dir, double dt, int order);
/// The same of registers only; after amo_expansion_registers.
void amo_expansion_registers_along(amo_expansion *x, const double *dir, double dt, int order);

/// Coefficient k of a register (none: 0), of the rate of a state, of the friction force of a contact along its slip (spatial:
/// along axis 0 or 1), of its normal force.
double amo_expansion_register(const amo_expansion *x, uint32_t reg, int k);
/// Of a support, as its gap and its ends say: do its surfaces face each other; are they apart?
bool amo_expansion_is_within(const amo_expansion *x, uint32_t c);
bool amo_expansion_is_apart(const amo_expansion *x, uint32_t c);
double amo_expansion_rate(const amo_expansion *x, uint32_t state, int k, int lane);
double amo_expansion_friction(const amo_expansion *x, uint32_t contact, uint32_t axis, int k);
double amo_expansion_reaction(const amo_expansion *x, uint32_t contact, int k);

#endif
