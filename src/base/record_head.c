// SPDX-License-Identifier: Apache-2.0
/// The head of a record: which line names the columns, what separates them, in which units they are.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/record_impl.h"
#include "base/record_number.h"
#include "base/unit.h"

enum { MOST_HEAD = 1000, MOST_FIELDS = 65536 };  // lines before the first numbers; columns

/// Lines before the first row, as copies.
typedef struct head {
  char *line[2];  // the last two that are no remarks, the last one first
  char *remark;   // the last remark, without its mark
  size_t lines;
} head;

static bool is_number(amo_record_field f, bool comma)
{
  double value;
  return f.begin < f.end && amo_record_number(&f.begin, f.end, comma, &value) && f.begin == f.end;
}

/// What separates the fields of a line: the first of ; tab , that it has (and the head, if there is one), else blanks.
static char separator(const char *p, const char *end, const char *names)
{
  for (const char *s = ";\t,"; *s; s++)
    if (memchr(p, *s, (size_t)(end - p)) != NULL && (names == NULL || strchr(names, *s) != NULL)) return *s;
  return ' ';
}

/// A line of numbers begins with one, or holds more of them than of anything else.
static bool is_row(const char *begin, const char *end)
{
  amo_record_field f;
  size_t fields = 0, numbers = 0;
  bool first = false;
  const char between = separator(begin, end, NULL);
  for (const char *at = begin; amo_record_field_next(&at, end, between, &f); fields++)
    if (is_number(f, between != ',')) {
      numbers++;
      first |= fields == 0;
    }
  return first || 2 * numbers > fields;
}

static void keep(head *h, const char *begin, const char *end)
{
  free(h->line[1]);
  h->line[1] = h->line[0];
  h->line[0] = amo_strndup(begin, (size_t)(end - begin));
  h->lines++;
}

/// All lines before the first row; it is the next line then.
static amo_status read_lines(amo_record_stream *s, head *h)
{
  const char *begin, *end;
  amo_status st = AMO_OK;
  for (;;) {
    if (!amo_record_next_line(s, &begin, &end, &st)) return st;
    const char *first = begin;
    while (first < end && (*first == ' ' || *first == '\t')) first++;
    if (first < end && (*first == '#' || *first == '%')) {
      free(h->remark);
      h->remark = amo_strndup(first + 1, (size_t)(end - first - 1));
    } else if (!amo_record_skipped(begin, end)) {
      if (is_row(begin, end)) {
        s->at = (size_t)(begin - s->block);
        s->line--;
        s->between = separator(begin, end, h->line[0]);
        return AMO_OK;
      }
      keep(h, begin, end);
      if (h->lines > MOST_HEAD)
        return amo_error(s->diags, (amo_at){s->called, (int)s->line, 1, 1}, NULL,
                         "%s: no line of numbers among the first %d", s->called, MOST_HEAD);
    }
  }
}

static size_t count_fields(const char *line, char between)
{
  amo_record_field f;
  size_t n = 0;
  if (line == NULL) return 0;
  const char *end = line + strlen(line);
  for (const char *at = line; amo_record_field_next(&at, end, between, &f); n++) continue;
  return n;
}

static bool brackets(const char *p, const char *end)
{
  return end - p >= 2 && ((*p == '[' && end[-1] == ']') || (*p == '(' && end[-1] == ')'));
}

/// A line of units below the names: every field a unit that we know, or something in brackets, or nothing.
static bool is_units(const char *line, char between)
{
  amo_record_field f;
  char si[32];
  double factor;
  size_t said = 0;
  const char *end = line + strlen(line);
  for (const char *at = line; amo_record_field_next(&at, end, between, &f);) {
    if (f.begin == f.end) continue;
    if (!brackets(f.begin, f.end) && !amo_unit_si(f.begin, (size_t)(f.end - f.begin), &factor, si, sizeof si))
      return false;
    said++;
  }
  return said > 0;
}

/// "time [s]", "force (N)" and "F_kN" into name and unit. A unit behind a stroke must be one that cannot be a word (T_min, v_h).
static void split(amo_record_field *name, amo_record_field *unit)
{
  const char *open = NULL;
  double factor;
  char si[32];
  *unit = (amo_record_field){name->end, name->end};
  for (const char *p = name->begin; p < name->end; p++)
    if (*p == '[' || *p == '(') open = p;
  if (open && brackets(open, name->end)) {
    *unit = (amo_record_field){open + 1, name->end - 1};
    name->end = open;
  } else {
    const char *bar = name->end;
    while (bar > name->begin && *bar != '_') bar--;
    const size_t length = (size_t)(name->end - bar) - (bar < name->end);
    if (bar > name->begin && !(length == 3 && !memcmp(bar + 1, "min", 3)) &&
        !(length == 1 && strchr("htK1-%AV", bar[1])) &&
        amo_unit_si(bar + 1, length, &factor, si, sizeof si)) {
      *unit = (amo_record_field){bar + 1, name->end};
      name->end = bar;
    }
  }
  while (name->end > name->begin && name->end[-1] == ' ') name->end--;
}

