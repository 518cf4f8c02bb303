// SPDX-License-Identifier: Apache-2.0
#include "flow/guided.h"

#include <math.h>
#include <string.h>

#include "contact/solutions.h"
#include "num/rounding.h"

static const double jam_limit = 1e-7;  // of 1 + sigma eps mu L

bool amo_has_guides(const amo_model *m)
{
  for (uint32_t c = 0; c < m->nc; c++)
    if (m->contact[c].kind == AMO_GUIDE) return true;
  return false;
}

static void take(amo_flow *f, int lane, const amo_solution *x)
{
  amo_lane *l = &f->lane[lane];
  memcpy(l->mode, x->mode, f->m->nc);
  for (uint32_t c = 0; c < f->m->nc; c++) l->press[c] = x->press[c] != 0 ? x->press[c] : 1;
  memcpy(f->point->press, l->press, f->m->nc);
}

static void special(amo_lane *l, amo_event_kind kind, uint32_t c, int from)
{
  l->special = (amo_event){kind, l->t, (int)c, from, 0, 0.0, false};
  l->has_special = true;
}

/// All slips of guides end at once; friction and reaction impulses do it without lifting off.
static amo_status stop(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  for (uint32_t c = 0; c < f->m->nc; c++) {
    if (f->m->contact[c].kind == AMO_GUIDE) l->mode[c] = 0;
    f->standing[c] = l->mode[c] == 0 ? AMO_RESTING : AMO_MOVING;
  }
  memcpy(l->strike_mode, l->mode, f->m->nc);
  memset(l->strike_press, 0, f->m->nc);
  l->struck = true;
  amo_status st = amo_settle(f->point, l->t, l->y, l->mode);
  if (st == AMO_OK) st = amo_solutions_find(f->solutions, f->point, l->t, l->y, f->standing);
  if (st != AMO_OK) return st;
  if (f->solutions->chosen < 0) return AMO_ENOANSWER;
  take(f, lane, &f->solutions->item[f->solutions->chosen]);
  return amo_point_evaluate(f->point, l->t, l->y, l->mode);
}

static long first_moving_guide(const amo_flow *f, const amo_lane *l)
{
  for (uint32_t c = 0; c < f->m->nc; c++)
    if (f->m->contact[c].kind == AMO_GUIDE && l->mode[c] != 0) return (long)c;
  return -1;
}

/// A dead point: the slip is zero whatever the velocities are, up to rounding, and nothing can hold it there.
static bool is_dead(const amo_flow *f, const amo_lane *l, uint32_t c)
{
  const amo_contact *k = &f->m->contact[c];
  double reach = 0.0;
  for (uint32_t e = 0; e < k->nw; e++)
    reach += fabs(f->point->reg[k->w[e].reg]) * l->scale[f->m->nq + k->w[e].col];
  return k->nw > 0 && l->condition_scale[c] > 0.0 && reach <= AMO_SAME * l->condition_scale[c];
}

/// The same where constraints make the slip vanish: what is left of it, next to nothing, could be taken away only with a
/// part of the whole motion, slip^2/ease of its energy. The velocities fit the constraints.
static bool carries_motion(amo_flow *f, const amo_lane *l, uint32_t c)
{
  const amo_model *m = f->m;
  const double *reg = f->point->reg, slip = reg[m->contact[c].r_slip];
  double energy = 0.0;  // twice that
  for (uint32_t e = 0; e < m->nmass; e++) {
    const double part =
        reg[m->mass[e].reg] * reg[m->leaf.u + m->mass[e].row] * reg[m->leaf.u + m->mass[e].col];
    energy += m->mass[e].row == m->mass[e].col ? part : 2.0 * part;
  }
  return slip * slip > AMO_ROUGH * energy * amo_point_ease(f->point, l->mode, c);
}

void amo_guided_pass_dead_points(amo_flow *f, int lane, amo_standing *standing)
{
  amo_lane *l = &f->lane[lane];
  bool fits = f->m->ng == 0;
  amo_point_registers(f->point, l->t, l->y, l->mode);
  for (uint32_t c = 0; c < f->m->nc; c++) {
    if (standing[c] != AMO_ARRIVING) continue;
    if (!fits) (void)amo_settle(f->point, l->t, l->y, l->mode);
    fits = true;
    if (!is_dead(f, l, c) && (f->m->ng == 0 || !carries_motion(f, l, c))) continue;
    standing[c] = AMO_LEAVING;
    l->mode[c] = (signed char)-l->mode[c];
  }
}

