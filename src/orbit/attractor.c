// SPDX-License-Identifier: Apache-2.0
// Recognised by what it does: it stands still, or it repeats (at the turning points of the first coordinate, or at its
// events), or neighbours part for as long as one looks.
#include "amontons/attractor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amontons/lyapunov.h"
#include "amontons/section.h"
#include "base/mem.h"
#include "base/options.h"
#include "flow/sim.h"
#include "orbit/forcing.h"
#include "orbit/scale.h"

enum { LOOKS = 8, BLOCKS = 40 };  // points of a step that are looked at; parts of the time for the exponent

typedef struct settle {
  amo_sim *sim;
  const amo_model *m;
  const amo_attractor_opts *o;
  amo_attractor *out;
  amo_sample *sample;
  amo_scale scale;
  amo_drift *drift;    // shifts that the equations do not notice: no part of what must come back
  amo_scale plain;     // without them
  amo_scale measured;  // the same, over the period that is measured
  amo_section turning, bottom, event;  // largest and least first coordinate; changes of mode
  amo_section crest;                   // largest value of coordinate `watched`
  amo_section beat;                    // once in a period of the forcing
  amo_section over;                    // a quarter of a turn further
  amo_returns turns, events, beats, overs;
  double forcing;  // its period; 0: not forced, or not periodically
  size_t watched;  // the first coordinate that moves
  size_t tops;     // turning points of the first coordinate in the period that is measured
  double from;
  double *still, since;  // the state has been here since then, within the tolerance
  double *state;         // scratch
  double *before;        // [states] where the period that is measured begins
  double change;         // cycle: what the first coordinate still changes in a period
  bool grows;            // the motion itself does, as fast as its neighbours part
} settle;

AMO_OPTS_INIT(amo_attractor_opts, .until = 1000.0, .tol = 1e-7, .turns = 64, .exponents = true)

const char *amo_attractor_name(amo_attractor_kind kind)
{
  static const char *const name[] = {"undecided", "rest", "sliding", "cycle", "chaos", "steady"};
  return (unsigned)kind < sizeof name / sizeof *name ? name[kind] : "?";
}

// ---- standing still ----

/// States of the mechanism and of controllers; what a friction law remembers may go on growing.
static bool counts(const amo_model *m, size_t i)
{
  return i < 2u * m->nq || m->extra[i - 2u * m->nq].contact < 0;
}

static bool same(const settle *w, const double *a, const double *b, double tol)
{
  for (size_t i = 0; i < amo_model_states(w->m); i++)
    if (counts(w->m, i) && !(fabs(a[i] - b[i]) <= tol * w->plain.size[i])) return false;
  return true;
}

static void look_for_stillness(settle *w)
{
  const double start = amo_sim_step_start(w->sim), end = amo_sim_time(w->sim);
  for (int i = 1; i <= LOOKS; i++) {
    const double t = i == LOOKS ? end : start + (end - start) * i / LOOKS;
    amo_sim_dense(w->sim, t, w->state);
    amo_drift_straighten(w->drift, w->forcing == 0.0, t - w->from, w->state);
    if (same(w, w->state, w->still, w->o->tol)) continue;
    memcpy(w->still, w->state, amo_model_states(w->m) * sizeof *w->still);
    w->since = t;
  }
}

static bool stands_still(const settle *w)
{
  return amo_sim_time(w->sim) - w->since >= 0.1 * (w->o->until - w->from);
}

