// SPDX-License-Identifier: Apache-2.0
#include "orbit/carry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "contact/derivative.h"
#include "num/orthogonal.h"
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

/// Conditions on x [nq], linearised: a x = b is what has to be taken off.
typedef struct rows {
  double *a, *b;
  size_t n;
  double worst;  // excess, relative to what makes it up
} rows;

static void add_row(rows *r, const double *g, double excess, const double *x, uint32_t nq)
{
  double size = fabs(excess);
  for (uint32_t i = 0; i < nq; i++) size += fabs(g[i] * x[i]);
  if (excess != 0.0) r->worst = fmax(r->worst, fabs(excess) / size);
  memcpy(r->a + r->n * nq, g, nq * sizeof *g);
  r->b[r->n++] = excess;
}

static void add_contacts(const amo_carry *c, const double *state, rows *place, rows *speed)
{
  const uint32_t nq = c->m->nq;
  for (uint32_t k = 0; k < c->m->nc; k++) {
    if (is_support(c, k)) {
      const double *g = c->at->gap[k].d;
      add_row(place, g, c->at->gap[k].value - c->gap[k], state, nq);
      add_row(speed, g, gap_rate(c, k, state) - c->rate[k], state + nq, nq);
    }
    if (c->mode[k] == AMO_STICK) add_row(speed, c->at->slip[k].d + nq, c->at->slip[k].value, state + nq, nq);
  }
}

/// What guides and constraints hold: positions, or velocities.
static void add_ties(const amo_carry *c, const double *state, rows *place, rows *speed)
{
  const uint32_t nq = c->m->nq;
  for (uint32_t k = 0; k < c->at->ties; k++) {
    const amo_gradient *g = &c->at->tie[k];
    bool moves = false;
    for (uint32_t i = 0; i < nq; i++) moves |= g->d[nq + i] != 0.0;
    add_row(moves ? speed : place, g->d + (moves ? nq : 0), g->value, state + (moves ? nq : 0), nq);
  }
}

/// The least change of positions and velocities that does it, to first order. *worst: the largest relative change asked for.
static amo_status move(const amo_carry *c, double *state, double *worst)
{
  const size_t nq = c->m->nq, most = 2 * c->m->nc + c->at->ties, room = most > nq ? most : nq;
  double *memory = amo_zalloc(2 * (most * nq + room), sizeof *memory);
  rows part[2] = {{.a = memory, .b = memory + 2 * most * nq},
                  {.a = memory + most * nq, .b = memory + 2 * most * nq + room}};
  if (!memory) return AMO_ENOMEM;
  add_contacts(c, state, &part[0], &part[1]);
  add_ties(c, state, &part[0], &part[1]);
  amo_status st = AMO_OK;
  for (size_t p = 0; st == AMO_OK && p < 2; p++) {
    st = amo_least_squares(part[p].a, part[p].n, nq, AMO_FAINT, part[p].b, 1);
    for (size_t i = 0; st == AMO_OK && part[p].n > 0 && i < nq; i++) state[p * nq + i] -= part[p].b[i];
  }
  *worst = fmax(part[0].worst, part[1].worst);
  free(memory);
  return st;
}

amo_status amo_carry_state(amo_carry *c, const amo_values *v, double *state, double *t)
{
  double period = 0.0, worst = INFINITY;
  amo_status st = period_of(v, &period);
  if (st == AMO_OK && c->period > 0.0 && period > 0.0 && period != c->period) *t *= period / c->period;
  if (st != AMO_OK || !c->at) return st;
  amo_derivative_parameters(c->at, v->param);
  for (int round = 0; round < 20 && st == AMO_OK && worst > AMO_LAST_DIGITS; round++) {
    st = look(c, *t, state);
    if (st == AMO_OK) st = move(c, state, &worst);
  }
  return st;
}
