// SPDX-License-Identifier: Apache-2.0
/// `amontons test FILE...`: run studies, say what holds and what does not.
#include <stdlib.h>
#include <string.h>

#include "result/json.h"
#include "study/mutate.h"
#include "ask/options.h"
#include "result/show.h"
#include "study/study.h"
#include "study/study_verbs.h"

const amo_opt_def amo_test_opts[] = {
    {"quiet", AMO_OPT_FLAG, NULL, NULL, NULL, "print failures and the count only", 0, 0},
    {"json", AMO_OPT_FLAG, NULL, NULL, NULL, "the verdicts as JSON", 0, 0},
    {"mutate", AMO_OPT_FLAG, NULL, NULL, NULL,
     "judge again with every expected value changed: each must fail", 0, 0},
    {0},
};

const amo_verb amo_verb_test = {
    .name = "test",
    .summary = "run study files and judge their expectations",
    .usage = "FILE... [options]",
    .description =
        "Runs every study file and compares what comes out with what the file expects (docs/study.md). "
        "Exit status 0: everything holds; 1: something does not, or a study expects nothing; 2: a file is "
        "faulty.",
    .example = "amontons test gallery/leine/leine-fig4b.yaml\n",
    .opts = amo_test_opts,
};

typedef struct totals {
  size_t passed, failed, unjudged;
  size_t empty;              // studies that expect nothing
  size_t changes, survived;  // of expected values; those that were not noticed
  bool bad_input;
} totals;

void amo_print_diags(const amo_diags *d, FILE *err)
{
  if (!amo_diags_count(d)) return;
  char *text = amo_diags_render(d);
  if (text) fputs(text, err);
  free(text);
}

static void judge_study(const amo_study *s, amo_study_result *r, const amo_options *o, cJSON *list,
                        totals *sum, FILE *out, FILE *err)
{
  bool empty = !r->passed && !r->failed, quiet = amo_opt_flag(o, "quiet");
  if (list)
    cJSON_AddItemToArray(list, amo_study_json(s, r));
  else if (!quiet || r->failed)
    amo_study_print(s, r, out, !quiet);
  if (empty && !list && !quiet) fputs("  no expectations\n", out);
  if (empty) {
    amo_show_text(s->path, err), fputs(": error: study '", err);
    amo_show_text(s->id[0], err), fputs("' expects nothing, so nothing was checked\n", err);
  }
  if (amo_opt_flag(o, "mutate")) {
    cJSON *entry = list ? cJSON_GetArrayItem(list, cJSON_GetArraySize(list) - 1) : NULL;
    sum->survived += amo_mutate_report(s, r, list ? NULL : out, entry, &sum->changes);
  }
  sum->passed += r->passed;
  sum->failed += r->failed;
  sum->unjudged += r->unjudged;
  sum->empty += empty;
  sum->bad_input |= r->bad_input;
}

/// A file that cannot be run is a failure, not a file less.
static void count_faulty(const char *path, const amo_diags *d, cJSON *list, totals *sum, FILE *out)
{
  sum->failed++;
  sum->bad_input = true;
  if (!list) {
    amo_show_text(path, out), fputs("\n  FAIL  the file is faulty\n", out);
    return;
  }
  cJSON *entry = cJSON_CreateObject();
  cJSON_AddStringToObject(entry, "file", path);
  cJSON_AddStringToObject(entry, "verdict", "failed");
  cJSON_AddNumberToObject(entry, "passed", 0);
  cJSON_AddNumberToObject(entry, "failed", 1);
  const amo_diag *first = d ? amo_diags_get(d, 0) : NULL;
  cJSON_AddStringToObject(entry, "message", first ? first->message : "out of memory");
  cJSON_AddItemToArray(list, entry);
}

static amo_status test_file(const char *path, const amo_options *o, cJSON *list, totals *sum, FILE *out,
                            FILE *err, volatile sig_atomic_t *interrupted)
{
  amo_diags *d = amo_diags_new();
  amo_study *all = NULL;
  amo_study_opts so = {.interrupted = interrupted};
  amo_status st = d ? amo_study_load_all(path, d, &all) : AMO_ENOMEM;
  if (st != AMO_OK) count_faulty(path, d, list, sum, out);
  for (const amo_study *s = all; s && st == AMO_OK; s = s->next) {
    amo_study_result r = {0};
    st = amo_study_execute(s, &so, d, &r);
    if (st == AMO_OK)
      judge_study(s, &r, o, list, sum, out, err);
    else if (st != AMO_EINTR)
      count_faulty(path, d, list, sum, out);
    amo_study_result_free(&r);
  }
  if (d) amo_print_diags(d, err);
  amo_study_free(all);
  amo_diags_free(d);
  return st;
}

static void print_json(cJSON *list, const totals *sum, FILE *out)
{
  cJSON *all = cJSON_CreateObject();
  cJSON_AddNumberToObject(all, "passed", (double)sum->passed);
  cJSON_AddNumberToObject(all, "failed", (double)sum->failed);
  cJSON_AddNumberToObject(all, "not_judged", (double)sum->unjudged);
  cJSON_AddNumberToObject(all, "without_expectations", (double)sum->empty);
  cJSON_AddItemToObject(all, "studies", list);
  char *text = amo_json_print(all);
  if (text) fputs(text, out);
  free(text);
  cJSON_Delete(all);
}

static void print_totals(const totals *sum, FILE *out)
{
  fprintf(out, "%zu passed, %zu failed", sum->passed, sum->failed);
  if (sum->unjudged) fprintf(out, ", %zu not judged", sum->unjudged);
  if (sum->empty)
    fprintf(out, ", %zu stud%s with no expectations", sum->empty, sum->empty == 1 ? "y" : "ies");
  if (sum->changes)
    fprintf(out, ", %zu changes of expected values, %zu unnoticed", sum->changes, sum->survived);
  fputc('\n', out);
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
  for (size_t i = 0; st == AMO_OK && i < files; i++) {
    char *installed = amo_installed_file(NULL, file[i]);
    const amo_status one = test_file(installed ? installed : file[i], o, list, &sum, out, err, interrupted);
    free(installed);
    if (one == AMO_EINTR) break;
  }
  if (st == AMO_OK && interrupted && *interrupted)
    fprintf(err, "interrupted: what follows was not run, and the study at hand is not counted\n");
  if (st == AMO_OK && list)
    print_json(list, &sum, out);
  else if (st == AMO_OK)
    print_totals(&sum, out);
  amo_options_free(o);
  free(file);
  amo_diags_free(d);
  if (st != AMO_OK || sum.bad_input) return 2;
  return sum.failed || sum.empty || sum.survived || (interrupted && *interrupted) ? 1 : 0;
}
