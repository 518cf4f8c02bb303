// SPDX-License-Identifier: Apache-2.0
// How things look: blocks, discs, springs, dashpots, walls, belts, arrows.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ask/describe/draw.h"

static const amo_pen mass_pen = {AMO_BLUE, "#dcebf6", 2.0, NULL};

/// A bare number, or an index by letter, says nothing beside a picture; then the name does.
static const char *label_of(const amo_drawn *d)
{
  char *end = NULL;
  if (!d->label || !*d->label) return d->name;
  strtod(d->label, &end);
  return *end && !strchr(d->label, '[') ? d->label : d->name;
}

/// How far the edge of a mass is from its centre in a direction.
static double edge(const amo_scene *c, uint32_t i, double dx, double dy)
{
  const amo_drawn *d = &c->s->item[i];
  if (amo_draw_as_point(c, i)) return AMO_DOT;
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

static void link_shape(const amo_scene *c, uint32_t i, amo_svg *svg)
{
  const amo_schematic *s = c->s;
  const amo_drawn *d = &s->item[i];
  const amo_draw_place *p = &c->place[i];
  double length = hypot(p->x2 - p->x1, p->y2 - p->y1), dx = (p->x2 - p->x1) / length,
         dy = (p->y2 - p->y1) / length;
  if (!(length > 0)) return;
  // walls stand upright or lie flat, whatever the slant of the link
  bool flat = fabs(dy) > fabs(dx);
  double wx = flat ? 0 : copysign(1, dx), wy = flat ? copysign(1, dy) : 0;
  if (p->fixed1) amo_ink_ground(svg, p->x1, p->y1, wx, wy, 30);
  if (p->fixed2) amo_ink_ground(svg, p->x2, p->y2, -wx, -wy, 30);
  long from = p->fixed1 ? -1 : amo_draw_owner(s, d->x1, d->y1),
       to = p->fixed2 ? -1 : amo_draw_owner(s, d->x2, d->y2);
  double skip = from >= 0 ? edge(c, (uint32_t)from, dx, dy) : 0,
         cut = to >= 0 ? edge(c, (uint32_t)to, dx, dy) : 0;
  double x = p->x1 + skip * dx, y = p->y1 + skip * dy, across = side_of(s, i);
  length -= skip + cut;
  if (length < 20) return;
  if (d->kind == AMO_DRAWN_SPRING)
    amo_ink_spring(svg, x, y, x + length * dx, y + length * dy, across);
  else
    amo_ink_dashpot(svg, x, y, x + length * dx, y + length * dy, across);
  double aside = across - (across > 0 ? -28 : 18);
  amo_svg_label_at(svg, x + 0.5 * length * dx - aside * dy,
                   y + 0.5 * length * dy + aside * dx + (flat ? 5 : 0), flat ? "start" : "middle", AMO_INK,
                   true, label_of(d));
}

static void mass_shape(const amo_scene *c, uint32_t i, amo_svg *svg)
{
  const amo_drawn *d = &c->s->item[i];
  const amo_draw_place *p = &c->place[i];
  if (!isfinite(p->x1) || !isfinite(p->y1)) return;
  if (amo_draw_as_point(c, i)) {
    double r = d->kind == AMO_DRAWN_BODY ? 0.6 * AMO_DOT : AMO_DOT;
    amo_svg_circle(svg, p->x1, p->y1, r, mass_pen);
    if (d->kind == AMO_DRAWN_PARTICLE)
      amo_svg_label_at(svg, p->x1 + r + 3, p->y1 - r - 3, "start", AMO_INK, true, d->name);
    return;
  }
  if (d->kind == AMO_DRAWN_BODY) {
    double r = 0.5 * AMO_BLOCK_H, a = c->item[5 * i + 4];
    amo_svg_circle(svg, p->x1, p->y1, r, mass_pen);
    amo_svg_line(svg, p->x1, p->y1, p->x1 + r * cos(a), p->y1 - r * sin(a),
                 (amo_pen){AMO_BLUE, "none", 1.2, NULL});
    amo_svg_circle(svg, p->x1, p->y1, 2.5, (amo_pen){AMO_BLUE, AMO_BLUE, 1, NULL});
    amo_svg_text(svg, p->x1 - 4, p->y1 - 8, "middle", AMO_INK, true, label_of(d));
    return;
  }
  amo_svg_rect(svg, p->x1 - 0.5 * AMO_BLOCK_W, p->y1 - 0.5 * AMO_BLOCK_H, AMO_BLOCK_W, AMO_BLOCK_H, 3,
               mass_pen);
  amo_svg_text(svg, p->x1, p->y1 + 5, "middle", AMO_INK, true, label_of(d));
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
  amo_svg_rect(svg, x0, y, x1 - x0, 2 * r, r, (amo_pen){AMO_ORANGE, "none", 2, NULL});
  amo_svg_circle(svg, x0 + r, y + r, r - 4, (amo_pen){AMO_ORANGE, "#fbe9de", 1.2, NULL});
  amo_svg_circle(svg, x1 - r, y + r, r - 4, (amo_pen){AMO_ORANGE, "#fbe9de", 1.2, NULL});
  double mid = 0.5 * (x0 + x1);
  amo_svg_arrow(svg, mid - 24, y + 2 * r + 14, mid + 24, y + 2 * r + 14,
                (amo_pen){AMO_ORANGE, "none", 1.8, NULL});
  amo_svg_label_at(svg, mid + 34, y + 2 * r + 19, "start", AMO_ORANGE, true, speed);
}

typedef struct foot {
  double x, y;  // NaN: unknown
} foot;

/// Where contacts act; unknown ones go to the masses in order.
static void find_feet(const amo_scene *c, foot *at)
{
  const amo_schematic *s = c->s;
  uint32_t mass = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    at[i] = (foot){NAN, NAN};
    if (s->item[i].kind != AMO_DRAWN_CONTACT) continue;
    while (mass < s->count && s->item[mass].kind != AMO_DRAWN_PARTICLE &&
           s->item[mass].kind != AMO_DRAWN_BODY)
      mass++;
    const amo_draw_place *own = &c->place[i];
    if (isfinite(own->x1) && isfinite(own->y1))
      at[i] = (foot){own->x1, own->y1};
    else if (mass < s->count)
      at[i] = (foot){c->place[mass].x1, c->place[mass].y1};
    mass++;
  }
}

