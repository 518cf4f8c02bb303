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
  if (!d->f || !d->df || !d->jet || !d->value || !d->rate || !d->work || !d->acc || !d->force || !d->press ||
      !d->multiplier || !d->traction || !d->violation || !d->kick || !d->dkick || !d->incoming ||
      !d->turning || !d->across || !d->branch || !d->mode || !d->side || !d->switch_of || !make_gradients(d))
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
  void *const all[] = {d->f,        d->df,     d->jet,       d->value, d->rate,   d->work,
                       d->acc,      d->force,  d->press,     d->mode,  d->side,   d->multiplier,
                       d->traction, d->branch, d->switch_of, d->slip,  d->bound,  d->lambda,
                       d->reaction, d->gap,    d->axis,      d->pull,  d->change, d->reset,
                       d->tie,      d->store,  d->violation, d->kick,  d->dkick,  d->incoming,
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

static void fill(double *at, double x)
{
  for (int l = 0; l < L; l++) at[l] = x;
}

static uint32_t state_leaf(const amo_model *m, uint32_t i)
{
  return i < m->nq ? m->leaf.q + i : i < 2 * m->nq ? m->leaf.u + i - m->nq : m->leaf.z + i - 2 * m->nq;
}

/// Modes enter the program as numbers.
static void load_fixed(amo_derivative *d, const signed char *mode)
{
  const amo_model *m = d->m;
  for (uint32_t i = 0; i < m->np; i++) fill(d->jet + (size_t)(m->leaf.param + i) * REG, d->value[i]);
  for (uint32_t c = 0; c < m->nc; c++) fill(d->jet + (size_t)(m->leaf.sigma + c) * REG, amo_sigma(mode[c]));
  amo_jet_prepare8(m->step, d->jet, 1);
}

/// Modes, parameters and blocks of a place, if they are not those of the last one.
static void arrange(amo_derivative *d, const amo_place *at)
{
  const size_t nc = d->m->nc;
  if (d->prepared && memcmp(d->mode, at->mode, nc) == 0 && memcmp(d->side, at->press, nc) == 0) return;
  memcpy(d->mode, at->mode, nc);
  memcpy(d->side, at->press, nc);
  load_fixed(d, at->mode);
  if (d->balance) amo_balance_arrange(d->balance, at->mode, at->press);
  memset(d->force, 0, 2 * nc * sizeof *d->force);  // open contacts have none
  memset(d->press, 0, 2 * nc * sizeof *d->press);
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

/// Rounding of a slip velocity along an axis, from the terms it is a sum of.
static double rounding_of(const amo_derivative *d, const amo_slip_axis *x)
{
  double rest = coefficient(d, x->r_slip, 0, 0), size = 0.0;
  for (uint32_t e = 0; e < x->nw; e++) {
    const double term = coefficient(d, x->w[e].reg, 0, 0) * coefficient(d, d->m->leaf.u + x->w[e].col, 0, 0);
    rest -= term;
    size += fabs(term);
  }
  return 2.2e-16 * (size + fabs(rest));
}

/// Directions of spatial slips in a lane at order k, from the slip velocities: xi = gamma/|gamma|.
static void take_directions(amo_derivative *d, const amo_place *at, int k, int lane)
{
  const amo_model *m = d->m;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *x = &m->contact[c];
    if (!x->spatial) continue;
    double g[2], *xi[2];
    for (uint32_t a = 0; a < 2; a++) {
      g[a] = coefficient(d, x->axis[a].r_slip, 0, lane);
      xi[a] = d->jet + (size_t)(m->leaf.xi + x->xi + a) * REG + (size_t)lane;
    }
    const bool begins = at->begins && at->begins[c];
    const double speed = begins ? 0.0 : hypot(g[0], g[1]);
    const bool turns = d->mode[c] != 0 && speed > 0.0;
    if (k == 0) {
      *xi[0] = turns ? g[0] / speed : begins ? at->xi[x->xi] : 1.0;
      *xi[1] = turns ? g[1] / speed : begins ? at->xi[x->xi + 1] : 0.0;
      if (turns && lane == 0)
        d->blur = fmax(d->blur, (rounding_of(d, &x->axis[0]) + rounding_of(d, &x->axis[1])) / speed);
      continue;
    }
    const double across = turns ? (*xi[0] * coefficient(d, x->axis[1].r_slip, 1, lane) -
                                   *xi[1] * coefficient(d, x->axis[0].r_slip, 1, lane)) /
                                      speed
                                : 0.0;
    xi[0][L] = -across * *xi[1];
    xi[1][L] = across * *xi[0];
  }
}

/// The program at order k in all lanes.
static void run_program(amo_derivative *d, const amo_place *at, int k)
{
  amo_jet_eval8(d->m->step, d->jet, 1, k, d->branch);
  if (d->m->nxi == 0) return;
  for (int lane = 0; lane < L; lane++) take_directions(d, at, k, lane);
  amo_jet_eval8(d->m->step, d->jet, 1, k, d->branch);
}

static void load_state(amo_derivative *d, const amo_place *at)
{
  d->evaluations++;
  d->blur = 0.0;
  fill(d->jet + (size_t)d->m->leaf.t * REG, at->t);
  for (uint32_t i = 0; i < d->ns; i++) fill(d->jet + (size_t)state_leaf(d->m, i) * REG, at->y[i]);
  load_branches(d, at);
  run_program(d, at, 0);
}

static amo_result results(amo_derivative *d)
{
  return (amo_result){d->acc, d->force, d->multiplier, d->press, d->traction, 2, 1, NULL, NULL};
}

static amo_status evaluate(amo_derivative *d, const amo_place *at)
{
  arrange(d, at);
  load_state(d, at);
  if (!d->balance) return AMO_OK;
  const amo_span v = {d->jet, REG, L};
  amo_status st = amo_balance_factor(d->balance, v);
  if (st == AMO_OK) amo_balance_solve(d->balance, v, results(d), 0);
  return st;
}

/// Coefficient k of the rates of a lane. k = 0: values (any lane).
static void read_rates(amo_derivative *d, int k, int lane, double *out)
{
  const amo_model *m = d->m;
  if (k > 0 && d->balance) amo_balance_solve(d->balance, (amo_span){d->jet + lane, REG, L}, results(d), 1);
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
  for (int support = 0; support < 2; support++)
    for (uint32_t c = 0; c < m->nc; c++) {
      if (m->contact[c].kind != (support ? AMO_SUPPORT : AMO_GUIDE) || d->mode[c] == AMO_MODE_OPEN) continue;
      set(&d->tie[n++], j, coefficient(d, m->contact[c].r_gap, k, lane));
      set(&d->tie[n++], j, coefficient(d, m->contact[c].r_gap_rate, k, lane));
    }
  d->ties = n;
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
    for (uint32_t a = 0; x->spatial && a < 2; a++) {
      set(&d->axis[x->xi + a], j, coefficient(d, x->axis[a].r_slip, k, lane));
      set(&d->pull[x->xi + a], j, d->traction[2 * (x->xi + a) + (uint32_t)k]);
    }
    if (x->kind == AMO_SUPPORT) set(&d->gap[c], j, coefficient(d, x->r_gap, k, lane));
  }
  for (uint32_t i = 0; i < amo_prog_switches(m->step); i++)
    if (d->switch_of[i] >= 0)
      set(&d->change[d->switch_of[i]], j, coefficient(d, amo_prog_switch_register(m->step, i), k, lane));
  for (uint32_t i = 0; i < m->nz; i++)
    if (m->extra[i].reset != AMO_NODE_NONE)
      set(&d->reset[i], j, coefficient(d, m->extra[i].r_reset, k, lane));
  read_ties(d, j, lane);
}

