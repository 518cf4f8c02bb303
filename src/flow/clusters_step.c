// SPDX-License-Identifier: Apache-2.0
/// From one instant at which something happens to the next.
#include <math.h>
#include <string.h>

#include "flow/clusters.h"
#include "flow/implicit.h"

// ---- pieces ----

void amo_cluster_forget_pieces(amo_cluster_flow *e)
{
  for (uint32_t i = 0; i < e->pieces; i++) e->last_piece[e->piece[i].cluster] = UINT32_MAX;
  e->pieces = 0;
  e->piece_used = 0;
}

static void keep_piece(amo_cluster_flow *e, const amo_bench *b)
{
  const amo_lane *l = b->flow->lane;
  const size_t size = (b->flow->ns - b->flow->givens) * e->item;
  e->piece[e->pieces] =
      (amo_cluster_piece){b->cluster, e->last_piece[b->cluster], l->start, l->t, e->piece_used};
  memcpy(e->piece_series + e->piece_used, e->series + e->at[b->cluster], size * sizeof(double));
  e->piece_used += size;
  e->last_piece[b->cluster] = e->pieces++;
}

static void place_state(const amo_cluster_flow *e, uint32_t c, const double *series, double since, double *y)
{
  const uint32_t own = e->cut->kind[e->cut->item[c].kind].states;
  const int degree = since == 0.0 ? 0 : e->P;
  for (uint32_t i = 0; i < own; i++)
    y[amo_cluster_state(e->cut, c, i)] = amo_poly_value(series + i * e->item, 1, degree, since);
}

void amo_cluster_flow_state(const amo_cluster_flow *e, double t, bool after_events, double *y)
{
  for (uint32_t c = 0; c < e->count; c++) {
    uint32_t p = e->last_piece[c];
    const bool now = e->began[c] < t || (after_events && e->began[c] == t) || p == UINT32_MAX;
    while (!now && e->piece[p].start > t && e->piece[p].before != UINT32_MAX) p = e->piece[p].before;
    if (now)
      place_state(e, c, e->series + e->at[c], t - e->began[c], y);
    else
      place_state(e, c, e->piece_series + e->piece[p].at, t - e->piece[p].start, y);
  }
}

// ---- landing ----

static void count_stats(amo_cluster_flow *e, const amo_stats *before, const amo_lane *l)
{
  e->stats.steps += l->stats.steps - before->steps;
  e->stats.rejected += l->stats.rejected - before->rejected;
  e->stats.rhs += l->stats.rhs - before->rhs;
  e->stats.events += l->stats.events - before->events;
}

static void take_events(amo_cluster_flow *e, const amo_bench *b)
{
  const amo_lane *l = b->flow->lane;
  const amo_cluster *a = &e->cut->item[b->cluster];
  const size_t most = amo_cluster_most_events(e->m);
  for (size_t i = 0; i < l->events && e->events < most; i++) {
    amo_event x = l->event[i];
    if (x.contact >= 0) x.contact = (int)a->contact[x.contact];
    e->event[e->events++] = x;
  }
  for (uint32_t c = 0; c < b->flow->m->nc; c++)
    if (l->mode[c] != l->step_mode[c] && e->changes < 2u * e->m->nc) e->changed[e->changes++] = a->contact[c];
}

static amo_status fail(amo_cluster_flow *e, const amo_lane *l, amo_status st)
{
  memcpy(e->message, l->message, sizeof e->message);
  return st;
}

/// Steps of a cluster that crawl, one after the other, are better taken implicitly, which the whole can do.
static void watch_crawling(amo_cluster_flow *e, const amo_bench *b)
{
  amo_lane *l = b->flow->lane;
  l->waited = amo_implicit_misses(b->flow) ? l->waited + 1 : 0;
  e->crawls |= l->waited > l->patience;
}

amo_status amo_cluster_land(amo_cluster_flow *e, amo_bench *b, bool as_planned)
{
  amo_lane *l = b->flow->lane;
  if (!(l->t < e->t) && !(as_planned && l->hits > 0)) return AMO_OK;
  const amo_stats before = l->stats;
  amo_flow_land(b->flow, e->t, as_planned);
  e->began[b->cluster] = l->t;
  count_stats(e, &before, l);
  if (l->status != AMO_OK) return fail(e, l, l->status);
  if (l->start < l->t) keep_piece(e, b);
  if (as_planned && e->may_crawl) watch_crawling(e, b);
  take_events(e, b);
  return e->ledger != NULL ? amo_cluster_audit_stretch(e, b) : AMO_OK;
}

// ---- an instant ----

/// Times this close to that of cluster c are one, as they are within a step of the whole.
static double window_of(const amo_cluster_flow *e, uint32_t c)
{
  return AMO_CANCELLED * e->lane[c].reached + AMO_LAST_DIGITS * fabs(e->t);
}

