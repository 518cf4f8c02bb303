// SPDX-License-Identifier: Apache-2.0
// Where things go. True geometry is used when it is readable or when the model says by shapes what it looks like;
// when things would lie on top of one another (coordinates that count from rest) they are spread along a line.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/loader.h"
#include "ask/describe/draw.h"

#define SPREAD   180.0  // px between neighbours
#define READABLE 100.0  // px: least distance of connected or neighbouring things
#define PAGE_W   640.0
#define PAGE_H   420.0

static bool is_mass(const amo_drawn *d)
{
  return d->kind == AMO_DRAWN_PARTICLE || d->kind == AMO_DRAWN_BODY;
}

static bool is_link(const amo_drawn *d)
{
  return d->kind == AMO_DRAWN_SPRING || d->kind == AMO_DRAWN_DAMPER;
}

long amo_draw_owner(const amo_schematic *s, amo_node x, amo_node y)
{
  if (x == AMO_NODE_NONE) return -1;
  for (uint32_t i = 0; i < s->count; i++)
    if (is_mass(&s->item[i]) && s->item[i].x1 == x && s->item[i].y1 == y) return (long)i;
  return -1;
}

bool amo_draw_as_point(const amo_scene *c, uint32_t item)
{
  const amo_drawn *d = &c->s->item[item];
  if (c->s->shapes) return true;
  for (uint32_t k = 0; k < c->s->count; k++) {
    const amo_drawn *o = &c->s->item[k];
    if (o->x1 != d->x1 || o->y1 != d->y1) continue;
    if (o->kind == AMO_DRAWN_GUIDE || amo_draw_is_traced(c, k)) return true;
  }
  return false;
}

// ---- numbers ----

amo_status amo_scene_values(const amo_scene *c, const amo_node *node, size_t n, double *out)
{
  return amo_constant_values(c->m->dag, node, n, c->leaf, c->s->leaves, out);
}

static void fill_leaves(amo_scene *c, const double *param, double t, const double *state)
{
  const amo_model *m = c->m;
  amo_load_leaves(m, c->leaf, 1, param, t, state);
  const amo_solutions *all = c->solutions;
  const amo_solution *x = all && all->chosen >= 0 ? &all->item[all->chosen] : NULL;
  for (uint32_t i = 0; i < m->nq; i++) c->leaf[m->leaf.acc + i] = x ? x->acc[i] : NAN;
  for (uint32_t i = 0; i < m->ng; i++) c->leaf[m->leaf.multiplier + i] = x ? x->multiplier[i] : NAN;
  for (uint32_t i = 0; i < m->nc; i++) {
    c->leaf[m->leaf.lambda + i] = x ? x->lambda[i] : NAN;
    c->leaf[m->leaf.reaction + i] = x ? x->reaction[i] : NAN;
  }
}

bool amo_draw_is_result(const amo_scene *c, const amo_shape *s)
{
  const amo_leaves *l = &c->m->leaf;
  for (uint32_t i = 2; i < s->nodes && (s->kind == AMO_SHAPE_FORCE || s->kind == AMO_SHAPE_MOMENT); i++)
    if (amo_node_depends(c->m->dag, s->node[i], l->acc, l->count - l->acc)) return true;
  return false;
}

static amo_status evaluate(amo_scene *c)
{
  const amo_schematic *s = c->s;
  size_t n = 5 * (size_t)s->count, at = n;
  for (uint32_t i = 0; i < s->shapes; i++) n += s->shape[i].nodes;
  amo_node *root = amo_zalloc(n, sizeof *root);
  double *value = amo_zalloc(n, sizeof *value);
  amo_status st = root && value ? AMO_OK : AMO_ENOMEM;
  for (uint32_t i = 0; st == AMO_OK && i < s->count; i++) {
    const amo_drawn *d = &s->item[i];
    const amo_node all[] = {d->x1, d->y1, d->x2, d->y2, d->angle};
    for (uint32_t k = 0; k < 5; k++) root[5 * i + k] = all[k] ? all[k] : amo_const(c->m->dag, 0.0);
  }
  for (uint32_t i = 0; st == AMO_OK && i < s->shapes; at += s->shape[i++].nodes)
    memcpy(root + at, s->shape[i].node, s->shape[i].nodes * sizeof *root);
  if (st == AMO_OK) st = amo_scene_values(c, root, n, value);
  free(root);
  c->item = value;
  if (st != AMO_OK) return st;
  at = 5 * (size_t)s->count;
  for (uint32_t i = 0; i < s->shapes; at += s->shape[i++].nodes) c->shape[i] = value + at;
  for (uint32_t i = 0; i < s->count; i++) {
    double *v = value + 5 * i;
    if (s->item[i].x1 == AMO_NODE_NONE) v[0] = v[1] = NAN;
    if (s->item[i].x2 == AMO_NODE_NONE) v[2] = v[3] = NAN;
    c->place[i] = (amo_draw_place){.x1 = v[0], .y1 = v[1], .x2 = v[2], .y2 = v[3]};
  }
  return AMO_OK;
}

