// SPDX-License-Identifier: Apache-2.0
/// Executing a study: every run, every item of a sweep, then the definitions and the expectations.
#include "result/json.h"
#include "study/run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "ask/options.h"
#include "ask/motion/simulate.h"
#include "study/study_load.h"

typedef struct execution {
  const amo_study *s;
  const amo_study_opts *o;
  amo_study_result *r;
  amo_diags *diags;
  amo_arena arena;
} execution;

int amo_exit_status(amo_status st)
{
  switch (st) {
    case AMO_OK: return 0;
    case AMO_ENOANSWER:
    case AMO_EAUDIT:
    case AMO_ELIMIT:
    case AMO_EINTR: return 1;
    default: return 2;
  }
}

// ---- one call of a verb ----

static void add_parameters(cJSON *result, const amo_model *m)
{
  if (!m || cJSON_HasObjectItem(result, "parameters")) return;
  cJSON *p = cJSON_AddObjectToObject(result, "parameters");
  for (size_t i = 0; p && i < amo_model_parameters(m); i++)
    cJSON_AddItemToObject(p, amo_model_parameter(m, i).name,
                          amo_json_number(amo_model_parameter_values(m)[i]));
}

/// What was said during the call: `message` (errors, joined) and `warnings` (a list).
static void add_messages(cJSON *result, const amo_diags *d, size_t from)
{
  amo_text text = {0};
  cJSON *warnings =
      cJSON_HasObjectItem(result, "warnings") ? NULL : cJSON_AddArrayToObject(result, "warnings");
  for (size_t i = from; i < amo_diags_count(d); i++) {
    const amo_diag *g = amo_diags_get(d, i);
    if (g->severity == AMO_WARNING && warnings)
      cJSON_AddItemToArray(warnings, cJSON_CreateString(g->message));
    if (g->severity == AMO_ERROR) amo_text_printf(&text, "%s%s", text.size ? "; " : "", g->message);
  }
  if (!cJSON_HasObjectItem(result, "message"))
    cJSON_AddStringToObject(result, "message", text.data ? text.data : "");
  amo_text_free(&text);
}

/// The model stays with its trajectory; *m becomes NULL when it was taken over.
static amo_status keep_trajectory(execution *x, const amo_study_run *run, size_t item, amo_trajectory *t,
                                  amo_model **m)
{
  amo_study_result *r = x->r;
  if (!t) return AMO_OK;
  if (!AMO_ROOM(r->recorded, r->recordeds, r->recorded_cap)) {
    amo_trajectory_free(t);
    return AMO_ENOMEM;
  }
  r->recorded[r->recordeds++] = (amo_recorded){run->name, (long)item, t, *m};
  *m = NULL;
  return AMO_OK;
}

static amo_status call_verb(execution *x, const amo_study_run *run, size_t item, amo_call *call,
                            amo_model **m, cJSON **result)
{
  amo_trajectory *t = NULL;
  bool record = x->o->record && x->s->figure;
  call->recorded = record ? &t : NULL;
  amo_status st = amo_verb_run(run->verb, call, result);
  amo_status kept = keep_trajectory(x, run, item, t, m);
  return kept == AMO_OK ? st : kept;
}

/// The model loader knows settings only as "--set"; say which run of the study they belong to.
static void point_at_settings(const amo_study_run *run, size_t from, amo_diags *d)
{
  for (size_t i = from; i < amo_diags_count(d); i++) {
    const amo_at at = amo_diags_get(d, i)->at;
    if (!at.file || strncmp(at.file, "--set", 5) != 0) continue;
    amo_error(d, run->at, NULL, "the settings of run '%s' do not fit its model", run->name);
    return;
  }
}

/// Whose fault it is that a run could not even begin. `fails` means that the question has no answer: a study
/// that asks of a model that is not there, or sets what it does not have, asks nothing.
typedef enum fault { FAULT_NONE, FAULT_VALUES, FAULT_MODEL, FAULT_STUDY } fault;

