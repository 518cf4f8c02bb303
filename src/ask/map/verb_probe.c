// SPDX-License-Identifier: Apache-2.0
#include "ask/map/verb_probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "explore/contact/batch.h"
#include "model/complete.h"
#include "model/yaml.h"
#include "result/json.h"
#include "result/json_path.h"
#include "ask/map/map_long_time.h"
#include "ask/options_impl.h"
#include "ask/sim_options.h"
#include "ask/contact/solutions_json.h"

/// What stands behind a probe of a verb. The model is shared; a probe has its own values.
typedef struct asker {
  amo_call call;  // the question around it: model, values, --at and --with
  const char *of;
  amo_values values;                      // what the verb is asked with: param, whole
  amo_values place;                       // the same, with the time of the question
  double *param, *start, *state, *whole;  // whole: the state with what follows from guides and constraints
  bool *given;                            // [states] chosen by an axis or by --at
  double t;
  const amo_verb *verb;
  const char *path;  // of the value in the verb's result
  amo_options *opt;
  amo_axis axis[AMO_PROBE_AXES];
  size_t axes;
  bool watch, allowed;     // allowed: the requirements of the model are met
  amo_complete *complete;  // NULL: nothing follows
  enum { BY_JSON, BY_CLASS, BY_COUNT, BY_L, BY_MU_L, BY_R0 } fast;
  uint32_t contact;  // of L, mu_L, R0
  amo_batch *batch;  // of the fast ones, and places of its lanes, each with the time of its question
  amo_values lane[AMO_LANES];
  bool there[AMO_LANES];  // the model allows them
  double *lanes;          // the memory of all of them
  amo_long_times *fates;  // long-time states; NULL: not asked for
  struct backing *kept;   // what stands behind `call`, where nobody else keeps it
} asker;

typedef struct backing {
  amo_options *opt;
  char of[];
} backing;

// ---- making a probe ----

static amo_status take_options(asker *p, amo_diags *diags)
{
  const amo_setting *with = NULL;
  size_t n = amo_opt_settings(p->call.opt, "with", &with);
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
  return st == AMO_OK ? amo_options_resolve(p->opt, p->call.values, diags) : st;
}

static amo_status find_verb(asker *p, const char *of, amo_diags *diags)
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
  if (!strcmp(name, "map") || (!strcmp(name, "limits") && p->call.depth > 0))
    return amo_error(diags, (amo_at){0}, "limits may be asked of limits, once: --of limits.count",
                     "--of: '%s' cannot be asked here", name);
  for (size_t i = 0; i < p->axes; i++)
    if (p->axis[i].kind == AMO_AXIS_TIME && !amo_opt_find(p->verb->opts, "time"))
      return amo_error(diags, (amo_at){0}, NULL, "'%s' has no option 'time', so t cannot be varied", name);
  return AMO_OK;
}

/// A question about rest has no answer that could depend on a velocity.
static amo_status refuse_motion(const asker *p, amo_diags *diags)
{
  const amo_model *m = p->call.model;
  if (!p->verb->at_rest) return AMO_OK;
  for (size_t i = 0; i < p->axes; i++)
    if (p->axis[i].kind == AMO_AXIS_STATE && p->axis[i].index >= m->nq && p->axis[i].index < 2 * m->nq)
      return amo_error(diags, (amo_at){0}, "vary a coordinate or a parameter, or ask 'contact'",
                       "%s asks about a mechanism at rest, so %s cannot be varied", p->verb->name,
                       p->axis[i].name);
  return amo_motion_refuse(&p->call, p->verb->name, p->state);
}

/// "L.NAME" of a contact whose reaction is found.
static bool of_contact(asker *p, const char *key)
{
  const amo_model *m = p->call.model;
  size_t n = strlen(key);
  if (strncmp(p->path, key, n) != 0 || p->path[n] != '.') return false;
  for (p->contact = 0; p->contact < m->nc; p->contact++)
    if (m->contact[p->contact].kind == AMO_GUIDE && !strcmp(m->contact[p->contact].sym.name, p->path + n + 1))
      return true;
  return false;
}

