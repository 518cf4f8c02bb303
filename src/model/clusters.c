// SPDX-License-Identifier: Apache-2.0
/// Who belongs together, and who reads what of whom.
#include "model/clusters.h"

#include <stdlib.h>
#include <string.h>

#include "base/join.h"
#include "model/clusters_impl.h"
#include "model/model.h"

/// Things that are joined: coordinates, then further states, contacts, constraints.
typedef struct joining {
  amo_cutting *k;
  const amo_model *m;
  uint32_t *parent;
  uint32_t item;     // whose expressions are being read
  bool closed;       // they may read nothing of others
  amo_node *choice;  // arguments that are chosen by
  size_t choices, choice_capacity;
} joining;

static uint32_t of_extra(const amo_model *m, uint32_t i)
{
  return m->nq + i;
}

static uint32_t of_contact(const amo_model *m, uint32_t c)
{
  return m->nq + m->nz + c;
}

static uint32_t of_constraint(const amo_model *m, uint32_t g)
{
  return m->nq + m->nz + m->nc + g;
}

static uint32_t things(const amo_model *m)
{
  return m->nq + m->nz + m->nc + m->ng;
}

static bool is_in(uint32_t leaf, uint32_t first, uint32_t count)
{
  return leaf >= first && leaf - first < count;
}

/// The thing that a leaf belongs to; UINT32_MAX: to none.
static uint32_t thing_of(const amo_model *m, uint32_t leaf)
{
  const amo_leaves *l = &m->leaf;
  if (is_in(leaf, l->q, m->nq)) return leaf - l->q;
  if (is_in(leaf, l->u, m->nq)) return leaf - l->u;
  if (is_in(leaf, l->z, m->nz)) return of_extra(m, leaf - l->z);
  if (is_in(leaf, l->sigma, m->nc)) return of_contact(m, leaf - l->sigma);
  if (is_in(leaf, l->reaction, m->nc)) return of_contact(m, leaf - l->reaction);
  return UINT32_MAX;
}

/// A coordinate may be read from outside, by forces and what contacts are pressed with; all else stays within its cluster.
static void join_leaf(void *ctx, uint32_t leaf)
{
  joining *j = ctx;
  const amo_model *m = j->m;
  const uint32_t thing = thing_of(m, leaf);
  const bool reads = !j->closed && (j->item < m->nq || is_in(j->item, of_contact(m, 0), m->nc));
  if (thing != UINT32_MAX && !(reads && thing < m->nq)) amo_join(j->parent, j->item, thing);
  j->k->foreign |= leaf >= m->leaf.xi && thing == UINT32_MAX;
}

static void note_choice(void *ctx, amo_node argument)
{
  joining *j = ctx;
  if (!AMO_ROOM(j->choice, j->choices, j->choice_capacity))
    j->k->failed = true;
  else
    j->choice[j->choices++] = argument;
}

static void read_item(joining *j, uint32_t item, amo_node n)
{
  j->item = item;
  amo_visit_forget(&j->k->walk);
  if (n != AMO_NODE_NONE && !amo_visit_on(&j->k->walk, n, join_leaf, note_choice, j)) j->k->failed = true;
}

static void join_row(joining *j, uint32_t item, const amo_entry *row, uint32_t n)
{
  for (uint32_t e = 0; e < n; e++) {
    amo_join(j->parent, item, row[e].col);
    read_item(j, item, row[e].node);
  }
}

static void read_part(void *ctx, amo_node *n)
{
  joining *j = ctx;
  read_item(j, j->item, *n);
}

static void join_contact(joining *j, uint32_t c)
{
  const amo_contact *k = &j->m->contact[c];
  const uint32_t item = of_contact(j->m, c);
  join_row(j, item, k->n, k->nn);
  for (uint32_t a = 0; a < amo_slip_rows(k); a++)
    join_row(j, item, amo_slip_row(k, a).w, amo_slip_row(k, a).nw);
  for (uint32_t i = 0; i < k->npressing; i++)
    amo_join(j->parent, item,
             k->pressing[i].of_contact ? of_contact(j->m, k->pressing[i].item)
                                       : of_constraint(j->m, k->pressing[i].item));
  if (k->part_of > 0) amo_join(j->parent, item, of_contact(j->m, k->part_of - 1u));
  amo_contact copy = *k;  // visited in place
  copy.nn = copy.nw = copy.axis[0].nw = copy.axis[1].nw = 0;
  amo_model one = {.contact = &copy, .nc = 1};
  j->item = item;
  amo_model_each_node(&one, read_part, j);
}

