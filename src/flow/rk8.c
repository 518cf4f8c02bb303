// SPDX-License-Identifier: Apache-2.0
#include "flow/rk8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/dop853.h"

enum { DEGREE = AMO_DOP853_DEGREE, NODES = DEGREE + 1 };

struct amo_rk8 {
  const amo_model *m;
  amo_flow *f;  // at work, with its lane
  amo_lane *l;
  uint32_t ns;
  amo_dop853 step;
  double *unit;                   // [ns] what errors are measured by
  double *dense;                  // [ns][NODES] monomials on [0,1]
  double *sample;                 // [NODES][conditions]
  double *start_rate;             // [nc] slip acceleration at the start
  double length;                  // of the step behind `dense`
  double monomial[NODES][NODES];  // values at the nodes to monomials
  double inner[NODES][NODES];     // the same without node 0
  double node[NODES];
};

static void prepare_interpolation(amo_rk8 *r)
{
  const double pi = acos(-1.0);
  for (int i = 0; i < NODES; i++) r->node[i] = 0.5 * (1.0 - cos(pi * i / DEGREE));  // Chebyshev-Lobatto
  amo_poly_through(r->node, NODES, 0, r->monomial[0]);
  amo_poly_through(r->node, NODES, 1, r->inner[0]);
}

static amo_status rates(void *ctx, double t, const double *y, double *dy)
{
  const amo_rk8 *r = ctx;
  amo_status st = amo_point_evaluate(r->f->point, t, y, r->l->mode);
  if (st != AMO_OK) return st;
  for (uint32_t i = 0; i < r->ns; i++) dy[i] = amo_point_rate(r->f->point, i);
  r->l->stats.rhs++;
  return AMO_OK;
}

amo_status amo_rk8_new(const amo_model *m, amo_arena *memory, amo_rk8 **out)
{
  amo_rk8 *r = *out = amo_arena_alloc(memory, sizeof *r);
  if (r == NULL) return AMO_ENOMEM;
  r->m = m;
  r->ns = 2 * m->nq + m->nz;
  size_t ns = r->ns + 1u, conditions = 3u * m->nc + amo_prog_switches(m->step) + 1u;
  AMO_TAKE(memory, double, m->nc + 1u, &r->start_rate);
  AMO_TAKE(memory, double, ns, &r->unit);
  amo_dop853_take(&r->step, memory, r->ns);
  r->step.rates = rates;
  r->step.ctx = r;
  AMO_TAKE(memory, double, ns *NODES, &r->dense);
  AMO_TAKE(memory, double, (NODES + 1) * conditions, &r->sample);
  prepare_interpolation(r);
  return memory->failed ? AMO_ENOMEM : AMO_OK;
}

/// Size of a state, the step included.
static double size_of(const amo_rk8 *r, const amo_lane *l, uint32_t i)
{
  return fmax(l->scale[i], fabs(r->step.end[i]));
}

/// As with series, errors are never measured against much less than the other states of the kind.
static double least_size(const amo_rk8 *r, const amo_lane *l, uint32_t first, uint32_t count, double part)
{
  double most = 0.0;
  for (uint32_t i = first; i < first + count; i++) most = fmax(most, size_of(r, l, i));
  return fmax(part * most, 1e-300);
}

/// Error of the step in units of the tolerance; a state counts at least as this part of the others of its kind.
static double error_norm(amo_rk8 *r, const amo_flow *f, const amo_lane *l, double h, double part)
{
  const uint32_t nq = r->m->nq;
  const double least_q = least_size(r, l, 0, nq, part), least_u = least_size(r, l, nq, nq, part);
  for (uint32_t i = 0; i < r->ns; i++) {
    const double least = i < nq ? least_q : i < 2 * nq ? least_u : 1e-300;
    r->unit[i] = fmax(size_of(r, l, i), least) * f->opt.tol;
  }
  return amo_dop853_error(&r->step, h, r->unit);
}

/// Is the error nothing beside the other states? That of a state which has just begun to grow is the rounding of large forces.
static bool is_rounding(amo_rk8 *r, const amo_flow *f, const amo_lane *l, double h)
{
  return error_norm(r, f, l, h, fmin(1.0, AMO_CANCELLED / f->opt.tol)) <= 1.0;
}

static double *series(amo_flow *f, int lane, uint32_t reg)
{
  return f->jet + reg * amo_flow_item(f) + (size_t)lane;
}

static size_t conditions(const amo_rk8 *r, const amo_flow *f)
{
  return 3u * r->m->nc + f->nsw;
}

