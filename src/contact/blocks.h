// SPDX-License-Identifier: Apache-2.0
/// Which contacts can act on each other at an instant? Two do if a chain of inertia, constraints and closed contacts joins
/// them; what is decided of one block does not depend on the modes of another.
#ifndef AMO_CONTACT_BLOCKS_H
#define AMO_CONTACT_BLOCKS_H

#include "base/join.h"
#include "base/mem.h"
#include "model/compiled.h"

typedef struct amo_blocks {
  amo_arena memory;
  const amo_model *m;
  const double *stiffness;  // [nq][nq] couples where it is not zero; NULL: inertia alone
  bool *acts, divided;      // [nc] of the last division, without stiffness; there was one
  uint32_t *parent;         // [nq] coordinates
  uint32_t *number;         // [nq] of the block of a root; see amo_blocks_island
  uint32_t *of;             // [nc] block of each contact
  uint32_t count;           // blocks with contacts
  uint32_t all;             // with those of coordinates that no contact touches, which come last
} amo_blocks;

amo_status amo_blocks_new(const amo_model *m, amo_blocks *out);
void amo_blocks_free(amo_blocks *b);

/// Divide the contacts; those that do not act (open supports) join nothing. Each contact without coordinates is a
/// block of its own.
void amo_blocks_divide(amo_blocks *b, const bool *acts);
/// The block of a coordinate; UINT32_MAX: no contact is in it.
uint32_t amo_blocks_of(const amo_blocks *b, uint32_t coordinate);
/// The same, numbered on to `all` where no contact is in it.
uint32_t amo_blocks_island(const amo_blocks *b, uint32_t coordinate);

#endif
