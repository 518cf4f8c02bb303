// SPDX-License-Identifier: Apache-2.0
/// What comes after an event: branches, then modes of all contacts together, then the event log.
#include <stdlib.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "contact/solutions.h"
#include "flow/flow.h"
#include "flow/seizure.h"
#include "flow/trial.h"
#include "flow/decide.h"

amo_status amo_flow_fail(amo_lane *l, amo_status st, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  vsnprintf(l->message, sizeof l->message, fmt, args);
  va_end(args);
  l->status = st;
  return st;
}

static const double least_room = AMO_FAINT;  // of the bounds: with less a share is at its end

static void flip_branches(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  for (size_t i = 0; i < l->hits; i++) {
    if (l->hit[i].what != AMO_IS_SWITCH) continue;
    uint32_t s = l->hit[i].index;
    if (amo_prog_switch_kind(f->m->step, s) == AMO_SWITCH_FOLD)
      continue;               // the next series begins with the root
    if (l->branch[s] == 0) {  // was exactly zero at the start: the series tells where it goes
      const double *c = amo_flow_series(f, lane, amo_prog_switch_register(f->m->step, s));
      int k = 0;
      while (k < f->P && c[(size_t)k * (size_t)f->W] == 0.0) k++;
      l->branch[s] = c[(size_t)k * (size_t)f->W] > 0.0 ? 1 : -1;
      l->switch_fresh[s] = k > 0;
    } else {
      l->branch[s] = (signed char)-l->branch[s];
      l->switch_fresh[s] = true;
    }
  }
}

/// One branch may make what decides another jump (the speed of a drive, in a law of its size). Where it lands tells
/// that branch, and no zero is near it any more. Returns whether a branch has changed.
static bool follow_jumps(amo_flow *f, int lane, const double *before)
{
  amo_lane *l = &f->lane[lane];
  amo_point *p = f->point;
  bool changed = false;
  p->branch = l->branch;
  amo_point_registers(p, l->t, l->y, l->mode);
  for (uint32_t i = 0; i < f->nsw; i++) {
    double after = p->reg[amo_prog_switch_register(f->m->step, i)];
    if (!(fabs(after - before[i]) > AMO_SAME * fmax(fabs(after), fabs(before[i])))) continue;
    const double none =
        fmax(AMO_SAME * fabs(before[i]), amo_flow_resolution(f) * l->condition_scale[f->m->nc + i]);
    if (fabs(after) <= none) continue;  // lands at its zero
    if (amo_prog_switch_kind(f->m->step, i) == AMO_SWITCH_FOLD) continue;
    signed char branch = after > 0.0 ? 1 : -1;
    changed |= branch != l->branch[i];
    l->branch[i] = branch;
    l->switch_fresh[i] = false;
  }
  return changed;
}

void amo_flow_note_switches(amo_flow *f)
{
  for (uint32_t i = 0; i < f->nsw; i++)
    f->switch_value[i] = f->point->reg[amo_prog_switch_register(f->m->step, i)];
}

static void settle_branches(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  amo_point *p = f->point;
  p->branch = l->step_branch;
  amo_point_registers(p, l->t, l->y, l->mode);
  amo_flow_note_switches(f);
  flip_branches(f, lane);
  for (uint32_t i = 0; i < f->nsw && follow_jumps(f, lane, f->switch_value); i++) continue;
}

static bool take_sides(amo_flow *f, int lane, amo_standing *standing);

void amo_flow_follow_impact(amo_flow *f, int lane, amo_standing *standing)
{
  for (uint32_t i = 0; i < f->nsw && follow_jumps(f, lane, f->switch_value); i++) continue;
  (void)take_sides(f, lane, standing);
}