static amo_status make_lanes(asker *p)
{
  const amo_model *m = p->call.model;
  const size_t ns = amo_model_states(m);
  p->lanes = amo_zalloc(AMO_LANES * (m->np + ns), sizeof *p->lanes);
  if (!p->lanes) return AMO_ENOMEM;
  for (size_t l = 0; l < AMO_LANES; l++) {
    double *own = p->lanes + l * (m->np + ns);
    p->lane[l] = (amo_values){m, own, own + m->np, 0.0};
  }
  return amo_batch_new(m, &p->batch);
}

/// Values that need no JSON.
static amo_status make_fast(asker *p)
{
  if (!strcmp(p->verb->name, "simulate") && !strcmp(p->path, "long_time") && !p->watch)
    return amo_long_times_new(&p->values, p->opt, &p->fates);
  if (strcmp(p->verb->name, "contact") != 0 || p->watch) return AMO_OK;
  p->fast = !strcmp(p->path, "class")   ? BY_CLASS
            : !strcmp(p->path, "count") ? BY_COUNT
            : of_contact(p, "L")        ? BY_L
            : of_contact(p, "mu_L")     ? BY_MU_L
            : of_contact(p, "R0")       ? BY_R0
                                        : BY_JSON;
  return p->fast == BY_JSON ? AMO_OK : make_lanes(p);
}

/// Does the question name its time? Otherwise it is that of the initial state, which may move with parameters.
static bool timed(const asker *p)
{
  return amo_opt_find(p->verb->opts, "time") && amo_opt_given(p->opt, "time");
}

static amo_status take_memory(asker *p)
{
  const size_t ns = amo_model_states(p->call.model), np = p->call.model->np;
  p->param = amo_zalloc(np, sizeof *p->param);
  p->start = amo_zalloc(ns, sizeof *p->start);
  p->state = amo_zalloc(ns, sizeof *p->state);
  p->whole = amo_zalloc(ns, sizeof *p->whole);
  p->given = amo_zalloc(ns, sizeof *p->given);
  return p->param && p->start && p->state && p->whole && p->given ? AMO_OK : AMO_ENOMEM;
}

static amo_status prepare(asker *p, amo_diags *diags)
{
  const amo_model *m = p->call.model;
  amo_status st = take_memory(p);
  if (st == AMO_OK) {
    memcpy(p->param, p->call.values->param, m->np * sizeof *p->param);
    p->values = (amo_values){m, p->param, p->start, 0.0};
    amo_values_follow(&p->values);  // not completed: every cell begins alike, whatever was asked before
    st = amo_state_values(&p->values, p->call.opt, diags, p->state, p->given);
  }
  for (size_t i = 0; st == AMO_OK && i < p->axes; i++)
    if (p->axis[i].kind == AMO_AXIS_STATE) p->given[p->axis[i].index] = true;
  if (st == AMO_OK && amo_complete_needed(m)) st = amo_complete_new(m, &p->complete);
  if (st == AMO_OK) st = find_verb(p, p->of, diags);
  if (st == AMO_OK) st = refuse_motion(p, diags);
  if (st == AMO_OK) st = take_options(p, diags);
  if (st == AMO_OK) p->t = timed(p) ? amo_opt_number(p->opt, "time") : p->values.t0;
  return st == AMO_OK ? make_fast(p) : st;
}

static void free_asker(void *ctx)
{
  asker *p = ctx;
  if (!p) return;
  amo_batch_free(p->batch);
  free(p->lanes);
  amo_long_times_free(p->fates);
  amo_options_free(p->opt);
  free(p->param);
  free(p->start);
  free(p->state);
  free(p->whole);
  free(p->given);
  amo_complete_free(p->complete);
  if (p->kept) amo_options_free(p->kept->opt);
  free(p->kept);
  free(p);
}

// ---- reading ----

