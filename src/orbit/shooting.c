// SPDX-License-Identifier: Apache-2.0
#include "orbit/shooting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/newton.h"
#include "num/orthogonal.h"
#include "num/solve.h"

enum { MOST_HALVINGS = 7 };  // of a step, with damping

static size_t unknowns(const amo_shooting *x)
{
  return (size_t)x->segments * x->s->ns + x->autonomous;
}

amo_status amo_shooting_new(amo_shooter *s, const amo_drift *drift, bool autonomous, int segments,
                            amo_shooting **out)
{
  amo_shooting *x = *out = amo_zalloc(1, sizeof *x);
  if (!x) return AMO_ENOMEM;
  x->s = s;
  x->drift = drift;
  x->autonomous = autonomous;
  x->segments = segments;
  x->guarded = true;
  const size_t n = unknowns(x), ns = s->ns;
  x->y = amo_zalloc((size_t)segments * ns, sizeof *x->y);
  x->work = amo_zalloc(3 * ((size_t)segments * ns + 1), sizeof *x->work);
  x->defect = amo_zalloc((size_t)segments * ns, sizeof *x->defect);
  x->scale = amo_zalloc(ns, sizeof *x->scale);
  x->shot = amo_zalloc((size_t)segments, sizeof(amo_shot *));
  x->a = amo_zalloc(n * n, sizeof *x->a);
  x->b = amo_zalloc(n, sizeof *x->b);
  x->lu = amo_zalloc(n * n, sizeof *x->lu);
  x->unit = amo_zalloc(ns, sizeof *x->unit);
  amo_status st = x->y && x->work && x->defect && x->scale && x->shot && x->a && x->b && x->lu && x->unit
                      ? AMO_OK
                      : AMO_ENOMEM;
  for (int i = 0; st == AMO_OK && i < segments; i++) st = amo_shot_new(s, &x->shot[i]);
  if (st == AMO_OK) return AMO_OK;
  amo_shooting_free(x);
  *out = NULL;
  return st;
}

void amo_shooting_free(amo_shooting *x)
{
  if (!x) return;
  for (int i = 0; x->shot && i < x->segments; i++) amo_shot_free(x->shot[i]);
  for (size_t i = 0; i < x->iterates; i++) free(x->iterate[i].state);
  free(x->iterate);
  free(x->y);
  free(x->work);
  free(x->defect);
  free(x->scale);
  free(x->shot);
  free(x->a);
  free(x->b);
  free(x->lu);
  free(x->unit);
  free(x);
}

amo_status amo_shooting_begin(amo_shooting *x, double t0, const double *y0, double period)
{
  const size_t ns = x->s->ns;
  for (size_t i = 0; i < x->iterates; i++) free(x->iterate[i].state);
  x->iterates = 0;
  x->t0 = t0;
  x->period = period;
  memset(x->scale, 0, ns * sizeof *x->scale);
  memcpy(x->y, y0, ns * sizeof *y0);
  for (int i = 1; i < x->segments; i++) {
    amo_status st = amo_shoot(x->s, t0 + (i - 1) * period / x->segments, x->y + (size_t)(i - 1) * ns,
                              period / x->segments, false, x->shot[0]);
    if (st != AMO_OK) return st;
    memcpy(x->y + (size_t)i * ns, x->shot[0]->end, ns * sizeof *y0);
  }
  return AMO_OK;
}

/// Sizes against which changes of the states are measured: along the arcs, and never much below their own kind's.
static void take_scales(amo_shooting *x)
{
  const amo_shooter *s = x->s;
  const uint32_t nq = s->m->nq, first[4] = {0, nq, 2 * nq, s->ns};
  for (uint32_t i = 0; i < s->ns; i++)
    for (int k = 0; k < x->segments; k++) x->scale[i] = fmax(x->scale[i], x->shot[k]->size[i]);
  for (int g = 0; g < 3; g++) {
    double most = 0.0;
    for (uint32_t i = first[g]; i < first[g + 1]; i++) most = fmax(most, x->scale[i]);
    for (uint32_t i = first[g]; i < first[g + 1]; i++)
      x->scale[i] = fmax(x->scale[i], most > 0.0 ? 1e-6 * most : 1.0);
  }
}

