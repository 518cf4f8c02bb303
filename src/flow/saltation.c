// SPDX-License-Identifier: Apache-2.0
/// Columns through the events at the end of a step.
#include "flow/variation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "flow/leading.h"
#include "num/finite.h"

/// The condition that reached zero.
static void condition_of(const amo_derivative *d, const amo_condition *hit, amo_gradient *out)
{
  const amo_gradient *g = hit->what == AMO_IS_SWITCH     ? &d->change[hit->index]
                          : hit->what == AMO_IS_GAP      ? &d->gap[hit->index]
                          : hit->what == AMO_IS_REACTION ? &d->reaction[hit->index]
                                                         : &d->slip[hit->index];
  if (amo_is_room(hit)) {
    amo_derivative_margin(d, hit->index, hit->to, out);
    return;
  }
  out->value = g->value;
  memcpy(out->d, g->d, d->n * sizeof *out->d);
}

/// The modes after this hit: its own contact or branch changed, or (the last one) everything as the engine decided.
static void next_modes(amo_variation *g, const amo_lane *l, const amo_condition *hit, bool last)
{
  const uint32_t nc = g->m->nc, nsw = amo_prog_switches(g->m->step);
  memcpy(g->next_mode, last ? l->mode : g->mode, nc);
  memcpy(g->next_reaction_sign, last ? l->reaction_sign : g->reaction_sign, nc);
  memcpy(g->next_branch, last ? l->branch : g->branch, nsw);
  if (last) return;
  if (hit->what == AMO_IS_SWITCH) {
    g->next_branch[hit->index] = l->branch[hit->index];
  } else {
    g->next_mode[hit->index] = l->mode[hit->index];
    g->next_reaction_sign[hit->index] = l->reaction_sign[hit->index];
  }
}

/// Memory that the law of a contact sets anew where its slip comes to zero.
static bool is_reset(const amo_variation *g, uint32_t i, const amo_condition *hit)
{
  const amo_extra *x = &g->m->extra[i];
  return x->reset != AMO_NODE_NONE && x->contact == (long)hit->index && g->mode[x->contact] != 0 &&
         (amo_is_friction(hit) || (hit->what == AMO_IS_GAP && g->next_mode[x->contact] == 0));
}

/// h along a change of the states, of the parameters (NULL: none) and of time.
static double along(const amo_variation *g, const amo_gradient *h, const double *y, const double *direction,
                    double time)
{
  double sum = h->d[g->at->n - 1] * time;
  for (uint32_t i = 0; i < g->ns; i++) sum += h->d[i] * y[i];
  for (uint32_t p = 0; direction && p < g->np; p++) sum += h->d[g->ns + p] * direction[p];
  return sum;
}

/// The jump of the state itself along such a change: memories are reset, velocities are struck.
static void jump_along(const amo_variation *g, const amo_condition *hit, bool strikes, const double *y,
                       const double *direction, double time, double *out)
{
  const uint32_t ns = g->ns, nq = g->m->nq;
  const amo_derivative *d = g->at;
  memcpy(out, y, ns * sizeof *out);
  for (uint32_t i = 0; i < g->m->nz; i++)
    if (is_reset(g, i, hit)) out[2 * nq + i] = along(g, &d->reset[i], y, direction, time);
  for (uint32_t j = 0; strikes && j < d->n; j++) {
    const double x = j < ns ? y[j] : j == d->n - 1 ? time : direction ? direction[j - ns] : 0.0;
    for (uint32_t i = 0; x != 0.0 && i < nq; i++) out[nq + i] += d->dkick[(size_t)j * nq + i] * x;
  }
}

/// Every column jumps with the state, and by what a delay of the event changes (rate 0: there is none, the condition is not crossed).
static void apply(amo_variation *g, const amo_condition *hit, bool strikes, const amo_gradient *h,
                  double rate)
{
  const uint32_t ns = g->ns;
  double *shift = g->sum, *old = g->old;
  jump_along(g, hit, strikes, g->at->f, NULL, 1.0, shift);
  for (uint32_t i = 0; i < ns; i++) shift[i] -= g->to->f[i];
  for (uint32_t c = 0; c < g->columns; c++) {
    double *y = g->y + (size_t)c * ns;
    const double *direction = g->direction + (size_t)c * g->np;
    const double delay = rate != 0.0 ? -along(g, h, y, direction, 0.0) / rate : 0.0;
    memcpy(old, y, ns * sizeof *y);
    jump_along(g, hit, strikes, old, direction, 0.0, y);
    for (uint32_t i = 0; i < ns; i++) y[i] += shift[i] * delay;
  }
}

