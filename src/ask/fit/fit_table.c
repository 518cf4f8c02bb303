// SPDX-License-Identifier: Apache-2.0
// Rows for relations, from all records, and their errors.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "base/text.h"
#include "fit/survey.h"
#include "ask/fit/breakdowns.h"
#include "ask/fit/fit_relation.h"

enum { MOST_COLUMNS = 256 };

/// What is read of every record: columns of the table, and columns that hold the errors of such.
typedef struct wanted_columns {
  const char *name[MOST_COLUMNS];
  size_t column[MOST_COLUMNS];  // of the table
  bool error[MOST_COLUMNS];     // its standard deviation
  size_t n;
} wanted_columns;

static bool is_left(const amo_equation_set *s, size_t column)
{
  bool left = false;
  for (size_t k = 0; k < s->n; k++)
    left |=
        amo_equation_uses(s->of[k].equation, column) && !amo_equation_right_uses(s->of[k].equation, column);
  return left;
}

static bool is_used(const amo_equation_set *s, size_t column)
{
  bool used = false;
  for (size_t k = 0; k < s->n; k++) used |= amo_equation_uses(s->of[k].equation, column);
  return used;
}

/// Oscillograms: their cycles are the rows.
static amo_status cycle_columns(amo_equation_set *s)
{
  while (amo_cycle_number(s->table.columns)) s->table.columns++;
  s->table.column = amo_arena_alloc(&s->memory, (s->table.columns + 1) * sizeof *s->table.column);
  for (size_t i = 0; s->table.column && i < s->table.columns; i++) s->table.column[i] = amo_cycle_number(i);
  return s->table.column ? AMO_OK : AMO_ENOMEM;
}

/// The cycles of an oscillogram, the wanted columns of them.
static amo_status read_cycles(amo_equation_set *s, const char *path, const wanted_columns *w, amo_record *out)
{
  const amo_setting *set = NULL;
  const size_t n = amo_opt_settings(s->call->opt, "breakdowns", &set);
  amo_record all;
  *out = (amo_record){0};
  amo_status st = amo_cycles_table(path, set, n, s->call->diags, &all);
  if (st != AMO_OK) return st;
  *out = (amo_record){.rows = all.rows, .columns = w->n};
  out->value = amo_zalloc(w->n * all.rows, sizeof *out->value);
  out->column = amo_zalloc(w->n, sizeof *out->column);
  if (out->value == NULL || out->column == NULL) st = AMO_ENOMEM;
  for (size_t k = 0; k < w->n && st == AMO_OK; k++) {
    const size_t c = w->error[k] ? amo_relation_column(&s->table, w->name[k]) : w->column[k];
    if (c == SIZE_MAX) {
      st = amo_error(s->call->diags, (amo_at){0}, NULL, "a cycle has no number '%s'", w->name[k]);
      break;
    }
    out->column[k] = all.column[c];
    memcpy(out->value + k * all.rows, all.value + c * all.rows, all.rows * sizeof *out->value);
  }
  amo_record_free(&all);
  if (st != AMO_OK) amo_record_free(out);
  return st;
}

/// Names of the columns of the first record.
amo_status amo_equation_columns(amo_equation_set *s)
{
  const amo_setting *record = NULL;
  const char *name;
  amo_record_stream *stream = NULL;
  const amo_record_opts how = {.gaps = true};
  if (amo_opt_settings(s->call->opt, "record", &record) == 0)
    return amo_error(s->call->diags, (amo_at){0}, "--record TABLE.csv", "fit needs a record");
  if (amo_opt_given(s->call->opt, "breakdowns")) return cycle_columns(s);
  amo_status st = amo_record_open(record[0].text, NULL, 0, (amo_at){0}, &how, s->call->diags, &stream);
  while (st == AMO_OK && amo_record_name(stream, s->table.columns, &name)) s->table.columns++;
  if (st == AMO_OK)
    s->table.column = amo_arena_alloc(&s->memory, (s->table.columns + 1) * sizeof *s->table.column);
  if (st == AMO_OK && s->table.column == NULL) st = AMO_ENOMEM;
  for (size_t i = 0; st == AMO_OK && i < s->table.columns && amo_record_name(stream, i, &name); i++)
    if ((s->table.column[i] = amo_arena_str(&s->memory, name, strlen(name))) == NULL) st = AMO_ENOMEM;
  amo_record_close(stream);
  return st;
}