/// A switch may take a support away, put one under a body that is near, or set its surface in motion. The gap
/// that was there is no more: what is apart now is open, what is not closes anew.
static void stand_after_jump(amo_flow *f, int lane, uint32_t c, double gap, double rate)
{
  const amo_contact *k = &f->m->contact[c];
  amo_lane *l = &f->lane[lane];
  const double *reg = f->point->reg, now = reg[k->r_gap], speed = reg[k->r_gap_rate];
  const bool jumps = fabs(now - gap) > AMO_NOTHING * (fabs(now) + fabs(gap));
  if (!jumps && !(fabs(speed - rate) > AMO_NOTHING * (fabs(speed) + fabs(rate)))) return;
  const bool apart = jumps ? now > 0.0 : l->mode[c] == AMO_MODE_OPEN;
  l->gap_zeros[c] = 0;
  if (apart)
    l->mode[c] = AMO_MODE_OPEN;
  else
    l->hit[l->hits++] = (amo_condition){.what = AMO_IS_GAP, .index = c};
}

/// A support comes to one of its ends: what leaves is open, what arrives closes only if it touches at that very moment.
static void stand_at_end(amo_flow *f, int lane, uint32_t c)
{
  amo_lane *l = &f->lane[lane];
  l->gap_zeros[c] = 0;
  if (!amo_is_within(&f->m->contact[c], f->point->reg, 1))
    l->mode[c] = AMO_MODE_OPEN;
  else if (amo_decide_enters(f, c))
    l->hit[l->hits++] = (amo_condition){.what = AMO_IS_GAP, .index = c};
}

/// A switch may make a surface jump, in place or in speed. Only the jump counts: contacts at rest then move along it,
/// moving ones take the sign of their new slip. Everything else stands as it stood.
static void stand_after_switch(amo_flow *f, int lane, amo_standing *standing)
{
  const amo_model *m = f->m;
  amo_lane *l = &f->lane[lane];
  amo_point *p = f->point;
  double *before = f->jump, *gap = before + m->nc, *rate = gap + m->nc, *within = rate + m->nc;
  p->branch = l->step_branch;
  amo_point_registers(p, l->t, l->y, l->mode);
  for (uint32_t c = 0; c < m->nc; c++) {
    before[c] = p->reg[m->contact[c].r_slip];
    if (!amo_can_open(&m->contact[c])) continue;
    gap[c] = p->reg[m->contact[c].r_gap];
    rate[c] = p->reg[m->contact[c].r_gap_rate];
    within[c] = amo_is_within(&m->contact[c], p->reg, 1);
  }
  p->branch = l->branch;
  amo_point_registers(p, l->t, l->y, l->mode);
  for (uint32_t c = 0; c < m->nc; c++) {
    if (!amo_can_open(&m->contact[c])) continue;
    if (within[c] != amo_is_within(&m->contact[c], p->reg, 1))
      stand_at_end(f, lane, c);
    else if (within[c] > 0.0)
      stand_after_jump(f, lane, c, gap[c], rate[c]);
  }
  for (uint32_t c = 0; c < m->nc; c++) {
    if (l->mode[c] == AMO_MODE_OPEN) continue;
    const amo_contact *k = &m->contact[c];
    const double after = p->reg[k->r_slip], jump = after - before[c];
    if (amo_is_slider(k)) {  // slips on, or goes by its friction, which may have jumped with the loads
      const double load = -l->mode[c] * p->reg[k->r_stick], least = p->reg[k->r_kinetic] * (1.0 - AMO_SAME);
      if (!(l->mode[c] * after > 0.0 && load >= least)) standing[c] = AMO_ARRIVING, l->mode[c] = 0;
      continue;
    }
    if (fabs(jump) <= AMO_NOTHING * (fabs(after) + fabs(before[c]))) continue;
    double slip = standing[c] == AMO_MOVING ? after : jump;
    if (standing[c] == AMO_MOVING && fabs(after) <= AMO_NOTHING * fabs(jump)) {
      standing[c] = AMO_ARRIVING;
      continue;
    }
    standing[c] = AMO_MOVING;
    l->mode[c] = amo_mode_of(&m->contact[c], slip, false);
  }
}

