// SPDX-License-Identifier: Apache-2.0
/// Many trajectories on the lanes of one engine; a lane that is done takes the next trajectory.
#include <string.h>

#include "flow/long_time.h"
#include "flow/flow.h"

static void report(amo_flow *f, const amo_ensemble *e, int lane, size_t who)
{
  const amo_lane *l = &f->lane[lane];
  if (e->final_state) memcpy(e->final_state + who * f->ns, l->y, f->ns * sizeof *l->y);
  if (e->final_mode) memcpy(e->final_mode + who * f->m->nc, l->mode, f->m->nc);
  if (e->events) e->events[who] = l->stats.events;
  if (e->status) e->status[who] = l->status;
  if (e->final_time) e->final_time[who] = l->t;
  if (e->fate)
    e->fate[who] = (unsigned char)(l->status == AMO_OK ? amo_flow_long_time(f, lane) : AMO_FATE_UNDECIDED);
}

/// Has the lane come to a state that lasts? Looked at only where it may have: after an event, or in flight.
static bool decided(amo_flow *f, const amo_ensemble *e, int lane)
{
  const amo_lane *l = &f->lane[lane];
  if (e->fate == NULL || l->status != AMO_OK) return false;
  bool open = true;
  for (uint32_t c = 0; c < f->m->nc; c++) open &= l->mode[c] == AMO_MODE_OPEN;
  return (open || l->events > 0) && amo_flow_long_time(f, lane) != AMO_FATE_UNDECIDED;
}

/// Parameters of trajectory i into a lane; derived ones follow from the others.
static void take_parameters(amo_flow *f, const amo_ensemble *e, int lane, size_t i, double *scratch)
{
  if (e->parameter == NULL) {
    amo_flow_parameters(f, lane, f->opt.values->param);
    return;
  }
  memcpy(scratch, e->parameter + i * f->m->np, f->m->np * sizeof *scratch);
  amo_model_derive(f->m, scratch);
  amo_flow_parameters(f, lane, scratch);
}

/// Load the next trajectory that can start into a lane. False when none is left.
static bool refill(amo_flow *f, const amo_ensemble *e, int lane, size_t *next, size_t *who, double *scratch)
{
  while (*next < e->count) {
    size_t i = (*next)++;
    const double *state = e->state ? e->state + i * f->ns : f->opt.values->initial;
    take_parameters(f, e, lane, i, scratch);
    who[lane] = i;
    if (amo_flow_start(f, lane, e->t0, state) == AMO_OK && f->lane[lane].t < e->t_end &&
        (e->fate == NULL || amo_flow_long_time(f, lane) == AMO_FATE_UNDECIDED))
      return true;
    report(f, e, lane, i);
  }
  f->lane[lane].active = false;
  return false;
}

static void tell_events(const amo_flow *f, const amo_ensemble *e, int lane, size_t who)
{
  const amo_lane *l = &f->lane[lane];
  for (size_t i = 0; e->on_event != NULL && i < l->events; i++)
    if (amo_event_changes_mode(&l->event[i])) e->on_event(e->ctx, who, &l->event[i], l->y);
}

static bool stopped(const amo_ensemble *e)
{
  return e->stop != NULL && *e->stop;
}

/// Stopped: what was on its way stands where it is, what was not begun has only its status.
static void give_up(amo_flow *f, const amo_ensemble *e, const size_t *who, size_t next)
{
  for (int l = 0; l < f->W; l++) {
    if (!f->lane[l].active) continue;
    f->lane[l].status = AMO_EINTR;
    report(f, e, l, who[l]);
  }
  for (size_t i = next; i < e->count && e->status; i++) e->status[i] = AMO_EINTR;
}

void amo_flow_ensemble(amo_flow *f, const amo_ensemble *e, double *scratch)
{
  size_t next = 0, who[AMO_LANES] = {0};
  int busy = 0;
  for (int l = 0; l < f->W; l++) busy += refill(f, e, l, &next, who, scratch);
  while (busy > 0 && !stopped(e)) {
    amo_flow_expand(f);
    amo_flow_advance(f, e->t_end);
    for (int l = 0; l < f->W; l++) {
      amo_lane *a = &f->lane[l];
      if (!a->active) continue;
      tell_events(f, e, l, who[l]);
      if (a->status == AMO_OK && a->t < e->t_end && !decided(f, e, l)) continue;
      report(f, e, l, who[l]);
      busy -= !refill(f, e, l, &next, who, scratch);
    }
  }
  if (busy > 0) give_up(f, e, who, next);
}
