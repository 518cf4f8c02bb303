// SPDX-License-Identifier: Apache-2.0
#include "contact/blocks.h"

#include <string.h>

amo_status amo_blocks_new(const amo_model *m, amo_blocks *b)
{
  *b = (amo_blocks){.m = m};
  AMO_TAKE(&b->memory, uint32_t, m->nq + 1u, &b->parent, &b->number);
  AMO_TAKE(&b->memory, uint32_t, m->nc + 1u, &b->of);
  AMO_TAKE(&b->memory, bool, m->nc + 1u, &b->acts);
  return b->memory.failed ? AMO_ENOMEM : AMO_OK;
}

void amo_blocks_free(amo_blocks *b)
{
  amo_arena_free(&b->memory);
}

static void join_row(uint32_t *parent, const amo_entry *row, uint32_t n, uint32_t with)
{
  for (uint32_t e = 0; e < n; e++) amo_join(parent, with, row[e].col);
}

/// The row of a reaction that presses a joint.
static const amo_entry *pressing_row(const amo_model *m, const amo_presser *p, uint32_t *n)
{
  *n = p->of_contact ? m->contact[p->item].nn : m->constraint[p->item].ng;
  return p->of_contact ? m->contact[p->item].n : m->constraint[p->item].g;
}

/// A coordinate that contact c moves, or whose reaction presses it; -1: none.
static long coordinate_of(const amo_model *m, const amo_contact *k)
{
  uint32_t n = 0;
  const amo_entry *row = k->npressing > 0 ? pressing_row(m, &k->pressing[0], &n) : NULL;
  if (n > 0) return row[0].col;
  if (k->nn > 0) return k->n[0].col;
  for (uint32_t a = 0; a < amo_slip_rows(k); a++)
    if (amo_slip_row(k, a).nw > 0) return amo_slip_row(k, a).w[0].col;
  return -1;
}

static void join_contact(amo_blocks *b, const amo_contact *k)
{
  const long with = coordinate_of(b->m, k);
  if (with < 0) return;
  for (uint32_t i = 0; i < k->npressing; i++) {
    uint32_t n;
    const amo_entry *row = pressing_row(b->m, &k->pressing[i], &n);
    join_row(b->parent, row, n, (uint32_t)with);
  }
  join_row(b->parent, k->n, k->nn, (uint32_t)with);
  join_row(b->parent, k->w, k->nw, (uint32_t)with);
}

void amo_blocks_divide(amo_blocks *b, const bool *acts)
{
  const amo_model *m = b->m;
  if (b->divided && memcmp(b->acts, acts, m->nc * sizeof *acts) == 0) return;
  memcpy(b->acts, acts, m->nc * sizeof *acts);
  b->divided = b->stiffness == NULL;
  for (uint32_t i = 0; i < m->nq; i++) b->parent[i] = i;
  for (uint32_t e = 0; e < m->nmass; e++) amo_join(b->parent, m->mass[e].row, m->mass[e].col);
  for (uint32_t i = 0; b->stiffness != NULL && i < m->nq * m->nq; i++)
    if (b->stiffness[i] != 0.0) amo_join(b->parent, i / m->nq, i % m->nq);
  for (uint32_t g = 0; g < m->ng; g++)
    if (m->constraint[g].ng > 0)
      join_row(b->parent, m->constraint[g].g, m->constraint[g].ng, m->constraint[g].g[0].col);
  for (uint32_t c = 0; c < m->nc; c++)
    if (acts[c]) join_contact(b, &m->contact[c]);
  b->count = 0;
  for (uint32_t i = 0; i < m->nq; i++) b->number[i] = UINT32_MAX;
  for (uint32_t c = 0; c < m->nc; c++) {
    const long at = coordinate_of(m, &m->contact[c]);
    uint32_t *number = at < 0 ? NULL : &b->number[amo_root(b->parent, (uint32_t)at)];
    if (number != NULL && *number == UINT32_MAX) *number = b->count++;
    const bool joined = amo_is_massless(&m->contact[c]) && m->contact[c].chain < c;
    b->of[c] = number != NULL ? *number : joined ? b->of[m->contact[c].chain] : b->count++;
  }
  b->all = b->count;
  for (uint32_t i = 0; i < m->nq; i++)
    if (b->number[amo_root(b->parent, i)] == UINT32_MAX) b->number[amo_root(b->parent, i)] = b->all++;
}

uint32_t amo_blocks_island(const amo_blocks *b, uint32_t coordinate)
{
  return b->number[amo_root(b->parent, coordinate)];
}

uint32_t amo_blocks_of(const amo_blocks *b, uint32_t coordinate)
{
  const uint32_t number = amo_blocks_island(b, coordinate);
  return number < b->count ? number : UINT32_MAX;
}
