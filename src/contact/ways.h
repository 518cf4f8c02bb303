// SPDX-License-Identifier: Apache-2.0
/// Combinations of modes: each contact has a few ways to be, and a block of contacts is tried in all combinations of them.
#ifndef AMO_CONTACT_WAYS_H
#define AMO_CONTACT_WAYS_H

#include "amontons/status.h"
#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

/// One way a contact may be: its mode, and the sign of its reaction that friction is written for (0: it vanishes).
typedef struct amo_way {
  signed char mode, reaction_sign;
} amo_way;

enum { AMO_WAYS = 6 };

typedef amo_way amo_contact_ways[AMO_WAYS];

typedef struct amo_ways {
  amo_arena memory;
  uint32_t contacts;
  amo_contact_ways *way;  // [contacts]
  int *count, *at;        // [contacts] how many there are, and which is at hand
} amo_ways;

amo_status amo_ways_new(uint32_t contacts, amo_ways *w);
void amo_ways_free(amo_ways *w);

/// No way yet for contact c; then one more. A way that is there already is not added again.
void amo_ways_clear(amo_ways *w, uint32_t c);
void amo_ways_add(amo_ways *w, uint32_t c, int mode, int reaction_sign);
/// Combinations of the contacts of block `which` (all contacts where of is NULL).
double amo_ways_total(const amo_ways *w, const uint32_t *of, uint32_t which);
/// The next of these combinations; false after the last, which leaves the first one.
bool amo_ways_next(amo_ways *w, const uint32_t *of, uint32_t which);
/// The way at hand of contact c.
amo_way amo_ways_now(const amo_ways *w, uint32_t c);

#endif
