// SPDX-License-Identifier: Apache-2.0
/// Following a branch: predict along the tangent, correct in the plane normal to it, look what lies between.
#include "base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow/derivative.h"
#include "flow/flow.h"
#include "orbit/branch_impl.h"
#include "orbit/cycle_impl.h"

amo_branch_opts amo_branch_opts_default(void)
{
  return (amo_branch_opts){.cycle = amo_cycle_opts_default(), .step = 0.01, .max_step = 0.05, .points = 400};
}

size_t amo_follower_unknowns(const amo_follower *w)
{
  return w->shooter->ns + (w->autonomous && w->o->kind == AMO_BRANCH_CYCLES ? 2u : 1u);
}

// ---- points and stops ----

static amo_status new_point(const amo_follower *w, amo_branch_point *p)
{
  const size_t ns = w->shooter->ns, nq = w->m->nq;
  *p = (amo_branch_point){0};
  p->state = amo_zalloc(ns + 2 * nq, sizeof *p->state);
  p->multiplier = amo_zalloc(ns, sizeof *p->multiplier);
  if (!p->state || !p->multiplier) return AMO_ENOMEM;
  p->low = p->state + ns;
  p->high = p->low + nq;
  return AMO_OK;
}

void amo_point_release(amo_branch_point *p)
{
  free(p->state);
  free(p->multiplier);
  free(p->signature);
  *p = (amo_branch_point){0};
}

static amo_status copy_point(const amo_follower *w, const amo_branch_point *from, amo_branch_point *to)
{
  const size_t ns = w->shooter->ns, nq = w->m->nq;
  char *text = amo_strdup(from->signature);
  if (!text) return AMO_ENOMEM;
  free(to->signature);
  to->signature = text;
  memcpy(to->state, from->state, (ns + 2 * nq) * sizeof *to->state);
  memcpy(to->multiplier, from->multiplier, ns * sizeof *to->multiplier);
  to->value = from->value;
  to->period = from->period;
  to->stable = from->stable;
  to->branch = from->branch;
  return AMO_OK;
}

amo_status amo_point_new_copy(const amo_follower *w, const amo_branch_point *from, amo_branch_point *to)
{
  amo_status st = new_point(w, to);
  if (st == AMO_OK) st = copy_point(w, from, to);
  if (st != AMO_OK) amo_point_release(to);
  return st;
}

amo_status amo_stop_new(const amo_follower *w, amo_stop *s)
{
  const size_t n = amo_follower_unknowns(w);
  s->x = amo_zalloc(2 * n, sizeof *s->x);
  if (!s->x) return AMO_ENOMEM;
  s->tangent = s->x + n;
  return new_point(w, &s->point);
}

void amo_stop_free(amo_stop *s)
{
  free(s->x);
  s->x = NULL;
  amo_point_release(&s->point);
}

amo_status amo_stop_copy(const amo_follower *w, const amo_stop *from, amo_stop *to)
{
  memcpy(to->x, from->x, 2 * amo_follower_unknowns(w) * sizeof *to->x);
  to->signs = from->signs;
  return copy_point(w, &from->point, &to->point);
}

amo_status amo_follower_solve(amo_follower *w, const double *x, const double *direction, amo_stop *s,
                              int *steps)
{
  memcpy(s->x, x, amo_follower_unknowns(w) * sizeof *x);
  amo_status st = amo_curve_correct(w->curve, s->x, direction, 8, steps);
  if (st == AMO_OK) st = amo_curve_tangent(w->curve, direction, s->tangent);
  if (st == AMO_OK) st = w->problem->judge(w, s->x, &s->point, &s->signs);
  s->signs.along = s->tangent[w->curve->n];
  return st;
}

static amo_status append(amo_follower *w, const amo_stop *s)
{
  amo_branch *b = w->out;
  if (!AMO_ROOM(b->point, b->points, b->point_capacity)) return AMO_ENOMEM;
  amo_status st = amo_point_new_copy(w, &s->point, &b->point[b->points]);
  if (st == AMO_OK) b->point[b->points++].branch = w->branch;
  return st;
}

// ---- one branch ----

static void end(amo_follower *w, const char *why)
{
  if (w->branch == 0) snprintf(w->out->ended, sizeof w->out->ended, "%s", why);
}

static double turn(const amo_follower *w, const amo_stop *a, const amo_stop *b)
{
  double dot = 0.0;
  for (size_t i = 0; i <= w->curve->n; i++) dot += a->tangent[i] * b->tangent[i];
  return dot;
}

