// SPDX-License-Identifier: Apache-2.0
#include "study/map_probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "expr/parse.h"
#include "model/complete.h"
#include "study/json.h"
#include "study/json_path.h"
#include "study/number.h"
#include "study/options_impl.h"
#include "study/sim_options.h"
#include "study/solutions_json.h"

// ---- axes ----

static const char *axis_name(void *ctx, size_t i)
{
  const amo_model *m = ctx;
  if (i < amo_model_parameters(m)) return amo_model_parameter(m, i).name;
  i -= amo_model_parameters(m);
  return i < amo_model_states(m) ? amo_model_state(m, i).name : NULL;
}

static amo_status find_name(const amo_call *call, const char *option, amo_axis *a)
{
  const amo_model *m = call->model;
  long state = amo_model_find_state(m, a->name);
  for (size_t i = 0; i < amo_model_parameters(m); i++) {
    if (strcmp(amo_model_parameter(m, i).name, a->name) != 0) continue;
    a->kind = AMO_AXIS_PARAMETER;
    a->index = i;
    if (m->param[i].expr == AMO_NODE_NONE) return AMO_OK;
    return amo_error(call->diags, (amo_at){0}, "set it to a number with --set, or vary what it is made of",
                     "--%s: '%s' follows from other parameters", option, a->name);
  }
  if (state >= 0 || !strcmp(a->name, "t")) {
    a->kind = state >= 0 ? AMO_AXIS_STATE : AMO_AXIS_TIME;
    a->index = state >= 0 ? (size_t)state : 0;
    return AMO_OK;
  }
  const char *near = amo_nearest(a->name, strlen(a->name), axis_name, (void *)(uintptr_t)m);
  if (near)
    return amo_error(call->diags, (amo_at){0}, NULL, "--%s: the model has no '%s'; did you mean '%s'?",
                     option, a->name, near);
  return amo_error(call->diags, (amo_at){0}, NULL, "--%s: the model has no parameter or state '%s'", option,
                   a->name);
}

/// Do the requirements of the model hold with this value of a parameter?
static bool allowed_at(const amo_values *v, size_t index, double x)
{
  const amo_model *m = v->model;
  double *value = amo_zalloc(m->np + 1u, sizeof *value);
  if (!value) return true;
  memcpy(value, v->param, m->np * sizeof *value);
  value[index] = x;
  bool allowed = amo_values_follow(&(amo_values){m, value, NULL, 0.0});
  free(value);
  return allowed;
}

/// The loader knows the bounds of parameters: ask it at an end of the range.
static amo_status check_end(const amo_call *call, const amo_axis *a, double x)
{
  const amo_setting *set = NULL;
  size_t n = amo_opt_settings(call->opt, "set", &set);
  amo_model *m = NULL;
  char text[32];
  if (call->depth > 0) return AMO_OK;  // the values at hand are not those of the file
  if (!call->model_path || !*call->model_path || !strncmp(call->model_path, "/dev/", 5)) return AMO_OK;
  if (!allowed_at(call->values, a->index, x)) return AMO_OK;  // no answer there, and that is one
  amo_setting *all = amo_zalloc(n + 1, sizeof *all);
  if (!all) return AMO_ENOMEM;
  if (n) memcpy(all, set, n * sizeof *all);
  amo_number_text(x, text);
  all[n] = (amo_setting){a->name, text};
  amo_status st = amo_model_load(call->model_path, all, n + 1, NULL, &m);
  if (st != AMO_OK) st = amo_model_load(call->model_path, all, n + 1, call->diags, &m);
  amo_model_free(m);
  free(all);
  return st;
}

amo_status amo_axis_read(const amo_call *call, const char *option, const char *text, amo_axis *out)
{
  const char *equal = text ? strchr(text, '=') : NULL, *colon = equal ? strchr(equal, ':') : NULL;
  char from[256];
  *out = (amo_axis){0};
  if (!colon || equal == text || (size_t)(equal - text) >= sizeof out->name ||
      (size_t)(colon - equal) > sizeof from)
    return amo_error(call->diags, (amo_at){0}, NULL, "--%s needs NAME=FROM:TO, got '%s'", option,
                     text ? text : "");
  size_t name = (size_t)(equal - text);
  while (name > 0 && text[name - 1] == ' ') name--;
  while (name > 0 && *text == ' ') text++, name--;
  memcpy(out->name, text, name);
  memcpy(from, equal + 1, (size_t)(colon - equal - 1));
  from[colon - equal - 1] = '\0';
  amo_status st = find_name(call, option, out);
  if (st == AMO_OK) st = amo_number_eval(from, (amo_at){0}, call->values, call->diags, &out->from);
  if (st == AMO_OK) st = amo_number_eval(colon + 1, (amo_at){0}, call->values, call->diags, &out->to);
  if (st == AMO_OK && !(isfinite(out->from) && isfinite(out->to) && out->from < out->to))
    st =
        amo_error(call->diags, (amo_at){0}, NULL, "--%s: the range must ascend, got '%s'", option, equal + 1);
  if (st == AMO_OK && out->kind == AMO_AXIS_PARAMETER) st = check_end(call, out, out->from);
  if (st == AMO_OK && out->kind == AMO_AXIS_PARAMETER) st = check_end(call, out, out->to);
  return st;
}

