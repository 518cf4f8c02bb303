// SPDX-License-Identifier: Apache-2.0
/// The audit of clusters: each is held against the conditions of its contacts over every stretch of its motion, and its work
/// counted, by the audit of a simulation of its own; energies are balanced for the whole, where all are known.
#include <math.h>
#include <string.h>

#include "flow/clusters.h"
#include "expr/lanes.h"
#include "flow/step_samples.h"
#include "num/long_sum.h"

static amo_sim *judge_of(const amo_cluster_flow *e, uint32_t cluster)
{
  return e->kind[e->cut->item[cluster].kind].judge;
}

/// The judge in the place of a cluster whose bench shows it; what it was comes back.
static void *take_place(const amo_cluster_flow *e, const amo_bench *b)
{
  amo_sim *s = judge_of(e, b->cluster);
  void *const own = s->impl;
  s->impl = b->flow;
  memcpy(s->param, e->param[b->cluster], s->m->np * sizeof *s->param);
  (void)amo_flow_publish(b->flow, s, AMO_OK);
  return own;
}

typedef struct energies {
  double kinetic, potential;
} energies;

/// The state of a seated cluster now, and its modes.
static void state_now(const amo_cluster_flow *e, const amo_bench *b, amo_sample *p)
{
  const amo_flow *f = b->flow;
  const uint32_t own = f->ns - f->givens;
  p->t = e->t;
  amo_flow_dense(f, 0, e->t - f->lane[0].t, p->state);
  for (uint32_t i = 0; i < f->givens; i++) p->state[own + i] = b->given[i * e->item];
  for (uint32_t c = 0; c < f->m->nc; c++) p->mode[c] = f->lane[0].mode[c];
}

/// Energies of a seated cluster now.
static energies energies_of(const amo_cluster_flow *e, const amo_bench *b)
{
  amo_sim *s = judge_of(e, b->cluster);
  memcpy(s->param, e->param[b->cluster], s->m->np * sizeof *s->param);
  state_now(e, b, s->probe);
  amo_sample_report(s, s->probe);
  return (energies){s->probe->kinetic, s->probe->potential};
}

static void open_energies(amo_cluster_flow *e)
{
  amo_long_sum kinetic = {0.0, 0.0}, potential = {0.0, 0.0};
  for (uint32_t c = 0; c < e->count; c++) {
    const energies one = energies_of(e, amo_cluster_seat(e, c));
    amo_long_sum_add(&kinetic, one.kinetic);
    amo_long_sum_add(&potential, one.potential);
    amo_cluster_leave(e);
  }
  e->kinetic0 = amo_long_sum_of(&kinetic);
  e->potential0 = amo_long_sum_of(&potential);
}

amo_status amo_cluster_audit_start(amo_cluster_flow *e)
{
  for (uint32_t k = 0; k < e->cut->kinds; k++) {
    amo_sim *s = e->kind[k].judge;
    s->started = true;
    s->audit = (amo_audit){.ok = true, .held = -1};
  }
  for (uint32_t c = 0; c < e->count; c++) {
    amo_ledger_open(&e->ledger[c]);
    e->audited[c] = e->t;
  }
  e->judged = 0;
  e->held = -1;
  e->booked = false;
  e->balanced = e->t;
  open_energies(e);
  return AMO_OK;
}

/// Whoever wants to see the stretch that the judge has just looked at does.
static amo_status tell(amo_cluster_flow *e, const amo_bench *b, amo_sim *judge)
{
  const amo_cluster *a = &e->cut->item[b->cluster];
  const double from = fmax(e->audited[b->cluster], judge->start);
  if (e->look == NULL || !(judge->t > from)) return AMO_OK;
  const uint32_t states = b->flow->ns - b->flow->givens;
  for (uint32_t i = 0; i < states; i++) e->own_state[i] = amo_cluster_state(e->cut, b->cluster, i);
  return e->look(e->look_ctx, &(amo_stretch){judge, from, states, b->flow->m->nc, e->own_state, a->contact});
}

/// The judge in the place of a cluster, whose bench has just ended a step or shows one as if.
static amo_status look(amo_cluster_flow *e, amo_bench *b)
{
  const uint32_t c = b->cluster;
  amo_sim *s = judge_of(e, c);
  const amo_ledger ledger = s->ledger;
  void *const own = take_place(e, b);
  s->ledger = e->ledger[c];
  amo_step_samples_reset(s->samples);
  amo_status st = amo_audit_look(s, e->audited[c]);
  if (st == AMO_OK) st = tell(e, b, s);
  e->ledger[c] = s->ledger;
  s->ledger = ledger;
  if (s->audit.held >= 0 && e->held < 0) {
    e->held = (int)e->cut->item[c].contact[s->audit.held];
    e->held_time = s->audit.held_time;
  }
  s->impl = own;
  if (st != AMO_OK) memcpy(e->message, s->message, sizeof e->message);
  return st;
}

