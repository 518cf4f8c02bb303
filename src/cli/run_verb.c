// SPDX-License-Identifier: Apache-2.0
// A model verb from the command line: options, model, run, print.
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/ranks.h"
#include "result/json.h"
#include "ask/options.h"
#include "result/show.h"
#include "study/study_verbs.h"

static size_t count(const amo_opt_def *d)
{
  size_t n = 0;
  while (d && d[n].name) n++;
  return n;
}

/// The verb's options and the command line's in one table; caller frees.
static amo_opt_def *joined(const amo_opt_def *a, const amo_opt_def *b)
{
  size_t na = count(a), nb = count(b);
  amo_opt_def *all = amo_zalloc(na + nb + 1, sizeof *all);
  if (!all) return NULL;
  memcpy(all, a, na * sizeof *all);
  memcpy(all + na, b, nb * sizeof *all);
  return all;
}

static int terminal_width(void)
{
  struct winsize w = {0};
  if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) != 0) return 0;
  return w.ws_col;
}

static void print_result(const amo_verb *v, cJSON *result, const amo_options *o)
{
  bool taken = amo_takes_stdout(v->opts, o);
  if (!amo_opt_flag(o, "json")) {
    amo_show_json(result);
    if (!taken)
      v->print(result, stdout, terminal_width());
    else if (!amo_opt_flag(o, "quiet"))
      v->print(result, stderr, 0);
    return;
  }
  char *text = amo_json_print(result);
  if (text)
    fputs(text, stdout);
  else
    fprintf(stderr, "error: out of memory\n");
  free(text);
}

static amo_status one_model(const amo_command *c, const char *const *word, size_t words, amo_options *o,
                            amo_diags *d, const char **path)
{
  if (c->verb->subject == AMO_OF_RECORD) {
    amo_status st = AMO_OK;
    for (size_t i = words; st == AMO_OK && i-- > 0;) st = amo_options_put_first(o, "record", word[i], d);
    return st;
  }
  if (!words && c->verb->subject == AMO_OF_MODEL_OR_NONE) return AMO_OK;
  if (words == 1) {
    *path = strcmp(word[0], "-") ? word[0] : "/dev/stdin";
    return AMO_OK;
  }
  if (!words)
    return amo_error(d, (amo_at){0}, NULL, "%s needs a model file: amontons %s %s", c->name, c->name,
                     c->usage);
  return amo_error(d, (amo_at){0}, NULL, "%s takes one model file, got '%s' too", c->name, word[1]);
}

