// SPDX-License-Identifier: Apache-2.0
/// Derivatives of the rates at many places of one smooth stretch. Where no balance has to be solved a place stands in each lane:
/// what directions have in common is found once.
#include <string.h>

#include "contact/derivative_impl.h"

/// Up to L places; lanes that are left over repeat the first.
static void load_places(amo_derivative *d, const amo_place *common, size_t count, const double *t,
                        const double *y)
{
  const amo_model *m = d->m;
  for (size_t l = 0; l < L; l++) {
    const size_t i = l < count ? l : 0;
    double *first = d->x->jet + l;
    first[(size_t)m->leaf.t * REG] = t[i];
    for (uint32_t k = 0; k < d->ns; k++) first[(size_t)amo_state_leaf(m, k) * REG] = y[i * d->ns + k];
  }
  d->evaluations++;
  d->blur = 0.0;
  amo_derivative_branches(d, common);
  amo_expansion_eval(d->x, 0);
  if (common->own_side && amo_derivative_seams(d)) amo_expansion_eval(d->x, 0);
}

/// First coefficients of the rate of state i in all lanes.
static void read_rate(const amo_derivative *d, uint32_t i, size_t count, double *to, size_t stride)
{
  const uint32_t reg = amo_rate_register(d->m, i);
  const bool fixed = amo_prog_is_fixed(d->m->step, reg);
  const double *from = d->x->jet + (size_t)reg * REG + L;
  for (size_t l = 0; l < count; l++) to[l * stride] = fixed ? 0.0 : from[l];
}

static void lanes_along(amo_derivative *d, const amo_place *common, size_t count, const double *t,
                        const double *y, double *df)
{
  const uint32_t ns = d->ns, directions = ns + d->np;
  load_places(d, common, count, t, y);
  for (uint32_t j = 0; j < directions; j++) {
    amo_derivative_turn(d, j, -1, 1.0);
    amo_expansion_eval(d->x, 1);
    for (uint32_t i = 0; i < ns; i++)
      read_rate(d, i, count, df + (size_t)j * ns + i, (size_t)directions * ns);
    amo_derivative_turn(d, j, -1, 0.0);
  }
}

static amo_status one_by_one(amo_derivative *d, const amo_place *common, size_t count, const double *t,
                             const double *y, double *df)
{
  const size_t ns = d->ns, entries = (ns + d->np) * ns;
  amo_place at = *common;
  double blur = 0.0;
  amo_status st = AMO_OK;
  for (size_t i = 0; st == AMO_OK && i < count; i++) {
    at.t = t[i];
    at.y = y + i * ns;
    st = amo_derivative_rates(d, &at);
    memcpy(df + i * entries, d->df, entries * sizeof *df);
    blur = d->blur > blur ? d->blur : blur;
  }
  d->blur = blur;
  return st;
}

amo_status amo_derivative_rates_along(amo_derivative *d, const amo_place *common, size_t count,
                                      const double *t, const double *y, double *df)
{
  if (!d->m->plain) return one_by_one(d, common, count, t, y, df);
  amo_derivative_arrange(d, common);
  for (size_t i = 0; i < count; i += L)
    lanes_along(d, common, count - i < L ? count - i : L, t + i, y + i * d->ns,
                df + i * (d->ns + d->np) * d->ns);
  return AMO_OK;
}
