// SPDX-License-Identifier: Apache-2.0
/// Plain systems: every coordinate stands alone in the balance of forces (diagonal M, no constraints,
/// no guides, at most one contact on a coordinate, one coordinate under a contact). Then the balance needs no solver:
///   u' = h/M in slip, u' = -zeta/w in stick, and the stick force follows from M u' = h + w lambda.
#include <stdlib.h>

#include "model/model.h"

static bool stands_alone(const amo_model *m, long *contact_of)
{
  if (m->ng > 0 || m->nmass != m->nq) return false;
  for (uint32_t q = 0; q < m->nq; q++) contact_of[q] = -1;
  for (uint32_t e = 0; e < m->nmass; e++)
    if (m->mass[e].row != m->mass[e].col) return false;
  for (uint32_t c = 0; c < m->nc; c++) {
    if (amo_is_massless(&m->contact[c]) && !m->contact[c].parts) continue;
    if (amo_has_gap(&m->contact[c]) || m->contact[c].parts || amo_turns(&m->contact[c]) ||
        m->contact[c].nw != 1 || contact_of[m->contact[c].w[0].col] >= 0)
      return false;
    contact_of[m->contact[c].w[0].col] = (long)c;
  }
  return true;
}

static void explicit_form(amo_model *m, const amo_entry *mass, long c)
{
  amo_dag *d = m->dag;
  const uint32_t q = mass->row;
  const amo_node free = amo_div(d, m->h[q], mass->node);
  m->acc[q] = free;
  if (c < 0) return;
  amo_contact *k = &m->contact[c];
  const amo_node held = amo_div(d, amo_neg(d, k->zeta), k->w[0].node);
  k->stick_force = amo_div(d, amo_sub(d, amo_mul(d, mass->node, held), m->h[q]), k->w[0].node);
  m->acc[q] = amo_select(d, amo_leaf(d, m->leaf.sigma + (uint32_t)c), free, held);
}

amo_status amo_find_plain(amo_model *m)
{
  long *contact_of = amo_zalloc(m->nq, sizeof *contact_of);
  m->acc = amo_zalloc(m->nq, sizeof *m->acc);
  m->r_acc = amo_zalloc(m->nq, sizeof *m->r_acc);
  const bool room = contact_of && m->acc && m->r_acc;
  m->plain = room && stands_alone(m, contact_of);
  for (uint32_t e = 0; m->plain && e < m->nmass; e++)
    explicit_form(m, &m->mass[e], contact_of[m->mass[e].row]);
  free(contact_of);
  return room ? amo_dag_status(m->dag) : AMO_ENOMEM;
}
