// SPDX-License-Identifier: Apache-2.0
/// Which leaves does an expression contain?
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/mechanics.h"

static int ascending(const void *pa, const void *pb)
{
  uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
  return a < b ? -1 : a > b;
}

/// Every node is stamped with the round that saw it, so a call costs only the nodes it visits.
static amo_status prepare(amo_leafset *s, const amo_dag *d)
{
  size_t need = amo_dag_size(d) + 2;
  if (need > s->stamps) {
    uint32_t *p = amo_grow(s->stamp, &s->stamps, need, sizeof *p);
    if (!p) return AMO_ENOMEM;
    s->stamp = p;
  }
  if (++s->round == 0) {
    memset(s->stamp, 0, s->stamps * sizeof *s->stamp);
    s->round = 1;
  }
  s->count = 0;
  return AMO_OK;
}

static bool push(amo_leafset *s, size_t *depth, amo_node n)
{
  if (n == AMO_NODE_NONE || s->stamp[n] == s->round) return true;
  s->stamp[n] = s->round;
  if (!AMO_ROOM(s->stack, *depth, s->stack_cap)) return false;
  s->stack[(*depth)++] = n;
  return true;
}

amo_status amo_leaves_of(amo_leafset *s, const amo_dag *d, amo_node n)
{
  size_t depth = 0;
  amo_status st = prepare(s, d);
  bool ok = st == AMO_OK && push(s, &depth, n);
  while (ok && depth) {
    static const int arity[] = {
#define ARITY(name, count, text) count,
        AMO_OP_LIST(ARITY)
#undef ARITY
    };
    amo_node top = s->stack[--depth];
    uint32_t leaf = 0;
    if (amo_node_leaf(d, top, &leaf)) {
      ok = AMO_ROOM(s->leaf, s->count, s->cap);
      if (ok) s->leaf[s->count++] = leaf;
    }
    for (int i = 0; ok && i < arity[amo_node_op(d, top)]; i++) ok = push(s, &depth, amo_node_arg(d, top, i));
  }
  if (!ok) return AMO_ENOMEM;
  if (s->count) qsort(s->leaf, s->count, sizeof *s->leaf, ascending);
  return AMO_OK;
}

void amo_leafset_free(amo_leafset *s)
{
  free(s->leaf);
  free(s->stamp);
  free(s->stack);
  *s = (amo_leafset){0};
}
