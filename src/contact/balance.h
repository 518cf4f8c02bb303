// SPDX-License-Identifier: Apache-2.0
/// The balance of forces in a given mode: accelerations, stick forces, reactions and multipliers at once,
///
///   | M  -W_s^T  -(N - f W)^T  -G^T | | u'     |   |  h       |
///   | W_s   0         0          0  | | lambda |   | -zeta    |     s: sticking contacts (spatial: two rows)
///   | N     0         0          0  | | R      | = | -gap_zeta|     N: guides, closed supports; in slip f = sigma eps mu,
///   | G     0         0          0  | | Lambda |   | -zeta_g  |     eps the assumed sign of R; in stick f = 0
///
/// (h contains the slip friction of pressed contacts) for values and, order by order, for Taylor
/// coefficients with one factorisation per step. The system falls apart into blocks (connected
/// coordinates); each is factored densely. Constraint rows are eliminated first, so that a sticking
/// contact's acceleration is exact, not a difference of big numbers.
#ifndef AMO_CONTACT_BALANCE_H
#define AMO_CONTACT_BALANCE_H

#include "model/compiled.h"

/// Where numbers lie: coefficient k of register r is base[r*reg + k*ord].
typedef struct amo_span {
  const double *base;
  size_t reg, ord;
} amo_span;

/// Rates of the ties that are not as they should be: of sticking slips [nc] (spatial ones: axis [nxi]), constraints
/// [ng], gaps [nc].
typedef struct amo_rates {
  double *slip, *axis, *constraint, *gap;
} amo_rates;

/// Results: coefficient k of item i is x[i*item + k*ord].
typedef struct amo_result {
  double *acc, *lambda, *multiplier;
  double *reaction;  // [nc] R of guides and supports; not touched where open
  double *traction;  // [nxi] stick forces of spatial contacts along their axes
  size_t item, ord;
  const double *extra;  // [nq] force added to h at order 0; NULL: none
  const amo_rates
      *jump;  // NULL: forces. Otherwise impulses, and `acc` is the change of velocities that removes
              // these rates (their coefficient k)
  double *
      slack;  // [nc] how far the springs of supports that carry nothing have parted (as a force); NULL: the balance keeps it
} amo_result;

enum { AMO_FREED = 2 };

typedef struct amo_balance amo_balance;  // workspace; one per trajectory

amo_status amo_balance_new(const amo_model *m, amo_balance **out);
void amo_balance_free(amo_balance *b);

/// Arrange blocks for these modes (mode[c] == 0: contact c sticks, AMO_MODE_OPEN: it is not there). reaction_sign[c]: assumed
/// sign of the reaction of a slipping guide or support, 0: without friction, AMO_FREED: the guide is taken away. Only
/// read for contacts with a gap.
void amo_balance_arrange(amo_balance *b, const signed char *mode, const signed char *reaction_sign);
/// Is there nothing to solve for in these modes: each acceleration is a force over a mass that does not change?
bool amo_balance_is_free(const amo_balance *b);
/// Factor with the matrices at order 0. AMO_ENOANSWER: singular (see amo_balance_singular).
amo_status amo_balance_factor(amo_balance *b, amo_span v);
/// Coefficient k of all unknowns from coefficients 0..k of the matrices and 0..k-1 of the unknowns.
/// lambda of slipping pressed contacts is not touched (it is not an unknown).
/// With r.jump: the smallest change of velocities in the metric of M (where guides stick or have no friction); with
/// friction that of an impact.
void amo_balance_solve(const amo_balance *b, amo_span v, amo_result r, int k);
/// Coordinate index in the block that could not be factored, for messages; -1 if none.
long amo_balance_singular(const amo_balance *b);
/// Sticking contacts or constraints whose force is not determined (no free coordinate moves them, or
/// redundant rows): the motion is unique, the force is not; it is reported as 0.
bool amo_balance_indeterminate(const amo_balance *b, uint32_t contact);
/// Others hold what this sticking contact would hold, or drive it: whether it stands still is their doing. After factoring.
bool amo_balance_dependent(const amo_balance *b, uint32_t contact);
/// Share out what the balance leaves open among sticking contacts (a ladder between floor and wall, two pads on one disc):
/// after a solution of orders 0..orders-1, their forces become those of the share in which the contact nearest to its
/// limit has the most room, relative to what it can hold. That is a function of the state at order 0; the higher
/// orders keep the conditions that decide it. A force that depends on what slips is left as it is.
/// Where reactions depend on each other and no share as of springs suits, a stress inside may that no spring makes, if a contact of
/// the block is `stressed` [nc] (NULL: none is).
amo_status amo_balance_share_out(amo_balance *b, amo_span v, amo_result r, int orders, const bool *stressed);
/// The time that series are meant for: a coefficient is rounding if it is at the end of that. Not a length: 1.
void amo_balance_over(amo_balance *b, double length);
/// Are there forces that the balance alone does not determine? (After factoring.)
bool amo_balance_is_open(const amo_balance *b);
/// Are the forces of this contact those of a share? *reach: the largest bound among the contacts that take part.
bool amo_balance_carried(const amo_balance *b, uint32_t contact, double *reach);
/// Contacts of a share that reach their limits at one time, when there is no room left: the first of them, -1 if this is
/// none of them. *side: sign of its force.
long amo_balance_leader(const amo_balance *b, uint32_t contact, int *side);
/// The reaction of this contact depends on those of others.
bool amo_balance_spare(const amo_balance *b, uint32_t contact);
/// What the force of contact c along its tie is measured against, and an acceleration along a row: the largest load of the
/// block, seen through masses and ties of size 1. err: bounds of the registers' rounding (a load may be what is left of
/// large terms), NULL: not known. Less than amo_balance_rounding of that is nothing. After factoring.
double amo_balance_force_size(const amo_balance *b, amo_span v, const double *err, uint32_t contact);
/// The same of the multiplier of a constraint, or of the reaction of a guide or support.
double amo_balance_reaction_size(const amo_balance *b, amo_span v, bool of_contact, uint32_t item);
double amo_balance_rate_size(const amo_balance *b, amo_span v, const double *err, const amo_entry *entry,
                             uint32_t n);
static const double amo_balance_rounding = AMO_NOTHING;

#endif
