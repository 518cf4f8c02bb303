// SPDX-License-Identifier: Apache-2.0
/// A map for the eye and for other programs: CSV, pictures.
#ifndef AMO_ASK_MAP_MAP_FILES_H
#define AMO_ASK_MAP_MAP_FILES_H

#include "ask/verb.h"
#include "explore/map/plane.h"

typedef struct amo_chart {
  const amo_plane *plane;
  const amo_model *model;
  const char *of;                // what the value is
  const amo_contours *contours;  // to be drawn over it
  amo_diags *diags;
  const amo_call *call;  // what was asked
} amo_chart;

/// x,y,value with a head line.
amo_status amo_chart_csv(const amo_chart *c, const char *path);
/// The grid as HDF5: x, y, number[y][x] in chunks of rows, verdict[y][x] with the texts that its numbers stand for, and what was asked.
amo_status amo_chart_h5(const amo_chart *c, const char *path);
/// The curves, one line a point: curve,level,x,y.
amo_status amo_chart_contours_csv(const amo_chart *c, const char *path);
amo_status amo_chart_plot(const amo_chart *c, const char *path);
/// The same as SVG text; caller frees. NULL on out of memory.
char *amo_chart_svg(const amo_chart *c);

#endif
