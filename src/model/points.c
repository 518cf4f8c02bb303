// SPDX-License-Identifier: Apache-2.0
/// Points without mass, and what the finished model keeps of everything that has a place.
#include <string.h>

#include "model/model.h"
#include "model/keys.h"

/// `P: [x, y]`, or with axes of its own, a plate or link without mass: `P: {at: [x, y], angle: f}`.
static amo_status load_point(amo_loader *ld, const amo_item *it, void *ctx)
{
  (void)ctx;
  bool map = amo_yaml_is(it->node, AMO_YAML_MAP);
  const amo_yaml *at = map ? amo_yaml_get(it->node, "at") : it->node;
  const amo_yaml *angle = map ? amo_yaml_get(it->node, "angle") : NULL;
  const char *what = amo_arena_printf(&ld->arena, "position of point %s", it->name);
  amo_part p = {.name = it->name, .body = angle != NULL};
  if (!what) return AMO_ENOMEM;
  if (amo_find_part(ld, it->name))
    return amo_error(ld->diags, amo_yaml_at(it->node), NULL, "there are two parts named '%s'", it->name);
  amo_status st =
      map ? amo_yaml_only_of(it->node, it->name, amo_model_keys, "points.NAME", ld->diags) : AMO_OK;
  amo_expr_in in = amo_item_scope(it, what, AMO_ON_POSITION);
  if (!at)
    st = amo_error(ld->diags, amo_yaml_at(it->node), "at: [x, y]", "point %s has no position", it->name);
  else if (amo_load_vector(ld, at, &in, p.r, &p.dims) != AMO_OK)
    st = AMO_EINPUT;
  in.what = "angle";
  if (angle && (p.angle = amo_load_expr(ld, angle, &in)) == AMO_NODE_NONE) st = AMO_EINPUT;
  for (int i = 0; st != AMO_OK && i < 3; i++) p.r[i] = amo_const(ld->dag, 0.0);
  if (st != AMO_OK && p.body) p.angle = p.r[0];  // known by name, so that its users are not blamed
  return amo_add_part(ld, &p) == AMO_OK ? st : AMO_ENOMEM;
}

void amo_load_points(amo_loader *ld)
{
  amo_load_each(ld, "points", load_point, NULL);
}

void amo_load_loaded(amo_loader *ld, const char *name, int dims, const amo_node r[3])
{
  amo_part p = {.name = name, .load = true, .dims = dims};
  if (amo_find_part(ld, name)) return;
  memcpy(p.r, r, sizeof p.r);
  if (amo_add_part(ld, &p) != AMO_OK) amo_load_fail(ld, AMO_ENOMEM);
}

void amo_load_materials(amo_loader *ld)
{
  amo_model *m = ld->m;
  m->materials.item = amo_zalloc(ld->parts.count, sizeof *m->materials.item);
  for (size_t i = 0; m->materials.item && i < ld->parts.count; i++) {
    const amo_part *p = &ld->parts.item[i];
    amo_material *x = &m->materials.item[m->materials.count++];
    *x = (amo_material){.name = amo_strdup(p->name), .turns = p->body, .load = p->load, .dims = p->dims};
    for (int k = 0; k < 3; k++) x->r[k] = amo_load_sub(ld, p->r[k]);
    if (p->body) x->angle = amo_load_sub(ld, p->angle);
    if (!x->name) amo_load_fail(ld, AMO_ENOMEM);
  }
  if (!m->materials.item) amo_load_fail(ld, AMO_ENOMEM);
}
