// SPDX-License-Identifier: Apache-2.0
#include "orbit/floquet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/eigen.h"
#include "num/orthogonal.h"
#include "num/rounding.h"

int amo_multiplier_descending(const void *pa, const void *pb)
{
  const amo_multiplier *a = pa, *b = pb;
  if (fabs(a->abs - b->abs) > AMO_CANCELLED * fmax(a->abs, b->abs)) return a->abs > b->abs ? -1 : 1;
  if (fabs(a->re - b->re) > AMO_CANCELLED * fmax(a->abs, b->abs)) return a->re > b->re ? -1 : 1;
  return a->im > b->im ? -1 : a->im < b->im;
}

static void take_vector(const double *re, const double *im, const double *v, const double *scale, size_t ns,
                        double near, double *vector)
{
  size_t best = 0;
  for (size_t i = 1; i < ns; i++)
    if (hypot(re[i] - near, im[i]) < hypot(re[best] - near, im[best])) best = i;
  for (size_t i = 0; i < ns; i++) vector[i] = v[best * ns + i] * scale[i];
}

/// Where contacts stick the flow loses directions, and what stick separates it may lose more: the number of singular
/// values that are more than rounding, where it is below the bound.
size_t amo_floquet_rank(const double *matrix, const double *scale, size_t ns, size_t bound)
{
  double *a = bound < ns ? amo_zalloc(2 * ns * ns, sizeof *a) : NULL;
  size_t count = bound;
  if (!a) return bound;
  for (size_t j = 0; j < ns; j++)
    for (size_t i = 0; i < ns; i++) a[i * ns + j] = matrix[j * ns + i] * scale[j] / scale[i];
  if (amo_null_space(a, ns, ns, AMO_NOTHING, a + ns * ns, &count) != AMO_OK || count > bound) count = bound;
  free(a);
  return count;
}

amo_status amo_floquet(const double *matrix, const double *scale, size_t ns, size_t rank, amo_multiplier *out,
                       double near, double *vector)
{
  double *a = amo_zalloc(2 * ns * ns + 2 * ns + 1, sizeof *a);
  if (!a) return AMO_ENOMEM;
  double *v = a + ns * ns, *re = v + ns * ns, *im = re + ns;
  for (size_t j = 0; j < ns; j++)
    for (size_t i = 0; i < ns; i++) a[i * ns + j] = matrix[j * ns + i] * scale[j] / scale[i];
  const bool ok = amo_eigen(a, ns, re, im, NULL, vector ? v : NULL) == AMO_OK;
  for (size_t i = 0; ok && i < ns; i++)
    out[i] = (amo_multiplier){.re = re[i], .im = im[i], .abs = hypot(re[i], im[i])};
  if (ok && vector) take_vector(re, im, v, scale, ns, near, vector);
  if (ok) qsort(out, ns, sizeof *out, amo_multiplier_descending);
  if (ok) rank = amo_floquet_rank(matrix, scale, ns, rank);
  for (size_t i = rank; ok && i < ns; i++) out[i] = (amo_multiplier){0};
  free(a);
  return ok ? AMO_OK : AMO_ENOANSWER;
}
