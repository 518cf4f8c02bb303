// SPDX-License-Identifier: Apache-2.0
// Rows for relations, from all records; relations that have a name.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "base/text.h"
#include "fit/survey.h"
#include "ask/fit/breakdowns.h"
#include "ask/fit/fit_relation.h"

/// An unknown of a relation that has a name, and where it can lie so that a column can show it: from 0.02 over its range to 50 over its lower
/// half (what most values are above its least); or between numbers.
typedef struct named_bound {
  const char *unknown, *column;
  double low, high;
} named_bound;

#define BETA          \
  {                   \
    "beta", "f", 0, 0 \
  }
#define DELTA_T          \
  {                      \
    "delta_T", "T", 0, 0 \
  }
static const struct {
  const char *name, *text;
  named_bound bound[3];
} named[] = {
    {"rate", "F_plus = F0 + A*exp(-beta*f)", {BETA}},
    {"time", "F_plus = F_inf - (F_inf - F0)*exp(-delta_T*T)", {DELTA_T}},
    {"both",
     "F_plus = F0 + A*exp(-beta*f)*(1 - kappa*exp(-delta_T*T))",
     {BETA, DELTA_T, {"kappa", NULL, 0, 1}}},
    {"sliding", "R = F0 + slope*w + cubic*w^3 - delta*v", {{0}}},
    {"creep", "x = x1 + Delta*(1 - exp(-(t - t0)/tau))", {{0}}},
    {"creep-force", "F = F_inf + (F1 - F_inf)*exp(-(t - t0)/tau)", {{0}}},
    {"creep-rates", "rate = Delta*(exp(-(t1 - t0)/tau) - exp(-(t2 - t0)/tau))/(t2 - t1)", {{0}}},
};

static size_t column_of(const amo_equation_set *s, const char *name)
{
  for (size_t i = 0; i < s->columns; i++)
    if (!strcmp(s->column[i], name)) return i;
  return SIZE_MAX;
}

const char *amo_equation_named(amo_equation_set *s, const char *name)
{
  for (size_t i = 0; i < sizeof named / sizeof *named; i++)
    if (!strcmp(named[i].name, name)) {
      const char *text = named[i].text;  // tables call it F_plus or F
      const bool other = !strncmp(text, "F_plus", 6) && column_of(s, "F_plus") == SIZE_MAX;
      return other ? amo_arena_printf(&s->memory, "F%s", text + 6) : text;
    }
  return NULL;
}

static void bound_unknown(const amo_equation_set *s, amo_equation_fit *f, named_bound b)
{
  const size_t c = b.column ? column_of(s, b.column) : SIZE_MAX;
  double low = INFINITY, high = -INFINITY;
  amo_spread all = {0};
  for (size_t row = 0; c != SIZE_MAX && row < s->rows; row++) {
    const double x = s->value[c * s->rows + row];
    low = fmin(low, x), high = fmax(high, x);
    amo_spread_add(&all, x);
  }
  const double half = amo_spread_median(&all) - low;
  if (high > low) b.low = 0.02 / (high - low), b.high = 50 / (half > 0 ? half : high - low);
  for (size_t k = 0; k < amo_equation_unknowns(f->relation); k++) {
    amo_fit_parameter *p = &f->parameter[k];
    if (!strcmp(amo_equation_names_of(f->relation)[k], b.unknown) && !isfinite(p->low) &&
        !isfinite(p->high) && b.high > b.low)
      p->low = b.low, p->high = b.high;
  }
}

void amo_equation_bounds(const amo_equation_set *s, amo_equation_fit *f, const char *name)
{
  for (size_t i = 0; i < sizeof named / sizeof *named; i++)
    for (int k = 0; !strcmp(named[i].name, name) && k < 3 && named[i].bound[k].unknown; k++)
      bound_unknown(s, f, named[i].bound[k]);
}

typedef struct wanted_columns {
  const char *name[256];
  size_t column[256];  // of the set; SIZE_MAX: the standard deviation of the measurements
  size_t n;
} wanted_columns;

/// Oscillograms: their cycles are the rows.
static amo_status cycle_columns(amo_equation_set *s)
{
  while (amo_cycle_number(s->columns)) s->columns++;
  s->column = amo_arena_alloc(&s->memory, (s->columns + 1) * sizeof *s->column);
  for (size_t i = 0; s->column && i < s->columns; i++) s->column[i] = amo_cycle_number(i);
  return s->column ? AMO_OK : AMO_ENOMEM;
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
    const size_t c = w->column[k] == SIZE_MAX ? column_of(s, w->name[k]) : w->column[k];
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
  while (st == AMO_OK && amo_record_name(stream, s->columns, &name)) s->columns++;
  if (st == AMO_OK) s->column = amo_arena_alloc(&s->memory, (s->columns + 1) * sizeof *s->column);
  if (st == AMO_OK && s->column == NULL) st = AMO_ENOMEM;
  for (size_t i = 0; st == AMO_OK && i < s->columns && amo_record_name(stream, i, &name); i++)
    if ((s->column[i] = amo_arena_str(&s->memory, name, strlen(name))) == NULL) st = AMO_ENOMEM;
  amo_record_close(stream);
  return st;
}

