// SPDX-License-Identifier: Apache-2.0
#include "steady/linear_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/eigen.h"
#include "num/orthogonal.h"
#include "num/solve.h"

void amo_linear_motion_free(amo_linear_motion *t)
{
  if (!t) return;
  amo_arena_free(&t->memory);
  free(t);
}

static void fill_columns(amo_expansion *x, const amo_ties *ties, amo_linear_motion *t)
{
  const amo_model *m = x->m;
  const size_t n = t->n;
  double *dir = t->reduced;  // scratch until it is made
  for (uint32_t j = 0; j < n; j++) {
    memset(dir, 0, n * sizeof *dir);
    dir[j] = 1.0;
    amo_expansion_along(x, dir, 0.0, 1);
    for (uint32_t i = 0; i < n; i++) t->full[i * n + j] = amo_expansion_rate(x, i, 1, 0);
    for (uint32_t c = 0; c < m->nc; c++) {
      t->force[(3 * c) * n + j] = amo_expansion_reaction(x, c, 1);
      for (uint32_t a = 0; a < amo_slip_rows(&m->contact[c]); a++)
        t->force[(3 * c + 1 + a) * n + j] = amo_expansion_friction(x, c, a, 1);
    }
    for (uint32_t i = 0; i < ties->zeros; i++)
      t->tie[i * n + j] = amo_expansion_register(x, ties->zero[i], 1);
  }
}

static void fill_locks(const amo_expansion *x, const amo_ties *ties, amo_linear_motion *t)
{
  for (uint32_t i = 0; i < ties->locks; i++) {
    double *row = t->tie + (size_t)(ties->zeros + i) * t->n;
    memset(row, 0, t->n * sizeof *row);
    for (uint32_t e = 0; e < ties->entries[i]; e++)
      row[ties->lock[i][e].col] = amo_expansion_register(x, ties->lock[i][e].reg, 0);
  }
}

static void unit_rows(double *a, size_t rows, size_t n)
{
  for (size_t i = 0; i < rows; i++) {
    double size = 0.0;
    for (size_t j = 0; j < n; j++) size = fmax(size, fabs(a[i * n + j]));
    for (size_t j = 0; size > 0.0 && j < n; j++) a[i * n + j] /= size;
  }
}

/// Does the motion keep the perturbations z [n][n], columns from `first` on, within themselves?
static bool invariant(const amo_linear_motion *t, const double *z, size_t first, const double *rows,
                      size_t nrows)
{
  const size_t n = t->n;
  for (size_t r = 0; r < nrows; r++)
    for (size_t j = first; j < n; j++) {
      double sum = 0.0, size = 1e-290;
      for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
          const double rate = rows[r * n + i] * t->full[i * n + k];
          sum += rate * z[k * n + j];
          size += fabs(rate);  // z has columns of length 1: what it leaves of the rates may be rounding alone
        }
      if (fabs(sum) > AMO_ROUGH * size) return false;
    }
  return true;
}

/// Onto the perturbations that the mode allows; sticking contacts keep their place if the motion lets them.
static amo_status reduce_ties(amo_linear_motion *t, double *z, size_t *first)
{
  const size_t n = t->n, all = t->ties;
  double *a = amo_zalloc(all * n, sizeof *a);
  amo_status st = a ? AMO_OK : AMO_ENOMEM;
  for (size_t rows = all;; rows = t->zeros) {
    if (st == AMO_OK && rows) memcpy(a, t->tie, rows * n * sizeof *a);
    if (st == AMO_OK) unit_rows(a, rows, n);
    if (st == AMO_OK) st = amo_null_space(a, rows, n, AMO_FAINT, z, first);
    if (st != AMO_OK || rows == t->zeros || invariant(t, z, *first, t->tie, rows)) break;
  }
  free(a);
  return st;
}

/// Rows of size 1, then columns; what is rounding beside the rest of its row is zero. Row scales do not change a kernel;
/// `column` [n] takes its vectors back.
static void equilibrate(double *a, size_t rows, size_t n, double *column)
{
  unit_rows(a, rows, n);
  for (size_t j = 0; j < n; j++) {
    double size = 0.0;
    for (size_t i = 0; i < rows; i++) size = fmax(size, fabs(a[i * n + j]));
    column[j] = size > AMO_CANCELLED ? exp2(-(double)ilogb(size)) : 1.0;
    for (size_t i = 0; i < rows; i++) a[i * n + j] = size > AMO_CANCELLED ? a[i * n + j] * column[j] : 0.0;
  }
}