/// Directions lost in an impact even where nothing stays closed: slips that stop, gaps that close without rebound.
static uint32_t lost_in(const amo_variation *g, const amo_impact_modes *strike)
{
  uint32_t n = 0;
  for (uint32_t c = 0; c < g->m->nc; c++) {
    const amo_contact *k = &g->m->contact[c];
    if (!amo_has_gap(k) || strike->mode[c] == AMO_MODE_OPEN || amo_balance_spare(g->at->x->balance, c))
      continue;
    n += strike->mode[c] == 0 && k->nw > 0 && !amo_balance_indeterminate(g->at->x->balance, c) ? 1 : 0;
    n += amo_can_open(k) && !strike->bounces[c] ? 2 : 0;
  }
  return n;
}

/// A spatial contact that slides in the impact; -1: none.
static long sliding(const amo_variation *g)
{
  for (uint32_t c = 0; c < g->m->nc; c++)
    if (amo_turns(&g->m->contact[c]) && amo_has_gap(&g->m->contact[c]) && g->struck[c] == 1) return (long)c;
  return -1;
}

/// What happens to velocities: the impact of the lane; or the last of a spatial slip, which is lost as it stops,
/// across its direction, too. False: nothing.
static bool choose_strike(amo_variation *g, const amo_lane *l, const amo_condition *hit, bool impact,
                          amo_impact_modes *out)
{
  const uint32_t c = hit->index;
  for (uint32_t i = 0; i < g->m->nc; i++)
    g->bounces[i] = impact && l->impulse[i] > 0.0 && g->mode[i] == AMO_MODE_OPEN && !l->accumulated[i];
  for (uint32_t i = 0; i < g->m->nc; i++)  // what was left of a slip after the impact was rounding
    g->struck[i] = l->mode[i] == 0 && amo_has_gap(&g->m->contact[i]) && l->impact_mode[i] != AMO_MODE_OPEN
                       ? 0
                       : l->impact_mode[i];
  *out = impact ? (amo_impact_modes){g->struck, l->impact_reaction_sign, g->bounces, sliding(g), l->impact_xi}
                : (amo_impact_modes){g->next_mode, g->bare, g->bounces, -1, NULL};
  return impact || (hit->what == AMO_IS_SLIP && amo_turns(&g->m->contact[c]) && g->mode[c] != 0 &&
                    g->next_mode[c] == 0);
}

/// Where contacts stick or close the columns have as many directions less, where memories are reset they forget.
static void lower_rank(amo_variation *g, uint32_t struck, const amo_condition *hit, const amo_place *after)
{
  uint32_t resets = 0;
  for (uint32_t i = 0; i < g->m->nz; i++) resets += is_reset(g, i, hit);
  uint32_t lost = amo_derivative_lost(g->to, after);
  if (resets > lost) lost = resets;
  if (struck > lost) lost = struck;
  if (lost > g->ns) lost = g->ns;
  if (g->ns - lost < g->rank) g->rank = g->ns - lost;
}

/// The state after the event, and what its velocities do in it.
static amo_status take_after(amo_variation *g, const amo_lane *l, const amo_condition *hit,
                             const amo_impact_modes *strike, bool last)
{
  const uint32_t nq = g->m->nq;
  const amo_place before = {.t = l->t,
                            .y = g->before,
                            .mode = g->mode,
                            .reaction_sign = g->reaction_sign,
                            .branch = g->branch,
                            .own_side = true};
  amo_status st = amo_derivative_conditions(g->at, &before);
  if (st != AMO_OK) return st;
  if (strike) st = amo_derivative_impact(g->at, &before, strike);
  memcpy(g->after, last ? l->y : g->before, g->ns * sizeof *g->after);
  for (uint32_t i = 0; !last && strike && i < nq; i++) g->after[nq + i] += g->at->kick[i];
  for (uint32_t i = 0; !last && i < g->m->nz; i++)
    if (is_reset(g, i, hit)) g->after[2 * nq + i] = g->at->reset[i].value;
  return st;
}

/// Does the motion change where the condition reaches zero?
static bool matters(const amo_variation *g, bool strikes)
{
  double gap = 0.0, size = 0.0;
  for (uint32_t i = 0; i < g->ns; i++) {
    gap = fmax(gap, fabs(g->to->f[i] - g->at->f[i]));
    size = fmax(size, fabs(g->at->f[i]));
  }
  return strikes || gap > AMO_FAINT * size;
}

