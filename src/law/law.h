// SPDX-License-Identifier: Apache-2.0
/// Friction laws: one file a family, one table of families. A family turns the expressions of its
/// fields into two expressions, the bound at stick and the friction at slip, and may carry states.
/// The loader, the documentation and `describe --laws` read the same table.
#ifndef AMO_LAW_LAW_H
#define AMO_LAW_LAW_H

#include <stdbool.h>

#include "expr/dag.h"

#define AMO_LAW_FIELDS 8  // most fields of a family
#define AMO_LAW_STATES 8  // most states of a law

typedef enum amo_law_range {  // what a field's value must satisfy
  AMO_LAW_ANY,
  AMO_LAW_NONNEGATIVE,
  AMO_LAW_POSITIVE,
  AMO_LAW_AT_LEAST_ONE
} amo_law_range;

typedef struct amo_law_field {
  const char *name;  // NULL ends the list
  bool required;
  bool curve;           // may use s, the sliding speed >= 0
  amo_law_range range;  // checked for constant fields
  const char *doc;
} amo_law_field;

/// Fields as expressions in the order of the family's list; NONE = not given.
typedef struct amo_law_in {
  amo_dag *dag;
  const amo_node *field;
  amo_node s;             // sliding speed
  const amo_node *state;  // the law's own states, in the order of the family's `states`
} amo_law_in;

typedef struct amo_law_state {
  amo_node stick, slip;  // rates
  amo_node reset;        // value when stick begins; NONE = keep
} amo_law_state;

typedef struct amo_law_out {  // in units of the normal force, or forces (`in: force`)
  amo_node bound, kinetic;
  amo_law_state state[AMO_LAW_STATES];
} amo_law_out;

typedef struct amo_law {
  const char *type, *doc, *formula;
  const amo_law_field *field;
  const char *states[AMO_LAW_STATES];  // names, NULL-terminated; all begin at 0
  bool user_states;                    // the model file names the states itself
  void (*build)(const amo_law_in *in, amo_law_out *out);
} amo_law;

/// The i-th family, NULL at the end.
const amo_law *amo_law_at(size_t i);
const amo_law *amo_law_find(const char *type);  // NULL if unknown

extern const amo_law amo_law_coulomb, amo_law_stiction, amo_law_curve, amo_law_aging, amo_law_hump,
    amo_law_stribeck, amo_law_general;

#endif
