// SPDX-License-Identifier: Apache-2.0
#include "flow/smooth_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/solve.h"

struct amo_smooth {
  amo_arena memory;
  const amo_model *m;
  amo_prog *prog;  // roots: mass, h_smooth, rates, then slip, force, slope of each contact
  double *jet;     // [registers][2]
  signed char *branch;
  amo_lu mass;  // [nq][nq] factored
  double *acc, *rhs;
  double threshold;  // slips below count as stick for the memory of laws
};

static uint32_t root_h(const amo_model *m, uint32_t i)
{
  return m->nmass + i;
}
static uint32_t root_rate(const amo_model *m, uint32_t i)
{
  return m->nmass + m->nq + i;
}
static uint32_t root_contact(const amo_model *m, uint32_t c, uint32_t what)
{
  return m->nmass + m->nq + m->nz + 3 * c + what;
}

static double value(const amo_smooth *s, uint32_t root, int order)
{
  uint32_t reg = amo_prog_root(s->prog, root);
  return order > 0 && amo_prog_is_fixed(s->prog, reg) ? 0.0 : s->jet[2 * reg + (uint32_t)order];
}

static amo_status compile(amo_smooth *s)
{
  const amo_model *m = s->m;
  size_t n = m->nmass + m->nq + m->nz + 3u * m->nc;
  amo_node *root = calloc(n + 1, sizeof *root);
  if (root == NULL) return AMO_ENOMEM;
  for (uint32_t e = 0; e < m->nmass; e++) root[e] = m->mass[e].node;
  for (uint32_t i = 0; i < m->nq; i++) root[root_h(m, i)] = m->h_smooth[i];
  for (uint32_t i = 0; i < m->nz; i++) root[root_rate(m, i)] = m->extra[i].rate;
  for (uint32_t c = 0; c < m->nc; c++) {
    root[root_contact(m, c, 0)] = m->contact[c].slip;
    root[root_contact(m, c, 1)] = m->contact[c].kinetic_smooth;
    root[root_contact(m, c, 2)] = m->contact[c].kinetic_smooth_slope;
  }
  amo_status st = amo_prog_compile(m->dag, root, n, m->fixed, m->leaf.count, &s->prog);
  free(root);
  return st;
}

amo_status amo_smooth_new(const amo_model *m, amo_smooth **out)
{
  amo_smooth *s = calloc(1, sizeof *s);
  *out = s;
  if (s == NULL) return AMO_ENOMEM;
  s->m = m;
  if (m->ng > 0) return AMO_EUNSUPPORTED;
  amo_status st = compile(s);
  if (st != AMO_OK) return st;
  size_t nq = m->nq;
  AMO_TAKE(&s->memory, double, 2u * amo_prog_registers(s->prog) + 2u, &s->jet);
  AMO_TAKE(&s->memory, signed char, amo_prog_switches(s->prog) + 1u, &s->branch);
  AMO_TAKE(&s->memory, double, nq + 1, &s->acc, &s->rhs);
  return s->memory.failed ? AMO_ENOMEM : amo_lu_make(&s->mass, nq);
}

void amo_smooth_free(amo_smooth *s)
{
  if (s == NULL) return;
  amo_prog_free(s->prog);
  amo_lu_free(&s->mass);
  amo_arena_free(&s->memory);
  free(s);
}

void amo_smooth_parameters(amo_smooth *s, const double *param, double eps)
{
  for (uint32_t i = 0; i < s->m->np; i++) s->jet[2 * (s->m->leaf.param + i)] = param[i];
  s->jet[2 * s->m->leaf.eps] = eps;
  s->threshold = 1.0 / sqrt(eps);
}