/// The program along the directions from `first`, one in a lane; how many.
static uint32_t begin_directions(amo_derivative *d, const amo_place *at, uint32_t first, bool finish)
{
  const uint32_t count = d->n - first < L ? d->n - first : L;
  for (uint32_t l = 0; l < count; l++) point(d, first + l, (int)l, 1.0);
  run_program(d, at, 1);
  if (finish) amo_jet_finish8(d->m->step, d->jet, 1, d->branch);
  return count;
}

static void end_directions(amo_derivative *d, uint32_t first, uint32_t count)
{
  for (uint32_t l = 0; l < count; l++) point(d, first + l, (int)l, 0.0);
}

/// What the rounding of time does to directions of spatial slips; `lane` is that of time.
static void blur_in_time(amo_derivative *d, const amo_place *at, int lane)
{
  for (uint32_t c = 0; c < d->m->nc; c++) {
    const amo_contact *x = &d->m->contact[c];
    if (!x->spatial || d->mode[c] == 0) continue;
    const double speed =
        hypot(coefficient(d, x->axis[0].r_slip, 0, 0), coefficient(d, x->axis[1].r_slip, 0, 0));
    const double rate =
        hypot(coefficient(d, x->axis[0].r_slip, 1, lane), coefficient(d, x->axis[1].r_slip, 1, lane));
    if (speed > 0.0) d->blur = fmax(d->blur, 2.2e-16 * fabs(at->t) * rate / speed);
  }
}

