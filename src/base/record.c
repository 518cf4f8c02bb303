// SPDX-License-Identifier: Apache-2.0
/// Lines and rows of a record; the head is read by record_head.c.
#include "base/record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/record_impl.h"
#include "base/record_number.h"

enum { BLOCK = 1 << 20 };  // bytes held at a time; no line may be longer

static bool is_blank(char c)
{
  return c == ' ' || c == '\r';
}

static amo_status fill(amo_record_stream *s)
{
  memmove(s->block, s->block + s->at, s->used - s->at);
  s->used -= s->at;
  s->at = 0;
  if (s->used == BLOCK)
    return amo_error(s->diags, (amo_at){s->called, (int)s->line + 1, 1, 1}, "is this a text file?",
                     "%s: line %zu is longer than %d bytes", s->called, s->line + 1, BLOCK);
  s->used += fread(s->block + s->used, 1, BLOCK - s->used, s->file);
  if (ferror(s->file))
    return amo_error(s->diags, (amo_at){0}, NULL, "cannot read '%s': %s", s->called, strerror(errno)),
           AMO_EIO;
  s->ended = s->used < BLOCK && feof(s->file);
  return AMO_OK;
}

bool amo_record_next_line(amo_record_stream *s, const char **begin, const char **end, amo_status *st)
{
  const char *stop;
  while ((stop = memchr(s->block + s->at, '\n', s->used - s->at)) == NULL && !s->ended)
    if ((*st = fill(s)) != AMO_OK) return false;
  if (stop == NULL && s->at == s->used) return false;
  *begin = s->block + s->at;
  *end = stop ? stop : s->block + s->used;
  s->at = (size_t)(*end - s->block) + (stop != NULL);
  s->line++;
  return true;
}

bool amo_record_skipped(const char *p, const char *end)
{
  while (p < end && (is_blank(*p) || *p == '\t')) p++;
  return p == end || *p == '#' || *p == '%';
}

bool amo_record_field_next(const char **at, const char *end, char between, amo_record_field *out)
{
  const char *p = *at;
  if (p > end) return false;
  while (p < end && (is_blank(*p) || (between == ' ' && *p == '\t'))) p++;
  if (between == ' ' && p == end) return false;
  const char *q = p;
  if (q < end && *q == '"') {  // what is quoted may hold separators
    const char *close = memchr(q + 1, '"', (size_t)(end - q - 1));
    if (close) q = close + 1;
  }
  while (q < end && *q != between && (between != ' ' || (*q != '\r' && *q != '\t'))) q++;
  *at = q + 1;
  while (q > p && is_blank(q[-1])) q--;
  const bool quoted = q - p >= 2 && *p == '"' && q[-1] == '"';
  *out = (amo_record_field){p + quoted, q - quoted};
  return true;
}

static amo_at place_of(const amo_record_stream *s, const char *line, amo_record_field f)
{
  return (amo_at){s->called, (int)s->line, (int)(f.begin - line) + 1,
                  f.end > f.begin ? (int)(f.end - f.begin) : 1};
}

/// One cell into a number; a gap where gaps may be.
static amo_status read_cell(amo_record_stream *s, const char *line, amo_record_field f, amo_record_column *c,
                            double *to)
{
  const char *p = f.begin;
  if (amo_record_number(&p, f.end, s->between != ',', to) && p == f.end) {
    *to *= c->scale;
    return AMO_OK;
  }
  if (!s->opts.gaps || !amo_record_gap(f.begin, f.end))
    return amo_error(s->diags, place_of(s, line, f), NULL, "'%.*s' is not a number of column '%s'",
                     (int)(f.end - f.begin < 40 ? f.end - f.begin : 40), f.begin, c->name);
  if (c->gaps++ == 0) c->first_gap = s->line;
  *to = NAN;
  return AMO_OK;
}

/// A line that has not as many columns as the first ones.
static amo_status ragged(amo_record_stream *s, const char *line, const char *end, size_t k, bool *cut)
{
  *cut = s->opts.gaps && k < s->fields && s->ended && s->at == s->used && s->block[s->used - 1] != '\n';
  const amo_at at = {s->called, (int)s->line, (int)(end - line) + 1, 1};
  if (*cut) {
    amo_warn(s->diags, at, NULL, "%s: the last line (%zu) is cut off and was left out", s->called, s->line);
    return AMO_OK;
  }
  if (k < s->fields) return amo_error(s->diags, at, NULL, "the line has only %zu columns", k);
  return amo_error(s->diags, at,
                   s->between == ',' ? "a decimal comma needs another separator of columns" : NULL,
                   "the line has more than the %zu columns of the first", s->fields);
}

static amo_status read_row(amo_record_stream *s, const char *line, const char *end, double *value,
                           size_t most, size_t row, bool *cut)
{
  amo_record_field f;
  size_t k = 0;
  amo_status st = AMO_OK;
  *cut = false;
  for (const char *at = line; st == AMO_OK && amo_record_field_next(&at, end, s->between, &f); k++) {
    if (k >= s->fields) {
      if (f.begin == f.end && at > end) break;  // a separator at the end separates nothing
      return ragged(s, line, end, k + 1, cut);
    }
    const size_t i = s->wanted[k];
    if (i > 0) st = read_cell(s, line, f, &s->column[i - 1], &value[(i - 1) * most + row]);
  }
  return st == AMO_OK && k < s->fields ? ragged(s, line, end, k, cut) : st;
}

amo_status amo_record_next(amo_record_stream *s, double *value, size_t most, size_t *line, size_t *rows)
{
  const char *begin, *end;
  amo_status st = AMO_OK;
  bool cut = false;
  *rows = 0;
  while (*rows < most && st == AMO_OK && amo_record_next_line(s, &begin, &end, &st)) {
    if (amo_record_skipped(begin, end)) continue;
    st = read_row(s, begin, end, value, most, *rows, &cut);
    if (line) line[*rows] = s->line;
    *rows += st == AMO_OK && !cut;
  }
  return st;
}

