// SPDX-License-Identifier: Apache-2.0
#include "amontons/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "flow/derivative.h"
#include "flow/sim.h"
#include "model/complete.h"
#include "orbit/scale.h"

enum { LOOKS = 16 };  // points of a step at which the quantity is noted

typedef struct visit {
  amo_sim *sim;
  const amo_sweep_opts *o;
  amo_sweep_point *point;
  amo_sample *sample;
  amo_section section;
  amo_scale scale;
  amo_returns returns;
  double *still;
  signed char *mode;  // before the parameter changed
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

static amo_status note_range(visit *v)
{
  const double start = amo_sim_step_start(v->sim), end = amo_sim_time(v->sim);
  amo_status st = AMO_OK;
  for (int i = 0; i <= LOOKS && st == AMO_OK; i++) {
    st = amo_sim_sample(v->sim, i == LOOKS ? end : start + (end - start) * i / LOOKS, false, v->sample);
    const double x = st == AMO_OK ? v->o->of(v->o->of_ctx, v->sample) : NAN;
    v->point->low = fmin(v->point->low, x);
    v->point->high = fmax(v->point->high, x);
    for (size_t k = 0; st == AMO_OK && k < amo_model_coordinates(v->sim->m); k++)
      v->moves |= fabs(v->sample->state[k] - v->still[k]) > v->o->tol * v->scale.size[k];
  }
  return st;
}

static bool sticks(const amo_sim *s)
{
  for (size_t c = 0; c < amo_model_contacts(s->m); c++)
    if (amo_sim_mode(s, c) == AMO_STICK) return true;
  return false;
}

static amo_status look(visit *v)
{
  amo_sweep_point *p = v->point;
  const double end = amo_sim_time(v->sim) + v->o->duration;
  amo_status st = AMO_OK;
  memcpy(v->still, amo_sim_state(v->sim), amo_model_states(v->sim->m) * sizeof *v->still);
  v->section = v->o->section;
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
  p->turns = p->still ? 0 : amo_returns_turns(&v->returns, v->scale.span, v->o->tol, v->o->turns);
  if (p->turns) p->period = v->returns.t[p->passes - 1] - v->returns.t[p->passes - 1 - p->turns];
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

/// What sticks goes on sticking when the parameter moves the surface under it: velocities follow, by the least change
/// that does it. Slips are affine in the velocities, so one sweep over contacts that share none is exact.
static amo_status carry_along(amo_sim *s, const signed char *mode, double *state)
{
  const uint32_t nq = s->m->nq, nc = s->m->nc;
  amo_derivative *d = NULL;
  signed char *press = amo_zalloc(nc, 1), *branch = amo_zalloc(amo_prog_switches(s->m->step), 1);
  amo_status st = press && branch ? amo_derivative_new(s->m, NULL, 0, &d) : AMO_ENOMEM;
  if (st == AMO_OK) amo_derivative_parameters(d, s->param);
  for (int round = 0; round < 100 && st == AMO_OK; round++) {
    const amo_place at = {.t = s->t, .y = state, .mode = mode, .press = press, .branch = branch};
    double worst = 0.0;
    st = amo_derivative_conditions(d, &at);
    for (uint32_t c = 0; st == AMO_OK && c < nc; c++) {
      const amo_gradient *g = &d->slip[c];
      double square = 0.0, slip = g->value, size = 0.0;
      if (mode[c] != AMO_STICK) continue;
      for (uint32_t i = nq; i < 2 * nq; i++) {
        square += g->d[i] * g->d[i];
        size += fabs(g->d[i] * state[i]);
      }
      if (!(square > 0.0)) continue;
      for (uint32_t i = nq; i < 2 * nq; i++) state[i] -= g->d[i] * slip / square;
      worst = fmax(worst, fabs(slip) / fmax(size, 1e-300));
    }
    if (worst <= 1e-15) break;
  }
  amo_derivative_free(d);
  free(press);
  free(branch);
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
static amo_status complete(const amo_sim *s, double *state)
{
  amo_complete *c = NULL;
  if (!amo_complete_needed(s->m)) return AMO_OK;
  amo_status st = amo_complete_new(s->m, &c);
  if (st == AMO_OK) st = amo_complete_state(c, s->param, s->t, state, NULL);
  amo_complete_free(c);
  return st;
}

static amo_status make(visit *v)
{
  v->still = amo_zalloc(amo_model_states(v->sim->m), sizeof *v->still);
  v->mode = amo_zalloc(amo_model_contacts(v->sim->m), 1);
  v->returns.states = amo_model_states(v->sim->m);
  amo_status st = amo_scale_make(&v->scale, v->sim->m), sample = amo_sample_new(v->sim->m, &v->sample);
  return !v->still || !v->mode ? AMO_ENOMEM : st == AMO_OK ? sample : st;
}

amo_status amo_sweep_visit(amo_sim *s, const amo_sweep_opts *o, double at, double *state,
                           amo_sweep_point *point)
{
  visit v = {.sim = s, .o = o, .point = point};
  *point = (amo_sweep_point){.at = at, .period = NAN, .low = INFINITY, .high = -INFINITY};
  amo_status st = make(&v);
  for (uint32_t c = 0; st == AMO_OK && c < s->m->nc; c++) v.mode[c] = s->mode[c];
  if (st == AMO_OK) st = amo_sim_parameter(s, o->parameter, at);
  if (st == AMO_OK && s->m->nxi == 0 && sticks(s)) st = carry_along(s, v.mode, state);
  if (st == AMO_OK) st = complete(s, state);
  if (st == AMO_OK) st = amo_sim_start(s, amo_sim_time(s), state);
  if (st == AMO_OK) st = settle(&v);
  if (st == AMO_OK) st = look(&v);
  if (st == AMO_OK) st = leave(&v);
  point->audit = *amo_sim_audit(s);
  memcpy(state, amo_sim_state(s), amo_model_states(s->m) * sizeof *state);
  amo_sample_free(v.sample);
  amo_scale_free(&v.scale);
  amo_returns_free(&v.returns);
  free(v.still);
  free(v.mode);
  return st;
}

void amo_sweep_point_free(amo_sweep_point *p)
{
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
  const double ranges = fmax(fabs(a->low - b->low), fabs(a->high - b->high));
  return a->turns == 0 || b->turns == 0 ? ranges : fmax(ranges, fmax(reach(a, b), reach(b, a)));
}
