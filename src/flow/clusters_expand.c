// SPDX-License-Identifier: Apache-2.0
/// Series of clusters that start anew together, order by order; whoever reads one of them joins at the order from which on it
/// matters to him.
#include <math.h>
#include <string.h>

#include "flow/clusters.h"
#include "expr/lanes.h"

static const amo_cluster_kind *kind_of(const amo_cluster_flow *e, uint32_t cluster)
{
  return &e->cut->kind[e->cut->item[cluster].kind];
}

/// State i of a cluster as a series about its own start.
static const double *series_of(const amo_cluster_flow *e, uint32_t cluster, uint32_t i)
{
  return e->series + e->at[cluster] + i * e->item;
}

// ---- a seat ----

/// Messages name what the cluster has.
static void name(const amo_cluster_flow *e, uint32_t cluster)
{
  amo_model *part = kind_of(e, cluster)->model;
  char *const *next = e->name + e->first_name[cluster];
  for (uint32_t i = 0; i < part->nq; i++) part->sym.q[i].name = *next++;
  for (uint32_t i = 0; i < part->nq; i++) part->sym.u[i].name = *next++;
  for (uint32_t i = 0; i < part->nc; i++) part->contact[i].sym.name = *next++;
}

void amo_cluster_fetch(const amo_cluster_flow *e, uint32_t cluster)
{
  enum { LINE = 64 };  // of a processor's memory
  const char *lane = (const char *)&e->lane[cluster], *series = (const char *)series_of(e, cluster, 0);
  const char *arrays = (const char *)e->lane[cluster].y;
  const size_t size = e->kind[e->cut->item[cluster].kind].item[0].flow->ns * e->item * sizeof(double);
  for (size_t i = 0; i < offsetof(amo_lane, message); i += LINE) __builtin_prefetch(lane + i);
  for (size_t i = 0; i < size; i += LINE) __builtin_prefetch(series + i);
  for (size_t i = 0; i < e->lane_arrays; i += LINE) __builtin_prefetch(arrays + i);
}

/// Whoever reads this cluster is likely to be seated next: his memory, far away in a large model, is asked for in time.
static void announce(const amo_cluster_flow *e, uint32_t cluster)
{
  for (uint32_t n = e->cut->first[cluster]; n < e->cut->first[cluster + 1u]; n++) {
    const uint32_t next = e->cut->reader[n].cluster;
    if (e->number[next] == 0) amo_cluster_fetch(e, next);
  }
}

/// Series of the step that the cluster is in, as they were when it began.
static void put_series(const amo_cluster_flow *e, amo_bench *b)
{
  amo_flow *f = b->flow;
  const double *series = series_of(e, b->cluster, 0);
  if (!f->m->plain && f->lane[0].t < e->t) {  // forces are looked at, too
    f->given = series + (f->ns - f->givens) * e->item;
    f->given_order = e->P;
    amo_flow_expand(f);
  }
  for (uint32_t i = 0; i < f->ns; i++) memcpy(f->state[i], series + i * e->item, e->item * sizeof *series);
}

/// The same motion about `ago` later, of which the powers are there.
static void shift(const amo_cluster_flow *e, double *to, const double *from, double ago)
{
  if (ago > 0.0)
    amo_lanes_shift(to, from, e->shift, e->power, e->P);
  else
    memcpy(to, from, e->item * sizeof *to);
}

/// What has been known until now, about now.
static void look_ahead(const amo_cluster_flow *e, amo_bench *b)
{
  const amo_cluster *a = &e->cut->item[b->cluster];
  const amo_flow *f = b->flow;
  const double since = e->t - f->lane[0].t;
  const uint32_t own = f->ns - f->givens;
  double of_power = since;
  amo_lanes_powers(e->power, &since, e->P, 1);
  for (uint32_t i = 0; i < own; i++)
    if (e->is_read[e->at[b->cluster] / e->item + i])
      shift(e, b->old + i * e->item, series_of(e, b->cluster, i), since);
  for (uint32_t g = 0; g < f->givens; g++) {
    const uint32_t source = e->cut->of_state[a->given[g]], i = e->cut->place[a->given[g]];
    double *to = b->given + g * e->item;
    const double ago = e->t - e->began[source];
    if (e->number[source] > 0 && ago == 0.0) {  // it is seated: what it did until now
      memcpy(to, e->member[e->number[source] - 1u]->old + i * e->item, e->item * sizeof *to);
      continue;
    }
    if (ago != of_power) amo_lanes_powers(e->power, &ago, e->P, 1);
    of_power = ago;
    shift(e, to, series_of(e, source, i), ago);
  }
}

amo_bench *amo_cluster_seat(amo_cluster_flow *e, uint32_t cluster)
{
  amo_bench_kind *k = &e->kind[e->cut->item[cluster].kind];
  if (k->used == k->count) return NULL;
  amo_bench *b = &k->item[k->used++];
  amo_flow *f = b->flow;
  b->cluster = cluster;
  b->known = -1;
  f->lane = &e->lane[cluster];
  name(e, cluster);
  amo_flow_parameters(f, 0, e->param[cluster]);
  put_series(e, b);
  look_ahead(e, b);
  f->given = b->given;
  f->given_order = e->P;
  e->member[e->members++] = b;
  e->number[cluster] = e->members;
  announce(e, cluster);
  return b;
}

