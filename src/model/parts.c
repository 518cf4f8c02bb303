// SPDX-License-Identifier: Apache-2.0
/// Particles, bodies, points on them, gravity.
#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "model/keys.h"

static uint64_t key_of_check(amo_node node, amo_relation relation, amo_at at)
{
  return amo_mix64(amo_mix64((uint64_t)node << 8 | (uint64_t)relation) ^
                   ((uint64_t)at.line << 32 | (uint64_t)at.column)) |
         1u;
}

amo_check *amo_load_find_check(const amo_loader *ld, amo_node node, amo_relation relation, amo_at at)
{
  uint32_t i;
  for (uint64_t key = key_of_check(node, relation, at); amo_map_get(&ld->checks.known, key, &i); key += 2) {
    amo_check *c = &ld->checks.item[i];
    if (c->node == node && c->relation == relation && c->at.line == at.line && c->at.column == at.column)
      return c;
  }
  return NULL;
}

/// What members of a family have in common is looked at once.
amo_check *amo_load_check(amo_loader *ld, amo_node node, amo_relation relation, amo_at at, const char *what,
                          const char *hint)
{
  if (node == AMO_NODE_NONE) return NULL;
  amo_check *known = amo_load_find_check(ld, node, relation, at);
  if (known) return known;
  uint64_t key = key_of_check(node, relation, at);
  uint32_t other;
  while (amo_map_get(&ld->checks.known, key, &other)) key += 2;
  const char *kept = amo_arena_str(&ld->arena, what, strlen(what));
  if (!kept || !AMO_ROOM(ld->checks.item, ld->checks.count, ld->checks.cap) ||
      !amo_map_put(&ld->checks.known, key, (uint32_t)ld->checks.count)) {
    amo_load_fail(ld, AMO_ENOMEM);
    return NULL;
  }
  amo_check *c = &ld->checks.item[ld->checks.count++];
  *c = (amo_check){.node = node, .relation = relation, .at = at, .what = kept, .hint = hint};
  return c;
}

void amo_load_draw(amo_loader *ld, amo_drawn item, const char *name, const char *label)
{
  item.name = amo_strdup(name);
  item.label = amo_strdup(label);
  if (!item.name || !item.label || !AMO_ROOM(ld->drawn.item, ld->drawn.count, ld->drawn.cap)) {
    amo_drawn_free(&item);
    amo_load_fail(ld, AMO_ENOMEM);
    return;
  }
  ld->drawn.item[ld->drawn.count++] = item;
}

amo_status amo_load_vector(amo_loader *ld, const amo_yaml *n, const amo_expr_in *in, amo_node v[3], int *dims)
{
  int k = 0;
  amo_status st = AMO_OK;
  for (int i = 0; i < 3; i++) v[i] = amo_const(ld->dag, 0.0);
  if (!amo_yaml_is(n, AMO_YAML_LIST) || n->count < 2 || n->count > 3) {
    st = amo_error(ld->diags, n ? n->at : (amo_at){0}, NULL, "%s must be a list of 2 or 3 expressions",
                   in->what);
    amo_load_fail(ld, st);
    return st;
  }
  for (const amo_yaml *c = n->first; c; c = c->next) {
    v[k] = amo_load_expr(ld, c, in);
    if (v[k++] == AMO_NODE_NONE) st = AMO_EINPUT;
  }
  if (dims) *dims = k;
  return st;
}

// ---- points ----

static const char *part_known(void *ctx, size_t i)
{
  const amo_loader *ld = ctx;
  return i < ld->parts.count ? ld->parts.item[i].load ? "" : ld->parts.item[i].name : NULL;
}

static uint64_t hash_of(const char *name)
{
  uint64_t h = 0xcbf29ce484222325u;
  for (; *name; name++) h = (h ^ (unsigned char)*name) * 0x100000001b3u;
  return h | 1;  // 0 is no key
}

amo_status amo_add_part(amo_loader *ld, const amo_part *p)
{
  uint32_t other = 0;
  if (!AMO_ROOM(ld->parts.item, ld->parts.count, ld->parts.cap)) return AMO_ENOMEM;
  ld->parts.item[ld->parts.count++] = *p;
  if (p->load || amo_map_get(&ld->parts.by_name, hash_of(p->name), &other))
    return AMO_OK;  // not for others to name; two names, one hash: found by search
  return amo_map_put(&ld->parts.by_name, hash_of(p->name), (uint32_t)ld->parts.count) ? AMO_OK : AMO_ENOMEM;
}

const amo_part *amo_find_part(amo_loader *ld, const char *name)
{
  uint32_t number = 0;
  if (!amo_map_get(&ld->parts.by_name, hash_of(name), &number)) return NULL;
  if (strcmp(ld->parts.item[number - 1].name, name) == 0) return &ld->parts.item[number - 1];
  for (size_t i = 0; i < ld->parts.count; i++)
    if (!ld->parts.item[i].load && strcmp(ld->parts.item[i].name, name) == 0) return &ld->parts.item[i];
  return NULL;
}