/// The model was refused. A setting of a name that it does not have ("--set" without a name) is a mistake in
/// the study; a value that it refuses, while it loads without it, is a result of the run.
static fault whose_fault(execution *x, const amo_study_run *run, amo_status why, size_t settings, size_t from,
                         amo_diags *d)
{
  if (why == AMO_EIO) return FAULT_STUDY;
  for (size_t i = from; i < amo_diags_count(d); i++) {
    const amo_at at = amo_diags_get(d, i)->at;
    if (at.file && !strcmp(at.file, "--set")) return FAULT_STUDY;
  }
  if (!settings) return FAULT_MODEL;
  amo_model *m = NULL;
  amo_status st = amo_study_model(x->s, run->model, NULL, 0, NULL, &m, &x->arena);
  amo_model_free(m);
  return st == AMO_OK ? FAULT_VALUES : FAULT_MODEL;
}

/// A setting in another unit than the model's parameter would be another value.
static amo_status check_units(const amo_study_run *run, const amo_model *m, amo_diags *d)
{
  amo_status st = AMO_OK;
  for (const amo_yaml *c = run->units ? run->units->first : NULL; c; c = c->next)
    for (size_t i = 0; i < amo_model_parameters(m); i++) {
      const amo_symbol p = amo_model_parameter(m, i);
      if (!strcmp(p.name, c->key->text) && p.unit && p.unit[0] && strcmp(p.unit, c->text) != 0)
        st = amo_error(d, c->at, NULL, "the model has '%s' in %s, not in %s", p.name, p.unit, c->text);
    }
  return st;
}

/// `settings:` mixes options and settings of the model; a name that is both has no clear meaning.
static amo_status check_mixed(const amo_study_run *run, const amo_model *m, amo_diags *d)
{
  amo_status st = AMO_OK;
  for (int i = 0; i < 2; i++)
    for (const amo_yaml *c = amo_yaml_is(run->mixed[i], AMO_YAML_MAP) ? run->mixed[i]->first : NULL; c;
         c = c->next)
      for (size_t k = 0; k < amo_model_parameters(m) && amo_study_is_option(c->key->text); k++)
        if (!strcmp(amo_model_parameter(m, k).name, c->key->text))
          st = amo_error(d, c->key->at, "write it under  options:  or  set:",
                         "'%s' is an option and a parameter of the model", c->key->text);
  return st;
}

typedef struct finder {
  execution *x;
  amo_diags *d;
} finder;

static amo_status find_input(void *ctx, const char *text, amo_at at, const char **path)
{
  finder *f = ctx;
  return amo_study_find_file(f->x->s, "record", text, at, f->d, path, &f->x->arena);
}

static amo_status run_item(execution *x, const amo_study_run *run, const amo_yaml *options, size_t item,
                           amo_diags *d, cJSON **result, fault *who)
{
  amo_options *o = NULL;
  amo_model *m = NULL;
  const amo_setting *set = NULL;
  amo_call call = {.diags = d, .interrupted = x->o->interrupted};
  amo_status st = amo_options_from_yaml(run->verb, options, d, &o);
  if (st == AMO_OK) st = amo_options_inputs(o, find_input, &(finder){x, d});
  *who = st == AMO_OK ? FAULT_NONE : FAULT_STUDY;
  if (st == AMO_OK) {
    size_t n = amo_opt_settings(o, "set", &set), before = amo_diags_count(d);
    st = amo_study_model(x->s, run->model, set, n, d, &m, &x->arena);
    if (st == AMO_ELIMIT) st = AMO_EINPUT;  // too large a model is bad input, as on the command line
    if (st != AMO_OK) {
      point_at_settings(run, before, d);
      *who = whose_fault(x, run, st, n, before, d);
    }
  }
  if (st == AMO_OK && m) st = check_mixed(run, m, d);
  if (st == AMO_OK && m) st = check_units(run, m, d);
  if (st == AMO_OK) st = amo_options_resolve(o, amo_model_values(m), d);
  if (st != AMO_OK && m) *who = FAULT_STUDY;
  call.model = m;
  call.values = amo_model_values(m);
  call.opt = o;
  amo_model *mine = m;  // until a trajectory takes it over
  if (st == AMO_OK) st = call_verb(x, run, item, &call, &mine, result);
  if (!*result) *result = cJSON_CreateObject();
  add_parameters(*result, m);
  amo_options_free(o);
  amo_model_free(mine);
  return st;
}

