// SPDX-License-Identifier: Apache-2.0
/// `amontons reproduce [ID...]`: the results of the sources, each computed again and judged.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/text.h"
#include "expr/parse.h"
#include "result/json.h"
#include "study/mutate.h"
#include "ask/options.h"
#include "result/show.h"
#include "study/study.h"
#include "study/study_verbs.h"
#include "study/verdicts.h"

const amo_opt_def amo_reproduce_opts[] = {
    {"list", AMO_OPT_FLAG, NULL, NULL, NULL,
     "run nothing; list each id with its verdict of the last run into --out, its checks and its title", 0, 0},
    {"out", AMO_OPT_FILE, "DIR", "reproduce", NULL, "folder for the figures and verdicts.json", 0, 0},
    {"report", AMO_OPT_FILE, "DIR", NULL, NULL, "write one HTML page with everything into DIR", 0, 0},
    {"gallery", AMO_OPT_TEXT, "PATH", NULL, NULL, "study files, or one of them (default: the program's own)",
     0, 0},
    {"no-figures", AMO_OPT_FLAG, NULL, NULL, NULL,
     "judge only; nothing is written unless --out or --report is given", 0, 0},
    {"verbose", AMO_OPT_FLAG, NULL, NULL, NULL, "print every expectation", 0, 0},
    {"json", AMO_OPT_FLAG, NULL, NULL, NULL, "the verdicts as JSON", 0, 0},
    {"mutate", AMO_OPT_FLAG, NULL, NULL, NULL,
     "judge again with every expected value changed: each must fail", 0, 0},
    {0},
};

const amo_verb amo_verb_reproduce = {
    .name = "reproduce",
    .summary = "compute figures and claims of the sources again, with a verdict each",
    .usage = "[ID...] [options]",
    .description =
        "Runs the studies of the gallery whose ids are given (all without an id) and prints a verdict "
        "each: reproduced, differs, or failed. Figures and verdicts.json go to --out. The gallery is found "
        "in "
        "$AMONTONS_GALLERY, in ../gallery or ../share/amontons/gallery beside the program. "
        "Exit status 0: all reproduced; 1: not all; 2: bad input.",
    .example = "amontons reproduce --list\namontons reproduce leine-fig4b --out figures\n",
    .opts = amo_reproduce_opts,
};

typedef struct task {
  amo_study *study;
  bool wanted;
} task;

typedef struct job {
  const amo_options *o;
  FILE *out, *err;
  volatile sig_atomic_t *interrupted;
  task *task;
  size_t tasks, cap;
  cJSON *entries;
  size_t reproduced, others;
  size_t changes, survived;  // of expected values (--mutate); those that were not noticed
  bool bad_input, stopped;
} job;

// ---- which studies ----

static amo_status load_gallery(job *j, const char *folder, amo_diags *d)
{
  char **file = amo_gallery_files(folder, d);
  amo_status st = AMO_OK;
  for (size_t i = 0; file && file[i]; i++) {
    amo_study *s = NULL;
    if (amo_study_load(file[i], d, &s) != AMO_OK)
      st = AMO_EINPUT;
    else if (AMO_ROOM(j->task, j->tasks, j->cap))
      j->task[j->tasks++] = (task){s, false};
    else
      amo_study_free(s);
    free(file[i]);
  }
  if (!file) st = AMO_EIO;
  free(file);
  return st;
}

static const char *known_id(void *ctx, size_t i)
{
  const job *j = ctx;
  for (size_t k = 0; k < j->tasks; k++) {
    if (i < j->task[k].study->ids) return j->task[k].study->id[i];
    i -= j->task[k].study->ids;
  }
  return NULL;
}

static bool has_id(const amo_study *s, const char *id)
{
  for (size_t i = 0; i < s->ids; i++)
    if (!strcmp(s->id[i], id)) return true;
  return false;
}

/// Ids that begin with what was asked for: "leine-fig4" stands for leine-fig4a, leine-fig4b ...
static bool suggest_beginning(job *j, const char *word, amo_diags *d)
{
  enum { MOST = 8 };
  amo_text list = {0};
  size_t found = 0, n = strlen(word);
  const char *id = NULL;
  for (size_t i = 0; n && (id = known_id(j, i)) != NULL; i++)
    if (!strncmp(id, word, n) && found++ < MOST) amo_text_printf(&list, "%s%s", found > 1 ? ", " : "", id);
  if (found)
    amo_error(d, (amo_at){0}, NULL, "there is no result '%s'; these begin so: %s%s", word,
              list.data ? list.data : "", found > MOST ? ", ..." : "");
  amo_text_free(&list);
  return found > 0;
}

