// SPDX-License-Identifier: Apache-2.0
/// Coordinates without inertia are right where guides and constraints determine their motion (a massless crank whose
/// pin is held by a link): M is then only semidefinite, but M + sum of n n' over the ties is definite.
#include <math.h>
#include <stdlib.h>

#include "model/model.h"

enum { LARGEST = 300 };  // coordinates; larger singular matrices are taken for mistakes

static double *add_masses(const amo_model *m, const double *reg, double *scale)
{
  uint32_t n = m->nq;
  double *a = amo_zalloc((size_t)n * n, sizeof *a);
  for (uint32_t i = 0; i < n; i++) scale[i] = 1.0;
  for (uint32_t k = 0; k < m->nmass; k++)
    if (m->mass[k].row == m->mass[k].col && reg[m->mass[k].reg] > 0.0)
      scale[m->mass[k].row] = 1.0 / sqrt(reg[m->mass[k].reg]);
  for (uint32_t k = 0; a && k < m->nmass; k++) {
    const amo_entry *e = &m->mass[k];
    a[(size_t)e->row * n + e->col] = reg[e->reg] * scale[e->row] * scale[e->col];
  }
  return a;
}

static void add_tie(const amo_entry *e, uint32_t count, const double *reg, const double *scale, double *a,
                    uint32_t n)
{
  double size = 0.0;
  for (uint32_t i = 0; i < count; i++) size = fmax(size, fabs(reg[e[i].reg] * scale[e[i].col]));
  if (!(size > 0.0)) return;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < count; j++)
      if (e[i].col >= e[j].col)
        a[(size_t)e[i].col * n + e[j].col] +=
            reg[e[i].reg] * scale[e[i].col] / size * (reg[e[j].reg] * scale[e[j].col] / size);
}

static bool definite(double *a, uint32_t n)
{
  for (uint32_t j = 0; j < n; j++) {
    double d = a[(size_t)j * n + j];
    for (uint32_t k = 0; k < j; k++) d -= a[(size_t)j * n + k] * a[(size_t)j * n + k];
    if (!(d > 1e-12) || !isfinite(d)) return false;
    a[(size_t)j * n + j] = sqrt(d);
    for (uint32_t i = j + 1; i < n; i++) {
      for (uint32_t k = 0; k < j; k++) a[(size_t)i * n + j] -= a[(size_t)i * n + k] * a[(size_t)j * n + k];
      a[(size_t)i * n + j] /= a[(size_t)j * n + j];
    }
  }
  return true;
}

bool amo_ties_give_motion(const amo_model *m, const double *reg)
{
  uint32_t n = m->nq;
  if (n > LARGEST) return false;
  for (uint32_t k = 0; k < m->nmass; k++)
    if (m->mass[k].row == m->mass[k].col && !(reg[m->mass[k].reg] >= 0.0)) return false;
  double *scale = amo_zalloc(n, sizeof *scale), *a = scale ? add_masses(m, reg, scale) : NULL;
  for (uint32_t c = 0; a && c < m->nc; c++)
    if (m->contact[c].kind == AMO_GUIDE) add_tie(m->contact[c].n, m->contact[c].nn, reg, scale, a, n);
  for (uint32_t g = 0; a && g < m->ng; g++)
    add_tie(m->constraint[g].g, m->constraint[g].ng, reg, scale, a, n);
  bool good = a && definite(a, n);
  free(a);
  free(scale);
  return good;
}
