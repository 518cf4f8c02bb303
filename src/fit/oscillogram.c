// SPDX-License-Identifier: Apache-2.0
#include "fit/oscillogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { BLOCK = 4096, LEAST_ROWS = 32 };

void amo_oscillogram_free(amo_oscillogram *o)
{
  free(o->trace.t), free(o->trace.x), free(o->trace.v), free(o->trace.line);
  o->trace = (amo_trace){0};
}

size_t amo_trace_find(const amo_trace *w, double t, size_t lo, size_t hi)
{
  while (lo < hi) {
    const size_t k = lo + (hi - lo) / 2;
    if (amo_trace_t(w, k) < t)
      lo = k + 1;
    else
      hi = k;
  }
  return lo;
}

double amo_trace_core(const amo_trace *w, size_t from, size_t to, size_t *a, size_t *b)
{
  const double high = amo_trace_x(w, from), fall = high - amo_trace_x(w, to);
  size_t middle = from;
  while (middle < to && (high - amo_trace_x(w, middle)) / fall < 0.5) middle++;
  *a = *b = middle;
  while (*a > from && (high - amo_trace_x(w, *a - 1)) / fall > 0.1) --*a;
  while (*b < to && (high - amo_trace_x(w, *b)) / fall < 0.9) ++*b;
  const double part =
      1 - 2 * acos(0.8) / 3.14159265358979323846;  // of half a period: where cos is between 0.8 and -0.8
  return *b > *a + 1 ? (amo_trace_t(w, *b - 1) - amo_trace_t(w, *a)) / part : 0;
}

/// Columns t, force or stretch, drive.
static amo_status open_record(const amo_oscillogram *o, amo_diags *diags, amo_record_stream **out)
{
  const char *want[3] = {o->opts->time, o->opts->force ? o->opts->force : o->opts->stretch, o->opts->drive};
  const amo_record_opts how = {.gaps = true, .units = true};
  return amo_record_open(o->path, want, o->opts->drive ? 3 : 2, (amo_at){0}, &how, diags, out);
}

typedef amo_status (*on_row)(amo_oscillogram *o, double t, double x, double v, size_t line, void *ctx);

/// Every row once, the signal in N.
static amo_status walk(amo_oscillogram *o, amo_diags *diags, on_row each, amo_status (*every)(void *),
                       void *ctx)
{
  amo_record_stream *s = NULL;
  const double scale = o->opts->force ? 1 : o->opts->stiffness;
  size_t rows = 1, line[BLOCK];
  double *value = malloc(3 * BLOCK * sizeof *value);
  amo_status st = value ? open_record(o, diags, &s) : AMO_ENOMEM;
  while (st == AMO_OK && rows > 0) {
    st = amo_record_next(s, value, BLOCK, line, &rows);
    for (size_t i = 0; i < rows && st == AMO_OK; i++)
      st = each(o, value[i], scale * value[BLOCK + i], o->opts->drive ? value[2 * BLOCK + i] : o->opts->speed,
                line[i], ctx);
    if (st == AMO_OK && every) st = every(ctx);
  }
  amo_record_close(s);
  free(value);
  return st;
}

static amo_status survey_row(amo_oscillogram *o, double t, double x, double v, size_t line, void *ctx)
{
  (void)ctx;
  (void)amo_survey_add(&o->survey, t, o->opts->drive ? x + 0 * v : x, line);
  return AMO_OK;
}

amo_status amo_oscillogram_survey(amo_oscillogram *o)
{
  o->survey = (amo_survey){0};
  amo_status st = walk(o, o->diags, survey_row, NULL, NULL);
  if (st != AMO_OK) return st;
  amo_survey_end(&o->survey);
  const double range = o->survey.high.value - o->survey.low.value;
  o->least = fmax(8 * o->survey.noise, 1e-3 * range);
  return amo_survey_tell(&o->survey, o->path, o->opts->force ? o->opts->force : o->opts->stretch, LEAST_ROWS,
                         o->diags);
}

// ---- turning points ----

static amo_status push(amo_trace *w, double t, double x, double v, size_t line)
{
  if (w->n == w->capacity) {
    const size_t more = w->capacity ? 2 * w->capacity : BLOCK;
    double *const nt = realloc(w->t, more * sizeof *nt);
    if (nt) w->t = nt;
    double *const nx = realloc(w->x, more * sizeof *nx);
    if (nx) w->x = nx;
    double *const nv = realloc(w->v, more * sizeof *nv);
    if (nv) w->v = nv;
    size_t *const nl = realloc(w->line, more * sizeof *nl);
    if (nl) w->line = nl;
    if (!nt || !nx || !nv || !nl) return AMO_ENOMEM;
    w->capacity = more;
  }
  w->t[w->n] = t, w->x[w->n] = x, w->v[w->n] = v, w->line[w->n] = line;
  w->n++;
  return AMO_OK;
}

/// What is not needed any more goes, once it is most of what is there.
static void forget(amo_trace *w, size_t keep)
{
  const size_t gone = keep > w->first ? keep - w->first : 0, left = w->n - gone;
  if (gone < BLOCK || gone < left) return;
  memmove(w->t, w->t + gone, left * sizeof *w->t);
  memmove(w->x, w->x + gone, left * sizeof *w->x);
  memmove(w->v, w->v + gone, left * sizeof *w->v);
  memmove(w->line, w->line + gone, left * sizeof *w->line);
  w->n = left;
  w->first += gone;
}

typedef struct follower {
  amo_on_stretch each;
  void *ctx;
  double last;  // time of the row before
  amo_status (*every)(void *ctx);
} follower;

static amo_status follow_row(amo_oscillogram *o, double t, double x, double v, size_t line, void *ctx)
{
  follower *f = ctx;
  amo_trace *w = &o->trace;
  if (!isfinite(t) || !isfinite(x) || (o->opts->drive && !isfinite(v)) || !(t > f->last)) return AMO_OK;
  f->last = t;
  amo_status st = push(w, t, x, v, line);
  if (st != AMO_OK) return st;
  const size_t k = amo_trace_end(w) - 1;
  const double sign = o->rising ? 1 : -1;
  if (k == 0) o->best = o->begin = 0;
  const double past = sign * (x - amo_trace_x(w, o->best));
  if (past > 0) o->best = k;
  if (past >= -o->least) return AMO_OK;
  const size_t from = o->begin, to = o->best;  // an extremum at `to`
  o->begin = to;
  o->rising = !o->rising;
  o->best = k;
  for (size_t i = to; i <= k; i++)
    if (sign * (amo_trace_x(w, i) - amo_trace_x(w, o->best)) < 0) o->best = i;
  st = f->each(f->ctx, o, from, to, sign < 0);
  size_t keep = o->keep < o->begin ? o->keep : o->begin;
  forget(w, keep);
  return st;
}

static amo_status after_block(void *ctx)
{
  follower *f = ctx;
  return f->every ? f->every(f->ctx) : AMO_OK;
}

amo_status amo_oscillogram_pass(amo_oscillogram *o, amo_on_stretch each, amo_status (*every)(void *ctx),
                                void *ctx)
{
  follower f = {.each = each, .ctx = ctx, .last = -INFINITY, .every = every};
  o->trace.n = o->trace.first = 0;
  o->rising = true;
  o->keep = 0;
  amo_status st = walk(o, NULL, follow_row, after_block, &f);
  return st;
}
