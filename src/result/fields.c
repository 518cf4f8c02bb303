// SPDX-License-Identifier: Apache-2.0
#include "result/fields.h"

#include <string.h>

#include "base/text.h"
#include "expr/parse.h"

const amo_field *amo_result_fields(const char *verb)
{
  for (const amo_result_table *t = amo_result_tables(); verb && t->verb; t++)
    if (!strcmp(t->verb, verb)) return t->field;
  return NULL;
}

static int each_of_all(amo_field_visit each, void *ctx)
{
  int stop = 0;
  for (const amo_result_table *t = amo_result_tables(); t->verb && !stop; t++)
    stop = amo_fields_each(t->field, each, ctx);
  return stop;
}

// ---- keys of items ----

typedef struct field_search {
  const char *list, *key;
  size_t n;        // of key; 0: any
  amo_text found;  // keys so far
} field_search;

/// The key of an item of the list, at the end of "...list[].key"; NULL: the path is none.
static const char *item_key(const char *path, const char *list)
{
  const char *dot = strrchr(path, '.');
  size_t n = strlen(list);
  if (!dot || (size_t)(dot - path) < n + 2 || strncmp(dot - 2, "[]", 2) != 0) return NULL;
  const char *start = dot - 2 - n;
  return !strncmp(start, list, n) && (start == path || start[-1] == '.') ? dot + 1 : NULL;
}

static int match_item(void *ctx, const char *path, const amo_field *f)
{
  field_search *s = ctx;
  const char *key = item_key(path, s->list);
  (void)f;
  if (!key) return 0;
  const size_t n = strcspn(key, "[");
  return !s->n || (n == s->n && !strncmp(key, s->key, n)) || amo_field_is_name(key, n);
}

bool amo_items_known(const char *list)
{
  field_search s = {.list = list};
  return list && each_of_all(match_item, &s) != 0;
}

bool amo_items_have(const char *list, const char *key, size_t n)
{
  field_search s = {.list = list, .key = key, .n = n};
  return list && n && each_of_all(match_item, &s) != 0;
}

static bool has_word(const amo_text *t, const char *word, size_t n, char separator)
{
  for (const char *p = t->data; p; p = strchr(p, separator), p = p ? p + 1 : NULL)
    if (!strncmp(p, word, n) && (p[n] == separator || !p[n])) return true;
  return false;
}

static void add_word(amo_text *t, const char *word, size_t n, char separator)
{
  if (has_word(t, word, n, separator)) return;
  if (t->size) amo_text_add(t, &separator, 1);
  amo_text_add(t, word, n);
}

static int gather_key(void *ctx, const char *path, const amo_field *f)
{
  field_search *s = ctx;
  const char *key = item_key(path, s->list);
  (void)f;
  if (key) add_word(&s->found, key, strcspn(key, "["), ' ');
  return 0;
}

char *amo_items_keys(const char *list)
{
  field_search s = {.list = list};
  amo_text_str(&s.found, "");
  if (list) each_of_all(gather_key, &s);
  return amo_text_take(&s.found);
}

// ---- words ----

/// Does the path that is looked at name the last list of the field's path?
static bool same_list(const char *field, const char *looked_at)
{
  const char *end = strstr(field, "[]"), *next = NULL;
  if (!end) return true;
  while ((next = strstr(end + 2, "[]"))) end = next;
  const char *start = end;
  while (start > field && start[-1] != '.') start--;
  const size_t n = (size_t)(end - start);
  for (const char *p = looked_at; *p; p++)
    if (!strncmp(p, start, n)) return true;
  return false;
}

static int gather_words(void *ctx, const char *path, const amo_field *f)
{
  field_search *s = ctx;
  const char *dot = strrchr(path, '.');
  if (strcmp(dot ? dot + 1 : path, s->key) != 0 || !same_list(path, s->list)) return 0;
  if (amo_field_may_be(f, "text")) return 1;
  for (const char *p = f->words; p && *p; p += strcspn(p, "|"), p += *p == '|')
    add_word(&s->found, p, strcspn(p, "|"), '|');
  return 0;
}

char *amo_path_words(const char *path)
{
  const char *dot = strrchr(path, '.');
  field_search s = {.list = path, .key = dot ? dot + 1 : path};
  if (each_of_all(gather_words, &s) != 0 || !s.found.size) {
    amo_text_free(&s.found);
    return NULL;
  }
  return amo_text_take(&s.found);
}

// ---- what may be meant ----

enum { MOST_MEANT = 400 };

typedef struct meant {
  const char *parent;
  const amo_field *field[MOST_MEANT];
  size_t count;
} meant;

const char *amo_field_key(const amo_field *f)
{
  const char *dot = strrchr(f->path, '.');
  return dot ? dot + 1 : f->path;
}

/// Does the path lead into something of that name? A stand-in for names is any.
static bool lies_in(const char *path, const char *parent)
{
  const char *end = strrchr(path, '.');
  if (!end || !parent) return !end && !parent;
  while (end - 2 > path && !strncmp(end - 2, "[]", 2)) end -= 2;
  const char *start = end;
  while (start > path && start[-1] != '.') start--;
  const size_t n = (size_t)(end - start);
  return amo_field_is_name(start, n) || (strlen(parent) == n && !strncmp(start, parent, n));
}

static int gather_meant(void *ctx, const char *path, const amo_field *f)
{
  meant *m = ctx;
  const char *key = amo_field_key(f);
  if (m->count < MOST_MEANT && lies_in(path, m->parent) && !strpbrk(key, "[#") &&
      !amo_field_is_name(key, strlen(key)))
    m->field[m->count++] = f;
  return 0;
}

static const char *meant_key(void *ctx, size_t i)
{
  const meant *m = ctx;
  return i < m->count ? amo_field_key(m->field[i]) : NULL;
}

const amo_field *amo_field_meant(const char *verb, const char *parent, const char *key, size_t n)
{
  meant m = {.parent = parent};
  const amo_field *table = amo_result_fields(verb);
  if (table)
    amo_fields_each(table, gather_meant, &m);
  else
    each_of_all(gather_meant, &m);
  const char *near = NULL;
  for (size_t i = 0; i < m.count && !near; i++)
    if (strlen(meant_key(&m, i)) == n && !strncmp(meant_key(&m, i), key, n)) near = meant_key(&m, i);
  if (!near && n) near = amo_nearest(key, n, meant_key, &m);
  for (size_t i = 0; i < m.count && near; i++)
    if (!strcmp(meant_key(&m, i), near)) return m.field[i];
  return NULL;
}
