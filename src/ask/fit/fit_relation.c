// SPDX-License-Identifier: Apache-2.0
// Relations between columns of a table (fit/relation.h) by the options of fit; several relations are compared.
#include "ask/fit/fit_relation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/json.h"
#include "ask/number.h"

static void prefer(amo_fit_source *s, amo_relation_fit *f)
{
  s->of = amo_relation_residuals(f);
  s->parameter = f->parameter;
  s->unit = f->unit;
  s->model = f->called;
}

/// Every relation; the outcome is that of the least AICc.
static amo_status solve(amo_fit_source *source, const amo_fit_opts *o, amo_diags *d, amo_fit **out)
{
  amo_equation_set *s = source->own;
  amo_status st = AMO_OK;
  s->preferred = s->n;
  for (size_t k = 0; k < s->n && (st == AMO_OK || st == AMO_ENOANSWER); k++) {
    st = amo_relation_solve(&s->of[k], o, &s->memory);
    if (st == AMO_ENOANSWER && s->n > 1)
      amo_warn(d, (amo_at){0}, "starts: --vary \"beta=0.003\"",
               "%s: no start was found from which it can be fitted", s->of[k].called);
    if (s->of[k].fit && (s->preferred == s->n || s->of[k].aicc < s->of[s->preferred].aicc)) s->preferred = k;
  }
  if (st != AMO_OK && st != AMO_ENOANSWER) return st;
  if (s->preferred == s->n)
    return amo_error(d, (amo_at){0}, "starts: --vary \"beta=0.003\"",
                     "no start was found from which %s can be fitted", s->of[0].called),
           AMO_ENOANSWER;
  amo_relation_fit *best = &s->of[s->preferred];
  prefer(source, best);
  *out = best->fit;
  best->fit = NULL;
  return AMO_OK;
}

// ---- what is told ----

static cJSON *outcome(const amo_relation_fit *f, const amo_fit *o, double best)
{
  cJSON *j = cJSON_CreateObject();
  cJSON_AddStringToObject(j, "relation", amo_equation_text(f->equation));
  cJSON_AddStringToObject(j, "name", f->called);
  cJSON_AddBoolToObject(j, "identifiable", f->identifiable);
  if (o == NULL) return j;
  cJSON *p = cJSON_AddObjectToObject(j, "parameters");
  for (size_t i = 0; i < o->n; i++) {
    cJSON *one = cJSON_AddObjectToObject(p, amo_equation_names_of(f->equation)[i]);
    amo_json_add(one, "value", o->value[i]);
    amo_json_add(one, "se", o->se[i]);
    amo_json_add(one, "low", o->low[i]);
    amo_json_add(one, "high", o->high[i]);
  }
  amo_json_add(j, "sum", o->sum);
  amo_json_add(j, "residual", o->deviation);
  amo_json_add(j, "aicc", o->aicc);
  amo_json_add(j, "difference", o->aicc - best);
  amo_json_add(j, "F_p", o->fisher_p);
  return j;
}

static amo_status tell(amo_fit_source *source, const amo_fit *f, cJSON *result, amo_diags *d)
{
  amo_equation_set *s = source->own;
  amo_relation_fit *best = &s->of[s->preferred];
  cJSON_AddStringToObject(result, "relation", amo_equation_text(best->equation));
  cJSON_AddBoolToObject(result, "identifiable", best->identifiable);
  if (!best->identifiable)
    amo_warn(d, (amo_at){0}, NULL, "%s is not identifiable from these data", best->called);
  if (s->n > 1) {
    cJSON *list = cJSON_AddArrayToObject(result, "comparison");
    for (size_t k = 0; k < s->n; k++)
      cJSON_AddItemToArray(list, outcome(&s->of[k], k == s->preferred ? f : s->of[k].fit, best->aicc));
    cJSON_AddStringToObject(result, "preferred", best->called);
    amo_equation_tied(s, result, d);
  }
  return amo_equation_predictions(s, best, f, result, d);
}

static void free_source(amo_fit_source *source)
{
  amo_equation_set *s = source->own;
  for (size_t k = 0; k < s->n; k++) amo_relation_free(&s->of[k]);
  free(s->table.value), free(s->table.weight), free(s->table.sigma);
  amo_arena_free(&s->memory);
  free(s);
  free(source);
}

// ---- relations by the options ----

static amo_status read_settings(amo_equation_set *s)
{
  const amo_setting *set = NULL;
  const size_t n = amo_opt_settings(s->call->opt, "set", &set);
  const char **name = amo_arena_alloc(&s->memory, (n + 1) * sizeof *name);
  double *value = amo_arena_alloc(&s->memory, (n + 1) * sizeof *value);
  amo_status st = name && value ? AMO_OK : AMO_ENOMEM;
  for (size_t i = 0; st == AMO_OK && i < n; i++) {
    name[i] = set[i].name;
    st = amo_number_eval(set[i].text, (amo_at){0}, NULL, s->call->diags, &value[i]);
  }
  s->names = (amo_equation_names){
      .column = s->table.column, .columns = s->table.columns, .set = name, .set_value = value, .sets = n};
  return st;
}