static amo_status begin(amo_record_stream *s, const char *path)
{
  struct stat about;
  s->called = amo_diags_source(s->diags, path, NULL, 0);
  if (s->called == NULL) s->called = path;
  if ((s->file = fopen(path, "rb")) == NULL || (s->block = malloc(BLOCK)) == NULL)
    return s->file ? AMO_ENOMEM
                   : (amo_error(s->diags, (amo_at){0}, NULL, "cannot open '%s': %s", path, strerror(errno)),
                      AMO_EIO);
  if (fstat(fileno(s->file), &about) == 0 && S_ISDIR(about.st_mode))
    return amo_error(s->diags, (amo_at){0}, NULL, "'%s' is a folder", path), AMO_EIO;
  amo_status st = fill(s);
  if (st == AMO_OK && s->ended)
    s->called = amo_diags_source(s->diags, path, s->block, s->used);  // for carets
  if (s->called == NULL) s->called = path;
  if (s->used >= 3 && memcmp(s->block, "\xef\xbb\xbf", 3) == 0) s->at = 3;  // a mark of spreadsheets
  if (st == AMO_OK && s->used >= 2 && (!memcmp(s->block, "\xff\xfe", 2) || !memcmp(s->block, "\xfe\xff", 2)))
    st = amo_error(s->diags, (amo_at){0}, "save it as UTF-8", "%s is written in UTF-16", path);
  return st;
}

amo_status amo_record_open(const char *path, const char *const *column, size_t columns, amo_at asked,
                           const amo_record_opts *opts, amo_diags *diags, amo_record_stream **out)
{
  *out = NULL;
  amo_record_stream *s = amo_zalloc(1, sizeof *s);
  if (s == NULL) return AMO_ENOMEM;
  s->diags = diags;
  if (opts) s->opts = *opts;
  s->columns = columns;
  s->column = amo_arena_alloc(&s->arena, (columns + 1) * sizeof *s->column);
  amo_status st = s->column ? begin(s, path) : AMO_ENOMEM;
  if (st == AMO_OK) st = amo_record_read_head(s, column, asked);
  if (st == AMO_OK)
    *out = s;
  else
    amo_record_close(s);
  return st;
}

void amo_record_close(amo_record_stream *s)
{
  if (s == NULL) return;
  if (s->file) fclose(s->file);
  free(s->block);
  amo_arena_free(&s->arena);
  free(s);
}

const amo_record_column *amo_record_about(const amo_record_stream *s, size_t column)
{
  return &s->column[column];
}

size_t amo_record_line(const amo_record_stream *s)
{
  return s->line;
}

// ---- whole records ----

void amo_record_free(amo_record *r)
{
  free(r->value);
  free(r->column);
  *r = (amo_record){0};
}

/// Room for as many rows again; columns stay `*capacity` apart.
static amo_status widen(amo_record *r, size_t *capacity)
{
  const size_t more = 2 * *capacity;
  if (more * r->columns > 2 * AMO_RECORD_VALUES) return AMO_ELIMIT;
  double *wider = malloc(more * r->columns * sizeof *wider + 1);
  if (wider == NULL) return AMO_ENOMEM;
  for (size_t i = 0; i < r->columns; i++)
    memcpy(wider + i * more, r->value + i * *capacity, r->rows * sizeof *wider);
  free(r->value);
  r->value = wider;
  *capacity = more;
  return AMO_OK;
}

static amo_status read_all(amo_record_stream *s, amo_record *r)
{
  enum { PIECE = 1024 };
  size_t capacity = PIECE, rows = 1;
  amo_status st = AMO_OK;
  double *piece = malloc(PIECE * (r->columns + 1) * sizeof *piece);
  r->value = malloc(PIECE * (r->columns + 1) * sizeof *r->value);
  if (piece == NULL || r->value == NULL) st = AMO_ENOMEM;
  while (st == AMO_OK && rows > 0) {
    st = amo_record_next(s, piece, PIECE, NULL, &rows);
    if (st == AMO_OK && r->rows + rows > capacity) st = widen(r, &capacity);
    if (st != AMO_OK) break;
    for (size_t i = 0; i < r->columns; i++)
      memcpy(r->value + i * capacity + r->rows, piece + i * PIECE, rows * sizeof *piece);
    r->rows += rows;
  }
  for (size_t i = 1; st == AMO_OK && i < r->columns; i++)  // without the room that was kept
    memmove(r->value + i * r->rows, r->value + i * capacity, r->rows * sizeof *r->value);
  free(piece);
  return st;
}

amo_status amo_record_read(const char *path, const char *const *column, size_t columns, amo_at asked,
                           const amo_record_opts *opts, amo_diags *diags, amo_record *out)
{
  amo_record_stream *s = NULL;
  *out = (amo_record){.columns = columns};
  amo_status st = amo_record_open(path, column, columns, asked, opts, diags, &s);
  if (st == AMO_OK) st = read_all(s, out);
  if (st == AMO_ELIMIT)
    (void)amo_error(diags, asked, NULL, "%s has too many rows to be read whole (%zu numbers at most)", path,
                    AMO_RECORD_VALUES);
  if (st == AMO_OK && (out->column = amo_zalloc(columns + 1, sizeof *out->column)) == NULL) st = AMO_ENOMEM;
  if (st == AMO_OK) memcpy(out->column, s->column, columns * sizeof *out->column);
  amo_record_close(s);
  if (st != AMO_OK) amo_record_free(out);
  return st;
}
