// SPDX-License-Identifier: Apache-2.0
/// The system evaluated at one state.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/joints.h"
#include "contact/point.h"
#include "contact/balance_cache.h"
#include "num/rounding.h"

enum { KEPT = 8 };  // modes whose balances are kept

amo_status amo_point_new(const amo_model *m, amo_point **out)
{
  *out = NULL;
  amo_point *p = calloc(1, sizeof *p);
  if (p == NULL) return AMO_ENOMEM;
  p->m = m;
  p->slack = AMO_NOTHING;
  AMO_TAKE(&p->memory, double, amo_prog_registers(m->step), &p->reg);
  AMO_TAKE(&p->memory, double, (size_t)m->np + m->nc, &p->fixed);
  AMO_TAKE(&p->memory, double, m->nq, &p->acc, &p->extra);
  AMO_TAKE(&p->memory, double, m->nc, &p->lambda, &p->reaction);
  AMO_TAKE(&p->memory, double, m->ng, &p->multiplier);
  AMO_TAKE(&p->memory, signed char, m->nc, &p->reaction_sign, &p->bare, &p->mirrored);
  AMO_TAKE(&p->memory, uint32_t, m->nq, &p->diagonal);
  AMO_TAKE(&p->memory, double, 2u * m->nc + m->nxi + m->ng, &p->impulse);
  AMO_TAKE(&p->memory, double, m->nxi, &p->traction, &p->xi);
  AMO_TAKE(&p->memory, double, 2u * (size_t)m->nc + m->nxi + m->ng + 3u * m->nq, &p->work);
  amo_status st = amo_balance_cache_applies(m) ? amo_balance_cache_new(m, KEPT, &p->kept)
                                               : amo_balance_new(m, &p->balance);
  if (st == AMO_OK) st = amo_joints_new(m, &p->joints);
  if (p->memory.failed) st = AMO_ENOMEM;
  if (st != AMO_OK) {
    amo_point_free(p);
    return st;
  }
  if (p->kept != NULL) p->balance = amo_balance_cache_balance(p->kept, 0);
  for (uint32_t i = 0; i < m->nmass; i++)
    if (m->mass[i].row == m->mass[i].col) p->diagonal[m->mass[i].row] = m->mass[i].reg;
  for (uint32_t i = 0; i < m->nxi; i += 2) p->xi[i] = 1.0;
  *out = p;
  return AMO_OK;
}

void amo_point_free(amo_point *p)
{
  if (p == NULL) return;
  if (p->kept == NULL) amo_balance_free(p->balance);
  amo_balance_cache_free(p->kept);
  amo_joints_free(p->joints);
  amo_arena_free(&p->memory);
  free(p);
}

void amo_point_parameters(amo_point *p, const double *param)
{
  memcpy(p->reg + p->m->leaf.param, param, p->m->np * sizeof *param);
}

/// Copy; has any bit changed?
static bool take(double *to, const double *from, size_t n)
{
  size_t same = 0;
  while (same < n && memcmp(&to[same], &from[same], sizeof *to) == 0) same++;
  for (size_t i = same; i < n; i++) to[i] = from[i];
  return same < n;
}

/// False if the point has just been evaluated there.
static bool load_state(amo_point *p, double t, const double *state, const signed char *mode)
{
  const amo_model *m = p->m;
  bool moved = take(p->reg + m->leaf.t, &t, 1);
  moved |= take(p->reg + amo_state_leaf(m, 0), state, 2 * m->nq + m->nz);
  for (uint32_t c = 0; c < m->nc; c++) p->reg[m->leaf.sigma + c] = amo_sigma(mode[c]);
  for (uint32_t i = 0; i < m->nxi; i++) p->reg[m->leaf.xi + i] = p->xi[i];
  return moved || m->nxi > 0 || amo_prog_switches(m->step) > 0;
}

/// Are parameters and modes those of the last evaluation? Otherwise remember them.
static bool same_fixed(amo_point *p)
{
  const amo_model *m = p->m;
  const bool before = p->prepared;
  bool changed = take(p->fixed, p->reg + m->leaf.param, m->np);
  changed |= take(p->fixed + m->np, p->reg + m->leaf.sigma, m->nc);
  p->prepared = true;
  return before && !changed;
}

