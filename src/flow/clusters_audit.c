// SPDX-License-Identifier: Apache-2.0
/// The audit of clusters: each is held against the conditions of its contacts over every stretch of its motion, and its work
/// counted, by the audit of a simulation of its own; energies are balanced for the whole, where all are known.
#include <math.h>
#include <string.h>

#include "flow/clusters.h"
#include "flow/lanes.h"
#include "flow/step_samples.h"

static amo_sim *judge_of(const amo_cluster_flow *e, uint32_t cluster)
{
  return e->kind[e->cut->item[cluster].kind].judge;
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
  return AMO_OK;
}

/// The judge in the place of a cluster, whose bench has just ended a step or shows one as if.
static amo_status look(amo_cluster_flow *e, amo_bench *b)
{
  const uint32_t c = b->cluster;
  amo_sim *s = judge_of(e, c);
  void *const own = s->impl;
  const amo_ledger ledger = s->ledger;
  s->impl = b->flow;
  s->ledger = e->ledger[c];
  memcpy(s->param, e->param[c], s->m->np * sizeof *s->param);
  amo_step_samples_reset(s->samples);
  (void)amo_flow_publish(b->flow, s, AMO_OK);
  const amo_status st = amo_audit_look(s, e->audited[c]);
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

typedef struct energies {
  double kinetic, potential;
} energies;

/// Energies of a seated cluster now.
static energies energies_of(const amo_cluster_flow *e, const amo_bench *b)
{
  amo_sim *s = judge_of(e, b->cluster);
  const amo_flow *f = b->flow;
  const uint32_t own = f->ns - f->givens;
  amo_sample *p = s->probe;
  p->t = e->t;
  amo_flow_dense(f, 0, e->t - f->lane[0].t, p->state);
  for (uint32_t i = 0; i < f->givens; i++) p->state[own + i] = b->given[i * e->item];
  for (uint32_t c = 0; c < s->m->nc; c++) p->mode[c] = f->lane[0].mode[c];
  memcpy(s->param, e->param[b->cluster], s->m->np * sizeof *s->param);
  amo_sample_report(s, p);
  return (energies){p->kinetic, p->potential};
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

amo_status amo_cluster_audit_all(amo_cluster_flow *e, amo_sim *s)
{
  amo_status st = AMO_OK;
  energies sum = {0.0, 0.0};
  double blur = 0.0;
  if (!e->booked) e->lost = s->audit.dissipated;  // an impact at the start
  e->booked = true;
  e->t = s->t;
  for (uint32_t c = 0; st == AMO_OK && c < e->count; c++) {
    amo_bench *b = amo_cluster_seat(e, c);
    if (e->audited[c] < e->t) st = look_on_the_way(e, b);
    const energies one = energies_of(e, b);
    sum.kinetic += one.kinetic;
    sum.potential += one.potential;
    blur += e->ledger[c].blur;
    gather_states(e, s, c);
    amo_cluster_leave(e);
  }
  gather(e, s);
  s->audit.energy = sum.kinetic + sum.potential;
  s->ledger.blur = blur;
  s->ledger.size = fmax(s->ledger.size, fabs(sum.kinetic) + fabs(sum.potential - s->ledger.potential0) +
                                            fabs(sum.kinetic - s->ledger.kinetic0));
  amo_audit_close(s);
  e->judged = 0;
  e->balanced = e->t;
  return st;
}