static void take_defects(amo_shooting *x)
{
  const size_t ns = x->s->ns;
  for (int k = 0; k < x->segments; k++)
    for (size_t i = 0; i < ns; i++)
      x->defect[(size_t)k * ns + i] = x->shot[k]->end[i] - x->y[(size_t)((k + 1) % x->segments) * ns + i];
  amo_drift_remove(x->drift, x->autonomous, x->period, x->defect + (size_t)(x->segments - 1) * ns, NULL);
}

/// The arcs from the present nodes. The switch model runs its perturbed arcs only when a step is wanted.
static amo_status look(amo_shooting *x, bool derivatives)
{
  const bool once = x->s->opt.method != AMO_METHOD_SWITCH;
  const double h = x->period / x->segments;
  for (int k = 0; k < x->segments; k++) {
    amo_status st =
        amo_shoot(x->s, x->t0 + k * h, x->y + (size_t)k * x->s->ns, h, derivatives || once, x->shot[k]);
    if (st != AMO_OK) return st;
  }
  if (derivatives && !once) return AMO_OK;
  take_scales(x);
  x->residual = x->error = 0.0;
  take_defects(x);
  for (size_t i = 0; i < (size_t)x->segments * x->s->ns; i++) {
    x->residual = fmax(x->residual, fabs(x->defect[i]));
    x->error = fmax(x->error, fabs(x->defect[i]) / x->scale[i % x->s->ns]);
  }
  return AMO_OK;
}

/// States of comparable size are taken as they are, others by their sizes.
static void take_units(amo_shooting *x)
{
  double least = INFINITY, most = 0.0;
  for (uint32_t i = 0; i < x->s->ns; i++) {
    least = fmin(least, x->scale[i]);
    most = fmax(most, x->scale[i]);
  }
  const bool alike = most < 1e3 * least && most < 1e3 && least > 1e-3;
  for (uint32_t i = 0; i < x->s->ns; i++) x->unit[i] = alike ? 1.0 : x->scale[i];
  x->unit_time = alike ? 1.0 : x->period;
}

/// Free shifts are taken out of the equations of the last arc: their own states, which then say nothing, keep where the
/// motion starts. A drive at constant speed moves on while the period changes.
static void take_shifts_out(amo_shooting *x)
{
  const amo_drift *d = x->drift;
  const size_t ns = x->s->ns, n = unknowns(x), row = (size_t)(x->segments - 1) * ns;
  for (size_t i = 0; x->autonomous && i < ns; i++)
    x->a[(n - 1) * n + row + i] -= d->velocity[i] * x->unit_time / x->unit[i];
  for (size_t k = 0; k < d->frees; k++) {
    const size_t own = d->pivot[k];
    for (size_t c = 0; c < n; c++) {
      double *column = x->a + c * n + row;
      const double amount = column[own] * x->unit[own];
      for (size_t i = 0; i < ns; i++) column[i] -= amount * d->along[k * ns + i] / x->unit[i];
      column[own] = c == own;
    }
  }
}

/// Column-major equations for the unknowns y_0..y_{N-1}, T, each by its unit.
static void fill_system(amo_shooting *x)
{
  const size_t ns = x->s->ns, n = unknowns(x);
  const double *unit = x->unit;
  take_units(x);
  memset(x->a, 0, n * n * sizeof *x->a);
  for (int k = 0; k < x->segments; k++) {
    const size_t row = (size_t)k * ns, next = (size_t)((k + 1) % x->segments) * ns;
    for (size_t i = 0; i < ns; i++) {
      for (size_t j = 0; j < ns; j++)
        x->a[(row + j) * n + row + i] += x->shot[k]->matrix[j * ns + i] * unit[j] / unit[i];
      x->a[(next + i) * n + row + i] -= 1.0;
      x->b[row + i] = -x->defect[row + i] / unit[i];
      if (x->autonomous)
        x->a[(n - 1) * n + row + i] = x->shot[k]->arrive[i] * x->unit_time / x->segments / unit[i];
    }
  }
  take_shifts_out(x);
  for (size_t i = 0; x->autonomous && i < ns; i++)
    x->a[i * n + n - 1] = (x->shot[0]->leave[i] - x->drift->velocity[i]) * x->unit_time / unit[i];
  if (x->autonomous) x->b[n - 1] = 0.0;
}