/// All conditions at x in [0,1] of the step, from the dense output.
static amo_status sample_at(amo_rk8 *r, amo_flow *f, amo_lane *l, double h, double x, double *s)
{
  const amo_model *m = r->m;
  for (uint32_t j = 0; j < r->ns; j++)
    r->step.stage[j] = amo_poly_value(r->dense + (size_t)j * NODES, 1, DEGREE, x);
  amo_status st = amo_point_evaluate(f->point, l->t + x * h, r->step.stage, l->mode);
  if (st != AMO_OK) return st;
  for (uint32_t c = 0; c < m->nc; c++) {
    s[3 * c] = f->point->reg[m->contact[c].r_slip];
    s[3 * c + 1] = f->point->reg[m->contact[c].r_bound];
    s[3 * c + 2] = f->point->lambda[c];
    if (x == 0.0) r->start_rate[c] = amo_point_slip_acceleration(f->point, c);
  }
  for (uint32_t k = 0; k < f->nsw;
       k++)  // roots that turn are kinks to be passed: the stages see the root itself
    s[3 * m->nc + k] = amo_prog_switch_kind(m->step, k) == AMO_SWITCH_FOLD
                           ? 1.0
                           : f->point->reg[amo_prog_switch_register(m->step, k)];
  return AMO_OK;
}

/// Polynomial of condition q through its samples. Slips begin with their exact rate: whether a contact that
/// was just released moves on or comes back hangs on it.
static void fit(const amo_rk8 *r, const amo_flow *f, size_t q, double h, double *p)
{
  const size_t n = conditions(r, f);
  const bool slip = q < 3u * r->m->nc && q % 3 == 0 && !amo_is_massless(&r->m->contact[q / 3]);
  memset(p, 0, (NODES + 1) * sizeof *p);
  if (slip) {
    const double c0 = r->sample[q], c1 = r->start_rate[q / 3] * h;
    double v[NODES] = {0};
    for (int i = 1; i < NODES; i++)
      v[i] = (r->sample[(size_t)i * n + q] - c0 - c1 * r->node[i]) / (r->node[i] * r->node[i]);
    for (int k = 0; k < NODES - 1; k++)
      for (int i = 1; i < NODES; i++) p[k + 2] += r->inner[k][i] * v[i];
    p[0] = c0;
    p[1] = c1;
    return;
  }
  for (int k = 0; k < NODES; k++)
    for (int i = 0; i < NODES; i++) p[k] += r->monomial[k][i] * r->sample[(size_t)i * n + q];
  p[0] = r->sample[q];
}

/// Can condition q end the step? A contact in slip is held by its slip, one in stick, whose slip is rounding, by its force.
static bool is_watched(const amo_rk8 *r, const amo_lane *l, size_t q)
{
  return q >= 3u * r->m->nc || (q % 3 == 0) == (l->mode[q / 3] != 0 || amo_is_loose(&r->m->contact[q / 3]));
}

/// Is condition q a stick force that its bound, before it, is the measure of?
static bool is_held_force(const amo_rk8 *r, size_t q)
{
  return q < 3u * r->m->nc && q % 3 == 2 && !amo_has_gap(&r->m->contact[q / 3]);
}

/// Do the polynomials hold between their nodes? A step that suits the states may be too long for them.
static amo_status conditions_hold(amo_rk8 *r, amo_flow *f, amo_lane *l, double h, bool *hold)
{
  static const double between[3] = {0.11, 0.5, 0.89};
  const size_t n = conditions(r, f);
  double *s = r->sample + NODES * n;  // one more row
  const double slack = fmax(AMO_FAINT, 1e3 * f->opt.tol);
  double rounding = 0.0;  // a slip that has just begun is the difference of two equal speeds
  for (uint32_t j = r->m->nq; j < 2 * r->m->nq; j++) rounding = fmax(rounding, AMO_CANCELLED * l->scale[j]);
  *hold = true;
  for (int i = 0; i < 3 && *hold; i++) {
    amo_status st = sample_at(r, f, l, h, between[i], s);
    if (st != AMO_OK) return st;
    for (size_t q = 0; q < n && *hold; q++) {
      if (!is_watched(r, l, q)) continue;
      double p[NODES + 1], size = fabs(s[q]);
      fit(r, f, q, h, p);
      for (int j = 0; j < NODES; j++) size = fmax(size, fabs(r->sample[(size_t)j * n + q]));
      if (is_held_force(r, q)) size = fmax(size, fabs(s[q - 1]));
      *hold = fabs(amo_poly_value(p, 1, NODES, between[i]) - s[q]) <= slack * size + rounding;
    }
  }
  return AMO_OK;
}

static amo_status sample_conditions(amo_rk8 *r, amo_flow *f, amo_lane *l, double h)
{
  for (int i = 0; i < NODES; i++) {
    amo_status st = sample_at(r, f, l, h, r->node[i], r->sample + (size_t)i * conditions(r, f));
    if (st != AMO_OK) return st;
  }
  return AMO_OK;
}

