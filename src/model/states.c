// SPDX-License-Identifier: Apache-2.0
/// Motion in time: rates of the leaves, prescribed coordinates, first-order states.
#include <stdlib.h>

#include "model/model.h"
#include "model/keys.h"

/// Derivatives of the leaves by time. z gets its rate as soon as it is known (amo_load_states).
static amo_status make_rates(amo_loader *ld)
{
  const amo_leaves *l = &ld->m->leaf;
  size_t n = ld->inner.count;
  amo_node **all[] = {&ld->rules.time, &ld->rules.zeta, &ld->rules.full};
  for (int k = 0; k < 3; k++) {
    amo_node *r = amo_arena_alloc(&ld->arena, n * sizeof *r);
    if (!r) return AMO_ENOMEM;
    *all[k] = r;
    r[l->t] = amo_const(ld->dag, 1.0);
    for (uint32_t c = 0; c < ld->coords.count; c++) {
      bool given = amo_is_given(&ld->coords.item[c]);
      r[amo_leaf_q(ld, c)] = amo_load_motion(ld, c, 1);
      if (k == 2 || (k == 1 && given)) r[amo_leaf_u(ld, c)] = amo_load_motion(ld, c, 2);
    }
  }
  return amo_dag_status(ld->dag);
}

static amo_status init_mechanics(amo_loader *ld)
{
  uint32_t n = (uint32_t)ld->coords.count;
  uint32_t *q = amo_arena_alloc(&ld->arena, n * sizeof *q);
  uint32_t *u = amo_arena_alloc(&ld->arena, n * sizeof *u);
  if (!q || !u) return AMO_ENOMEM;
  for (uint32_t i = 0; i < n; i++) {
    q[i] = amo_leaf_q(ld, i);
    u[i] = amo_leaf_u(ld, i);
  }
  ld->mech = (amo_mech){.dag = ld->dag,
                        .n = n,
                        .leaf_t = ld->m->leaf.t,
                        .leaves = ld->inner.count,
                        .q = q,
                        .u = u,
                        .rate_time = ld->rules.time,
                        .rate_full = ld->rules.full};
  return amo_mech_init(&ld->mech);
}

void amo_load_prescribed(amo_loader *ld)
{
  amo_status st = make_rates(ld);
  if (st == AMO_OK) st = init_mechanics(ld);
  if (st != AMO_OK) {
    amo_load_fail(ld, st);
    return;
  }
  for (size_t i = 0; i < ld->coords.count; i++) {
    amo_coord *c = &ld->coords.item[i];
    if (!c->prescribed) continue;
    const char *what = amo_arena_printf(&ld->arena, "prescribed motion %s", c->name);
    amo_expr_in in = {
        .what = what ? what : "prescribed motion", .on = AMO_ON_T, .index = c->p_index, .i = c->p_i};
    c->motion[0] = amo_load_expr(ld, c->prescribed, &in);
    for (int k = 1; k < 3; k++) c->motion[k] = amo_diff(ld->dag, c->motion[k - 1], ld->m->leaf.t);
  }
}

static amo_node state_rate(amo_loader *ld, const amo_decl *s)
{
  const char *what = amo_arena_printf(&ld->arena, "rate of %s", s->item.name);
  amo_expr_in in = amo_item_scope(&s->item, what ? what : "rate", AMO_ON_STATE);
  const amo_yaml *n = s->item.node;
  if (n->kind != AMO_YAML_MAP) return amo_load_expr(ld, n, &in);
  if (amo_yaml_only_of(n, s->item.name, amo_model_keys, "states.NAME", ld->diags) != AMO_OK)
    amo_load_fail(ld, AMO_EINPUT);
  const amo_yaml *rate = amo_yaml_get(n, "rate");
  if (rate) return amo_load_expr(ld, rate, &in);
  amo_load_fail(ld, amo_error(ld->diags, n->key->at, NULL, "state %s has no rate", s->item.name));
  return AMO_NODE_NONE;
}

void amo_load_states(amo_loader *ld)
{
  const amo_yaml *bad = NULL;
  for (size_t i = 0; i < ld->states.count; i++) {
    const amo_decl *s = &ld->states.item[i];
    if (s->contact >= 0 || s->moves || s->item.node == bad)
      continue;  // those of laws are read with their contact
    amo_node rate = state_rate(ld, s);
    if (rate == AMO_NODE_NONE) bad = s->item.node;
    ld->m->extra[i].rate = rate;
    ld->rules.zeta[ld->m->leaf.z + i] = rate;
    ld->rules.full[ld->m->leaf.z + i] = rate;
  }
}
