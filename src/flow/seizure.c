// SPDX-License-Identifier: Apache-2.0
#include "flow/seizure.h"

#include <math.h>
#include <string.h>

#include "contact/solutions.h"
#include "num/rounding.h"

static const double jam_limit = 1e-7;  // of what friction leaves of reactions

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

void amo_seizure_pass_dead_points(amo_flow *f, int lane, amo_standing *standing)
{
  amo_lane *l = &f->lane[lane];
  bool fits = f->m->ng == 0;
  amo_point_registers(f->point, l->t, l->y, l->mode);
  for (uint32_t c = 0; c < f->m->nc; c++) {
    if (standing[c] != AMO_ARRIVING || l->mode[c] == AMO_MODE_OPEN) continue;
    if (!fits) (void)amo_settle(f->point, l->t, l->y, l->mode);
    fits = true;
    if (!is_dead(f, l, c) && (f->m->ng == 0 || !carries_motion(f, l, c))) continue;
    standing[c] = AMO_PASSING;
    l->mode[c] = (signed char)-l->mode[c];
  }
}

void amo_seizure_stop(amo_flow *f, int lane, amo_standing *standing, const bool *stops, uint32_t first,
                      amo_event_kind kind, const char *why)
{
  amo_lane *l = &f->lane[lane];
  l->special = (amo_event){kind, l->t, (int)first, l->mode[first], 0, l->impulse[first], false, why};
  l->has_special = true;
  for (uint32_t c = 0; c < f->m->nc; c++) {
    if (!stops[c]) continue;
    l->mode[c] = 0;
    standing[c] = AMO_ARRIVING;
  }
  memcpy(l->impact_mode, l->mode, f->m->nc);
  memset(l->impact_reaction_sign, 0, f->m->nc);
  l->struck = true;
}

amo_status amo_seizure_watch(amo_flow *f, int lane, long *contact)
{
  const amo_lane *l = &f->lane[lane];
  const uint32_t *part = f->solutions->islands.contacts.island;
  amo_status st = AMO_OK;
  long last = -1;  // that was asked about; its part is known by it
  *contact = -1;
  for (uint32_t c = 0; st == AMO_OK && c < f->m->nc && *contact < 0; c++) {
    double left = NAN, reach;  // others hold the body where its reaction is one of many
    if (!amo_is_two_sided(&f->m->contact[c]) || l->mode[c] == 0 || amo_flow_carried(f, lane, c, &reach))
      continue;
    if (last >= 0 && part[last] == part[c]) continue;
    st = amo_solutions_left(f->solutions, f->point, l->t, l->y, l->mode, l->reaction_sign, c, &left);
    if (left <= jam_limit) *contact = (long)c;
    last = c;
  }
  return st;
}

bool amo_seizure_recall(amo_flow *f, int lane, const amo_standing *standing, bool *stops)
{
  amo_lane *l = &f->lane[lane];
  bool any = false;
  for (uint32_t c = 0; c < f->m->nc; c++) {
    const amo_contact *k = &f->m->contact[c];
    const bool one_sided = amo_can_open(k);
    amo_influence i;
    double basin[2];
    stops[c] = false;
    if (!amo_has_gap(k) || standing[c] != AMO_MOVING || l->mode[c] == AMO_MODE_OPEN) continue;
    if (amo_solutions_influence(f->solutions, f->point, l->t, l->y, l->mode, c, &i) != AMO_OK) continue;
    if (!amo_influence_basin(&i, l->mode[c], one_sided, basin)) continue;
    const double before =
        amo_poly_value(f->reaction + c * amo_flow_item(f) + lane, (size_t)f->W, f->P - 1, l->reached);
    any |= stops[c] = !(basin[0] < before && before < basin[1]);
    if (stops[c]) continue;
    if (one_sided) l->mode[c] = AMO_MODE_OPEN;
    l->reaction_sign[c] = i.R0 < 0.0 ? -1 : 1;
  }
  return any;
}
