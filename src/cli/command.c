// SPDX-License-Identifier: Apache-2.0
// The list of commands.
#include "cli/command.h"

#include <string.h>

#include "base/distance.h"
#include "ask/options.h"
#include "result/show.h"
#include "study/study.h"
#include "study/study_verbs.h"

// clang-format off
static const amo_opt_def cli_opts[] = {
    {"json", AMO_OPT_FLAG, NULL, NULL, NULL, "print the result as JSON", 0, 0},
    {"quiet", AMO_OPT_FLAG, NULL, NULL, NULL, "no warnings, no progress bar", 0, 0},
    {"help", AMO_OPT_FLAG, NULL, NULL, NULL, "show this help", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

const amo_opt_def *amo_cli_opts(void)
{
  return cli_opts;
}

// clang-format off
static const amo_opt_def man_opts[] = {
    {"format", AMO_OPT_CHOICE, "FORMAT", "troff", "troff|markdown",
     "troff for man(1), markdown for docs/cli.md", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

static int run_test(const amo_cli *cli, const amo_command *self, int argc, char *const *argv)
{
  (void)self;
  return amo_finish_output(amo_test_main(argc, argv, stdout, stderr, cli->interrupted));
}

static int run_reproduce(const amo_cli *cli, const amo_command *self, int argc, char *const *argv)
{
  (void)self;
  return amo_finish_output(amo_reproduce_main(cli->program, argc, argv, stdout, stderr, cli->interrupted));
}

static int run_man(const amo_cli *cli, const amo_command *self, int argc, char *const *argv)
{
  (void)cli;
  const char *word[64] = {NULL};
  size_t words = 0;
  amo_options *o = NULL;
  amo_diags *d = amo_diags_new();
  amo_status st = argc < 64 ? amo_options_from_argv(self->opts, argc, argv, d, word, &words, &o) : AMO_EINPUT;
  if (st == AMO_OK && words) st = amo_error(d, (amo_at){0}, NULL, "man takes no argument, got '%s'", word[0]);
  if (st == AMO_OK && !strcmp(amo_opt_text(o, "format"), "markdown"))
    amo_markdown_page(stdout);
  else if (st == AMO_OK)
    amo_man_page(stdout);
  amo_say(d, false);
  amo_options_free(o);
  amo_diags_free(d);
  return amo_finish_output(amo_exit_code(st));
}

static int run_completion(const amo_cli *cli, const amo_command *self, int argc, char *const *argv)
{
  (void)cli, (void)self;
  if (argc != 1 || !amo_completion(argv[0], stdout)) {
    fprintf(stderr, "error: usage: amontons completion bash|zsh|fish\n");
    return 2;
  }
  return amo_finish_output(0);
}

// clang-format off
static const amo_opt_def schema_opts[] = {
    {"format", AMO_OPT_CHOICE, "FORMAT", "json", "json|markdown",
     "json for a JSON Schema (draft 7), markdown for docs/json.md", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};

static const amo_opt_def models_opts[] = {
    {"json", AMO_OPT_FLAG, NULL, NULL, NULL, "print the list as JSON: name, title, group, file", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};

static const amo_opt_def merge_opts[] = {
    {"out", AMO_OPT_FILE, "FILE", NULL, NULL, "the one file", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};

static const amo_opt_def cache_opts[] = {
    {"json", AMO_OPT_FLAG, NULL, NULL, NULL, "print it as JSON: folder, libraries, bytes, most_bytes", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};

static const amo_command extra[] = {
    {"merge", "join the files of a job array", "FILE... --out FILE",
     "Runs with --part 1/N, 2/N, ... keep what they computed in files; merge makes one of them. The command of the runs, without --part, "
     "then takes what is there and computes only what is missing: with --keep FILE, or with the name of its result where the file is "
     "called RESULT.part.\n\nFiles of another question, model or version are refused. What is missing is told (exit status 1, and the "
     "file holds the rest); what stands in two files must be the same there.",
     "amontons map models/trammel.yaml --x theta=0:1.57 --y \"theta'=-3:3\" --size 20x10 --csv grid.csv --part 1/2\n"
     "amontons map models/trammel.yaml --x theta=0:1.57 --y \"theta'=-3:3\" --size 20x10 --csv grid.csv --part 2/2\n"
     "amontons merge grid.csv.part.*-of-2 --out grid.csv.part\n"
     "amontons map models/trammel.yaml --x theta=0:1.57 --y \"theta'=-3:3\" --size 20x10 --csv grid.csv", merge_opts, NULL, amo_run_merge},
    {"models", "list the models that come with the program", "[options]",
     "The examples in models/ by the kind of their contacts, with their titles. Their names may be given to `amontons new`; as "
     "models/NAME.yaml they may be asked about from any folder.",
     "amontons models | grep -i belt", models_opts, NULL, amo_run_models},
    {"new", "begin a model from an example", "TEMPLATE [FILE]",
     "Copies a model that comes with the program (`amontons models` lists them) to FILE, or to TEMPLATE.yaml here, with a line "
     "above it that tells editors its schema. A file that is there is not touched. FILE may be -.",
     "amontons new block-on-belt mine.yaml\namontons simulate mine.yaml --until 10", man_opts + 1, NULL, amo_run_new},
    {"schema", "print what files and answers look like, for editors and other programs",
     "model | study | results [VERB]",
     "A JSON Schema of model files, of studies, or of the answers of a question (or of all): every key with its type, unit and "
     "meaning. docs/editors.md tells how editors use it.",
     "amontons schema model > model.schema.json\namontons schema results simulate > simulate.schema.json", schema_opts, NULL, amo_run_schema},
    {"cache", "show or clear the compiled code that is kept", "[show | clear] [options]",
     "Where a model is stepped for more than about a tenth of a second, its steps are compiled by the system's C compiler (CC, or cc) in the "
     "background: the same answers, bit for bit, in less time. What it makes is kept in the folder AMONTONS_CACHE, or "
     "XDG_CACHE_HOME/amontons, or ~/.cache/amontons, which only its owner may look into or write to; what has been unused for longest goes "
     "when it is full. Without a compiler, or such a folder, everything works as well, only slower. AMONTONS_CACHE=off, or --compile never with a "
     "question: nothing is compiled or loaded. This command shows the folder, or empties it.",
     "amontons cache\namontons cache clear", cache_opts, NULL, amo_run_cache},
    {"man", "print the manual page", "[options]", "The manual page of all commands, for man(1).",
     "amontons man > amontons.1", man_opts, NULL, run_man},
    {"completion", "print shell completion", "bash|zsh|fish",
     "A completion script for a shell, made from the same tables as --help.", "amontons completion bash > amontons.bash", man_opts + 1, NULL, run_completion}};
// clang-format on

static amo_command of_verb(const amo_verb *v)
{
  return (amo_command){v->name, v->summary, v->usage, v->description, v->example, v->opts, v, amo_run_verb};
}

/// Verbs on study files: documented like the others, but with no model of their own.
static amo_command of_study_verb(const amo_verb *v,
                                 int (*run)(const amo_cli *, const amo_command *, int, char *const *))
{
  amo_command c = of_verb(v);
  c.verb = NULL;
  c.run = run;
  return c;
}

bool amo_command_get(size_t i, amo_command *out)
{
  const amo_verb *const *verbs = amo_verbs();
  size_t n = 0, extras = sizeof extra / sizeof *extra;
  while (verbs[n]) n++;
  if (i < n)
    *out = of_verb(verbs[i]);
  else if (i == n)
    *out = of_study_verb(&amo_verb_test, run_test);
  else if (i == n + 1)
    *out = of_study_verb(&amo_verb_reproduce, run_reproduce);
  else if (i - n - 2 < extras)
    *out = extra[i - n - 2];
  else
    return false;
  return true;
}

bool amo_command_find(const char *name, amo_command *out)
{
  for (size_t i = 0; amo_command_get(i, out); i++)
    if (!strcmp(out->name, name)) return true;
  return false;
}

void amo_command_unknown(const char *name, FILE *err)
{
  amo_command c, best = {0};
  size_t n = strlen(name), least = 3;
  for (size_t i = 0; amo_command_get(i, &c); i++) {
    size_t far = amo_edit_distance(name, n, c.name, strlen(c.name), 2);
    if (far < least) {
      least = far;
      best = c;
    }
  }
  fputs("error: unknown command '", err), amo_show_text(name, err);
  if (best.name)
    fprintf(err, "'; did you mean '%s'?\n", best.name);
  else
    fprintf(err, "'; amontons --help lists them\n");
}

static bool has(const amo_opt_def *opts, const char *name)
{
  for (const amo_opt_def *d = opts; d && d->name; d++)
    if (!strcmp(d->name, name)) return true;
  return false;
}

void amo_command_options(const amo_command *c, void (*each)(void *ctx, const amo_opt_def *d), void *ctx)
{
  for (const amo_opt_def *d = c->opts; d && d->name; d++) each(ctx, d);
  for (const amo_opt_def *d = amo_common_opts(); c->verb && d->name; d++)
    if (!has(c->opts, d->name)) each(ctx, d);
  for (const amo_opt_def *d = cli_opts; d->name; d++)
    if ((c->verb || !strcmp(d->name, "help")) && !has(c->opts, d->name)) each(ctx, d);
}
