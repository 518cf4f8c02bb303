// SPDX-License-Identifier: Apache-2.0
/// Parts of drawing a study's figures.
#ifndef AMO_STUDY_FIGURE_CURVE_H
#define AMO_STUDY_FIGURE_CURVE_H

#include "plot/figure.h"
#include "study/study.h"

typedef struct amo_figure_job {
  const amo_study *s;
  amo_study_result *r;
  amo_diags *diags;
} amo_figure_job;

/// The trajectory kept for item `item` of run `name`, or NULL.
const amo_recorded *amo_find_recorded(const amo_study_result *r, const char *name, long item);

/// One entry of `curves:`.
amo_status amo_draw_curve(amo_figure_job *j, amo_panel *p, const amo_yaml *n);

/// `draw: RUN`: the sketch that the verb `draw` made in that run.
amo_status amo_draw_schematic(amo_figure_job *j, const amo_yaml *n, const char *path);

#endif
