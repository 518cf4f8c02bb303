// SPDX-License-Identifier: Apache-2.0
// Rank 0. Messages, each with the identity of the work in its second word:
//   ask ID THREAD             a thread of a helper has nothing to do
//   answer ID TILE TEXT       of a tile
//   left ID                   a helper ends and returns what it has
// and to helpers
//   tile ID THREAD TILE       compute this
//   wait ID                   nothing to do yet; rank 0 is alive
//   end ID                    no more help is wanted
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "tiles/job.h"

/// Somebody with nothing to do.
typedef struct idle {
  int rank;
  unsigned thread;
} idle;

typedef struct server {
  amo_job *job;
  idle *waiting;
  size_t waits, cap;
  double told;  // when those who wait were told to
} server;

static void tell(const amo_job *j, int to, const char *word, const char *rest)
{
  char line[128];
  const int n = snprintf(line, sizeof line, "%s %016llx%s", word, j->tiles->identity, rest);
  j->how->ranks->send(j->how->ranks->ctx, to, line, (size_t)n);
}

/// Into its place, unless somebody was faster.
static void take_answer(amo_job *j, int from, char *text)
{
  char *end = NULL;
  const size_t tile = strtoul(text, &end, 10);
  if (end == text || *end != ' ' || tile >= j->tiles->count) return;
  char *copy = amo_strdup(end + 1);  // reading overwrites it
  pthread_mutex_lock(&j->lock);
  if (copy && !j->desk.done[tile] && !j->desk.mine[tile] && j->tiles->read(j->tiles->ctx, tile, end + 1) &&
      amo_desk_put(&j->desk, from, amo_job_now(), tile))
    amo_job_note(j, tile, copy);
  pthread_mutex_unlock(&j->lock);
  free(copy);
}

static bool is_word(const char *bytes, const char *word, size_t *n)
{
  *n = strlen(word);
  return !strncmp(bytes, word, *n) && bytes[*n] == ' ';
}

static void forget(server *s, int rank)
{
  size_t kept = 0;
  for (size_t i = 0; i < s->waits; i++)
    if (s->waiting[i].rank != rank) s->waiting[kept++] = s->waiting[i];
  s->waits = kept;
}

static void take_message(server *s, int from, char *bytes)
{
  amo_job *j = s->job;
  char *rest = NULL, *id = strchr(bytes, ' ');
  size_t n;
  const bool ours = id && strtoull(id, &rest, 16) == j->tiles->identity && rest != id;
  if (!ours) {                     // of another question: what it has been given is not of this one
    pthread_mutex_lock(&j->lock);  // threads may report, too
    amo_warn(j->diags, (amo_at){0}, "the same model and program on every machine",
             "rank %d asks another question: it does not help", from);
    pthread_mutex_unlock(&j->lock);
    char line[64], *last = NULL;
    n = (size_t)snprintf(line, sizeof line, "end %016llx", id ? strtoull(id, &last, 16) : 0ULL);
    j->how->ranks->send(j->how->ranks->ctx, from, line, n);
  } else if (is_word(bytes, "ask", &n)) {
    if (AMO_ROOM(s->waiting, s->waits, s->cap))
      s->waiting[s->waits++] = (idle){from, (unsigned)strtoul(rest, NULL, 10)};
  } else if (is_word(bytes, "answer", &n)) {
    take_answer(j, from, rest);
  } else if (is_word(bytes, "left", &n)) {
    pthread_mutex_lock(&j->lock);
    amo_desk_lost(&j->desk, from);
    pthread_mutex_unlock(&j->lock);
    forget(s, from);
  }
}

/// Whoever gets nothing goes to the end of the line: what is overdue may be with him, and others could take it.
static void hand_out(server *s)
{
  amo_job *j = s->job;
  size_t tile;
  char rest[64];
  while (s->waits > 0) {
    const idle who = s->waiting[0];
    memmove(s->waiting, s->waiting + 1, (s->waits - 1) * sizeof *s->waiting);
    pthread_mutex_lock(&j->lock);
    const bool found = amo_desk_take(&j->desk, who.rank, amo_job_now(), &tile);
    pthread_mutex_unlock(&j->lock);
    if (!found) {
      s->waiting[s->waits - 1] = who;
      break;
    }
    s->waits--;
    snprintf(rest, sizeof rest, " %u %zu", who.thread, tile);
    tell(j, who.rank, "tile", rest);
  }
}

/// Helpers leave when rank 0 is not heard of for long.
static void comfort(server *s)
{
  const double now = amo_job_now();
  if (now - s->told < 5.0) return;
  s->told = now;
  for (size_t i = 0; i < s->waits; i++) tell(s->job, s->waiting[i].rank, "wait", "");
}

static bool going_on(amo_job *j)
{
  pthread_mutex_lock(&j->lock);
  const bool on = j->status == AMO_OK && !j->ended && !amo_job_stopped(j) && j->desk.left > 0;
  pthread_mutex_unlock(&j->lock);
  return on;
}

void amo_job_serve(amo_job *j)
{
  const amo_ranks *r = j->how->ranks;
  const struct timespec moment = {.tv_nsec = 200000};
  server s = {.job = j, .told = amo_job_now()};
  while (going_on(j)) {
    int from;
    char *bytes = NULL;
    size_t n;
    bool any = false;
    while (r->receive(r->ctx, &from, &bytes, &n)) {
      any = true;
      take_message(&s, from, bytes);
      free(bytes);
    }
    hand_out(&s);
    comfort(&s);
    if (!any) nanosleep(&moment, NULL);
  }
  for (int i = 1; i < r->size; i++) tell(j, i, "end", "");
  if (j->desk.silent > 0)
    amo_warn(j->diags, (amo_at){0}, NULL, "rank %d was lost or very slow: others computed its %s",
             j->desk.silent, j->tiles->piece);
  free(s.waiting);
}
