// SPDX-License-Identifier: Apache-2.0
/// Rates of loading. A contact at rest carries the force Q = -lambda; a law may ask how fast that grows,
///   f = d|Q|/dt where positive, else 0.
/// It is one differentiation more than the balance of forces, made here in expressions: known of coordinates that stand alone in the
/// balance, whatever stands beside them, and of sliders without mass. In slip, where it means nothing, it is that of the contact held.
#include <string.h>

#include "model/model.h"

static bool has(const amo_entry *row, uint32_t n, uint32_t q)
{
  for (uint32_t e = 0; e < n; e++)
    if (row[e].col == q) return true;
  return false;
}

/// The mass of coordinate q where that stands alone in the balance, as in plain.c, with at most one contact (*contact, -1: none); NULL: it does not.
static const amo_entry *alone(const amo_model *m, uint32_t q, long *contact)
{
  const amo_entry *mass = NULL;
  *contact = -1;
  for (uint32_t e = 0; e < m->nmass; e++) {
    if (m->mass[e].row != q && m->mass[e].col != q) continue;
    if (m->mass[e].row != m->mass[e].col) return NULL;
    mass = &m->mass[e];
  }
  for (uint32_t g = 0; g < m->ng; g++)
    if (has(m->constraint[g].g, m->constraint[g].ng, q)) return NULL;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    if (!has(k->w, k->nw, q) && !has(k->n, k->nn, q)) continue;
    if (amo_has_gap(k) || k->npressing > 0 || k->parts || amo_slip_rows(k) != 1 || k->nw != 1 ||
        *contact >= 0)
      return NULL;
    *contact = (long)c;
  }
  return mass;
}

/// Acceleration of coordinate q, and the force that its contact takes in stick (or NULL); NONE: the balance is needed for it.
static amo_node acceleration(const amo_model *m, uint32_t q, amo_node *force)
{
  long c;
  amo_dag *d = m->dag;
  const amo_entry *mass = alone(m, q, &c);
  if (mass == NULL) return AMO_NODE_NONE;
  const amo_node free = amo_div(d, m->h[q], mass->node);
  if (c < 0) return free;
  const amo_contact *k = &m->contact[c];
  const amo_node held = amo_div(d, amo_neg(d, k->zeta), k->w[0].node);
  if (force) *force = amo_div(d, amo_sub(d, amo_mul(d, mass->node, held), m->h[q]), k->w[0].node);
  return amo_select(d, amo_leaf(d, m->leaf.sigma + (uint32_t)c), free, held);
}

/// What leaves are while contact c rests: accelerations as the balance has them, its slip velocity zero.
static void put_rest(const amo_loader *ld, uint32_t c, amo_node *put)
{
  const amo_model *m = ld->m;
  const amo_contact *k = &m->contact[c];
  amo_dag *d = ld->dag;
  put[m->leaf.sigma + c] = amo_const(d, 0.0);
  for (uint32_t i = 0; i < m->nq; i++) put[m->leaf.acc + i] = m->plain ? m->acc[i] : acceleration(m, i, NULL);
  if (k->nw != 1) return;
  const amo_node u = amo_leaf(d, m->leaf.u + k->w[0].col);
  put[m->leaf.u + k->w[0].col] = amo_sub(d, u, amo_div(d, k->slip, k->w[0].node));
}

/// NONE: it does not follow from coordinates that stand alone.
static amo_node rate_of_loading(amo_loader *ld, uint32_t c, amo_node *put)
{
  amo_dag *d = ld->dag;
  const uint32_t n = ld->inner.count;
  const amo_contact *k = &ld->m->contact[c];
  amo_node force = k->stick_force;
  if (force == AMO_NODE_NONE && k->nw == 1) (void)acceleration(ld->m, k->w[0].col, &force);
  if (force == AMO_NODE_NONE) return AMO_NODE_NONE;
  put_rest(ld, c, put);
  const amo_node rate = amo_subst(d, amo_total(d, force, ld->rules.full, n), put, n);
  const amo_node along = amo_load_sub(ld, amo_subst(d, rate, put, n));  // what accelerations have brought
  if (amo_node_depends(d, along, ld->m->leaf.acc, ld->m->nq)) return AMO_NODE_NONE;
  const amo_node grows = amo_mul(d, amo_op1(d, AMO_OP_SIGN, amo_subst(d, force, put, n)), along);
  return amo_select(d, amo_op1(d, AMO_OP_POS, grows), grows, amo_const(d, 0.0));
}

static void find_loading(amo_loader *ld, uint32_t c, amo_node *put)
{
  amo_contact *k = &ld->m->contact[c];
  if (!amo_node_depends(ld->dag, k->bound, ld->inner.loading + c, 1)) return;
  memset(put, 0, ld->inner.count * sizeof *put);
  const amo_node rate = rate_of_loading(ld, c, put);
  if (rate == AMO_NODE_NONE && amo_dag_status(ld->dag) == AMO_OK) {
    amo_load_fail(ld, amo_error(ld->diags, amo_yaml_at(ld->contacts.item[c].item.node),
                                "write it into the law: loading: k*v",
                                "the rate of loading of contact %s does not follow from one coordinate",
                                k->sym.name));
    return;
  }
  ld->rules.substitute[ld->inner.loading + c] = rate;
  k->bound = amo_load_sub(ld, k->bound);
  k->spare = amo_load_sub(ld, k->spare);
}

void amo_load_loading(amo_loader *ld)
{
  if (ld->status != AMO_OK) return;
  amo_status st = amo_find_plain(ld->m);
  amo_node *put = amo_arena_alloc(&ld->arena, ld->inner.count * sizeof *put);
  if (st == AMO_OK && !put) st = AMO_ENOMEM;
  if (st != AMO_OK) amo_load_fail(ld, st);
  amo_preliminary_check(ld);
  for (uint32_t c = 0; st == AMO_OK && c < ld->contacts.count; c++) find_loading(ld, c, put);
}
