// SPDX-License-Identifier: Apache-2.0
#include "amontons/ask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask/options.h"
#include "expr/parse.h"
#include "base/mem.h"
#include "base/options.h"
#include "explore/trajectory.h"
#include "model/yaml.h"
#include "result/json.h"
#include "result/json_path.h"
#include "result/show.h"

struct amo_answer {
  const amo_verb *verb;
  cJSON *value;
  char *text;  // of the whole, made when asked for
  amo_trajectory *motion;
  double **list;  // handed out by amo_answer_numbers
  size_t lists, list_cap;
};

AMO_OPTS_INIT(amo_ask_opts, )

// ---- one call ----

typedef struct watch {
  const amo_ask_opts *opts;
  volatile sig_atomic_t stop, *stops;
} watch;

static void pass_on(void *ctx, double fraction)
{
  watch *w = ctx;
  if (w->opts->progress(w->opts->ctx, fraction)) *w->stops = 1;
}

static const char *verb_name(void *ctx, size_t i)
{
  (void)ctx;
  return amo_verbs()[i] ? amo_verbs()[i]->name : NULL;
}

static amo_status find_verb(const char *name, amo_diags *d, const amo_verb **out)
{
  *out = amo_verb_find(name);
  if (*out) return AMO_OK;
  const char *near = amo_nearest(name, strlen(name), verb_name, NULL);
  return near ? amo_error(d, (amo_at){0}, NULL, "there is no question '%s'; did you mean '%s'?", name, near)
              : amo_error(d, (amo_at){0}, NULL, "there is no question '%s'", name);
}

static amo_status read_options(const amo_verb *v, const char *text, amo_diags *d, amo_options **out)
{
  amo_yaml_doc *doc = NULL;
  if (!text) return amo_options_from_yaml(v, NULL, d, out);
  amo_status st = amo_yaml_parse("options", text, strlen(text), d, &doc);
  if (st == AMO_OK) st = amo_options_from_yaml(v, amo_yaml_root(doc), d, out);
  amo_yaml_free(doc);
  return st;
}

/// The model as `set` wants it: *own, or the one that was given.
static amo_status settle(const amo_options *o, const amo_model **m, const amo_values **v, amo_diags *d,
                         amo_model **own)
{
  const amo_setting *set = NULL;
  const size_t n = amo_opt_settings(o, "set", &set);
  if (*v && (*v)->model != *m) return AMO_ERANGE;
  if (n == 0 || !*m) {
    if (!*v && *m) *v = amo_model_values(*m);
    return AMO_OK;
  }
  if (*v)
    return amo_error(d, (amo_at){0}, "change the values, or ask without them",
                     "'set' would take the place of the values that were given");
  amo_status st = amo_model_with(*m, set, n, d, own);
  *m = *own;
  *v = *own ? amo_model_values(*own) : NULL;
  return st == AMO_ELIMIT ? AMO_EINPUT : st;
}

static amo_status needs_model(const amo_verb *v, const amo_model *m, amo_diags *d)
{
  return m || v->subject != AMO_OF_MODEL ? AMO_OK
                                         : amo_error(d, (amo_at){0}, NULL, "%s needs a model", v->name);
}

static amo_status call_verb(const amo_model *m, const amo_values *v, amo_options *o, const amo_ask_opts *opts,
                            amo_diags *d, amo_answer *a)
{
  amo_model *own = NULL;
  watch w = {.opts = opts};
  w.stops = opts->stop ? (volatile sig_atomic_t *)opts->stop : &w.stop;
  amo_status st = settle(o, &m, &v, d, &own);
  if (st == AMO_OK) st = amo_options_resolve(o, v, d);
  if (st == AMO_OK) {
    amo_call call = {.model = m,
                     .values = v,
                     .opt = o,
                     .diags = d,
                     .interrupted = w.stops,
                     .progress = opts->progress ? pass_on : NULL,
                     .progress_ctx = &w,
                     .recorded = opts->record ? &a->motion : NULL};
    st = amo_verb_run(a->verb, &call, &a->value);
  }
  amo_model_free(own);
  return st;
}

amo_status amo_ask(const amo_model *m, const amo_values *v, const char *verb, const char *options,
                   const amo_ask_opts *opts, amo_diags *diags, amo_answer **out)
{
  amo_options *o = NULL;
  if (!out) return AMO_ERANGE;
  *out = NULL;
  if (!verb || (v && !m)) return AMO_ERANGE;
  amo_ask_opts all = amo_ask_opts_default();
  amo_status st = amo_opts_take(&all, sizeof all, opts);
  if (st != AMO_OK) return st;
  amo_diags *own = diags ? NULL : amo_diags_new();  // verbs count their own errors
  amo_answer *a = amo_zalloc(1, sizeof *a);
  st = a && (diags || own) ? AMO_OK : AMO_ENOMEM;
  if (!diags) diags = own;
  if (st == AMO_OK) st = find_verb(verb, diags, &a->verb);
  if (st == AMO_OK) st = needs_model(a->verb, m, diags);
  if (st == AMO_OK) st = read_options(a->verb, options, diags, &o);
  if (st == AMO_OK) st = call_verb(m, v, o, &all, diags, a);
  amo_options_free(o);
  amo_diags_free(own);
  if (a && a->value)
    *out = a;
  else
    amo_answer_free(a);
  return st;
}