/// What is chosen by one argument belongs together.
static void join_choice(joining *j, amo_node argument)
{
  amo_cutting *k = j->k;
  uint32_t with = UINT32_MAX;
  amo_cutting_begin(k);
  if (!amo_cutting_read(k, argument)) return;
  for (size_t i = 0; i < k->listed; i++) {
    const uint32_t thing = thing_of(j->m, k->list[i]);
    if (thing == UINT32_MAX) continue;
    if (with != UINT32_MAX) amo_join(j->parent, with, thing);
    with = thing;
  }
}

static void join_all(joining *j)
{
  const amo_model *m = j->m;
  for (uint32_t i = 0; i < things(m); i++) j->parent[i] = i;
  j->closed = true;
  for (uint32_t e = 0; e < m->nmass; e++) {
    amo_join(j->parent, m->mass[e].row, m->mass[e].col);
    read_item(j, m->mass[e].row, m->mass[e].node);
  }
  j->closed = false;
  for (uint32_t i = 0; i < m->nq; i++) read_item(j, i, m->h[i]);
  for (uint32_t c = 0; c < m->nc; c++) join_contact(j, c);
  for (uint32_t g = 0; g < m->ng; g++) {
    const amo_constraint *k = &m->constraint[g];
    join_row(j, of_constraint(m, g), k->g, k->ng);
    const amo_node part[] = {k->residual, k->rate, k->zeta};
    for (size_t i = 0; i < 3; i++) read_item(j, of_constraint(m, g), part[i]);
  }
  for (uint32_t i = 0; i < m->nz; i++) {
    if (m->extra[i].contact >= 0)
      amo_join(j->parent, of_extra(m, i), of_contact(m, (uint32_t)m->extra[i].contact));
    read_item(j, of_extra(m, i), m->extra[i].rate);
    read_item(j, of_extra(m, i), m->extra[i].reset);
  }
  for (size_t i = 0; i < j->choices; i++)
    if (i == 0 || j->choice[i] != j->choice[i - 1]) join_choice(j, j->choice[i]);
}

// ---- clusters and their lists ----

static int by_number(const void *a, const void *b)
{
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/// Things first.. of the model, cluster by cluster. False: one of them is in none.
static bool gather(amo_clusters *x, uint32_t *parent, const uint32_t *number, uint32_t first, uint32_t n,
                   uint32_t *count, size_t count_step, size_t list)
{
  uint32_t *all = amo_arena_alloc(&x->memory, (n + 1u) * sizeof *all), used = 0;
  if (all == NULL) return false;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t c = number[amo_root(parent, first + i)];
    if (c == UINT32_MAX) return false;
    count[c * count_step]++;
  }
  for (uint32_t c = 0; c < x->count; c++) {
    *(uint32_t **)((char *)&x->item[c] + list) = all + used;
    used += count[c * count_step];
    count[c * count_step] = 0;
  }
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t c = number[amo_root(parent, first + i)];
    (*(uint32_t **)((char *)&x->item[c] + list))[count[c * count_step]++] = i;
  }
  return true;
}

#define GATHER(first, n, what, list)                                                   \
  gather(x, j->parent, number, first, n, &size->what, sizeof *size / sizeof(uint32_t), \
         offsetof(amo_cluster, list))

static bool make_lists(joining *j, amo_clusters *x, uint32_t *number, amo_cluster_size **sizes)
{
  const amo_model *m = x->m;
  for (uint32_t i = 0; i < things(m); i++) number[i] = UINT32_MAX;
  for (uint32_t i = 0; i < m->nq; i++) {
    uint32_t *c = &number[amo_root(j->parent, i)];
    if (*c == UINT32_MAX) *c = x->count++;
  }
  x->item = amo_arena_alloc(&x->memory, x->count * sizeof *x->item);
  amo_cluster_size *size = *sizes = amo_arena_alloc(&x->memory, x->count * sizeof *size);
  return x->item && size && GATHER(0, m->nq, nq, coordinate) && GATHER(of_extra(m, 0), m->nz, nz, extra) &&
         GATHER(of_contact(m, 0), m->nc, nc, contact) && GATHER(of_constraint(m, 0), m->ng, ng, constraint);
}

uint32_t amo_cluster_state(const amo_clusters *x, uint32_t cluster, uint32_t i)
{
  const amo_cluster *c = &x->item[cluster];
  const amo_model *part = x->kind[c->kind].model;
  return i < part->nq       ? c->coordinate[i]
         : i < 2 * part->nq ? x->m->nq + c->coordinate[i - part->nq]
                            : 2 * x->m->nq + c->extra[i - 2 * part->nq];
}