/// Contacts whose normal force is given: the branches, settled and evaluated, say on which side they press, and whether.
/// Has any changed?
static bool take_sides(amo_flow *f, int lane, amo_standing *standing)
{
  amo_lane *l = &f->lane[lane];
  bool changed = false;
  for (uint32_t c = 0; c < f->m->nc; c++) {
    const amo_contact *k = &f->m->contact[c];
    if (k->r_side == AMO_NO_REGISTER) continue;
    const double side = f->point->reg[k->r_side];
    if (side != 0.0 && isnan(l->last_event) && l->t == l->start)  // has begun with zero, and takes its side
      l->step_reaction_sign[c] = (signed char)side;
    changed |= (side == 0.0) != (l->step_mode[c] == AMO_MODE_OPEN) || side * l->step_reaction_sign[c] < 0.0;
    if (side == 0.0) {
      l->mode[c] = AMO_MODE_OPEN;
      standing[c] = AMO_MOVING;
      continue;
    }
    l->reaction_sign[c] = (signed char)side;
    if (l->mode[c] != AMO_MODE_OPEN) continue;
    const bool rest = amo_slip_is_zero(f->point, c, 64.0);
    standing[c] = rest ? AMO_ARRIVING : AMO_MOVING;
    l->mode[c] = amo_mode_of(k, f->point->reg[k->r_slip], rest);
  }
  return changed;
}

static bool take_standing(amo_flow *f, int lane, amo_standing *standing)
{
  const amo_model *m = f->m;
  amo_lane *l = &f->lane[lane];
  bool any_switch = false;
  for (uint32_t c = 0; c < m->nc; c++) {
    standing[c] = l->mode[c] == 0 ? AMO_RESTING : AMO_MOVING;
    if (l->mode[c] == AMO_MODE_OPEN) continue;
    if (l->mode[c] != 0 && l->fresh[c] && l->h == 0.0) standing[c] = AMO_LEAVING;
  }
  for (size_t i = 0; i < l->hits; i++) {
    uint32_t c = l->hit[i].index;
    any_switch |= l->hit[i].what == AMO_IS_SWITCH;
    if (l->hit[i].what == AMO_IS_PRESSING) l->reaction_fresh[c] = true;
    if (!amo_is_friction(&l->hit[i])) continue;
    if (l->mode[c] != 0) {
      standing[c] = AMO_ARRIVING;
    } else {
      standing[c] = l->hit[i].to != 0 ? AMO_LEAVING : AMO_ARRIVING;
      l->mode[c] = l->hit[i].to;
    }
  }
  return any_switch;
}

/// Is there a switch among the hits at which something may happen? Before branches are settled. One that has just been passed
/// and is passed back at once (its argument turns with another branch, as that of sign(abs(x)) does) tells nothing new.
static bool tells_switch(const amo_flow *f, const amo_lane *l)
{
  for (size_t i = 0; i < l->hits; i++) {
    const uint32_t s = l->hit[i].index;
    if (l->hit[i].what != AMO_IS_SWITCH || amo_prog_switch_kind(f->m->step, s) == AMO_SWITCH_SEAM) continue;
    if (l->branch[s] != 0 && (l->t > l->start || !l->switch_fresh[s])) return true;  // 0: it takes its branch
  }
  return false;
}

/// Has the reaction of a contact that goes on in its mode changed its sign? That of a rigid guide at rest has none.
static bool turns_over(const amo_flow *f, const amo_lane *l, uint32_t c)
{
  if (l->mode[c] == 0 && amo_has_gap(&f->m->contact[c])) return false;
  return l->mode[c] == l->step_mode[c] && l->reaction_sign[c] * l->step_reaction_sign[c] < 0;
}

/// Has the gap of contact c closed now? That of one that was closed does where its surface is set in motion against it.
static bool has_closed(const amo_lane *l, uint32_t c)
{
  for (size_t i = 0; i < l->hits; i++)
    if (l->hit[i].what == AMO_IS_GAP && l->hit[i].index == c) return true;
  return false;
}

