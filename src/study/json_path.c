// SPDX-License-Identifier: Apache-2.0
#include "study/json_path.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "expr/parse.h"

static bool word_char(char c)
{
  return isalnum((unsigned char)c) || c == '_' || c == '\'' || (unsigned char)c >= 0x80;
}

/// A key ends where the text cannot continue it: "x" does not match the beginning of "xmax".
static bool key_matches(const char *key, const char *text, size_t *length)
{
  size_t n = strlen(key);
  if (!n || strncmp(key, text, n) != 0) return false;
  if (word_char(text[n]) && word_char(key[n - 1])) return false;
  if (text[n] == '\'') return false;
  *length = n;
  return true;
}

static const cJSON *longest_key(const cJSON *object, const char *text, size_t *length)
{
  const cJSON *best = NULL, *c = NULL;
  *length = 0;
  cJSON_ArrayForEach(c, object)
  {
    size_t n = 0;
    if (c->string && key_matches(c->string, text, &n) && n > *length) {
      best = c;
      *length = n;
    }
  }
  return best;
}

static const cJSON *start(const amo_json_path *p, const char *text, size_t *n)
{
  const cJSON *place[3] = {p->root, p->aliases, p->only};
  for (int i = 0; i < 3; i++) {
    const cJSON *node = place[i] ? longest_key(place[i], text, n) : NULL;
    // `mean(...)` is the function, though a result may have a key `mean`.
    if (node && !(i == 2 && text[*n] == '(')) return node;
  }
  *n = 0;
  return NULL;
}

size_t amo_json_path_starts(const amo_json_path *p, const char *text)
{
  size_t n = 0;
  start(p, text, &n);
  return n;
}

const cJSON *amo_json_path_top(const amo_json_path *p, const char *text)
{
  size_t n = 0;
  const cJSON *node = start(p, text, &n), *c = NULL;
  if (!node) return NULL;
  cJSON_ArrayForEach(c, p->only) if (c == node) return p->only;
  return node;
}

typedef struct walk {
  const amo_json_path *p;
  const char *text;
  size_t pos;
  amo_at at;
  amo_diags *diags;
} walk;

static amo_at here(const walk *w, size_t pos, size_t length)
{
  amo_at at = w->at;
  at.column += (int)pos;
  at.length = length ? (int)length : 1;
  return at;
}

static const char *object_key(void *ctx, size_t i)
{
  const cJSON *c = cJSON_GetArrayItem((const cJSON *)ctx, (int)i);
  return c ? c->string : NULL;
}

static amo_status no_key(walk *w, const cJSON *object, size_t from)
{
  size_t n = 0;
  while (word_char(w->text[from + n])) n++;
  const char *near = n ? amo_nearest(w->text + from, n, object_key, (void *)(size_t)object) : NULL;
  amo_text hint = {0};
  amo_text_str(&hint, "there is:");
  const cJSON *c = NULL;
  cJSON_ArrayForEach(c, object) if (c->string && hint.size < 400)
  {
    amo_text_str(&hint, " ");
    amo_text_safe(&hint, c->string, strlen(c->string));
  }
  amo_at at = here(w, from, n);
  amo_status st = near ? amo_error(w->diags, at, hint.data, "no '%.*s' here; did you mean '%s'?", (int)n,
                                   w->text + from, near)
                       : amo_error(w->diags, at, hint.data, "no '%.*s' here", (int)n, w->text + from);
  amo_text_free(&hint);
  w->pos = from + n;
  return st;
}

static amo_status quoted_key(walk *w, const cJSON **node)
{
  char quote = w->text[w->pos];
  const char *start = w->text + w->pos + 1, *end = strchr(start, quote);
  if (!end) return amo_error(w->diags, here(w, w->pos, 1), NULL, "the quote is not closed");
  const cJSON *c = NULL, *found = NULL;
  size_t n = (size_t)(end - start);
  cJSON_ArrayForEach(c, *node) if (c->string && strlen(c->string) == n && strncmp(c->string, start, n) == 0)
      found = c;
  w->pos += n + 2;
  if (!found)
    return amo_error(w->diags, here(w, w->pos - n - 2, n + 2), NULL, "no '%.*s' here", (int)n, start);
  *node = found;
  return AMO_OK;
}

/// `accelerations.x` for x'': there is no other x in that group.
static const cJSON *acceleration(const cJSON *object, const char *text, size_t *length)
{
  const cJSON *c = NULL;
  if (!object->string || strcmp(object->string, "accelerations") != 0) return NULL;
  cJSON_ArrayForEach(c, object)
  {
    size_t n = c->string ? strlen(c->string) : 0;
    if (n < 3 || strcmp(c->string + n - 2, "''") != 0) continue;
    if (strncmp(text, c->string, n - 2) != 0 || word_char(text[n - 2]) || text[n - 2] == '[') continue;
    *length = n - 2;
    return c;
  }
  return NULL;
}

