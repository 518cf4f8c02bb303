// SPDX-License-Identifier: Apache-2.0
/// Impacts: change of the velocities in given modes, and its derivatives.
#include "contact/derivative_impl.h"

#include <math.h>
#include <string.h>

/// Rates that the strike removes, at order k.
static amo_rates violations(amo_derivative *d, const amo_impact_modes *strike, int k, int lane)
{
  const amo_model *m = d->m;
  amo_rates v = {.slip = d->violation};
  v.gap = v.slip + m->nc;
  v.axis = v.gap + m->nc;
  v.constraint = v.axis + m->nxi;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *x = &m->contact[c];
    v.slip[c] = amo_coefficient(d->x, x->r_slip, k, lane);
    v.gap[c] = amo_has_gap(x) ? amo_coefficient(d->x, x->r_gap_rate, k, lane) : 0.0;
    for (uint32_t a = 0; a < amo_axes(x); a++)
      v.axis[x->xi + a] = amo_coefficient(d->x, x->axis[a].r_slip, k, lane);
    if (!strike->bounces[c]) continue;  // gap rate after: -e times that before
    v.gap[c] *= 1.0 + amo_coefficient(d->x, x->r_restitution, 0, lane);
    if (k > 0)
      v.gap[c] +=
          amo_coefficient(d->x, x->r_restitution, 1, lane) * amo_coefficient(d->x, x->r_gap_rate, 0, lane);
  }
  for (uint32_t g = 0; g < m->ng; g++)
    v.constraint[g] = amo_coefficient(d->x, m->constraint[g].r_rate, k, lane);
  return v;
}

static void read_kick(amo_derivative *d, const amo_impact_modes *strike, int k, int lane, double *out)
{
  const amo_rates v = violations(d, strike, k, lane);
  amo_expansion_solve(d->x, lane, k, &v);
  const amo_result r = amo_expansion_results(d->x, false);
  for (uint32_t q = 0; q < d->m->nq; q++) out[q] = r.acc[2 * q + (uint32_t)k];
}

/// Slip after the strike across the direction xi, at order k; du: change of velocities at that order.
static double slip_across(const amo_derivative *d, const amo_impact_modes *strike, int k, int lane,
                          const double *du)
{
  const amo_contact *c = &d->m->contact[strike->turns];
  double g[2];
  for (int a = 0; a < 2; a++) {
    const amo_slip_axis *x = &c->axis[a];
    g[a] = amo_coefficient(d->x, x->r_slip, k, lane);
    for (uint32_t e = 0; e < x->nw; e++) {
      g[a] += amo_coefficient(d->x, x->w[e].reg, 0, lane) * du[x->w[e].col];
      if (k > 0) g[a] += amo_coefficient(d->x, x->w[e].reg, 1, lane) * d->kick[x->w[e].col];
    }
  }
  return strike->xi[c->xi] * g[1] - strike->xi[c->xi + 1] * g[0];
}

static double slip_along(const amo_derivative *d, const amo_impact_modes *strike)
{
  const amo_contact *c = &d->m->contact[strike->turns];
  double sum = 0.0;
  for (int a = 0; a < 2; a++) {
    const amo_slip_axis *x = &c->axis[a];
    sum += strike->xi[c->xi + (uint32_t)a] * amo_coefficient(d->x, x->r_slip, 0, 0);
    for (uint32_t e = 0; e < x->nw; e++)
      sum +=
          strike->xi[c->xi + (uint32_t)a] * amo_coefficient(d->x, x->w[e].reg, 0, 0) * d->kick[x->w[e].col];
  }
  return sum;
}

/// Friction of a spatial contact that slides in the strike points against the slip after it, which turns with it:
/// change = change at a fixed direction + turn * (change by a turn of one), and the turn is that of the slip after.
static void add_turn(amo_derivative *d, const amo_impact_modes *strike)
{
  const uint32_t nq = d->m->nq, reg = d->m->leaf.xi + d->m->contact[strike->turns].xi;
  const double *xi = strike->xi + d->m->contact[strike->turns].xi;
  double *by_turn = d->across + d->n, *first = d->x->jet + (size_t)reg * REG + L, *second = first + REG;
  *first = -xi[1];
  *second = xi[0];
  amo_jet_eval8(d->m->step, d->x->jet, 1, 1, d->x->branch);
  amo_jet_finish8(d->m->step, d->x->jet, 1, d->x->branch);
  read_kick(d, strike, 1, 0, by_turn);
  const double left = slip_along(d, strike) - slip_across(d, strike, 1, 0, by_turn);
  *first = *second = 0.0;
  for (uint32_t j = 0; j < d->n; j++)
    for (uint32_t q = 0; q < nq; q++) d->dkick[(size_t)j * nq + q] += d->across[j] / left * by_turn[q];
}

amo_status amo_derivative_impact(amo_derivative *d, const amo_place *before, const amo_impact_modes *strike)
{
  const uint32_t nq = d->m->nq;
  amo_place at = *before;
  memset(d->turning, 0, d->m->nc * sizeof *d->turning);
  if (strike->turns >= 0) d->turning[strike->turns] = true;
  at.begins = d->turning;
  at.xi = strike->xi;
  for (uint32_t c = 0; c < d->m->nc; c++)  // friction curves are read at the speed that comes in
    d->incoming[c] = amo_mode_of(&d->m->contact[c], d->slip[c].value, false);
  amo_expansion_fix(d->x, d->incoming);
  amo_derivative_load(d, &at);
  d->prepared = false;
  amo_expansion_arrange(d->x, strike->mode, strike->reaction_sign);
  amo_status st = amo_expansion_factor(d->x);
  if (st != AMO_OK) return st;
  read_kick(d, strike, 0, 0, d->kick);
  for (uint32_t first = 0; first < d->n; first += L) {
    const uint32_t count = amo_derivative_begin(d, first, true);
    for (uint32_t l = 0; l < count; l++) {
      double *kick = d->dkick + (size_t)(first + l) * nq;
      read_kick(d, strike, 1, (int)l, kick);
      if (strike->turns >= 0) d->across[first + l] = slip_across(d, strike, 1, (int)l, kick);
    }
    amo_derivative_end(d, first, count);
  }
  if (strike->turns >= 0) add_turn(d, strike);
  return AMO_OK;
}
