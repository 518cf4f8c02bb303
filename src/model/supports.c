// SPDX-License-Identifier: Apache-2.0
/// Supports: one-sided contacts gap(q,t) >= 0, and contacts that slide in two directions.
#include "base/mem.h"
#include "model/model.h"
#include "model/rows.h"

/// The sign of an inequality, outside of all parentheses; NULL: there is none.
static const char *comparison(const char *text)
{
  int depth = 0;
  for (; *text && (depth > 0 || (*text != '<' && *text != '>')); text++)
    depth += (*text == '(') - (*text == ')');
  return *text ? text : NULL;
}

/// `a >= b`, `a > b` (or `b <= a`, `b < a`): what is left over. NONE if it is not written so.
static amo_node left_over(amo_loader *ld, const amo_yaml *n, const amo_expr_in *in)
{
  const char *sign = comparison(n->text);
  if (!sign) return AMO_NODE_NONE;
  const size_t left = (size_t)(sign - n->text), wide = sign[1] == '=' ? 2 : 1,
               right = n->length - left - wide;
  amo_at at = n->at;
  at.column += (int)(left + wide);
  at.length = (int)right;
  amo_node a = amo_load_text(ld, n->text, left, n->at, in);
  amo_node b = amo_load_text(ld, sign + wide, right, at, in);
  if (a == AMO_NODE_NONE || b == AMO_NODE_NONE) return AMO_NODE_NONE;
  return *sign == '>' ? amo_sub(ld->dag, a, b) : amo_sub(ld->dag, b, a);
}

void amo_load_end(amo_loader *ld, amo_contact *k, amo_node room)
{
  const amo_node here = amo_op1(ld->dag, AMO_OP_SEAM, room);
  k->within = amo_has_ends(k) ? amo_mul(ld->dag, k->within, here) : here;
  k->room[k->nroom++] = room;
}

static amo_status load_condition(amo_loader *ld, const amo_item *it, const amo_yaml *n, amo_contact *k)
{
  const char *what = amo_arena_printf(&ld->arena, "'while' of contact %s", it->name);
  if (!what) return AMO_ENOMEM;
  amo_status st = amo_yaml_expect(n, AMO_YAML_SCALAR, what, ld->diags);
  if (st != AMO_OK) return st;
  amo_expr_in in = amo_item_scope(it, what, AMO_ON_POSITION);
  const amo_node room = left_over(ld, n, &in);
  if (room == AMO_NODE_NONE && !comparison(n->text))
    return amo_error(ld->diags, n->at, "while: [x > 0, x < 2]", "%s must be an inequality, or a list of some",
                     what);
  if (room == AMO_NODE_NONE) return AMO_EINPUT;
  if (k->nroom == AMO_MOST_ENDS)
    return amo_error(ld->diags, n->at, "min(a, b) > 0 says that a > 0 and b > 0",
                     "contact %s has more than %d ends", it->name, AMO_MOST_ENDS);
  amo_load_end(ld, k, room);
  return AMO_OK;
}

/// `while`: inequalities between positions that must hold for the surfaces to meet.
static amo_status load_while(amo_loader *ld, const amo_item *it, amo_contact *k)
{
  const amo_yaml *n = amo_yaml_get(it->node, "while");
  if (!n) return AMO_OK;
  if (!amo_yaml_is(n, AMO_YAML_LIST)) return load_condition(ld, it, n, k);
  amo_status st = AMO_OK;
  for (n = n->first; n; n = n->next) {
    amo_status one = load_condition(ld, it, n, k);
    if (one != AMO_OK) st = one;
  }
  return st;
}

static amo_status load_restitution(amo_loader *ld, const amo_item *it, amo_contact *k)
{
  const amo_yaml *n = amo_yaml_get(it->node, "restitution");
  const char *what = amo_arena_printf(&ld->arena, "restitution of contact %s", it->name);
  const char *rest = amo_arena_printf(&ld->arena, "1 - restitution of contact %s", it->name);
  if (!what || !rest) return AMO_ENOMEM;
  k->restitution = amo_const(ld->dag, 0.0);
  if (!n) return AMO_OK;
  amo_expr_in in = amo_item_scope(it, what, 0);
  k->restitution = amo_load_expr(ld, n, &in);
  if (k->restitution == AMO_NODE_NONE) return AMO_EINPUT;
  amo_load_check(ld, k->restitution, AMO_IS_NONNEGATIVE, n->at, what, "0: no rebound, 1: no loss");
  amo_load_check(ld, amo_sub(ld->dag, amo_const(ld->dag, 1.0), k->restitution), AMO_IS_NONNEGATIVE, n->at,
                 rest, "0: no rebound, 1: no loss");
  return AMO_OK;
}