/// Nothing changes but what nothing depends on: at rest, or moving on steadily.
static amo_status name_stillness(settle *w)
{
  amo_attractor *a = w->out;
  amo_status st = amo_sim_sample(w->sim, amo_sim_time(w->sim), true, w->sample);
  const size_t n = amo_model_coordinates(w->m);
  const double *y = amo_sim_state(w->sim);
  double speed = 0.0;
  for (size_t i = n; i < 2 * n; i++) speed = fmax(speed, w->scale.size[i]);
  a->kind = AMO_ATTRACTOR_REST;
  for (size_t i = n; i < 2 * n; i++)
    if (fabs(y[i]) > w->o->tol * speed) a->kind = AMO_ATTRACTOR_STEADY;
  if (a->kind == AMO_ATTRACTOR_STEADY && fabs(y[n]) > w->o->tol * speed) a->drift = y[n];
  for (size_t c = 0; c < amo_model_contacts(w->m); c++)
    if (fabs(w->sample->slip[c]) > w->o->tol * speed) a->kind = AMO_ATTRACTOR_SLIDING;
  a->settled = w->since;
  a->low = a->high = amo_places(w->m) ? w->still[0] : NAN;
  return st;
}

// ---- coming back ----

static int keep(settle *w, amo_returns *r, const amo_sample *p)
{
  const size_t most = w->o->turns;
  if (r->count >= 8 * most) {  // the last ones decide
    const size_t half = r->count / 2;
    memmove(r->t, r->t + half, (r->count - half) * sizeof *r->t);
    memmove(r->state, r->state + half * r->states, (r->count - half) * r->states * sizeof *r->state);
    r->count -= half;
  }
  memcpy(w->state, p->state, r->states * sizeof *w->state);
  amo_drift_fold(w->drift, w->forcing == 0.0, p->t - w->from, w->state);
  return amo_returns_add(r, p->t, w->state) != AMO_OK;
}

/// By how much place k changes about the time of the sample, in a small part of the step.
static double rate_about(const settle *w, size_t k, double t)
{
  const double start = amo_sim_step_start(w->sim), end = amo_sim_time(w->sim), part = 1e-4 * (end - start);
  amo_sim_dense(w->sim, fmin(t + part, end), w->state);
  const double later = w->state[k];
  amo_sim_dense(w->sim, fmax(t - part, start), w->state);
  return later - w->state[k];
}

static double first_rate(void *ctx, const amo_sample *p)
{
  return rate_about(ctx, 0, p->t);
}

static double watched_rate(void *ctx, const amo_sample *p)
{
  return rate_about(ctx, ((const settle *)ctx)->watched, p->t);
}

/// The velocity of the watched coordinate, less that of what walks or is driven.
static double level_rate(void *ctx, const amo_sample *p)
{
  const settle *w = ctx;
  const size_t n = amo_model_coordinates(w->m);
  memcpy(w->state, p->state, 2 * n * sizeof *w->state);
  amo_drift_project(w->drift, w->forcing == 0.0, (uint32_t)n, w->state);
  return w->state[n + w->watched];
}

static int on_turning(void *ctx, const amo_sample *p)
{
  settle *w = ctx;
  return keep(w, &w->turns, p);
}

static int on_beat(void *ctx, const amo_sample *p)
{
  settle *w = ctx;
  return keep(w, &w->beats, p);
}

static int on_event(void *ctx, const amo_sample *p)
{
  settle *w = ctx;
  return keep(w, &w->events, p);
}

static int on_over(void *ctx, const amo_sample *p)
{
  settle *w = ctx;
  return keep(w, &w->overs, p);
}

/// The rate of place k is zero, from the side that `direction` says: its turning points.
static amo_section turning_of(settle *w, size_t k, int direction)
{
  const size_t n = amo_model_coordinates(w->m);
  if (n > 0) return (amo_section){.kind = AMO_SECTION_STATE, .state = n + k, .direction = direction};
  return (amo_section){.kind = AMO_SECTION_ZERO,
                       .value = k == 0 ? first_rate : watched_rate,
                       .ctx = w,
                       .direction = direction};
}

/// The same of a place less what walks or is driven.
static amo_section crest_of(settle *w, size_t k)
{
  const size_t n = amo_model_coordinates(w->m);
  bool walks = w->drift->frees > 0;
  for (size_t i = 0; i < n; i++) walks |= w->drift->velocity[i] != 0.0;
  if (n == 0 || !walks) return turning_of(w, k, -1);
  return (amo_section){.kind = AMO_SECTION_ZERO, .value = level_rate, .ctx = w, .direction = -1};
}

