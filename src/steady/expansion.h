// SPDX-License-Identifier: Apache-2.0
/// Exact derivatives of a whole system in a given mode: every quantity as a power series along a straight line
/// in the space of states and time. One direction gives a directional derivative, two orders a second one; nothing
/// is differenced. The balance of forces is that of the contacts, order by order, so that tangents contain the turning of
/// slip directions and the change of reactions.
#ifndef AMO_STEADY_EXPANSION_H
#define AMO_STEADY_EXPANSION_H

#include "base/mem.h"
#include "contact/balance.h"

typedef struct amo_expansion {
  amo_arena memory;
  const amo_model *m;  // the expanded one
  int order;           // highest coefficient
  double *jet;         // [registers][order + 1]
  signed char *branch, *mode, *reaction_sign;
  bool hold;      // branches stay as they are in `branch`
  double *xi;     // [nxi] directions of spatial contacts, used where they do not move
  double *speed;  // [nc][order + 1] of spatial slips
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

amo_status amo_expansion_new(const amo_model *m, int order, amo_expansion **out);
void amo_expansion_free(amo_expansion *x);
void amo_expansion_parameters(amo_expansion *x, const double *param);
/// Values at a state. The signs of the reactions of slipping guides are found. AMO_ENOANSWER: singular.
amo_status amo_expansion_at(amo_expansion *x, double t, const double *state, const signed char *mode);
/// The first half of it: registers only, no balance of forces.
void amo_expansion_registers(amo_expansion *x, double t, const double *state, const signed char *mode);
/// Coefficients 1..order along state + s*dir, t + s*dt; the state is that of amo_expansion_at.
void amo_expansion_along(amo_expansion *x, const double *dir, double dt, int order);
/// The same of registers only; after amo_expansion_registers.
void amo_expansion_registers_along(amo_expansion *x, const double *dir, double dt, int order);

/// Coefficient k of a register, of the rate of a state, of the friction force of a contact along its slip (spatial:
/// along axis 0 or 1), of its normal force.
double amo_expansion_register(const amo_expansion *x, uint32_t reg, int k);
/// Of a support, as its gap and its ends say: do its surfaces face each other; are they apart?
bool amo_expansion_is_within(const amo_expansion *x, uint32_t c);
bool amo_expansion_is_apart(const amo_expansion *x, uint32_t c);
double amo_expansion_rate(const amo_expansion *x, uint32_t state, int k);
double amo_expansion_friction(const amo_expansion *x, uint32_t contact, uint32_t axis, int k);
double amo_expansion_reaction(const amo_expansion *x, uint32_t contact, int k);

#endif
