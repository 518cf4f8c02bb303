// SPDX-License-Identifier: Apache-2.0
#include "amontons/sensitivity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/options.h"
#include "flow/variation.h"
#include "orbit/consistent.h"
#include "orbit/floquet.h"
#include "orbit/shot.h"
#include "orbit/start_slopes.h"

typedef struct sensitivity_job {
  amo_sensitivity seen;  // what the caller sees; first, so that one pointer serves both
  amo_arena memory;
  const amo_model *m;
  const amo_sensitivity_opts *o;
  amo_diags *diags;
  amo_sim_opts sim;
  uint32_t param[AMO_SENSITIVITY_PARAMETERS];
  const double *start;
  double t0;
  amo_sensitivity_event *event;
  amo_sensitivity_at *sample;
  size_t event_cap, sample_cap;
} sensitivity_job;

static amo_status take_parameters(sensitivity_job *j)
{
  const size_t n = j->o->parameters;
  if (n > AMO_SENSITIVITY_PARAMETERS || (n && !j->o->parameter)) return AMO_ERANGE;
  for (size_t i = 0; i < n; i++) {
    const size_t k = j->o->parameter[i];
    if (k >= j->m->np) return AMO_ERANGE;
    const char *name = j->m->param[k].sym.name;
    if (j->m->param[k].expr != AMO_NODE_NONE)
      return amo_error(j->diags, (amo_at){0}, "vary what it is made of", "'%s' follows from other parameters",
                       name);
    for (size_t l = 0; l < i; l++)
      if (j->param[l] == k) return amo_error(j->diags, (amo_at){0}, NULL, "'%s' is asked for twice", name);
    j->param[i] = (uint32_t)k;
  }
  j->seen.parameters = n;
  return AMO_OK;
}

static const double *copy(sensitivity_job *j, const double *from, size_t n)
{
  double *to;
  AMO_TAKE(&j->memory, double, n + 1, &to);
  if (to && n) memcpy(to, from, n * sizeof *to);
  return to;
}

/// Columns [states + parameters][states].
static amo_sensitivity_at note(sensitivity_job *j, double t, const double *state, const double *y)
{
  const size_t ns = j->seen.states, np = j->seen.parameters;
  const double *all = copy(j, y, (ns + np) * ns);
  return (amo_sensitivity_at){
      .t = t, .state = copy(j, state, ns), .matrix = all, .parameter = np && all ? all + ns * ns : NULL};
}

static amo_status find_eigenvalues(sensitivity_job *j)
{
  const size_t ns = j->seen.states;
  double *one;
  amo_multiplier *mu;
  AMO_TAKE(&j->memory, double, ns + 1, &one);
  AMO_TAKE(&j->memory, amo_multiplier, ns + 1, &mu);
  if (j->memory.failed) return AMO_ENOMEM;
  for (size_t i = 0; i < ns; i++) one[i] = 1.0;
  if (amo_floquet(j->seen.end.matrix, one, ns, j->seen.rank, mu, 1.0, NULL) == AMO_OK)
    j->seen.eigenvalue = mu;
  return AMO_OK;
}

// ---- event method ----

static amo_status note_events(sensitivity_job *j, const amo_variation *g, const amo_lane *l)
{
  if (l->events == 0) return AMO_OK;
  const amo_sensitivity_at before = note(j, l->t, l->y, g->y_before), after = note(j, l->t, l->y, g->y);
  for (size_t i = 0; i < l->events; i++) {
    if (!AMO_ROOM(j->event, j->seen.events, j->event_cap)) return AMO_ENOMEM;
    j->event[j->seen.events++] = (amo_sensitivity_event){l->event[i], before, after};
  }
  return AMO_OK;
}

static amo_status note_sample(sensitivity_job *j, const amo_variation *g, const amo_lane *l)
{
  if (j->o->samples == 0) return AMO_OK;
  if (!AMO_ROOM(j->sample, j->seen.samples, j->sample_cap)) return AMO_ENOMEM;
  j->sample[j->seen.samples++] = note(j, l->t, l->y, g->y);
  return AMO_OK;
}

static amo_status drive(sensitivity_job *j, amo_flow *f, amo_variation *g)
{
  const size_t n = j->o->samples;
  const amo_lane *l = &f->lane[0];
  amo_status st = note_sample(j, g, l);
  for (size_t k = 1; st == AMO_OK && k <= (n > 0 ? n : 1); k++) {
    const double end = k < n ? j->t0 + (j->o->until - j->t0) * (double)k / (double)n : j->o->until;
    while (st == AMO_OK && l->t < end) {
      amo_flow_prepare(f);
      amo_flow_advance(f, end);
      st = l->status;
      if (st == AMO_OK) st = amo_variation_follow(g, f, 0);
      if (st == AMO_OK) st = note_events(j, g, l);
      if (j->o->stop && *j->o->stop) st = AMO_EINTR;
    }
    if (st == AMO_OK) st = note_sample(j, g, l);
  }
  return st;
}

