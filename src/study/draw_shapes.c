// SPDX-License-Identifier: Apache-2.0
// How things look: blocks, discs, springs, dashpots, walls, belts, arrows.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/draw.h"

#define INK    "#333333"
#define BLUE   "#0072B2"
#define ORANGE "#D55E00"
#define GREEN  "#009E73"

static const amo_pen ink = {INK, "none", 1.8}, thin = {INK, "none", 1.1};
static const amo_pen mass_pen = {BLUE, "#dcebf6", 2.0};

/// A bare number says nothing beside a picture; then the name does.
static const char *label_of(const amo_drawn *d)
{
  char *end = NULL;
  if (!d->label || !*d->label) return d->name;
  strtod(d->label, &end);
  return *end ? d->label : d->name;
}

/// Hatched ground through (x, y); (dx, dy) points from the ground into the free side.
static void ground(amo_svg *s, double x, double y, double dx, double dy, double half)
{
  double tx = -dy, ty = dx;
  amo_svg_line(s, x - half * tx, y - half * ty, x + half * tx, y + half * ty, ink);
  for (double a = -half; a < half - 1; a += 9)
    amo_svg_line(s, x + (a + 8) * tx, y + (a + 8) * ty, x + a * tx - 8 * dx, y + a * ty - 8 * dy, thin);
}

/// From (x1,y1), `along` px along the link and `across` to its side.
typedef struct axis {
  double x, y, dx, dy, length;
} axis;

static void put(const axis *a, double along, double across, double *xy)
{
  xy[0] = a->x + along * a->dx - across * a->dy;
  xy[1] = a->y + along * a->dy + across * a->dx;
}

static void spring(amo_svg *s, const axis *a, double across)
{
  enum { TEETH = 6 };
  double xy[2 * (2 * TEETH + 4)], body = fmin(0.6 * a->length, 110), start = 0.5 * (a->length - body);
  int n = 0;
  put(a, 0, across, xy + 2 * n++);
  put(a, start, across, xy + 2 * n++);
  for (int i = 0; i < 2 * TEETH; i++)
    put(a, start + body * (i + 0.5) / (2 * TEETH), across + (i % 2 ? 9 : -9), xy + 2 * n++);
  put(a, start + body, across, xy + 2 * n++);
  put(a, a->length, across, xy + 2 * n++);
  amo_svg_path(s, xy, n, false, ink);
}

static void dashpot(amo_svg *s, const axis *a, double across)
{
  double mid = 0.5 * a->length, line[4], cup[8], piston[4];
  put(a, 0, across, line), put(a, mid - 16, across, line + 2);
  amo_svg_path(s, line, 2, false, ink);
  put(a, mid + 14, across - 11, cup), put(a, mid - 16, across - 11, cup + 2);
  put(a, mid - 16, across + 11, cup + 4), put(a, mid + 14, across + 11, cup + 6);
  amo_svg_path(s, cup, 4, false, ink);
  put(a, mid + 2, across - 8, piston), put(a, mid + 2, across + 8, piston + 2);
  amo_svg_path(s, piston, 2, false, (amo_pen){INK, "none", 3});
  put(a, mid + 2, across, line), put(a, a->length, across, line + 2);
  amo_svg_path(s, line, 2, false, ink);
}

/// How far the edge of a mass is from its centre in a direction.
static double edge(const amo_drawn *d, double dx, double dy)
{
  if (d->kind == AMO_DRAWN_BODY) return 0.5 * AMO_BLOCK_H;
  double ax = fabs(dx) > 1e-9 ? 0.5 * AMO_BLOCK_W / fabs(dx) : INFINITY;
  double ay = fabs(dy) > 1e-9 ? 0.5 * AMO_BLOCK_H / fabs(dy) : INFINITY;
  return fmin(ax, ay);
}

/// Links between the same two ends are drawn side by side.
static double side_of(const amo_schematic *s, uint32_t i)
{
  const amo_drawn *d = &s->item[i];
  int before = 0, all = 0;
  for (uint32_t k = 0; k < s->count; k++) {
    const amo_drawn *o = &s->item[k];
    if (o->kind != AMO_DRAWN_SPRING && o->kind != AMO_DRAWN_DAMPER) continue;
    bool same = o->x1 == d->x1 && o->y1 == d->y1 && o->x2 == d->x2 && o->y2 == d->y2;
    before += same && k < i;
    all += same;
  }
  return all > 1 ? 26.0 * (before - 0.5 * (all - 1)) : 0;
}

