// SPDX-License-Identifier: Apache-2.0
// --help pages.
#include <string.h>

#include "cli/command.h"
#include "cli/wrap.h"

void amo_option_usage(const amo_opt_def *d, char *out, size_t size)
{
  if (d->type == AMO_OPT_FLAG)
    snprintf(out, size, "--%s", d->name);
  else
    snprintf(out, size, "--%s %s", d->name, d->metavar ? d->metavar : "VALUE");
}

void amo_help_all(FILE *out)
{
  amo_command c;
  fprintf(out, "Amontons %s: mechanical systems with dry friction.\n\n", AMO_VERSION);
  fprintf(out, "usage: amontons COMMAND ...\n       amontons COMMAND --help\n       amontons --version\n\n");
  fprintf(out, "commands:\n");
  for (size_t i = 0; amo_command_get(i, &c); i++) fprintf(out, "  %-12s %s\n", c.name, c.summary);
  fprintf(out,
          "\nResults go to standard output, messages to standard error. Exit status: 0 done; 1 the question\n"
          "has no answer, the run was interrupted, or the result failed its audit; 2 bad input.\n"
          "A model - is standard input, a file - standard output (text only).\n\n"
          "example:\n  amontons simulate models/block-on-belt.yaml --until 50 --plot out.svg\n");
}

/// Help text of an option with its choices and default.
static void put_option(void *ctx, const amo_opt_def *d)
{
  FILE *out = ctx;
  char usage[128], text[512];
  amo_option_usage(d, usage, sizeof usage);
  int n = snprintf(text, sizeof text, "%s", d->help);
  if (d->choices && n > 0 && (size_t)n < sizeof text)
    n += snprintf(text + n, sizeof text - (size_t)n, " (%s)", d->choices);
  if (d->fallback && n > 0 && (size_t)n < sizeof text)
    snprintf(text + n, sizeof text - (size_t)n, " [%s]", d->fallback);
  fprintf(out, "  %-22s", usage);
  if (strlen(usage) > 22) fprintf(out, "\n  %-22s", "");
  amo_wrap(out, text, 25, 25, 100);
}

void amo_help_command(const amo_command *c, FILE *out)
{
  fprintf(out, "usage: amontons %s %s\n\n", c->name, c->usage);
  amo_wrap(out, c->description, 0, 0, 100);
  fprintf(out, "\noptions (default in brackets):\n");
  amo_command_options(c, put_option, out);
  fprintf(out, "\nexample:\n");
  for (const char *p = c->example; *p;) {
    size_t n = strcspn(p, "\n");
    fprintf(out, "  %.*s\n", (int)n, p);
    p += n + (p[n] == '\n');
  }
}