static amo_status want(const amo_equation_set *s, wanted_columns *w, const char *name, size_t column,
                       bool error)
{
  if (w->n == MOST_COLUMNS)
    return amo_error(s->call->diags, (amo_at){0}, NULL, "relations use more than %d columns", MOST_COLUMNS);
  w->name[w->n] = name;
  w->error[w->n] = error;
  w->column[w->n++] = column;
  return AMO_OK;
}

/// Rows with numbers in all wanted columns.
static size_t find_whole(const amo_record *r, const wanted_columns *w, bool *whole)
{
  size_t good = 0;
  for (size_t row = 0; row < r->rows; row++) {
    whole[row] = true;
    for (size_t k = 0; k < w->n; k++) whole[row] &= isfinite(r->value[k * r->rows + row]) != 0;
    good += whole[row];
  }
  return good;
}

/// The table with room for `more` rows behind those that are there.
static amo_status widen(amo_relation_table *t, size_t more)
{
  const size_t rows = t->rows + more;
  double *value = amo_zalloc(t->columns * rows, sizeof *value), *weight = amo_zalloc(rows, sizeof *weight);
  double *sigma = amo_zalloc(t->columns * rows, sizeof *sigma);
  if (!value || !weight || !sigma) {
    free(value), free(weight), free(sigma);
    return AMO_ENOMEM;
  }
  for (size_t c = 0; c < t->columns && t->rows; c++) {
    memcpy(value + c * rows, t->value + c * t->rows, t->rows * sizeof *value);
    memcpy(sigma + c * rows, t->sigma + c * t->rows, t->rows * sizeof *sigma);
  }
  if (t->rows) memcpy(weight, t->weight, t->rows * sizeof *weight);
  free(t->value), free(t->weight), free(t->sigma);
  t->value = value, t->weight = weight, t->sigma = sigma, t->rows = rows;
  return AMO_OK;
}

/// Rows of one record that have all their numbers behind those that are there.
static amo_status append(amo_equation_set *s, const amo_record *r, const wanted_columns *w,
                         amo_fit_series *series)
{
  amo_relation_table *t = &s->table;
  const size_t before = t->rows;
  bool *whole = amo_zalloc(r->rows, sizeof *whole);
  if (whole == NULL) return AMO_ENOMEM;
  const size_t good = find_whole(r, w, whole);
  const amo_status st = widen(t, good);
  for (size_t k = 0; st == AMO_OK && k < w->n; k++) {
    double *to = !w->error[k]               ? t->value + w->column[k] * t->rows
                 : is_left(s, w->column[k]) ? t->weight
                                            : t->sigma + w->column[k] * t->rows;
    for (size_t row = 0, at = before; row < r->rows; row++) {
      const double x = r->value[k * r->rows + row];
      if (whole[row]) to[at++] = to != t->weight ? x : x > 0 ? 1 / x : 0;
    }
  }
  if (st == AMO_OK) series->first = before, series->count = good, series->gaps = r->rows - good;
  free(whole);
  return st;
}

/// No row has all its numbers: for want of which?
static void tell_empty(const amo_equation_set *s, const char *path, const amo_record *r,
                       const wanted_columns *w)
{
  for (size_t k = 0; k < w->n; k++) {
    bool any = false;
    for (size_t row = 0; row < r->rows; row++) any |= isfinite(r->value[k * r->rows + row]) != 0;
    if (!any)
      amo_warn(s->call->diags, (amo_at){0}, NULL, "column '%s' of %s holds no number", w->name[k], path);
  }
}

static amo_status read_record(amo_equation_set *s, const char *path, const wanted_columns *w,
                              amo_fit_series *series)
{
  amo_record r;
  const char *units = amo_opt_text(s->call->opt, "units");
  const amo_record_opts how = {.gaps = true, .units = strcmp(units, "SI") == 0};
  amo_status st = amo_opt_given(s->call->opt, "breakdowns")
                      ? read_cycles(s, path, w, &r)
                      : amo_record_read(path, w->name, w->n, (amo_at){0}, &how, s->call->diags, &r);
  if (st != AMO_OK) return st;
  st = append(s, &r, w, series);
  if (st == AMO_OK && series->count == 0) tell_empty(s, path, &r, w);
  const char *unit[2] = {"", ""};
  for (size_t k = 0; st == AMO_OK && k < w->n; k++) {
    if (w->error[k]) continue;
    const bool right = amo_equation_right_uses(s->of[0].equation, w->column[k]);
    if (right ? series->x_name == NULL : series->name == NULL) {
      *(right ? &series->x_name : &series->name) = s->table.column[w->column[k]];
      unit[right] = amo_arena_str(&s->memory, r.column[k].unit, strlen(r.column[k].unit));
    }
  }
  series->unit = unit[0] ? unit[0] : "";
  series->x_unit = unit[1] ? unit[1] : "";
  amo_record_free(&r);
  return st;
}