amo_status amo_load_indexed_name(amo_loader *ld, const amo_yaml *n, const char *what, const amo_item *it,
                                 char *name, size_t size)
{
  amo_status st = amo_yaml_expect(n, AMO_YAML_SCALAR, what, ld->diags);
  if (st != AMO_OK) return st;
  const char *open = strchr(n->text, '['), *close = open ? strrchr(n->text, ']') : NULL;
  snprintf(name, size, "%s", n->text);
  if (!close) return AMO_OK;
  char inner[64];
  amo_at at = n->at;
  at.column += (int)(open + 1 - n->text);
  snprintf(inner, sizeof inner, "%.*s", (int)(close - open - 1), open + 1);
  amo_expr_in in = amo_item_scope(it, "index", 0);
  double number = 0.0;
  amo_node k = amo_load_text(ld, inner, strlen(inner), at, &in);
  if (k == AMO_NODE_NONE) return AMO_EINPUT;
  if (amo_node_const(ld->dag, k, &number))
    snprintf(name, size, "%.*s[%.0f]", (int)(open - n->text), n->text, number);
  return AMO_OK;
}

/// The part a scalar names: `block` or `block[i+1]`.
const amo_part *amo_load_part(amo_loader *ld, const amo_yaml *n, const amo_item *it)
{
  char name[160];
  const amo_part *p = NULL;
  if (amo_load_indexed_name(ld, n, "a particle or body", it, name, sizeof name) != AMO_OK) {
    amo_load_fail(ld, AMO_EINPUT);
    return NULL;
  }
  p = amo_find_part(ld, name);
  if (p) return p;
  const char *near = NULL;
  if (amo_diags_count(ld->diags) < AMO_DIAGS_KEPT) near = amo_nearest(name, strlen(name), part_known, ld);
  if (near)
    amo_error(ld->diags, n->at, NULL, "there is no particle or body '%s'; did you mean '%s'?", name, near);
  else
    amo_error(ld->diags, n->at, NULL, "there is no particle or body '%s'", name);
  amo_load_fail(ld, AMO_EINPUT);
  return NULL;
}

/// r + R(angle)*(a, b): a point given in the axes of a planar body.
amo_status amo_load_point_on(amo_loader *ld, const amo_part *p, const amo_yaml *at, const amo_item *it,
                             amo_node r[3])
{
  amo_node a[3];
  int dims = 0;
  amo_dag *d = ld->dag;
  amo_expr_in in = amo_item_scope(it, "a point on a body", AMO_ON_POSITION);
  for (int i = 0; i < 3; i++) r[i] = p->r[i];
  if (amo_yaml_is_null(at)) return AMO_OK;
  amo_status st = amo_load_vector(ld, at, &in, a, &dims);
  if (st == AMO_OK && !p->body)
    st = amo_error(ld->diags, at->at, NULL, "'%s' is a particle: it has no points besides itself", p->name);
  if (st == AMO_OK && dims != 2)
    st = amo_error(ld->diags, at->at, NULL, "a point on a planar body has 2 components");
  if (st != AMO_OK) {
    amo_load_fail(ld, st);
    return st;
  }
  amo_node c = amo_op1(d, AMO_OP_COS, p->angle), s = amo_op1(d, AMO_OP_SIN, p->angle);
  r[0] = amo_add(d, r[0], amo_sub(d, amo_mul(d, c, a[0]), amo_mul(d, s, a[1])));
  r[1] = amo_add(d, r[1], amo_add(d, amo_mul(d, s, a[0]), amo_mul(d, c, a[1])));
  return AMO_OK;
}

amo_status amo_load_point(amo_loader *ld, const amo_yaml *n, const amo_item *it, amo_node r[3],
                          const amo_part **part)
{
  const amo_part *p = NULL;
  *part = NULL;
  if (amo_yaml_is(n, AMO_YAML_LIST)) {
    amo_expr_in in = amo_item_scope(it, "a point", AMO_ON_POSITION);
    return amo_load_vector(ld, n, &in, r, NULL);
  }
  bool map = amo_yaml_is(n, AMO_YAML_MAP);
  if (map && amo_yaml_only_of(n, "a point", amo_model_keys, "draw.NAME.point", ld->diags) != AMO_OK)
    amo_load_fail(ld, AMO_EINPUT);
  const amo_yaml *on = map ? amo_yaml_get(n, "on") : n;
  if (map && !on) {
    amo_load_fail(ld, amo_error(ld->diags, n->at, NULL, "a point needs 'on: body'"));
    return AMO_EINPUT;
  }
  p = amo_load_part(ld, on, it);
  if (!p) return AMO_EINPUT;
  *part = p;
  return amo_load_point_on(ld, p, map ? amo_yaml_get(n, "at") : NULL, it, r);
}

// ---- particles and bodies ----

typedef struct part_context {
  bool body;
  bool gravity;
  amo_node g[3];
} part_context;