/// Cosine of the first angle that may turn over.
static double turn_of(void *ctx, const amo_sample *p)
{
  const settle *w = ctx;
  const size_t k = w->drift->frees;
  return cos(6.283185307179586477 * p->state[w->drift->pivot[k]] / w->drift->period[k]);
}

static bool turns_over(const settle *w)
{
  if (w->drift->turns == 0) return false;
  const uint32_t own = w->drift->pivot[w->drift->frees];
  return w->scale.high[own] - w->scale.low[own] > w->drift->period[w->drift->frees];
}

/// How much the first coordinate still changes from period to period.
static double change(const amo_returns *r, size_t turns)
{
  double most = 0.0;
  for (size_t i = r->count - turns; i < r->count; i++)
    most = fmax(most, fabs(r->state[i * r->states] - r->state[(i - turns) * r->states]));
  return most;
}

static bool repeats(settle *w, const amo_returns *r, size_t before, size_t *turns)
{
  if (r->count == before) return false;
  double period;
  *turns = amo_returns_turns(r, w->plain.size, w->o->tol, w->o->turns, &period);
  if (*turns == 0) return false;
  if (!(period > 0.0) || w->since < amo_sim_time(w->sim) - period) return false;  // it hardly moves
  w->out->kind = AMO_ATTRACTOR_CYCLE;
  w->out->period = w->forcing > 0.0 ? nearbyint(period / w->forcing) * w->forcing : period;
  w->out->settled = r->t[r->count - 3 * *turns];
  w->change = amo_places(w->m) ? change(r, *turns) : 0.0;
  return true;
}

/// A coordinate that a guide or a constraint holds has no turning points, and one that walks has them less its way.
static void watch_what_moves(settle *w)
{
  const size_t n = amo_places(w->m);
  const amo_scale *x = &w->plain;
  size_t k = 0;
  while (k < n && !(x->high[k] - x->low[k] > AMO_SAME * x->size[k])) k++;
  if (k == n || k == w->watched) return;
  w->watched = k;
  w->crest = crest_of(w, k);
  w->turns.count = 0;
}

/// A forced motion repeats after whole periods of the forcing: states are the same only at the same phase of it.
static amo_status look_at_beats(settle *w)
{
  const size_t beats = w->beats.count;
  size_t n = 0;
  amo_status st = amo_section_step(&w->beat, w->sim, w->sample, on_beat, w);
  if (st == AMO_EINTR) return AMO_ENOMEM;
  if (st == AMO_OK) (void)repeats(w, &w->beats, beats, &n);
  return st;
}

static amo_status look_for_returns(settle *w)
{
  if (w->forcing > 0.0) return look_at_beats(w);
  watch_what_moves(w);
  const size_t turns = w->turns.count, events = w->events.count;
  size_t n = 0;
  amo_status st = AMO_OK;
  if (amo_places(w->m)) st = amo_section_step(&w->crest, w->sim, w->sample, on_turning, w);
  if (st == AMO_OK) st = amo_section_step(&w->event, w->sim, w->sample, on_event, w);
  if (st == AMO_EINTR) return AMO_ENOMEM;
  if (st != AMO_OK) return st;
  const size_t overs = w->overs.count;
  if (turns_over(w)) st = amo_section_step(&w->over, w->sim, w->sample, on_over, w);
  if (st != AMO_OK) return st == AMO_EINTR ? AMO_ENOMEM : st;
  if (repeats(w, &w->turns, turns, &n))
    w->out->turns = n;
  else if (repeats(w, &w->overs, overs, &n))
    w->out->turns = 0;
  else if (repeats(w, &w->events, events, &n))
    w->out->turns = 0;
  return AMO_OK;
}

// ---- what it looks like ----

