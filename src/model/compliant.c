// SPDX-License-Identifier: Apache-2.0
/// Compliant guides and supports: the normal force is no unknown but comes from the depth of the contact,
///   R = -(c g + d dg/dt), or k (-g)^n (1 - loss dg/dt) - d dg/dt, for a support only where g < 0 and never pulling.
/// The contact then is a pressed one with the normal force |R|, which knows its side; the elastic energy and the damper join the mechanics.
#include "model/model.h"
#include "model/rows.h"
#include "model/keys.h"

typedef struct normal_force {
  amo_node stiffness;
  amo_node exponent, loss, damping;  // NONE if there is none
} normal_force;

/// A coefficient of the contact, or of its stiffness.
static amo_node read_coefficient(amo_loader *ld, const amo_item *it, const amo_yaml *n, const char *key,
                                 amo_relation range)
{
  const char *what = amo_arena_printf(&ld->arena, "%s of contact %s", key, it->name);
  if (!n || !what) return AMO_NODE_NONE;
  amo_expr_in in = amo_item_scope(it, what, AMO_ON_POSITION);
  amo_node v = amo_load_expr(ld, n, &in);
  amo_load_check(ld, v, range, n->at, what, NULL);
  return v;
}

/// False: something is wrong, and told.
static bool read_force(amo_loader *ld, const amo_item *it, normal_force *f)
{
  const amo_yaml *stiffness = amo_yaml_get(it->node, "stiffness"),
                 *damping = amo_yaml_get(it->node, "damping");
  const amo_yaml *k = stiffness, *exponent = NULL, *loss = NULL;
  if (amo_yaml_is(stiffness, AMO_YAML_MAP)) {
    if (amo_yaml_only_of(stiffness, "stiffness", amo_model_keys, "contacts.NAME.stiffness", ld->diags) !=
        AMO_OK)
      return false;
    k = amo_yaml_get(stiffness, "k");
    exponent = amo_yaml_get(stiffness, "exponent");
    loss = amo_yaml_get(stiffness, "loss");
    if (!k)
      return amo_error(ld->diags, stiffness->key->at, "stiffness: {k: 1e6, exponent: 1.5}",
                       "the stiffness of contact %s has no 'k'", it->name) == AMO_OK;
  }
  *f = (normal_force){read_coefficient(ld, it, k, "stiffness", AMO_IS_NONNEGATIVE),
                      read_coefficient(ld, it, exponent, "exponent", AMO_IS_AT_LEAST_ONE),
                      read_coefficient(ld, it, loss, "loss", AMO_IS_NONNEGATIVE),
                      read_coefficient(ld, it, damping, "damping", AMO_IS_NONNEGATIVE)};
  return f->stiffness != AMO_NODE_NONE && (!exponent || f->exponent != AMO_NODE_NONE) &&
         (!loss || f->loss != AMO_NODE_NONE) && (!damping || f->damping != AMO_NODE_NONE);
}

/// Where the condition is not negative; its end is told by the contact, not as a branch of an expression.
static amo_node where(amo_dag *d, amo_node condition, amo_node value, amo_node otherwise)
{
  return amo_select(d, amo_op1(d, AMO_OP_SEAM, condition), value, otherwise);
}

/// The elastic part of R, odd in the depth, and its energy.
static amo_node elastic_force(amo_dag *d, const amo_contact *k, normal_force f, amo_node depth,
                              amo_node *energy)
{
  if (f.exponent == AMO_NODE_NONE) {
    const amo_node force = amo_mul(d, f.stiffness, depth);
    *energy = amo_mul(d, amo_const(d, 0.5), amo_mul(d, force, depth));
    return force;
  }
  const amo_node size = k->parts ? depth : where(d, depth, depth, amo_neg(d, depth));
  const amo_node more = amo_add(d, f.exponent, amo_const(d, 1.0));
  const amo_node force = amo_mul(d, f.stiffness, amo_op2(d, AMO_OP_POW, size, f.exponent));
  *energy = amo_div(d, amo_mul(d, f.stiffness, amo_op2(d, AMO_OP_POW, size, more)), more);
  return k->parts ? force : where(d, depth, force, amo_neg(d, force));
}

/// R of the depth, its size and its side; adds energy and damper.
static void react(amo_loader *ld, amo_contact *k, normal_force f)
{
  amo_dag *d = ld->dag;
  const bool damped = f.damping != AMO_NODE_NONE, lossy = f.loss != AMO_NODE_NONE;
  const amo_node zero = amo_const(d, 0.0), one = amo_const(d, 1.0), depth = amo_neg(d, k->gap);
  amo_node energy, elastic = elastic_force(d, k, f, depth, &energy), all = elastic, presses = one;
  if (lossy) all = amo_mul(d, elastic, presses = amo_sub(d, one, amo_mul(d, f.loss, k->gap_rate)));
  if (damped) presses = all = amo_sub(d, all, amo_mul(d, f.damping, k->gap_rate));
  if (k->parts) {
    k->side = where(d, depth, where(d, presses, one, zero), zero);
    k->normal = all = where(d, depth, where(d, presses, all, zero), zero);
    elastic = where(d, depth, elastic, zero);
    energy = where(d, depth, energy, zero);
  } else {
    k->side = where(d, all, one, amo_neg(d, one));
    k->normal = where(d, all, all, amo_neg(d, all));
  }
  k->reaction = all;
  amo_mech_potential(&ld->mech, energy);
  if (damped || lossy) amo_mech_load(&ld->mech, amo_sub(d, all, elastic), k->gap);
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
  normal_force f = {0};
  if (!read_force(ld, &c->item, &f)) return AMO_EINPUT;
  react(ld, k, f);
  k->kind = AMO_PRESSED;
  k->gap = k->gap_rate = k->gap_zeta = AMO_NODE_NONE;
  amo_row_free(&c->normal);
  return AMO_OK;
}
