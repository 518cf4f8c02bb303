// SPDX-License-Identifier: Apache-2.0
/// The search in double.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/search.h"
#include "num/solve.h"

#define real        double
#define EPS         DBL_EPSILON
#define ROOT        sqrt
#define FABS        fabs
#define WORK        amo_fast_work
#define VALUE(w, r) within((w)->reg[(r) * (w)->stride], (w)->err[(r) * (w)->stride])
#define NAME(x)     fast_##x
#include "contact/search.inc"

amo_status amo_search_fast(amo_search *q, amo_fast_work **space, const double *reg, const double *err,
                           size_t stride)
{
  work *w = take(space, q->m, reg, err, stride);
  return w ? search_all(q, w) : AMO_ENOMEM;
}

/// What reactions of contacts that slip do to their gaps, beside that without friction: its least real eigenvalue.
static double slips_left(amo_search *q, work *w)
{
  const size_t n = list_slips(q, w);
  double *k = w->soft, *smooth = k + n * n, *re = w->eigen, *im = re + n, left = INFINITY;
  if (!soft_response(q, w, n, false)) return NAN;
  memcpy(smooth, k, n * n * sizeof *k);
  if (!soft_response(q, w, n, true)) return NAN;
  amo_transpose(k, n);
  if (amo_solve(smooth, n, k, n) != AMO_OK || amo_eigenvalues(k, n, re, im) != AMO_OK) return NAN;
  for (size_t i = 0; i < n; i++)
    if (im[i] == 0.0) left = fmin(left, re[i]);
  return left;
}

amo_status amo_influence_fast(amo_search *q, amo_fast_work **space, const double *reg, const double *err,
                              uint32_t c, double *left)
{
  work *w = take(space, q->m, reg, err, 1);
  for (uint32_t k = 0; w != NULL && k < q->m->nc; k++) w->apart[k] = q->mode[k] == AMO_MODE_OPEN;
  amo_status st = w ? build_frame(q, w) : AMO_ENOMEM;
  if (st == AMO_OK) influence(q, w, c);
  if (st == AMO_OK && left != NULL) *left = slips_left(q, w);
  return st;
}

void amo_fast_free(amo_fast_work *w)
{
  fast_free(w);
}
