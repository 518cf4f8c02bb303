// SPDX-License-Identifier: Apache-2.0
/// The normal forces of joints: sizes of reactions that the balance of forces finds, which their friction changes in turn.
///
/// Friction enters the balance through h, with the normal force in the leaf `reaction` of the joint. At every order k of a
/// power series the balance is solved with N_k = 0, which gives reactions a_k; a unit of N_k changes them by the same
/// amounts at every order (`unit`, of the matrix at order 0). From N^2 = Lambda . Lambda
///
///   N_0 = |a_0 + unit N_0|,     N_k = aim . (a_k + unit N_k) + sum_{0<i<k} (Lambda_i . Lambda_{k-i} - N_i N_{k-i}) / (2 N_0)
///
/// with aim = Lambda_0 / N_0. Where a reaction begins with zero (it passes through it) all this begins at the first order
/// at which there is one.
#ifndef AMO_CONTACT_JOINTS_H
#define AMO_CONTACT_JOINTS_H

#include "contact/balance.h"

enum { AMO_SHARES = 40 };  // shares tried until the normal forces of joints belong to the last

typedef struct amo_joints amo_joints;  // workspace; one per trajectory

/// *out is NULL for models without joints.
amo_status amo_joints_new(const amo_model *m, amo_joints **out);
void amo_joints_free(amo_joints *j);

/// Coefficient k of the normal forces of all joints becomes zero; `value`: where v lies.
void amo_joints_clear(const amo_model *m, double *value, amo_span v, int k);
/// Coefficient k of them, after the balance has been solved without. What depends on them is then to be evaluated and the
/// balance to be solved again. zero [nc] (or NULL): joints whose reaction is zero at order 0. AMO_ENOANSWER: there is no slip with this friction.
amo_status amo_joints_find(amo_joints *j, amo_balance *b, double *value, amo_span v, amo_result r,
                           const signed char *mode, const bool *zero, int k);
/// The normal forces of joints that stick once more, orders 0 .. orders - 1, after what the balance leaves open has been shared
/// out: that changes reactions, and so what the joints can hold. The largest change of one that is not zero at its first
/// order, relative to it; 0: they belong to this share.
double amo_joints_follow(amo_joints *j, const amo_balance *b, double *value, amo_span v, amo_result r,
                         const signed char *mode, int orders);

#endif
