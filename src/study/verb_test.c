// SPDX-License-Identifier: Apache-2.0
/// `amontons test FILE...`: run studies, say what holds and what does not.
#include <stdlib.h>
#include <string.h>

#include "study/json.h"
#include "study/options.h"
#include "study/study.h"
#include "study/study_verbs.h"

const amo_opt_def amo_test_opts[] = {
    {"quiet", AMO_OPT_FLAG, NULL, NULL, NULL, "print failures and the count only", 0, 0},
    {"json", AMO_OPT_FLAG, NULL, NULL, NULL, "the verdicts as JSON", 0, 0},
    {0},
};

const amo_verb amo_verb_test = {
    .name = "test",
    .summary = "run study files and judge their expectations",
    .usage = "FILE... [options]",
    .description =
        "Runs every study file and compares what comes out with what the file expects (docs/study.md). "
        "Exit status 0: everything holds; 1: something does not; 2: a file is faulty.",
    .example = "amontons test gallery/leine-fig4b.yaml\n",
    .opts = amo_test_opts,
};

typedef struct totals {
  size_t passed, failed;
  bool bad_input;
} totals;

void amo_print_diags(const amo_diags *d, FILE *err)
{
  if (!amo_diags_count(d)) return;
  char *text = amo_diags_render(d);
  if (text) fputs(text, err);
  free(text);
}

static amo_status test_file(const char *path, const amo_options *o, cJSON *list, totals *sum, FILE *out,
                            FILE *err, volatile sig_atomic_t *interrupted)
{
  amo_diags *d = amo_diags_new();
  amo_study *s = NULL;
  amo_study_result r = {0};
  amo_study_opts so = {.interrupted = interrupted};
  amo_status st = d ? amo_study_load(path, d, &s) : AMO_ENOMEM;
  if (st == AMO_OK) st = amo_study_execute(s, &so, d, &r);
  if (d) amo_print_diags(d, err);
  if (st == AMO_OK) {
    if (list)
      cJSON_AddItemToArray(list, amo_study_json(s, &r));
    else if (!amo_opt_flag(o, "quiet") || r.failed)
      amo_study_print(s, &r, out, !amo_opt_flag(o, "quiet"));
    sum->passed += r.passed;
    sum->failed += r.failed;
    sum->bad_input |= r.bad_input;
  } else {
    sum->bad_input = true;
  }
  amo_study_result_free(&r);
  amo_study_free(s);
  amo_diags_free(d);
  return st;
}

static void print_json(cJSON *list, const totals *sum, FILE *out)
{
  cJSON *all = cJSON_CreateObject();
  cJSON_AddNumberToObject(all, "passed", (double)sum->passed);
  cJSON_AddNumberToObject(all, "failed", (double)sum->failed);
  cJSON_AddItemToObject(all, "studies", list);
  char *text = amo_json_print(all);
  if (text) fputs(text, out);
  free(text);
  cJSON_Delete(all);
}

int amo_test_main(int argc, char *const *argv, FILE *out, FILE *err, volatile sig_atomic_t *interrupted)
{
  amo_diags *d = amo_diags_new();
  const char **file = amo_zalloc((size_t)argc + 1, sizeof *file);
  size_t files = 0;
  amo_options *o = NULL;
  totals sum = {0};
  amo_status st =
      d && file ? amo_options_from_argv(amo_test_opts, argc, argv, d, file, &files, &o) : AMO_ENOMEM;
  if (st == AMO_OK && !files)
    st = amo_error(d, (amo_at){0}, "for example  amontons test my-study.yaml", "no study file is given");
  cJSON *list = st == AMO_OK && amo_opt_flag(o, "json") ? cJSON_CreateArray() : NULL;
  if (st != AMO_OK && d) amo_print_diags(d, err);
  for (size_t i = 0; st == AMO_OK && i < files; i++)
    if (test_file(file[i], o, list, &sum, out, err, interrupted) == AMO_EINTR) break;
  if (st == AMO_OK && list)
    print_json(list, &sum, out);
  else if (st == AMO_OK)
    fprintf(out, "%zu passed, %zu failed\n", sum.passed, sum.failed);
  amo_options_free(o);
  free(file);
  amo_diags_free(d);
  if (st != AMO_OK || sum.bad_input) return 2;
  return sum.failed || (interrupted && *interrupted) ? 1 : 0;
}
