// SPDX-License-Identifier: Apache-2.0
#include "contact/derivative_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

void amo_derivative_arrange(amo_derivative *d, const amo_place *at)
{
  amo_expansion *x = d->x;
  if (d->prepared && memcmp(x->mode, at->mode, d->m->nc) == 0 &&
      memcmp(x->reaction_sign, at->reaction_sign, d->m->nc) == 0)
    return;
  memcpy(x->mode, at->mode, d->m->nc);
  memcpy(x->reaction_sign, at->reaction_sign, d->m->nc);
  amo_expansion_fix(x, at->mode);
  if (!d->m->plain) amo_expansion_arrange(x, at->mode, at->reaction_sign);
  amo_ties_of(&d->held, d->m, at->mode);
  d->ties = d->held.places;
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
      memset(d->x->branch + (size_t)i * L, at->branch[d->switch_of[i]], L);
  }
  for (uint32_t i = 0; own && i < amo_prog_switches(d->m->step); i++) {
    if (d->switch_of[i] >= 0) continue;
    memset(d->x->branch + (size_t)i * L, 1, L);
    amo_jet_eval8(d->m->step, d->x->jet, 1, 0, d->x->branch);
    const double x = amo_coefficient(d->x, amo_prog_switch_register(d->m->step, i), 0, 0);
    memset(d->x->branch + (size_t)i * L, (x > 0.0) - (x < 0.0), L);
  }
}

static void turn(amo_derivative *d, uint32_t leaf, int lane, double x)
{
  if (lane < 0)
    amo_expansion_put(d->x, leaf, 1, x);
  else
    d->x->jet[(size_t)leaf * REG + L + (size_t)lane] = x;
}

void amo_derivative_turn(amo_derivative *d, uint32_t j, int lane, double x)
{
  const amo_model *m = d->m;
  if (j < d->ns)
    turn(d, amo_state_leaf(m, j), lane, x);
  else if (j == d->n - 1)
    turn(d, m->leaf.t, lane, x);
  else
    for (uint32_t i = 0; i < m->np; i++)
      if (d->vary->moves[i]) turn(d, m->leaf.param + i, lane, x * d->rate[(size_t)(j - d->ns) * m->np + i]);
}

/// Rounding of a slip velocity along an axis, from the terms it is a sum of.
static double rounding_of(const amo_derivative *d, const amo_slip_axis *x)
{
  double rest = amo_coefficient(d->x, x->r_slip, 0, 0), size = 0.0;
  for (uint32_t e = 0; e < x->nw; e++) {
    const double term =
        amo_coefficient(d->x, x->w[e].reg, 0, 0) * amo_coefficient(d->x, d->m->leaf.u + x->w[e].col, 0, 0);
    rest -= term;
    size += fabs(term);
  }
  return DBL_EPSILON * (size + fabs(rest));
}

/// Coefficient k of the slip of a spatial contact in a lane: its size.
static double slip_of(const amo_derivative *d, const amo_contact *x, int k, int lane)
{
  return hypot(amo_coefficient(d->x, x->axis[0].r_slip, k, lane),
               amo_coefficient(d->x, x->axis[1].r_slip, k, lane));
}

/// What the rounding of slip velocities does to directions of spatial slips, and (time: the lane of its direction, or -1) that of time.
static void take_blur(amo_derivative *d, const amo_place *at, int time)
{
  for (uint32_t c = 0; c < d->m->nc; c++) {
    const amo_contact *x = &d->m->contact[c];
    const double speed = amo_turns(x) && d->x->mode[c] != 0 ? slip_of(d, x, 0, 0) : 0.0;
    if (!(speed > 0.0) || (time < 0 && at->begins && at->begins[c])) continue;
    const double rounding = time < 0 ? rounding_of(d, &x->axis[0]) + rounding_of(d, &x->axis[1])
                                     : DBL_EPSILON * fabs(at->t) * slip_of(d, x, 1, time);
    d->blur = fmax(d->blur, rounding / speed);
  }
}

/// Directions that slips which begin here from rest have; others that do not move have any.
static void take_beginnings(amo_derivative *d, const amo_place *at)
{
  d->x->begins = at->begins;
  for (uint32_t c = 0; c < d->m->nc; c++) {
    const amo_contact *k = &d->m->contact[c];
    const bool begins = at->begins && at->begins[c];
    for (uint32_t a = 0; a < amo_axes(k); a++) d->x->xi[k->xi + a] = begins ? at->xi[k->xi + a] : a == 0;
  }
}

