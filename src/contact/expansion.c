// SPDX-License-Identifier: Apache-2.0
/// Registers as series along a line; expansion_balance.c solves for the forces.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "contact/slip_direction.h"
#include "contact/expansion.h"

amo_status amo_expansion_of(const amo_model *m, int order, size_t lanes, amo_expansion **out)
{
  *out = NULL;
  if (m->njoint > 0) return AMO_EUNSUPPORTED;  // their normal forces are no part of this expansion yet
  amo_expansion *x = amo_zalloc(1, sizeof *x);
  if (!x) return AMO_ENOMEM;
  x->m = m;
  x->order = order;
  x->lanes = lanes;
  const size_t w = amo_width(x), all = w * lanes;
  x->unknowns = (m->nq + 2u * (size_t)m->nc + m->ng + m->nxi) * w;
  AMO_TAKE(&x->memory, double, (amo_prog_registers(m->step) + 1u) * all, &x->jet);
  AMO_TAKE(&x->memory, signed char, amo_prog_switches(m->step) * lanes, &x->branch);
  AMO_TAKE(&x->memory, signed char, m->nc, &x->mode, &x->reaction_sign);
  AMO_TAKE(&x->memory, double, m->nxi, &x->xi);
  AMO_TAKE(&x->memory, double, m->nc *all, &x->speed);
  AMO_TAKE(&x->memory, double, x->unknowns, &x->unknown[0], &x->unknown[1]);
  if (x->memory.failed || amo_balance_new(m, &x->balance) != AMO_OK) {
    amo_expansion_free(x);
    return AMO_ENOMEM;
  }
  memset(x->reaction_sign, 1, m->nc);
  for (uint32_t i = 0; i < m->nxi; i += 2) x->xi[i] = 1.0;
  *out = x;
  return AMO_OK;
}

amo_status amo_expansion_new(const amo_model *m, int order, amo_expansion **out)
{
  const amo_model *e = NULL;
  *out = NULL;
  const amo_status st = m->njoint > 0 ? AMO_EUNSUPPORTED : amo_model_expanded(m, &e);
  return st == AMO_OK ? amo_expansion_of(e, order, 1, out) : st;
}

void amo_expansion_free(amo_expansion *x)
{
  if (!x) return;
  amo_balance_free(x->balance);
  amo_arena_free(&x->memory);
  free(x);
}

void amo_expansion_put(amo_expansion *x, uint32_t leaf, int k, double value)
{
  double *to = x->jet + (leaf * amo_width(x) + (size_t)k) * x->lanes;
  for (size_t l = 0; l < x->lanes; l++) to[l] = value;
}

void amo_expansion_parameters(amo_expansion *x, const double *param)
{
  for (uint32_t i = 0; i < x->m->np; i++) amo_expansion_put(x, x->m->leaf.param + i, 0, param[i]);
}

void amo_expansion_place(amo_expansion *x, double t, const double *state)
{
  amo_expansion_put(x, x->m->leaf.t, 0, t);
  for (uint32_t i = 0; i < 2 * x->m->nq + x->m->nz; i++)
    amo_expansion_put(x, amo_state_leaf(x->m, i), 0, state[i]);
}

void amo_expansion_fix(amo_expansion *x, const signed char *mode)
{
  for (uint32_t c = 0; c < x->m->nc; c++) amo_expansion_put(x, x->m->leaf.sigma + c, 0, amo_sigma(mode[c]));
  if (x->lanes == 1)
    amo_jet_prepare1(x->m->step, x->jet, x->order);
  else
    amo_jet_prepare8(x->m->step, x->jet, x->order);
}

// ---- registers ----

/// Set the direction leaves of order k in a lane from the slips of the same order.
static void take_directions(amo_expansion *x, int k, int lane)
{
  const size_t w = amo_width(x) * x->lanes;
  for (uint32_t c = 0; c < x->m->nc; c++) {
    const amo_contact *t = &x->m->contact[c];
    if (!amo_turns(t)) continue;
    const bool slips = x->mode[c] == 1 && !(x->begins && x->begins[c]) &&
                       hypot(amo_coefficient(x, t->axis[0].r_slip, 0, lane),
                             amo_coefficient(x, t->axis[1].r_slip, 0, lane)) > 0.0;
    amo_slip_direction(x->m, t, x->jet + lane, w, x->lanes, x->speed + c * w + lane, k,
                       slips ? NULL : x->xi + t->xi);
  }
}

static void run_program(amo_expansion *x, int k)
{
  if (x->lanes == 1)
    amo_jet_eval1(x->m->step, x->jet, x->order, k, x->branch);
  else
    amo_jet_eval8(x->m->step, x->jet, x->order, k, x->branch);
}

void amo_expansion_eval(amo_expansion *x, int k)
{
  run_program(x, k);
  if (x->m->nxi == 0) return;
  for (int lane = 0; lane < (int)x->lanes; lane++) take_directions(x, k, lane);
  run_program(x, k);
}

/// Branches as they are at the state. Arguments may contain switches themselves: as often as it takes.
static void take_branches(amo_expansion *x)
{
  uint32_t rounds = amo_prog_switches(x->m->step) + 1;
  do amo_expansion_eval(x, 0);
  while (!x->hold && amo_jet_read_branches(x->m->step, x->jet, amo_width(x), x->branch) && rounds-- > 0);
}

void amo_expansion_registers(amo_expansion *x, double t, const double *state, const signed char *mode)
{
  const amo_model *m = x->m;
  const size_t w = amo_width(x) * x->lanes;
  memset(x->jet + m->leaf.t * w, 0, (m->leaf.count - m->leaf.t) * w * sizeof *x->jet);
  amo_expansion_place(x, t, state);
  memcpy(x->mode, mode, m->nc);
  amo_expansion_fix(x, mode);
  take_branches(x);
}

void amo_expansion_registers_along(amo_expansion *x, const double *dir, double dt, int order)
{
  const amo_model *m = x->m;
  amo_expansion_put(x, m->leaf.t, 1, dt);
  for (uint32_t i = 0; i < 2 * m->nq + m->nz; i++) amo_expansion_put(x, amo_state_leaf(m, i), 1, dir[i]);
  for (int k = 1; k <= order; k++) amo_expansion_eval(x, k);
}

double amo_expansion_register(const amo_expansion *x, uint32_t reg, int k)
{
  return reg == AMO_NO_REGISTER ? 0.0 : amo_coefficient(x, reg, k, 0);
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
