// SPDX-License-Identifier: Apache-2.0
#include "amontons/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/options.h"
#include "flow/sim.h"
#include "model/complete.h"
#include "orbit/carry.h"
#include "orbit/scale.h"

enum { LOOKS = 16 };  // points of a step at which the quantity is noted

AMO_OPTS_INIT(amo_sweep_opts, .transient = 200, .duration = 200, .returns = 100, .tol = 1e-6, .turns = 32)

typedef struct visit {
  amo_sim *sim;
  const amo_sweep_opts *o;
  amo_sweep_point *point;
  amo_sample *sample;
  amo_section section;
  amo_scale scale;
  amo_returns returns;
  double *still;
  size_t capacity;
  bool moves, failed, stuck;  // stuck: some contact has been sticking
} visit;

static int on_hit(void *ctx, const amo_sample *p)
{
  visit *v = ctx;
  v->failed = !AMO_ROOM(v->point->value, v->point->passes, v->capacity) ||
              amo_returns_add(&v->returns, p->t, p->state) != AMO_OK;
  if (v->failed) return 1;
  v->point->value[v->point->passes++] = v->o->of(v->o->of_ctx, p);
  return v->point->passes >= v->o->returns;
}

static amo_status run_until(visit *v, double t_end)
{
  amo_status st = amo_sim_step(v->sim, t_end);
  if (st == AMO_OK && v->o->on_step && v->o->on_step(v->o->ctx, v->sim)) st = AMO_EINTR;
  return st;
}

/// All that `of` reads at t, within the last step.
static amo_status take_sample(visit *v, double t)
{
  if (!v->o->of_state) return amo_sim_sample(v->sim, t, false, v->sample);
  v->sample->t = t;
  amo_sim_dense(v->sim, t, v->sample->state);
  return AMO_OK;
}

static amo_status note_range(visit *v)
{
  const double start = amo_sim_step_start(v->sim), end = amo_sim_time(v->sim);
  amo_status st = AMO_OK;
  for (int i = 0; i <= LOOKS && st == AMO_OK; i++) {
    st = take_sample(v, i == LOOKS ? end : start + (end - start) * i / LOOKS);
    const double x = st == AMO_OK ? v->o->of(v->o->of_ctx, v->sample) : NAN;
    v->point->low = fmin(v->point->low, x);
    v->point->high = fmax(v->point->high, x);
    for (size_t k = 0; st == AMO_OK && k < amo_places(v->sim->m); k++)
      v->moves |= fabs(v->sample->state[k] - v->still[k]) > v->o->tol * v->scale.size[k];
  }
  return st;
}

static bool sticks(const amo_sim *s)
{
  for (size_t c = 0; c < amo_model_contacts(s->m); c++)
    if (amo_sim_mode(s, c) == AMO_STICK && !amo_is_loose(&s->m->contact[c])) return true;
  return false;
}

static amo_status look(visit *v)
{
  amo_sweep_point *p = v->point;
  const double end = amo_sim_time(v->sim) + v->o->duration;
  amo_status st = AMO_OK;
  memcpy(v->still, amo_sim_state(v->sim), amo_model_states(v->sim->m) * sizeof *v->still);
  v->section = *v->o->section;
  while (st == AMO_OK && amo_sim_time(v->sim) < end) {
    if ((st = run_until(v, end)) != AMO_OK) return st;
    amo_scale_step(&v->scale, v->sim);
    v->stuck |= sticks(v->sim);
    if ((st = note_range(v)) == AMO_OK) st = amo_section_step(&v->section, v->sim, v->sample, on_hit, v);
  }
  if (v->failed) return AMO_ENOMEM;
  if (st != AMO_OK && st != AMO_EINTR) return st;
  if (st == AMO_EINTR && p->passes < v->o->returns) return st;
  p->still = !v->moves;
  if (!p->still) p->turns = amo_returns_turns(&v->returns, v->scale.span, v->o->tol, v->o->turns, &p->period);
  return AMO_OK;
}