/// The end of the range itself as the last point.
static amo_status finish(amo_follower *w, double value)
{
  const size_t n = w->curve->n;
  const double part = (value - w->here.x[n]) / (w->next.x[n] - w->here.x[n]);
  double *direction = amo_zalloc(2 * (n + 1), sizeof *direction), *x = direction + n + 1;
  int steps;
  if (!direction) return AMO_ENOMEM;
  direction[n] = 1.0;
  for (size_t i = 0; i <= n; i++) x[i] = w->here.x[i] + part * (w->next.x[i] - w->here.x[i]);
  x[n] = value;
  amo_status st = amo_follower_solve(w, x, direction, &w->trial, &steps);
  free(direction);
  if (st != AMO_OK) return AMO_OK;  // the branch ends a little earlier
  if (w->trial.signs.along * w->here.signs.along < 0.0 && w->next.signs.along * w->here.signs.along > 0.0) {
    for (size_t i = 0; i <= n; i++) w->trial.tangent[i] = -w->trial.tangent[i];
    w->trial.signs.along = -w->trial.signs.along;
  }
  st = amo_stop_copy(w, &w->trial, &w->next);
  if (st == AMO_OK) st = amo_follower_locate(w, &w->here, &w->next, 0);
  return st == AMO_OK ? append(w, &w->next) : st;
}

/// One step of about *ds; AMO_ENOANSWER: even the smallest fails.
static amo_status advance(amo_follower *w, double *ds)
{
  const size_t n = w->curve->n;
  const double smallest = 1e-7;
  double *x = amo_zalloc(n + 1, sizeof *x);
  amo_status st = x ? AMO_ENOANSWER : AMO_ENOMEM;
  while (st == AMO_ENOANSWER && *ds > smallest) {
    int steps = 0;
    for (size_t i = 0; i <= n; i++) x[i] = w->here.x[i] + *ds * w->here.tangent[i] * w->curve->scale[i];
    st = amo_follower_solve(w, x, w->here.tangent, &w->next, &steps);
    if (st == AMO_OK && turn(w, &w->here, &w->next) < 0.9 && *ds > 1e-3) st = AMO_ENOANSWER;
    if (st == AMO_ELIMIT || st == AMO_EUNSUPPORTED) st = AMO_ENOANSWER;
    if (st == AMO_OK && steps <= 3) *ds = fmin(1.6 * *ds, w->o->max_step);
    if (st == AMO_ENOANSWER) *ds *= 0.5;
  }
  free(x);
  return st;
}

/// Has the branch run through a cycle of no size, to the same cycles seen half a period later? Or has it nearly?
static bool vanishes(const amo_follower *w)
{
  double most = 0.0, along = 0.0;
  if (w->o->kind != AMO_BRANCH_CYCLES || !w->autonomous) return false;
  for (uint32_t q = 0; q < w->m->nq; q++)
    most = fmax(most, (w->next.point.high[q] - w->next.point.low[q]) / w->state_scale[q]);
  for (uint32_t i = 0; i < w->shooter->ns; i++) along += w->phase[i] * w->shot->leave[i];
  return most < 1e-4 || along < 0.0;
}

/// The Hopf bifurcation where the cycles vanish, from the steady states nearby.
static amo_status record_hopf(amo_follower *w)
{
  const size_t n = w->curve->n, nq = w->m->nq;
  amo_branch_opts o = *w->o;
  amo_branch *steady = NULL, *b = w->out;
  double *y = amo_zalloc(w->shooter->ns, sizeof *y);
  const double here = w->here.x[n], reach = fabs(w->next.x[n] - here) + 1e-3 * fabs(o.to - o.from);
  if (!y) return AMO_ENOMEM;
  memcpy(y, w->here.point.state, w->shooter->ns * sizeof *y);
  for (size_t q = 0; q < nq; q++) {
    y[q] = 0.5 * (w->here.point.low[q] + w->here.point.high[q]);
    y[nq + q] = 0.0;
  }
  const double side = w->here.tangent[n] > 0.0 ? 1.0 : -1.0;
  o.kind = AMO_BRANCH_STEADY;
  o.from = here - 2.0 * side * reach;
  o.to = here + 5.0 * side * reach;
  o.branches = false;
  amo_status st = amo_branch_follow(w->m, &o, y, NULL, &steady);
  free(y);
  for (size_t i = 0; st == AMO_OK && i < steady->specials; i++) {
    if (steady->special[i].type != AMO_SPECIAL_HOPF) continue;
    if (!AMO_ROOM(b->special, b->specials, b->special_capacity)) st = AMO_ENOMEM;
    if (st != AMO_OK) break;
    b->special[b->specials++] = steady->special[i];
    b->special[b->specials - 1].at.branch = w->branch;
    steady->special[i] = (amo_special){0};
  }
  amo_branch_free(steady);
  return st == AMO_ENOMEM || st == AMO_EINTR ? st : AMO_OK;
}