static void place_states(amo_clusters *x, const amo_cluster_size *size)
{
  for (uint32_t c = 0; c < x->count; c++) {
    const amo_cluster *a = &x->item[c];
    const uint32_t nq = size[c].nq;
    for (uint32_t i = 0; i < nq; i++) {
      x->of_state[a->coordinate[i]] = x->of_state[x->m->nq + a->coordinate[i]] = c;
      x->place[a->coordinate[i]] = i;
      x->place[x->m->nq + a->coordinate[i]] = nq + i;
    }
    for (uint32_t i = 0; i < size[c].nz; i++) {
      x->of_state[2 * x->m->nq + a->extra[i]] = c;
      x->place[2 * x->m->nq + a->extra[i]] = 2 * nq + i;
    }
  }
}

// ---- what is read of others ----

static uint32_t state_of(const amo_model *m, uint32_t leaf)
{
  const uint32_t ns = 2 * m->nq + m->nz;  // their leaves lie one after the other
  return is_in(leaf, m->leaf.q, ns) ? leaf - m->leaf.q : UINT32_MAX;
}

static void read_root(void *ctx, amo_node *n)
{
  (void)amo_cutting_read(ctx, *n);
}

/// Leaves of all expressions of a cluster into the list.
static void read_cluster(amo_cutting *k, uint32_t c, const amo_cluster_size *size)
{
  const amo_model *m = k->m;
  const amo_cluster *a = &k->x->item[c];
  amo_cutting_begin(k);
  for (uint32_t i = 0; i < size->nq; i++) (void)amo_cutting_read(k, m->h[a->coordinate[i]]);
  for (uint32_t i = 0; i < size->nc; i++) {
    amo_model one = {.contact = &m->contact[a->contact[i]], .nc = 1};
    amo_model_each_node(&one, read_root, k);
  }
  for (uint32_t i = 0; i < size->nz; i++) {
    (void)amo_cutting_read(k, m->extra[a->extra[i]].rate);
    (void)amo_cutting_read(k, m->extra[a->extra[i]].reset);
  }
}

/// States of others. False: they are those of everybody.
static bool find_given(amo_cutting *k, uint32_t c, amo_cluster_size *size)
{
  amo_clusters *x = k->x;
  uint32_t n = 0, others = 0, last = UINT32_MAX;
  read_cluster(k, c, size);
  for (size_t i = 0; i < k->listed; i++) {
    const uint32_t s = state_of(k->m, k->list[i]);
    if (s != UINT32_MAX && x->of_state[s] != c) k->list[n++] = s;
  }
  qsort(k->list, n, sizeof *k->list, by_number);
  uint32_t *given = x->item[c].given = amo_arena_alloc(&x->memory, (n + 1u) * sizeof *given);
  if (given == NULL) return false;
  memcpy(given, k->list, n * sizeof *given);
  size->given = n;
  for (uint32_t i = 0; i < n; i++) {
    others += x->of_state[given[i]] != last;
    last = x->of_state[given[i]];
  }
  return 2 * others < x->count;
}

static bool find_readers(amo_clusters *x, const amo_cluster_size *size)
{
  size_t links = 0;
  for (uint32_t c = 0; c < x->count; c++) links += size[c].given;
  AMO_TAKE(&x->memory, uint32_t, x->count + 2u, &x->first);
  AMO_TAKE(&x->memory, amo_cluster_reader, links, &x->reader);
  if (x->memory.failed) return false;
  uint32_t *next = x->first + 1;  // shifted by one while they are filled
  for (uint32_t c = 0; c < x->count; c++)
    for (uint32_t i = 0; i < size[c].given; i++)
      if (x->of_state[x->item[c].given[i]] + 1u < x->count) next[x->of_state[x->item[c].given[i]] + 1u]++;
  for (uint32_t c = 1; c < x->count; c++) next[c] += next[c - 1];
  for (uint32_t c = 0; c < x->count; c++)
    for (uint32_t i = 0; i < size[c].given; i++) {
      const uint32_t s = x->item[c].given[i];
      x->reader[next[x->of_state[s]]++] = (amo_cluster_reader){c, i, x->place[s]};
    }
  return true;
}