static amo_status choose(job *j, const char *const *word, size_t words, amo_diags *d)
{
  amo_status st = AMO_OK;
  for (size_t k = 0; k < j->tasks; k++) j->task[k].wanted = !words;
  for (size_t i = 0; i < words; i++) {
    bool found = false;
    for (size_t k = 0; k < j->tasks; k++)
      if (has_id(j->task[k].study, word[i])) found = j->task[k].wanted = true;
    if (found) continue;
    if (suggest_beginning(j, word[i], d)) {
      st = AMO_EINPUT;
      continue;
    }
    const char *near = amo_nearest(word[i], strlen(word[i]), known_id, j);
    st = near ? amo_error(d, (amo_at){0}, NULL, "there is no result '%s'; did you mean '%s'?", word[i], near)
              : amo_error(d, (amo_at){0}, "amontons reproduce --list", "there is no result '%s'", word[i]);
  }
  return st;
}

static void put_padded(const char *text, size_t width, FILE *out)
{
  size_t n = strlen(text);
  amo_show_text(text, out);
  fprintf(out, "%*s", n < width ? (int)(width - n) : 0, "");
}

/// Every id with the verdict of the last run into --out, if there was one.
static void list_results(const job *j)
{
  cJSON *verdicts = amo_verdicts_read(amo_opt_text(j->o, "out"));
  for (size_t k = 0; k < j->tasks; k++) {
    const amo_study *s = j->task[k].study;
    if (!j->task[k].wanted) continue;
    for (size_t i = 0; i < s->ids; i++) {
      const char *verdict = amo_json_text(verdicts, s->id[i]);
      put_padded(s->id[i], 27, j->out);
      put_padded(verdict[0] ? verdict : "not run yet", 11, j->out);
      fprintf(j->out, " %3zu checks%s  ", s->expects, s->figure ? ", figure" : "        ");
      amo_show_text(s->title, j->out), fputc('\n', j->out);
    }
  }
  cJSON_Delete(verdicts);
}

// ---- one study ----

static amo_status make_folder(const char *path, amo_diags *d)
{
  char *copy = amo_strdup(path);
  amo_status st = copy ? AMO_OK : AMO_ENOMEM;
  for (char *p = copy ? copy + 1 : NULL; st == AMO_OK && p; p++) {
    char *slash = strchr(p, '/');
    if (slash) *slash = 0;
    if (mkdir(copy, 0777) != 0 && errno != EEXIST) {
      amo_error(d, (amo_at){0}, NULL, "cannot make the folder '%s': %s", copy, strerror(errno));
      st = AMO_EIO;
    }
    if (!slash) break;
    *slash = '/';
    p = slash;
  }
  free(copy);
  return st;
}

static void say(job *j, const amo_study *s, const amo_study_result *r, bool quiet)
{
  const char *verdict = amo_study_verdict(r);
  bool good = !strcmp(verdict, "reproduced");
  if (good)
    j->reproduced += s->ids;
  else
    j->others += s->ids;
  if (quiet) return;
  for (size_t i = 0; i < s->ids; i++) {
    fprintf(j->out, "%-11s ", verdict), put_padded(s->id[i], 26, j->out);
    fprintf(j->out, " %zu of %zu checks  ", r->passed, r->passed + r->failed + r->unjudged);
    amo_show_text(s->title, j->out), fputc('\n', j->out);
  }
  if (amo_opt_flag(j->o, "verbose") || !good) amo_study_print(s, r, j->out, amo_opt_flag(j->o, "verbose"));
  fflush(j->out);
}

/// Ids name files: only what cannot lead out of the folder or hide.
static amo_status check_id(const amo_study *s, amo_diags *d)
{
  static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  const char *id = s->id[0];
  if (*id && *id != '.' && !id[strspn(id, good)]) return AMO_OK;
  const amo_yaml *root = s->doc ? amo_yaml_root(s->doc) : NULL, *n = NULL;
  static const char *const key[] = {"study", "id", "ids", "name"};
  for (size_t i = 0; i < 4 && !n; i++) n = amo_yaml_get(root, key[i]);
  return amo_error(d,
                   n      ? amo_yaml_at(n)
                   : root ? amo_yaml_at(root)
                          : (amo_at){0},
                   "letters, digits, '.', '_' and '-', not beginning with '.'",
                   "the id '%s' cannot name a figure", id);
}

static amo_status draw_figures(job *j, const amo_study *s, amo_study_result *r, amo_diags *d, cJSON *files)
{
  const char *dir = amo_opt_text(j->o, "out");
  amo_status st = check_id(s, d);
  if (st == AMO_OK) st = make_folder(dir, d);
  return st == AMO_OK ? amo_study_figures(s, r, dir, d, files) : st;
}

