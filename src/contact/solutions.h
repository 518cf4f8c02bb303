// SPDX-License-Identifier: Apache-2.0
/// ALL solutions of the contact problem at a state: every combination of modes (stick, slip either way)
/// and of the signs of reactions that a linear programme does not exclude is solved and kept if it satisfies Coulomb's conditions. None and
/// several are results, not errors. Every comparison knows the error of what it compares: a state is on a
/// border (mu |L| = 1, R0 = 0, friction at its bound) when the given numbers do not tell it from one.
#ifndef AMO_CONTACT_SOLUTIONS_H
#define AMO_CONTACT_SOLUTIONS_H

#include "amontons/contact.h"
#include "contact/islands.h"
#include "contact/pairs.h"
#include "contact/point.h"

/// Of the whole, or of one part of it (islands.h): its contacts, coordinates and constraints.
typedef struct amo_solution {
  signed char *mode;           // [nc] 0 stick, else sign of the slip (velocity, or acceleration at zero slip)
  signed char *reaction_sign;  // [nc] sign of the reaction; 0 when it is zero
  signed char
      *loose;  // [nc] not 0: the motion does not determine the friction (1), which is shared out here (3)
  double *reaction, *lambda, *acc, *multiplier;  // lambda: in spatial stick the size of the friction
  double *traction;                              // [nc][2] of spatial contacts, along their axes
  bool picked;  // dependent reactions, shared so that every condition has room, not as by springs
  bool varies;  // then: the motion depends on the share
  // under slight compliance of the guides that slip, each with its own stiffness:
  amo_soft stable;
  size_t eigenvalues;  // their number: 0 where the question does not arise
  double *re, *im;     // [eigenvalues] of h'' = -K c h
  double growth;       // fastest rate at which the gaps depart
  double damping;  // time d with which damping d c h' would stop flutter; 0: none, INFINITY: none is enough
  int rank;        // of an island: in which order solutions are listed
  size_t room;     // bytes of storage, at `reaction`
} amo_solution;

typedef struct amo_solution_list {
  amo_solution *item;
  size_t count, capacity;  // items beyond `count` keep their storage
} amo_solution_list;

/// What was found of one part of the model.
typedef struct amo_island_answer {
  size_t first, count;  // among the solutions of parts
  size_t now;           // the one at hand where parts are combined
  long chosen;          // of these; -1: none
  const char *why;
  bool continuum;
} amo_island_answer;

/// Reactions from which a contact that gives way ever so little comes to the solution that lasts, when loads jump while it slips (sign
/// sigma): a stable slip of the other sign than that which runs away, of a support without reaction. Beyond them the slip stops at once.
/// False: there is no choice. The contact oscillates as x'' = R0 - k x without loss, k = 1 + sigma mu L for x > 0 and 1 - sigma mu L (of
/// a support 0) for x < 0; where k < 0 there is a saddle, whose height bounds the basin on the other side.
bool amo_influence_basin(const amo_influence *i, int sigma, bool one_sided, double range[2]);

typedef struct amo_solutions {
  const amo_model *m;
  amo_solution *item;  // of the whole: every solution of a part with every one of the others
  size_t count;
  amo_influence *influence;  // [nc]
  amo_class kind;
  bool border;         // mu |L| = 1 at some contact
  bool zero_reaction;  // R0 = 0 at some contact
  bool complete;       // false: a block had more to look at than the search does; there may be more solutions
  bool share_open;     // guides share a reaction in any way they like, and friction depends on it
  bool exact;          // a double could not tell all signs: long double did
  long chosen;         // index by the rule below; -1 if none
  const char *why;     // of the choice
  const double *stiffness;  // [nc] of the contacts, that stability is asked for; NULL: all the same
  bool assesses;            // also fill pairs
  double few;               // combinations of a block that are sooner tried than pruned
  size_t most_nodes;  // of the tree of a block: choices for some of its contacts that are looked at, at most
  amo_pairs *pairs;   // [assessed] blocks in which all slips move
  size_t assessed;
  // scratch
  amo_arena memory;
  amo_islands islands;
  amo_island_answer *answer;      // [parts at most]
  amo_solution_list whole, some;  // some: of the parts, one after another
  bool *at_rest, *acts;           // [nc]
  signed char *trial, *sigma;     // [nc] modes of the combination; of the registers
  signed char *reaction_sign;     // [nc]
  double *err, *known;            // [registers] bounds; [np + nc] what the fixed ones are for
  double *start, *start_err;      // [registers of the start program] at these parameters
  bool reads_sigma, has_known;    // some register depends on modes
  struct amo_fast_work *fast;
  struct amo_exact_work *longer;
  long double *long_reg, *long_err, *long_start, *long_start_err;  // made when first needed
} amo_solutions;

amo_status amo_solutions_new(const amo_model *m, amo_solutions **out);
void amo_solutions_free(amo_solutions *s);

/// Enumerate at (t, state). Contacts whose slip is zero within its error may stick or start either way.
/// Chosen: rest where it is possible, else the stable slip whose reactions have the signs they would have
/// without friction (Painleve's, Klein's and Skuridin's rules agree on it).
/// `standing` [nc] says which slips are zero (all but AMO_MOVING) at a state that is known to p->slack; NULL: those
/// that are zero within their error, at a state that is given to the last digit.
/// AMO_ELIMIT: too many solutions of separate parts to list every combination. AMO_ENOANSWER: singular mass matrix, or
/// loads without a value (amo_undefined_at).
amo_status amo_solutions_find(amo_solutions *s, amo_point *p, double t, const double *state,
                              const amo_standing *standing);

/// Influence of guide c alone, the others in these modes. Allocates nothing.
amo_status amo_solutions_influence(amo_solutions *s, amo_point *p, double t, const double *state,
                                   const signed char *mode, uint32_t c, amo_influence *out);
/// What friction leaves of the reactions of all contacts that slip in these modes and may act on contact c: the least real eigenvalue of
/// 1 + sigma eps mu L, which are numbers of one alone. Friction grows beyond all bounds where it vanishes, and beyond no compliance would let the
/// slips last. NAN: reactions are open.
amo_status amo_solutions_left(amo_solutions *s, amo_point *p, double t, const double *state,
                              const signed char *mode, const signed char *reaction_sign, uint32_t c,
                              double *left);

/// The same from registers and their bounds that have been evaluated elsewhere, `stride` apart, with sigma the
/// signs of the slips. False: some sign could not be told; ask amo_solutions_find.
bool amo_solutions_lane(amo_solutions *s, const double *reg, const double *err, size_t stride);

enum { AMO_MOST_SOLUTIONS = 20000 };  // of separate parts together
amo_class amo_class_of(double count);

/// Is the slip velocity of contact c, as evaluated, zero up to `roundings` of the sum that makes it?
bool amo_slip_is_zero(const amo_point *p, uint32_t c, double roundings);

#endif
