// SPDX-License-Identifier: Apache-2.0
/// A judged study as lines for a terminal and as JSON.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "result/json.h"
#include "study/run.h"
#include "result/show.h"
#include "study/study.h"

static const char *text_of(const cJSON *c, const char *key)
{
  const cJSON *v = cJSON_GetObjectItemCaseSensitive(c, key);
  return cJSON_IsString(v) ? v->valuestring : "";
}

static void put_short(const char *text, size_t most, FILE *out)
{
  enum { KEPT = 97 };
  char *cut = strlen(text) > most ? amo_strndup(text, KEPT) : NULL;
  amo_show_text(cut ? cut : text, out);
  if (cut) fputs("...", out);
  free(cut);
}

/// A value in the fewest digits that tell it apart; long lists are cut.
static void put_value(const cJSON *v, FILE *out)
{
  if (cJSON_IsNumber(v)) {
    fprintf(out, "%.14g", v->valuedouble);
    return;
  }
  if (cJSON_IsString(v)) {
    put_short(v->valuestring, 300, out);
    return;
  }
  char *text = v ? cJSON_PrintUnformatted(v) : NULL;
  if (text) put_short(text, 100, out);
  cJSON_free(text);
}

static void print_check(const cJSON *c, const char *path, FILE *out)
{
  bool ok = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(c, "ok"));
  const cJSON *difference = cJSON_GetObjectItemCaseSensitive(c, "difference");
  const cJSON *allowed = cJSON_GetObjectItemCaseSensitive(c, "allowed");
  const char *name = text_of(c, "case"), *message = text_of(c, "message");
  bool judged = !cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(c, "judged"));
  fprintf(out, "  %s  ", ok ? "ok  " : judged ? "FAIL" : "--  ");
  if (name[0]) amo_show_text(name, out), fputs(": ", out);
  amo_show_text(text_of(c, "value"), out);
  if (!judged) {
    fputs(": ", out), amo_show_text(message, out), fputc('\n', out);
    return;
  }
  fputs(" = ", out);
  put_value(cJSON_GetObjectItemCaseSensitive(c, "actual"), out);
  fputs(", expected ", out);
  put_value(cJSON_GetObjectItemCaseSensitive(c, "expected"), out);
  if (cJSON_IsNumber(difference) && cJSON_IsNumber(allowed))
    fprintf(out, ", difference %.2g (allowed %.2g)", difference->valuedouble, allowed->valuedouble);
  fputc('\n', out);
  if (ok || !message[0]) return;
  fputs("        ", out), amo_show_text(path, out);
  fprintf(out, ":%s: ", text_of(c, *text_of(c, "message_at") ? "message_at" : "at"));
  amo_show_text(message, out), fputc('\n', out);
}

void amo_study_print(const amo_study *s, const amo_study_result *r, FILE *out, bool verbose)
{
  for (size_t i = 0; i < s->ids; i++) fputs(i ? ", " : "", out), amo_show_text(s->id[i], out);
  if (s->title[0]) fputs(": ", out), amo_show_text(s->title, out);
  fputc('\n', out);
  const cJSON *c = NULL;
  cJSON_ArrayForEach(c, r->checks)
  {
    bool ok = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(c, "ok"));
    if (verbose || !ok) print_check(c, s->path, out);
  }
}

static void add_list(cJSON *out, const char *key, const char *const *word, size_t n)
{
  cJSON *list = cJSON_AddArrayToObject(out, key);
  for (size_t i = 0; i < n; i++) cJSON_AddItemToArray(list, cJSON_CreateString(word[i]));
}

static void add_shown(cJSON *out, const amo_study *s, amo_study_result *r)
{
  cJSON *list = cJSON_AddArrayToObject(out, "shown");
  for (size_t i = 0; i < s->showns; i++) {
    const cJSON *v = NULL;
    cJSON *row = cJSON_CreateObject();
    if (!row) return;
    cJSON_AddStringToObject(row, "what", s->shown[i].what);
    cJSON_AddStringToObject(row, "source", s->shown[i].source);
    cJSON_AddStringToObject(row, "note", s->shown[i].note);
    if (s->shown[i].ours && amo_value_eval(r, s->shown[i].ours, NULL, &v) == AMO_OK)
      cJSON_AddItemToObject(row, "ours", cJSON_Duplicate(v, true));
    cJSON_AddItemToArray(list, row);
  }
}

/// Files of the models that the runs ask, each once.
static void add_models(cJSON *out, const amo_study *s)
{
  cJSON *list = cJSON_AddArrayToObject(out, "models"), *c = NULL;
  amo_arena arena = {0};
  for (size_t i = 0; i < s->runs; i++) {
    const char *path = NULL;
    bool known = false;
    if (!amo_yaml_is(s->run[i].model, AMO_YAML_SCALAR) ||
        amo_study_find_model(s, s->run[i].model, NULL, &path, &arena) != AMO_OK)
      continue;
    cJSON_ArrayForEach(c, list) known = known || !strcmp(c->valuestring, path);
    if (!known) cJSON_AddItemToArray(list, cJSON_CreateString(path));
  }
  amo_arena_free(&arena);
}

cJSON *amo_study_json(const amo_study *s, const amo_study_result *r)
{
  cJSON *out = cJSON_CreateObject();
  if (!out) return NULL;
  cJSON_AddStringToObject(out, "study", s->id[0]);
  add_list(out, "ids", s->id, s->ids);
  cJSON_AddStringToObject(out, "file", s->path);
  add_models(out, s);
  cJSON_AddStringToObject(out, "title", s->title);
  cJSON_AddStringToObject(out, "source", s->source);
  cJSON_AddStringToObject(out, "note", s->note);
  cJSON_AddStringToObject(out, "verdict", amo_study_verdict(r));
  cJSON_AddNumberToObject(out, "passed", (double)r->passed);
  cJSON_AddNumberToObject(out, "failed", (double)r->failed);
  cJSON_AddNumberToObject(out, "not_judged", (double)r->unjudged);
  cJSON_AddItemToObject(out, "seconds", amo_json_number(r->seconds));
  cJSON_AddItemToObject(out, "expectations", cJSON_Duplicate(r->checks, true));
  // Evaluating shown rows may add to the scratch list of r, nothing else.
  add_shown(out, s, (amo_study_result *)(size_t)r);
  return out;
}