/// Conditions (see read_conditions) with forces that the balance leaves open as the engine shares them out.
static amo_status read_shared(amo_derivative *d, long j, int lane)
{
  const size_t n = 2u * d->m->nc;
  const bool open = d->balance && amo_balance_is_open(d->balance);
  amo_status st = AMO_OK;
  if (open) {
    memcpy(d->unshared, d->force, n * sizeof *d->force);
    memcpy(d->unshared + n, d->press, n * sizeof *d->press);
    st = amo_balance_share_out(d->balance, (amo_span){d->jet + lane, REG, L}, results(d), j < 0 ? 1 : 2);
  }
  read_conditions(d, j, lane);
  if (open) {
    memcpy(d->force, d->unshared, n * sizeof *d->force);
    memcpy(d->press, d->unshared + n, n * sizeof *d->press);
  }
  return st;
}

static amo_status run(amo_derivative *d, const amo_place *at, bool conditions)
{
  amo_status st = evaluate(d, at);
  if (st != AMO_OK) return st;
  read_rates(d, 0, 0, d->f);
  if (conditions) st = read_shared(d, -1, 0);
  for (uint32_t first = 0; first < d->n; first += L) {
    const uint32_t count = begin_directions(d, at, first, conditions);
    if (d->m->nxi > 0 && first + count == d->n) blur_in_time(d, at, (int)count - 1);
    for (uint32_t l = 0; l < count; l++) {
      read_rates(d, 1, (int)l, d->df + (size_t)(first + l) * d->ns);
      if (conditions && st == AMO_OK) st = read_shared(d, (long)(first + l), (int)l);
    }
    end_directions(d, first, count);
  }
  return st;
}

amo_status amo_derivative_rates(amo_derivative *d, const amo_place *at)
{
  return run(d, at, false);
}

amo_status amo_derivative_conditions(amo_derivative *d, const amo_place *at)
{
  return run(d, at, true);
}

// ---- impacts ----

/// Rates that the strike removes, at order k.
static amo_rates violations(amo_derivative *d, const amo_strike *strike, int k, int lane)
{
  const amo_model *m = d->m;
  amo_rates v = {.slip = d->violation};
  v.gap = v.slip + m->nc;
  v.axis = v.gap + m->nc;
  v.constraint = v.axis + m->nxi;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *x = &m->contact[c];
    v.slip[c] = coefficient(d, x->r_slip, k, lane);
    v.gap[c] = amo_has_gap(x) ? coefficient(d, x->r_gap_rate, k, lane) : 0.0;
    for (uint32_t a = 0; x->spatial && a < 2; a++)
      v.axis[x->xi + a] = coefficient(d, x->axis[a].r_slip, k, lane);
    if (!strike->bounces[c]) continue;  // gap rate after: -e times that before
    v.gap[c] *= 1.0 + coefficient(d, x->r_restitution, 0, lane);
    if (k > 0) v.gap[c] += coefficient(d, x->r_restitution, 1, lane) * coefficient(d, x->r_gap_rate, 0, lane);
  }
  for (uint32_t g = 0; g < m->ng; g++) v.constraint[g] = coefficient(d, m->constraint[g].r_rate, k, lane);
  return v;
}

