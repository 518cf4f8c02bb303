// SPDX-License-Identifier: Apache-2.0
// What goes to stderr, and the last look at stdout.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/command.h"

void amo_say(const amo_diags *d, bool quiet)
{
  if (!amo_diags_count(d) || (quiet && !amo_diags_errors(d))) return;
  char *text = amo_diags_render(d);
  fflush(stdout);  // keeps the order on a terminal
  fputs(text ? text : "error: out of memory\n", stderr);
  free(text);
}

int amo_exit_code(amo_status st)
{
  switch (st) {
    case AMO_OK: return 0;
    case AMO_ENOANSWER:
    case AMO_EAUDIT:
    case AMO_ELIMIT:
    case AMO_EINTR:
    case AMO_EUNSUPPORTED: return 1;
    default: return 2;
  }
}

int amo_finish_output(int status)
{
  errno = 0;
  bool bad = ferror(stdout) != 0;
  if (bad) {  // it failed some time ago; trying again tells why
    clearerr(stdout);
    fputc('\n', stdout);
  }
  if (fflush(stdout) != 0) bad = true;
  if (!bad || errno == EPIPE) return status;  // a reader that has seen enough is no error
  fprintf(stderr, "error: cannot write the result: %s\n", errno ? strerror(errno) : "output failed");
  return 2;
}

static double now(void)
{
  struct timespec t = {0};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void amo_progress_begin(amo_progress_bar *b, bool quiet)
{
  *b = (amo_progress_bar){.on = !quiet && isatty(STDERR_FILENO), .begun = now()};
}

void amo_progress_update(void *bar, double fraction)
{
  enum { WIDTH = 40 };
  amo_progress_bar *b = bar;
  char line[WIDTH + 1];
  if (!b->on) return;
  double t = now();
  if (t - b->begun < 0.5 || t - b->last < 0.1) return;
  b->last = t;
  b->shown = true;
  fraction = fmin(fmax(fraction, 0), 1);
  int full = (int)(fraction * WIDTH);
  for (int i = 0; i < WIDTH; i++) line[i] = i < full ? '=' : i == full ? '>' : ' ';
  line[WIDTH] = '\0';
  fprintf(stderr, "\r[%s] %3.0f %%", line, 100 * fraction);
  if (fraction > 0.01) fprintf(stderr, "  %.0f s left ", (t - b->begun) * (1 / fraction - 1));
  fflush(stderr);
}

void amo_progress_end(amo_progress_bar *b)
{
  if (b->shown) fprintf(stderr, "\r\033[K");
  b->shown = false;
}
