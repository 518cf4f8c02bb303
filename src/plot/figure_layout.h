// SPDX-License-Identifier: Apache-2.0
/// Where things of a panel go: steps of the tics, so that their numbers do not run together, and texts of marks,
/// so that they cover neither each other nor the curves. Sizes are those of the letters of our terminals.
#ifndef AMO_PLOT_FIGURE_LAYOUT_H
#define AMO_PLOT_FIGURE_LAYOUT_H

#include "plot/figure_impl.h"

typedef struct amo_axis_span {  // what an axis shows
  double lo, hi;
  bool log_scale;
  double step;  // of its tics; 0: gnuplot's own
} amo_axis_span;

typedef struct amo_layout {
  double width, height;  // of the area inside the axes, px
  amo_axis_span x, y;
} amo_layout;

/// Spans of the axes for a panel that has `width` x `height` px in all.
amo_layout amo_layout_of(const amo_panel *p, double width, double height);

/// Step of the tics of an axis of `length` px; `beside`: their numbers stand beside each other.
double amo_layout_step(double lo, double hi, double length, bool beside);

typedef struct amo_note_place {
  double dx, dy;  // from the mark to the text, parts of the area inside the axes
  bool right;     // the text ends there instead of beginning
  bool said;      // the same text stands at this point already
} amo_note_place;

#define AMO_MOST_NOTES 200

/// How many entries of the key fit beside each other; 0: all of them.
int amo_layout_key(const amo_layout *l, const amo_panel *p);

/// Places for the texts of the notes of a panel, in their order; `out` has room for AMO_MOST_NOTES.
void amo_layout_notes(const amo_layout *l, const amo_panel *p, amo_note_place *out);

#endif
