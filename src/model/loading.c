// SPDX-License-Identifier: Apache-2.0
/// Rates of loading. A contact at rest carries the force Q = -lambda; a law may ask how fast that grows,
///   f = d|Q|/dt where positive, else 0.
/// It is one differentiation more than the balance of forces, made here in expressions: known where the balance needs no
/// solver (plain.c) and of sliders without mass. In slip, where it means nothing, it is that of the contact held.
#include <string.h>

#include "model/model.h"

/// What leaves are while contact c rests: accelerations as the balance has them, its slip velocity zero.
static void put_rest(const amo_loader *ld, uint32_t c, amo_node *put)
{
  const amo_model *m = ld->m;
  const amo_contact *k = &m->contact[c];
  amo_dag *d = ld->dag;
  put[m->leaf.sigma + c] = amo_const(d, 0.0);
  for (uint32_t i = 0; i < m->nq; i++) put[m->leaf.acc + i] = m->acc[i];
  if (k->nw != 1) return;
  const amo_node u = amo_leaf(d, m->leaf.u + k->w[0].col);
  put[m->leaf.u + k->w[0].col] = amo_sub(d, u, amo_div(d, k->slip, k->w[0].node));
}

static amo_node rate_of_loading(amo_loader *ld, uint32_t c, amo_node *put)
{
  amo_dag *d = ld->dag;
  const uint32_t n = ld->inner.count;
  put_rest(ld, c, put);
  const amo_node force = ld->m->contact[c].stick_force;
  const amo_node rate = amo_subst(d, amo_total(d, force, ld->rules.full, n), put, n);
  const amo_node along = amo_load_sub(ld, amo_subst(d, rate, put, n));  // what accelerations have brought
  const amo_node grows = amo_mul(d, amo_op1(d, AMO_OP_SIGN, amo_subst(d, force, put, n)), along);
  return amo_select(d, amo_op1(d, AMO_OP_POS, grows), grows, amo_const(d, 0.0));
}

static void find_loading(amo_loader *ld, uint32_t c, amo_node *put)
{
  amo_contact *k = &ld->m->contact[c];
  if (!amo_node_depends(ld->dag, k->bound, ld->inner.loading + c, 1)) return;
  if (k->stick_force == AMO_NODE_NONE) {
    amo_load_fail(ld, amo_error(ld->diags, amo_yaml_at(ld->contacts.item[c].item.node),
                                "write it into the law: loading: k*v",
                                "the rate of loading of contact %s does not follow from one coordinate",
                                k->sym.name));
    return;
  }
  memset(put, 0, ld->inner.count * sizeof *put);
  ld->rules.substitute[ld->inner.loading + c] = rate_of_loading(ld, c, put);
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
