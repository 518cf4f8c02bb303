// SPDX-License-Identifier: Apache-2.0
// The shapes of the section `draw`.
#include <math.h>
#include <string.h>

#include "ask/describe/draw.h"

static amo_pen pen_of(const amo_shape *s)
{
  switch (s->style) {
    case AMO_SHAPE_THIN: return amo_pen_thin;
    case AMO_SHAPE_DASHED: return (amo_pen){AMO_INK, "none", 1.1, "6 4"};
    case AMO_SHAPE_GROUND: return amo_pen_ink;
    default: return (amo_pen){AMO_BLUE, "none", 3.2, NULL};
  }
}

static void label(amo_svg *svg, const amo_shape *s, double x, double y)
{
  if (s->label) amo_svg_label_at(svg, x + 8, y - 8, "start", AMO_INK, true, s->label);
}

static void polyline(const amo_scene *c, const amo_shape *s, const double *v, amo_svg *svg)
{
  enum { MOST = 64 };
  double xy[2 * MOST];
  int n = 0;
  for (uint32_t k = 0; k < s->nodes / 2 && n < MOST; k++) {
    if (!isfinite(v[2 * k]) || !isfinite(v[2 * k + 1])) continue;
    xy[2 * n] = amo_scene_x(c, v[2 * k]);
    xy[2 * n++ + 1] = amo_scene_y(c, v[2 * k + 1]);
  }
  if (n < 2) return;
  if (s->style == AMO_SHAPE_GROUND) amo_ink_hatch(svg, xy, n);
  amo_svg_path(svg, xy, n, false, pen_of(s));
  label(svg, s, 0.5 * (xy[0] + xy[2]), 0.5 * (xy[1] + xy[3]));
}

static void curve(const amo_scene *c, const amo_shape *s, const double *v, amo_svg *svg)
{
  enum { STEPS = 96 };
  double xy[2 * (STEPS + 1)], at[2];
  int n = 0;
  amo_scene here = *c;
  for (int i = 0; i <= STEPS; i++) {
    here.leaf[c->s->s] = v[2] + (v[3] - v[2]) * i / STEPS;
    if (amo_scene_values(&here, s->node, 2, at) != AMO_OK || !isfinite(at[0]) || !isfinite(at[1])) continue;
    xy[2 * n] = amo_scene_x(c, at[0]);
    xy[2 * n++ + 1] = amo_scene_y(c, at[1]);
  }
  if (n < 2) return;
  if (s->style == AMO_SHAPE_GROUND) amo_ink_hatch(svg, xy, n);
  amo_svg_path(svg, xy, n, false, pen_of(s));
  label(svg, s, xy[n - n % 2], xy[n - n % 2 + 1]);
}

static void block(const amo_scene *c, const amo_shape *s, const double *v, amo_svg *svg)
{
  static const double corner[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  double xy[8], cosine = cos(v[4]), sine = sin(v[4]);
  for (int k = 0; k < 4; k++) {
    double a = corner[k][0] * v[2], b = corner[k][1] * v[3];
    xy[2 * k] = amo_scene_x(c, v[0] + cosine * a - sine * b);
    xy[2 * k + 1] = amo_scene_y(c, v[1] + sine * a + cosine * b);
  }
  amo_svg_path(svg, xy, 4, true, (amo_pen){AMO_BLUE, "#dcebf6", 2.0, NULL});
  label(svg, s, amo_scene_x(c, v[0]), xy[5] + 4);
}

static bool known(const double *v, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    if (!isfinite(v[i])) return false;
  return true;
}

void amo_draw_hints_below(const amo_scene *c, amo_svg *svg)
{
  for (uint32_t i = 0; i < c->s->shapes; i++) {
    const amo_shape *s = &c->s->shape[i];
    const double *v = c->shape[i];
    if (s->kind == AMO_SHAPE_CURVE) {
      curve(c, s, v, svg);
      continue;
    }
    if (!known(v, s->nodes)) continue;
    double x = amo_scene_x(c, v[0]), y = amo_scene_y(c, v[1]);
    if (s->kind == AMO_SHAPE_LINE) polyline(c, s, v, svg);
    if (s->kind == AMO_SHAPE_BLOCK) block(c, s, v, svg);
    if (s->kind == AMO_SHAPE_SPRING) amo_ink_spring(svg, x, y, amo_scene_x(c, v[2]), amo_scene_y(c, v[3]), 0);
    if (s->kind == AMO_SHAPE_DAMPER)
      amo_ink_dashpot(svg, x, y, amo_scene_x(c, v[2]), amo_scene_y(c, v[3]), 0);
    if (s->kind == AMO_SHAPE_SPRING || s->kind == AMO_SHAPE_DAMPER)
      label(svg, s, 0.5 * (x + amo_scene_x(c, v[2])) + 6, 0.5 * (y + amo_scene_y(c, v[3])) - 4);
    if (s->kind == AMO_SHAPE_CIRCLE) {
      double r = fabs(v[2]) * c->scale;
      amo_pen pen = pen_of(s);
      if (s->style == AMO_SHAPE_SOLID) pen.width = 2.2;
      amo_svg_circle(svg, x, y, r, pen);
      label(svg, s, x - 0.7 * r - 8, y - 0.75 * r);
    }
  }
}

void amo_draw_hints_above(const amo_scene *c, amo_svg *svg)
{
  for (uint32_t i = 0; i < c->s->shapes; i++) {
    const amo_shape *s = &c->s->shape[i];
    const double *v = c->shape[i];
    if (s->kind == AMO_SHAPE_CURVE || !known(v, s->nodes)) continue;
    double x = amo_scene_x(c, v[0]), y = amo_scene_y(c, v[1]);
    const char *text = s->label ? s->label : s->name;
    if (s->kind == AMO_SHAPE_POINT) {
      amo_svg_circle(svg, x, y, 4, (amo_pen){AMO_INK, "white", 1.6, NULL});
      amo_svg_label_at(svg, x + 6, y + 18, "start", AMO_INK, true, text);
    }
    if (s->kind == AMO_SHAPE_ARROW) {
      double tx = amo_scene_x(c, v[2]), ty = amo_scene_y(c, v[3]);
      amo_svg_arrow(svg, x, y, tx, ty, (amo_pen){AMO_ORANGE, "none", 1.8, NULL});
      if (s->label) amo_svg_label_at(svg, tx + 6, ty - 6, "start", AMO_ORANGE, true, s->label);
    }
    if (amo_draw_is_result(c, s)) continue;  // beside the reactions
    double size = s->kind == AMO_SHAPE_FORCE ? hypot(v[2], v[3]) : 0;
    if (size > 0) amo_ink_force(svg, x, y, v[2] / size, -v[3] / size, 52, AMO_GREEN, text);
    if (s->kind == AMO_SHAPE_MOMENT && fabs(v[2]) > 0) amo_ink_moment(svg, x, y, v[2], text);
  }
}
