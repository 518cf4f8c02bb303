// SPDX-License-Identifier: Apache-2.0
#include "orbit/scale.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "flow/sim.h"

enum { LOOKS = 4 };  // points of a step

amo_status amo_scale_make(amo_scale *s, const amo_model *m)
{
  const size_t ns = amo_model_states(m);
  *s = (amo_scale){.m = m};
  double **const part[] = {&s->size, &s->span, &s->low, &s->high, &s->state};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++)
    if (!(*part[i] = amo_zalloc(ns, sizeof **part[i]))) return AMO_ENOMEM;
  amo_scale_forget(s);
  return AMO_OK;
}

void amo_scale_forget(amo_scale *s)
{
  for (size_t i = 0; i < amo_model_states(s->m); i++) {
    s->low[i] = INFINITY;
    s->high[i] = -INFINITY;
  }
}

void amo_scale_free(amo_scale *s)
{
  free(s->size);
  free(s->span);
  free(s->low);
  free(s->high);
  free(s->state);
}

static void level(double *x, size_t from, size_t to)
{
  double largest = 0.0;
  for (size_t i = from; i < to; i++) largest = fmax(largest, x[i]);
  for (size_t i = from; i < to; i++) x[i] = fmax(x[i], 1e-3 * largest);
}

void amo_scale_step(amo_scale *s, const amo_sim *sim)
{
  const size_t n = amo_model_coordinates(s->m), ns = amo_model_states(s->m);
  const double start = amo_sim_step_start(sim), end = amo_sim_time(sim);
  for (int k = 0; k <= LOOKS; k++) {
    const double t = k == LOOKS ? end : start + (end - start) * k / LOOKS;
    amo_sim_dense(sim, t, s->state);
    if (s->drift) amo_drift_fold(s->drift, s->autonomous, t - s->from, s->state);
    for (size_t i = 0; i < ns; i++) {
      s->low[i] = fmin(s->low[i], s->state[i]);
      s->high[i] = fmax(s->high[i], s->state[i]);
    }
  }
  for (size_t i = 0; i < ns; i++) {
    s->size[i] = fmax(fabs(s->low[i]), fabs(s->high[i]));
    s->span[i] = 0.5 * (s->high[i] - s->low[i]);
  }
  level(s->size, 0, n);
  level(s->size, n, 2 * n);
  level(s->span, 0, n);
  level(s->span, n, 2 * n);
}