// ---- one run: checks of its own, sweep ----

/// May a run that is expected to fail, or may, fail like this? Bad input must be named: by its message or by
/// `exit: 2`, unless it is a value that the model refuses.
static bool may_end_so(const amo_study_run *run, int status, fault who)
{
  if (who == FAULT_STUDY) return false;
  if (who == FAULT_MODEL) return run->error != NULL;
  return status != 2 || who == FAULT_VALUES || run->error || run->exit == 2;
}

static void check_run(execution *x, const amo_study_run *run, amo_status st, fault who, const cJSON *result)
{
  const cJSON *message = cJSON_GetObjectItemCaseSensitive(result, "message");
  const char *said = cJSON_IsString(message) ? message->valuestring : "";
  int status = amo_exit_status(st);
  const bool allowed = may_end_so(run, status, who);
  if ((st == AMO_OK && !run->fails) || (run->may_fail && allowed)) return;
  if (who >= FAULT_MODEL && !(run->fails && allowed)) x->r->bad_input = true;
  bool ok = run->fails && st != AMO_OK && (run->exit < 0 || run->exit == status) &&
            (!run->error || strstr(said, run->error)) && allowed;
  cJSON *c = cJSON_CreateObject();
  char at[64];
  amo_text expected = {0};
  if (!run->fails)
    amo_text_str(&expected, "success");
  else
    amo_text_printf(&expected, "failure%s%s%s", run->error ? ": \"" : "", run->error ? run->error : "",
                    run->error ? "\"" : "");
  snprintf(at, sizeof at, "%d:%d", run->at.line, run->at.column);
  cJSON_AddStringToObject(c, "value", run->name);
  cJSON_AddStringToObject(c, "at", at);
  cJSON_AddStringToObject(c, "expected", expected.data ? expected.data : "");
  cJSON_AddStringToObject(c, "actual", st == AMO_OK ? "success" : said[0] ? said : amo_status_text(st));
  cJSON_AddBoolToObject(c, "ok", ok);
  if (!allowed && (run->fails || run->may_fail))
    cJSON_AddStringToObject(c, "message",
                            who == FAULT_STUDY
                                ? "this is a mistake in the study, not a question without an answer"
                                : "this is a mistake in the model or the question; if it is meant, "
                                  "say so by  error: TEXT");
  cJSON_AddBoolToObject(c, "run", true);
  cJSON_AddItemToArray(x->r->checks, c);
  amo_text_free(&expected);
  if (ok || run->fails) return;
  x->r->broken = true;
  if (!cJSON_HasObjectItem(x->r->broken_runs, run->name))
    cJSON_AddBoolToObject(x->r->broken_runs, run->name, !run->over);
}

static const amo_yaml *with_settings(execution *x, const amo_study_run *run, const amo_yaml *settings)
{
  if (!settings) return run->options;
  const amo_yaml *set = amo_yaml_merged(&x->arena, amo_yaml_get(run->options, "set"), settings);
  amo_yaml *options = amo_arena_alloc(&x->arena, sizeof *options);
  if (!set || !options) return NULL;
  *options = (amo_yaml){.kind = AMO_YAML_MAP, .text = "", .at = run->options->at};
  for (const amo_yaml *c = run->options->first; c; c = c->next)
    if (strcmp(c->key->text, "set") != 0 && !amo_yaml_append(&x->arena, options, c->key->text, c))
      return NULL;
  return amo_yaml_append(&x->arena, options, "set", set) ? options : NULL;
}

static void add_over(cJSON *result, const amo_yaml *settings)
{
  if (!settings) return;
  cJSON *over = cJSON_AddObjectToObject(result, "over");
  for (const amo_yaml *c = settings->first; c; c = c->next) {
    char *end = NULL;
    double v = strtod(c->text, &end);
    cJSON_AddItemToObject(over, c->key->text,
                          end != c->text && !*end ? amo_json_number(v) : cJSON_CreateString(c->text));
  }
}

