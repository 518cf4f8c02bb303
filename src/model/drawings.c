// SPDX-License-Identifier: Apache-2.0
/// The section `draw`: shapes as expressions, for what masses, springs and contacts alone do not show.
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "model/keys.h"

static const char *const shape_word[] = {
#define AMO_SHAPE_WORD(id, word) word,
    AMO_SHAPE_LIST(AMO_SHAPE_WORD)
#undef AMO_SHAPE_WORD
        NULL};

static void shape_free(amo_shape *s)
{
  free(s->name);
  free(s->label);
  free(s->node);
}

void amo_schematic_free(amo_schematic *s)
{
  if (!s) return;
  for (uint32_t i = 0; i < s->count; i++) amo_drawn_free(&s->item[i]);
  for (uint32_t i = 0; i < s->shapes; i++) shape_free(&s->shape[i]);
  free(s->item);
  free(s->shape);
  free(s);
}

/// One shape while it is read.
typedef struct reader {
  amo_loader *ld;
  const amo_item *it;
  amo_node *node;  // [room]
  uint32_t nodes, room;
  amo_status status;
} reader;

static void put(reader *r, amo_node n)
{
  if (n == AMO_NODE_NONE) r->status = AMO_EINPUT;
  if (r->nodes < r->room) r->node[r->nodes++] = n;
}

static void put_point(reader *r, const amo_yaml *n)
{
  amo_node xyz[3] = {0};
  const amo_part *part = NULL;
  amo_status st = amo_load_point(r->ld, n, r->it, xyz, &part);
  if (st != AMO_OK) r->status = st;
  put(r, xyz[0]);
  put(r, xyz[1]);
}

static void put_vector(reader *r, const amo_yaml *n, const char *what, unsigned on)
{
  amo_node v[3] = {0};
  amo_expr_in in = amo_item_scope(r->it, what, on);
  amo_status st = amo_load_vector(r->ld, n, &in, v, NULL);
  if (st != AMO_OK) r->status = st;
  put(r, v[0]);
  put(r, v[1]);
}

/// The expression under `key`, or the number `otherwise`; NaN: it must be there.
static void put_expr(reader *r, const char *key, double otherwise, unsigned on)
{
  const amo_yaml *n = amo_yaml_get(r->it->node, key);
  amo_expr_in in = amo_item_scope(r->it, key, on);
  if (n)
    put(r, amo_load_expr(r->ld, n, &in));
  else if (otherwise == otherwise)
    put(r, amo_const(r->ld->dag, otherwise));
  else
    r->status = amo_error(r->ld->diags, amo_yaml_at(r->it->node), NULL, "drawn shape %s has no '%s'",
                          r->it->name, key);
}

/// The point under `at`, which must be there.
static void put_place(reader *r)
{
  const amo_yaml *at = amo_yaml_get(r->it->node, "at");
  if (at)
    put_point(r, at);
  else
    r->status = amo_error(r->ld->diags, amo_yaml_at(r->it->node), "at: [x, y]", "drawn shape %s has no 'at'",
                          r->it->name);
}

static void read_points(reader *r, const amo_yaml *n, amo_shape_kind kind)
{
  bool ends = kind != AMO_SHAPE_LINE;
  if (!amo_yaml_is(n, AMO_YAML_LIST) || n->count < 2 || (ends && n->count != 2)) {
    r->status = amo_error(r->ld->diags, n->at, "line: [[0, 0], block]", "%s of %s needs %s points",
                          shape_word[kind], r->it->name, ends ? "two" : "two or more");
    return;
  }
  for (const amo_yaml *c = n->first; c; c = c->next) put_point(r, c);
}

static void read_curve(reader *r, const amo_yaml *n)
{
  amo_local local = {"s", amo_leaf(r->ld->dag, r->ld->inner.sliding)};
  amo_expr_in in = amo_item_scope(r->it, "a drawn curve", AMO_ON_POSITION);
  amo_node v[3] = {0};
  in.local = &local;
  in.locals = 1;
  amo_status st = amo_load_vector(r->ld, n, &in, v, NULL);
  if (st != AMO_OK) r->status = st;
  put(r, v[0]);
  put(r, v[1]);
  put_expr(r, "from", 0.0, AMO_ON_POSITION);
  put_expr(r, "to", 1.0, AMO_ON_POSITION);
}

