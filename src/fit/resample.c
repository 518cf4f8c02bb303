// SPDX-License-Identifier: Apache-2.0
#include "fit/resample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amontons/version.h"
#include "base/hash.h"
#include "num/random.h"

static const double spread = 0.3;  // of starts of parameters without bounds

// ---- several starts ----

static double another_start(const amo_fit_parameter *q, amo_random *random)
{
  if (isfinite(q->low) && isfinite(q->high)) return q->low + (q->high - q->low) * amo_random_uniform(random);
  const double x = q->sigma > 0.0 && q->start == 0.0 ? q->prior + q->sigma * amo_random_normal(random)
                                                     : q->start * exp(spread * amo_random_normal(random));
  return fmin(fmax(x, q->low), q->high);
}

static amo_status plain(void *ctx, const amo_residuals *source, const amo_fit_parameter *parameter,
                        const amo_fit_opts *opts, amo_fit **out)
{
  (void)ctx;
  return amo_fit_solve(source, parameter, opts, out);
}

/// The better one of two outcomes stays.
static void keep(amo_fit *f, amo_status st, amo_fit **best, amo_status *of_best)
{
  if (!*best || (f && f->sum < (*best)->sum)) {
    amo_fit_free(*best);
    *best = f;
    *of_best = st;
  } else {
    amo_fit_free(f);
  }
}

amo_status amo_fit_starts(const amo_residuals *source, const amo_fit_parameter *parameter,
                          const amo_fit_opts *opts, size_t count, uint64_t seed, amo_fit_search search,
                          void *ctx, amo_fit **out)
{
  amo_random random = {.state = seed};
  amo_fit_parameter *p = amo_zalloc(source->n, sizeof *p);
  amo_status st = p ? AMO_OK : AMO_ENOMEM, of_best = AMO_ENOANSWER;
  *out = NULL;
  for (size_t k = 0; st == AMO_OK && k < (count ? count : 1); k++) {
    amo_fit *f = NULL;
    memcpy(p, parameter, source->n * sizeof *p);
    for (size_t i = 0; k > 0 && i < source->n; i++) p[i].start = another_start(&parameter[i], &random);
    const amo_status one = (search ? search : plain)(ctx, source, p, opts, &f);
    if (one == AMO_EINTR || one == AMO_ENOMEM || one == AMO_ERANGE) st = one;
    if (k == 0 && one != AMO_OK) of_best = one;
    keep(f, one, out, &of_best);
  }
  free(p);
  return st != AMO_OK ? st : of_best;
}

// ---- bootstrap ----

typedef struct resampled {
  const amo_residuals *source;
  const double *shift;  // [rows] added to residuals
} resampled;

static amo_status shifted(void *ctx, const double *p, double *r, double *j)
{
  const resampled *x = ctx;
  const amo_status st = x->source->at(x->source->ctx, p, r, j);
  for (size_t i = 0; st == AMO_OK && i < x->source->rows; i++) r[i] += x->shift[i];
  return st;
}

static double weight_of(const amo_residuals *s, size_t i)
{
  return s->weight ? s->weight[i] : 1.0;
}

/// A row of the same group that counts.
static size_t draw(const amo_residuals *s, size_t like, amo_random *random)
{
  size_t i;
  do i = (size_t)(amo_random_uniform(random) * (double)s->rows);
  while (weight_of(s, i) == 0.0 || (s->group && s->group[i] != s->group[like]));
  return i;
}

/// measured* = model + a drawn residual: what is added to residuals is the drawn one less the row's own.
static void draw_residuals(const amo_residuals *s, const amo_fit *f, amo_random *random, double *shift)
{
  const double widen = sqrt((double)f->used / fmax(1.0, (double)f->used - (double)f->free));
  for (size_t i = 0; i < s->rows; i++) {
    if (weight_of(s, i) == 0.0) continue;
    const size_t k = draw(s, i, random);
    shift[i] = widen * f->residual[k] * weight_of(s, k) / weight_of(s, i) - f->residual[i];
  }
}

