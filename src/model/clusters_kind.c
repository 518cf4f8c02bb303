// SPDX-License-Identifier: Apache-2.0
/// The small model of a cluster. Its expressions are those of the whole with leaves of its own, made in one DAG for all:
/// clusters that are alike get the same nodes, and so one model.
#include <stdlib.h>
#include <string.h>

#include "expr/map.h"
#include "model/clusters_impl.h"
#include "model/model.h"

// ---- the expressions of a model, in one order ----

static void each_entry(amo_entry *e, uint32_t n, amo_node_visit visit, void *ctx)
{
  for (uint32_t i = 0; i < n; i++) visit(ctx, &e[i].node);
}

static void each_of_contact(amo_contact *k, amo_node_visit visit, void *ctx)
{
  amo_node *const part[] = {&k->slip,     &k->zeta,     &k->normal,   &k->bound,       &k->kinetic, &k->slow,
                            &k->reaction, &k->side,     &k->bound_by, &k->kinetic_by,  &k->spare,   &k->gap,
                            &k->gap_rate, &k->gap_zeta, &k->within,   &k->restitution, &k->yield,   &k->drag};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) visit(ctx, part[i]);
  for (uint32_t i = 0; i < k->nroom; i++) visit(ctx, &k->room[i]);
  each_entry(k->n, k->nn, visit, ctx);
  each_entry(k->w, k->nw, visit, ctx);
}

void amo_model_each_node(amo_model *x, amo_node_visit visit, void *ctx)
{
  each_entry(x->mass, x->nmass, visit, ctx);
  for (uint32_t i = 0; i < x->nq; i++) visit(ctx, &x->h[i]);
  for (uint32_t c = 0; c < x->nc; c++) each_of_contact(&x->contact[c], visit, ctx);
  for (uint32_t g = 0; g < x->ng; g++) {
    amo_constraint *k = &x->constraint[g];
    visit(ctx, &k->residual);
    visit(ctx, &k->rate);
    visit(ctx, &k->zeta);
    each_entry(k->g, k->ng, visit, ctx);
  }
  for (uint32_t i = 0; i < x->nz; i++) {
    visit(ctx, &x->extra[i].rate);
    visit(ctx, &x->extra[i].reset);
  }
}

// ---- a draft: arrays of the cluster, expressions still those of the whole ----

static void *copy(const void *from, size_t count, size_t size)
{
  void *to = amo_zalloc(count, size);
  if (to && count) memcpy(to, from, count * size);
  return to;
}

static void free_draft(amo_model *x)
{
  if (!x) return;
  for (uint32_t c = 0; x->contact && c < x->nc; c++) {
    free(x->contact[c].n);
    free(x->contact[c].w);
  }
  for (uint32_t g = 0; x->constraint && g < x->ng; g++) free(x->constraint[g].g);
  void *const all[] = {x->contact,   x->constraint, x->extra,        x->mass,           x->h,     x->acc,
                       x->r_h,       x->r_acc,      x->fixed,        x->param,          x->sym.q, x->sym.u,
                       x->mechanism, x->file.param, x->file.initial, x->report.r_output};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  amo_expanded_free(x->expanded);
  amo_prog_free(x->step);
  amo_prog_free(x->report.prog);
  free(x);
}

static void localise(const amo_clusters *x, amo_entry *e, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    e[i].col = x->place[e[i].col];
    if (e[i].row < x->m->nq) e[i].row = x->place[e[i].row];
  }
}

/// Number of `item` in a sorted list.
static uint32_t number_in(const uint32_t *list, uint32_t n, uint32_t item)
{
  uint32_t i = 0;
  while (i < n && list[i] != item) i++;
  return i;
}

static bool draft_contact(const amo_clusters *x, const amo_cluster *a, const amo_cluster_size *size,
                          uint32_t i, amo_contact *k)
{
  *k = x->m->contact[a->contact[i]];
  k->n = copy(k->n, k->nn, sizeof *k->n);
  k->w = copy(k->w, k->nw, sizeof *k->w);
  if (!k->n || !k->w) return false;
  for (uint32_t e = 0; e < k->nn; e++) k->n[e].row = x->m->nq;  // unused
  for (uint32_t e = 0; e < k->nw; e++) k->w[e].row = x->m->nq;
  localise(x, k->n, k->nn);
  localise(x, k->w, k->nw);
  for (uint32_t e = 0; e < k->npressing; e++)
    k->pressing[e].item = k->pressing[e].of_contact ? number_in(a->contact, size->nc, k->pressing[e].item)
                                                    : number_in(a->constraint, size->ng, k->pressing[e].item);
  if (k->part_of > 0) k->part_of = number_in(a->contact, size->nc, k->part_of - 1u) + 1u;
  k->chain = i;
  k->kinetic_smooth = k->kinetic_slope = k->kinetic_smooth_slope = k->stick_force = AMO_NODE_NONE;
  memset(k->told, 0, sizeof k->told);
  return true;
}

