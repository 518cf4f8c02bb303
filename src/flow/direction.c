// SPDX-License-Identifier: Apache-2.0
#include "flow/direction.h"

#include <math.h>

#include "contact/slip_direction.h"

static double *lane_series(const amo_flow *f, int lane, uint32_t reg)
{
  return f->jet + (size_t)reg * amo_flow_item(f) + lane;
}

/// Coefficient j of a register, which has only the first if it is fixed.
static double coefficient(const amo_flow *f, int lane, uint32_t reg, int j)
{
  if (j > 0 && amo_prog_is_fixed(f->m->step, reg)) return 0.0;
  return lane_series(f, lane, reg)[(size_t)j * (size_t)f->W];
}

bool amo_direction_take(amo_flow *f, int k)
{
  const amo_model *m = f->m;
  const size_t item = amo_flow_item(f);
  bool same = true;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *contact = &m->contact[c];
    if (!amo_turns(contact) || (f->starts > 0 && f->starting[c].begins)) continue;
    for (int l = 0; l < f->W; l++) {
      const amo_lane *a = &f->lane[l];
      if (!a->active) continue;
      const bool slips = a->mode[c] == 1 && !a->fresh[c];  // else no friction along it: any direction will do
      amo_slip_direction(m, contact, f->jet + l, item, (size_t)f->W, f->speed + c * item + l, k,
                         slips ? NULL : a->xi + contact->xi);
      same &= !slips && k > 0;
    }
  }
  return same;
}

void amo_direction_rate(const amo_flow *f, uint32_t c, int k, double rate[2])
{
  const size_t it = amo_flow_item(f);
  for (uint32_t a = 0; a < 2; a++) {
    const amo_slip_axis *x = &f->m->contact[c].axis[a];
    rate[a] = coefficient(f, 0, x->r_zeta, k);
    for (uint32_t e = 0; e < x->nw; e++)
      for (int j = 0; j <= k; j++)
        rate[a] += coefficient(f, 0, x->w[e].reg, j) * f->acc[x->w[e].col * it + (size_t)(k - j)];
  }
}

void amo_direction_set(amo_flow *f, uint32_t c, int k, double x, double y)
{
  const uint32_t xi = f->m->leaf.xi + f->m->contact[c].xi;
  lane_series(f, 0, xi)[k] = x;
  lane_series(f, 0, xi + 1)[k] = y;
}

double amo_direction_scale(const amo_flow *f, uint32_t c)
{
  const amo_model *m = f->m;
  const amo_contact *k = &m->contact[c];
  double force = fabs(coefficient(f, 0, k->r_bound, 0)), sum = 0.0;
  if (amo_has_gap(k)) force *= fabs(f->reaction[c * amo_flow_item(f)]);
  for (uint32_t a = 0; a < amo_slip_rows(k); a++)
    for (uint32_t e = 0; e < amo_slip_row(k, a).nw; e++)
      for (uint32_t i = 0; i < m->nmass;
           i++) {  // by the diagonal of M; what has no inertia there is moved by others
        const amo_entry w = amo_slip_row(k, a).w[e];
        if (m->mass[i].row != w.col || m->mass[i].col != w.col) continue;
        const double row = coefficient(f, 0, w.reg, 0), mass = coefficient(f, 0, m->mass[i].reg, 0);
        if (mass > 0.0) sum += row * row * force / mass;
      }
  return sum;
}
