// SPDX-License-Identifier: Apache-2.0
/// Kinds of clusters. Expressions of a cluster are written on a tape (clusters_tape.h): those with equal tapes are of one kind and
/// share one small model. Numbers of the text that differ among them become parameters of it, each cluster with values of its own.
#include <stdlib.h>
#include <string.h>

#include "expr/map.h"
#include "model/clusters_impl.h"
#include "model/clusters_tape.h"
#include "model/model.h"

/// A kind before it has a model.
typedef struct cluster_shape {
  uint32_t first;  // cluster
  uint32_t *word;  // what makes it; from `tape` on its expressions
  size_t words, tape;
  uint32_t entries, parameters;
  bool *varies;  // [constants] of the tape
  size_t constants;
} cluster_shape;

typedef struct finding {
  amo_cutting *k;
  amo_tape tape;
  cluster_shape *item;  // [kinds]
  size_t capacity;
  amo_map known;
  uint32_t *word;  // of the cluster at hand
  size_t words, word_capacity;
  double *constant;  // of all clusters; equal ones of a kind once
  size_t constants, constant_capacity;
  size_t *at;             // [clusters] in it
  uint32_t other_leaves;  // parameters come after them on the tape
  bool failed;
} finding;

// ---- leaves ----

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

/// The number on the tape of every leaf of the model that a cluster may read; parameters are numbered as they come.
static void rename_leaves(amo_cutting *k, uint32_t c, const amo_model *d, uint32_t given)
{
  const amo_cluster *a = &k->x->item[c];
  const amo_leaves *of = &k->m->leaf, *to = &d->leaf;
  uint32_t *leaf = k->local;
  leaf[of->t] = to->t;
  leaf[of->eps] = to->eps;
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

static uint32_t leaf_of(void *ctx, uint32_t leaf)
{
  finding *f = ctx;
  amo_cutting *k = f->k;
  const amo_leaves *l = &k->m->leaf;
  const bool parameter = leaf >= l->param && leaf - l->param < k->m->np;
  if (parameter && k->taken[leaf] != k->round) {
    k->local[leaf] = f->other_leaves + (uint32_t)k->listed;
    amo_cutting_list(k, leaf);
  }
  return k->local[leaf];
}

// ---- what makes a kind ----

static void word(finding *f, uint32_t x)
{
  if (AMO_ROOM(f->word, f->words, f->word_capacity))
    f->word[f->words++] = x;
  else
    f->failed = true;
}

static void node_word(void *ctx, amo_node *n)
{
  finding *f = ctx;
  word(f, amo_tape_put(&f->tape, *n, leaf_of, f));
}

static void entry_words(finding *f, const amo_entry *e, uint32_t n)
{
  word(f, n);
  for (uint32_t i = 0; i < n; i++) {
    word(f, e[i].row);
    word(f, e[i].col);
  }
}

static void contact_words(finding *f, const amo_contact *k)
{
  const uint32_t part[] = {(uint32_t)k->kind, (uint32_t)k->rest, k->part_of,
                           k->parts,          k->npressing,      k->nroom};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) word(f, part[i]);
  for (uint32_t i = 0; i < k->npressing; i++) {
    word(f, k->pressing[i].of_contact);
    word(f, k->pressing[i].item);
  }
  entry_words(f, k->n, k->nn);
  entry_words(f, k->w, k->nw);
}

/// Of the cluster c, of which d is a draft.
static void write_words(finding *f, uint32_t c, amo_model *d, uint32_t given)
{
  amo_cutting *k = f->k;
  f->words = 0;
  amo_cutting_begin(k);
  amo_tape_begin(&f->tape);
  const uint32_t size[] = {d->nq, d->nz, d->nc, d->ng, given};
  for (size_t i = 0; i < sizeof size / sizeof *size; i++) word(f, size[i]);
  entry_words(f, d->mass, d->nmass);
  for (uint32_t i = 0; i < d->nc; i++) contact_words(f, &d->contact[i]);
  for (uint32_t g = 0; g < d->ng; g++) {
    word(f, d->constraint[g].velocity_level);
    entry_words(f, d->constraint[g].g, d->constraint[g].ng);
  }
  for (uint32_t z = 0; z < d->nz; z++) word(f, (uint32_t)(d->extra[z].contact + 1));
  amo_model_each_node(d, node_word, f);
  for (uint32_t t = k->first_term[c]; t != UINT32_MAX; t = k->term[t].next) {
    word(f, 2u * k->term[t].of + k->term[t].minus);
    node_word(f, &k->term[t].node);
  }
}