/// Directions of slip from the slip velocities just evaluated. True if any is not as it was assumed.
static bool take_directions(amo_point *p)
{
  const amo_model *m = p->m;
  bool changed = false;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    if (!amo_turns(k)) continue;
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
  const bool moved = load_state(p, t, state, mode);
  if (!same_fixed(p))
    amo_prog_prepare1(p->m->step, p->reg);
  else if (!moved)
    return;
  amo_prog_eval1(p->m->step, p->reg, p->branch);
  if (p->m->nxi > 0 && take_directions(p)) amo_prog_eval1(p->m->step, p->reg, p->branch);
}

double amo_point_rate(const amo_point *p, uint32_t i)
{
  const uint32_t nq = p->m->nq;
  return i >= nq && i < 2 * nq ? p->acc[i - nq] : p->reg[amo_rate_register(p->m, i)];
}

double amo_point_bound(const amo_point *p, uint32_t c)
{
  const amo_contact *k = &p->m->contact[c];
  return p->reg[k->r_bound] * (amo_has_gap(k) ? fabs(p->reaction[c]) : 1.0);
}

long amo_undefined_at(const amo_model *m, const double *reg, size_t stride)
{
  for (uint32_t q = 0; q < m->nq; q++)
    if (!isfinite(reg[m->r_h[q] * stride])) return (long)q;
  for (uint32_t c = 0; c < m->nc; c++)
    if (isnan(reg[amo_bound_register(&m->contact[c]) * stride])) return (long)(m->nq + c);
  return -1;
}

void amo_undefined_name(const amo_model *m, long what, char *text, size_t size)
{
  if (what < (long)m->nq)
    snprintf(text, size, "the force on %s", m->sym.q[what].name);
  else
    snprintf(text, size, "the friction of contact %s", m->contact[what - (long)m->nq].sym.name);
}

long amo_point_lawless(const amo_point *p)
{
  for (uint32_t c = 0; c < p->m->nc; c++)
    if (p->m->contact[c].rest == AMO_UNKNOWN && p->reg[p->m->contact[c].r_slip] == 0.0) return (long)c;
  return -1;
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
  return AMO_OK;
}

/// Forces of a contact that are not unknowns of the balance.
static void take_forces(amo_point *p, uint32_t c, signed char mode)
{
  const amo_contact *k = &p->m->contact[c];
  if (!amo_has_gap(k)) {
    p->reaction[c] = p->reg[k->r_reaction];
    if (p->m->plain || amo_is_massless(k)) p->lambda[c] = p->reg[k->r_stick];
    if (mode != 0) p->lambda[c] = -amo_sigma(mode) * p->reg[k->r_kinetic];
  } else if (mode == AMO_MODE_OPEN) {
    p->reaction[c] = p->lambda[c] = 0.0;
  }
  if (!amo_turns(k)) return;
  double *f = p->traction + k->xi;
  if (mode == 0)
    p->lambda[c] = hypot(f[0], f[1]);
  else
    for (uint32_t a = 0; a < 2; a++) f[a] = p->lambda[c] * p->reg[p->m->leaf.xi + k->xi + a];
}

amo_status amo_point_arrange(amo_point *p, const signed char *mode, const signed char *reaction_sign)
{
  const amo_span v = {p->reg, 1, 0};
  if (p->kept == NULL) {
    amo_balance_arrange(p->balance, mode, reaction_sign);
    return amo_balance_factor(p->balance, v);
  }
  const int i = amo_balance_cache_find(p->kept, mode, reaction_sign, v, NULL, 0);
  p->balance = amo_balance_cache_balance(p->kept, i);
  return amo_balance_cache_factor(p->kept, i, v);
}

void amo_point_clear_joints(amo_point *p)
{
  if (p->joints == NULL) return;
  amo_joints_clear(p->m, p->reg, (amo_span){p->reg, 1, 0}, 0);
  amo_prog_eval1(p->m->step, p->reg, p->branch);
}

/// The normal forces of joints from the balance without them, and then the balance with them.
static amo_status press_joints(amo_point *p, const signed char *mode, amo_span v, amo_result r)
{
  amo_status st = amo_joints_find(p->joints, p->balance, p->reg, v, r, mode, NULL, 0);
  if (st != AMO_OK) return st;
  amo_prog_eval1(p->m->step, p->reg, p->branch);
  amo_balance_solve(p->balance, v, r, 0);
  return AMO_OK;
}

