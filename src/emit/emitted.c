// SPDX-License-Identifier: Apache-2.0
#include "emit/emitted.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "emit/library.h"

/// About 0.1 s of interpreting: as much as a compiler needs. So a run can lose no more than it would gain.
static const double worth_while = 4e7;
/// A larger source would take many seconds to compile.
static const size_t most_instructions = 4000;

typedef struct compile_job {
  amo_compiler_run run;
  char *source;
  amo_prog *prog;
  int order, lanes;
  pthread_t thread;
  bool started, waited;
  amo_library library;
} compile_job;

struct amo_emitted {
  pthread_mutex_t lock;
  _Atomic(long long) work;
  compile_job job[AMO_CODES];
  int jobs;
};

amo_status amo_emitted_new(amo_emitted **out)
{
  *out = calloc(1, sizeof **out);
  if (*out == NULL) return AMO_ENOMEM;
  pthread_mutex_init(&(*out)->lock, NULL);
  return AMO_OK;
}

static void join(compile_job *j)
{
  if (j->started && !j->waited) pthread_join(j->thread, NULL);
  j->waited = true;
}

void amo_emitted_free(amo_emitted *e)
{
  if (e == NULL) return;
  for (int i = 0; i < e->jobs; i++) amo_compiler_stop(&e->job[i].run);
  for (int i = 0; i < e->jobs; i++) {
    compile_job *j = &e->job[i];
    join(j);
    amo_library_close(&j->library);
    amo_compiler_run_free(&j->run);
    free(j->source);
  }
  pthread_mutex_destroy(&e->lock);
  free(e);
}

bool amo_emitted_worth(amo_emitted *e, double work)
{
  return (double)atomic_fetch_add(&e->work, (long long)work) + work >= worth_while;
}

static void *do_job(void *ctx)
{
  compile_job *j = ctx;
  if (amo_library_get(&j->run, j->source, j->order, j->lanes, &j->library) == AMO_OK)
    (void)amo_prog_use_code(j->prog, &j->library.code);
  return NULL;
}

/// In a thread that takes no signals: they are the program's.
static bool start(compile_job *j)
{
  sigset_t all, before;
  sigfillset(&all);
  if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return false;
  const bool started = pthread_create(&j->thread, NULL, do_job, j) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

static compile_job *find(amo_emitted *e, const amo_emit_request *r)
{
  for (int i = 0; i < e->jobs; i++)
    if (e->job[i].prog == r->prog && e->job[i].order == r->order && e->job[i].lanes == r->lanes)
      return &e->job[i];
  return NULL;
}

static compile_job *add(amo_emitted *e, const amo_emit_request *r, amo_prog *prog)
{
  amo_text t = {0};
  if (e->jobs == AMO_CODES || amo_emit_size(prog) > most_instructions) return NULL;
  amo_emit_source(r, &t);
  char *source = amo_text_take(&t);
  if (source == NULL) return NULL;
  compile_job *j = &e->job[e->jobs++];
  *j = (compile_job){.source = source, .prog = prog, .order = r->order, .lanes = r->lanes};
  amo_compiler_run_init(&j->run);
  j->started = start(j);
  return j;
}

void amo_emitted_want(amo_emitted *e, const amo_emit_request *r, amo_prog *prog, bool wait)
{
  pthread_mutex_lock(&e->lock);
  compile_job *j = find(e, r);
  if (j == NULL) j = add(e, r, prog);
  if (wait && j != NULL) join(j);
  pthread_mutex_unlock(&e->lock);
}