/// Values at this state, with the actual signs of the switching arguments.
static void evaluate(amo_smooth *s, double t, const double *y)
{
  const amo_model *m = s->m;
  amo_load_leaves(m, s->jet, 2, NULL, t, y);
  for (int pass = 0; pass < 2; pass++) {
    amo_jet_prepare1(s->prog, s->jet, 1);
    amo_jet_take_branches1(s->prog, s->jet, 1, s->branch);
    if (m->nz == 0) break;  // modes matter only to memory
    for (uint32_t c = 0; c < m->nc; c++) {
      double slip = amo_smooth_slip(s, c);
      s->jet[2 * (m->leaf.sigma + c)] = amo_mode_of(&m->contact[c], slip, fabs(slip) <= s->threshold);
    }
  }
}

/// Masses factored and accelerations at this state.
static amo_status accelerate(amo_smooth *s, double t, const double *y)
{
  const amo_model *m = s->m;
  size_t n = m->nq;
  evaluate(s, t, y);
  memset(s->mass.a, 0, n * n * sizeof *s->mass.a);
  for (uint32_t e = 0; e < m->nmass; e++)
    s->mass.a[m->mass[e].row * n + m->mass[e].col] = s->mass.a[m->mass[e].col * n + m->mass[e].row] =
        value(s, e, 0);
  if (!amo_lu_factor(&s->mass)) return AMO_ENOANSWER;
  for (uint32_t i = 0; i < n; i++) s->acc[i] = value(s, root_h(m, i), 0);
  amo_lu_solve(&s->mass, s->acc);
  return AMO_OK;
}

amo_status amo_smooth_rates(amo_smooth *s, double t, const double *y, double *dy)
{
  const amo_model *m = s->m;
  amo_status st = accelerate(s, t, y);
  if (st != AMO_OK) return st;
  for (uint32_t i = 0; i < m->nq; i++) {
    dy[i] = y[m->nq + i];
    dy[m->nq + i] = s->acc[i];
  }
  for (uint32_t i = 0; i < m->nz; i++) dy[2 * m->nq + i] = value(s, root_rate(m, i), 0);
  return AMO_OK;
}

/// Column for a small change along state j:  M a' = h' - M' a.
static void column(amo_smooth *s, uint32_t leaf, double *col)
{
  const amo_model *m = s->m;
  s->jet[2 * leaf + 1] = 1.0;
  amo_jet_eval1(s->prog, s->jet, 1, 1, s->branch);
  s->jet[2 * leaf + 1] = 0.0;
  for (uint32_t i = 0; i < m->nq; i++) s->rhs[i] = value(s, root_h(m, i), 1);
  for (uint32_t e = 0; e < m->nmass; e++) {
    double d = value(s, e, 1);
    uint32_t r = m->mass[e].row, c = m->mass[e].col;
    s->rhs[r] -= d * s->acc[c];
    if (r != c) s->rhs[c] -= d * s->acc[r];
  }
  amo_lu_solve(&s->mass, s->rhs);
  memset(col, 0, m->nq * sizeof *col);
  memcpy(col + m->nq, s->rhs, m->nq * sizeof *col);
  for (uint32_t i = 0; i < m->nz; i++) col[2 * m->nq + i] = value(s, root_rate(m, i), 1);
}

amo_status amo_smooth_jacobian(amo_smooth *s, double t, const double *y, double *jac)
{
  const amo_model *m = s->m;
  size_t ns = 2u * m->nq + m->nz;
  amo_status st = accelerate(s, t, y);
  if (st != AMO_OK) return st;
  for (uint32_t j = 0; j < ns; j++) {
    column(s, amo_state_leaf(m, j), jac + j * ns);
    if (j >= m->nq && j < 2 * m->nq) jac[j * ns + (j - m->nq)] = 1.0;
  }
  return AMO_OK;
}

double amo_smooth_slip(const amo_smooth *s, uint32_t c)
{
  return value(s, root_contact(s->m, c, 0), 0);
}
double amo_smooth_force(const amo_smooth *s, uint32_t c)
{
  return value(s, root_contact(s->m, c, 1), 0);
}
double amo_smooth_slope(const amo_smooth *s, uint32_t c)
{
  return value(s, root_contact(s->m, c, 2), 0);
}