static amo_status follow(amo_follower *w)
{
  const size_t n = w->curve->n;
  const double low = fmin(w->o->from, w->o->to), high = fmax(w->o->from, w->o->to);
  double ds = w->o->step;
  amo_status st = append(w, &w->here);
  for (int k = 1; st == AMO_OK; k++) {
    if (w->o->stop && *w->o->stop) return AMO_EINTR;
    if (k >= w->o->points) return end(w, "as many points as asked for"), AMO_OK;
    st = advance(w, &ds);
    if (st == AMO_ENOANSWER) {
      char text[200];
      snprintf(text, sizeof text, "cannot be followed beyond %.9g: %.140s", w->here.x[n],
               w->shooter->message[0] ? w->shooter->message : "no solution nearby");
      return end(w, text), AMO_OK;
    }
    if (st != AMO_OK) return st;
    if (vanishes(w)) return end(w, "the cycle shrinks to a steady state"), record_hopf(w);
    if (w->next.x[n] > high || w->next.x[n] < low) {
      end(w, "the parameter reached the end of its range");
      return finish(w, w->next.x[n] > high ? high : low);
    }
    st = amo_follower_locate(w, &w->here, &w->next, 0);
    if (st == AMO_OK) st = append(w, &w->next);
    if (st == AMO_OK) {  // what was looked at last may have been something else
      int steps;
      st = amo_follower_solve(w, w->next.x, w->next.tangent, &w->here, &steps);
    }
    if (st == AMO_OK && w->problem->restate) st = w->problem->restate(w, w->here.x, w->here.tangent);
  }
  return st;
}

// ---- other branches ----

static amo_status copy_seed(amo_follower *w, const amo_seed *s)
{
  const size_t n = w->curve->n, ns = w->shooter->ns;
  const double part = 0.02;
  int steps;
  w->t0 = s->t0;
  memcpy(w->phase, s->phase, ns * sizeof *s->phase);
  memcpy(w->anchor, s->anchor, ns * sizeof *s->anchor);
  double *x = amo_zalloc(n + 1, sizeof *x);
  if (!x) return AMO_ENOMEM;
  for (size_t i = 0; i <= n; i++) x[i] = s->x[i] + part * s->direction[i] * w->curve->scale[i];
  if (s->type == AMO_SPECIAL_FLIP && w->autonomous) x[ns] *= 2.0, w->curve->scale[ns] *= 2.0;
  if (s->type == AMO_SPECIAL_FLIP && !w->autonomous) w->periods *= 2;
  amo_status st = amo_follower_solve(w, x, s->direction, &w->here, &steps);
  free(x);
  return st;
}

static amo_status follow_seeds(amo_follower *w)
{
  amo_status st = AMO_OK;
  const size_t first = w->seeds;
  for (size_t i = 0; st == AMO_OK && i < first; i++) {
    const int periods = w->periods;
    const double scale = w->curve->scale[w->shooter->ns];
    st = copy_seed(w, &w->seed[i]);
    if (st == AMO_OK) {
      w->branch = ++w->out->branches;
      if (w->problem->restate) st = w->problem->restate(w, w->here.x, w->here.tangent);
      if (st == AMO_OK) st = follow(w);
    } else if (st == AMO_ENOANSWER) {
      st = AMO_OK;  // no branch there after all
    }
    w->periods = periods;
    if (w->autonomous) w->curve->scale[w->shooter->ns] = scale;
  }
  return st;
}

// ---- the beginning ----

static amo_status first_cycle(amo_follower *w, const double *start)
{
  amo_cycle *c = NULL;
  double *y = amo_zalloc(w->shooter->ns, sizeof *y);
  if (!y) return AMO_ENOMEM;
  if (start)
    memcpy(y, start, w->shooter->ns * sizeof *y);
  else
    amo_model_start(w->m, w->shooter->param, y);
  amo_status st = amo_cycle_find_at(w->m, w->shooter->param, &w->o->cycle, y, w->diags, &c);
  free(y);
  if (st != AMO_OK) return st;
  w->autonomous = !c->forced;
  w->periods = c->forced ? (int)nearbyint(c->period / c->forcing) : 0;
  const size_t n = w->shooter->ns + w->autonomous;
  st = amo_curve_new(&w->problem->curve, w, n, &w->curve);
  if (st == AMO_OK) st = amo_stop_new(w, &w->here);
  if (st == AMO_OK) st = amo_cycles_begin(w, c);
  amo_cycle_free(c);
  return st;
}