static void widen(settle *w, double x)
{
  w->out->low = fmin(w->out->low, x);
  w->out->high = fmax(w->out->high, x);
}

static int on_end(void *ctx, const amo_sample *p)
{
  widen(ctx, p->state[0]);
  return 0;
}

static int on_top(void *ctx, const amo_sample *p)
{
  ((settle *)ctx)->tops++;
  return on_end(ctx, p);
}

/// Range of the first coordinate (its turning points and the ends of the step) and events after `after`.
static amo_status measure(settle *w, double after)
{
  amo_status st = AMO_OK;
  if (amo_places(w->m)) {
    amo_sim_dense(w->sim, amo_sim_step_start(w->sim), w->state);
    widen(w, w->state[0]);
    widen(w, amo_sim_state(w->sim)[0]);
    st = amo_section_step(&w->turning, w->sim, w->sample, on_top, w);
    if (st == AMO_OK) st = amo_section_step(&w->bottom, w->sim, w->sample, on_end, w);
  }
  for (size_t i = 0; i < amo_sim_new_events(w->sim); i++) {
    const amo_event *e = amo_sim_new_event(w->sim, i);
    if ((e->kind != AMO_EVENT_MODE && e->kind != AMO_EVENT_TOUCH) || !(e->t > after)) continue;
    w->out->events++;
    w->out->sticks += e->to == AMO_STICK;
  }
  return st;
}

static amo_status step(settle *w, double t_end)
{
  amo_status st = amo_sim_step(w->sim, t_end);
  if (st == AMO_OK && w->o->on_step && w->o->on_step(w->o->ctx, w->sim)) st = AMO_EINTR;
  return st;
}

static amo_status measure_until(settle *w, double end, double after)
{
  amo_status st = AMO_OK;
  while (st == AMO_OK && amo_sim_time(w->sim) < end)
    if ((st = step(w, end)) == AMO_OK) {
      amo_scale_step(&w->measured, w->sim);
      st = measure(w, after);
    }
  return st;
}

/// The state is back, up to shifts; and it is so by far better than it has moved meanwhile, or it only has become small.
static bool is_back(settle *w)
{
  const size_t ns = amo_model_states(w->m);
  const amo_attractor *a = w->out;
  double most = 0.0, left = 0.0;
  bool shifts = false;
  for (size_t i = 0; i < ns; i++) w->before[i] = amo_sim_state(w->sim)[i] - w->before[i];
  memcpy(w->state, w->before, ns * sizeof *w->state);
  amo_drift_remove(w->drift, w->forcing == 0.0, a->period, w->state, NULL);
  for (size_t i = 0; i < ns; i++) {
    const double range = w->measured.high[i] - w->measured.low[i];
    if (!counts(w->m, i)) continue;
    if (!(fabs(w->state[i]) <= 100.0 * w->o->tol * w->plain.size[i])) return false;
    shifts |= w->before[i] != w->state[i];
    if (range > most * w->plain.size[i]) {
      most = range / w->plain.size[i];
      left = fabs(w->state[i]) / w->plain.size[i];
    }
  }
  w->out->drift = amo_places(w->m) ? w->before[0] - w->state[0] : 0.0;
  if (fabs(w->out->drift) <= w->o->tol * (a->high - a->low)) w->out->drift = 0.0;
  const bool moves = amo_places(w->m) && a->high - a->low > AMO_SAME * w->plain.size[0];
  if (shifts || !moves) return most > 1e-6 && left <= 1e-5 * most;
  return w->change <= 1e-5 * (a->high - a->low);
}

/// Sections that were not looked at for a while know nothing of the steps between.
static void begin_anew(settle *w)
{
  amo_section *const all[] = {&w->crest, &w->beat, &w->over, &w->event};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) all[i]->begun = false;
  w->turns.count = w->events.count = w->beats.count = w->overs.count = 0;
}

