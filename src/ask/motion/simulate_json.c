// SPDX-License-Identifier: Apache-2.0
// The result of `simulate` as JSON. Names here are promises (DESIGN.md): add, never rename.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ask/audit.h"
#include "ask/proof.h"
#include "result/json.h"
#include "ask/describe/model_text.h"
#include "ask/sim_options.h"
#include "ask/motion/simulate_run.h"

#define MOST_TOLD     400000  // states: of a larger model nobody reads a table of each of them
#define MAX_RETURNS   20
#define MAX_MODE_TEXT 64  // contacts shown as a mode string in each event

static cJSON *state_json(const amo_model *m, const double *state)
{
  cJSON *o = cJSON_CreateObject();
  for (size_t i = 0; i < amo_model_states(m); i++) amo_json_add(o, amo_model_state(m, i).name, state[i]);
  return o;
}

/// "+0-": one character per contact.
static void mode_text(const signed char *mode, size_t n, char out[MAX_MODE_TEXT + 1])
{
  for (size_t i = 0; i < n; i++)
    out[i] = mode[i] == AMO_STICK ? '0' : mode[i] == AMO_OPEN ? 'o' : mode[i] > 0 ? '+' : '-';
  out[n] = '\0';
}

static cJSON *event_json(const amo_run *r, size_t i, const signed char *mode)
{
  const amo_trajectory *t = r->trajectory;
  const amo_model *m = r->call->model;
  const amo_event *e = &t->event[i];
  char modes[MAX_MODE_TEXT + 1];
  cJSON *o = amo_json_event(m, e, 0.0);
  if (t->contacts && t->contacts <= MAX_MODE_TEXT) {
    mode_text(mode, t->contacts, modes);
    amo_json_put(o, "modes", cJSON_CreateString(modes));
  }
  if (e->contact >= 0) {
    amo_json_put(o, "slip", amo_json_number(t->event_slip[i]));
    amo_json_put(o, "force", amo_json_number(t->event_force[i]));
  }
  if (e->impulse != 0.0) amo_json_put(o, "impulse", amo_json_number(e->impulse));
  if (i < t->event_states)
    amo_json_put(o, "state", state_json(m, t->event_state + i * t->states));
  else
    amo_json_put(o, "state_reason", cJSON_CreateStringReference("states are kept for the first events only"));
  return o;
}

static cJSON *events_json(const amo_run *r)
{
  const amo_trajectory *t = r->trajectory;
  signed char *mode = amo_zalloc(t->contacts, 1);
  cJSON *list = cJSON_CreateArray();
  if (!mode) return list;
  if (t->contacts) memcpy(mode, t->initial_mode, t->contacts);
  for (size_t i = 0, k = 0; i < t->events; i++) {
    // simultaneous events share the mode string after all of them
    for (; k < t->events && t->event[k].t == t->event[i].t; k++)
      if (amo_event_changes_mode(&t->event[k])) mode[t->event[k].contact] = (signed char)t->event[k].to;
    cJSON_AddItemToArray(list, event_json(r, i, mode));
  }
  free(mode);
  return list;
}

/// Modes at the start, after what happened there at once.
static cJSON *initial_json(const amo_run *r)
{
  const amo_model *m = r->call->model;
  cJSON *o = cJSON_CreateObject(), *modes = cJSON_CreateObject();
  amo_json_add(o, "t", r->from);
  for (size_t i = 0; i < amo_model_contacts(m); i++)
    amo_json_add_mode(modes, amo_model_contact(m, i).name, r->trajectory->initial_mode[i]);
  cJSON_AddItemToObject(o, "modes", modes);
  return o;
}

static cJSON *final_json(const amo_run *r)
{
  const amo_model *m = r->call->model;
  cJSON *o = cJSON_CreateObject(), *modes = cJSON_CreateObject(), *outputs = cJSON_CreateObject();
  amo_json_add(o, "t", amo_sim_time(r->sim));
  cJSON_AddItemToObject(o, "state", state_json(m, amo_sim_state(r->sim)));
  for (size_t i = 0; i < amo_model_contacts(m); i++)
    amo_json_add_mode(modes, amo_model_contact(m, i).name, amo_sim_mode(r->sim, i));
  cJSON_AddItemToObject(o, "modes", modes);
  if (amo_sim_stats(r->sim)->steps &&
      amo_sim_sample(r->sim, amo_sim_time(r->sim), true, r->recorder.sample) == AMO_OK)
    for (size_t i = 0; i < amo_model_outputs(m); i++)
      amo_json_add(outputs, amo_model_output(m, i).name, r->recorder.sample->output[i]);
  cJSON_AddItemToObject(o, "outputs", outputs);
  return o;
}