/// Does contact `name` bring its own line by the geometry of a guide?
static bool has_line(const amo_scene *c, const char *name)
{
  for (uint32_t i = 0; i < c->s->count; i++)
    if (c->s->item[i].kind == AMO_DRAWN_GUIDE && !strcmp(c->s->item[i].name, name)) return true;
  return false;
}

/// Contacts at one height with one speed share a surface.
static void draw_surfaces(const amo_scene *c, const foot *at, amo_svg *svg)
{
  const amo_schematic *s = c->s;
  for (uint32_t i = 0; i < s->count; i++) {
    double x = at[i].x, y = at[i].y, x0 = 0, x1 = 0;
    bool first = true;
    if (s->item[i].kind != AMO_DRAWN_CONTACT || isnan(x)) continue;
    if (s->shapes || has_line(c, s->item[i].name) || amo_draw_is_traced(c, i)) continue;
    x0 = x1 = x;
    for (uint32_t k = 0; k < s->count; k++) {
      if (k == i || s->item[k].kind != AMO_DRAWN_CONTACT || !same_speed(&s->item[i], &s->item[k])) continue;
      if (!(fabs(at[k].y - y) <= 1)) continue;
      if (k < i) first = false;
      x0 = fmin(x0, at[k].x);
      x1 = fmax(x1, at[k].x);
    }
    if (!first) continue;
    y += 0.5 * AMO_BLOCK_H + 1;
    x0 -= AMO_BLOCK_W;
    x1 += AMO_BLOCK_W;
    if (s->item[i].speed_label)
      belt(svg, x0, x1, y, s->item[i].speed_label);
    else
      amo_ink_ground(svg, 0.5 * (x0 + x1), y, 0, -1, 0.5 * (x1 - x0));
  }
}

static void surfaces(const amo_scene *c, amo_svg *svg)
{
  foot *at = amo_zalloc(c->s->count, sizeof *at);
  if (at) {
    find_feet(c, at);
    draw_surfaces(c, at, svg);
  } else {
    svg->body.failed = true;
  }
  free(at);
}

// ---- arrows ----