/// `contact.T.L` for contact.contacts.T.L.
static const cJSON *in_contacts(const cJSON *object, const char *text, size_t *length)
{
  const cJSON *group = cJSON_GetObjectItemCaseSensitive(object, "contacts");
  return cJSON_IsObject(group) ? longest_key(group, text, length) : NULL;
}

/// `solutions.length`: how many items a list has.
static bool step_length(walk *w, const cJSON **node)
{
  static const char *const word[] = {"length", "count", "size", "len"};
  const char *text = w->text + w->pos + 1;
  for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
    size_t n = strlen(word[i]);
    if (strncmp(text, word[i], n) != 0 || word_char(text[n])) continue;
    cJSON *number = cJSON_CreateNumber(cJSON_GetArraySize(*node));
    if (!number) return false;
    cJSON_AddItemToArray(w->p->scratch, number);
    *node = number;
    w->pos += n + 1;
    return true;
  }
  return false;
}

static amo_status step_key(walk *w, const cJSON **node)
{
  size_t from = w->pos + 1, n = 0;
  if (cJSON_IsArray(*node) && step_length(w, node)) return AMO_OK;
  if (!cJSON_IsObject(*node))
    return amo_error(w->diags, here(w, w->pos, 1), NULL, "there is nothing inside this: it is %s",
                     cJSON_IsArray(*node) ? "a list (use [index])" : "a single value");
  w->pos = from;
  if (w->text[from] == '"') return quoted_key(w, node);
  const cJSON *c = longest_key(*node, w->text + from, &n);
  if (!c) c = acceleration(*node, w->text + from, &n);
  if (!c) c = in_contacts(*node, w->text + from, &n);
  if (!c) return no_key(w, *node, from);
  w->pos = from + n;
  *node = c;
  return AMO_OK;
}

static cJSON *new_list(const walk *w)
{
  cJSON *list = cJSON_CreateArray();
  if (list) cJSON_AddItemToArray(w->p->scratch, list);
  return list;
}

static void add_reference(cJSON *list, const cJSON *item)
{
  cJSON_AddItemReferenceToArray(list, (cJSON *)(size_t)item);
}

/// The rest of the path, applied to every item: events[*].t is the list of all times.
static amo_status spread(walk *w, const cJSON *list, const cJSON **node);

static bool equals_text(const cJSON *c, const char *value, size_t n)
{
  const char *text = cJSON_IsString(c)  ? c->valuestring
                     : cJSON_IsTrue(c)  ? "true"
                     : cJSON_IsFalse(c) ? "false"
                                        : NULL;
  if (text) return strlen(text) == n && strncmp(text, value, n) == 0;
  if (!cJSON_IsNumber(c)) return false;
  static const struct {
    const char *word;
    double mode;
  } modes[] = {{"stick", 0}, {"slip+", 1}, {"slip-", -1}};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (n == strlen(modes[i].word) && !strncmp(value, modes[i].word, n))
      return c->valuedouble == modes[i].mode;
  if (n == 4 && !strncmp(value, "slip", 4)) return c->valuedouble != 0.0;
  char *end = NULL;
  double x = strtod(value, &end);
  return end == value + n && c->valuedouble == x;
}

static amo_status step_filter(walk *w, const char *body, size_t n, const cJSON **node)
{
  const char *eq = memchr(body, '=', n);
  size_t nk = (size_t)(eq - body), nv = n - nk - 1;
  const char *value = eq + 1;
  cJSON *list = new_list(w);
  const cJSON *item = NULL, *c = NULL;
  cJSON_ArrayForEach(item, *node) cJSON_ArrayForEach(c, item)
  {
    if (!c->string || strlen(c->string) != nk || strncmp(c->string, body, nk) != 0) continue;
    if (equals_text(c, value, nv)) add_reference(list, item);
  }
  *node = list;
  return list ? AMO_OK : AMO_ENOMEM;
}

static amo_status step_slice(walk *w, const char *body, const cJSON **node)
{
  int size = cJSON_GetArraySize(*node);
  char *end = NULL;
  long from = strtol(body, &end, 10);
  if (*end != ':')
    return amo_error(w->diags, here(w, w->pos + 1, 1), NULL,
                     "a range of items is [first:end], both whole numbers");
  long to = end[1] == ']' ? size : strtol(end + 1, NULL, 10);
  if (from < 0) from += size;
  if (to < 0) to += size;
  cJSON *list = new_list(w);
  const cJSON *item = NULL;
  long i = 0;
  cJSON_ArrayForEach(item, *node)
  {
    if (i >= from && i < to) add_reference(list, item);
    i++;
  }
  *node = list;
  return list ? AMO_OK : AMO_ENOMEM;
}

