// SPDX-License-Identifier: Apache-2.0
#include "flow/frequency.h"

#include <math.h>
#include <string.h>

#include "contact/expansion.h"
#include "num/eigen.h"

enum { DENSE_LIMIT = 300 };  // beyond: the smallest ratio of the diagonals

/// Column j of K: along coordinate j the load has -K_ij as its first coefficient. Then the masses.
static void matrices(amo_expansion *x, double *direction, double *k, double *mass)
{
  const amo_model *m = x->m;
  const size_t n = m->nq;
  for (uint32_t e = 0; e < m->nmass; e++)
    mass[m->mass[e].col * n + m->mass[e].row] = mass[m->mass[e].row * n + m->mass[e].col] =
        amo_expansion_register(x, m->mass[e].reg, 0);
  for (uint32_t j = 0; j < n; j++) {
    direction[j] = 1.0;
    amo_expansion_registers_along(x, direction, 0.0, 1);
    direction[j] = 0.0;
    for (uint32_t i = 0; i < n; i++) k[j * n + i] = -amo_expansion_register(x, m->r_h[i], 1);
  }
}

static double smallest(const double *k, const double *mass, uint32_t n, double *work)
{
  double best = INFINITY, *a = work, *b = a + (size_t)n * n, *ar = b + (size_t)n * n, *ai = ar + n,
         *be = ai + n;
  if (n > DENSE_LIMIT) {
    for (uint32_t i = 0; i < n; i++) {
      double w2 = k[(size_t)i * n + i] / mass[(size_t)i * n + i];
      if (w2 > 0.0) best = fmin(best, w2);
    }
    return best;
  }
  memcpy(a, k, (size_t)n * n * sizeof *a);
  memcpy(b, mass, (size_t)n * n * sizeof *b);
  if (amo_eigenvalues_of_pair(a, b, n, ar, ai, be) != AMO_OK) return best;
  double scale = 0.0;
  for (uint32_t i = 0; i < n; i++)
    if (be[i] != 0.0) scale = fmax(scale, fabs(ar[i] / be[i]));
  for (uint32_t i = 0; i < n; i++)
    if (be[i] != 0.0 && ai[i] == 0.0 && ar[i] / be[i] > AMO_NOTHING * scale) best = fmin(best, ar[i] / be[i]);
  return best;
}

amo_status amo_lowest_frequency(const amo_model *m, const double *param, double t, const double *state,
                                double *omega)
{
  const size_t n = m->nq;
  amo_expansion *x = NULL;
  amo_arena memory = {0};
  double *k, *mass, *direction, *work;
  signed char *sticking;
  AMO_TAKE(&memory, double, n *n, &k, &mass);
  AMO_TAKE(&memory, double, 2 * n + m->nz, &direction);
  AMO_TAKE(&memory, double, 2 * n * n + 3 * n + 1, &work);
  AMO_TAKE(&memory, signed char, m->nc, &sticking);
  amo_status st = memory.failed ? AMO_ENOMEM : amo_expansion_new(m, 1, &x);
  if (st == AMO_OK) {
    amo_expansion_parameters(x, param);
    amo_expansion_registers(x, t, state, sticking);
    matrices(x, direction, k, mass);
    const double w2 = smallest(k, mass, m->nq, work);
    *omega = isfinite(w2) ? sqrt(w2) : 1.0;
  }
  amo_expansion_free(x);
  amo_arena_free(&memory);
  return st;
}
