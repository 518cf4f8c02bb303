// SPDX-License-Identifier: Apache-2.0
/// A model cut into islands that do not act on each other at an instant (blocks.h). An island reads like a small model: its
/// coordinates, constraints and contacts are numbered from 0, its registers are those of the whole.
#ifndef AMO_CONTACT_ISLANDS_H
#define AMO_CONTACT_ISLANDS_H

#include "contact/blocks.h"

typedef struct amo_island {
  uint32_t nq, ng, nc, nmass, njoint;
  bool light;                                         // as in amo_model
  const amo_entry *mass;                              // [nmass]
  const amo_contact *contact;                         // [nc] those that act
  const amo_constraint *constraint;                   // [ng]
  const uint32_t *r_h;                                // [nq]
  const uint32_t *q_of, *contact_of, *constraint_of;  // their numbers in the model
} amo_island;

/// Things of one sort (coordinates, contacts ...), by island.
typedef struct amo_members {
  uint32_t *island;  // [n] of each; UINT32_MAX: none
  uint32_t *item;    // [n] island by island
  uint32_t *first;   // [islands + 1] place in `item`
  uint32_t *local;   // [n] number of each within its island
} amo_members;

typedef struct amo_islands {
  amo_arena memory;
  const amo_model *m;
  amo_blocks blocks;
  uint32_t count;
  bool *acts;  // [nc] what they were made for
  amo_members coordinates, contacts, constraints, masses;
  // in the order of the members
  amo_entry *mass, *entry;  // entry: rows of contacts and constraints
  amo_contact *contact;
  amo_constraint *constraint;
  uint32_t *r_h;
} amo_islands;

amo_status amo_islands_new(const amo_model *m, amo_islands *out);
void amo_islands_free(amo_islands *p);
/// Cut; contacts that do not act (open supports) are left out. Allocates nothing.
void amo_islands_divide(amo_islands *p, const bool *acts);
amo_island amo_islands_at(const amo_islands *p, uint32_t number);

#endif
