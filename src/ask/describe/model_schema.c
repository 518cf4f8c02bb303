// SPDX-License-Identifier: Apache-2.0
// JSON Schema of model files: the table of keys of the loader, and the tables of the laws.
#include "ask/describe/model_schema.h"

#include "law/law.h"
#include "model/keys.h"
#include "result/fields.h"

static cJSON *scalar(void)
{
  static const char *const kinds[] = {"number", "string", "boolean"};
  cJSON *o = cJSON_CreateObject();
  cJSON_AddItemToObject(o, "type", cJSON_CreateStringArray(kinds, 3));
  return o;
}

static cJSON *words(const char *const *word)
{
  cJSON *o = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(o, "enum");
  for (; *word; word++) cJSON_AddItemToArray(list, cJSON_CreateString(*word));
  return o;
}

static void add_doc(cJSON *o, const char *doc)
{
  cJSON_AddStringToObject(o, "description", doc);
}

static void add_group(cJSON *properties, const char *key, const amo_field *table)
{
  cJSON *one = amo_fields_schema(key, table, false);
  cJSON_DeleteItemFromObject(one, "$schema");
  cJSON_AddItemToObject(properties, key, one);
}

/// What stands in `law: {type: ...}` beside the type.
static cJSON *fields_of(const amo_law *law)
{
  static const char *const in[] = {"coefficient", "force", NULL};
  cJSON *o = cJSON_CreateObject(), *all = cJSON_AddObjectToObject(o, "properties"), *one = NULL;
  cJSON *required = cJSON_AddArrayToObject(o, "required");
  cJSON_AddTrueToObject(all, "type");
  cJSON_AddItemToObject(all, "in", one = words(in));
  add_doc(one, "are its values coefficients, multiplied by the normal force, or forces?");
  if (law->user_states) add_group(all, "states", amo_law_state_keys);
  if (law->elements) add_group(all, "elements", amo_law_element_keys);
  for (const amo_law_field *f = law->field; f->name; f++) {
    cJSON_AddItemToObject(all, f->name, one = f->words ? words(f->words) : scalar());
    add_doc(one, f->doc);
    if (f->required) cJSON_AddItemToArray(required, cJSON_CreateString(f->name));
  }
  cJSON_AddFalseToObject(o, "additionalProperties");
  return o;
}

/// A law: its type, and then the fields of that type.
static void set_law(cJSON *node)
{
  static const char *const type[] = {"type"};
  cJSON *names = cJSON_CreateArray(), *cases = cJSON_AddArrayToObject(node, "allOf"), *kind = NULL;
  for (size_t i = 0; amo_law_at(i); i++) {
    const amo_law *law = amo_law_at(i);
    cJSON *one = cJSON_CreateObject(), *test = cJSON_AddObjectToObject(one, "if");
    cJSON_AddItemToArray(names, cJSON_CreateString(law->type));
    kind = cJSON_AddObjectToObject(cJSON_AddObjectToObject(test, "properties"), "type");
    cJSON_AddStringToObject(kind, "const", law->type);
    cJSON_AddItemToObject(test, "required", cJSON_CreateStringArray(type, 1));
    cJSON_AddItemToObject(one, "then", fields_of(law));
    add_doc(one, law->formula ? law->formula : law->doc);
    cJSON_AddItemToArray(cases, one);
  }
  kind = cJSON_AddObjectToObject(cJSON_AddObjectToObject(node, "properties"), "type");
  cJSON_AddItemToObject(kind, "enum", names);
  cJSON_AddItemToObject(node, "required", cJSON_CreateStringArray(type, 1));
}

static cJSON *down(cJSON *node, const char *key)
{
  return cJSON_GetObjectItemCaseSensitive(node, key);
}

cJSON *amo_model_schema(void)
{
  cJSON *root = amo_fields_schema("Model of amontons", amo_model_keys, false);
  cJSON *contacts = down(down(down(root, "properties"), "contacts"), "additionalProperties");
  cJSON *law = down(down(contacts, "properties"), "law");
  if (law) set_law(law);
  return root;
}