/// Starts, bounds and priors of --vary for the unknowns that have them.
static amo_status take_vary(amo_equation_set *s, amo_relation_fit *f, const amo_vary_entry *entry,
                            size_t entries)
{
  const size_t n = amo_equation_unknowns(f->equation);
  f->parameter = amo_arena_alloc(&s->memory, (n + 1) * sizeof *f->parameter);
  f->unit = amo_arena_alloc(&s->memory, (n + 1) * sizeof *f->unit);
  if (!f->parameter || !f->unit) return AMO_ENOMEM;
  for (size_t i = 0; i < n; i++) {
    f->unit[i] = "";
    f->parameter[i] = (amo_fit_parameter){.start = NAN, .low = -INFINITY, .high = INFINITY};
    for (size_t k = 0; k < entries; k++)
      if (!strcmp(entry[k].name, amo_equation_names_of(f->equation)[i])) f->parameter[i] = entry[k].parameter;
  }
  return AMO_OK;
}

/// Names of --vary that no relation has.
static amo_status check_vary(const amo_equation_set *s, const amo_vary_entry *entry, size_t entries)
{
  for (size_t k = 0; k < entries; k++) {
    bool found = false;
    for (size_t r = 0; r < s->n; r++)
      for (size_t i = 0; i < amo_equation_unknowns(s->of[r].equation); i++)
        found |= !strcmp(entry[k].name, amo_equation_names_of(s->of[r].equation)[i]);
    if (!found)
      return amo_error(s->call->diags, (amo_at){0}, NULL, "--vary: no relation has an unknown '%s'",
                       entry[k].name);
  }
  return AMO_OK;
}

static amo_status read_relations(amo_equation_set *s)
{
  const amo_setting *line = NULL;
  const size_t n = amo_opt_settings(s->call->opt, "relation", &line);
  amo_vary_entry *entry = NULL;
  size_t entries = 0;
  amo_status st = AMO_OK;
  if (n == 0 || n > AMO_EQUATIONS)
    return amo_error(s->call->diags, (amo_at){0},
                     "a model: amontons fit MODEL ..., or --relation \"F = F0 + A*exp(-beta*f)\"",
                     n ? "too many relations: %d at most" : "fit needs a model or a relation", AMO_EQUATIONS);
  if (amo_opt_text(s->call->opt, "vary")) st = amo_fit_read_vary(s->call, &entry, &entries);
  for (size_t i = 0; i < n && st == AMO_OK; i++) {
    amo_relation_fit *f = &s->of[s->n];
    const char *text = amo_relation_named(&s->table, line[i].text, &s->memory);
    f->called = line[i].text;
    st = amo_equation_new(text ? text : line[i].text, &s->names, s->call->diags, &f->equation);
    if (st == AMO_OK) s->n++;
    if (st == AMO_OK && amo_equation_unknowns(f->equation) == 0)
      st = amo_error(s->call->diags, (amo_at){0}, NULL,
                     "'%s' has no unknown: all its names are columns or set", f->called);
    if (st == AMO_OK) st = take_vary(s, f, entry, entries);
  }
  if (st == AMO_OK) st = check_vary(s, entry, entries);
  free(entry);
  return st;
}

/// Left sides, and enough different rows.
static amo_status measure(amo_equation_set *s)
{
  amo_status st = AMO_OK;
  for (size_t k = 0; k < s->n && st == AMO_OK; k++) {
    amo_relation_fit *f = &s->of[k];
    const size_t n = amo_equation_unknowns(f->equation);
    if (s->table.rows <= n)
      return amo_error(s->call->diags, (amo_at){0}, NULL, "%zu rows are too few for %zu unknowns",
                       s->table.rows, n);
    st = amo_relation_begin(f, &s->table, &s->memory);
    if (st == AMO_ENOANSWER)
      st = amo_error(s->call->diags, (amo_at){0}, NULL, "the left side of '%s' is no number in some row",
                     f->called);
    if (st == AMO_OK) amo_relation_bounds(f);
  }
  return st;
}

amo_status amo_fit_relation(const amo_call *call, amo_fit_source **out)
{
  *out = NULL;
  amo_fit_source *source = amo_zalloc(1, sizeof *source);
  amo_equation_set *s = amo_zalloc(1, sizeof *s);
  if (!source || !s) {
    free(source), free(s);
    return AMO_ENOMEM;
  }
  s->call = call;
  *source = (amo_fit_source){.solve = solve, .tell = tell, .free = free_source, .own = s};
  amo_status st = amo_equation_columns(s);
  if (st == AMO_OK) st = read_settings(s);
  if (st == AMO_OK) st = read_relations(s);
  if (st == AMO_OK) st = amo_equation_table(s);
  if (st == AMO_OK) st = measure(s);
  if (st == AMO_OK) {
    prefer(source, &s->of[0]);
    source->series = s->series;
    source->nseries = s->nseries;
    *out = source;
  } else
    free_source(source);
  return st;
}
