// SPDX-License-Identifier: Apache-2.0
// A helper: its threads compute, this one talks with rank 0 (the messages are in serve.c).
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tiles/job.h"

static const double patience =
    60.0;  // s without a word from rank 0, which tells those who wait every few seconds

bool amo_errand_next(amo_job *j, int thread, size_t *tile)
{
  amo_errand *e = &j->errand[thread];
  pthread_mutex_lock(&j->lock);
  while (e->state != AMO_ERRAND_GIVEN && !j->ended && j->status == AMO_OK) amo_job_wait(j);
  const bool given = e->state == AMO_ERRAND_GIVEN && !j->ended;
  *tile = e->tile;
  pthread_mutex_unlock(&j->lock);
  return given;
}

void amo_errand_done(amo_job *j, int thread, size_t tile)
{
  amo_errand *e = &j->errand[thread];
  amo_text answer = {0};
  pthread_mutex_lock(&j->lock);
  amo_text_printf(&answer, "answer %016llx %zu ", j->tiles->identity, tile);
  j->tiles->done[tile] = true;
  j->tiles->write(j->tiles->ctx, tile, &answer);
  e->answer = amo_text_take(&answer);
  e->state = AMO_ERRAND_ANSWERED;
  if (!e->answer) j->status = AMO_ENOMEM;
  pthread_mutex_unlock(&j->lock);
}

static void say(const amo_job *j, const char *text)
{
  j->how->ranks->send(j->how->ranks->ctx, 0, text, strlen(text));
}

/// Answers go out, and whoever has nothing to do asks. true: somebody waits for a word from rank 0.
static bool send_all(amo_job *j)
{
  char line[64];
  bool waiting = false;
  pthread_mutex_lock(&j->lock);
  for (int i = 0; i < j->threads; i++) {
    amo_errand *e = &j->errand[i];
    if (e->state == AMO_ERRAND_ANSWERED && e->answer) {
      say(j, e->answer);
      free(e->answer);
      *e = (amo_errand){0};
    }
    if (e->state == AMO_ERRAND_NONE) {
      snprintf(line, sizeof line, "ask %016llx %d", j->tiles->identity, i);
      say(j, line);
      e->state = AMO_ERRAND_ASKED;
    }
    waiting |= e->state == AMO_ERRAND_ASKED;
  }
  pthread_mutex_unlock(&j->lock);
  return waiting;
}

static void take_message(amo_job *j, const char *bytes)
{
  unsigned long long identity;
  char word[8];
  int thread = 0;
  size_t tile = 0;
  const int found = sscanf(bytes, "%7s %llx %d %zu", word, &identity, &thread, &tile);
  if (found < 2 || identity != j->tiles->identity) return;
  pthread_mutex_lock(&j->lock);
  if (!strcmp(word, "end")) j->ended = true;
  if (!strcmp(word, "tile") && found == 4 && thread >= 0 && thread < j->threads && tile < j->tiles->count) {
    j->errand[thread].tile = tile;
    j->errand[thread].state = AMO_ERRAND_GIVEN;
  }
  pthread_cond_broadcast(&j->news);
  pthread_mutex_unlock(&j->lock);
}

static bool going_on(amo_job *j)
{
  pthread_mutex_lock(&j->lock);
  if (amo_job_stopped(j)) j->ended = true;
  const bool on = !j->ended && j->status == AMO_OK;
  pthread_mutex_unlock(&j->lock);
  return on;
}

void amo_job_help(amo_job *j)
{
  const amo_ranks *r = j->how->ranks;
  const struct timespec moment = {.tv_nsec = 200000};
  char *bytes = NULL, line[64];
  double heard = amo_job_now();
  while (going_on(j)) {
    int from;
    size_t n;
    bool any = false;
    if (!send_all(j)) heard = amo_job_now();
    while (r->receive(r->ctx, &from, &bytes, &n)) {
      any = true;
      take_message(j, bytes);
      free(bytes);
    }
    if (any) heard = amo_job_now();
    if (amo_job_now() - heard > patience) {
      amo_error(j->diags, (amo_at){0}, NULL, "rank 0 has not been heard of for %.0f s", patience);
      j->status = AMO_ELIMIT;
      break;
    }
    if (!any) nanosleep(&moment, NULL);
  }
  snprintf(line, sizeof line, "left %016llx", j->tiles->identity);
  say(j, line);
  pthread_mutex_lock(&j->lock);
  j->ended = true;
  if (j->how->stop) *j->how->stop = 1;  // what is still computed here is not wanted any more
  pthread_cond_broadcast(&j->news);
  pthread_mutex_unlock(&j->lock);
}