static uint64_t key_of(const finding *f)
{
  uint64_t key = 1;
  for (size_t i = 0; i < f->words; i++) key = amo_mix64(key ^ f->word[i]);
  for (size_t i = 0; i < f->tape.words; i++) key = amo_mix64(key ^ f->tape.word[i]);
  return key | 1u;
}

static bool is_shape(const cluster_shape *s, const finding *f)
{
  return s->tape == f->words && s->words == f->words + f->tape.words &&
         memcmp(s->word, f->word, f->words * sizeof *f->word) == 0 &&
         memcmp(s->word + s->tape, f->tape.word, f->tape.words * sizeof *f->word) == 0;
}

/// Each kind has programs and an engine of its own, some hundred kB: a model whose clusters are all different goes as a whole.
enum { MOST_KINDS = 256 };

static amo_status add_shape(finding *f, uint32_t c)
{
  amo_clusters *x = f->k->x;
  if (x->kinds == MOST_KINDS) return AMO_ELIMIT;
  if (!AMO_ROOM(f->item, x->kinds, f->capacity)) return AMO_ENOMEM;
  cluster_shape *s = &f->item[x->kinds];
  *s = (cluster_shape){.first = c,
                       .word = amo_zalloc(f->words + f->tape.words, sizeof *s->word),
                       .words = f->words + f->tape.words,
                       .tape = f->words,
                       .entries = f->tape.entries,
                       .parameters = (uint32_t)f->k->listed,
                       .varies = amo_zalloc(f->tape.constants, sizeof *s->varies),
                       .constants = f->tape.constants};
  x->kinds++;
  if (!s->word || !s->varies) return AMO_ENOMEM;
  memcpy(s->word, f->word, f->words * sizeof *s->word);
  memcpy(s->word + s->tape, f->tape.word, f->tape.words * sizeof *s->word);
  return AMO_OK;
}

/// The numbers of a cluster are kept where they differ from those of the first of its kind.
static amo_status keep_constants(finding *f, uint32_t c, cluster_shape *s)
{
  const double *own = f->tape.constant, *first = f->constant + f->at[s->first];
  bool differ = c == s->first;
  for (size_t i = 0; c != s->first && i < s->constants; i++) {
    const bool here = memcmp(&own[i], &first[i], sizeof *own) != 0;
    s->varies[i] |= here;
    differ |= here;
  }
  f->at[c] = differ ? f->constants : f->at[s->first];
  for (size_t i = 0; differ && i < s->constants; i++) {
    if (!AMO_ROOM(f->constant, f->constants, f->constant_capacity)) return AMO_ENOMEM;
    f->constant[f->constants++] = own[i];
  }
  return AMO_OK;
}

/// The parameters that a cluster reads; one list for all in a row that read the same.
static amo_status keep_parameters(const finding *f, uint32_t c)
{
  amo_cutting *k = f->k;
  amo_cluster *a = &k->x->item[c];
  const size_t size = k->listed * sizeof *a->parameter;
  for (size_t i = 0; i < k->listed; i++) k->list[i] -= k->m->leaf.param;
  if (c > 0 && a[-1].kind == a->kind && memcmp(a[-1].parameter, k->list, size) == 0)
    a->parameter = a[-1].parameter;
  else if ((a->parameter = amo_arena_alloc(&k->x->memory, size + sizeof *a->parameter)) != NULL)
    memcpy(a->parameter, k->list, size);
  return a->parameter ? AMO_OK : AMO_ENOMEM;
}

/// The shape of cluster c, noted if it is a new one.
static amo_status find_shape(finding *f, uint32_t c)
{
  amo_clusters *x = f->k->x;
  uint32_t number;
  uint64_t key = key_of(f);
  while (amo_map_get(&f->known, key, &number) && !is_shape(&f->item[number], f)) key += 2;
  amo_status st = AMO_OK;
  if (!amo_map_get(&f->known, key, &number)) {
    number = x->kinds;
    st = add_shape(f, c);
    if (st == AMO_OK && !amo_map_put(&f->known, key, number)) st = AMO_ENOMEM;
  }
  if (st != AMO_OK) return st;
  x->item[c].kind = number;
  st = keep_constants(f, c, &f->item[number]);
  return st == AMO_OK ? keep_parameters(f, c) : st;
}

