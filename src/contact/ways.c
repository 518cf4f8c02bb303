// SPDX-License-Identifier: Apache-2.0
#include "contact/ways.h"

amo_status amo_ways_new(uint32_t contacts, amo_ways *w)
{
  *w = (amo_ways){.contacts = contacts};
  AMO_TAKE(&w->memory, amo_contact_ways, contacts, &w->way);
  AMO_TAKE(&w->memory, int, contacts, &w->count, &w->at);
  return w->memory.failed ? AMO_ENOMEM : AMO_OK;
}

void amo_ways_free(amo_ways *w)
{
  amo_arena_free(&w->memory);
}

void amo_ways_clear(amo_ways *w, uint32_t c)
{
  w->count[c] = w->at[c] = 0;
}

void amo_ways_add(amo_ways *w, uint32_t c, int mode, int reaction_sign)
{
  const amo_way x = {(signed char)mode, (signed char)reaction_sign};
  for (int i = 0; i < w->count[c]; i++)
    if (w->way[c][i].mode == x.mode && w->way[c][i].reaction_sign == x.reaction_sign) return;
  if (w->count[c] < AMO_WAYS) w->way[c][w->count[c]++] = x;
}

static bool within(const uint32_t *of, uint32_t c, uint32_t which)
{
  return of == NULL || of[c] == which;
}

double amo_ways_total(const amo_ways *w, const uint32_t *of, uint32_t which)
{
  double total = 1.0;
  for (uint32_t c = 0; c < w->contacts; c++)
    if (within(of, c, which)) total *= w->count[c];
  return total;
}

bool amo_ways_next(amo_ways *w, const uint32_t *of, uint32_t which)
{
  for (uint32_t c = 0; c < w->contacts; c++) {
    if (!within(of, c, which)) continue;
    if (++w->at[c] < w->count[c]) return true;
    w->at[c] = 0;
  }
  return false;
}

amo_way amo_ways_now(const amo_ways *w, uint32_t c)
{
  return w->way[c][w->at[c]];
}
