// SPDX-License-Identifier: Apache-2.0
#include "flow/derivative.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { L = AMO_LANES, REG = 2 * AMO_LANES };  // one register: two coefficients for each lane

static bool take_gradients(amo_derivative *d, amo_gradient **g, uint32_t count, double **store)
{
  *g = calloc(count + 1u, sizeof **g);
  for (uint32_t i = 0; *g && i < count; i++, *store += d->n) (*g)[i].d = *store;
  return *g != NULL;
}

static uint32_t count_ties(const amo_model *m)
{
  uint32_t n = 0;
  for (uint32_t g = 0; g < m->ng; g++) n += m->constraint[g].velocity_level ? 1 : 2;
  for (uint32_t c = 0; c < m->nc; c++) n += m->contact[c].kind == AMO_GUIDE ? 2 : 0;
  return n;
}

static bool make_gradients(amo_derivative *d)
{
  const uint32_t nc = d->m->nc, nsw = amo_prog_switches(d->model->step), nz = d->m->nz;
  d->ties = count_ties(d->m);
  double *at = d->store = calloc((size_t)(4 * nc + nsw + nz + d->ties + 1) * d->n, sizeof *d->store);
  return at && take_gradients(d, &d->slip, nc, &at) && take_gradients(d, &d->bound, nc, &at) &&
         take_gradients(d, &d->lambda, nc, &at) && take_gradients(d, &d->reaction, nc, &at) &&
         take_gradients(d, &d->change, nsw, &at) && take_gradients(d, &d->reset, nz, &at) &&
         take_gradients(d, &d->tie, d->ties, &at);
}

