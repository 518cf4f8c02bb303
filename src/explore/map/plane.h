// SPDX-License-Identifier: Apache-2.0
/// The grid of a map from inside.
#ifndef AMO_EXPLORE_MAP_PLANE_H
#define AMO_EXPLORE_MAP_PLANE_H

#include "amontons/map.h"

enum { AMO_PLANE_NUMBERS = 64 };  // whole numbers that still count as regions

/// Index of a text, new ones added; AMO_CELL_OPEN when out of memory.
int amo_plane_word(amo_plane *m, const char *text);

#endif