/// c [m][m] seen through the first `rank` columns of q [m][m].
static void quotient(const double *c, const double *q, size_t m, size_t rank, double *out)
{
  memset(out, 0, rank * rank * sizeof *out);
  for (size_t i = 0; i < rank; i++)
    for (size_t j = 0; j < rank; j++)
      for (size_t k = 0; k < m; k++)
        for (size_t l = 0; l < m; l++) out[i * rank + j] += q[k * m + i] * c[k * m + l] * q[l * m + j];
}

static void make_positive(double *a, size_t n)
{
  for (size_t i = 0; i < n; i++) a[i] = fabs(a[i]);
}

/// Parts of vectors of length 1 are known to a few roundings of that length, however small they are: as sizes of terms they count as a
/// quarter at least.
static void make_known(double *a, size_t n)
{
  make_positive(a, n);
  for (size_t i = 0; i < n; i++)
    if (a[i] > AMO_CANCELLED) a[i] = fmax(a[i], 0.25);
}

/// Positions on which neither motion nor forces depend: kernel of rates and forces together, taken out. z and the
/// balanced `full` are used up.
static amo_status drop_neutral(amo_linear_motion *t, double *z, size_t first)
{
  const size_t n = t->n, m = n - first, forces = t->forces;
  size_t rank = 0;
  amo_arena memory = {0};
  double *a, *column, *q, *c;
  AMO_TAKE(&memory, double, (n + forces) * m, &a);
  AMO_TAKE(&memory, double, m, &column);
  AMO_TAKE(&memory, double, m *m, &q, &c);
  amo_status st = memory.failed ? AMO_ENOMEM : AMO_OK;
  for (size_t i = 0; st == AMO_OK && i < n + forces; i++)
    for (size_t k = 0; k < n; k++) {
      double v = i < n ? t->full[i * n + k] : t->force[(i - n) * n + k];
      for (size_t j = 0; j < m; j++) a[i * m + j] += v * z[k * n + first + j];
    }
  if (st == AMO_OK) {
    equilibrate(a, n + forces, m, column);
    st = amo_null_space(a, n + forces, m, AMO_CANCELLED, q, &rank);
  }
  t->neutral = m - rank;
  t->order = rank;
  for (int terms = 0; terms < 2 && st == AMO_OK; terms++) {  // the matrix, then the sizes of its terms
    if (terms) make_positive(t->full, n * n), make_known(z, n * n), make_known(q, m * m);
    st = amo_project(t->full, z, n, first, c);
    for (size_t i = 0; rank < m && i < m; i++)
      for (size_t j = 0; j < m; j++) c[i * m + j] *= column[j] / column[i];
    if (rank < m)
      quotient(c, q, m, rank, terms ? t->terms : t->reduced);
    else
      memcpy(terms ? t->terms : t->reduced, c, m * m * sizeof *c);
  }
  amo_arena_free(&memory);
  return st;
}

/// What states do to forces and ties, in other units of the states.
static void change_units(amo_linear_motion *t, const double *scale, bool back)
{
  for (size_t j = 0; j < t->n; j++) {
    const double by = back ? 1.0 / scale[j] : scale[j];  // powers of two
    for (size_t i = 0; i < t->forces; i++) t->force[i * t->n + j] *= by;
    for (size_t i = 0; i < t->ties; i++) t->tie[i * t->n + j] *= by;
  }
}

/// States in units in which the motion treats them alike: what is small is then judged by the motion, not by metres.
static amo_status balance(amo_linear_motion *t, double *scale)
{
  const size_t n = t->n;
  const amo_status st = amo_balance_scales(t->full, n, scale);
  for (size_t i = 0; st == AMO_OK && i < n; i++)
    for (size_t j = 0; j < n; j++) t->full[i * n + j] *= scale[j] / scale[i];
  if (st == AMO_OK) change_units(t, scale, false);
  return st;
}

static amo_status reduce(amo_linear_motion *t)
{
  size_t first = 0;
  const size_t n = t->n;
  double *z = amo_zalloc(2 * n * n + n, sizeof *z), *scale = z + n * n, *full = scale + n;
  if (!z) return AMO_ENOMEM;
  memcpy(full, t->full, n * n * sizeof *full);
  amo_status st = balance(t, scale);
  if (st == AMO_OK) st = reduce_ties(t, z, &first);
  t->locked = first;
  if (st == AMO_OK) st = drop_neutral(t, z, first);
  if (st == AMO_OK) change_units(t, scale, true);
  memcpy(t->full, full, n * n * sizeof *full);
  free(z);
  return st;
}

