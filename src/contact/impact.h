// SPDX-License-Identifier: Apache-2.0
/// Impact: supports that close stop at once, and all closed contacts act together.
///
///   M (u+ - u-) = sum_c (n_c P_c + W_c Q_c) + G^T Lambda
///   support   n.u+ >= e (-n.u-)  and  P >= 0, one of them with equality (Newton's law of restitution)
///   friction  stick W.u+ = 0 with |Q| <= mu P, or slip with Q = -mu P gamma+/|gamma+|
///   guide     n.u+ = 0, P of either sign, friction with |P|
///
/// The same laws hold where a slip without continuation stops at once (a tangential impact): it ends, which the laws alone,
/// satisfied by no impulse at all, do not ask for.
///
/// Pressed contacts have finite forces and take no part. For each block of contacts a combination is proposed (relax.h) and
/// judged by the laws; what contradicts is changed, then every combination is tried, and the first that satisfies the laws is
/// taken (stick before slip, acting before parting).
#ifndef AMO_CONTACT_IMPACT_H
#define AMO_CONTACT_IMPACT_H

#include "contact/blocks.h"
#include "contact/point.h"
#include "contact/relax.h"
#include "contact/ways.h"

typedef struct amo_impact {
  amo_arena memory;
  const amo_model *m;
  signed char *mode, *reaction_sign;  // [nc] of the combination at hand, at the end of the one taken
  double *normal, *tangent;           // [nc] impulses P, Q
  double *traction;                   // [nxi] impulses of spatial contacts along their axes
  double *multiplier;                 // [ng]
  double *target;                     // [nc] gap rates after the impact where the support acts
  double *rate, *slip, *axis;         // [nc], [nc], [nxi] velocities before
  double *found;                      // [2 nc + nxi] P, Q and those along axes, of the blocks that are done
  double *violation;                  // [2 nc + nxi + ng] scratch
  double *du;                         // [nq]
  const bool *stops;                  // [nc] those whose slip has to end; NULL: none has
  amo_ways ways;
  amo_relax *relax;
} amo_impact;

amo_status amo_impact_new(const amo_model *m, amo_impact **out);
void amo_impact_free(amo_impact *w);

/// Velocities after the impact, into `state`. acts[c]: contact c takes part, its gap is zero. bounce[c]: its restitution.
/// `terms`: the largest sum of speeds that make one velocity; what rounding leaves of velocities is a part of it.
/// `blocks`: divided by what is closed. AMO_ENOANSWER: no combination satisfies the laws. AMO_ELIMIT: a block has too many contacts.
amo_status amo_impact_solve(amo_impact *w, amo_point *p, double t, double *state, const amo_blocks *blocks,
                            const bool *acts, const double *bounce, double terms);

#endif