static void load_shape(const amo_scene *c, uint32_t i, amo_svg *svg)
{
  const amo_drawn *d = &c->s->item[i];
  const amo_draw_place *p = &c->place[i];
  double dx = p->x2, dy = -p->y2, len = hypot(dx, dy);
  if (!isfinite(p->x1) || !isfinite(p->y1)) return;
  if (!(len >
        0)) {  // zero at the start (a sine): show the direction it can take; zero by its parameters: none
    if (!amo_node_depends(c->m->dag, d->x2, c->m->leaf.t, c->s->leaves - c->m->leaf.t) &&
        !amo_node_depends(c->m->dag, d->y2, c->m->leaf.t, c->s->leaves - c->m->leaf.t))
      return;
    dx = amo_node_zero(c->m->dag, d->x2) ? 0 : 1;
    dy = dx > 0 ? 0 : -1;
    len = 1;
  }
  dx /= len;
  dy /= len;
  long owner = amo_draw_owner(c->s, d->x1, d->y1);
  double out = owner < 0 ? 0 : edge(c, (uint32_t)owner, dx, dy);
  amo_ink_force(svg, p->x1 + out * dx, p->y1 + out * dy, dx, dy, 52, AMO_GREEN, label_of(d));
}

static void moment_shape(const amo_scene *c, uint32_t i, amo_svg *svg)
{
  const amo_draw_place *p = &c->place[i];
  if (isfinite(p->x1) && isfinite(p->y1) && fabs(c->item[5 * i + 2]) > 0)
    amo_ink_moment(svg, p->x1, p->y1, c->item[5 * i + 2], label_of(&c->s->item[i]));
}

/// An arrow for each coordinate, at the first mass that it moves.
static void coordinates(const amo_scene *c, amo_svg *svg)
{
  const amo_model *m = c->m;
  const amo_schematic *s = c->s;
  uint32_t row = 0, above = UINT32_MAX, column = 0, beside = UINT32_MAX;  // arrows at one mass are stacked
  for (uint32_t q = 0; q < m->nq; q++)
    for (uint32_t i = 0; i < s->count; i++) {
      const amo_drawn *d = &s->item[i];
      if (d->kind != AMO_DRAWN_PARTICLE && d->kind != AMO_DRAWN_BODY) continue;
      bool along_x = amo_node_depends(m->dag, d->x1, m->leaf.q + q, 1);
      bool along_y = !along_x && amo_node_depends(m->dag, d->y1, m->leaf.q + q, 1);
      const amo_draw_place *p = &c->place[i];
      double x = p->x1, y = p->y1 - 0.5 * AMO_BLOCK_H - 16, side = p->x1 - 0.5 * AMO_BLOCK_W - 14;
      if (along_x) {
        row = above == i ? row + 1 : 0;
        above = i;
        y -= 20 * row;
        amo_svg_line(svg, x, y - 6, x, y + 6, amo_pen_thin);
        amo_svg_arrow(svg, x, y, x + 40, y, amo_pen_thin);
        amo_svg_label_at(svg, x + 46, y + 5, "start", AMO_INK, true, m->sym.q[q].name);
      } else if (along_y) {
        column = beside == i ? column + 1 : 0;
        beside = i;
        side -= 40 * column;
        amo_svg_line(svg, side - 6, p->y1, side + 6, p->y1, amo_pen_thin);
        amo_svg_arrow(svg, side, p->y1, side, p->y1 - 40, amo_pen_thin);
        amo_svg_label_at(svg, side - 8, p->y1 - 30, "end", AMO_INK, true, m->sym.q[q].name);
      }
      if (along_x || along_y) break;
    }
}

static void each(const amo_scene *c, int kind, void (*draw)(const amo_scene *, uint32_t, amo_svg *),
                 amo_svg *svg)
{
  for (uint32_t i = 0; i < c->s->count; i++)
    if ((int)c->s->item[i].kind == kind) draw(c, i, svg);
}

void amo_draw_scene(const amo_scene *c, amo_svg *svg)
{
  amo_draw_hints_below(c, svg);
  surfaces(c, svg);
  amo_draw_guides(c, svg);
  each(c, AMO_DRAWN_SPRING, link_shape, svg);
  each(c, AMO_DRAWN_DAMPER, link_shape, svg);
  each(c, AMO_DRAWN_PARTICLE, mass_shape, svg);
  each(c, AMO_DRAWN_BODY, mass_shape, svg);
  amo_draw_hints_above(c, svg);
  each(c, AMO_DRAWN_LOAD, load_shape, svg);
  each(c, AMO_DRAWN_MOMENT, moment_shape, svg);
  if (!c->s->shapes) coordinates(c, svg);
  amo_draw_reactions(c, svg);
  if (!c->window) return;  // what lies outside is cut off by the edge of the picture
  svg->x_min = amo_scene_x(c, c->window->x0);
  svg->x_max = amo_scene_x(c, c->window->x1);
  svg->y_min = amo_scene_y(c, c->window->y1);
  svg->y_max = amo_scene_y(c, c->window->y0);
}
