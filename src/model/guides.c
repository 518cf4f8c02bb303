// SPDX-License-Identifier: Apache-2.0
/// Guides: two-sided contacts g(q,t) = 0 whose reaction R is not given but found.
///
/// R is the force that goes with g: it acts on coordinate i as R dg/dq_i, so R is a force in newtons where g is
/// a distance along the normal. Geometry (a point on a line or a curve) gives g as such a distance and the slip
/// with it: the velocity of the point as seen from the line or curve, along tau. The normal is tau turned by +90
/// degrees.
#include "model/model.h"
#include "model/rows.h"
#include "model/keys.h"

typedef struct vec2 {
  amo_node x, y;
} vec2;

static vec2 vec2_of(const amo_node r[3])
{
  return (vec2){r[0], r[1]};
}

static vec2 minus(amo_dag *d, vec2 a, vec2 b)
{
  return (vec2){amo_sub(d, a.x, b.x), amo_sub(d, a.y, b.y)};
}

static amo_node dot(amo_dag *d, vec2 a, vec2 b)
{
  return amo_add(d, amo_mul(d, a.x, b.x), amo_mul(d, a.y, b.y));
}

static amo_node cross(amo_dag *d, vec2 a, vec2 b)
{
  return amo_sub(d, amo_mul(d, a.x, b.y), amo_mul(d, a.y, b.x));
}

static vec2 direction(amo_dag *d, amo_node angle)
{
  return (vec2){amo_op1(d, AMO_OP_COS, angle), amo_op1(d, AMO_OP_SIN, angle)};
}

/// v, given in the axes whose first is e.
static vec2 turned(amo_dag *d, vec2 v, vec2 e)
{
  return (vec2){dot(d, v, (vec2){e.x, amo_neg(d, e.y)}), dot(d, v, (vec2){e.y, e.x})};
}

static amo_node by_time(amo_loader *ld, amo_node e)
{
  return amo_total(ld->dag, e, ld->rules.time, ld->inner.count);
}

/// A point in the plane, as `amo_load_point` reads it.
static amo_status load_place(amo_loader *ld, const amo_decl *c, const amo_yaml *n, vec2 *out)
{
  amo_node r[3] = {0};
  const amo_part *part = NULL;
  amo_status st = amo_load_point(ld, n, &c->item, r, &part);
  if (st == AMO_OK && !amo_node_zero(ld->dag, r[2]))
    st = amo_error(ld->diags, n->at, "write the gap and the slip as expressions",
                   "the geometry of a guide is planar: points have 2 components");
  *out = vec2_of(r);
  return st;
}

/// `along`: an angle from +x, or a vector of any length.
static amo_status load_along(amo_loader *ld, const amo_decl *c, const amo_yaml *n, vec2 *out)
{
  amo_dag *d = ld->dag;
  amo_expr_in in = amo_item_scope(&c->item, "direction of a line", AMO_ON_POSITION);
  if (!amo_yaml_is(n, AMO_YAML_LIST)) {
    amo_node angle = amo_load_expr(ld, n, &in);
    *out = direction(d, angle);
    return angle != AMO_NODE_NONE ? AMO_OK : AMO_EINPUT;
  }
  amo_node v[3];
  amo_status st = amo_load_vector(ld, n, &in, v, NULL);
  vec2 t = vec2_of(v);
  amo_node length = amo_op1(d, AMO_OP_SQRT, dot(d, t, t));
  *out = (vec2){amo_div(d, t.x, length), amo_div(d, t.y, length)};
  return st;
}

/// Point p on the line through p0 along tau. Both may move; p0 is a point of the body that carries the line. With
/// tau turning at rate w, d/dt[(p - p0).tau] = (v - v0).tau + w*gap: seen from the line, since the gap is zero.
/// Returns the place along the line.
static amo_node on_line(amo_loader *ld, const amo_decl *c, vec2 p, vec2 p0, vec2 tau, amo_contact *k)
{
  vec2 r = minus(ld->dag, p, p0);
  amo_load_draw(ld, (amo_drawn){.kind = AMO_DRAWN_GUIDE, .x1 = p.x, .y1 = p.y, .x2 = tau.x, .y2 = tau.y},
                c->item.name, c->item.name);
  const amo_node along = dot(ld->dag, tau, r);
  k->gap = cross(ld->dag, tau, r);
  k->slip = by_time(ld, along);
  return along;
}

static amo_status load_line(amo_loader *ld, const amo_decl *c, const amo_yaml *line, vec2 p, amo_contact *k)
{
  vec2 p0, tau;
  amo_status st = amo_yaml_expect(line, AMO_YAML_MAP, "line", ld->diags);
  if (st == AMO_OK)
    st = amo_yaml_only_of(line, "line", amo_model_keys, "contacts.NAME.guide.line", ld->diags);
  if (st != AMO_OK) return st;
  const amo_yaml *through = amo_yaml_get(line, "through"), *along = amo_yaml_get(line, "along");
  if (!through || !along)
    return amo_error(ld->diags, line->at, "line: {through: [0, 0], along: 0}",
                     "the line of guide %s needs 'through' (a point) and 'along' (an angle or a vector)",
                     c->item.name);
  st = load_place(ld, c, through, &p0);
  if (st == AMO_OK) st = load_along(ld, c, along, &tau);
  if (st == AMO_OK) (void)on_line(ld, c, p, p0, tau, k);
  return st;
}

