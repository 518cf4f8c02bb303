// SPDX-License-Identifier: Apache-2.0
#include "flow/implicit.h"

#include <stdlib.h>
#include <string.h>

#include "contact/derivative.h"
#include "flow/explained.h"
#include "flow/vanish.h"
#include "num/radau.h"

/// Legendre's last coefficient on a step of length h is that of the powers over a quarter of it.
static const double stretch = 4.0;
/// Last coefficients below this part of the tolerance say nothing: they are rounding, or matter as little. Those of a rate, of degree k, are
/// 4 k as large as what they do to their state.
static const double quiet = 0.5;

enum {
  LEAST_STAGES = 7,  // below this the last coefficients say little
  MOST_ROWS = 2000,  // of Newton's matrix
  COMPARED = 8,      // implicit steps between two looks at what series would do
  EAGER = 8          // steps by series after a stretch of implicit ones, before these are tried again
};
/// To be left, implicit steps must be worth less than this part of what makes them begin.
static const double staying = 0.25;

/// A slope that is not the same all over a step.
static const double changes = 1e-3;

static size_t stages_of(int order)
{
  return (size_t)(order / 2 < LEAST_STAGES ? LEAST_STAGES : order / 2);
}

struct amo_implicit {
  amo_arena memory;
  amo_radau radau;
  amo_derivative *derivative;
  amo_flow *f;
  int lane;
  double *sample;  // [stages][registers + forces] at the points
  double *met;     // [nc + nsw] sizes of conditions before a step is tried
  double start;    // of the last implicit step
  long steps;      // in a row
};

// ---- making ----

/// Unknowns of the balance that conditions are made of: where their series and their values lie.
typedef struct force {
  double *series;
  const double *value;
  uint32_t count;
} force;

enum { FORCES = 4 };

static void list_forces(const amo_flow *f, force *out)
{
  const amo_model *m = f->m;
  const amo_point *p = f->point;
  out[0] = (force){f->acc, p->acc, m->nq};
  out[1] = (force){f->lambda, p->lambda, m->nc};
  out[2] = (force){f->multiplier, p->multiplier, m->ng};
  out[3] = (force){f->reaction, p->reaction, m->nc};
}

static size_t sampled(const amo_flow *f)
{
  const amo_model *m = f->m;
  return amo_prog_registers(m->step) + (size_t)m->nq + 2u * m->nc + m->ng;
}

void amo_implicit_free(amo_implicit *x)
{
  if (x == NULL) return;
  amo_radau_free(&x->radau);
  amo_derivative_free(x->derivative);
  amo_arena_free(&x->memory);
  free(x);
}

static amo_implicit *make(amo_flow *f)
{
  const size_t stages = stages_of(f->P);
  amo_implicit *x = calloc(1, sizeof *x);
  if (x == NULL) return NULL;
  x->f = f;
  amo_status st = amo_derivative_new(f->m, NULL, 0, &x->derivative);
  if (st == AMO_OK) st = amo_radau_make(&x->radau, stages, f->m->nq, f->m->nz);
  AMO_TAKE(&x->memory, double, stages *sampled(f), &x->sample);
  AMO_TAKE(&x->memory, double, f->m->nc + f->nsw, &x->met);
  if (st == AMO_OK && !x->memory.failed) return x;
  amo_implicit_free(x);
  return NULL;
}

// ---- the equations ----

static amo_status rates(void *context, double t, const double *y, double *rate, double *df)
{
  amo_implicit *x = context;
  const amo_flow *f = x->f;
  const amo_lane *l = &f->lane[x->lane];
  if (df == NULL) {
    amo_status st = amo_point_evaluate(f->point, t, y, l->mode);
    for (uint32_t i = 0; st == AMO_OK && i < f->ns; i++) rate[i] = amo_point_rate(f->point, i);
    return st;
  }
  const amo_place at = {
      .t = t, .y = y, .mode = l->mode, .reaction_sign = l->reaction_sign, .branch = l->branch};
  amo_status st = amo_derivative_rates(x->derivative, &at);
  memcpy(rate, x->derivative->f, f->ns * sizeof *rate);
  memcpy(df, x->derivative->df, ((size_t)f->ns + 1) * f->ns * sizeof *df);
  return st;
}

