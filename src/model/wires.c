// SPDX-License-Identifier: Apache-2.0
/// Guides along a curve in space: a point is held in two directions, h1(q,t) = h2(q,t) = 0, and slides in the third.
/// What it takes to hold it presses it, N = sqrt(R1^2 + R2^2), so such a guide is two constraints and a joint of their forces.
///
/// `guide: [h1, h2]`: distances in two directions at right angles. `guide: {point: P, curve: [F1, F2]}`: the curve
/// where F1(X,Y,Z) = F2(X,Y,Z) = 0, any two surfaces; their gradients make the distances
///   n1 = F1'/|F1'|,  w = F2' - (F2'.n1) n1,  n2 = w/|w|,   h1 = F1/|F1'|,  h2 = (F2 - (F2'.n1) h1)/|w|
/// and the slip (n1 x n2).v, v the velocity of P.
#include "model/model.h"
#include "model/rows.h"

enum { SPACE = 3 };

typedef struct vec3 {
  amo_node x[SPACE];
} vec3;

static const amo_yaml *surfaces_of(const amo_yaml *contact)
{
  const amo_yaml *guide = amo_yaml_get(contact, "guide");
  const amo_yaml *list = amo_yaml_is(guide, AMO_YAML_MAP) ? amo_yaml_get(guide, "curve") : guide;
  return amo_yaml_is(list, AMO_YAML_LIST) ? list : NULL;
}

bool amo_is_wire(const amo_yaml *contact)
{
  return surfaces_of(contact) != NULL;
}

amo_status amo_declare_wire(amo_loader *ld, const amo_decl *c, long number)
{
  const amo_yaml *list = surfaces_of(c->item.node);
  if (list == NULL) return AMO_OK;
  if (list->count != 2)
    return amo_error(ld->diags, list->at, "guide: [y, z] holds a bead on the x axis",
                     "guide %s along a curve needs two surfaces, got %zu", c->item.name, (size_t)list->count);
  int i = 1;
  for (const amo_yaml *n = list->first; n; n = n->next) {
    amo_decl g = {.item = c->item, .contact = number};
    g.item.node = n;
    g.item.name = amo_arena_printf(&ld->arena, "%s.%d", c->item.name, i++);
    if (!g.item.name || !AMO_ROOM(ld->constraints.item, ld->constraints.count, ld->constraints.cap))
      return AMO_ENOMEM;
    ld->constraints.item[ld->constraints.count++] = g;
  }
  return AMO_OK;
}

static amo_node dot(amo_dag *d, vec3 a, vec3 b)
{
  amo_node sum = amo_mul(d, a.x[0], b.x[0]);
  for (int i = 1; i < SPACE; i++) sum = amo_add(d, sum, amo_mul(d, a.x[i], b.x[i]));
  return sum;
}

static vec3 cross(amo_dag *d, vec3 a, vec3 b)
{
  vec3 c;
  for (int i = 0; i < SPACE; i++) {
    const int j = (i + 1) % SPACE, k = (i + 2) % SPACE;
    c.x[i] = amo_sub(d, amo_mul(d, a.x[j], b.x[k]), amo_mul(d, a.x[k], b.x[j]));
  }
  return c;
}

/// a/|a|, and |a|.
static vec3 unit(amo_dag *d, vec3 a, amo_node *length)
{
  *length = amo_op1(d, AMO_OP_SQRT, dot(d, a, a));
  for (int i = 0; i < SPACE; i++) a.x[i] = amo_div(d, a.x[i], *length);
  return a;
}

/// The value of F at the point, and its gradient there.
static amo_status load_surface(amo_loader *ld, const amo_decl *c, const amo_yaml *n, vec3 p, amo_node *value,
                               vec3 *gradient)
{
  amo_dag *d = ld->dag;
  amo_node *put = ld->rules.substitute + ld->inner.place;
  amo_local local[SPACE] = {{"X", AMO_NODE_NONE}, {"Y", AMO_NODE_NONE}, {"Z", AMO_NODE_NONE}};
  for (uint32_t i = 0; i < SPACE; i++) local[i].node = amo_leaf(d, ld->inner.place + i);
  amo_expr_in in = amo_item_scope(&c->item, "the curve of a guide", 0);
  in.local = local;
  in.locals = SPACE;
  const amo_node f = amo_load_equation(ld, n, &in);
  if (f == AMO_NODE_NONE) return AMO_EINPUT;
  for (int i = 0; i < SPACE; i++) put[i] = p.x[i];
  *value = amo_subst(d, f, ld->rules.substitute, ld->inner.count);
  for (uint32_t i = 0; i < SPACE; i++)
    gradient->x[i] = amo_subst(d, amo_diff(d, f, ld->inner.place + i), ld->rules.substitute, ld->inner.count);
  for (int i = 0; i < SPACE; i++) put[i] = AMO_NODE_NONE;
  return AMO_OK;
}