static amo_node positive(amo_loader *ld, const amo_item *it, const char *key, const char *kind)
{
  const amo_yaml *n = amo_yaml_get(it->node, key);
  char what[AMO_WHAT];
  amo_say(what, key, " of ", kind, " ", it->name);
  if (!n) {
    amo_load_fail(ld,
                  amo_error(ld->diags, amo_yaml_at(it->node), NULL, "%s %s has no %s", kind, it->name, key));
    return AMO_NODE_NONE;
  }
  amo_expr_in in = amo_item_scope(it, what, AMO_ON_POSITION);
  amo_node v = amo_load_expr(ld, n, &in);
  amo_load_check(ld, v, AMO_IS_NONNEGATIVE, n->at, what, NULL);
  return v;
}

static void add_inertia(amo_loader *ld, const amo_part *p, const part_context *pc)
{
  amo_mech *me = &ld->mech;
  for (int i = 0; i < p->dims; i++) amo_mech_inertia(me, p->mass, p->r[i]);
  if (p->body) amo_mech_inertia(me, p->inertia, p->angle);
  for (int i = 0; pc->gravity && i < p->dims; i++) {
    if (amo_node_zero(ld->dag, pc->g[i])) continue;
    amo_node weight = amo_mul(ld->dag, p->mass, pc->g[i]);
    amo_mech_potential(me, amo_neg(ld->dag, amo_mul(ld->dag, weight, p->r[i])));
  }
}

static amo_status load_part(amo_loader *ld, const amo_item *it, void *ctx)
{
  const part_context *pc = ctx;
  const char *kind = pc->body ? "body" : "particle";
  const char *what = amo_arena_printf(&ld->arena, "position of %s %s", kind, it->name);
  amo_part p = {.name = it->name, .body = pc->body};
  if (!what) return AMO_ENOMEM;
  amo_status st = amo_yaml_expect(it->node, AMO_YAML_MAP, it->name, ld->diags);
  if (st != AMO_OK) return st;
  if (amo_find_part(ld, it->name))
    return amo_error(ld->diags, amo_yaml_at(it->node), NULL, "there are two parts named '%s'", it->name);
  if (!it->again)
    st = amo_yaml_only_of(it->node, it->name, amo_model_keys, pc->body ? "bodies.NAME" : "particles.NAME",
                          ld->diags);
  p.mass = positive(ld, it, "mass", kind);
  const amo_yaml *at = amo_yaml_get(it->node, "at");
  amo_expr_in in = amo_item_scope(it, what, AMO_ON_POSITION);
  if (!at)
    st = amo_error(ld->diags, amo_yaml_at(it->node), "at: [x, 0]", "%s %s has no position", kind, it->name);
  else if (amo_load_vector(ld, at, &in, p.r, &p.dims) != AMO_OK)
    st = AMO_EINPUT;
  if (pc->body) {
    const amo_yaml *angle = amo_yaml_get(it->node, "angle");
    p.inertia = positive(ld, it, "inertia", kind);
    in.what = "angle";
    if (!angle)
      st = amo_error(ld->diags, amo_yaml_at(it->node), NULL, "body %s has no angle", it->name);
    else if ((p.angle = amo_load_expr(ld, angle, &in)) == AMO_NODE_NONE)
      st = AMO_EINPUT;
    if (p.inertia == AMO_NODE_NONE) st = AMO_EINPUT;
  }
  if (st != AMO_OK || p.mass == AMO_NODE_NONE) {  // known by name, so that its users are not blamed
    for (int i = 0; i < 3; i++) p.r[i] = amo_const(ld->dag, 0.0);
    if (p.body) p.angle = p.r[0];
    return amo_add_part(ld, &p) == AMO_OK ? AMO_EINPUT : AMO_ENOMEM;
  }
  if (amo_add_part(ld, &p) != AMO_OK) return AMO_ENOMEM;
  add_inertia(ld, &p, pc);
  const amo_yaml *mass = amo_yaml_get(it->node, "mass");
  amo_load_draw(
      ld,
      (amo_drawn){
          .kind = p.body ? AMO_DRAWN_BODY : AMO_DRAWN_PARTICLE, .x1 = p.r[0], .y1 = p.r[1], .angle = p.angle},
      it->name, mass->text);
  return AMO_OK;
}

static void load_gravity(amo_loader *ld, part_context *pc)
{
  const amo_yaml *n = amo_yaml_get(ld->root, "gravity");
  amo_expr_in in = {.what = "gravity", .on = AMO_ON_T};
  for (int i = 0; i < 3; i++) pc->g[i] = amo_const(ld->dag, 0.0);
  if (amo_yaml_is_null(n)) return;
  pc->gravity = true;
  if (amo_yaml_is(n, AMO_YAML_LIST)) {
    pc->gravity = amo_load_vector(ld, n, &in, pc->g, NULL) == AMO_OK;
  } else {
    amo_node g = amo_load_expr(ld, n, &in);
    if (g == AMO_NODE_NONE)
      pc->gravity = false;
    else
      pc->g[1] = amo_neg(ld->dag, g);
  }
}

void amo_load_parts(amo_loader *ld)
{
  part_context pc = {0};
  load_gravity(ld, &pc);
  amo_load_each(ld, "particles", load_part, &pc);
  pc.body = true;
  amo_load_each(ld, "bodies", load_part, &pc);
  amo_load_points(ld);
}
