// SPDX-License-Identifier: Apache-2.0
#include "flow/derivative_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/slip_direction.h"

static void fill(double *at, double x)
{
  for (int l = 0; l < L; l++) at[l] = x;
}

/// Modes enter the program as numbers.
void amo_derivative_fix(amo_derivative *d, const signed char *mode)
{
  const amo_model *m = d->m;
  for (uint32_t i = 0; i < m->np; i++) fill(d->jet + (size_t)(m->leaf.param + i) * REG, d->value[i]);
  for (uint32_t c = 0; c < m->nc; c++) fill(d->jet + (size_t)(m->leaf.sigma + c) * REG, amo_sigma(mode[c]));
  amo_jet_prepare8(m->step, d->jet, 1);
}

void amo_derivative_arrange(amo_derivative *d, const amo_place *at)
{
  const size_t nc = d->m->nc;
  if (d->prepared && memcmp(d->mode, at->mode, nc) == 0 && memcmp(d->side, at->reaction_sign, nc) == 0)
    return;
  memcpy(d->mode, at->mode, nc);
  memcpy(d->side, at->reaction_sign, nc);
  amo_derivative_fix(d, at->mode);
  if (!d->m->plain) amo_balance_arrange(d->balance, at->mode, at->reaction_sign);
  memset(d->force, 0, 2 * nc * sizeof *d->force);  // open contacts have none
  memset(d->reaction_sign, 0, 2 * nc * sizeof *d->reaction_sign);
  d->prepared = true;
}

/// The engine's branches; arguments it has no switch for (parameters alone) go by their sign.
void amo_derivative_branches(amo_derivative *d, const amo_place *at)
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

/// First coefficients of the leaves of one lane: direction j, times x.
static void point(amo_derivative *d, uint32_t j, int lane, double x)
{
  const amo_model *m = d->m;
  if (j < d->ns)
    d->jet[(size_t)amo_state_leaf(m, j) * REG + L + (size_t)lane] = x;
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
  double rest = amo_coefficient(d, x->r_slip, 0, 0), size = 0.0;
  for (uint32_t e = 0; e < x->nw; e++) {
    const double term =
        amo_coefficient(d, x->w[e].reg, 0, 0) * amo_coefficient(d, d->m->leaf.u + x->w[e].col, 0, 0);
    rest -= term;
    size += fabs(term);
  }
  return DBL_EPSILON * (size + fabs(rest));
}

