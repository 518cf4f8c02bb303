// SPDX-License-Identifier: Apache-2.0
/// Several drawings in one: side by side, or one after the other.
#ifndef AMO_PLOT_SVG_FILM_H
#define AMO_PLOT_SVG_FILM_H

#include <stddef.h>

/// Frames made by amo_svg_finish. seconds > 0: an animation of that length, repeated (a viewer that cannot move
/// shows the first frame); else a strip with `columns` frames in a row. Caller frees; NULL: out of memory, or a
/// frame that is no such drawing.
char *amo_svg_film(const char *const *frame, size_t frames, int columns, double seconds);

#endif
