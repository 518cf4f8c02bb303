// SPDX-License-Identifier: Apache-2.0
/// The switch model of Leine et al. (1998) for any number of contacts and degrees of freedom. Within the
/// band |slip| <= eta a contact sticks (velocities are drawn to zero slip at rate kappa), or, when the
/// force it would need exceeds its bound, is in transition (the bound acts). One standard solver runs
/// through everything; nothing is located.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/point.h"
#include "flow/frequency.h"
#include "flow/instant.h"
#include "num/rkf45.h"
#include "flow/sim.h"
#include "flow/switch_rates.h"

typedef struct switch_run {
  amo_switch *rates;
  amo_rkf45 rk;
  double *before, *rate_before, *rate_after;  // for the dense output
  double last_event;
} switch_run;

static amo_status rhs(void *ctx, double t, const double *y, double *dy)
{
  return amo_switch_rates(ctx, t, y, dy, NULL);
}

static amo_status make(amo_sim *s)
{
  if (amo_has_guides(s->m) || amo_has_supports(s->m) || s->m->nxi > 0 || s->m->njoint > 0)
    return amo_sim_fail(s, AMO_EUNSUPPORTED,
                        "method switch does not know guides, supports and joints; use the event method");
  size_t ns = 2u * s->m->nq + s->m->nz;
  switch_run *r = calloc(1, sizeof *r);
  s->impl = r;
  if (r == NULL) return AMO_ENOMEM;
  AMO_TAKE(&s->memory, double, ns, &r->before, &r->rate_before, &r->rate_after);
  if (s->memory.failed) return AMO_ENOMEM;
  amo_status st = amo_switch_new(s->m, s->opt.eta, &r->rates);
  if (st == AMO_OK) st = amo_rkf45_init(&r->rk, (int)ns, s->opt.tol, 0.0, INFINITY);
  r->rk.weight = s->opt.weight;
  return st;
}

static void destroy(amo_sim *s)
{
  switch_run *r = s->impl;
  amo_switch_free(r->rates);
  amo_rkf45_free(&r->rk);
  free(r);
}

static amo_status start(amo_sim *s)
{
  switch_run *r = s->impl;
  amo_switch_parameters(r->rates, s->param);
  double kappa = s->opt.kappa;
  if (kappa == 0.0) {
    amo_status st = amo_lowest_frequency(s->m, s->param, s->t, s->y, &kappa);
    if (st != AMO_OK) return amo_sim_fail(s, st, "no natural frequency for kappa; give --kappa");
  }
  amo_switch_kappa(r->rates, kappa);
  r->last_event = NAN;
  r->rk.h = 0.0;
  r->rk.rhs = r->rk.rejected = 0;
  amo_status st = amo_switch_rates(r->rates, s->t, s->y, r->rate_after, s->mode);
  return st == AMO_OK ? st : amo_sim_fail(s, st, "the mass matrix is singular at the start");
}

static amo_status step(amo_sim *s, double t_end)
{
  switch_run *r = s->impl;
  size_t ns = 2u * s->m->nq + s->m->nz;
  if (r->rk.h == 0.0) {  // first step: the run's length sets the largest and first step
    r->rk.h_max = fmin(s->opt.max_step, (t_end - s->t) / 16.0);
    r->rk.h = r->rk.h_max / 8.0;
  }
  memcpy(r->before, s->y, ns * sizeof *s->y);
  memcpy(r->rate_before, r->rate_after, ns * sizeof *s->y);
  memcpy(s->step_mode, s->mode, s->m->nc);
  s->start = s->t;
  amo_status st = amo_rkf45_step(&r->rk, rhs, r->rates, &s->t, t_end, s->y);
  if (st == AMO_OK) st = amo_switch_rates(r->rates, s->t, s->y, r->rate_after, s->mode);
  s->stats.steps++;
  s->stats.rejected = r->rk.rejected;
  s->stats.rhs = r->rk.rhs;
  if (st != AMO_OK) return amo_sim_fail(s, st, "the switch model cannot go on at t = %.9g", s->t);
  (void)amo_sim_reset_memory(s, amo_switch_point(r->rates));  // on entering the band
  amo_sim_log_modes(s, &r->last_event);
  return AMO_OK;
}

/// Cubic Hermite interpolation: enough for plots and the audit.
static void dense(const amo_sim *s, double t, double *y)
{
  const switch_run *r = s->impl;
  double h = s->t - s->start, x = (t - s->start) / h;
  for (size_t i = 0; i < 2u * s->m->nq + s->m->nz; i++) {
    double a = r->before[i], b = s->y[i], da = h * r->rate_before[i], db = h * r->rate_after[i];
    y[i] = a + x * (da + x * (3 * (b - a) - 2 * da - db + x * (2 * (a - b) + da + db)));
  }
}

static amo_status forces(amo_sim *s, bool at_end, amo_sample *p)
{
  (void)at_end;
  switch_run *r = s->impl;
  signed char *mode = amo_switch_mode(r->rates);
  amo_status st = amo_switch_rates(r->rates, p->t, p->state, NULL, mode);
  if (st != AMO_OK) return amo_sim_fail(s, st, "the mass matrix is singular at t = %.9g", p->t);
  amo_instant_take(s, amo_switch_point(r->rates), p);
  for (uint32_t c = 0; c < s->m->nc; c++) {
    p->mode[c] = mode[c];
    p->force[c] = amo_switch_force(r->rates, c);
  }
  return AMO_OK;
}

const amo_sim_ops amo_switch_method = {
    .make = make, .destroy = destroy, .start = start, .step = step, .dense = dense, .forces = forces};
