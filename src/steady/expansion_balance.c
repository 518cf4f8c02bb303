// SPDX-License-Identifier: Apache-2.0
/// The balance of forces of an expansion.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/orthogonal.h"
#include "num/solve.h"
#include "steady/expansion_impl.h"

// ---- which forces are unknown ----

static void add_tie(amo_expansion *x, const amo_entry *row, uint32_t n, uint32_t zeta, amo_tie t)
{
  if (n == 0) return;
  t.row = row;
  t.entries = n;
  t.zeta = zeta;
  x->tie[x->ties++] = t;
}

static void arrange(amo_expansion *x)
{
  const amo_model *m = x->m;
  x->ties = 0;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    const signed char mode = x->mode[c];
    if (mode == AMO_MODE_OPEN) continue;
    if (amo_has_gap(k))
      add_tie(x, k->n, k->nn, k->r_gap_zeta,
              (amo_tie){.contact = c, .normal = true, .rubs = mode == 0 ? 0.0 : mode * x->press[c]});
    if (mode != 0) continue;
    if (!k->spatial) add_tie(x, k->w, k->nw, k->r_zeta, (amo_tie){.contact = c});
    for (int a = 0; k->spatial && a < 2; a++)
      add_tie(x, k->axis[a].w, k->axis[a].nw, k->axis[a].r_zeta, (amo_tie){.contact = c});
  }
  for (uint32_t g = 0; g < m->ng; g++)
    add_tie(x, m->constraint[g].g, m->constraint[g].ng, m->constraint[g].r_zeta,
            (amo_tie){.contact = UINT32_MAX, .constraint = g});
}

// ---- coefficient k of the matrix and of the right-hand side ----

/// Coefficient k of mu*w for a row of the slip.
static double rubbing(const amo_expansion *x, const amo_contact *c, uint32_t e, int k)
{
  double sum = 0.0;
  for (int j = 0; j <= k; j++)
    sum += amo_expansion_register(x, c->r_kinetic, j) * amo_expansion_register(x, c->w[e].reg, k - j);
  return sum;
}

static void fill_matrix(amo_expansion *x, int k)
{
  const amo_model *m = x->m;
  const size_t n = m->nq + x->ties;
  double *a = x->matrix + (size_t)k * n * n;
  memset(a, 0, n * n * sizeof *a);
  for (uint32_t e = 0; e < m->nmass; e++) {
    const amo_entry *me = &m->mass[e];
    a[me->row * n + me->col] = a[me->col * n + me->row] = amo_expansion_register(x, me->reg, k);
  }
  for (uint32_t i = 0; i < x->ties; i++) {
    const amo_tie *t = &x->tie[i];
    const size_t at = m->nq + i;
    for (uint32_t e = 0; e < t->entries; e++) {
      double v = amo_expansion_register(x, t->row[e].reg, k);
      a[at * n + t->row[e].col] += v;
      a[t->row[e].col * n + at] -= v;
    }
    if (t->rubs == 0.0) continue;
    const amo_contact *c = &m->contact[t->contact];
    for (uint32_t e = 0; e < c->nw; e++) a[c->w[e].col * n + at] += t->rubs * rubbing(x, c, e, k);
  }
}

static void fill_rhs(amo_expansion *x, int k)
{
  const amo_model *m = x->m;
  for (uint32_t i = 0; i < m->nq; i++) x->rhs[i] = amo_expansion_register(x, m->r_h[i], k);
  for (uint32_t i = 0; i < x->ties; i++) x->rhs[m->nq + i] = -amo_expansion_register(x, x->tie[i].zeta, k);
}

// ---- solving ----

static void solve(amo_expansion *x, int k)
{
  const size_t n = x->m->nq + x->ties;
  double *now = x->unknown + (size_t)k * n;
  fill_rhs(x, k);
  for (int j = 1; j <= k; j++) {
    const double *a = x->matrix + (size_t)j * n * n, *old = x->unknown + (size_t)(k - j) * n;
    for (size_t i = 0; i < n; i++)
      for (size_t c = 0; c < n; c++) x->rhs[i] -= a[i * n + c] * old[c];
  }
  for (size_t i = 0; i < n; i++) {
    now[i] = 0.0;
    for (size_t c = 0; c < n; c++) now[i] += x->inverse[i * n + c] * x->rhs[c];
  }
}