/// Modes of a steady state: those of the slips at the start.
static amo_status first_modes(amo_follower *w, const double *y)
{
  amo_flow *f = NULL;
  amo_status st = amo_flow_new(w->m, &w->shooter->opt, 1, &f);
  if (st == AMO_OK) amo_flow_parameters(f, 0, w->shooter->param);
  if (st == AMO_OK) st = amo_flow_start(f, 0, w->t0, y);
  if (st == AMO_OK) {
    memcpy(w->mode, f->lane[0].mode, w->m->nc);
    memcpy(w->press, f->lane[0].press, w->m->nc);
    memcpy(w->switches, f->lane[0].branch, f->nsw);
  }
  amo_flow_free(f);
  for (uint32_t c = 0; st == AMO_OK && c < w->m->nc; c++)
    if (w->mode[c] == 0)
      return amo_error(w->diags, (amo_at){0}, "start where everything slides",
                       "contact %s sticks at the start: steady states are followed in sliding only",
                       w->m->contact[c].sym.name);
  return st;
}

static amo_status first_steady(amo_follower *w, const double *start)
{
  const uint32_t which = (uint32_t)w->o->parameter;
  const size_t ns = w->shooter->ns, nc = w->m->nc + 1u, nsw = amo_prog_switches(w->m->step) + 1u;
  w->mode = amo_zalloc(2 * nc + nsw, 1);
  if (!w->mode) return AMO_ENOMEM;
  w->press = w->mode + nc;
  w->switches = w->press + nc;
  w->autonomous = false;
  amo_status st = amo_derivative_new(w->m, &which, 1, &w->derivative);
  if (st == AMO_OK) st = amo_curve_new(&w->problem->curve, w, ns, &w->curve);
  if (st == AMO_OK) st = amo_stop_new(w, &w->here);
  if (st != AMO_OK) return st;
  if (start)
    memcpy(w->here.x, start, ns * sizeof *start);
  else
    amo_model_start(w->m, w->shooter->param, w->here.x);
  st = first_modes(w, w->here.x);
  w->here.x[ns] = w->o->from;
  for (size_t i = 0; i < ns; i++) w->curve->scale[i] = w->state_scale[i] = fmax(1.0, fabs(w->here.x[i]));
  w->curve->scale[ns] = fabs(w->o->to - w->o->from);
  w->here.tangent[ns] = w->o->to > w->o->from ? 1.0 : -1.0;
  return st;
}

/// A steady state that slides otherwise than assumed: once more with the directions it has.
static amo_status agree(amo_follower *w, const double *direction)
{
  int steps;
  for (int pass = 0; pass < 2; pass++) {
    bool same = true;
    for (uint32_t c = 0; c < w->m->nc; c++) {
      const char slip = w->here.point.signature[c];
      const signed char mode = (signed char)(slip == '+' ? 1 : slip == '-' ? -1 : 0);
      same &= mode == w->mode[c];
      w->mode[c] = mode;
    }
    if (same) return AMO_OK;
    amo_status st =
        pass == 0 ? amo_follower_solve(w, w->trial.x, direction, &w->here, &steps) : AMO_ENOANSWER;
    if (st != AMO_OK) return st;
  }
  return AMO_ENOANSWER;
}

