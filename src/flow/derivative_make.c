// SPDX-License-Identifier: Apache-2.0
/// Memory of the derivatives.
#include "flow/derivative_impl.h"

#include <stdlib.h>
#include <string.h>

static bool take_gradients(amo_derivative *d, amo_gradient **g, uint32_t count, double **store)
{
  *g = calloc(count + 1u, sizeof **g);
  for (uint32_t i = 0; *g && i < count; i++, *store += d->n) (*g)[i].d = *store;
  return *g != NULL;
}

static void count_ties(amo_derivative *d)
{
  const amo_model *m = d->m;
  for (uint32_t g = 0; g < m->ng; g++) d->lasting += m->constraint[g].velocity_level ? 1 : 2;
  for (uint32_t c = 0; c < m->nc; c++) d->lasting += m->contact[c].kind == AMO_GUIDE ? 2 : 0;
  d->most_ties = d->ties = d->lasting;
  for (uint32_t c = 0; c < m->nc; c++) d->most_ties += m->contact[c].kind == AMO_SUPPORT ? 2 : 0;
}

static bool make_gradients(amo_derivative *d)
{
  const uint32_t nc = d->m->nc, nsw = amo_prog_switches(d->model->step), nz = d->m->nz, nxi = d->m->nxi;
  count_ties(d);
  double *at = d->store =
      calloc((size_t)(5 * nc + 2 * nxi + nsw + nz + d->most_ties + 1) * d->n, sizeof *d->store);
  return at && take_gradients(d, &d->slip, nc, &at) && take_gradients(d, &d->bound, nc, &at) &&
         take_gradients(d, &d->lambda, nc, &at) && take_gradients(d, &d->reaction, nc, &at) &&
         take_gradients(d, &d->gap, nc, &at) && take_gradients(d, &d->axis, nxi, &at) &&
         take_gradients(d, &d->pull, nxi, &at) && take_gradients(d, &d->change, nsw, &at) &&
         take_gradients(d, &d->reset, nz, &at) && take_gradients(d, &d->tie, d->most_ties, &at);
}

/// Switching arguments of parameters alone exist only in the view; the others are the model's, by their expression.
static void match_switches(amo_derivative *d)
{
  const amo_prog *mine = d->m->step, *theirs = d->model->step;
  for (uint32_t i = 0; i < amo_prog_switches(mine); i++) {
    d->switch_of[i] = -1;
    for (uint32_t k = 0; k < amo_prog_switches(theirs); k++)
      if (amo_prog_switch_node(mine, i) == amo_prog_switch_node(theirs, k) &&
          (amo_prog_switch_kind(mine, i) == AMO_SWITCH_FOLD) ==
              (amo_prog_switch_kind(theirs, k) == AMO_SWITCH_FOLD))
        d->switch_of[i] = (long)k;
  }
}

static amo_status allocate(amo_derivative *d)
{
  const amo_model *m = d->m;
  const size_t nc = m->nc + 1u, nsw = amo_prog_switches(m->step) + 1u;
  d->f = calloc(d->ns + 1u, sizeof *d->f);
  d->df = calloc((size_t)d->n * d->ns + 1u, sizeof *d->df);
  d->jet = calloc(((size_t)amo_prog_registers(m->step) + 1u) * REG, sizeof *d->jet);
  d->value = calloc(m->np + 1u, sizeof *d->value);
  d->rate = calloc((size_t)d->np * m->np + 1u, sizeof *d->rate);
  d->work = calloc(amo_vary_work(d->vary), sizeof *d->work);
  d->acc = calloc(2u * m->nq + 2u, sizeof *d->acc);
  d->force = calloc(2u * nc, sizeof *d->force);
  d->reaction_sign = calloc(2u * nc, sizeof *d->reaction_sign);
  d->unshared = calloc(4u * nc, sizeof *d->unshared);
  d->multiplier = calloc(2u * m->ng + 2u, sizeof *d->multiplier);
  d->traction = calloc(2u * m->nxi + 2u, sizeof *d->traction);
  d->violation = calloc(2u * nc + m->nxi + m->ng, sizeof *d->violation);
  d->kick = calloc(m->nq + 1u, sizeof *d->kick);
  d->dkick = calloc((size_t)d->n * m->nq + 1u, sizeof *d->dkick);
  d->incoming = calloc(nc, 1);
  d->turning = calloc(nc, sizeof *d->turning);
  d->across = calloc((size_t)d->n + m->nq + 1u, sizeof *d->across);
  d->branch = calloc(nsw * L, 1);
  d->mode = calloc(nc, 1);
  d->side = calloc(nc, 1);
  d->switch_of = calloc(nsw, sizeof *d->switch_of);
  if (!d->f || !d->df || !d->jet || !d->value || !d->rate || !d->work || !d->acc || !d->force ||
      !d->reaction_sign || !d->multiplier || !d->traction || !d->violation || !d->kick || !d->dkick ||
      !d->incoming || !d->turning || !d->across || !d->branch || !d->mode || !d->side || !d->switch_of ||
      !make_gradients(d))
    return AMO_ENOMEM;
  match_switches(d);
  return m->plain ? AMO_OK : amo_balance_new(m, &d->balance);
}

amo_status amo_derivative_new(const amo_model *m, const uint32_t *param, size_t np, amo_derivative **out)
{
  *out = NULL;
  if (m->njoint > 0) return AMO_EUNSUPPORTED;  // their normal forces are not differentiated yet
  amo_derivative *d = calloc(1, sizeof *d);
  if (!d) return AMO_ENOMEM;
  d->model = m;
  d->ns = 2 * m->nq + m->nz;
  d->np = (uint32_t)np;
  d->n = d->ns + d->np + 1;
  amo_status st = amo_vary_new(m, param, np, &d->vary);
  if (st == AMO_OK) {
    d->m = &d->vary->view;
    st = allocate(d);
  }
  if (st != AMO_OK) {
    amo_derivative_free(d);
    return st;
  }
  amo_derivative_parameters(d, m->param_value);
  *out = d;
  return AMO_OK;
}

void amo_derivative_free(amo_derivative *d)
{
  if (!d) return;
  void *const all[] = {d->f,        d->df,     d->jet,           d->value, d->rate,   d->work,
                       d->acc,      d->force,  d->reaction_sign, d->mode,  d->side,   d->multiplier,
                       d->traction, d->branch, d->switch_of,     d->slip,  d->bound,  d->lambda,
                       d->reaction, d->gap,    d->axis,          d->pull,  d->change, d->reset,
                       d->tie,      d->store,  d->violation,     d->kick,  d->dkick,  d->incoming,
                       d->turning,  d->across, d->unshared};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  amo_balance_free(d->balance);
  amo_vary_free(d->vary);
  free(d);
}

void amo_derivative_parameters(amo_derivative *d, const double *value)
{
  const amo_model *m = d->m;
  memcpy(d->value, value, m->np * sizeof *value);
  for (uint32_t i = 0; i < d->np; i++)
    amo_vary_direction(d->vary, value, i, d->work, d->rate + (size_t)i * m->np);
  d->prepared = false;
}
