// SPDX-License-Identifier: Apache-2.0
// amontons COMMAND ...: signals, the few words before the command, dispatch.
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
  (void)number;
  interrupted = 1;
}

/// The first Ctrl-C asks the run to stop and tell what it has; the second one ends the program.
static void watch_signals(void)
{
  struct sigaction stop = {.sa_handler = on_signal}, ignore = {.sa_handler = SIG_IGN};
  sigemptyset(&stop.sa_mask);
  sigemptyset(&ignore.sa_mask);
  stop.sa_flags = (int)SA_RESETHAND;
  sigaction(SIGINT, &stop, NULL);
  sigaction(SIGTERM, &stop, NULL);
  sigaction(SIGPIPE, &ignore, NULL);  // a closed pipe is seen where it is written to
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