/// The part on which both ends of a segment are, in whose axes they are written; NULL: there is none.
static const amo_part *carrier(amo_loader *ld, const amo_decl *c, const amo_yaml *segment)
{
  const amo_yaml *a = amo_yaml_get(segment->first, "on"), *b = amo_yaml_get(segment->first->next, "on");
  const bool both = a && b && amo_yaml_get(segment->first, "at") && amo_yaml_get(segment->first->next, "at");
  const amo_part *p = both ? amo_load_part(ld, a, &c->item) : NULL;
  return p && p == amo_load_part(ld, b, &c->item) ? p : NULL;
}

/// From A to B: in the axes of the part that carries both, where it does not change, or in space.
static amo_status load_span(amo_loader *ld, const amo_decl *c, const amo_yaml *segment, vec2 a, vec2 *out)
{
  vec2 b;
  if (!carrier(ld, c, segment)) {
    amo_status st = load_place(ld, c, segment->first->next, &b);
    *out = minus(ld->dag, b, a);
    return st;
  }
  amo_node v[2][3];
  amo_expr_in in = amo_item_scope(&c->item, "end of a segment", AMO_ON_POSITION);
  amo_status st = amo_load_vector(ld, amo_yaml_get(segment->first, "at"), &in, v[0], NULL);
  if (st == AMO_OK) st = amo_load_vector(ld, amo_yaml_get(segment->first->next, "at"), &in, v[1], NULL);
  *out = minus(ld->dag, vec2_of(v[1]), vec2_of(v[0]));
  return st;
}

/// `segment: [A, B]`: the line from A to B, and nothing beyond.
static amo_status load_segment(amo_loader *ld, const amo_decl *c, const amo_yaml *segment, vec2 p,
                               amo_contact *k)
{
  amo_dag *d = ld->dag;
  vec2 a, tau;
  if (!amo_can_open(k))
    return amo_error(ld->diags, segment->key->at, "line: {through: A, along: 0}, or a support",
                     "guide %s cannot end: nothing can leave a two-sided contact", c->item.name);
  amo_status st = amo_yaml_expect(segment, AMO_YAML_LIST, "segment", ld->diags);
  if (st == AMO_OK && segment->count != 2)
    st = amo_error(ld->diags, segment->at, "segment: [[0, 0], [1, 0]]",
                   "the segment of support %s needs its two ends, got %zu", c->item.name,
                   (size_t)segment->count);
  if (st == AMO_OK) st = load_place(ld, c, segment->first, &a);
  if (st == AMO_OK) st = load_span(ld, c, segment, a, &tau);
  if (st != AMO_OK) return st;
  const amo_node length = amo_op1(d, AMO_OP_SQRT, dot(d, tau, tau));
  const amo_part *body = carrier(ld, c, segment);
  tau = (vec2){amo_div(d, tau.x, length), amo_div(d, tau.y, length)};
  if (body && body->body) tau = turned(d, tau, direction(d, body->angle));
  const amo_node along = on_line(ld, c, p, a, tau, k);
  amo_load_end(ld, k, along);
  amo_load_end(ld, k, amo_sub(d, length, along));
  return AMO_OK;
}

/// p in the axes of the body that carries the curve; the axes are kept for drawings.
static amo_status seen_from(amo_loader *ld, const amo_decl *c, const amo_yaml *of, vec2 *p, amo_drawn *axes)
{
  const amo_part *b = amo_load_part(ld, of, &c->item);
  if (!b) return AMO_EINPUT;
  vec2 r = minus(ld->dag, *p, vec2_of(b->r)), e = {amo_const(ld->dag, 1.0), amo_const(ld->dag, 0.0)};
  if (b->body) e = direction(ld->dag, b->angle);
  axes->x2 = b->r[0];
  axes->y2 = b->r[1];
  if (b->body) axes->angle = b->angle;
  *p = (vec2){dot(ld->dag, e, r), cross(ld->dag, e, r)};
  return AMO_OK;
}

static amo_node at_place(amo_loader *ld, amo_node n, vec2 p)
{
  ld->rules.substitute[ld->inner.place] = p.x;
  ld->rules.substitute[ld->inner.place + 1] = p.y;
  n = amo_subst(ld->dag, n, ld->rules.substitute, ld->inner.count);
  ld->rules.substitute[ld->inner.place] = ld->rules.substitute[ld->inner.place + 1] = AMO_NODE_NONE;
  return n;
}

