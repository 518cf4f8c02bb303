// SPDX-License-Identifier: Apache-2.0
/// Mappings put together from several places of a study file. The nodes are copies that keep their
/// positions, so a mistake found later still points at the line the user wrote.
#include <string.h>

#include "study/study_load.h"

amo_yaml *amo_yaml_copy_entry(amo_arena *a, const amo_yaml *n)
{
  amo_yaml *c = amo_arena_alloc(a, sizeof *c);
  if (!c) return NULL;
  *c = *n;
  c->next = NULL;
  return c;
}

static void link_last(amo_yaml *map, amo_yaml *entry)
{
  if (!map->first)
    map->first = entry;
  else {
    // The list was built here from our own copies, so writing through the const link is sound.
    amo_yaml *last = (amo_yaml *)(size_t)map->first;
    while (last->next) last = (amo_yaml *)(size_t)last->next;
    last->next = entry;
  }
  map->count++;
}

bool amo_yaml_append(amo_arena *a, amo_yaml *map, const char *key, const amo_yaml *n)
{
  amo_yaml *entry = amo_yaml_copy_entry(a, n), *k = amo_arena_alloc(a, sizeof *k);
  if (!entry || !k) return false;
  *k = (amo_yaml){.kind = AMO_YAML_SCALAR, .text = key, .length = strlen(key), .at = amo_yaml_at(n)};
  entry->key = k;
  link_last(map, entry);
  return true;
}

bool amo_yaml_put(amo_arena *a, amo_yaml *map, const amo_yaml *key, const amo_yaml *n)
{
  for (const amo_yaml *c = map->first; c; c = c->next) {
    if (strcmp(c->key->text, key->text) != 0) continue;
    amo_yaml *mine = (amo_yaml *)(size_t)c;  // our own copy, as in link_last
    const amo_yaml *next = c->next;
    *mine = *n;
    mine->key = key;
    mine->next = next;
    return true;
  }
  amo_yaml *entry = amo_yaml_copy_entry(a, n);
  if (!entry) return false;
  entry->key = key;
  link_last(map, entry);
  return true;
}

const amo_yaml *amo_yaml_first_of(const amo_yaml *map, const char *const *words)
{
  for (size_t i = 0; words[i]; i++) {
    const amo_yaml *v = amo_yaml_get(map, words[i]);
    if (v) return v;
  }
  return NULL;
}

const amo_yaml *amo_yaml_merged(amo_arena *a, const amo_yaml *base, const amo_yaml *over)
{
  amo_yaml *map = amo_arena_alloc(a, sizeof *map);
  if (!map) return NULL;
  *map = (amo_yaml){.kind = AMO_YAML_MAP, .text = ""};
  map->at = base ? base->at : over ? over->at : map->at;
  const amo_yaml *part[2] = {base, over};
  for (int i = 0; i < 2; i++)
    for (const amo_yaml *c = amo_yaml_is(part[i], AMO_YAML_MAP) ? part[i]->first : NULL; c; c = c->next) {
      if (i == 0 && amo_yaml_get(over, c->key->text)) continue;
      amo_yaml *entry = amo_yaml_copy_entry(a, c);
      if (!entry) return NULL;
      link_last(map, entry);
    }
  return map;
}
