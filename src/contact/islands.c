// SPDX-License-Identifier: Apache-2.0
#include "contact/islands.h"

#include <string.h>

static size_t entries_of(const amo_model *m)
{
  size_t n = 0;
  for (uint32_t c = 0; c < m->nc; c++) {
    n += m->contact[c].nn + m->contact[c].nw;
    for (uint32_t a = 0; a < amo_slip_rows(&m->contact[c]); a++) n += amo_slip_row(&m->contact[c], a).nw;
  }
  for (uint32_t g = 0; g < m->ng; g++) n += m->constraint[g].ng;
  return n;
}

/// There are at most as many islands as coordinates, contacts and constraints.
static void make_members(amo_islands *p, amo_members *k, size_t n)
{
  AMO_TAKE(&p->memory, uint32_t, n, &k->island, &k->item, &k->local);
  AMO_TAKE(&p->memory, uint32_t, (size_t)p->m->nq + p->m->nc + p->m->ng + 1, &k->first);
}

amo_status amo_islands_new(const amo_model *m, amo_islands *p)
{
  *p = (amo_islands){.m = m};
  AMO_TAKE(&p->memory, bool, m->nc, &p->acts);
  AMO_TAKE(&p->memory, amo_entry, m->nmass, &p->mass);
  AMO_TAKE(&p->memory, amo_entry, entries_of(m), &p->entry);
  AMO_TAKE(&p->memory, amo_contact, m->nc, &p->contact);
  AMO_TAKE(&p->memory, amo_constraint, m->ng, &p->constraint);
  AMO_TAKE(&p->memory, uint32_t, m->nq, &p->r_h);
  make_members(p, &p->coordinates, m->nq);
  make_members(p, &p->contacts, m->nc);
  make_members(p, &p->constraints, m->ng);
  make_members(p, &p->masses, m->nmass);
  amo_status st = amo_blocks_new(m, &p->blocks);
  return p->memory.failed ? AMO_ENOMEM : st;
}

void amo_islands_free(amo_islands *p)
{
  amo_arena_free(&p->memory);
  amo_blocks_free(&p->blocks);
}

// ---- cutting ----

/// By their islands, in order.
static void gather(amo_members *k, uint32_t n, uint32_t islands)
{
  memset(k->first, 0, (islands + 1u) * sizeof *k->first);
  for (uint32_t i = 0; i < n; i++)
    if (k->island[i] != UINT32_MAX) k->local[i] = k->first[k->island[i] + 1u]++;
  for (uint32_t b = 0; b < islands; b++) k->first[b + 1u] += k->first[b];
  for (uint32_t i = 0; i < n; i++)
    if (k->island[i] != UINT32_MAX) k->item[k->first[k->island[i]] + k->local[i]] = i;
}

static void find_members(amo_islands *p)
{
  const amo_model *m = p->m;
  amo_blocks *b = &p->blocks;
  p->count = b->all;
  for (uint32_t i = 0; i < m->nq; i++) p->coordinates.island[i] = amo_blocks_island(b, i);
  for (uint32_t c = 0; c < m->nc; c++) p->contacts.island[c] = p->acts[c] ? b->of[c] : UINT32_MAX;
  for (uint32_t g = 0; g < m->ng; g++) {
    const amo_constraint *k = &m->constraint[g];
    p->constraints.island[g] = k->ng > 0 ? amo_blocks_island(b, k->g[0].col) : p->count++;
  }
  for (uint32_t e = 0; e < m->nmass; e++) p->masses.island[e] = amo_blocks_island(b, m->mass[e].row);
  gather(&p->coordinates, m->nq, p->count);
  gather(&p->contacts, m->nc, p->count);
  gather(&p->constraints, m->ng, p->count);
  gather(&p->masses, m->nmass, p->count);
}

static amo_entry localised(const amo_islands *p, amo_entry x)
{
  x.col = p->coordinates.local[x.col];
  return x;
}

static amo_entry *copy_row(amo_islands *p, size_t *used, const amo_entry *row, uint32_t n)
{
  amo_entry *to = p->entry + *used;
  for (uint32_t e = 0; e < n; e++) to[e] = localised(p, row[e]);
  *used += n;
  return to;
}

static void copy_contact(amo_islands *p, size_t *used, const amo_contact *from, amo_contact *k)
{
  *k = *from;
  k->n = copy_row(p, used, from->n, from->nn);
  k->w = copy_row(p, used, from->w, from->nw);
  for (uint32_t a = 0; a < amo_slip_rows(from); a++)
    k->axis[a].w = copy_row(p, used, amo_slip_row(from, a).w, amo_slip_row(from, a).nw);
  for (uint32_t i = 0; i < k->npressing; i++) {
    const amo_members *of = k->pressing[i].of_contact ? &p->contacts : &p->constraints;
    k->pressing[i].item =
        of->island[k->pressing[i].item] != UINT32_MAX ? of->local[k->pressing[i].item] : UINT32_MAX;
  }
}

void amo_islands_divide(amo_islands *p, const bool *acts)
{
  const amo_model *m = p->m;
  size_t used = 0;
  if (p->count > 0 && memcmp(acts, p->acts, m->nc * sizeof *acts) == 0) return;
  memcpy(p->acts, acts, m->nc * sizeof *acts);
  amo_blocks_divide(&p->blocks, acts);
  find_members(p);
  for (uint32_t i = 0; i < m->nq; i++) p->r_h[i] = m->r_h[p->coordinates.item[i]];
  for (uint32_t e = 0; e < m->nmass; e++) {
    p->mass[e] = localised(p, m->mass[p->masses.item[e]]);
    p->mass[e].row = p->coordinates.local[p->mass[e].row];
  }
  for (uint32_t g = 0; g < m->ng; g++) {
    p->constraint[g] = m->constraint[p->constraints.item[g]];
    p->constraint[g].g = copy_row(p, &used, p->constraint[g].g, p->constraint[g].ng);
  }
  for (uint32_t c = 0; c < p->contacts.first[p->count]; c++)
    copy_contact(p, &used, &m->contact[p->contacts.item[c]], &p->contact[c]);
}

amo_island amo_islands_at(const amo_islands *p, uint32_t b)
{
  const uint32_t q = p->coordinates.first[b], g = p->constraints.first[b], c = p->contacts.first[b],
                 e = p->masses.first[b];
  amo_island x = {.nq = p->coordinates.first[b + 1u] - q,
                  .ng = p->constraints.first[b + 1u] - g,
                  .nc = p->contacts.first[b + 1u] - c,
                  .nmass = p->masses.first[b + 1u] - e,
                  .light = p->m->light,
                  .mass = p->mass + e,
                  .contact = p->contact + c,
                  .constraint = p->constraint + g,
                  .r_h = p->r_h + q,
                  .q_of = p->coordinates.item + q,
                  .contact_of = p->contacts.item + c,
                  .constraint_of = p->constraints.item + g};
  for (uint32_t i = 0; i < x.nc; i++) x.njoint += x.contact[i].npressing > 0;
  return x;
}
