// SPDX-License-Identifier: Apache-2.0
#include "orbit/carry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "flow/derivative.h"
#include "orbit/forcing.h"

struct amo_carry {
  const amo_model *m;
  amo_derivative *at;  // NULL: nothing sticks and there are no supports
  signed char *mode;   // [nc] before the change
  signed char *reaction_sign, *branch;
  double *gap, *rate;  // [nc] of supports, before the change
  double period;       // of the forcing, before the change; 0: not periodic
};

static amo_status period_of(const amo_values *v, double *period)
{
  amo_forcing kind;
  amo_status st = amo_forcing_of(v, &kind, period);
  if (kind != AMO_PERIODIC) *period = 0.0;
  return st;
}

static amo_status look(amo_carry *c, double t, const double *state)
{
  const amo_place at = {
      .t = t, .y = state, .mode = c->mode, .reaction_sign = c->reaction_sign, .branch = c->branch};
  return amo_derivative_conditions(c->at, &at);
}

/// d gap/dt along the velocities.
static double gap_rate(const amo_carry *c, uint32_t k, const double *state)
{
  const uint32_t nq = c->m->nq;
  const amo_gradient *g = &c->at->gap[k];
  double rate = g->d[c->at->n - 1];
  for (uint32_t i = 0; i < nq; i++) rate += g->d[i] * state[nq + i];
  return rate;
}

static bool is_support(const amo_carry *c, uint32_t k)
{
  return amo_can_open(&c->m->contact[k]);
}

static bool needed(const amo_sim *s)
{
  bool any = false;
  for (uint32_t k = 0; k < s->m->nc; k++) any |= s->mode[k] == AMO_STICK || amo_can_open(&s->m->contact[k]);
  return any && s->m->nxi == 0;
}

static amo_status take_contacts(amo_carry *c, amo_sim *s, const double *state)
{
  amo_status st = amo_derivative_new(s->m, NULL, 0, &c->at);
  if (st != AMO_OK) return st;
  amo_derivative_parameters(c->at, s->param);
  st = look(c, s->t, state);
  for (uint32_t k = 0; st == AMO_OK && k < s->m->nc; k++) {
    if (!is_support(c, k)) continue;
    c->gap[k] = c->mode[k] == AMO_OPEN ? fmax(0.0, c->at->gap[k].value) : 0.0;
    c->rate[k] = c->mode[k] == AMO_OPEN ? gap_rate(c, k, state) : 0.0;
  }
  return st;
}

amo_status amo_carry_new(amo_sim *s, const double *state, amo_carry **out)
{
  const size_t nc = s->m->nc;
  amo_carry *c = *out = amo_zalloc(1, sizeof *c);
  if (!c) return AMO_ENOMEM;
  c->m = s->m;
  c->mode = amo_zalloc(nc, 1);
  c->reaction_sign = amo_zalloc(nc, 1);
  c->branch = amo_zalloc(amo_prog_switches(s->m->step), 1);
  c->gap = amo_zalloc(nc, sizeof *c->gap);
  c->rate = amo_zalloc(nc, sizeof *c->rate);
  if (!c->mode || !c->reaction_sign || !c->branch || !c->gap || !c->rate) return AMO_ENOMEM;
  for (size_t k = 0; k < nc; k++) c->mode[k] = (signed char)s->mode[k];
  amo_status st = period_of(&s->values, &c->period);
  return st == AMO_OK && needed(s) ? take_contacts(c, s, state) : st;
}

void amo_carry_free(amo_carry *c)
{
  if (!c) return;
  amo_derivative_free(c->at);
  free(c->mode);
  free(c->reaction_sign);
  free(c->branch);
  free(c->gap);
  free(c->rate);
  free(c);
}

/// Take `excess` off a condition with gradient g by the least change of x [nq]; returns it relative to what makes it up.
static double take_off(const double *g, double excess, double *x, uint32_t nq)
{
  double square = 0.0, size = fabs(excess);
  for (uint32_t i = 0; i < nq; i++) {
    square += g[i] * g[i];
    size += fabs(g[i] * x[i]);
  }
  if (!(square > 0.0) || excess == 0.0) return 0.0;
  for (uint32_t i = 0; i < nq; i++) x[i] -= g[i] * excess / square;
  return fabs(excess) / size;
}

/// One sweep over all contacts; exact where they share no coordinate. Returns the largest relative change.
static double sweep(amo_carry *c, double *state)
{
  const uint32_t nq = c->m->nq;
  double worst = 0.0;
  for (uint32_t k = 0; k < c->m->nc; k++) {
    if (is_support(c, k)) {
      const double *g = c->at->gap[k].d;
      worst = fmax(worst, take_off(g, c->at->gap[k].value - c->gap[k], state, nq));
      worst = fmax(worst, take_off(g, gap_rate(c, k, state) - c->rate[k], state + nq, nq));
    }
    if (c->mode[k] == AMO_STICK)
      worst = fmax(worst, take_off(c->at->slip[k].d + nq, c->at->slip[k].value, state + nq, nq));
  }
  return worst;
}

amo_status amo_carry_state(amo_carry *c, const amo_values *v, double *state, double *t)
{
  double period = 0.0;
  amo_status st = period_of(v, &period);
  if (st == AMO_OK && c->period > 0.0 && period > 0.0 && period != c->period) *t *= period / c->period;
  if (st != AMO_OK || !c->at) return st;
  amo_derivative_parameters(c->at, v->param);
  for (int round = 0; round < 100 && st == AMO_OK; round++) {
    st = look(c, *t, state);
    if (st == AMO_OK && sweep(c, state) <= 1e-15) break;
  }
  return st;
}
