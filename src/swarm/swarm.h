// SPDX-License-Identifier: Apache-2.0
/// Swarms: many motions of one model by a program written for it alone. The model becomes one text of C (or CUDA) that needs nothing
/// but a compiler: power series of the motion in all its modes, events located on them, modes decided by the first coefficient of each
/// condition that is not zero. What such a program cannot decide for certain (things that happen together, borders, accumulating
/// impacts) it says so and leaves to the engine of the room flow, whose answers it otherwise shares within the tolerance.
#ifndef AMO_SWARM_SWARM_H
#define AMO_SWARM_SWARM_H

#include "amontons/sim.h"
#include "base/text.h"
#include "flow/flow.h"

typedef enum amo_swarm_target { AMO_SWARM_CPU, AMO_SWARM_CUDA } amo_swarm_target;

/// Why this model cannot become such a program, in words; NULL: it can.
const char *amo_swarm_refuses(const amo_model *m);
/// The program, at this order of its series. AMO_EUNSUPPORTED: see above.
amo_status amo_swarm_write(const amo_model *m, int order, amo_swarm_target target, amo_text *to);

/// A program that is written, compiled and loaded; any number of threads may run it.
typedef struct amo_swarm amo_swarm;

/// The model's own, made on first use and kept with it. AMO_EUNSUPPORTED: the model does not allow it; AMO_EIO: there is no compiler that
/// makes it.
amo_status amo_swarm_get(const amo_model *m, int order, amo_swarm_target target, const amo_swarm **out);
/// As amo_flow_ensemble does: trajectories that the program does not decide are moved by f, from their beginning.
amo_status amo_swarm_ensemble(const amo_swarm *s, amo_flow *f, const amo_ensemble *e, double *scratch);

#endif
