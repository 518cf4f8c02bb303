// SPDX-License-Identifier: Apache-2.0
/// The balance of forces (balance.h) in intervals: bounds of accelerations and forces, and of their Taylor coefficients, for
/// all matrices and loads within given intervals. Each block A x = b is solved with an approximate inverse R:
///   x = R b + (I - R A) x,   so that |x| <= |R b| / (1 - |I - R A|),
/// which also proves that no A of the interval is singular. No inverse is trusted: if R is bad, nothing is proven.
#ifndef AMO_CONTACT_ENCLOSED_BALANCE_H
#define AMO_CONTACT_ENCLOSED_BALANCE_H

#include "expr/interval.h"
#include "model/compiled.h"

typedef struct amo_enclosed_balance amo_enclosed_balance;

/// Series with interval coefficients: coefficient k of register r is jet[r*stride + k], of unknown i acc[i*stride + k].
typedef struct amo_enclosed_series {
  amo_interval *jet;         // [registers]
  amo_interval *acc;         // [nq]
  amo_interval *lambda;      // [nc] friction along the slip, of sticking contacts and those with a gap
  amo_interval *reaction;    // [nc]
  amo_interval *multiplier;  // [ng]
  size_t stride;
} amo_enclosed_series;

amo_status amo_enclosed_balance_new(const amo_model *m, amo_enclosed_balance **out);
void amo_enclosed_balance_free(amo_enclosed_balance *b);
/// As amo_balance_arrange. AMO_ENOMEM.
amo_status amo_enclosed_balance_arrange(amo_enclosed_balance *b, const signed char *mode,
                                        const signed char *reaction_sign);
/// With the matrices at order 0. NULL, or why nothing can be proven with them (static text).
const char *amo_enclosed_balance_factor(amo_enclosed_balance *b, const amo_enclosed_series *x);
/// Coefficient k of the unknowns from coefficients 0..k of the registers and 0..k-1 of the unknowns.
void amo_enclosed_balance_solve(const amo_enclosed_balance *b, const amo_enclosed_series *x, int k);

#endif