/// By elimination where the equations determine the step, else the smallest step that comes nearest to solving them.
static bool solve_system(amo_shooting *x)
{
  const size_t n = unknowns(x);
  amo_transpose(x->a, n);
  memcpy(x->lu, x->a, n * n * sizeof *x->lu);
  return amo_solve(x->lu, n, x->b, 1) == AMO_OK ||
         amo_least_squares(x->a, n, n, AMO_NOTHING, x->b, 1) == AMO_OK;
}

static amo_status step_of(amo_shooting *x, double *dt)
{
  const size_t n = unknowns(x);
  fill_system(x);
  for (size_t i = 0; i < n * n; i++)
    if (!isfinite(x->a[i])) return amo_shooter_fail(x->s, AMO_ENOANSWER, "the derivatives are not finite");
  if (!solve_system(x))
    return amo_shooter_fail(x->s, AMO_ENOANSWER, "the equations of the Newton step could not be solved");
  for (size_t i = 0; i < n - x->autonomous; i++) x->b[i] *= x->unit[i % x->s->ns];
  *dt = x->autonomous ? x->b[n - 1] * x->unit_time : 0.0;
  return AMO_OK;
}

/// Does the state hardly change in a period? What a velocity is measured by is also how fast its coordinate would pass
/// through its own size in a period: where a mechanism slides on at rest, velocities are nothing but rounding, and
/// their own sizes say nothing. Motion that moves on steadily, and does nothing else, rests as seen by one who moves along;
/// its coordinates are measured by their way, which is far more than they could swing.
static bool at_rest(amo_shooting *x)
{
  const uint32_t nq = x->s->m->nq;
  double most = 0.0, moves = 0.0, *rate = x->work;
  memcpy(rate, x->shot[0]->leave, x->s->ns * sizeof *rate);
  amo_drift_project(x->drift, x->autonomous, 0, rate);
  for (uint32_t i = 0; i < x->s->ns; i++) {
    double size = x->scale[i];
    if (i >= nq && i < 2 * nq) size = fmax(size, x->scale[i - nq] / x->period);
    most = fmax(most, fabs(rate[i]) * x->period / size);
    moves = fmax(moves, fabs(x->shot[0]->leave[i] - rate[i]) * x->period / size);
  }
  return most < AMO_ROUGH || most < 1e-6 * fmin(moves, 1.0);
}

static amo_iterate *note(amo_shooting *x)
{
  const size_t ns = x->s->ns;
  if (!AMO_ROOM(x->iterate, x->iterates, x->capacity)) return NULL;
  amo_iterate *it = &x->iterate[x->iterates];
  *it = (amo_iterate){.period = x->period, .residual = x->residual, .effort = x->s->last, .damping = 1.0};
  it->state = amo_zalloc(ns * (ns + 2), sizeof *it->state);
  if (!it->state) return NULL;
  it->matrix = it->state + ns;
  it->proposed = it->matrix + ns * ns;
  it->proposed_period = x->period;
  memcpy(it->state, x->y, ns * sizeof *x->y);
  memcpy(it->proposed, x->y, ns * sizeof *x->y);
  x->iterates++;
  return it;
}

static void keep_matrix(const amo_shooting *x, amo_iterate *it)
{
  memcpy(it->matrix, x->shot[0]->matrix, (size_t)x->s->ns * x->s->ns * sizeof *it->matrix);
  it->has_matrix = true;
}

