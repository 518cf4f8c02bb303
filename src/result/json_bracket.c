// SPDX-License-Identifier: Apache-2.0
/// Brackets of a path: [3], [-1], [chosen], [*], [1:4] and filters [key=value], [t>=5]. Every character is
/// understood or the path is a mistake: an item that is not found and a filter that is not read look the same
/// to an expectation that asks for none.
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "result/json_path_impl.h"
#include "result/fields.h"

/// A number of a filter is met to this part of itself, as `==` is in expectations.
#define FILTER_TOLERANCE 1e-8

typedef struct filter {
  const char *key, *value;
  size_t key_length, value_length;
  char op[3];    // =, !=, <, <=, >, >=
  bool quoted;   // the value stands in quotes: a text
  bool numeric;  // the value is a number
  double number;
  size_t key_pos, value_pos;  // in the path
} filter;

/// The bracket that closes the one at text[0]; names may hold brackets of their own (`belt[2]`).
static const char *closing(const char *text)
{
  int depth = 0;
  bool quoted = false;
  for (const char *p = text; *p; p++) {
    if (*p == '"') quoted = !quoted;
    if (quoted) continue;
    if (*p == '[') depth++;
    if (*p == ']' && --depth == 0) return p;
  }
  return NULL;
}

static const char *find_outside(const char *body, size_t n, const char *set)
{
  bool quoted = false;
  for (const char *p = body; p < body + n; p++) {
    if (*p == '"') quoted = !quoted;
    if (!quoted && strchr(set, *p)) return p;
  }
  return NULL;
}

static void trim(const char **from, size_t *n)
{
  while (*n && isspace((unsigned char)**from)) (*from)++, (*n)--;
  while (*n && isspace((unsigned char)(*from)[*n - 1])) (*n)--;
}

// ---- reading a filter ----

static amo_status not_a_filter(const amo_json_walk *w, size_t pos, size_t n, const char *what)
{
  return amo_error(w->diags, amo_walk_at(w, pos, n),
                   "a filter is [key=value], [key!=value], [key<number], [key>=number] ...",
                   "cannot read the filter: %s", what);
}

static amo_status read_filter(const amo_json_walk *w, const char *body, size_t n, filter *f)
{
  const char *op = find_outside(body, n, "=<>!");
  size_t pos = w->pos + 1, length = op + 1 < body + n && op[1] == '=' ? 2 : 1;
  if (*op == '!' && length == 1) return not_a_filter(w, pos + (size_t)(op - body), 1, "'!' without '='");
  *f = (filter){.key = body, .key_length = (size_t)(op - body), .value = op + length};
  f->value_length = (size_t)(body + n - f->value);
  memcpy(f->op, op, length);
  if (!strcmp(f->op, "==")) f->op[1] = 0;
  trim(&f->key, &f->key_length);
  trim(&f->value, &f->value_length);
  f->key_pos = pos + (size_t)(f->key - body);
  f->value_pos = pos + (size_t)(f->value - body);
  if (!f->key_length) return not_a_filter(w, pos, n, "it names no key");
  f->quoted = f->value_length >= 2 && f->value[0] == '"' && f->value[f->value_length - 1] == '"';
  if (f->quoted) f->value++, f->value_length -= 2;
  if (!f->value_length) return not_a_filter(w, pos, n, "it names no value");
  if (find_outside(f->value, f->value_length, "=<>!\"&|"))
    return not_a_filter(w, f->value_pos, f->value_length, "one comparison stands in one pair of brackets");
  char text[64];
  if (!f->quoted && f->value_length < sizeof text) {
    memcpy(text, f->value, f->value_length);
    text[f->value_length] = 0;
    f->numeric = amo_decimal(text, &f->number) && isfinite(f->number);
  }
  return AMO_OK;
}

/// The value of the filter's key in an item; NULL if it has none.
static const cJSON *key_of(const amo_json_walk *w, const filter *f, const cJSON *item)
{
  amo_json_walk inner = *w;
  const cJSON *node = item;
  inner.diags = NULL;
  inner.pos = f->key_pos;
  if (!cJSON_IsObject(item) || amo_walk_keys(&inner, &node) != AMO_OK) return NULL;
  return inner.pos == f->key_pos + f->key_length ? node : NULL;
}

