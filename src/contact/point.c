// SPDX-License-Identifier: Apache-2.0
/// The system evaluated at one state.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/decide.h"

amo_status amo_point_new(const amo_model *m, amo_point **out)
{
  *out = NULL;
  amo_point *p = calloc(1, sizeof *p);
  if (p == NULL) return AMO_ENOMEM;
  p->m = m;
  p->slack = 1e-12;
  p->reg = calloc(amo_prog_registers(m->step) + 1u, sizeof *p->reg);
  p->fixed = calloc((size_t)m->np + m->nc + 1u, sizeof *p->fixed);
  p->acc = calloc(m->nq + 1u, sizeof *p->acc);
  p->lambda = calloc(m->nc + 1u, sizeof *p->lambda);
  p->multiplier = calloc(m->ng + 1u, sizeof *p->multiplier);
  p->reaction = calloc(m->nc + 1u, sizeof *p->reaction);
  p->press = calloc(m->nc + 1u, sizeof *p->press);
  p->bare = calloc(m->nc + 1u, sizeof *p->bare);
  p->diagonal = calloc(m->nq + 1u, sizeof *p->diagonal);
  p->mirrored = calloc(m->nc + 1u, sizeof *p->mirrored);
  p->extra = calloc(m->nq + 1u, sizeof *p->extra);
  p->impulse = calloc(2u * m->nc + m->nxi + m->ng + 1u, sizeof *p->impulse);
  p->traction = calloc(m->nxi + 1u, sizeof *p->traction);
  p->xi = calloc(m->nxi + 1u, sizeof *p->xi);
  p->work = calloc(2u * (size_t)m->nc + m->nxi + m->ng + m->nq + 1u, sizeof *p->work);
  amo_status st = amo_balance_new(m, &p->balance);
  if (!p->reg || !p->fixed || !p->acc || !p->lambda || !p->multiplier || !p->diagonal || !p->work ||
      !p->mirrored || !p->extra || !p->impulse || !p->reaction || !p->press || !p->bare || !p->traction ||
      !p->xi)
    st = AMO_ENOMEM;
  if (st != AMO_OK) {
    amo_point_free(p);
    return st;
  }
  for (uint32_t i = 0; i < m->nmass; i++)
    if (m->mass[i].row == m->mass[i].col) p->diagonal[m->mass[i].row] = m->mass[i].reg;
  for (uint32_t i = 0; i < m->nxi; i += 2) p->xi[i] = 1.0;
  *out = p;
  return AMO_OK;
}

void amo_point_free(amo_point *p)
{
  if (p == NULL) return;
  free(p->reg);
  free(p->fixed);
  free(p->acc);
  free(p->lambda);
  free(p->multiplier);
  free(p->reaction);
  free(p->traction);
  free(p->xi);
  free(p->press);
  free(p->bare);
  free(p->diagonal);
  free(p->work);
  free(p->mirrored);
  free(p->extra);
  free(p->impulse);
  amo_balance_free(p->balance);
  free(p);
}

void amo_point_parameters(amo_point *p, const double *param)
{
  memcpy(p->reg + p->m->leaf.param, param, p->m->np * sizeof *param);
}

static void load_state(amo_point *p, double t, const double *state, const signed char *mode)
{
  const amo_model *m = p->m;
  p->reg[m->leaf.t] = t;
  memcpy(p->reg + m->leaf.q, state, m->nq * sizeof *state);
  memcpy(p->reg + m->leaf.u, state + m->nq, m->nq * sizeof *state);
  memcpy(p->reg + m->leaf.z, state + 2 * m->nq, m->nz * sizeof *state);
  for (uint32_t c = 0; c < m->nc; c++) p->reg[m->leaf.sigma + c] = amo_sigma(mode[c]);
  for (uint32_t i = 0; i < m->nxi; i++) p->reg[m->leaf.xi + i] = p->xi[i];
}