static void log_events(amo_flow *f, int lane, bool switched)
{
  amo_lane *l = &f->lane[lane];
  bool stopped = l->has_special && (l->special.kind == AMO_EVENT_IMPACT || l->special.kind == AMO_EVENT_JAM);
  long told = stopped ? l->special.contact : -1;  // its change of mode is part of what happened
  if (told >= 0) l->special.to = l->mode[told];
  l->events = 0;
  for (uint32_t c = 0; c < f->m->nc; c++)
    if (l->mode[c] != l->step_mode[c] && (long)c != told)
      l->event[l->events++] = (amo_event){
          AMO_EVENT_MODE, l->t, (int)c, l->step_mode[c], l->mode[c], l->impulse[c], l->accumulated[c], NULL};
    else if ((long)c != told && turns_over(f, l, c))
      l->event[l->events++] = (amo_event){AMO_EVENT_REACTION,  l->t, (int)c, l->step_reaction_sign[c],
                                          l->reaction_sign[c], 0.0,  false,  NULL};
    else if ((long)c != told && l->impulse[c] > 0.0 && (l->mode[c] == AMO_MODE_OPEN || has_closed(l, c)))
      l->event[l->events++] = (amo_event){
          AMO_EVENT_TOUCH, l->t, (int)c, l->mode[c], l->mode[c], l->impulse[c], l->accumulated[c], NULL};
  if (switched) l->event[l->events++] = (amo_event){AMO_EVENT_SWITCH, l->t, -1, 0, 0, 0.0, false, NULL};
  if (l->has_special) l->event[l->events++] = l->special;
  l->has_special = false;
  if (l->events == 0) return;
  l->stats.events += (long)l->events;
  if (!isnan(l->last_event)) l->stats.min_event_gap = fmin(l->stats.min_event_gap, l->t - l->last_event);
  l->last_event = l->t;
}

/// Events without progress: a few are simultaneous ones, many mean that they accumulate.
static amo_status watch_progress(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  bool impact = false;  // impacts may follow each other quickly; they know when to end
  for (uint32_t c = 0; c < f->m->nc; c++) impact |= l->impulse[c] > 0.0;
  if (l->h > AMO_ROUNDED * fmax(fabs(l->t), impact ? 0.0 : l->rhythm)) {
    l->stalled = 0;
    return AMO_OK;
  }
  if (++l->stalled < 20 + 4 * (int)(f->m->nc + f->nsw)) return AMO_OK;
  if (l->hits == 0)
    return amo_flow_fail(l, AMO_ENOANSWER,
                         "the share of a load among sticking contacts does not settle at t = %.12g", l->t);
  const char *what =
      l->hits > 0 && l->hit[0].what != AMO_IS_SWITCH ? f->m->contact[l->hit[0].index].sym.name : NULL;
  if (what == NULL)
    return amo_flow_fail(
        l, AMO_ENOANSWER,
        "a branch (if, sign, abs) switches back and forth without end at t = %.12g; dry friction "
        "written by hand belongs into a contact",
        l->t);
  return amo_flow_fail(l, AMO_ENOANSWER, "events of contact %s accumulate at t = %.12g", what, l->t);
}

static bool finite_state(const amo_flow *f, const amo_lane *l)
{
  double sum = 0.0;  // NaN and infinities survive a sum
  for (uint32_t i = 0; i < f->ns; i++) sum += 0.0 * l->y[i];
  return sum == 0.0;
}

/// Can the system be accelerated, when no contact sticks and friction is left aside? If not, its mass matrix (with the
/// ties of guides and constraints) is at fault, whatever the modes. Only asked when a run has failed.
static bool has_inertia(const amo_flow *f, const amo_lane *l)
{
  signed char *mode = f->guess;
  for (uint32_t c = 0; c < f->m->nc; c++) mode[c] = amo_can_open(&f->m->contact[c]) ? AMO_MODE_OPEN : 1;
  amo_status st = amo_point_evaluate(f->point, l->t, l->y, mode);
  if (st != AMO_OK && !f->m->plain) st = amo_point_arrange(f->point, mode, f->point->bare);
  return st == AMO_OK;
}

