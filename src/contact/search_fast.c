// SPDX-License-Identifier: Apache-2.0
/// The search in double.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/search.h"

#define real    double
#define EPS     DBL_EPSILON
#define ROOT    sqrt
#define WORK    amo_fast_work
#define NAME(x) fast_##x
#include "contact/search.inc"

amo_status amo_search_fast(amo_search *q, amo_fast_work **space, const double *reg, const double *err,
                           size_t stride)
{
  work *w = take(space, q->m, reg, err, stride);
  return w ? search_all(q, w) : AMO_ENOMEM;
}

amo_status amo_influence_fast(amo_search *q, amo_fast_work **space, const double *reg, const double *err,
                              uint32_t c)
{
  work *w = take(space, q->m, reg, err, 1);
  for (uint32_t k = 0; w != NULL && k < q->m->nc; k++) w->apart[k] = q->mode[k] == AMO_MODE_OPEN;
  amo_status st = w ? build_frame(q, w) : AMO_ENOMEM;
  if (st == AMO_OK) influence(q, w, c);
  return st;
}

void amo_fast_free(amo_fast_work *w)
{
  fast_free(w);
}
