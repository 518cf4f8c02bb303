// SPDX-License-Identifier: Apache-2.0
#include "steady/relative.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/newton.h"
#include "num/orthogonal.h"

enum { MAX_ITERATIONS = 60 };

// Quantities f whose change along the motion must vanish: accelerations, rates of further states, stick forces, and what a
// switch that does not rest compares (it would switch some time).
static uint32_t carried(const amo_relative *r)
{
  return r->x->m->nq + r->x->m->nz + 2 * r->x->m->nc;
}

static double quantity(const amo_relative *r, uint32_t i, int k)
{
  const amo_model *m = r->x->m;
  if (i < m->nq + m->nz) return amo_expansion_rate(r->x, m->nq + i, k, 0);
  uint32_t c = (i - m->nq - m->nz) / 2, axis = (i - m->nq - m->nz) % 2;
  if (axis == 1 && !amo_turns(&m->contact[c])) return 0.0;
  if (r->x->mode[c] != 0)
    return m->contact[c].rest == AMO_SWITCHES ? amo_expansion_register(r->x, m->contact[c].r_slip, k) : 0.0;
  return amo_expansion_friction(r->x, c, axis, k);
}

/// Is quantity i itself zero, not only its change?
static bool vanishes(const amo_relative *r, uint32_t i)
{
  return r->settled && i >= r->x->m->nq && i < r->x->m->nq + r->x->m->nz;
}

amo_status amo_relative_new(amo_expansion *x, amo_arena *memory, amo_relative **out)
{
  const amo_model *m = x->m;
  amo_relative *r = *out = amo_arena_alloc(memory, sizeof *r);
  if (!r) return AMO_ENOMEM;
  r->x = x;
  r->n = 2 * m->nq + m->nz;
  size_t n = r->n, f = carried(r), most = m->nq + f + 4u * (size_t)m->nc + 2u * (size_t)m->ng;
  size_t big = most > n ? most : n;
  AMO_TAKE(memory, double, n, &r->dir, &r->move, &r->trial);
  AMO_TAKE(memory, double, f *n, &r->slope);
  AMO_TAKE(memory, double, most *n, &r->jac);
  AMO_TAKE(memory, double, 2 * big, &r->r, &r->step);
  AMO_TAKE(memory, double, 2 * f + 2 * n + most, &r->scratch);
  return amo_ties_new(m, memory, &r->ties);
}

static void take_direction(amo_relative *r)
{
  const amo_model *m = r->x->m;
  for (uint32_t i = 0; i < r->n; i++)
    r->dir[i] = i >= m->nq && i < 2 * m->nq ? 0.0 : amo_expansion_rate(r->x, i, 0, 0);
}

/// Accelerations, their change along the motion (as that of rates and stick forces), and what the mode holds.
static amo_status equations(amo_relative *r, double t, const double *state, const signed char *mode,
                            double *out)
{
  const amo_model *m = r->x->m;
  amo_status st = amo_expansion_at(r->x, t, state, mode);
  if (st != AMO_OK) return st;
  size_t row = 0;
  for (uint32_t i = 0; i < m->nq; i++) out[row++] = amo_expansion_rate(r->x, m->nq + i, 0, 0);
  for (uint32_t i = 0; i < r->ties.zeros; i++) out[row++] = amo_expansion_register(r->x, r->ties.zero[i], 0);
  take_direction(r);
  amo_expansion_along(r->x, r->dir, 1.0, 1);
  for (uint32_t i = 0; i < carried(r); i++) out[row++] = quantity(r, i, vanishes(r, i) ? 0 : 1);
  for (size_t i = 0; i < row; i++)
    if (!isfinite(out[i])) return AMO_ENOANSWER;
  return AMO_OK;
}

static void along(amo_relative *r, uint32_t j, double sign, int order)
{
  double *v = r->scratch;
  for (uint32_t i = 0; i < r->n; i++) v[i] = sign * r->dir[i];
  v[j] += 1.0;
  amo_expansion_along(r->x, v, sign, order);
}

/// D2f(e_j, d) = (f_2(e_j + d) - f_2(e_j - d))/2 from the second coefficients along two lines.
static void mixed_column(amo_relative *r, uint32_t j, double *out)
{
  const uint32_t f = carried(r);
  along(r, j, 1.0, 2);
  for (uint32_t i = 0; i < f; i++) out[i] = 0.5 * quantity(r, i, 2);
  along(r, j, -1.0, 2);
  for (uint32_t i = 0; i < f; i++) out[i] -= 0.5 * quantity(r, i, 2);
}

