// SPDX-License-Identifier: Apache-2.0
/// Arcs by the event-driven engine, derivatives by the linearised flow.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flow/variation.h"
#include "orbit/course.h"
#include "num/bracket.h"
#include "orbit/consistent.h"
#include "orbit/shot.h"

typedef struct exact {
  amo_flow *flow;
  amo_variation *tangent;
  amo_consistent *consistent;  // NULL without constraints, guides and supports
} exact;

static amo_status make(amo_shooter *s)
{
  exact *e = s->impl = calloc(1, sizeof *e);
  if (!e) return AMO_ENOMEM;
  amo_status st = amo_variation_new(s->m, s->param_index, s->np, &e->tangent);
  if (st == AMO_ERANGE) return amo_shooter_fail(s, st, "a parameter to vary is computed from others");
  if (st == AMO_OK) s->along = e->tangent->at->rate;
  if (st == AMO_OK) st = amo_consistent_new(e->tangent->at, &e->consistent);
  return st == AMO_OK ? amo_flow_new(s->m, &s->opt, 1, &e->flow) : st;
}

static void destroy(amo_shooter *s)
{
  exact *e = s->impl;
  amo_flow_free(e->flow);
  amo_variation_free(e->tangent);
  amo_consistent_free(e->consistent);
  free(e);
}

/// Where the rate of place q changes its sign within the step.
static double turn(const amo_flow *f, uint32_t q, double sign)
{
  amo_bracket b = {0.0, f->lane[0].h, 0};
  for (double t; amo_bracket_next(&b, &t);) *(amo_course_rate(f, q, t) * sign > 0.0 ? &b.a : &b.b) = t;
  return amo_poly_value(f->state[q], (size_t)f->W, f->P, b.a);
}

static void take_range(const amo_flow *f, amo_shot *out)
{
  const amo_lane *l = &f->lane[0];
  const uint32_t nq = f->m->nq;
  for (uint32_t q = 0; q < amo_places(f->m); q++) {
    const double first = amo_course_rate(f, q, 0.0), last = nq ? l->y[nq + q] : amo_course_rate(f, q, l->h);
    double x = l->y[q];
    out->low[q] = fmin(out->low[q], x);
    out->high[q] = fmax(out->high[q], x);
    if (l->h == 0.0 || first == 0.0 || first * last >= 0.0) continue;
    x = turn(f, q, first);
    out->low[q] = fmin(out->low[q], x);
    out->high[q] = fmax(out->high[q], x);
  }
}

static amo_status take_step(amo_shooter *s, amo_shot *out)
{
  const amo_lane *l = &((exact *)s->impl)->flow->lane[0];
  take_range(((exact *)s->impl)->flow, out);
  for (uint32_t i = 0; i < s->ns; i++) out->size[i] = fmax(out->size[i], fabs(l->y[i]));
  for (size_t i = 0; i < l->events; i++)
    if (!amo_shot_note(out, &l->event[i])) return AMO_ENOMEM;
  return s->stop && *s->stop ? AMO_EINTR : AMO_OK;
}

static amo_status advance(amo_shooter *s, double t_end, bool derivatives, amo_shot *out)
{
  exact *e = s->impl;
  const amo_lane *l = &e->flow->lane[0];
  amo_status st = AMO_OK;
  while (st == AMO_OK && l->t < t_end) {
    amo_flow_prepare(e->flow);
    amo_flow_advance(e->flow, t_end);
    st = l->status;
    if (st == AMO_OK && derivatives) st = amo_variation_follow(e->tangent, e->flow, 0);
    if (st == AMO_OK) st = take_step(s, out);
  }
  return st;
}

/// Put the lane at y0, or at the nearest state that satisfies constraints, guides and closed supports.
static amo_status start(amo_shooter *s, double t0, const double *y0)
{
  exact *e = s->impl;
  const amo_lane *l = &e->flow->lane[0];
  amo_flow_parameters(e->flow, 0, s->param);
  amo_status st = amo_flow_start(e->flow, 0, t0, y0);
  if (st == AMO_OK) amo_variation_begin(e->tangent, e->flow, 0);
  if (st == AMO_OK && e->consistent) {
    const amo_place at = {t0, y0, l->mode, l->reaction_sign, l->branch, l->fresh, l->xi, true};
    st = amo_consistent_find(e->consistent, e->tangent->at, &at, y0);
    if (st == AMO_OK) amo_consistent_begin(e->consistent, e->tangent);
    if (st == AMO_OK) st = amo_flow_start(e->flow, 0, t0, e->consistent->y);
  }
  return st == AMO_OK ? amo_variation_hold(e->tangent, e->flow, 0) : st;
}

static amo_status run(amo_shooter *s, double t0, const double *y0, double duration, bool derivatives,
                      amo_shot *out)
{
  exact *e = s->impl;
  amo_flow *f = e->flow;
  amo_variation *g = e->tangent;
  amo_status st = start(s, t0, y0);
  if (st == AMO_OK) st = amo_variation_rates(g, f, 0, out->leave);
  if (st == AMO_OK) st = advance(s, t0 + duration, derivatives, out);
  if (st == AMO_OK) st = amo_variation_rates(g, f, 0, out->arrive);
  const amo_stats *n = &f->lane[0].stats;
  s->last = (amo_effort){.trajectories = 1, .steps = n->steps, .rejected = n->rejected, .events = n->events};
  s->last.rhs = n->rhs + g->points;
  if (st != AMO_OK) {
    const char *why = g->message[0] ? g->message : f->lane[0].message;
    return amo_shooter_fail(s, st, "%s", why[0] ? why : amo_status_text(st));
  }
  memcpy(out->end, f->lane[0].y, s->ns * sizeof *out->end);
  if (!derivatives) return AMO_OK;
  memcpy(out->matrix, g->y, (size_t)s->ns * s->ns * sizeof *g->y);
  memcpy(out->sensitivity, g->y + (size_t)s->ns * s->ns, (size_t)s->np * s->ns * sizeof *g->y);
  out->rank = g->rank;
  if (e->consistent) out->ties = e->consistent->lasting;
  out->grazing = g->grazing;
  out->together = g->together;
  return AMO_OK;
}

const amo_shooter_ops amo_shoot_event = {make, destroy, run};