static void write_conditions(amo_rk8 *r, amo_flow *f, int lane, double h)
{
  const amo_model *m = r->m;
  for (uint32_t q = 0; q < conditions(r, f); q++) {
    double p[NODES + 1], *to;
    bool fixed;
    fit(r, f, q, h, p);
    uint32_t c = q / 3;
    if (q >= 3 * m->nc)
      to = series(f, lane, amo_prog_switch_register(m->step, q - 3 * m->nc));
    else if (q % 3 == 2)
      to = amo_flow_stick_force(f, lane, c, &fixed);
    else
      to = series(f, lane, q % 3 == 0 ? m->contact[c].r_slip : m->contact[c].r_bound);
    amo_flow_write_powers(f, to, p, NODES, h);
  }
}

/// First length: the change in the state over a hundredth of its size, or the last step.
static double first_length(const amo_rk8 *r, const amo_lane *l, double limit)
{
  if (l->rhythm > 0.0) return fmin(l->rhythm, limit);
  double h = limit;
  for (uint32_t i = 0; i < r->ns; i++) {
    double rate = fabs(r->step.k[i]), size = fmax(l->scale[i], 1e-3 * rate);
    if (rate > 0.0) h = fmin(h, 0.01 * size / rate);
  }
  return h;
}

/// Shorten h until the error estimate accepts it; r->step.end is then the state at its end.
static amo_status accept(amo_rk8 *r, amo_flow *f, amo_lane *l, double *h)
{
  double slow = INFINITY;  // a true error has fallen to less than this
  for (int tries = 0; tries < 300 && *h > AMO_LAST_DIGITS * fabs(l->t); tries++) {
    const amo_status st = amo_dop853_step(&r->step, l->t, l->y, *h);
    if (st != AMO_OK && st != AMO_ENOANSWER) return st;
    double e = st == AMO_OK ? error_norm(r, f, l, *h, 1e-8) : INFINITY;  // a stage without answer: shorter
    double factor = isfinite(e) ? fmin(5.0, fmax(0.2, 0.9 * pow(fmax(e, 1e-12), -1.0 / 8))) : 0.2;
    const bool rounding = e > 1.0 && e > slow && is_rounding(r, f, l, *h);
    if (e <= 1.0 || rounding) {
      l->rhythm = *h * (rounding ? 5.0 : factor);
      return AMO_OK;
    }
    l->stats.rejected++;
    slow = e * factor * factor * factor;
    *h *= factor;
  }
  return AMO_ENOANSWER;
}

amo_status amo_rk8_expand(amo_rk8 *r, amo_flow *f, int lane, double t_end, double *length)
{
  amo_lane *l = &f->lane[lane];
  amo_flow_place_point(f, lane);
  r->f = f;
  r->l = l;
  amo_status st = rates(r, l->t, l->y, r->step.k);
  double limit = fmin(f->opt.max_step, t_end - l->t), h = fmin(first_length(r, l, limit), limit);
  bool hold = false;
  for (int halvings = 0; st == AMO_OK && halvings < 60;
       halvings++) {  // more would be a kink: events are rough there
    st = accept(r, f, l, &h);
    if (st == AMO_OK) st = amo_dop853_dense(&r->step, l->t, l->y, h, r->dense);
    if (st == AMO_OK) st = sample_conditions(r, f, l, h);
    if (st == AMO_OK) st = conditions_hold(r, f, l, h, &hold);
    if (hold) break;
    l->stats.rejected++;
    l->rhythm = h *= 0.5;
  }
  if (st != AMO_OK) return st;
  write_conditions(r, f, lane, h);
  for (uint32_t i = 0; i < r->ns; i++)  // last: a slip may be a state itself
    amo_flow_write_powers(f, series(f, lane, amo_state_leaf(r->m, i)), r->dense + i * NODES, DEGREE, h);
  *length = r->length = h;
  return AMO_OK;
}

double amo_rk8_condition(amo_rk8 *r, amo_flow *f, int lane, const amo_condition *hit, double s)
{
  amo_lane *l = &f->lane[lane];
  double *row = r->sample + NODES * conditions(r, f), *c = row + 3 * hit->index;
  if (sample_at(r, f, l, r->length, s / r->length, row) != AMO_OK) return NAN;
  if (hit->what == AMO_IS_SWITCH) return l->branch[hit->index] * row[3 * r->m->nc + hit->index];
  if (l->mode[hit->index] != 0) return l->mode[hit->index] * c[0];
  return c[1] * (1.0 + AMO_ROUNDED) + hit->to * c[2];  // leaves towards `to`: lambda has the other sign
}
