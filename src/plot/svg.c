// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/svg_impl.h"

static void reach(amo_svg *s, double x, double y)
{
  if (!s->any) {
    s->x_min = s->x_max = x;
    s->y_min = s->y_max = y;
    s->any = true;
  }
  s->x_min = fmin(s->x_min, x);
  s->x_max = fmax(s->x_max, x);
  s->y_min = fmin(s->y_min, y);
  s->y_max = fmax(s->y_max, y);
}

/// A line that labels keep clear of; the edge of a patch in one colour is none.
static void note_stroke(amo_svg *s, double x1, double y1, double x2, double y2, amo_pen pen)
{
  if (strcmp(pen.stroke, pen.fill) != 0) amo_svg_note(s, &s->strokes, (amo_svg_box){x1, y1, x2, y2});
}

static void put_pen(amo_svg *s, amo_pen pen)
{
  if (pen.dash) amo_text_printf(&s->body, " stroke-dasharray=\"%s\"", pen.dash);
  amo_text_printf(&s->body,
                  " stroke=\"%s\" fill=\"%s\" stroke-width=\"%.2f\" stroke-linejoin=\"round\" "
                  "stroke-linecap=\"round\"/>\n",
                  pen.stroke, pen.fill, pen.width);
}

void amo_svg_line(amo_svg *s, double x1, double y1, double x2, double y2, amo_pen pen)
{
  reach(s, x1, y1);
  reach(s, x2, y2);
  note_stroke(s, x1, y1, x2, y2, pen);
  amo_text_printf(&s->body, "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"", x1, y1, x2, y2);
  put_pen(s, pen);
}

void amo_svg_path(amo_svg *s, const double *xy, int points, bool closed, amo_pen pen)
{
  amo_text_str(&s->body, "<path d=\"");
  for (int i = 0; i < points; i++) {
    reach(s, xy[2 * i], xy[2 * i + 1]);
    int before = i ? i - 1 : points - 1;
    if (i || closed) note_stroke(s, xy[2 * before], xy[2 * before + 1], xy[2 * i], xy[2 * i + 1], pen);
    amo_text_printf(&s->body, "%s%.2f %.2f", i ? " L" : "M", xy[2 * i], xy[2 * i + 1]);
  }
  amo_text_str(&s->body, closed ? " Z\"" : "\"");
  put_pen(s, pen);
}

void amo_svg_circle(amo_svg *s, double x, double y, double r, amo_pen pen)
{
  enum { ARCS = 16 };
  const double turn = 6.283185307179586 / ARCS;
  reach(s, x - r, y - r);
  reach(s, x + r, y + r);
  for (int i = 0; i < ARCS; i++)
    note_stroke(s, x + r * cos(turn * i), y + r * sin(turn * i), x + r * cos(turn * (i + 1)),
                y + r * sin(turn * (i + 1)), pen);
  amo_text_printf(&s->body, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"", x, y, r);
  put_pen(s, pen);
}

void amo_svg_rect(amo_svg *s, double x, double y, double w, double h, double corner, amo_pen pen)
{
  reach(s, x, y);
  reach(s, x + w, y + h);
  note_stroke(s, x, y, x + w, y, pen), note_stroke(s, x, y + h, x + w, y + h, pen);
  note_stroke(s, x, y, x, y + h, pen), note_stroke(s, x + w, y, x + w, y + h, pen);
  amo_text_printf(&s->body, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" rx=\"%.2f\"", x, y, w,
                  h, corner);
  put_pen(s, pen);
}

void amo_svg_arrow(amo_svg *s, double x1, double y1, double x2, double y2, amo_pen pen)
{
  double dx = x2 - x1, dy = y2 - y1, len = hypot(dx, dy);
  if (!(len > 0)) return;
  dx /= len;
  dy /= len;
  const double head = 9, half = 4;
  double tip[] = {x2,
                  y2,
                  x2 - head * dx + half * dy,
                  y2 - head * dy - half * dx,
                  x2 - head * dx - half * dy,
                  y2 - head * dy + half * dx};
  amo_svg_line(s, x1, y1, x2 - 0.8 * head * dx, y2 - 0.8 * head * dy, pen);
  amo_svg_path(s, tip, 3, true, (amo_pen){pen.stroke, pen.stroke, 1, NULL});
}

static void put_escaped(amo_text *t, const char *s)
{
  for (size_t n = strlen(s); n;) {
    size_t len = amo_utf8_length(s, n);
    if (*s == '<')
      amo_text_str(t, "&lt;");
    else if (*s == '>')
      amo_text_str(t, "&gt;");
    else if (*s == '&')
      amo_text_str(t, "&amp;");
    else if (*s == '"')
      amo_text_str(t, "&quot;");
    else if (len && amo_utf8_printable(s, len))
      amo_text_add(t, s, len);
    else
      amo_text_str(t, "?");
    s += len ? len : 1;
    n -= len ? len : 1;
  }
}

void amo_svg_reach_text(amo_svg *s, double x, double y, const char *anchor, const char *text)
{
  amo_svg_box b = amo_svg_text_box(x, y, anchor, text);
  reach(s, b.x0, b.y0);
  reach(s, b.x1, b.y1);
}

void amo_svg_put_text(amo_svg *s, double x, double y, const char *anchor, const char *colour, bool italic,
                      const char *text)
{
  amo_svg_note(s, &s->texts, amo_svg_text_box(x, y, anchor, text));
  amo_text_printf(&s->body, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\" fill=\"%s\" font-size=\"16\"%s>",
                  x, y, anchor, colour, italic ? " font-style=\"italic\"" : "");
  put_escaped(&s->body, text);
  amo_text_str(&s->body, "</text>\n");
}

void amo_svg_text(amo_svg *s, double x, double y, const char *anchor, const char *colour, bool italic,
                  const char *text)
{
  amo_svg_reach_text(s, x, y, anchor, text);
  amo_svg_put_text(s, x, y, anchor, colour, italic, text);
}

char *amo_svg_finish(amo_svg *s, const char *title)
{
  amo_text t = {0};
  amo_svg_place_labels(s);
  double w = s->x_max - s->x_min + 2 * AMO_SVG_MARGIN, h = s->y_max - s->y_min + 2 * AMO_SVG_MARGIN;
  char *body = amo_text_take(&s->body);
  amo_text_printf(&t,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                  "viewBox=\"%.2f %.2f %.2f %.2f\" font-family=\"Helvetica, Arial, sans-serif\">\n<title>",
                  w, h, s->x_min - AMO_SVG_MARGIN, s->y_min - AMO_SVG_MARGIN, w, h);
  put_escaped(&t, title);
  amo_text_printf(&t,
                  "</title>\n<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"white\"/>\n",
                  s->x_min - AMO_SVG_MARGIN, s->y_min - AMO_SVG_MARGIN, w, h);
  if (body)
    amo_text_add(&t, body, strlen(body));
  else
    t.failed = true;
  amo_text_str(&t, "</svg>\n");
  free(body);
  amo_svg_free(s);
  return amo_text_take(&t);
}