static amo_status undecided(amo_flow *f, int lane, amo_status st)
{
  amo_lane *l = &f->lane[lane];
  if (l->status == st) return st;  // the reason is known already
  if (st == AMO_ELIMIT)
    return amo_flow_fail(l, st, "too many contacts change at once at t = %.12g to find their modes", l->t);
  if (st == AMO_ENOMEM) return amo_flow_fail(l, st, "out of memory");
  if (!finite_state(f, l)) return amo_flow_fail(l, st, "the motion overflows at t = %.12g", l->t);
  if (!has_inertia(f, l))
    return amo_flow_fail(l, st, "at t = %.12g the mass matrix is not positive definite", l->t);
  return amo_flow_fail(l, st, "at t = %.12g no combination of modes satisfies the contact conditions", l->t);
}

/// Contacts that are at zero slip now begin from there; what counts as rounding follows from their friction.
static void settle_flags(amo_flow *f, int lane, const amo_standing *standing)
{
  amo_lane *l = &f->lane[lane];
  for (uint32_t c = 0; c < f->m->nc; c++) {
    l->fresh[c] = l->mode[c] != 0 && l->mode[c] != AMO_MODE_OPEN && standing[c] != AMO_MOVING &&
                  !amo_is_slider(&f->m->contact[c]);
    // below the slack of decisions, or a contact could be sent to and fro between stick and slip
    l->release_scale[c] = 0.5 * f->point->slack * amo_point_acceleration_scale(f->point, c);
    if (l->fresh[c] && amo_trial_slips_late(f, c)) l->release_scale[c] = INFINITY;
  }
}

/// Did the friction of a contact that carries a share of an open load end the step?
static bool of_share(const amo_flow *f, const amo_condition *hit)
{
  double reach;
  return (hit->what == AMO_IS_MARGIN || hit->what == AMO_IS_CONE) &&
         amo_balance_carried(f->point->balance, hit->index, &reach);
}

static bool share_ends(const amo_flow *f, int lane)
{
  const amo_lane *l = &f->lane[lane];
  double reach;
  for (size_t i = 0; i < l->hits; i++) {
    const amo_condition *hit = &l->hit[i];
    if (hit->what != AMO_IS_MARGIN && hit->what != AMO_IS_CONE) continue;
    if (amo_flow_carried(f, lane, hit->index, &reach)) return true;
  }
  return false;
}

/// Is contact c, as evaluated, at the limit in the best share there is?
static bool exhausted(const amo_point *p, uint32_t c, const signed char *mode)
{
  double reach;
  if (mode[c] != 0 || !amo_balance_carried(p->balance, c, &reach)) return false;
  if (amo_can_open(&p->m->contact[c]) && !(p->reaction[c] > 0.0)) return true;
  return amo_point_bound(p, c) - fabs(p->lambda[c]) < least_room * reach;
}

/// The share that the series have followed has ended. Hits of contacts to which another one leaves room are forgotten.
static amo_status share_anew(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  const size_t hits = l->hits;
  amo_status st = amo_point_evaluate(f->point, l->t, l->y, l->mode);
  l->hits = 0;
  for (size_t i = 0; st == AMO_OK && i < hits; i++) {
    const amo_condition hit = l->hit[i];
    if (!of_share(f, &hit) || exhausted(f->point, hit.index, l->mode)) l->hit[l->hits++] = hit;
  }
  return st;
}

/// All that are at their limits in the best share leave together, the point evaluated there.
static void leave_together(amo_flow *f, int lane, amo_standing *standing)
{
  amo_lane *l = &f->lane[lane];
  for (uint32_t c = 0; c < f->m->nc; c++) {
    if (!exhausted(f->point, c, l->step_mode) || f->point->lambda[c] == 0.0) continue;
    standing[c] = AMO_LEAVING;
    l->mode[c] = amo_mode_of(&f->m->contact[c], -f->point->lambda[c], false);
  }
}

