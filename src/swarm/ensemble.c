// SPDX-License-Identifier: Apache-2.0
/// Ensembles: by a program of the model where that is worth its while, by the engine otherwise, and for what the program leaves.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/options.h"
#include "flow/long_time.h"
#include "flow/sim.h"
#include "swarm/job.h"
#include "swarm/loaded.h"
#include "swarm/swarm.h"

enum {
  WORTH = 10000
};  // trajectories: some tenths of a second of the engine, which is what a compiler takes

// ---- what is told while trajectories move ----

typedef struct note {
  amo_event event;
  double *state;  // behind the notes of its seat
} note;

/// Events of a trajectory wait for its end: only then is it certain that the program decides it.
typedef struct notes {
  note *item;
  double *states;  // [count][ns]
  size_t count, room;
} notes;

typedef struct listener {
  const amo_ensemble *e;
  size_t ns;
  notes seat[AMO_SWARM_SEATS];
  bool failed;
} listener;

static bool make_room(notes *n, size_t ns)
{
  if (n->count < n->room) return true;
  const size_t room = n->room ? 2 * n->room : 16;
  note *item = realloc(n->item, room * sizeof *item);
  if (item) n->item = item;
  double *states = realloc(n->states, room * ns * sizeof *states);
  if (states) n->states = states;
  if (!item || !states) return false;
  n->room = room;
  return true;
}

static void tell(void *ctx, int seat, double t, int contact, int from, int to, double impulse,
                 const double *y)
{
  listener *l = ctx;
  notes *n = &l->seat[seat];
  if (!make_room(n, l->ns)) {
    l->failed = true;
    return;
  }
  n->item[n->count].event = (amo_event){AMO_EVENT_MODE, t, contact, from, to, impulse, false, NULL};
  memcpy(n->states + n->count * l->ns, y, l->ns * sizeof *y);
  n->count++;
}

static void end(void *ctx, int seat, int64_t who, int good)
{
  listener *l = ctx;
  notes *n = &l->seat[seat];
  for (size_t i = 0; good && i < n->count; i++)
    l->e->on_event(l->e->ctx, (size_t)who, &n->item[i].event, n->states + i * l->ns);
  n->count = 0;
}

static void forget(listener *l)
{
  for (int i = 0; i < AMO_SWARM_SEATS; i++) {
    free(l->seat[i].item);
    free(l->seat[i].states);
  }
}

// ---- what the program leaves to the engine ----

typedef struct rest {
  const amo_ensemble *all;
  size_t *who;  // [count]
} rest;

static void tell_rest(void *ctx, size_t i, const amo_event *event, const double *state)
{
  const rest *r = ctx;
  r->all->on_event(r->all->ctx, r->who[i], event, state);
}

/// to[who[i]] = from[i], items of this size; nothing without a place to go.
static void scatter(void *to, const void *from, const size_t *who, size_t count, size_t size)
{
  for (size_t i = 0; to && i < count; i++)
    memcpy((char *)to + who[i] * size, (const char *)from + i * size, size);
}

static void *gather(const void *from, const size_t *who, size_t count, size_t size)
{
  char *to = amo_zalloc(count, size);
  for (size_t i = 0; to && i < count; i++) memcpy(to + i * size, (const char *)from + who[i] * size, size);
  return to;
}

/// The engine's answers for the trajectories `who`.
static amo_status move_rest(amo_flow *f, const amo_ensemble *e, size_t *who, size_t count, double *scratch)
{
  const size_t ns = f->ns, np = f->m->np, nc = f->m->nc;
  rest r = {e, who};
  amo_ensemble part = *e;
  void *state = e->state ? gather(e->state, who, count, ns * sizeof(double)) : NULL;
  void *parameter = e->parameter ? gather(e->parameter, who, count, np * sizeof(double)) : NULL;
  part.count = count;
  part.state = state, part.parameter = parameter;
  part.final_state = e->final_state ? amo_zalloc(count * ns, sizeof(double)) : NULL;
  part.final_mode = e->final_mode ? amo_zalloc(count * nc + 1u, 1) : NULL;
  part.events = e->events ? amo_zalloc(count, sizeof(long)) : NULL;
  part.status = e->status ? amo_zalloc(count, sizeof(amo_status)) : NULL;
  part.fate = e->fate ? amo_zalloc(count, 1) : NULL;
  part.final_time = e->final_time ? amo_zalloc(count, sizeof(double)) : NULL;
  if (e->on_event) part.on_event = tell_rest, part.ctx = &r;
  const bool room = !state == !e->state && !parameter == !e->parameter &&
                    !part.final_state == !e->final_state && !part.final_mode == !e->final_mode &&
                    !part.events == !e->events && !part.status == !e->status && !part.fate == !e->fate &&
                    !part.final_time == !e->final_time;
  if (room) {
    amo_flow_ensemble(f, &part, scratch);
    scatter(e->final_state, part.final_state, who, count, ns * sizeof(double));
    scatter(e->final_mode, part.final_mode, who, count, nc);
    scatter(e->events, part.events, who, count, sizeof(long));
    scatter(e->status, part.status, who, count, sizeof(amo_status));
    scatter(e->fate, part.fate, who, count, 1);
    scatter(e->final_time, part.final_time, who, count, sizeof(double));
  }
  free(state), free(parameter);
  free(part.final_state), free(part.final_mode), free(part.events), free(part.status), free(part.fate);
  free(part.final_time);
  return room ? AMO_OK : AMO_ENOMEM;
}