/// The command line as one would type it. Caller frees; NULL: out of memory.
static char *command_line(const amo_command *c, int argc, char *const *argv)
{
  amo_text t = {0};
  amo_text_printf(&t, "amontons %s", c->name);
  for (int i = 0; i < argc; i++) {
    const bool plain =
        *argv[i] && strspn(argv[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                    "_-+./:=,%@") == strlen(argv[i]);
    amo_text_str(&t, plain ? " " : " '");
    for (const char *p = argv[i]; *p; p++) *p == '\'' ? amo_text_str(&t, "'\\''") : amo_text_add(&t, p, 1);
    if (!plain) amo_text_str(&t, "'");
  }
  return amo_text_take(&t);
}

static amo_status call_verb(const amo_cli *cli, const amo_verb *v, const char *path, amo_options *o,
                            const amo_ranks *ranks, const char *command, amo_diags *d, cJSON **result)
{
  const amo_setting *set = NULL;
  amo_model *m = NULL;
  amo_progress_bar bar;
  size_t sets = amo_opt_settings(o, "set", &set);
  amo_stage_set(AMO_STAGE_LOADING);
  amo_status st = path ? amo_model_load(path, set, sets, d, &m) : AMO_OK;
  if (st == AMO_ELIMIT) st = AMO_EINPUT;  // too large a model is bad input; limits of a run are another thing
  if (st == AMO_OK) st = amo_options_resolve(o, amo_model_values(m), d);
  amo_stage_set(AMO_STAGE_RUNNING);
  if (st == AMO_OK) {
    amo_progress_begin(&bar, amo_opt_flag(o, "quiet") || (ranks && ranks->rank > 0));
    amo_call call = {.model = m,
                     .values = amo_model_values(m),
                     .opt = o,
                     .diags = d,
                     .interrupted = cli->interrupted,
                     .progress = amo_progress_update,
                     .progress_ctx = &bar,
                     .ranks = ranks,
                     .command = command};
    st = amo_verb_run(v, &call, result);
    amo_progress_end(&bar);
  }
  amo_model_free(m);
  return st;
}

/// Only work that is cut into tiles can be shared, and a part of a job array is done by its own process.
static amo_status join(const amo_command *self, const amo_options *o, amo_job_ranks *ranks, amo_diags *d)
{
  return amo_opt_find(self->opts, "part") && !amo_opt_given(o, "part") ? amo_ranks_join(ranks, d) : AMO_OK;
}

static void tell(amo_status st, const cJSON *result, const amo_options *o, const amo_diags *d)
{
  if (st == AMO_ENOMEM)
    fprintf(stderr, "error: out of memory\n");
  else if (st == AMO_EINTR)
    fprintf(stderr, result ? "interrupted: the result is what was known until then\n"
                           : "interrupted: there is no result yet\n");
  amo_say(d, o && amo_opt_flag(o, "quiet"));
  if (st != AMO_OK && st != AMO_EAUDIT && d && !amo_diags_errors(d) && st != AMO_EINTR && st != AMO_ENOMEM)
    fprintf(stderr, "error: %s\n", amo_status_text(st));  // never fail without a word
}

/// A helper says only what rank 0 cannot know: that this machine fails, or that rank 0 is gone. true: nobody is left to take leave of.
static bool tell_as_helper(amo_status st, int rank, const amo_diags *d)
{
  if (st != AMO_EIO && st != AMO_ENOMEM && st != AMO_ELIMIT) return false;
  fprintf(stderr, "rank %d: %s\n", rank, amo_status_text(st));
  amo_say(d, true);
  return st == AMO_ELIMIT;
}

int amo_run_verb(const amo_cli *cli, const amo_command *self, int argc, char *const *argv)
{
  size_t words = 0;
  const char *path = NULL;
  char *installed = NULL;  // path of a model that is not here but came with the program
  cJSON *result = NULL;
  amo_options *o = NULL;
  amo_job_ranks ranks = {0};
  amo_status st = AMO_ENOMEM;
  amo_diags *d = amo_diags_new();
  const char **word = amo_zalloc((size_t)argc + 1, sizeof *word);
  char *command = command_line(self, argc, argv);
  amo_opt_def *opts = joined(self->opts, amo_cli_opts());
  if (!d || !word || !opts || !command) goto done;
  st = amo_options_from_argv(opts, argc, argv, d, word, &words, &o);
  // an option that failed may have swallowed or spilled words, so look at them only when all is well
  if (st == AMO_OK) st = one_model(self, word, words, o, d, &path);
  if (st == AMO_OK) st = join(self, o, &ranks, d);
  if (st == AMO_OK && path && (installed = amo_installed_file(cli->program, path)) != NULL) {
    if (!amo_opt_flag(o, "quiet") && !amo_ranks_help(&ranks))
      fputs("note: the installed ", stderr), amo_show_text(installed, stderr), fputc('\n', stderr);
    path = installed;
  }
  if (st == AMO_OK && amo_opt_flag(o, "json") && amo_takes_stdout(self->opts, o))
    st = amo_error(d, (amo_at){0}, NULL,
                   "--json and a file on standard output would be mixed up; name a file");
  if (st == AMO_OK) st = amo_files_check(self->opts, o, path, d);
  if (st == AMO_OK) st = call_verb(cli, self->verb, path, o, amo_ranks_of(&ranks), command, d, &result);
  amo_stage_set(AMO_STAGE_TELLING);
  if (result && !amo_ranks_help(&ranks)) print_result(self->verb, result, o);
done:
  if (!amo_ranks_help(&ranks))
    tell(st, result, o, d);
  else if (tell_as_helper(st, ranks.ranks.rank, d))
    _exit(amo_exit_code(st));
  else
    st = AMO_OK;  // the status of the job is that of rank 0
  const int status = amo_finish_output(amo_exit_code(st));
  amo_ranks_leave(&ranks);
  cJSON_Delete(result);
  amo_options_free(o);
  amo_diags_free(d);
  free(word);
  free(opts);
  free(command);
  free(installed);
  return status;
}
