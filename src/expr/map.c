// SPDX-License-Identifier: Apache-2.0
#include "expr/map.h"

#include <stdlib.h>

void amo_map_free(amo_map *m)
{
  free(m->key);
  free(m->value);
  *m = (amo_map){0};
}

static size_t slot_of(const amo_map *m, uint64_t key)
{
  size_t i = (size_t)amo_mix64(key) & (m->capacity - 1);
  while (m->key[i] != 0 && m->key[i] != key) i = (i + 1) & (m->capacity - 1);
  return i;
}

bool amo_map_get(const amo_map *m, uint64_t key, uint32_t *value)
{
  if (m->capacity == 0) return false;
  const size_t i = slot_of(m, key);
  if (m->key[i] == 0) return false;
  *value = m->value[i];
  return true;
}

static bool grow(amo_map *m)
{
  amo_map bigger = {.capacity = m->capacity ? 2 * m->capacity : 64, .count = m->count};
  bigger.key = calloc(bigger.capacity, sizeof *bigger.key);
  bigger.value = calloc(bigger.capacity, sizeof *bigger.value);
  if (!bigger.key || !bigger.value) {
    amo_map_free(&bigger);
    return false;
  }
  for (size_t i = 0; i < m->capacity; i++) {
    if (m->key[i] == 0) continue;
    const size_t j = slot_of(&bigger, m->key[i]);
    bigger.key[j] = m->key[i];
    bigger.value[j] = m->value[i];
  }
  amo_map_free(m);
  *m = bigger;
  return true;
}

bool amo_map_put(amo_map *m, uint64_t key, uint32_t value)
{
  if (2 * (m->count + 1) > m->capacity && !grow(m)) return false;
  const size_t i = slot_of(m, key);
  if (m->key[i] == 0) m->count++;
  m->key[i] = key;
  m->value[i] = value;
  return true;
}

void amo_stack_free(amo_stack *s)
{
  free(s->item);
  *s = (amo_stack){0};
}

bool amo_stack_push(amo_stack *s, uint32_t item)
{
  if (s->count == s->capacity) {
    const size_t capacity = s->capacity ? 2 * s->capacity : 64;
    uint32_t *p = realloc(s->item, capacity * sizeof *p);
    if (!p) return false;
    s->item = p;
    s->capacity = capacity;
  }
  s->item[s->count++] = item;
  return true;
}
