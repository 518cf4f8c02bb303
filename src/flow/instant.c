// SPDX-License-Identifier: Apache-2.0
#include "flow/instant.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "expr/bounds.h"

/// n.u less the rate of the tie itself: minus the speed at which it is moved from outside.
static double moved(const amo_point *point, const amo_entry *row, uint32_t n, uint32_t rate)
{
  const uint32_t u = point->m->leaf.u;
  double sum = -point->reg[rate];
  for (uint32_t e = 0; e < n; e++) sum += point->reg[row[e].reg] * point->reg[u + row[e].col];
  return sum;
}

static double tie_power(const amo_sim *s, const amo_point *point)
{
  const amo_model *m = point->m;
  double power = 0.0;
  for (uint32_t c = 0; c < m->nc; c++) power += point->reaction[c] * s->lift[c];
  for (uint32_t g = 0; g < m->ng; g++) {
    const amo_constraint *k = &m->constraint[g];
    power += point->multiplier[g] * moved(point, k->g, k->ng, k->r_rate);
  }
  return power;
}

/// A gap that is not zero although it should be, or less than zero, may be only the rounding of its terms.
static void round_gaps(amo_sim *s, const amo_point *point, amo_sample *p)
{
  bool bounded = false;
  for (uint32_t c = 0; c < s->m->nc; c++) {
    const amo_contact *k = &s->m->contact[c];
    if (!amo_can_open(k) || p->gap[c] == 0.0 || (p->mode[c] == AMO_OPEN && p->gap[c] > 0.0)) continue;
    if (!bounded) (void)amo_rounding_of(s->m->step, point->reg, s->m->leaf.count, k->r_gap, s->rounding);
    bounded = true;
    if (fabs(p->gap[c]) <= AMO_FULFILLED * s->rounding[k->r_gap]) p->gap[c] = 0.0;
  }
}

/// Power that moving surfaces bring through the friction of a spatial contact, along both axes.
static double carried(const amo_point *point, const amo_contact *k)
{
  double power = 0.0;
  for (uint32_t a = 0; a < 2; a++)
    power += point->traction[k->xi + a] * moved(point, k->axis[a].w, k->axis[a].nw, k->axis[a].r_slip);
  return power;
}

/// How well that power is known late in a run: the slip velocity, and with it the direction of friction, has the rounding
/// of time.
static double blur_of(const amo_point *point, const amo_contact *k, double t)
{
  double force = 0.0, speed = 0.0, surface = 0.0, turn = 0.0;
  for (uint32_t a = 0; a < 2; a++) {
    const amo_slip_axis *x = &k->axis[a];
    force = hypot(force, point->traction[k->xi + a]);
    speed = hypot(speed, point->reg[x->r_slip]);
    surface = hypot(surface, moved(point, x->w, x->nw, x->r_slip));
    turn = hypot(turn, point->reg[x->r_zeta]);
  }
  return speed > 0.0 ? force * surface * DBL_EPSILON * fabs(t) * turn / speed : 0.0;
}

static void note_held(amo_sim *s, const amo_point *point, const amo_sample *p, uint32_t c)
{
  const amo_contact *k = &point->m->contact[c];
  if (k->r_spare == AMO_NO_REGISTER || p->mode[c] != 0) return;
  const double spare = point->reg[k->r_spare] * (amo_has_gap(k) ? fabs(p->normal[c]) : 1.0);
  amo_audit_note_held(s, c, p->t, spare, p->force[c], p->bound[c]);
}

void amo_instant_take(amo_sim *s, const amo_point *point, amo_sample *p)
{
  const amo_model *m = s->m;
  s->carried = s->blur = 0.0;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    p->slip[c] = point->reg[k->r_slip];
    p->bound[c] = amo_point_bound(point, c);
    p->normal[c] = point->reaction[c];
    p->force[c] = point->lambda[c];
    p->gap[c] = amo_has_gap(k) ? point->reg[k->r_gap] : 0.0;
    s->carry[c] = amo_turns(k) ? 0.0 : moved(point, k->w, k->nw, k->r_slip);
    double size = fabs(moved(point, k->w, k->nw, k->r_slip));
    for (uint32_t e = 0; e < k->nw; e++)
      size += fabs(point->reg[k->w[e].reg] * point->reg[m->leaf.u + k->w[e].col]);
    if (amo_turns(k)) s->carried += carried(point, k);
    if (amo_turns(k) && p->mode[c] != AMO_STICK) s->blur += blur_of(point, k, p->t);
    note_held(s, point, p, c);
    s->lift[c] = amo_has_gap(k) ? moved(point, k->n, k->nn, k->r_gap_rate) : 0.0;
    s->speed[c] = size;
  }
  round_gaps(s, point, p);
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    s->reach[c] = fabs(p->gap[c]);
    if (p->mode[c] == AMO_OPEN && !amo_is_within(k, point->reg, 1)) p->gap[c] = s->reach[c];
    for (uint32_t e = 0; e < k->nn; e++)
      s->reach[c] += fabs(point->reg[k->n[e].reg] * point->reg[m->leaf.q + k->n[e].col]);
  }
  memcpy(p->acceleration, point->acc, m->nq * sizeof *p->acceleration);
  memcpy(p->multiplier, point->multiplier, m->ng * sizeof *p->multiplier);
  for (uint32_t i = 0; i < m->nz; i++) s->rate[i] = point->reg[m->extra[i].r_rate];
  s->tie_power = tie_power(s, point);
  memcpy(p->traction, point->traction, m->nxi * sizeof *p->traction);
  s->constraint_residual = 0.0;
  for (uint32_t g = 0; g < m->ng; g++) {
    const amo_constraint *k = &m->constraint[g];
    double worst = fabs(point->reg[k->r_rate]);
    if (!k->velocity_level) worst = fmax(worst, fabs(point->reg[k->r_residual]));
    s->constraint_residual = fmax(s->constraint_residual, worst);
  }
}
