// SPDX-License-Identifier: Apache-2.0
/// Bounded work: the flag that Ctrl-C would set is set after some processor time. What does not stop soon
/// after it is found as a hang.
#ifndef AMO_FUZZ_DEADLINE_H
#define AMO_FUZZ_DEADLINE_H

#include <signal.h>
#include <sys/time.h>

static volatile sig_atomic_t deadline_passed;

static void deadline_signal(int number)
{
  (void)number;
  deadline_passed = 1;
}

/// @param milliseconds of processor time; 0: passed already
static void deadline_set(int milliseconds)
{
  struct sigaction act = {.sa_handler = deadline_signal, .sa_flags = SA_RESTART};
  struct itimerval in = {.it_value = {.tv_usec = milliseconds * 1000}};
  sigemptyset(&act.sa_mask);
  sigaction(SIGVTALRM, &act, NULL);
  deadline_passed = milliseconds == 0;
  setitimer(ITIMER_VIRTUAL, &in, NULL);
}

static void deadline_clear(void)
{
  struct itimerval never = {.it_value = {0}};
  setitimer(ITIMER_VIRTUAL, &never, NULL);
}

#endif
