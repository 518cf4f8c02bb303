// SPDX-License-Identifier: Apache-2.0
// The manual page (troff) and docs/cli.md, from the list of commands.
#include <string.h>

#include "cli/command.h"

// ---- troff ----

/// Text that troff prints as it stands: no requests at line starts, real hyphens.
static void roff(FILE *out, const char *s)
{
  bool start = true;
  for (; *s; s++) {
    if (start && (*s == '.' || *s == '\'')) fputs("\\&", out);
    start = *s == '\n';
    if (*s == '\\')
      fputs("\\e", out);
    else if (*s == '-')
      fputs("\\-", out);
    else if (*s == '\n' && s[1] == '\n')
      fputs("\n.PP\n", out), s++;
    else
      fputc(*s, out);
  }
}

static void roff_option(void *ctx, const amo_opt_def *d)
{
  FILE *out = ctx;
  char usage[128];
  amo_option_usage(d, usage, sizeof usage);
  char *value = strchr(usage, ' ');
  if (value) *value++ = '\0';
  fputs(".TP\n\\fB", out);
  roff(out, usage);
  fputs("\\fR", out);
  if (value) fputs(" \\fI", out), roff(out, value), fputs("\\fR", out);
  fputs("\n", out);
  roff(out, d->help);
  if (d->choices) fputs("; one of ", out), roff(out, d->choices);
  if (d->fallback) fputs(". Default: ", out), roff(out, d->fallback);
  fputs(".\n", out);
}

static void roff_command(const amo_command *c, FILE *out)
{
  fputs(".SS \"amontons ", out);
  roff(out, c->name);
  fputc(' ', out);
  roff(out, c->usage);
  fputs("\"\n", out);
  roff(out, c->description);
  fputc('\n', out);
  amo_command_options(c, roff_option, out);
  fputs(".PP\nExample:\n.PP\n.nf\n.RS\n", out);
  roff(out, c->example);
  fputs("\n.RE\n.fi\n", out);
}

void amo_man_page(FILE *out)
{
  amo_command c;
  fputs(".TH AMONTONS 1 \"\" \"Amontons " AMO_VERSION "\" \"User Commands\"\n.SH NAME\n"
        "amontons \\- mechanical systems with dry friction\n.SH SYNOPSIS\n.B amontons\n.I command\n"
        "[\\fIarguments\\fR] [\\fIoptions\\fR]\n.SH DESCRIPTION\n"
        "Amontons reads a mechanism as a short text model (bodies, springs, loads, contacts with a friction "
        "law) "
        "and answers questions about its motion. Results go to standard output, messages to standard error. "
        "A model \\- is standard input, a file \\- standard output (text only).\n"
        ".SH COMMANDS\n",
        out);
  for (size_t i = 0; amo_command_get(i, &c); i++) roff_command(&c, out);
  fputs(".SH EXIT STATUS\n.TP\n.B 0\ndone\n.TP\n.B 1\nthe question has no answer, the run was interrupted, "
        "or the "
        "result failed its audit; the result so far is printed\n.TP\n.B 2\nbad input or unwritable output\n",
        out);
}

// ---- markdown ----

static void md_option(void *ctx, const amo_opt_def *d)
{
  FILE *out = ctx;
  char usage[128];
  amo_option_usage(d, usage, sizeof usage);
  fprintf(out, "| `%s` | ", usage);
  for (const char *p = d->help; *p; p++) fprintf(out, *p == '|' ? "\\|" : "%c", *p);
  if (d->choices) {
    fprintf(out, " (");
    for (const char *p = d->choices; *p; p++) *p == '|' ? fprintf(out, ", ") : fputc(*p, out);
    fprintf(out, ")");
  }
  fprintf(out, " | %s |\n", d->fallback ? d->fallback : "");
}

void amo_markdown_page(FILE *out)
{
  amo_command c;
  fprintf(
      out,
      "# The command line\n\nMade by `amontons man --format markdown`; do not edit.\n\n"
      "Results go to standard output, messages to standard error. Exit status: 0 done; 1 the "
      "question has no\n"
      "answer, the run was interrupted, or the result failed its audit (the result so far is "
      "printed); 2 bad\n"
      "input or unwritable output. A model `-` is standard input, a file `-` standard output (text only).\n"
      "`amontons COMMAND --help` shows the same as below.\n\n");
  for (size_t i = 0; amo_command_get(i, &c); i++)
    fprintf(out, "- [`%s`](#%s): %s\n", c.name, c.name, c.summary);
  for (size_t i = 0; amo_command_get(i, &c); i++) {
    fprintf(out, "\n## %s\n\n`amontons %s %s`\n\n%s\n\n| option | | default |\n|---|---|---|\n", c.name,
            c.name, c.usage, c.description);
    amo_command_options(&c, md_option, out);
    fprintf(out, "\n```sh\n%s\n```\n", c.example);
  }
}
