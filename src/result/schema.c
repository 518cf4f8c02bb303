// SPDX-License-Identifier: Apache-2.0
// Tables of fields as JSON Schema (draft 7).
#include <string.h>

#include "base/text.h"
#include "result/fields.h"

static cJSON *inner(cJSON *node, const char *key)
{
  cJSON *o = cJSON_GetObjectItemCaseSensitive(node, key);
  return o ? o : cJSON_AddObjectToObject(node, key);
}

/// Schema of one part of a path: a key with its brackets left off.
static cJSON *of_key(cJSON *node, const char *key, size_t n)
{
  amo_text t = {0};
  const char *number = memchr(key, '#', n);
  if (amo_field_is_name(key, n)) return inner(node, "additionalProperties");
  if (number)
    amo_text_printf(&t, "^%.*s[0-9]+$", (int)(number - key), key);
  else
    amo_text_add(&t, key, n);
  cJSON *of = t.data ? inner(inner(node, number ? "patternProperties" : "properties"), t.data) : NULL;
  amo_text_free(&t);
  return of;
}

/// Schema of what a path leads to; *parent and *key: where its last key stands, NULL if it is an item.
static cJSON *of_path(cJSON *root, const char *path, cJSON **parent, const char **key)
{
  cJSON *node = root;
  for (const char *p = path; node && *p;) {
    size_t n = strcspn(p, ".[");
    if (n) {
      *parent = node, *key = p;
      node = of_key(node, p, n);
      p += n;
    }
    for (; node && !strncmp(p, "[]", 2); p += 2) {
      node = inner(node, "items");
      *key = NULL;
    }
    p += *p == '.';
  }
  return node;
}

static void add_word(cJSON *list, const char *word, size_t n)
{
  amo_text t = {0};
  amo_text_add(&t, word, n);
  if (t.data) cJSON_AddItemToArray(list, cJSON_CreateString(t.data));
  amo_text_free(&t);
}

static void set_words(cJSON *node, const amo_field *f)
{
  cJSON *list = cJSON_AddArrayToObject(node, "enum");
  for (const char *p = f->words; p && *p; p += strcspn(p, "|"), p += *p == '|')
    add_word(list, p, strcspn(p, "|"));
  for (int mode = -1; !f->words && mode < 2; mode++) cJSON_AddItemToArray(list, cJSON_CreateNumber(mode));
  if (!f->words) cJSON_AddItemToArray(list, cJSON_CreateString("open"));
  if (amo_field_may_be(f, "null")) cJSON_AddItemToArray(list, cJSON_CreateNull());
}

static void set_type(cJSON *node, const amo_field *f)
{
  static const char *const ours[] = {"number", "integer", "text", "boolean", "list", "group", "null"};
  static const char *const theirs[] = {"number", "integer", "string", "boolean", "array", "object", "null"};
  const bool vector = amo_field_may_be(f, "vector");          // a list of two or three
  const bool expression = amo_field_may_be(f, "expression");  // a scalar of YAML, whatever it looks like
  if (cJSON_HasObjectItem(node, "type") || cJSON_HasObjectItem(node, "enum") || amo_field_may_be(f, "any"))
    return;
  if (amo_field_may_be(f, "word") || amo_field_may_be(f, "mode")) {
    set_words(node, f);
    return;
  }
  cJSON *list = cJSON_AddArrayToObject(node, "type");
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
    if (amo_field_may_be(f, ours[i]) || (expression && (i == 0 || i == 2 || i == 3)) || (vector && i == 4))
      cJSON_AddItemToArray(list, cJSON_CreateString(theirs[i]));
  if (!vector) return;
  cJSON_AddNumberToObject(node, "minItems", 2);
  cJSON_AddNumberToObject(node, "maxItems", 3);
}

static int add_field(void *ctx, const char *path, const amo_field *f)
{
  cJSON *parent = NULL;
  const char *key = NULL;
  cJSON *node = of_path(ctx, path, &parent, &key);
  if (!node) return 1;
  set_type(node, f);
  if (!cJSON_HasObjectItem(node, "description")) cJSON_AddStringToObject(node, "description", f->doc);
  if (f->unit && *f->unit && !cJSON_HasObjectItem(node, "unit"))
    cJSON_AddStringToObject(node, "unit", f->unit);
  if (*f->type == '?' || !key || amo_field_is_name(key, strlen(key)) || strchr(key, '#')) return 0;
  cJSON *required = cJSON_GetObjectItemCaseSensitive(parent, "required");
  if (!required) required = cJSON_AddArrayToObject(parent, "required");
  cJSON_AddItemToArray(required, cJSON_CreateString(key));
  return 0;
}

/// Nothing else may stand in a group, but perhaps the reasons of what is null.
static void close_groups(cJSON *node, bool reasons)
{
  cJSON *c = NULL;
  if (cJSON_HasObjectItem(node, "properties")) {
    if (reasons)
      cJSON_AddStringToObject(inner(inner(node, "patternProperties"), "_reason$"), "type", "string");
    if (!cJSON_HasObjectItem(node, "additionalProperties"))
      cJSON_AddFalseToObject(node, "additionalProperties");
  }
  cJSON_ArrayForEach(c, node) if (cJSON_IsObject(c)) close_groups(c, reasons);
}

cJSON *amo_fields_schema(const char *title, const amo_field *table, bool reasons)
{
  cJSON *root = cJSON_CreateObject();
  cJSON_AddStringToObject(root, "$schema", "http://json-schema.org/draft-07/schema#");
  cJSON_AddStringToObject(root, "title", title);
  cJSON_AddStringToObject(root, "type", "object");
  amo_fields_each(table, add_field, root);
  close_groups(root, reasons);
  return root;
}

cJSON *amo_result_schema(const char *verb)
{
  const amo_field *table = amo_result_fields(verb);
  amo_text title = {0};
  if (!table) return NULL;
  amo_text_printf(&title, "Answer of amontons %s", verb);
  cJSON *root = amo_fields_schema(title.data ? title.data : "", table, true);
  amo_text_free(&title);
  return root;
}

// ---- as a list, for other languages ----

static int list_field(void *ctx, const char *path, const amo_field *f)
{
  cJSON *o = cJSON_CreateObject();
  const bool optional = *f->type == '?';
  cJSON_AddStringToObject(o, "path", path);
  cJSON_AddStringToObject(o, "type", f->type + optional);
  if (f->unit && *f->unit) cJSON_AddStringToObject(o, "unit", f->unit);
  cJSON_AddStringToObject(o, "doc", f->doc);
  if (f->words) cJSON_AddStringToObject(o, "words", f->words);
  if (optional) cJSON_AddTrueToObject(o, "optional");
  cJSON_AddItemToArray(ctx, o);
  return 0;
}

cJSON *amo_fields_json(const amo_field *table)
{
  cJSON *list = cJSON_CreateArray();
  if (table) amo_fields_each(table, list_field, list);
  return list;
}
