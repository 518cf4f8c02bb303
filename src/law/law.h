// SPDX-License-Identifier: Apache-2.0
/// Friction laws: one file a family, one table of families. A family turns the expressions of its
/// fields into two expressions, the bound at stick and the friction at slip, and may carry states.
/// The loader, the documentation and `describe --laws` read the same table.
#ifndef AMO_LAW_LAW_H
#define AMO_LAW_LAW_H

#include <stdbool.h>

#include "expr/dag.h"

#define AMO_LAW_FIELDS 16  // most fields of a family
#define AMO_LAW_STATES 8   // most states of a law
#define AMO_LAW_TOLD   2   // most quantities that it tells

typedef enum amo_law_range {  // what a field's value must satisfy
  AMO_LAW_ANY,
  AMO_LAW_NONNEGATIVE,
  AMO_LAW_POSITIVE,
  AMO_LAW_AT_LEAST_ONE,
  AMO_LAW_FRACTION  // 0 to 1
} amo_law_range;

typedef struct amo_law_field {
  const char *name;  // NULL ends the list
  bool required;
  bool curve;           // may use s, the sliding speed >= 0
  amo_law_range range;  // checked for constant fields
  const char *doc;
  const char *const
      *words;  // the field is one of these words, the first where it is not given; NULL: an expression
  const char *absent;  // a word that says the same as leaving the field out
} amo_law_field;

/// Fields as expressions in the order of the family's list; NONE = not given.
typedef struct amo_law_in {
  amo_dag *dag;
  const amo_node *field;
  amo_node s;             // sliding speed
  const amo_node *state;  // the law's own states, in the order of the family's `states`
  amo_node normal;        // normal force, where it is given; else NONE
  amo_node loading;       // rate at which the force at rest grows, >= 0 [N/s]
  const int *word;        // of each field with words
  amo_node
      friction;  // where the balance of forces asks for it, in the units of `kinetic`: the law gives the speed; else NONE
} amo_law_in;

typedef struct amo_law_state {
  amo_node stick, slip;  // rates
  amo_node reset;        // value when stick begins; NONE = keep
  amo_node initial;      // where the file gives none, of the initial state; NONE = 0
  amo_node steady;       // of a law that gives way: its value in steady sliding at s >= 0
} amo_law_state;

/// What becomes of a contact whose slip velocity is zero.
typedef enum amo_at_rest {
  AMO_STICKS,  // it may stick, up to its bound
  AMO_CREEPS,  // it never sticks: `kinetic` is a smooth odd function of s, which has the sign of the slip; one mode, slip+
  AMO_YIELDS,  // the same, but its states carry what it holds for good: up to the friction of steady sliding at s = 0
  AMO_SWITCHES,  // no contact: a switch of the model's expressions, whose sides may both point at it; slip is its argument
  AMO_UNKNOWN  // its law says nothing of rest: it slips, one way or the other
} amo_at_rest;

/// A quantity that outputs may name.
typedef struct amo_law_told {
  const char *name;
  amo_node value;
} amo_law_told;

typedef struct amo_law_out {  // in units of the normal force, or forces (`in: force`)
  amo_node bound, kinetic;
  amo_node beside;  // of a law that elements share: friction per slip velocity beside theirs; NONE: none
  amo_node least;   // the least that `kinetic` comes to, where the law knows: not negative; else NONE
  amo_node speed;   // where the friction is given: s with the sign of the slip; NONE: the law cannot tell
  amo_law_state state[AMO_LAW_STATES];
  amo_at_rest rest;
  amo_law_told told[AMO_LAW_TOLD];
} amo_law_out;

typedef struct amo_law {
  const char *type, *doc, *formula;
  const amo_law_field *field;
  const char *states[AMO_LAW_STATES];      // names, NULL-terminated
  const char *state_with[AMO_LAW_STATES];  // the field without which a state is not there; NULL: always
  struct {
    const char *with, *name;
  } state_renamed[AMO_LAW_STATES];  // another name where this field is given
  const char *needs_normal;         // a field that asks for a normal force that is given; NULL: none
  bool user_states;                 // the model file names the states itself
  bool
      elements;  // its friction is the sum of elements that the model file lists, each with a limit; their bound follows the speed
  bool both_ways;  // it never sticks: the s of its fields is the size of a slip velocity of either sign
  void (*build)(const amo_law_in *in, amo_law_out *out);
} amo_law;

/// The i-th family, NULL at the end.
const amo_law *amo_law_at(size_t i);
const amo_law *amo_law_find(const char *type);  // NULL if unknown

extern const amo_law amo_law_coulomb, amo_law_stiction, amo_law_curve, amo_law_aging, amo_law_hump,
    amo_law_stribeck, amo_law_general, amo_law_rate_state, amo_law_breakaway, amo_law_cubic, amo_law_lagged,
    amo_law_dahl, amo_law_lugre, amo_law_bouc_wen, amo_law_elasto_plastic, amo_law_maxwell_slip;

#endif
