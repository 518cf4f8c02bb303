// SPDX-License-Identifier: Apache-2.0
#include "orbit/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

amo_status amo_scale_make(amo_scale *s, const amo_model *m)
{
  const size_t ns = amo_model_states(m);
  *s = (amo_scale){.m = m, .size = amo_zalloc(ns, sizeof *s->size), .most = amo_zalloc(ns, sizeof *s->most)};
  return s->size && s->most ? AMO_OK : AMO_ENOMEM;
}

void amo_scale_free(amo_scale *s)
{
  free(s->size);
  free(s->most);
}

void amo_scale_reset(amo_scale *s)
{
  memset(s->size, 0, amo_model_states(s->m) * sizeof *s->size);
  memset(s->most, 0, amo_model_states(s->m) * sizeof *s->most);
}

/// A state that is zero but for rounding is measured by those of its kind.
static void level(amo_scale *s, size_t from, size_t to)
{
  double largest = 0.0;
  for (size_t i = from; i < to; i++) largest = fmax(largest, s->most[i]);
  for (size_t i = from; i < to; i++) s->size[i] = fmax(s->most[i], 1e-3 * largest);
}

void amo_scale_step(amo_scale *s, const amo_sim *sim)
{
  const size_t n = amo_model_coordinates(s->m), ns = amo_model_states(s->m);
  const double *y = amo_sim_state(sim);
  for (size_t i = 0; i < ns; i++) s->most[i] = fmax(s->most[i], fabs(y[i]));
  level(s, 0, n);
  level(s, n, 2 * n);
  for (size_t i = 2 * n; i < ns; i++) s->size[i] = s->most[i];
}