// ---- the model of a kind ----

typedef struct playing {
  const uint32_t *root;  // numbers of expressions, in the order of amo_model_each_node
  const amo_node *node;
} playing;

static void take_node(void *ctx, amo_node *n)
{
  playing *p = ctx;
  *n = *n == AMO_NODE_NONE ? AMO_NODE_NONE : p->node[*p->root];
  p->root++;
}

static void count_node(void *ctx, amo_node *n)
{
  (void)n;
  ++*(size_t *)ctx;
}

/// Expressions of the draft from the tape, its energies with them.
static void take_expressions(const finding *f, const cluster_shape *s, amo_model *d, const amo_node *node)
{
  amo_cutting *k = f->k;
  amo_dag *dag = k->x->dag;
  amo_node sum[AMO_TERMS];
  size_t roots = 0, terms = 0;
  amo_model_each_node(d, count_node, &roots);
  for (uint32_t t = k->first_term[s->first]; t != UINT32_MAX; t = k->term[t].next) terms++;
  playing p = {s->word + s->tape - 2u * terms - roots, node};
  amo_model_each_node(d, take_node, &p);
  for (int i = 0; i < AMO_TERMS; i++) sum[i] = amo_const(dag, 0.0);
  for (; terms > 0; terms--, p.root += 2) {
    amo_node *total = &sum[p.root[0] / 2u];
    *total = p.root[0] % 2u ? amo_sub(dag, *total, node[p.root[1]]) : amo_add(dag, *total, node[p.root[1]]);
  }
  d->report.kinetic = sum[AMO_TERM_KINETIC];
  d->report.potential = sum[AMO_TERM_POTENTIAL];
  d->report.supplied = sum[AMO_TERM_SUPPLIED];
  for (uint32_t z = 0; z < d->nz; z++)
    if (d->extra[z].given) d->extra[z].rate = amo_const(dag, 0.0);
}

/// Leaves of the model for those of the tape, and for its constants.
static void number_slots(const finding *f, const cluster_shape *s, amo_model *d, uint32_t *leaf,
                         uint32_t *slot)
{
  d->np = s->parameters;
  for (size_t i = 0; i < s->constants; i++) slot[i] = s->varies[i] ? d->np++ : UINT32_MAX;
  for (uint32_t l = 0; l < f->other_leaves; l++) leaf[l] = d->np + l;
  for (uint32_t p = 0; p < s->parameters; p++) leaf[f->other_leaves + p] = p;
}

static amo_status play(finding *f, const cluster_shape *s, amo_model *d)
{
  number_leaves(d);
  f->other_leaves = d->leaf.count;
  uint32_t *leaf = amo_zalloc(f->other_leaves + s->parameters, sizeof *leaf);
  uint32_t *slot = amo_zalloc(s->constants, sizeof *slot);
  amo_node *node = amo_zalloc(s->entries, sizeof *node);
  amo_dag *dag = f->k->x->dag;
  if (leaf && slot && node) {
    number_slots(f, s, d, leaf, slot);
    amo_tape_play(s->word + s->tape, s->words - s->tape, leaf, slot, f->constant + f->at[s->first], dag,
                  node);
    take_expressions(f, s, d, node);
    number_leaves(d);
  }
  const amo_status st = leaf && slot && node ? amo_dag_status(dag) : AMO_ENOMEM;
  free(leaf);
  free(slot);
  free(node);
  return st;
}

static bool take_values(const amo_clusters *x, uint32_t c, amo_model *d, uint32_t given)
{
  const amo_cluster *a = &x->item[c];
  const amo_values *v = &x->m->file;
  const uint32_t nq = d->nq, own = d->nz - given;
  d->file =
      (amo_values){d, amo_zalloc(d->np, sizeof(double)), amo_zalloc(2 * nq + d->nz, sizeof(double)), v->t0};
  if (!d->file.param || !d->file.initial) return false;
  amo_cluster_parameters(x, c, v->param, d->file.param);
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

static amo_status make_kind(finding *f, uint32_t number, const amo_cluster_size *size)
{
  amo_clusters *x = f->k->x;
  const cluster_shape *s = &f->item[number];
  const uint32_t given = size[s->first].given;
  amo_cluster_kind *k = &x->kind[number];
  amo_status st = amo_draft_new(f->k, s->first, &size[s->first], &k->model) ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK) st = play(f, s, k->model);
  if (st != AMO_OK) return st;
  k->given = given;
  k->states = 2 * k->model->nq + k->model->nz - given;
  k->reads = s->parameters;
  return AMO_OK;
}

