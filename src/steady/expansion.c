// SPDX-License-Identifier: Apache-2.0
#include "steady/expansion.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static size_t width(const amo_expansion *x)
{
  return (size_t)x->order + 1;
}

amo_status amo_expansion_new(const amo_model *m, int order, amo_expansion **out)
{
  const amo_model *e = NULL;
  *out = NULL;
  amo_status st = amo_model_expanded(m, &e);
  if (st != AMO_OK) return st;
  amo_expansion *x = amo_zalloc(1, sizeof *x);
  if (!x) return AMO_ENOMEM;
  x->m = e;
  x->order = order;
  size_t w = width(x) * sizeof(double);
  x->jet = amo_zalloc(amo_prog_registers(e->step), w);
  x->acc = amo_zalloc(e->nq, w);
  x->lambda = amo_zalloc(e->nc, w);
  x->reaction = amo_zalloc(e->nc, w);
  x->multiplier = amo_zalloc(e->ng, w);
  x->branch = amo_zalloc(amo_prog_switches(e->step), 1);
  x->mode = amo_zalloc(e->nc, 1);
  x->press = amo_zalloc(e->nc, 1);
  st = amo_balance_new(e, &x->balance);
  if (!x->jet || !x->acc || !x->lambda || !x->reaction || !x->multiplier || !x->branch || !x->mode ||
      !x->press)
    st = AMO_ENOMEM;
  if (st == AMO_OK) {
    memset(x->press, 1, e->nc);
    *out = x;
  } else {
    amo_expansion_free(x);
  }
  return st;
}

void amo_expansion_free(amo_expansion *x)
{
  if (!x) return;
  free(x->jet);
  free(x->acc);
  free(x->lambda);
  free(x->reaction);
  free(x->multiplier);
  free(x->branch);
  free(x->mode);
  free(x->press);
  amo_balance_free(x->balance);
  free(x);
}

void amo_expansion_parameters(amo_expansion *x, const double *param)
{
  for (uint32_t i = 0; i < x->m->np; i++) x->jet[(x->m->leaf.param + i) * width(x)] = param[i];
}

static uint32_t state_leaf(const amo_model *m, uint32_t i)
{
  return i < m->nq ? m->leaf.q + i : i < 2 * m->nq ? m->leaf.u + i - m->nq : m->leaf.z + i - 2 * m->nq;
}

static void eval(amo_expansion *x, int k)
{
  amo_jet_eval1(x->m->step, x->jet, x->order, k, x->branch);
}

/// Branches as they are at the state. Arguments may contain switches themselves: as often as it takes.
static void take_branches(amo_expansion *x)
{
  uint32_t n = amo_prog_switches(x->m->step);
  bool changed = true;
  for (uint32_t round = 0; changed && round <= n; round++) {
    changed = false;
    eval(x, 0);
    for (uint32_t i = 0; i < n; i++) {
      double d = x->jet[amo_prog_switch_register(x->m->step, i) * width(x)];
      signed char sign = (signed char)((d > 0.0) - (d < 0.0));
      changed |= sign != x->branch[i];
      x->branch[i] = sign;
    }
  }
}

static amo_result result(const amo_expansion *x)
{
  return (amo_result){x->acc, x->lambda, x->multiplier, x->reaction, width(x), 1, NULL};
}

static amo_status balance(amo_expansion *x)
{
  amo_span v = {x->jet, width(x), 1};
  amo_balance_arrange(x->balance, x->mode, x->press);
  amo_status st = amo_balance_factor(x->balance, v);
  if (st == AMO_OK) amo_balance_solve(x->balance, v, result(x), 0);
  return st;
}

/// A slipping guide rubs with |R|: its sign is assumed, then looked at.
static bool signs_agree(amo_expansion *x)
{
  bool agree = true;
  for (uint32_t c = 0; c < x->m->nc; c++) {
    double r = x->reaction[c * width(x)];
    if (x->m->contact[c].kind != AMO_GUIDE || x->mode[c] == 0 || x->press[c] * r >= 0.0) continue;
    x->press[c] = (signed char)-x->press[c];
    agree = false;
  }
  return agree;
}

amo_status amo_expansion_at(amo_expansion *x, double t, const double *state, const signed char *mode)
{
  const amo_model *m = x->m;
  const size_t w = width(x);
  for (uint32_t l = m->leaf.t; l < m->leaf.count; l++) memset(x->jet + l * w, 0, w * sizeof(double));
  x->jet[m->leaf.t * w] = t;
  for (uint32_t i = 0; i < 2 * m->nq + m->nz; i++) x->jet[state_leaf(m, i) * w] = state[i];
  for (uint32_t c = 0; c < m->nc; c++) x->jet[(m->leaf.sigma + c) * w] = mode[c];
  memcpy(x->mode, mode, m->nc);
  amo_jet_prepare1(m->step, x->jet, x->order);
  take_branches(x);
  amo_status st = AMO_OK;
  for (uint32_t round = 0; round < 4; round++) {
    st = balance(x);
    if (st != AMO_OK || signs_agree(x)) break;
  }
  return st;
}

void amo_expansion_along(amo_expansion *x, const double *dir, double dt, int order)
{
  const amo_model *m = x->m;
  const size_t w = width(x);
  x->jet[m->leaf.t * w + 1] = dt;
  for (uint32_t i = 0; i < 2 * m->nq + m->nz; i++) x->jet[state_leaf(m, i) * w + 1] = dir[i];
  for (int k = 1; k <= order; k++) {
    eval(x, k);
    amo_balance_solve(x->balance, (amo_span){x->jet, w, 1}, result(x), k);
  }
}

double amo_expansion_register(const amo_expansion *x, uint32_t reg, int k)
{
  if (reg == AMO_NO_REGISTER) return 0.0;
  return k > 0 && amo_prog_is_fixed(x->m->step, reg) ? 0.0 : x->jet[reg * width(x) + (size_t)k];
}

double amo_expansion_rate(const amo_expansion *x, uint32_t i, int k)
{
  const amo_model *m = x->m;
  if (i < m->nq) return amo_expansion_register(x, m->leaf.u + i, k);
  if (i < 2 * m->nq) return x->acc[(i - m->nq) * width(x) + (size_t)k];
  return amo_expansion_register(x, m->extra[i - 2 * m->nq].r_rate, k);
}

double amo_expansion_friction(const amo_expansion *x, uint32_t c, int k)
{
  const amo_contact *t = &x->m->contact[c];
  if (x->mode[c] != 0 && t->kind == AMO_PRESSED) return -x->mode[c] * amo_expansion_register(x, t->r_kinetic, k);
  return x->lambda[c * width(x) + (size_t)k];
}

double amo_expansion_reaction(const amo_expansion *x, uint32_t c, int k)
{
  const amo_contact *t = &x->m->contact[c];
  if (t->kind == AMO_PRESSED) return amo_expansion_register(x, t->r_normal, k);
  return x->reaction[c * width(x) + (size_t)k];
}
