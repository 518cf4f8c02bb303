// SPDX-License-Identifier: Apache-2.0
/// ALL solutions of the contact problem at a state: every combination of modes (stick, slip either way)
/// and of the signs of reactions is solved and kept if it satisfies Coulomb's conditions. None and
/// several are results, not errors.
#ifndef AMO_CONTACT_SOLUTIONS_H
#define AMO_CONTACT_SOLUTIONS_H

#include "contact/decide.h"

typedef struct amo_solution {
  signed char *mode;   // [nc] 0 stick, else sign of the slip (velocity, or acceleration at zero slip)
  signed char *press;  // [nc] sign of the reaction; 0 when it is zero
  double *reaction, *lambda, *acc, *multiplier;
  int stable;  // under compliance of the contact: 1 centre, 0 saddle, -1 not decided by it
} amo_solution;

/// Numbers of one guide that decide existence and uniqueness; NaN for pressed contacts.
typedef struct amo_influence {
  double L;        // influence coefficient: reaction with friction is R0/(1 + sigma eps mu L)
  double mu;       // coefficient in slip at this speed
  double R0;       // reaction without friction at this contact
  double R0_size;  // size of the terms whose difference R0 is
  double impulse_normal, impulse_tangent;  // of an instant stop; 0 at zero slip
} amo_influence;

typedef enum amo_class { AMO_UNIQUE, AMO_SEVERAL, AMO_NONE, AMO_DEGENERATE } amo_class;

typedef struct amo_solutions {
  const amo_model *m;
  amo_solution *item;
  size_t count, capacity;
  amo_influence *influence;  // [nc]
  amo_class kind;
  bool border;         // mu |L| = 1 at some contact, up to rounding
  bool zero_reaction;  // R0 = 0 at some contact, up to rounding
  long chosen;         // index by the rule below; -1 if none
  const char *why;     // of the choice
  bool *at_rest;       // [nc] scratch of the search
  signed char *trial;  // [nc]
  double *response;    // [3 nq]
} amo_solutions;

amo_status amo_solutions_new(const amo_model *m, amo_solutions **out);
void amo_solutions_free(amo_solutions *s);

/// Enumerate at (t, state). Contacts whose slip is zero up to rounding may stick or start either way.
/// Chosen: rest where it is possible, else the stable slip whose reactions have the signs they would have
/// without friction (Painleve's, Klein's and Skuridin's rules agree on it).
/// `standing` [nc] says which slips are zero (all but AMO_MOVING); NULL: those that are zero up to rounding.
/// AMO_ELIMIT: too many contacts to enumerate. AMO_ENOANSWER: singular mass matrix.
amo_status amo_solutions_find(amo_solutions *s, amo_point *p, double t, const double *state,
                              const amo_standing *standing);
/// The same after an event: contacts that are AMO_LEAVING have reached their bound and slip towards leaving[c].
amo_status amo_solutions_after(amo_solutions *s, amo_point *p, double t, const double *state,
                               const amo_standing *standing, const signed char *leaving);

/// Influence of guide c alone, the others in these modes. Allocates nothing.
amo_status amo_solutions_influence(amo_solutions *s, amo_point *p, double t, const double *state,
                                   const signed char *mode, uint32_t c, amo_influence *out);

/// Is the slip velocity of contact c, as evaluated, zero up to `roundings` of the sum that makes it?
bool amo_slip_is_zero(const amo_point *p, uint32_t c, double roundings);

#endif
