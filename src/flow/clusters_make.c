// SPDX-License-Identifier: Apache-2.0
/// Memory of the engine of clusters.
#include <stdlib.h>
#include <string.h>

#include "flow/clusters.h"
#include "expr/lanes.h"
#include "flow/implicit.h"
#include "flow/vanish.h"

/// Benches of one kind: more than an event needs, few enough to stay near the processor. Who finds none waits for the next round.
enum { MOST_BENCHES = 64 };

/// Steps of parts are by series; audits are told when.
static amo_sim_opts options_of(const amo_model *part, const amo_sim_opts *opt)
{
  amo_sim_opts o = *opt;
  o.stepper = AMO_STEPPER_TAYLOR;
  o.values = &part->file;
  o.audit = false;
  o.whole = true;
  return o;
}

static amo_status make_benches(amo_cluster_flow *e, amo_bench_kind *k, const amo_cluster_kind *of,
                               const amo_sim_opts *opt)
{
  const amo_sim_opts o = options_of(of->model, opt);
  k->count = of->members < MOST_BENCHES ? of->members : MOST_BENCHES;
  AMO_TAKE(&e->memory, amo_bench, k->count, &k->item);
  if (e->memory.failed) return AMO_ENOMEM;
  amo_status st = amo_sim_make(of->model, &o, &amo_event_method, &k->judge);
  for (uint32_t i = 0; st == AMO_OK && i < k->count; i++) {
    amo_bench *b = &k->item[i];
    if (i == 0)
      b->flow = amo_sim_flow(k->judge);
    else
      st = amo_flow_new(of->model, &o, 1, &b->flow);
    if (st != AMO_OK) break;
    e->P = b->flow->P;
    e->item = (size_t)e->P + 1u;
    AMO_TAKE(&e->memory, double, (of->given + 1u) * e->item, &b->given);
    AMO_TAKE(&e->memory, double, of->states * e->item, &b->old);
    if (e->memory.failed) st = AMO_ENOMEM;
  }
  return st;
}

/// Parameters of a cluster, or those of the one before it where both read the same.
static void take_parameters(amo_cluster_flow *e, uint32_t c)
{
  const amo_cluster *a = &e->cut->item[c], *b = c > 0 ? a - 1 : NULL;
  const uint32_t np = e->cut->kind[a->kind].model->np;
  if (b != NULL && a->kind == b->kind && a->parameter == b->parameter && a->constant == b->constant)
    e->param[c] = e->param[c - 1u];
  else
    AMO_TAKE(&e->memory, double, np + 1u, &e->param[c]);
}

static void take_names(amo_cluster_flow *e, uint32_t c, size_t *next)
{
  const amo_cluster *a = &e->cut->item[c];
  const amo_model *part = e->cut->kind[a->kind].model;
  e->first_name[c] = *next;
  for (uint32_t i = 0; i < part->nq; i++) e->name[(*next)++] = e->m->sym.q[a->coordinate[i]].name;
  for (uint32_t i = 0; i < part->nq; i++) e->name[(*next)++] = e->m->sym.u[a->coordinate[i]].name;
  for (uint32_t i = 0; i < part->nc; i++) e->name[(*next)++] = e->m->contact[a->contact[i]].sym.name;
}

static amo_status make_clusters(amo_cluster_flow *e)
{
  size_t series = 0, names = 0;
  for (uint32_t c = 0; c < e->count; c++) {
    const amo_cluster *a = &e->cut->item[c];
    const amo_flow *f = e->kind[a->kind].item[0].flow;
    const size_t before = e->memory.total;
    amo_lane_make(f, &e->lane[c], &e->memory);
    e->lane_arrays = e->memory.total - before;
    e->at[c] = series;
    series += f->ns * e->item;
    take_parameters(e, c);
    take_names(e, c, &names);
    for (uint32_t i = 0; !e->memory.failed && i < f->m->nc; i++) {
      e->mode_of[a->contact[i]] = &e->lane[c].mode[i];
      e->cluster_of[a->contact[i]] = c;
    }
  }
  AMO_TAKE(&e->memory, double, series + AMO_LANES_PADDING, &e->series);
  AMO_TAKE(&e->memory, bool, series / e->item, &e->is_read);
  AMO_TAKE(&e->memory, double, e->item * e->item, &e->shift);
  AMO_TAKE(&e->memory, double, e->item + AMO_LANES_PADDING, &e->power);
  AMO_TAKE(&e->memory, double, 2u * (2u * e->m->nq + e->m->nz) * e->item, &e->piece_series);
  if (e->memory.failed) return AMO_ENOMEM;
  amo_lanes_shift_table(e->shift, e->P);
  for (uint32_t c = 0; c < e->count; c++)
    for (uint32_t n = e->cut->first[c]; n < e->cut->first[c + 1u]; n++)
      e->is_read[e->at[c] / e->item + e->cut->reader[n].state] = true;
  return AMO_OK;
}