/// How fast errors of the states decay at the end of the step, each by itself; of a velocity also as its coordinate swings.
static void take_decay(const amo_implicit *x)
{
  const size_t ns = x->f->ns, nq = x->f->m->nq;
  const double *df = x->radau.df + (x->radau.stages - 1) * (ns + 1) * ns;
  for (size_t i = nq; i < ns; i++) {
    const double swing = i < 2 * nq ? sqrt(fmax(0.0, -df[(i - nq) * ns + i])) : 0.0;
    x->f->lane[x->lane].decay[i] = fmax(0.0, -df[i * ns + i]) + swing;
  }
}

/// A state whose own rate changes its slope within the step, with values that are small beside the largest it has had, is measured by these:
/// velocities and states of laws with logarithms of them go over many decades, and count in each.
static void weigh_here(const amo_implicit *x)
{
  amo_lane *l = &x->f->lane[x->lane];
  const size_t ns = x->f->ns, stages = x->radau.stages;
  amo_flow_weigh(x->f, l);
  for (size_t i = x->f->m->nq; i < ns; i++) {
    double most = fabs(l->y[i]), low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < stages; k++) {
      const double slope = x->radau.df[k * (ns + 1) * ns + i * ns + i];
      low = fmin(low, slope);
      high = fmax(high, slope);
      most = fmax(most, fabs(x->radau.state[k * ns + i]));
    }
    if (most > 0.0 && high - low > changes * fmax(fabs(low), fabs(high)))
      l->weight[i] = fmax(l->weight[i], 1.0 / most);
  }
}

// ---- polynomials in the place of series ----

/// A state from its rates, and a coordinate from those of its velocity. What is rounding says nothing of the length of the next step.
static void write_states(const amo_implicit *x, double h, bool with_rounding)
{
  const amo_flow *f = x->f;
  const amo_radau *r = &x->radau;
  const amo_lane *l = &f->lane[x->lane];
  const uint32_t nq = f->m->nq;
  const int n = (int)r->stages;
  for (uint32_t c = 0; c < r->nr; c++) {
    double power[AMO_POLY_MAX + 2] = {l->y[nq + c]};
    const double size = amo_flow_state_size(f, x->lane, nq + c, h);
    const double rounding =
        n * fabs(power[0]) / h + r->in_time[c] * fabs(l->t) / (1.0 + h * l->decay[nq + c]);
    amo_radau_powers(r, r->rate + c, r->nr, with_rounding ? 0.0 : AMO_LAST_DIGITS * rounding,
                     with_rounding ? 0.0 : 4.0 * n * quiet * f->opt.tol * size / h, power + 1);
    for (int k = 1; k <= n; k++) power[k] *= h / k;
    amo_flow_write_powers(f, f->state[nq + c] + x->lane, power, n, h);
    if (c >= nq) continue;
    for (int k = n + 1; k > 0; k--) power[k] = power[k - 1] * h / k;
    power[0] = l->y[c];
    amo_flow_write_powers(f, f->state[c] + x->lane, power, n + 1, h);
  }
}

/// Everything else at the points of the step.
static bool take_samples(amo_implicit *x, double h)
{
  const amo_flow *f = x->f;
  const amo_lane *l = &f->lane[x->lane];
  const size_t registers = amo_prog_registers(f->m->step);
  force list[FORCES];
  list_forces(f, list);
  for (size_t i = 0; i < x->radau.stages; i++) {
    double *to = x->sample + i * sampled(f);
    const double t = l->t + x->radau.x[i] * h;
    if (amo_point_evaluate(f->point, t, x->radau.state + i * f->ns, l->mode) != AMO_OK) return false;
    memcpy(to, f->point->reg, registers * sizeof *to);
    to += registers;
    for (int k = 0; k < FORCES; to += list[k++].count) memcpy(to, list[k].value, list[k].count * sizeof *to);
  }
  return true;
}

