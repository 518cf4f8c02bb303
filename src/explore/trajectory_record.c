// SPDX-License-Identifier: Apache-2.0
// From steps to rows: a uniform grid on the dense output, and both sides of every event.
#include <math.h>

#include "explore/trajectory.h"
#include "flow/stretch.h"

static amo_status put(amo_recorder *r, amo_sim *s, double t, bool after, bool step_end)
{
  amo_status st = amo_sim_sample(s, t, after, r->sample);
  return st == AMO_OK ? amo_trajectory_row(r->trajectory, r->sample, step_end) : st;
}

static amo_status put_grid(amo_recorder *r, amo_sim *s)
{
  double end = amo_sim_time(s), near = 1e-12 * fmax(fabs(end), r->dt);
  amo_status st = AMO_OK;
  while (st == AMO_OK) {
    double t = r->from + r->next * r->dt;
    if (!(t < end - near)) break;
    r->next++;
    if (t > amo_sim_step_start(s)) st = put(r, s, t, false, false);
  }
  return st;
}

/// True if the next grid point is the end of the step; it is then used up.
static bool grid_at_end(amo_recorder *r, double end)
{
  if (fabs(r->from + r->next * r->dt - end) > 1e-12 * fmax(fabs(end), r->dt)) return false;
  r->next++;
  return true;
}

static amo_status begin(amo_recorder *r, amo_sim *s)
{
  amo_status st = amo_sim_sample(s, amo_sim_step_start(s), false, r->sample);
  if (st != AMO_OK) return st;
  r->begun = true;
  r->next = 1;
  for (size_t i = 0; i < r->trajectory->contacts; i++)
    r->trajectory->initial_mode[i] = (signed char)r->sample->mode[i];
  return r->rows ? amo_trajectory_row(r->trajectory, r->sample, true) : AMO_OK;
}

/// Slip and friction of the event's contact just after all events of the step; not numbers without a contact.
static amo_status look_after(const amo_recorder *r, amo_sim *s, const amo_event *e, double *slip,
                             double *force)
{
  *slip = *force = NAN;
  if (e->contact < 0 || (size_t)e->contact >= r->trajectory->contacts) return AMO_OK;
  if (amo_sim_in_parts(s)) return amo_sim_part_contact(s, (size_t)e->contact, slip, force);
  *slip = r->sample->slip[e->contact];
  *force = r->sample->force[e->contact];
  return AMO_OK;
}

static amo_status put_events(amo_recorder *r, amo_sim *s)
{
  const size_t events = amo_sim_new_events(s);
  amo_status st = AMO_OK;
  if (events > 0 && !amo_sim_in_parts(s)) st = amo_sim_sample(s, amo_sim_time(s), true, r->sample);
  for (size_t i = 0; st == AMO_OK && i < events; i++) {
    const amo_event *e = amo_sim_new_event(s, i);
    const bool keeps = amo_trajectory_keeps_state(r->trajectory);
    double slip, force;
    st = look_after(r, s, e, &slip, &force);
    if (st == AMO_OK)
      st = amo_trajectory_event(r->trajectory, e, slip, force, keeps ? amo_sim_state(s) : NULL);
  }
  return st;
}

amo_status amo_recorder_step(amo_recorder *r, amo_sim *s, double t_end)
{
  double end = amo_sim_time(s);
  size_t events = amo_sim_new_events(s);
  amo_status st = r->begun ? AMO_OK : begin(r, s);
  if (st == AMO_OK && r->rows) {
    st = put_grid(r, s);
    bool on_grid = grid_at_end(r, end);
    const bool told = events && !r->even;
    if (st == AMO_OK && (told || r->steps || on_grid || end >= t_end)) st = put(r, s, end, false, true);
    if (st == AMO_OK && told) st = put(r, s, end, true, true);
  }
  return st == AMO_OK ? put_events(r, s) : st;
}