/// The step to the next value disturbs a sliding motion, not one that sticks: leave in stick, if there is any.
static amo_status leave(visit *v)
{
  const double end = amo_sim_time(v->sim) + v->o->duration;
  amo_status st = AMO_OK;
  while (st == AMO_OK && v->stuck && !sticks(v->sim) && amo_sim_time(v->sim) < end) st = run_until(v, end);
  return st;
}

static amo_status settle(visit *v)
{
  const double end = amo_sim_time(v->sim) + v->o->transient;
  amo_status st = AMO_OK;
  while (st == AMO_OK && amo_sim_time(v->sim) < end) st = run_until(v, end);
  return st;
}

/// Guides and constraints may have moved with the parameter.
static amo_status complete(const amo_sim *s, double t, double *state)
{
  amo_complete *c = NULL;
  if (!amo_complete_needed(s->m)) return AMO_OK;
  amo_status st = amo_complete_new(s->m, &c);
  if (st == AMO_OK) st = amo_complete_state(c, s->param, t, state, NULL);
  amo_complete_free(c);
  return st;
}

static amo_status make(visit *v)
{
  v->still = amo_zalloc(amo_model_states(v->sim->m), sizeof *v->still);
  v->returns.states = amo_model_states(v->sim->m);
  amo_status st = amo_scale_make(&v->scale, v->sim->m), sample = amo_sample_new(v->sim->m, &v->sample);
  return !v->still ? AMO_ENOMEM : st == AMO_OK ? sample : st;
}

amo_status amo_sweep_visit(amo_sim *s, const amo_sweep_opts *o, double at, double *state,
                           amo_sweep_point *point)
{
  if (!s || !o || !state || !point) return AMO_ERANGE;
  amo_sweep_opts all = amo_sweep_opts_default();
  amo_status st = amo_opts_take(&all, sizeof all, o);
  if (st == AMO_OK && (!all.section || !all.of)) st = AMO_ERANGE;
  if (st != AMO_OK) return st;
  visit v = {.sim = s, .o = &all, .point = point};
  amo_carry *carry = NULL;
  double t = amo_sim_time(s);
  *point = (amo_sweep_point){.at = at, .period = NAN, .low = INFINITY, .high = -INFINITY};
  st = make(&v);
  if (st == AMO_OK) st = amo_carry_new(s, state, &carry);
  if (st == AMO_OK) st = amo_sim_parameter(s, all.parameter, at);
  if (st == AMO_OK) st = amo_carry_state(carry, &s->values, state, &t);
  if (st == AMO_OK) st = complete(s, t, state);
  if (st == AMO_OK) st = amo_sim_start(s, t, state);
  if (st == AMO_OK) st = settle(&v);
  if (st == AMO_OK) st = look(&v);
  if (st == AMO_OK) st = leave(&v);
  point->audit = *amo_sim_audit(s);
  memcpy(state, amo_sim_state(s), amo_model_states(s->m) * sizeof *state);
  amo_sample_free(v.sample);
  amo_scale_free(&v.scale);
  amo_returns_free(&v.returns);
  amo_carry_free(carry);
  free(v.still);
  return st;
}

void amo_sweep_point_free(amo_sweep_point *p)
{
  if (!p) return;
  free(p->value);
  p->value = NULL;
}

/// From each pass of a to the nearest of b.
static double reach(const amo_sweep_point *a, const amo_sweep_point *b)
{
  double worst = 0.0;
  for (size_t i = 0; i < a->passes; i++) {
    double nearest = INFINITY;
    for (size_t k = 0; k < b->passes; k++) nearest = fmin(nearest, fabs(a->value[i] - b->value[k]));
    worst = fmax(worst, nearest);
  }
  return worst;
}

double amo_sweep_distance(const amo_sweep_point *a, const amo_sweep_point *b)
{
  if (!a || !b) return NAN;
  const double ranges = fmax(fabs(a->low - b->low), fabs(a->high - b->high));
  return a->turns == 0 || b->turns == 0 ? ranges : fmax(ranges, fmax(reach(a, b), reach(b, a)));
}