static cJSON *stats_json(const amo_stats *s)
{
  cJSON *o = cJSON_CreateObject();
  cJSON_AddNumberToObject(o, "steps", (double)s->steps);
  cJSON_AddNumberToObject(o, "implicit", (double)s->implicit);
  cJSON_AddNumberToObject(o, "rejected", (double)s->rejected);
  cJSON_AddNumberToObject(o, "rhs", (double)s->rhs);
  cJSON_AddNumberToObject(o, "jacobians", (double)s->jacobians);
  cJSON_AddNumberToObject(o, "factorisations", (double)s->factorisations);
  cJSON_AddNumberToObject(o, "events", (double)s->events);
  amo_json_add_or(o, "min_event_gap", s->min_event_gap, "fewer than two events");
  cJSON_AddBoolToObject(o, "one_of_many", s->one_of_many);
  return o;
}

static void add_statistics(const amo_run *r, cJSON *result)
{
  const amo_statistics *s = r->statistics;
  char buffer[256], why[128];
  cJSON *extrema = cJSON_AddObjectToObject(result, "extrema"),
        *mean = cJSON_AddObjectToObject(result, "mean");
  cJSON *rms = cJSON_AddObjectToObject(result, "rms");
  for (size_t c = 0; c < s->columns; c++) {
    const char *name = amo_statistics_name(s, c, buffer, sizeof buffer);
    const char *reason = amo_statistics_reason(s, c, why, sizeof why);
    bool known = !*reason;
    cJSON *x = cJSON_AddObjectToObject(extrema, name);
    amo_json_add(x, "min", known ? s->min[c].value : NAN);
    amo_json_add(x, "max", known ? s->max[c].value : NAN);
    amo_json_add(x, "t_min", known ? s->min[c].t : NAN);
    amo_json_add(x, "t_max", known ? s->max[c].t : NAN);
    if (!known) cJSON_AddStringToObject(x, "reason", reason);
    amo_json_add(mean, name, known ? s->sum[c] / s->duration : NAN);
    amo_json_add(rms, name, known ? sqrt(s->sum_square[c] / s->duration) : NAN);
  }
}

/// Changes of mode, contact by contact in the order of time: those of contact c are of[first[c]] to of[first[c + 1] - 1].
typedef struct changes {
  size_t *first;
  const amo_event **of;
} changes;

static bool sort_changes(const amo_trajectory *t, changes *x)
{
  const size_t n = t->contacts;
  x->first = amo_zalloc(n + 2, sizeof *x->first);
  x->of = amo_zalloc(t->events, sizeof *x->of);
  if (!x->first || !x->of) return false;
  for (size_t i = 0; i < t->events; i++)
    if (amo_event_changes_mode(&t->event[i])) x->first[t->event[i].contact + 2]++;
  for (size_t c = 0; c < n; c++) x->first[c + 2] += x->first[c + 1];
  for (size_t i = 0; i < t->events; i++)  // first[c + 1] is where the next one of c goes
    if (amo_event_changes_mode(&t->event[i])) x->of[x->first[t->event[i].contact + 1]++] = &t->event[i];
  return true;
}

static long count_episodes(const amo_trajectory *t, const changes *x, size_t contact, double after)
{
  long n = t->initial_mode[contact] == AMO_STICK && !(after > -INFINITY);
  for (size_t i = x->first[contact]; i < x->first[contact + 1]; i++)
    n += x->of[i]->to == AMO_STICK && x->of[i]->t >= after;
  return n;
}

/// Times between releases of one contact: the last few, and the last one in the same direction.
static cJSON *returns_json(const changes *x, size_t contact, double after, double *last_return)
{
  cJSON *list = cJSON_CreateArray();
  double later = NAN, same = NAN;
  int count = 0, direction = 0;
  *last_return = NAN;
  for (size_t i = x->first[contact + 1]; i-- > x->first[contact];) {
    const amo_event *e = x->of[i];
    if (e->from != AMO_STICK || e->t < after) continue;
    if (isnan(later)) direction = e->to;
    if (!isnan(later) && count++ < MAX_RETURNS)
      cJSON_InsertItemInArray(list, 0, amo_json_number(later - e->t));
    if (e->to == direction && isnan(*last_return)) {
      if (!isnan(same)) *last_return = same - e->t;
      same = e->t;
    }
    later = e->t;
  }
  return list;
}

/// Contacts that give way never stick: how long they do before they slide (explore/presliding.c).
static void add_presliding(const amo_statistics *s, cJSON *result)
{
  cJSON *parts = NULL, *phases = NULL;
  for (uint32_t c = 0; c < s->contacts; c++) {
    const amo_giving *g = &s->giving[c];
    const char *name = s->model->contact[c].sym.name;
    if (g->kind == AMO_GIVES_NOT) continue;
    if (!parts) parts = cJSON_AddObjectToObject(result, "presliding");
    if (!phases) phases = cJSON_AddObjectToObject(result, "presliding_phases");
    amo_json_add(parts, name, g->kind == AMO_GIVES_SOMEHOW ? NAN : g->time / s->duration);
    cJSON_AddNumberToObject(phases, name, (double)g->phases);
  }
}