static bool draft_masses(const amo_clusters *x, uint32_t c, amo_model *d, const uint32_t *first_mass)
{
  const amo_model *m = x->m;
  const amo_cluster *a = &x->item[c];
  for (uint32_t i = 0; i < d->nq; i++)
    d->nmass += first_mass[a->coordinate[i] + 1u] - first_mass[a->coordinate[i]];
  d->mass = amo_zalloc(d->nmass, sizeof *d->mass);
  if (!d->mass) return false;
  uint32_t n = 0;
  for (uint32_t i = 0; i < d->nq; i++)
    for (uint32_t e = first_mass[a->coordinate[i]]; e < first_mass[a->coordinate[i] + 1u]; e++)
      d->mass[n++] = m->mass[e];
  localise(x, d->mass, d->nmass);
  return true;
}

static bool draft(const amo_cutting *k, uint32_t c, const amo_cluster_size *size, const uint32_t *first_mass,
                  amo_model **out)
{
  const amo_clusters *x = k->x;
  const amo_model *m = k->m;
  const amo_cluster *a = &x->item[c];
  amo_model *d = *out = amo_zalloc(1, sizeof *d);
  if (!d) return false;
  d->nq = size->nq;
  d->nz = size->nz + size->given;
  d->nc = size->nc;
  d->ng = size->ng;
  d->light = m->light;
  d->h = amo_zalloc(d->nq, sizeof *d->h);
  d->contact = amo_zalloc(d->nc, sizeof *d->contact);
  d->constraint = amo_zalloc(d->ng, sizeof *d->constraint);
  d->extra = amo_zalloc(d->nz, sizeof *d->extra);
  if (!d->h || !d->contact || !d->constraint || !d->extra || !draft_masses(x, c, d, first_mass)) return false;
  for (uint32_t i = 0; i < d->nq; i++) d->h[i] = m->h[a->coordinate[i]];
  for (uint32_t i = 0; i < d->nc; i++) {
    if (!draft_contact(x, a, size, i, &d->contact[i])) return false;
    d->njoint += d->contact[i].npressing > 0;
  }
  for (uint32_t i = 0; i < d->ng; i++) {
    amo_constraint *g = &d->constraint[i];
    *g = m->constraint[a->constraint[i]];
    g->g = copy(g->g, g->ng, sizeof *g->g);
    if (!g->g) return false;
    for (uint32_t e = 0; e < g->ng; e++) g->g[e].row = m->nq;
    localise(x, g->g, g->ng);
  }
  for (uint32_t i = 0; i < size->nz; i++) {
    d->extra[i] = m->extra[a->extra[i]];
    if (d->extra[i].contact >= 0)
      d->extra[i].contact = (long)number_in(a->contact, size->nc, (uint32_t)d->extra[i].contact);
  }
  for (uint32_t i = size->nz; i < d->nz; i++) d->extra[i] = (amo_extra){.contact = -1, .given = true};
  return true;
}

// ---- leaves ----

static void read_node(void *ctx, amo_node *n)
{
  (void)amo_cutting_read(ctx, *n);
}

static int by_number(const void *a, const void *b)
{
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/// The parameters that a cluster reads.
static bool find_parameters(amo_cutting *k, uint32_t c, amo_model *d)
{
  amo_cluster *a = &k->x->item[c];
  uint32_t n = 0;
  amo_cutting_begin(k);
  amo_model_each_node(d, read_node, k);
  for (uint32_t t = k->first_term[c]; t != UINT32_MAX; t = k->term[t].next)
    (void)amo_cutting_read(k, k->term[t].node);
  for (size_t i = 0; i < k->listed; i++)
    if (k->list[i] >= k->m->leaf.param && k->list[i] - k->m->leaf.param < k->m->np)
      k->list[n++] = k->list[i] - k->m->leaf.param;
  qsort(k->list, n, sizeof *k->list, by_number);
  a->parameter = amo_arena_alloc(&k->x->memory, (n + 1u) * sizeof *a->parameter);
  if (a->parameter == NULL || k->failed) return false;
  memcpy(a->parameter, k->list, n * sizeof *a->parameter);
  d->np = n;
  return true;
}

static void number_leaves(amo_model *d)
{
  amo_leaves *l = &d->leaf;
  uint32_t n = 0;
  uint32_t *const first[] = {&l->param,      &l->t,        &l->q,        &l->u,    &l->z,
                             &l->sigma,      &l->eps,      &l->xi,       &l->acc,  &l->lambda,
                             &l->multiplier, &l->reaction, &l->traction, &l->count};
  const uint32_t count[] = {d->np, 1, d->nq, d->nq, d->nz, d->nc, 1, 0, d->nq, d->nc, d->ng, d->nc, 0, 0};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
    *first[i] = n;
    n += count[i];
  }
}

