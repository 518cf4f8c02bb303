// SPDX-License-Identifier: Apache-2.0
#include "contact/decide.h"

#include <math.h>
#include <string.h>

/// Does a sticking contact that others hold, or drive, begin to slip with them? *to: the way.
static bool runs_away(const amo_point *p, uint32_t c, signed char *to)
{
  const amo_contact *k = &p->m->contact[c];
  if (p->m->plain || !amo_balance_dependent(p->balance, c)) return false;
  const double accel = amo_point_slip_acceleration(p, c);
  double size = fabs(p->reg[k->r_zeta]);
  for (uint32_t e = 0; e < k->nw; e++) size += fabs(p->reg[k->w[e].reg] * p->acc[k->w[e].col]);
  *to = (signed char)((accel > 0.0) - (accel < 0.0));
  return fabs(accel) > AMO_FAINT * size;
}

/// Does the evaluated point contradict the mode of contact c? If so, *better is the mode to try.
/// Slack is relative to the friction bound: a decision depends on forces, never on a speed.
static bool contradicts(const amo_point *p, uint32_t c, const signed char *mode, signed char *better)
{
  if (mode[c] == 0) {
    double bound = amo_point_bound(p, c), f = p->lambda[c];
    if (runs_away(p, c, better)) return true;
    if (amo_point_indeterminate(p, c)) return false;
    *better = f > 0.0 ? -1 : 1;
    return fabs(f) > bound * (1.0 + p->slack);
  }
  double slack = p->slack * amo_point_acceleration_scale(p, c);
  *better = 0;
  return mode[c] * amo_point_slip_acceleration(p, c) < -slack;
}

/// How far beyond its bound a sticking contact is.
static double excess(const amo_point *p, uint32_t c)
{
  double bound = amo_point_bound(p, c);
  return bound > 0.0 ? fabs(p->lambda[c]) / bound : INFINITY;
}

/// Change contradicting contacts. Those that arrive or leave come first; a resting one is released only when
/// they agree with each other, and then the one that is furthest beyond its bound: static friction holds as
/// long as it can. All of the first kind change at once in the first rounds (fast for simultaneous events
/// of many), later one at a time.
static bool improve(const amo_point *p, const amo_standing *standing, signed char *mode, int round)
{
  bool changed = false;
  long worst = -1;
  signed char better, worst_mode = 0;
  for (uint32_t c = 0; c < p->m->nc; c++) {
    if (standing[c] == AMO_MOVING || !contradicts(p, c, mode, &better)) continue;
    if (standing[c] == AMO_RESTING && mode[c] == 0) {
      if (worst < 0 || excess(p, c) > excess(p, (uint32_t)worst)) {
        worst = (long)c;
        worst_mode = better;
      }
      continue;
    }
    mode[c] = better;
    changed = true;
    if (round >= 3) break;
  }
  if (changed || worst < 0) return changed;
  mode[worst] = worst_mode;
  return true;
}

static bool consistent(const amo_point *p, const amo_standing *standing, const signed char *mode)
{
  signed char better;
  for (uint32_t c = 0; c < p->m->nc; c++)
    if (standing[c] != AMO_MOVING && contradicts(p, c, mode, &better)) return false;
  return true;
}

/// All 3^n combinations of the undecided contacts, for the rare case that the changes above go in circles.
/// Kept is the one that releases the fewest resting contacts.
static amo_status enumerate(amo_point *p, double t, const double *state, const amo_standing *standing,
                            signed char *mode)
{
  const amo_model *m = p->m;
  long total = 1, best = -1;
  uint32_t least = UINT32_MAX;
  for (uint32_t c = 0; c < m->nc; c++) {
    if (standing[c] != AMO_MOVING) total *= 3;
    if (total > 60000) return AMO_ELIMIT;
  }
  for (long code = 0; code <= total; code++) {
    if (code == total && best < 0) return AMO_ENOANSWER;
    long rest = code == total ? best : code;  // last: back to the best
    uint32_t released = 0;
    for (uint32_t c = 0; c < m->nc; c++) {
      if (standing[c] == AMO_MOVING) continue;
      mode[c] = (signed char)(rest % 3 == 2 ? -1 : rest % 3);
      released += standing[c] == AMO_RESTING && mode[c] != 0;
      rest /= 3;
    }
    amo_status st = amo_point_evaluate(p, t, state, mode);
    if (st == AMO_ENOANSWER && code < total) continue;  // no forces belong to these modes
    if (st != AMO_OK) return st;
    if (code < total && released < least && consistent(p, standing, mode)) {
      best = code;
      least = released;
    }
  }
  return AMO_OK;
}

void amo_reset_memory(const amo_point *p, double *state, uint32_t contact)
{
  const amo_model *m = p->m;
  for (uint32_t i = 0; i < m->nz; i++)
    if (m->extra[i].contact == (long)contact && m->extra[i].reset != AMO_NODE_NONE)
      state[2 * m->nq + i] = p->reg[m->extra[i].r_reset];
}

amo_status amo_decide(amo_point *p, double t, double *state, const amo_standing *standing, signed char *mode)
{
  const amo_model *m = p->m;
  bool arriving = false;
  for (uint32_t c = 0; c < m->nc; c++) {
    if (standing[c] == AMO_ARRIVING || standing[c] == AMO_RESTING) mode[c] = 0;
    arriving |= standing[c] == AMO_ARRIVING;
  }
  amo_status st = amo_point_evaluate(p, t, state, mode);
  if (st == AMO_OK &&
      arriving) {  // the bound to compare with is that of a contact which has just begun to stick
    for (uint32_t c = 0; c < m->nc; c++)
      if (standing[c] == AMO_ARRIVING) amo_reset_memory(p, state, c);
    st = amo_point_evaluate(p, t, state, mode);
  }
  int rounds = 3 * (int)m->nc + 20;
  for (int round = 0; st == AMO_OK && round < rounds; round++) {
    if (!improve(p, standing, mode, round)) return AMO_OK;
    st = amo_point_evaluate(p, t, state, mode);
  }
  return st == AMO_OK || st == AMO_ENOANSWER ? enumerate(p, t, state, standing, mode) : st;
}

