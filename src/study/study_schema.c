// SPDX-License-Identifier: Apache-2.0
// JSON Schema of study files: the tables of keys, the questions and their options.
#include <string.h>

#include "ask/options.h"
#include "result/fields.h"
#include "study/keys.h"

static void set_types(cJSON *o, const char *const *type, int n)
{
  cJSON_AddItemToObject(o, "type", cJSON_CreateStringArray(type, n));
}

static cJSON *refer(const char *to)
{
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "$ref", to);
  return o;
}

/// What is one word on the command line may be a mapping or a list here (ask/options_yaml.c).
static cJSON *option_schema(const amo_opt_def *d)
{
  static const char *const scalars[] = {"number", "string", "boolean", "array", "object", "null"};
  cJSON *o = cJSON_CreateObject();
  if (d->type == AMO_OPT_CHOICE) {
    cJSON *list = cJSON_AddArrayToObject(o, "enum");
    for (const char *p = d->choices; p && *p; p += strcspn(p, "|"), p += *p == '|') {
      char word[64] = "";
      strncat(word, p, strcspn(p, "|") < sizeof word ? strcspn(p, "|") : sizeof word - 1);
      cJSON_AddItemToArray(list, cJSON_CreateString(word));
    }
  } else {
    set_types(o, scalars, d->type == AMO_OPT_INTEGER || d->type == AMO_OPT_FLAG ? 3 : 6);
  }
  cJSON_AddStringToObject(o, "description", d->help);
  return o;
}

static void add_options(cJSON *properties, const amo_opt_def *d)
{
  for (; d && d->name; d++)
    if (d->type != AMO_OPT_FILE && !cJSON_HasObjectItem(properties, d->name))
      cJSON_AddItemToObject(properties, d->name, option_schema(d));
}

static cJSON *question_schema(const amo_verb *v)
{
  static const char *const kinds[] = {"object", "array", "null"};
  static const char *const settings[] = {"parameters",         "params", "initial", "initial_state",
                                         "initial_conditions", "sizes"};
  cJSON *o = cJSON_CreateObject(), *properties = NULL;
  set_types(o, kinds, 3);
  cJSON_AddStringToObject(o, "description", v->summary);
  properties = cJSON_AddObjectToObject(o, "properties");
  add_options(properties, v->opts);
  add_options(properties, amo_common_opts());
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    cJSON_AddTrueToObject(properties, settings[i]);
  cJSON_AddFalseToObject(o, "additionalProperties");
  return o;
}

/// Keys of a study or run: ours and the questions; options too where `verb: simulate` stands beside them.
static void add_questions(cJSON *node)
{
  static const char *const words[] = {"verb", "analysis", "run", "type"};
  cJSON *properties = cJSON_GetObjectItemCaseSensitive(node, "properties"), *c = NULL;
  for (const amo_verb *const *v = amo_verbs(); *v; v++)
    if (!cJSON_HasObjectItem(properties, (*v)->name)) {
      char ref[64] = "#/definitions/";
      strncat(ref, (*v)->name, sizeof ref - strlen(ref) - 1);
      cJSON_AddItemToObject(properties, (*v)->name, refer(ref));
    }
  cJSON *names = cJSON_CreateArray(), *any = cJSON_CreateArray();
  cJSON_ArrayForEach(c, properties) cJSON_AddItemToArray(names, cJSON_CreateString(c->string));
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    cJSON *one = cJSON_CreateObject();
    cJSON_AddItemToObject(one, "required", cJSON_CreateStringArray(&words[i], 1));
    cJSON_AddItemToArray(any, one);
  }
  cJSON_AddItemToObject(cJSON_AddObjectToObject(node, "if"), "anyOf", any);
  cJSON_AddTrueToObject(node, "then");
  cJSON_AddItemToObject(cJSON_AddObjectToObject(cJSON_AddObjectToObject(node, "else"), "propertyNames"),
                        "enum", names);
  cJSON_DeleteItemFromObject(node, "additionalProperties");
}

/// A figure of panels, of one panel, or a drawing; one or a list of them.
static cJSON *figures_schema(void)
{
  cJSON *o = cJSON_CreateObject(), *any = cJSON_AddArrayToObject(o, "anyOf"), *list = cJSON_CreateObject();
  cJSON_AddItemToArray(any, refer("#/definitions/any_figure"));
  cJSON_AddStringToObject(list, "type", "array");
  cJSON_AddItemToObject(list, "items", refer("#/definitions/any_figure"));
  cJSON_AddItemToArray(any, list);
  return o;
}