/// Directions of spatial slips in a lane at order k, from the slip velocities.
static void take_directions(amo_derivative *d, const amo_place *at, int k, int lane)
{
  static const double any[2] = {1.0, 0.0};
  for (uint32_t c = 0; c < d->m->nc; c++) {
    const amo_contact *x = &d->m->contact[c];
    if (!amo_turns(x)) continue;
    const bool begins = at->begins && at->begins[c];
    const double speed =
        hypot(amo_coefficient(d, x->axis[0].r_slip, 0, lane), amo_coefficient(d, x->axis[1].r_slip, 0, lane));
    const bool turns = d->mode[c] != 0 && !begins && speed > 0.0;
    amo_slip_direction(d->m, x, d->jet + lane, REG, L, d->speed + (size_t)c * REG + lane, k,
                       turns    ? NULL
                       : begins ? at->xi + x->xi
                                : any);
    if (turns && k == 0 && lane == 0)
      d->blur = fmax(d->blur, (rounding_of(d, &x->axis[0]) + rounding_of(d, &x->axis[1])) / speed);
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

/// A seam divides two expressions of one function: at any place that of its own side holds, also where rounding has left the place
/// beyond the seam on which the engine's step ends (a power of a negative number has no value).
bool amo_derivative_seams(amo_derivative *d)
{
  bool changed = false;
  for (uint32_t i = 0; i < amo_prog_switches(d->m->step); i++) {
    signed char *branch = d->branch + (size_t)i * L;
    const double *x = d->jet + (size_t)amo_prog_switch_register(d->m->step, i) * REG;
    for (size_t l = 0; amo_prog_switch_kind(d->m->step, i) == AMO_SWITCH_SEAM && l < L; l++) {
      if (!(branch[l] * x[l] < 0.0)) continue;
      branch[l] = (signed char)-branch[l];
      changed = true;
    }
  }
  return changed;
}

void amo_derivative_load(amo_derivative *d, const amo_place *at)
{
  d->evaluations++;
  d->blur = 0.0;
  fill(d->jet + (size_t)d->m->leaf.t * REG, at->t);
  for (uint32_t i = 0; i < d->ns; i++) fill(d->jet + (size_t)amo_state_leaf(d->m, i) * REG, at->y[i]);
  amo_derivative_branches(d, at);
  run_program(d, at, 0);
  if (at->own_side && amo_derivative_seams(d)) run_program(d, at, 0);
}

amo_result amo_derivative_results(amo_derivative *d)
{
  return (amo_result){d->acc, d->force, d->multiplier, d->reaction_sign, d->traction, 2, 1, NULL, NULL, NULL};
}

static amo_status evaluate(amo_derivative *d, const amo_place *at)
{
  amo_derivative_arrange(d, at);
  amo_derivative_load(d, at);
  if (d->m->plain) return AMO_OK;
  const amo_span v = {d->jet, REG, L};
  amo_status st = amo_balance_factor(d->balance, v);
  if (st == AMO_OK) amo_balance_solve(d->balance, v, amo_derivative_results(d), 0);
  return st;
}

/// Coefficient k of the rates of a lane. k = 0: values (any lane).
static void read_rates(amo_derivative *d, int k, int lane, double *out)
{
  const amo_model *m = d->m;
  if (k > 0 && !d->m->plain)
    amo_balance_solve(d->balance, (amo_span){d->jet + lane, REG, L}, amo_derivative_results(d), 1);
  for (uint32_t q = 0; q < m->nq; q++) {
    out[q] = d->jet[(size_t)(m->leaf.u + q) * REG + (size_t)k * L + (size_t)lane];
    out[m->nq + q] = !d->m->plain ? d->acc[2 * q + (uint32_t)k] : amo_coefficient(d, m->r_acc[q], k, lane);
  }
  for (uint32_t i = 0; i < m->nz; i++) out[2 * m->nq + i] = amo_coefficient(d, m->extra[i].r_rate, k, lane);
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
    if (!x->velocity_level) set(&d->tie[n++], j, amo_coefficient(d, x->r_residual, k, lane));
    set(&d->tie[n++], j, amo_coefficient(d, x->r_rate, k, lane));
  }
  for (int support = 0; support < 2; support++)
    for (uint32_t c = 0; c < m->nc; c++) {
      if (m->contact[c].kind != (support ? AMO_SUPPORT : AMO_GUIDE) || d->mode[c] == AMO_MODE_OPEN) continue;
      set(&d->tie[n++], j, amo_coefficient(d, m->contact[c].r_gap, k, lane));
      set(&d->tie[n++], j, amo_coefficient(d, m->contact[c].r_gap_rate, k, lane));
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
    set(&d->slip[c], j, amo_coefficient(d, x->r_slip, k, lane));
    set(&d->bound[c], j, amo_coefficient(d, x->r_bound, k, lane));
    set(&d->lambda[c], j,
        !m->plain && !amo_is_massless(x) ? d->force[2 * c + (uint32_t)k]
                                         : amo_coefficient(d, x->r_stick, k, lane));
    set(&d->reaction[c], j, !m->plain ? d->reaction_sign[2 * c + (uint32_t)k] : 0.0);
    for (uint32_t a = 0; a < amo_axes(x); a++) {
      set(&d->axis[x->xi + a], j, amo_coefficient(d, x->axis[a].r_slip, k, lane));
      set(&d->pull[x->xi + a], j, d->traction[2 * (x->xi + a) + (uint32_t)k]);
    }
    if (amo_can_open(x)) set(&d->gap[c], j, amo_coefficient(d, x->r_gap, k, lane));
  }
  for (uint32_t i = 0; i < amo_prog_switches(m->step); i++)
    if (d->switch_of[i] >= 0)
      set(&d->change[d->switch_of[i]], j, amo_coefficient(d, amo_prog_switch_register(m->step, i), k, lane));
  for (uint32_t i = 0; i < m->nz; i++)
    if (m->extra[i].reset != AMO_NODE_NONE)
      set(&d->reset[i], j, amo_coefficient(d, m->extra[i].r_reset, k, lane));
  read_ties(d, j, lane);
}

/// The program along the directions from `first`, one in a lane; how many.
uint32_t amo_derivative_begin(amo_derivative *d, const amo_place *at, uint32_t first, bool finish)
{
  const uint32_t count = d->n - first < L ? d->n - first : L;
  for (uint32_t l = 0; l < count; l++) point(d, first + l, (int)l, 1.0);
  run_program(d, at, 1);
  if (finish) amo_jet_finish8(d->m->step, d->jet, 1, d->branch);
  return count;
}

void amo_derivative_end(amo_derivative *d, uint32_t first, uint32_t count)
{
  for (uint32_t l = 0; l < count; l++) point(d, first + l, (int)l, 0.0);
}

/// What the rounding of time does to directions of spatial slips; `lane` is that of time.
static void blur_in_time(amo_derivative *d, const amo_place *at, int lane)
{
  for (uint32_t c = 0; c < d->m->nc; c++) {
    const amo_contact *x = &d->m->contact[c];
    if (!amo_turns(x) || d->mode[c] == 0) continue;
    const double speed =
        hypot(amo_coefficient(d, x->axis[0].r_slip, 0, 0), amo_coefficient(d, x->axis[1].r_slip, 0, 0));
    const double rate =
        hypot(amo_coefficient(d, x->axis[0].r_slip, 1, lane), amo_coefficient(d, x->axis[1].r_slip, 1, lane));
    if (speed > 0.0) d->blur = fmax(d->blur, DBL_EPSILON * fabs(at->t) * rate / speed);
  }
}

/// Conditions (see read_conditions) with forces that the balance leaves open as the engine shares them out.
static amo_status read_shared(amo_derivative *d, long j, int lane)
{
  const size_t n = 2u * d->m->nc;
  const bool open = !d->m->plain && amo_balance_is_open(d->balance);
  amo_status st = AMO_OK;
  if (open) {
    memcpy(d->unshared, d->force, n * sizeof *d->force);
    memcpy(d->unshared + n, d->reaction_sign, n * sizeof *d->reaction_sign);
    st = amo_balance_share_out(d->balance, (amo_span){d->jet + lane, REG, L}, amo_derivative_results(d),
                               j < 0 ? 1 : 2, NULL);
  }
  read_conditions(d, j, lane);
  if (open) {
    memcpy(d->force, d->unshared, n * sizeof *d->force);
    memcpy(d->reaction_sign, d->unshared + n, n * sizeof *d->reaction_sign);
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
    const uint32_t count = amo_derivative_begin(d, at, first, conditions);
    if (d->m->nxi > 0 && first + count == d->n) blur_in_time(d, at, (int)count - 1);
    for (uint32_t l = 0; l < count; l++) {
      read_rates(d, 1, (int)l, d->df + (size_t)(first + l) * d->ns);
      if (conditions && st == AMO_OK) st = read_shared(d, (long)(first + l), (int)l);
    }
    amo_derivative_end(d, first, count);
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

// ---- what conditions say ----

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
  if (!amo_turns(&d->m->contact[c])) {
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
  for (uint32_t c = 0; c < d->m->nc; c++) {
    const amo_contact *k = &d->m->contact[c];
    n += amo_can_open(k) && at->mode[c] != AMO_MODE_OPEN && !amo_balance_spare(d->balance, c) ? 2 : 0;
    if (at->mode[c] != 0 || k->nw == 0) continue;
    if (!d->m->plain && amo_balance_dependent(d->balance, c)) continue;
    n += amo_slip_rows(k);
  }
  return n;
}