static bool same(amo_record_field f, const char *name)
{
  return strlen(name) == (size_t)(f.end - f.begin) && !memcmp(f.begin, name, strlen(name));
}

static amo_record_field field_at(const char *line, char between, size_t k)
{
  amo_record_field f = {"", ""};
  if (line == NULL) return f;
  const char *end = line + strlen(line), *at = line;
  for (size_t i = 0; amo_record_field_next(&at, end, between, &f); i++)
    if (i == k) return f;
  return (amo_record_field){"", ""};
}

/// The field of a name: its whole head, else its head without the unit; SIZE_MAX: none; *twice: more than one.
static size_t find(const amo_record_stream *s, const char *name, bool *twice)
{
  size_t found = SIZE_MAX;
  *twice = false;
  for (int whole = 1; whole >= 0 && found == SIZE_MAX && s->head; whole--)
    for (size_t k = 0; k < s->fields; k++) {
      amo_record_field f = {s->head[k], s->head[k] + strlen(s->head[k])}, unit;
      if (!whole) split(&f, &unit);
      if (!same(f, name)) continue;
      *twice |= found != SIZE_MAX;
      found = k;
    }
  char *rest;
  const long number = strtol(name, &rest, 10);
  if (found == SIZE_MAX && *name && *rest == '\0' && number >= 1 && (size_t)number <= s->fields)
    found = (size_t)number - 1;
  return found;
}

static void describe(amo_record_stream *s, size_t k, const char *units, amo_record_column *c)
{
  amo_record_field name = {"", ""}, unit = {"", ""}, below = field_at(units, s->between, k);
  c->scale = 1;
  if (s->head) name = (amo_record_field){s->head[k], s->head[k] + strlen(s->head[k])};
  if (s->head) split(&name, &unit);
  if (below.begin < below.end) unit = below;
  if (brackets(unit.begin, unit.end)) unit.begin++, unit.end--;
  if (s->head)
    snprintf(c->name, sizeof c->name, "%.*s", (int)(name.end - name.begin), name.begin);
  else
    snprintf(c->name, sizeof c->name, "%zu", k + 1);
  snprintf(c->unit, sizeof c->unit, "%.*s", (int)(unit.end - unit.begin), unit.begin);
  double factor;
  char si[sizeof c->unit];
  if (!s->opts.units || unit.begin == unit.end) return;
  if (amo_unit_si(unit.begin, (size_t)(unit.end - unit.begin), &factor, si, sizeof si)) {
    c->scale = factor;
    memcpy(c->unit, si, sizeof si);
  } else
    amo_warn(s->diags, (amo_at){s->called, 0, 0, 0},
             "known are m, s, N, g, Pa, Hz, rad, ... with k, m, u, M, and their products",
             "%s: the unit '%s' of column '%s' is not known; its numbers are taken as they stand", s->called,
             c->unit, c->name);
}

static amo_status find_columns(amo_record_stream *s, const char *const *column, const char *units,
                               amo_at asked)
{
  amo_status st = AMO_OK;
  for (size_t i = 0; i < s->columns; i++) {
    bool twice;
    const size_t k = find(s, column[i], &twice);
    if (k == SIZE_MAX)
      st = amo_error(s->diags, asked, "columns by the names in its first line, or by numbers from 1",
                     "%s has no column '%s'", s->called, column[i]);
    else if (twice)
      st = amo_error(s->diags, asked, "by its number, from 1", "%s has two columns '%s'", s->called,
                     column[i]);
    else if (s->wanted[k])
      st = amo_error(s->diags, asked, NULL, "column '%s' of %s is asked for twice", column[i], s->called);
    else {
      s->wanted[k] = i + 1;
      describe(s, k, units, &s->column[i]);
    }
  }
  return st;
}