/// Distances from the curve, and the slip along it.
static amo_status by_geometry(amo_loader *ld, const amo_decl *c, amo_node h[2], amo_contact *k)
{
  static const char *const keys[] = {"point", "curve", NULL};
  const amo_yaml *guide = amo_yaml_get(c->item.node, "guide"), *point = amo_yaml_get(guide, "point");
  const amo_yaml *list = surfaces_of(c->item.node);
  const amo_part *part = NULL;
  amo_dag *d = ld->dag;
  vec3 p, n[2], v;
  amo_node length[2];
  amo_status st = amo_yaml_only(guide, "guide", keys, ld->diags);
  if (st == AMO_OK && !point)
    st = amo_error(ld->diags, guide->at, "guide: {point: P, curve: [F1, F2]}",
                   "guide %s needs a 'point' that slides on its curve", c->item.name);
  if (st == AMO_OK) st = amo_load_point(ld, point, &c->item, p.x, &part);
  if (st == AMO_OK) st = load_surface(ld, c, list->first, p, &h[0], &n[0]);
  if (st == AMO_OK) st = load_surface(ld, c, list->first->next, p, &h[1], &n[1]);
  if (st != AMO_OK) return st;
  n[0] = unit(d, n[0], &length[0]);
  h[0] = amo_div(d, h[0], length[0]);
  const amo_node along = dot(d, n[1], n[0]);
  for (int i = 0; i < SPACE; i++) n[1].x[i] = amo_sub(d, n[1].x[i], amo_mul(d, along, n[0].x[i]));
  n[1] = unit(d, n[1], &length[1]);
  h[1] = amo_div(d, amo_sub(d, h[1], amo_mul(d, along, h[0])), length[1]);
  for (int i = 0; i < SPACE; i++) v.x[i] = amo_total(d, p.x[i], ld->rules.time, ld->inner.count);
  k->slip = dot(d, cross(d, n[0], n[1]), v);
  return amo_dag_status(d);
}

static amo_status by_expressions(amo_loader *ld, const amo_decl *c, amo_node h[2])
{
  const amo_yaml *list = surfaces_of(c->item.node);
  amo_expr_in in = amo_item_scope(&c->item, "a gap of a guide along a curve", AMO_ON_POSITION);
  h[0] = amo_load_equation(ld, list->first, &in);
  h[1] = amo_load_equation(ld, list->first->next, &in);
  return h[0] == AMO_NODE_NONE || h[1] == AMO_NODE_NONE ? AMO_EINPUT : AMO_OK;
}

amo_status amo_load_wire(amo_loader *ld, amo_decl *c, amo_contact *k)
{
  const long number = c - ld->contacts.item;
  const amo_yaml *guide = amo_yaml_get(c->item.node, "guide"), *slip = amo_yaml_get(c->item.node, "slip");
  amo_node h[2];
  if (surfaces_of(c->item.node)->count != 2) return AMO_EINPUT;  // told already
  if (amo_yaml_is(slip, AMO_YAML_LIST))
    return amo_error(ld->diags, slip->at, "slip is the one velocity along the curve",
                     "guide %s along a curve slips one way only", c->item.name);
  amo_status st = amo_yaml_is(guide, AMO_YAML_MAP) ? by_geometry(ld, c, h, k) : by_expressions(ld, c, h);
  for (uint32_t i = 0; st == AMO_OK && i < ld->m->ng; i++) {
    amo_decl *held = &ld->constraints.item[i];
    amo_constraint *g = &ld->m->constraint[i];
    if (held->contact != number) continue;
    g->residual = h[k->npressing];
    st = amo_row_of_position(ld, g->residual, held->item.node->at, held->item.name, &g->rate, &held->row);
    g->zeta = held->row.zeta;
    k->pressing[k->npressing++] = (amo_presser){.item = i};
  }
  k->normal = amo_leaf(ld->dag, ld->m->leaf.reaction + (uint32_t)number);
  return st;
}
