// SPDX-License-Identifier: Apache-2.0
/// Do inertia, guides and constraints determine the accelerations at the initial state? Either the mass matrix is
/// positive definite, or it is semidefinite and every motion without inertia is taken away by a guide or constraint
/// (a massless crank, a slider block of no weight).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/model.h"
#include "num/solve.h"

#define LARGEST_ENVELOPE ((size_t)1 << 24)
#define LARGEST_DENSE    2000u

typedef struct envelope {  // lower triangle of the scaled masses; row[i] points at column first[i]
  uint32_t n;
  uint32_t *first;
  double **row, *data, *diag;
} envelope;

/// Cholesky, rows scaled to unit diagonal. The first row whose pivot vanishes, or n.
static uint32_t factor(const envelope *v)
{
  for (uint32_t i = 0; i < v->n; i++) {
    double *a = v->row[i], pivot = a[i - v->first[i]];
    for (uint32_t j = v->first[i]; j < i; j++) {
      const double *b = v->row[j];
      double s = a[j - v->first[i]];
      for (uint32_t k = v->first[i] > v->first[j] ? v->first[i] : v->first[j]; k < j; k++)
        s -= a[k - v->first[i]] * b[k - v->first[j]];
      s /= b[j - v->first[j]];
      a[j - v->first[i]] = s;
      pivot -= s * s;
    }
    if (!(pivot > AMO_CANCELLED)) return i;
    a[i - v->first[i]] = sqrt(pivot);
  }
  return v->n;
}

static void envelope_free(envelope *v)
{
  free(v->first);
  free(v->row);
  free(v->data);
  free(v->diag);
}

static amo_status envelope_make(const amo_model *m, const double *reg, envelope *v)
{
  size_t total = 0;
  v->n = m->nq;
  v->first = amo_zalloc(v->n, sizeof *v->first);
  v->diag = amo_zalloc(v->n, sizeof *v->diag);
  v->row = amo_zalloc(v->n, sizeof *v->row);
  if (!v->first || !v->diag || !v->row) return AMO_ENOMEM;
  for (uint32_t i = 0; i < v->n; i++) v->first[i] = i;
  for (uint32_t k = 0; k < m->nmass; k++) {
    const amo_entry *e = &m->mass[k];
    if (e->col < v->first[e->row]) v->first[e->row] = e->col;
    if (e->row == e->col) v->diag[e->row] = reg[e->reg];
  }
  for (uint32_t i = 0; i < v->n; i++) total += i - v->first[i] + 1;
  if (total > LARGEST_ENVELOPE) return AMO_ELIMIT;
  v->data = amo_zalloc(total, sizeof *v->data);
  if (!v->data) return AMO_ENOMEM;
  total = 0;
  for (uint32_t i = 0; i < v->n; i++) {
    v->row[i] = v->data + total;
    total += i - v->first[i] + 1;
  }
  for (uint32_t k = 0; k < m->nmass; k++) {
    const amo_entry *e = &m->mass[k];
    double size = sqrt(v->diag[e->row] * v->diag[e->col]);
    v->row[e->row][e->col - v->first[e->row]] = size > 0.0 ? reg[e->reg] / size : reg[e->reg];
  }
  return AMO_OK;
}

// ---- semidefinite ----

/// Gaussian steps without pivoting on a symmetric matrix of size 1, which must not be indefinite: where a pivot is zero, so
/// is its row.
static bool semidefinite(double *a, uint32_t n)
{
  for (uint32_t s = 0; s < n; s++) {
    double d = a[(size_t)s * n + s];
    if (!(d > -AMO_NOTHING)) return false;
    bool none = d <= AMO_NOTHING;
    for (uint32_t i = s + 1; i < n; i++) {
      double x = a[(size_t)i * n + s];
      if (none && fabs(x) > AMO_SAME) return false;
      for (uint32_t j = s + 1; !none && j < n; j++) a[(size_t)i * n + j] -= x * a[(size_t)s * n + j] / d;
    }
  }
  return true;
}

static void add_tie(double *a, uint32_t n, const amo_entry *e, uint32_t count, const double *reg,
                    const double *scale)
{
  double size = 0.0;
  for (uint32_t k = 0; k < count; k++) size = fmax(size, fabs(reg[e[k].reg]) * scale[e[k].col]);
  for (uint32_t i = 0; size > 0.0 && i < count; i++)
    for (uint32_t j = 0; j < count; j++)
      a[(size_t)e[i].col * n + e[j].col] +=
          reg[e[i].reg] * scale[e[i].col] / size * reg[e[j].reg] * scale[e[j].col] / size;
}

/// M >= 0, and M + N^T N > 0 with the rows N of guides and constraints: no motion without inertia is left.
static bool ties_determine(const amo_model *m, const double *reg, const double *diag, double *a,
                           double *scale)
{
  uint32_t n = m->nq;
  for (uint32_t i = 0; i < n; i++) scale[i] = diag[i] > 0.0 ? 1.0 / sqrt(diag[i]) : 1.0;
  for (int pass = 0; pass < 2; pass++) {
    memset(a, 0, (size_t)n * n * sizeof *a);
    for (uint32_t k = 0; k < m->nmass; k++) {
      const amo_entry *e = &m->mass[k];
      a[(size_t)e->row * n + e->col] = a[(size_t)e->col * n + e->row] =
          reg[e->reg] * scale[e->row] * scale[e->col];
    }
    for (uint32_t c = 0; pass == 1 && c < m->nc; c++)
      add_tie(a, n, m->contact[c].n, m->contact[c].nn, reg, scale);
    for (uint32_t g = 0; pass == 1 && g < m->ng; g++)
      add_tie(a, n, m->constraint[g].g, m->constraint[g].ng, reg, scale);
    if (pass == 0 ? !semidefinite(a, n) : amo_cholesky(a, n, AMO_CANCELLED) < n) return false;
  }
  return true;
}

static amo_status determined(const amo_model *m, const double *reg, const double *diag, bool *yes)
{
  *yes = false;
  if (m->nq > LARGEST_DENSE) return AMO_OK;
  double *a = amo_zalloc((size_t)m->nq * m->nq + m->nq, sizeof *a);
  if (!a) return AMO_ENOMEM;
  *yes = ties_determine(m, reg, diag, a, a + (size_t)m->nq * m->nq);
  free(a);
  return AMO_OK;
}

static void report_singular(amo_loader *ld, const envelope *v, uint32_t bad)
{
  amo_text names = {0};
  for (uint32_t j = v->first[bad]; j <= bad; j++)
    if (j == bad || v->row[bad][j - v->first[bad]] != 0.0)
      amo_text_printf(&names, "%s%s", names.size ? ", " : "", ld->m->sym.q[j].name);
  amo_load_fail(ld, amo_error(ld->diags, amo_yaml_at(amo_yaml_get(ld->root, "coordinates")), NULL,
                              "the mass matrix is singular at the initial state (coordinates %s)",
                              names.data ? names.data : ""));
  amo_text_free(&names);
}

amo_status amo_load_check_inertia(amo_loader *ld, const double *reg)
{
  amo_model *m = ld->m;
  envelope v = {0};
  amo_status st = envelope_make(m, reg, &v);
  if (st == AMO_OK) {
    uint32_t bad = factor(&v);
    if (bad < v.n) st = determined(m, reg, v.diag, &m->light);
    if (st == AMO_OK && bad < v.n && !m->light) report_singular(ld, &v, bad);
  }
  envelope_free(&v);
  return st == AMO_ELIMIT ? AMO_OK : st;  // too costly to test; the integrator will find out
}