/// Do joints that stick carry other normal forces in this share than those it was made for? The registers then know them.
static bool joints_differ(amo_point *p, const signed char *mode, amo_span v, amo_result r)
{
  if (p->joints == NULL || !amo_balance_is_open(p->balance)) return false;
  if (!(amo_joints_follow(p->joints, p->balance, p->reg, v, r, mode, 1) > AMO_CANCELLED)) return false;
  amo_prog_eval1(p->m->step, p->reg, p->branch);
  return true;
}

amo_status amo_point_solve(amo_point *p, const signed char *mode, const double *extra)
{
  const amo_model *m = p->m;
  if (m->plain) {
    amo_status st = solve_plain(p, extra);
    if (st != AMO_OK) return st;
  } else {
    amo_point_clear_joints(p);
    amo_status st = amo_point_arrange(p, mode, p->reaction_sign);
    if (st != AMO_OK) return st;
    const amo_span v = {p->reg, 1, 0};
    const amo_result r = {p->acc, p->lambda, p->multiplier, p->reaction, p->traction,
                          1,      0,         extra,         NULL,        NULL};
    amo_balance_solve(p->balance, v, r, 0);
    if (p->joints != NULL) st = press_joints(p, mode, v, r);
    if (st != AMO_OK) return st;
    st = amo_balance_share_out(p->balance, v, r, 1, p->stressed);
    for (int pass = 0; st == AMO_OK && pass < AMO_SHARES && joints_differ(p, mode, v, r); pass++)
      st = amo_balance_share_out(p->balance, v, r, 1, p->stressed);
    if (st != AMO_OK) return st;
  }
  for (uint32_t c = 0; c < m->nc; c++) take_forces(p, c, mode[c]);
  return AMO_OK;
}

amo_status amo_point_project(amo_point *p, const signed char *mode, amo_rates violation, double *du)
{
  const amo_model *m = p->m;
  if (!m->plain) {
    amo_status st = amo_point_arrange(p, mode, p->bare);
    if (st != AMO_OK) return st;
    double *lambda = p->impulse, *reaction = lambda + m->nc, *traction = reaction + m->nc;
    const amo_result r = {du, lambda, traction + m->nxi, reaction, traction, 1, 0, NULL, &violation, NULL};
    amo_balance_solve(p->balance, (amo_span){p->reg, 1, 0}, r, 0);
    return AMO_OK;
  }
  memset(du, 0, m->nq * sizeof *du);
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_entry *w = m->contact[c].w;
    if (m->contact[c].nw > 0 && violation.slip[c] != 0.0) du[w->col] = -violation.slip[c] / p->reg[w->reg];
  }
  return AMO_OK;
}

double amo_point_ease(amo_point *p, const signed char *mode, uint32_t c)
{
  const amo_model *m = p->m;
  const amo_contact *k = &m->contact[c];
  double *none = p->work, *du = none + 2u * m->nc + m->nxi + m->ng, *lambda = p->impulse;
  double *reaction = lambda + m->nc, *traction = reaction + m->nc;
  const amo_rates still = {none, none, none, none};
  if (m->plain || amo_point_arrange(p, mode, p->bare) != AMO_OK) return 0.0;
  memset(none, 0, (2u * (size_t)m->nc + m->nxi + m->ng + m->nq) * sizeof *none);
  memset(p->extra, 0, m->nq * sizeof *p->extra);
  for (uint32_t e = 0; e < k->nw; e++) p->extra[k->w[e].col] = p->reg[k->w[e].reg];
  const amo_result r = {du, lambda, traction + m->nxi, reaction, traction, 1, 0, p->extra, &still, NULL};
  amo_balance_solve(p->balance, (amo_span){p->reg, 1, 0}, r, 0);
  return amo_along(p, k->w, k->nw, du);
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
    const bool past =
        amo_reads_speed(&m->contact[c]) && amo_sigma(mode[c]) * p->reg[m->contact[c].r_slip] < 0.0;
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
  return p->reg[k->r_zeta] + amo_along(p, k->w, k->nw, p->acc);
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
