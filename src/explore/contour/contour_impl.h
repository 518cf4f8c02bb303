// SPDX-License-Identifier: Apache-2.0
/// Tracing all curves of one level (contour_trace.c), for those who know which are wanted (contour.c).
#ifndef AMO_EXPLORE_CONTOUR_CONTOUR_IMPL_H
#define AMO_EXPLORE_CONTOUR_CONTOUR_IMPL_H

#include "amontons/map.h"

typedef struct amo_tracer {
  const amo_plane *m;
  const amo_probe *p;
  amo_contours *out;
  double level;      // NaN: verdicts
  const char *word;  // inside is +1
  bool *seen;        // [2][ny][nx] edges of the grid: to the right, upwards
  double finest, longest;
  volatile int *stop;  // may be NULL
  amo_status status;
} amo_tracer;

/// Every curve of the level (or of the border of the verdict) that an edge of the grid gives away.
void amo_trace_all(amo_tracer *t);

#endif
