// SPDX-License-Identifier: Apache-2.0
#include "flow/frequency.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/eigen.h"

enum { DENSE_LIMIT = 300 };  // beyond: the smallest ratio of the diagonals

static void load(const amo_model *m, const double *param, double t, const double *state, double *jet)
{
  memset(jet, 0, 2u * amo_prog_registers(m->step) * sizeof *jet);
  amo_load_leaves(m, jet, 2, param, t, state);
  amo_jet_prepare1(m->step, jet, 1);
}

/// Column j of K: a series that starts along coordinate j has -h_1 as its first coefficient.
static void stiffness(const amo_model *m, double *jet, const signed char *branch, double *k)
{
  for (uint32_t j = 0; j < m->nq; j++) {
    jet[2 * (m->leaf.q + j) + 1] = 1.0;
    amo_jet_eval1(m->step, jet, 1, 0, branch);
    amo_jet_eval1(m->step, jet, 1, 1, branch);
    jet[2 * (m->leaf.q + j) + 1] = 0.0;
    for (uint32_t i = 0; i < m->nq; i++)
      k[(size_t)j * m->nq + i] = amo_prog_is_fixed(m->step, m->r_h[i]) ? 0.0 : -jet[2 * m->r_h[i] + 1];
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

amo_status amo_lowest_frequency(const amo_model *model, const double *param, double t, const double *state,
                                double *omega)
{
  const amo_model *m =
      model;  // the expanded one: models as they run leave out registers that a step does not need
  const amo_status expanded = amo_model_expanded(model, &m);
  if (expanded != AMO_OK) return expanded;
  size_t n = m->nq;
  double *jet = calloc(2u * amo_prog_registers(m->step) + 2u, sizeof *jet);
  double *k = calloc(4 * n * n + 3 * n + 1, sizeof *k);
  signed char *branch = calloc(amo_prog_switches(m->step) + 1u, 1);
  amo_status st = jet && k && branch ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK) {
    double *mass = k + n * n;
    load(m, param, t, state, jet);
    amo_jet_take_branches1(m->step, jet, 1, branch);
    stiffness(m, jet, branch, k);
    for (uint32_t e = 0; e < m->nmass; e++) {
      double x = jet[2 * m->mass[e].reg];
      mass[m->mass[e].col * n + m->mass[e].row] = mass[m->mass[e].row * n + m->mass[e].col] = x;
    }
    double w2 = smallest(k, mass, m->nq, mass + n * n);
    *omega = isfinite(w2) ? sqrt(w2) : 1.0;
  }
  free(jet);
  free(k);
  free(branch);
  return st;
}
