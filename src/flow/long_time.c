// SPDX-License-Identifier: Apache-2.0
#include "flow/long_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flow/trial.h"
#include "num/solve.h"

/// The matrices of free flight for one set of parameters, and what follows from them.
struct amo_long_time {
  double *reg;    // of the program
  double *param;  // [np] of which they are
  bool known, usable;
  double *factor;          // [nq][nq] Cholesky factor of K
  double *speed, *offset;  // [nq] quasi-static motion: offset + speed t
  double *reach;           // [nc] n K^-1 n
  double *work;            // [2 nq]
  amo_footing *footing;    // [nc]
};

amo_status amo_long_time_new(const amo_model *m, amo_arena *memory, struct amo_long_time **out)
{
  const size_t n = m->nq + 1u, nc = m->nc + 1u;
  struct amo_long_time *w = *out = amo_arena_alloc(memory, sizeof *w);
  if (w == NULL) return AMO_ENOMEM;
  const bool linear = m->flight != NULL && m->flight->linear;
  AMO_TAKE(memory, double, linear ? amo_prog_registers(m->flight->prog) + 1u : 1u, &w->reg);
  AMO_TAKE(memory, double, m->np + 1u, &w->param);
  AMO_TAKE(memory, double, n *n, &w->factor);
  AMO_TAKE(memory, double, n, &w->speed, &w->offset);
  AMO_TAKE(memory, double, 2 * n, &w->work);
  AMO_TAKE(memory, double, nc, &w->reach);
  AMO_TAKE(memory, amo_footing, nc, &w->footing);
  return memory->failed ? AMO_ENOMEM : AMO_OK;
}

// ---- flight ----

static double part(const amo_flow *f, size_t root)
{
  return f->fate->reg[f->m->flight->reg[root]];
}

/// Cholesky factor of the symmetric matrix at `root`, shifted by `shift`; false if it is not positive definite.
static bool factor(const amo_flow *f, size_t root, double shift, double *a)
{
  const uint32_t n = f->m->nq;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j <= i; j++)
      a[i * n + j] = 0.5 * (part(f, root + i * n + j) + part(f, root + j * n + i)) + (i == j ? shift : 0.0);
  return amo_cholesky(a, n, 0.0) == n;
}

/// x = K^-1 x
static void solve(const amo_flow *f, double *x)
{
  const uint32_t n = f->m->nq;
  const double *a = f->fate->factor;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < i; k++) x[i] -= a[i * n + k] * x[k];
    x[i] /= a[i * n + i];
  }
  for (uint32_t i = n; i-- > 0;) {
    for (uint32_t k = i + 1; k < n; k++) x[i] -= a[k * n + i] * x[k];
    x[i] /= a[i * n + i];
  }
}

/// Damping must not feed energy in; K must be symmetric and hold.
static bool dissipates(const amo_flow *f)
{
  const uint32_t n = f->m->nq;
  double size = 0.0;
  for (size_t i = 0; i < (size_t)n * n; i++) size = fmax(size, fabs(part(f, f->m->flight->damping + i)));
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < i; j++) {
      const double a = part(f, f->m->flight->stiffness + i * n + j),
                   b = part(f, f->m->flight->stiffness + j * n + i);
      if (fabs(a - b) > AMO_NOTHING * (fabs(a) + fabs(b))) return false;
    }
  return size == 0.0 || factor(f, f->m->flight->damping, AMO_NOTHING * size, f->fate->factor);
}

/// Matrices for the lane's parameters.
static void prepare(amo_flow *f, int lane)
{
  const amo_model *m = f->m;
  const amo_flight *g = m->flight;
  struct amo_long_time *w = f->fate;
  bool same = w->known;
  for (uint32_t i = 0; i < m->np; i++) {
    const double x = f->param[i * (uint32_t)f->W + (uint32_t)lane];
    same &= w->param[i] == x;
    w->param[i] = x;
  }
  if (same) return;
  memcpy(w->reg + m->leaf.param, w->param, m->np * sizeof *w->reg);
  amo_prog_prepare1(g->prog, w->reg);
  amo_prog_eval1(g->prog, w->reg, NULL);
  w->known = true;
  w->usable = dissipates(f) && factor(f, g->stiffness, 0.0, w->factor);
  if (!w->usable) return;
  const uint32_t n = m->nq;
  for (uint32_t i = 0; i < n; i++) w->speed[i] = part(f, g->force_rate + i);
  solve(f, w->speed);
  for (uint32_t i = 0; i < n; i++) {
    w->offset[i] = part(f, g->force + i);
    for (uint32_t j = 0; j < n; j++) w->offset[i] -= part(f, g->damping + i * n + j) * w->speed[j];
  }
  solve(f, w->offset);
  for (uint32_t c = 0; c < m->nc; c++) {
    for (uint32_t i = 0; i < n; i++) w->work[i] = part(f, g->normal + c * n + i);
    solve(f, w->work);
    w->reach[c] = 0.0;
    for (uint32_t i = 0; i < n; i++) w->reach[c] += part(f, g->normal + c * n + i) * w->work[i];
  }
}

