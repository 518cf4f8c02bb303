// SPDX-License-Identifier: Apache-2.0
// Symbols of mechanics: ground, spring, dashpot, arrows.
#include <math.h>

#include "ask/describe/draw.h"

const amo_pen amo_pen_ink = {AMO_INK, "none", 1.8, NULL}, amo_pen_thin = {AMO_INK, "none", 1.1, NULL};

#define HATCH 9.0  // px between strokes
#define PI    3.14159265358979323846

/// Hatched ground through (x, y); (dx, dy) points from the ground into the free side.
void amo_ink_ground(amo_svg *s, double x, double y, double dx, double dy, double half)
{
  double tx = -dy, ty = dx;
  double xy[] = {x - half * tx, y - half * ty, x + half * tx, y + half * ty};
  amo_svg_path(s, xy, 2, false, amo_pen_ink);
  amo_ink_hatch(s, xy, 2);
}

void amo_ink_hatch(amo_svg *s, const double *xy, int points)
{
  double rest = 0.0;  // way to the next stroke
  for (int i = 0; i + 1 < points; i++) {
    double dx = xy[2 * i + 2] - xy[2 * i], dy = xy[2 * i + 3] - xy[2 * i + 1], length = hypot(dx, dy),
           at = rest;
    if (!(length > 0)) continue;
    dx /= length;
    dy /= length;
    for (; at <= length; at += HATCH) {
      double x = xy[2 * i] + at * dx, y = xy[2 * i + 1] + at * dy;
      amo_svg_line(s, x, y, x - 8 * dx - 8 * dy, y - 8 * dy + 8 * dx, amo_pen_thin);
    }
    rest = at - length;
  }
}

/// From (x,y), `along` px along the link and `across` to its side.
typedef struct ink_axis {
  double x, y, dx, dy, length;
} ink_axis;

static ink_axis axis_of(double x1, double y1, double x2, double y2)
{
  double length = hypot(x2 - x1, y2 - y1);
  return (ink_axis){x1, y1, (x2 - x1) / length, (y2 - y1) / length, length};
}

static void put(const ink_axis *a, double along, double across, double *xy)
{
  xy[0] = a->x + along * a->dx - across * a->dy;
  xy[1] = a->y + along * a->dy + across * a->dx;
}

void amo_ink_spring(amo_svg *s, double x1, double y1, double x2, double y2, double across)
{
  enum { TEETH = 6 };
  ink_axis a = axis_of(x1, y1, x2, y2);
  double xy[2 * (2 * TEETH + 4)], body = fmin(0.6 * a.length, 110), start = 0.5 * (a.length - body);
  int n = 0;
  if (!(a.length > 0)) return;
  put(&a, 0, across, xy + 2 * n++);
  put(&a, start, across, xy + 2 * n++);
  for (int i = 0; i < 2 * TEETH; i++)
    put(&a, start + body * (i + 0.5) / (2 * TEETH), across + (i % 2 ? 9 : -9), xy + 2 * n++);
  put(&a, start + body, across, xy + 2 * n++);
  put(&a, a.length, across, xy + 2 * n++);
  amo_svg_path(s, xy, n, false, amo_pen_ink);
}

void amo_ink_dashpot(amo_svg *s, double x1, double y1, double x2, double y2, double across)
{
  ink_axis a = axis_of(x1, y1, x2, y2);
  double mid = 0.5 * a.length, line[4], cup[8], piston[4];
  if (!(a.length > 0)) return;
  put(&a, 0, across, line), put(&a, mid - 16, across, line + 2);
  amo_svg_path(s, line, 2, false, amo_pen_ink);
  put(&a, mid + 14, across - 11, cup), put(&a, mid - 16, across - 11, cup + 2);
  put(&a, mid - 16, across + 11, cup + 4), put(&a, mid + 14, across + 11, cup + 6);
  amo_svg_path(s, cup, 4, false, amo_pen_ink);
  put(&a, mid + 2, across - 8, piston), put(&a, mid + 2, across + 8, piston + 2);
  amo_svg_path(s, piston, 2, false, (amo_pen){AMO_INK, "none", 3, NULL});
  put(&a, mid + 2, across, line), put(&a, a.length, across, line + 2);
  amo_svg_path(s, line, 2, false, amo_pen_ink);
}

void amo_ink_moment(amo_svg *s, double x, double y, double sign, const char *label)
{
  enum { STEPS = 24 };
  const double r = 24, from = -0.35 * PI, turn = 1.3 * PI;
  double xy[2 * (STEPS + 1)];
  for (int i = 0; i <= STEPS; i++) {  // on the page y is downwards
    double a = from + turn * i / STEPS;
    if (sign < 0) a = PI - a;
    xy[2 * i] = x + r * cos(a);
    xy[2 * i + 1] = y - r * sin(a);
  }
  amo_svg_path(s, xy, STEPS, false, (amo_pen){AMO_GREEN, "none", 2.2, NULL});
  const double *end = xy + 2 * STEPS, *before = end - 4;
  amo_svg_arrow(s, before[0], before[1], end[0] + 0.5 * (end[0] - before[0]),
                end[1] + 0.5 * (end[1] - before[1]), (amo_pen){AMO_GREEN, "none", 2.2, NULL});
  amo_svg_label_at(s, x, y - r - 8, "middle", AMO_GREEN, true, label);
}

void amo_ink_force(amo_svg *s, double x, double y, double dx, double dy, double length, const char *colour,
                   const char *label)
{
  double tx = x + length * dx, ty = y + length * dy;
  bool flat = fabs(dx) > fabs(dy);
  amo_svg_arrow(s, x, y, tx, ty, (amo_pen){colour, "none", 2.2, NULL});
  amo_svg_label_at(s, tx + 8 * dx,
                   ty + (flat     ? -8
                         : dy > 0 ? 16
                                  : -6),
                   flat ? (dx > 0 ? "start" : "end") : "middle", colour, true, label);
}