static amo_status execute_item(execution *x, const amo_study_run *run, const amo_yaml *settings, size_t item,
                               cJSON **result)
{
  // Failures that the study wants are not for the user's eyes: they get a list of their own.
  bool quiet = run->fails || run->may_fail;
  amo_diags *d = quiet ? amo_diags_new() : x->diags;
  size_t before = amo_diags_count(d);
  const amo_yaml *options = with_settings(x, run, settings);
  fault who = FAULT_NONE;
  amo_status st = options && d ? run_item(x, run, options, item, d, result, &who) : AMO_ENOMEM;
  if (*result) {
    add_messages(*result, d, before);
    add_over(*result, settings);
    if (!cJSON_HasObjectItem(*result, "exit")) cJSON_AddNumberToObject(*result, "exit", amo_exit_status(st));
  }
  check_run(x, run, st, who, *result);
  if (quiet) amo_diags_free(d);
  return st == AMO_ENOMEM || st == AMO_EINTR ? st : AMO_OK;
}

static amo_status execute_run(execution *x, const amo_study_run *run)
{
  const amo_yaml **items = NULL;
  size_t count = 0;
  amo_status st = amo_sweep_expand(&x->arena, run->over, x->diags, &items, &count);
  if (st != AMO_OK) return st;
  cJSON *list = run->over ? cJSON_AddArrayToObject(x->r->root, run->name) : NULL;
  for (size_t i = 0; i < count && st == AMO_OK; i++) {
    cJSON *result = NULL;
    st = execute_item(x, run, items[i], i, &result);
    if (!result) continue;
    if (list)
      cJSON_AddItemToArray(list, result);
    else
      cJSON_AddItemToObject(x->r->root, run->name, result);
  }
  return st;
}

// ---- the study ----

/// Short addresses: `final.t` where there is one run, `simulate.final.t` where one run simulates.
static void add_aliases(execution *x)
{
  const amo_study *s = x->s;
  for (size_t i = 0; i < s->runs; i++) {
    const amo_study_run *run = &s->run[i];
    size_t same = 0;
    for (size_t k = 0; k < s->runs; k++) same += !strcmp(s->run[k].verb_name, run->verb_name);
    cJSON *result = cJSON_GetObjectItemCaseSensitive(x->r->root, run->name);
    if (same == 1 && result && strcmp(run->name, run->verb_name) != 0)
      cJSON_AddItemReferenceToObject(x->r->aliases, run->verb_name, result);
    if (s->runs == 1 && cJSON_IsObject(result)) x->r->only = result;
  }
}

/// A part of the study that has no value is a failed check of its own.
static void add_failure(execution *x, const amo_yaml *n, const char *what, const amo_diags *d)
{
  cJSON *c = cJSON_CreateObject();
  char at[64];
  const amo_diag *first = amo_diags_count(d) ? amo_diags_get(d, 0) : NULL;
  const amo_at place = first && first->at.line > 0 ? first->at : n->at;
  snprintf(at, sizeof at, "%d:%d", place.line, place.column);
  cJSON_AddStringToObject(c, "value", what);
  cJSON_AddStringToObject(c, "at", at);
  cJSON_AddStringToObject(c, "expected", "a value");
  cJSON_AddNullToObject(c, "actual");
  cJSON_AddStringToObject(c, "message", first ? first->message : "it has no value");
  cJSON_AddBoolToObject(c, "ok", false);
  cJSON_AddBoolToObject(c, "mistake", true);
  cJSON_AddItemToArray(x->r->checks, c);
}

