// SPDX-License-Identifier: Apache-2.0
/// Covariance s^2 (J'J)^-1 through the singular values of J with columns of size 1: units of parameters have no part in what counts
/// as determined. For losses that forgive, Huber's formula (Robust Statistics, 7.6) in the place of s^2.
#include "fit/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/distribution.h"
#include "num/orthogonal.h"
#include "num/rounding.h"

// 95 % as efficient as squares where the noise is normal
static const double huber = 1.345, cauchy = 2.3849, tukey = 4.6851;

double amo_loss_weight(amo_loss loss, double u)
{
  switch (loss) {
    case AMO_LOSS_HUBER: return fabs(u) <= huber ? 1.0 : huber / fabs(u);
    case AMO_LOSS_CAUCHY: return 1.0 / (1.0 + u * u / (cauchy * cauchy));
    case AMO_LOSS_TUKEY: {
      const double q = 1.0 - u * u / (tukey * tukey);
      return q > 0.0 ? q * q : 0.0;
    }
    default: return 1.0;
  }
}

/// d(u w(u))/du.
static double slope_of(amo_loss loss, double u)
{
  const double w = amo_loss_weight(loss, u);
  switch (loss) {
    case AMO_LOSS_HUBER: return fabs(u) <= huber ? 1.0 : 0.0;
    case AMO_LOSS_CAUCHY: return w * w * (1.0 - u * u / (cauchy * cauchy));
    case AMO_LOSS_TUKEY: return w > 0.0 ? sqrt(w) * (1.0 - 5.0 * u * u / (tukey * tukey)) : 0.0;
    default: return 1.0;
  }
}

/// Factor of (J'J)^-1, residuals in sizes of the noise.
static double variance(const amo_descent *s, const amo_fit *f, const double *scale, double freedom)
{
  const amo_loss loss = s->opts->loss;
  double squares = 0.0, slopes = 0.0, slopes_squared = 0.0;
  for (size_t i = 0; i < f->rows; i++) {
    const double w = amo_fit_factor(s->source, scale, i), u = f->residual[i] * w;
    if (w == 0.0) continue;
    const double psi = u * amo_loss_weight(loss, u), slope = slope_of(loss, u);
    squares += psi * psi;
    slopes += slope;
    slopes_squared += slope * slope;
  }
  if (loss == AMO_LOSS_SQUARES) return s->opts->known || s->priors > 0 ? 1.0 : squares / freedom;
  const double n = (double)f->used, mean = slopes / n, spread = slopes_squared / n - mean * mean;
  const double k = 1.0 + (double)f->free / n * spread / (mean * mean);
  return k * k * squares / freedom / (mean * mean);
}

/// Columns of the free parameters with the factor `weight / scale` of each row (not what a loss makes of it), priors behind; each
/// divided by its size.
static void fill_columns(amo_descent *s, const double *scale, double *a, double *size)
{
  const size_t all = s->rows + s->priors;
  for (size_t i = 0; i < s->rows; i++) s->factor[i] = amo_fit_factor(s->source, scale, i);
  amo_descent_rows(s);
  for (size_t k = 0; k < s->nfree; k++) {
    const double *from = s->matrix + s->free[k] * all;
    double sum = 0.0, most = 0.0;
    for (size_t i = 0; i < all; i++) most = fmax(most, fabs(from[i]));
    for (size_t i = 0; i < all && most > 0.0; i++) sum += (from[i] / most) * (from[i] / most);
    size[k] = most > 0.0 ? most * sqrt(sum) : 1.0;
    for (size_t i = 0; i < all; i++) a[k * all + i] = from[i] / size[k];
  }
}

/// v [nf][nf]: row k the direction of singular[k].
static void fill_covariance(const amo_descent *s, amo_fit *f, const double *v, const double *size,
                            double factor)
{
  const size_t n = f->n, nf = s->nfree;
  for (size_t i = 0; i < n * n; i++) f->covariance[i] = NAN;
  for (size_t k = 0; k < nf; k++)
    for (size_t i = 0; i < nf; i++) {
      f->combination[k * n + s->free[i]] = v[k * nf + i] / size[i];
      if (k >= f->rank && fabs(v[k * nf + i]) > AMO_ROUGH) f->open[s->free[i]] = true;
    }
  for (size_t i = 0; i < nf; i++)
    for (size_t j = 0; j < nf; j++) {
      double sum = 0.0;
      for (size_t k = 0; k < f->rank; k++)
        sum += v[k * nf + i] * v[k * nf + j] / (f->singular[k] * f->singular[k]);
      if (!f->open[s->free[i]] && !f->open[s->free[j]])
        f->covariance[s->free[i] * n + s->free[j]] = factor * sum / (size[i] * size[j]);
    }
}

