// SPDX-License-Identifier: Apache-2.0
/// Any words as a command line, one a line: the verb (with '!' before it the run is interrupted from the start),
/// the name of a model in models/, then options. Parsed, resolved, run a little, printed. Nothing may crash, hang
/// or leak; a refusal must come with a message, an answer must be printable. Files are never written: what names one is
/// only parsed.
#define _XOPEN_SOURCE 700
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deadline.h"
#include "result/json.h"
#include "ask/options.h"
#include "result/show.h"

enum { WORDS = 24, BYTES = 2048, MODELS = 3, MILLISECONDS = 30 };

static const char *const NAMES[MODELS] = {"block-on-belt", "trammel", "klarbring-mass"};

static amo_model *load(size_t which, const amo_options *o, amo_diags *d)
{
  char path[4096];
  const amo_setting *set = NULL;
  amo_model *m = NULL;
  size_t n = amo_opt_settings(o, "set", &set);
  snprintf(path, sizeof path, "%s/models/%s.yaml", AMO_SOURCE_DIR, NAMES[which]);
  amo_status st = amo_model_load(path, set, n, d, &m);
  if (st != AMO_OK && st != AMO_ENOMEM && !amo_diags_errors(d)) abort();  // refused without a word
  return m;
}

static bool writes_files(const amo_opt_def *opts, const amo_options *o)
{
  for (const amo_opt_def *d = opts; d->name; d++)
    if (d->type == AMO_OPT_FILE && amo_opt_text(o, d->name)) return true;
  return false;
}

static void show(const amo_verb *v, cJSON *result)
{
  static FILE *nowhere;
  if (!nowhere) nowhere = fopen("/dev/null", "w");
  char *text = amo_json_print(result);
  if (!text) abort();
  free(text);
  amo_show_json(result);
  if (nowhere) v->print(result, nowhere, 100);
}

static void ask(const amo_verb *v, const amo_options *o, const amo_model *m, bool stopped, amo_diags *d)
{
  cJSON *result = NULL;
  amo_call call = {
      .model = m, .values = amo_model_values(m), .opt = o, .diags = d, .interrupted = &deadline_passed};
  deadline_set(stopped ? 0 : MILLISECONDS);
  amo_status st = v->run(&call, &result);
  deadline_clear();
  if (st == AMO_OK && !result) abort();
  if (st == AMO_EINPUT && !amo_diags_errors(d)) abort();  // refused without a word
  if (result) show(v, result);
  cJSON_Delete(result);
}

static void run(const amo_verb *v, size_t model, int argc, char *const *argv, bool stopped)
{
  const char *word[WORDS + 1];
  size_t words = 0;
  amo_options *o = NULL;
  amo_model *m = NULL;
  amo_diags *d = amo_diags_new();
  amo_status st = d ? amo_options_from_argv(v->opts, argc, argv, d, word, &words, &o) : AMO_ENOMEM;
  if (st == AMO_EINPUT && !amo_diags_errors(d)) abort();
  if (st == AMO_OK && !writes_files(v->opts, o)) m = load(model, o, d);
  if (m) st = amo_options_resolve(o, amo_model_values(m), d);
  if (m && st == AMO_EINPUT && !amo_diags_errors(d)) abort();
  if (m && st == AMO_OK) ask(v, o, m, stopped, d);
  free(amo_diags_render(d));
  amo_model_free(m);
  amo_options_free(o);
  amo_diags_free(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char text[BYTES + 1], *word[WORDS], *rest = text;
  int words = 0;
  if (size > BYTES) return 0;
  if (size) memcpy(text, data, size);
  text[size] = 0;
  for (char *w = NULL; words < WORDS && (w = rest) != NULL;) {
    rest = strchr(w, '\n');
    if (rest) *rest++ = 0;
    word[words++] = w;
  }
  if (words && !*word[words - 1]) words--;  // the file ends with a line break
  if (words < 2) return 0;
  bool stopped = word[0][0] == '!';
  const amo_verb *v = amo_verb_find(word[0] + stopped);
  for (size_t i = 0; v && i < MODELS; i++)
    if (!strcmp(word[1], NAMES[i])) run(v, i, words - 2, word + 2, stopped);
  return 0;
}
