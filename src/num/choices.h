// SPDX-License-Identifier: Apache-2.0
/// All choices of one alternative for each of several groups for which linear equations A x = b, x >= 0 can be solved with the
/// variables of what was chosen. Found depth first: alternatives that are not chosen yet may all be used at once, and where
/// even that solves nothing the choices beyond are not looked at. What is left may be a little too much, never too little: who asks
/// solves each choice for itself.
#ifndef AMO_NUM_CHOICES_H
#define AMO_NUM_CHOICES_H

#include <stdint.h>

#include "amontons/status.h"
#include "num/corner.h"

/// A variable x >= 0.
typedef struct amo_choice_column {
  size_t group;    // groups: of none, always allowed
  unsigned with;   // bit k: alternative k uses it
  unsigned needs;  // bit k: in alternative k it must be positive
  bool aided;      // whether it can be positive is asked with the aids of its group
  bool aid;        // a help that is allowed there only
} amo_choice_column;

typedef struct amo_choices {
  size_t rows, columns, groups;
  double *a, *b;              // [rows][columns], [rows]; of size 1 or less: b; a is scaled here
  amo_choice_column *column;  // [columns]
  const int *count;           // [groups] alternatives
  size_t most_nodes;          // choices of some groups looked at, at most
  // found
  unsigned char *choice;  // [found][groups], the last group changes slowest; free it
  size_t found, nodes;
  bool complete;  // false: most_nodes were not enough, there may be more
} amo_choices;

amo_status amo_choices_find(amo_choices *p);

#endif
