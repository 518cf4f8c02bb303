// SPDX-License-Identifier: Apache-2.0
#include "fit_coverage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fit/motion.h"
#include "num/random.h"

typedef struct trial {
  coverage *c;
  amo_model *m;
  amo_quantities *q;
  amo_motion *x;
  amo_motion_record record;
  amo_unknown unknown[COVERAGE_UNKNOWNS];
  size_t n;
  double *t, *clean, *measured;
  double truth[COVERAGE_UNKNOWNS];
} trial;

static bool begin(trial *s)
{
  coverage *c = s->c;
  const size_t rows = (size_t)c->samples;
  amo_diags *d = amo_diags_new();
  const amo_sim_opts o = amo_sim_opts_default();
  bool ok = d && amo_model_load(c->model, NULL, 0, d, &s->m) == AMO_OK &&
            amo_quantities_new(s->m, "", &c->quantity, 1, d, &s->q) == AMO_OK &&
            amo_values_new(s->m, &s->record.values) == AMO_OK;
  s->t = calloc(rows, sizeof *s->t);
  s->clean = calloc(rows, sizeof *s->clean);
  s->measured = calloc(rows, sizeof *s->measured);
  ok = ok && s->t && s->clean && s->measured;
  for (size_t i = 0; ok && i < rows; i++) s->t[i] = c->until * (double)(i + 1) / (double)rows;
  s->record.rows = rows;
  s->record.t = s->t;
  s->record.measured = s->measured;
  for (; ok && c->unknown[s->n]; s->n++) {
    const long p = amo_model_find_parameter(s->m, c->unknown[s->n]),
               z = amo_model_find_state(s->m, c->unknown[s->n]);
    s->unknown[s->n] = (amo_unknown){p < 0, (uint32_t)(p < 0 ? z : p), false};
    s->truth[s->n] = p < 0 ? s->record.values->initial[z] : s->record.values->param[p];
  }
  ok = ok && amo_motion_new(s->m, &o, s->q, &s->record, 1, s->unknown, s->n, &s->x) == AMO_OK &&
       amo_motion_at(s->x, s->truth, s->clean, NULL) == AMO_OK;
  amo_diags_free(d);
  return ok;
}

static void end(trial *s)
{
  amo_motion_free(s->x);
  amo_quantities_free(s->q);
  amo_values_free(s->record.values);
  amo_model_free(s->m);
  free(s->t);
  free(s->clean);
  free(s->measured);
}

static void one_record(trial *s, amo_random *random)
{
  coverage *c = s->c;
  amo_fit_parameter p[COVERAGE_UNKNOWNS];
  amo_fit *f = NULL;
  amo_fit_opts o = amo_fit_opts_default();
  const amo_residuals source = {
      .n = s->n, .rows = (size_t)c->samples, .measured = s->measured, .at = amo_motion_at, .ctx = s->x};
  o.tol = 1e-6;
  for (int i = 0; i < c->samples; i++) s->measured[i] = s->clean[i] + c->noise * amo_random_normal(random);
  for (size_t i = 0; i < s->n; i++)
    p[i] =
        (amo_fit_parameter){.start = s->truth[i] * (1.0 + c->off * (2.0 * amo_random_uniform(random) - 1.0)),
                            .low = s->unknown[i].is_state ? -INFINITY : 0.0,
                            .high = INFINITY};
  const amo_status st = amo_motion_solve(s->x, &source, p, &o, &f);
  if (st != AMO_OK || !(f->deviation < 2.0 * c->noise)) {
    c->failed++;
  } else {
    for (size_t i = 0; i < s->n; i++) c->held[i] += f->low[i] <= s->truth[i] && s->truth[i] <= f->high[i];
  }
  amo_fit_free(f);
}

bool coverage_run(coverage *c)
{
  trial s = {.c = c};
  amo_random random = {.state = c->seed};
  const bool ok = begin(&s);
  const clock_t start = clock();
  for (int k = 0; ok && k < c->records; k++) one_record(&s, &random);
  c->seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  end(&s);
  return ok;
}