/// Room for all matrices, which are zero.
static amo_status new_motion(size_t states, size_t forces, size_t zeros, size_t locks,
                             amo_linear_motion **out)
{
  amo_linear_motion *t = *out = amo_zalloc(1, sizeof *t);
  if (!t) return AMO_ENOMEM;
  const size_t n = t->n = states;
  t->forces = forces;
  t->zeros = zeros;
  t->ties = zeros + locks;
  AMO_TAKE(&t->memory, double, n *n, &t->full, &t->reduced, &t->terms);
  AMO_TAKE(&t->memory, double, forces *n, &t->force);
  AMO_TAKE(&t->memory, double, t->ties *n, &t->tie);
  if (!t->memory.failed) return AMO_OK;
  amo_linear_motion_free(t);
  *out = NULL;
  return AMO_ENOMEM;
}

amo_status amo_linear_motion_full(amo_expansion *x, amo_linear_motion **out)
{
  const amo_model *m = x->m;
  amo_arena memory = {0};
  amo_ties ties;
  *out = NULL;
  amo_status st = amo_ties_new(m, &memory, &ties);
  if (st == AMO_OK) {
    amo_ties_of(&ties, m, x->mode);
    st = new_motion(2 * m->nq + m->nz, 3u * (size_t)m->nc, ties.zeros, ties.locks, out);
  }
  if (st == AMO_OK) {
    fill_columns(x, &ties, *out);
    fill_locks(x, &ties, *out);
  }
  amo_arena_free(&memory);
  return st;
}

/// What they know of forces: reactions and bounds.
static void take_derivatives(const amo_derivative *d, amo_linear_motion *t)
{
  const size_t ns = d->ns, each = ns * sizeof *t->full;
  memcpy(t->full, d->df, ns * each);
  amo_transpose(t->full, ns);
  for (size_t c = 0; c < d->m->nc; c++) {
    memcpy(t->force + 3 * c * ns, d->reaction[c].d, each);
    memcpy(t->force + (3 * c + 1) * ns, d->bound[c].d, each);
  }
  for (size_t k = 0; k < d->ties; k++) memcpy(t->tie + k * ns, d->tie[k].d, each);
}

static amo_status finish(amo_status st, amo_linear_motion **t)
{
  if (st == AMO_OK) st = reduce(*t);
  if (st == AMO_OK) return st;
  amo_linear_motion_free(*t);
  *t = NULL;
  return st;
}

amo_status amo_linear_motion_of(const amo_derivative *d, amo_linear_motion **out)
{
  const amo_status st = new_motion(d->ns, 3u * (size_t)d->m->nc, d->ties, 0, out);
  if (st == AMO_OK) take_derivatives(d, *out);
  return finish(st, out);
}

amo_status amo_linear_motion_make(amo_expansion *x, amo_linear_motion **out)
{
  return finish(amo_linear_motion_full(x, out), out);
}

// ---- slip stiffness ----

/// Rows of the slip of contact c over coordinates: one, or two along the axes.
static uint32_t slip_rows(const amo_expansion *x, uint32_t c, double *row)
{
  const amo_contact *k = &x->m->contact[c];
  const uint32_t nq = x->m->nq;
  memset(row, 0, 2 * nq * sizeof *row);
  for (uint32_t a = 0; a < amo_slip_rows(k); a++) {
    const amo_slip_axis s = amo_slip_row(k, a);
    for (uint32_t e = 0; e < s.nw; e++) row[a * nq + s.w[e].col] = amo_expansion_register(x, s.w[e].reg, 0);
  }
  return amo_slip_rows(k);
}

/// Virtual displacements that gaps, sticking contacts and constraints allow: columns of z from *first on.
static amo_status displacements(const amo_expansion *x, const amo_linear_motion *t, double *z, size_t *first)
{
  const size_t nq = x->m->nq, n = t->n;
  double *a = amo_zalloc(t->ties * nq, sizeof *a);
  if (!a) return AMO_ENOMEM;
  size_t rows = 0;
  for (size_t i = 0; i < t->ties; i++) {
    double size = 0.0;  // positions tied at a fixed velocity: rows that do not look at velocities
    for (size_t j = nq; j < 2 * nq; j++) size = fmax(size, fabs(t->tie[i * n + j]));
    if (size > 0.0) continue;
    memcpy(a + rows++ * nq, t->tie + i * n, nq * sizeof *a);
  }
  unit_rows(a, rows, nq);
  amo_status st = amo_null_space(a, rows, nq, AMO_FAINT, z, first);
  free(a);
  return st;
}

