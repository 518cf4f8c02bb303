// SPDX-License-Identifier: Apache-2.0
#include "contact/close.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

typedef struct ties {
  const amo_model *m;
  uint32_t rows;
  double *a, *rhs, *row_size;  // [rows][nq], [rows], [rows]
  double *gram;                // [rows][rows + 1]
  double *step;                // [nq]
} ties;

static void put_row(ties *t, const amo_point *p, const amo_entry *e, uint32_t n, double value)
{
  double *row = t->a + (size_t)t->rows * t->m->nq;
  memset(row, 0, t->m->nq * sizeof *row);
  for (uint32_t k = 0; k < n; k++) row[e[k].col] = p->reg[e[k].reg];
  t->rhs[t->rows++] = value;
}

/// Rows of guides and constraints with their residuals: positions, or rates.
static void load(ties *t, const amo_point *p, bool rates)
{
  const amo_model *m = t->m;
  t->rows = 0;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    if (k->kind == AMO_GUIDE) put_row(t, p, k->n, k->nn, p->reg[rates ? k->r_gap_rate : k->r_gap]);
  }
  for (uint32_t g = 0; g < m->ng; g++) {
    const amo_constraint *k = &m->constraint[g];
    if (k->velocity_level && !rates) continue;
    put_row(t, p, k->g, k->ng, p->reg[rates ? k->r_rate : k->r_residual]);
  }
}

/// The residuals relative to what a change of the state by its own size would do.
static double violation(const ties *t, const double *x)
{
  double worst = 0.0;
  for (uint32_t r = 0; r < t->rows; r++) {
    double size = 0.0;
    for (uint32_t q = 0; q < t->m->nq; q++)
      size += fabs(t->a[(size_t)r * t->m->nq + q]) * fmax(fabs(x[q]), 1e-3);
    if (t->rhs[r] != 0.0) worst = fmax(worst, fabs(t->rhs[r]) / size);
  }
  return worst;
}

/// The smallest step of what may move that takes the residuals away: A A^T y = -rhs, step = A^T y.
static bool find_step(ties *t, const bool *given)
{
  const uint32_t n = t->rows, nq = t->m->nq;
  double *g = t->gram;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      double sum = 0.0;
      for (uint32_t q = 0; q < nq; q++)
        if (!given[q]) sum += t->a[(size_t)i * nq + q] * t->a[(size_t)j * nq + q];
      g[(size_t)i * (n + 1) + j] = sum;
    }
    g[(size_t)i * (n + 1) + n] = -t->rhs[i];
    t->row_size[i] = g[(size_t)i * (n + 1) + i];
  }
  for (uint32_t k = 0; k < n;
       k++) {  // positive semidefinite: pivots on the diagonal; dependent rows drop out
    double pivot = g[(size_t)k * (n + 1) + k];
    bool dependent = !(pivot > 1e-12 * t->row_size[k]);
    if (dependent && !(t->row_size[k] > 0.0) && fabs(t->rhs[k]) > 0.0) return false;
    for (uint32_t i = 0; i < n; i++) {
      double f = dependent || i == k ? 0.0 : g[(size_t)i * (n + 1) + k] / pivot;
      for (uint32_t j = k; f != 0.0 && j <= n; j++)
        g[(size_t)i * (n + 1) + j] -= f * g[(size_t)k * (n + 1) + j];
    }
    if (dependent) t->row_size[k] = -1.0;
  }
  memset(t->step, 0, nq * sizeof *t->step);
  for (uint32_t k = 0; k < n; k++) {
    if (t->row_size[k] < 0.0) continue;
    double y = g[(size_t)k * (n + 1) + n] / g[(size_t)k * (n + 1) + k];
    for (uint32_t q = 0; q < nq; q++)
      if (!given[q]) t->step[q] += y * t->a[(size_t)k * nq + q];
  }
  return true;
}

/// Newton steps on positions (x = q) or, since rates are linear, on velocities (x = u).
static amo_status iterate(ties *ti, amo_point *p, double t, const signed char *mode, const bool *given,
                          double *state, bool rates)
{
  double *x = state + (rates ? ti->m->nq : 0), before = INFINITY;
  for (int i = 0; i < 60; i++) {
    amo_point_registers(p, t, state, mode);
    load(ti, p, rates);
    double now = violation(ti, x);
    if (isnan(now)) return AMO_ENOANSWER;
    if (now <= 1e-9 && (i == 0 || now <= 1e-15 || now >= before)) return AMO_OK;  // to the last digit
    before = now;
    if (!find_step(ti, given)) return AMO_ENOANSWER;
    for (uint32_t q = 0; q < ti->m->nq; q++) x[q] += ti->step[q];
  }
  return AMO_ENOANSWER;
}

amo_status amo_close(amo_point *p, double t, const bool *given, double *state)
{
  const amo_model *m = p->m;
  const size_t n = (size_t)m->nc + m->ng;
  ties ti = {.m = m};
  signed char *mode = amo_zalloc(m->nc, 1);
  ti.a = amo_zalloc(n * m->nq + n * (n + 1) + 2 * n + m->nq, sizeof *ti.a);
  amo_status st = mode && ti.a ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK) {
    ti.gram = ti.a + n * m->nq;
    ti.rhs = ti.gram + n * (n + 1);
    ti.row_size = ti.rhs + n;
    ti.step = ti.row_size + n;
    st = iterate(&ti, p, t, mode, given, state, false);
    if (st == AMO_OK) st = iterate(&ti, p, t, mode, given + m->nq, state, true);
  }
  free(ti.a);
  free(mode);
  return st;
}