/// Where the numbers that a record is drawn over lie, now that all are there.
static void point_series(amo_equation_set *s)
{
  for (size_t i = 0; i < s->nseries; i++) {
    amo_fit_series *x = &s->series[i];
    const size_t c = x->x_name ? amo_relation_column(&s->table, x->x_name) : SIZE_MAX;
    if (!x->name) x->name = "";
    if (!x->x_name) x->x_name = "";
    x->x = s->table.value + (c == SIZE_MAX ? 0 : c * s->table.rows) + x->first;
  }
}

// ---- errors ----

/// A column of errors "name_se" beside a column of a cycle.
static amo_status want_cycle_errors(amo_equation_set *s, wanted_columns *w)
{
  amo_status st = AMO_OK;
  for (size_t c = 0; st == AMO_OK && c < s->table.columns; c++) {
    const char *name = amo_arena_printf(&s->memory, "%s_se", s->table.column[c]);
    if (name == NULL) return AMO_ENOMEM;
    if (is_used(s, c) && amo_relation_column(&s->table, name) != SIZE_MAX) st = want(s, w, name, c, true);
  }
  return st;
}

/// --sigma COLUMN=COLUMN; numbers are filled in when the rows are there.
static amo_status want_errors(amo_equation_set *s, wanted_columns *w)
{
  const amo_setting *noise = NULL;
  const size_t n = amo_opt_settings(s->call->opt, "sigma", &noise);
  amo_status st = AMO_OK;
  double number;
  if (n == 0) return amo_opt_given(s->call->opt, "breakdowns") ? want_cycle_errors(s, w) : AMO_OK;
  for (size_t i = 0; i < n && st == AMO_OK; i++) {
    const size_t of = amo_relation_column(&s->table, noise[i].name),
                 is = amo_relation_column(&s->table, noise[i].text);
    if (of == SIZE_MAX || !is_used(s, of))
      return amo_error(s->call->diags, (amo_at){0}, NULL, "--sigma: no relation has a column '%s'",
                       noise[i].name);
    if (amo_decimal(noise[i].text, &number)) continue;
    if (is != SIZE_MAX && is_used(s, is))
      return amo_error(s->call->diags, (amo_at){0}, NULL,
                       "column '%s' is the standard deviation and part of a relation", noise[i].text);
    st = want(s, w, noise[i].text, of, true);
  }
  return st;
}

/// Errors that are numbers; what has none is left out.
static void fill_errors(amo_equation_set *s, const wanted_columns *w)
{
  const amo_setting *noise = NULL;
  const size_t n = amo_opt_settings(s->call->opt, "sigma", &noise);
  amo_relation_table *t = &s->table;
  bool left = false, right = false;
  for (size_t k = 0; k < w->n; k++) *(is_left(s, w->column[k]) ? &left : &right) |= w->error[k];
  for (size_t i = 0; i < n; i++) {
    const size_t of = amo_relation_column(t, noise[i].name);
    double number;
    if (!amo_decimal(noise[i].text, &number)) continue;
    const bool is = is_left(s, of);
    *(is ? &left : &right) = true;
    for (size_t row = 0; row < t->rows; row++)
      *(is ? &t->weight[row] : &t->sigma[of * t->rows + row]) = is ? 1 / number : number;
  }
  if (!left) free(t->weight), t->weight = NULL;
  if (!right) free(t->sigma), t->sigma = NULL;
  t->scatter = n == 0 ? left || right : right && !left;
}

amo_status amo_equation_table(amo_equation_set *s)
{
  const amo_setting *record = NULL;
  const size_t records = amo_opt_settings(s->call->opt, "record", &record);
  wanted_columns *w = amo_zalloc(1, sizeof *w);
  amo_status st = w ? AMO_OK : AMO_ENOMEM;
  for (size_t c = 0; st == AMO_OK && c < s->table.columns; c++)
    if (is_used(s, c)) st = want(s, w, s->table.column[c], c, false);
  if (st == AMO_OK) st = want_errors(s, w);
  s->series = amo_arena_alloc(&s->memory, records * sizeof *s->series);
  if (s->series == NULL) st = AMO_ENOMEM;
  for (size_t i = 0; st == AMO_OK && i < records; i++) {
    s->series[i].record = record[i].text;
    st = read_record(s, record[i].text, w, &s->series[i]);
    s->nseries++;
  }
  if (st == AMO_OK) fill_errors(s, w);
  if (st == AMO_OK) point_series(s);
  free(w);
  return st;
}
