// SPDX-License-Identifier: Apache-2.0
/// The method of events for models that fall apart: the engine of clusters behind amo_sim. What costs as much as the whole model,
/// its state and the balance of its energies, is found where somebody asks for it.
#include <math.h>
#include <string.h>

#include "contact/unsolved.h"
#include "flow/clusters.h"
#include "flow/instant.h"
#include "flow/step_samples.h"

static amo_status make(amo_sim *s)
{
  amo_cluster_flow *e;
  const amo_status st = amo_cluster_flow_new(s->m, &s->opt, &e);
  s->impl = e;
  return st;
}

static void destroy(amo_sim *s)
{
  amo_cluster_flow_free(s->impl);
}

/// Modes at the end of the step; those during the next are these.
static void publish(amo_cluster_flow *e, amo_sim *s)
{
  s->events = e->events;
  memcpy(s->event, e->event, e->events * sizeof *s->event);
  for (uint32_t i = 0; i < e->changes; i++) {
    const uint32_t c = e->changed[i];
    s->mode[c] = *e->mode_of[c];
  }
  const double gap = s->stats.min_event_gap;
  const long before = s->stats.events;
  s->stats = e->stats;
  s->stats.min_event_gap = gap;
  if (e->stats.events == before) return;
  if (!isnan(e->last_event)) s->stats.min_event_gap = fmin(gap, s->t - e->last_event);
  e->last_event = s->t;
}

static amo_status failed(const amo_cluster_flow *e, amo_sim *s, amo_status st)
{
  memcpy(s->message, e->message, sizeof s->message);
  return st;
}

static amo_status start(amo_sim *s)
{
  amo_cluster_flow *e = s->impl;
  for (uint32_t c = 0; c < e->count; c++) amo_cluster_parameters(e->cut, c, s->param, e->param[c]);
  e->last_event = NAN;
  const amo_status st = amo_cluster_flow_start(e, s->t, s->y);
  if (st != AMO_OK) return failed(e, s, st);
  for (uint32_t c = 0; c < s->m->nc; c++) s->mode[c] = *e->mode_of[c];
  s->stats = e->stats;
  amo_cluster_flow_state(e, s->t, true, s->y);
  e->shown = s->t;
  amo_cluster_forget_pieces(e);
  e->events = e->changes = 0;
  return AMO_OK;
}

static void state(amo_sim *s)
{
  amo_cluster_flow *e = s->impl;
  if (e->shown == s->t) return;
  amo_cluster_flow_state(e, s->t, true, s->y);
  e->shown = s->t;
}

amo_status amo_cluster_join(amo_sim *s)
{
  if (s->ops != &amo_cluster_method || !s->started) return AMO_OK;
  amo_cluster_flow *e = s->impl;
  const amo_stats stats = s->stats;
  amo_status st = s->opt.audit ? amo_cluster_audit_all(e, s) : AMO_OK;
  state(s);
  amo_cluster_flow_free(e);
  s->impl = NULL;
  s->ops = &amo_event_method;
  amo_step_samples_free(s->samples);
  s->samples = NULL;
  if (st == AMO_OK) st = s->ops->make(s);
  if (st == AMO_OK) st = amo_step_samples_new(s, &s->samples);
  if (st == AMO_OK) st = s->ops->start(s);
  if (st != AMO_OK) return st;
  amo_sim_flow(s)->lane[0].stats = s->stats = stats;
  return AMO_OK;
}

/// On to the next event, or where there is no room for more of what has been.
static amo_status step(amo_sim *s, double t_end)
{
  amo_cluster_flow *e = s->impl;
  if (e->crawls) {
    const amo_status joined = amo_cluster_join(s);
    return joined == AMO_OK ? s->ops->step(s, t_end) : joined;
  }
  amo_status st = AMO_OK;
  amo_cluster_forget_pieces(e);
  for (uint32_t i = 0; i < e->changes; i++) s->step_mode[e->changed[i]] = s->mode[e->changed[i]];
  e->events = e->changes = 0;
  s->start = s->t;
  s->t = t_end;
  while (st == AMO_OK && e->due[amo_cluster_next(e)] <= t_end && e->events == 0 &&
         2u * e->pieces <= e->most_pieces) {
    if (e->stats.steps + e->stats.rejected >= s->opt.max_steps)
      return amo_sim_fail(s, AMO_ELIMIT, "more than %ld steps, rejected ones included (t = %.9g)",
                          s->opt.max_steps, e->t);
    if (e->stats.events >= s->opt.max_events)
      return amo_sim_fail(s, AMO_ELIMIT, "more than %ld events (t = %.9g)", s->opt.max_events, e->t);
    st = amo_cluster_flow_advance(e);
  }
  if (st != AMO_OK || e->events > 0 || 2u * e->pieces > e->most_pieces) s->t = e->t;
  publish(e, s);
  return st == AMO_OK ? st : failed(e, s, st);
}

static void dense(const amo_sim *s, double t, double *y)
{
  amo_cluster_flow_state(s->impl, t, false, y);
}

static amo_status forces(amo_sim *s, bool at_end, amo_sample *p)
{
  amo_cluster_flow *e = s->impl;
  const signed char *mode = at_end ? s->mode : s->step_mode;
  amo_point_parameters(e->point, s->param);
  const amo_status st = amo_point_evaluate(e->point, p->t, p->state, mode);
  if (st != AMO_OK) {
    char why[AMO_UNSOLVED_TEXT];
    return amo_sim_fail(s, st, "%s at t = %.9g", amo_unsolved(s->m, (amo_span){e->point->reg, 1, 0}, -1, why),
                        p->t);
  }
  amo_instant_take(s, e->point, p);
  return AMO_OK;
}

/// Energies are balanced at the end, and when every cluster has been audited about as often as its series have coefficients: an
/// event then costs no more in a larger model.
static amo_status audit(amo_sim *s)
{
  amo_cluster_flow *e = s->impl;
  if (e->judged < (long)(e->count * e->item)) return AMO_OK;
  const amo_status st = amo_cluster_audit_all(e, s);
  return st == AMO_OK ? st : failed(e, s, st);
}

static void judge(amo_sim *s)
{
  amo_cluster_flow *e = s->impl;
  if (e->balanced == s->t && e->judged == 0) return;
  if (amo_cluster_audit_all(e, s) != AMO_OK) s->audit.ok = false;
}

bool amo_sim_in_parts(const amo_sim *s)
{
  return s->ops == &amo_cluster_method && s->opt.audit;
}

void amo_sim_tell_stretches(amo_sim *s, amo_stretch_look tell, void *ctx)
{
  amo_cluster_flow *e = s->impl;
  e->look = tell;
  e->look_ctx = ctx;
}

amo_status amo_sim_part_contact(amo_sim *s, size_t contact, double *slip, double *force)
{
  amo_cluster_flow *e = s->impl;
  const amo_status st = amo_cluster_contact(e, (uint32_t)contact, slip, force);
  return st == AMO_OK ? st : failed(e, s, st);
}

const amo_sim_ops amo_cluster_method = {.make = make,
                                        .destroy = destroy,
                                        .start = start,
                                        .step = step,
                                        .dense = dense,
                                        .forces = forces,
                                        .state = state,
                                        .audit = audit,
                                        .judge = judge};