// ---- does an item pass? ----

static bool is_word(const filter *f, const char *word)
{
  return strlen(word) == f->value_length && !strncmp(word, f->value, f->value_length);
}

/// A mode as a word: the numbers it stands for; false if the value is no such word.
static bool mode_word(const filter *f, double x, bool *same)
{
  static const struct {
    const char *word;
    double mode;
  } modes[] = {{"stick", 0}, {"slip+", 1}, {"slip-", -1}};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (is_word(f, modes[i].word)) {
      *same = x == modes[i].mode;
      return true;
    }
  *same = is_word(f, "slip") && x != 0.0;
  return is_word(f, "slip") || is_word(f, "open");
}

static bool orders(const filter *f)
{
  return f->op[0] == '<' || f->op[0] == '>';
}

/// Can a value of this kind be compared with the filter's? *pass: is it what the filter asks for?
static bool compares(const filter *f, const cJSON *c, bool *pass)
{
  bool same = false;
  *pass = false;
  if (cJSON_IsNull(c)) {
    same = is_word(f, "null") && !f->quoted;
    *pass = !orders(f) && same == (f->op[0] == '=');
    return !orders(f) && (same || f->op[0] == '=');
  }
  if (cJSON_IsNumber(c) && f->numeric && orders(f)) {
    const double x = c->valuedouble, y = f->number;
    *pass = f->op[0] == '<' ? (f->op[1] ? x <= y : x < y) : (f->op[1] ? x >= y : x > y);
    return true;
  }
  if (orders(f)) return false;
  if (cJSON_IsNumber(c) && f->numeric)
    same = fabs(c->valuedouble - f->number) <= FILTER_TOLERANCE * fabs(f->number);
  else if (cJSON_IsNumber(c) && (f->quoted || !mode_word(f, c->valuedouble, &same)))
    return false;
  else if (cJSON_IsString(c))
    same = is_word(f, c->valuestring);
  else if (cJSON_IsBool(c) && (is_word(f, "true") || is_word(f, "false")))
    same = cJSON_IsTrue(c) == is_word(f, "true");
  else if (!cJSON_IsNumber(c))
    return is_word(f, "null");  // groups are not null
  *pass = same == (f->op[0] == '=');
  return true;
}

// ---- is the filter one that items of this list can pass? ----

static bool names_contact(const cJSON *result, const filter *f)
{
  static const char *const group[] = {"contacts", "stick_fraction", "modes", "start"};
  if (cJSON_IsArray(result)) result = result->child;
  const cJSON *place[2] = {result, cJSON_GetObjectItemCaseSensitive(result, "final")}, *c = NULL;
  for (size_t i = 0; i < 2; i++)
    for (size_t k = 0; k < sizeof group / sizeof *group; k++)
      cJSON_ArrayForEach(c, cJSON_GetObjectItemCaseSensitive(
                                place[i], group[k])) if (c->string && is_word(f, c->string)) return true;
  return false;
}

/// Key of the filter that no item has.
static amo_status unknown_key(const amo_json_walk *w, const filter *f)
{
  const cJSON *item = w->whole ? w->whole->child : NULL;
  amo_at at = amo_walk_at(w, f->key_pos, f->key_length);
  if (item && !cJSON_IsObject(item))
    return amo_error(w->diags, at, NULL, "items of this list are single values and have no keys");
  if (item) {
    amo_json_walk inner = *w;
    inner.pos = f->key_pos;
    return amo_walk_keys(&inner, &item) == AMO_OK
               ? amo_error(w->diags, at, NULL, "'%.*s' is no key of the items", (int)f->key_length, f->key)
               : AMO_EINPUT;
  }
  size_t n = 0;
  while (n < f->key_length && f->key[n] != '.') n++;
  return amo_walk_item_key(w, f->key_pos, n);
}

static char *words_of(const amo_json_walk *w, const char *key)
{
  amo_text path = {0};
  amo_text_printf(&path, "%s.%s", w->list ? w->list : "", key);
  char *words = path.data ? amo_path_words(path.data) : NULL;
  amo_text_free(&path);
  return words;
}

