// SPDX-License-Identifier: Apache-2.0
// amontons schema: what files and answers look like, for editors and other programs.
#include <stdlib.h>
#include <string.h>

#include "ask/describe/model_schema.h"
#include "ask/options.h"
#include "cli/command.h"
#include "result/fields.h"
#include "result/json.h"
#include "study/keys.h"

/// One schema with that of every answer under `definitions`.
static cJSON *all_results(void)
{
  cJSON *root = cJSON_CreateObject(), *any = NULL, *of = NULL;
  char ref[64];
  cJSON_AddStringToObject(root, "$schema", "http://json-schema.org/draft-07/schema#");
  cJSON_AddStringToObject(root, "title", "Answers of amontons");
  any = cJSON_AddArrayToObject(root, "anyOf");
  of = cJSON_AddObjectToObject(root, "definitions");
  for (const amo_result_table *t = amo_result_tables(); t->verb; t++) {
    cJSON *one = amo_result_schema(t->verb), *link = cJSON_CreateObject();
    cJSON_DeleteItemFromObject(one, "$schema");
    cJSON_AddItemToObject(of, t->verb, one);
    snprintf(ref, sizeof ref, "#/definitions/%s", t->verb);
    cJSON_AddStringToObject(link, "$ref", ref);
    cJSON_AddItemToArray(any, link);
  }
  return root;
}

static amo_status print_schema(cJSON *schema)
{
  char *text = schema ? amo_json_print(schema) : NULL;
  if (text) fputs(text, stdout);
  cJSON_Delete(schema);
  amo_status st = text ? AMO_OK : AMO_ENOMEM;
  free(text);
  return st;
}

static amo_status print_results(const char *verb, bool markdown, amo_diags *d)
{
  if (verb && !amo_result_fields(verb))
    return amo_error(d, (amo_at){0}, "amontons --help lists them", "there is no question '%s'", verb);
  if (!markdown) return print_schema(verb ? amo_result_schema(verb) : all_results());
  if (verb) return amo_error(d, (amo_at){0}, NULL, "the document is of all questions");
  char *page = amo_fields_markdown();
  if (!page) return AMO_ENOMEM;
  fputs(page, stdout);
  free(page);
  return AMO_OK;
}

static amo_status print_what(const char *const *word, size_t words, bool markdown, amo_diags *d)
{
  if (words >= 1 && words <= 2 && !strcmp(word[0], "results"))
    return print_results(words > 1 ? word[1] : NULL, markdown, d);
  if (words == 1 && !markdown && !strcmp(word[0], "model")) return print_schema(amo_model_schema());
  if (words == 1 && !markdown && !strcmp(word[0], "study")) return print_schema(amo_study_schema());
  return amo_error(d, (amo_at){0},
                   "amontons schema model, amontons schema study, amontons schema results [VERB]",
                   "there is no such schema");
}

int amo_run_schema(const amo_cli *cli, const amo_command *self, int argc, char *const *argv)
{
  (void)cli;
  const char *word[64] = {NULL};
  size_t words = 0;
  amo_options *o = NULL;
  amo_diags *d = amo_diags_new();
  amo_status st = argc < 64 ? amo_options_from_argv(self->opts, argc, argv, d, word, &words, &o) : AMO_EINPUT;
  if (st == AMO_OK) st = print_what(word, words, !strcmp(amo_opt_text(o, "format"), "markdown"), d);
  amo_say(d, false);
  amo_options_free(o);
  amo_diags_free(d);
  return amo_finish_output(amo_exit_code(st));
}
