// SPDX-License-Identifier: Apache-2.0
#include "emit/compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

enum { MOST_WORDS = 64 };
static const char blank[] = " \t";
static const size_t most_description = (size_t)1 << 20;

// Functions of the C library are called as they are: a compiler may put sin and cos of one argument together, or a constant power
// otherwise. That a division could trap keeps from nothing: it does not.
#define LIBRARY                                                                                 \
  "-fno-fast-math -O3 -march=native -std=gnu17 -w -fPIC -fvisibility=hidden -fno-math-errno "   \
  "-fno-trapping-math -fno-builtin-sin -fno-builtin-cos -fno-builtin-tan -fno-builtin-asin "    \
  "-fno-builtin-acos -fno-builtin-atan -fno-builtin-atan2 -fno-builtin-sinh -fno-builtin-cosh " \
  "-fno-builtin-tanh -fno-builtin-asinh -fno-builtin-exp -fno-builtin-log -fno-builtin-pow "    \
  "-fno-builtin-hypot "
// The same bits as the interpreter: no fused multiply-add, no sums in another order.
#define TO_THE_BIT "-ffp-contract=off"

/// How the compiler of a language is found and asked.
static const struct language {
  const char *variable, *usual, *flags, *describe, *compile, *behind;
} languages[] = {
    [AMO_COMPILER_C] = {"CC", "cc", LIBRARY TO_THE_BIT, "-E -dM -x c /dev/null", "-shared -s -x c", "-lm"},
    [AMO_COMPILER_C_FUSED] = {"CC", "cc", LIBRARY "-ffp-contract=fast", "-E -dM -x c /dev/null",
                              "-shared -s -x c", "-lm"},
    [AMO_COMPILER_CUDA] = {"NVCC", "nvcc",
                           "-O3 -std=c++17 -arch=native -w -Xcompiler -fPIC,-fvisibility=hidden", "--version",
                           "-shared -x cu", "-lcudart"},
};

static const char *compiler(const struct language *l)
{
  const char *own = getenv(l->variable);
  return own != NULL && own[strspn(own, blank)] != '\0' ? own : l->usual;
}

void amo_compiler_run_init(amo_compiler_run *run)
{
  pthread_mutex_init(&run->lock, NULL);
  run->stop = false;
  run->group = 0;
}

void amo_compiler_run_free(amo_compiler_run *run)
{
  pthread_mutex_destroy(&run->lock);
}

void amo_compiler_stop(amo_compiler_run *run)
{
  pthread_mutex_lock(&run->lock);
  run->stop = true;
  if (run->group > 0) kill(-run->group, SIGTERM);  // lets it remove what it has begun
  pthread_mutex_unlock(&run->lock);
}

// ---- words ----

typedef struct words {
  char *text;  // cut into them
  char *word[MOST_WORDS + 1];
  size_t count;
  bool failed;
} words;

static void add_word(words *w, char *word)
{
  if (w->count < MOST_WORDS)
    w->word[w->count++] = word;
  else
    w->failed = true;
}

/// The compiler, its flags, and what is to be done.
static void command(words *w, const struct language *l, const char *rest)
{
  amo_text t = {0};
  amo_text_printf(&t, "%s %s %s", compiler(l), l->flags, rest);
  w->text = amo_text_take(&t);
  w->failed = w->text == NULL;
  char *left = NULL;
  for (char *s = w->failed ? NULL : strtok_r(w->text, blank, &left); s != NULL;
       s = strtok_r(NULL, blank, &left))
    add_word(w, s);
}

// ---- processes ----

extern char **environ;

/// Input from and output to nothing, or a file.
static bool files_of_child(posix_spawn_file_actions_t *f, const char *output)
{
  const int create = O_WRONLY | O_CREAT | O_TRUNC;
  return posix_spawn_file_actions_addopen(f, 0, "/dev/null", O_RDONLY, 0) == 0 &&
         posix_spawn_file_actions_addopen(f, 1, output ? output : "/dev/null", create, 0600) == 0 &&
         posix_spawn_file_actions_addopen(f, 2, "/dev/null", O_WRONLY, 0) == 0;
}

static int spawn(pid_t *pid, char *const *word, const char *output)
{
  posix_spawn_file_actions_t f;
  posix_spawnattr_t a;
  sigset_t none;
  sigemptyset(&none);
  posix_spawn_file_actions_init(&f);
  posix_spawnattr_init(&a);
  posix_spawnattr_setflags(&a, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&a, 0);
  posix_spawnattr_setsigmask(&a, &none);
  const int failed = files_of_child(&f, output) ? posix_spawnp(pid, word[0], &f, &a, word, environ) : ENOMEM;
  posix_spawnattr_destroy(&a);
  posix_spawn_file_actions_destroy(&f);
  return failed;
}

/// Waits; the process number stays its own until nobody can send it a signal any more.
static bool succeeds(amo_compiler_run *run, pid_t pid)
{
  siginfo_t info;
  int status = 1;
  while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) continue;
  pthread_mutex_lock(&run->lock);
  const pid_t got = waitpid(pid, &status, 0);
  run->group = 0;
  pthread_mutex_unlock(&run->lock);
  // a program that lets its children go unseen (SIGCHLD ignored) learns nothing: the result is looked at anyway
  return (got < 0 && errno == ECHILD) || (got == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static amo_status run_command(amo_compiler_run *run, char *const *word, const char *output)
{
  pid_t pid = 0;
  pthread_mutex_lock(&run->lock);
  const bool started = !run->stop && spawn(&pid, word, output) == 0;
  if (started) run->group = pid;
  pthread_mutex_unlock(&run->lock);
  return started && succeeds(run, pid) ? AMO_OK : AMO_EIO;
}

// ---- what it is asked ----

amo_status amo_compiler_describe(amo_compiler_run *run, amo_compiler_language language, const char *scratch,
                                 amo_text *out)
{
  const struct language *l = &languages[language];
  words w = {0};
  char *text = NULL;
  size_t size = 0;
  command(&w, l, l->describe);
  amo_status st = w.failed ? AMO_ENOMEM : run_command(run, w.word, scratch);
  if (st == AMO_OK) st = amo_file_read(scratch, most_description, NULL, &text, &size);
  if (st == AMO_OK && size == 0) st = AMO_EIO;
  if (st == AMO_OK) amo_text_printf(out, "%s %s\n%s", compiler(l), l->flags, text);
  free(text);
  free(w.text);
  return st;
}

amo_status amo_compiler_compile(amo_compiler_run *run, amo_compiler_language language, const char *source,
                                const char *library)
{
  const struct language *l = &languages[language];
  words w = {0};
  command(&w, l, l->compile);
  const char *const last[] = {source, "-o", library, l->behind};  // names of files may hold blanks
  for (size_t i = 0; i < sizeof last / sizeof *last; i++) add_word(&w, (char *)(uintptr_t)last[i]);
  const amo_status st = w.failed ? AMO_ENOMEM : run_command(run, w.word, NULL);
  free(w.text);
  return st;
}