/// One period more, after which the state must be back; a little longer, so that an event at its end is not missed by
/// rounding. What repeats only because it is small, the end of a spiral, is no cycle.
static amo_status measure_cycle(settle *w)
{
  amo_attractor *a = w->out;
  a->low = INFINITY;
  a->high = -INFINITY;
  a->events = a->sticks = w->tops = 0;
  w->turning.begun = w->bottom.begun = false;
  const double now = amo_sim_time(w->sim), slack = 1e-6 * a->period, end = now + a->period;
  memcpy(w->before, amo_sim_state(w->sim), amo_model_states(w->m) * sizeof *w->before);
  amo_scale_forget(&w->measured);
  amo_status st = measure_until(w, end, now + slack);
  const bool back = st == AMO_OK && is_back(w);
  if (st == AMO_OK) st = measure_until(w, end + slack, now + slack);
  if (w->forcing > 0.0) a->turns = w->tops;
  if (st != AMO_OK || back) return st;
  a->kind = AMO_ATTRACTOR_UNDECIDED;
  a->settled = a->period = NAN;
  begin_anew(w);
  return st;
}

/// The last tenth of a motion that did not settle.
static amo_status measure_rest(settle *w)
{
  w->out->low = INFINITY;
  w->out->high = -INFINITY;
  const double end = w->o->until + 0.1 * (w->o->until - w->from);
  return measure_until(w, end, end);
}

static amo_status follow(settle *w)
{
  amo_status st = AMO_OK;
  while (st == AMO_OK && amo_sim_time(w->sim) < w->o->until) {
    st = step(w, w->o->until);
    // events that accumulate while nothing moves any more: it comes to rest in infinitely many of them
    if (st == AMO_ENOANSWER && amo_sim_time(w->sim) - w->since > 0.25 * (amo_sim_time(w->sim) - w->from))
      return name_stillness(w);
    if (st != AMO_OK) return st;
    amo_scale_step(&w->scale, w->sim);
    amo_scale_step(&w->plain, w->sim);
    look_for_stillness(w);
    if (stands_still(w)) return name_stillness(w);
    st = look_for_returns(w);
    if (st == AMO_OK && w->out->kind == AMO_ATTRACTOR_CYCLE) st = measure_cycle(w);
    if (w->out->kind == AMO_ATTRACTOR_CYCLE) return st;
  }
  return st == AMO_OK ? measure_rest(w) : st;
}

// ---- neighbours ----

static amo_status part(settle *w, amo_lyapunov *l, double end)
{
  const amo_lyapunov_result *r = NULL;
  amo_attractor *a = w->out;
  amo_status st = amo_lyapunov_start(l, w->sim);
  while (st == AMO_OK && amo_sim_time(w->sim) < end)
    if ((st = step(w, end)) == AMO_OK) st = amo_lyapunov_step(l, w->sim);
  if (st == AMO_OK) st = amo_lyapunov_finish(l, &r);
  if (st == AMO_EUNSUPPORTED) return AMO_OK;  // stays undecided
  if (st != AMO_OK || r->finite == 0) return st;
  a->exponent = r->exponent[0].value;
  a->error = r->exponent[0].error;
  w->grows = r->growth > 0.5 * a->exponent * r->time;
  if (a->exponent > 4.0 * a->error && a->exponent * r->time > 10.0 && !w->grows)
    a->kind = AMO_ATTRACTOR_CHAOS;
  return AMO_OK;
}

static amo_status look_at_neighbours(settle *w)
{
  const double now = amo_sim_time(w->sim), length = w->o->until - w->from;
  amo_lyapunov *l = NULL;
  amo_status st = amo_lyapunov_new(w->m, now + 0.1 * length, now + length, BLOCKS, &l);
  if (st == AMO_OK) st = part(w, l, now + length);
  amo_lyapunov_free(l);
  const bool linear = st == AMO_ENOANSWER && !amo_sim_message(w->sim)[0];  // the motion itself went on
  return st == AMO_EUNSUPPORTED || linear ? AMO_OK : st;
}