double amo_axis_value(const amo_axis *a, size_t i, size_t n)
{
  if (i == 0 || n < 2) return a->from;
  if (i == n - 1) return a->to;
  double f = (double)i / (double)(n - 1);
  return a->from * (1.0 - f) + a->to * f;
}

// ---- making a probe ----

static amo_status take_options(amo_probe *p, amo_diags *diags)
{
  const amo_setting *with = NULL;
  size_t n = amo_opt_settings(p->call->opt, "with", &with);
  amo_status st = AMO_OK;
  p->opt = amo_options_new(p->verb->opts);
  if (!p->opt) return AMO_ENOMEM;
  for (size_t i = 0; i < n && st == AMO_OK; i++) {
    amo_opt_value *v = amo_options_value(p->opt, with[i].name);
    if (v && v->def->type == AMO_OPT_FILE)
      st = amo_error(diags, (amo_at){0}, NULL, "--with: '%s' would write the same file again and again",
                     with[i].name);
    else
      st = v ? amo_opt_store(p->opt, v, with[i].text, (amo_at){0}, diags)
             : amo_opt_unknown(p->opt, with[i].name, "", (amo_at){0}, diags);
  }
  return st == AMO_OK ? amo_options_resolve(p->opt, p->call->values, diags) : st;
}

static amo_status find_verb(amo_probe *p, const char *of, amo_diags *diags)
{
  const char *dot = strchr(of, '.');
  const size_t length = dot ? (size_t)(dot - of) : strlen(of);
  char name[64] = "";
  if (length < sizeof name) memcpy(name, of, length);
  p->verb = amo_verb_find(name);
  p->path = dot && dot[1] ? dot + 1 : p->verb && !dot ? p->verb->main : NULL;
  if (!p->path || !p->verb)
    return amo_error(diags, (amo_at){0},
                     "for instance rest.verdict, contact.class, contact.count, rest.margin",
                     "--of needs VERB.VALUE as in the verb's --json, got '%s'", of);
  if (!strcmp(name, "map") || (!strcmp(name, "limits") && p->call->depth > 0))
    return amo_error(diags, (amo_at){0}, "limits may be asked of limits, once: --of limits.count",
                     "--of: '%s' cannot be asked here", name);
  for (size_t i = 0; i < p->axes; i++)
    if (p->axis[i].kind == AMO_AXIS_TIME && !amo_opt_find(p->verb->opts, "time"))
      return amo_error(diags, (amo_at){0}, NULL, "'%s' has no option 'time', so t cannot be varied", name);
  return AMO_OK;
}

/// A question about rest has no answer that could depend on a velocity.
static amo_status refuse_motion(const amo_probe *p, amo_diags *diags)
{
  const amo_model *m = p->call->model;
  if (!p->verb->at_rest) return AMO_OK;
  for (size_t i = 0; i < p->axes; i++)
    if (p->axis[i].kind == AMO_AXIS_STATE && p->axis[i].index >= m->nq && p->axis[i].index < 2 * m->nq)
      return amo_error(diags, (amo_at){0}, "vary a coordinate or a parameter, or ask 'contact'",
                       "%s asks about a mechanism at rest, so %s cannot be varied", p->verb->name,
                       p->axis[i].name);
  return amo_motion_refuse(p->call, p->verb->name, p->state);
}

/// "L.NAME" of a contact whose reaction is found.
static bool of_contact(amo_probe *p, const char *key)
{
  const amo_model *m = p->call->model;
  size_t n = strlen(key);
  if (strncmp(p->path, key, n) != 0 || p->path[n] != '.') return false;
  for (p->contact = 0; p->contact < m->nc; p->contact++)
    if (m->contact[p->contact].kind == AMO_GUIDE && !strcmp(m->contact[p->contact].sym.name, p->path + n + 1))
      return true;
  return false;
}