/// A change dx of the start: into column `to`, made to fit the ties. True: it did fit them.
static bool add_change(const sensitivity_job *j, const amo_consistent *c, const double *dx, double *to)
{
  const size_t ns = j->seen.states;
  double off = 0.0, size = 0.0;
  for (size_t i = 0; i < ns; i++) {
    double moved = c ? 0.0 : dx[i];
    for (size_t k = 0; c && k < ns; k++) moved += c->project[k * ns + i] * dx[k];
    to[i] += moved;
    off = fmax(off, fabs(to[i] - dx[i]));
    size = fmax(size, fabs(dx[i]));
  }
  return off <= AMO_SAME * size || size == 0.0;
}

/// Where initial values are made of parameters the start moves with these, but for values that were set.
static amo_status move_start(sensitivity_job *j, amo_variation *g, const amo_consistent *c)
{
  const amo_values *v = j->sim.values ? j->sim.values : amo_model_values(j->m);
  const size_t ns = j->seen.states;
  double *dx, *own, *rate, *work;
  AMO_TAKE(&j->memory, double, ns + 1, &dx, &own);
  AMO_TAKE(&j->memory, double, j->m->np + 1u, &rate);
  AMO_TAKE(&j->memory, double, amo_vary_work(g->at->vary) + 1, &work);
  amo_start_slopes *s = NULL;
  amo_status st = j->memory.failed ? AMO_ENOMEM : amo_start_slopes_new(j->m, &s);
  for (uint32_t k = 0; st == AMO_OK && k < j->seen.parameters; k++) {
    memset(rate, 0, j->m->np * sizeof *rate);
    amo_vary_direction(g->at->vary, v->param, k, work, rate);
    amo_start_slopes_along(s, v->param, rate, own, dx);
    for (size_t i = 0; i < ns; i++)
      if (fabs(j->start[i] - own[i]) > AMO_ROUNDED * fabs(own[i])) dx[i] = 0.0;
    if (!add_change(j, c, dx, g->y + (ns + k) * ns))
      amo_warn(j->diags, (amo_at){0}, "give the states that follow (--at), or initial values that fit",
               "the start moves with '%s' and with it what constraints and contacts make of it: the "
               "derivative is that from "
               "the nearest state that fits",
               j->m->param[j->param[k]].sym.name);
  }
  amo_start_slopes_free(s);
  return st;
}

/// The lane at its start, columns of the directions that exist there.
static amo_status begin(sensitivity_job *j, amo_flow *f, amo_variation *g)
{
  const amo_lane *l = &f->lane[0];
  amo_consistent *c = NULL;
  amo_status st = amo_flow_start(f, 0, j->t0, j->start);
  if (st == AMO_OK) st = amo_consistent_new(g->at, &c);
  if (st != AMO_OK) return st;
  amo_variation_begin(g, f, 0);
  if (c) {
    const amo_place at = {l->t, l->y, l->mode, l->reaction_sign, l->branch, l->fresh, l->xi, true};
    st = amo_consistent_find(c, g->at, &at, l->y);
    if (st == AMO_OK) amo_consistent_begin(c, g);
  }
  if (st == AMO_OK && j->seen.parameters > 0 && !j->o->start) st = move_start(j, g, c);
  amo_consistent_free(c);
  return st == AMO_OK ? amo_variation_hold(g, f, 0) : st;
}

static void warn(const amo_variation *g, amo_diags *diags)
{
  if (g->grazing || g->one_sided)
    amo_warn(diags, (amo_at){0}, NULL,
             "the derivative is one-sided: %s; changes to the other side have another one",
             g->grazing ? "an event is touched without being crossed"
                        : "the start lies on a border of modes");
  if (g->together)
    amo_warn(diags, (amo_at){0}, NULL,
             "several events happened at once; the derivative depends on their order, and one was taken");
}

static amo_status by_events(sensitivity_job *j)
{
  amo_flow *f = NULL;
  amo_variation *g = NULL;
  amo_status st = amo_variation_new(j->m, j->param, j->seen.parameters, &g);
  if (st == AMO_OK) st = amo_flow_new(j->m, &j->sim, 1, &f);
  if (st == AMO_OK) st = begin(j, f, g);
  if (st == AMO_OK) st = drive(j, f, g);
  if (st == AMO_OK) {
    j->seen.end = note(j, j->o->until, f->lane[0].y, g->y);
    j->seen.rank = g->rank;
    j->seen.grazing = g->grazing;
    j->seen.one_sided = g->grazing || g->one_sided;
    j->seen.together = g->together;
    warn(g, j->diags);
  } else if (st != AMO_EINTR && st != AMO_ENOMEM) {
    amo_error(j->diags, (amo_at){0}, NULL, "%s",
              g && g->message[0] ? g->message
              : f                ? f->lane[0].message
                                 : "");
  }
  amo_variation_free(g);
  amo_flow_free(f);
  return st;
}