/// Are parameters and modes those of the last evaluation? Otherwise remember them.
static bool same_fixed(amo_point *p)
{
  const amo_model *m = p->m;
  const size_t np = m->np * sizeof(double), nc = m->nc * sizeof(double);
  const double *param = p->reg + m->leaf.param, *sigma = p->reg + m->leaf.sigma;
  if (p->prepared && memcmp(p->fixed, param, np) == 0 && memcmp(p->fixed + m->np, sigma, nc) == 0)
    return true;
  memcpy(p->fixed, param, np);
  memcpy(p->fixed + m->np, sigma, nc);
  p->prepared = true;
  return false;
}

/// Directions of slip from the slip velocities just evaluated. True if any is not as it was assumed.
static bool take_directions(amo_point *p)
{
  const amo_model *m = p->m;
  bool changed = false;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    if (!k->spatial) continue;
    const double x = p->reg[k->axis[0].r_slip], y = p->reg[k->axis[1].r_slip], speed = hypot(x, y);
    if (!(speed > 0.0)) continue;
    double *xi = p->reg + m->leaf.xi + k->xi;
    changed |= xi[0] != x / speed || xi[1] != y / speed;
    xi[0] = x / speed;
    xi[1] = y / speed;
  }
  return changed;
}

void amo_point_registers(amo_point *p, double t, const double *state, const signed char *mode)
{
  load_state(p, t, state, mode);
  if (!same_fixed(p)) amo_prog_prepare1(p->m->step, p->reg);
  amo_prog_eval1(p->m->step, p->reg, p->branch);
  if (p->m->nxi > 0 && take_directions(p)) amo_prog_eval1(p->m->step, p->reg, p->branch);
}

double amo_point_bound(const amo_point *p, uint32_t c)
{
  const amo_contact *k = &p->m->contact[c];
  return p->reg[k->r_bound] * (amo_has_gap(k) ? fabs(p->reaction[c]) : 1.0);
}

/// Plain models have their solution among the registers.
static amo_status solve_plain(amo_point *p, const double *extra)
{
  const amo_model *m = p->m;
  for (uint32_t q = 0; q < m->nq; q++) {
    if (!(p->reg[p->diagonal[q]] > 0.0)) return AMO_ENOANSWER;
    p->acc[q] = p->reg[m->r_acc[q]];
    if (extra != NULL) p->acc[q] += extra[q] / p->reg[p->diagonal[q]];
  }
  for (uint32_t c = 0; c < m->nc; c++) p->lambda[c] = p->reg[m->contact[c].r_stick];
  return AMO_OK;
}

/// Parallel sticking contacts hold together: each carries its share in proportion to what it can.
static void share_loads(amo_point *p)
{
  const amo_model *m = p->m;
  double ratio;
  for (uint32_t k = 0; k < m->nc; k++) {
    double own = amo_point_bound(p, k), capacity = own, total = p->lambda[k];
    bool shared = false;
    for (uint32_t c = 0; c < m->nc; c++)
      if (amo_balance_share(p->balance, c, &ratio) == (long)k) {
        capacity += fabs(ratio) * amo_point_bound(p, c);
        shared = true;
      }
    if (!shared || !(capacity > 0.0)) continue;
    p->lambda[k] = total * own / capacity;
    for (uint32_t c = 0; c < m->nc; c++)
      if (amo_balance_share(p->balance, c, &ratio) == (long)k)
        p->lambda[c] = (ratio > 0.0 ? total : -total) * amo_point_bound(p, c) / capacity;
  }
}

/// Forces of a contact that are not unknowns of the balance.
static void take_forces(amo_point *p, uint32_t c, signed char mode)
{
  const amo_contact *k = &p->m->contact[c];
  if (!amo_has_gap(k)) {
    p->reaction[c] = p->reg[k->r_normal];
    if (mode != 0) p->lambda[c] = -mode * p->reg[k->r_kinetic];
  } else if (mode == AMO_MODE_OPEN) {
    p->reaction[c] = p->lambda[c] = 0.0;
  }
  if (!k->spatial) return;
  double *f = p->traction + k->xi;
  if (mode == 0)
    p->lambda[c] = hypot(f[0], f[1]);
  else
    for (uint32_t a = 0; a < 2; a++) f[a] = p->lambda[c] * p->reg[p->m->leaf.xi + k->xi + a];
}