/// Values that need no JSON.
static amo_status make_fast(amo_probe *p)
{
  if (!strcmp(p->verb->name, "simulate") && !strcmp(p->path, "long_time") && !p->watch)
    return amo_long_times_new(&p->values, p->opt, &p->fates);
  if (strcmp(p->verb->name, "contact") != 0 || p->watch) return AMO_OK;
  p->fast = !strcmp(p->path, "class")   ? AMO_PROBE_CLASS
            : !strcmp(p->path, "count") ? AMO_PROBE_COUNT
            : of_contact(p, "L")        ? AMO_PROBE_L
            : of_contact(p, "mu_L")     ? AMO_PROBE_MU_L
            : of_contact(p, "R0")       ? AMO_PROBE_R0
                                        : AMO_PROBE_JSON;
  return p->fast == AMO_PROBE_JSON ? AMO_OK : amo_batch_new(p->call->model, &p->batch);
}

/// Does the question name its time? Otherwise it is that of the initial state, which may move with parameters.
static bool timed(const amo_probe *p)
{
  return amo_opt_find(p->verb->opts, "time") && amo_opt_given(p->opt, "time");
}

amo_status amo_probe_new(const amo_call *call, const char *of, const amo_axis *axis, size_t axes, bool watch,
                         amo_diags *diags, amo_probe **out)
{
  const amo_model *m = call->model;
  const amo_setting *at = NULL;
  size_t ns = amo_model_states(m);
  amo_probe *p = *out = amo_zalloc(1, sizeof *p);
  if (!p) return AMO_ENOMEM;
  p->call = call;
  p->axes = axes;
  memcpy(p->axis, axis, axes * sizeof *axis);
  p->watch = watch;
  p->allowed = true;
  p->at = amo_opt_settings(call->opt, "at", &at) > 0;
  p->param = amo_zalloc(m->np, sizeof *p->param);
  p->param_scratch = amo_zalloc(m->np, sizeof *p->param);
  p->start = amo_zalloc(ns, sizeof *p->start);
  p->state = amo_zalloc(ns, sizeof *p->state);
  p->whole = amo_zalloc(ns, sizeof *p->whole);
  p->given = amo_zalloc(ns, sizeof *p->given);
  amo_status st =
      p->param && p->param_scratch && p->start && p->state && p->whole && p->given ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK) {
    memcpy(p->param, call->values->param, m->np * sizeof *p->param);
    p->values = (amo_values){m, p->param, p->start, 0.0};
    amo_values_follow(&p->values);  // not completed: every cell begins alike, whatever was asked before
    st = amo_state_values(&p->values, call->opt, diags, p->state, p->given);
  }
  for (size_t i = 0; st == AMO_OK && i < axes; i++)
    if (axis[i].kind == AMO_AXIS_STATE) p->given[axis[i].index] = true;
  if (st == AMO_OK && amo_complete_needed(m)) st = amo_complete_new(m, &p->complete);
  if (st == AMO_OK) st = find_verb(p, of, diags);
  if (st == AMO_OK) st = refuse_motion(p, diags);
  if (st == AMO_OK) st = take_options(p, diags);
  if (st == AMO_OK) p->t = timed(p) ? amo_opt_number(p->opt, "time") : p->values.t0;
  if (st == AMO_OK) st = make_fast(p);
  if (st == AMO_OK) return AMO_OK;
  amo_probe_free(p);
  *out = NULL;
  return st;
}

void amo_probe_free(amo_probe *p)
{
  if (!p) return;
  amo_batch_free(p->batch);
  amo_long_times_free(p->fates);
  amo_options_free(p->opt);
  free(p->param);
  free(p->param_scratch);
  free(p->start);
  free(p->state);
  free(p->whole);
  free(p->given);
  amo_complete_free(p->complete);
  free(p);
}

// ---- reading ----

/// Parameters, then the initial state that follows from them, then --at, then states and time of the axes.
static amo_status move(amo_probe *p, const double *value, amo_diags *diags)
{
  bool parameter = false, changed = false;
  for (size_t i = 0; i < p->axes; i++) {
    const amo_axis *a = &p->axis[i];
    if (a->kind != AMO_AXIS_PARAMETER) continue;
    parameter = true;
    changed |= p->param[a->index] != value[i];
    p->param[a->index] = value[i];
  }
  amo_status st = AMO_OK;
  if (parameter && changed) {
    p->values.initial = p->start;
    p->allowed = amo_values_follow(&p->values);
    if (!timed(p)) p->t = p->values.t0;
    st = amo_state_values(&p->values, p->call->opt, diags, p->state, p->given);
  }
  for (size_t i = 0; i < p->axes; i++) {
    if (p->axis[i].kind == AMO_AXIS_STATE) p->state[p->axis[i].index] = value[i];
    if (p->axis[i].kind != AMO_AXIS_TIME) continue;
    p->t = value[i];
    amo_opt_value *v = amo_options_value(p->opt, "time");
    v->given = true;
    v->number = value[i];
  }
  size_t ns = amo_model_states(p->call->model);
  memcpy(p->whole, p->state, ns * sizeof *p->whole);
  p->values.initial = p->whole;
  if (st == AMO_OK && p->complete) st = amo_complete_state(p->complete, p->param, p->t, p->whole, p->given);
  return st;
}

