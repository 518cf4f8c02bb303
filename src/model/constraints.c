// SPDX-License-Identifier: Apache-2.0
/// Ideal constraints: phi(q,t) = 0, or a relation that is linear in the velocities (pure rolling).
#include <string.h>

#include "model/model.h"
#include "model/rows.h"

/// The one '=' of "a = b", or NULL. Comparisons (<=, ==) are no equation.
static const char *equals_sign(const char *s)
{
  for (const char *p = strchr(s, '='); p; p = strchr(p + 1, '=')) {
    bool before = p > s && strchr("<>!=", p[-1]) != NULL;
    if (!before && p[1] != '=') return p;
  }
  return NULL;
}

amo_node amo_load_equation(amo_loader *ld, const amo_yaml *n, const amo_expr_in *in)
{
  if (amo_yaml_expect(n, AMO_YAML_SCALAR, in->what, ld->diags) != AMO_OK) {
    amo_load_fail(ld, AMO_EINPUT);
    return AMO_NODE_NONE;
  }
  const char *eq = equals_sign(n->text);
  if (!eq) return amo_load_expr(ld, n, in);
  size_t left = (size_t)(eq - n->text);
  amo_at at = n->at;
  at.column += (int)left + 1;
  at.length = (int)(n->length - left - 1);
  amo_node a = amo_load_text(ld, n->text, left, n->at, in);
  amo_node b = amo_load_text(ld, eq + 1, n->length - left - 1, at, in);
  return amo_sub(ld->dag, a, b);
}

static amo_status load_constraint(amo_loader *ld, amo_decl *c, amo_constraint *g)
{
  const char *what = amo_arena_printf(&ld->arena, "constraint %s", c->item.name);
  if (!what) return AMO_ENOMEM;
  amo_expr_in in = amo_item_scope(&c->item, what, AMO_ON_POSITION | AMO_ON_U);
  amo_node e = amo_load_equation(ld, c->item.node, &in);
  if (e == AMO_NODE_NONE) return AMO_EINPUT;
  const amo_leaves *l = &ld->m->leaf;
  g->velocity_level = (ld->m->nq && amo_node_depends(ld->dag, e, l->u, ld->m->nq)) ||
                      (ld->coords.given && amo_node_depends(ld->dag, e, ld->inner.u, ld->coords.given));
  g->residual = g->velocity_level ? AMO_NODE_NONE : e;
  g->rate = e;
  amo_status st = g->velocity_level ? amo_row_make(ld, e, c->item.node->at, what, true, &c->row)
                                    : amo_row_of_position(ld, e, c->item.node->at, what, &g->rate, &c->row);
  g->zeta = c->row.zeta;
  return st;
}

void amo_load_constraints(amo_loader *ld)
{
  const amo_yaml *bad = NULL;
  for (uint32_t i = 0; i < ld->m->ng; i++) {
    if (bad == ld->constraints.item[i].item.node || ld->constraints.item[i].contact >= 0) continue;
    amo_status st = load_constraint(ld, &ld->constraints.item[i], &ld->m->constraint[i]);
    if (st == AMO_OK) continue;
    bad = ld->constraints.item[i].item.node;
    amo_load_fail(ld, st);
  }
}
