// SPDX-License-Identifier: Apache-2.0
/// Two small containers of the transformations: a hash map 64-bit key -> node, and a stack of nodes.
/// Explicit stacks are what keeps the depth of an expression off the C stack.
#ifndef AMO_EXPR_MAP_H
#define AMO_EXPR_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct amo_map {
  uint64_t *key;  // 0 marks a free slot; keys are never 0 because node 0 is NONE
  uint32_t *value;
  size_t capacity, count;
} amo_map;

void amo_map_free(amo_map *m);
bool amo_map_get(const amo_map *m, uint64_t key, uint32_t *value);
/// False on out of memory.
bool amo_map_put(amo_map *m, uint64_t key, uint32_t value);

typedef struct amo_stack {
  uint32_t *item;
  size_t capacity, count;
} amo_stack;

void amo_stack_free(amo_stack *s);
/// False on out of memory.
bool amo_stack_push(amo_stack *s, uint32_t item);

static inline uint64_t amo_mix64(uint64_t x)
{
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  return x ^ (x >> 32);
}

#endif
