// SPDX-License-Identifier: Apache-2.0
/// Work in tiles from inside: what threads share, and the two roles of a process. Rank 0 (or the only process) has the desk and
/// the file; a helper asks rank 0 for tiles and sends it their answers.
#ifndef AMO_TILES_JOB_H
#define AMO_TILES_JOB_H

#include <pthread.h>
#include <stdio.h>

#include "tiles/desk.h"

/// What a thread of a helper is at.
typedef struct amo_errand {
  enum { AMO_ERRAND_NONE, AMO_ERRAND_ASKED, AMO_ERRAND_GIVEN, AMO_ERRAND_ANSWERED } state;
  size_t tile;
  char *answer;
} amo_errand;

typedef struct amo_job {
  const amo_tiles *tiles;
  const amo_tiles_how *how;
  amo_diags *diags;
  pthread_mutex_t lock;  // of all below
  pthread_cond_t news;   // something was handed out or came back
  amo_status status;
  bool ended;   // by the one who is told of progress, or by rank 0
  int threads;  // that compute
  // rank 0
  amo_desk desk;
  FILE *kept;
  // helpers
  amo_errand *errand;  // [threads]
} amo_job;

bool amo_job_stopped(const amo_job *j);
double amo_job_now(void);  // s
/// Wait for news, a moment at most. Locked.
void amo_job_wait(amo_job *j);

/// A tile that is done is told to the file and to whoever watches. Locked. answer: its text, NULL: as the work writes it.
void amo_job_note(amo_job *j, size_t tile, const char *answer);

/// Rank 0 beside its threads: gives helpers what they ask for, until all is done.
void amo_job_serve(amo_job *j);
/// A helper beside its threads: asks and answers, until rank 0 wants no more.
void amo_job_help(amo_job *j);
/// The next tile of a thread of a helper, and what became of it.
bool amo_errand_next(amo_job *j, int thread, size_t *tile);
void amo_errand_done(amo_job *j, int thread, size_t tile);

#endif
