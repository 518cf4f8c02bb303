// SPDX-License-Identifier: Apache-2.0
/// Which coordinates have to do with each other? Those of two mechanisms in one file do not: what is measured against the
/// sizes of one is not measured against those of another.
#include <stdlib.h>

#include "base/join.h"
#include "model/model.h"

typedef struct joined {
  const amo_model *m;
  uint32_t *parent;  // [registers of step]
  bool *moves;       // [registers] depends on the state
} joined;

/// What a register of the program is made of belongs to coordinate q.
static void join_register(const joined *j, uint32_t reg, uint32_t q)
{
  if (reg != AMO_NO_REGISTER && j->moves[reg]) amo_join(j->parent, reg, j->m->leaf.q + q);
}

/// Coordinates of a row; `with` is one of them or a coordinate that they are joined to, -1: none yet.
static long join_row(const joined *j, const amo_entry *row, uint32_t n, long with)
{
  for (uint32_t e = 0; e < n; e++) {
    if (with < 0) with = row[e].col;
    amo_join(j->parent, j->m->leaf.q + row[e].col, j->m->leaf.q + (uint32_t)with);
    join_register(j, row[e].reg, (uint32_t)with);
  }
  return with;
}

static void join_contact(const joined *j, const amo_contact *k)
{
  long with = join_row(j, k->n, k->nn, -1);
  for (uint32_t a = 0; a < amo_slip_rows(k); a++)
    with = join_row(j, amo_slip_row(k, a).w, amo_slip_row(k, a).nw, with);
  for (uint32_t i = 0; i < k->npressing; i++) {
    const amo_presser *p = &k->pressing[i];
    with = p->of_contact ? join_row(j, j->m->contact[p->item].n, j->m->contact[p->item].nn, with)
                         : join_row(j, j->m->constraint[p->item].g, j->m->constraint[p->item].ng, with);
  }
  if (with < 0) return;
  const uint32_t reg[] = {k->r_slip,    k->r_zeta, k->r_bound,    k->r_bound_by, k->r_kinetic_by,
                          k->r_kinetic, k->r_gap,  k->r_gap_zeta, k->r_within};
  for (size_t i = 0; i < sizeof reg / sizeof *reg; i++) join_register(j, reg[i], (uint32_t)with);
}

static void join_all(const joined *j)
{
  const amo_model *m = j->m;
  for (uint32_t i = 0; i < m->nq; i++) {
    amo_join(j->parent, m->leaf.q + i, m->leaf.u + i);
    join_register(j, m->r_h[i], i);
    join_register(j, m->r_acc[i], i);
  }
  for (uint32_t e = 0; e < m->nmass; e++) {
    const amo_entry one = {.col = m->mass[e].col, .reg = m->mass[e].reg};
    join_row(j, &one, 1, m->mass[e].row);
  }
  for (uint32_t c = 0; c < m->nc; c++) join_contact(j, &m->contact[c]);
  for (uint32_t g = 0; g < m->ng; g++) {
    const long with = join_row(j, m->constraint[g].g, m->constraint[g].ng, -1);
    if (with >= 0) join_register(j, m->constraint[g].r_zeta, (uint32_t)with);
  }
  for (uint32_t i = 0; i < m->nz; i++)
    if (j->moves[m->extra[i].r_rate])
      amo_join(j->parent, amo_state_leaf(m, 2 * m->nq + i), m->extra[i].r_rate);
}

amo_status amo_find_mechanisms(amo_model *m)
{
  const uint32_t n = amo_prog_registers(m->step);
  joined j = {m, amo_zalloc(n, sizeof *j.parent), amo_zalloc(n, sizeof *j.moves)};
  m->mechanism = amo_zalloc(m->nq, sizeof *m->mechanism);
  const bool there = j.parent != NULL && j.moves != NULL && m->mechanism != NULL;
  for (uint32_t r = 0; there && r < n; r++) j.parent[r] = r;
  for (uint32_t i = 0; there && i < 2 * m->nq + m->nz; i++) j.moves[amo_state_leaf(m, i)] = true;
  if (there) {
    amo_prog_join(m->step, j.parent, j.moves);
    join_all(&j);
  }
  for (uint32_t i = 0; there && i < m->nq; i++)  // leaves of coordinates come before all else that moves
    m->mechanism[i] = amo_root(j.parent, m->leaf.q + i) - m->leaf.q;
  free(j.parent);
  free(j.moves);
  return there ? AMO_OK : AMO_ENOMEM;
}
