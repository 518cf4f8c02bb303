// SPDX-License-Identifier: Apache-2.0
/// The search in long double, from registers that carry only what the given numbers leave open.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/search.h"

#define real        long double
#define EPS         LDBL_EPSILON
#define ROOT        sqrtl
#define FABS        fabsl
#define WORK        amo_exact_work
#define VALUE(w, r) within((w)->reg[(r) * (w)->stride], (w)->err[(r) * (w)->stride])
#define NAME(x)     exact_##x
#include "contact/search.inc"

amo_status amo_search_exact(amo_search *q, amo_exact_work **space, const long double *reg,
                            const long double *err, size_t stride)
{
  work *w = take(space, q->m, reg, err, stride);
  amo_status st = w ? search_all(q, w) : AMO_ENOMEM;
  // Bounds of different numbers differ: the friction may be seen beyond its limit where the slip that follows
  // is not yet seen to accelerate. That slip is the answer then, not none.
  if (st != AMO_OK || q->s->some.count > q->first || !q->unsure) return st;
  q->lenient = true;
  return visit(q, w);
}

void amo_exact_free(amo_exact_work *w)
{
  exact_free(w);
}