// ---- the program ----

static bool has_derived(const amo_model *m)
{
  for (uint32_t i = 0; i < m->np; i++)
    if (m->param[i].expr != AMO_NODE_NONE) return true;
  return false;
}

/// Parameters of all trajectories with what follows from them; NULL: as given.
static double *derive(const amo_model *m, const amo_ensemble *e, bool *failed)
{
  *failed = false;
  if (e->parameter == NULL || !has_derived(m)) return NULL;
  double *p = amo_zalloc(e->count * m->np, sizeof *p);
  *failed = p == NULL;
  if (p) memcpy(p, e->parameter, e->count * m->np * sizeof *p);
  for (size_t i = 0; p && i < e->count; i++) amo_model_derive(m, p + i * m->np);
  return p;
}

static bool all_equal(const double *p, size_t count, size_t n)
{
  for (size_t i = 1; i < count; i++)
    if (memcmp(p, p + i * n, n * sizeof *p) != 0) return false;
  return true;
}

/// The numbers of linear flight, the same for all trajectories. False: they differ, and the program cannot tell flights that last.
static bool find_flight(amo_flow *f, const amo_ensemble *e, double *flight, const double **out)
{
  *out = NULL;
  if (e->fate == NULL || f->m->flight == NULL || !f->m->flight->linear) return true;
  if (e->parameter && !all_equal(e->parameter, e->count, f->m->np)) return false;
  amo_flow_parameters(f, 0, e->parameter ? e->parameter : f->opt.values->param);
  if (amo_flow_flight(f, 0, flight)) *out = flight;
  return true;
}

static void take_status(const amo_ensemble *e, const unsigned char *status)
{
  for (size_t i = 0; e->status && i < e->count; i++)
    if (status[i] == 0) e->status[i] = AMO_OK;
}

static size_t left_over(const unsigned char *status, size_t count, size_t *who)
{
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    if (status[i] != 0) who[n++] = i;
  return n;
}

amo_status amo_swarm_ensemble(const amo_swarm *s, amo_flow *f, const amo_ensemble *e, double *scratch)
{
  const amo_model *m = f->m;
  bool failed;
  listener l = {.e = e, .ns = f->ns};
  double *flight = amo_zalloc(amo_flow_flight_size(m) + 1u, sizeof *flight);
  double *parameter = derive(m, e, &failed);
  unsigned char *status = amo_zalloc(e->count + 1u, 1);
  size_t *who = amo_zalloc(e->count + 1u, sizeof *who);
  const bool room = flight && !failed && status && who;
  amo_swarm_job job = {.count = (int64_t)e->count,
                       .state = e->state ? e->state : f->opt.values->initial,
                       .parameter = parameter      ? parameter
                                    : e->parameter ? e->parameter
                                                   : f->opt.values->param,
                       .shares_state = e->state == NULL,
                       .shares_parameter = e->parameter == NULL || all_equal(e->parameter, e->count, m->np),
                       .wants_fate = e->fate != NULL,
                       .t0 = e->t0,
                       .t_end = e->t_end,
                       .tol = f->opt.tol,
                       .most_steps = f->opt.max_steps,
                       .most_events = f->opt.max_events,
                       .final_state = e->final_state,
                       .final_time = e->final_time,
                       .final_mode = e->final_mode,
                       .fate = e->fate,
                       .status = status,
                       .stop = e->stop};
  int64_t *events = room && e->events ? amo_zalloc(e->count, sizeof *events) : NULL;
  job.events = events;
  if (e->on_event) job.ctx = &l, job.tell = tell, job.end = end;
  amo_status st = room && !events == !e->events ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK && !find_flight(f, e, flight, &job.flight))
    memset(status, 1, e->count);
  else if (st == AMO_OK && s->run(&job) != 0)
    memset(status, 1, e->count);
  if (st == AMO_OK && l.failed) st = AMO_ENOMEM;
  if (st == AMO_OK) {
    take_status(e, status);
    for (size_t i = 0; events && i < e->count; i++) e->events[i] = (long)events[i];
    const size_t n = left_over(status, e->count, who);
    if (n > 0) st = move_rest(f, e, who, n, scratch);
  }
  forget(&l);
  free(flight), free(parameter), free(status), free(who), free(events);
  return st;
}