static void read_contact(reader *r, const amo_yaml *n, amo_shape *s)
{
  amo_loader *ld = r->ld;
  const amo_yaml *along = amo_yaml_get(r->it->node, "along"), *normal = amo_yaml_get(r->it->node, "normal");
  size_t c = 0;
  while (amo_yaml_is(n, AMO_YAML_SCALAR) && c < ld->contacts.count &&
         strcmp(ld->contacts.item[c].item.name, n->text))
    c++;
  if (!amo_yaml_is(n, AMO_YAML_SCALAR) || c == ld->contacts.count) {
    r->status = amo_error(ld->diags, n->at, NULL, "there is no contact of this name to draw");
    return;
  }
  s->contact = (uint32_t)c;
  put_place(r);
  if (!along) {
    r->status =
        amo_error(ld->diags, amo_yaml_at(r->it->node), "along: [1, 0], the direction of positive slip",
                  "drawn contact %s has no 'along'", n->text);
    return;
  }
  put_vector(r, along, "along", AMO_ON_POSITION);
  if (normal)
    put_vector(r, normal, "normal", AMO_ON_POSITION);
  else if (r->nodes >= 4) {  // `along` turned by +90 degrees
    put(r, amo_neg(ld->dag, r->node[3]));
    put(r, r->node[2]);
  }
}

static void read_shape(reader *r, const amo_yaml *n, amo_shape *s)
{
  switch (s->kind) {
    case AMO_SHAPE_LINE:
    case AMO_SHAPE_SPRING:
    case AMO_SHAPE_DAMPER:
    case AMO_SHAPE_ARROW: read_points(r, n, s->kind); break;
    case AMO_SHAPE_CIRCLE:
      put_point(r, n);
      put_expr(r, "radius", 0.0 / 0.0, AMO_ON_POSITION);
      break;
    case AMO_SHAPE_CURVE: read_curve(r, n); break;
    case AMO_SHAPE_BLOCK: {
      const amo_yaml *size = amo_yaml_get(r->it->node, "size");
      put_point(r, n);
      if (size)
        put_vector(r, size, "size", AMO_ON_POSITION);
      else
        r->status = amo_error(r->ld->diags, amo_yaml_at(r->it->node), "size: [width, height]",
                              "drawn block %s has no 'size'", r->it->name);
      put_expr(r, "angle", 0.0, AMO_ON_POSITION);
      break;
    }
    case AMO_SHAPE_POINT: put_point(r, n); break;
    case AMO_SHAPE_FORCE:
      put_place(r);
      put_vector(r, n, "force", AMO_ON_ALL);
      break;
    case AMO_SHAPE_MOMENT: {
      put_place(r);
      put_expr(r, "moment", 0.0, AMO_ON_ALL);
      break;
    }
    case AMO_SHAPE_CONTACT: read_contact(r, n, s); break;
  }
}

/// The one key of the entry that says what it is.
static const amo_yaml *kind_of(amo_loader *ld, const amo_item *it, amo_shape_kind *kind)
{
  const amo_yaml *found = NULL;
  for (int k = 0; shape_word[k]; k++) {
    const amo_yaml *n = amo_yaml_get(it->node, shape_word[k]);
    if (!n) continue;
    if (found) {
      amo_error(ld->diags, n->key->at, "write two entries", "drawn shape %s is two things", it->name);
      return NULL;
    }
    found = n;
    *kind = (amo_shape_kind)k;
  }
  if (!found)
    amo_error(ld->diags, amo_yaml_at(it->node),
              "one of line, spring, damper, arrow, circle, curve, block, point, force, moment, contact",
              "drawn shape %s does not say what it is", it->name);
  return found;
}

