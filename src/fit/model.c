// SPDX-License-Identifier: Apache-2.0
/// The public face of fits of motions.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amontons/fit.h"
#include "base/options.h"
#include "fit/motion.h"
#include "fit/resample.h"

typedef struct fit_job {
  amo_arena memory;
  const amo_model *m;
  const amo_fit_data *data;
  const amo_fit_unknown *given;
  size_t records, quantities, unknowns;
  amo_diags *diags;
  amo_quantities *quantity;
  amo_motion *motion;
  amo_motion_record *record;
  amo_unknown *unknown;
  amo_fit_parameter *parameter;
  const char **name;
  double *weight, *measured;
  unsigned *group;
  amo_residuals of;
} fit_job;

typedef struct owned_outcome {
  amo_fit_outcome outcome;  // first: its address is that of the whole
  amo_arena memory;
} owned_outcome;

amo_fit_unknown amo_fit_unknown_free(const char *name)
{
  return (amo_fit_unknown){.name = name, .start = NAN, .low = -INFINITY, .high = INFINITY};
}

AMO_OPTS_INIT(amo_fit_settings, .level = 0.95, .tol = 1e-12, .starts = 1)

void amo_fit_outcome_free(amo_fit_outcome *f)
{
  if (!f) return;
  amo_arena_free(&((owned_outcome *)f)->memory);
  free(f);
}

static amo_status take_record(fit_job *j, size_t k)
{
  const amo_fit_data *d = &j->data[k];
  amo_motion_record *r = &j->record[k];
  const amo_values *from = d->values ? d->values : amo_model_values(j->m);
  const size_t ns = amo_model_states(j->m);
  double *measured = NULL;
  bool *given = NULL;
  if (d->rows == 0 || !d->t || !d->value || from->model != j->m) return AMO_ERANGE;
  AMO_TAKE(&j->memory, double, j->quantities * d->rows, &measured);
  AMO_TAKE(&j->memory, bool, ns + 1, &given);
  if (j->memory.failed) return AMO_ENOMEM;
  for (size_t q = 0; q < j->quantities; q++)
    memcpy(measured + q * d->rows, d->value[q], d->rows * sizeof *measured);
  for (size_t i = 0; i < d->rows; i++)
    if (!(d->t[i] >= (i ? d->t[i - 1] : from->t0)))
      return amo_error(j->diags, (amo_at){0}, NULL,
                       "record %zu: its times go backwards, or begin before the motion, in row %zu", k + 1,
                       i + 1);
  *r = (amo_motion_record){.rows = d->rows, .t = d->t, .measured = measured, .given = given};
  amo_status st = amo_values_new(j->m, &r->values);
  if (st != AMO_OK) return st;
  memcpy(r->values->param, from->param, j->m->np * sizeof(double));
  amo_values_follow(r->values);
  for (size_t i = 0; i < ns; i++)
    given[i] = r->values->initial[i] != from->initial[i];  // changed by the caller
  memcpy(r->values->initial, from->initial, ns * sizeof(double));
  r->values->t0 = from->t0;
  return AMO_OK;
}

static amo_status find_unknowns(fit_job *j)
{
  for (size_t u = 0; u < j->unknowns; u++) {
    const char *name = j->given[u].name;
    const long p = amo_model_find_parameter(j->m, name), s = amo_model_find_state(j->m, name);
    if (p < 0 && s < 0) return amo_error(j->diags, (amo_at){0}, NULL, "the model has no '%s'", name);
    if (p >= 0 && j->m->param[p].expr != AMO_NODE_NONE)
      return amo_error(j->diags, (amo_at){0}, NULL, "'%s' follows from other parameters", name);
    j->unknown[u] = (amo_unknown){p < 0, (uint32_t)(p < 0 ? s : p), j->given[u].each && j->records > 1};
  }
  return AMO_OK;
}

static amo_status fill_parameters(fit_job *j)
{
  j->of.n = amo_motion_slots(j->motion);
  AMO_TAKE(&j->memory, amo_fit_parameter, j->of.n, &j->parameter);
  AMO_TAKE(&j->memory, const char *, j->of.n, &j->name);
  if (j->memory.failed) return AMO_ENOMEM;
  for (size_t u = 0; u < j->unknowns; u++)
    for (size_t k = 0; k < (j->unknown[u].each ? j->records : 1); k++) {
      const size_t slot = amo_motion_slot(j->motion, u, k);
      const amo_fit_unknown *g = &j->given[u];
      const amo_values *v = j->record[k].values;
      const uint32_t i = j->unknown[u].index;
      const bool state = j->unknown[u].is_state;
      j->parameter[slot] = (amo_fit_parameter){.start = !isnan(g->start) ? g->start
                                                        : state          ? v->initial[i]
                                                                         : v->param[i],
                                               .low = state ? g->low : fmax(g->low, j->m->param[i].least),
                                               .high = state ? g->high : fmin(g->high, j->m->param[i].most),
                                               .prior = g->prior,
                                               .sigma = g->sigma};
      j->name[slot] = j->unknown[u].each ? amo_arena_printf(&j->memory, "%s#%zu", g->name, k + 1)
                                         : amo_arena_str(&j->memory, g->name, strlen(g->name));
      if (!j->name[slot]) return AMO_ENOMEM;
    }
  j->of.name = j->name;
  return AMO_OK;
}