/// The cluster's leaf of every leaf of the model that it may read.
static void rename_leaves(amo_cutting *k, uint32_t c, const amo_model *d, uint32_t given)
{
  const amo_cluster *a = &k->x->item[c];
  const amo_leaves *of = &k->m->leaf, *to = &d->leaf;
  uint32_t *leaf = k->local;
  leaf[of->t] = to->t;
  leaf[of->eps] = to->eps;
  for (uint32_t i = 0; i < d->np; i++) leaf[of->param + a->parameter[i]] = to->param + i;
  for (uint32_t i = 0; i < d->nq; i++) {
    leaf[of->q + a->coordinate[i]] = to->q + i;
    leaf[of->u + a->coordinate[i]] = to->u + i;
    leaf[of->acc + a->coordinate[i]] = to->acc + i;
  }
  for (uint32_t i = 0; i < d->nz - given; i++) leaf[of->z + a->extra[i]] = to->z + i;
  for (uint32_t i = 0; i < given; i++) leaf[of->q + a->given[i]] = to->z + d->nz - given + i;
  for (uint32_t i = 0; i < d->nc; i++) {
    leaf[of->sigma + a->contact[i]] = to->sigma + i;
    leaf[of->lambda + a->contact[i]] = to->lambda + i;
    leaf[of->reaction + a->contact[i]] = to->reaction + i;
  }
  for (uint32_t i = 0; i < d->ng; i++) leaf[of->multiplier + a->constraint[i]] = to->multiplier + i;
}

// ---- expressions ----

typedef struct nodes {
  amo_node **place;
  amo_node *from, *to;
  size_t count, place_capacity, from_capacity, to_capacity;
  bool failed;
} nodes;

static void note_node(void *ctx, amo_node *n)
{
  nodes *x = ctx;
  if (!AMO_ROOM(x->place, x->count, x->place_capacity) || !AMO_ROOM(x->from, x->count, x->from_capacity) ||
      !AMO_ROOM(x->to, x->count, x->to_capacity)) {
    x->failed = true;
    return;
  }
  x->from[x->count] = *n;
  x->place[x->count++] = n;
}

/// Expressions of the draft made anew, its energies with them.
static bool rename_nodes(amo_cutting *k, uint32_t c, amo_model *d, nodes *x)
{
  x->count = 0;
  amo_model_each_node(d, note_node, x);
  const size_t own = x->count;
  for (uint32_t t = k->first_term[c]; t != UINT32_MAX; t = k->term[t].next) note_node(x, &k->term[t].node);
  amo_dag *dag = k->x->dag;
  if (x->failed || amo_dag_copy_as(dag, k->m->dag, k->local, x->from, x->count, x->to) != AMO_OK)
    return false;
  for (size_t i = 0; i < own; i++) *x->place[i] = x->to[i];
  amo_node sum[AMO_TERMS];
  for (int i = 0; i < AMO_TERMS; i++) sum[i] = amo_const(dag, 0.0);
  size_t i = own;
  for (uint32_t t = k->first_term[c]; t != UINT32_MAX; t = k->term[t].next, i++) {
    amo_node *s = &sum[k->term[t].of];
    *s = k->term[t].minus ? amo_sub(dag, *s, x->to[i]) : amo_add(dag, *s, x->to[i]);
  }
  d->report.kinetic = sum[AMO_TERM_KINETIC];
  d->report.potential = sum[AMO_TERM_POTENTIAL];
  d->report.supplied = sum[AMO_TERM_SUPPLIED];
  for (uint32_t z = 0; z < d->nz; z++)
    if (d->extra[z].given) d->extra[z].rate = amo_const(dag, 0.0);
  return amo_dag_status(dag) == AMO_OK;
}

