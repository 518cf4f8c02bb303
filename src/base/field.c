// SPDX-License-Identifier: Apache-2.0
#include "base/field.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH = 8, PATH = 200 };

bool amo_field_is_name(const char *part, size_t n)
{
  size_t i = 0;
  while (i < n && isupper((unsigned char)part[i])) i++;
  return i == n && n >= 4;
}

bool amo_words_have(const char *words, const char *word, size_t n)
{
  for (const char *p = words; p && n; p = strchr(p, '|'), p = p ? p + 1 : NULL)
    if (!strncmp(p, word, n) && (p[n] == '|' || !p[n])) return true;
  return false;
}

bool amo_field_may_be(const amo_field *f, const char *type)
{
  return amo_words_have(f->type + (*f->type == '?'), type, strlen(type));
}

// ---- every field of a table ----

typedef struct field_walk {
  amo_field_visit each;
  void *ctx;
  const amo_field *open[DEPTH];  // tables that are being read
  char path
      [PATH];  // of the field at hand: a model asks for its keys often, and formatting would cost most of it
} field_walk;

/// Text from `at` on, as far as there is room; returns the end.
static size_t put(field_walk *v, size_t at, const char *text)
{
  size_t n = strlen(text);
  if (n > PATH - 1 - at) n = PATH - 1 - at;
  memcpy(v->path + at, text, n);
  v->path[at + n] = '\0';
  return at + n;
}

static int each_of(field_walk *v, int depth, size_t front, const amo_field *table)
{
  for (int i = 0; i < depth; i++)
    if (v->open[i] == table) return 0;
  if (depth == DEPTH) return 0;
  v->open[depth] = table;
  for (const amo_field *f = table; f->path; f++) {
    if (!f->type) continue;  // a heading
    const bool here = !*f->path, items = !here && amo_field_may_be(f, "list");
    size_t end = put(v, put(v, front, front && !here ? "." : ""), f->path);
    int stop = here ? 0 : v->each(v->ctx, v->path, f);
    if (items) end = put(v, end, "[]");
    if (!stop && f->inside) stop = each_of(v, depth + 1, end, f->inside);
    if (stop) return stop;
  }
  return 0;
}

int amo_fields_each(const amo_field *table, amo_field_visit each, void *ctx)
{
  field_walk v = {.each = each, .ctx = ctx};
  return each_of(&v, 0, 0, table);
}

// ---- keys at one place ----

typedef struct field_place {
  int (*each)(void *ctx, const char *key);
  void *ctx;
  const amo_field *open[DEPTH];  // tables that are being read
} field_place;

/// What is left of a place behind the path of a field that leads there; NULL: it does not.
static const char *behind(const amo_field *f, const char *place)
{
  const size_t n = strlen(f->path);
  if (strncmp(f->path, place, n) != 0) return NULL;
  const char *rest = place + n;
  if (amo_field_may_be(f, "list")) {
    if (strncmp(rest, "[]", 2) != 0) return NULL;
    rest += 2;
  }
  return !*rest ? rest : *rest == '.' ? rest + 1 : NULL;
}

/// The key that a field is at the place; NULL: it is elsewhere.
static const char *key_at(const amo_field *f, const char *place)
{
  const size_t n = strlen(place);
  if (strncmp(f->path, place, n) != 0 || (n && f->path[n] != '.')) return NULL;
  const char *key = f->path + n + (n > 0);
  return strpbrk(key, ".[") || amo_field_is_name(key, strlen(key)) ? NULL : key;
}

/// Of every element of every family this is asked: no path is written out, and no table read that does not lead there.
static int keys_of(field_place *p, int depth, const char *place, const amo_field *table)
{
  for (int i = 0; i < depth; i++)
    if (p->open[i] == table) return 0;
  if (depth == DEPTH) return 0;
  p->open[depth] = table;
  for (const amo_field *f = table; f->path; f++) {
    if (!f->type) continue;  // a heading
    const char *key = *f->path ? key_at(f, place) : NULL;
    const char *rest = !f->inside ? NULL : *f->path ? behind(f, place) : place;
    int stop = key ? p->each(p->ctx, key) : 0;
    if (!stop && rest) stop = keys_of(p, depth + 1, rest, f->inside);
    if (stop) return stop;
  }
  return 0;
}

int amo_fields_at(const amo_field *table, const char *place, int (*each)(void *ctx, const char *key),
                  void *ctx)
{
  field_place p = {.each = each, .ctx = ctx};
  return keys_of(&p, 0, place, table);
}