static void write_sampled(const amo_implicit *x, double *series, size_t at, double h, bool with_rounding)
{
  double power[AMO_POLY_MAX], size = 0.0;
  for (size_t i = 0; i < x->radau.stages; i++) size = fmax(size, fabs(x->sample[i * sampled(x->f) + at]));
  amo_radau_powers(&x->radau, x->sample + at, sampled(x->f), 0.0,
                   with_rounding ? 0.0 : quiet * x->f->opt.tol * size, power);
  amo_flow_write_powers(x->f, series + x->lane, power, (int)x->radau.stages - 1, h);
}

static void write_all(amo_implicit *x, double h, bool with_rounding)
{
  amo_flow *f = x->f;
  const size_t it = amo_flow_item(f);
  const uint32_t registers = amo_prog_registers(f->m->step);
  size_t at = registers;
  force list[FORCES];
  list_forces(f, list);
  for (uint32_t r = f->m->leaf.count; r < registers; r++)
    if (!amo_prog_is_fixed(f->m->step, r)) write_sampled(x, f->jet + r * it, r, h, with_rounding);
  for (int k = 0; k < FORCES; k++)
    for (uint32_t i = 0; i < list[k].count; i++)
      write_sampled(x, list[k].series + i * it, at++, h, with_rounding);
  write_states(x, h, with_rounding);
}

// ---- a step ----

static bool solve(amo_implicit *x, double h)
{
  amo_flow *f = x->f;
  amo_lane *l = &f->lane[x->lane];
  const amo_radau_system system = {rates, x};
  const long jacobians = x->radau.jacobians, rhs = x->radau.rhs;
  const bool ok =
      amo_radau_solve(&x->radau, &system, l->t, l->y, h, l->t - x->start, l->weight, 0.1 * f->opt.tol);
  l->stats.rhs += x->radau.rhs - rhs;
  l->stats.jacobians += x->radau.jacobians - jacobians;
  l->stats.factorisations += x->radau.jacobians - jacobians;
  return ok && take_samples(x, h);
}

/// The longest step up to h whose polynomials have converged, written where the series were; 0: none.
static double find_step(amo_implicit *x, double h, double *trusted)
{
  amo_flow *f = x->f;
  amo_lane *l = &f->lane[x->lane];
  const size_t sizes = (f->m->nc + f->nsw) * sizeof *x->met;
  double share = 0.0;  // of the step that can be trusted
  memcpy(x->met, l->condition_scale, sizes);
  for (; h > l->least && h > AMO_LAST_DIGITS * fabs(l->t); l->stats.rejected++) {
    if (!solve(x, h)) {
      h *= 0.25;
      continue;
    }
    take_decay(x);
    weigh_here(x);
    write_all(x, h, false);
    *trusted = stretch * amo_flow_trusted_length(f, x->lane);
    if (amo_vanish_within(f, x->lane, h)) *trusted = 0.2 * h;  // series know what roots do there
    const bool falls =
        *trusted / h > 1.05 * share;  // what begins off its way by a tolerance does not, and decays
    share = *trusted / h;
    if (share >= 1.0 || (share >= 0.8 && !falls)) {
      write_all(x, h, true);  // as they obey the equations
      return h;
    }
    h = isfinite(*trusted) ? fmax(0.8 * *trusted, 0.1 * h) : 0.1 * h;
    memcpy(l->condition_scale, x->met, sizes);  // what a rejected polynomial comes to was never met
  }
  return 0.0;
}

/// How many steps by series an implicit one must be worth: what both cost, roughly. Measured where Newton's matrix is small it is about
/// eight; that matrix is added.
static double worth(const amo_flow *f)
{
  const double rows = (double)(stages_of(f->P) * (f->m->nq + f->m->nz));
  const double series = 4.0 * f->P * f->P * (double)amo_prog_registers(f->m->step);
  return 8.0 * (1.0 + rows * rows * rows / (3.0 * series));
}

/// Now and then: would series be cheaper from here?
static void compare(amo_implicit *x)
{
  amo_flow *f = x->f;
  amo_lane *l = &f->lane[x->lane];
  if (f->opt.stepper != AMO_STEPPER_AUTO || x->steps++ % COMPARED != 0 || x->steps == 1) return;
  amo_flow_expand(f);
  const double h = amo_flow_trusted_length(f, x->lane);
  l->least = isnan(h) ? 0.0 : staying * worth(f) * h;
}