amo_status amo_point_solve(amo_point *p, const signed char *mode, const double *extra)
{
  const amo_model *m = p->m;
  if (m->plain) {
    amo_status st = solve_plain(p, extra);
    if (st != AMO_OK) return st;
  } else {
    amo_balance_arrange(p->balance, mode, p->press);
    amo_span v = {p->reg, 1, 0};
    amo_status st = amo_balance_factor(p->balance, v);
    if (st != AMO_OK) return st;
    amo_balance_solve(
        p->balance, v,
        (amo_result){p->acc, p->lambda, p->multiplier, p->reaction, p->traction, 1, 0, extra, NULL}, 0);
  }
  for (uint32_t c = 0; c < m->nc; c++) take_forces(p, c, mode[c]);
  if (!m->plain && m->nc > 1) share_loads(p);
  return AMO_OK;
}

amo_status amo_point_project(amo_point *p, const signed char *mode, amo_rates violation, double *du)
{
  const amo_model *m = p->m;
  if (!m->plain) {
    amo_balance_arrange(p->balance, mode, p->bare);
    const amo_span v = {p->reg, 1, 0};
    amo_status st = amo_balance_factor(p->balance, v);
    if (st != AMO_OK) return st;
    double *lambda = p->impulse, *reaction = lambda + m->nc, *traction = reaction + m->nc;
    const amo_result r = {du, lambda, traction + m->nxi, reaction, traction, 1, 0, NULL, &violation};
    amo_balance_solve(p->balance, v, r, 0);
    return AMO_OK;
  }
  memset(du, 0, m->nq * sizeof *du);
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_entry *w = m->contact[c].w;
    if (violation.slip[c] != 0.0) du[w->col] = -violation.slip[c] / p->reg[w->reg];
  }
  return AMO_OK;
}

bool amo_point_indeterminate(const amo_point *p, uint32_t c)
{
  return !p->m->plain && amo_balance_indeterminate(p->balance, c);
}

/// A trial step may run past the end of a slip. Friction then keeps its direction, and its curve is read at
/// |slip|, since laws need not exist for negative speeds. True if any contact needs it.
static bool mirror(amo_point *p, double t, const double *state, const signed char *mode)
{
  const amo_model *m = p->m;
  bool any = false;
  for (uint32_t c = 0; c < m->nc; c++) {
    bool past = m->contact[c].kind == AMO_PRESSED && mode[c] * p->reg[m->contact[c].r_slip] < 0.0;
    p->mirrored[c] = (signed char)(past ? -mode[c] : mode[c]);
    any |= past;
  }
  if (!any) return false;
  amo_point_registers(p, t, state, p->mirrored);
  memset(p->extra, 0, m->nq * sizeof *p->extra);
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    double more = (p->mirrored[c] - mode[c]) * p->reg[k->r_kinetic];
    for (uint32_t e = 0; p->mirrored[c] != mode[c] && e < k->nw; e++)
      p->extra[k->w[e].col] += p->reg[k->w[e].reg] * more;
  }
  return true;
}

amo_status amo_point_evaluate(amo_point *p, double t, const double *state, const signed char *mode)
{
  amo_point_registers(p, t, state, mode);
  bool past = mirror(p, t, state, mode);
  return amo_point_solve(p, mode, past ? p->extra : NULL);
}

double amo_point_slip_acceleration(const amo_point *p, uint32_t c)
{
  const amo_contact *k = &p->m->contact[c];
  double a = p->reg[k->r_zeta];
  for (uint32_t e = 0; e < k->nw; e++) a += p->reg[k->w[e].reg] * p->acc[k->w[e].col];
  return a;
}

double amo_point_acceleration_scale(const amo_point *p, uint32_t c)
{
  const amo_contact *k = &p->m->contact[c];
  double g = 0.0;
  for (uint32_t e = 0; e < k->nw; e++) {
    double w = p->reg[k->w[e].reg], mass = p->reg[p->diagonal[k->w[e].col]];
    if (mass > 0.0) g += w * w / mass;
  }
  return g * fabs(amo_point_bound(p, c));
}
