// SPDX-License-Identifier: Apache-2.0
/// Energies and powers of a model, summand by summand, to the clusters that know all that a summand reads.
#include <stdlib.h>

#include "model/clusters_impl.h"

typedef struct summand {
  amo_node node;
  bool minus;
} summand;

typedef struct summands {
  summand *item;
  size_t count, capacity;
} summands;

static bool push(summands *s, amo_node n, bool minus)
{
  if (!AMO_ROOM(s->item, s->count, s->capacity)) return false;
  s->item[s->count++] = (summand){n, minus};
  return true;
}

static bool is_given(const amo_clusters *x, uint32_t c, uint32_t n, uint32_t state)
{
  const uint32_t *given = x->item[c].given;
  uint32_t low = 0, high = n;
  while (low < high) {
    const uint32_t mid = (low + high) / 2;
    if (given[mid] < state)
      low = mid + 1;
    else
      high = mid;
  }
  return low < n && given[low] == state;
}

/// What a summand may read besides states: time, parameters, and what contacts and coordinates of the cluster do.
static uint32_t owner_of(const amo_cutting *k, uint32_t leaf, bool *state)
{
  const amo_model *m = k->m;
  const amo_leaves *l = &m->leaf;
  const uint32_t ns = 2 * m->nq + m->nz;
  *state = leaf >= l->q && leaf - l->q < ns;
  if (*state) return k->x->of_state[leaf - l->q];
  if (leaf >= l->acc && leaf - l->acc < m->nq) return k->x->of_state[leaf - l->acc];
  return UINT32_MAX;
}

/// Does cluster c know all leaves in the list?
static bool knows(const amo_cutting *k, uint32_t c, const amo_cluster_size *size)
{
  bool state;
  for (size_t i = 0; i < k->listed; i++) {
    const uint32_t owner = owner_of(k, k->list[i], &state);
    if (owner == UINT32_MAX || owner == c) continue;
    if (!state || !is_given(k->x, c, size[c].given, k->list[i] - k->m->leaf.q)) return false;
  }
  return true;
}

/// Forces of contacts and ties are read by drives alone, which belong to the whole.
static bool is_foreign(const amo_cutting *k)
{
  const amo_leaves *l = &k->m->leaf;
  for (size_t i = 0; i < k->listed; i++)
    if (k->list[i] >= l->sigma && k->list[i] != l->eps && !(k->list[i] >= l->acc && k->list[i] < l->lambda))
      return true;
  return false;
}

/// The cluster of a summand; UINT32_MAX: there is none.
static uint32_t home_of(amo_cutting *k, amo_node n, const amo_cluster_size *size)
{
  uint32_t best = UINT32_MAX;
  bool state, any = false;
  amo_cutting_begin(k);
  if (!amo_cutting_read(k, n) || is_foreign(k)) return UINT32_MAX;
  for (size_t i = 0; i < k->listed; i++) {
    const uint32_t c = owner_of(k, k->list[i], &state);
    any |= c != UINT32_MAX;
    if (c != UINT32_MAX && c < best && knows(k, c, size)) best = c;
  }
  return any ? best : 0;
}

static bool give(amo_cutting *k, summand s, unsigned char of, const amo_cluster_size *size)
{
  const uint32_t c = home_of(k, s.node, size);
  if (c == UINT32_MAX || !AMO_ROOM(k->term, k->terms, k->term_capacity)) return false;
  k->term[k->terms] = (amo_cluster_term){s.node, s.minus, of, k->first_term[c]};
  k->first_term[c] = (uint32_t)k->terms++;
  return true;
}

static bool share(amo_cutting *k, amo_node sum, unsigned char of, const amo_cluster_size *size)
{
  summands open = {0};
  bool ok = sum == AMO_NODE_NONE || push(&open, sum, false);
  while (ok && open.count > 0) {
    const summand s = open.item[--open.count];
    const amo_op op = amo_node_op(k->m->dag, s.node);
    const amo_node a = amo_node_arg(k->m->dag, s.node, 0), b = amo_node_arg(k->m->dag, s.node, 1);
    if (op == AMO_OP_ADD || op == AMO_OP_SUB)
      ok = push(&open, a, s.minus) && push(&open, b, op == AMO_OP_SUB ? !s.minus : s.minus);
    else if (op == AMO_OP_NEG)
      ok = push(&open, a, !s.minus);
    else
      ok = give(k, s, of, size);
  }
  free(open.item);
  return ok;
}

bool amo_clusters_share_energies(amo_cutting *k, const amo_cluster_size *size)
{
  const amo_report *r = &k->m->report;
  for (uint32_t c = 0; c < k->x->count; c++) k->first_term[c] = UINT32_MAX;
  return share(k, r->kinetic, AMO_TERM_KINETIC, size) && share(k, r->potential, AMO_TERM_POTENTIAL, size) &&
         share(k, r->supplied, AMO_TERM_SUPPLIED, size);
}
