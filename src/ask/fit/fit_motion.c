// SPDX-License-Identifier: Apache-2.0
// Motions of a model beside records of them, from the options of fit.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "fit/motion.h"
#include "fit/resample.h"
#include "num/distribution.h"
#include "ask/fit/fit.h"
#include "ask/fit/fit_records.h"
#include "result/json.h"
#include "ask/number.h"

typedef struct motion_source {
  amo_fit_source source;  // first: its address is that of the whole
  amo_arena memory;
  const amo_call *call;
  const amo_model *m;
  amo_fit_records records;
  amo_motion_record *record;  // [records.count]
  amo_vary_entry *entry;      // [unknowns]
  amo_unknown *unknown;
  size_t unknowns;
  amo_quantities *quantity;
  amo_motion *motion;
  amo_fit_series *series;
  double *weight, *measured;
  unsigned *group;
  amo_sim_opts opt;
} motion_source;

static void free_source(amo_fit_source *s)
{
  motion_source *x = (motion_source *)s;
  amo_motion_free(x->motion);
  amo_quantities_free(x->quantity);
  for (size_t k = 0; x->record && k < x->records.count; k++) amo_values_free(x->record[k].values);
  amo_fit_records_free(&x->records);
  free(x->entry);
  amo_arena_free(&x->memory);
  free(x);
}

// ---- what is to be found ----

/// Is a name among those of a list "x, x'"?
static bool listed(const char *list, const char *name)
{
  for (size_t n; list && *list; list += n + (list[n] == ',')) {
    n = strcspn(list, ",");
    const char *p = list;
    size_t length = n;
    while (length && *p == ' ') p++, length--;
    while (length && p[length - 1] == ' ') length--;
    if (length == strlen(name) && !memcmp(p, name, length)) return true;
  }
  return false;
}

static amo_status find_unknown(motion_source *x, size_t i)
{
  const char *name = x->entry[i].name;
  const long p = amo_model_find_parameter(x->m, name), s = amo_model_find_state(x->m, name);
  amo_diags *d = x->call->diags;
  const bool each = x->records.count > 1 && listed(amo_opt_text(x->call->opt, "each"), name);
  if (p < 0 && s < 0)
    return amo_error(d, (amo_at){0}, "parameters and initial values of states",
                     "--vary: the model has no '%s'", name);
  if (p >= 0 && x->m->param[p].expr != AMO_NODE_NONE)
    return amo_error(d, (amo_at){0}, "vary what it is made of", "--vary: '%s' follows from other parameters",
                     name);
  x->unknown[i] = (amo_unknown){.is_state = p < 0, .index = (uint32_t)(p >= 0 ? p : s), .each = each};
  return AMO_OK;
}

static amo_status find_unknowns(motion_source *x)
{
  amo_status st = amo_fit_read_vary(x->call, &x->entry, &x->unknowns);
  AMO_TAKE(&x->memory, amo_unknown, x->unknowns + 1, &x->unknown);
  if (st == AMO_OK && x->memory.failed) st = AMO_ENOMEM;
  for (size_t i = 0; st == AMO_OK && i < x->unknowns; i++) st = find_unknown(x, i);
  return st;
}