/// Change of the direction d = (u, 0, z') with state j, seen through the first derivatives.
static double turned(const amo_relative *r, uint32_t i, uint32_t j)
{
  const amo_model *m = r->x->m;
  const double *row = r->slope + (size_t)i * r->n;
  double sum = j >= m->nq && j < 2 * m->nq ? row[j - m->nq] : 0.0;
  for (uint32_t k = 0; k < m->nz; k++) sum += row[2 * m->nq + k] * r->slope[(size_t)(m->nq + k) * r->n + j];
  return sum;
}

static void first_derivatives(amo_relative *r)
{
  const uint32_t f = carried(r), n = r->n, zeros = r->ties.zeros;
  for (uint32_t j = 0; j < n; j++) {
    along(r, j, 0.0, 1);
    for (uint32_t i = 0; i < f; i++) r->slope[(size_t)i * n + j] = quantity(r, i, 1);
    for (uint32_t i = 0; i < zeros; i++)
      r->jac[(size_t)(r->x->m->nq + i) * n + j] = amo_expansion_register(r->x, r->ties.zero[i], 1);
  }
}

static void jacobian(amo_relative *r)
{
  const amo_model *m = r->x->m;
  const uint32_t f = carried(r), n = r->n, zeros = r->ties.zeros;
  double *mixed = r->scratch + n;
  first_derivatives(r);
  for (uint32_t j = 0; j < n; j++) {
    mixed_column(r, j, mixed);
    for (uint32_t i = 0; i < m->nq; i++) r->jac[(size_t)i * n + j] = r->slope[(size_t)i * n + j];
    for (uint32_t i = 0; i < f; i++)
      r->jac[(size_t)(m->nq + zeros + i) * n + j] =
          vanishes(r, i) ? r->slope[(size_t)i * n + j] : mixed[i] + turned(r, i, j);
  }
}

/// Size of the equations of the group that row i belongs to: accelerations together, their changes together, stick
/// forces together. A row that is zero but for rounding must not be blown up to the size of the others.
static double row_size(const amo_relative *r, size_t i)
{
  const amo_model *m = r->x->m;
  const size_t ties = m->nq + r->ties.zeros,
               start[] = {0, m->nq, ties, ties + m->nq, ties + m->nq + m->nz, r->rows};
  size_t g = 0;
  while (i >= start[g + 1]) g++;
  size_t from = g == 1 ? i : start[g], to = g == 1 ? i + 1 : start[g + 1];
  double size = 0.0;
  for (size_t k = from * r->n; k < to * r->n; k++) size = fmax(size, fabs(r->jac[k]));
  return size > 0.0 ? size : 1.0;
}

/// Smallest step that solves the linear equations in the sense of least squares.
static amo_status newton_step(amo_relative *r, const double *state)
{
  const size_t n = r->n, rows = r->rows;
  double *rhs = r->step, *column = r->scratch;
  double *a = amo_zalloc(rows * n, sizeof *a), longest = 0.0;
  if (!a) return AMO_ENOMEM;
  for (size_t j = 0; j < n; j++) column[j] = fmax(fabs(state[j]), 1.0);
  for (size_t i = 0; i < rows; i++) {
    double scale = 1.0 / row_size(r, i);
    for (size_t j = 0; j < n; j++) a[i * n + j] = r->jac[i * n + j] * column[j] * scale;
    rhs[i] = -r->r[i] * scale;
  }
  const amo_status st = amo_least_squares(a, rows, n, AMO_NOTHING, rhs, 1);
  for (size_t j = 0; j < n; j++) longest = fmax(longest, fabs(rhs[j]));
  for (size_t j = 0; j < n; j++)  // a step far beyond the size of the states leads nowhere
    rhs[j] *= column[j] * (longest > 10.0 ? 10.0 / longest : 1.0);
  free(a);
  return st;
}

/// Largest equation relative to the size of its group at states of this size.
static double measure(const amo_relative *r, const double *state)
{
  double worst = 0.0, size = 1e-3;
  for (uint32_t j = 0; j < r->n; j++) size = fmax(size, fabs(state[j]));
  for (size_t i = 0; i < r->rows; i++) worst = fmax(worst, fabs(r->r[i]) / (row_size(r, i) * size));
  return worst;
}

static double norm(const amo_relative *r, const double *f)
{
  double sum = 0.0;
  for (size_t i = 0; i < r->rows; i++) sum += pow(f[i] / row_size(r, i), 2);
  return sqrt(sum);
}

typedef struct place {  // of the equations: time and mode
  amo_relative *r;
  double t;
  const signed char *mode;
} place;

static amo_status look(void *ctx, const double *state, double *size)
{
  const place *p = ctx;
  const amo_status st = equations(p->r, p->t, state, p->mode, p->r->r);
  *size = norm(p->r, p->r->r);
  return st;
}

