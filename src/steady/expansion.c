// SPDX-License-Identifier: Apache-2.0
/// Registers as series along a line; expansion_balance.c solves for the forces.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "contact/slip_direction.h"
#include "steady/expansion.h"

amo_status amo_expansion_new(const amo_model *m, int order, amo_expansion **out)
{
  const amo_model *e = NULL;
  *out = NULL;
  if (m->njoint > 0) return AMO_EUNSUPPORTED;  // their normal forces are no part of this expansion yet
  amo_status st = amo_model_expanded(m, &e);
  if (st != AMO_OK) return st;
  amo_expansion *x = amo_zalloc(1, sizeof *x);
  if (!x) return AMO_ENOMEM;
  x->m = e;
  x->order = order;
  size_t w = amo_width(x);
  x->unknowns = (e->nq + 2u * (size_t)e->nc + e->ng + e->nxi) * w;
  AMO_TAKE(&x->memory, double, amo_prog_registers(e->step) * w, &x->jet);
  AMO_TAKE(&x->memory, signed char, amo_prog_switches(e->step), &x->branch);
  AMO_TAKE(&x->memory, signed char, e->nc, &x->mode, &x->reaction_sign);
  AMO_TAKE(&x->memory, double, e->nxi, &x->xi);
  AMO_TAKE(&x->memory, double, e->nc *w, &x->speed);
  AMO_TAKE(&x->memory, double, x->unknowns, &x->unknown[0], &x->unknown[1]);
  if (x->memory.failed || amo_balance_new(e, &x->balance) != AMO_OK) {
    amo_expansion_free(x);
    return AMO_ENOMEM;
  }
  memset(x->reaction_sign, 1, e->nc);
  for (uint32_t i = 0; i < e->nxi; i += 2) x->xi[i] = 1.0;
  *out = x;
  return AMO_OK;
}

void amo_expansion_free(amo_expansion *x)
{
  if (!x) return;
  amo_balance_free(x->balance);
  amo_arena_free(&x->memory);
  free(x);
}

void amo_expansion_parameters(amo_expansion *x, const double *param)
{
  for (uint32_t i = 0; i < x->m->np; i++) x->jet[(x->m->leaf.param + i) * amo_width(x)] = param[i];
}

// ---- directions of sliding ----

/// Set the direction leaves of order k from the slips of the same order. False: nothing to set.
static bool take_directions(amo_expansion *x, int k)
{
  const size_t w = amo_width(x);
  bool any = false;
  for (uint32_t c = 0; c < x->m->nc; c++) {
    const amo_contact *t = &x->m->contact[c];
    if (!amo_turns(t)) continue;
    any = true;
    const bool slips = x->mode[c] == 1 && hypot(amo_expansion_register(x, t->axis[0].r_slip, 0),
                                                amo_expansion_register(x, t->axis[1].r_slip, 0)) > 0.0;
    amo_slip_direction(x->m, t, x->jet, w, 1, x->speed + c * w, k, slips ? NULL : x->xi + t->xi);
  }
  return any;
}

// ---- registers ----

static void eval(amo_expansion *x, int k)
{
  amo_jet_eval1(x->m->step, x->jet, x->order, k, x->branch);
  if (take_directions(x, k)) amo_jet_eval1(x->m->step, x->jet, x->order, k, x->branch);
}

/// Branches as they are at the state. Arguments may contain switches themselves: as often as it takes.
static void take_branches(amo_expansion *x)
{
  uint32_t rounds = amo_prog_switches(x->m->step) + 1;
  do eval(x, 0);
  while (!x->hold && amo_jet_read_branches(x->m->step, x->jet, amo_width(x), x->branch) && rounds-- > 0);
}

void amo_expansion_registers(amo_expansion *x, double t, const double *state, const signed char *mode)
{
  const amo_model *m = x->m;
  const size_t w = amo_width(x);
  for (uint32_t l = m->leaf.t; l < m->leaf.count; l++) memset(x->jet + l * w, 0, w * sizeof(double));
  amo_load_leaves(m, x->jet, w, NULL, t, state);
  for (uint32_t c = 0; c < m->nc; c++) {
    x->mode[c] = mode[c];
    x->jet[(m->leaf.sigma + c) * w] = mode[c] == AMO_MODE_OPEN ? 0.0 : mode[c];
  }
  amo_jet_prepare1(m->step, x->jet, x->order);
  take_branches(x);
}

void amo_expansion_registers_along(amo_expansion *x, const double *dir, double dt, int order)
{
  const amo_model *m = x->m;
  const size_t w = amo_width(x);
  x->jet[m->leaf.t * w + 1] = dt;
  for (uint32_t i = 0; i < 2 * m->nq + m->nz; i++) x->jet[amo_state_leaf(m, i) * w + 1] = dir[i];
  for (int k = 1; k <= order; k++) eval(x, k);
}

double amo_expansion_register(const amo_expansion *x, uint32_t reg, int k)
{
  if (reg == AMO_NO_REGISTER) return 0.0;
  return k > 0 && amo_prog_is_fixed(x->m->step, reg) ? 0.0 : x->jet[reg * amo_width(x) + (size_t)k];
}

bool amo_expansion_is_within(const amo_expansion *x, uint32_t c)
{
  const amo_contact *k = &x->m->contact[c];
  return !amo_has_ends(k) || amo_expansion_register(x, k->r_within, 0) > 0.0;
}

bool amo_expansion_is_apart(const amo_expansion *x, uint32_t c)
{
  const amo_contact *k = &x->m->contact[c];
  if (k->r_side != AMO_NO_REGISTER) return amo_expansion_register(x, k->r_side, 0) == 0.0;
  const double rounding = AMO_NOTHING * amo_gap_terms(x->m, k, x->jet, amo_width(x));
  return amo_can_open(k) &&
         amo_is_apart(k, amo_expansion_register(x, k->r_gap, 0), rounding, amo_expansion_is_within(x, c));
}
