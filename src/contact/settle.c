// SPDX-License-Identifier: Apache-2.0
/// What a change of modes makes of the state: memories of laws are set anew, velocities and positions meet their ties.
#include "contact/point.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "num/larger.h"

bool amo_reset_memory(const amo_point *p, double *state, uint32_t contact)
{
  const amo_model *m = p->m;
  bool any = false;
  for (uint32_t i = 0; i < m->nz; i++)
    if (m->extra[i].contact == (long)contact && m->extra[i].reset != AMO_NODE_NONE)
      state[2 * m->nq + i] = p->reg[m->extra[i].r_reset], any = true;
  return any;
}

/// Scratch of the projections: violations by kind, and the correction.
typedef struct ties {
  amo_rates rate;
  double *change;
  double *moved,
      *size;  // [nq] of mechanisms, at their first coordinate: largest correction, largest coordinate
} ties;

static ties take_scratch(const amo_point *p)
{
  const amo_model *m = p->m;
  ties t = {.rate = {.slip = p->work}};
  t.rate.gap = t.rate.slip + m->nc;
  t.rate.constraint = t.rate.gap + m->nc;
  t.rate.axis = t.rate.constraint + m->ng;
  t.change = t.rate.axis + m->nxi;
  t.moved = t.change + m->nq;
  t.size = t.moved + m->nq;
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
    for (uint32_t a = 0; a < amo_axes(k); a++) {
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

/// Correct the positions of mechanisms that are not settled yet (moved: -1). True: some may have to be moved again.
static bool move_positions(const amo_model *m, double *state, const ties *v)
{
  bool again = false;
  for (uint32_t i = 0; i < m->nq; i++) {
    const uint32_t g = m->mechanism[i];
    if (v->moved[g] < 0.0) continue;
    if (g == i) v->moved[g] = v->size[g] = 0.0;
    state[i] += v->change[i];
    v->moved[g] = amo_larger(v->moved[g], fabs(v->change[i]));
    v->size[g] = amo_larger(v->size[g], fabs(state[i]));
  }
  for (uint32_t g = 0; g < m->nq; g++) {
    if (m->mechanism[g] != g || v->moved[g] < 0.0) continue;
    if (v->moved[g] <= AMO_LAST_DIGITS * v->size[g])
      v->moved[g] = -1.0;
    else
      again = true;
  }
  return again;
}

/// Positions back onto the constraints along the directions that cost least kinetic energy.
static amo_status settle_positions(amo_point *p, double t, double *state, const signed char *mode, ties *v)
{
  for (uint32_t i = 0; i < p->m->nq; i++) v->moved[i] = 0.0;
  for (int pass = 0; pass < 8; pass++) {
    amo_point_registers(p, t, state, mode);
    if (!position_violations(p, mode, &v->rate)) return AMO_OK;
    amo_status st = amo_point_project(p, mode, v->rate, v->change);
    if (st != AMO_OK) return st;
    if (!move_positions(p->m, state, v)) break;
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
    if (mode[c] != 0 || k->nw == 0 || amo_turns(k)) continue;
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
  for (int pass = 0; st == AMO_OK && pass < 3 && !m->plain && rate_violations(p, mode, &v.rate); pass++) {
    st = amo_point_project(p, mode, v.rate, v.change);
    for (uint32_t i = 0; i < m->nq; i++) {  // what is left of a velocity that is taken away is its rounding
      double *u = &state[m->nq + i];
      *u = fabs(*u + v.change[i]) > AMO_ROUNDED * fabs(*u) ? *u + v.change[i] : 0.0;
    }
    amo_point_registers(p, t, state, mode);
  }
  if (st == AMO_OK && !positions) settle_exactly(p, state, mode);
  return st;
}

/// What the drag on a coordinate without mass has to be, if that is another than it is.
static bool wants(const amo_point *p, uint32_t c, signed char mode, double *change)
{
  const amo_contact *k = &p->m->contact[c];
  if (!amo_is_slider(k) || mode == AMO_MODE_OPEN) return false;
  const double drag = -p->reg[k->r_stick], kinetic = p->reg[k->r_kinetic];
  if (mode == 0 && !(fabs(drag) > p->reg[k->r_bound] * (1.0 + AMO_SAME))) return false;
  *change = (mode != 0 ? mode * kinetic : copysign(kinetic, drag)) - drag;
  return *change != 0.0;
}

void amo_settle_sliders(amo_point *p, double t, double *state, const signed char *mode)
{
  for (int pass = 0; pass < 64; pass++) {
    double most = 0.0, change;
    for (uint32_t c = 0; c < p->m->nc; c++) {
      if (!wants(p, c, mode[c], &change)) continue;
      state[p->m->contact[c].slider] += change / p->reg[p->m->contact[c].r_yield];
      most = amo_larger(most, fabs(change) / p->reg[p->m->contact[c].r_bound]);
    }
    if (most > 0.0) amo_point_registers(p, t, state, mode);
    if (!(most > 8.0 * DBL_EPSILON)) return;
  }
}
