// SPDX-License-Identifier: Apache-2.0
/// Commands: what may follow `amontons`. Model verbs (study/verb.h) and the few that have no model.
/// --help, the man page, docs/cli.md and shell completion are all made from this list.
#ifndef AMO_CLI_COMMAND_H
#define AMO_CLI_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "ask/verb.h"

typedef struct amo_cli {
  const char *program;  // argv[0]
  volatile sig_atomic_t *interrupted;
} amo_cli;

typedef struct amo_command {
  const char *name, *summary, *usage, *description, *example;
  const amo_opt_def *opts;  // its own; ends with name == NULL
  const amo_verb *verb;     // NULL: not about a model
  /// argv: what follows the command's name. Returns the exit status.
  int (*run)(const amo_cli *cli, const struct amo_command *self, int argc, char *const *argv);
} amo_command;

/// The i-th command; false when there are no more.
bool amo_command_get(size_t i, amo_command *out);
bool amo_command_find(const char *name, amo_command *out);
/// Report an unknown command, with the nearest one.
void amo_command_unknown(const char *name, FILE *err);

/// Options of the command line itself: json, quiet, help.
const amo_opt_def *amo_cli_opts(void);

/// Options of a command as documentation sees them: its own, then `set` (model verbs), then the
/// command line's. Calls `each` in that order.
void amo_command_options(const amo_command *c, void (*each)(void *ctx, const amo_opt_def *d), void *ctx);

int amo_run_merge(const amo_cli *cli, const amo_command *self, int argc, char *const *argv);
int amo_run_models(const amo_cli *cli, const amo_command *self, int argc, char *const *argv);
int amo_run_new(const amo_cli *cli, const amo_command *self, int argc, char *const *argv);
int amo_run_cache(const amo_cli *cli, const amo_command *self, int argc, char *const *argv);
int amo_run_schema(const amo_cli *cli, const amo_command *self, int argc, char *const *argv);
int amo_run_verb(const amo_cli *cli, const amo_command *self, int argc, char *const *argv);

/// What Ctrl-C meets. Loading: the program ends at once. Running: the run is asked to stop and has a moment for it.
/// Telling: what is known is being printed, which takes the time it takes.
typedef enum amo_stage { AMO_STAGE_RUNNING, AMO_STAGE_LOADING, AMO_STAGE_TELLING } amo_stage;
void amo_stage_set(amo_stage now);

// ---- output files ----
/// Does an output option name standard output? Then the summary must go elsewhere.
bool amo_takes_stdout(const amo_opt_def *opts, const amo_options *o);
/// No output may destroy the model or another output, nor the script and data of a figure them.
amo_status amo_files_check(const amo_opt_def *opts, const amo_options *o, const char *model,
                           amo_diags *diags);

// ---- pages made from the list ----
void amo_help_all(FILE *out);
void amo_help_command(const amo_command *c, FILE *out);
void amo_man_page(FILE *out);
void amo_markdown_page(FILE *out);
/// false: unknown shell.
bool amo_completion(const char *shell, FILE *out);
/// "--until T" as help shows it.
void amo_option_usage(const amo_opt_def *d, char *out, size_t size);

// ---- talking ----
/// Print diagnostics on stderr. `quiet`: only when there are errors.
void amo_say(const amo_diags *d, bool quiet);
/// Flush stdout; a full disk is reported. Returns the exit status to use.
int amo_finish_output(int status);
int amo_exit_code(amo_status st);

/// A bar on stderr, after half a second, if stderr is a terminal.
typedef struct amo_progress_bar {
  bool on, shown;
  double begun, last;  // s
} amo_progress_bar;
void amo_progress_begin(amo_progress_bar *b, bool quiet);
void amo_progress_update(void *bar, double fraction);
void amo_progress_end(amo_progress_bar *b);

#endif
