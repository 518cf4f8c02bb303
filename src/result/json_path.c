// SPDX-License-Identifier: Apache-2.0
#include "result/json_path.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "expr/parse.h"
#include "result/json_path_impl.h"
#include "result/fields.h"

bool amo_walk_word(char c)
{
  return isalnum((unsigned char)c) || c == '_' || c == '\'' || (unsigned char)c >= 0x80;
}

/// A key ends where the text cannot continue it: "x" does not match the beginning of "xmax".
static bool key_matches(const char *key, const char *text, size_t *length)
{
  size_t n = strlen(key);
  if (!n || strncmp(key, text, n) != 0) return false;
  if (amo_walk_word(text[n]) && amo_walk_word(key[n - 1])) return false;
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

amo_at amo_walk_at(const amo_json_walk *w, size_t pos, size_t length)
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

/// The group inside `object` that has such a key (`final.x` for `final.state.x`), or NULL.
static const char *group_with(const cJSON *object, const char *key, size_t n)
{
  const cJSON *group = NULL, *c = NULL;
  cJSON_ArrayForEach(group, object)
  {
    if (!cJSON_IsObject(group) || !group->string) continue;
    cJSON_ArrayForEach(c, group) if (n && strlen(c->string) == n &&
                                     !strncmp(c->string, key, n)) return group->string;
  }
  return NULL;
}

/// A key that this result does not have, but such a result may.
static amo_status absent_key(const amo_json_walk *w, const amo_field *f, size_t from, size_t n)
{
  amo_text hint = {0};
  const char *key = amo_field_key(f);
  amo_text_printf(&hint, "%s: %s; this result has none", key, f->doc);
  const bool same = strlen(key) == n && !strncmp(key, w->text + from, n);
  amo_status st = same ? amo_error(w->diags, amo_walk_at(w, from, n), hint.data, "no '%s' here", key)
                       : amo_error(w->diags, amo_walk_at(w, from, n), hint.data,
                                   "no '%.*s' here; did you mean '%s'?", (int)n, w->text + from, key);
  amo_text_free(&hint);
  return st;
}

/// What the tables of fields have for a key of `object`.
static const amo_field *in_tables(const amo_json_walk *w, const cJSON *object, size_t from, size_t n)
{
  if (!w->top || !n) return NULL;
  const char *parent = object == w->top ? NULL : object->string ? object->string : w->list;
  return amo_field_meant(w->top->string, parent, w->text + from, n);
}

static amo_status no_key(amo_json_walk *w, const cJSON *object, size_t from)
{
  size_t n = 0;
  while (amo_walk_word(w->text[from + n])) n++;
  const char *group = group_with(object, w->text + from, n);
  const char *near = n ? amo_nearest(w->text + from, n, object_key, (void *)(size_t)object) : NULL;
  const amo_field *known = group || near ? NULL : in_tables(w, object, from, n);
  amo_text hint = {0};
  if (known) {
    w->pos = from + n;
    return absent_key(w, known, from, n);
  }
  amo_text_str(&hint, "there is:");
  const cJSON *c = NULL;
  cJSON_ArrayForEach(c, object) if (c->string && hint.size < 400)
  {
    amo_text_str(&hint, " ");
    amo_text_safe(&hint, c->string, strlen(c->string));
  }
  amo_at at = amo_walk_at(w, from, n);
  amo_status st = group  ? amo_error(w->diags, at, hint.data, "no '%.*s' here; did you mean '%s.%.*s'?",
                                     (int)n, w->text + from, group, (int)n, w->text + from)
                  : near ? amo_error(w->diags, at, hint.data, "no '%.*s' here; did you mean '%s'?", (int)n,
                                     w->text + from, near)
                         : amo_error(w->diags, at, hint.data, "no '%.*s' here", (int)n, w->text + from);
  amo_text_free(&hint);
  w->pos = from + n;
  return st;
}

static amo_status quoted_key(amo_json_walk *w, const cJSON **node)
{
  char quote = w->text[w->pos];
  const char *start = w->text + w->pos + 1, *end = strchr(start, quote);
  if (!end) return amo_error(w->diags, amo_walk_at(w, w->pos, 1), NULL, "the quote is not closed");
  const cJSON *c = NULL, *found = NULL;
  size_t n = (size_t)(end - start);
  cJSON_ArrayForEach(c, *node) if (c->string && strlen(c->string) == n && strncmp(c->string, start, n) == 0)
      found = c;
  w->pos += n + 2;
  if (!found)
    return amo_error(w->diags, amo_walk_at(w, w->pos - n - 2, n + 2), NULL, "no '%.*s' here", (int)n, start);
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
    if (strncmp(text, c->string, n - 2) != 0 || amo_walk_word(text[n - 2]) || text[n - 2] == '[') continue;
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
static bool step_length(amo_json_walk *w, const cJSON **node)
{
  static const char *const word[] = {"length", "count", "size", "len"};
  const char *text = w->text + w->pos + 1;
  for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
    size_t n = strlen(word[i]);
    if (strncmp(text, word[i], n) != 0 || amo_walk_word(text[n])) continue;
    cJSON *number = cJSON_CreateNumber(cJSON_GetArraySize(*node));
    if (!number) return false;
    cJSON_AddItemToArray(w->p->scratch, number);
    *node = number;
    w->pos += n + 1;
    return true;
  }
  return false;
}

static amo_status step_key(amo_json_walk *w, const cJSON **node)
{
  size_t from = w->pos + 1, n = 0;
  if (cJSON_IsArray(*node) && step_length(w, node)) return AMO_OK;
  if (!cJSON_IsObject(*node))
    return amo_error(w->diags, amo_walk_at(w, w->pos, 1), NULL, "there is nothing inside this: it is %s",
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

// ---- lists ----

cJSON *amo_walk_list(const amo_json_walk *w)
{
  cJSON *list = cJSON_CreateArray();
  if (list) cJSON_AddItemToArray(w->p->scratch, list);
  return list;
}

void amo_walk_refer(cJSON *list, const cJSON *item)
{
  cJSON_AddItemReferenceToArray(list, (cJSON *)(size_t)item);
}

/// A list with a name was reached: what is selected from it is checked against all of it.
static void remember(amo_json_walk *w, const cJSON *node)
{
  if (!cJSON_IsArray(node) || !node->string) return;
  w->list = node->string;
  w->whole = node;
}

amo_status amo_walk_keys(amo_json_walk *w, const cJSON **node)
{
  amo_status st = AMO_OK;
  size_t n = 0;
  const cJSON *c = cJSON_IsObject(*node) ? longest_key(*node, w->text + w->pos, &n) : NULL;
  if (!c) return no_key(w, *node, w->pos);
  *node = c;
  w->pos += n;
  while (st == AMO_OK && w->text[w->pos] == '.') st = step_key(w, node);
  return st;
}

static bool continues(const amo_json_walk *w)
{
  char c = w->text[w->pos];
  return c == '[' || (c == '.' && (amo_walk_word(w->text[w->pos + 1]) || w->text[w->pos + 1] == '"'));
}

static amo_status spread(amo_json_walk *w, const cJSON *list, const cJSON **node);

/// `events[kind=jam].length`: the number of items selected, unless they have such a key themselves.
static bool counts(amo_json_walk *w, const cJSON **node)
{
  size_t n = 0;
  const cJSON *one = w->whole ? w->whole->child : NULL;
  if (w->text[w->pos] != '.' || (cJSON_IsObject(one) && longest_key(one, w->text + w->pos + 1, &n)))
    return false;
  return step_length(w, node);
}

static amo_status follow(amo_json_walk *w, const cJSON **node)
{
  while (continues(w)) {
    bool many = false;
    remember(w, *node);
    amo_status st = w->text[w->pos] == '.' ? step_key(w, node) : amo_walk_bracket(w, node, &many);
    if (st != AMO_OK) return st;
    if (many && !counts(w, node) && w->text[w->pos] == '.') return spread(w, *node, node);
  }
  return AMO_OK;
}

amo_status amo_walk_item_key(const amo_json_walk *w, size_t pos, size_t n)
{
  if (!amo_items_known(w->list))
    return amo_error(w->diags, amo_walk_at(w, pos, n), "ask for its length only",
                     "the list is empty: what its items would hold is not known");
  if (amo_items_have(w->list, w->text + pos, n)) return AMO_OK;
  char *keys = amo_items_keys(w->list);
  amo_status st = amo_error(w->diags, amo_walk_at(w, pos, n), keys, "items of '%s' have no '%.*s'", w->list,
                            (int)n, w->text + pos);
  free(keys);
  return st;
}

/// Nothing was selected: the rest of the path must still make sense, for the other items of the list or, where
/// there are none, for what its items would hold.
static amo_status read_unused(amo_json_walk *w)
{
  const cJSON *item = NULL;
  const size_t start = w->pos;
  cJSON_ArrayForEach(item, w->whole)
  {
    amo_json_walk quiet = *w;
    const cJSON *leaf = item;
    quiet.diags = NULL;
    if (follow(&quiet, &leaf) == AMO_OK) {
      w->pos = quiet.pos;
      return AMO_OK;
    }
  }
  item = w->whole ? w->whole->child : NULL;
  if (item) return follow(w, &item);
  size_t n = 0;
  while (amo_walk_word(w->text[start + 1 + n])) n++;
  amo_status st = amo_walk_item_key(w, start + 1, n);
  if (st != AMO_OK) return st;
  while (amo_walk_word(w->text[w->pos]) || (w->text[w->pos] && strchr(".[]", w->text[w->pos]))) w->pos++;
  return AMO_OK;
}

/// The rest of the path, applied to every item: events[*].t is the list of all times.
static amo_status spread(amo_json_walk *w, const cJSON *list, const cJSON **node)
{
  cJSON *out = amo_walk_list(w);
  size_t start = w->pos;
  const cJSON *item = NULL, *whole = w->whole;
  const char *name = w->list;
  if (!out) return AMO_ENOMEM;
  cJSON_ArrayForEach(item, list)
  {
    const cJSON *leaf = item;
    w->pos = start;
    w->list = name;
    w->whole = whole;
    amo_status st = follow(w, &leaf);
    if (st != AMO_OK) return st;
    amo_walk_refer(out, leaf);
  }
  *node = out;
  return list->child ? AMO_OK : read_unused(w);
}

amo_status amo_json_path_follow(const amo_json_path *p, const char *text, amo_at at, amo_diags *diags,
                                size_t *used, const cJSON **out)
{
  amo_json_walk w = {.p = p, .text = text, .at = at, .diags = diags};
  const cJSON *node = start(p, text, &w.pos);
  w.top = node;
  cJSON *child = NULL;
  cJSON_ArrayForEach(child, p->only) if (child == node) w.top = p->only;
  amo_status st = node ? follow(&w, &node) : no_key(&w, p->root, 0);
  *used = w.pos;
  if (st == AMO_OK) *out = node;
  return st;
}
