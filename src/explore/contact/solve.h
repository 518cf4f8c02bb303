// SPDX-License-Identifier: Apache-2.0
/// All solutions at a state, with reasons where there are none to be had.
#ifndef AMO_EXPLORE_CONTACT_SOLVE_H
#define AMO_EXPLORE_CONTACT_SOLVE_H

#include "contact/solutions.h"

/// *out is made unless there is one already, with what it is to find besides.
amo_status amo_solutions_at(const amo_values *v, double t, const double *state, amo_diags *diags,
                            amo_solutions **out);
/// What stands behind an answer.
const amo_solutions *amo_contact_search_solutions(const amo_contact_search *s);

#endif