/// What was under a support with ends has risen to it: from here on it is above, and nothing has happened.
static void rise(amo_lane *l)
{
  const size_t hits = l->hits;
  l->hits = 0;
  for (size_t i = 0; i < hits; i++)
    if (l->hit[i].what == AMO_IS_GAP && l->hit[i].side < 0)
      l->gap_zeros[l->hit[i].index] = 1;
    else
      l->hit[l->hits++] = l->hit[i];
}

/// Does switch s tell that contact k, which faces its surface, comes to an end of it now, as far as the motion is known?
static bool comes_to_end(const amo_flow *f, int lane, const amo_contact *k, uint32_t s)
{
  const amo_lane *l = &f->lane[lane];
  const uint32_t reg = amo_prog_switch_register(f->m->step, s);
  bool room = false;
  for (uint32_t i = 0; i < k->nroom; i++) room |= k->r_room[i] == reg;
  if (!room || l->branch[s] < 0) return false;
  const double *a = amo_flow_series(f, lane, reg);
  const double left = amo_poly_value(a, (size_t)f->W, f->P, l->reached);
  return amo_poly_slope(a, (size_t)f->W, f->P, l->reached) < 0.0 &&
         fabs(left) <= amo_flow_resolution(f) * l->condition_scale[f->m->nc + s];
}

/// Where corner meets corner a support closes at its end. It leaves it as it comes: both happen now, whatever comes first by
/// the rounding of the motion, and what was about to close passes by.
static void pass_ends(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  const size_t hits = l->hits;
  for (size_t i = 0; i < hits; i++) {
    const amo_contact *k = &f->m->contact[l->hit[i].index];
    if (l->hit[i].what != AMO_IS_GAP || !amo_has_ends(k)) continue;
    for (uint32_t s = 0; s < f->nsw; s++) {
      bool told = !comes_to_end(f, lane, k, s);
      for (size_t j = 0; j < l->hits; j++) told |= l->hit[j].what == AMO_IS_SWITCH && l->hit[j].index == s;
      if (!told) l->hit[l->hits++] = (amo_condition){.what = AMO_IS_SWITCH, .index = s};
    }
  }
}

amo_status amo_flow_resolve(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  amo_standing *standing = f->standing;
  l->struck = false;
  amo_flow_place_point(f, lane);
  rise(l);
  pass_ends(f, lane);
  const bool shared = share_ends(f, lane);
  amo_status st = shared ? share_anew(f, lane) : AMO_OK;
  if (st != AMO_OK) return undecided(f, lane, st);
  if (l->hits == 0) {  // nothing has happened
    l->events = 0;
    return watch_progress(f, lane);
  }
  bool told = tells_switch(f, l);
  const bool switched = take_standing(f, lane, standing);
  if (shared) leave_together(f, lane, standing);
  if (switched) {
    settle_branches(f, lane);
    stand_after_switch(f, lane, standing);
    if (take_sides(f, lane, standing)) told = false;  // the contact tells it
  }
  f->point->branch = l->branch;
  st = amo_decide(f, lane, standing, switched);
  if (st != AMO_OK) return undecided(f, lane, st);
  settle_flags(f, lane, standing);
  l->rearrange = true;
  log_events(f, lane, told);
  return watch_progress(f, lane);
}

void amo_flow_tell_start(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  l->pending = false;
  l->start = l->t;
  l->h = 0.0;
  l->hits = 0;
  log_events(f, lane, false);
}

amo_status amo_flow_jam(amo_flow *f, int lane, uint32_t contact)
{
  amo_lane *l = &f->lane[lane];
  for (uint32_t c = 0; c < f->m->nc; c++) f->standing[c] = l->mode[c] == 0 ? AMO_RESTING : AMO_MOVING;
  amo_flow_place_point(f, lane);
  const amo_status st = amo_decide_jam(f, lane, f->standing, contact);
  if (st != AMO_OK) return undecided(f, lane, st);
  settle_flags(f, lane, f->standing);
  l->rearrange = true;
  log_events(f, lane, false);
  return AMO_OK;
}

