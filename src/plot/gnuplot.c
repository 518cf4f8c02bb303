// SPDX-License-Identifier: Apache-2.0
// gnuplot as a separate program: arguments go straight to exec, no shell sees them.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "plot/figure_impl.h"

enum { EXIT_MISSING = 127 };

/// In the child: only calls that are safe after fork.
static void child(const char *folder, char *const *argv, int talk)
{
  if (chdir(folder) != 0) _exit(126);
  dup2(talk, STDERR_FILENO);
  dup2(talk, STDOUT_FILENO);
  close(talk);
  execvp("gnuplot", argv);
  _exit(errno == ENOENT ? EXIT_MISSING : 126);
}

/// Everything the child says, the last bytes kept: the reason comes at the end. Interrupted, it has to stop too.
static void listen_to(pid_t child, int fd, char *said, size_t cap)
{
  size_t n = 0;
  for (;;) {
    if (n == cap - 1) {  // forget the older half
      memmove(said, said + cap / 2, n - cap / 2);
      n -= cap / 2;
    }
    ssize_t got = read(fd, said + n, cap - 1 - n);
    if (amo_file_interrupted()) kill(child, SIGTERM);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    n += (size_t)got;
  }
  said[n] = '\0';
}

/// The last line that says something: gnuplot first repeats the command and points at it.
static const char *last_line(char *said)
{
  size_t n = strlen(said);
  while (n && (said[n - 1] == '\n' || said[n - 1] == '\r' || said[n - 1] == ' ')) said[--n] = '\0';
  const char *line = strrchr(said, '\n');
  line = line ? line + 1 : said;
  return line + strspn(line, " \t^");
}

static amo_status explain(int status, const char *folder, const char *name, char *said, amo_diags *diags)
{
  amo_at nowhere = {0};
  char script[1024];
  bool here = !strcmp(folder, ".");
  snprintf(script, sizeof script, "%s%s%s", here ? "" : folder, here || !strcmp(folder, "/") ? "" : "/",
           !strncmp(name, "./", 2) ? name + 2 : name);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return AMO_OK;
  if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_MISSING)
    amo_error(
        diags, nowhere,
        "install gnuplot (Debian: apt install gnuplot-nox); then, in the script's folder, run gnuplot on it",
        "gnuplot was not found; the script '%s' and its data are written, the figure is not", script);
  else {
    amo_text safe = {0};
    const char *line = last_line(said);
    amo_text_safe(&safe, line, strlen(line));
    amo_error(diags, nowhere, NULL, "gnuplot failed on '%s': %s", script, safe.data ? safe.data : "");
    amo_text_free(&safe);
  }
  return AMO_EUNSUPPORTED;
}

amo_status amo_gnuplot_run(const char *folder, const char *script, const char *temporary, amo_diags *diags)
{
  amo_status st = AMO_ENOMEM;
  int pipes[2] = {-1, -1}, status = 0;
  char said[2000] = "";
  pid_t pid = -1;
  amo_text set = {0};
  for (const char *p = temporary; *p; p++)  // as in make_names; this one may lie behind a link
    if ((unsigned char)*p < 0x20 || *p == 0x7f)
      return amo_error(diags, (amo_at){0}, NULL, "a figure's name must not hold control characters: '%s'",
                       temporary);
  amo_text_str(&set, "amo_out = ");
  amo_gp_name(&set, temporary);
  char *assign = amo_text_take(&set);
  if (!assign) goto done;
  // script comes as "./name": a name like "-p.gp" must not read as an option
  char *const argv[] = {
      (char[]){"gnuplot"}, (char[]){"-d"}, (char[]){"-e"}, assign, (char *)(uintptr_t)script, NULL};
  st = AMO_EUNSUPPORTED;
  if (pipe(pipes) != 0) goto done;
  pid = fork();
  if (pid == 0) {
    close(pipes[0]);
    child(folder, argv, pipes[1]);
  }
  close(pipes[1]);
  if (pid < 0) goto done;
  listen_to(pid, pipes[0], said, sizeof said);
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) goto done;
  st = amo_file_interrupted() ? AMO_EINTR : explain(status, folder, script, said, diags);
done:
  if (pipes[0] >= 0) close(pipes[0]);
  free(assign);
  if (st == AMO_EUNSUPPORTED && pid < 0)
    amo_error(diags, (amo_at){0}, NULL, "cannot start gnuplot: %s", strerror(errno));
  return st;
}