static amo_status load_shape(amo_loader *ld, const amo_item *it, void *ctx)
{
  static const char *const styles[] = {"solid", "thin", "dashed", "ground", NULL};
  (void)ctx;
  int style = 0;
  const char *label = NULL;
  amo_shape s = {0};
  amo_status st = amo_yaml_expect(it->node, AMO_YAML_MAP, it->name, ld->diags);
  if (st == AMO_OK) st = amo_yaml_only_of(it->node, it->name, amo_model_keys, "draw.NAME", ld->diags);
  if (st != AMO_OK) return st;
  const amo_yaml *n = kind_of(ld, it, &s.kind), *look = amo_yaml_get(it->node, "style"),
                 *text = amo_yaml_get(it->node, "label");
  if (!n) return AMO_EINPUT;
  if (look && amo_yaml_choice(look, "style", styles, ld->diags, &style) != AMO_OK) return AMO_EINPUT;
  if (text && amo_yaml_string(text, "label", ld->diags, &label) != AMO_OK) return AMO_EINPUT;
  s.style = (amo_shape_style)style;
  uint32_t room = n->kind == AMO_YAML_LIST && n->count > 4 ? 2 * (uint32_t)n->count : 8;
  s.name = amo_strdup(it->name);
  s.label = label ? amo_strdup(label) : NULL;
  s.node = amo_zalloc(room, sizeof *s.node);
  bool outputs = ld->outputs;
  ld->outputs = true;  // arrows may show reactions
  reader r = {.ld = ld, .it = it, .node = s.node, .room = room};
  if (!s.name || !s.node || (label && !s.label))
    r.status = AMO_ENOMEM;
  else
    read_shape(&r, n, &s);
  ld->outputs = outputs;
  s.nodes = r.nodes;
  if (r.status == AMO_OK && !AMO_ROOM(ld->shapes.item, ld->shapes.count, ld->shapes.cap))
    r.status = AMO_ENOMEM;
  if (r.status == AMO_OK)
    ld->shapes.item[ld->shapes.count++] = s;
  else
    shape_free(&s);
  return r.status;
}

void amo_load_drawings(amo_loader *ld)
{
  amo_load_each(ld, "draw", load_shape, NULL);
}

/// Everything that has a place, with prescribed motion put in; the loader's lists go over to the model.
amo_status amo_assemble_schematic(amo_loader *ld)
{
  if (!ld->drawn.count && !ld->shapes.count) return AMO_OK;
  amo_schematic *s = calloc(1, sizeof *s);
  if (!s) return AMO_ENOMEM;
  for (size_t i = 0; i < ld->drawn.count; i++) {
    amo_drawn *w = &ld->drawn.item[i];
    amo_node *all[] = {&w->x1, &w->y1, &w->x2, &w->y2, &w->angle, &w->curve};
    for (int k = 0; k < 6; k++) *all[k] = amo_load_sub(ld, *all[k]);
  }
  for (size_t i = 0; i < ld->shapes.count; i++)
    for (uint32_t k = 0; k < ld->shapes.item[i].nodes; k++)
      ld->shapes.item[i].node[k] = amo_load_sub(ld, ld->shapes.item[i].node[k]);
  *s = (amo_schematic){.item = ld->drawn.item,
                       .count = (uint32_t)ld->drawn.count,
                       .shape = ld->shapes.item,
                       .shapes = (uint32_t)ld->shapes.count,
                       .s = ld->inner.sliding,
                       .place = ld->inner.place,
                       .leaves = ld->inner.count};
  ld->drawn.item = NULL;
  ld->shapes.item = NULL;
  ld->drawn.count = ld->shapes.count = 0;
  ld->m->drawing.schematic = s;
  return AMO_OK;
}

void amo_drawings_free(amo_loader *ld)
{
  for (size_t i = 0; i < ld->drawn.count; i++) amo_drawn_free(&ld->drawn.item[i]);
  for (size_t i = 0; i < ld->shapes.count; i++) shape_free(&ld->shapes.item[i]);
  free(ld->drawn.item);
  free(ld->shapes.item);
}
