// SPDX-License-Identifier: Apache-2.0
/// Names of a model: a hash table, and the keys that declare them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/loader.h"

static uint32_t hash(const char *s, size_t n)
{
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)s[i]) * 16777619u;
  return h;
}

static size_t slot_of(const amo_names *t, const char *name, size_t length)
{
  size_t k = hash(name, length) & (t->slots - 1);
  while (t->slot[k]) {
    const char *have = t->item[t->slot[k] - 1].name;
    if (strlen(have) == length && memcmp(have, name, length) == 0) break;
    k = (k + 1) & (t->slots - 1);
  }
  return k;
}

amo_entry_name *amo_names_find(const amo_names *t, const char *name, size_t length)
{
  if (!t->slots) return NULL;
  uint32_t k = t->slot[slot_of(t, name, length)];
  return k ? &t->item[k - 1] : NULL;
}

static bool rehash(amo_names *t)
{
  size_t slots = t->slots ? t->slots * 2 : 64;
  uint32_t *old = t->slot;
  uint32_t *fresh = calloc(slots, sizeof *fresh);
  if (!fresh) return false;
  t->slot = fresh;
  t->slots = slots;
  for (size_t i = 0; i < t->count; i++)
    t->slot[slot_of(t, t->item[i].name, strlen(t->item[i].name))] = (uint32_t)(i + 1);
  free(old);
  return true;
}

static const char *kind_text(amo_name_kind kind)
{
  static const char *const text[] = {"a size", "a parameter", "a definition", "a coordinate", "a state"};
  return text[kind];
}

amo_status amo_names_add(amo_loader *ld, amo_entry_name e)
{
  static const char *const reserved[] = {"t", "time", "pi", NULL};
  amo_names *t = &ld->names;
  for (int i = 0; reserved[i]; i++)
    if (strcmp(reserved[i], e.name) == 0)
      return amo_error(ld->diags, e.at, NULL, "the name '%s' is reserved", e.name);
  const amo_entry_name *have = amo_names_find(t, e.name, strlen(e.name));
  if (have)
    return amo_error(ld->diags, e.at, NULL, "'%s' is already %s (line %d)", e.name, kind_text(have->kind),
                     have->at.line);
  if (t->count * 2 >= t->slots && !rehash(t)) return AMO_ENOMEM;
  if (!AMO_ROOM(t->item, t->count, t->cap)) return AMO_ENOMEM;
  t->item[t->count++] = e;
  t->slot[slot_of(t, e.name, strlen(e.name))] = (uint32_t)t->count;
  return AMO_OK;
}

void amo_names_free(amo_names *t)
{
  free(t->item);
  free(t->slot);
  *t = (amo_names){0};
}

static size_t word_length(const char *s)
{
  size_t n = 0;
  while ((s[n] >= 'a' && s[n] <= 'z') || (s[n] >= 'A' && s[n] <= 'Z') || s[n] == '_' ||
         (n && s[n] >= '0' && s[n] <= '9'))
    n++;
  return n;
}

static const char *skip(const char *s)
{
  while (*s == ' ') s++;
  return s;
}

static amo_at inside(const amo_yaml *key, const char *p, size_t length)
{
  amo_at at = key->at;
  at.column += (int)(p - key->text);
  at.length = length ? (int)length : 1;
  return at;
}

