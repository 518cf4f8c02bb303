// SPDX-License-Identifier: Apache-2.0
/// Memory of the derivatives.
#include "contact/derivative_impl.h"

#include <stdlib.h>
#include <string.h>

static void take_gradients(amo_derivative *d, amo_gradient **g, uint32_t count)
{
  AMO_TAKE(&d->memory, amo_gradient, count, g);
  for (uint32_t i = 0; *g && i < count; i++) AMO_TAKE(&d->memory, double, d->n, &(*g)[i].d);
}

/// At any place, and at one where every support is closed.
static amo_status count_ties(amo_derivative *d)
{
  const amo_status st = amo_ties_new(d->m, &d->memory, &d->held);
  if (st != AMO_OK) return st;
  amo_ties_of(&d->held, d->m, d->x->mode);
  d->lasting = d->held.lasting;
  d->most_ties = d->ties = d->held.places;
  return AMO_OK;
}

static void make_gradients(amo_derivative *d)
{
  amo_gradient **const of_contacts[] = {&d->slip, &d->bound, &d->lambda, &d->reaction, &d->gap};
  for (size_t i = 0; i < sizeof of_contacts / sizeof *of_contacts; i++)
    take_gradients(d, of_contacts[i], d->m->nc);
  take_gradients(d, &d->axis, d->m->nxi);
  take_gradients(d, &d->pull, d->m->nxi);
  take_gradients(d, &d->change, amo_prog_switches(d->model->step));
  take_gradients(d, &d->reset, d->m->nz);
  take_gradients(d, &d->tie, d->most_ties);
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
  AMO_TAKE(&d->memory, double, d->ns + 2u, &d->f, &d->kick);
  AMO_TAKE(&d->memory, double, (size_t)d->n * d->ns + 1u, &d->df);
  AMO_TAKE(&d->memory, double, m->np + 1u, &d->value);
  AMO_TAKE(&d->memory, double, (size_t)d->np * m->np + 1u, &d->rate);
  AMO_TAKE(&d->memory, double, amo_vary_work(d->vary), &d->work);
  AMO_TAKE(&d->memory, double, 2u * nc + m->nxi + m->ng, &d->violation);
  AMO_TAKE(&d->memory, double, (size_t)d->n * m->nq + 1u, &d->dkick);
  AMO_TAKE(&d->memory, signed char, nc, &d->incoming);
  AMO_TAKE(&d->memory, bool, nc, &d->turning);
  AMO_TAKE(&d->memory, double, (size_t)d->n + m->nq + 1u, &d->across);
  AMO_TAKE(&d->memory, long, nsw, &d->switch_of);
  amo_status st = amo_expansion_of(m, 1, L, &d->x);
  if (st == AMO_OK) st = count_ties(d);
  if (st != AMO_OK) return st;
  make_gradients(d);
  if (d->memory.failed) return AMO_ENOMEM;
  match_switches(d);
  return AMO_OK;
}

amo_status amo_derivative_new(const amo_model *m, const uint32_t *param, size_t np, amo_derivative **out)
{
  *out = NULL;
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
  if (st != AMO_OK) amo_derivative_free(d);
  if (st == AMO_OK) *out = d;
  return st;
}

void amo_derivative_free(amo_derivative *d)
{
  if (!d) return;
  amo_expansion_free(d->x);
  amo_vary_free(d->vary);
  amo_arena_free(&d->memory);
  free(d);
}

void amo_derivative_parameters(amo_derivative *d, const double *value)
{
  const amo_model *m = d->m;
  memcpy(d->value, value, m->np * sizeof *value);
  amo_expansion_parameters(d->x, value);
  for (uint32_t i = 0; i < d->np; i++)
    amo_vary_direction(d->vary, value, i, d->work, d->rate + (size_t)i * m->np);
  d->prepared = false;
}