static void read_kick(amo_derivative *d, const amo_strike *strike, int k, int lane, double *out)
{
  const amo_rates v = violations(d, strike, k, lane);
  amo_result r = results(d);
  r.jump = &v;
  amo_balance_solve(d->balance, (amo_span){d->jet + lane, REG, L}, r, k);
  for (uint32_t q = 0; q < d->m->nq; q++) out[q] = d->acc[2 * q + (uint32_t)k];
}

/// Slip after the strike across the direction xi, at order k; du: change of velocities at that order.
static double slip_across(const amo_derivative *d, const amo_strike *strike, int k, int lane,
                          const double *du)
{
  const amo_contact *c = &d->m->contact[strike->turns];
  double g[2];
  for (int a = 0; a < 2; a++) {
    const amo_slip_axis *x = &c->axis[a];
    g[a] = coefficient(d, x->r_slip, k, lane);
    for (uint32_t e = 0; e < x->nw; e++) {
      g[a] += coefficient(d, x->w[e].reg, 0, lane) * du[x->w[e].col];
      if (k > 0) g[a] += coefficient(d, x->w[e].reg, 1, lane) * d->kick[x->w[e].col];
    }
  }
  return strike->xi[c->xi] * g[1] - strike->xi[c->xi + 1] * g[0];
}

static double slip_along(const amo_derivative *d, const amo_strike *strike)
{
  const amo_contact *c = &d->m->contact[strike->turns];
  double sum = 0.0;
  for (int a = 0; a < 2; a++) {
    const amo_slip_axis *x = &c->axis[a];
    sum += strike->xi[c->xi + (uint32_t)a] * coefficient(d, x->r_slip, 0, 0);
    for (uint32_t e = 0; e < x->nw; e++)
      sum += strike->xi[c->xi + (uint32_t)a] * coefficient(d, x->w[e].reg, 0, 0) * d->kick[x->w[e].col];
  }
  return sum;
}

/// Friction of a spatial contact that slides in the strike points against the slip after it, which turns with it:
/// change = change at a fixed direction + turn * (change by a turn of one), and the turn is that of the slip after.
static void add_turn(amo_derivative *d, const amo_strike *strike)
{
  const uint32_t nq = d->m->nq, reg = d->m->leaf.xi + d->m->contact[strike->turns].xi;
  const double *xi = strike->xi + d->m->contact[strike->turns].xi;
  double *by_turn = d->across + d->n, *first = d->jet + (size_t)reg * REG + L, *second = first + REG;
  *first = -xi[1];
  *second = xi[0];
  amo_jet_eval8(d->m->step, d->jet, 1, 1, d->branch);
  amo_jet_finish8(d->m->step, d->jet, 1, d->branch);
  read_kick(d, strike, 1, 0, by_turn);
  const double left = slip_along(d, strike) - slip_across(d, strike, 1, 0, by_turn);
  *first = *second = 0.0;
  for (uint32_t j = 0; j < d->n; j++)
    for (uint32_t q = 0; q < nq; q++) d->dkick[(size_t)j * nq + q] += d->across[j] / left * by_turn[q];
}

