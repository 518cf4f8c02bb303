// SPDX-License-Identifier: Apache-2.0
/// Energies written out, generalised forces, loads.
#include <string.h>

#include "model/model.h"
#include "model/keys.h"

static void load_energy(amo_loader *ld)
{
  static const char *const keys[] = {"kinetic", "potential", "dissipation", NULL};
  const amo_yaml *n = amo_yaml_get(ld->root, "energy");
  if (amo_yaml_is_null(n)) return;
  if (amo_yaml_expect(n, AMO_YAML_MAP, "energy", ld->diags) != AMO_OK ||
      amo_yaml_only_of(n, "energy", amo_model_keys, "energy", ld->diags) != AMO_OK)
    amo_load_fail(ld, AMO_EINPUT);
  const amo_yaml *t = amo_yaml_get(n, keys[0]), *v = amo_yaml_get(n, keys[1]), *r = amo_yaml_get(n, keys[2]);
  amo_expr_in in = {.what = "kinetic energy", .on = AMO_ON_POSITION | AMO_ON_U};
  amo_node e;
  if (t && (e = amo_load_expr(ld, t, &in)) != AMO_NODE_NONE) amo_mech_kinetic(&ld->mech, e);
  in.what = "dissipation";
  in.on = AMO_ON_STATE;
  if (r && (e = amo_load_expr(ld, r, &in)) != AMO_NODE_NONE) amo_mech_dissipation(&ld->mech, e);
  in.what = "potential energy";
  in.on = AMO_ON_POSITION;
  if (v && (e = amo_load_expr(ld, v, &in)) != AMO_NODE_NONE) amo_mech_potential(&ld->mech, e);
}

static amo_status load_force(amo_loader *ld, const amo_item *it, void *ctx)
{
  (void)ctx;
  size_t n = strcspn(it->name, "[");
  const char *base = amo_arena_str(&ld->arena, it->name, n);
  const char *what = amo_arena_printf(&ld->arena, "force on %s", it->name);
  if (!base || !what) return AMO_ENOMEM;
  uint32_t c = amo_load_coordinate(ld, base, it->name[n] == '[', it->i, amo_yaml_at(it->node));
  amo_expr_in in = amo_item_scope(it, what, AMO_ON_STATE);
  amo_node f = amo_load_expr(ld, it->node, &in);
  if (c == UINT32_MAX || f == AMO_NODE_NONE) return AMO_EINPUT;
  amo_mech_force(&ld->mech, c, f);
  return AMO_OK;
}

/// Force given in the axes of the body.
static void follow(amo_loader *ld, const amo_part *p, amo_node f[3])
{
  amo_dag *d = ld->dag;
  amo_node c = amo_op1(d, AMO_OP_COS, p->angle), s = amo_op1(d, AMO_OP_SIN, p->angle);
  amo_node x = amo_sub(d, amo_mul(d, c, f[0]), amo_mul(d, s, f[1]));
  f[1] = amo_add(d, amo_mul(d, s, f[0]), amo_mul(d, c, f[1]));
  f[0] = x;
}

/// Where a load acts: a part (or a point of a body), or a point [x, y] that belongs to nothing with mass.
static amo_status load_place(amo_loader *ld, const amo_item *it, bool turns, const amo_part **part,
                             amo_node r[3])
{
  const amo_yaml *on = amo_yaml_get(it->node, "on"), *at = amo_yaml_get(it->node, "at");
  *part = NULL;
  if (!amo_yaml_is(on, AMO_YAML_LIST)) {
    *part = amo_load_part(ld, on, it);
    return *part ? amo_load_point_on(ld, *part, at, it, r) : AMO_EINPUT;
  }
  if (turns || at)
    return amo_error(ld->diags, on->at, NULL,
                     "load %s acts on a point: 'at', moments and followers need a body", it->name);
  amo_expr_in in = amo_item_scope(it, "the point of a load", AMO_ON_POSITION);
  return amo_load_vector(ld, on, &in, r, NULL);
}

static amo_status load_load(amo_loader *ld, const amo_item *it, void *ctx)
{
  (void)ctx;
  const amo_part *p = NULL;
  amo_node r[3] = {0}, f[3] = {0};
  bool follower = false;
  if (amo_yaml_is(it->node, AMO_YAML_SCALAR))
    return amo_error(ld->diags, it->node->at, "a force on a coordinate stands under  forces: {x: F}",
                     "load %s must say what it acts on: {on: PART, force: [Fx, Fy]}", it->name);
  amo_status st = amo_yaml_expect(it->node, AMO_YAML_MAP, it->name, ld->diags);
  if (st != AMO_OK) return st;
  st = amo_yaml_only_of(it->node, it->name, amo_model_keys, "loads.NAME", ld->diags);
  const amo_yaml *on = amo_yaml_get(it->node, "on");
  const amo_yaml *force = amo_yaml_get(it->node, "force"), *moment = amo_yaml_get(it->node, "moment");
  const amo_yaml *fol = amo_yaml_get(it->node, "follower");
  if (!on)
    return amo_error(ld->diags, amo_yaml_at(it->node), NULL, "load %s does not say what it acts on ('on')",
                     it->name);
  if (!force == !moment)
    return amo_error(ld->diags, amo_yaml_at(it->node), NULL, "load %s needs either 'force' or 'moment'",
                     it->name);
  if (fol && amo_yaml_bool(fol, "follower", ld->diags, &follower) != AMO_OK) st = AMO_EINPUT;
  if (load_place(ld, it, moment || follower, &p, r) != AMO_OK) return AMO_EINPUT;
  if ((moment || follower) && !p->body)
    return amo_error(ld->diags, on->at, NULL, "'%s' is a particle: %s needs a body", p->name,
                     moment ? "a moment" : "a follower force");
  amo_expr_in in = amo_item_scope(it, it->name, AMO_ON_STATE);
  if (moment) {
    amo_node m = amo_load_expr(ld, moment, &in);
    if (m == AMO_NODE_NONE) return AMO_EINPUT;
    amo_mech_load(&ld->mech, m, p->angle);
    amo_load_draw(ld, (amo_drawn){.kind = AMO_DRAWN_MOMENT, .x1 = r[0], .y1 = r[1], .x2 = m, .y2 = m},
                  it->name, it->name);
    return st;
  }
  if (amo_load_vector(ld, force, &in, f, NULL) != AMO_OK) return AMO_EINPUT;
  if (follower) follow(ld, p, f);
  for (int i = 0; i < 3; i++) amo_mech_load(&ld->mech, f[i], r[i]);
  if (!p) amo_load_loaded(ld, it->name, (int)on->count, r);
  amo_load_draw(ld, (amo_drawn){.kind = AMO_DRAWN_LOAD, .x1 = r[0], .y1 = r[1], .x2 = f[0], .y2 = f[1]},
                it->name, it->name);
  return st;
}

void amo_load_forces(amo_loader *ld)
{
  load_energy(ld);
  amo_load_each(ld, "forces", load_force, NULL);
  amo_load_each(ld, "loads", load_load, NULL);
}