static void read_value(const cJSON *v, amo_reading *out)
{
  out->kind = AMO_READ_TEXT;
  if (cJSON_IsNumber(v)) {
    out->kind = AMO_READ_NUMBER;
    out->number = v->valuedouble;
    out->measured = amo_json_is_measured(v);
  } else if (cJSON_IsString(v)) {
    snprintf(out->text, sizeof out->text, "%s", v->valuestring);
  } else if (cJSON_IsBool(v)) {
    snprintf(out->text, sizeof out->text, "%s", cJSON_IsTrue(v) ? "true" : "false");
  } else if (cJSON_IsNull(v)) {
    snprintf(out->text, sizeof out->text, "null");
  } else {
    out->kind = AMO_READ_FAILED;
  }
  for (char *c = out->text; *c; c++)
    if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = ' ';
}

static void watch(amo_reading *r, double x)
{
  if (r->watched < AMO_PROBE_WATCH) r->watch[r->watched++] = x;
}

static void read_watched(const cJSON *result, amo_reading *r)
{
  const cJSON *c = NULL;
  watch(r, r->kind == AMO_READ_NUMBER && r->measured ? r->number : NAN);
  watch(r, amo_json_get(result, "growth"));  // of steady motion
  cJSON_ArrayForEach(c, cJSON_GetObjectItemCaseSensitive(result, "contacts"))
  {
    if (!cJSON_IsObject(c)) continue;
    watch(r, amo_json_get(c, "mu_L") - 1.0);
    watch(r, amo_json_get(c, "R0"));
    watch(r, amo_json_get(c, "margin"));
    watch(r, amo_json_get(c, "reaction"));
  }
}

/// What is looked at may have a margin of its own beside it (points.crank.class, points.crank.margin).
static void read_beside(const amo_probe *p, amo_json_path *path, amo_at at, amo_reading *r)
{
  char text[256];
  const char *dot = strrchr(p->path, '.');
  const cJSON *v = NULL;
  size_t used = 0;
  double margin = NAN;
  if (dot && (size_t)(dot - p->path) < sizeof text - 8) {
    snprintf(text, sizeof text, "%.*s.margin", (int)(dot - p->path), p->path);
    if (amo_json_path_follow(path, text, at, NULL, &used, &v) == AMO_OK && !text[used] && cJSON_IsNumber(v))
      margin = v->valuedouble;
  }
  watch(r, margin);
}

/// A solution ends where one of its reactions or accelerations passes zero.
static void read_branches(const cJSON *result, amo_reading *r)
{
  const cJSON *s = NULL, *x = NULL;
  cJSON_ArrayForEach(s, cJSON_GetObjectItemCaseSensitive(result, "solutions"))
  {
    const cJSON *group[2] = {cJSON_GetObjectItemCaseSensitive(s, "reactions"),
                             cJSON_GetObjectItemCaseSensitive(s, "accelerations")};
    for (int i = 0; i < 2; i++)
      cJSON_ArrayForEach(x, group[i]) if (r->branches < AMO_PROBE_BRANCH) r->branch[r->branches++] =
          cJSON_IsNumber(x) ? x->valuedouble : NAN;
  }
}

