// SPDX-License-Identifier: Apache-2.0
/// A state on the guides and constraints: what is given stays, the other coordinates follow.
#ifndef AMO_CONTACT_CLOSE_H
#define AMO_CONTACT_CLOSE_H

#include "contact/decide.h"

/// Change coordinates and velocities of `state` that are not `given` [2 nq] so that all gaps and constraints are
/// zero (Newton's method, the smallest steps), then their rates. A state that already lies on them stays as it is.
/// AMO_ENOANSWER: there is none near, or the given ones leave no freedom.
amo_status amo_close(amo_point *p, double t, const bool *given, double *state);

#endif