static void explain(settle *w)
{
  amo_attractor *a = w->out;
  if (a->kind != AMO_ATTRACTOR_UNDECIDED) return;
  if (isfinite(a->exponent) && w->grows && a->exponent > 0.0)
    snprintf(a->why, sizeof a->why,
             "the motion grows as small changes of it do, without bound as far as was looked");
  else if (isfinite(a->exponent))
    snprintf(a->why, sizeof a->why,
             "nothing repeats up to t = %.6g, and the largest exponent %.3g +- %.2g tells no more",
             w->o->until, a->exponent, a->error);
  else
    snprintf(a->why, sizeof a->why, "nothing repeats within %zu turns up to t = %.6g", w->o->turns,
             w->o->until);
}

static amo_status make(settle *w)
{
  const size_t ns = amo_model_states(w->m);
  amo_forcing kind;
  amo_status st = amo_forcing_of(&w->sim->values, &kind, &w->forcing);
  if (st == AMO_OK) st = amo_drift_find(w->m, w->sim->param, &w->drift);
  if (st != AMO_OK) return st;
  w->turns.states = w->events.states = w->beats.states = w->overs.states = ns;
  w->over = (amo_section){.kind = AMO_SECTION_ZERO, .value = turn_of, .ctx = w, .direction = -1};
  w->beat = (amo_section){.kind = AMO_SECTION_CLOCK, .period = w->forcing, .phase = w->from};
  w->turning = turning_of(w, 0, -1);
  w->crest = crest_of(w, 0);
  w->bottom = turning_of(w, 0, 1);
  w->event = (amo_section){.kind = AMO_SECTION_EVENT, .contact = -1};
  w->still = amo_zalloc(ns, sizeof *w->still);
  w->state = amo_zalloc(ns, sizeof *w->state);
  w->before = amo_zalloc(ns, sizeof *w->before);
  st = amo_scale_make(&w->scale, w->m);
  amo_scale *const without[] = {&w->plain, &w->measured};
  for (int i = 0; i < 2 && st == AMO_OK; i++) {
    st = amo_scale_make(without[i], w->m);
    without[i]->drift = w->drift;
    without[i]->autonomous = w->forcing == 0.0;
    without[i]->from = w->from;
  }
  const amo_status sample = amo_sample_new(w->m, &w->sample);
  return !w->still || !w->state || !w->before ? AMO_ENOMEM : st == AMO_OK ? sample : st;
}

amo_status amo_attractor_find(amo_sim *s, const amo_attractor_opts *o, amo_attractor *out)
{
  if (!s || !o || !out) return AMO_ERANGE;
  amo_attractor_opts all = amo_attractor_opts_default();
  amo_status st = amo_opts_take(&all, sizeof all, o);
  if (st != AMO_OK) return st;
  settle w = {.sim = s, .m = s->m, .o = &all, .out = out, .from = amo_sim_time(s), .since = amo_sim_time(s)};
  *out = (amo_attractor){
      .settled = NAN, .period = NAN, .exponent = NAN, .error = NAN, .low = INFINITY, .high = -INFINITY};
  if (!(all.until > w.from)) return AMO_ERANGE;
  st = make(&w);
  if (st == AMO_OK) {
    memcpy(w.still, amo_sim_state(s), amo_model_states(s->m) * sizeof *w.still);
    st = follow(&w);
  }
  if (st == AMO_OK && out->kind == AMO_ATTRACTOR_UNDECIDED && all.exponents) st = look_at_neighbours(&w);
  explain(&w);
  amo_scale_free(&w.scale);
  amo_scale_free(&w.plain);
  amo_scale_free(&w.measured);
  amo_drift_free(w.drift);
  amo_sample_free(w.sample);
  amo_returns_free(&w.turns);
  amo_returns_free(&w.events);
  amo_returns_free(&w.beats);
  amo_returns_free(&w.overs);
  free(w.before);
  free(w.still);
  free(w.state);
  return st;
}
