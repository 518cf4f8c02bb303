// SPDX-License-Identifier: Apache-2.0
/// The balance of forces in a given mode: accelerations, stick forces and multipliers at once,
///
///   | M  -W_s^T  -G^T | | u'     |   |  h     |
///   | W_s   0     0   | | lambda | = | -zeta  |      (s: sticking contacts; h contains slip friction)
///   | G     0     0   | | Lambda |   | -zeta_g|
///
/// for values and, order by order, for Taylor coefficients with one factorisation per step. The system
/// falls apart into blocks (connected coordinates); each is factored densely. Constraint rows are
/// eliminated first, so that a sticking contact's acceleration is exact, not a difference of big numbers.
#ifndef AMO_CONTACT_BALANCE_H
#define AMO_CONTACT_BALANCE_H

#include "model/compiled.h"

/// Where numbers lie: coefficient k of register r is base[r*reg + k*ord].
typedef struct amo_span {
  const double *base;
  size_t reg, ord;
} amo_span;

/// Results: coefficient k of item i is x[i*item + k*ord].
typedef struct amo_result {
  double *acc, *lambda, *multiplier;
  size_t item, ord;
  const double *extra;       // [nq] force added to h at order 0; NULL: none
} amo_result;

typedef struct amo_balance amo_balance;  // workspace; one per trajectory

amo_status amo_balance_new(const amo_model *m, amo_balance **out);
void amo_balance_free(amo_balance *b);

/// Arrange blocks for these modes (mode[c] == 0: contact c sticks).
void amo_balance_arrange(amo_balance *b, const signed char *mode);
/// Factor with the matrices at order 0. AMO_ENOANSWER: singular (see amo_balance_singular).
amo_status amo_balance_factor(amo_balance *b, amo_span v);
/// Coefficient k of all unknowns from coefficients 0..k of the matrices and 0..k-1 of the unknowns.
/// lambda of slipping contacts is not touched (it is not an unknown).
void amo_balance_solve(const amo_balance *b, amo_span v, amo_result r, int k);
/// Smallest change of velocities (in the metric of M) that removes `rate` violations of the sticking
/// contacts and constraints: du[nq] from gap_contact[nc] (entries of sticking ones) and gap_constraint[ng].
void amo_balance_project(const amo_balance *b, const double *gap_contact, const double *gap_constraint, double *du);
/// Coordinate index in the block that could not be factored, for messages; -1 if none.
long amo_balance_singular(const amo_balance *b);
/// Sticking contacts or constraints whose force is not determined (no free coordinate moves them, or
/// redundant rows): the motion is unique, the force is not; it is reported as 0.
bool amo_balance_indeterminate(const amo_balance *b, uint32_t contact);

#endif
