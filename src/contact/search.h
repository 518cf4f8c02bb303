// SPDX-License-Identifier: Apache-2.0
/// The search for all solutions of one part of a model (islands.h) at one evaluated state. It is written once (search.inc) for numbers with error
/// bounds and compiled twice: in double, which decides nearly always, and in long double for the states at which
/// a double cannot tell a sign from zero.
#ifndef AMO_CONTACT_SEARCH_H
#define AMO_CONTACT_SEARCH_H

#include "contact/solutions.h"
#include "contact/ways.h"

/// What is asked, and the scratch that both kinds of numbers share.
typedef struct amo_search {
  amo_solutions *s;
  const amo_island *m;
  size_t first, first_pairs;  // its first solution and problem of pairs among those of all islands
  const amo_standing
      *standing;  // [contacts of the model] NULL: slips that are zero within their error bounds
  double widen;   // factor of all error bounds: 1, or more where the state is known less well
  signed char *mode, *reaction_sign;  // [nc] of the combination at hand
  bool *at_rest;                      // [nc]
  bool unsure;                        // some sign could not be told from zero
  bool varies;                        // forces are open, and the motion depends on them
  bool picked;                        // as in amo_solution, of the combination at hand
  bool lenient;                       // a slip may begin with an acceleration that cannot be told from zero
  bool border, zero_reaction;         // as in amo_solutions, of this part
  bool incomplete;                    // there may be more solutions: the bound on nodes was reached
  bool share_open;
} amo_search;

typedef struct amo_fast_work amo_fast_work;
typedef struct amo_exact_work amo_exact_work;

/// Solutions of the part from registers and their bounds, `stride` apart; not yet classified nor sorted.
/// AMO_ENOANSWER: singular mass matrix.
amo_status amo_search_fast(amo_search *q, amo_fast_work **w, const double *reg, const double *err,
                           size_t stride);
amo_status amo_search_exact(amo_search *q, amo_exact_work **w, const long double *reg, const long double *err,
                            size_t stride);
/// Contacts in the modes of q: only the influence of guide c of the part; left, or NULL: see amo_solutions_left.
amo_status amo_influence_fast(amo_search *q, amo_fast_work **w, const double *reg, const double *err,
                              uint32_t c, double *left);
void amo_fast_free(amo_fast_work *w);
void amo_exact_free(amo_exact_work *w);

/// Errors of parameters, time and states, `lanes` wide: derived parameters and initial states are as uncertain as
/// their formulae (registers of the start program); what differs from them was given.
void amo_leaf_errors(const amo_model *m, const double *reg, double *err, const double *start,
                     const double *start_err, size_t lanes);

/// Nothing is known yet; the search of one part begins.
void amo_solutions_clear(amo_solutions *s);
amo_search amo_search_begin(amo_solutions *s, const amo_island *m);
/// Place for one more solution of the part, its modes taken over; NULL without memory.
amo_solution *amo_solutions_add(amo_search *q);
/// Those found so far are none.
void amo_solutions_forget(amo_search *q);
/// One more problem of slipping contacts [p->n] is assessed. As amo_pairs_assess.
amo_status amo_solutions_assess(amo_solutions *s, const amo_pairs_problem *p, const uint32_t *contact);

#endif