/// Scratch of the projections: violations by kind, and the correction.
typedef struct ties {
  amo_rates rate;
  double *change;
} ties;

static ties take_scratch(const amo_point *p)
{
  const amo_model *m = p->m;
  ties t = {.rate = {.slip = p->work}};
  t.rate.gap = t.rate.slip + m->nc;
  t.rate.constraint = t.rate.gap + m->nc;
  t.rate.axis = t.rate.constraint + m->ng;
  t.change = t.rate.axis + m->nxi;
  return t;
}

/// Slip velocities of sticking contacts, rates of gaps and constraints; true if any is not zero.
static bool rate_violations(const amo_point *p, const signed char *mode, amo_rates *v)
{
  const amo_model *m = p->m;
  bool any = false;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    v->slip[c] = mode[c] == 0 && k->nw > 0 ? p->reg[k->r_slip] : 0.0;
    v->gap[c] = amo_is_tied(k, mode[c]) ? p->reg[k->r_gap_rate] : 0.0;
    any |= v->slip[c] != 0.0 || v->gap[c] != 0.0;
    for (uint32_t a = 0; k->spatial && a < 2; a++) {
      v->axis[k->xi + a] = mode[c] == 0 ? p->reg[k->axis[a].r_slip] : 0.0;
      any |= v->axis[k->xi + a] != 0.0;
    }
  }
  for (uint32_t g = 0; g < m->ng; g++) {
    v->constraint[g] = p->reg[m->constraint[g].r_rate];
    any |= v->constraint[g] != 0.0;
  }
  return any;
}

static bool position_violations(const amo_point *p, const signed char *mode, amo_rates *v)
{
  const amo_model *m = p->m;
  bool any = false;
  for (uint32_t i = 0; i < m->nxi; i++) v->axis[i] = 0.0;
  for (uint32_t c = 0; c < m->nc; c++) {
    v->slip[c] = 0.0;
    v->gap[c] = amo_is_tied(&m->contact[c], mode[c]) ? p->reg[m->contact[c].r_gap] : 0.0;
    any |= v->gap[c] != 0.0;
  }
  for (uint32_t g = 0; g < m->ng; g++) {
    const amo_constraint *k = &m->constraint[g];
    v->constraint[g] = k->velocity_level ? 0.0 : p->reg[k->r_residual];
    any |= v->constraint[g] != 0.0;
  }
  return any;
}

/// Positions back onto the constraints along the directions that cost least kinetic energy.
static amo_status settle_positions(amo_point *p, double t, double *state, const signed char *mode, ties *v)
{
  const amo_model *m = p->m;
  for (int pass = 0; pass < 8; pass++) {
    amo_point_registers(p, t, state, mode);
    if (!position_violations(p, mode, &v->rate)) return AMO_OK;
    amo_status st = amo_point_project(p, mode, v->rate, v->change);
    if (st != AMO_OK) return st;
    double change = 0.0, size = 0.0;
    for (uint32_t i = 0; i < m->nq; i++) {
      state[i] += v->change[i];
      change = fmax(change, fabs(v->change[i]));
      size = fmax(size, fabs(state[i]));
    }
    if (change <= AMO_LAST_DIGITS * size) break;
  }
  amo_point_registers(p, t, state, mode);
  return AMO_OK;
}

/// A slip that is one velocity times a number plus something given is made exactly zero.
static void settle_exactly(const amo_point *p, double *state, const signed char *mode)
{
  const amo_model *m = p->m;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    if (mode[c] != 0 || k->nw == 0 || k->spatial) continue;
    uint32_t best = 0;
    for (uint32_t e = 1; e < k->nw; e++)
      if (fabs(p->reg[k->w[e].reg]) > fabs(p->reg[k->w[best].reg])) best = e;
    state[m->nq + k->w[best].col] -= p->reg[k->r_slip] / p->reg[k->w[best].reg];
  }
}

static bool has_position_ties(const amo_model *m, const signed char *mode)
{
  for (uint32_t c = 0; c < m->nc; c++)
    if (amo_is_tied(&m->contact[c], mode[c])) return true;
  return m->ng > 0;
}

static bool any_stick(const amo_model *m, const signed char *mode)
{
  for (uint32_t c = 0; c < m->nc; c++)
    if (mode[c] == 0 && m->contact[c].nw > 0) return true;
  return false;
}

amo_status amo_settle(amo_point *p, double t, double *state, const signed char *mode)
{
  const amo_model *m = p->m;
  ties v = take_scratch(p);
  bool positions = has_position_ties(m, mode);
  if (!positions && !any_stick(m, mode)) return AMO_OK;
  amo_status st = positions ? settle_positions(p, t, state, mode, &v) : AMO_OK;
  bool moved = positions;
  for (int pass = 0; st == AMO_OK && pass < 3 && !m->plain && rate_violations(p, mode, &v.rate); pass++) {
    st = amo_point_project(p, mode, v.rate, v.change);
    for (uint32_t i = 0; i < m->nq; i++) state[m->nq + i] += v.change[i];
    amo_point_registers(p, t, state, mode);
    moved = true;
  }
  if (st == AMO_OK && moved) st = amo_point_evaluate(p, t, state, mode);
  if (st == AMO_OK && !positions) settle_exactly(p, state, mode);
  return st;
}
