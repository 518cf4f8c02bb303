// SPDX-License-Identifier: Apache-2.0
/// Is the equilibrium without friction a stable one? Least eigenvalue of the stiffness on the displacements that
/// guides and constraints leave free.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/eigen.h"
#include "num/orthogonal.h"
#include "quasistatic/statics.h"

static amo_status least_stiffness(const amo_statics *s, double *least)
{
  const size_t n = s->nq;
  size_t rows = 0, first = 0;
  double *k = amo_zalloc((3 * n + 2 + s->nc + s->ng) * n, sizeof *k), *z = k + n * n, *a = z + n * n,
         *re = a + n * n;
  double *ties = re + 2 * n;
  if (!k) return AMO_ENOMEM;
  for (uint32_t c = 0; c < s->nc; c++)
    if (amo_is_two_sided(&s->m->contact[c])) memcpy(ties + rows++ * n, s->n + c * n, n * sizeof *ties);
  memcpy(ties + rows * n, s->g, s->ng * n * sizeof *ties);
  for (size_t i = 0; i < n * n; i++) k[i] = 0.5 * (s->K[i] + s->K[(i % n) * n + i / n]);
  amo_status st = amo_null_space(ties, rows + s->ng, n, amo_statics_rounding(s), z, &first);
  if (st == AMO_OK) st = amo_project(k, z, n, first, a);
  if (st == AMO_OK && first < n) st = amo_eigenvalues(a, n - first, re, re + n);
  *least = st == AMO_OK && first < n ? re[n - first - 1] : INFINITY;
  free(k);
  return st;
}

amo_status amo_statics_require_stable(const amo_statics *s, amo_diags *diags)
{
  double least = 0.0, size = 0.0;
  amo_status st = least_stiffness(s, &least);
  for (size_t i = 0; i < (size_t)s->nq * s->nq; i++) size = fmax(size, fabs(s->K[i]));
  if (st != AMO_OK || least >= -amo_statics_rounding(s) * size) return st;
  amo_error(
      diags, (amo_at){0}, "option 'unstable' asks all the same",
      "the stiffness matrix must be positive definite, but its least eigenvalue is %g: without friction the "
      "equilibrium is unstable",
      least);
  return AMO_ENOANSWER;
}
