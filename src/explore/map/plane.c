// SPDX-License-Identifier: Apache-2.0
#include "explore/map/plane.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/options.h"
#include "tiles/tiles.h"

static const size_t most_points = 100000, most_cells = 100000000;
static const size_t enough_tiles = 1024;  // for some hundred processes; rows are cut where there are fewer

/// What the threads of a map share.
typedef struct map_work {
  amo_plane *m;
  const amo_probe *probe;
  const amo_plane_opts *opts;
  size_t length, pieces;  // cells of a tile (the last one of a row may have fewer), tiles of a row
  pthread_mutex_t lock;   // of the texts
} map_work;

/// What one of them has.
typedef struct tile_worker {
  map_work *w;
  amo_probe own;  // a copy, or nothing where the probe may be shared
} tile_worker;

static amo_status make(const amo_probe *p, size_t nx, size_t ny, amo_plane **out)
{
  amo_plane *m = *out = amo_zalloc(1, sizeof *m);
  if (!m) return AMO_ENOMEM;
  *m = (amo_plane){.x = p->axis[0], .y = p->axis[1], .nx = nx, .ny = ny};
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
  if (!AMO_ROOM(m->words, m->nwords, m->words_cap)) return AMO_CELL_OPEN;
  m->words[m->nwords] = amo_strdup(text);
  return m->words[m->nwords] ? (int)m->nwords++ : AMO_CELL_OPEN;
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

// ---- tiles: rows, or pieces of rows ----

static bool interrupted(const map_work *w)
{
  return w->opts->stop && *w->opts->stop;
}

static int word_of(map_work *w, const char *text)
{
  pthread_mutex_lock(&w->lock);
  const int word = amo_plane_word(w->m, text);
  pthread_mutex_unlock(&w->lock);
  return word;
}

/// Into cell k; texts are looked up under the lock unless they are the last one again.
static bool put_cell(map_work *w, size_t k, const amo_reading *r, char *last, int *known)
{
  amo_plane *m = w->m;
  m->number[k] = r->kind == AMO_READ_NUMBER ? r->number : NAN;
  m->word[k] = AMO_CELL_NUMBER;
  if (r->kind == AMO_READ_NUMBER) return true;
  if (*known < 0 || strcmp(last, r->text) != 0) {
    *known = word_of(w, r->text);
    memcpy(last, r->text, sizeof r->text);
    if (*known < 0) return false;
  }
  m->word[k] = *known;
  return true;
}

/// Cells from..to of a row.
typedef struct row_piece {
  size_t row, from, to;
} row_piece;

static row_piece piece_of(const map_work *w, size_t tile)
{
  const size_t from = tile % w->pieces * w->length, to = from + w->length;
  return (row_piece){tile / w->pieces, from, to < w->m->nx ? to : w->m->nx};
}

static amo_status compute_tile(void *ctx, size_t tile)
{
  const tile_worker *own = ctx;
  map_work *w = own->w;
  const amo_probe *p = own->own.read ? &own->own : w->probe;
  const row_piece s = piece_of(w, tile);
  amo_plane *m = w->m;
  amo_reading r[AMO_PROBE_LANES];
  char last[sizeof r->text] = "";
  int known = -1;
  const size_t chunk = amo_probe_chunk(p);
  for (size_t i = s.from; i < s.to; i += chunk) {
    double value[AMO_PROBE_LANES][2];
    size_t n = s.to - i < chunk ? s.to - i : chunk;
    for (size_t l = 0; l < n; l++) {
      value[l][0] = amo_axis_value(&m->x, i + l, m->nx);
      value[l][1] = amo_axis_value(&m->y, s.row, m->ny);
    }
    amo_probe_read_lanes(p, value[0], n, r);
    if (interrupted(w)) return AMO_EINTR;  // a reading that was cut short is none
    for (size_t l = 0; l < n; l++) {
      if (r[l].unsound) r[l] = (amo_reading){.kind = AMO_READ_TEXT, .text = AMO_CELL_UNSOUND};
      if (!put_cell(w, s.row * m->nx + i + l, &r[l], last, &known)) return AMO_ENOMEM;
    }
  }
  return AMO_OK;
}

static amo_status begin(void *ctx, void **worker)
{
  tile_worker *own = amo_zalloc(1, sizeof *own);
  if (!own) return AMO_ENOMEM;
  own->w = ctx;
  const amo_probe *p = own->w->probe;
  const amo_status st = p->copy ? p->copy(p, &own->own) : AMO_OK;
  if (st == AMO_OK)
    *worker = own;
  else
    free(own);
  return st;
}

static void end(void *worker)
{
  tile_worker *own = worker;
  amo_probe_free(&own->own);
  free(own);
}

// ---- tiles as text ----

/// Numbers are marked, since a text may look like one.
static void write_tile(void *ctx, size_t tile, amo_text *out)
{
  map_work *w = ctx;
  const amo_plane *m = w->m;
  const row_piece s = piece_of(w, tile);
  char value[32];
  pthread_mutex_lock(&w->lock);
  for (size_t i = s.from; i < s.to; i++) {
    const size_t k = s.row * m->nx + i;
    const bool text = m->word[k] >= 0;
    if (!text) amo_number_text(m->number[k], value);
    if (i > s.from) amo_text_add(out, "\t", 1);
    amo_text_add(out, text ? "\"" : "=", 1);
    amo_text_str(out, text ? m->words[m->word[k]] : value);
  }
  pthread_mutex_unlock(&w->lock);
}

static bool read_cell(map_work *w, size_t i, const char *text)
{
  amo_plane *m = w->m;
  m->number[i] = NAN;
  if (text[0] == '=') {
    char *rest = NULL;
    m->word[i] = AMO_CELL_NUMBER;
    m->number[i] = strtod(text + 1, &rest);
    return rest != text + 1 && !*rest;
  }
  if (text[0] != '"') return false;
  m->word[i] = word_of(w, text + 1);
  return m->word[i] >= 0;
}

static bool read_tile(void *ctx, size_t tile, char *text)
{
  map_work *w = ctx;
  const row_piece s = piece_of(w, tile);
  for (size_t i = s.from; i < s.to; i++) {
    if (!text) return false;
    char *tab = strchr(text, '\t');
    if (tab) *tab++ = '\0';
    if (!read_cell(w, s.row * w->m->nx + i, text)) return false;
    text = tab;
  }
  return !text;
}

// ---- the map ----

/// Everything that decides the grid.
static unsigned long long fingerprint(const amo_plane *m, const amo_probe *p)
{
  unsigned long long h = amo_hash_text(p->identity, p->of);
  const amo_axis *axis[2] = {&m->x, &m->y};
  for (int i = 0; i < 2; i++) {
    h = amo_hash_text(h, axis[i]->name);
    h = amo_hash(amo_hash(h, &axis[i]->from, sizeof(double)), &axis[i]->to, sizeof(double));
  }
  h = amo_hash(h, &m->nx, sizeof m->nx);
  return amo_hash(h, &m->ny, sizeof m->ny);
}

/// Lanes stay full: a tile is a number of chunks.
static void cut(map_work *w)
{
  const size_t chunk = amo_probe_chunk(w->probe), chunks = (w->m->nx + chunk - 1) / chunk;
  const size_t wanted = (enough_tiles + w->m->ny - 1) / w->m->ny;
  const size_t each = wanted < chunks ? chunks / wanted : 1;  // chunks of a tile
  w->length = each * chunk;
  w->pieces = (w->m->nx + w->length - 1) / w->length;
}

/// Which rows are whole. A tile that was begun and not finished counts as not begun: another run would not have the half of it.
static void count_rows(const map_work *w, const bool *done)
{
  amo_plane *m = w->m;
  for (size_t j = 0; j < m->ny; j++) {
    m->done[j] = true;
    for (size_t tile = j * w->pieces; tile < (j + 1) * w->pieces; tile++) {
      const row_piece s = piece_of(w, tile);
      m->done[j] &= done[tile];
      for (size_t i = s.from; i < s.to && !done[tile]; i++) m->word[j * m->nx + i] = AMO_CELL_OPEN;
      m->cells += done[tile] ? s.to - s.from : 0;
    }
    m->rows += m->done[j];
  }
}

static amo_status run_tiles(map_work *w, bool *done, amo_diags *diags)
{
  const amo_plane_opts *o = w->opts;
  const amo_tiles tiles = {.of = "map",
                           .piece = "tile",
                           .identity = fingerprint(w->m, w->probe),
                           .count = w->m->ny * w->pieces,
                           .done = done,
                           .ctx = w,
                           .begin = begin,
                           .end = end,
                           .compute = compute_tile,
                           .write = write_tile,
                           .read = read_tile};
  const amo_tiles_how how = {.threads = o->threads,
                             .kept = o->part,
                             .command = o->command,
                             .slice = o->slice,
                             .ranks = o->ranks,
                             .stop = o->stop,
                             .progress = o->progress,
                             .ctx = o->ctx};
  amo_tiles_end reached;
  const amo_status st = amo_tiles_run(&tiles, &how, diags, &reached);
  w->m->whole = reached.whole;
  w->m->resumed = reached.kept;
  count_rows(w, done);
  return st;
}

static amo_status fill(amo_plane *m, const amo_probe *p, const amo_plane_opts *o, amo_diags *diags)
{
  map_work w = {.m = m, .probe = p, .opts = o};
  cut(&w);
  bool *done = amo_zalloc(m->ny * w.pieces, sizeof *done);
  if (!done) return AMO_ENOMEM;
  pthread_mutex_init(&w.lock, NULL);
  const amo_status st = run_tiles(&w, done, diags);
  pthread_mutex_destroy(&w.lock);
  free(done);
  const amo_status sorted = st == AMO_OK || st == AMO_EINTR ? sort_words(m) : AMO_OK;
  return sorted != AMO_OK ? sorted : st;
}

AMO_OPTS_INIT(amo_plane_opts, .nx = 200, .ny = 200)

static bool sizes_hold(const amo_plane_opts *o)
{
  return o->nx >= 2 && o->ny >= 2 && o->nx <= most_points && o->ny <= most_points &&
         o->nx * o->ny <= most_cells && o->threads >= 0 && o->threads <= AMO_TILES_THREADS &&
         (o->slice.count == 0 || o->slice.index < o->slice.count);
}

amo_status amo_plane_run(const amo_probe *p, const amo_plane_opts *opts, amo_diags *diags, amo_plane **out)
{
  if (!out) return AMO_ERANGE;
  *out = NULL;
  amo_plane_opts o = amo_plane_opts_default();
  amo_status st = amo_opts_take(&o, sizeof o, opts);
  if (st != AMO_OK) return st;
  if (!p || !p->read || !p->of || p->axes != 2 || !sizes_hold(&o) || (o.part && !p->identity))
    return AMO_ERANGE;
  st = make(p, o.nx, o.ny, out);
  if (st == AMO_OK) st = fill(*out, p, &o, diags);
  if (st == AMO_OK || st == AMO_EINTR) return st;
  amo_plane_free(*out);
  *out = NULL;
  return st;
}

// ---- results ----

size_t amo_plane_unsound(const amo_plane *m)
{
  size_t count = 0;
  for (size_t i = 0; m && i < m->nx * m->ny; i++)
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
  for (size_t i = 0; m && out && i < m->nx * m->ny; i++) {
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
  for (size_t i = 0; m && i < m->nx * m->ny; i++)
    if (m->word[i] == AMO_CELL_NUMBER && m->number[i] != floor(m->number[i])) return false;
  return amo_plane_numbers(m, value, AMO_PLANE_NUMBERS) <= AMO_PLANE_NUMBERS;
}
