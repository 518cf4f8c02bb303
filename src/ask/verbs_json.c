// SPDX-License-Identifier: Apache-2.0
// The tables of the verbs as JSON.
#include "amontons/ask.h"
#include "ask/options.h"
#include "result/fields.h"
#include "result/json.h"

static const char *const type_name[] = {"flag",     "number", "integer", "text", "choice",
                                        "settings", "file",   "input",   "lines"};

static void add_text(cJSON *o, const char *key, const char *text)
{
  if (text) cJSON_AddStringToObject(o, key, text);
}

static void add_options(cJSON *list, const amo_opt_def *d)
{
  for (; d && d->name; d++) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", d->name);
    cJSON_AddStringToObject(o, "type", type_name[d->type]);
    add_text(o, "metavar", d->metavar);
    add_text(o, "default", d->fallback);
    if (d->type == AMO_OPT_CHOICE) add_text(o, "choices", d->choices);
    if (d->min != 0.0 || d->max != 0.0) {
      amo_json_add(o, "min", d->min);
      amo_json_add(o, "max", d->max);
    }
    add_text(o, "help", d->help);
    cJSON_AddItemToArray(list, o);
  }
}

char *amo_verbs_json(void)
{
  static const char *const subject[] = {"model", "model or none", "record"};
  cJSON *all = cJSON_CreateArray();
  for (const amo_verb *const *v = amo_verbs(); *v; v++) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", (*v)->name);
    cJSON_AddStringToObject(o, "summary", (*v)->summary);
    cJSON_AddStringToObject(o, "description", (*v)->description);
    add_text(o, "example", (*v)->example);
    cJSON_AddStringToObject(o, "of", subject[(*v)->subject]);
    add_text(o, "main", (*v)->main);
    cJSON *list = cJSON_AddArrayToObject(o, "options");
    add_options(list, (*v)->opts);
    add_options(list, amo_common_opts());
    cJSON_AddItemToObject(o, "fields", amo_fields_json(amo_result_fields((*v)->name)));
    cJSON_AddItemToArray(all, o);
  }
  char *text = amo_json_print(all);
  cJSON_Delete(all);
  return text;
}
