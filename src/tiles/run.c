// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE  // sched_getaffinity
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "tiles/job.h"
#include "tiles/kept.h"

double amo_job_now(void)
{
  struct timespec t = {0};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool amo_job_stopped(const amo_job *j)
{
  return j->how->stop && *j->how->stop;
}

void amo_job_wait(amo_job *j)
{
  enum { MOMENT = 20000000 };  // ns: flags set by signals are not news
  struct timespec t = {0};
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_nsec += MOMENT;
  if (t.tv_nsec >= 1000000000) t.tv_sec++, t.tv_nsec -= 1000000000;
  pthread_cond_timedwait(&j->news, &j->lock, &t);
}

void amo_job_note(amo_job *j, size_t tile, const char *answer)
{
  const amo_tiles_how *how = j->how;
  amo_text own = {0};
  if (j->kept) {
    if (!answer) j->tiles->write(j->tiles->ctx, tile, &own);
    amo_kept_write(tile, answer ? answer : own.data ? own.data : "", j->kept);
    if ((own.failed || fflush(j->kept) != 0) && j->status == AMO_OK)
      j->status = own.failed ? AMO_ENOMEM : amo_kept_failed(how->kept, j->diags);
  }
  amo_text_free(&own);
  const amo_desk *d = &j->desk;
  if (how->progress && how->progress(how->ctx, (double)(d->total - d->left) / (double)d->total))
    j->ended = true;
  pthread_cond_broadcast(&j->news);
}

// ---- threads of rank 0 ----

static bool is_helper(const amo_job *j)
{
  return j->how->ranks && j->how->ranks->rank != 0;
}

static bool desk_next(amo_job *j, size_t *tile)
{
  bool more = false;
  pthread_mutex_lock(&j->lock);
  while (j->status == AMO_OK && !j->ended && !amo_job_stopped(j) && j->desk.left > 0 && !more) {
    more = amo_desk_take(&j->desk, 0, amo_job_now(), tile);
    if (!more && !j->how->ranks) break;  // what is out is with other threads
    if (!more) amo_job_wait(j);
  }
  pthread_mutex_unlock(&j->lock);
  return more;
}

static void desk_done(amo_job *j, size_t tile)
{
  pthread_mutex_lock(&j->lock);
  if (amo_desk_put(&j->desk, 0, amo_job_now(), tile)) amo_job_note(j, tile, NULL);
  pthread_mutex_unlock(&j->lock);
}

static void fail(amo_job *j, amo_status st)
{
  pthread_mutex_lock(&j->lock);
  if (j->status == AMO_OK) j->status = st;
  pthread_cond_broadcast(&j->news);
  pthread_mutex_unlock(&j->lock);
}

// ---- threads ----

typedef struct thread {
  amo_job *job;
  int number;
  pthread_t id;
} thread;

static bool next(const thread *t, size_t *tile)
{
  return is_helper(t->job) ? amo_errand_next(t->job, t->number, tile) : desk_next(t->job, tile);
}

static void *work(void *ctx)
{
  const thread *t = ctx;
  amo_job *j = t->job;
  void *worker = j->tiles->ctx;
  size_t tile;
  amo_status st = j->tiles->begin ? j->tiles->begin(j->tiles->ctx, &worker) : AMO_OK;
  const bool begun = st == AMO_OK;
  while (st == AMO_OK && next(t, &tile)) {
    st = j->tiles->compute(worker, tile);
    if (st != AMO_OK) continue;
    is_helper(j) ? amo_errand_done(j, t->number, tile) : desk_done(j, tile);
  }
  if (st != AMO_OK) fail(j, st);
  if (begun && j->tiles->begin) j->tiles->end(worker);
  return NULL;
}

/// Processors that this process may use: a cluster may have given it a part of the machine.
static int processors(void)
{
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  const long all = sysconf(_SC_NPROCESSORS_ONLN);
  return all < 1 ? 1 : all > AMO_TILES_THREADS ? AMO_TILES_THREADS : (int)all;
}

static int threads_of(const amo_tiles *t, const amo_tiles_how *how)
{
  const int n = how->threads ? how->threads : how->ranks ? 1 : processors();
  return !t->begin || n < 1 ? 1 : n > AMO_TILES_THREADS ? AMO_TILES_THREADS : n;
}

/// This thread computes too, unless it has messages to look after.
static void run_threads(amo_job *j)
{
  thread t[AMO_TILES_THREADS];
  const bool messages = j->how->ranks != NULL;
  int n = 0;
  for (int i = 0; i < j->threads; i++) t[i] = (thread){.job = j, .number = i};
  while (n < j->threads - !messages && pthread_create(&t[n].id, NULL, work, &t[n]) == 0) n++;
  if (messages && n == 0) j->status = AMO_ENOMEM;  // no thread to be had
  if (messages)
    is_helper(j) ? amo_job_help(j) : amo_job_serve(j);
  else
    work(&t[n]);
  for (int i = 0; i < n; i++) pthread_join(t[i].id, NULL);
}

// ---- the work ----

static amo_status prepare(amo_job *j, size_t *taken)
{
  const amo_tiles *t = j->tiles;
  amo_status st = AMO_OK;
  if (j->how->kept && !is_helper(j)) st = amo_kept_open(t, j->how, j->diags, taken, &j->kept);
  if (st == AMO_OK) st = amo_desk_make(&j->desk, t->done, t->count, j->how->slice);
  j->errand = amo_zalloc((size_t)j->threads, sizeof *j->errand);
  return st == AMO_OK && !j->errand ? AMO_ENOMEM : st;
}

static void release(amo_job *j)
{
  if (j->kept && fclose(j->kept) != 0 && j->status == AMO_OK)
    j->status = amo_kept_failed(j->how->kept, j->diags);
  for (int i = 0; j->errand && i < j->threads; i++) free(j->errand[i].answer);
  free(j->errand);
  amo_desk_free(&j->desk);
  pthread_cond_destroy(&j->news);
  pthread_mutex_destroy(&j->lock);
}

amo_status amo_tiles_run(const amo_tiles *t, const amo_tiles_how *how, amo_diags *diags, amo_tiles_end *out)
{
  amo_job j = {.tiles = t, .how = how, .diags = diags, .threads = threads_of(t, how)};
  *out = (amo_tiles_end){0};
  pthread_mutex_init(&j.lock, NULL);
  pthread_cond_init(&j.news, NULL);
  j.status = prepare(&j, &out->kept);
  if (j.status == AMO_OK) run_threads(&j);
  const bool slice_done = j.status == AMO_OK && (is_helper(&j) || j.desk.left == 0);
  release(&j);
  for (size_t i = 0; i < t->count; i++) out->finished += t->done[i];
  out->whole = out->finished == t->count && !is_helper(&j);
  return j.status != AMO_OK ? j.status : slice_done ? AMO_OK : AMO_EINTR;
}
