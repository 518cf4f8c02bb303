// SPDX-License-Identifier: Apache-2.0
// All solutions of a contact problem as JSON, shared by the verbs that ask for them.
#ifndef AMO_ASK_CONTACT_SOLUTIONS_JSON_H
#define AMO_ASK_CONTACT_SOLUTIONS_JSON_H

#include <cjson/cJSON.h>

#include "explore/contact/solve.h"
#include "ask/verb.h"

/// --time and --at of the call; state [states] is the caller's.
amo_status amo_state_at(const amo_call *call, double *t, double *state);
/// The same for a verb that asks about rest: velocities that --at states are refused, unless they are zero.
amo_status amo_state_at_rest(const amo_call *call, const char *verb, double *t, double *state);
/// Refuse the velocities among the entries of --at; state: with these entries.
amo_status amo_motion_refuse(const amo_call *call, const char *verb, const double *state);
/// solutions[] = {modes{}, reactions{}, friction{}, accelerations{}, multipliers{}, stable, R}
cJSON *amo_solutions_list_json(const amo_solutions *s);
/// `complete`: were all combinations looked at?
void amo_solutions_add_complete(cJSON *o, const amo_solutions *s);
/// contacts{} = {kind, L, mu, mu_L, mu_critical, R0, shortcut_error, impact}
cJSON *amo_solutions_contacts_json(const amo_solutions *s);
void amo_solutions_print(const cJSON *result, FILE *out, int wide);

/// What slight compliance does to one solution, compliance{class, eigenvalues[], growth, damping}, and where it lies among
/// the patterns of its contacts, type; both where it was asked for.
void amo_pairs_add(cJSON *solution, const amo_solutions *s, const amo_solution *x);
/// pairs[] = {contacts[], L[][], R0[], ..., determinants{}, unique_for_all_loads, degree, critical_factor, continua[]}
cJSON *amo_pairs_json(const amo_solutions *s);
void amo_pairs_print(const cJSON *result, FILE *out);

/// solutions[i].painleve{part: [x, y]} (bodies: [x, y, moment]): the forces on the parts that would replace friction,
/// m_i (a_i - a_i without friction) (Painleve). Added to the list made by amo_solutions_list_json.
amo_status amo_painleve_add(const amo_call *call, const amo_solutions *s, double t, const double *state,
                            cJSON *list);

#endif
