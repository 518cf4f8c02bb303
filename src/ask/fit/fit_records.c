// SPDX-License-Identifier: Apache-2.0
#include "ask/fit/fit_records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "fit/quantity.h"
#include "ask/number.h"

static const amo_record_opts as_si = {.gaps = true, .units = true};

void amo_fit_records_free(amo_fit_records *r)
{
  amo_arena_free(&r->memory);
}

// ---- which columns ----

static bool is_time(const char *name)
{
  return !strcmp(name, "t") || !strcmp(name, "time") || !strcmp(name, "Time") || !strcmp(name, "T");
}

/// Without --measure: all columns of the first record that have the name of a quantity of the model.
static amo_status name_columns(const amo_call *c, const char *path, amo_fit_records *r)
{
  amo_record_stream *s = NULL;
  const char *name = NULL;
  amo_status st = amo_record_open(path, NULL, 0, (amo_at){0}, &as_si, c->diags, &s);
  size_t most = 0;
  while (st == AMO_OK && amo_record_name(s, most, &name)) most++;
  AMO_TAKE(&r->memory, const char *, most + 1, &r->name, &r->text, &r->sigma);
  if (st == AMO_OK && r->memory.failed) st = AMO_ENOMEM;
  for (size_t i = 0; st == AMO_OK && amo_record_name(s, i, &name); i++) {
    if (is_time(name) || !amo_quantity_known(c->model, name)) continue;
    r->text[r->columns] = r->name[r->columns] = amo_arena_str(&r->memory, name, strlen(name));
    r->columns++;
  }
  amo_record_close(s);
  if (st == AMO_OK && r->columns == 0)
    st = amo_error(c->diags, (amo_at){0}, "say what its columns are: --measure \"column=expression\"",
                   "no column of %s has the name of a quantity of the model", path);
  return st;
}

static amo_status given_columns(const amo_call *c, amo_fit_records *r)
{
  const amo_setting *set = NULL;
  const size_t n = amo_opt_settings(c->opt, "measure", &set);
  AMO_TAKE(&r->memory, const char *, n + 1, &r->name, &r->text, &r->sigma);
  if (r->memory.failed) return AMO_ENOMEM;
  for (size_t i = 0; i < n; i++) {
    r->name[i] = set[i].name;
    r->text[i] = set[i].text;
  }
  r->columns = n;
  return AMO_OK;
}

static amo_status find_sigmas(const amo_call *c, amo_fit_records *r)
{
  const amo_setting *set = NULL;
  const size_t n = amo_opt_settings(c->opt, "sigma", &set);
  for (size_t i = 0; i < n; i++) {
    size_t k = 0;
    while (k < r->columns && strcmp(r->name[k], set[i].name)) k++;
    if (k == r->columns)
      return amo_error(c->diags, (amo_at){0}, NULL, "--sigma: '%s' is not among the measured columns",
                       set[i].name);
    r->sigma[k] = set[i].text;
  }
  for (size_t k = 0; n > 0 && k < r->columns; k++)
    if (!r->sigma[k])
      return amo_error(c->diags, (amo_at){0}, "noise is known of all columns or of none",
                       "--sigma does not say the noise of '%s'", r->name[k]);
  r->known = n > 0;
  return AMO_OK;
}

// ---- one record ----

/// The column of time by its name, or the first.
static amo_status time_column(const amo_call *c, const char *path, amo_arena *a, const char **out)
{
  const char *name = NULL;
  amo_record_stream *s = NULL;
  *out = amo_opt_text(c->opt, "time");
  if (*out) return AMO_OK;
  amo_status st = amo_record_open(path, NULL, 0, (amo_at){0}, &as_si, c->diags, &s);
  for (size_t i = 0; st == AMO_OK && !*out && amo_record_name(s, i, &name); i++)
    if (is_time(name)) *out = amo_arena_str(a, name, strlen(name));
  amo_record_close(s);
  if (st == AMO_OK && !*out) *out = "1";
  return st;
}

/// Noise of a column: the same for all rows, or a column of its own.
static amo_status fill_sigma(const amo_call *c, const amo_fit_records *r, size_t k, const amo_record *from,
                             size_t *column, double *out)
{
  double number = NAN, *end = out + from->rows;
  char *rest = NULL;
  number = strtod(r->sigma[k], &rest);
  const bool plain = rest != r->sigma[k] && !rest[strspn(rest, " ")];
  const double *own = plain ? NULL : from->value + (*column)++ * from->rows;
  for (double *p = out; p < end; p++) {
    *p = own ? *own++ : number;
    if (!(*p > 0.0))
      return amo_error(c->diags, (amo_at){0}, NULL, "--sigma of '%s': %g in row %zu is no standard deviation",
                       r->name[k], *p, (size_t)(p - out) + 1);
  }
  return AMO_OK;
}