static void want(wanted_columns *w, const char *name, size_t column)
{
  if (w->n == sizeof w->name / sizeof *w->name) return;
  w->name[w->n] = name;
  w->column[w->n++] = column;
}

/// Rows of one record that have all their numbers behind those that are there.
static amo_status append(amo_equation_set *s, const amo_record *r, const wanted_columns *w,
                         amo_fit_series *series)
{
  size_t good = 0;
  const size_t before = s->rows;
  bool *whole = amo_zalloc(r->rows, sizeof *whole);
  if (whole == NULL) return AMO_ENOMEM;
  for (size_t row = 0; row < r->rows; row++) {
    whole[row] = true;
    for (size_t k = 0; k < w->n; k++) whole[row] &= isfinite(r->value[k * r->rows + row]) != 0;
    good += whole[row];
  }
  const size_t rows = before + good;
  double *value = amo_zalloc(s->columns * rows, sizeof *value), *weight = amo_zalloc(rows, sizeof *weight);
  if (value && weight) {
    for (size_t c = 0; c < s->columns && before; c++)
      memcpy(value + c * rows, s->value + c * before, before * sizeof *value);
    if (s->weight && before) memcpy(weight, s->weight, before * sizeof *weight);
    for (size_t k = 0; k < w->n; k++)
      for (size_t row = 0, to = before; row < r->rows; row++) {
        const double x = r->value[k * r->rows + row];
        if (!whole[row]) continue;
        if (w->column[k] == SIZE_MAX)
          weight[to++] = x > 0 ? 1 / x : 0;
        else
          value[w->column[k] * rows + to++] = x;
      }
    free(s->value), free(s->weight);
    s->value = value, s->weight = weight, s->rows = rows;
    series->first = before, series->count = good, series->gaps = r->rows - good;
  } else
    free(value), free(weight);
  free(whole);
  return value && weight ? AMO_OK : AMO_ENOMEM;
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
  const char *unit[2] = {"", ""};
  for (size_t k = 0; st == AMO_OK && k < w->n; k++) {
    if (w->column[k] == SIZE_MAX) continue;
    const bool right = amo_equation_right_uses(s->of[0].relation, w->column[k]);
    if (right ? series->x_name == NULL : series->name == NULL) {
      *(right ? &series->x_name : &series->name) = s->column[w->column[k]];
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
    const size_t c = x->x_name ? column_of(s, x->x_name) : SIZE_MAX;
    if (!x->name) x->name = "";
    if (!x->x_name) x->x_name = "";
    x->x = s->value + (c == SIZE_MAX ? 0 : c * s->rows) + x->first;
  }
}

amo_status amo_equation_table(amo_equation_set *s)
{
  const amo_setting *record = NULL;
  const size_t records = amo_opt_settings(s->call->opt, "record", &record);
  const amo_setting *noise = NULL;  // of what stands left of the equality sign
  const char *sigma = amo_opt_settings(s->call->opt, "sigma", &noise) ? noise[0].text : NULL;
  double number = 0;
  const bool same = sigma && amo_decimal(sigma, &number);
  if (same) sigma = NULL;
  wanted_columns *w = amo_zalloc(1, sizeof *w);
  amo_status st = w ? AMO_OK : AMO_ENOMEM;
  for (size_t c = 0; st == AMO_OK && c < s->columns; c++) {
    bool used = false;
    for (size_t k = 0; k < s->n; k++) used |= amo_equation_uses(s->of[k].relation, c);
    if (used && sigma && !strcmp(sigma, s->column[c]))
      st = amo_error(s->call->diags, (amo_at){0}, NULL,
                     "column '%s' is the standard deviation and part of a relation", sigma);
    if (used) want(w, s->column[c], c);
  }
  if (st == AMO_OK && sigma) want(w, sigma, SIZE_MAX);
  s->series = amo_arena_alloc(&s->memory, records * sizeof *s->series);
  if (s->series == NULL) st = AMO_ENOMEM;
  for (size_t i = 0; st == AMO_OK && i < records; i++) {
    s->series[i].record = record[i].text;
    st = read_record(s, record[i].text, w, &s->series[i]);
    s->nseries++;
  }
  for (size_t i = 0; same && st == AMO_OK && i < s->rows; i++) s->weight[i] = 1 / number;
  if (st == AMO_OK && sigma == NULL && !same) free(s->weight), s->weight = NULL;
  if (st == AMO_OK) point_series(s);
  free(w);
  return st;
}
