// SPDX-License-Identifier: Apache-2.0
/// Typed readers over the YAML tree: every one reports what it expected and where.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "expr/parse.h"
#include "model/yaml.h"

static const char *kind_name(amo_yaml_kind kind)
{
  static const char *const name[] = {"a single value", "a list", "a mapping (name: value)"};
  return name[kind];
}

const amo_yaml *amo_yaml_get(const amo_yaml *map, const char *key)
{
  if (!amo_yaml_is(map, AMO_YAML_MAP)) return NULL;
  for (const amo_yaml *c = map->first; c; c = c->next)
    if (strcmp(c->key->text, key) == 0) return c;
  return NULL;
}

bool amo_yaml_is(const amo_yaml *n, amo_yaml_kind kind)
{
  return n && n->kind == kind;
}

bool amo_yaml_is_null(const amo_yaml *n)
{
  if (!n) return true;
  if (n->kind != AMO_YAML_SCALAR || n->quoted) return false;
  return !n->length || strcmp(n->text, "~") == 0 || strcmp(n->text, "null") == 0;
}

amo_at amo_yaml_at(const amo_yaml *n)
{
  amo_at nowhere = {0};
  if (!n) return nowhere;
  return n->key ? n->key->at : n->at;
}

amo_status amo_yaml_expect(const amo_yaml *n, amo_yaml_kind kind, const char *what, amo_diags *d)
{
  if (!n) return amo_error(d, (amo_at){0}, NULL, "%s is missing", what);
  if (n->kind == kind && !(kind == AMO_YAML_SCALAR && amo_yaml_is_null(n))) return AMO_OK;
  if (amo_yaml_is_null(n))
    return amo_error(d, amo_yaml_at(n), NULL, "%s is empty; expected %s", what, kind_name(kind));
  return amo_error(d, n->at, NULL, "%s must be %s, not %s", what, kind_name(kind), kind_name(n->kind));
}

static const char *known_word(void *ctx, size_t i)
{
  return ((const char *const *)ctx)[i];
}

const char *amo_yaml_nearest(const char *text, const char *const *known)
{
  return amo_nearest(text, strlen(text), known_word, (void *)(size_t)known);
}

char *amo_yaml_join(const char *const *words)
{
  amo_text t = {0};
  for (size_t i = 0; words[i]; i++) {
    if (i) amo_text_str(&t, ", ");
    amo_text_str(&t, words[i]);
  }
  return amo_text_take(&t);
}

static amo_status unknown(amo_at at, const char *kind, const char *text, const char *what,
                          const char *const *known, amo_diags *d)
{
  const char *near = amo_yaml_nearest(text, known);
  if (near)
    return amo_error(d, at, NULL, "unknown %s '%s' in %s; did you mean '%s'?", kind, text, what, near);
  char *list = amo_yaml_join(known);
  amo_text hint = {0};
  amo_text_printf(&hint, "known: %s", list ? list : "");
  amo_status st = amo_error(d, at, hint.data, "unknown %s '%s' in %s", kind, text, what);
  free(list);
  amo_text_free(&hint);
  return st;
}

amo_status amo_yaml_only(const amo_yaml *map, const char *what, const char *const *known, amo_diags *d)
{
  amo_status st = AMO_OK;
  for (const amo_yaml *c = amo_yaml_is(map, AMO_YAML_MAP) ? map->first : NULL; c; c = c->next) {
    bool found = false;
    for (size_t i = 0; known[i] && !found; i++) found = strcmp(known[i], c->key->text) == 0;
    if (!found) st = unknown(c->key->at, "key", c->key->text, what, known, d);
  }
  return st;
}

enum { MOST_KEYS = 96 };

typedef struct key_list {
  const char *word[MOST_KEYS + 1];
  size_t count;
} key_list;

static int add_key(void *ctx, const char *key)
{
  key_list *l = ctx;
  for (size_t i = 0; i < l->count; i++)
    if (!strcmp(l->word[i], key)) return 0;
  if (l->count < MOST_KEYS) l->word[l->count++] = key;
  return 0;
}

amo_status amo_yaml_only_of(const amo_yaml *map, const char *what, const amo_field *table, const char *place,
                            amo_diags *d)
{
  key_list l = {.count = 0};
  amo_fields_at(table, place, add_key, &l);
  return amo_yaml_only(map, what, l.word, d);
}

amo_status amo_yaml_string(const amo_yaml *n, const char *what, amo_diags *d, const char **out)
{
  amo_status st = amo_yaml_expect(n, AMO_YAML_SCALAR, what, d);
  if (st == AMO_OK) *out = n->text;
  return st;
}

amo_status amo_yaml_bool(const amo_yaml *n, const char *what, amo_diags *d, bool *out)
{
  static const char *const words[] = {"false", "true", "no", "yes", "off", "on", NULL};
  amo_status st = amo_yaml_expect(n, AMO_YAML_SCALAR, what, d);
  if (st != AMO_OK) return st;
  for (int i = 0; words[i]; i++)
    if (strcmp(words[i], n->text) == 0) {
      *out = i % 2 == 1;
      return AMO_OK;
    }
  return amo_error(d, n->at, NULL, "%s must be true or false, not '%s'", what, n->text);
}

static const char *number_hint(const char *text)
{
  const char *word = text + strspn(text, "+-.");
  if (!strncasecmp(word, "inf", 3) || !strncasecmp(word, "nan", 3)) return "it must be finite";
  return word[0] == '0' && (word[1] == 'x' || word[1] == 'X') ? "numbers are decimal" : NULL;
}

amo_status amo_yaml_number(const amo_yaml *n, const char *what, amo_diags *d, double *out)
{
  amo_status st = amo_yaml_expect(n, AMO_YAML_SCALAR, what, d);
  if (st != AMO_OK) return st;
  double v = 0.0;
  if (strlen(n->text) != n->length || !amo_decimal(n->text, &v))
    return amo_error(d, n->at, number_hint(n->text), "%s must be a number, not '%s'", what, n->text);
  if (!isfinite(v))
    return amo_error(d, n->at, "the largest number is about 1.8e308", "%s is too large: '%s'", what, n->text);
  *out = v;
  return AMO_OK;
}

amo_status amo_yaml_integer(const amo_yaml *n, const char *what, amo_diags *d, long *out)
{
  amo_status st = amo_yaml_expect(n, AMO_YAML_SCALAR, what, d);
  if (st != AMO_OK) return st;
  char *end = NULL;
  errno = 0;
  long v = strspn(n->text, "+-0123456789") == n->length ? strtol(n->text, &end, 10) : 0;
  if (!end || end == n->text || *end || errno == ERANGE)
    return amo_error(d, n->at, NULL, "%s must be a whole number, not '%s'", what, n->text);
  *out = v;
  return AMO_OK;
}

amo_status amo_yaml_choice(const amo_yaml *n, const char *what, const char *const *words, amo_diags *d,
                           int *out)
{
  amo_status st = amo_yaml_expect(n, AMO_YAML_SCALAR, what, d);
  if (st != AMO_OK) return st;
  for (int i = 0; words[i]; i++)
    if (strcmp(words[i], n->text) == 0) {
      *out = i;
      return AMO_OK;
    }
  return unknown(n->at, "value", n->text, what, words, d);
}