static amo_status reproduce_one(job *j, const amo_study *s)
{
  amo_diags *d = amo_diags_new();
  amo_study_result r = {0};
  bool figures = !amo_opt_flag(j->o, "no-figures");
  amo_study_opts so = {.record = figures, .interrupted = j->interrupted};
  cJSON *files = cJSON_CreateArray();
  amo_status st = d && files ? amo_study_execute(s, &so, d, &r) : AMO_ENOMEM;
  if (st == AMO_OK) {
    say(j, s, &r, amo_opt_flag(j->o, "json"));
    if (figures && s->figure && (st = draw_figures(j, s, &r, d, files)) != AMO_OK && st != AMO_EINTR)
      j->bad_input = true;
    cJSON *entry = amo_study_json(s, &r);
    if (amo_opt_flag(j->o, "mutate"))
      j->survived += amo_mutate_report(s, &r, amo_opt_flag(j->o, "json") ? NULL : j->out, entry, &j->changes);
    if (entry)
      cJSON_AddItemToObject(entry, "figures", files);
    else
      cJSON_Delete(files);
    if (entry) cJSON_AddItemToArray(j->entries, entry);
  } else {
    cJSON_Delete(files);
    if (st != AMO_EINTR) j->bad_input = true;
  }
  if (d) amo_print_diags(d, j->err);
  amo_study_result_free(&r);
  amo_diags_free(d);
  return st;
}

static amo_status write_report(job *j, amo_diags *d)
{
  const char *dir = amo_opt_text(j->o, "report");
  if (!dir) return AMO_OK;
  amo_status st = make_folder(dir, d);
  amo_text path = {0};
  amo_text_printf(&path, "%s/index.html", dir);
  if (st == AMO_OK) st = path.failed ? AMO_ENOMEM : amo_report_write(path.data, j->entries, d);
  if (st == AMO_OK) fputs("report: ", j->err), amo_show_text(path.data, j->err), fputc('\n', j->err);
  amo_text_free(&path);
  return st;
}

static amo_status write_results(job *j, amo_diags *d)
{
  amo_status st = AMO_OK;
  const char *dir = amo_opt_text(j->o, "out");
  if (!amo_opt_flag(j->o, "no-figures") || amo_opt_given(j->o, "out")) {
    st = make_folder(dir, d);
    if (st == AMO_OK) st = amo_verdicts_write(dir, j->entries, d);
  }
  return st == AMO_OK ? write_report(j, d) : st;
}

static void finish(job *j)
{
  if (!amo_opt_flag(j->o, "json")) {
    fprintf(j->out, "%s%zu reproduced, %zu not\n", j->stopped ? "interrupted; until then " : "",
            j->reproduced, j->others);
    if (j->changes)
      fprintf(j->out, "%zu changes of expected values, %zu unnoticed\n", j->changes, j->survived);
    return;
  }
  cJSON *all = cJSON_CreateObject();
  if (j->stopped) cJSON_AddBoolToObject(all, "interrupted", true);
  cJSON_AddNumberToObject(all, "reproduced", (double)j->reproduced);
  cJSON_AddNumberToObject(all, "not_reproduced", (double)j->others);
  cJSON_AddItemReferenceToObject(all, "results", j->entries);
  char *text = amo_json_print(all);
  if (text) fputs(text, j->out);
  free(text);
  cJSON_Delete(all);
}

static amo_status run_all(job *j, const char *program, const char *const *word, size_t words, amo_diags *d)
{
  char *folder = amo_gallery_find(program, amo_opt_text(j->o, "gallery"), d);
  amo_status st = folder ? load_gallery(j, folder, d) : AMO_EIO;
  free(folder);
  if (st == AMO_OK && j->tasks == 0)
    st = amo_error(d, (amo_at){0}, "--gallery DIR with study files (*.yaml)",
                   "there are no studies to reproduce");
  if (st == AMO_OK) st = choose(j, word, words, d);
  if (st != AMO_OK) return st;
  if (amo_opt_flag(j->o, "list")) {
    list_results(j);
    return AMO_OK;
  }
  for (size_t k = 0; k < j->tasks; k++) {
    if (!j->task[k].wanted) continue;
    amo_status one = reproduce_one(j, j->task[k].study);
    j->stopped = one == AMO_EINTR || (j->interrupted && *j->interrupted);
    if (j->stopped) break;
  }
  if (j->stopped)  // a page with half of the results would pass for the whole
    fprintf(j->err, "interrupted: no report and no verdicts were written\n");
  else
    st = write_results(j, d);
  finish(j);
  return st;
}

int amo_reproduce_main(const char *program, int argc, char *const *argv, FILE *out, FILE *err,
                       volatile sig_atomic_t *interrupted)
{
  amo_diags *d = amo_diags_new();
  const char **word = amo_zalloc((size_t)argc + 1, sizeof *word);
  size_t words = 0;
  amo_options *o = NULL;
  job j = {.out = out, .err = err, .interrupted = interrupted, .entries = cJSON_CreateArray()};
  amo_status st = d && word && j.entries
                      ? amo_options_from_argv(amo_reproduce_opts, argc, argv, d, word, &words, &o)
                      : AMO_ENOMEM;
  j.o = o;
  if (st == AMO_OK) st = run_all(&j, program, word, words, d);
  if (d) amo_print_diags(d, err);
  for (size_t k = 0; k < j.tasks; k++) amo_study_free(j.task[k].study);
  free(j.task);
  cJSON_Delete(j.entries);
  amo_options_free(o);
  free(word);
  amo_diags_free(d);
  if (st != AMO_OK || j.bad_input) return 2;
  return j.others || j.stopped || j.survived ? 1 : 0;
}