/// Without a balance every contact has a velocity of its own.
static void strike_plainly(amo_derivative *d, const amo_strike *strike)
{
  const uint32_t nq = d->m->nq;
  memset(d->kick, 0, nq * sizeof *d->kick);
  memset(d->dkick, 0, (size_t)d->n * nq * sizeof *d->dkick);
  for (uint32_t c = 0; c < d->m->nc; c++) {
    const amo_contact *k = &d->m->contact[c];
    if (strike->mode[c] != 0 || k->nw == 0) continue;
    const double w = coefficient(d, k->w->reg, 0, 0);
    d->kick[k->w->col] = -d->slip[c].value / w;
    for (uint32_t j = 0; j < d->n; j++) d->dkick[(size_t)j * nq + k->w->col] = -d->slip[c].d[j] / w;
  }
}

amo_status amo_derivative_strike(amo_derivative *d, const amo_place *before, const amo_strike *strike)
{
  const uint32_t nq = d->m->nq;
  if (!d->balance) {
    strike_plainly(d, strike);
    return AMO_OK;
  }
  amo_place at = *before;
  memset(d->turning, 0, d->m->nc * sizeof *d->turning);
  if (strike->turns >= 0) d->turning[strike->turns] = true;
  at.begins = d->turning;
  at.xi = strike->xi;
  for (uint32_t c = 0; c < d->m->nc; c++)  // friction curves are read at the speed that comes in
    d->incoming[c] = d->m->contact[c].spatial || !(d->slip[c].value < 0.0) ? 1 : -1;
  load_fixed(d, d->incoming);
  load_state(d, &at);
  d->prepared = false;
  memset(d->force, 0, 2 * d->m->nc * sizeof *d->force);
  memset(d->press, 0, 2 * d->m->nc * sizeof *d->press);
  amo_balance_arrange(d->balance, strike->mode, strike->press);
  amo_status st = amo_balance_factor(d->balance, (amo_span){d->jet, REG, L});
  if (st != AMO_OK) return st;
  read_kick(d, strike, 0, 0, d->kick);
  for (uint32_t first = 0; first < d->n; first += L) {
    const uint32_t count = begin_directions(d, &at, first, true);
    for (uint32_t l = 0; l < count; l++) {
      double *kick = d->dkick + (size_t)(first + l) * nq;
      read_kick(d, strike, 1, (int)l, kick);
      if (strike->turns >= 0) d->across[first + l] = slip_across(d, strike, 1, (int)l, kick);
    }
    end_directions(d, first, count);
  }
  if (strike->turns >= 0) add_turn(d, strike);
  return AMO_OK;
}

// ---- conditions ----

static void add(const amo_derivative *d, amo_gradient *to, const amo_gradient *x, double factor)
{
  to->value += factor * x->value;
  for (uint32_t j = 0; j < d->n; j++) to->d[j] += factor * x->d[j];
}

void amo_derivative_margin(const amo_derivative *d, uint32_t c, int to, amo_gradient *out)
{
  const amo_gradient *b = &d->bound[c], *r = &d->reaction[c];
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
  if (!d->m->contact[c].spatial) {
    add(d, out, &d->lambda[c], to);  // leaving with slip `to` means the force acts against it
    return;
  }
  const amo_gradient *f = d->pull + d->m->contact[c].xi;
  const double size = hypot(f[0].value, f[1].value);
  for (int a = 0; size > 0.0 && a < 2; a++) add(d, out, &f[a], -f[a].value / size);
}

uint32_t amo_derivative_lost(const amo_derivative *d, const amo_place *at)
{
  uint32_t n = 0;
  double ratio;
  for (uint32_t c = 0; c < d->m->nc; c++) {
    const amo_contact *k = &d->m->contact[c];
    n += k->kind == AMO_SUPPORT && at->mode[c] != AMO_MODE_OPEN ? 2 : 0;
    if (at->mode[c] != 0 || k->nw == 0) continue;
    if (d->balance &&
        (amo_balance_indeterminate(d->balance, c) || amo_balance_share(d->balance, c, &ratio) >= 0))
      continue;
    n += k->spatial ? 2 : 1;
  }
  return n;
}
