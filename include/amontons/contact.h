// SPDX-License-Identifier: Apache-2.0
/// All solutions of the contact problem at a state: which contacts stick, which slip and which way, with which reactions,
/// friction forces and accelerations. None and several are answers (Painleve's paradoxes), not errors.
///
///   amo_contact_search *s = NULL;
///   const amo_contact_answer *a = NULL;
///   amo_status st = amo_contact_search_new(model, NULL, &s);
///   if (st == AMO_OK) st = amo_contact_search_at(s, NULL, 0.0, amo_model_initial(model), NULL, &a);
///   for (size_t i = 0; st == AMO_OK && i < a->count; i++)
///     printf("%ld%s: reaction %g, friction %g\n", (long)i, (long)i == a->chosen ? " (chosen)" : "",
///            a->solution[i].reaction[0], a->solution[i].friction[0]);
///   amo_contact_search_free(s);
///
/// A search is one thread's business; the model may be shared by many. Asked again and again, it allocates only what a
/// larger number of solutions needs.
#ifndef AMONTONS_CONTACT_H
#define AMONTONS_CONTACT_H

#include <stdbool.h>
#include <stddef.h>

#include "amontons/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum amo_class {
  AMO_UNIQUE,     // one solution
  AMO_SEVERAL,    // more than one, each by itself
  AMO_NONE,       // no solution: rigid bodies with this friction cannot go on, a slip stops at once
  AMO_DEGENERATE  // solutions that are not isolated, of which some are listed
} amo_class;
AMO_API const char *amo_class_name(amo_class kind);  // "unique", "several", "none", "degenerate"

/// What becomes of a solution under slight compliance of its contacts.
typedef enum amo_soft {
  AMO_SOFT_UNDECIDED = -1,  // the question does not arise, or its answer is within rounding
  AMO_SOFT_DIVERGENCE,      // not stable: it departs
  AMO_SOFT_CENTRE,          // stable
  AMO_SOFT_FLUTTER,         // not stable: it departs with oscillations
} amo_soft;

/// Forces of a contact that the motion does not determine, so that what is shown is one choice of many.
enum {
  AMO_LOOSE_FRICTION = 1,  // the friction,
  AMO_LOOSE_SHARED = 3,   // which is shared out in proportion to the bounds where it is parallel to another's
  AMO_LOOSE_REACTION = 4  // the reaction of a guide, of which only a sum with others' is determined
};

/// One solution. All arrays belong to the search.
typedef struct amo_contact_solution {
  const signed char
      *mode;  // [contacts] 0 stick, +1/-1 sign of the slip (at zero slip: of its beginning), 2 open
  const signed char *reaction_sign;  // [contacts] sign of the reaction; 0 when it is zero
  const signed char *loose;          // [contacts] AMO_LOOSE_... bits; 0: the motion determines the forces
  const double *reaction;            // [contacts] normal force [N]; of pressed contacts the given one
  const double *friction;  // [contacts] friction force along +slip on the body [N]; of spatial stick its size
  const double *traction;  // [contacts][2] friction of spatial contacts along their axes [N]; 0 of others
  const double *acceleration;  // [coordinates]
  const double *multiplier;    // [constraints] forces of constraints
  amo_soft soft;               // stability under slight compliance of the guides that slip
  size_t eigenvalues;          // 0 where that question does not arise
  const double *re, *im;       // [eigenvalues] of h'' = -K c h, h the gaps
  double growth;               // fastest rate at which the gaps depart
  double
      damping;  // time d with which damping d c h' would stop flutter; 0: none is needed, infinity: none is enough
} amo_contact_solution;

/// Numbers of one guide or support that decide existence and uniqueness; NaN for pressed contacts.
typedef struct amo_influence {
  double L;   // influence coefficient: reaction with friction is R0/(1 + sigma eps mu L)
  double mu;  // coefficient in slip at this speed
  double R0;  // reaction without friction at this contact [N]
  double impulse_normal, impulse_tangent;  // of an instant stop [N s]; 0 at zero slip
} amo_influence;

/// Everything found at one state; valid until the search is asked again or freed.
typedef struct amo_contact_answer {
  double t;                                   // time of the state
  const double *state;                        // [states] a copy
  size_t contacts, coordinates, constraints;  // lengths of the arrays of a solution
  amo_class kind;                             // how many solutions there are
  bool border;                                // mu |L| = 1 at some contact, as far as the given numbers tell
  bool zero_reaction;                         // R0 = 0 at some contact
  bool complete;  // all combinations were looked at; false: what is listed are solutions, there may be more
  long
      chosen;  // index of the one that comes about, -1: none. Rest where it is possible, else the stable slip whose
               // reactions have the signs they would have without friction
  const char *why;                       // of the choice, or why there is none
  size_t count;                          // of solutions
  const amo_contact_solution *solution;  // [count]
  const amo_influence *influence;        // [contacts]
} amo_contact_answer;

typedef struct amo_contact_search amo_contact_search;  // memory of a search; one thread's business

/// How it is asked. Get it from amo_contact_opts_default() and change what you need; later versions may add fields at the end.
typedef struct amo_contact_opts {
  size_t size;              // sizeof(amo_contact_opts), set by amo_contact_opts_init
  const double *stiffness;  // [contacts] > 0, for which stability is asked; copied. NULL: all the same
  bool
      assess;  // eigenvalues also of a single guide, and what slipping contacts do to each other, as the verb; costs time
} amo_contact_opts;

AMO_API void amo_contact_opts_init(amo_contact_opts *o, size_t size);
static inline amo_contact_opts amo_contact_opts_default(void)
{
  amo_contact_opts o;
  amo_contact_opts_init(&o, sizeof o);
  return o;
}

/// opts: NULL for defaults. AMO_ERANGE: a stiffness that is not positive; AMO_ENOMEM.
AMO_API amo_status amo_contact_search_new(const amo_model *m, const amo_contact_opts *opts,
                                          amo_contact_search **out);
AMO_API void amo_contact_search_free(amo_contact_search *s);  // accepts NULL
/// All solutions at (t, state).
/// @param v      parameters; NULL: amo_model_values
/// @param state  [states], guides and constraints fulfilled (amo_values_complete)
/// @return AMO_OK; AMO_EINPUT: a contact rests whose law says nothing about rest; AMO_ELIMIT: too many solutions of separate mechanisms; AMO_ENOANSWER: the mass
///         matrix is singular. Reasons are in diags; *out is NULL then.
AMO_API amo_status amo_contact_search_at(amo_contact_search *s, const amo_values *v, double t,
                                         const double *state, amo_diags *diags,
                                         const amo_contact_answer **out);

#ifdef __cplusplus
}
#endif
#endif
