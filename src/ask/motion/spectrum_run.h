// SPDX-License-Identifier: Apache-2.0
/// One spectrum in the making; shared by the verb and its report.
#ifndef AMO_ASK_MOTION_SPECTRUM_RUN_H
#define AMO_ASK_MOTION_SPECTRUM_RUN_H

#include "ask/watched_run.h"
#include "explore/signal.h"

#define AMO_PSD_PEAKS 1000

extern const char *const amo_psd_windows[6], *const amo_psd_detrends[3];  // in the order of the enumerations

typedef struct amo_psd_run {
  amo_watched_run j;
  const char *of;
  amo_signal *signal;
  double *x;
  size_t n, next;
  double rate;
  double band[2];
  amo_spectrum *spectrum;
} amo_psd_run;

cJSON *amo_psd_json(const amo_psd_run *r);
/// What --csv and --plot ask for.
amo_status amo_psd_files(const amo_psd_run *r);
void amo_psd_print(const cJSON *o, FILE *out, int wide);

#endif