static void link_shape(const amo_schematic *s, uint32_t i, const amo_place *place, amo_svg *svg)
{
  const amo_drawn *d = &s->item[i];
  const amo_place *p = &place[i];
  axis a = {p->x1, p->y1, p->x2 - p->x1, p->y2 - p->y1, hypot(p->x2 - p->x1, p->y2 - p->y1)};
  if (!(a.length > 0)) return;
  a.dx /= a.length;
  a.dy /= a.length;
  // walls stand upright or lie flat, whatever the slant of the link
  bool flat = fabs(a.dy) > fabs(a.dx);
  double wx = flat ? 0 : copysign(1, a.dx), wy = flat ? copysign(1, a.dy) : 0;
  if (p->fixed1) ground(svg, p->x1, p->y1, wx, wy, 30);
  if (p->fixed2) ground(svg, p->x2, p->y2, -wx, -wy, 30);
  long from = p->fixed1 ? -1 : amo_draw_owner(s, d->x1, d->y1),
       to = p->fixed2 ? -1 : amo_draw_owner(s, d->x2, d->y2);
  double skip = from >= 0 ? edge(&s->item[from], a.dx, a.dy) : 0,
         cut = to >= 0 ? edge(&s->item[to], a.dx, a.dy) : 0;
  a.x += skip * a.dx;
  a.y += skip * a.dy;
  a.length -= skip + cut;
  if (a.length < 20) return;
  double across = side_of(s, i), at[2];
  if (d->kind == AMO_DRAWN_SPRING)
    spring(svg, &a, across);
  else
    dashpot(svg, &a, across);
  put(&a, 0.5 * a.length, across - (across > 0 ? -28 : 18), at);
  amo_svg_text(svg, at[0], at[1] + (fabs(a.dy) > 0.7 ? 5 : 0), fabs(a.dy) > 0.7 ? "start" : "middle", INK,
               true, label_of(d));
}

static void mass_shape(const amo_drawn *d, const amo_place *p, amo_svg *svg)
{
  if (d->kind == AMO_DRAWN_BODY) {
    double r = 0.5 * AMO_BLOCK_H;
    amo_svg_circle(svg, p->x1, p->y1, r, mass_pen);
    amo_svg_line(svg, p->x1, p->y1, p->x1 + r, p->y1, (amo_pen){BLUE, "none", 1.2});
    amo_svg_circle(svg, p->x1, p->y1, 2.5, (amo_pen){BLUE, BLUE, 1});
    amo_svg_text(svg, p->x1 - 4, p->y1 - 8, "middle", INK, true, label_of(d));
    return;
  }
  amo_svg_rect(svg, p->x1 - 0.5 * AMO_BLOCK_W, p->y1 - 0.5 * AMO_BLOCK_H, AMO_BLOCK_W, AMO_BLOCK_H, 3,
               mass_pen);
  amo_svg_text(svg, p->x1, p->y1 + 5, "middle", INK, true, label_of(d));
}

// ---- surfaces ----

static bool same_speed(const amo_drawn *a, const amo_drawn *b)
{
  return a->speed_label && b->speed_label ? !strcmp(a->speed_label, b->speed_label)
                                          : !a->speed_label && !b->speed_label;
}

static void belt(amo_svg *svg, double x0, double x1, double y, const char *speed)
{
  const double r = 11;
  amo_svg_rect(svg, x0, y, x1 - x0, 2 * r, r, (amo_pen){ORANGE, "none", 2});
  amo_svg_circle(svg, x0 + r, y + r, r - 4, (amo_pen){ORANGE, "#fbe9de", 1.2});
  amo_svg_circle(svg, x1 - r, y + r, r - 4, (amo_pen){ORANGE, "#fbe9de", 1.2});
  double mid = 0.5 * (x0 + x1);
  amo_svg_arrow(svg, mid - 24, y + 2 * r + 14, mid + 24, y + 2 * r + 14, (amo_pen){ORANGE, "none", 1.8});
  amo_svg_text(svg, mid + 34, y + 2 * r + 19, "start", ORANGE, true, speed);
}

/// Where a contact acts; unknown ones go to the masses in order.
static bool contact_place(const amo_schematic *s, const amo_place *place, uint32_t i, double *x, double *y)
{
  uint32_t number = 0, mass = 0;
  *x = place[i].x1;
  *y = place[i].y1;
  if (isfinite(*x) && isfinite(*y)) return true;
  for (uint32_t k = 0; k < i; k++) number += s->item[k].kind == AMO_DRAWN_CONTACT;
  for (uint32_t k = 0; k < s->count; k++) {
    if (s->item[k].kind != AMO_DRAWN_PARTICLE && s->item[k].kind != AMO_DRAWN_BODY) continue;
    if (mass++ != number) continue;
    *x = place[k].x1;
    *y = place[k].y1;
    return true;
  }
  return false;
}