/// Has what a cluster reads changed since it planned its event, by more than decisions take for rounding? It then looks again from here:
/// a contact that left its limit by the old numbers could find itself within it by the new ones.
static bool is_stale(const amo_cluster_flow *e, const amo_bench *b)
{
  const amo_flow *f = b->flow;
  const amo_lane *l = f->lane;
  const uint32_t own = f->ns - f->givens;
  for (uint32_t g = 0; l->t < e->t && l->hits > 0 && g < f->givens; g++) {
    const double before = amo_poly_value(f->state[own + g], 1, f->P, e->t - l->t);
    if (fabs(b->given[g * e->item] - before) * l->weight[own + g] > AMO_NOTHING) return true;
  }
  return false;
}

/// Those that are due until `last` take half of the seats at most: the others are for whom it concerns.
static amo_status seat_due(amo_cluster_flow *e, double last)
{
  amo_status st = AMO_OK;
  while (st == AMO_OK && e->due[amo_cluster_next(e)] <= last) {
    const uint32_t c = amo_cluster_next(e);
    const amo_bench_kind *k = &e->kind[e->cut->item[c].kind];
    amo_bench *b = 2u * k->used <= k->count ? amo_cluster_seat(e, c) : NULL;
    if (b == NULL) break;
    amo_cluster_due(e, c, INFINITY);
    st = amo_cluster_land(e, b, !e->cut_short[c] && !is_stale(e, b));
  }
  return st;
}

static amo_status round_of(amo_cluster_flow *e, double last)
{
  amo_status st = seat_due(e, last);
  if (st == AMO_OK) st = amo_cluster_expand(e);
  for (uint32_t i = 0; st != AMO_OK && i < e->members && e->message[0] == '\0'; i++)
    if (e->member[i]->flow->lane[0].status != AMO_OK) (void)fail(e, e->member[i]->flow->lane, st);
  amo_cluster_leave(e);
  return st;
}

amo_status amo_cluster_flow_advance(amo_cluster_flow *e)
{
  const uint32_t first = amo_cluster_next(e);
  e->t = e->due[first];
  amo_status st = round_of(e, e->t + window_of(e, first));
  while (st == AMO_OK && e->due[amo_cluster_next(e)] <= e->t) st = round_of(e, e->t);
  amo_cluster_fetch(e, amo_cluster_next(e));
  return st;
}

// ---- the start ----

/// What is known before anything is expanded: places and velocities.
static void first_series(amo_cluster_flow *e, uint32_t c, const double *state)
{
  const amo_cluster *a = &e->cut->item[c];
  const amo_flow *f = e->kind[a->kind].item[0].flow;
  const uint32_t nq = e->m->nq, own = f->ns - f->givens;
  double *series = e->series + e->at[c];
  memset(series, 0, f->ns * e->item * sizeof *series);
  for (uint32_t i = 0; i < f->ns; i++, series += e->item) {
    const uint32_t s = i < own ? amo_cluster_state(e->cut, c, i) : a->given[i - own];
    series[0] = state[s];
    if (s < nq) series[1] = state[nq + s];
  }
}

static amo_status start_cluster(amo_cluster_flow *e, uint32_t c)
{
  amo_lane *l = &e->lane[c];
  amo_bench *b = amo_cluster_seat(e, c);
  const amo_flow *f = b->flow;
  for (uint32_t i = 0; i < f->ns; i++) f->within[i] = f->state[i][0];
  amo_status st = amo_flow_start(b->flow, 0, e->t, f->within);
  for (uint32_t i = 0; i < f->ns; i++) e->series[e->at[c] + i * e->item] = l->y[i];
  amo_cluster_leave(e);
  return st == AMO_OK ? st : fail(e, l, st);
}

amo_status amo_cluster_flow_start(amo_cluster_flow *e, double t, const double *state)
{
  amo_status st = AMO_OK;
  e->t = t;
  e->message[0] = '\0';
  e->events = e->changes = 0;
  e->crawls = false;
  e->stats = (amo_stats){.min_event_gap = INFINITY};
  e->pieces = 0;
  e->piece_used = 0;
  for (uint32_t c = 0; c < e->count; c++) {
    first_series(e, c, state);
    e->lane[c].t = e->began[c] = e->due[c] = t;
    e->lane[c].hits = 0;
    e->cut_short[c] = false;
    e->last_piece[c] = UINT32_MAX;
    e->heap[c] = (amo_cluster_end){t, c};
    e->place[c] = c;
  }
  for (uint32_t c = 0; st == AMO_OK && c < e->count; c++) st = start_cluster(e, c);
  if (st == AMO_OK && e->ledger != NULL) st = amo_cluster_audit_start(e);
  return st == AMO_OK ? amo_cluster_flow_advance(e) : st;
}