amo_status amo_flow_watch_guides(amo_flow *f, int lane)
{
  long jammed;
  f->lane[lane].has_special = f->lane[lane].struck = false;
  const amo_status st = amo_seizure_watch(f, lane, &jammed);
  if (st != AMO_OK) return undecided(f, lane, st);
  return jammed < 0 ? AMO_OK : amo_flow_jam(f, lane, (uint32_t)jammed);
}

/// Branches from the actual signs, in the present modes: the sliding speed of a law is known by them.
static void take_branches(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  f->point->branch = NULL;
  amo_point_registers(f->point, l->t, l->y, l->mode);
  for (uint32_t i = 0; i < f->nsw; i++) {
    double d = f->point->reg[amo_prog_switch_register(f->m->step, i)];
    const bool fold = amo_prog_switch_kind(f->m->step, i) == AMO_SWITCH_FOLD;
    l->branch[i] = (signed char)(fold ? 1 : (d > 0.0) - (d < 0.0));
    l->switch_fresh[i] = false;
  }
  f->point->branch = l->branch;
}

/// In the modes on trial, evaluated: does the reaction of contact c press the other way?
static bool presses_back(const amo_flow *f, const amo_lane *l, uint32_t c)
{
  const amo_point *p = f->point;
  const amo_contact *k = &p->m->contact[c];
  if (k->nn == 0 || f->guess[c] == AMO_MODE_OPEN || !(amo_can_open(k) || f->guess[c] != 0)) return false;
  return l->reaction_sign[c] * p->reaction[c] <
         -p->slack * amo_balance_force_size(p->balance, (amo_span){p->reg, 1, 0}, NULL, c);
}

/// Slips of this mechanism begin after all.
static void take_back(const amo_flow *f, const amo_lane *l, uint32_t mechanism)
{
  for (uint32_t c = 0; c < f->m->nc; c++)
    if (f->m->contact[c].nw > 0 && f->m->mechanism[f->m->contact[c].w[0].col] == mechanism)
      f->guess[c] = l->mode[c];
}

/// A contact that begins at the very limit of its stick sticks at that instant, as far as values tell: its slip is the first
/// event. (One-sided and spatial contacts are known by what follows: they may begin without any load. So are sliders without mass: they
/// have a speed at once. Slips that are prescribed are no choice.)
static amo_status stick_at_first(amo_flow *f, int lane)
{
  const amo_model *m = f->m;
  amo_lane *l = &f->lane[lane];
  amo_point *p = f->point;
  bool any = false;
  memcpy(f->guess, l->mode, m->nc);
  for (uint32_t c = 0; c < m->nc; c++) {
    const bool begins = f->standing[c] == AMO_RESTING && (l->mode[c] == 1 || l->mode[c] == -1);
    if (!begins || m->contact[c].spatial || amo_can_open(&m->contact[c]) || amo_is_slider(&m->contact[c]) ||
        m->contact[c].nw == 0)
      continue;
    f->guess[c] = 0;
    any = true;
  }
  if (!any || amo_point_evaluate(p, l->t, l->y, f->guess) != AMO_OK) any = false;
  for (uint32_t c = 0; any && c < m->nc; c++) {
    const double force = fabs(p->lambda[c]);
    const bool begins = l->mode[c] != 0, open = amo_point_indeterminate(p, c);
    if (presses_back(f, l, c)) take_back(f, l, m->mechanism[m->contact[c].n[0].col]);
    if (f->guess[c] != 0 || m->contact[c].spatial || m->contact[c].nw == 0 || (open && !begins)) continue;
    if (open || force > amo_point_bound(p, c) * (1.0 + p->slack) || (begins && !(force > 0.0)))
      take_back(f, l, m->mechanism[m->contact[c].w[0].col]);
  }
  if (any) memcpy(l->mode, f->guess, m->nc);
  return amo_point_evaluate(p, l->t, l->y, l->mode);
}

