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

amo_status amo_statics_least_stiffness(const amo_statics *s, double *least)
{
  const size_t n = s->nq;
  size_t rows = 0, first = 0;
  double *ties = amo_zalloc(((size_t)s->nc + s->ng) * n, sizeof *ties), *z = amo_zalloc(n * n, sizeof *z);
  double *k = amo_zalloc(n * n, sizeof *k), *a = amo_zalloc(n * n, sizeof *a),
         *re = amo_zalloc(2 * n, sizeof *re);
  amo_status st = ties && z && k && a && re ? AMO_OK : AMO_ENOMEM;
  *least = INFINITY;
  for (uint32_t c = 0; st == AMO_OK && c < s->nc; c++)
    if (s->m->contact[c].kind == AMO_GUIDE) memcpy(ties + rows++ * n, s->n + c * n, n * sizeof *ties);
  for (uint32_t g = 0; st == AMO_OK && g < s->ng; g++)
    memcpy(ties + rows++ * n, s->g + g * n, n * sizeof *ties);
  for (size_t i = 0; st == AMO_OK && i < n * n; i++) k[i] = 0.5 * (s->K[i] + s->K[(i % n) * n + i / n]);
  if (st == AMO_OK) st = amo_null_space(ties, rows, n, amo_statics_rounding(s), z, &first);
  if (st == AMO_OK) st = amo_project(k, z, n, first, a);
  if (st == AMO_OK && first < n) st = amo_eigenvalues(a, n - first, re, re + n);
  if (st == AMO_OK && first < n) *least = re[n - first - 1];
  free(ties);
  free(z);
  free(k);
  free(a);
  free(re);
  return st;
}

amo_status amo_statics_require_stable(const amo_statics *s, amo_diags *diags)
{
  double least = 0.0, size = 0.0;
  amo_status st = amo_statics_least_stiffness(s, &least);
  for (size_t i = 0; i < (size_t)s->nq * s->nq; i++) size = fmax(size, fabs(s->K[i]));
  if (st != AMO_OK || least >= -amo_statics_rounding(s) * size) return st;
  amo_error(
      diags, (amo_at){0}, "option 'unstable' asks all the same",
      "the stiffness matrix must be positive definite, but its least eigenvalue is %g: without friction the "
      "equilibrium is unstable",
      least);
  return AMO_ENOANSWER;
}
