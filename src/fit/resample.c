// SPDX-License-Identifier: Apache-2.0
#include "fit/resample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

amo_status amo_fit_bootstrap(const amo_residuals *source, const amo_fit_parameter *parameter,
                             const amo_fit_opts *opts, const amo_fit *f, bool cases, size_t count,
                             uint64_t seed, amo_bootstrap *out)
{
  const size_t n = source->n, rows = source->rows;
  double *row = amo_zalloc(rows, sizeof *row);
  amo_fit_parameter *p = amo_zalloc(n, sizeof *p);
  amo_random random = {.state = seed};
  resampled own = {source, row};
  amo_residuals again = *source;
  *out = (amo_bootstrap){.n = n, .value = amo_zalloc(n * (count + 3), sizeof(double))};
  amo_status st = row && p && out->value ? AMO_OK : AMO_ENOMEM;
  if (cases)
    again.weight = row;
  else
    again.at = shifted, again.ctx = &own;
  for (size_t i = 0; st == AMO_OK && i < n; i++) p[i] = parameter[i], p[i].start = f->value[i];
  for (size_t k = 0; st == AMO_OK && k < count; k++) {
    amo_fit *one = NULL;
    cases ? draw_cases(source, &random, row) : draw_residuals(source, f, &random, row);
    st = amo_fit_solve(&again, p, opts, &one);
    for (size_t i = 0; st == AMO_OK && i < n; i++) out->value[i * count + out->count] = one->value[i];
    out->count += st == AMO_OK;
    amo_fit_free(one);
    if (st == AMO_ENOANSWER || st == AMO_ELIMIT) st = AMO_OK;  // counted: out->count
  }
  if (st == AMO_OK && out->count > 1) {
    out->se = out->value + n * count, out->low = out->se + n, out->high = out->low + n;
    summarise(out, count, opts->level);
  }
  free(row);
  free(p);
  return st == AMO_OK && out->count < 2 ? AMO_ENOANSWER : st;
}

void amo_bootstrap_free(amo_bootstrap *b)
{
  free(b->value);
  *b = (amo_bootstrap){0};
}
