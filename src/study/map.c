// SPDX-License-Identifier: Apache-2.0
#include "study/map.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "study/json.h"
#include "study/map_part.h"
#include "study/show.h"

#define MAX_THREADS 256

typedef struct map_work {
  amo_plane *m;
  pthread_mutex_t lock;
  size_t next, finished;
  FILE *part;
  const char *name;  // of that file
  amo_status status;
} map_work;

amo_status amo_plane_new(const amo_call *call, const char *of, const amo_axis *x, const amo_axis *y,
                         size_t nx, size_t ny, amo_plane **out)
{
  amo_plane *m = *out = amo_zalloc(1, sizeof *m);
  if (!m) return AMO_ENOMEM;
  *m = (amo_plane){.call = call, .of = of, .x = *x, .y = *y, .nx = nx, .ny = ny};
  m->done = amo_zalloc(ny, sizeof *m->done);
  m->number = amo_zalloc(nx * ny, sizeof *m->number);
  m->word = amo_zalloc(nx * ny, sizeof *m->word);
  if (m->done && m->number && m->word) {
    for (size_t i = 0; i < nx * ny; i++) m->word[i] = AMO_CELL_OPEN;
    return AMO_OK;
  }
  amo_plane_free(m);
  *out = NULL;
  return AMO_ENOMEM;
}

void amo_plane_free(amo_plane *m)
{
  if (!m) return;
  for (size_t i = 0; i < m->nwords; i++) free(m->words[i]);
  free(m->words);
  free(m->done);
  free(m->number);
  free(m->word);
  free(m);
}

// ---- words ----

int amo_plane_word(amo_plane *m, const char *text)
{
  for (size_t i = 0; i < m->nwords; i++)
    if (!strcmp(m->words[i], text)) return (int)i;
  if (!AMO_ROOM(m->words, m->nwords, m->words_cap)) return -2;
  m->words[m->nwords] = amo_strdup(text);
  return m->words[m->nwords] ? (int)m->nwords++ : -2;
}

static int by_text(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/// Threads find texts in any order; the result must not show it.
static amo_status sort_words(amo_plane *m)
{
  char **sorted = amo_zalloc(m->nwords, sizeof *sorted);
  int *to = amo_zalloc(m->nwords, sizeof *to);
  amo_status st = sorted && to ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK && m->nwords) {
    memcpy(sorted, m->words, m->nwords * sizeof *sorted);
    qsort(sorted, m->nwords, sizeof *sorted, by_text);
    for (size_t i = 0; i < m->nwords; i++)
      for (size_t k = 0; k < m->nwords; k++)
        if (sorted[k] == m->words[i]) to[i] = (int)k;
    memcpy(m->words, sorted, m->nwords * sizeof *sorted);
    for (size_t i = 0; i < m->nx * m->ny; i++)
      if (m->word[i] >= 0) m->word[i] = to[m->word[i]];
  }
  free(sorted);
  free(to);
  return st;
}

void amo_plane_cell_text(const amo_plane *m, size_t i, char out[128])
{
  if (m->word[i] >= 0)
    snprintf(out, 128, "%s", m->words[m->word[i]]);
  else
    amo_number_text(m->number[i], out);
}

// ---- rows ----

static bool stopped(const map_work *w)
{
  const amo_call *c = w->m->call;
  return w->status != AMO_OK || (c->interrupted && *c->interrupted);
}

static bool next_row(map_work *w, size_t *j)
{
  pthread_mutex_lock(&w->lock);
  while (w->next < w->m->ny && w->m->done[w->next]) w->next++;
  bool more = w->next < w->m->ny && !stopped(w);
  if (more) *j = w->next++;
  pthread_mutex_unlock(&w->lock);
  return more;
}

/// Into cell k; texts are looked up under the lock unless they are the last one again.
static bool put_cell(map_work *w, size_t k, const amo_reading *r, char *last, int *known)
{
  amo_plane *m = w->m;
  m->number[k] = r->kind == AMO_READ_NUMBER ? r->number : NAN;
  m->word[k] = AMO_CELL_NUMBER;
  if (r->kind == AMO_READ_NUMBER) return true;
  if (*known < 0 || strcmp(last, r->text) != 0) {
    pthread_mutex_lock(&w->lock);
    *known = amo_plane_word(m, r->text);
    if (*known < 0) w->status = AMO_ENOMEM;
    pthread_mutex_unlock(&w->lock);
    memcpy(last, r->text, sizeof r->text);
    if (*known < 0) return false;
  }
  m->word[k] = *known;
  return true;
}

/// False when interrupted half way.
static bool compute_row(map_work *w, amo_probe *p, size_t j)
{
  amo_plane *m = w->m;
  amo_reading r[AMO_LONG_TIMES];
  char last[sizeof r->text] = "";
  int known = -1;
  const size_t chunk = amo_probe_chunk(p);
  for (size_t i = 0; i < m->nx; i += chunk) {
    double value[AMO_LONG_TIMES][2];
    size_t n = m->nx - i < chunk ? m->nx - i : chunk;
    for (size_t l = 0; l < n; l++) {
      value[l][0] = amo_axis_value(&m->x, i + l, m->nx);
      value[l][1] = amo_axis_value(&m->y, j, m->ny);
    }
    amo_probe_read_lanes(p, value[0], n, r);
    if (m->call->interrupted && *m->call->interrupted) return false;  // a reading that was cut short is none
    for (size_t l = 0; l < n; l++) {
      if (r[l].unsound) r[l] = (amo_reading){.kind = AMO_READ_TEXT, .text = AMO_CELL_UNSOUND};
      if (!put_cell(w, j * m->nx + i + l, &r[l], last, &known)) return false;
    }
  }
  return true;
}

