// SPDX-License-Identifier: Apache-2.0
// One period of a cycle, event by event. A state in stick that is started anew is off its stick by rounding: it slips for
// an instant, and the contact seems to begin to stick there. So the period that is looked at begins and ends far from all
// events, and nothing is started anew in it: the motion comes there from the cycle's state, a part of a period earlier.
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "flow/flow.h"
#include "orbit/cycle_impl.h"

typedef struct record {
  amo_cycle *c;
  double quiet;  // [s] from the cycle's start to that of the record
  size_t room, state_room;
  bool failed;
} record;

/// Times count from the cycle's start; what lies beyond its end is of its beginning.
static double time_of(const record *r, double t)
{
  const double since = t - r->c->t;
  return r->c->t + (since >= r->c->period ? since - r->c->period : since);
}

/// Into its place in the order of times.
static void keep_event(record *r, const amo_event *e, const double *y)
{
  amo_cycle *c = r->c;
  if (!AMO_ROOM(c->event, c->events, r->room)) r->failed = true;
  double *grown = amo_grow(c->event_state, &r->state_room, (c->events + 1) * c->states, sizeof *grown);
  if (grown) c->event_state = grown;
  if (r->failed || !grown) {
    r->failed = true;
    return;
  }
  size_t k = c->events++;
  const double t = time_of(r, e->t);
  for (; k > 0 && c->event[k - 1].t > t; k--) {
    c->event[k] = c->event[k - 1];
    memcpy(grown + k * c->states, grown + (k - 1) * c->states, c->states * sizeof *grown);
  }
  c->event[k] = *e;
  c->event[k].t = t;
  memcpy(grown + k * c->states, y, c->states * sizeof *grown);
}

static void keep_step(record *r, const amo_lane *l)
{
  amo_cycle *c = r->c;
  for (size_t i = 0; i < c->contacts; i++)
    if (l->step_mode[i] == AMO_STICK) c->stick[i] += l->h / c->period;
  for (size_t i = 0; i < c->states; i++) c->size[i] = fmax(c->size[i], fabs(l->y[i]));
  for (size_t i = 0; i < l->events; i++) keep_event(r, &l->event[i], l->y);
}

static amo_status run(amo_flow *f, double until, record *r)
{
  const amo_lane *l = &f->lane[0];
  while (l->t < until) {
    amo_flow_prepare(f);
    amo_flow_advance(f, until);
    if (l->status != AMO_OK) return l->status;
    if (r) keep_step(r, l);
    if (r && r->failed) return AMO_ENOMEM;
  }
  return AMO_OK;
}

amo_status amo_search_follow(amo_cycle_search *k)
{
  amo_cycle *c = k->cycle;
  record r = {.c = c, .quiet = k->quiet};
  amo_flow *f = NULL;
  amo_status st = amo_flow_new(k->m, &k->shooter->opt, 1, &f);
  if (st == AMO_OK) amo_flow_parameters(f, 0, k->shooter->param);
  if (st == AMO_OK) st = amo_flow_start(f, 0, c->t, c->state);
  if (st == AMO_OK) st = run(f, c->t + r.quiet, NULL);
  if (st == AMO_OK) st = run(f, c->t + r.quiet + c->period, &r);
  amo_flow_free(f);
  return st;
}