bool amo_implicit_step(amo_flow *f, int lane, double t_end, double *length)
{
  amo_lane *l = &f->lane[lane];
  amo_implicit *x = f->implicit;
  double trusted = 0.0;
  x->lane = lane;
  compare(x);
  amo_flow_place_point(f, lane);
  amo_derivative_parameters(x->derivative, f->point->reg + f->m->leaf.param);
  l->interpolated = l->implicit = true;
  l->degree = (int)x->radau.stages;
  if (x->start + x->radau.length < l->t) x->radau.length = 0.0;  // another step came between
  const double limit = fmin(f->opt.max_step, t_end - l->t), wish = l->implicit_pace;
  const double h = wish > l->least ? find_step(x, fmin(wish, limit), &trusted) : 0.0;
  l->implicit = h > 0.0;
  if (!l->implicit) {
    l->degree = f->P;
    l->weighed = false;
    l->patience = x->steps > COMPARED ? EAGER : l->patience < 4096 ? 2 * l->patience : l->patience;
    return false;
  }
  l->implicit_pace = fmin(0.6 * trusted, 5.0 * fmax(h, wish < limit ? h : wish));
  x->start = l->t;
  amo_radau_keep(&x->radau, h);
  l->stats.implicit++;
  *length = h;
  return true;
}

// ---- when ----

/// Can the next step be implicit? The first one after an event goes by series: they know how conditions leave their limits.
static bool may(const amo_lane *l)
{
  return l->status == AMO_OK && l->hits == 0 && l->events == 0 && !l->rearrange && l->h > 0.0;
}

/// Is the step by series short although its first terms have converged long before the last? Then what keeps it short is a
/// motion of hardly any size that is fast: one that has decayed, or a small oscillation.
static bool crawls(const amo_flow *f, int lane)
{
  const amo_lane *l = &f->lane[lane];
  const double h = l->h, few = sqrt(0.1 * f->opt.tol);
  for (uint32_t i = 0; i < f->ns; i++) {
    double power = h * h * h;
    for (size_t k = 3; k < 6; k++, power *= h)
      if (fabs(f->state[i][k * (size_t)f->W + (size_t)lane]) * power * l->weight[i] > few) return false;
  }
  return true;
}

static void begin(amo_flow *f, amo_lane *l)
{
  if (f->implicit == NULL) f->implicit = make(f);
  l->implicit = f->implicit != NULL;
  if (!l->implicit) return;
  f->implicit->steps = 0;
  l->least = f->opt.stepper == AMO_STEPPER_AUTO ? worth(f) * l->h : 0.0;
  l->implicit_pace = fmax(10.0 * l->h, 2.0 * l->least);
}

void amo_implicit_choose(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  if (f->may_be_implicit && l->implicit && may(l)) return;
  if (l->implicit) l->weighed = false;
  l->implicit = false;
  l->degree = f->P;
  if (!f->may_be_implicit) return;
  if (f->opt.stepper == AMO_STEPPER_AUTO) {
    if (++l->waited < l->patience) return;
    l->waited = 0;
    const double before = l->crawled;
    l->crawled = may(l) && crawls(f, lane) ? l->h : 0.0;
    if (!(l->crawled > 0.01 * before && l->crawled < 100.0 * before))
      return;  // beside a singular point it changes
  }
  if (may(l)) begin(f, l);
}

bool amo_implicit_suits(const amo_model *m, int order)
{
  const size_t rows = stages_of(order) * (m->nq + m->nz);
  return m->njoint == 0 && m->nxi == 0 && order > LEAST_STAGES && rows > 0 && rows <= MOST_ROWS;
}

bool amo_implicit_possible(const amo_flow *f)
{
  const bool asked = f->opt.stepper == AMO_STEPPER_RADAU || f->opt.stepper == AMO_STEPPER_AUTO;
  return asked && f->W == 1 && !f->is_trial && !f->opt.certify && amo_implicit_suits(f->m, f->P);
}

bool amo_implicit_misses(const amo_flow *f)
{
  const amo_lane *l = &f->lane[0];
  return l->hits == 0 && l->h > 0.0 && crawls(f, 0);
}
