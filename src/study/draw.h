// SPDX-License-Identifier: Apache-2.0
/// A schematic of a model: where things go on the page (draw_layout.c) and how they look (draw_shapes.c).
#ifndef AMO_STUDY_DRAW_H
#define AMO_STUDY_DRAW_H

#include "model/compiled.h"
#include "model/schematic.h"
#include "plot/svg.h"

#define AMO_BLOCK_W 72.0  // px
#define AMO_BLOCK_H 48.0

typedef struct amo_place {  // of one item, in px, y downwards; NaN where unknown
  double x1, y1, x2, y2;
  bool fixed1, fixed2;  // spring ends that are on the ground
} amo_place;

/// Places for every item of the model's schematic; caller frees. AMO_ENOANSWER: nothing to place.
amo_status amo_draw_layout(const amo_model *m, amo_place **out);

/// The particle or body an end (x, y) is attached to, or -1.
long amo_draw_owner(const amo_schematic *s, amo_node x, amo_node y);

void amo_draw_shapes(const amo_model *m, const amo_place *place, amo_svg *svg);

#endif