static void multiply_mass(const amo_expansion *x, const double *v, double *out)
{
  const amo_model *m = x->m;
  memset(out, 0, m->nq * sizeof *out);
  for (uint32_t e = 0; e < m->nmass; e++) {
    const amo_entry *me = &m->mass[e];
    double value = amo_expansion_register(x, me->reg, 0);
    out[me->row] += value * v[me->col];
    if (me->row != me->col) out[me->col] += value * v[me->row];
  }
}

/// Bordered system: displacement y within z, force f along the slip, z'(K z y - W' f) = 0 and W z y = unit slip.
static amo_status border(const amo_expansion *x, const amo_linear_motion *t, const double *row, uint32_t rows,
                         double s[4])
{
  const size_t nq = x->m->nq, n = t->n;
  size_t first = 0;
  amo_arena memory = {0};
  double *z, *acc, *force, *a, *b;
  AMO_TAKE(&memory, double, nq *nq, &z);
  AMO_TAKE(&memory, double, nq, &acc, &force);
  amo_status st = memory.failed ? AMO_ENOMEM : displacements(x, t, z, &first);
  const size_t free_count = nq - first, size = free_count + rows;
  AMO_TAKE(&memory, double, size *size, &a);
  AMO_TAKE(&memory, double, size *rows, &b);
  if (memory.failed) st = AMO_ENOMEM;
  for (size_t j = 0; st == AMO_OK && j < free_count; j++) {
    for (size_t i = 0; i < nq; i++) {
      acc[i] = 0.0;
      for (size_t k = 0; k < nq; k++) acc[i] -= t->full[(nq + i) * n + k] * z[k * nq + first + j];
    }
    multiply_mass(x, acc, force);
    for (size_t i = 0; i < free_count; i++)
      for (size_t k = 0; k < nq; k++) a[i * size + j] += z[k * nq + first + i] * force[k];
    for (size_t r = 0; r < rows; r++)
      for (size_t k = 0; k < nq; k++) {
        double w = row[r * nq + k] * z[k * nq + first + j];
        a[(free_count + r) * size + j] += w;
        a[j * size + free_count + r] -= w;
      }
  }
  for (size_t r = 0; st == AMO_OK && r < rows; r++) b[r * size + free_count + r] = 1.0;
  if (st == AMO_OK) st = amo_solve(a, size, b, rows);
  for (size_t i = 0; st == AMO_OK && i < rows; i++)
    for (size_t j = 0; j < rows; j++) s[i * rows + j] = b[j * size + free_count + i];
  amo_arena_free(&memory);
  return st;
}

amo_status amo_linear_motion_stiffness(const amo_expansion *x, const amo_linear_motion *t, uint32_t c,
                                       amo_slip_stiffness *out)
{
  const amo_contact *k = &x->m->contact[c];
  *out = (amo_slip_stiffness){NAN, NAN, NAN, NAN};
  if (x->mode[c] == 0 || x->mode[c] == AMO_MODE_OPEN) return AMO_OK;
  double *row = amo_zalloc(2 * (size_t)x->m->nq, sizeof *row), s[4] = {0};
  if (!row) return AMO_ENOMEM;
  uint32_t rows = slip_rows(x, c, row);
  amo_status st = border(x, t, row, rows, s);
  free(row);
  if (st == AMO_ENOANSWER) return AMO_OK;  // the slip cannot be moved on its own
  if (st != AMO_OK) return st;
  if (rows == 1) {
    out->X = out->D = s[0];
    return AMO_OK;
  }
  double a = amo_expansion_register(x, x->m->leaf.xi + k->xi, 0),
         b = amo_expansion_register(x, x->m->leaf.xi + k->xi + 1, 0);
  double along_x = a * (s[0] * a + s[1] * b) + b * (s[2] * a + s[3] * b);
  double across = -b * (s[0] * -b + s[1] * a) + a * (s[2] * -b + s[3] * a);
  double mixed1 = a * (s[0] * -b + s[1] * a) + b * (s[2] * -b + s[3] * a);
  double mixed2 = -b * (s[0] * a + s[1] * b) + a * (s[2] * a + s[3] * b);
  *out = (amo_slip_stiffness){along_x, across, mixed1 * mixed2, s[0] * s[3] - s[1] * s[2]};
  return AMO_OK;
}
