// SPDX-License-Identifier: Apache-2.0
/// An impact held against its laws: balance of impulses, Newton's law of restitution, cones of the impulses, nothing that pulls, and
/// every contact that is said to stand still does.
#ifndef AMO_FLOW_AUDIT_IMPACT_H
#define AMO_FLOW_AUDIT_IMPACT_H

#include "flow/flow.h"

/// Sizes that violations are measured against: the largest met so far in a run.
typedef struct amo_impact_sizes {
  double speed;     // of gaps and slips
  double momentum;  // change of momentum, by the root of the mass
  double energy;    // kinetic
} amo_impact_sizes;

typedef struct amo_impact_verdict {
  double violation;  // the worst, relative to these
  double work;       // of surfaces and constraints that move
  double gain;       // kinetic energy that the impact brought beside it, relative
} amo_impact_verdict;

/// The impact at the present event of a lane, from state `before` to state `after`: modes, impulses and restitution as the lane tells
/// them, everything else evaluated anew. Uses f->point.
amo_impact_verdict amo_impact_judge(amo_flow *f, int lane, const double *before, const double *after,
                                    amo_impact_sizes *sizes);

#endif