/// How many clusters an event at cluster 'from' touches within `reach` steps from one to the next.
static uint32_t touched(amo_cutting *k, uint32_t from, uint32_t reach)
{
  const amo_clusters *x = k->x;
  amo_cutting_begin(k);
  uint32_t *queue = k->local, count = 1, end = 1;  // as many leaves as clusters and more
  queue[0] = from;
  k->taken[from] = k->round;
  for (uint32_t i = 0, step = 0; i < count && step < reach; i++) {
    for (uint32_t r = x->first[queue[i]]; r < x->first[queue[i] + 1u]; r++) {
      const uint32_t c = x->reader[r].cluster;
      if (k->taken[c] == k->round) continue;
      k->taken[c] = k->round;
      queue[count++] = c;
    }
    if (i + 1 == end) {
      step++;
      end = count;
    }
  }
  return count;
}

// ---- all together ----

static uint32_t *first_masses(const amo_model *m)
{
  uint32_t *first = amo_zalloc(m->nq + 1u, sizeof *first);
  if (!first) return NULL;
  for (uint32_t e = 0; e < m->nmass; e++) first[m->mass[e].row + 1u]++;
  for (uint32_t i = 0; i < m->nq; i++) first[i + 1u] += first[i];
  return first;
}

void amo_cutting_begin(amo_cutting *k)
{
  k->listed = 0;
  k->round++;
  amo_visit_forget(&k->walk);
}

void amo_cutting_list(amo_cutting *k, uint32_t leaf)
{
  if (k->taken[leaf] == k->round) return;
  k->taken[leaf] = k->round;
  if (AMO_ROOM(k->list, k->listed, k->list_capacity))
    k->list[k->listed++] = leaf;
  else
    k->failed = true;
}

static void list_leaf(void *ctx, uint32_t leaf)
{
  amo_cutting_list(ctx, leaf);
}

bool amo_cutting_read(amo_cutting *k, amo_node n)
{
  if (n != AMO_NODE_NONE && !amo_visit_on(&k->walk, n, list_leaf, NULL, k)) k->failed = true;
  return !k->failed;
}

/// Contacts whose normal force is given, and which rub on coordinates with mass.
static bool suits(const amo_model *m)
{
  bool suits = m->nxi == 0 && m->nq > 1;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    suits &= !amo_reacts(k) && !amo_is_massless(k) && !amo_is_loose(k);
  }
  return suits;
}

static bool cut(amo_cutting *k, uint32_t reach)
{
  amo_clusters *x = k->x;
  const amo_model *m = k->m;
  joining j = {.k = k, .m = m, .parent = amo_zalloc(2 * (size_t)things(m), sizeof *j.parent)};
  amo_cluster_size *size = NULL;
  bool ok = j.parent != NULL;
  if (ok) join_all(&j);
  ok = ok && !k->failed && !k->foreign && make_lists(&j, x, j.parent + things(m), &size) &&
       x->count > 2u * reach;
  free(j.parent);
  free(j.choice);
  if (!ok) return false;
  AMO_TAKE(&x->memory, uint32_t, 2u * m->nq + m->nz, &x->of_state, &x->place);
  AMO_TAKE(&x->memory, uint32_t, x->count, &k->first_term);
  if (x->memory.failed) return false;
  place_states(x, size);
  for (uint32_t c = 0; ok && c < x->count; c++) ok = find_given(k, c, &size[c]) && !k->failed;
  ok = ok && find_readers(x, size) && touched(k, x->count / 2, reach) < x->count;
  return ok && amo_clusters_share_energies(k, size) && amo_clusters_find_kinds(k, size) == AMO_OK;
}

amo_status amo_clusters_new(const amo_model *m, uint32_t reach, amo_clusters **out)
{
  *out = NULL;
  if (!suits(m)) return AMO_OK;
  amo_clusters *x = amo_zalloc(1, sizeof *x);
  amo_cutting k = {.x = x, .m = m};
  k.local = amo_zalloc(m->leaf.count + 1u, sizeof *k.local);
  k.taken = amo_zalloc(m->leaf.count + 1u, sizeof *k.taken);
  k.first_mass = first_masses(m);
  bool ok = x != NULL && k.local != NULL && k.taken != NULL && k.first_mass != NULL &&
            amo_visit_open(&k.walk, m->dag);
  bool whole = false;
  if (ok) {
    x->m = m;
    x->dag = amo_dag_new(amo_dag_size(m->dag) + 1u);
    whole = x->dag != NULL && !cut(&k, reach);
    ok = x->dag != NULL && !k.failed && !x->memory.failed && amo_dag_status(x->dag) == AMO_OK;
  }
  amo_visit_close(&k.walk);
  free(k.local);
  free(k.taken);
  free(k.first_mass);
  free(k.list);
  free(k.term);
  if (!ok || whole) amo_clusters_free(x);
  if (ok && !whole) *out = x;
  return ok ? AMO_OK : AMO_ENOMEM;
}