// ---- what makes a kind ----

typedef struct signature {
  uint32_t *item;
  size_t count, capacity;
  bool failed;
} signature;

static void word(signature *w, uint32_t x)
{
  if (AMO_ROOM(w->item, w->count, w->capacity))
    w->item[w->count++] = x;
  else
    w->failed = true;
}

static void node_word(void *ctx, amo_node *n)
{
  word(ctx, *n);
}

static void entry_words(signature *w, const amo_entry *e, uint32_t n)
{
  word(w, n);
  for (uint32_t i = 0; i < n; i++) {
    word(w, e[i].row);
    word(w, e[i].col);
  }
}

static void contact_words(signature *w, const amo_contact *k)
{
  const uint32_t part[] = {(uint32_t)k->kind, (uint32_t)k->rest, k->part_of,
                           k->parts,          k->npressing,      k->nroom};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) word(w, part[i]);
  for (uint32_t i = 0; i < k->npressing; i++) {
    word(w, k->pressing[i].of_contact);
    word(w, k->pressing[i].item);
  }
  entry_words(w, k->n, k->nn);
  entry_words(w, k->w, k->nw);
}

static void write_signature(signature *w, amo_model *d, uint32_t given)
{
  w->count = 0;
  const uint32_t size[] = {
      d->np, d->nq, d->nz, d->nc, d->ng, given, d->report.kinetic, d->report.potential, d->report.supplied};
  for (size_t i = 0; i < sizeof size / sizeof *size; i++) word(w, size[i]);
  entry_words(w, d->mass, d->nmass);
  for (uint32_t c = 0; c < d->nc; c++) contact_words(w, &d->contact[c]);
  for (uint32_t g = 0; g < d->ng; g++) {
    word(w, d->constraint[g].velocity_level);
    entry_words(w, d->constraint[g].g, d->constraint[g].ng);
  }
  for (uint32_t z = 0; z < d->nz; z++) word(w, (uint32_t)(d->extra[z].contact + 1));
  amo_model_each_node(d, node_word, w);
}

static uint64_t key_of(const signature *w)
{
  uint64_t key = 1;
  for (size_t i = 0; i < w->count; i++) key = amo_mix64(key ^ w->item[i]);
  return key | 1u;
}

static bool is_kind(const amo_cluster_kind *k, const signature *w)
{
  return k->length == w->count && memcmp(k->signature, w->item, w->count * sizeof *w->item) == 0;
}

// ---- a kind ----

static bool take_values(const amo_clusters *x, uint32_t c, amo_model *d, uint32_t given)
{
  const amo_cluster *a = &x->item[c];
  const amo_values *v = &x->m->file;
  const uint32_t nq = d->nq, own = d->nz - given;
  d->file =
      (amo_values){d, amo_zalloc(d->np, sizeof(double)), amo_zalloc(2 * nq + d->nz, sizeof(double)), v->t0};
  if (!d->file.param || !d->file.initial) return false;
  for (uint32_t i = 0; i < d->np; i++) d->file.param[i] = v->param[a->parameter[i]];
  for (uint32_t i = 0; i < nq; i++) {
    d->file.initial[i] = v->initial[a->coordinate[i]];
    d->file.initial[nq + i] = v->initial[x->m->nq + a->coordinate[i]];
  }
  for (uint32_t i = 0; i < own; i++) d->file.initial[2 * nq + i] = v->initial[2 * x->m->nq + a->extra[i]];
  for (uint32_t i = 0; i < given; i++) d->file.initial[2 * nq + own + i] = v->initial[a->given[i]];
  return true;
}

/// The draft becomes a model.
static amo_status complete(amo_clusters *x, uint32_t c, amo_model *d, uint32_t given)
{
  d->dag = x->dag;
  d->param = amo_zalloc(d->np, sizeof *d->param);
  d->sym.q = amo_zalloc(d->nq, sizeof *d->sym.q);
  d->sym.u = amo_zalloc(d->nq, sizeof *d->sym.u);
  d->r_h = amo_zalloc(d->nq, sizeof *d->r_h);
  d->fixed = amo_zalloc(d->leaf.count, sizeof *d->fixed);
  if (!d->param || !d->sym.q || !d->sym.u || !d->r_h || !d->fixed || !take_values(x, c, d, given))
    return AMO_ENOMEM;
  for (uint32_t i = 0; i < d->np; i++) d->fixed[d->leaf.param + i] = true;
  for (uint32_t i = 0; i < d->nc; i++) d->fixed[d->leaf.sigma + i] = true;
  d->fixed[d->leaf.eps] = true;
  amo_status st = amo_find_plain(d);
  if (st == AMO_OK) st = amo_compile_step(d);
  if (st == AMO_OK) st = amo_find_mechanisms(d);
  if (st == AMO_OK) st = amo_compile_report(d);
  if (st == AMO_OK) st = amo_expanded_new(&d->expanded);
  return st;
}

