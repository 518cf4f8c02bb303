// SPDX-License-Identifier: Apache-2.0
// The outcome of a fit as JSON and CSV.
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "ask/fit/fit.h"
#include "result/json.h"

static cJSON *matrix(const double *a, size_t n)
{
  cJSON *all = cJSON_CreateArray();
  for (size_t i = 0; i < n; i++) {
    cJSON *row = cJSON_CreateArray();
    for (size_t j = 0; j < n; j++) cJSON_AddItemToArray(row, amo_json_number(a[i * n + j]));
    cJSON_AddItemToArray(all, row);
  }
  return all;
}

static cJSON *parameter(const amo_fit_source *s, const amo_fit *f, size_t i)
{
  cJSON *o = cJSON_CreateObject();
  amo_json_add(o, "value", f->value[i]);
  amo_json_add_or(o, "se", f->se[i],
                  f->at_bound[i] ? "at its bound"
                  : f->open[i]   ? "not determined by the record"
                                 : "no degrees of freedom");
  amo_json_add(o, "low", f->low[i]);
  amo_json_add(o, "high", f->high[i]);
  amo_json_add(o, "start", s->parameter[i].start);
  if (s->unit && s->unit[i][0]) cJSON_AddStringToObject(o, "unit", s->unit[i]);
  if (f->at_bound[i]) cJSON_AddStringToObject(o, "at_bound", f->at_bound[i] < 0 ? "low" : "high");
  return o;
}

/// Root of the mean square of the residuals of some rows, not weighted.
static double rms(const amo_fit_source *s, const amo_fit *f, size_t first, size_t count)
{
  double sum = 0.0, n = 0.0;
  for (size_t i = first; i < first + count; i++) {
    if (s->of.weight && s->of.weight[i] == 0.0) continue;
    sum += f->residual[i] * f->residual[i];
    n += 1.0;
  }
  return sqrt(sum / n);
}

static cJSON *series(const amo_fit_source *s, const amo_fit *f)
{
  cJSON *all = cJSON_CreateArray();
  for (size_t k = 0; k < s->nseries; k++) {
    const amo_fit_series *x = &s->series[k];
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "record", x->record);
    cJSON_AddStringToObject(o, "name", x->name);
    cJSON_AddNumberToObject(o, "n", (double)x->count);
    cJSON_AddNumberToObject(o, "gaps", (double)x->gaps);
    amo_json_add(o, "residual", rms(s, f, x->first, x->count));
    amo_json_add(o, "runs", amo_fit_source_runs(s, f, k));
    cJSON_AddItemToArray(all, o);
  }
  return all;
}

static cJSON *names(const amo_fit_source *s)
{
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < s->of.n; i++) cJSON_AddItemToArray(list, cJSON_CreateString(s->of.name[i]));
  return list;
}

cJSON *amo_fit_json(const amo_fit_source *s, const amo_fit *f, const amo_fit_opts *o)
{
  static const char *const losses[] = {"squares", "huber", "cauchy", "tukey"};
  cJSON *r = cJSON_CreateObject(), *p = NULL;
  cJSON_AddStringToObject(r, "model", s->model);
  p = cJSON_AddObjectToObject(r, "parameters");
  for (size_t i = 0; i < f->n; i++) cJSON_AddItemToObject(p, s->of.name[i], parameter(s, f, i));
  amo_json_add(r, "residual", f->deviation);
  cJSON_AddNumberToObject(r, "n", (double)f->used);
  amo_json_add_or(r, "freedom", f->freedom, "the noise is known");
  amo_json_add(r, "level", o->level);
  cJSON_AddStringToObject(r, "loss", losses[o->loss]);
  amo_json_add(r, "sum", f->sum);
  amo_json_add(r, "aicc", f->aicc);
  if (!isnan(f->fisher)) {
    amo_json_add(r, "F", f->fisher);
    amo_json_add(r, "F_p", f->fisher_p);
  }
  cJSON_AddNumberToObject(r, "rank", (double)f->rank);
  amo_json_add(r, "condition", f->free > 0 ? f->singular[0] / f->singular[f->free - 1] : NAN);
  cJSON_AddItemToObject(r, "names", names(s));
  cJSON_AddItemToObject(r, "covariance", matrix(f->covariance, f->n));
  cJSON_AddItemToObject(r, "correlation", matrix(f->correlation, f->n));
  cJSON_AddItemToObject(r, "records", series(s, f));
  cJSON_AddNumberToObject(r, "iterations", (double)f->jacobians);
  cJSON_AddNumberToObject(r, "evaluations", (double)(f->evaluations + f->jacobians));
  return r;
}

amo_status amo_fit_csv(const amo_fit_source *s, const amo_fit *f, const char *path, amo_diags *d)
{
  amo_file_writer w;
  amo_status st = amo_file_stream_begin(path, d, &w);
  if (st != AMO_OK) return st;
  fputs("record,name,x,measured,model,residual,weight\n", w.stream);
  for (size_t k = 0; k < s->nseries; k++) {
    const amo_fit_series *x = &s->series[k];
    for (size_t i = 0; i < x->count; i++) {
      const size_t row = x->first + i;
      const double y = s->of.measured[row], r = f->residual[row];
      fprintf(w.stream, "%s,%s,%.17g,%.17g,%.17g,%.17g,%.17g\n", x->record, x->name, x->x[i], y, y + r, r,
              (s->of.weight ? s->of.weight[row] : 1.0) * sqrt(f->loss_weight[row]));
    }
  }
  return amo_file_write_commit(&w, d);
}
