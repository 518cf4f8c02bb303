// SPDX-License-Identifier: Apache-2.0
// Messages between processes by MPI, as a module that the program loads when mpirun has started it. All calls come from one thread.
#include "mpi/ranks.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORK, FAREWELL };              // tags
enum { COMPLETE = '.', LOST = '!' };  // what a farewell says

/// A message on its way.
typedef struct parcel {
  struct parcel *next;
  MPI_Request request;
  char bytes[];
} parcel;

typedef struct post {
  parcel *first;
  bool *gone;  // [size] who has said farewell
  bool lost;   // somebody never will
} post;

/// Forget what has gone out.
static void sweep(post *p)
{
  for (parcel **at = &p->first; *at;) {
    parcel *one = *at;
    int sent = 0;
    if (MPI_Test(&one->request, &sent, MPI_STATUS_IGNORE) == MPI_SUCCESS && !sent) {
      at = &one->next;
      continue;
    }
    *at = one->next;
    free(one);
  }
}

static bool put(post *p, int to, int tag, const char *bytes, size_t n)
{
  sweep(p);
  parcel *one = n <= INT_MAX ? malloc(sizeof *one + n) : NULL;
  if (!one) return false;
  memcpy(one->bytes, bytes, n);
  if (MPI_Isend(one->bytes, (int)n, MPI_CHAR, to, tag, MPI_COMM_WORLD, &one->request) != MPI_SUCCESS) {
    free(one);
    return false;
  }
  one->next = p->first;
  p->first = one;
  return true;
}

static bool send(void *ctx, int to, const char *bytes, size_t n)
{
  return put(ctx, to, WORK, bytes, n);
}

static bool receive(void *ctx, int *from, char **bytes, size_t *n)
{
  int there = 0, size = 0;
  MPI_Status s;
  sweep(ctx);
  if (MPI_Iprobe(MPI_ANY_SOURCE, WORK, MPI_COMM_WORLD, &there, &s) != MPI_SUCCESS || !there) return false;
  MPI_Get_count(&s, MPI_CHAR, &size);
  *bytes = malloc((size_t)size + 1);
  if (!*bytes) return false;
  if (MPI_Recv(*bytes, size, MPI_CHAR, s.MPI_SOURCE, WORK, MPI_COMM_WORLD, MPI_STATUS_IGNORE) !=
      MPI_SUCCESS) {
    free(*bytes);
    return false;
  }
  (*bytes)[size] = '\0';
  *from = s.MPI_SOURCE;
  *n = (size_t)size;
  return true;
}

bool amo_mpi_join(amo_ranks *out)
{
  int level = 0;
  post *p = calloc(1, sizeof *p);
  if (!p || MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) {
    free(p);
    return false;
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);  // a lost rank is no reason to die
  *out = (amo_ranks){.ctx = p, .send = send, .receive = receive};
  MPI_Comm_rank(MPI_COMM_WORLD, &out->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &out->size);
  p->gone = calloc((size_t)out->size, sizeof *p->gone);
  return p->gone != NULL;
}

static double now(void)
{
  struct timespec t = {0};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// What comes too late is thrown away. true: something came.
static bool drain(post *p)
{
  int there = 0, from;
  char *bytes, word;
  size_t n;
  bool any = false;
  MPI_Status s;
  while (receive(p, &from, &bytes, &n)) free(bytes), any = true;
  while (MPI_Iprobe(MPI_ANY_SOURCE, FAREWELL, MPI_COMM_WORLD, &there, &s) == MPI_SUCCESS && there) {
    MPI_Recv(&word, 1, MPI_CHAR, s.MPI_SOURCE, FAREWELL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    p->gone[s.MPI_SOURCE] = any = true;
    p->lost |= word == LOST;
  }
  return any;
}

static bool all_gone(const amo_ranks *r)
{
  const post *p = r->ctx;
  for (int i = 1; i < r->size; i++)
    if (!p->gone[i]) return false;
  return true;
}

/// Helpers wait for rank 0, who may have much to do yet; asleep, where MPI_Finalize would be awake. Rank 0 does not wait long for
/// helpers: one may have been killed, and MPI_Finalize would wait for it for ever; then all go without.
void amo_mpi_leave(amo_ranks *r)
{
  post *p = r->ctx;
  const struct timespec moment = {.tv_nsec = 2000000};
  double heard = now();
  if (r->rank != 0) put(p, 0, FAREWELL, &(char){COMPLETE}, 1);
  while (r->rank == 0 ? !all_gone(r) && now() - heard < 2.0 : !p->gone[0]) {
    if (drain(p)) heard = now();
    nanosleep(&moment, NULL);
  }
  if (r->rank == 0) p->lost = !all_gone(r);
  for (int i = 1; r->rank == 0 && i < r->size; i++)
    put(p, i, FAREWELL, &(char){p->lost ? LOST : COMPLETE}, 1);
  if (!p->lost) MPI_Finalize();
  for (double late = now(); p->lost && now() - late < 0.1; nanosleep(&moment, NULL)) sweep(p);
  free(p->gone);
  p->gone = NULL;  // parcels may still be read by MPI
}
