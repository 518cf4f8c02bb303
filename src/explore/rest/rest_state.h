// SPDX-License-Identifier: Apache-2.0
/// The state that `rest` asks about: rest is rest of the contacts, so that on a belt or a lift the bodies go along.
#ifndef AMO_EXPLORE_REST_REST_STATE_H
#define AMO_EXPLORE_REST_REST_STATE_H

#include "contact/point.h"

/// Velocities of `state` [2*nq + nz] become those at which the holding contacts do not slip, with the model's parameters.
amo_status amo_rest_state(const amo_values *v, double t, double *state);
/// Which contacts hold: all but supports that are open. The registers of p are at the state.
void amo_rest_modes(const amo_model *m, const amo_point *p, signed char *mode);
/// The smallest change of velocities (rates: false) or accelerations that all holding contacts and moving guides ask.
amo_status amo_rest_asked(amo_point *p, const signed char *mode, bool rates, double *du);

#endif
