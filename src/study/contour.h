// SPDX-License-Identifier: Apache-2.0
/// Boundaries on a map, traced as curves: predictor along the last direction, corrector across it by root finding,
/// so that every point lies on the boundary to rounding, whatever the grid. The grid only says where to begin.
#ifndef AMO_STUDY_CONTOUR_H
#define AMO_STUDY_CONTOUR_H

#include "study/map.h"

typedef struct amo_contour {
  double level;   // of a number; NaN: between verdicts
  char word[96];  // verdicts: the one inside
  bool closed;
  double *x, *y;
  size_t points, capacity;
} amo_contour;

typedef struct amo_contours {
  amo_contour *item;
  size_t count, capacity;
  size_t evaluations;
} amo_contours;

/// `levels`: numbers separated by commas; for maps of verdicts the verdicts whose border is wanted ("all": every one).
amo_status amo_contours_trace(const amo_plane *m, const char *levels, amo_contours *out);
void amo_contours_free(amo_contours *c);
/// One line a point: curve,level,x,y.
amo_status amo_contours_csv(const amo_contours *c, const amo_plane *m, const char *path);

#endif