/// A seam divides two expressions of one function: at any place that of its own side holds, also where rounding has left the place
/// beyond the seam on which the engine's step ends (a power of a negative number has no value).
bool amo_derivative_seams(amo_derivative *d)
{
  bool changed = false;
  for (uint32_t i = 0; i < amo_prog_switches(d->m->step); i++) {
    signed char *branch = d->x->branch + (size_t)i * L;
    const double *x = d->x->jet + (size_t)amo_prog_switch_register(d->m->step, i) * REG;
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
  take_beginnings(d, at);
  amo_expansion_place(d->x, at->t, at->y);
  amo_derivative_branches(d, at);
  amo_expansion_eval(d->x, 0);
  if (at->own_side && amo_derivative_seams(d)) amo_expansion_eval(d->x, 0);
  take_blur(d, at, -1);
}

static amo_status evaluate(amo_derivative *d, const amo_place *at)
{
  amo_derivative_arrange(d, at);
  amo_derivative_load(d, at);
  if (d->m->plain) return AMO_OK;
  amo_status st = amo_expansion_factor(d->x);
  if (st == AMO_OK) amo_expansion_solve(d->x, 0, 0, NULL);
  return st;
}

/// Coefficient k of the rates of a lane. k = 0: values (any lane).
static void read_rates(amo_derivative *d, int k, int lane, double *out)
{
  if (k > 0 && !d->m->plain) amo_expansion_solve(d->x, lane, 1, NULL);
  for (uint32_t i = 0; i < d->ns; i++) out[i] = amo_expansion_rate(d->x, i, k, lane);
}

static void set(amo_gradient *g, long j, double x)
{
  if (j < 0)
    g->value = x;
  else
    g->d[j] = x;
}

/// Conditions of a lane: derivative j, or (j = -1) values; forces that the balance leaves open as they are shared out.
static amo_status read_conditions(amo_derivative *d, long j, int lane)
{
  const amo_model *m = d->m;
  const amo_expansion *e = d->x;
  const int k = j >= 0;
  const amo_status st = m->plain ? AMO_OK : amo_expansion_share(d->x, lane, k);
  const amo_result r = amo_expansion_results(e, true);
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *x = &m->contact[c];
    set(&d->slip[c], j, amo_coefficient(e, x->r_slip, k, lane));
    set(&d->bound[c], j, amo_coefficient(e, x->r_bound, k, lane));
    set(&d->lambda[c], j,
        !m->plain && !amo_is_massless(x) ? r.lambda[2 * c + (uint32_t)k]
                                         : amo_coefficient(e, x->r_stick, k, lane));
    set(&d->reaction[c], j, r.reaction[2 * c + (uint32_t)k]);
    for (uint32_t a = 0; a < amo_axes(x); a++) {
      set(&d->axis[x->xi + a], j, amo_coefficient(e, x->axis[a].r_slip, k, lane));
      set(&d->pull[x->xi + a], j, r.traction[2 * (x->xi + a) + (uint32_t)k]);
    }
    if (amo_can_open(x)) set(&d->gap[c], j, amo_coefficient(e, x->r_gap, k, lane));
  }
  for (uint32_t i = 0; i < amo_prog_switches(m->step); i++)
    if (d->switch_of[i] >= 0)
      set(&d->change[d->switch_of[i]], j, amo_coefficient(e, amo_prog_switch_register(m->step, i), k, lane));
  for (uint32_t i = 0; i < m->nz; i++)
    if (m->extra[i].reset != AMO_NODE_NONE)
      set(&d->reset[i], j, amo_coefficient(e, m->extra[i].r_reset, k, lane));
  for (uint32_t i = 0; i < d->ties; i++) set(&d->tie[i], j, amo_coefficient(e, d->held.zero[i], k, lane));
  return st;
}

uint32_t amo_derivative_begin(amo_derivative *d, uint32_t first, bool finish)
{
  const uint32_t count = d->n - first < L ? d->n - first : L;
  for (uint32_t l = 0; l < count; l++) amo_derivative_turn(d, first + l, (int)l, 1.0);
  amo_expansion_eval(d->x, 1);
  if (finish) amo_jet_finish8(d->m->step, d->x->jet, 1, d->x->branch);
  return count;
}

void amo_derivative_end(amo_derivative *d, uint32_t first, uint32_t count)
{
  for (uint32_t l = 0; l < count; l++) amo_derivative_turn(d, first + l, (int)l, 0.0);
}

static amo_status run(amo_derivative *d, const amo_place *at, bool conditions)
{
  amo_status st = evaluate(d, at);
  if (st != AMO_OK) return st;
  read_rates(d, 0, 0, d->f);
  if (conditions) st = read_conditions(d, -1, 0);
  for (uint32_t first = 0; first < d->n; first += L) {
    const uint32_t count = amo_derivative_begin(d, first, conditions);
    if (d->m->nxi > 0 && first + count == d->n) take_blur(d, at, (int)count - 1);
    for (uint32_t l = 0; l < count; l++) {
      read_rates(d, 1, (int)l, d->df + (size_t)(first + l) * d->ns);
      if (conditions && st == AMO_OK) st = read_conditions(d, (long)(first + l), (int)l);
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
    n += amo_can_open(k) && at->mode[c] != AMO_MODE_OPEN && !amo_balance_spare(d->x->balance, c) ? 2 : 0;
    if (at->mode[c] != 0 || k->nw == 0) continue;
    if (!d->m->plain && amo_balance_dependent(d->x->balance, c)) continue;
    n += amo_slip_rows(k);
  }
  return n;
}
