// SPDX-License-Identifier: Apache-2.0
// The lines and curves of guides by geometry: through the guided point, as far as the picture reaches.
#include <math.h>
#include <string.h>

#include "ask/describe/draw.h"

#define STEPS 160

/// Half the length of what is drawn of a guide, px.
static double reach(const amo_scene *c)
{
  return fmax(110.0, 0.35 * hypot(c->width, c->height));
}

static void line_guide(const amo_scene *c, uint32_t i, amo_svg *svg)
{
  const amo_draw_place *p = &c->place[i];
  double half = reach(c), size = hypot(p->x2, p->y2);
  if (!(size > 0) || !isfinite(p->x1) || !isfinite(p->y1)) return;
  double tx = p->x2 / size, ty = -p->y2 / size;
  bool back = tx < 0 || (tx == 0 && ty > 0);  // hatched below, or to the right
  double xy[] = {p->x1 - half * tx, p->y1 - half * ty, p->x1 + half * tx, p->y1 + half * ty};
  double turned[] = {xy[2], xy[3], xy[0], xy[1]};
  amo_svg_path(svg, xy, 2, false, amo_pen_ink);
  if (!c->s->shapes) amo_ink_hatch(svg, back ? turned : xy, 2);
}

/// F and its gradient at (X, Y) of the curve's axes.
static bool field(const amo_scene *c, const amo_node f[3], const double at[2], double v[3])
{
  c->leaf[c->s->place] = at[0];
  c->leaf[c->s->place + 1] = at[1];
  return amo_scene_values(c, f, 3, v) == AMO_OK && isfinite(v[0]) && hypot(v[1], v[2]) > 0;
}

/// Along the curve F = 0 from `at`, in steps h by predictor and corrector.
static int trace(const amo_scene *c, const amo_node f[3], const double start[2], double h, double *path)
{
  double at[2] = {start[0], start[1]}, v[3];
  int n = 0;
  while (n < STEPS && field(c, f, at, v)) {
    double g = hypot(v[1], v[2]);
    at[0] += h * v[2] / g;
    at[1] -= h * v[1] / g;
    for (int k = 0; k < 4 && field(c, f, at, v); k++) {
      double g2 = v[1] * v[1] + v[2] * v[2];
      at[0] -= v[0] * v[1] / g2;
      at[1] -= v[0] * v[2] / g2;
    }
    if (!isfinite(at[0]) || !isfinite(at[1])) break;
    path[2 * n] = at[0];
    path[2 * n++ + 1] = at[1];
  }
  return n;
}

static void curve_guide(const amo_scene *c, uint32_t i, amo_svg *svg)
{
  const amo_drawn *d = &c->s->item[i];
  const double *v = c->item + 5 * i;
  double cosine = cos(v[4]), sine = sin(v[4]), x = v[0] - v[2], y = v[1] - v[3];
  double start[2] = {cosine * x + sine * y, cosine * y - sine * x}, path[2][2 * STEPS],
         xy[2 * (2 * STEPS + 1)];
  amo_node f[3] = {d->curve, amo_diff(c->m->dag, d->curve, c->s->place),
                   amo_diff(c->m->dag, d->curve, c->s->place + 1)};
  double h = 1.5 * reach(c) / c->scale / STEPS;
  int back = trace(c, f, start, -h, path[0]), on = trace(c, f, start, h, path[1]), n = 0;
  for (int k = back - 1; k >= 0; k--) memcpy(xy + 2 * n++, path[0] + 2 * k, 2 * sizeof *xy);
  memcpy(xy + 2 * n++, start, 2 * sizeof *xy);
  for (int k = 0; k < on; k++) memcpy(xy + 2 * n++, path[1] + 2 * k, 2 * sizeof *xy);
  for (int k = 0; k < n; k++) {
    double a = xy[2 * k], b = xy[2 * k + 1];
    xy[2 * k] = amo_scene_x(c, v[2] + cosine * a - sine * b);
    xy[2 * k + 1] = amo_scene_y(c, v[3] + sine * a + cosine * b);
  }
  amo_svg_path(svg, xy, n, false, amo_pen_ink);
  amo_ink_hatch(svg, xy, n);
}

/// A model that says where the contact is draws its line too.
static bool drawn_by_shape(const amo_scene *c, const char *name)
{
  for (uint32_t i = 0; i < c->s->shapes; i++)
    if (c->s->shape[i].kind == AMO_SHAPE_CONTACT &&
        !strcmp(c->m->contact[c->s->shape[i].contact].sym.name, name))
      return true;
  return false;
}

bool amo_draw_is_traced(const amo_scene *c, uint32_t i)
{
  const amo_drawn *d = &c->s->item[i];
  double xy[2 * 9];
  if (d->kind != AMO_DRAWN_CONTACT || d->x1 == AMO_NODE_NONE || c->spread || c->s->shapes ||
      c->m->nq > AMO_TRACED)
    return false;
  for (uint32_t k = 0; k < c->m->nc; k++)
    if (!strcmp(c->m->contact[k].sym.name, d->name) && c->m->contact[k].gap == AMO_NODE_NONE) return false;
  for (uint32_t k = 0; k < c->s->count; k++)  // its line is known
    if (c->s->item[k].kind == AMO_DRAWN_GUIDE && !strcmp(c->s->item[k].name, d->name)) return false;
  int n = amo_draw_trace(c, d->x1, d->y1, reach(c) / c->scale, 9, xy);
  for (int k = 1; k < n; k++)
    if (fabs(xy[2 * k + 1] - xy[1]) > 1e-9 * fabs(xy[2 * k] - xy[0])) return true;
  return false;  // level ground, drawn under its block
}

static void traced_guide(const amo_scene *c, uint32_t i, amo_svg *svg)
{
  double xy[2 * (2 * STEPS + 1)];
  int n = amo_draw_trace(c, c->s->item[i].x1, c->s->item[i].y1, 1.5 * reach(c) / c->scale, 2 * STEPS + 1, xy);
  for (int k = 0; k < n; k++) {
    xy[2 * k] = amo_scene_x(c, xy[2 * k]);
    xy[2 * k + 1] = amo_scene_y(c, xy[2 * k + 1]);
  }
  amo_svg_path(svg, xy, n, false, amo_pen_ink);
  amo_ink_hatch(svg, xy, n);
}

void amo_draw_guides(const amo_scene *c, amo_svg *svg)
{
  for (uint32_t i = 0; i < c->s->count; i++)
    if (amo_draw_is_traced(c, i)) traced_guide(c, i, svg);
  for (uint32_t i = 0; i < c->s->count && !c->spread; i++) {
    if (c->s->item[i].kind != AMO_DRAWN_GUIDE || drawn_by_shape(c, c->s->item[i].name)) continue;
    if (c->s->item[i].curve == AMO_NODE_NONE)
      line_guide(c, i, svg);
    else
      curve_guide(c, i, svg);
  }
}
