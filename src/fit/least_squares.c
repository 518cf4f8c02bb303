// SPDX-License-Identifier: Apache-2.0
/// Rounds of least squares: one where nothing but the sum of squares counts; several where the size of the noise has to be found
/// beside the parameters, because priors or losses that forgive are measured by it (iterative reweighting).
#include "fit/least_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit/judge.h"
#include "fit/descent.h"
#include "num/rounding.h"

enum { MOST_ROUNDS = 60 };

amo_fit_opts amo_fit_opts_default(void)
{
  return (amo_fit_opts){.level = 0.95, .tol = AMO_FAINT, .first_step = 1.0, .most = 400};
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/// Size of the noise of a group by the median of |weighted residuals|, as if it were normal.
static double robust_scale(const amo_fit *f, const amo_residuals *s, unsigned group, double *work)
{
  size_t n = 0;
  for (size_t i = 0; i < f->rows; i++)
    if ((!s->group || s->group[i] == group) && (!s->weight || s->weight[i] != 0.0))
      work[n++] = fabs(f->residual[i] * (s->weight ? s->weight[i] : 1.0));
  if (n == 0) return 0.0;
  qsort(work, n, sizeof *work, compare);
  // as many smallest ones are no noise as there are parameters that went through them
  const size_t lost = f->free * n / f->used, first = lost < n ? lost : 0, m = n - first;
  const double median = 0.5 * (work[first + (m - 1) / 2] + work[first + m / 2]);
  return median / 0.67448975019608174;
}

/// By the mean square; parameters are lost to all groups alike.
static double mean_scale(const amo_fit *f, const amo_residuals *s, unsigned group, size_t priors)
{
  double sum = 0.0, n = 0.0;
  for (size_t i = 0; i < f->rows; i++) {
    const double r = f->residual[i] * (s->weight ? s->weight[i] : 1.0);
    if (s->group && s->group[i] != group) continue;
    sum += r * r;
    n += !s->weight || s->weight[i] != 0.0;
  }
  const double all = (double)f->used, freedom = n * (all + (double)priors - (double)f->free) / all;
  return freedom > 0.0 ? sqrt(sum / freedom) : NAN;
}

/// Measure all groups anew. Has any size changed?
static bool measure(const amo_descent *s, const amo_fit *f, double *scale, double *work)
{
  const bool robust = s->opts->loss != AMO_LOSS_SQUARES;
  bool still = true;
  for (unsigned g = 0; g < amo_fit_groups(s->source); g++) {
    const double now = robust ? robust_scale(f, s->source, g, work) : mean_scale(f, s->source, g, s->priors);
    if (!(now > 0.0)) continue;  // residuals that are zero have no size: any serves
    still &= fabs(now - scale[g]) <= AMO_SAME * now;
    scale[g] = now;
  }
  return !still;
}

/// Losses are gentle before they are asked to throw away: a residual that looks large from a bad start may be a good one.
static amo_loss loss_of_round(const amo_fit_opts *o, long round)
{
  if (round == 0 || o->loss == AMO_LOSS_SQUARES) return AMO_LOSS_SQUARES;
  return round < 3 ? AMO_LOSS_HUBER : o->loss;
}

static void set_factors(amo_descent *s, amo_fit *f, const double *scale, amo_loss loss)
{
  for (size_t i = 0; i < f->rows; i++) {
    const double w = amo_fit_factor(s->source, scale, i);
    f->loss_weight[i] = amo_loss_weight(loss, f->residual[i] * w);
    s->factor[i] = w * sqrt(f->loss_weight[i]);
  }
}

static void take_over(amo_fit *f, const amo_descent *s)
{
  memcpy(f->value, s->value, f->n * sizeof *f->value);
  memcpy(f->at_bound, s->at_bound, f->n);
  memcpy(f->residual, s->residual, f->rows * sizeof *f->residual);
  memcpy(f->jacobian, s->jacobian, f->n * f->rows * sizeof *f->jacobian);
  f->free = s->nfree;
  f->evaluations = s->evaluations;
  f->jacobians = s->jacobians;
}

/// Have parameters come to rest between two rounds?
static bool at_rest(const amo_fit *f, const double *before)
{
  bool still = true;
  for (size_t i = 0; i < f->n; i++) still &= fabs(f->value[i] - before[i]) <= AMO_SAME * fabs(f->value[i]);
  return still;
}

static amo_status rounds(amo_descent *s, amo_fit *f, double *before, double *work, double *scale)
{
  const amo_fit_opts *o = s->opts;
  const bool robust = o->loss != AMO_LOSS_SQUARES,
             sized = !o->known && (robust || s->priors > 0 || amo_fit_groups(s->source) > 1);
  amo_status st = AMO_OK;
  bool done = false;
  for (f->rounds = 0; st == AMO_OK && !done && f->rounds < MOST_ROUNDS; f->rounds++) {
    set_factors(s, f, scale, loss_of_round(o, f->rounds));
    memcpy(before, s->value, f->n * sizeof *before);
    st = amo_descent_run(s);
    if (st != AMO_OK && st != AMO_ELIMIT) break;
    take_over(f, s);
    const bool changed = sized && measure(s, f, scale, work);
    done = (!robust && !sized) || (f->rounds > (robust ? 3 : 0) && !changed && at_rest(f, before));
  }
  return st == AMO_OK && !done ? AMO_ELIMIT : st;
}

static amo_fit *fit_new(const amo_residuals *source)
{
  const size_t n = source->n, rows = source->rows;
  amo_fit *f = calloc(1, sizeof *f);
  if (!f) return NULL;
  f->n = n;
  f->rows = rows;
  for (size_t i = 0; i < rows; i++) f->used += !source->weight || source->weight[i] != 0.0;
  AMO_TAKE(&f->memory, double, n + 1, &f->value, &f->se, &f->low, &f->high, &f->singular);
  AMO_TAKE(&f->memory, double, n *n + 1, &f->covariance, &f->correlation, &f->combination);
  AMO_TAKE(&f->memory, double, rows + 1, &f->residual, &f->loss_weight);
  AMO_TAKE(&f->memory, double, n *rows + 1, &f->jacobian);
  AMO_TAKE(&f->memory, signed char, n + 1, &f->at_bound);
  AMO_TAKE(&f->memory, bool, n + 1, &f->open);
  if (!f->memory.failed) return f;
  amo_fit_free(f);
  return NULL;
}

void amo_fit_free(amo_fit *f)
{
  if (!f) return;
  amo_arena_free(&f->memory);
  free(f);
}

static bool sensible(const amo_residuals *source, const amo_fit_parameter *q, const amo_fit_opts *o)
{
  bool ok =
      source->n > 0 && source->rows > 0 && o->level > 0.0 && o->level < 1.0 && o->tol > 0.0 && o->most > 0;
  for (size_t i = 0; i < source->n; i++)
    ok &= isfinite(q[i].start) && q[i].start >= q[i].low && q[i].start <= q[i].high &&
          (!(q[i].sigma > 0.0) || isfinite(q[i].prior));
  return ok;
}

amo_status amo_fit_solve(const amo_residuals *source, const amo_fit_parameter *parameter,
                         const amo_fit_opts *opts, amo_fit **out)
{
  const amo_fit_opts standard = amo_fit_opts_default();
  if (!opts) opts = &standard;
  *out = NULL;
  if (!sensible(source, parameter, opts)) return AMO_ERANGE;
  amo_descent *s = NULL;
  amo_fit *f = fit_new(source);
  const size_t groups = amo_fit_groups(source);
  double *work = amo_zalloc(source->rows + source->n + groups, sizeof *work), *before = work + source->rows;
  double *scale = before + source->n;  // of the noise of each group
  for (size_t g = 0; work && g < groups; g++) scale[g] = 1.0;
  amo_status st = f && work ? amo_descent_new(source, parameter, opts, &s) : AMO_ENOMEM;
  size_t sought = 0;
  for (size_t i = 0; st == AMO_OK && i < source->n; i++) {
    s->value[i] = parameter[i].start;
    sought += parameter[i].low < parameter[i].high;
  }
  if (st == AMO_OK && f->used + s->priors < sought) st = AMO_ERANGE;
  if (st == AMO_OK) st = rounds(s, f, before, work, scale);
  if (st == AMO_OK || st == AMO_ELIMIT) {
    const amo_status judged = amo_fit_judge(s, f, scale);
    if (judged != AMO_OK) st = judged;
    *out = f;
  } else {
    amo_fit_free(f);
  }
  amo_descent_free(s);
  free(work);
  return st;
}
