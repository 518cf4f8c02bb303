// SPDX-License-Identifier: Apache-2.0
/// Clusters in the order in which their steps end: a heap, ties by number.
#include "flow/clusters.h"

static bool before(amo_cluster_end a, amo_cluster_end b)
{
  return a.t < b.t || (a.t == b.t && a.cluster < b.cluster);
}

static void put(amo_cluster_flow *e, uint32_t at, amo_cluster_end x)
{
  e->heap[at] = x;
  e->place[x.cluster] = at;
}

void amo_cluster_due(amo_cluster_flow *e, uint32_t cluster, double t)
{
  const amo_cluster_end x = {t, cluster};
  uint32_t at = e->place[cluster];
  e->due[cluster] = t;
  while (at > 0 && before(x, e->heap[(at - 1u) / 2u])) {
    put(e, at, e->heap[(at - 1u) / 2u]);
    at = (at - 1u) / 2u;
  }
  for (;;) {
    uint32_t child = 2u * at + 1u;
    if (child + 1u < e->count && before(e->heap[child + 1u], e->heap[child])) child++;
    if (child >= e->count || !before(e->heap[child], x)) break;
    put(e, at, e->heap[child]);
    at = child;
  }
  put(e, at, x);
}