static void add_figures(cJSON *definitions)
{
  static const char *const kinds[] = {"figure", "panel", "drawn"};
  cJSON *all = amo_fields_schema("", amo_figure_keys, false),
        *of = cJSON_DetachItemFromObject(all, "properties");
  cJSON *one = cJSON_AddObjectToObject(definitions, "any_figure"),
        *any = cJSON_AddArrayToObject(one, "anyOf");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    char ref[64] = "#/definitions/";
    strncat(ref, kinds[i], sizeof ref - strlen(ref) - 1);
    cJSON_AddItemToArray(any, refer(ref));
    cJSON_AddItemToObject(definitions, kinds[i], cJSON_DetachItemFromObject(of, kinds[i]));
  }
  cJSON *panels = cJSON_GetObjectItemCaseSensitive(
      cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(definitions, "figure"), "properties"),
      "panels");
  cJSON_AddItemToObject(panels, "items", refer("#/definitions/panel"));
  cJSON_Delete(of);
  cJSON_Delete(all);
}

/// `studies`, `cases`: a list of studies, or a mapping.
static cJSON *several_schema(void)
{
  static const char *const kinds[] = {"object", "array"};
  cJSON *o = cJSON_CreateObject();
  set_types(o, kinds, 2);
  cJSON_AddStringToObject(o, "description", "several studies; what stands beside them holds for all");
  cJSON_AddItemToObject(o, "items", refer("#/definitions/study"));
  cJSON_AddItemToObject(o, "additionalProperties", refer("#/definitions/study"));
  return o;
}

/// A run named after its question may hold the options themselves: `runs: {limits: {vary: ...}}`.
static void add_run_names(cJSON *runs)
{
  cJSON *named = cJSON_AddObjectToObject(runs, "properties");
  for (const amo_verb *const *v = amo_verbs(); *v; v++) {
    cJSON *any = cJSON_AddArrayToObject(cJSON_AddObjectToObject(named, (*v)->name), "anyOf");
    char ref[64] = "#/definitions/";
    strncat(ref, (*v)->name, sizeof ref - strlen(ref) - 1);
    cJSON_AddItemToArray(any, refer("#/definitions/study/properties/runs/additionalProperties"));
    cJSON_AddItemToArray(any, refer(ref));
  }
}

static cJSON *study_schema(void)
{
  cJSON *study = amo_fields_schema("A study", amo_study_keys, false);
  cJSON *keys = cJSON_GetObjectItemCaseSensitive(study, "properties");
  cJSON *runs = cJSON_GetObjectItemCaseSensitive(keys, "runs");
  cJSON_DeleteItemFromObject(study, "$schema");
  cJSON_ReplaceItemInObject(keys, "figure", figures_schema());
  cJSON_ReplaceItemInObject(keys, "figures", figures_schema());
  cJSON_AddItemToObject(keys, "studies", several_schema());
  cJSON_AddItemToObject(keys, "cases", several_schema());
  add_questions(study);
  add_run_names(runs);
  add_questions(cJSON_GetObjectItemCaseSensitive(runs, "items"));
  add_questions(cJSON_GetObjectItemCaseSensitive(runs, "additionalProperties"));
  return study;
}

cJSON *amo_study_schema(void)
{
  cJSON *root = cJSON_CreateObject(), *any = NULL, *list = cJSON_CreateObject(), *definitions = NULL;
  cJSON_AddStringToObject(root, "$schema", "http://json-schema.org/draft-07/schema#");
  cJSON_AddStringToObject(root, "title", "Study of amontons");
  any = cJSON_AddArrayToObject(root, "anyOf");
  cJSON_AddItemToArray(any, refer("#/definitions/study"));
  cJSON_AddStringToObject(list, "type", "array");
  cJSON_AddItemToObject(list, "items", refer("#/definitions/study"));
  cJSON_AddItemToArray(any, list);
  definitions = cJSON_AddObjectToObject(root, "definitions");
  cJSON_AddItemToObject(definitions, "study", study_schema());
  add_figures(definitions);
  for (const amo_verb *const *v = amo_verbs(); *v; v++)
    cJSON_AddItemToObject(definitions, (*v)->name, question_schema(*v));
  return root;
}