/// Parameters, then the initial state that follows from them, then --at, then states and time of the axes.
static amo_status move(asker *p, const double *value, amo_diags *diags)
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
    st = amo_state_values(&p->values, p->call.opt, diags, p->state, p->given);
  }
  for (size_t i = 0; i < p->axes; i++) {
    if (p->axis[i].kind == AMO_AXIS_STATE) p->state[p->axis[i].index] = value[i];
    if (p->axis[i].kind != AMO_AXIS_TIME) continue;
    p->t = value[i];
    amo_opt_value *v = amo_options_value(p->opt, "time");
    v->given = true;
    v->number = value[i];
  }
  size_t ns = amo_model_states(p->call.model);
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
static void read_beside(const asker *p, amo_json_path *path, amo_at at, amo_reading *r)
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

static void read_json(asker *p, amo_diags *diags, amo_reading *out)
{
  amo_call call = p->call;
  cJSON *result = NULL;
  call.values = &p->values;
  call.opt = p->opt;
  call.diags = diags;
  call.progress = NULL;
  call.recorded = NULL;
  call.wanted = p->watch ? NULL : p->path;
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

static void read_fast(const asker *p, const amo_lane_verdict *v, amo_reading *out)
{
  if (v->status != AMO_OK) return;
  switch (p->fast) {
    case BY_COUNT:
      read_number((double)v->count, out);
      out->measured = false;
      break;
    case BY_L: read_number(v->L, out); break;
    case BY_MU_L: read_number(v->mu * fabs(v->L), out); break;
    case BY_R0: read_number(v->R0, out); break;
    default: out->kind = AMO_READ_TEXT; strcpy(out->text, amo_class_name(v->kind));
  }
}

static void read_fates(asker *p, const double *value, size_t n, amo_reading *out)
{
  const char *word[AMO_LONG_TIMES];
  bool there[AMO_LONG_TIMES];
  for (size_t i = 0; i < n; i++) {
    there[i] = move(p, value + i * p->axes, NULL) == AMO_OK && p->allowed;
    amo_long_times_put(p->fates, i, p->param, p->whole);
  }
  amo_long_times_run(p->fates, n, p->call.interrupted, word);
  for (size_t i = 0; i < n; i++) {
    if (!there[i] || !word[i]) continue;
    out[i].kind = AMO_READ_TEXT;
    snprintf(out[i].text, sizeof out[i].text, "%s", word[i]);
  }
}

/// Parameters of the lanes from the axes, then the initial states that follow; lanes that are left over repeat the last.
static void follow_lanes(asker *p, const double *value, size_t n)
{
  const amo_model *m = p->call.model;
  bool parameter = false;
  for (size_t l = 0; l < AMO_LANES; l++) {
    memcpy(p->lane[l].param, p->param, m->np * sizeof(double));
    for (size_t i = 0; i < p->axes; i++) {
      if (p->axis[i].kind != AMO_AXIS_PARAMETER) continue;
      parameter = true;
      p->lane[l].param[p->axis[i].index] = value[(l < n ? l : n - 1) * p->axes + i];
    }
  }
  if (parameter) {
    amo_values_follow_lanes(p->lane, p->there, amo_batch_start(p->batch));
    return;
  }
  for (size_t l = 0; l < AMO_LANES; l++) {
    memcpy(p->lane[l].initial, p->state, amo_model_states(m) * sizeof(double));
    p->lane[l].t0 = p->values.t0;
    p->there[l] = p->allowed;
  }
}

/// As `move`, in lanes: all of them but for what guides and constraints ask for. The last one is where the probe stands.
static void move_lanes(asker *p, const double *value, size_t n)
{
  const size_t ns = amo_model_states(p->call.model);
  const amo_setting *set = NULL;
  const bool at = amo_opt_settings(p->call.opt, "at", &set) > 0, told = timed(p);
  follow_lanes(p, value, n);
  for (size_t l = 0; l < n; l++) {
    amo_values *v = &p->lane[l];
    memcpy(p->state, v->initial, ns * sizeof(double));
    if (at && amo_state_values(v, p->call.opt, NULL, p->state, p->given) != AMO_OK) p->there[l] = false;
    if (!told) p->t = v->t0;
    for (size_t i = 0; i < p->axes; i++) {
      if (p->axis[i].kind == AMO_AXIS_STATE) p->state[p->axis[i].index] = value[l * p->axes + i];
      if (p->axis[i].kind == AMO_AXIS_TIME) p->t = value[l * p->axes + i];
    }
    memcpy(v->initial, p->state, ns * sizeof(double));
    amo_batch_put(p->batch, l, v->t0 = p->t, v->param, v->initial);
  }
  const amo_values *last = &p->lane[n - 1];
  memcpy(p->param, last->param, p->call.model->np * sizeof(double));
  p->allowed = p->there[n - 1];
}

/// States that violate guides or constraints are completed, and looked at anew.
static void complete_lanes(asker *p, size_t n)
{
  bool anew = false;
  for (size_t l = 0; p->complete && l < n; l++) {
    amo_values *v = &p->lane[l];
    if (amo_complete_holds(p->complete, amo_batch_registers(p->batch, l), AMO_LANES, v->initial)) continue;
    anew = true;
    if (amo_complete_state(p->complete, v->param, v->t0, v->initial, p->given) != AMO_OK) p->there[l] = false;
    amo_batch_put(p->batch, l, v->t0, v->param, v->initial);
  }
  if (anew) amo_batch_evaluate(p->batch, n);
}

static void read_batch(asker *p, const double *value, size_t n, amo_reading *out)
{
  move_lanes(p, value, n);
  amo_batch_evaluate(p->batch, n);
  complete_lanes(p, n);
  memcpy(p->whole, p->lane[n - 1].initial, amo_model_states(p->call.model) * sizeof *p->whole);
  p->values.initial = p->whole;
  amo_lane_verdict verdict[AMO_LANES];
  unsigned there = 0;
  for (size_t i = 0; i < n; i++) there |= (unsigned)p->there[i] << i;
  amo_batch_verdicts(p->batch, there, p->contact, verdict);
  for (size_t i = 0; i < n; i++)
    if (p->there[i]) read_fast(p, &verdict[i], &out[i]);
}

static void read_lanes(void *ctx, const double *value, size_t n, amo_reading *out)
{
  asker *p = ctx;
  if (p->fates)
    read_fates(p, value, n, out);
  else
    read_batch(p, value, n, out);
}

static void read(void *ctx, const double *value, amo_diags *diags, amo_reading *out)
{
  asker *p = ctx;
  if (p->fates || p->batch)
    read_lanes(p, value, 1, out);
  else if (move(p, value, diags) == AMO_OK && p->allowed)
    read_json(p, diags, out);
}

static const amo_values *place(void *ctx)
{
  asker *p = ctx;
  p->place = (amo_values){p->call.model, p->param, p->values.initial, p->t};
  return &p->place;
}

// ---- probes ----

/// Verdicts that follow from the set of solutions.
static bool is_decided(const asker *p)
{
  static const char *const rest[] = {"verdict", "direction", "margin", NULL};
  static const char *const contact[] = {"class", "count", "chosen", "border", "zero_reaction", NULL};
  const char *const *known = !strcmp(p->verb->name, "rest")      ? rest
                             : !strcmp(p->verb->name, "contact") ? contact
                                                                 : NULL;
  for (size_t i = 0; known && known[i]; i++)
    if (!strcmp(known[i], p->path)) return true;
  return false;
}

static unsigned long long hash_settings(unsigned long long h, const amo_options *o, const char *name)
{
  const amo_setting *set = NULL;
  size_t n = amo_opt_settings(o, name, &set);
  h = amo_hash_text(h, name);
  for (size_t i = 0; i < n; i++) h = amo_hash_text(amo_hash_text(h, set[i].name), set[i].text);
  return h;
}

static unsigned long long identity(const amo_call *c)
{
  const amo_model_source *source = &c->model->source;
  unsigned long long h = amo_hash(amo_hash_text(AMO_HASH, AMO_VERSION), source->text, source->size);
  h = amo_hash_text(h, amo_model_name(c->model));
  h = hash_settings(hash_settings(hash_settings(h, c->opt, "set"), c->opt, "at"), c->opt, "with");
  return amo_hash(h, c->values->param, c->model->np * sizeof(double));
}

static amo_status copy(const amo_probe *p, amo_probe *out)
{
  const asker *from = p->ctx;
  return amo_verb_probe(&from->call, p->of, p->axis, p->axes, from->watch, NULL, out);
}

amo_status amo_verb_probe(const amo_call *call, const char *of, const amo_axis *axis, size_t axes, bool watch,
                          amo_diags *diags, amo_probe *out)
{
  asker *p = amo_zalloc(1, sizeof *p);
  if (!p) return AMO_ENOMEM;
  p->call = *call;
  p->call.ranks = NULL;  // they share out the cells, not the work of one
  p->of = of;
  p->axes = axes;
  memcpy(p->axis, axis, axes * sizeof *axis);
  p->watch = watch;
  p->allowed = true;
  amo_status st = prepare(p, diags);
  if (st != AMO_OK) {
    free_asker(p);
    return st;
  }
  *out = (amo_probe){.of = of, .axes = axes, .ctx = p, .read = read, .copy = copy, .free = free_asker};
  memcpy(out->axis, axis, axes * sizeof *axis);
  if (p->fates || p->batch) out->read_lanes = read_lanes;
  out->lanes = p->fates ? AMO_LONG_TIMES : p->batch ? AMO_LANES : 1;
  out->place = place;
  out->decided = is_decided(p);
  out->at_rest = p->verb->at_rest;
  out->identity = identity(call);
  return AMO_OK;
}

// ---- for those who have no call ----

static amo_status read_options(const char *text, const amo_values *v, amo_diags *diags, amo_options **out)
{
  const amo_verb *map = amo_verb_find("map");
  amo_yaml_doc *doc = NULL;
  amo_status st = text ? amo_yaml_parse("options", text, strlen(text), diags, &doc) : AMO_OK;
  if (st == AMO_OK) st = amo_options_from_yaml(map, doc ? amo_yaml_root(doc) : NULL, diags, out);
  amo_yaml_free(doc);
  for (size_t i = 0; st == AMO_OK && i < (*out)->count; i++) {
    const amo_opt_value *o = &(*out)->value[i];
    if (o->given && strcmp(o->def->name, "at") != 0 && strcmp(o->def->name, "with") != 0)
      st = amo_error(diags, o->at, "at, with", "'%s' is no option of a probe", o->def->name);
  }
  return st == AMO_OK ? amo_options_resolve(*out, v, diags) : st;
}

amo_status amo_probe_of(const amo_model *m, const amo_values *v, const char *of, const char *options,
                        const amo_axis *axis, size_t axes, bool watch, amo_diags *diags, amo_probe *out)
{
  if (out) *out = (amo_probe){0};
  if (!m || !of || !axis || !out || axes < 1 || axes > AMO_PROBE_AXES || (v && v->model != m))
    return AMO_ERANGE;
  backing *k = amo_zalloc(1, sizeof *k + strlen(of) + 1);
  if (!k) return AMO_ENOMEM;
  strcpy(k->of, of);
  if (!v) v = amo_model_values(m);
  amo_status st = read_options(options, v, diags, &k->opt);
  amo_call call = {.model = m, .values = v, .opt = k->opt};
  if (st == AMO_OK) st = amo_verb_probe(&call, k->of, axis, axes, watch, diags, out);
  if (st == AMO_OK) {
    ((asker *)out->ctx)->kept = k;
    return AMO_OK;
  }
  amo_options_free(k->opt);
  free(k);
  return st;
}