static void make_ledgers(amo_cluster_flow *e)
{
  AMO_TAKE(&e->memory, amo_ledger, e->count, &e->ledger);
  AMO_TAKE(&e->memory, uint32_t, 2u * e->m->nq + e->m->nz + 1u, &e->own_state);
  AMO_TAKE(&e->memory, double, e->count, &e->audited);
  for (uint32_t c = 0; !e->memory.failed && c < e->count; c++)
    amo_ledger_make(&e->ledger[c], e->cut->kind[e->cut->item[c].kind].model, &e->memory);
}

/// Roots and powers that may vanish change series after they were made: such models go as a whole.
static bool suits(const amo_cluster_flow *e)
{
  for (uint32_t k = 0; k < e->cut->kinds; k++)
    if (e->kind[k].item[0].flow->vanish != NULL) return false;
  return true;
}

static int order_of(const amo_sim_opts *opt)
{
  return opt->order > 0 ? opt->order : amo_flow_order_for(opt->tol);
}

static amo_status make(amo_cluster_flow *e, const amo_sim_opts *opt)
{
  const amo_model *m = e->m;
  e->count = e->cut->count;
  e->may_crawl = opt->stepper == AMO_STEPPER_AUTO && amo_implicit_suits(m, order_of(opt));
  e->tol = opt->tol;
  AMO_TAKE(&e->memory, amo_bench_kind, e->cut->kinds, &e->kind);
  AMO_TAKE(&e->memory, amo_lane, e->count, &e->lane);
  AMO_TAKE(&e->memory, size_t, e->count, &e->at);
  AMO_TAKE(&e->memory, double *, e->count, &e->param);
  AMO_TAKE(&e->memory, char *, 2u * m->nq + m->nc, &e->name);
  AMO_TAKE(&e->memory, size_t, e->count, &e->first_name);
  AMO_TAKE(&e->memory, double, e->count, &e->due, &e->began);
  AMO_TAKE(&e->memory, bool, e->count, &e->cut_short);
  AMO_TAKE(&e->memory, amo_cluster_end, e->count, &e->heap);
  AMO_TAKE(&e->memory, uint32_t, e->count, &e->place, &e->number, &e->last_piece);
  AMO_TAKE(&e->memory, amo_bench *, e->count, &e->member);
  e->most_pieces = 2u * e->count;  // an instant adds one of each at most
  AMO_TAKE(&e->memory, amo_cluster_piece, e->most_pieces, &e->piece);
  AMO_TAKE(&e->memory, amo_event, amo_cluster_most_events(m), &e->event);
  AMO_TAKE(&e->memory, uint32_t, 2u * m->nc + 1u, &e->changed);
  AMO_TAKE(&e->memory, const signed char *, m->nc + 1u, &e->mode_of);
  AMO_TAKE(&e->memory, uint32_t, m->nc + 1u, &e->cluster_of);
  if (e->memory.failed) return AMO_ENOMEM;
  amo_status st = AMO_OK;
  for (uint32_t k = 0; st == AMO_OK && k < e->cut->kinds; k++)
    st = make_benches(e, &e->kind[k], &e->cut->kind[k], opt);
  if (st == AMO_OK) st = make_clusters(e);
  if (st == AMO_OK && opt->audit) make_ledgers(e);
  if (st == AMO_OK) st = amo_point_new(m, &e->point);
  return e->memory.failed ? AMO_ENOMEM : st;
}

amo_status amo_cluster_flow_new(const amo_model *m, const amo_sim_opts *opt, amo_cluster_flow **out)
{
  amo_clusters *cut;
  *out = NULL;
  amo_status st = amo_clusters_new(m, (uint32_t)order_of(opt) / 2u, &cut);
  if (st != AMO_OK || cut == NULL) return st;
  amo_cluster_flow *e = calloc(1, sizeof *e);
  if (e == NULL) {
    amo_clusters_free(cut);
    return AMO_ENOMEM;
  }
  e->m = m;
  e->cut = cut;
  st = make(e, opt);
  if (st == AMO_OK && suits(e)) {
    *out = e;
    return AMO_OK;
  }
  amo_cluster_flow_free(e);
  return st;
}

void amo_cluster_flow_free(amo_cluster_flow *e)
{
  if (e == NULL) return;
  for (uint32_t k = 0; e->kind != NULL && k < e->cut->kinds; k++) {
    amo_bench_kind *kind = &e->kind[k];
    for (uint32_t i = 0; kind->item != NULL && i < kind->count; i++) {
      amo_bench *b = &kind->item[i];
      if (b->flow == NULL) continue;
      if (i > 0) amo_flow_free(b->flow);
    }
    if (kind->judge != NULL) amo_sim_free(kind->judge);
  }
  amo_point_free(e->point);
  amo_clusters_free(e->cut);
  amo_arena_free(&e->memory);
  free(e);
}