/// Each kind has programs and an engine of its own, some hundred kB: a model all of whose clusters differ by numbers that stand in
/// their expressions (and not in parameters) goes as a whole.
enum { MOST_KINDS = 256 };

static amo_status add_kind(amo_clusters *x, uint32_t c, amo_model *d, uint32_t given, const signature *w)
{
  if (x->kinds == MOST_KINDS) return AMO_ELIMIT;
  if (!AMO_ROOM(x->kind, x->kinds, x->kind_capacity)) return AMO_ENOMEM;
  amo_cluster_kind *k = &x->kind[x->kinds];
  *k = (amo_cluster_kind){.given = given,
                          .states = 2 * d->nq + d->nz - given,
                          .signature = copy(w->item, w->count, sizeof *w->item),
                          .length = w->count};
  if (!k->signature) return AMO_ENOMEM;
  amo_status st = complete(x, c, d, given);
  if (st != AMO_OK) {
    free(k->signature);
    return st;
  }
  k->model = d;
  x->kinds++;
  return AMO_OK;
}

/// The kind of cluster c, made if there is none.
static amo_status find_kind(amo_cutting *k, uint32_t c, amo_model **d, uint32_t given, amo_map *known,
                            signature *w)
{
  amo_clusters *x = k->x;
  uint32_t number;
  write_signature(w, *d, given);
  if (w->failed) return AMO_ENOMEM;
  uint64_t key = key_of(w);
  while (amo_map_get(known, key, &number) && !is_kind(&x->kind[number], w)) key += 2;
  amo_status st = AMO_OK;
  if (!amo_map_get(known, key, &number)) {
    number = x->kinds;
    st = add_kind(x, c, *d, given, w);
    if (st == AMO_OK) *d = NULL;  // it is the kind's now
    if (st == AMO_OK && !amo_map_put(known, key, number)) st = AMO_ENOMEM;
  }
  if (st == AMO_OK) {
    x->item[c].kind = number;
    x->kind[number].members++;
  }
  return st;
}

/// Where the masses of a row begin: they are sorted by rows.
static uint32_t *first_masses(const amo_model *m)
{
  uint32_t *first = amo_zalloc(m->nq + 1u, sizeof *first);
  if (!first) return NULL;
  for (uint32_t e = 0; e < m->nmass; e++) first[m->mass[e].row + 1u]++;
  for (uint32_t i = 0; i < m->nq; i++) first[i + 1u] += first[i];
  return first;
}

amo_status amo_clusters_find_kinds(amo_cutting *k, const amo_cluster_size *size)
{
  amo_clusters *x = k->x;
  amo_map known = {0};
  nodes n = {0};
  signature w = {0};
  uint32_t *first_mass = first_masses(k->m);
  amo_status st = first_mass ? AMO_OK : AMO_ENOMEM;
  for (uint32_t c = 0; st == AMO_OK && c < x->count; c++) {
    amo_model *d = NULL;
    bool ok = draft(k, c, &size[c], first_mass, &d) && find_parameters(k, c, d);
    if (ok) {
      number_leaves(d);
      rename_leaves(k, c, d, size[c].given);
      ok = rename_nodes(k, c, d, &n);
    }
    st = ok ? find_kind(k, c, &d, size[c].given, &known, &w) : AMO_ENOMEM;
    free_draft(d);
  }
  if (st == AMO_ENOMEM) k->failed = true;
  amo_map_free(&known);
  free(n.place);
  free(n.from);
  free(n.to);
  free(w.item);
  free(first_mass);
  return st;
}

void amo_clusters_free(amo_clusters *x)
{
  if (!x) return;
  for (uint32_t i = 0; i < x->kinds; i++) {
    free_draft(x->kind[i].model);
    free(x->kind[i].signature);
  }
  free(x->kind);
  amo_dag_free(x->dag);
  amo_arena_free(&x->memory);
  free(x);
}