/// Switching arguments of parameters alone exist only in the view; the others are the model's, by their expression.
static void match_switches(amo_derivative *d)
{
  const amo_prog *mine = d->m->step, *theirs = d->model->step;
  for (uint32_t i = 0; i < amo_prog_switches(mine); i++) {
    d->switch_of[i] = -1;
    for (uint32_t k = 0; k < amo_prog_switches(theirs); k++)
      if (amo_prog_switch_node(mine, i) == amo_prog_switch_node(theirs, k)) d->switch_of[i] = (long)k;
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
  d->press = calloc(2u * nc, sizeof *d->press);
  d->multiplier = calloc(2u * m->ng + 2u, sizeof *d->multiplier);
  d->traction = calloc(2u * m->nxi + 2u, sizeof *d->traction);
  d->branch = calloc(nsw * L, 1);
  d->mode = calloc(nc, 1);
  d->side = calloc(nc, 1);
  d->switch_of = calloc(nsw, sizeof *d->switch_of);
  if (!d->f || !d->df || !d->jet || !d->value || !d->rate || !d->work || !d->acc || !d->force || !d->press ||
      !d->multiplier || !d->traction || !d->branch || !d->mode || !d->side || !d->switch_of ||
      !make_gradients(d))
    return AMO_ENOMEM;
  match_switches(d);
  return m->plain ? AMO_OK : amo_balance_new(m, &d->balance);
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
  void *const all[] = {d->f,        d->df,     d->jet,       d->value, d->rate,  d->work,
                       d->acc,      d->force,  d->press,     d->mode,  d->side,  d->multiplier,
                       d->traction, d->branch, d->switch_of, d->slip,  d->bound, d->lambda,
                       d->reaction, d->change, d->reset,     d->tie,   d->store};
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

static void fill(double *at, double x)
{
  for (int l = 0; l < L; l++) at[l] = x;
}

static uint32_t state_leaf(const amo_model *m, uint32_t i)
{
  return i < m->nq ? m->leaf.q + i : i < 2 * m->nq ? m->leaf.u + i - m->nq : m->leaf.z + i - 2 * m->nq;
}

static void load_fixed(amo_derivative *d, const amo_place *at)
{
  const amo_model *m = d->m;
  const size_t nc = m->nc;
  if (d->prepared && memcmp(d->mode, at->mode, nc) == 0 && memcmp(d->side, at->press, nc) == 0) return;
  memcpy(d->mode, at->mode, nc);
  memcpy(d->side, at->press, nc);
  for (uint32_t i = 0; i < m->np; i++) fill(d->jet + (size_t)(m->leaf.param + i) * REG, d->value[i]);
  for (uint32_t c = 0; c < m->nc; c++) fill(d->jet + (size_t)(m->leaf.sigma + c) * REG, at->mode[c]);
  amo_jet_prepare8(m->step, d->jet, 1);
  if (d->balance) amo_balance_arrange(d->balance, at->mode, at->press);
  d->prepared = true;
}

/// The engine's branches; arguments it has no switch for (parameters alone) go by their sign.
static void load_branches(amo_derivative *d, const amo_place *at)
{
  bool own = false;
  for (uint32_t i = 0; i < amo_prog_switches(d->m->step); i++) {
    if (d->switch_of[i] < 0)
      own = true;
    else
      memset(d->branch + (size_t)i * L, at->branch[d->switch_of[i]], L);
  }
  for (uint32_t i = 0; own && i < amo_prog_switches(d->m->step); i++) {
    if (d->switch_of[i] >= 0) continue;
    memset(d->branch + (size_t)i * L, 1, L);
    amo_jet_eval8(d->m->step, d->jet, 1, 0, d->branch);
    const double x = d->jet[(size_t)amo_prog_switch_register(d->m->step, i) * REG];
    memset(d->branch + (size_t)i * L, (x > 0.0) - (x < 0.0), L);
  }
}

static amo_status evaluate(amo_derivative *d, const amo_place *at)
{
  const amo_model *m = d->m;
  d->evaluations++;
  load_fixed(d, at);
  fill(d->jet + (size_t)m->leaf.t * REG, at->t);
  for (uint32_t i = 0; i < d->ns; i++) fill(d->jet + (size_t)state_leaf(m, i) * REG, at->y[i]);
  load_branches(d, at);
  amo_jet_eval8(m->step, d->jet, 1, 0, d->branch);
  if (!d->balance) return AMO_OK;
  const amo_span v = {d->jet, REG, L};
  amo_status st = amo_balance_factor(d->balance, v);
  if (st == AMO_OK)
    amo_balance_solve(d->balance, v,
                      (amo_result){d->acc, d->force, d->multiplier, d->press, d->traction, 2, 1, NULL}, 0);
  return st;
}

static double coefficient(const amo_derivative *d, uint32_t reg, int k, int lane)
{
  if (k > 0 && amo_prog_is_fixed(d->m->step, reg)) return 0.0;
  return d->jet[(size_t)reg * REG + (size_t)k * L + (size_t)lane];
}

/// First coefficients of the leaves of one lane: direction j, times x.
static void point(amo_derivative *d, uint32_t j, int lane, double x)
{
  const amo_model *m = d->m;
  if (j < d->ns)
    d->jet[(size_t)state_leaf(m, j) * REG + L + (size_t)lane] = x;
  else if (j == d->n - 1)
    d->jet[(size_t)m->leaf.t * REG + L + (size_t)lane] = x;
  else
    for (uint32_t i = 0; i < m->np; i++)
      if (d->vary->moves[i])
        d->jet[(size_t)(m->leaf.param + i) * REG + L + (size_t)lane] =
            x * d->rate[(size_t)(j - d->ns) * m->np + i];
}

/// Coefficient k of the rates of a lane. k = 0: values (any lane).
static void read_rates(amo_derivative *d, int k, int lane, double *out)
{
  const amo_model *m = d->m;
  if (k > 0 && d->balance)
    amo_balance_solve(d->balance, (amo_span){d->jet + lane, REG, L},
                      (amo_result){d->acc, d->force, d->multiplier, d->press, d->traction, 2, 1, NULL}, 1);
  for (uint32_t q = 0; q < m->nq; q++) {
    out[q] = d->jet[(size_t)(m->leaf.u + q) * REG + (size_t)k * L + (size_t)lane];
    out[m->nq + q] = d->balance ? d->acc[2 * q + (uint32_t)k] : coefficient(d, m->r_acc[q], k, lane);
  }
  for (uint32_t i = 0; i < m->nz; i++) out[2 * m->nq + i] = coefficient(d, m->extra[i].r_rate, k, lane);
}

static void set(amo_gradient *g, long j, double x)
{
  if (j < 0)
    g->value = x;
  else
    g->d[j] = x;
}

static void read_ties(amo_derivative *d, long j, int lane)
{
  const amo_model *m = d->m;
  const int k = j >= 0;
  uint32_t n = 0;
  for (uint32_t g = 0; g < m->ng; g++) {
    const amo_constraint *x = &m->constraint[g];
    if (!x->velocity_level) set(&d->tie[n++], j, coefficient(d, x->r_residual, k, lane));
    set(&d->tie[n++], j, coefficient(d, x->r_rate, k, lane));
  }
  for (uint32_t c = 0; c < m->nc; c++) {
    if (m->contact[c].kind != AMO_GUIDE) continue;
    set(&d->tie[n++], j, coefficient(d, m->contact[c].r_gap, k, lane));
    set(&d->tie[n++], j, coefficient(d, m->contact[c].r_gap_rate, k, lane));
  }
}

/// Conditions of a lane: derivative j, or (j = -1) values.
static void read_conditions(amo_derivative *d, long j, int lane)
{
  const amo_model *m = d->m;
  const int k = j >= 0;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *x = &m->contact[c];
    set(&d->slip[c], j, coefficient(d, x->r_slip, k, lane));
    set(&d->bound[c], j, coefficient(d, x->r_bound, k, lane));
    set(&d->lambda[c], j, d->balance ? d->force[2 * c + (uint32_t)k] : coefficient(d, x->r_stick, k, lane));
    set(&d->reaction[c], j, d->balance ? d->press[2 * c + (uint32_t)k] : 0.0);
  }
  for (uint32_t i = 0; i < amo_prog_switches(m->step); i++)
    if (d->switch_of[i] >= 0)
      set(&d->change[d->switch_of[i]], j, coefficient(d, amo_prog_switch_register(m->step, i), k, lane));
  for (uint32_t i = 0; i < m->nz; i++)
    if (m->extra[i].reset != AMO_NODE_NONE)
      set(&d->reset[i], j, coefficient(d, m->extra[i].r_reset, k, lane));
  read_ties(d, j, lane);
}

static amo_status run(amo_derivative *d, const amo_place *at, bool conditions)
{
  amo_status st = evaluate(d, at);
  if (st != AMO_OK) return st;
  read_rates(d, 0, 0, d->f);
  if (conditions) read_conditions(d, -1, 0);
  for (uint32_t first = 0; first < d->n; first += L) {
    const uint32_t count = d->n - first < L ? d->n - first : L;
    for (uint32_t l = 0; l < count; l++) point(d, first + l, (int)l, 1.0);
    amo_jet_eval8(d->m->step, d->jet, 1, 1, d->branch);
    if (conditions) amo_jet_finish8(d->m->step, d->jet, 1, d->branch);
    for (uint32_t l = 0; l < count; l++) {
      read_rates(d, 1, (int)l, d->df + (size_t)(first + l) * d->ns);
      if (conditions) read_conditions(d, (long)(first + l), (int)l);
    }
    for (uint32_t l = 0; l < count; l++) point(d, first + l, (int)l, 0.0);
  }
  return AMO_OK;
}

amo_status amo_derivative_rates(amo_derivative *d, const amo_place *at)
{
  return run(d, at, false);
}

amo_status amo_derivative_conditions(amo_derivative *d, const amo_place *at)
{
  return run(d, at, true);
}

static void add(const amo_derivative *d, amo_gradient *to, const amo_gradient *x, double factor)
{
  to->value += factor * x->value;
  for (uint32_t j = 0; j < d->n; j++) to->d[j] += factor * x->d[j];
}

void amo_derivative_margin(const amo_derivative *d, uint32_t c, int to, amo_gradient *out)
{
  const amo_gradient *b = &d->bound[c], *r = &d->reaction[c];
  double ratio;
  out->value = 0.0;
  memset(out->d, 0, d->n * sizeof *out->d);
  if (amo_has_gap(&d->m->contact[c])) {  // mu |R|
    add(d, out, b, fabs(r->value));
    const double held = out->value;
    add(d, out, r, r->value < 0.0 ? -b->value : b->value);
    out->value = held;
  } else {
    add(d, out, b, 1.0);
  }
  for (uint32_t k = 0; d->balance && k < d->m->nc; k++)
    if (d->mode[k] == 0 && amo_balance_share(d->balance, k, &ratio) == (long)c)
      add(d, out, &d->bound[k], fabs(ratio));
  add(d, out, &d->lambda[c], to);  // leaving with slip `to` means the force acts against it
}

uint32_t amo_derivative_sticks(const amo_derivative *d, const amo_place *at)
{
  uint32_t n = 0;
  double ratio;
  for (uint32_t c = 0; c < d->m->nc; c++) {
    if (at->mode[c] != 0 || d->m->contact[c].nw == 0) continue;
    if (d->balance &&
        (amo_balance_indeterminate(d->balance, c) || amo_balance_share(d->balance, c, &ratio) >= 0))
      continue;
    n++;
  }
  return n;
}
