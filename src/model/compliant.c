// SPDX-License-Identifier: Apache-2.0
/// Compliant guides and supports: the normal force is no unknown but comes from the depth of the contact,
///   R = -(c g + d dg/dt), for a support only where g < 0 and never pulling.
/// The contact then is a pressed one with the normal force |R|; the elastic energy and the damper join the mechanics.
#include "model/model.h"
#include "model/rows.h"

typedef struct normal_force {
  amo_node stiffness, damping;  // damping: NONE if there is none
} normal_force;

static amo_node read_coefficient(amo_loader *ld, const amo_item *it, const char *key)
{
  const amo_yaml *n = amo_yaml_get(it->node, key);
  const char *what = amo_arena_printf(&ld->arena, "%s of contact %s", key, it->name);
  if (!n || !what) return AMO_NODE_NONE;
  amo_expr_in in = amo_item_scope(it, what, AMO_ON_POSITION);
  amo_node v = amo_load_expr(ld, n, &in);
  amo_load_check(ld, v, AMO_IS_NONNEGATIVE, n->at, what, NULL);
  return v;
}

static amo_node where(amo_dag *d, amo_node condition, amo_node value)
{
  return amo_select(d, amo_op1(d, AMO_OP_POS, condition), value, amo_const(d, 0.0));
}

/// R of the depth; adds energy and damper.
static amo_node reaction_sign(amo_loader *ld, const amo_contact *k, normal_force f)
{
  amo_dag *d = ld->dag;
  bool one_sided = k->kind == AMO_SUPPORT;
  amo_node depth = amo_neg(d, k->gap), elastic = amo_mul(d, f.stiffness, depth), all = elastic;
  amo_node energy = amo_mul(d, amo_const(d, 0.5), amo_mul(d, elastic, depth));
  if (f.damping != AMO_NODE_NONE) all = amo_sub(d, elastic, amo_mul(d, f.damping, k->gap_rate));
  if (one_sided) {
    all = where(d, depth, where(d, all, all));
    elastic = where(d, depth, elastic);
    energy = where(d, depth, energy);
  }
  amo_mech_potential(&ld->mech, energy);
  if (f.damping != AMO_NODE_NONE) amo_mech_load(&ld->mech, amo_sub(d, all, elastic), k->gap);
  return one_sided ? all : amo_op1(d, AMO_OP_ABS, all);
}

amo_status amo_load_compliance(amo_loader *ld, amo_decl *c, amo_contact *k)
{
  const amo_yaml *stiffness = amo_yaml_get(c->item.node, "stiffness");
  const amo_yaml *damping = amo_yaml_get(c->item.node, "damping");
  const amo_yaml *bounce = amo_yaml_get(c->item.node, "restitution");
  if (!stiffness && !damping) return AMO_OK;
  if (!amo_has_gap(k))
    return amo_error(ld->diags, (stiffness ? stiffness : damping)->key->at, "guide: h, stiffness: c",
                     "only guides and supports give way: contact %s has no gap", c->item.name);
  if (!stiffness)
    return amo_error(ld->diags, damping->key->at, "stiffness: c, damping: d",
                     "contact %s has a damping but no stiffness", c->item.name);
  if (bounce)
    return amo_error(ld->diags, bounce->key->at, "a compliant contact bounces by its stiffness and damping",
                     "contact %s has both a stiffness and a restitution", c->item.name);
  if (amo_has_ends(k))
    return amo_error(ld->diags, stiffness->key->at, "leave its stiffness out",
                     "support %s has ends and gives way: what its spring stores at an end would be lost",
                     c->item.name);
  normal_force f = {read_coefficient(ld, &c->item, "stiffness"), read_coefficient(ld, &c->item, "damping")};
  if (f.stiffness == AMO_NODE_NONE || (damping && f.damping == AMO_NODE_NONE)) return AMO_EINPUT;
  k->normal = reaction_sign(ld, k, f);
  k->kind = AMO_PRESSED;
  k->gap = k->gap_rate = k->gap_zeta = AMO_NODE_NONE;
  amo_row_free(&c->normal);
  return AMO_OK;
}
