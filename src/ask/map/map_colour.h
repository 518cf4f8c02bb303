// SPDX-License-Identifier: Apache-2.0
/// Colours of the regions of a map: texts first, then whole numbers.
#ifndef AMO_ASK_MAP_MAP_COLOUR_H
#define AMO_ASK_MAP_MAP_COLOUR_H

#include "explore/map/plane.h"

typedef struct amo_map_regions {
  double number[AMO_PLANE_NUMBERS];
  size_t numbers;
  bool discrete;  // verdicts or few whole numbers; false: a scale of numbers
} amo_map_regions;

void amo_map_regions_of(const amo_plane *m, amo_map_regions *out);
/// Region of a cell.
size_t amo_map_region(const amo_plane *m, const amo_map_regions *r, size_t cell);
/// "#rrggbb". Known verdicts look the same on every map.
const char *amo_map_colour(const amo_plane *m, size_t region);

#endif
