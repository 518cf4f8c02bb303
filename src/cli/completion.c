// SPDX-License-Identifier: Apache-2.0
// Completion scripts for bash, zsh and fish.
#include <string.h>

#include "cli/command.h"

/// Text for a single-quoted shell word (none of ours needs more than this).
static void quoted(FILE *out, const char *s)
{
  for (; *s; s++) {
    if (*s == '\'')
      fputs("'\\''", out);
    else
      fputc(*s, out);
  }
}

// ---- bash ----

static void bash_option(void *ctx, const amo_opt_def *d)
{
  fprintf(ctx, " --%s", d->name);
}

static void bash_choices(void *ctx, const amo_opt_def *d)
{
  FILE *out = ctx;
  if (!d->choices) return;
  fprintf(out, "      --%s) words='", d->name);
  for (const char *p = d->choices; *p; p++) fputc(*p == '|' ? ' ' : *p, out);
  fprintf(out, "' ;;\n");
}

static void bash(FILE *out)
{
  amo_command c;
  fprintf(out, "# bash completion for amontons; made by `amontons completion bash`\n_amontons() {\n"
               "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=\n"
               "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words='");
  for (size_t i = 0; amo_command_get(i, &c); i++) fprintf(out, "%s ", c.name);
  fprintf(out, "--help --version'\n    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n    return\n  fi\n"
               "  case ${COMP_WORDS[1]} in\n");
  for (size_t i = 0; amo_command_get(i, &c); i++) {
    fprintf(out, "  %s)\n    case $prev in\n", c.name);
    amo_command_options(&c, bash_choices, out);
    fprintf(out, "      *) case $cur in -*) words='");
    amo_command_options(&c, bash_option, out);
    fprintf(out, "' ;; esac ;;\n    esac ;;\n");
  }
  fprintf(out, "  esac\n  if [ \"${COMP_WORDS[1]}\" = completion ]; then words='bash zsh fish'; fi\n"
               "  if [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
               "  else COMPREPLY=($(compgen -f -- \"$cur\")); compopt -o filenames 2>/dev/null; fi\n}\n"
               "complete -F _amontons amontons\n");
}

// ---- zsh ----

static void zsh_text(FILE *out, const char *s)
{
  for (; *s; s++) {
    if (*s == '\'')
      fputs("'\\''", out);
    else if (strchr("[]:", *s))
      fprintf(out, "\\%c", *s);
    else
      fputc(*s, out);
  }
}

static void zsh_option(void *ctx, const amo_opt_def *d)
{
  FILE *out = ctx;
  fprintf(out, " \\\n      '%s--%s[", d->type == AMO_OPT_SETTINGS ? "*" : "", d->name);
  zsh_text(out, d->help);
  fputc(']', out);
  if (d->type != AMO_OPT_FLAG) {
    fputc(':', out);
    zsh_text(out, d->metavar ? d->metavar : "value");
    fputc(':', out);
    if ((d->type == AMO_OPT_FILE || d->type == AMO_OPT_INPUT)) fprintf(out, "_files");
    if (d->choices) {
      fputc('(', out);
      for (const char *p = d->choices; *p; p++) fputc(*p == '|' ? ' ' : *p, out);
      fputc(')', out);
    }
  }
  fputc('\'', out);
}

static void zsh(FILE *out)
{
  amo_command c;
  fprintf(
      out,
      "#compdef amontons\n# made by `amontons completion zsh`\n_amontons() {\n  if (( CURRENT == 2 )); then\n"
      "    local -a commands=(");
  for (size_t i = 0; amo_command_get(i, &c); i++) {
    fprintf(out, "\n      '%s:", c.name);
    zsh_text(out, c.summary);
    fputc('\'', out);
  }
  fprintf(out,
          ")\n    _describe command commands\n    return\n  fi\n  local command=$words[2]\n  shift words\n"
          "  (( CURRENT-- ))\n  case $command in\n");
  for (size_t i = 0; amo_command_get(i, &c); i++) {
    fprintf(out, "    %s) _arguments", c.name);
    amo_command_options(&c, zsh_option, out);
    fprintf(out, !strcmp(c.name, "completion") ? " \\\n      ':shell:(bash zsh fish)' ;;\n"
                                               : " \\\n      '*:file:_files' ;;\n");
  }
  fprintf(out, "  esac\n}\n_amontons \"$@\"\n");
}

// ---- fish ----

typedef struct fish_ctx {
  FILE *out;
  const char *command;
} fish_ctx;

static void fish_option(void *ctx, const amo_opt_def *d)
{
  const fish_ctx *f = ctx;
  fprintf(f->out, "complete -c amontons -n '__fish_seen_subcommand_from %s' -l %s", f->command, d->name);
  if (d->choices) {
    fprintf(f->out, " -x -a '");
    for (const char *p = d->choices; *p; p++) fputc(*p == '|' ? ' ' : *p, f->out);
    fputc('\'', f->out);
  } else if ((d->type == AMO_OPT_FILE || d->type == AMO_OPT_INPUT))
    fprintf(f->out, " -r");
  else if (d->type != AMO_OPT_FLAG)
    fprintf(f->out, " -x");
  fprintf(f->out, " -d '");
  quoted(f->out, d->help);
  fprintf(f->out, "'\n");
}

static void fish(FILE *out)
{
  amo_command c;
  fprintf(out, "# fish completion for amontons; made by `amontons completion fish`\n");
  for (size_t i = 0; amo_command_get(i, &c); i++) {
    fprintf(out, "complete -c amontons -f -n __fish_use_subcommand -a %s -d '", c.name);
    quoted(out, c.summary);
    fprintf(out, "'\n");
  }
  for (size_t i = 0; amo_command_get(i, &c); i++)
    amo_command_options(&c, fish_option, &(fish_ctx){out, c.name});
  fprintf(out, "complete -c amontons -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n");
}

bool amo_completion(const char *shell, FILE *out)
{
  if (!strcmp(shell, "bash"))
    bash(out);
  else if (!strcmp(shell, "zsh"))
    zsh(out);
  else if (!strcmp(shell, "fish"))
    fish(out);
  else
    return false;
  return true;
}
