// SPDX-License-Identifier: Apache-2.0
/// Which coordinates hang together in these modes, and by which ties.
#include "base/join.h"
#include "contact/balance_impl.h"

static void join_row(amo_balance *b, const amo_entry *e, uint32_t n)
{
  for (uint32_t k = 1; k < n; k++) amo_join(b->parent, e[0].col, e[k].col);
}

static void number_blocks(amo_balance *b)
{
  uint32_t nq = b->m->nq;
  b->nblocks = 0;
  for (uint32_t i = 0; i < nq; i++)
    if (amo_root(b->parent, i) == i) {
      b->block_of[i] = b->nblocks;
      b->blocks[b->nblocks++] = (block){0};
    }
  for (uint32_t i = 0; i < nq; i++) {
    b->block_of[i] = b->block_of[amo_root(b->parent, i)];
    b->blocks[b->block_of[i]].coords++;
  }
}

static void place_coordinates(amo_balance *b)
{
  uint32_t at = 0;
  for (uint32_t k = 0; k < b->nblocks; k++) {
    b->blocks[k].coord = at;
    at += b->blocks[k].coords;
    b->blocks[k].coords = 0;
  }
  for (uint32_t i = 0; i < b->m->nq; i++) {
    block *bl = &b->blocks[b->block_of[i]];
    b->local[i] = bl->coords;
    b->order[bl->coord + bl->coords++] = i;
  }
}

/// The i-th possible tie in these modes: constraints, guides, supports, then sticking contacts. Where ties hold the same motion the
/// later ones give way, here as in the search for all solutions: a guide to a constraint, a support, which may open, to a guide, and a slip that cannot be held
/// apart from a guide (its direction is the guide's normal) to the guide. False if the tie is not there.
static bool tie_at(const amo_balance *b, uint32_t i, const signed char *mode,
                   const signed char *reaction_sign, row *r)
{
  const amo_model *m = b->m;
  if (i < m->ng) {
    const amo_constraint *g = &m->constraint[i];
    *r = (row){TIE_CONSTRAINT, g->g, g->ng, g->r_zeta, i, 0.0, UINT32_MAX, 0};
    return g->ng > 0;
  }
  if (i < 2 * m->nc + m->ng) {
    const uint32_t c = (i - m->ng) % m->nc;
    const amo_contact *k = &m->contact[c];
    if (!amo_is_tied(k, mode[c]) || amo_can_open(k) != (i - m->ng >= m->nc)) return false;
    *r = (row){TIE_GUIDE, k->n,
               k->nn,     k->r_gap_zeta,
               c,         mode[c] == 0 ? 0.0 : (double)(mode[c] * reaction_sign[c]),
               c,         amo_kept_sign(k, mode[c], reaction_sign[c])};
    return k->nn > 0 && reaction_sign[c] != AMO_FREED;
  }
  const uint32_t c = (i - m->ng) % m->nc, axis = (i - m->ng) / m->nc - 2;
  const amo_contact *k = &m->contact[c];
  if (mode[c] != 0 || axis >= amo_slip_rows(k)) return false;
  const amo_slip_axis x = amo_slip_row(k, axis);
  *r = (row){amo_turns(k) ? TIE_AXIS : TIE_STICK, x.w, x.nw, x.r_zeta,
             amo_turns(k) ? k->xi + axis : c,     0.0, c,    0};
  return r->entries > 0;
}

static void place_rows(amo_balance *b, const signed char *mode, const signed char *reaction_sign)
{
  uint32_t all = 4 * b->m->nc + b->m->ng;
  for (int pass = 0; pass < 2; pass++) {  // count, then fill
    uint32_t at = 0;
    if (pass == 1)
      for (uint32_t k = 0; k < b->nblocks; k++) {
        b->blocks[k].row = at;
        at += b->blocks[k].rows;
        b->blocks[k].rows = 0;
      }
    for (uint32_t i = 0; i < all; i++) {
      row r;
      if (!tie_at(b, i, mode, reaction_sign, &r)) continue;
      block *bl = &b->blocks[b->block_of[r.entry[0].col]];
      if (pass == 1) b->rowlist[bl->row + bl->rows] = r;
      bl->rows++;
    }
  }
}

static void reserve_factors(amo_balance *b)
{
  size_t need = 0;
  uint32_t perm = 0;
  for (uint32_t k = 0; k < b->nblocks; k++) {
    uint32_t n = b->blocks[k].coords + b->blocks[k].rows;
    b->blocks[k].lu = need;
    b->blocks[k].perm = perm;
    need += (size_t)n * n;
    perm += 2 * n;
  }
  b->failed =
      !AMO_ROOM(b->lu, need - 1u, b->lu_capacity);  // grows a few times in a run, never inside the order loop
}

static bool is_free(const amo_balance *b)
{
  bool free = b->nblocks == b->m->nq;
  for (uint32_t k = 0; k < b->nblocks; k++) free &= b->blocks[k].rows == 0;
  for (uint32_t e = 0; e < b->m->nmass; e++) free &= b->mass_fixed[e];
  for (uint32_t c = 0; c < b->m->nc; c++) free &= !b->loose[c];
  return free;
}

void amo_balance_arrange(amo_balance *b, const signed char *mode, const signed char *reaction_sign)
{
  const amo_model *m = b->m;
  for (uint32_t i = 0; i < m->nq; i++) b->parent[i] = i;
  for (uint32_t e = 0; e < m->nmass; e++) amo_join(b->parent, m->mass[e].row, m->mass[e].col);
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    b->loose[c] = mode[c] == 0 && k->nw == 0;
    b->spare[c] = false;
    const bool tied = amo_is_tied(k, mode[c]);
    if (mode[c] == 0 || tied) join_row(b, k->w, k->nw);
    if (!tied) continue;
    join_row(b, k->n, k->nn);
    if (k->nn > 0 && k->nw > 0) amo_join(b->parent, k->n[0].col, k->w[0].col);
  }
  for (uint32_t g = 0; g < m->ng; g++) join_row(b, m->constraint[g].g, m->constraint[g].ng);
  amo_balance_forget_shares(b);
  number_blocks(b);
  place_coordinates(b);
  place_rows(b, mode, reaction_sign);
  reserve_factors(b);
  b->free = is_free(b);
}