/// A text that no item has must at least be one that items can have.
static amo_status unknown_value(const amo_json_walk *w, const filter *f)
{
  amo_text there = {0};
  const cJSON *item = NULL;
  char key[64] = "";
  if (f->key_length < sizeof key) memcpy(key, f->key, f->key_length);
  if (!f->quoted && is_word(f, "null")) return AMO_OK;
  if (!strcmp(key, "contact") && names_contact(w->top, f)) return AMO_OK;
  char *words = words_of(w, key);
  if ((words && amo_words_have(words, f->value, f->value_length)) ||
      (!words && !w->whole->child && strcmp(key, "contact") != 0)) {
    free(words);
    return AMO_OK;
  }
  amo_text_str(&there, "there is:");
  cJSON_ArrayForEach(item, w->whole)
  {
    const cJSON *c = key_of(w, f, item);
    if (!cJSON_IsString(c) || there.size > 300 || (there.data && strstr(there.data, c->valuestring)))
      continue;
    amo_text_str(&there, " ");
    amo_text_safe(&there, c->valuestring, strlen(c->valuestring));
  }
  amo_status st =
      amo_error(w->diags, amo_walk_at(w, f->value_pos, f->value_length), there.size > 9 ? there.data : words,
                "no item can have %s = '%.*s'", key, (int)f->value_length, f->value);
  amo_text_free(&there);
  free(words);
  return st;
}

/// A real number is hardly ever met by what somebody has typed.
static amo_status missed_number(const amo_json_walk *w, const filter *f, double nearest)
{
  if (f->number == floor(f->number) || isnan(nearest)) return AMO_OK;
  return amo_error(w->diags, amo_walk_at(w, f->value_pos, f->value_length), "for a range write  [t>1][t<2]",
                   "no item has %.*s = %.*s; the nearest has %.12g", (int)f->key_length, f->key,
                   (int)f->value_length, f->value, nearest);
}

typedef struct tally {  // what the filter has met in the whole list
  size_t keys, comparable, equal;
  bool texts;
  double nearest;
} tally;

static tally take_stock(const amo_json_walk *w, const filter *f)
{
  tally t = {.nearest = NAN};
  const cJSON *item = NULL;
  cJSON_ArrayForEach(item, w->whole)
  {
    const cJSON *c = key_of(w, f, item);
    bool pass = false;
    if (!c) continue;
    t.keys++;
    t.texts |= cJSON_IsString(c);
    if (!compares(f, c, &pass)) continue;
    t.comparable++;
    t.equal += pass == (f->op[0] != '!');
    if (cJSON_IsNumber(c) && f->numeric && !(fabs(c->valuedouble - f->number) >= fabs(t.nearest - f->number)))
      t.nearest = c->valuedouble;
  }
  return t;
}

static amo_status check_filter(const amo_json_walk *w, const filter *f)
{
  const tally t = take_stock(w, f);
  if (!t.keys) {
    amo_status st = unknown_key(w, f);
    if (st != AMO_OK || w->whole->child) return st;
  }
  if (t.keys && !t.comparable)
    return amo_error(w->diags, amo_walk_at(w, f->value_pos, f->value_length), NULL,
                     "'%.*s' cannot be compared with '%.*s'", (int)f->key_length, f->key,
                     (int)f->value_length, f->value);
  if (orders(f) && !f->numeric)
    return not_a_filter(w, f->value_pos, f->value_length, "an order needs a number");
  if (t.equal || orders(f)) return AMO_OK;
  if (f->numeric) return missed_number(w, f, t.nearest);
  const bool open = is_word(f, "open");  // of modes, which are numbers and this word
  return (t.texts && !open) || !t.keys ? unknown_value(w, f) : AMO_OK;
}

static amo_status step_filter(amo_json_walk *w, const char *body, size_t n, const cJSON **node)
{
  filter f;
  const cJSON *item = NULL;
  if (!w->whole) w->whole = *node;
  amo_status st = read_filter(w, body, n, &f);
  if (st == AMO_OK) st = check_filter(w, &f);
  if (st != AMO_OK) return st;
  cJSON *list = amo_walk_list(w);
  cJSON_ArrayForEach(item, *node)
  {
    const cJSON *c = key_of(w, &f, item);
    bool pass = false;
    if (c && compares(&f, c, &pass) && pass) amo_walk_refer(list, item);
  }
  *node = list;
  return list ? AMO_OK : AMO_ENOMEM;
}

// ---- ranges and indices ----

