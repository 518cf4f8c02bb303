// SPDX-License-Identifier: Apache-2.0
/// One walk along a parameter; shared by the verb `sweep` and its report.
#ifndef AMO_ASK_LONGRUN_SWEEP_RUN_H
#define AMO_ASK_LONGRUN_SWEEP_RUN_H

#include "ask/axis_option.h"
#include "ask/section_options.h"

typedef struct amo_walk {
  amo_watched_run j;
  amo_where where;
  amo_axis axis;
  amo_sweep_opts o;
  size_t n, done, total;
  size_t visited[2];        // values of each way, from where it begins
  amo_sweep_point *leg[2];  // [n] up, down; in order of the parameter
  double *state;
  double spread;  // of the quantity over all
} amo_walk;

cJSON *amo_walk_json(amo_walk *w);
/// What --csv and --plot ask for.
amo_status amo_walk_files(const amo_walk *w);
void amo_walk_print(const cJSON *o, FILE *out, int wide);

#endif