/// Numbers of the text that have become parameters of its kind; one list for all in a row for whom they are the same.
static amo_status take_constants(const finding *f, uint32_t c)
{
  amo_clusters *x = f->k->x;
  amo_cluster *a = &x->item[c];
  const amo_cluster_kind *k = &x->kind[a->kind];
  const cluster_shape *s = &f->item[a->kind];
  const uint32_t n = k->model->np - k->reads;
  if (c > 0 && a[-1].kind == a->kind && f->at[c] == f->at[c - 1u]) {
    a->constant = a[-1].constant;
    return AMO_OK;
  }
  a->constant = amo_arena_alloc(&x->memory, (n + 1u) * sizeof *a->constant);
  if (!a->constant) return AMO_ENOMEM;
  double *next = a->constant;
  for (size_t i = 0; i < s->constants; i++)
    if (s->varies[i]) *next++ = f->constant[f->at[c] + i];
  return AMO_OK;
}

static amo_status find_all(finding *f, const amo_cluster_size *size)
{
  amo_clusters *x = f->k->x;
  amo_status st = AMO_OK;
  for (uint32_t c = 0; st == AMO_OK && c < x->count; c++) {
    amo_model *d = NULL;
    st = amo_draft_new(f->k, c, &size[c], &d) ? AMO_OK : AMO_ENOMEM;
    if (st == AMO_OK) {
      number_leaves(d);
      f->other_leaves = d->leaf.count;
      rename_leaves(f->k, c, d, size[c].given);
      write_words(f, c, d, size[c].given);
      st = f->failed || f->tape.failed || f->k->failed ? AMO_ENOMEM : find_shape(f, c);
    }
    amo_draft_free(d);
  }
  return st;
}

static amo_status make_all(finding *f, const amo_cluster_size *size)
{
  amo_clusters *x = f->k->x;
  amo_status st = AMO_OK;
  x->kind = amo_zalloc(x->kinds, sizeof *x->kind);
  if (!x->kind) return AMO_ENOMEM;
  for (uint32_t i = 0; st == AMO_OK && i < x->kinds; i++) st = make_kind(f, i, size);
  for (uint32_t c = 0; st == AMO_OK && c < x->count; c++) {
    st = take_constants(f, c);
    x->kind[x->item[c].kind].members++;
  }
  for (uint32_t i = 0; st == AMO_OK && i < x->kinds; i++)
    st = complete(x, f->item[i].first, x->kind[i].model, x->kind[i].given);
  return st;
}

amo_status amo_clusters_find_kinds(amo_cutting *k, const amo_cluster_size *size)
{
  finding f = {.k = k, .at = amo_zalloc(k->x->count, sizeof *f.at)};
  amo_status st = f.at && amo_tape_open(&f.tape, k->m->dag) ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK) st = find_all(&f, size);
  amo_tape_close(&f.tape);
  if (st == AMO_OK) st = make_all(&f, size);
  if (k->x->kind == NULL) k->x->kinds = 0;
  if (st == AMO_ENOMEM) k->failed = true;
  for (size_t i = 0; i < f.capacity; i++) {
    free(f.item[i].word);
    free(f.item[i].varies);
  }
  free(f.item);
  amo_map_free(&f.known);
  free(f.word);
  free(f.constant);
  free(f.at);
  return st;
}

void amo_cluster_parameters(const amo_clusters *x, uint32_t cluster, const double *of_model, double *own)
{
  const amo_cluster *a = &x->item[cluster];
  const amo_cluster_kind *k = &x->kind[a->kind];
  for (uint32_t i = 0; i < k->reads; i++) own[i] = of_model[a->parameter[i]];
  for (uint32_t i = k->reads; i < k->model->np; i++) own[i] = a->constant[i - k->reads];
}

void amo_clusters_free(amo_clusters *x)
{
  if (!x) return;
  for (uint32_t i = 0; i < x->kinds; i++) amo_draft_free(x->kind[i].model);
  free(x->kind);
  amo_dag_free(x->dag);
  amo_arena_free(&x->memory);
  free(x);
}
