// SPDX-License-Identifier: Apache-2.0
/// What a mode holds: registers that are zero in it (slips of sticking contacts, gaps, constraints), and rows of
/// positions that it locks.
#ifndef AMO_CONTACT_TIES_H
#define AMO_CONTACT_TIES_H

#include "base/mem.h"
#include "model/compiled.h"

typedef struct amo_ties {
  uint32_t *zero;            // registers of the step program
  uint32_t zeros;            // of these, from the first on:
  uint32_t lasting, places;  // what holds in every mode; what ties places and their rates: all but slips
  const amo_entry **lock;    // rows over coordinates: where a sticking contact cannot go
  uint32_t *entries;         // of each
  uint32_t locks;
} amo_ties;

amo_status amo_ties_new(const amo_model *m, amo_arena *memory, amo_ties *out);  // sized for any mode
void amo_ties_of(amo_ties *t, const amo_model *m, const signed char *mode);

#endif
