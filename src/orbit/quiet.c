// SPDX-License-Identifier: Apache-2.0
#include "orbit/quiet.h"

#include <math.h>

#include "num/rounding.h"

double amo_quiet_time(const amo_shot *s, double t0, double period)
{
  if (s->events == 0) return 0.0;
  const double ahead = s->event[0].t - t0, behind = t0 + period - s->event[s->events - 1].t;
  double best = ahead + behind, at = period - behind + 0.5 * best;
  if (fmin(ahead, behind) > 0.25 * best && fmin(ahead, behind) > 0.02 * period) return 0.0;
  for (size_t i = 0; i + 1 < s->events; i++) {
    const double gap = s->event[i + 1].t - s->event[i].t;
    if (gap <= best * (1.0 + AMO_SAME)) continue;  // of two halves that are alike the first
    best = gap;
    at = s->event[i].t - t0 + 0.5 * gap;
  }
  return at >= period ? at - period : at;
}