static void fill_intervals(amo_fit *f, double level)
{
  const size_t n = f->n;
  const double t = f->freedom > 0.0 ? amo_student_quantile(f->freedom, 0.5 + 0.5 * level) : NAN;
  for (size_t i = 0; i < n; i++) {
    f->se[i] = f->open[i] ? INFINITY : f->at_bound[i] ? NAN : sqrt(f->covariance[i * n + i]);
    f->low[i] = f->value[i] - t * f->se[i];
    f->high[i] = f->value[i] + t * f->se[i];
    for (size_t j = 0; j < n; j++)
      f->correlation[i * n + j] =
          i == j ? 1.0 : f->covariance[i * n + j] / sqrt(f->covariance[i * n + i] * f->covariance[j * n + j]);
  }
}

/// Against a constant for all that was measured.
static void fill_fisher(const amo_descent *s, amo_fit *f)
{
  const double *y = s->source->measured, *weight = s->source->weight;
  double sum = 0.0, sum_y = 0.0, squares = 0.0;
  const double more = (double)f->free - 1.0, freedom = (double)f->used - (double)f->free;
  f->fisher = f->fisher_p = NAN;
  if (!y || more <= 0.0 || freedom <= 0.0 || amo_fit_groups(s->source) > 1) return;
  for (size_t i = 0; i < f->rows; i++) {
    const double w = weight ? weight[i] * weight[i] : 1.0;
    sum += w;
    sum_y += w * y[i];
  }
  for (size_t i = 0; i < f->rows; i++) {
    const double w = weight ? weight[i] * weight[i] : 1.0, off = y[i] - sum_y / sum;
    squares += w * off * off;
  }
  f->fisher = fmax(0.0, (squares - f->sum) / more) / (f->sum / freedom);
  if (isfinite(f->fisher)) f->fisher_p = amo_fisher_above(more, freedom, f->fisher);
}

/// Akaike's criterion, each group with noise of its own; corrected for small samples.
static double criterion(const amo_residuals *s, const amo_fit *f, bool known)
{
  const size_t groups = amo_fit_groups(s);
  const double n = (double)f->used, k = (double)(f->free + (known ? 0 : groups));
  double sum = 2.0 * k + 2.0 * k * (k + 1.0) / (n - k - 1.0);
  for (unsigned g = 0; g < groups; g++) {
    double squares = 0.0, count = 0.0;
    for (size_t i = 0; i < f->rows; i++) {
      const double w = s->weight ? s->weight[i] : 1.0, r = f->residual[i] * w;
      if (w == 0.0 || (groups > 1 && s->group[i] != g)) continue;
      squares += r * r;
      count += 1.0;
    }
    sum += known ? squares : count * log(squares / count);
  }
  return n - k - 1.0 > 0.0 ? sum : NAN;
}

static void fill_sums(const amo_descent *s, amo_fit *f, double freedom, const double *scale)
{
  const bool grouped = amo_fit_groups(s->source) > 1, robust = s->opts->loss != AMO_LOSS_SQUARES;
  f->sum = 0.0;
  for (size_t i = 0; i < f->rows; i++) {
    const double r = f->residual[i] * (grouped ? amo_fit_factor(s->source, scale, i)
                                               : (s->source->weight ? s->source->weight[i] : 1.0));
    f->sum += r * r;
  }
  f->deviation = robust && !grouped && !s->opts->known ? scale[0] : sqrt(f->sum / freedom);
  f->freedom = s->opts->known ? INFINITY : freedom;
  f->aicc = criterion(s->source, f, s->opts->known);
  fill_fisher(s, f);
}

amo_status amo_fit_judge(amo_descent *s, amo_fit *f, const double *scale)
{
  const size_t nf = s->nfree, all = s->rows + s->priors;
  double *a = amo_zalloc(nf * all + nf * nf + 2 * nf + 1, sizeof *a);
  if (!a) return AMO_ENOMEM;
  double *v = a + nf * all, *size = v + nf * nf;
  double priors = 0.0;
  for (size_t k = 0; k < nf; k++) priors += s->parameter[s->free[k]].sigma > 0.0;
  const double freedom = (double)f->used + priors - (double)nf;
  fill_sums(s, f, freedom, scale);
  fill_columns(s, scale, a, size);
  amo_status st = nf > 0 ? amo_singular(a, all, nf, f->singular, v) : AMO_OK;
  f->rank = 0;
  for (size_t k = 0; st == AMO_OK && k < nf; k++) f->rank += f->singular[k] > AMO_FAINT * f->singular[0];
  // columns are in sizes of `scale` already: factor 1 is that
  if (st == AMO_OK) {
    fill_covariance(s, f, v, size, variance(s, f, scale, freedom));
    fill_intervals(f, s->opts->level);
  }
  free(a);
  return st;
}

double amo_fit_runs(const double *residual, const double *weight, size_t count)
{
  double changes = 0.0, pairs = 0.0, last = 0.0;
  for (size_t i = 0; i < count; i++) {
    if (residual[i] == 0.0 || (weight && weight[i] == 0.0)) continue;
    if (last != 0.0) pairs += 1.0, changes += last * residual[i] < 0.0;
    last = residual[i] < 0.0 ? -1.0 : 1.0;
  }
  return pairs < 20.0 ? NAN : (changes - 0.5 * pairs) / (0.5 * sqrt(pairs));
}