/// Point p on the curve F(X,Y) = 0 with normal grad F. F has its own axes only, so that the curve is rigid and the
/// velocity of p seen from it is (X', Y').
static amo_status on_curve(amo_loader *ld, const amo_decl *c, const amo_yaml *curve, vec2 p, amo_drawn axes,
                           amo_contact *k)
{
  amo_dag *d = ld->dag;
  amo_local local[] = {{"X", amo_leaf(d, ld->inner.place)}, {"Y", amo_leaf(d, ld->inner.place + 1)}};
  amo_expr_in in = amo_item_scope(&c->item, "the curve of a guide", 0);
  in.local = local;
  in.locals = 2;
  amo_node f = amo_load_equation(ld, curve, &in);
  if (f == AMO_NODE_NONE) return AMO_EINPUT;
  vec2 grad = {at_place(ld, amo_diff(d, f, ld->inner.place), p),
               at_place(ld, amo_diff(d, f, ld->inner.place + 1), p)};
  if (amo_node_zero(d, grad.x) && amo_node_zero(d, grad.y))
    return amo_error(ld->diags, curve->at, "curve: Y = a*X^2",
                     "the curve of guide %s depends on neither X nor Y", c->item.name);
  amo_node size = amo_op1(d, AMO_OP_SQRT, dot(d, grad, grad));
  vec2 v = {by_time(ld, p.x), by_time(ld, p.y)};
  axes.curve = f;
  amo_load_draw(ld, axes, c->item.name, c->item.name);
  k->gap = amo_div(d, at_place(ld, f, p), size);
  k->slip = amo_div(d, cross(d, v, grad), size);
  return AMO_OK;
}

static amo_status by_geometry(amo_loader *ld, const amo_decl *c, const amo_yaml *guide, amo_contact *k)
{
  const amo_yaml *point = amo_yaml_get(guide, "point"), *of = amo_yaml_get(guide, "of");
  const amo_yaml *line = amo_yaml_get(guide, "line"), *curve = amo_yaml_get(guide, "curve");
  const amo_yaml *segment = amo_yaml_get(guide, "segment");
  vec2 p;
  amo_status st = amo_yaml_only_of(guide, "guide", amo_model_keys, "contacts.NAME.guide", ld->diags);
  if (st != AMO_OK) return st;
  if (!point || !!line + !!curve + !!segment != 1 || (of && !curve))
    return amo_error(
        ld->diags, guide->at,
        "guide: {point: P, line: {through: [0, 0], along: 0}} or {point: P, curve: Y = X^2, of: body}; "
        "a support may have a segment: [A, B]",
        "guide %s needs a 'point' and either a 'line' or a 'curve' (maybe 'of' a body)", c->item.name);
  st = load_place(ld, c, point, &p);
  amo_node zero = amo_const(ld->dag, 0.0);
  amo_drawn axes = {.kind = AMO_DRAWN_GUIDE, .x1 = p.x, .y1 = p.y, .x2 = zero, .y2 = zero, .angle = zero};
  if (st == AMO_OK && of) st = seen_from(ld, c, of, &p, &axes);
  if (st != AMO_OK) return st;
  return line      ? load_line(ld, c, line, p, k)
         : segment ? load_segment(ld, c, segment, p, k)
                   : on_curve(ld, c, curve, p, axes, k);
}

amo_status amo_load_guide(amo_loader *ld, amo_decl *c, const char *key, amo_contact *k)
{
  const amo_yaml *guide = amo_yaml_get(c->item.node, key);
  const char *what = amo_arena_printf(&ld->arena, "%s of contact %s", key, c->item.name);
  if (!what) return AMO_ENOMEM;
  amo_status st = AMO_OK;
  if (amo_yaml_is(guide, AMO_YAML_MAP)) {
    st = by_geometry(ld, c, guide, k);
  } else if (k->gap == AMO_NODE_NONE) {
    amo_expr_in in = amo_item_scope(&c->item, what, AMO_ON_POSITION);
    k->gap = amo_load_equation(ld, guide, &in);
  }
  if (st != AMO_OK || k->gap == AMO_NODE_NONE) return st != AMO_OK ? st : AMO_EINPUT;
  st = amo_row_of_position(ld, k->gap, guide->at, what, &k->gap_rate, &c->normal);
  k->gap_zeta = c->normal.zeta;
  return st;
}

static amo_node coefficient(const amo_loader *ld, const amo_row *r, uint32_t coord)
{
  for (uint32_t i = 0; i < r->count; i++)
    if (r->coord[i] == coord) return r->value[i];
  return amo_const(ld->dag, 0.0);
}

bool amo_slip_along_normal(const amo_loader *ld, const amo_decl *c)
{
  amo_dag *d = ld->dag;
  for (uint32_t i = 0; i < c->normal.count; i++)
    for (uint32_t j = 0; j < c->row.count; j++) {
      uint32_t a = c->normal.coord[i], b = c->row.coord[j];
      amo_node straight = amo_mul(d, c->normal.value[i], c->row.value[j]);
      amo_node crossed = amo_mul(d, coefficient(ld, &c->normal, b), coefficient(ld, &c->row, a));
      if (!amo_node_zero(d, amo_sub(d, straight, crossed))) return false;
    }
  return c->normal.count > 0 && c->row.count > 0;
}
