// SPDX-License-Identifier: Apache-2.0
/// Things that hang together: those of one group have one root. parent[i] = i to begin with.
#ifndef AMO_BASE_JOIN_H
#define AMO_BASE_JOIN_H

#include <stdint.h>

static inline uint32_t amo_root(uint32_t *parent, uint32_t i)
{
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

static inline void amo_join(uint32_t *parent, uint32_t a, uint32_t b)
{
  const uint32_t x = amo_root(parent, a), y = amo_root(parent, b);
  if (x < y)
    parent[y] = x;
  else
    parent[x] = y;
}

#endif