/// First modes from slip signs, then branches, then the balance.
amo_status amo_flow_start(amo_flow *f, int lane, double t, const double *state)
{
  const amo_model *m = f->m;
  amo_lane *l = &f->lane[lane];
  memcpy(l->y, state, f->ns * sizeof *state);
  for (uint32_t i = 0; i < f->ns; i++) l->scale[i] = fabs(l->y[i]);
  l->t = l->start = t;
  l->h = l->rhythm = l->pace = 0.0;
  l->hits = l->events = 0;
  l->implicit = false;
  l->degree = f->P;
  l->waited = 0;
  l->crawled = 0.0;
  l->patience = 64;
  l->has_special = l->struck = false;
  l->stalled = 0;
  l->last_event = NAN;
  l->status = AMO_OK;
  l->message[0] = '\0';
  l->active = l->rearrange = true;
  l->stats = (amo_stats){.min_event_gap = INFINITY};
  memset(l->condition_scale, 0, (m->nc + f->nsw) * sizeof *l->condition_scale);
  memset(l->reaction_fresh, 0, m->nc * sizeof *l->reaction_fresh);
  memset(l->gap_zeros, 0, m->nc);
  memset(l->stressed, 0, m->nc * sizeof *l->stressed);
  memset(l->gap_scale, 0, m->nc * sizeof *l->gap_scale);
  memset(l->impulse, 0, m->nc * sizeof *l->impulse);
  memset(l->accumulated, 0, m->nc * sizeof *l->accumulated);
  for (uint32_t c = 0; c < m->nc; c++) l->closed_at[c] = NAN;
  for (uint32_t i = 0; i < m->nxi; i++) l->xi[i] = i % 2 == 0 ? 1.0 : 0.0;
  amo_flow_place_point(f, lane);
  memset(l->mode, 0, m->nc);
  take_branches(f, lane);
  for (uint32_t c = 0; c < m->nc; c++) {
    double slip = f->point->reg[m->contact[c].r_slip];
    // a spatial slip that is next to nothing turns faster than series can follow: it starts from rest
    bool zero = amo_slip_is_zero(f->point, c, m->contact[c].spatial ? 65536.0 : 8.0);
    f->standing[c] = zero ? AMO_RESTING : AMO_MOVING;
    l->mode[c] = amo_mode_of(&m->contact[c], slip, zero);
  }
  const long lawless = amo_point_lawless(f->point);
  if (lawless >= 0)
    return amo_flow_fail(
        l, AMO_ENOANSWER,
        "contact %s is at rest at t = %.12g, of which its law, the logarithm of the speed, says "
        "nothing (form: regularised does)",
        m->contact[lawless].sym.name, t);
  amo_decide_open(f, lane);
  take_branches(f, lane);
  const long undefined = amo_undefined_at(m, f->point->reg, 1);
  if (undefined >= 0) {
    char what[AMO_UNDEFINED_TEXT];
    amo_undefined_name(m, undefined, what, sizeof what);
    return amo_flow_fail(l, AMO_ENOANSWER, "%s has no finite value at t = %.12g", what, t);
  }
  amo_status st = amo_decide(f, lane, f->standing, false);
  if (st == AMO_OK) st = stick_at_first(f, lane);
  if (st != AMO_OK) return undecided(f, lane, st);
  settle_flags(f, lane, f->standing);
  memcpy(l->step_mode, l->mode, m->nc);
  memcpy(l->step_reaction_sign, l->reaction_sign, m->nc);
  l->pending = l->has_special;
  if (l->pending) l->step_mode[l->special.contact] = (signed char)l->special.from;
  for (uint32_t i = 0; i < f->ns; i++) l->scale[i] = fabs(l->y[i]);
  return AMO_OK;
}