static void read_json(amo_probe *p, amo_diags *diags, amo_reading *out)
{
  amo_call call = *p->call;
  cJSON *result = NULL;
  call.values = &p->values;
  call.opt = p->opt;
  call.diags = diags;
  call.progress = NULL;
  call.depth++;
  amo_status st = amo_verb_run(p->verb, &call, &result);
  out->unsound = st == AMO_EAUDIT && strncmp(p->path, "audit.", 6) != 0;  // who asks for the audit gets it
  if (result && st != AMO_EINTR) {
    const cJSON *v = NULL;
    size_t used = 0;
    amo_json_path path = {.root = result, .scratch = cJSON_CreateArray()};
    amo_at at = {.file = diags ? amo_diags_source(diags, "--of", p->path, strlen(p->path)) : NULL,
                 .line = 1,
                 .column = 1};
    st = amo_json_path_follow(&path, p->path, at, diags, &used, &v);
    if (st == AMO_OK && p->path[used])
      st = amo_error(diags, at, NULL, "--of: '%s' leads to nothing", p->path);
    if (st == AMO_OK) {
      read_value(v, out);
      if (out->kind == AMO_READ_FAILED)
        amo_error(diags, at, NULL, "--of needs a text, a number or a boolean; '%s' is a list or a group",
                  p->path);
    }
    out->missing = st != AMO_OK || out->kind == AMO_READ_FAILED;
    if (p->watch) {
      read_beside(p, &path, at, out);
      read_watched(result, out);
      read_branches(result, out);
    }
    cJSON_Delete(path.scratch);
  }
  cJSON_Delete(result);
}

static void read_number(double x, amo_reading *out)
{
  out->kind = isfinite(x) ? AMO_READ_NUMBER : AMO_READ_TEXT;
  out->number = isfinite(x) ? x : NAN;
  out->measured = true;
  if (!isfinite(x)) strcpy(out->text, "null");
}

static void read_fast(amo_probe *p, size_t lane, amo_reading *out)
{
  static const char *const name[] = {"unique", "several", "none", "degenerate"};
  const amo_solutions *s = NULL;
  if (amo_batch_solutions(p->batch, lane, &s) != AMO_OK) return;
  const amo_influence *f = &s->influence[p->contact];
  switch (p->fast) {
    case AMO_PROBE_COUNT:
      read_number((double)s->count, out);
      out->measured = false;
      break;
    case AMO_PROBE_L: read_number(f->L, out); break;
    case AMO_PROBE_MU_L: read_number(f->mu * fabs(f->L), out); break;
    case AMO_PROBE_R0: read_number(f->R0, out); break;
    default: out->kind = AMO_READ_TEXT; strcpy(out->text, name[s->kind]);
  }
}

static void clear(amo_reading *out)
{
  out->kind = AMO_READ_FAILED;
  out->missing = out->unsound = out->measured = false;
  out->number = NAN;
  out->watched = out->branches = 0;
  out->text[0] = '\0';
}

size_t amo_probe_chunk(const amo_probe *p)
{
  return p->fates ? AMO_LONG_TIMES : AMO_LANES;
}

static void read_fates(amo_probe *p, const double *value, size_t n, amo_reading *out)
{
  const char *word[AMO_LONG_TIMES];
  for (size_t i = 0; i < n; i++) {
    bool there = move(p, value + i * p->axes, NULL) == AMO_OK && p->allowed;
    clear(&out[i]);
    snprintf(out[i].text, sizeof out[i].text, "%s", there ? "" : "no answer");
    amo_long_times_put(p->fates, i, p->param, p->whole);
  }
  amo_long_times_run(p->fates, n, p->call->interrupted, word);
  for (size_t i = 0; i < n; i++) {
    if (*out[i].text || !word[i]) {
      snprintf(out[i].text, sizeof out[i].text, "no answer");
      continue;
    }
    out[i].kind = AMO_READ_TEXT;
    snprintf(out[i].text, sizeof out[i].text, "%s", word[i]);
  }
}

void amo_probe_read_lanes(amo_probe *p, const double *value, size_t n, amo_reading *out)
{
  bool there[AMO_LANES];
  if (p->fates) {
    read_fates(p, value, n, out);
    return;
  }
  if (p->fast == AMO_PROBE_JSON) {
    for (size_t i = 0; i < n; i++) amo_probe_read(p, value + i * p->axes, NULL, &out[i]);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    there[i] = move(p, value + i * p->axes, NULL) == AMO_OK && p->allowed;
    amo_batch_put(p->batch, i, p->t, p->param, p->whole);
  }
  amo_batch_evaluate(p->batch, n);
  for (size_t i = 0; i < n; i++) {
    clear(&out[i]);
    if (there[i]) read_fast(p, i, &out[i]);
    if (out[i].kind == AMO_READ_FAILED) strcpy(out[i].text, "no answer");
  }
}

void amo_probe_read(amo_probe *p, const double *value, amo_diags *diags, amo_reading *out)
{
  if (p->fast != AMO_PROBE_JSON || p->fates) {
    amo_probe_read_lanes(p, value, 1, out);
    return;
  }
  clear(out);
  if (move(p, value, diags) == AMO_OK && p->allowed) read_json(p, diags, out);
  if (out->kind == AMO_READ_FAILED) strcpy(out->text, "no answer");
}