/// Parameters of the search, one for each unknown or for each record of it.
static amo_status fill_parameters(motion_source *x)
{
  amo_fit_source *s = &x->source;
  const size_t n = amo_motion_slots(x->motion);
  const char **name = NULL, **unit = NULL;
  AMO_TAKE(&x->memory, const char *, n + 1, &name, &unit);
  AMO_TAKE(&x->memory, amo_fit_parameter, n + 1, &s->parameter);
  if (x->memory.failed) return AMO_ENOMEM;
  for (size_t u = 0; u < x->unknowns; u++)
    for (size_t k = 0; k < (x->unknown[u].each ? x->records.count : 1); k++) {
      const size_t slot = amo_motion_slot(x->motion, u, k);
      const uint32_t i = x->unknown[u].index;
      const amo_values *v = x->record[k].values;
      amo_fit_parameter *q = &s->parameter[slot];
      *q = x->entry[u].parameter;
      if (!x->unknown[u].is_state) {  // what the model itself allows
        q->low = fmax(q->low, x->m->param[i].least);
        q->high = fmin(q->high, x->m->param[i].most);
      }
      if (isnan(q->start)) q->start = x->unknown[u].is_state ? v->initial[i] : v->param[i];
      name[slot] = x->unknown[u].each ? amo_arena_printf(&x->memory, "%s#%zu", x->entry[u].name, k + 1)
                                      : x->entry[u].name;
      unit[slot] = x->unknown[u].is_state ? amo_model_state(x->m, i).unit : amo_model_parameter(x->m, i).unit;
      if (!name[slot]) return AMO_ENOMEM;
      if (!(q->start >= q->low && q->start <= q->high))
        return amo_error(x->call->diags, (amo_at){0}, "give a start: NAME=START:LOW..HIGH",
                         "--vary: %s starts at %g, outside its bounds", name[slot], q->start);
    }
  s->of.n = n;
  s->of.name = name;
  s->unit = unit;
  return AMO_OK;
}

// ---- records ----

/// NAME=VALUE of an `own` entry into the values of one record.
static amo_status set_own(motion_source *x, amo_motion_record *r, bool *given, const char *name,
                          const char *text)
{
  double value = NAN;
  amo_diags *d = x->call->diags;
  const long p = amo_model_find_parameter(x->m, name), s = amo_model_find_state(x->m, name);
  amo_status st = amo_number_eval(text, (amo_at){0}, x->call->values, d, &value);
  if (st != AMO_OK) return st;
  if (p >= 0) {
    st = amo_values_set(r->values, (size_t)p, value);
    return st == AMO_OK ? st : amo_error(d, (amo_at){0}, NULL, "own: '%s' cannot be set to %g", name, value);
  }
  if (s < 0) return amo_error(d, (amo_at){0}, NULL, "own: the model has no '%s'", name);
  given[s] = true;
  r->values->initial[s] = value;
  return AMO_OK;
}

/// "2: v=0.2, x=0.1" or "file.csv: v=0.2".
static amo_status read_own(motion_source *x, const char *text, bool *const *given)
{
  amo_diags *d = x->call->diags;
  const char *colon = strrchr(text, ':'), *p = colon ? colon + 1 : NULL;
  char *end = NULL, name[128], value[128];
  size_t k = 0;
  const long number = strtol(text, &end, 10);
  while (k < x->records.count && colon &&
         (strncmp(x->records.item[k].path, text, (size_t)(colon - text)) ||
          x->records.item[k].path[colon - text]))
    k++;
  if (colon && end == colon && number >= 1 && (size_t)number <= x->records.count) k = (size_t)number - 1;
  if (!colon || k == x->records.count)
    return amo_error(d, (amo_at){0}, "for example --own \"2: v=0.2, x=0\"",
                     "own: '%s' names no record, by its number or file", text);
  amo_status st = AMO_OK;
  for (int used = 0; st == AMO_OK && sscanf(p, " %127[^=, ] = %127[^,]%n", name, value, &used) == 2;) {
    st = set_own(x, &x->record[k], given[k], name, value);
    p += used;
    if (*p == ',') p++;
  }
  return st == AMO_OK && p[strspn(p, " ")] ? amo_error(d, (amo_at){0}, NULL, "own: '%s' is not NAME=VALUE", p)
                                           : st;
}