/// `solutions[chosen]`: an index that is itself a number of the result.
static bool step_number(walk *w, const char *body, size_t n, long *i)
{
  size_t used = 0;
  const cJSON *node = NULL;
  if (!word_char(*body) || n > 200) return false;  // nested brackets nest calls
  amo_status st = amo_json_path_follow(w->p, body, here(w, w->pos + 1, n), w->diags, &used, &node);
  if (st != AMO_OK || used != n || !cJSON_IsNumber(node)) return false;
  *i = (long)node->valuedouble;
  return true;
}

static amo_status step_item(walk *w, const char *body, size_t n, const cJSON **node)
{
  char *end = NULL;
  long i = strtol(body, &end, 10), size = cJSON_GetArraySize(*node);
  if (end == body && step_number(w, body, n, &i)) end = (char *)(size_t)body + n;
  if (end != body + n)
    return amo_error(w->diags, here(w, w->pos + 1, n),
                     "an index is a whole number, [*], [1:3] or [key=value]", "cannot read the index '%.*s'",
                     (int)n, body);
  long k = i < 0 ? i + size : i;
  if (k < 0 || k >= size)
    return amo_error(w->diags, here(w, w->pos + 1, n), NULL,
                     "index %ld is outside the list, which has %ld item%s", i, size, size == 1 ? "" : "s");
  *node = cJSON_GetArrayItem(*node, (int)k);
  return AMO_OK;
}

static amo_status step_index(walk *w, const cJSON **node, bool *spreading)
{
  const char *body = w->text + w->pos + 1, *close = strchr(body, ']');
  size_t start = w->pos;
  if (!close) return amo_error(w->diags, here(w, start, 1), NULL, "the bracket is not closed");
  size_t n = (size_t)(close - body);
  amo_status st = AMO_OK;
  if (!cJSON_IsArray(*node))
    st = amo_error(w->diags, here(w, start, n + 2), NULL, "this is not a list and has no items");
  else if (n == 1 && *body == '*')
    *spreading = true;
  else if (memchr(body, '=', n))
    st = step_filter(w, body, n, node);
  else if (memchr(body, ':', n))
    st = step_slice(w, body, node);
  else
    st = step_item(w, body, n, node);
  w->pos = start + n + 2;
  return st;
}

static bool continues(const walk *w)
{
  char c = w->text[w->pos];
  return c == '[' || (c == '.' && (word_char(w->text[w->pos + 1]) || w->text[w->pos + 1] == '"'));
}

static amo_status follow(walk *w, const cJSON **node)
{
  while (continues(w)) {
    bool spreading = false, slice = false;
    const char *close = w->text[w->pos] == '[' ? strchr(w->text + w->pos, ']') : NULL;
    if (close)
      slice = memchr(w->text + w->pos, ':', (size_t)(close - w->text) - w->pos) ||
              memchr(w->text + w->pos, '=', (size_t)(close - w->text) - w->pos);
    amo_status st = w->text[w->pos] == '.' ? step_key(w, node) : step_index(w, node, &spreading);
    if (st != AMO_OK) return st;
    if (spreading || (slice && w->text[w->pos] == '.')) return spread(w, *node, node);
  }
  return AMO_OK;
}

static amo_status spread(walk *w, const cJSON *list, const cJSON **node)
{
  cJSON *out = new_list(w);
  size_t start = w->pos;
  const cJSON *item = NULL;
  cJSON_ArrayForEach(item, list)
  {
    const cJSON *leaf = item;
    w->pos = start;
    amo_status st = follow(w, &leaf);
    if (st != AMO_OK) return st;
    add_reference(out, leaf);
  }
  // An empty list leaves the path unread; step over it by its characters.
  if (w->pos == start)
    while (word_char(w->text[w->pos]) || (w->text[w->pos] && strchr(".[]", w->text[w->pos]))) w->pos++;
  *node = out;
  return out ? AMO_OK : AMO_ENOMEM;
}

amo_status amo_json_path_follow(const amo_json_path *p, const char *text, amo_at at, amo_diags *diags,
                                size_t *used, const cJSON **out)
{
  walk w = {p, text, 0, at, diags};
  const cJSON *node = start(p, text, &w.pos);
  amo_status st = node ? follow(&w, &node) : no_key(&w, p->root, 0);
  *used = w.pos;
  if (st == AMO_OK) *out = node;
  return st;
}
