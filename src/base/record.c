// SPDX-License-Identifier: Apache-2.0
#include "base/record.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"

typedef struct record_reader {
  amo_diags *diags;
  const char *file;  // as it is called in messages
  const char *text, *end;
  const char *const *name;  // columns that are wanted
  size_t names;
  size_t *place;  // [names] where they stand in a line, from 0
  int line;
  size_t capacity;
  amo_record *out;
} record_reader;

typedef struct record_field {
  const char *begin, *end;  // without blanks and quotes around it
} record_field;

void amo_record_free(amo_record *r)
{
  free(r->value);
  *r = (amo_record){0};
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\r';
}

/// What separates the fields of this line: the first of ; tab , that it has, else blanks. (Beside a semicolon a comma is none.)
static char separator(const char *p, const char *end)
{
  for (const char *s = ";\t,"; *s; s++)
    if (memchr(p, *s, (size_t)(end - p)) != NULL) return *s;
  return ' ';
}

/// The next field of a line from *at on; false: there is none.
static bool next_field(const char **at, const char *end, char between, record_field *out)
{
  const char *p = *at;
  if (p > end) return false;
  while (p < end && is_blank(*p)) p++;
  if (between == ' ' && p == end) return false;
  const char *q = p;
  while (q < end && *q != between && (between != ' ' || *q != '\r')) q++;
  *at = q + 1;
  while (q > p && is_blank(q[-1])) q--;
  const bool quoted = q - p >= 2 && *p == '"' && q[-1] == '"';
  *out = (record_field){p + quoted, q - quoted};
  return true;
}

static amo_at place_of(const record_reader *r, const char *line, record_field f)
{
  return (amo_at){r->file, r->line, (int)(f.begin - line) + 1, f.end > f.begin ? (int)(f.end - f.begin) : 1};
}

static bool is_number(record_field f, double *value)
{
  char text[64];
  const size_t length = (size_t)(f.end - f.begin);
  if (length == 0 || length >= sizeof text) return false;
  memcpy(text, f.begin, length);
  text[length] = '\0';
  char *end;
  *value = strtod(text, &end);
  return *end == '\0';
}

/// Does the head of a column, "time [s]", have this name?
static bool is_named(record_field f, const char *name)
{
  const size_t length = strlen(name);
  if ((size_t)(f.end - f.begin) < length || memcmp(f.begin, name, length) != 0) return false;
  const char *p = f.begin + length;
  while (p < f.end && is_blank(*p)) p++;
  return p == f.end || *p == '[' || *p == '(';
}

/// Columns by their names in the first line, or by their numbers. *head: the line is no data.
static amo_status find_columns(record_reader *r, const char *line, const char *end, amo_at asked, bool *head)
{
  const char between = separator(line, end);
  amo_status st = AMO_OK;
  *head = false;
  for (size_t i = 0; i < r->names; i++) {
    record_field f;
    double number;
    char *rest;
    const long by_number = strtol(r->name[i], &rest, 10);
    size_t k = 0, found = SIZE_MAX;
    for (const char *at = line; next_field(&at, end, between, &f); k++) {
      *head |= !is_number(f, &number);
      if (found == SIZE_MAX && is_named(f, r->name[i])) found = k;
    }
    if (*rest == '\0' && by_number >= 1 && (size_t)by_number <= k) found = (size_t)by_number - 1;
    if (found == SIZE_MAX)
      st = amo_error(r->diags, asked, "columns by the names in its first line, or by numbers from 1",
                     "%s has no column '%s'", r->file, r->name[i]);
    r->place[i] = found;
  }
  return st;
}

static amo_status reserve_row(record_reader *r)
{
  amo_record *o = r->out;
  if (o->rows < r->capacity) return AMO_OK;
  const size_t more = r->capacity ? 2 * r->capacity : 256;
  double *wider = amo_zalloc(more * r->names, sizeof *wider);
  if (wider == NULL) return AMO_ENOMEM;
  for (size_t i = 0; o->rows > 0 && i < r->names; i++)
    memcpy(wider + i * more, o->value + i * r->capacity, o->rows * sizeof *wider);
  free(o->value);
  o->value = wider;
  r->capacity = more;
  return AMO_OK;
}

static amo_status read_row(record_reader *r, const char *line, const char *end)
{
  amo_status st = reserve_row(r);
  size_t missing = r->names, k = 0;
  record_field f = {end, end};
  const char between = separator(line, end);
  for (const char *at = line; st == AMO_OK && next_field(&at, end, between, &f); k++)
    for (size_t i = 0; st == AMO_OK && i < r->names; i++) {
      double *to = &r->out->value[i * r->capacity + r->out->rows];
      if (r->place[i] != k) continue;
      missing--;
      if (!is_number(f, to) || !isfinite(*to))
        st = amo_error(r->diags, place_of(r, line, f), NULL, "'%.*s' is not a number of column '%s'",
                       (int)(f.end - f.begin < 40 ? f.end - f.begin : 40), f.begin, r->name[i]);
    }
  if (st == AMO_OK && missing > 0)
    st = amo_error(r->diags, (amo_at){r->file, r->line, (int)(end - line) + 1, 1}, NULL,
                   "the line has only %zu columns", k);
  r->out->rows += st == AMO_OK;
  return st;
}

static amo_status read_lines(record_reader *r, amo_at asked)
{
  amo_status st = AMO_OK;
  bool begun = false;
  const char *mark = "\xef\xbb\xbf";  // that spreadsheets put before the first line
  const bool marked = r->end - r->text >= 3 && memcmp(r->text, mark, 3) == 0;
  for (const char *p = r->text + (marked ? 3 : 0), *end; st == AMO_OK && p < r->end; p = end + 1) {
    bool head = false;
    end = memchr(p, '\n', (size_t)(r->end - p));
    if (end == NULL) end = r->end;
    r->line++;
    const char *first = p;
    while (first < end && (is_blank(*first) || *first == '\t')) first++;
    if (first == end || *first == '#') continue;
    if (!begun) st = find_columns(r, p, end, asked, &head);
    begun = true;
    if (st == AMO_OK && !head) st = read_row(r, p, end);
  }
  return st;
}

/// Columns one after another, without the room that was kept.
static void close_ranks(record_reader *r)
{
  for (size_t i = 1; i < r->names; i++)
    memmove(r->out->value + i * r->out->rows, r->out->value + i * r->capacity,
            r->out->rows * sizeof *r->out->value);
}

amo_status amo_record_read(const char *path, const char *const *column, size_t columns, amo_at asked,
                           amo_diags *diags, amo_record *out)
{
  char *text = NULL;
  size_t size = 0;
  *out = (amo_record){0};
  amo_status st = amo_file_read(path, AMO_RECORD_BYTES, diags, &text, &size);
  if (st != AMO_OK) return st;
  size_t *place = amo_zalloc(columns, sizeof *place);
  record_reader r = {.diags = diags,
                     .text = text,
                     .end = text + size,
                     .name = column,
                     .names = columns,
                     .place = place,
                     .out = out};
  r.file = amo_diags_source(diags, path, size <= AMO_MODEL_BYTES ? text : NULL, size);  // for carets
  st = place != NULL ? read_lines(&r, asked) : AMO_ENOMEM;
  if (st == AMO_OK) close_ranks(&r);
  if (st != AMO_OK) amo_record_free(out);
  free(place);
  free(text);
  return st;
}