/// How fast the condition crosses zero; 0 where that is rounding: it is only touched.
static double crossing(const amo_variation *g, const amo_gradient *h)
{
  const double rate = along(g, h, g->at->f, NULL, 1.0);
  double size = fabs(h->d[g->at->n - 1]);
  for (uint32_t i = 0; i < g->ns; i++) size += fabs(h->d[i] * g->at->f[i]);
  return fabs(rate) <= AMO_FAINT * size ? 0.0 : rate;
}

/// Rates after the event. A branch may begin a rounding short of where it is defined (|z|^1.5 as z has just passed zero): the state
/// moves on by the rounding of time until it is, as that of the lane will (flow/leading.h).
static amo_status rates_after(amo_variation *g, const amo_lane *l, amo_place *after)
{
  double dt = amo_first_rounding(l);
  amo_status st = amo_derivative_rates(g->to, after);
  for (int k = 0; st == AMO_OK && !amo_all_finite(g->to->f, g->ns) && k < AMO_ROUNDINGS; k++, dt *= 2.0) {
    for (uint32_t i = 0; i < g->ns; i++) g->after[i] += dt * g->at->f[i];
    after->t += dt;
    st = amo_derivative_rates(g->to, after);
  }
  return st;
}

static amo_status pass(amo_variation *g, const amo_lane *l, const amo_condition *hit, bool impact, bool last)
{
  amo_impact_modes strike;
  next_modes(g, l, hit, last);
  const bool strikes = choose_strike(g, l, hit, impact, &strike);
  amo_status st = take_after(g, l, hit, strikes ? &strike : NULL, last);
  amo_place after = {
      l->t,  g->after, g->next_mode, g->next_reaction_sign, g->next_branch, last ? l->fresh : NULL,
      l->xi, true};
  if (st == AMO_OK) st = rates_after(g, l, &after);
  if (st != AMO_OK) return st;
  g->points += 2;
  amo_gradient h = {0.0, g->gradient};
  condition_of(g->at, hit, &h);
  const bool done =
      l->struck && hit->what == AMO_IS_GAP && !impact;  // the impact that came first was that of all gaps
  const double rate = done ? 0.0 : crossing(g, &h);
  g->grazing |= rate == 0.0 && matters(g, strikes);
  apply(g, hit, strikes, &h, rate);
  lower_rank(g, strikes ? lost_in(g, &strike) : 0, hit, &after);
  memcpy(g->before, g->after, g->ns * sizeof *g->before);
  memcpy(g->mode, g->next_mode, g->m->nc);
  memcpy(g->reaction_sign, g->next_reaction_sign, g->m->nc);
  memcpy(g->branch, g->next_branch, amo_prog_switches(g->m->step));
  return AMO_OK;
}

static amo_status refuse(amo_variation *g, const amo_event *e, const char *what)
{
  snprintf(g->message, sizeof g->message, "contact %s %s at t = %.9g: there is no derivative through that",
           g->m->contact[e->contact].sym.name, what, e->t);
  return AMO_EUNSUPPORTED;
}

/// Events without a derivative: a jam, where forces have grown without bound, and what happens at the start.
static amo_status look_at_events(amo_variation *g, const amo_lane *l)
{
  uint32_t turning = 0;
  for (uint32_t c = 0; l->struck && c < g->m->nc; c++)
    turning += amo_turns(&g->m->contact[c]) && amo_has_gap(&g->m->contact[c]) && l->impact_mode[c] == 1;
  for (uint32_t c = 0; l->struck && c < g->m->nc; c++)
    if (g->m->contact[c].rest == AMO_YIELDS && l->impulse[c] != 0.0) {
      const amo_event e = {.t = l->t, .contact = (int)c};
      return refuse(g, &e, "gives way and is struck");
    }
  for (size_t i = 0; i < l->events; i++) {
    const amo_event *e = &l->event[i];
    if (e->contact < 0) continue;
    if (e->kind == AMO_EVENT_JAM) return refuse(g, e, "jams");
    if (e->kind == AMO_EVENT_IMPACT && l->hits == 0) return refuse(g, e, "stops in an impact");
    if (turning > 1) return refuse(g, e, "and others slide in an impact, in directions that turn together");
  }
  return AMO_OK;
}