static amo_status take_records(motion_source *x)
{
  const size_t n = x->records.count, ns = amo_model_states(x->m);
  const amo_setting *own = NULL;
  bool **given = NULL;
  AMO_TAKE(&x->memory, amo_motion_record, n + 1, &x->record);
  AMO_TAKE(&x->memory, bool *, n + 1, &given);
  amo_status st = x->memory.failed ? AMO_ENOMEM : AMO_OK;
  for (size_t k = 0; st == AMO_OK && k < n; k++) {
    amo_motion_record *r = &x->record[k];
    AMO_TAKE(&x->memory, bool, ns + 1, &given[k]);
    if (x->memory.failed) return AMO_ENOMEM;
    const amo_fit_record *from = &x->records.item[k];
    *r = (amo_motion_record){.rows = from->rows, .t = from->t, .measured = from->value, .given = given[k]};
    st = amo_values_new(x->m, &r->values);
    if (st != AMO_OK) break;
    memcpy(r->values->param, x->call->values->param, amo_model_parameters(x->m) * sizeof(double));
    memcpy(r->values->initial, x->call->values->initial, ns * sizeof(double));
    r->values->t0 = x->call->values->t0;
  }
  const size_t owns = amo_opt_settings(x->call->opt, "own", &own);
  for (size_t i = 0; st == AMO_OK && i < owns; i++) st = read_own(x, own[i].text, given);
  for (size_t k = 0; st == AMO_OK && k < n; k++)
    if (x->record[k].t[0] < x->record[k].values->t0)
      st = amo_error(x->call->diags, (amo_at){0}, "set the time of the initial state: --set time=...",
                     "%s begins at t = %g, before the motion, which begins at %g", x->records.item[k].path,
                     x->record[k].t[0], x->record[k].values->t0);
  return st;
}

// ---- residuals ----

/// Columns of one name have one noise, in whatever record; units make their sizes differ.
static amo_status fill_rows(motion_source *x)
{
  amo_fit_source *s = &x->source;
  const size_t rows = amo_motion_rows(x->motion), nq = x->records.columns;
  size_t at = 0;
  double *times = NULL;
  AMO_TAKE(&x->memory, double, rows + 1, &x->weight, &x->measured, &times);
  AMO_TAKE(&x->memory, unsigned, rows + 1, &x->group);
  AMO_TAKE(&x->memory, amo_fit_series, x->records.count * nq + 1, &x->series);
  if (x->memory.failed) return AMO_ENOMEM;
  for (size_t k = 0; k < x->records.count; k++)
    for (size_t c = 0; c < nq; c++) {
      const amo_fit_record *r = &x->records.item[k];
      amo_fit_series *out = &x->series[s->nseries++];
      *out = (amo_fit_series){.record = r->path,
                              .name = x->records.name[c],
                              .unit = r->unit[c],
                              .x_name = "t",
                              .x_unit = "s",
                              .x = times + at,
                              .first = at};
      for (size_t i = 0; i < r->rows; i++) {
        if (isnan(r->value[c * r->rows + i])) {
          out->gaps++;
          continue;
        }
        times[at] = r->t[i];
        x->measured[at] = r->value[c * r->rows + i];
        x->weight[at] = r->sigma ? 1.0 / r->sigma[c * r->rows + i] : 1.0;
        x->group[at++] = (unsigned)c;
      }
      out->count = at - out->first;
    }
  s->of.rows = rows;
  s->of.weight = x->weight;
  s->of.measured = x->measured;
  s->of.group = x->group;
  s->of.groups = nq;
  s->of.at = amo_motion_at;
  s->of.ctx = x->motion;
  s->series = x->series;
  return AMO_OK;
}

static amo_status in_stages(void *ctx, const amo_residuals *source, const amo_fit_parameter *p,
                            const amo_fit_opts *o, amo_fit **out)
{
  return amo_motion_solve(ctx, source, p, o, out);
}

static amo_status solve(amo_fit_source *s, const amo_fit_opts *o, amo_diags *d, amo_fit **out)
{
  motion_source *x = (motion_source *)s;
  amo_fit_opts opts = *o;
  opts.known = x->records.known;
  opts.tol = 1e-6;
  const amo_status st =
      amo_fit_starts(&s->of, s->parameter, &opts, (size_t)amo_opt_integer(x->call->opt, "starts"),
                     (uint64_t)amo_opt_integer(x->call->opt, "seed"), in_stages, x->motion, out);
  if (st == AMO_ENOANSWER)
    amo_error(d, (amo_at){0}, "simulate it with --set and other values first",
              "the model does not move from the start: %s", amo_motion_message(x->motion));
  return st;
}

