// SPDX-License-Identifier: Apache-2.0
/// The explicit scheme of Cho and Barber (1998), for comparison with their figures: positions and velocities by
/// Euler's rule with a fixed step; after each step the conditions of the modes are looked at, and where one is violated
/// all contacts are decided anew at that instant (impact included). Nothing is located. A spatial slip turns by at most
/// 0.001 rad a step. Undamped oscillations grow by sqrt(1 + w^2 h^2) a step: that is the scheme, not the mechanism.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flow/flow.h"
#include "flow/instant.h"
#include "flow/sim.h"

typedef struct euler_run {
  amo_flow *flow;   // its lane holds the state; decisions are its own
  double *before;   // [ns] state at the start of the step
  double *arrived;  // [ns] at its end, before events
} euler_run;

static amo_status make(amo_sim *s)
{
  if (!isfinite(s->opt.max_step))
    return amo_sim_fail(s, AMO_EINPUT, "method euler needs its step: --max-step 0.01");
  const size_t ns = 2u * s->m->nq + s->m->nz + 1u;
  euler_run *r = calloc(1, sizeof *r);
  s->impl = r;
  if (r == NULL) return AMO_ENOMEM;
  AMO_TAKE(&s->memory, double, ns, &r->before, &r->arrived);
  if (s->memory.failed) return AMO_ENOMEM;
  return amo_flow_new(s->m, &s->opt, 1, &r->flow);
}

static void destroy(amo_sim *s)
{
  euler_run *r = s->impl;
  amo_flow_free(r->flow);
  free(r);
}

static amo_status start(amo_sim *s)
{
  euler_run *r = s->impl;
  amo_flow_parameters(r->flow, 0, s->param);
  return amo_flow_publish(r->flow, s, amo_flow_start(r->flow, 0, s->t, s->y));
}

/// Values at the lane's state in its modes, branches by the actual signs.
static amo_status evaluate(amo_sim *s)
{
  euler_run *r = s->impl;
  amo_lane *l = &r->flow->lane[0];
  amo_point *p = r->flow->point;
  amo_point_parameters(p, s->param);
  memcpy(p->reaction_sign, l->reaction_sign, s->m->nc);
  memcpy(p->xi, l->xi, s->m->nxi * sizeof *l->xi);
  p->branch = NULL;
  amo_status st = amo_point_evaluate(p, l->t, l->y, l->mode);
  for (uint32_t i = 0; i < r->flow->nsw; i++) {
    const double d = p->reg[amo_prog_switch_register(s->m->step, i)];
    l->branch[i] = (signed char)((d > 0.0) - (d < 0.0));
  }
  return st;
}

/// The step, cut so that no spatial slip turns by more than 0.001 rad.
static double step_length(const amo_sim *s, double t_end)
{
  const euler_run *r = s->impl;
  const amo_lane *l = &r->flow->lane[0];
  const amo_point *p = r->flow->point;
  double h = fmin(s->opt.max_step, t_end - l->t);
  for (uint32_t c = 0; c < s->m->nc; c++) {
    const amo_contact *k = &s->m->contact[c];
    if (!amo_turns(k) || l->mode[c] != 1) continue;
    double a[2];
    const double *xi = p->reg + s->m->leaf.xi + k->xi;
    for (int i = 0; i < 2; i++)
      a[i] = p->reg[k->axis[i].r_zeta] + amo_along(p, k->axis[i].w, k->axis[i].nw, p->acc);
    const double speed = p->reg[k->r_slip], turn = fabs(xi[0] * a[1] - xi[1] * a[0]);
    if (speed > 0.0 && turn * h > 0.001 * speed) h = fmax(0.001 * speed / turn, 1e-4 * s->opt.max_step);
  }
  return h;
}

/// Has a spatial slip turned about in the step? Then it has passed through rest.
static bool turned_about(const amo_sim *s, const amo_contact *k)
{
  const euler_run *r = s->impl;
  const amo_lane *l = &r->flow->lane[0];
  const amo_point *p = r->flow->point;
  double along = 0.0;
  for (uint32_t i = 0; i < amo_axes(k); i++) {
    double old = p->reg[k->axis[i].r_slip];
    for (uint32_t e = 0; e < k->axis[i].nw; e++) {
      const uint32_t u = s->m->nq + k->axis[i].w[e].col;
      old += p->reg[k->axis[i].w[e].reg] * (r->before[u] - l->y[u]);
    }
    along += old * p->reg[k->axis[i].r_slip];
  }
  return along < 0.0;
}

/// Which conditions does the state after the step violate? The first of each contact.
static void find_violations(amo_sim *s)
{
  euler_run *r = s->impl;
  amo_lane *l = &r->flow->lane[0];
  const amo_point *p = r->flow->point;
  for (uint32_t c = 0; c < s->m->nc; c++) {
    amo_condition list[AMO_MOST_CONDITIONS];
    const amo_contact *k = &s->m->contact[c];
    const int n = amo_conditions(k, c, l->mode[c], 0, AMO_HELD_BY_FRICTION, list);
    for (int i = 0; i < n; i++) {
      const bool turned = list[i].what == AMO_IS_SLIP && l->mode[c] == 1 && turned_about(s, k);
      if (!turned && !(amo_condition_value(p, &list[i]) < 0.0)) continue;
      l->hit[l->hits++] = list[i];
      break;
    }
  }
}

static amo_status step(amo_sim *s, double t_end)
{
  euler_run *r = s->impl;
  amo_lane *l = &r->flow->lane[0];
  const uint32_t nq = s->m->nq;
  amo_status st = evaluate(s);
  if (st != AMO_OK) return amo_sim_fail(s, st, "the mass matrix is singular at t = %.9g", s->t);
  const double h = step_length(s, t_end);
  memcpy(r->before, l->y, r->flow->ns * sizeof *l->y);
  memcpy(l->step_mode, l->mode, s->m->nc);
  memcpy(l->step_reaction_sign, l->reaction_sign, s->m->nc);
  memcpy(l->step_branch, l->branch, r->flow->nsw);
  for (uint32_t i = 0; i < nq; i++) {
    l->y[i] = r->before[i] + h * r->before[nq + i];
    l->y[nq + i] = r->before[nq + i] + h * r->flow->point->acc[i];
  }
  for (uint32_t i = 0; i < s->m->nz; i++)
    l->y[2 * nq + i] = r->before[2 * nq + i] + h * amo_point_rate(r->flow->point, 2 * nq + i);
  l->start = l->t;
  l->t = h == t_end - l->start ? t_end : l->start + h;
  l->h = h;
  l->hits = l->events = 0;
  l->stats.steps++;
  l->stats.rhs++;
  memcpy(r->arrived, l->y, r->flow->ns * sizeof *l->y);
  st = evaluate(s);
  if (st == AMO_OK) find_violations(s);
  if (st == AMO_OK && l->hits > 0) st = amo_flow_resolve(r->flow, 0);
  return amo_flow_publish(r->flow, s, st);
}

static void dense(const amo_sim *s, double t, double *y)
{
  const euler_run *r = s->impl;
  const double h = s->t - s->start, x = h > 0.0 ? (t - s->start) / h : 0.0;
  for (uint32_t i = 0; i < r->flow->ns; i++) y[i] = r->before[i] + x * (r->arrived[i] - r->before[i]);
}

static amo_status forces(amo_sim *s, bool at_end, amo_sample *p)
{
  return amo_flow_forces(((euler_run *)s->impl)->flow, s, at_end, NULL, p);
}

const amo_sim_ops amo_euler_method = {
    .make = make, .destroy = destroy, .start = start, .step = step, .dense = dense, .forces = forces};