bool amo_guided_stop(amo_flow *f, int lane, amo_standing *standing)
{
  amo_lane *l = &f->lane[lane];
  const long moving = first_moving_guide(f, l);
  if (moving < 0) return false;
  special(l, AMO_EVENT_IMPACT, (uint32_t)moving, l->mode[moving]);
  for (uint32_t c = 0; c < f->m->nc; c++) {
    if (f->m->contact[c].kind != AMO_GUIDE || l->mode[c] == 0) continue;
    l->mode[c] = 0;
    standing[c] = AMO_ARRIVING;
  }
  memcpy(l->strike_mode, l->mode, f->m->nc);
  memset(l->strike_press, 0, f->m->nc);
  l->struck = true;
  return true;
}

amo_status amo_guided_decide(amo_flow *f, int lane, amo_standing *standing)
{
  amo_lane *l = &f->lane[lane];
  signed char *trial = f->point->mirrored;
  memset(f->point->press, 0, f->m->nc);
  amo_guided_pass_dead_points(f, lane, standing);
  for (uint32_t c = 0; c < f->m->nc; c++)
    trial[c] =
        (signed char)(standing[c] == AMO_MOVING || standing[c] == AMO_LEAVING || is_dead(f, l, c) ? l->mode[c]
                                                                                                  : 0);
  amo_point_registers(f->point, l->t, l->y, trial);
  amo_status st = amo_settle(f->point, l->t, l->y, trial);  // what has come to zero is zero
  if (st == AMO_OK) st = amo_solutions_after(f->solutions, f->point, l->t, l->y, standing, l->mode);
  if (st == AMO_OK && f->solutions->chosen < 0)  // no way to leave after all: as if it rested
    st = amo_solutions_find(f->solutions, f->point, l->t, l->y, NULL);
  if (st != AMO_OK) return st;
  if (f->solutions->chosen >= 0) {
    take(f, lane, &f->solutions->item[f->solutions->chosen]);
    return amo_point_evaluate(f->point, l->t, l->y, l->mode);
  }
  long c = first_moving_guide(f, l);
  if (c < 0) return AMO_ENOANSWER;
  special(l, AMO_EVENT_IMPACT, (uint32_t)c, l->mode[c]);
  return stop(f, lane);
}

amo_status amo_guided_reaction(amo_flow *f, int lane, uint32_t c)
{
  amo_lane *l = &f->lane[lane];
  amo_influence i;
  amo_status st = amo_solutions_influence(f->solutions, f->point, l->t, l->y, l->mode, c, &i);
  if (st != AMO_OK) return st;
  if (!(i.mu * fabs(i.L) >= 1.0)) {  // also where another guide holds the same motion: L does not exist
    l->press[c] = (signed char)-l->press[c];
    l->reaction_fresh[c] = true;
    memcpy(f->point->press, l->press, f->m->nc);
    return amo_point_evaluate(f->point, l->t, l->y, l->mode);
  }
  special(l, AMO_EVENT_IMPACT, c, l->mode[c]);
  return stop(f, lane);
}

amo_status amo_guided_watch(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  for (uint32_t c = 0; c < f->m->nc; c++) {
    amo_influence i;
    if (f->m->contact[c].kind != AMO_GUIDE || l->mode[c] == 0) continue;
    amo_status st = amo_solutions_influence(f->solutions, f->point, l->t, l->y, l->mode, c, &i);
    if (st != AMO_OK) return st;
    if (!(1.0 + l->mode[c] * l->press[c] * i.mu * i.L <= jam_limit)) continue;
    special(l, AMO_EVENT_JAM, c, l->mode[c]);
    return stop(f, lane);
  }
  return AMO_OK;
}

bool amo_guided_unsigned(const amo_flow *f, int lane)
{
  const amo_lane *l = &f->lane[lane];
  if (f->solutions == NULL || f->solutions->chosen < 0 || l->stats.steps > 0) return false;
  const amo_solution *x = &f->solutions->item[f->solutions->chosen];
  for (uint32_t c = 0; c < f->m->nc; c++)
    if (f->m->contact[c].kind == AMO_GUIDE && l->mode[c] != 0 && x->mode[c] == l->mode[c] && x->press[c] == 0)
      return true;
  return false;
}