static void add_contacts(const amo_run *r, const changes *x, cJSON *result)
{
  const amo_statistics *s = r->statistics;
  cJSON *fraction = cJSON_AddObjectToObject(result, "stick_fraction");
  cJSON *open = cJSON_AddObjectToObject(result, "open_fraction");
  cJSON *episodes = cJSON_AddObjectToObject(result, "episodes"),
        *returns = cJSON_AddObjectToObject(result, "returns");
  cJSON *last = cJSON_AddObjectToObject(result, "last_return");
  for (uint32_t i = 0; i < s->contacts; i++) {
    const char *name = amo_model_contact(s->model, i).name;
    double last_return = NAN;
    amo_json_add(fraction, name, s->stick[i] / s->duration);
    amo_json_add(open, name, s->open[i] / s->duration);
    cJSON_AddNumberToObject(episodes, name, (double)count_episodes(r->trajectory, x, i, s->after));
    cJSON_AddItemToObject(returns, name, returns_json(x, i, s->after, &last_return));
    amo_json_add(last, name, last_return);
  }
  add_presliding(s, result);
}

/// Contacts without friction neither stick nor slip.
static void add_smooth(const amo_run *r, cJSON *result)
{
  const amo_model *m = r->call->model;
  cJSON *list = cJSON_AddArrayToObject(result, "smooth");
  for (uint32_t c = 0; c < m->nc; c++)
    if (m->contact[c].law_type && !strcmp(m->contact[c].law_type, "smooth"))
      cJSON_AddItemToArray(list, cJSON_CreateString(m->contact[c].sym.name));
}

static void add_samples(const amo_run *r, cJSON *result)
{
  const amo_trajectory *t = r->trajectory;
  if (!amo_opt_flag(r->call->opt, "samples")) return;
  cJSON *samples = cJSON_AddObjectToObject(result, "samples");
  for (size_t c = 0; c < t->columns; c++) {
    cJSON *list = cJSON_AddArrayToObject(samples, t->column[c].name), *last = NULL;
    for (size_t i = 0; i < t->rows; i++) {
      cJSON *x = amo_json_number(t->column[c].value[i]);
      if (!x) return;
      // linked by hand: cJSON's own append is fine, but a million calls through its checks are not
      if (!last)
        cJSON_AddItemToArray(list, x);
      else {
        last->next = x;
        x->prev = last;
        list->child->prev = x;
      }
      last = x;
    }
  }
}

/// What was collected on the way of each state and contact.
static void add_collected(const amo_run *r, cJSON *result)
{
  changes x = {NULL, NULL};
  add_statistics(r, result);
  if (sort_changes(r->trajectory, &x)) add_contacts(r, &x, result);
  free(x.first);
  free(x.of);
}

cJSON *amo_run_json(const amo_run *r)
{
  static const char *const ended[] = {"until", "stop-events", "interrupted", "stopped", "settled"};
  static const char *const fate[] = {"undecided", "stick", "open"};
  const amo_audit *audit = amo_sim_audit(r->sim);
  cJSON *o = cJSON_CreateObject();
  if (!o) return NULL;
  char *name = amo_model_label(r->call->model);
  cJSON_AddStringToObject(o, "model", name ? name : "");
  free(name);
  cJSON_AddStringToObject(o, "method", amo_method_name(r->opts.method));
  amo_json_add(o, "tol", r->opts.tol);
  amo_json_add(o, "start", r->from);
  cJSON_AddStringToObject(o, "ended", ended[r->end]);
  if (*r->reason) cJSON_AddStringToObject(o, "reason", r->reason);
  if (r->call->model->flight != NULL) cJSON_AddStringToObject(o, "long_time", fate[amo_sim_fate(r->sim)]);
  cJSON_AddItemToObject(o, "initial", initial_json(r));
  cJSON_AddItemToObject(o, "events", events_json(r));
  cJSON_AddItemToObject(o, "final", final_json(r));
  cJSON *checked = amo_audit_json(audit);
  amo_proof_add(checked, r->call->model, amo_sim_proof(r->sim));
  cJSON_AddItemToObject(o, "audit", checked);
  cJSON_AddItemToObject(o, "stats", stats_json(amo_sim_stats(r->sim)));
  if (amo_model_states(r->call->model) <= MOST_TOLD) {
    if (r->collects) add_collected(r, o);
  } else {
    amo_json_put(
        o, "left_out",
        cJSON_CreateStringReference("extrema, means and what contacts did: the model has too many states"));
  }
  add_smooth(r, o);
  add_samples(r, o);
  return o;
}