// ---- the other methods, and differences ----

static amo_status by_shooting(sensitivity_job *j)
{
  amo_shooter *s = NULL;
  amo_shot *shot = NULL;
  const double length = j->o->until - j->t0;
  amo_status st =
      amo_shooter_new(j->m, &j->sim, j->param, j->seen.parameters, j->o->perturbation, j->diags, &s);
  if (st == AMO_OK) st = amo_shot_new(s, &shot);
  if (st == AMO_OK) st = amo_shoot(s, j->t0, j->start, length, false, shot);
  if (st == AMO_OK) st = amo_shoot(s, j->t0, j->start, length, true, shot);
  if (st == AMO_OK) {
    j->seen.end = (amo_sensitivity_at){.t = j->o->until,
                                       .state = copy(j, shot->end, j->seen.states),
                                       .matrix = copy(j, shot->matrix, j->seen.states * j->seen.states)};
    j->seen.rank = j->seen.states;
  } else if (s && s->message[0]) {
    amo_error(j->diags, (amo_at){0}, NULL, "%s", s->message);
  }
  amo_shot_free(shot);
  amo_shooter_free(s);
  return st;
}

static amo_status end_state(const sensitivity_job *j, amo_sim *sim, size_t k, double shift, double *out)
{
  const size_t ns = j->seen.states;
  double *y = amo_zalloc(ns, sizeof *y);
  if (!y) return AMO_ENOMEM;
  memcpy(y, j->start, ns * sizeof *y);
  y[k] += shift;
  amo_status st = amo_sim_start(sim, j->t0, y);
  if (st == AMO_OK) st = amo_sim_run(sim, j->o->until, NULL, NULL);
  if (st == AMO_OK) memcpy(out, amo_sim_state(sim), ns * sizeof *out);
  free(y);
  return st;
}

static amo_status find_differences(sensitivity_job *j)
{
  const size_t ns = j->seen.states;
  const double h = j->o->differences;
  double *d;
  AMO_TAKE(&j->memory, double, ns *(ns + 1) + 1, &d);
  amo_sim *sim = NULL;
  amo_status st = d ? amo_sim_new(j->m, &j->sim, j->diags, &sim) : AMO_ENOMEM;
  for (size_t k = 0; st == AMO_OK && k < ns; k++) {
    double *up = d + k * ns, *down = d + ns * ns;
    st = end_state(j, sim, k, h, up);
    if (st == AMO_OK) st = end_state(j, sim, k, -h, down);
    for (size_t i = 0; i < ns; i++) up[i] = (up[i] - down[i]) / (2 * h);
  }
  j->seen.differences = d;
  amo_sim_free(sim);
  return st;
}

// ---- the question ----

AMO_OPTS_INIT(amo_sensitivity_opts, .until = 10.0, .perturbation = 1e-4)

static amo_status answer(sensitivity_job *j)
{
  const amo_values *v = j->sim.values ? j->sim.values : amo_model_values(j->m);
  j->sim.audit = false;
  j->t0 = v->t0;
  j->start = j->o->start ? j->o->start : v->initial;
  j->seen.states = amo_model_states(j->m);
  if (v->model != j->m || !(j->o->until > j->t0)) return AMO_ERANGE;
  amo_status st = take_parameters(j);
  if (st == AMO_OK) st = j->sim.method == AMO_METHOD_EVENT ? by_events(j) : by_shooting(j);
  if (st == AMO_OK) st = j->memory.failed ? AMO_ENOMEM : find_eigenvalues(j);
  if (st == AMO_OK && j->o->differences > 0.0) st = find_differences(j);
  j->seen.event = j->event;
  j->seen.sample = j->sample;
  return st;
}

amo_status amo_sensitivity_find(const amo_model *m, const amo_sensitivity_opts *opts, amo_diags *diags,
                                amo_sensitivity **out)
{
  if (!m || !out) return AMO_ERANGE;
  *out = NULL;
  amo_sensitivity_opts all = amo_sensitivity_opts_default();
  amo_status st = amo_opts_take(&all, sizeof all, opts);
  amo_sim_opts sim = amo_sim_opts_default();
  if (st == AMO_OK) st = amo_opts_take(&sim, sizeof sim, all.sim);
  if (st != AMO_OK) return st;
  sensitivity_job *j = amo_zalloc(1, sizeof *j);
  if (!j) return AMO_ENOMEM;
  j->m = m;
  j->o = &all;
  j->diags = diags;
  j->sim = sim;
  st = answer(j);
  j->o = NULL;  // was on this stack
  if (st == AMO_OK)
    *out = &j->seen;
  else
    amo_sensitivity_free(&j->seen);
  return st;
}

void amo_sensitivity_free(amo_sensitivity *s)
{
  sensitivity_job *j = (sensitivity_job *)(void *)s;
  if (!j) return;
  free(j->event);
  free(j->sample);
  amo_arena_free(&j->memory);
  free(j);
}