/// How often each row is drawn, as the square of its weight.
static void draw_cases(const amo_residuals *s, amo_random *random, double *weight)
{
  memset(weight, 0, s->rows * sizeof *weight);
  for (size_t i = 0; i < s->rows; i++)
    if (weight_of(s, i) != 0.0) weight[draw(s, i, random)] += 1.0;
  for (size_t i = 0; i < s->rows; i++) weight[i] = sqrt(weight[i]) * weight_of(s, i);
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/// Quantile of values in ascending order, between them.
static double quantile(const double *x, size_t n, double p)
{
  const double at = p * (double)n - 0.5;
  if (!(at > 0.0)) return x[0];
  const size_t i = (size_t)at;
  return i + 1 < n ? x[i] + (at - (double)i) * (x[i + 1] - x[i]) : x[n - 1];
}

static void summarise(amo_bootstrap *b, size_t room, double level)
{
  for (size_t i = 0; i < b->n; i++) {
    double *x = b->value + i * room, mean = 0.0, sum = 0.0;
    for (size_t k = 0; k < b->count; k++) mean += x[k] / (double)b->count;
    for (size_t k = 0; k < b->count; k++) sum += (x[k] - mean) * (x[k] - mean);
    b->se[i] = sqrt(sum / ((double)b->count - 1.0));
    qsort(x, b->count, sizeof *x, compare);
    b->low[i] = quantile(x, b->count, 0.5 - 0.5 * level);
    b->high[i] = quantile(x, b->count, 0.5 + 0.5 * level);
    memmove(b->value + i * b->count, x, b->count * sizeof *x);
  }
}

/// What the fits of a bootstrap share. Each one is a tile: its rows are drawn with a generator of its own place.
typedef struct bootstrap {
  const amo_residuals *source;
  const amo_fit_opts *opts;
  const amo_fit *f;
  bool cases;
  amo_fit_parameter *start;  // [n] the parameters, each from its outcome
  amo_random *random;        // [count] before the draws of each
  double *row;               // [rows] of the present fit: shifts or weights
  double *value;             // [count][n] outcomes
  bool *done, *ended;        // [count] known; it came to an end
  size_t count;
} bootstrap;

static void draw_rows(const bootstrap *b, amo_random *random)
{
  b->cases ? draw_cases(b->source, random, b->row) : draw_residuals(b->source, b->f, random, b->row);
}

static amo_status fit_again(void *ctx, size_t k)
{
  bootstrap *b = ctx;
  const size_t n = b->source->n;
  resampled own = {b->source, b->row};
  amo_residuals again = *b->source;
  amo_random random = b->random[k];
  amo_fit *one = NULL;
  if (b->cases)
    again.weight = b->row;
  else
    again.at = shifted, again.ctx = &own;
  draw_rows(b, &random);
  const amo_status st = amo_fit_solve(&again, b->start, b->opts, &one);
  b->ended[k] = st == AMO_OK;
  if (st == AMO_OK) memcpy(b->value + k * n, one->value, n * sizeof *b->value);
  amo_fit_free(one);
  return st == AMO_ENOANSWER || st == AMO_ELIMIT ? AMO_OK : st;  // b->ended tells
}

/// The values of a fit with all their digits, "-" where it came to no end.
static void write_fit(void *ctx, size_t k, amo_text *out)
{
  const bootstrap *b = ctx;
  char number[32];
  if (!b->ended[k]) amo_text_str(out, "-");
  for (size_t i = 0; b->ended[k] && i < b->source->n; i++) {
    amo_number_text(b->value[k * b->source->n + i], number);
    amo_text_printf(out, "%s%s", i ? "\t" : "", number);
  }
}

static bool read_fit(void *ctx, size_t k, char *text)
{
  bootstrap *b = ctx;
  const size_t n = b->source->n;
  b->ended[k] = strcmp(text, "-") != 0;
  for (size_t i = 0; b->ended[k] && i < n; i++) {
    char *end = NULL;
    b->value[k * n + i] = strtod(text, &end);
    if (end == text || *end != (i + 1 < n ? '\t' : '\0')) return false;
    text = end + 1;
  }
  return true;
}

/// Of all that decides the fits: what the source says at the outcome stands for the source.
static unsigned long long identity(const bootstrap *b, uint64_t seed)
{
  const amo_residuals *s = b->source;
  const size_t rows = s->rows * sizeof(double), n = s->n * sizeof *b->start;
  unsigned long long h = amo_hash_text(AMO_HASH, AMO_VERSION);
  h = amo_hash(amo_hash(h, b->f->residual, rows), b->f->value, s->n * sizeof(double));
  for (size_t i = 0; s->name && i < s->n; i++) h = amo_hash_text(h, s->name[i]);
  if (s->weight) h = amo_hash(h, s->weight, rows);
  if (s->group) h = amo_hash(h, s->group, s->rows * sizeof *s->group);
  h = amo_hash(amo_hash(h, b->start, n), &b->count, sizeof b->count);
  h = amo_hash(amo_hash(h, &b->opts->loss, sizeof b->opts->loss), &b->opts->tol, sizeof b->opts->tol);
  h = amo_hash(amo_hash(h, &b->opts->known, sizeof b->opts->known), &b->cases, sizeof b->cases);
  h = amo_hash(h, &seed, sizeof seed);
  return h ? h : 1;
}

static amo_status prepare(bootstrap *b, const amo_fit_parameter *parameter, uint64_t seed)
{
  const size_t n = b->source->n;
  amo_random random = {.state = seed};
  b->start = amo_zalloc(n, sizeof *b->start);
  b->random = amo_zalloc(b->count, sizeof *b->random);
  b->row = amo_zalloc(b->source->rows, sizeof *b->row);
  b->value = amo_zalloc(b->count * n, sizeof *b->value);
  b->done = amo_zalloc(b->count, sizeof *b->done);
  b->ended = amo_zalloc(b->count, sizeof *b->ended);
  if (!b->start || !b->random || !b->row || !b->value || !b->done || !b->ended) return AMO_ENOMEM;
  for (size_t i = 0; i < n; i++) b->start[i] = parameter[i], b->start[i].start = b->f->value[i];
  for (size_t k = 0; k < b->count; k++) {
    b->random[k] = random;
    draw_rows(b, &random);
  }
  return AMO_OK;
}

static void release(bootstrap *b)
{
  free(b->start);
  free(b->random);
  free(b->row);
  free(b->value);
  free(b->done);
  free(b->ended);
}

/// The fits that came to an end, in the order of their numbers.
static amo_status collect(const bootstrap *b, amo_bootstrap *out)
{
  const size_t n = b->source->n, count = b->count;
  out->n = n;
  out->value = amo_zalloc(n * (count + 3), sizeof *out->value);
  if (!out->value) return AMO_ENOMEM;
  for (size_t k = 0; k < count; k++) {
    for (size_t i = 0; b->ended[k] && i < n; i++) out->value[i * count + out->count] = b->value[k * n + i];
    out->count += b->ended[k];
  }
  if (out->count < 2) return AMO_ENOANSWER;
  out->se = out->value + n * count, out->low = out->se + n, out->high = out->low + n;
  summarise(out, count, b->opts->level);
  return AMO_OK;
}

amo_status amo_fit_bootstrap(const amo_residuals *source, const amo_fit_parameter *parameter,
                             const amo_fit_opts *opts, const amo_fit *f, bool cases, size_t count,
                             uint64_t seed, const amo_tiles_how *how, amo_diags *diags, amo_bootstrap *out)
{
  bootstrap b = {.source = source, .opts = opts, .f = f, .cases = cases, .count = count};
  *out = (amo_bootstrap){0};
  amo_status st = prepare(&b, parameter, seed);
  if (st == AMO_OK) {
    const amo_tiles fits = {.of = "bootstrap",
                            .piece = "fit",
                            .identity = identity(&b, seed),
                            .count = count,
                            .done = b.done,
                            .ctx = &b,
                            .compute = fit_again,
                            .write = write_fit,
                            .read = read_fit};
    st = amo_tiles_run(&fits, how ? how : &(amo_tiles_how){0}, diags, &out->reached);
  }
  if (st == AMO_OK && out->reached.whole) st = collect(&b, out);
  release(&b);
  return st;
}

void amo_bootstrap_free(amo_bootstrap *b)
{
  free(b->value);
  *b = (amo_bootstrap){0};
}