void amo_cluster_leave(amo_cluster_flow *e)
{
  for (uint32_t i = 0; i < e->members; i++) {
    const uint32_t c = e->member[i]->cluster;
    e->number[c] = 0;
    e->kind[e->cut->item[c].kind].used = 0;
  }
  e->members = 0;
}

// ---- together ----

/// Coefficient k of what the cluster reads: of those who are seated as they go on from now.
static void take_given(const amo_cluster_flow *e, amo_bench *b, int k)
{
  const amo_cluster *a = &e->cut->item[b->cluster];
  const amo_flow *f = b->flow;
  const uint32_t own = f->ns - f->givens;
  for (uint32_t g = 0; g < f->givens; g++) {
    const uint32_t source = e->cut->of_state[a->given[g]], i = e->cut->place[a->given[g]];
    double *x = b->given + g * e->item + k;
    if (e->number[source] > 0) {
      const amo_bench *from = e->member[e->number[source] - 1u];
      if (k == 0)
        *x = from->flow->lane[0].y[i];
      else if (from->known >= k)
        *x = from->flow->state[i][k];
    }
    f->state[own + g][k] = *x;
    if (k == 0) f->lane[0].y[own + g] = *x;
  }
}

/// Does the difference at order k matter to a reader over what is left of its step?
static bool matters(const amo_cluster_flow *e, const amo_bench *b, const amo_cluster_reader *r, int k)
{
  const amo_lane *l = b->flow->lane;
  const double left = e->due[r->cluster] - e->t;
  double difference = fabs(b->flow->state[r->state][k] - b->old[r->state * e->item + (size_t)k]);
  for (int i = 0; i < k; i++) difference *= left;
  return difference * l->weight[r->state] > 0.1 * e->tol || (difference > 0.0 && l->weight[r->state] == 0.0);
}

/// Who reads the cluster, and is not seated, is if the new coefficient makes a difference to it.
static amo_status tell_readers(amo_cluster_flow *e, const amo_bench *b, int k)
{
  const amo_clusters *cut = e->cut;
  for (uint32_t n = cut->first[b->cluster]; n < cut->first[b->cluster + 1u]; n++) {
    const amo_cluster_reader *r = &cut->reader[n];
    if (e->number[r->cluster] > 0 || !(e->due[r->cluster] > e->t) || !matters(e, b, r, k)) continue;
    amo_bench *joins = amo_cluster_seat(e, r->cluster);
    if (joins != NULL) {
      const amo_status st = amo_cluster_land(e, joins, false);
      if (st != AMO_OK) return st;
      continue;
    }
    e->cut_short[r->cluster] = true;  // in the next round of this instant
    amo_cluster_due(e, r->cluster, e->t);
  }
  return AMO_OK;
}

/// Coefficient k+1 from k.
static amo_status go_on(amo_cluster_flow *e, amo_bench *b, int k)
{
  amo_flow *f = b->flow;
  amo_status st = AMO_OK;
  if (k == 0) {
    take_given(e, b, 0);
    amo_flow_open_series(f);
    b->known = 0;
    st = tell_readers(e, b, 0);
  }
  if (k > 0) take_given(e, b, k);
  amo_flow_expand_order(f, k);
  amo_flow_next_coefficients(f, k);
  b->known = k + 1;
  if (st == AMO_OK) st = f->lane[0].status;
  return st == AMO_OK ? tell_readers(e, b, k + 1) : st;
}

static void keep(amo_cluster_flow *e, const amo_bench *b)
{
  const amo_flow *f = b->flow;
  double *series = e->series + e->at[b->cluster];
  for (uint32_t i = 0; i < f->ns; i++) memcpy(series + i * e->item, f->state[i], e->item * sizeof *series);
}

/// How far the cluster goes by itself.
static amo_status plan(amo_cluster_flow *e, amo_bench *b)
{
  amo_flow *f = b->flow;
  take_given(e, b, e->P);
  amo_flow_close_series(f);
  keep(e, b);
  amo_flow_plan(f, INFINITY);
  e->cut_short[b->cluster] = false;
  amo_cluster_due(e, b->cluster, amo_flow_planned_end(f, INFINITY));
  return f->lane[0].status;
}

amo_status amo_cluster_expand(amo_cluster_flow *e)
{
  amo_status st = AMO_OK;
  for (int k = 0; k < e->P; k++)
    for (uint32_t i = 0; st == AMO_OK && i < e->members; i++) {
      amo_bench *b = e->member[i];
      for (int j = b->known < 0 ? 0 : b->known; st == AMO_OK && j <= k; j++) st = go_on(e, b, j);
    }
  for (uint32_t i = 0; st == AMO_OK && i < e->members; i++) st = plan(e, e->member[i]);
  return st;
}