/// What rests on a run that failed is as good as failed, and no mistake of the study.
static amo_status define(execution *x, const amo_definition *def, const cJSON **v)
{
  amo_diags *d = amo_diags_new();
  if (!d) return AMO_ENOMEM;
  x->r->touched = NULL;
  amo_status st = amo_value_eval(x->r, def->value, d, v);
  const cJSON *run = x->r->touched;
  if (run && (st != AMO_OK || !cJSON_IsFalse(run))) {
    cJSON_AddStringToObject(x->r->broken_runs, def->name,
                            cJSON_IsString(run) ? run->valuestring : run->string);
    st = AMO_ENOANSWER;
  } else {
    if (st == AMO_OK && cJSON_HasObjectItem(x->r->only, def->name))
      st = amo_error(d, amo_yaml_at(def->value), "another name", "the result has a '%s' of its own",
                     def->name);
    if (st != AMO_OK) add_failure(x, def->value, def->name, d);
  }
  amo_diags_free(d);
  return st;
}

static void define_values(execution *x)
{
  x->r->define = x->s->define;
  x->r->defines = x->s->defines;
  for (size_t i = 0; i < x->s->defines; i++) {
    const cJSON *v = NULL;
    const amo_definition *def = &x->s->define[i];
    amo_status st = define(x, def, &v);
    cJSON *copy = st == AMO_OK ? cJSON_Duplicate(v, true) : cJSON_CreateNull();
    if (copy) cJSON_AddItemToObject(x->r->root, def->name, copy);
  }
}

/// Rows for the report: what cannot be shown is said.
static void check_shown(execution *x)
{
  for (size_t i = 0; i < x->s->showns; i++) {
    const cJSON *v = NULL;
    const amo_shown *row = &x->s->shown[i];
    amo_diags *d = amo_diags_new();
    x->r->touched = NULL;
    if (d && row->ours && amo_value_eval(x->r, row->ours, d, &v) != AMO_OK && !x->r->touched)
      add_failure(x, row->ours, row->what[0] ? row->what : "shown", d);
    amo_diags_free(d);
  }
}

static void judge_all(execution *x)
{
  check_shown(x);
  for (size_t i = 0; i < x->s->expects; i++) {
    cJSON *c = amo_expect_judge(x->r, &x->s->expect[i]);
    if (c) cJSON_AddItemToArray(x->r->checks, c);
  }
  const cJSON *c = NULL;
  cJSON_ArrayForEach(c, x->r->checks)
  {
    if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(c, "ok")))
      x->r->passed++;
    else if (cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(c, "judged")))
      x->r->unjudged++;
    else
      x->r->failed++;
  }
}

static double now(void)
{
  struct timespec t = {0};
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

amo_status amo_study_execute(const amo_study *s, const amo_study_opts *o, amo_diags *diags,
                             amo_study_result *out)
{
  execution x = {.s = s, .o = o, .r = out, .diags = diags};
  double started = now();
  amo_status st = AMO_OK;
  *out = (amo_study_result){
      .root = cJSON_CreateObject(), .scratch = cJSON_CreateArray(), .checks = cJSON_CreateArray()};
  out->aliases = cJSON_CreateObject();
  out->broken_runs = cJSON_CreateObject();
  if (!out->broken_runs || !out->root || !out->scratch || !out->checks || !out->aliases) st = AMO_ENOMEM;
  for (size_t i = 0; i < s->runs && st == AMO_OK; i++) {
    st = execute_run(&x, &s->run[i]);
    if (o->progress) o->progress(o->progress_ctx, (double)(i + 1) / (double)s->runs);
  }
  if (st == AMO_OK) {
    add_aliases(&x);
    define_values(&x);
    judge_all(&x);
  }
  out->seconds = now() - started;
  amo_arena_free(&x.arena);
  return st;
}

void amo_study_result_free(amo_study_result *r)
{
  cJSON_Delete(r->scratch);
  cJSON_Delete(r->aliases);
  cJSON_Delete(r->broken_runs);
  cJSON_Delete(r->checks);
  cJSON_Delete(r->root);
  for (size_t i = 0; i < r->recordeds; i++) {
    amo_trajectory_free(r->recorded[i].trajectory);
    amo_model_free(r->recorded[i].model);
  }
  free(r->recorded);
  *r = (amo_study_result){0};
}

const char *amo_study_verdict(const amo_study_result *r)
{
  if (r->broken) return "failed";
  if (r->failed) return "differs";
  return r->passed ? "reproduced" : "no expectations";
}