amo_status amo_load_support(amo_loader *ld, amo_decl *c, amo_contact *k)
{
  const amo_yaml *n = amo_yaml_get(c->item.node, "support");
  const char *what = amo_arena_printf(&ld->arena, "support of contact %s", c->item.name);
  if (!what) return AMO_ENOMEM;
  amo_status bounce = load_restitution(ld, &c->item, k);
  if (amo_yaml_is(n, AMO_YAML_SCALAR)) {
    amo_expr_in in = amo_item_scope(&c->item, what, AMO_ON_POSITION);
    k->gap = left_over(ld, n, &in);
    if (k->gap == AMO_NODE_NONE && comparison(n->text)) return AMO_EINPUT;
  }
  amo_status st = amo_load_guide(ld, c, "support", k), end = load_while(ld, &c->item, k);
  return st != AMO_OK ? st : end != AMO_OK ? end : bounce;
}

/// sum of xi_a row_a over the coordinates of both rows.
static amo_status combine_rows(amo_loader *ld, amo_decl *c, const amo_contact *k)
{
  amo_dag *d = ld->dag;
  const uint32_t most = c->axis[0].count + c->axis[1].count;
  c->row.coord = amo_zalloc(most, sizeof *c->row.coord);
  c->row.value = amo_zalloc(most, sizeof *c->row.value);
  if (!c->row.coord || !c->row.value) return AMO_ENOMEM;
  for (uint32_t a = 0; a < 2; a++) {
    const amo_node xi = amo_leaf(d, ld->m->leaf.xi + k->xi + a);
    for (uint32_t i = 0; i < c->axis[a].count; i++) {
      const amo_node part = amo_mul(d, xi, c->axis[a].value[i]);
      uint32_t at = 0;
      while (at < c->row.count && c->row.coord[at] != c->axis[a].coord[i]) at++;
      c->row.value[at] = at < c->row.count ? amo_add(d, c->row.value[at], part) : part;
      c->row.coord[at] = c->axis[a].coord[i];
      if (at == c->row.count) c->row.count++;
    }
  }
  return AMO_OK;
}

amo_status amo_load_slip_pair(amo_loader *ld, amo_decl *c, const amo_yaml *slip, amo_contact *k)
{
  amo_dag *d = ld->dag;
  const char *what = amo_arena_printf(&ld->arena, "slip of contact %s", c->item.name);
  if (!what) return AMO_ENOMEM;
  if (slip->count != 2)
    return amo_error(ld->diags, slip->at, "slip: [x', y']",
                     "%s must be one velocity or a list of two, got %zu", what, (size_t)slip->count);
  k->spatial = true;
  for (const amo_contact *before = ld->m->contact; before < k; before++) k->xi += amo_turns(before) ? 2 : 0;
  const amo_yaml *n = slip->first;
  amo_status st = AMO_OK;
  for (int a = 0; st == AMO_OK && a < 2; a++, n = n->next) {
    amo_expr_in in = amo_item_scope(&c->item, what, AMO_ON_STATE);
    k->axis[a].slip = amo_load_expr(ld, n, &in);
    if (k->axis[a].slip == AMO_NODE_NONE) return AMO_EINPUT;
    st = amo_row_make(ld, k->axis[a].slip, n->at, what, true, &c->axis[a]);
    k->axis[a].zeta = c->axis[a].zeta;
  }
  if (st == AMO_OK) st = combine_rows(ld, c, k);
  if (st != AMO_OK) return st;
  amo_node x = amo_leaf(d, ld->m->leaf.xi + k->xi), y = amo_leaf(d, ld->m->leaf.xi + k->xi + 1);
  k->slip = amo_add(d, amo_mul(d, x, k->axis[0].slip), amo_mul(d, y, k->axis[1].slip));
  k->zeta = amo_add(d, amo_mul(d, x, k->axis[0].zeta), amo_mul(d, y, k->axis[1].zeta));
  amo_load_draw_contact(ld, c, NULL);
  return AMO_OK;
}
