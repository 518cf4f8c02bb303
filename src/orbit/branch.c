// SPDX-License-Identifier: Apache-2.0
/// Following a branch: predict along the tangent, correct in the plane normal to it, look what lies between.
#include "base/mem.h"
#include "base/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/derivative.h"
#include "flow/flow.h"
#include "model/complete.h"
#include "orbit/branch_impl.h"
#include "orbit/cycle_impl.h"
#include "orbit/forcing.h"

AMO_OPTS_INIT(amo_branch_opts, .step = 0.01, .max_step = 0.05, .points = 400)

size_t amo_follower_unknowns(const amo_follower *w)
{
  return w->shooter->ns + (w->autonomous ? 2u : 1u);
}

// ---- points and stops ----

static amo_status new_point(const amo_follower *w, amo_branch_point *p)
{
  const size_t ns = w->shooter->ns, nq = amo_places(w->m);
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
  const size_t ns = w->shooter->ns, nq = amo_places(w->m);
  char *text = amo_strdup(from->signature);
  if (!text) return AMO_ENOMEM;
  free(to->signature);
  to->signature = text;
  memcpy(to->state, from->state, (ns + 2 * nq) * sizeof *to->state);
  memcpy(to->multiplier, from->multiplier, ns * sizeof *to->multiplier);
  to->value = from->value;
  to->t = from->t;
  to->period = from->period;
  to->multipliers = from->multipliers;
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

static amo_status end(amo_follower *w, const char *why)
{
  amo_branch *b = w->out;
  if (!AMO_ROOM(b->ended, b->ends, b->end_capacity)) return AMO_ENOMEM;
  b->ended[b->ends] = amo_strdup(why);
  return b->ended[b->ends++] ? AMO_OK : AMO_ENOMEM;
}

static double turn(const amo_follower *w, const amo_stop *a, const amo_stop *b)
{
  double dot = 0.0;
  for (size_t i = 0; i <= w->curve->n; i++) dot += a->tangent[i] * b->tangent[i];
  return dot;
}

/// The last point is the special one at which the branch breaks off.
static amo_status break_off(amo_follower *w)
{
  amo_branch *b = w->out;
  const amo_special *s = &b->special[b->specials - 1];
  char text[200];
  if (!AMO_ROOM(b->point, b->points, b->point_capacity)) return AMO_ENOMEM;
  amo_status st = amo_point_new_copy(w, &s->at, &b->point[b->points]);
  if (st != AMO_OK) return st;
  b->points++;
  snprintf(text, sizeof text, "it breaks off at %.9g (%s): what follows there is another branch", s->at.value,
           amo_special_name(s->type));
  return end(w, text);
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
  if (st != AMO_OK) return end(w, "the parameter reached the end of its range");  // a little earlier
  if (w->trial.signs.along * w->here.signs.along < 0.0 && w->next.signs.along * w->here.signs.along > 0.0) {
    for (size_t i = 0; i <= n; i++) w->trial.tangent[i] = -w->trial.tangent[i];
    w->trial.signs.along = -w->trial.signs.along;
  }
  st = amo_stop_copy(w, &w->trial, &w->next);
  if (st == AMO_OK) st = amo_follower_locate(w, &w->here, &w->next, 0);
  if (st == AMO_OK && w->broken) return break_off(w);
  if (st == AMO_OK) st = append(w, &w->next);
  return st == AMO_OK ? end(w, "the parameter reached the end of its range") : st;
}

static double distance(const amo_follower *w, const double *a, const double *b)
{
  double sum = 0.0;
  for (size_t i = 0; i <= w->curve->n; i++) {
    const double d = (a[i] - b[i]) / w->curve->scale[i];
    sum += d * d;
  }
  return sqrt(sum);
}

/// Where what happens during a period changes, a branch may have a corner so sharp that no plane normal to its
/// direction meets what follows: on from x at constant parameter, beyond the corner or back.
static amo_status turn_corner(amo_follower *w, double *x, double ds)
{
  const size_t n = w->curve->n;
  const double along = w->here.tangent[n];
  double *direction = w->trial.tangent;
  amo_status st = AMO_ENOANSWER;
  int steps;
  if (w->problem != &amo_problem_cycles || along == 0.0) return st;
  for (int side = 1; st == AMO_ENOANSWER && side >= -1; side -= 2) {
    memset(direction, 0, (n + 1) * sizeof *direction);
    direction[n] = along > 0.0 ? side : -side;
    x[n] = w->here.x[n] + side * ds * along * w->curve->scale[n];
    st = amo_follower_solve(w, x, direction, &w->next, &steps);
    if (st == AMO_ELIMIT || st == AMO_EUNSUPPORTED) st = AMO_ENOANSWER;
    if (st == AMO_OK && (strcmp(w->next.point.signature, w->here.point.signature) == 0 ||
                         distance(w, w->next.x, w->here.x) > 2.0 * ds))
      st = AMO_ENOANSWER;
  }
  return st;
}

/// Where the next point is expected, some *ds on. Where looks without derivatives cost less, one of them and the derivatives expected there
/// bring it so near to the branch that the first look with derivatives is the last.
static amo_status predict(amo_follower *w, double ds, double *x)
{
  amo_curve *c = w->curve;
  amo_status st = amo_predictor_next(&w->predictor, c->scale, ds, x);
  if (st == AMO_OK && c->ops->value &&
      amo_predictor_matrix(&w->predictor, c->scale, ds, c->move, c->jacobian)) {
    st = amo_curve_approach(c, x, w->here.tangent);
    if (st == AMO_ENOANSWER) st = AMO_OK;
  }
  return st;
}

/// One step of about *ds; AMO_ENOANSWER: even the smallest fails.
static amo_status advance(amo_follower *w, double *ds)
{
  const size_t n = w->curve->n;
  const double smallest = 1e-7;
  double *x = amo_zalloc(n + 1, sizeof *x);
  int failures = 0;
  amo_status st = x ? AMO_ENOANSWER : AMO_ENOMEM;
  while (st == AMO_ENOANSWER && *ds > smallest) {
    int steps = 0;
    if (failures > 0 || predict(w, *ds, x) != AMO_OK)
      for (size_t i = 0; i <= n; i++) x[i] = w->here.x[i] + *ds * w->here.tangent[i] * w->curve->scale[i];
    st = amo_follower_solve(w, x, w->here.tangent, &w->next, &steps);
    if (st == AMO_ELIMIT || st == AMO_EUNSUPPORTED) st = AMO_ENOANSWER;
    if (st == AMO_ENOANSWER && ++failures % 3 == 0) {  // most need a shorter step only
      st = turn_corner(w, x, *ds);
      if (st == AMO_OK) break;
    } else if (st == AMO_OK && turn(w, &w->here, &w->next) < 0.9 && *ds > 1e-3) {
      st = AMO_ENOANSWER;
    }
    if (st == AMO_OK && steps <= 3) *ds = fmin(1.6 * *ds, w->o->max_step);
    if (st == AMO_ENOANSWER) *ds *= 0.5;
  }
  free(x);
  return st;
}

static double extent(const amo_follower *w, const amo_branch_point *p)
{
  double most = 0.0;
  for (uint32_t q = 0; q < amo_places(w->m); q++)
    most = fmax(most, (p->high[q] - p->low[q]) / w->state_scale[q]);
  return most;
}

/// Has the branch run through a cycle of no size, to the same cycles seen half a period later? Or has it nearly?
static bool vanishes(const amo_follower *w)
{
  double along = 0.0;
  if (w->problem != &amo_problem_cycles || !w->autonomous) return false;
  for (uint32_t i = 0; i < w->shooter->ns; i++) along += w->phase[i] * w->shot->leave[i];
  const double size = extent(w, &w->next.point);
  return along < 0.0 || (size < 1e-4 && size < extent(w, &w->here.point));
}

/// The Hopf bifurcation where the cycles vanish, from the steady states nearby.
static amo_status record_hopf(amo_follower *w)
{
  const size_t n = w->curve->n;
  amo_branch_opts o = *w->o;
  amo_branch *steady = NULL, *b = w->out;
  double *y = amo_zalloc(w->shooter->ns, sizeof *y);
  const double here = w->here.x[n], reach = fabs(w->next.x[n] - here) + 1e-3 * fabs(o.to - o.from);
  if (!y) return AMO_ENOMEM;
  memcpy(y, w->here.point.state, w->shooter->ns * sizeof *y);
  for (size_t q = 0; q < amo_places(w->m); q++) y[q] = 0.5 * (w->here.point.low[q] + w->here.point.high[q]);
  memset(y + w->m->nq, 0, w->m->nq * sizeof *y);
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

/// w->here becomes the next point, with everything that looking at it leaves: it was looked at last if there have been no more looks
/// since.
static amo_status settle_in(amo_follower *w, long looks)
{
  int steps;
  const bool same = strcmp(w->next.point.signature, w->here.point.signature) == 0;
  amo_status st = w->curve->looks == looks
                      ? amo_stop_copy(w, &w->next, &w->here)
                      : amo_follower_solve(w, w->next.x, w->next.tangent, &w->here, &steps);
  if (!same) amo_predictor_forget(&w->predictor);
  if (st == AMO_OK && w->problem->restate) st = w->problem->restate(w, w->here.x, w->here.tangent);
  const bool goes_on = w->predictor.points > 0;  // else the derivatives, too, were those of another statement
  amo_predictor_keep(&w->predictor, w->here.x, w->here.tangent, w->curve->scale,
                     goes_on ? w->curve->jacobian : NULL);
  return st;
}

amo_status amo_follower_follow(amo_follower *w)
{
  const size_t n = w->curve->n;
  const double low = fmin(w->o->from, w->o->to), high = fmax(w->o->from, w->o->to);
  double ds = w->o->step;
  w->broken = false;
  amo_predictor_forget(&w->predictor);
  amo_predictor_keep(&w->predictor, w->here.x, w->here.tangent, w->curve->scale, NULL);
  amo_status st = append(w, &w->here);
  for (int k = 1; st == AMO_OK; k++) {
    if (w->o->stop && *w->o->stop) return AMO_EINTR;
    if (k >= w->o->points) return end(w, "as many points as asked for");
    st = advance(w, &ds);
    if (st == AMO_ENOANSWER) {
      char text[200];
      st = amo_follower_lost(w);
      if (st != AMO_OK || w->broken) return st == AMO_OK ? break_off(w) : st;
      snprintf(text, sizeof text, "cannot be followed beyond %.9g: %.140s", w->here.x[n],
               w->shooter->message[0] ? w->shooter->message : "no solution nearby");
      return end(w, text);
    }
    if (st != AMO_OK) return st;
    if (vanishes(w)) {
      st = end(w, "the cycle shrinks to a steady state");
      return st == AMO_OK ? record_hopf(w) : st;
    }
    if (w->next.x[n] > high || w->next.x[n] < low) return finish(w, w->next.x[n] > high ? high : low);
    const long looks = w->curve->looks;
    st = amo_follower_locate(w, &w->here, &w->next, 0);
    if (st == AMO_OK && w->broken) return break_off(w);
    if (st == AMO_OK) st = append(w, &w->next);
    if (st == AMO_OK) st = settle_in(w, looks);
  }
  return st;
}

// ---- the beginning ----

/// What is drawn by a drive in time would be followed at one place of the drive, from which its speed leads away.
static amo_status refuse_drives(const amo_follower *w)
{
  bool driven = false;
  for (uint32_t i = 0; i < w->shooter->ns; i++) driven |= w->drift->velocity[i] != 0.0;
  return driven ? amo_error(w->diags, (amo_at){0}, "let the coordinate be the distance to the drive",
                            "branches of motion that is drawn by a drive of constant speed are not followed")
                : AMO_OK;
}

amo_status amo_follower_start(amo_follower *w, const double *start, double *y)
{
  amo_complete *c = NULL;
  if (start) {
    memcpy(y, start, w->shooter->ns * sizeof *y);
    return AMO_OK;
  }
  amo_values_follow(&(amo_values){w->m, w->shooter->param, y, 0.0});
  if (!amo_complete_needed(w->m)) return AMO_OK;
  amo_status st = amo_complete_new(w->m, &c);
  if (st == AMO_OK) st = amo_complete_state(c, w->shooter->param, w->t0, y, NULL);
  amo_complete_free(c);
  return st == AMO_ENOANSWER ? AMO_OK : st;  // the motion tells what does not fit
}

static amo_status first_cycle(amo_follower *w, const double *start)
{
  amo_cycle *c = NULL;
  double *y = amo_zalloc(w->shooter->ns, sizeof *y);
  amo_status st = y ? amo_follower_start(w, start, y) : AMO_ENOMEM;
  if (st == AMO_OK) st = amo_cycle_find_at(w->m, w->shooter->param, w->o->cycle, y, w->diags, &c);
  free(y);
  if (st != AMO_OK) return st;
  w->autonomous = !c->forced;
  w->periods = c->forced ? (int)nearbyint(c->period / c->forcing) : 0;
  if (!c->forced) st = refuse_drives(w);
  if (st == AMO_OK) st = amo_follower_unfold(w);
  if (st == AMO_OK) st = amo_cycles_begin(w, c);
  amo_cycle_free(c);
  return st;
}

amo_status amo_follower_prepare(amo_follower *w)
{
  const uint32_t which = (uint32_t)w->o->parameter;
  const size_t ns = 2u * w->m->nq + w->m->nz;
  amo_status st = amo_shooter_new(w->m, w->o->cycle->sim, &which, 1, 1e-4, w->diags, &w->shooter);
  if (st != AMO_OK) return st;
  w->shooter->stop = w->o->stop;
  w->t0 = w->shooter->values.t0;
  amo_shooter_set(w->shooter, which, w->o->from);
  if (!amo_values_follow(&(amo_values){w->m, w->shooter->param, NULL, 0.0}))
    return amo_error(w->diags, (amo_at){0}, NULL, "the model does not allow %s = %g",
                     w->m->param[which].sym.name, w->o->from);
  w->phase = amo_zalloc(3 * ns, sizeof *w->phase);
  if (!w->phase) return AMO_ENOMEM;
  w->anchor = w->phase + ns;
  w->state_scale = w->anchor + ns;
  st = amo_drift_find(w->m, w->shooter->param, &w->drift);
  return st == AMO_OK ? amo_shot_new(w->shooter, &w->shot) : st;
}

amo_status amo_follower_unfold(amo_follower *w)
{
  amo_stop *const stop[] = {&w->here, &w->next, &w->trial, &w->left, &w->right};
  amo_status st = amo_curve_new(&w->problem->curve, w, amo_follower_unknowns(w) - 1, &w->curve);
  if (st == AMO_OK) st = amo_predictor_make(&w->predictor, amo_follower_unknowns(w));
  for (int i = 0; st == AMO_OK && i < 5; i++) st = amo_stop_new(w, stop[i]);
  return st;
}

static amo_status begin(amo_follower *w, const double *start)
{
  const bool steady = w->problem == &amo_problem_steady;
  int steps;
  amo_status st = amo_follower_prepare(w);
  if (st == AMO_OK) st = steady ? amo_steady_begin(w, start) : first_cycle(w, start);
  if (st != AMO_OK) return st;
  memcpy(w->trial.x, w->here.x, 2 * amo_follower_unknowns(w) * sizeof *w->here.x);
  double *direction = w->trial.tangent;
  memset(direction, 0, amo_follower_unknowns(w) * sizeof *direction);
  direction[w->curve->n] = w->o->to > w->o->from ? 1.0 : -1.0;
  st = amo_follower_solve(w, w->trial.x, direction, &w->here, &steps);
  if (st == AMO_OK && steady) st = amo_steady_agree(w, direction);
  if (st == AMO_ENOANSWER)
    amo_error(w->diags, (amo_at){0}, NULL, "no solution at the start of the branch%s%s",
              w->shooter->message[0] ? ": " : "", w->shooter->message);
  if (st == AMO_OK && w->problem->restate) st = w->problem->restate(w, w->here.x, w->here.tangent);
  return st;
}

void amo_follower_release(amo_follower *w)
{
  amo_stop *const stop[] = {&w->here, &w->next, &w->trial, &w->left, &w->right};
  for (int i = 0; i < 5; i++) amo_stop_free(stop[i]);
  for (size_t i = 0; i < w->seeds; i++) amo_seed_release(&w->seed[i]);
  free(w->seed);
  amo_curve_free(w->curve);
  amo_predictor_free(&w->predictor);
  amo_forced_free(w->forced);
  amo_shot_free(w->shot);
  amo_shooter_free(w->shooter);
  amo_drift_free(w->drift);
  amo_derivative_free(w->derivative);
  free(w->phase);
  free(w->mode);
  free(w->idle);
  free(w->idle_at);
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
  if (o->cycle->sim->method != AMO_METHOD_EVENT)
    return amo_error(diags, nowhere, "method: event",
                     "branches need exact derivatives: only the event method has them");
  return AMO_OK;
}

amo_status amo_branch_opts_take(const amo_branch_opts *given, amo_branch_known *k)
{
  k->branch = amo_branch_opts_default();
  amo_status st = amo_opts_take(&k->branch, sizeof k->branch, given);
  if (st == AMO_OK) st = amo_cycle_opts_take(k->branch.cycle, &k->cycle, &k->sim);
  k->branch.cycle = &k->cycle;
  return st;
}

amo_status amo_branch_follow(const amo_model *m, const amo_branch_opts *given, const double *start,
                             amo_diags *diags, amo_branch **out)
{
  amo_branch_known known;
  const amo_branch_opts *o = &known.branch;
  amo_follower w = {.m = m, .o = o, .diags = diags};
  if (!out) return AMO_ERANGE;
  *out = NULL;
  if (!m || !given) return AMO_ERANGE;
  amo_status st = amo_branch_opts_take(given, &known);
  if (st == AMO_OK) st = check(m, o, diags);
  if (st != AMO_OK) return st;
  w.problem = o->kind == AMO_BRANCH_STEADY ? &amo_problem_steady : &amo_problem_cycles;
  w.out = amo_zalloc(1, sizeof *w.out);
  if (!w.out) return AMO_ENOMEM;
  w.out->states = 2u * m->nq + m->nz;
  w.out->coordinates = amo_places(m);
  st = begin(&w, start);
  if (st == AMO_OK) st = amo_follower_follow(&w);
  if (st == AMO_OK && o->branches) st = amo_follower_seeds(&w);
  if (st == AMO_EINTR && w.out->points > 0 && end(&w, "interrupted") != AMO_OK) st = AMO_ENOMEM;
  if (w.shooter)
    w.out->effort = (amo_cycle_effort){w.shooter->total.trajectories,
                                       w.shooter->total.steps,
                                       w.shooter->total.rejected,
                                       w.shooter->total.rhs,
                                       0,
                                       0};
  amo_follower_release(&w);
  if (st == AMO_OK || (st == AMO_EINTR && w.out->points > 0))
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
  for (size_t i = 0; i < b->ends; i++) free(b->ended[i]);
  free(b->ended);
  free(b->point);
  free(b->special);
  free(b);
}