/// A whole number, all of text[0..n); `absent` where it is left out.
static bool whole_number(const char *text, size_t n, long absent, long *out)
{
  char copy[24], *end = NULL;
  trim(&text, &n);
  *out = absent;
  if (!n) return true;
  if (n >= sizeof copy || !(isdigit((unsigned char)*text) || (*text == '-' && n > 1))) return false;
  memcpy(copy, text, n);
  copy[n] = 0;
  *out = strtol(copy, &end, 10);
  return !*end && labs(*out) < 1000000000L;
}

static amo_status step_slice(amo_json_walk *w, const char *body, size_t n, const cJSON **node)
{
  const long size = cJSON_GetArraySize(*node);
  const char *colon = memchr(body, ':', n);
  long from = 0, to = 0, i = 0;
  if (!whole_number(body, (size_t)(colon - body), 0, &from) ||
      !whole_number(colon + 1, (size_t)(body + n - colon - 1), size, &to))
    return amo_error(w->diags, amo_walk_at(w, w->pos + 1, n), NULL,
                     "a range of items is [first:end], both whole numbers");
  if (from < 0) from += size;
  if (to < 0) to += size;
  if (from < 0 || to > size || from > to)
    return amo_error(w->diags, amo_walk_at(w, w->pos + 1, n), NULL,
                     "the range '%.*s' leads out of the list, which has %ld item%s", (int)n, body, size,
                     size == 1 ? "" : "s");
  cJSON *list = amo_walk_list(w);
  const cJSON *item = NULL;
  cJSON_ArrayForEach(item, *node)
  {
    if (i >= from && i < to) amo_walk_refer(list, item);
    i++;
  }
  *node = list;
  return list ? AMO_OK : AMO_ENOMEM;
}

/// `solutions[chosen]`: an index that is itself a number of the result.
static bool step_number(const amo_json_walk *w, const char *body, size_t n, long *i)
{
  size_t used = 0;
  const cJSON *node = NULL;
  if (!amo_walk_word(*body) || n > 200) return false;  // nested brackets nest calls
  amo_status st = amo_json_path_follow(w->p, body, w->at, NULL, &used, &node);
  if (st != AMO_OK || used != n || !cJSON_IsNumber(node)) return false;
  *i = (long)fmax(fmin(node->valuedouble, 1e9), -1e9);
  return (double)*i == node->valuedouble;
}

static amo_status step_item(amo_json_walk *w, const char *body, size_t n, const cJSON **node)
{
  long i = 0, size = cJSON_GetArraySize(*node);
  const char *text = body;
  size_t length = n;
  trim(&text, &length);
  if (!length || (!whole_number(text, length, 0, &i) && !step_number(w, text, length, &i)))
    return amo_error(w->diags, amo_walk_at(w, w->pos + 1, n),
                     "an index is a whole number, [*], [1:3] or [key=value]", "cannot read the index '%.*s'",
                     (int)n, body);
  long k = i < 0 ? i + size : i;
  if (k < 0 || k >= size)
    return amo_error(w->diags, amo_walk_at(w, w->pos + 1, n), NULL,
                     "index %ld is outside the list, which has %ld item%s", i, size, size == 1 ? "" : "s");
  *node = cJSON_GetArrayItem(*node, (int)k);
  return AMO_OK;
}

amo_status amo_walk_bracket(amo_json_walk *w, const cJSON **node, bool *many)
{
  const char *body = w->text + w->pos + 1, *close = closing(body - 1);
  const size_t start = w->pos;
  if (!close) return amo_error(w->diags, amo_walk_at(w, start, 1), NULL, "the bracket is not closed");
  const size_t n = (size_t)(close - body);
  amo_status st = AMO_OK;
  if (!cJSON_IsArray(*node))
    return amo_error(w->diags, amo_walk_at(w, start, n + 2), NULL, "this is not a list and has no items");
  *many = true;
  if (n == 1 && *body == '*')
    st = AMO_OK;
  else if (find_outside(body, n, "=<>!"))
    st = step_filter(w, body, n, node);
  else if (find_outside(body, n, ":"))
    st = step_slice(w, body, n, node);
  else {
    *many = false;
    st = step_item(w, body, n, node);
  }
  w->pos = start + n + 2;
  return st;
}