void amo_answer_free(amo_answer *a)
{
  if (!a) return;
  for (size_t i = 0; i < a->lists; i++) free(a->list[i]);
  free(a->list);
  free(a->text);
  amo_trajectory_free(a->motion);
  cJSON_Delete(a->value);
  free(a);
}

// ---- looking at an answer ----

const char *amo_answer_json(amo_answer *a)
{
  if (a && !a->text) a->text = amo_json_print(a->value);
  return a ? a->text : NULL;
}

char *amo_answer_print(const amo_answer *a, int width)
{
  char *text = NULL;
  size_t size = 0;
  cJSON *shown = a ? cJSON_Duplicate(a->value, true) : NULL;
  FILE *f = shown ? open_memstream(&text, &size) : NULL;
  if (f) {
    amo_show_json(shown);
    a->verb->print(shown, f, width);
  }
  cJSON_Delete(shown);
  if (!f) return NULL;
  if (fclose(f) == 0) return text;
  free(text);
  return NULL;
}

/// `scratch` owns lists that the path makes; the caller deletes it when it has read them.
static const cJSON *find(const amo_answer *a, const char *path, cJSON *scratch)
{
  const cJSON *v = NULL;
  size_t used = 0;
  amo_json_path p = {.root = a ? a->value : NULL, .scratch = scratch};
  if (!p.root || !path || amo_json_path_follow(&p, path, (amo_at){0}, NULL, &used, &v) != AMO_OK ||
      path[used])
    return NULL;
  return v;
}

double amo_answer_number(const amo_answer *a, const char *path)
{
  cJSON *scratch = cJSON_CreateArray();
  const cJSON *v = find(a, path, scratch);
  const double x = cJSON_IsNumber(v) ? v->valuedouble : NAN;
  cJSON_Delete(scratch);
  return x;
}

const char *amo_answer_text(const amo_answer *a, const char *path)
{
  cJSON *scratch = cJSON_CreateArray();
  const cJSON *v = find(a, path, scratch);
  const char *text = cJSON_IsString(v)  ? v->valuestring
                     : cJSON_IsTrue(v)  ? "true"
                     : cJSON_IsFalse(v) ? "false"
                                        : NULL;
  cJSON_Delete(scratch);
  return text;
}

size_t amo_answer_count(const amo_answer *a, const char *path)
{
  cJSON *scratch = cJSON_CreateArray();
  const cJSON *v = find(a, path, scratch);
  const size_t n = cJSON_IsArray(v) || cJSON_IsObject(v) ? (size_t)cJSON_GetArraySize(v) : 0;
  cJSON_Delete(scratch);
  return n;
}

static amo_status copy_numbers(const cJSON *v, double *to, size_t *count)
{
  const cJSON *x = NULL;
  cJSON_ArrayForEach(x, v)
  {
    if (!cJSON_IsNumber(x) && !cJSON_IsNull(x)) return AMO_ENOANSWER;
    to[(*count)++] = cJSON_IsNumber(x) ? x->valuedouble : NAN;
  }
  return AMO_OK;
}

amo_status amo_answer_numbers(amo_answer *a, const char *path, const double **out, size_t *count)
{
  if (!out || !count) return AMO_ERANGE;
  *out = NULL, *count = 0;
  cJSON *scratch = cJSON_CreateArray();
  const cJSON *v = find(a, path, scratch);
  amo_status st = cJSON_IsArray(v) ? AMO_OK : AMO_ENOANSWER;
  double *list = st == AMO_OK ? amo_zalloc((size_t)cJSON_GetArraySize(v), sizeof *list) : NULL;
  if (st == AMO_OK && (!list || !AMO_ROOM(a->list, a->lists, a->list_cap))) st = AMO_ENOMEM;
  if (st == AMO_OK) st = copy_numbers(v, list, count);
  cJSON_Delete(scratch);
  if (st != AMO_OK) {
    free(list);
    *count = 0;
    return st;
  }
  *out = a->list[a->lists++] = list;
  return AMO_OK;
}

size_t amo_answer_columns(const amo_answer *a)
{
  return a && a->motion ? a->motion->columns : 0;
}

amo_answer_column amo_answer_column_at(const amo_answer *a, size_t i)
{
  if (i >= amo_answer_columns(a)) return (amo_answer_column){0};
  const amo_column *c = &a->motion->column[i];
  return (amo_answer_column){c->name, c->unit, c->value, a->motion->rows};
}