static amo_status fill_rows(fit_job *j)
{
  size_t at = 0;
  j->of.rows = amo_motion_rows(j->motion);
  AMO_TAKE(&j->memory, double, j->of.rows + 1, &j->weight, &j->measured);
  AMO_TAKE(&j->memory, unsigned, j->of.rows + 1, &j->group);
  if (j->memory.failed) return AMO_ENOMEM;
  for (size_t k = 0; k < j->records; k++)
    for (size_t q = 0; q < j->quantities; q++)
      for (size_t i = 0; i < j->data[k].rows; i++) {
        const double y = j->data[k].value[q][i], sigma = j->data[k].sigma ? j->data[k].sigma[q] : 1.0;
        if (!(sigma > 0.0) || !j->data[k].sigma != !j->data[0].sigma) return AMO_ERANGE;
        if (isnan(y)) continue;
        j->measured[at] = y;
        j->weight[at] = 1.0 / sigma;
        j->group[at++] = (unsigned)q;
      }
  j->of.weight = j->weight;
  j->of.measured = j->measured;
  j->of.group = j->group;
  j->of.groups = j->quantities;
  j->of.at = amo_motion_at;
  j->of.ctx = j->motion;
  return AMO_OK;
}

static amo_status prepare(fit_job *j, const char *const *quantity, double tol)
{
  amo_sim_opts opt = amo_sim_opts_default();
  opt.tol = tol;
  AMO_TAKE(&j->memory, amo_motion_record, j->records, &j->record);
  AMO_TAKE(&j->memory, amo_unknown, j->unknowns, &j->unknown);
  amo_status st = j->memory.failed ? AMO_ENOMEM : AMO_OK;
  for (size_t k = 0; st == AMO_OK && k < j->records; k++) st = take_record(j, k);
  if (st == AMO_OK) st = find_unknowns(j);
  if (st == AMO_OK)
    st = amo_quantities_new(j->m, "quantity", quantity, j->quantities, j->diags, &j->quantity);
  if (st == AMO_OK)
    st = amo_motion_new(j->m, &opt, j->quantity, j->record, j->records, j->unknown, j->unknowns, &j->motion);
  if (st == AMO_OK) st = fill_parameters(j);
  return st == AMO_OK ? fill_rows(j) : st;
}

static amo_status in_stages(void *ctx, const amo_residuals *source, const amo_fit_parameter *p,
                            const amo_fit_opts *o, amo_fit **out)
{
  return amo_motion_solve(ctx, source, p, o, out);
}

static amo_fit_outcome *outcome_of(const fit_job *j, const amo_fit *f)
{
  owned_outcome *o = calloc(1, sizeof *o);
  if (!o) return NULL;
  amo_fit_outcome *x = &o->outcome;
  const char **name = NULL;
  *x = (amo_fit_outcome){.n = f->n,
                         .residual = f->deviation,
                         .aicc = f->aicc,
                         .numbers = f->used,
                         .rank = f->rank,
                         .motions = f->evaluations + f->jacobians};
  AMO_TAKE(&o->memory, const char *, f->n, &name);
  AMO_TAKE(&o->memory, double, f->n, &x->value, &x->se, &x->low, &x->high);
  AMO_TAKE(&o->memory, double, f->n * f->n, &x->covariance);
  if (!o->memory.failed) {
    for (size_t i = 0; i < f->n; i++) name[i] = amo_arena_str(&o->memory, j->name[i], strlen(j->name[i]));
    memcpy(x->value, f->value, f->n * sizeof(double));
    memcpy(x->se, f->se, f->n * sizeof(double));
    memcpy(x->low, f->low, f->n * sizeof(double));
    memcpy(x->high, f->high, f->n * sizeof(double));
    memcpy(x->covariance, f->covariance, f->n * f->n * sizeof(double));
  }
  x->name = name;
  if (!o->memory.failed) return x;
  amo_fit_outcome_free(x);
  return NULL;
}

static amo_status search(fit_job *j, const amo_fit_settings *s, amo_fit_outcome **out)
{
  amo_fit_opts o = amo_fit_opts_default();
  amo_fit *f = NULL;
  o.loss = (amo_loss)s->loss;
  o.level = s->level;
  o.known = j->data[0].sigma != NULL;
  o.tol = 1e-6;
  amo_status st = amo_fit_starts(&j->of, j->parameter, &o, s->starts, 1, in_stages, j->motion, &f);
  if (st == AMO_ENOANSWER)
    amo_error(j->diags, (amo_at){0}, NULL, "the model does not move from the start: %s",
              amo_motion_message(j->motion));
  if (f && !(*out = outcome_of(j, f))) st = AMO_ENOMEM;
  amo_fit_free(f);
  return st;
}

amo_status amo_fit_model(const amo_model *m, const char *const *quantity, size_t quantities,
                         const amo_fit_data *data, size_t records, const amo_fit_unknown *unknown,
                         size_t unknowns, const amo_fit_settings *settings, amo_diags *diags,
                         amo_fit_outcome **out)
{
  if (!out) return AMO_ERANGE;
  *out = NULL;
  amo_fit_settings all = amo_fit_settings_default(), *s = &all;
  amo_status st = amo_opts_take(&all, sizeof all, settings);
  if (st != AMO_OK) return st;
  if (!m || !quantity || !data || !unknown || !quantities || !records || !unknowns ||
      !(s->tol > 1e-16 && s->tol <= 0.1) || (unsigned)s->loss > AMO_FIT_TUKEY ||
      !(s->level > 0.0 && s->level < 1.0))
    return AMO_ERANGE;
  fit_job j = {.m = m,
               .data = data,
               .given = unknown,
               .records = records,
               .quantities = quantities,
               .unknowns = unknowns,
               .diags = diags};
  st = prepare(&j, quantity, s->tol);
  if (st == AMO_OK) st = search(&j, s, out);
  amo_motion_free(j.motion);
  amo_quantities_free(j.quantity);
  for (size_t k = 0; j.record && k < records; k++) amo_values_free(j.record[k].values);
  amo_arena_free(&j.memory);
  return st;
}
