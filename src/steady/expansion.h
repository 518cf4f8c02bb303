// SPDX-License-Identifier: Apache-2.0
/// Exact derivatives of a whole system in a given mode: every quantity as a power series along a straight line
/// in the space of states and time. One direction gives a directional derivative, two orders a second one; nothing
/// is differenced. Accelerations, stick forces and reactions come from the same balance of forces as the motion.
#ifndef AMO_STEADY_EXPANSION_H
#define AMO_STEADY_EXPANSION_H

#include "contact/balance.h"

typedef struct amo_expansion {
  const amo_model *m;  // the expanded one
  int order;           // highest coefficient
  double *jet;         // [registers][order + 1]
  signed char *branch, *mode, *press;
  amo_balance *balance;
  double *acc, *lambda, *multiplier, *reaction;  // [item][order + 1]
} amo_expansion;

amo_status amo_expansion_new(const amo_model *m, int order, amo_expansion **out);
void amo_expansion_free(amo_expansion *x);
void amo_expansion_parameters(amo_expansion *x, const double *param);
/// Values at a state. The signs of the reactions of slipping guides are found. AMO_ENOANSWER: singular.
amo_status amo_expansion_at(amo_expansion *x, double t, const double *state, const signed char *mode);
/// Coefficients 1..order along state + s*dir, t + s*dt; the state is that of amo_expansion_at.
void amo_expansion_along(amo_expansion *x, const double *dir, double dt, int order);

/// Coefficient k of a register, of the rate of a state, of the friction force of a contact along its slip.
double amo_expansion_register(const amo_expansion *x, uint32_t reg, int k);
double amo_expansion_rate(const amo_expansion *x, uint32_t state, int k);
double amo_expansion_friction(const amo_expansion *x, uint32_t contact, int k);
double amo_expansion_reaction(const amo_expansion *x, uint32_t contact, int k);

#endif