/// NAME = EXPR of parameters, with its error by the covariance of the unknowns.
static amo_status predict(motion_source *x, const amo_fit *f, const char *text, cJSON *all, amo_diags *d)
{
  char name[64];
  int used = 0;
  double value = NAN, variance = 0.0;
  amo_quantities *q = NULL;
  if (sscanf(text, " %63[^= ] =%n", name, &used) != 1 || used == 0)
    return amo_error(d, (amo_at){0}, "for example --predict \"kc = sigma*(b - a)/L\"",
                     "a prediction is written NAME = EXPRESSION, not '%s'", text);
  const char *right = text + used;
  double *slope = amo_zalloc(f->n, sizeof *slope);
  amo_status st = slope ? amo_quantities_new(x->m, "--predict", &right, 1, d, &q) : AMO_ENOMEM;
  if (st == AMO_OK) st = amo_motion_predict(x->motion, f->value, q, &value, slope);
  if (st == AMO_EUNSUPPORTED)
    st = amo_error(d, (amo_at){0}, NULL, "--predict: '%s' is not made of parameters and initial values alone",
                   right);
  for (size_t i = 0; st == AMO_OK && i < f->n; i++)
    for (size_t k = 0; k < f->n; k++)
      if (slope[i] != 0.0 && slope[k] != 0.0) variance += slope[i] * f->covariance[i * f->n + k] * slope[k];
  if (st == AMO_OK) {
    const double reach =
        amo_student_quantile(f->freedom, 0.5 + 0.5 * amo_opt_number(x->call->opt, "level")) * sqrt(variance);
    cJSON *o = cJSON_AddObjectToObject(all, name);
    amo_json_add(o, "value", value);
    amo_json_add_or(o, "se", sqrt(variance), "an unknown that it needs has no standard error");
    amo_json_add(o, "low", value - reach);
    amo_json_add(o, "high", value + reach);
  }
  amo_quantities_free(q);
  free(slope);
  return st;
}

static amo_status tell(amo_fit_source *s, const amo_fit *f, cJSON *result, amo_diags *d)
{
  motion_source *x = (motion_source *)s;
  const amo_setting *line = NULL;
  const size_t n = amo_opt_settings(x->call->opt, "predict", &line);
  cJSON *all = n ? cJSON_AddObjectToObject(result, "predictions") : NULL;
  amo_status st = AMO_OK;
  for (size_t i = 0; st == AMO_OK && i < n; i++) st = predict(x, f, line[i].text, all, d);
  return st;
}

amo_status amo_fit_motion(const amo_call *call, amo_fit_source **out)
{
  *out = NULL;
  motion_source *x = calloc(1, sizeof *x);
  if (!x) return AMO_ENOMEM;
  x->call = call;
  x->m = call->model;
  x->source = (amo_fit_source){
      .model = amo_model_name(call->model), .solve = solve, .tell = tell, .free = free_source};
  x->opt = amo_sim_opts_default();
  x->opt.tol = amo_opt_number(call->opt, "tol");
  amo_status st = amo_fit_records_read(call, &x->records);
  if (st == AMO_OK) st = find_unknowns(x);
  if (st == AMO_OK) st = take_records(x);
  if (st == AMO_OK)
    st =
        amo_quantities_new(x->m, "--measure", x->records.text, x->records.columns, call->diags, &x->quantity);
  if (st == AMO_OK)
    st = amo_motion_new(x->m, &x->opt, x->quantity, x->record, x->records.count, x->unknown, x->unknowns,
                        &x->motion);
  if (st == AMO_OK) st = fill_parameters(x);
  if (st == AMO_OK) st = fill_rows(x);
  if (st == AMO_OK)
    *out = &x->source;
  else
    free_source(&x->source);
  return st;
}
