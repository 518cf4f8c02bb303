// SPDX-License-Identifier: Apache-2.0
/// Between svg.c (marks on the page) and svg_label.c (where texts go).
#ifndef AMO_PLOT_SVG_IMPL_H
#define AMO_PLOT_SVG_IMPL_H

#include "plot/svg.h"

#define AMO_SVG_MARGIN 24.0  // px around what was drawn

void amo_svg_note(amo_svg *s, amo_svg_boxes *list, amo_svg_box box);
/// What a text at (x, y) covers.
amo_svg_box amo_svg_text_box(double x, double y, const char *anchor, const char *text);
/// A text makes the page as large as it needs.
void amo_svg_reach_text(amo_svg *s, double x, double y, const char *anchor, const char *text);
/// Write a text where it is told, and keep the place for it.
void amo_svg_put_text(amo_svg *s, double x, double y, const char *anchor, const char *colour, bool italic,
                      const char *text);
/// Give every label its place, and draw it.
void amo_svg_place_labels(amo_svg *s);

#endif