static bool is_plain(const char *text)
{
  char *rest = NULL;
  strtod(text, &rest);
  return rest != text && !rest[strspn(rest, " ")];
}

/// Rows with a time, in ascending order.
static amo_status check_times(const amo_call *c, const char *path, const amo_record *from, size_t *rows)
{
  double last = -INFINITY;
  *rows = 0;
  for (size_t i = 0; i < from->rows; i++) {
    const double t = from->value[i];
    if (isnan(t)) continue;
    if (t < last)
      return amo_error(c->diags, (amo_at){0}, "sort it, or cut it into several records",
                       "%s: time goes backwards in row %zu, from %.10g to %.10g", path, i + 1, last, t);
    last = t;
    (*rows)++;
  }
  if (*rows < from->rows)
    amo_warn(c->diags, (amo_at){0}, NULL, "%s: %zu rows without a time were skipped", path,
             from->rows - *rows);
  if (*rows < 2) return amo_error(c->diags, (amo_at){0}, NULL, "%s has fewer than two rows", path);
  return AMO_OK;
}

static amo_status keep(amo_fit_records *r, amo_fit_record *out, const amo_record *from, const double *sigma)
{
  const size_t n = r->columns;
  AMO_TAKE(&r->memory, double, out->rows + 1, &out->t);
  AMO_TAKE(&r->memory, double, n * out->rows + 1, &out->value);
  AMO_TAKE(&r->memory, const char *, n + 1, &out->unit);
  if (sigma) AMO_TAKE(&r->memory, double, n * out->rows + 1, &out->sigma);
  if (r->memory.failed) return AMO_ENOMEM;
  for (size_t i = 0, row = 0; i < from->rows; i++) {
    if (isnan(from->value[i])) continue;
    out->t[row] = from->value[i];
    for (size_t k = 0; k < n; k++) {
      out->value[k * out->rows + row] = from->value[(k + 1) * from->rows + i];
      if (sigma) out->sigma[k * out->rows + row] = sigma[k * from->rows + i];
    }
    row++;
  }
  for (size_t k = 0; k < n; k++) {
    const char *unit = from->column[k + 1].unit;
    out->unit[k] = amo_arena_str(&r->memory, unit, strlen(unit));
  }
  return AMO_OK;
}

static amo_status read_one(const amo_call *c, amo_fit_records *r, amo_fit_record *out)
{
  const char **want = amo_arena_alloc(&r->memory, (2 * r->columns + 2) * sizeof *want);
  amo_record from = {0};
  size_t n = 0, column = r->columns + 1;
  double *sigma = NULL;
  if (!want) return AMO_ENOMEM;
  amo_status st = time_column(c, out->path, &r->memory, &want[n++]);
  for (size_t k = 0; k < r->columns; k++) want[n++] = r->name[k];
  for (size_t k = 0; k < r->columns; k++)
    if (r->sigma[k] && !is_plain(r->sigma[k])) want[n++] = r->sigma[k];
  if (st == AMO_OK) st = amo_record_read(out->path, want, n, (amo_at){0}, &as_si, c->diags, &from);
  if (st == AMO_OK) st = check_times(c, out->path, &from, &out->rows);
  if (st == AMO_OK && r->known && !(sigma = amo_zalloc(r->columns * from.rows, sizeof *sigma)))
    st = AMO_ENOMEM;
  for (size_t k = 0; st == AMO_OK && sigma && k < r->columns; k++)
    st = fill_sigma(c, r, k, &from, &column, sigma + k * from.rows);
  if (st == AMO_OK) st = keep(r, out, &from, sigma);
  amo_record_free(&from);
  free(sigma);
  return st;
}

amo_status amo_fit_records_read(const amo_call *call, amo_fit_records *r)
{
  const amo_setting *file = NULL, *measure = NULL;
  *r = (amo_fit_records){.count = amo_opt_settings(call->opt, "record", &file)};
  if (r->count == 0)
    return amo_error(call->diags, (amo_at){0}, "for example --record motion.csv", "fit needs a record");
  AMO_TAKE(&r->memory, amo_fit_record, r->count, &r->item);
  if (r->memory.failed) return AMO_ENOMEM;
  amo_status st = amo_opt_settings(call->opt, "measure", &measure) > 0 ? given_columns(call, r)
                                                                       : name_columns(call, file[0].text, r);
  if (st == AMO_OK) st = find_sigmas(call, r);
  for (size_t k = 0; st == AMO_OK && k < r->count; k++) {
    r->item[k].path = file[k].text;
    st = read_one(call, r, &r->item[k]);
  }
  return st;
}