amo_status amo_cluster_contact(amo_cluster_flow *e, uint32_t contact, double *slip, double *force)
{
  const uint32_t c = e->cluster_of[contact];
  const amo_bench *b = amo_cluster_seat(e, c);
  amo_sim *s = judge_of(e, c);
  void *const own = take_place(e, b);
  state_now(e, b, s->probe);
  const amo_status st = amo_sample_complete(s, true, s->probe);
  for (uint32_t i = 0; i < s->m->nc; i++)
    if (e->cut->item[c].contact[i] == contact) *slip = s->probe->slip[i], *force = s->probe->force[i];
  if (st != AMO_OK) memcpy(e->message, s->message, sizeof e->message);
  s->impl = own;
  amo_cluster_leave(e);
  return st;
}

amo_status amo_cluster_audit_stretch(amo_cluster_flow *e, amo_bench *b)
{
  const amo_status st = look(e, b);
  e->audited[b->cluster] = e->t;
  e->judged++;
  return st;
}

/// A seated cluster that is on its way, up to now, as if its step had ended here.
static amo_status look_on_the_way(amo_cluster_flow *e, amo_bench *b)
{
  amo_flow *f = b->flow;
  amo_lane *l = f->lane;
  const amo_lane kept = *l;
  const size_t modes = 2u * (f->m->nc + 1u) + f->nsw;
  memcpy(l->step_mode, l->mode, modes);
  l->start = kept.t;
  l->t = e->t;
  l->h = e->t - kept.t;
  l->events = 0;
  l->struck = false;
  amo_lanes_powers(f->power, &l->h, f->P, 1);
  amo_flow_dense(f, 0, l->h, f->within);
  l->y = f->within;
  const amo_status st = look(e, b);
  *l = kept;
  e->audited[b->cluster] = e->t;
  return st;
}

static void take_worst(double *worst, double x)
{
  if (!(x <= *worst)) *worst = x;
}

/// What the judges have found, together.
static void gather(const amo_cluster_flow *e, amo_sim *s)
{
  amo_audit *a = &s->audit;
  a->dissipated = e->lost;
  a->supplied = 0.0;
  a->impacts = 0;
  a->held = e->held;
  a->held_time = e->held_time;
  for (uint32_t k = 0; k < e->cut->kinds; k++) {
    const amo_audit *of = &e->kind[k].judge->audit;
    a->dissipated += of->dissipated;
    a->supplied += of->supplied;
    a->impacts += of->impacts;
    if (of->contact_violation > a->contact_violation) a->worst_time = of->worst_time;
    take_worst(&a->contact_violation, of->contact_violation);
    take_worst(&a->constraint_violation, of->constraint_violation);
    take_worst(&a->impact_violation, of->impact_violation);
    take_worst(&a->impact_gain, of->impact_gain);
  }
}

/// Of further states of its own.
static void gather_states(const amo_cluster_flow *e, amo_sim *s, uint32_t c)
{
  const amo_cluster *a = &e->cut->item[c];
  const amo_cluster_kind *k = &e->cut->kind[a->kind];
  for (uint32_t i = 0; i < k->states - 2u * k->model->nq; i++) {
    s->ledger.state_scale[a->extra[i]] = e->ledger[c].state_scale[i];
    s->ledger.state_worst[a->extra[i]] = e->ledger[c].state_worst[i];
  }
}

/// What the start has lost in impacts, and the energies from which on everything is balanced.
static void book_start(amo_cluster_flow *e, amo_sim *s)
{
  e->lost = s->audit.dissipated;
  s->ledger.kinetic0 = e->kinetic0;
  s->ledger.potential0 = e->potential0;
  s->ledger.energy0 = e->kinetic0 + e->potential0;
  e->booked = true;
}

amo_status amo_cluster_audit_all(amo_cluster_flow *e, amo_sim *s)
{
  amo_status st = AMO_OK;
  amo_long_sum kinetic = {0.0, 0.0}, potential = {0.0, 0.0};
  double blur = 0.0;
  if (!e->booked) book_start(e, s);
  e->t = s->t;
  for (uint32_t c = 0; st == AMO_OK && c < e->count; c++) {
    amo_bench *b = amo_cluster_seat(e, c);
    if (e->audited[c] < e->t) st = look_on_the_way(e, b);
    const energies one = energies_of(e, b);
    amo_long_sum_add(&kinetic, one.kinetic);
    amo_long_sum_add(&potential, one.potential);
    blur += e->ledger[c].blur;
    gather_states(e, s, c);
    amo_cluster_leave(e);
  }
  gather(e, s);
  const energies now = {amo_long_sum_of(&kinetic), amo_long_sum_of(&potential)};
  s->audit.energy = now.kinetic + now.potential;
  s->ledger.blur = blur;
  s->ledger.size = fmax(s->ledger.size, fabs(now.kinetic) + fabs(now.potential - s->ledger.potential0) +
                                            fabs(now.kinetic - s->ledger.kinetic0));
  amo_audit_close(s);
  e->judged = 0;
  e->balanced = e->t;
  return st;
}