static void propose(const amo_shooting *x, amo_iterate *it, double dt)
{
  const size_t ns = x->s->ns;
  it->proposed_period = x->period + dt;
  for (size_t i = 0; i < ns; i++) it->proposed[i] = x->y[i] + x->b[i];
}

typedef struct shooting_search {  // for Newton's method: y of all nodes, then the period
  amo_shooting *x;
  amo_newton newton;
  double guard;  // part of the step that keeps the period within bounds
  bool failed;   // with a message of its own
} shooting_search;

static amo_status note_failure(shooting_search *w, amo_status st)
{
  w->failed |= st != AMO_OK;
  return st;
}

static amo_status look_at(void *ctx, const double *all, double *size)
{
  shooting_search *w = ctx;
  amo_shooting *x = w->x;
  const size_t n = w->newton.n - 1;
  memcpy(x->y, all, n * sizeof *all);
  x->period = all[n];
  if (x->iterates > 0) x->iterate[x->iterates - 1].damping = w->guard * w->newton.part;
  w->failed = false;
  const amo_status st = x->period > 0.0
                            ? look(x, false)
                            : amo_shooter_fail(x->s, AMO_ENOANSWER, "the period became %.6g", x->period);
  *size = x->error;
  return note_failure(w, st);
}

/// Keep the iterate. An equilibrium is none.
static amo_status examine(amo_shooting *x, amo_iterate **out)
{
  amo_iterate *it = *out = note(x);
  if (!it) return AMO_ENOMEM;
  x->rests = x->autonomous && at_rest(x);
  if (x->rests)
    return amo_shooter_fail(x->s, AMO_ENOANSWER,
                            "the state is an equilibrium, or moves on steadily: it repeats after any "
                            "time, there is no cycle");
  if (x->s->opt.method != AMO_METHOD_SWITCH) keep_matrix(x, it);
  return AMO_OK;
}

static amo_status step(void *ctx, const double *all, double *move, double *length, double *size)
{
  shooting_search *w = ctx;
  amo_shooting *x = w->x;
  const size_t n = w->newton.n - 1;
  amo_iterate *it;
  double dt = 0.0;
  (void)all, (void)length, (void)size;
  amo_status st = examine(x, &it);
  if (st == AMO_OK && x->s->opt.method == AMO_METHOD_SWITCH) st = look(x, true);
  if (st == AMO_OK) st = step_of(x, &dt);
  if (st != AMO_OK) return note_failure(w, st);
  keep_matrix(x, it);
  propose(x, it, dt);
  w->guard = 1.0;
  if (x->guarded && x->autonomous && dt < -0.5 * x->period) w->guard = -0.5 * x->period / dt;
  if (x->guarded && x->autonomous && dt > x->period) w->guard = x->period / dt;
  for (size_t i = 0; i < n; i++) move[i] = w->guard * x->b[i];
  move[n] = w->guard * dt;
  return AMO_OK;
}

amo_status amo_shooting_solve(amo_shooting *x, double accuracy, int most)
{
  const size_t n = (size_t)x->segments * x->s->ns, all = n + 1;
  amo_iterate *it;
  shooting_search w = {.x = x, .guard = 1.0};
  w.newton = (amo_newton){look_at, step, &w, .n = all, .move = x->work, .trial = x->work + all, .part = 1.0};
  w.newton.enough = accuracy, w.newton.most = most, w.newton.halvings = x->damped ? MOST_HALVINGS : 0;
  double *start = x->work + 2 * all;
  memcpy(start, x->y, n * sizeof *start);
  start[n] = x->period;
  const amo_status st = amo_newton_solve(&w.newton, start);
  if (w.failed || (st != AMO_OK && st != AMO_ENOANSWER)) return st;
  if (st == AMO_ENOANSWER && w.newton.steps < most)
    return amo_shooter_fail(x->s, st, "no step makes the defects smaller");
  const amo_status last = examine(x, &it);
  if (last != AMO_OK || st == AMO_OK) return last;
  return amo_shooter_fail(x->s, st, "no convergence in %d steps, defect %.3g", most, x->residual);
}