/// Twice the energy of the motion about the quasi-static one; it never grows.
static double deviation_energy(const amo_flow *f, const amo_lane *l)
{
  const uint32_t n = f->m->nq;
  const struct amo_long_time *w = f->fate;
  double *dq = w->work, *du = w->work + n, sum = 0.0;
  for (uint32_t i = 0; i < n; i++) {
    dq[i] = l->y[i] - w->offset[i] - w->speed[i] * l->t;
    du[i] = l->y[n + i] - w->speed[i];
  }
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      sum += du[i] * part(f, f->m->flight->mass + i * n + j) * du[j] +
             dq[i] * part(f, f->m->flight->stiffness + i * n + j) * dq[j];
  return sum;
}

static bool flies_for_ever(amo_flow *f, int lane)
{
  const amo_model *m = f->m;
  const amo_lane *l = &f->lane[lane];
  if (m->flight == NULL || !m->flight->linear) return false;
  prepare(f, lane);
  if (!f->fate->usable) return false;
  const double energy = deviation_energy(f, l);
  for (uint32_t c = 0; c < m->nc; c++) {
    double gap = part(f, m->flight->gap + c) + part(f, m->flight->gap_rate + c) * l->t;
    double rate = part(f, m->flight->gap_rate + c);
    for (uint32_t i = 0; i < m->nq; i++) {
      const double n = part(f, m->flight->normal + c * m->nq + i);
      gap += n * (f->fate->offset[i] + f->fate->speed[i] * l->t);
      rate += n * f->fate->speed[i];
    }
    if (!(rate >= 0.0 && gap > 0.0 && gap * gap > energy * f->fate->reach[c])) return false;
  }
  return true;
}

static double *copy_parts(const amo_flow *f, size_t root, size_t n, double *out)
{
  for (size_t i = 0; i < n; i++) *out++ = part(f, root + i);
  return out;
}

size_t amo_flow_flight_size(const amo_model *m)
{
  const size_t n = m->nq, nc = m->nc;
  return 2 * n + nc + 2 * n * n + 2 * nc + nc * n;
}

bool amo_flow_flight(amo_flow *f, int lane, double *out)
{
  const amo_model *m = f->m;
  const struct amo_long_time *w = f->fate;
  const size_t n = m->nq, nc = m->nc;
  if (w == NULL || m->flight == NULL || !m->flight->linear) return false;
  prepare(f, lane);
  if (!w->usable) return false;
  memcpy(out, w->offset, n * sizeof *out), out += n;
  memcpy(out, w->speed, n * sizeof *out), out += n;
  memcpy(out, w->reach, nc * sizeof *out), out += nc;
  out = copy_parts(f, m->flight->mass, n * n, out);
  out = copy_parts(f, m->flight->stiffness, n * n, out);
  out = copy_parts(f, m->flight->gap, nc, out);
  out = copy_parts(f, m->flight->gap_rate, nc, out);
  (void)copy_parts(f, m->flight->normal, nc * n, out);
  return true;
}

// ---- rest ----

/// Coefficients beyond the first are nothing.
static bool grows_linearly(const double *series, int order)
{
  double size = fabs(series[0]) + fabs(series[1]);
  for (int k = 2; k < order; k++)
    if (fabs(series[k]) > AMO_CANCELLED * size) return false;
  return true;
}

/// Nothing moves, and the load on contact c grows in a direction within its cone.
static bool holds_for_ever(const amo_flow *tr, uint32_t c)
{
  const amo_contact *k = &tr->m->contact[c];
  const double *r = tr->reaction + c * amo_flow_item(tr), *bound = tr->watch[c].bound;
  const double *x = tr->lambda + c * amo_flow_item(tr), *y = NULL;
  if (!amo_can_open(k) || !tr->watch[c].bound_fixed || !grows_linearly(r, tr->P)) return false;
  if (amo_turns(k)) {
    x = tr->traction + k->xi * amo_flow_item(tr);
    y = x + amo_flow_item(tr);
  }
  if (!grows_linearly(x, tr->P) || (y != NULL && !grows_linearly(y, tr->P))) return false;
  return hypot(x[1], y != NULL ? y[1] : 0.0) <= bound[0] * r[1] * (1.0 + AMO_NOTHING);
}

static bool rests_for_ever(amo_flow *f, int lane)
{
  const amo_model *m = f->m;
  const amo_lane *l = &f->lane[lane];
  for (uint32_t i = 0; i < m->nq; i++)
    if (l->y[m->nq + i] != 0.0) return false;
  for (uint32_t c = 0; c < m->nc; c++) f->fate->footing[c] = (amo_footing){true, true, true};
  if (amo_trial_run(f, lane, l->mode, l->reaction_sign, f->fate->footing, AMO_ALL_ORDERS) != AMO_OK)
    return false;
  for (uint32_t i = 0; i < m->nq; i++)
    for (int k = 1; k <= f->trial->P; k++)
      if (f->trial->state[m->nq + i][k] != 0.0) return false;
  for (uint32_t c = 0; c < m->nc; c++)
    if (!holds_for_ever(f->trial, c)) return false;
  return true;
}

amo_fate_kind amo_flow_long_time(amo_flow *f, int lane)
{
  const amo_lane *l = &f->lane[lane];
  bool open = f->fate != NULL && f->m->nc > 0 && f->m->nz == 0 && f->nsw == 0, stick = open;
  for (uint32_t c = 0; c < f->m->nc; c++) {
    open &= l->mode[c] == AMO_MODE_OPEN;
    stick &= l->mode[c] == 0;
  }
  if (open && flies_for_ever(f, lane)) return AMO_FATE_OPEN;
  if (stick && rests_for_ever(f, lane)) return AMO_FATE_STICK;
  return AMO_FATE_UNDECIDED;
}
