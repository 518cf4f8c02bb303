// SPDX-License-Identifier: Apache-2.0
// Where everything drawn is, as numbers in units of the model.
#include <math.h>

#include "ask/describe/draw.h"
#include "result/json.h"

static cJSON *point(double x, double y)
{
  cJSON *p = cJSON_CreateArray();
  cJSON_AddItemToArray(p, amo_json_number(x));
  cJSON_AddItemToArray(p, amo_json_number(y));
  return p;
}

static cJSON *curve_end(const amo_scene *c, const amo_shape *s, double at)
{
  double xy[2] = {NAN, NAN};
  c->leaf[c->s->s] = at;
  if (amo_scene_values(c, s->node, 2, xy) != AMO_OK) xy[0] = xy[1] = NAN;
  return point(xy[0], xy[1]);
}

static cJSON *shape_json(const amo_scene *c, uint32_t i)
{
  const amo_shape *s = &c->s->shape[i];
  const double *v = c->shape[i];
  cJSON *o = cJSON_CreateObject(), *points = cJSON_AddArrayToObject(o, "points");
  if (s->kind == AMO_SHAPE_CURVE) {
    cJSON_AddItemToArray(points, curve_end(c, s, v[2]));
    cJSON_AddItemToArray(points, curve_end(c, s, v[3]));
    return o;
  }
  uint32_t n = s->kind <= AMO_SHAPE_ARROW ? s->nodes / 2 : 1;
  for (uint32_t k = 0; k < n; k++) cJSON_AddItemToArray(points, point(v[2 * k], v[2 * k + 1]));
  if (s->kind == AMO_SHAPE_CIRCLE) amo_json_add(o, "radius", v[2]);
  if (s->kind == AMO_SHAPE_FORCE) cJSON_AddItemToObject(o, "force", point(v[2], v[3]));
  if (s->kind == AMO_SHAPE_MOMENT) amo_json_add(o, "moment", v[2]);
  return o;
}

static cJSON *reaction_json(const amo_scene *c, uint32_t k)
{
  const amo_solution *x = &c->solutions->item[c->solutions->chosen];
  amo_contact_place p;
  cJSON *o = cJSON_CreateObject();
  if (amo_draw_contact(c, k, &p)) {
    cJSON_AddItemToObject(o, "at", point(p.x, p.y));
    cJSON_AddItemToObject(o, "normal", point(p.nx, p.ny));
    cJSON_AddItemToObject(o, "tangent", point(p.tx, p.ty));
  }
  amo_json_add(o, "reaction", x->reaction[k]);
  amo_json_add(o, "friction", x->lambda[k]);
  return o;
}

void amo_draw_json(const amo_scene *c, cJSON *result)
{
  cJSON *parts = cJSON_AddObjectToObject(result, "parts"),
        *shapes = cJSON_AddObjectToObject(result, "shapes"),
        *reactions = cJSON_AddObjectToObject(result, "reactions");
  for (uint32_t i = 0; i < c->s->count; i++)
    if (c->s->item[i].kind == AMO_DRAWN_PARTICLE || c->s->item[i].kind == AMO_DRAWN_BODY)
      cJSON_AddItemToObject(parts, c->s->item[i].name, point(c->item[5 * i], c->item[5 * i + 1]));
  for (uint32_t i = 0; i < c->s->shapes; i++)
    cJSON_AddItemToObject(shapes, c->s->shape[i].name, shape_json(c, i));
  for (uint32_t k = 0; c->solutions && c->solutions->chosen >= 0 && k < c->m->nc; k++)
    cJSON_AddItemToObject(reactions, c->m->contact[k].sym.name, reaction_json(c, k));
}
