// SPDX-License-Identifier: Apache-2.0
// Where things go. The true geometry at the initial state is used when it is readable; when things
// would lie on top of one another (coordinates that count from rest) they are spread along a line.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "study/draw.h"

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

/// Numbers of all positions at the initial state.
static amo_status evaluate(const amo_model *m, amo_place *place)
{
  const amo_schematic *s = m->schematic;
  uint32_t nleaf = m->leaf.count;
  amo_prog *prog = NULL;
  double *reg = NULL;
  amo_node *root = amo_zalloc(4 * (size_t)s->count, sizeof *root);
  amo_status st = root ? AMO_OK : AMO_ENOMEM;
  for (uint32_t i = 0; st == AMO_OK && i < s->count; i++) {
    const amo_node n[] = {s->item[i].x1, s->item[i].y1, s->item[i].x2, s->item[i].y2};
    for (int k = 0; k < 4; k++) root[4 * i + (uint32_t)k] = n[k] ? n[k] : amo_const(m->dag, 0.0);
  }
  if (st == AMO_OK) st = amo_prog_compile(m->dag, root, 4 * (size_t)s->count, m->fixed, nleaf, &prog);
  if (st == AMO_OK && !(reg = amo_zalloc(amo_prog_registers(prog), sizeof *reg))) st = AMO_ENOMEM;
  if (st != AMO_OK) goto done;
  memcpy(reg + m->leaf.param, m->param_value, m->np * sizeof *reg);
  memcpy(reg + m->leaf.q, m->initial, m->nq * sizeof *reg);
  memcpy(reg + m->leaf.u, m->initial + m->nq, m->nq * sizeof *reg);
  memcpy(reg + m->leaf.z, m->initial + 2 * m->nq, m->nz * sizeof *reg);
  reg[m->leaf.t] = m->t0;
  amo_prog_prepare1(prog, reg);
  amo_prog_eval1(prog, reg, NULL);
  for (uint32_t i = 0; i < s->count; i++) {
    double v[4];
    for (uint32_t k = 0; k < 4; k++) v[k] = reg[amo_prog_root(prog, 4 * i + k)];
    place[i] = (amo_place){.x1 = v[0], .y1 = v[1], .x2 = v[2], .y2 = v[3]};
    if (s->item[i].x1 == AMO_NODE_NONE) place[i].x1 = place[i].y1 = NAN;
    if (s->item[i].x2 == AMO_NODE_NONE) place[i].x2 = place[i].y2 = NAN;
  }
done:
  amo_prog_free(prog);
  free(reg);
  free(root);
  return st;
}

typedef struct box {
  double x0, x1, y0, y1;
} box;

static void include(box *b, double x, double y)
{
  if (!isfinite(x) || !isfinite(y)) return;
  b->x0 = fmin(b->x0, x);
  b->x1 = fmax(b->x1, x);
  b->y0 = fmin(b->y0, y);
  b->y1 = fmax(b->y1, y);
}

static double least_distance(const amo_schematic *s, const amo_place *p)
{
  double least = INFINITY;
  for (uint32_t i = 0; i < s->count; i++) {
    if (is_link(&s->item[i])) least = fmin(least, hypot(p[i].x2 - p[i].x1, p[i].y2 - p[i].y1));
    for (uint32_t k = 0; is_mass(&s->item[i]) && k < i; k++)
      if (is_mass(&s->item[k])) least = fmin(least, hypot(p[i].x1 - p[k].x1, p[i].y1 - p[k].y1));
  }
  return least;
}

/// True geometry scaled to the page; false when it would not be readable.
static bool true_places(const amo_schematic *s, amo_place *p)
{
  box b = {INFINITY, -INFINITY, INFINITY, -INFINITY};
  for (uint32_t i = 0; i < s->count; i++) {
    if (!is_mass(&s->item[i]) && !is_link(&s->item[i])) continue;
    include(&b, p[i].x1, p[i].y1);
    if (is_link(&s->item[i])) include(&b, p[i].x2, p[i].y2);
  }
  double w = b.x1 - b.x0, h = b.y1 - b.y0,
         scale = fmin(w > 0 ? PAGE_W / w : INFINITY, h > 0 ? PAGE_H / h : INFINITY);
  if (!isfinite(scale)) scale = 1;  // one point: anywhere will do
  if (least_distance(s, p) * scale < READABLE) return false;
  double shrink = fmin(1, 2.2 * READABLE / (least_distance(s, p) * scale));  // no huge gaps either
  scale *= isfinite(shrink) ? shrink : 1;
  for (uint32_t i = 0; i < s->count; i++) {
    p[i].x1 = (p[i].x1 - b.x0) * scale;
    p[i].y1 = -(p[i].y1 - b.y0) * scale;
    if (s->item[i].kind == AMO_DRAWN_LOAD) continue;  // a direction
    p[i].x2 = (p[i].x2 - b.x0) * scale;
    p[i].y2 = -(p[i].y2 - b.y0) * scale;
  }
  return true;
}

/// Masses in a row; fixed ends of links to the left of the first, to the right of the last, else above.
static void spread_places(const amo_schematic *s, amo_place *p)
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
      if (a < 0) p[i] = (amo_place){0, -SPREAD * ++row, SPREAD, -SPREAD * row, true, true};
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

amo_status amo_draw_layout(const amo_model *m, amo_place **out)
{
  const amo_schematic *s = m->schematic;
  *out = NULL;
  if (!s || !s->count) return AMO_ENOANSWER;
  amo_place *p = amo_zalloc(s->count, sizeof *p);
  amo_status st = p ? evaluate(m, p) : AMO_ENOMEM;
  if (st == AMO_OK && !true_places(s, p)) spread_places(s, p);
  for (uint32_t i = 0; st == AMO_OK && i < s->count; i++) {
    const amo_drawn *d = &s->item[i];
    if (!is_link(d)) continue;
    p[i].fixed1 = amo_draw_owner(s, d->x1, d->y1) < 0;
    p[i].fixed2 = amo_draw_owner(s, d->x2, d->y2) < 0;
  }
  if (st == AMO_OK)
    *out = p;
  else
    free(p);
  return st;
}