// ---- true geometry ----

static void include(amo_view *b, double x, double y)
{
  if (!isfinite(x) || !isfinite(y)) return;
  b->x0 = fmin(b->x0, x);
  b->x1 = fmax(b->x1, x);
  b->y0 = fmin(b->y0, y);
  b->y1 = fmax(b->y1, y);
}

static void include_shape(amo_view *b, const amo_shape *s, const double *v)
{
  double half = s->kind == AMO_SHAPE_CIRCLE  ? v[2]
                : s->kind == AMO_SHAPE_BLOCK ? 0.5 * fmax(v[2], v[3])
                                             : 0.0;
  uint32_t points = s->kind <= AMO_SHAPE_ARROW ? s->nodes / 2 : s->kind == AMO_SHAPE_CURVE ? 0 : 1;
  for (uint32_t k = 0; k < points; k++) {
    include(b, v[2 * k] - half, v[2 * k + 1] - half);
    include(b, v[2 * k] + half, v[2 * k + 1] + half);
  }
}

static amo_view bounds(const amo_scene *c)
{
  amo_view b = {INFINITY, -INFINITY, INFINITY, -INFINITY};
  for (uint32_t i = 0; i < c->s->count; i++) {
    const amo_drawn *d = &c->s->item[i];
    const amo_draw_place *p = &c->place[i];
    if (is_mass(d) || is_link(d) || d->kind == AMO_DRAWN_GUIDE) include(&b, p->x1, p->y1);
    if (is_link(d) || d->curve != AMO_NODE_NONE) include(&b, p->x2, p->y2);
  }
  for (uint32_t i = 0; i < c->s->shapes; i++) include_shape(&b, &c->s->shape[i], c->shape[i]);
  return b;
}

static double least_distance(const amo_schematic *s, const amo_draw_place *p)
{
  double least = INFINITY;
  for (uint32_t i = 0; i < s->count; i++) {
    if (is_link(&s->item[i])) least = fmin(least, hypot(p[i].x2 - p[i].x1, p[i].y2 - p[i].y1));
    for (uint32_t k = 0; is_mass(&s->item[i]) && k < i; k++)
      if (is_mass(&s->item[k])) least = fmin(least, hypot(p[i].x1 - p[k].x1, p[i].y1 - p[k].y1));
  }
  return least;
}

double amo_scene_x(const amo_scene *c, double x)
{
  return (x - c->x0) * c->scale;
}

double amo_scene_y(const amo_scene *c, double y)
{
  return -(y - c->y0) * c->scale;
}

/// True geometry scaled to the page; false when it would not be readable.
static bool true_places(amo_scene *c)
{
  amo_view b = c->window ? *c->window : bounds(c);
  double w = b.x1 - b.x0, h = b.y1 - b.y0;
  c->scale = fmin(w > 0 ? PAGE_W / w : INFINITY, h > 0 ? PAGE_H / h : INFINITY);
  if (!isfinite(c->scale)) c->scale = READABLE;  // one point: anywhere will do
  if (!c->s->shapes && !c->window) {
    double least = least_distance(c->s, c->place) * c->scale;
    if (least < READABLE) return false;
    if (isfinite(least)) c->scale *= fmin(1, 2.2 * READABLE / least);  // no huge gaps either
  }
  c->x0 = isfinite(b.x0) ? b.x0 : 0;
  c->y0 = isfinite(b.y0) ? b.y0 : 0;
  c->width = w > 0 ? w * c->scale : 0;
  c->height = h > 0 ? h * c->scale : 0;
  for (uint32_t i = 0; i < c->s->count; i++) {
    amo_draw_place *p = &c->place[i];
    p->x1 = amo_scene_x(c, p->x1);
    p->y1 = amo_scene_y(c, p->y1);
    if (!is_link(&c->s->item[i])) continue;  // a direction
    p->x2 = amo_scene_x(c, p->x2);
    p->y2 = amo_scene_y(c, p->y2);
  }
  return true;
}

