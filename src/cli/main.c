// SPDX-License-Identifier: Apache-2.0
// amontons COMMAND ...: signals, the few words before the command, dispatch.
#define _GNU_SOURCE  // RTLD_DEFAULT
#include <dlfcn.h>
#include <errno.h>
#include <features.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/command.h"

static volatile sig_atomic_t interrupted;

enum { PATIENCE = 700000 };  // microseconds that a run has to tell what it knows after Ctrl-C

static volatile sig_atomic_t stage;  // amo_stage

void amo_stage_set(amo_stage now)
{
  stage = (sig_atomic_t)now;
}

/// End here and now, from a signal handler. Files are whole or not there; nothing is told that was not finished.
static void leave(void)
{
  static const char words[] = "interrupted: there is no result yet\n";
  amo_file_remove_temporaries();
  (void)!write(STDERR_FILENO, words, sizeof words - 1);
  _exit(amo_exit_code(AMO_EINTR));
}

static void on_alarm(int number)
{
  (void)number;
  if (stage != AMO_STAGE_TELLING) leave();
}

/// The first Ctrl-C asks the run to stop and tell what it has; if it does not in time, the program ends all the same,
/// at once where nothing can be known yet. The second one ends the program too. Half-written files are gone before.
/// `timeout` and some shells send each signal twice, to the process and to its group: what follows within a fifth
/// of a second is the same Ctrl-C.
static void on_signal(int number)
{
  static struct timespec first;
  struct timespec now;
  int saved = errno;
  clock_gettime(CLOCK_MONOTONIC, &now);
  double since = (double)(now.tv_sec - first.tv_sec) + 1e-9 * (double)(now.tv_nsec - first.tv_nsec);
  if (!interrupted) first = now;
  if (!interrupted || since < 0.2) {
    interrupted = 1;
    if (stage == AMO_STAGE_LOADING) leave();
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = PATIENCE}}, NULL);
    errno = saved;
    return;
  }
  amo_file_remove_temporaries();
  signal(number, SIG_DFL);
  raise(number);
}

static void watch_signals(void)
{
  static const int stops[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction stop = {.sa_handler = on_signal}, ignore = {.sa_handler = SIG_IGN}, now;
  struct sigaction late = {.sa_handler = on_alarm};
  sigemptyset(&stop.sa_mask);
  sigemptyset(&ignore.sa_mask);
  sigemptyset(&late.sa_mask);
  sigaction(SIGALRM, &late, NULL);
  for (int i = 0; i < 3; i++) {
    // a hangup that was ignored at the start stays so: nohup
    bool wanted = stops[i] != SIGHUP || sigaction(SIGHUP, NULL, &now) != 0 || now.sa_handler != SIG_IGN;
    if (wanted) sigaction(stops[i], &stop, NULL);
  }
  amo_file_watch(&interrupted);
  atexit(amo_file_remove_temporaries);
  sigaction(SIGPIPE, &ignore, NULL);  // a closed pipe is seen where it is written to
}

/// Workspaces of a megabyte come and go with every cell of a map; keep the memory instead of giving it back to the
/// system each time (two thirds of the time of a stability chart).
static void keep_memory(void)
{
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

/// The linear algebra here is small and runs in our own threads; those of OpenBLAS would only wait for each other.
static void calm_blas(void)
{
  union {
    void *object;
    void (*function)(int);
  } set = {dlsym(RTLD_DEFAULT, "openblas_set_num_threads")};
  if (set.object) set.function(1);
}

static bool wants_help(int argc, char *const *argv)
{
  for (int i = 0; i < argc; i++) {
    if (!strcmp(argv[i], "--")) return false;
    if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) return true;
  }
  return false;
}

static int help(int argc, char *const *argv)
{
  amo_command c;
  if (argc < 1) {
    amo_help_all(stdout);
    return amo_finish_output(0);
  }
  if (!amo_command_find(argv[0], &c)) {
    amo_command_unknown(argv[0], stderr);
    return 2;
  }
  amo_help_command(&c, stdout);
  return amo_finish_output(0);
}

int main(int argc, char **argv)
{
  amo_cli cli = {.program = argc > 0 ? argv[0] : "amontons", .interrupted = &interrupted};
  amo_command c;
  watch_signals();
  keep_memory();
  calm_blas();
  if (argc < 2) {
    amo_help_all(stderr);
    return 2;
  }
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
    return help(argc - 2, argv + 2);
  if (!strcmp(argv[1], "--version")) {
    printf("amontons " AMO_VERSION "\n");
    return amo_finish_output(0);
  }
  if (!amo_command_find(argv[1], &c)) {
    amo_command_unknown(argv[1], stderr);
    return 2;
  }
  if (wants_help(argc - 2, argv + 2)) return help(1, argv + 1);
  return c.run(&cli, &c, argc - 2, argv + 2);
}