static amo_status begin(amo_follower *w, const double *start)
{
  const uint32_t which = (uint32_t)w->o->parameter;
  const size_t ns = 2u * w->m->nq + w->m->nz;
  int steps;
  amo_status st = amo_shooter_new(w->m, &w->o->cycle.sim, &which, 1, 1e-4, w->diags, &w->shooter);
  if (st != AMO_OK) return st;
  w->shooter->stop = w->o->stop;
  w->t0 = w->m->t0;
  if (w->o->values) memcpy(w->shooter->param, w->o->values, w->m->np * sizeof *w->o->values);
  amo_shooter_set(w->shooter, which, w->o->from);
  if (!amo_model_allowed(w->m, w->shooter->param))
    return amo_error(w->diags, (amo_at){0}, NULL, "the model does not allow %s = %g",
                     w->m->param[which].sym.name, w->o->from);
  w->phase = amo_zalloc(3 * ns, sizeof *w->phase);
  if (!w->phase) return AMO_ENOMEM;
  w->anchor = w->phase + ns;
  w->state_scale = w->anchor + ns;
  st = amo_shot_new(w->shooter, &w->shot);
  if (st == AMO_OK) st = w->o->kind == AMO_BRANCH_STEADY ? first_steady(w, start) : first_cycle(w, start);
  amo_stop *const stop[] = {&w->next, &w->trial, &w->left, &w->right};
  for (int i = 0; st == AMO_OK && i < 4; i++) st = amo_stop_new(w, stop[i]);
  if (st != AMO_OK) return st;
  memcpy(w->trial.x, w->here.x, 2 * amo_follower_unknowns(w) * sizeof *w->here.x);
  double *direction = w->trial.tangent;
  memset(direction, 0, amo_follower_unknowns(w) * sizeof *direction);
  direction[w->curve->n] = w->o->to > w->o->from ? 1.0 : -1.0;
  st = amo_follower_solve(w, w->trial.x, direction, &w->here, &steps);
  if (st == AMO_OK && w->o->kind == AMO_BRANCH_STEADY) st = agree(w, direction);
  if (st == AMO_ENOANSWER)
    amo_error(w->diags, (amo_at){0}, NULL, "no solution at the start of the branch%s%s",
              w->shooter->message[0] ? ": " : "", w->shooter->message);
  if (st == AMO_OK && w->problem->restate) st = w->problem->restate(w, w->here.x, w->here.tangent);
  return st;
}

static void release(amo_follower *w)
{
  amo_stop *const stop[] = {&w->here, &w->next, &w->trial, &w->left, &w->right};
  for (int i = 0; i < 5; i++) amo_stop_free(stop[i]);
  for (size_t i = 0; i < w->seeds; i++) free(w->seed[i].x);
  free(w->seed);
  amo_curve_free(w->curve);
  amo_shot_free(w->shot);
  amo_shooter_free(w->shooter);
  amo_derivative_free(w->derivative);
  free(w->phase);
  free(w->mode);
}

static amo_status check(const amo_model *m, const amo_branch_opts *o, amo_diags *diags)
{
  const amo_at nowhere = {0};
  if (o->parameter >= m->np || m->param[o->parameter].expr != AMO_NODE_NONE)
    return amo_error(diags, nowhere, "vary what it is made of",
                     "the parameter follows from others, or does not exist");
  if (!isfinite(o->from) || !isfinite(o->to) || o->from == o->to)
    return amo_error(diags, nowhere, NULL, "the range of the parameter is empty");
  if (!(o->step > 0.0) || !(o->max_step > 0.0) || o->points < 1)
    return amo_error(diags, nowhere, NULL, "steps and points must be > 0");
  if (o->cycle.sim.method != AMO_METHOD_EVENT)
    return amo_error(diags, nowhere, "method: event",
                     "branches need exact derivatives: only the event method has them");
  return AMO_OK;
}

amo_status amo_branch_follow(const amo_model *m, const amo_branch_opts *o, const double *start,
                             amo_diags *diags, amo_branch **out)
{
  amo_follower w = {.m = m, .o = o, .diags = diags};
  *out = NULL;
  amo_status st = check(m, o, diags);
  if (st != AMO_OK) return st;
  w.problem = o->kind == AMO_BRANCH_STEADY ? &amo_problem_steady : &amo_problem_cycles;
  w.out = amo_zalloc(1, sizeof *w.out);
  if (!w.out) return AMO_ENOMEM;
  w.out->states = 2u * m->nq + m->nz;
  w.out->coordinates = m->nq;
  st = begin(&w, start);
  if (st == AMO_OK) st = follow(&w);
  if (st == AMO_OK && o->branches) st = follow_seeds(&w);
  if (w.shooter)
    w.out->effort = (amo_cycle_effort){w.shooter->total.trajectories,
                                       w.shooter->total.steps,
                                       w.shooter->total.rejected,
                                       w.shooter->total.rhs,
                                       0,
                                       0};
  release(&w);
  if (st == AMO_OK)
    *out = w.out;
  else
    amo_branch_free(w.out);
  return st;
}

void amo_branch_free(amo_branch *b)
{
  if (!b) return;
  for (size_t i = 0; i < b->points; i++) amo_point_release(&b->point[i]);
  for (size_t i = 0; i < b->specials; i++) {
    amo_point_release(&b->special[i].at);
    free(b->special[i].after);
  }
  free(b->point);
  free(b->special);
  free(b);
}