// ---- in a row ----

/// Masses in a row; fixed ends of links to the left of the first, to the right of the last, else above.
static void spread_places(const amo_schematic *s, amo_draw_place *p)
{
  uint32_t masses = 0, row = 0;
  bool left_taken = false, right_taken = false;
  for (uint32_t i = 0; i < s->count; i++)
    if (is_mass(&s->item[i])) {
      p[i].x1 = SPREAD * masses++;
      p[i].y1 = 0;
    }
  for (uint32_t i = 0; i < s->count; i++) {
    const amo_drawn *d = &s->item[i];
    if (is_mass(d)) continue;
    long a = amo_draw_owner(s, d->x1, d->y1), b = is_link(d) ? amo_draw_owner(s, d->x2, d->y2) : -1;
    if (a >= 0) p[i].x1 = p[a].x1, p[i].y1 = p[a].y1;
    if (b >= 0) p[i].x2 = p[b].x1, p[i].y2 = p[b].y1;
    if (!is_link(d)) {
      if (a < 0) p[i].x1 = p[i].y1 = NAN;
      continue;
    }
    if ((a >= 0) == (b >= 0)) {  // both on masses, or a link in the void: give the latter a row of its own
      double height = a < 0 ? -SPREAD * ++row : 0;
      if (a < 0) p[i] = (amo_draw_place){0, height, SPREAD, height, true, true};
      continue;
    }
    double x = a >= 0 ? p[i].x1 : p[i].x2, y = a >= 0 ? p[i].y1 : p[i].y2, fx = x, fy = y - 0.8 * SPREAD;
    bool last = masses > 1 && x == SPREAD * (masses - 1);
    if (x == 0 && !left_taken)
      fx = x - SPREAD, fy = y, left_taken = true;
    else if ((last || masses == 1) && !right_taken)
      fx = x + SPREAD, fy = y, right_taken = true;
    if (a >= 0)
      p[i].x2 = fx, p[i].y2 = fy;
    else
      p[i].x1 = fx, p[i].y1 = fy;
  }
}

// ---- the scene ----

static bool moves(const amo_scene *c, amo_node x, amo_node y)
{
  const amo_model *m = c->m;
  return amo_node_depends(m->dag, x, m->leaf.q, m->nq) || amo_node_depends(m->dag, y, m->leaf.q, m->nq);
}

void amo_scene_free(amo_scene *c)
{
  if (!c) return;
  amo_solutions_free(c->solutions);
  free(c->leaf);
  free(c->item);
  free(c->shape);
  free(c->place);
  free(c);
}

amo_status amo_scene_new(const amo_values *v, double t, const double *state, const amo_view *window,
                         amo_solutions *solutions, amo_scene **out)
{
  const amo_model *m = v->model;
  const amo_schematic *s = m->drawing.schematic;
  bool any = s && (s->count || s->shapes);
  amo_scene *c = any ? calloc(1, sizeof *c) : NULL;
  *out = NULL;
  if (!c) {
    amo_solutions_free(solutions);
    return any ? AMO_ENOMEM : AMO_ENOANSWER;
  }
  *c = (amo_scene){.m = m, .s = s, .window = window, .solutions = solutions};
  c->leaf = amo_zalloc(s->leaves, sizeof *c->leaf);
  c->shape = amo_zalloc(s->shapes, sizeof *c->shape);
  c->place = amo_zalloc(s->count, sizeof *c->place);
  amo_status st = c->leaf && c->shape && c->place ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK) fill_leaves(c, v->param, t, state);
  if (st == AMO_OK) st = evaluate(c);
  if (st == AMO_OK && !true_places(c)) {
    c->spread = true;
    spread_places(s, c->place);
  }
  for (uint32_t i = 0; st == AMO_OK && i < s->count; i++) {
    const amo_drawn *d = &s->item[i];
    if (!is_link(d)) continue;
    c->place[i].fixed1 = amo_draw_owner(s, d->x1, d->y1) < 0 && !moves(c, d->x1, d->y1);
    c->place[i].fixed2 = amo_draw_owner(s, d->x2, d->y2) < 0 && !moves(c, d->x2, d->y2);
  }
  if (st == AMO_OK)
    *out = c;
  else
    amo_scene_free(c);
  return st;
}