/// Contacts at one height with one speed share a surface.
static void surfaces(const amo_schematic *s, const amo_place *place, amo_svg *svg)
{
  for (uint32_t i = 0; i < s->count; i++) {
    double x = 0, y = 0, x0 = 0, x1 = 0;
    bool first = true;
    if (s->item[i].kind != AMO_DRAWN_CONTACT || !contact_place(s, place, i, &x, &y)) continue;
    x0 = x1 = x;
    for (uint32_t k = 0; k < s->count; k++) {
      double xk = 0, yk = 0;
      if (k == i || s->item[k].kind != AMO_DRAWN_CONTACT || !same_speed(&s->item[i], &s->item[k])) continue;
      if (!contact_place(s, place, k, &xk, &yk) || fabs(yk - y) > 1) continue;
      if (k < i) first = false;
      x0 = fmin(x0, xk);
      x1 = fmax(x1, xk);
    }
    if (!first) continue;
    y += 0.5 * AMO_BLOCK_H + 1;
    x0 -= AMO_BLOCK_W;
    x1 += AMO_BLOCK_W;
    if (s->item[i].speed_label)
      belt(svg, x0, x1, y, s->item[i].speed_label);
    else
      ground(svg, 0.5 * (x0 + x1), y, 0, -1, 0.5 * (x1 - x0));
  }
}

// ---- arrows ----

static void load_shape(const amo_model *m, const amo_drawn *d, const amo_place *p, amo_svg *svg)
{
  double dx = p->x2, dy = -p->y2, len = hypot(dx, dy);
  if (!isfinite(p->x1) || !isfinite(p->y1)) return;
  if (!(len > 0)) {  // zero at the start (a sine): show the direction it can take
    dx = amo_node_zero(m->dag, d->x2) ? 0 : 1;
    dy = dx > 0 ? 0 : -1;
    len = 1;
  }
  dx /= len;
  dy /= len;
  double out = fabs(dx) > fabs(dy) ? 0.5 * AMO_BLOCK_W : 0.5 * AMO_BLOCK_H, x = p->x1 + out * dx,
         y = p->y1 + out * dy;
  amo_svg_arrow(svg, x, y, x + 52 * dx, y + 52 * dy, (amo_pen){GREEN, "none", 2.2});
  amo_svg_text(svg, x + 60 * dx, y + 60 * dy + (fabs(dx) > fabs(dy) ? -8 : 5),
               fabs(dx) > fabs(dy) ? "middle" : "start", GREEN, true, label_of(d));
}

/// An arrow for each coordinate, at the first mass that it moves.
static void coordinates(const amo_model *m, const amo_place *place, amo_svg *svg)
{
  const amo_schematic *s = m->schematic;
  for (uint32_t q = 0; q < m->nq; q++)
    for (uint32_t i = 0; i < s->count; i++) {
      const amo_drawn *d = &s->item[i];
      if (d->kind != AMO_DRAWN_PARTICLE && d->kind != AMO_DRAWN_BODY) continue;
      bool along_x = amo_node_depends(m->dag, d->x1, m->leaf.q + q, 1);
      bool along_y = !along_x && amo_node_depends(m->dag, d->y1, m->leaf.q + q, 1);
      double x = place[i].x1, y = place[i].y1 - 0.5 * AMO_BLOCK_H - 16,
             side = place[i].x1 - 0.5 * AMO_BLOCK_W - 14;
      if (along_x) {
        amo_svg_line(svg, x, y - 6, x, y + 6, thin);
        amo_svg_arrow(svg, x, y, x + 40, y, thin);
        amo_svg_text(svg, x + 46, y + 5, "start", INK, true, m->q_sym[q].name);
      } else if (along_y) {
        amo_svg_line(svg, side - 6, place[i].y1, side + 6, place[i].y1, thin);
        amo_svg_arrow(svg, side, place[i].y1, side, place[i].y1 - 40, thin);
        amo_svg_text(svg, side - 8, place[i].y1 - 30, "end", INK, true, m->q_sym[q].name);
      }
      if (along_x || along_y) break;
    }
}

void amo_draw_shapes(const amo_model *m, const amo_place *place, amo_svg *svg)
{
  const amo_schematic *s = m->schematic;
  surfaces(s, place, svg);
  for (uint32_t i = 0; i < s->count; i++)
    if (s->item[i].kind == AMO_DRAWN_SPRING || s->item[i].kind == AMO_DRAWN_DAMPER)
      link_shape(s, i, place, svg);
  for (uint32_t i = 0; i < s->count; i++)
    if (s->item[i].kind == AMO_DRAWN_PARTICLE || s->item[i].kind == AMO_DRAWN_BODY)
      mass_shape(&s->item[i], &place[i], svg);
  for (uint32_t i = 0; i < s->count; i++)
    if (s->item[i].kind == AMO_DRAWN_LOAD) load_shape(m, &s->item[i], &place[i], svg);
  coordinates(m, place, svg);
}