/// Hits at which something happens: on both sides of a seam stands the same function, and columns pass as they are.
static size_t borders(const amo_variation *g, const amo_lane *l)
{
  size_t n = 0;
  for (size_t i = 0; i < l->hits; i++)
    n += l->hit[i].what != AMO_IS_SWITCH ||
         amo_prog_switch_kind(g->m->step, l->hit[i].index) != AMO_SWITCH_SEAM;
  return n;
}

amo_status amo_variation_jump(amo_variation *g, const amo_flow *f, int lane)
{
  const amo_lane *l = &f->lane[lane];
  amo_status st = look_at_events(g, l);
  if (st != AMO_OK || borders(g, l) == 0) return st;
  g->one_sided |= l->h == 0.0 && g->points == 0;  // the start itself lies on a border
  memcpy(g->mode, l->step_mode, g->m->nc);
  memcpy(g->reaction_sign, l->step_reaction_sign, g->m->nc);
  memcpy(g->branch, l->step_branch, amo_prog_switches(g->m->step));
  amo_flow_dense(f, lane, l->h, g->before);
  g->together |= borders(g, l) > 1;
  size_t strikes = 0;  // the hit that does: a gap that closes, or else the last
  while (strikes + 1 < l->hits && l->hit[strikes].what != AMO_IS_GAP) strikes++;
  for (size_t i = 0; st == AMO_OK && i < l->hits; i++)
    st = pass(g, l, &l->hit[i], l->struck && i == strikes, i + 1 == l->hits);
  if (st != AMO_OK || amo_all_finite(g->y, (size_t)g->columns * g->ns)) return st;
  snprintf(g->message, sizeof g->message, "the motion has no finite derivative through its event at t = %.9g",
           l->t);
  return AMO_ENOANSWER;
}

/// Does a contact stick with something to spare? At its limit it may slip at once.
static bool is_held(const amo_variation *g, uint32_t c)
{
  amo_gradient margin = {0.0, g->gradient};
  double least = INFINITY, most = 0.0;
  for (int to = -1; to <= 1; to += 2) {
    amo_derivative_margin(g->at, c, to, &margin);
    least = fmin(least, margin.value);
    most = fmax(most, fabs(margin.value));
  }
  return least > AMO_SAME * most;
}

amo_status amo_variation_hold(amo_variation *g, const amo_flow *f, int lane)
{
  static const amo_condition nothing = {.what = AMO_IS_SWITCH};  // no memory is reset
  const amo_lane *l = &f->lane[lane];
  const amo_place at = {l->t, l->y, l->mode, l->reaction_sign, l->branch, l->fresh, l->xi, true};
  uint32_t sticking = 0, held = 0;
  bool asked = false;
  for (uint32_t c = 0; c < g->m->nc; c++)
    asked |= l->fresh[c] || (l->mode[c] == 0 && g->m->contact[c].nw > 0);
  amo_status st = asked ? amo_derivative_conditions(g->at, &at) : AMO_OK;
  for (uint32_t c = 0; asked && st == AMO_OK && c < g->m->nc; c++) {
    const bool sticks = l->mode[c] == 0 && g->m->contact[c].nw > 0,
               starts = l->fresh[c] && amo_may_stick(&g->m->contact[c]);
    g->bounces[c] = false;
    g->struck[c] = sticks && !is_held(g, c) ? 1 : l->mode[c];
    sticking += sticks;
    held += sticks && g->struck[c] == 0;
    g->one_sided |= starts && g->at->bound[c].value > 0.0;  // the other way it would have to turn first
  }
  g->one_sided |= held < sticking;  // at the limit: a change to one side slips, to the other sticks
  if (st != AMO_OK || held == 0) return st;
  st = amo_derivative_impact(g->at, &at, &(amo_impact_modes){g->struck, g->bare, g->bounces, -1, NULL});
  if (st == AMO_OK) st = amo_derivative_rates(g->to, &at);
  if (st != AMO_OK) return st;
  for (uint32_t c = 0; c < g->columns; c++) {
    double *y = g->y + (size_t)c * g->ns, *old = g->old;
    memcpy(old, y, g->ns * sizeof *y);
    jump_along(g, &nothing, true, old, g->direction + (size_t)c * g->np, 0.0, y);
  }
  const uint32_t left = g->ns - amo_derivative_lost(g->to, &at);
  if (held == sticking && left < g->rank) g->rank = left;
  return AMO_OK;
}