static amo_status step(void *ctx, const double *state, double *move, double *length, double *size)
{
  amo_relative *r = ((const place *)ctx)->r;
  jacobian(r);
  *size = norm(r, r->r);
  const amo_status st = newton_step(r, state);
  *length = 0.0;
  for (uint32_t j = 0; j < r->n; j++) *length = fmax(*length, fabs(r->step[j]) / fmax(fabs(state[j]), 1.0));
  memcpy(move, r->step, r->n * sizeof *move);
  return st;
}

/// Velocities and positions that are zero but for rounding, as zeros, where the equations are none the worse.
static void round_off(amo_relative *r, double t, double *state, const signed char *mode)
{
  double *there = r->r + (r->rows > r->n ? r->rows : r->n), size = 1e-6;
  for (uint32_t j = 0; j < r->n; j++) size = fmax(size, fabs(state[j]));
  for (uint32_t j = 0; j < r->n; j++) r->trial[j] = fabs(state[j]) < AMO_ROUNDED * size ? 0.0 : state[j];
  if (equations(r, t, r->trial, mode, there) == AMO_OK &&
      norm(r, there) <= norm(r, r->r) + AMO_CANCELLED * size)
    memcpy(state, r->trial, r->n * sizeof *state);
}

/// Is the start such a motion already, to rounding? First derivatives tell the sizes of the terms.
static bool is_there(amo_relative *r, const double *state)
{
  const amo_model *m = r->x->m;
  const uint32_t f = carried(r), n = r->n, zeros = r->ties.zeros;
  double size = 1e-300, speed = 1e-300, worst = 0.0;
  first_derivatives(r);
  for (uint32_t j = 0; j < n; j++) size = fmax(size, fabs(state[j])), speed = fmax(speed, fabs(r->dir[j]));
  double slope[2] = {1e-300, 1e-300};  // of accelerations and rates; of stick forces
  for (size_t i = 0; i < (size_t)f * n; i++)
    slope[i >= (size_t)(m->nq + m->nz) * n] =
        fmax(slope[i >= (size_t)(m->nq + m->nz) * n], fabs(r->slope[i]));
  for (uint32_t i = 0; i < m->nq; i++) worst = fmax(worst, fabs(r->r[i]) / (slope[0] * size));
  for (uint32_t i = 0; i < zeros; i++) worst = fmax(worst, fabs(r->r[m->nq + i]) / size);
  for (uint32_t i = 0; i < f; i++)
    worst =
        fmax(worst, fabs(r->r[m->nq + zeros + i]) / (slope[i >= m->nq + m->nz] * fmax(speed, 1e-3 * size)));
  r->residual = worst;
  return worst <= 8.0 * DBL_EPSILON;
}

amo_status amo_relative_find(amo_relative *r, double t, double *state, const signed char *mode)
{
  const amo_model *m = r->x->m;
  amo_ties_of(&r->ties, m, mode);
  r->rows = m->nq + r->ties.zeros + carried(r);
  amo_status st = equations(r, t, state, mode, r->r);
  r->iterations = 0;
  if (st == AMO_OK && is_there(r, state)) return AMO_OK;
  place at = {r, t, mode};
  amo_newton p = {look, step, &at, .n = r->n, .move = r->move, .trial = r->trial};
  p.enough = -1.0, p.still = 4.0 * DBL_EPSILON, p.crawl = AMO_SAME, p.ignored = AMO_ROUNDED;
  p.most = MAX_ITERATIONS, p.halvings = 19;
  if (st == AMO_OK) st = amo_newton_solve(&p, state);
  r->iterations = p.steps;
  if (st == AMO_OK || st == AMO_ENOANSWER) st = equations(r, t, state, mode, r->r);  // the residual tells
  if (st == AMO_OK) {
    jacobian(r);
    r->residual = measure(r, state);
  }
  if (st == AMO_OK && !(r->residual < AMO_SAME)) st = AMO_ENOANSWER;
  if (st == AMO_OK) round_off(r, t, state, mode);
  if (st == AMO_OK) {  // leave the expansion at the state, the direction with it
    st = equations(r, t, state, mode, r->r);
    r->residual = measure(r, state);
  }
  return st;
}

double amo_relative_drift(amo_relative *r, double rate)
{
  const uint32_t f = carried(r), n = r->n;
  double worst = 0.0;
  amo_expansion_along(r->x, r->dir, 1.0, r->x->order);
  for (uint32_t i = 0; i < f; i++) {
    double size = 1e-290, power = 1.0;
    for (uint32_t j = 0; j < n; j++) {
      size = fmax(size, fabs(r->slope[(size_t)i * n + j] * r->dir[j]) / rate);
      size = fmax(size, fabs(r->slope[(size_t)i * n + j]));
    }
    for (int k = 1; k <= r->x->order; k++) {
      power *= rate;
      worst = fmax(worst, fabs(quantity(r, i, k)) / (power * size));
    }
  }
  return worst;
}
