// SPDX-License-Identifier: Apache-2.0
// What a reader should know of a fit, in words.
#include <math.h>

#include "base/text.h"
#include "ask/fit/fit.h"
#include "fit/judge.h"
#include "num/rounding.h"

/// "k by +1 %, m by +1 %": the parameters that change most along a direction, relative to their sizes.
static void put_direction(amo_text *t, const amo_fit_source *s, const amo_fit *f, const double *direction)
{
  double most = 0.0;
  bool first = true;
  for (size_t i = 0; i < f->n; i++)
    if (f->value[i] != 0.0) most = fmax(most, fabs(direction[i] / f->value[i]));
  for (size_t i = 0; i < f->n; i++) {
    const bool zero = f->value[i] == 0.0;  // has no percents
    double part = zero ? direction[i] != 0.0 : direction[i] / f->value[i] / most;
    if (!(fabs(part) > 0.01)) continue;
    if (first && part < 0.0) most = -most, part = -part;  // either way: the first one grows
    amo_text_printf(t, zero ? "%s%s" : "%s%s by %+.3g %%", first ? "" : " with ", s->of.name[i], part);
    first = false;
  }
}

static void warn_open(const amo_fit_source *s, const amo_fit *f, amo_diags *d)
{
  for (size_t k = f->rank; k < f->free; k++) {
    amo_text t = {0};
    size_t parts = 0, one = 0;
    for (size_t i = 0; i < f->n; i++)
      if (f->combination[k * f->n + i] != 0.0 && f->open[i]) parts++, one = i;
    put_direction(&t, s, f, f->combination + k * f->n);
    if (parts == 1)
      amo_warn(d, (amo_at){0}, "leave it out of --vary, or give a prior",
               "the record does not depend on %s: it is not determined", s->of.name[one]);
    else
      amo_warn(d, (amo_at){0}, "leave one of them out of --vary, give a prior, or measure more",
               "the record does not determine its parameters: changing %s leaves it as it is",
               t.data ? t.data : "");
    amo_text_free(&t);
  }
}

double amo_fit_source_runs(const amo_fit_source *s, const amo_fit *f, size_t series)
{
  const amo_fit_series *x = &s->series[series];
  return amo_fit_runs(f->residual + x->first, s->of.weight ? s->of.weight + x->first : NULL, x->count);
}

/// A record made by the model itself: what is left is rounding, and not of the record.
static bool is_exact(const amo_fit_source *s, const amo_fit *f, const amo_fit_series *x)
{
  double left = 0.0, size = 0.0;
  for (size_t i = x->first; i < x->first + x->count; i++) {
    left = fmax(left, fabs(f->residual[i]));
    size = fmax(size, fabs(s->of.measured[i]));
  }
  return left <= AMO_FAINT * size;
}

/// Residuals that keep their sign are no noise: what the search has found is not what made the record.
static void warn_runs(const amo_fit_source *s, const amo_fit *f, amo_diags *d)
{
  static const double unlikely = 5.0;  // standard deviations: by chance once in 10^6 records
  for (size_t k = 0; k < s->nseries; k++)
    if (amo_fit_source_runs(s, f, k) < -unlikely && !is_exact(s, f, &s->series[k]))
      amo_warn(d, (amo_at){0}, "another start (--starts 20), another law, or a parameter that is not varied",
               "%s: residuals of %s keep their sign from row to row: they are not noise, and intervals do "
               "not hold",
               s->series[k].record, s->series[k].name);
}

void amo_fit_warn(const amo_fit_source *s, const amo_fit *f, amo_diags *d)
{
  warn_open(s, f, d);
  for (size_t i = 0; i < f->n; i++) {
    if (f->at_bound[i] && s->parameter[i].low < s->parameter[i].high)
      amo_warn(
          d, (amo_at){0}, "widen its bounds if they are not physical",
          "%s ends at its %s bound %g: it has no standard error, and those of the others hold for this value",
          s->of.name[i], f->at_bound[i] < 0 ? "lower" : "upper", f->value[i]);
    else if (!f->open[i] && f->se[i] > 0.5 * fabs(f->value[i]))
      amo_warn(d, (amo_at){0}, NULL, "%s is hardly determined: %.4g with a standard error of %.2g",
               s->of.name[i], f->value[i], f->se[i]);
    for (size_t j = 0; j < i; j++)
      if (fabs(f->correlation[i * f->n + j]) > 0.98)
        amo_warn(d, (amo_at){0}, NULL,
                 "%s and %s are hardly separated by the record: their correlation is %.4f", s->of.name[j],
                 s->of.name[i], f->correlation[i * f->n + j]);
  }
  if (isfinite(f->fisher_p) && f->fisher_p > 0.05)
    amo_warn(d, (amo_at){0}, NULL,
             "a constant describes the record as well: F = %.3g, probability %.2g by chance", f->fisher,
             f->fisher_p);
  warn_runs(s, f, d);
  for (size_t k = 0; k < s->nseries; k++)
    if (s->series[k].gaps > 0)
      amo_warn(d, (amo_at){0}, NULL, "%s: %zu row%s without a number for %s skipped", s->series[k].record,
               s->series[k].gaps, s->series[k].gaps == 1 ? "" : "s", s->series[k].name);
}
