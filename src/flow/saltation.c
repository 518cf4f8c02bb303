// SPDX-License-Identifier: Apache-2.0
#include "flow/saltation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// The condition that reached zero, in the present modes.
static void condition_of(const amo_derivative *d, const amo_hit *hit, const signed char *mode,
                         amo_gradient *out)
{
  const amo_gradient *g = hit->is_switch     ? &d->change[hit->index]
                          : hit->is_reaction ? &d->reaction[hit->index]
                                             : &d->slip[hit->index];
  if (!hit->is_switch && !hit->is_reaction && mode[hit->index] == 0 && d->m->contact[hit->index].nw > 0) {
    amo_derivative_margin(d, hit->index, hit->to, out);
    return;
  }
  out->value = g->value;
  memcpy(out->d, g->d, d->n * sizeof *out->d);
}

/// The modes after this hit: its own contact or branch changed, or (the last one) everything as the engine decided.
static void next_modes(amo_variation *g, const amo_lane *l, const amo_hit *hit, bool last)
{
  const uint32_t nc = g->m->nc, nsw = amo_prog_switches(g->m->step);
  memcpy(g->next_mode, last ? l->mode : g->mode, nc);
  memcpy(g->next_press, last ? l->press : g->press, nc);
  memcpy(g->next_branch, last ? l->branch : g->branch, nsw);
  if (last) return;
  if (hit->is_switch)
    g->next_branch[hit->index] = l->branch[hit->index];
  else if (hit->is_reaction)
    g->next_press[hit->index] = l->press[hit->index];
  else
    g->next_mode[hit->index] = l->mode[hit->index];
}

/// Memory that the law of a contact sets anew where its slip comes to zero.
static bool is_reset(const amo_variation *g, uint32_t i, const amo_hit *hit)
{
  const amo_extra *x = &g->m->extra[i];
  return x->reset != AMO_NODE_NONE && !hit->is_switch && !hit->is_reaction &&
         x->contact == (long)hit->index && g->mode[x->contact] != 0;
}

static double along(const amo_gradient *h, const double *rates, uint32_t ns)
{
  double sum = 0.0;
  for (uint32_t i = 0; i < ns; i++) sum += h->d[i] * rates[i];
  return sum;
}

static double size_along(const amo_gradient *h, const double *rates, uint32_t ns)
{
  double sum = 0.0;
  for (uint32_t i = 0; i < ns; i++) sum += fabs(h->d[i] * rates[i]);
  return sum;
}

/// Derivative of the new value of a memory along a column.
static double reset_change(const amo_variation *g, uint32_t i, const double *y, const double *direction)
{
  const amo_gradient *r = &g->at->reset[i];
  double sum = 0.0;
  for (uint32_t k = 0; k < g->ns; k++) sum += r->d[k] * y[k];
  for (uint32_t p = 0; p < g->np; p++) sum += r->d[g->ns + p] * direction[p];
  return sum;
}

static void apply(amo_variation *g, const amo_hit *hit, const amo_gradient *h, double rate)
{
  const uint32_t ns = g->ns, first = 2 * g->m->nq;
  double *shift = g->sum;  // j' f- + j_t - f+: what a delay of the event changes
  for (uint32_t i = 0; i < ns; i++) shift[i] = g->at->f[i] - g->to->f[i];
  for (uint32_t i = 0; i < g->m->nz; i++)
    if (is_reset(g, i, hit)) {
      const amo_gradient *r = &g->at->reset[i];
      shift[first + i] = along(r, g->at->f, ns) + r->d[g->at->n - 1] - g->to->f[first + i];
    }
  for (uint32_t c = 0; c < g->columns; c++) {
    double *y = g->y + (size_t)c * ns;
    const double *direction = g->direction + (size_t)c * g->np;
    double delay = 0.0, *old = g->series;
    for (uint32_t i = 0; i < ns; i++) delay -= h->d[i] * y[i];
    for (uint32_t p = 0; p < g->np; p++) delay -= h->d[ns + p] * direction[p];
    delay /= rate;
    memcpy(old, y, ns * sizeof *y);
    for (uint32_t i = 0; i < g->m->nz; i++)
      if (is_reset(g, i, hit)) y[first + i] = reset_change(g, i, old, direction);
    for (uint32_t i = 0; i < ns; i++) y[i] += shift[i] * delay;
  }
}