/// The names of a line; between blanks, what stands in brackets is the unit of the name before it.
static amo_status name_columns(amo_record_stream *s, const char *names, size_t *count)
{
  amo_record_field f;
  const char *end = names + strlen(names);
  const size_t most = count_fields(names, s->between) + s->fields + 1;
  *count = 0;
  s->head = amo_arena_alloc(&s->arena, most * sizeof *s->head);
  for (const char *at = names; s->head && amo_record_field_next(&at, end, s->between, &f);) {
    const bool unit = s->between == ' ' && *count > 0 && brackets(f.begin, f.end);
    const char *text =
        unit ? amo_arena_printf(&s->arena, "%s %.*s", s->head[*count - 1], (int)(f.end - f.begin), f.begin)
             : amo_arena_str(&s->arena, f.begin, (size_t)(f.end - f.begin));
    if (text == NULL) return AMO_ENOMEM;
    s->head[*count - unit] = text;
    *count += !unit;
  }
  if (s->head == NULL) return AMO_ENOMEM;
  if (*count > 1 && s->head[*count - 1][0] == '\0' && *count > s->fields) --*count;
  for (size_t k = *count; k < s->fields; k++) s->head[k] = "";
  return AMO_OK;
}

/// How many columns a row has: as the first one; without names, remarks may name them.
static amo_status first_row(amo_record_stream *s, const head *h, const char **names)
{
  const char *begin, *end;
  const size_t at = s->at, line = s->line;
  amo_status st = AMO_OK;
  if (!amo_record_next_line(s, &begin, &end, &st)) {
    s->between = *names ? separator(*names, *names + strlen(*names), NULL) : ',';
    s->fields = count_fields(*names, s->between);
    return st;
  }
  char *row = amo_strndup(begin, (size_t)(end - begin));
  size_t length = row ? strlen(row) : 0;
  s->fields = count_fields(row, s->between);
  while (length && (row[length - 1] == '\r' || row[length - 1] == ' ')) length--;
  if (length && row[length - 1] == s->between && s->fields > 1 &&
      (!*names || count_fields(*names, s->between) < s->fields))
    s->fields--;  // a separator at the end separates nothing
  if (*names == NULL && count_fields(h->remark, s->between) == s->fields) *names = h->remark;
  free(row);
  s->at = at, s->line = line;
  return AMO_OK;
}

/// Names, their number held against that of the columns.
static amo_status take_names(amo_record_stream *s, const char *names)
{
  size_t named = 0;
  amo_status st = names ? name_columns(s, names, &named) : AMO_OK;
  if (st == AMO_OK && names && named != s->fields)
    st = amo_error(
        s->diags, (amo_at){s->called, (int)s->line + 1, 1, 1},
        s->between == ',' && named < s->fields ? "a decimal comma needs another separator of columns" : NULL,
        "%s names %zu columns, and its first row has %zu", s->called, named, s->fields);
  if (st == AMO_OK && s->fields > MOST_FIELDS)
    st = amo_error(s->diags, (amo_at){s->called, 1, 1, 1}, NULL, "%s has more than %d columns", s->called,
                   MOST_FIELDS);
  return st;
}

amo_status amo_record_read_head(amo_record_stream *s, const char *const *column, amo_at asked)
{
  head h = {0};
  const char *units = NULL;
  amo_status st = read_lines(s, &h);
  const char *names = h.line[0];
  if (st == AMO_OK && h.line[1] && is_units(h.line[0], s->between)) units = h.line[0], names = h.line[1];
  if (st == AMO_OK && h.lines > 1 + (size_t)(units != NULL))
    amo_warn(s->diags, (amo_at){s->called, 1, 1, 1}, NULL,
             "%s: %zu lines before the names of the columns were passed over", s->called,
             h.lines - 1 - (units != NULL));
  if (st == AMO_OK) st = first_row(s, &h, &names);
  if (st == AMO_OK) st = take_names(s, names);
  if (st == AMO_OK && (s->wanted = amo_arena_alloc(&s->arena, (s->fields + 1) * sizeof *s->wanted)) == NULL)
    st = AMO_ENOMEM;
  if (st == AMO_OK) st = find_columns(s, column, units, asked);
  free(h.line[0]), free(h.line[1]), free(h.remark);
  return st;
}

bool amo_record_has(const amo_record_stream *s, const char *name)
{
  bool twice;
  return find(s, name, &twice) != SIZE_MAX;
}

bool amo_record_name(const amo_record_stream *s, size_t i, const char **name)
{
  if (i >= s->fields) return false;
  amo_record_field f = {"", ""}, unit;
  if (s->head) f = (amo_record_field){s->head[i], s->head[i] + strlen(s->head[i])}, split(&f, &unit);
  amo_arena *a = (amo_arena *)&s->arena;
  *name = s->head ? amo_arena_str(a, f.begin, (size_t)(f.end - f.begin)) : amo_arena_printf(a, "%zu", i + 1);
  return *name != NULL;
}
