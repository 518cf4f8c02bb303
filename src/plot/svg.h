// SPDX-License-Identifier: Apache-2.0
/// Line drawings as SVG, without any other program. Coordinates in pixels, y downwards.
#ifndef AMO_PLOT_SVG_H
#define AMO_PLOT_SVG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

typedef struct amo_svg_box {  // or a stroke from one corner to the other
  double x0, y0, x1, y1;
} amo_svg_box;

typedef struct amo_svg_boxes {
  amo_svg_box *item;
  size_t count, cap;
} amo_svg_boxes;

typedef struct amo_svg_label amo_svg_label;

typedef struct amo_svg {
  amo_text body;
  double x_min, x_max, y_min, y_max;  // what has been drawn so far
  bool any;
  amo_svg_boxes strokes, texts;  // what labels keep clear of
  amo_svg_label *label;          // waiting for their places
  size_t labels, label_cap;
} amo_svg;

typedef struct amo_pen {
  const char *stroke;  // "#333333", "none"
  const char *fill;    // "none"
  double width;
  const char *dash;  // "6 4"; NULL: a full line
} amo_pen;

void amo_svg_line(amo_svg *s, double x1, double y1, double x2, double y2, amo_pen pen);
void amo_svg_path(amo_svg *s, const double *xy, int points, bool closed, amo_pen pen);
void amo_svg_circle(amo_svg *s, double x, double y, double r, amo_pen pen);
void amo_svg_rect(amo_svg *s, double x, double y, double w, double h, double corner, amo_pen pen);
void amo_svg_arrow(amo_svg *s, double x1, double y1, double x2, double y2, amo_pen pen);
/// anchor: "start", "middle", "end". The text is escaped.
void amo_svg_text(amo_svg *s, double x, double y, const char *anchor, const char *colour, bool italic,
                  const char *text);
/// The same for a text that may move a little: it goes to the place nearest to (x, y) where it covers no other text
/// and few lines, once everything is drawn. The colour must outlive the drawing.
void amo_svg_label_at(amo_svg *s, double x, double y, const char *anchor, const char *colour, bool italic,
                      const char *text);
/// The whole document around what was drawn, with a margin. Caller frees; NULL on out of memory.
char *amo_svg_finish(amo_svg *s, const char *title);
void amo_svg_free(amo_svg *s);  // a drawing that is not finished

#endif