/// Where contacts stick the columns have as many directions less, where memories are reset they forget.
static void lower_rank(amo_variation *g, const amo_hit *hit, const amo_place *after)
{
  uint32_t resets = 0;
  for (uint32_t i = 0; i < g->m->nz; i++) resets += is_reset(g, i, hit);
  const uint32_t sticks = amo_derivative_sticks(g->to, after), lost = sticks > resets ? sticks : resets;
  if (g->ns - lost < g->rank) g->rank = g->ns - lost;
}

static amo_status pass(amo_variation *g, const amo_lane *l, const amo_hit *hit, bool last)
{
  const uint32_t ns = g->ns;
  amo_place before = {l->t, g->before, g->mode, g->press, g->branch};
  next_modes(g, l, hit, last);
  memcpy(g->after, last ? l->y : g->before, ns * sizeof *g->after);
  amo_place after = {l->t, g->after, g->next_mode, g->next_press, g->next_branch};
  amo_status st = amo_derivative_conditions(g->at, &before);
  for (uint32_t i = 0; !last && i < g->m->nz; i++)
    if (is_reset(g, i, hit)) g->after[2 * g->m->nq + i] = g->at->reset[i].value;
  if (st == AMO_OK) st = amo_derivative_rates(g->to, &after);
  if (st != AMO_OK) return st;
  g->points += 2;
  amo_gradient h = {0.0, g->gradient};
  condition_of(g->at, hit, g->mode, &h);
  const double time = h.d[g->at->n - 1];
  const double rate = time + along(&h, g->at->f, ns);
  double gap = 0.0, size = 0.0;
  for (uint32_t i = 0; i < ns; i++) {
    gap = fmax(gap, fabs(g->to->f[i] - g->at->f[i]));
    size = fmax(size, fabs(g->at->f[i]));
  }
  if (fabs(rate) <= 1e-10 * (fabs(time) + size_along(&h, g->at->f, ns)) && gap > 1e-10 * size)
    g->grazing = true;
  if (rate != 0.0) apply(g, hit, &h, rate);
  lower_rank(g, hit, &after);
  memcpy(g->before, g->after, ns * sizeof *g->before);
  memcpy(g->mode, g->next_mode, g->m->nc);
  memcpy(g->press, g->next_press, g->m->nc);
  memcpy(g->branch, g->next_branch, amo_prog_switches(g->m->step));
  return AMO_OK;
}

static amo_status refuse(amo_variation *g, const amo_event *e)
{
  snprintf(g->message, sizeof g->message, "contact %s %s at t = %.9g: there is no derivative through that",
           g->m->contact[e->contact].sym.name, e->kind == AMO_EVENT_JAM ? "jams" : "stops in an impact",
           e->t);
  return AMO_EUNSUPPORTED;
}

amo_status amo_variation_jump(amo_variation *g, const amo_flow *f, int lane)
{
  const amo_lane *l = &f->lane[lane];
  for (size_t i = 0; i < l->events; i++)
    if (l->event[i].kind == AMO_EVENT_IMPACT || l->event[i].kind == AMO_EVENT_JAM)
      return refuse(g, &l->event[i]);
  if (l->hits == 0) return AMO_OK;
  memcpy(g->mode, l->step_mode, g->m->nc);
  memcpy(g->press, l->step_press, g->m->nc);
  memcpy(g->branch, l->step_branch, amo_prog_switches(g->m->step));
  amo_flow_dense(f, lane, l->h, g->before);
  g->together |= l->hits > 1;
  amo_status st = AMO_OK;
  for (size_t i = 0; st == AMO_OK && i < l->hits; i++) st = pass(g, l, &l->hit[i], i + 1 == l->hits);
  return st;
}