static void finish_row(map_work *w, size_t j)
{
  const amo_call *c = w->m->call;
  pthread_mutex_lock(&w->lock);
  w->m->done[j] = true;
  w->finished++;
  if (w->part) {
    amo_part_write(w->m, j, w->part);
    if (fflush(w->part) != 0 && w->status == AMO_OK) w->status = amo_part_failed(w->m, w->name);
  }
  if (c->progress) c->progress(c->progress_ctx, (double)(w->finished + w->m->resumed) / (double)w->m->ny);
  pthread_mutex_unlock(&w->lock);
}

static void *worker(void *ctx)
{
  map_work *w = ctx;
  const amo_axis axis[2] = {w->m->x, w->m->y};
  amo_probe *p = NULL;
  size_t j;
  amo_status st = amo_probe_new(w->m->call, w->m->of, axis, 2, false, NULL, &p);
  while (st == AMO_OK && next_row(w, &j))
    if (compute_row(w, p, j)) finish_row(w, j);
  if (st != AMO_OK) {
    pthread_mutex_lock(&w->lock);
    w->status = st;
    pthread_mutex_unlock(&w->lock);
  }
  amo_probe_free(p);
  return NULL;
}

static void run_threads(map_work *w, int threads)
{
  pthread_t id[MAX_THREADS];
  int n = 0;
  while (n < threads - 1 && n < MAX_THREADS && pthread_create(&id[n], NULL, worker, w) == 0) n++;
  worker(w);
  for (int i = 0; i < n; i++) pthread_join(id[i], NULL);
}

/// A row that was begun and not finished counts as not begun: another run would not have the half of it.
static void forget_open_rows(amo_plane *m)
{
  for (size_t j = 0; j < m->ny; j++)
    for (size_t i = 0; !m->done[j] && i < m->nx; i++) m->word[j * m->nx + i] = AMO_CELL_OPEN;
}

amo_status amo_plane_run(amo_plane *m, int threads, const char *part)
{
  map_work w = {.m = m, .name = part};
  amo_status st = part ? amo_part_open(m, part, &w.part) : AMO_OK;
  if (st != AMO_OK) return st;
  pthread_mutex_init(&w.lock, NULL);
  run_threads(&w, threads);
  pthread_mutex_destroy(&w.lock);
  if (w.part && fclose(w.part) != 0 && w.status == AMO_OK) w.status = amo_part_failed(m, part);
  if (w.status == AMO_OK) w.status = sort_words(m);
  m->rows = m->resumed + w.finished;
  if (w.status != AMO_OK || m->rows == m->ny) return w.status;
  forget_open_rows(m);
  return AMO_EINTR;
}

// ---- results ----

size_t amo_plane_unsound(const amo_plane *m)
{
  size_t count = 0;
  for (size_t i = 0; i < m->nx * m->ny; i++)
    count += m->word[i] >= 0 && !strcmp(m->words[m->word[i]], AMO_CELL_UNSOUND);
  return count;
}

static int by_number(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

size_t amo_plane_numbers(const amo_plane *m, double *out, size_t room)
{
  size_t n = 0;
  for (size_t i = 0; i < m->nx * m->ny; i++) {
    size_t k = 0;
    if (m->word[i] != AMO_CELL_NUMBER) continue;
    while (k < n && out[k] != m->number[i]) k++;
    if (k < n) continue;
    if (n == room) return room + 1;
    out[n++] = m->number[i];
  }
  qsort(out, n, sizeof *out, by_number);
  return n;
}

bool amo_plane_discrete(const amo_plane *m)
{
  double value[AMO_PLANE_NUMBERS];
  for (size_t i = 0; i < m->nx * m->ny; i++)
    if (m->word[i] == AMO_CELL_NUMBER && m->number[i] != floor(m->number[i])) return false;
  return amo_plane_numbers(m, value, AMO_PLANE_NUMBERS) <= AMO_PLANE_NUMBERS;
}

amo_status amo_plane_csv(const amo_plane *m, const char *path)
{
  amo_file_writer w = {0};
  char(*x)[32] = amo_zalloc(m->nx, sizeof *x), y[32], text[128];  // numbers across are the same in every row
  if (!x) return AMO_ENOMEM;
  amo_status st = amo_file_stream_begin(path, m->call->diags, &w);
  if (st != AMO_OK) {
    free(x);
    return st;
  }
  amo_show_field(m->x.name, w.stream), fputc(',', w.stream);
  amo_show_field(m->y.name, w.stream), fputc(',', w.stream);
  amo_show_field(m->of, w.stream), fputc('\n', w.stream);
  for (size_t i = 0; i < m->nx; i++) amo_number_text(amo_axis_value(&m->x, i, m->nx), x[i]);
  for (size_t j = 0; j < m->ny; j++) {
    amo_number_text(amo_axis_value(&m->y, j, m->ny), y);
    for (size_t i = 0; i < m->nx; i++) {
      fputs(x[i], w.stream), fputc(',', w.stream), fputs(y, w.stream), fputc(',', w.stream);
      amo_plane_cell_text(m, j * m->nx + i, text);
      amo_show_field(text, w.stream);
      fputc('\n', w.stream);
    }
  }
  free(x);
  return amo_file_write_commit(&w, m->call->diags);
}