/// The text between the brackets: `2`, `1..N` or `i=1..N`.
static amo_status parse_range(amo_loader *ld, const amo_yaml *key, const char *p, const char *end,
                              amo_key *out)
{
  const char *start = skip(p);
  size_t n = word_length(start);
  const char *equals = skip(start + n);
  const char *dots = NULL;
  if (n && *equals == '=') {
    out->index = amo_arena_str(&ld->arena, start, n);
    if (!out->index) return AMO_ENOMEM;
    p = equals + 1;
  }
  for (const char *c = p; c + 1 < end && !dots; c++)
    if (c[0] == '.' && c[1] == '.') dots = c;
  out->indexed = true;
  if (!dots && out->index)
    return amo_error(ld->diags, inside(key, start, (size_t)(end - start)), NULL,
                     "expected a range after '%s=', as in [%s=1..N]", out->index, out->index);
  const char *stop = dots ? dots : end;
  amo_status st = amo_load_integer(ld, p, (size_t)(stop - p), inside(key, p, 1), &out->lo);
  if (st != AMO_OK || !dots) {
    out->hi = out->lo;
    return st;
  }
  out->ranged = true;
  st = amo_load_integer(ld, dots + 2, (size_t)(end - dots - 2), inside(key, dots + 2, 1), &out->hi);
  if (st != AMO_OK) return st;
  long count = 0;
  if (__builtin_sub_overflow(out->hi, out->lo, &count) || count >= (long)ld->most_elements) {
    amo_error(ld->diags, inside(key, p, (size_t)(end - p)), NULL, "a family may have %zu elements at most",
              ld->most_elements);
    return AMO_ELIMIT;
  }
  return AMO_OK;
}

/// A name must be one that expressions can use: not a word of theirs, and not too long. Reports.
static bool usable(amo_loader *ld, const amo_yaml *key, size_t n)
{
  static const char *const word[] = {"and", "or", "not"};
  for (size_t i = 0; i < sizeof word / sizeof *word; i++)
    if (strlen(word[i]) == n && memcmp(word[i], key->text, n) == 0) {
      amo_error(ld->diags, inside(key, key->text, n), "it is an operator of expressions",
                "the name '%s' is reserved", word[i]);
      return false;
    }
  if (n > AMO_MAX_NAME)
    amo_error(ld->diags, inside(key, key->text, n), NULL,
              "the name '%.20s...' has %zu characters, at most %d are allowed", key->text, n, AMO_MAX_NAME);
  return n <= AMO_MAX_NAME;
}

amo_status amo_key_parse(amo_loader *ld, const amo_yaml *key, amo_key *out)
{
  *out = (amo_key){0};
  size_t n = word_length(key->text);
  const char *p = skip(key->text + n);
  if (!usable(ld, key, n)) return AMO_EINPUT;
  out->base = amo_arena_str(&ld->arena, key->text, n);
  if (!out->base) return AMO_ENOMEM;
  while (*p == '\'') {  // x'[i=1..N] and x[i=1..N]' mean the same
    out->primes++;
    p++;
  }
  if (n && *p == '[') {
    const char *end = strchr(p, ']');
    if (!end) return amo_error(ld->diags, inside(key, p, 1), NULL, "missing ']' in '%s'", key->text);
    amo_status st = parse_range(ld, key, p + 1, end, out);
    if (st != AMO_OK) return st;
    for (p = end + 1; *p == '\''; p++) out->primes++;
  }
  p = skip(p);
  if (!n || *p)
    return amo_error(ld->diags, inside(key, n ? p : key->text, 1),
                     "names are letters, digits and _, beginning with a letter; families look like x[i=1..N]",
                     "'%.40s' is not a name", key->text);
  return AMO_OK;
}

static const char *indexed_name(amo_loader *ld, const char *base, long i)
{
  char text[32], *const end = text + sizeof text, *p = end;
  unsigned long rest = i < 0 ? 0ul - (unsigned long)i : (unsigned long)i;
  *--p = ']';
  do *--p = (char)('0' + rest % 10);
  while ((rest /= 10) > 0);
  if (i < 0) *--p = '-';
  *--p = '[';
  const size_t length = strlen(base), digits = (size_t)(end - p);
  char *name = amo_arena_alloc(&ld->arena, length + digits + 1);
  if (!name) return NULL;
  memcpy(name, base, length);
  memcpy(name + length, p, digits);
  return name;
}

const char *amo_element_name(amo_loader *ld, const amo_key *k, long i)
{
  const char *s = k->indexed ? indexed_name(ld, k->base, i) : k->base;
  if (!s) amo_load_fail(ld, AMO_ENOMEM);
  return s;
}
