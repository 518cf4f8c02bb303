// SPDX-License-Identifier: Apache-2.0
#include "fit/survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void amo_spread_add(amo_spread *s, double x)
{
  if (s->stride == 0) s->stride = 1;
  if (s->seen++ % s->stride != 0) return;
  if (s->n == AMO_SPREAD) {  // every second one stays
    for (size_t i = 0; i < AMO_SPREAD / 2; i++) s->value[i] = s->value[2 * i];
    s->n = AMO_SPREAD / 2;
    s->stride *= 2;
    if ((s->seen - 1) % s->stride != 0) return;
  }
  s->value[s->n++] = x;
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double amo_spread_median(amo_spread *s)
{
  if (s->n == 0) return NAN;
  qsort(s->value, s->n, sizeof *s->value, by_size);
  return 0.5 * (s->value[(s->n - 1) / 2] + s->value[s->n / 2]);
}

/// sign 1: the high end.
static void at_limit(amo_limit_run *r, double x, double sign, size_t line, bool first)
{
  if (first || sign * x > sign * r->value) *r = (amo_limit_run){.value = x};
  if (x != r->value) {
    r->now = 0;
    return;
  }
  if (r->now++ == 0) r->began = line;
  r->runs += r->now == 3;
  if (r->now > r->longest) r->longest = r->now, r->line = r->began;
}

bool amo_survey_add(amo_survey *s, double t, double x, size_t line)
{
  if (!isfinite(t) || !isfinite(x)) {
    if (s->missing++ == 0) s->first_missing = line;
    s->high.now = s->low.now = 0;
    return false;
  }
  if (s->rows > 0 && t <= s->to) {
    if (t == s->to && s->doubled++ == 0) s->first_doubled = line;
    if (t < s->to && s->back++ == 0) s->first_back = line;
    return false;
  }
  at_limit(&s->high, x, 1, line, s->rows == 0);
  at_limit(&s->low, x, -1, line, s->rows == 0);
  if (s->rows == 0) s->from = t;
  if (s->rows++ > 0) {
    const double step = t - s->to;
    amo_spread_add(&s->step, step);
    if (s->rows == 65) {  // the usual step, from the first ones
      amo_spread first = s->step;
      s->usual = amo_spread_median(&first);
    }
    if (s->usual > 0 && step > 1.5 * s->usual && s->holes++ == 0) s->first_hole = line;
    if (step > s->hole) s->hole = step;
  }
  s->to = t;
  memmove(s->t, s->t + 1, 2 * sizeof *s->t);
  memmove(s->x, s->x + 1, 2 * sizeof *s->x);
  s->t[2] = t, s->x[2] = x;
  if (s->kept < 3) s->kept++;
  if (s->kept == 3) {  // against the line through the neighbours, as far as its own noise goes
    const double w = (s->t[1] - s->t[0]) / (s->t[2] - s->t[0]);
    const double off = s->x[1] - (1 - w) * s->x[0] - w * s->x[2];
    amo_spread_add(&s->bend, fabs(off) / sqrt(1 + w * w + (1 - w) * (1 - w)));
  }
  return true;
}

void amo_survey_end(amo_survey *s)
{
  const double share = 0.6744897501960817;  // of a normal deviation: half lie within
  s->interval = amo_spread_median(&s->step);
  s->noise = amo_spread_median(&s->bend) / share;
}

amo_status amo_survey_tell(const amo_survey *s, const char *file, const char *column, size_t least,
                           amo_diags *diags)
{
  const amo_limit_run *const limit[2] = {&s->high, &s->low};
  const amo_at nowhere = {0};
  if (s->back)
    return amo_error(diags, (amo_at){file, (int)s->first_back, 1, 1}, NULL,
                     "%s: time goes backwards in line %zu (%zu times in all)", file, s->first_back, s->back);
  if (s->rows < least)
    return amo_error(diags, nowhere, NULL, "%s is too short: %zu rows with all numbers, %zu are needed", file,
                     s->rows, least);
  if (s->low.value == s->high.value)
    return amo_error(diags, nowhere, NULL, "%s: column '%s' is %g throughout", file, column, s->low.value);
  if (s->missing)
    amo_warn(diags, nowhere, NULL, "%s: %zu rows lack a number (the first in line %zu) and were left out",
             file, s->missing, s->first_missing);
  if (s->doubled)
    amo_warn(diags, nowhere, NULL,
             "%s: %zu times stand twice (the first in line %zu); the first of each counts", file, s->doubled,
             s->first_doubled);
  if (s->holes)
    amo_warn(diags, nowhere, NULL,
             "%s is not sampled evenly: %zu steps are longer than 1.5 of %g s (the first ends in line %zu, "
             "the longest is %g s)",
             file, s->holes, s->interval, s->first_hole, s->hole);
  for (int i = 0; i < 2; i++)
    if (limit[i]->longest >= 5)
      amo_warn(
          diags, nowhere, "forces beyond the range of the instrument are not in the record",
          "%s: column '%s' looks clipped: %zu samples in a row at its %s value %g (line %zu), %zu such runs",
          file, column, limit[i]->longest, i ? "smallest" : "largest", limit[i]->value, limit[i]->line,
          limit[i]->runs);
  return AMO_OK;
}
