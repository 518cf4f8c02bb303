// SPDX-License-Identifier: Apache-2.0
#include "contact/decide.h"

#include <math.h>
#include <string.h>

/// Does the evaluated point contradict the mode of contact c? If so, *better is the mode to try.
/// Slack is relative to the friction bound: a decision depends on forces, never on a speed.
static bool contradicts(const amo_point *p, uint32_t c, const signed char *mode, signed char *better)
{
  if (mode[c] == 0) {
    double bound = p->reg[p->m->contact[c].r_bound], f = p->lambda[c];
    if (amo_point_indeterminate(p, c)) {  // nothing we can hold: does the surface run away?
      double a = amo_point_slip_acceleration(p, c);
      *better = (signed char)((a > 0.0) - (a < 0.0));
      return a != 0.0;
    }
    *better = f > 0.0 ? -1 : 1;
    return fabs(f) > bound * (1.0 + p->slack);
  }
  double slack = p->slack * amo_point_acceleration_scale(p, c);
  *better = 0;
  return mode[c] * amo_point_slip_acceleration(p, c) < -slack;
}

/// Change contradicting contacts: all at once in the first rounds (fast for simultaneous events of
/// many), then only the first (least index, which cannot cycle for well-posed problems).
static bool improve(const amo_point *p, const amo_standing *standing, signed char *mode, int round)
{
  bool changed = false;
  for (uint32_t c = 0; c < p->m->nc; c++) {
    signed char better;
    if (standing[c] == AMO_MOVING || !contradicts(p, c, mode, &better)) continue;
    mode[c] = better;
    changed = true;
    if (round >= 3) break;
  }
  return changed;
}

/// All 3^n combinations of the undecided contacts; for the rare case that the pivoting above cycles.
static amo_status enumerate(amo_point *p, double t, const double *state, const amo_standing *standing,
                            signed char *mode)
{
  const amo_model *m = p->m;
  uint32_t n = 0;
  for (uint32_t c = 0; c < m->nc; c++) n += standing[c] != AMO_MOVING;
  if (n > 10) return AMO_ENOANSWER;
  long total = 1;
  for (uint32_t i = 0; i < n; i++) total *= 3;
  for (long code = 0; code < total; code++) {
    long rest = code;
    for (uint32_t c = 0; c < m->nc; c++) {
      if (standing[c] == AMO_MOVING) continue;
      mode[c] = (signed char)(rest % 3 == 2 ? -1 : rest % 3);
      rest /= 3;
    }
    amo_status st = amo_point_evaluate(p, t, state, mode);
    if (st != AMO_OK) return st;
    bool good = true;
    signed char better;
    for (uint32_t c = 0; c < m->nc && good; c++)
      good = standing[c] == AMO_MOVING || !contradicts(p, c, mode, &better);
    if (good) return AMO_OK;
  }
  return AMO_ENOANSWER;
}

/// Memory of a law at the start of stick.
static void reset_memory(const amo_point *p, double *state, uint32_t contact)
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
  if (st != AMO_OK) return st;
  if (arriving) {  // the bound to compare with is that of a contact which has just begun to stick
    for (uint32_t c = 0; c < m->nc; c++)
      if (standing[c] == AMO_ARRIVING) reset_memory(p, state, c);
    st = amo_point_evaluate(p, t, state, mode);
    if (st != AMO_OK) return st;
  }
  int rounds = 3 * (int)m->nc + 20;
  for (int round = 0; round < rounds; round++) {
    if (!improve(p, standing, mode, round)) return AMO_OK;
    st = amo_point_evaluate(p, t, state, mode);
    if (st != AMO_OK) return st;
  }
  return enumerate(p, t, state, standing, mode);
}

/// Slip velocities of sticking contacts and rates of constraints; true if any is not zero.
static bool violations(const amo_point *p, const signed char *mode, double *gap)
{
  const amo_model *m = p->m;
  bool any = false;
  for (uint32_t c = 0; c < m->nc; c++) {
    gap[c] = mode[c] == 0 && m->contact[c].nw > 0 ? p->reg[m->contact[c].r_slip] : 0.0;
    any |= gap[c] != 0.0;
  }
  for (uint32_t g = 0; g < m->ng; g++) {
    gap[m->nc + g] = p->reg[m->constraint[g].r_rate];
    any |= gap[m->nc + g] != 0.0;
  }
  return any;
}

/// Positions back onto the constraints along the directions that cost least kinetic energy.
static amo_status settle_positions(amo_point *p, double t, double *state, const signed char *mode, double *gap,
                                   double *dq)
{
  const amo_model *m = p->m;
  for (int pass = 0; pass < 8; pass++) {
    amo_status st = amo_point_evaluate(p, t, state, mode);
    if (st != AMO_OK) return st;
    bool any = false;
    memset(gap, 0, m->nc * sizeof *gap);
    for (uint32_t g = 0; g < m->ng; g++) {
      const amo_constraint *k = &m->constraint[g];
      gap[m->nc + g] = k->velocity_level ? 0.0 : p->reg[k->r_residual];
      any |= gap[m->nc + g] != 0.0;
    }
    if (!any) return AMO_OK;
    amo_point_project(p, gap, gap + m->nc, dq);
    double change = 0.0, size = 0.0;
    for (uint32_t i = 0; i < m->nq; i++) {
      state[i] += dq[i];
      change = fmax(change, fabs(dq[i]));
      size = fmax(size, fabs(state[i]));
    }
    if (change <= 4e-16 * size) break;
  }
  return AMO_OK;
}

/// A slip that is one velocity times a number plus something given is made exactly zero.
static void settle_exactly(const amo_point *p, double *state, const signed char *mode)
{
  const amo_model *m = p->m;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    if (mode[c] != 0 || k->nw == 0) continue;
    uint32_t best = 0;
    for (uint32_t e = 1; e < k->nw; e++)
      if (fabs(p->reg[k->w[e].reg]) > fabs(p->reg[k->w[best].reg])) best = e;
    state[m->nq + k->w[best].col] -= p->reg[k->r_slip] / p->reg[k->w[best].reg];
  }
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
  double *gap = p->work, *du = gap + m->nc + m->ng;
  amo_status st = AMO_OK;
  if (m->ng > 0) {
    st = settle_positions(p, t, state, mode, gap, du);
    if (st == AMO_OK) st = amo_point_evaluate(p, t, state, mode);
  } else if (!any_stick(m, mode)) {
    return AMO_OK;
  }
  for (int pass = 0; st == AMO_OK && pass < 3 && !m->plain && violations(p, mode, gap); pass++) {
    amo_point_project(p, gap, gap + m->nc, du);
    for (uint32_t i = 0; i < m->nq; i++) state[m->nq + i] += du[i];
    st = amo_point_evaluate(p, t, state, mode);
  }
  if (st == AMO_OK && m->ng == 0) settle_exactly(p, state, mode);
  return st;
}
