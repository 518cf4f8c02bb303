// SPDX-License-Identifier: Apache-2.0
/// Any bytes as a study file: load it and, where that works, run it a little, judge and print it. Models are
/// those of models/ or written in the study itself. Nothing may crash, hang or leak; a refusal must come with
/// a message, and an expectation that was not looked at may not pass.
#define _XOPEN_SOURCE 700
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deadline.h"
#include "result/json.h"
#include "study/study.h"

enum { MILLISECONDS = 40 };  // processor time for all runs of one study

/// No file outside models/: a study may name any, a fuzz target should not read them.
static bool stays_here(const amo_study *s)
{
  for (size_t i = 0; i < s->runs; i++) {
    const amo_yaml *m = s->run[i].model;
    if (m && m->kind == AMO_YAML_SCALAR && strchr(m->text, '/')) return false;
  }
  return true;
}

/// Every check says whether it holds; what is counted as passed did.
static void must_add_up(const amo_study_result *r)
{
  const cJSON *c = NULL;
  size_t ok = 0, all = 0;
  cJSON_ArrayForEach(c, r->checks)
  {
    const cJSON *said = cJSON_GetObjectItemCaseSensitive(c, "ok");
    all++;
    ok += cJSON_IsTrue(said) ? 1 : 0;
  }
  if (r->passed > ok || r->passed + r->failed > all + r->unjudged) abort();
}

static void execute(const amo_study *s, amo_diags *diags, FILE *nowhere)
{
  amo_study_result r = {0};
  amo_study_opts o = {.interrupted = &deadline_passed};
  deadline_set(MILLISECONDS);
  amo_status st = amo_study_execute(s, &o, diags, &r);
  deadline_clear();
  if (st == AMO_OK) {
    must_add_up(&r);
    (void)amo_study_verdict(&r);
    if (nowhere) amo_study_print(s, &r, nowhere, true);
    cJSON *json = amo_study_json(s, &r);
    free(json ? amo_json_print(json) : NULL);
    cJSON_Delete(json);
  } else if (st != AMO_ENOMEM && st != AMO_EINTR && !amo_diags_errors(diags)) {
    abort();  // refused without a word
  }
  amo_study_result_free(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static FILE *nowhere;
  if (!nowhere) nowhere = fopen("/dev/null", "w");
  amo_diags *diags = amo_diags_new();
  amo_study *all = NULL;
  amo_status st =
      amo_study_parse(AMO_SOURCE_DIR "/models/fuzz-study.yaml", (const char *)data, size, diags, &all);
  if (st != AMO_OK && st != AMO_ENOMEM && diags && !amo_diags_errors(diags))
    abort();  // refused without a word
  for (const amo_study *s = all; s && diags; s = s->next)
    if (stays_here(s)) execute(s, diags, nowhere);
  free(amo_diags_render(diags));
  amo_study_free(all);
  amo_diags_free(diags);
  return 0;
}
