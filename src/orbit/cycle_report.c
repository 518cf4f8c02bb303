// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "flow/flow.h"
#include "orbit/cycle_impl.h"
#include "orbit/quiet.h"
#include "orbit/stability.h"

static amo_cycle_effort effort_of(const amo_effort *e)
{
  return (amo_cycle_effort){e->trajectories, e->steps, e->rejected, e->rhs, e->jacobians, e->factorisations};
}

/// Product of the matrices of all arcs, into m [ns][ns].
static void multiply(const amo_shooting *x, double *m, double *work)
{
  const size_t ns = x->s->ns;
  memcpy(m, x->shot[0]->matrix, ns * ns * sizeof *m);
  for (int k = 1; k < x->segments; k++) {
    memset(work, 0, ns * ns * sizeof *work);
    for (size_t c = 0; c < ns; c++)
      for (size_t j = 0; j < ns; j++)
        for (size_t i = 0; i < ns; i++) work[c * ns + i] += x->shot[k]->matrix[j * ns + i] * m[c * ns + j];
    memcpy(m, work, ns * ns * sizeof *m);
  }
}

bool amo_search_attracts(amo_cycle_search *k)
{
  const size_t ns = k->shooter->ns;
  if (k->o->sim->method == AMO_METHOD_SWITCH) return true;  // its matrices are too rough to tell
  double *m = amo_zalloc(2 * ns * ns, sizeof *m);
  amo_multiplier *mu = amo_zalloc(ns, sizeof *mu);
  amo_stability verdict = AMO_UNSTABLE;
  if (m && mu) {
    multiply(k->shooting, m, m + ns * ns);
    const amo_monodromy whole = {
        .matrix = m,
        .scale = k->shooting->scale,
        .ns = ns,
        .rank = ns,
        .drift = k->drift,
        .flow = k->forcing > 0.0 ? NULL : k->shooting->shot[k->shooting->segments - 1]->arrive,
        .noise = amo_shooter_noise(k->shooter)};
    if (amo_monodromy_judge(&whole, mu, &verdict) != AMO_OK) verdict = AMO_UNSTABLE;
  }
  free(m);
  free(mu);
  return verdict != AMO_UNSTABLE;
}

amo_status amo_search_minimal(amo_cycle_search *k)
{
  const amo_shooting *x = k->shooting;
  k->multiple = 1;
  k->period = x->period;
  const int periods = k->forcing > 0.0 ? (int)nearbyint(x->period / k->forcing) : 0;
  amo_effort before = k->shooter->total;
  amo_shot *shot;
  amo_status st = amo_shot_new(k->shooter, &shot);
  for (int n = 12; st == AMO_OK && k->multiple == 1 && n > 1; n--) {
    if (k->forcing > 0.0 && periods % n != 0) continue;
    st = amo_shoot(k->shooter, x->t0, x->y, x->period / n, false, shot);
    double error = 0.0;
    for (uint32_t i = 0; i < k->shooter->ns; i++) shot->end[i] -= x->y[i];
    amo_drift_remove(k->drift, k->forcing == 0.0, x->period / n, shot->end, NULL);
    for (uint32_t i = 0; i < k->shooter->ns; i++) error = fmax(error, fabs(shot->end[i]) / x->scale[i]);
    if (error > 100.0 * fmax(x->error, k->o->accuracy)) continue;
    k->multiple = n;
    k->period = x->period / n;
  }
  amo_shot_free(shot);
  k->shooter->total = before;  // not part of the search
  return st;
}

static amo_status allocate(amo_cycle_search *k)
{
  const size_t ns = k->shooter->ns, nc = k->m->nc;
  amo_cycle *c = k->cycle = amo_zalloc(1, sizeof *c);
  if (!c) return AMO_ENOMEM;
  c->states = ns;
  c->contacts = nc;
  c->state = amo_zalloc(ns * (ns + 3), sizeof *c->state);
  c->shifts = amo_zalloc(ns, sizeof *c->shifts);
  c->multiplier = amo_zalloc(ns, sizeof *c->multiplier);
  c->stick = amo_zalloc(nc, sizeof *c->stick);
  c->iterate = amo_zalloc(k->shooting->iterates, sizeof *c->iterate);
  if (!c->state || !c->shifts || !c->multiplier || !c->stick || !c->iterate) return AMO_ENOMEM;
  c->size = c->state + ns;
  c->drift = c->size + ns;
  c->matrix = c->drift + ns;
  return AMO_OK;
}

static amo_status copy_iterates(amo_cycle_search *k)
{
  amo_cycle *c = k->cycle;
  const amo_shooting *x = k->shooting;
  const size_t ns = c->states;
  for (size_t i = 0; i < x->iterates; i++) {
    const amo_iterate *from = &x->iterate[i];
    amo_cycle_iterate *to = &c->iterate[i];
    *to = (amo_cycle_iterate){from->period, from->residual, from->damping, from->proposed_period,
                              NULL,         NULL,           NULL,          effort_of(&from->effort)};
    to->state = amo_zalloc(ns * (ns + 2), sizeof *to->state);
    if (!to->state) return AMO_ENOMEM;
    to->proposed = to->state + ns;
    memcpy(to->state, from->state, ns * sizeof *to->state);
    memcpy(to->proposed, from->proposed, ns * sizeof *to->state);
    if (from->has_matrix) {
      to->matrix = to->proposed + ns;
      memcpy(to->matrix, from->matrix, ns * ns * sizeof *to->matrix);
    }
    c->iterations = (int)i;
  }
  return AMO_OK;
}