// ---- the public function ----

static bool is_stopped(const amo_ensemble *e)
{
  return e->stop != NULL && *e->stop;
}

/// A program chooses its own steps; by itself nothing is compiled against the caller's wish.
static bool may_swarm(const amo_sim_opts *o, size_t count)
{
  if (o->engine != AMO_ENGINE_AUTO) return o->engine != AMO_ENGINE_STEPS;
  return !isfinite(o->max_step) && o->compile != AMO_COMPILE_NEVER && count >= WORTH;
}

/// AUTO: nothing is lost where there is no program; who asks for one is told so.
static amo_status run(const amo_model *m, amo_flow *f, const amo_sim_opts *o, const amo_ensemble *e,
                      double *scratch)
{
  const amo_swarm *s = NULL;
  amo_status st = AMO_OK;
  const amo_swarm_target target = o->engine == AMO_ENGINE_GPU ? AMO_SWARM_CUDA : AMO_SWARM_CPU;
  if (may_swarm(o, e->count))
    st = isfinite(o->max_step) ? AMO_EUNSUPPORTED : amo_swarm_get(m, f->P, target, &s);
  if (st == AMO_OK && s)
    st = amo_swarm_ensemble(s, f, e, scratch);
  else if (st == AMO_OK || o->engine == AMO_ENGINE_AUTO)
    amo_flow_ensemble(f, e, scratch), st = AMO_OK;
  return st;
}

amo_status amo_ensemble_run(const amo_model *m, const amo_sim_opts *opts, const amo_ensemble *e)
{
  if (m == NULL || e == NULL || !isfinite(e->t0) || isnan(e->t_end)) return AMO_ERANGE;
  amo_sim_opts o = amo_sim_opts_default();
  amo_status st = amo_opts_take(&o, sizeof o, opts);
  if (st != AMO_OK) return st;
  if (o.method != AMO_METHOD_EVENT || (o.stepper != AMO_STEPPER_TAYLOR && o.stepper != AMO_STEPPER_AUTO))
    return AMO_EUNSUPPORTED;
  o.values = amo_values_or_file(o.values, m);
  if (amo_sim_check_options(&o, NULL) != AMO_OK || !o.values) return AMO_ERANGE;
  double *scratch = calloc(m->np + 1u, sizeof *scratch);
  if (scratch == NULL) return AMO_ENOMEM;
  amo_flow *f;
  st = amo_flow_new(m, &o, AMO_LANES, &f);
  if (st == AMO_OK) {
    st = run(m, f, &o, e, scratch);
    amo_flow_free(f);
    if (st == AMO_OK && is_stopped(e)) st = AMO_EINTR;
  }
  free(scratch);
  return st;
}

amo_engine amo_ensemble_engine(const amo_model *m, const amo_sim_opts *opts, size_t count)
{
  amo_sim_opts o = amo_sim_opts_default();
  const amo_swarm *s = NULL;
  if (amo_opts_take(&o, sizeof o, opts) != AMO_OK) return AMO_ENGINE_STEPS;
  if (o.engine != AMO_ENGINE_AUTO) return o.engine;
  if (m == NULL || !may_swarm(&o, count)) return AMO_ENGINE_STEPS;
  const int order = o.order > 0 ? o.order : amo_flow_order_for(o.tol);
  return amo_swarm_get(m, order, AMO_SWARM_CPU, &s) == AMO_OK ? AMO_ENGINE_PROGRAM : AMO_ENGINE_STEPS;
}
