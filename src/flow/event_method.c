// SPDX-License-Identifier: Apache-2.0
/// The default method: one lane of the event-driven engine behind amo_sim.
#include <string.h>

#include "contact/unsolved.h"
#include "flow/long_time.h"
#include "flow/flow.h"
#include "flow/instant.h"
#include "flow/proof.h"
#include "flow/sim.h"

/// Do its contacts need more than slip velocities that the rates decide?
static bool needs_series(const amo_model *m)
{
  bool needs = m->nxi > 0;
  for (uint32_t c = 0; c < m->nc; c++) needs |= amo_has_gap(&m->contact[c]) || amo_is_slider(&m->contact[c]);
  return needs;
}

static amo_status make(amo_sim *s)
{
  amo_flow *f;
  if (needs_series(s->m) && s->opt.stepper == AMO_STEPPER_RK8)
    return amo_sim_fail(
        s, AMO_EUNSUPPORTED,
        "the stepper rk8 does not know guides, supports and sliders without mass; use the default one");
  if (s->opt.certify && s->m->njoint > 0)
    return amo_sim_fail(s, AMO_EUNSUPPORTED, "steps with joints are not proved yet: leave --certify out");
  amo_status st = amo_flow_new(s->m, &s->opt, 1, &f);
  s->impl = f;
  if (st == AMO_OK && s->opt.certify) st = amo_prover_new(s->m, f->P, &f->prover);
  return st;
}

static void destroy(amo_sim *s)
{
  amo_flow_free(s->impl);
}

amo_status amo_flow_publish(const amo_flow *f, amo_sim *s, amo_status st)
{
  const amo_lane *l = &f->lane[0];
  s->t = l->t;
  s->start = l->start;
  memcpy(s->y, l->y, f->ns * sizeof *s->y);
  memcpy(s->mode, l->mode, s->m->nc);
  memcpy(s->step_mode, l->step_mode, s->m->nc);
  memcpy(s->event, l->event, l->events * sizeof *s->event);
  s->events = l->events;
  s->stats = l->stats;
  if (st != AMO_OK && l->message[0]) memcpy(s->message, l->message, sizeof s->message);
  return st;
}

static amo_status start(amo_sim *s)
{
  amo_flow *f = s->impl;
  amo_flow_parameters(f, 0, s->param);
  if (f->prover != NULL) amo_prover_reset(f->prover);
  return amo_flow_publish(f, s, amo_flow_start(f, 0, s->t, s->y));
}

static amo_status step(amo_sim *s, double t_end)
{
  amo_flow *f = s->impl;
  amo_flow_prepare(f);
  amo_flow_advance(f, t_end);
  return amo_flow_publish(f, s, f->lane[0].status);
}

/// Late in a run the difference of two times is rounding; the end of the step is known better.
static void dense(const amo_sim *s, double t, double *y)
{
  const amo_flow *f = s->impl;
  amo_flow_dense(f, 0, t == s->t ? f->lane[0].h : t - s->start, y);
}

amo_status amo_flow_forces(amo_flow *f, amo_sim *s, bool at_end, const signed char *branch, amo_sample *p)
{
  const amo_lane *l = &f->lane[0];
  amo_point_parameters(f->point, s->param);
  f->point->branch = branch;
  f->point->stressed = l->stressed;
  memcpy(f->point->reaction_sign, at_end ? l->reaction_sign : l->step_reaction_sign, s->m->nc);
  memcpy(f->point->xi, l->xi, s->m->nxi * sizeof *l->xi);
  amo_status st = amo_point_evaluate(f->point, p->t, p->state, at_end ? l->mode : l->step_mode);
  if (st == AMO_ENOANSWER && !at_end && p->t == s->t)  // a slip that stops at once: there were no forces
    st = amo_point_evaluate(f->point, p->t, p->state, l->mode);
  if (st != AMO_OK) {
    char why[AMO_UNSOLVED_TEXT];
    return amo_sim_fail(s, st, "%s at t = %.9g", amo_unsolved(s->m, (amo_span){f->point->reg, 1, 0}, -1, why),
                        p->t);
  }
  amo_instant_take(s, f->point, p);
  return AMO_OK;
}

static amo_status forces(amo_sim *s, bool at_end, amo_sample *p)
{
  amo_flow *f = s->impl;
  return amo_flow_forces(f, s, at_end, at_end ? f->lane[0].branch : f->lane[0].step_branch, p);
}

static amo_fate_kind fate(amo_sim *s)
{
  return amo_flow_long_time(s->impl, 0);
}

const amo_sim_ops amo_event_method = {.make = make,
                                      .destroy = destroy,
                                      .start = start,
                                      .step = step,
                                      .dense = dense,
                                      .forces = forces,
                                      .fate = fate};

const amo_proof *amo_sim_proof(const amo_sim *s)
{
  const amo_flow *f = s != NULL && s->ops == &amo_event_method ? s->impl : NULL;
  return f != NULL && f->prover != NULL ? amo_prover_found(f->prover) : NULL;
}

amo_flow *amo_sim_flow(amo_sim *s)
{
  return s->ops == &amo_event_method ? s->impl : NULL;
}