static amo_status judge(amo_cycle_search *k, const amo_shot *shot)
{
  amo_cycle *c = k->cycle;
  const size_t ns = c->states;
  const amo_monodromy whole = {.matrix = shot->matrix,
                               .scale = k->shooting->scale,
                               .ns = ns,
                               .rank = shot->rank,
                               .ties = shot->ties,
                               .drift = k->drift,
                               .flow = c->forced ? NULL : shot->arrive,
                               .noise = amo_shooter_noise(k->shooter)};
  amo_status st = amo_monodromy_judge(&whole, c->multiplier, &c->verdict);
  if (st != AMO_OK) return amo_shooter_fail(k->shooter, st, "the multipliers could not be found");
  const size_t n = c->multipliers = ns - shot->ties;
  while (c->zeros < n && c->multiplier[n - 1 - c->zeros].abs == 0.0) c->zeros++;
  c->trivial = amo_monodromy_phase(c->multiplier, n);
  c->stable = c->verdict == AMO_STABLE;
  c->grazing = shot->grazing;
  return AMO_OK;
}

/// What the state differs by after a period, and how much of it is a shift. Free shifts and drives count as such even where
/// they happen to be nothing.
static void take_drift(amo_cycle_search *k, const amo_shot *shot)
{
  amo_cycle *c = k->cycle;
  const amo_drift *d = k->drift;
  double *rest = c->size;  // is set later
  for (size_t i = 0; i < c->states; i++) rest[i] = shot->end[i] - c->state[i];
  amo_drift_remove(d, !c->forced, c->period, rest, c->drift);
  for (size_t i = 0; i < c->states; i++) {
    c->residual = fmax(c->residual, fabs(rest[i]));
    c->shifts[i] = c->drift[i] != 0.0;
    for (size_t f = 0; f < d->frees; f++) c->shifts[i] |= d->along[f * c->states + i] != 0.0;
    rest[i] = 0.0;
  }
}

/// A period from the cycle's state, for the matrix and the defect; another from far from all events, for the
/// multipliers, which do not depend on the start.
static amo_status last_periods(amo_cycle_search *k, amo_shot *shot)
{
  amo_cycle *c = k->cycle;
  const size_t ns = c->states;
  amo_status st = AMO_OK;
  if (k->o->sim->method == AMO_METHOD_SWITCH)
    st = amo_shoot(k->shooter, c->t, c->state, c->period, false, shot);
  if (st == AMO_OK) st = amo_shoot(k->shooter, c->t, c->state, c->period, true, shot);
  if (st != AMO_OK) return st;
  memcpy(c->matrix, shot->matrix, ns * ns * sizeof *c->matrix);
  take_drift(k, shot);
  double wait = k->o->sim->method == AMO_METHOD_EVENT ? amo_quiet_time(shot, c->t, c->period) : 0.0;
  double *y = amo_zalloc(ns, sizeof *y);
  if (!y) return AMO_ENOMEM;
  // the start itself may be an event, which its period does not show: half way to the next one there is none
  k->quiet = wait > 0.0 ? wait : 0.5 * (shot->events ? shot->event[0].t - c->t : c->period);
  if (k->o->sim->method == AMO_METHOD_EVENT && k->m->nc > 0 && shot->events == 0) wait = k->quiet;
  if (wait > 0.0) {
    st = amo_shoot(k->shooter, c->t, c->state, wait, false, shot);
    memcpy(y, shot->end, ns * sizeof *y);
    if (st == AMO_OK) st = amo_shoot(k->shooter, c->t + wait, y, c->period, true, shot);
  }
  free(y);
  return st;
}

amo_status amo_search_report(amo_cycle_search *k)
{
  amo_shot *shot = NULL;
  amo_status st = allocate(k);
  if (st != AMO_OK) return st;
  amo_cycle *c = k->cycle;
  const amo_shooting *x = k->shooting;
  c->period = k->period;
  c->multiple = k->multiple;
  c->forced = k->forcing > 0.0;
  c->forcing = k->forcing;
  c->t = x->t0;
  memcpy(c->state, x->y, c->states * sizeof *c->state);
  c->effort = effort_of(&k->shooter->total);
  st = copy_iterates(k);
  if (st == AMO_OK) c->final_effort = c->iterate[c->iterations].effort;
  if (st == AMO_OK) st = amo_shot_new(k->shooter, &shot);
  if (st == AMO_OK) st = last_periods(k, shot);
  if (st == AMO_OK) st = judge(k, shot);
  if (st == AMO_OK && k->o->sim->method == AMO_METHOD_EVENT) st = amo_search_follow(k);
  amo_shot_free(shot);
  return st;
}

void amo_cycle_free(amo_cycle *c)
{
  if (!c) return;
  for (int i = 0; c->iterate && i <= c->iterations; i++) free(c->iterate[i].state);
  free(c->iterate);
  free(c->state);
  free(c->shifts);
  free(c->multiplier);
  free(c->stick);
  free(c->event);
  free(c->event_state);
  free(c);
}