static bool consistent(const amo_expansion *x)
{
  const size_t n = x->m->nq + x->ties;
  const double *a = x->matrix;
  for (size_t i = 0; i < n; i++) {
    double sum = -x->rhs[i], size = fabs(x->rhs[i]);
    for (size_t c = 0; c < n; c++) {
      sum += a[i * n + c] * x->unknown[c];
      size += fabs(a[i * n + c] * x->unknown[c]);
    }
    if (!(fabs(sum) <= 1e-7 * size)) return false;
  }
  return true;
}

static amo_status balance(amo_expansion *x)
{
  arrange(x);
  fill_matrix(x, 0);
  const size_t n = x->m->nq + x->ties;
  for (size_t i = 0; i < n * n; i++)
    if (!isfinite(x->matrix[i])) return AMO_ENOANSWER;
  memcpy(x->work, x->matrix, n * n * sizeof *x->work);
  amo_status st = amo_invert(x->work, n, x->inverse);
  const bool redundant = st == AMO_ENOANSWER;  // two pads on one disc: the smallest forces are as good as any
  if (redundant) st = amo_pseudo_inverse(x->matrix, n, n, 1e-12, x->inverse);
  if (st != AMO_OK) return st;
  solve(x, 0);
  return !redundant || consistent(x) ? AMO_OK : AMO_ENOANSWER;
}

/// A slipping guide rubs with |R|: its sign is assumed, then looked at.
static bool signs_agree(amo_expansion *x)
{
  bool agree = true;
  for (uint32_t c = 0; c < x->m->nc; c++) {
    if (x->m->contact[c].kind != AMO_GUIDE || x->mode[c] == 0) continue;
    if (x->press[c] * amo_expansion_reaction(x, c, 0) >= 0.0) continue;
    x->press[c] = (signed char)-x->press[c];
    agree = false;
  }
  return agree;
}

amo_status amo_expansion_at(amo_expansion *x, double t, const double *state, const signed char *mode)
{
  amo_expansion_registers(x, t, state, mode);
  amo_status st = AMO_OK;
  for (uint32_t round = 0; round < 4; round++) {
    st = balance(x);
    if (st != AMO_OK || signs_agree(x)) break;
  }
  return st;
}

void amo_expansion_along(amo_expansion *x, const double *dir, double dt, int order)
{
  amo_expansion_registers_along(x, dir, dt, order);
  for (int k = 1; k <= order; k++) {
    fill_matrix(x, k);
    solve(x, k);
  }
}

// ---- reading ----

static double unknown(const amo_expansion *x, size_t i, int k)
{
  return x->unknown[(size_t)k * (x->m->nq + x->ties) + i];
}

double amo_expansion_rate(const amo_expansion *x, uint32_t i, int k)
{
  const amo_model *m = x->m;
  if (i < m->nq) return amo_expansion_register(x, m->leaf.u + i, k);
  if (i < 2 * m->nq) return unknown(x, i - m->nq, k);
  return amo_expansion_register(x, m->extra[i - 2 * m->nq].r_rate, k);
}

double amo_expansion_reaction(const amo_expansion *x, uint32_t c, int k)
{
  const amo_contact *t = &x->m->contact[c];
  if (!amo_has_gap(t)) return amo_expansion_register(x, t->r_normal, k);
  for (uint32_t i = 0; i < x->ties; i++)
    if (x->tie[i].contact == c && x->tie[i].normal) return unknown(x, x->m->nq + i, k);
  return 0.0;
}

double amo_expansion_friction(const amo_expansion *x, uint32_t c, uint32_t axis, int k)
{
  const amo_contact *t = &x->m->contact[c];
  const signed char mode = x->mode[c];
  if (mode == AMO_MODE_OPEN) return 0.0;
  if (mode == 0) {
    for (uint32_t i = 0; i < x->ties; i++)
      if (x->tie[i].contact == c && !x->tie[i].normal && axis-- == 0) return unknown(x, x->m->nq + i, k);
    return 0.0;
  }
  double sum = 0.0;  // -sigma mu |R| xi, by products of series
  for (int j = 0; j <= k; j++)
    for (int i = 0; i + j <= k; i++) {
      double r = amo_has_gap(t) ? x->press[c] * amo_expansion_reaction(x, c, i) : i == 0 ? 1.0 : 0.0;
      double d = t->spatial   ? x->jet[(x->m->leaf.xi + t->xi + axis) * amo_width(x) + (size_t)(k - i - j)]
                 : i + j == k ? 1.0
                              : 0.0;
      sum -= mode * amo_expansion_register(x, t->r_kinetic, j) * r * d;
    }
  return sum;
}
