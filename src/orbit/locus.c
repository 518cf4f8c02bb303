// SPDX-License-Identifier: Apache-2.0
/// Loci of special points in two parameters. At the next value of the second one the branch is met again in the plane
/// normal to its tangent at the last point, which also works at a fold, and followed both ways until the point appears.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orbit/branch_impl.h"
#include "orbit/forcing.h"

typedef struct walker {
  amo_follower w;
  amo_branch_opts o;
  amo_special_type type;
  uint32_t other;
  double range;        // of the first parameter
  double q;            // second parameter at
  amo_branch_point p;  // the point found last
} walker;

// ---- the branch at a point known ----

/// The last point as a cycle, for the follower to begin with.
static amo_status begin_cycle(walker *k)
{
  amo_follower *w = &k->w;
  amo_status st = amo_shoot(w->shooter, k->p.t, k->p.state, k->p.period, false, w->shot);
  if (st != AMO_OK) return st;
  memcpy(w->state_scale, w->shot->size, w->shooter->ns * sizeof *w->state_scale);
  const amo_cycle c = {.states = w->shooter->ns,
                       .t = k->p.t,
                       .forced = !w->autonomous,
                       .period = k->p.period,
                       .state = k->p.state,
                       .size = w->state_scale};
  return amo_cycles_begin(w, &c);
}

/// w->here: the point found last, with the direction of its branch.
static amo_status stand_at_last(walker *k)
{
  amo_follower *w = &k->w;
  const size_t all = amo_follower_unknowns(w);
  int steps;
  k->o.from = k->p.value;
  k->o.to = k->p.value + k->range;
  amo_shooter_set(w->shooter, k->other, k->q);
  amo_shooter_set(w->shooter, (uint32_t)k->o.parameter, k->p.value);
  amo_status st = AMO_OK;
  if (w->problem == &amo_problem_cycles)
    st = begin_cycle(k);
  else
    memcpy(w->here.x, k->p.state, w->shooter->ns * sizeof *w->here.x), w->here.x[all - 1] = k->p.value;
  if (st != AMO_OK) return st;
  memcpy(w->trial.x, w->here.x, all * sizeof *w->here.x);
  for (size_t i = 0; i < all; i++) w->next.tangent[i] = 1.0 / sqrt((double)all);  // no special direction
  return amo_follower_solve(w, w->trial.x, w->next.tangent, &w->here, &steps);
}

static amo_status prepare(walker *k)
{
  amo_follower *w = &k->w;
  w->problem = k->o.kind == AMO_BRANCH_STEADY ? &amo_problem_steady : &amo_problem_cycles;
  k->o.from = k->p.value;
  k->o.to = k->p.value + k->range;
  amo_status st = amo_follower_prepare(w);
  if (st != AMO_OK) return st;
  k->q = w->shooter->param[k->other];
  if (w->problem == &amo_problem_steady) return amo_steady_begin(w, k->p.state);
  amo_forcing kind;
  double period;
  st = amo_forcing_of(&w->shooter->values, &kind, &period);
  if (k->o.cycle->forcing > 0.0) period = k->o.cycle->forcing;
  w->autonomous = kind == AMO_AUTONOMOUS;
  w->periods = w->autonomous ? 0 : (int)nearbyint(k->p.period / period);
  return st == AMO_OK ? amo_follower_unfold(w) : st;
}

// ---- the point at the next value ----

/// Stick phases that begin to exist one way along the branch cease to the other way.
static bool alike(amo_special_type a, amo_special_type b)
{
  const bool both = (a == AMO_SPECIAL_STICK || a == AMO_SPECIAL_NO_STICK) &&
                    (b == AMO_SPECIAL_STICK || b == AMO_SPECIAL_NO_STICK);
  return a == b || both;
}

/// Follow the branch from `start`, its tangent forwards (side 1) or backwards, for some points; the first point of our
/// kind there, if it is nearer than *nearest, into k->p.
static amo_status look(walker *k, const amo_stop *start, int side, int points, double *nearest)
{
  amo_follower *w = &k->w;
  const size_t all = amo_follower_unknowns(w);
  const double t0 = w->t0, back = 0.3 * k->o.step;
  int steps;
  for (size_t i = 0; i < all; i++) {
    w->next.tangent[i] = side * start->tangent[i];
    w->trial.x[i] = start->x[i] - back * w->next.tangent[i] * w->curve->scale[i];
  }
  amo_status st = amo_follower_solve(w, w->trial.x, w->next.tangent, &w->here, &steps);
  if (st != AMO_OK) return st;
  k->o.points = points;
  w->out = amo_zalloc(1, sizeof *w->out);
  if (!w->out) return AMO_ENOMEM;
  st = amo_follower_follow(w);
  const amo_special *found = NULL;
  for (size_t i = 0; !found && i < w->out->specials; i++)
    if (alike(w->out->special[i].type, k->type)) found = &w->out->special[i];
  if (st == AMO_OK && found && fabs(found->at.value - start->x[all - 1]) < *nearest) {
    *nearest = fabs(found->at.value - start->x[all - 1]);
    amo_point_release(&k->p);
    st = amo_point_new_copy(w, &found->at, &k->p);
  }
  amo_branch_free(w->out);
  w->out = NULL;
  w->t0 = t0;
  return st;
}

static bool fatal(amo_status st)
{
  return st == AMO_EINTR || st == AMO_ENOMEM;
}

/// Both ways, farther and farther.
static amo_status search(walker *k, const amo_stop *start, bool *found)
{
  const size_t ns = k->w.shooter->ns, all = amo_follower_unknowns(&k->w);
  double nearest = INFINITY, *kept = amo_zalloc(3 * ns + all, sizeof *kept), *scale = kept + 3 * ns;
  if (!kept) return AMO_ENOMEM;
  memcpy(kept, k->w.phase, 3 * ns * sizeof *kept);  // with anchor and scale of the states
  memcpy(scale, k->w.curve->scale, all * sizeof *scale);
  amo_status st = AMO_OK;
  for (int points = 6; !fatal(st) && isinf(nearest) && points <= 54; points *= 3)
    for (int side = 1; !fatal(st) && side >= -1; side -= 2) {
      memcpy(k->w.phase, kept, 3 * ns * sizeof *kept);
      memcpy(k->w.curve->scale, scale, all * sizeof *scale);
      st = look(k, start, side, points, &nearest);
    }
  free(kept);
  *found = isfinite(nearest);
  return fatal(st) ? st : AMO_OK;
}

static amo_status try_value(walker *k, double q, bool *found)
{
  amo_follower *w = &k->w;
  amo_stop start = {0};
  int steps;
  *found = false;
  amo_status st = stand_at_last(k);
  if (st == AMO_OK) st = amo_stop_new(w, &start);
  if (st == AMO_OK) {
    amo_shooter_set(w->shooter, k->other, q);
    st = amo_follower_solve(w, w->here.x, w->here.tangent, &start, &steps);
    if (st == AMO_OK && w->problem->restate) st = w->problem->restate(w, start.x, start.tangent);
  }
  if (st == AMO_OK) {
    k->o.from = start.x[w->curve->n] - k->range;
    k->o.to = start.x[w->curve->n] + k->range;
    st = search(k, &start, found);
  }
  amo_stop_free(&start);
  if (*found) k->q = q;
  return fatal(st) ? st : AMO_OK;
}

/// To the value q of the second parameter, in as many parts as it takes.
static amo_status advance(walker *k, double q, bool *found)
{
  const double whole = q - k->q;
  amo_status st = AMO_OK;
  *found = true;
  for (double part = whole; st == AMO_OK && k->q != q && fabs(part) > 1e-3 * fabs(whole);) {
    const bool last = fabs(q - k->q) <= fabs(part) * (1.0 + AMO_SAME);
    st = try_value(k, last ? q : k->q + part, found);
    if (!*found) part *= 0.5;
  }
  return st;
}

static amo_status walk(walker *k, double to, int points, amo_locus *l)
{
  const double q0 = k->q;
  amo_status st = AMO_OK;
  for (int i = 1; st == AMO_OK && i <= points; i++) {
    const double q = i == points ? to : q0 + (to - q0) * i / points;
    bool found = false;
    st = advance(k, q, &found);
    if (st != AMO_OK || !found) {
      snprintf(l->ended, sizeof l->ended, "the point was not found again beyond %.9g", k->q);
      return st;
    }
    l->value[l->points] = k->p.value;
    l->other[l->points++] = q;
  }
  return st;
}

amo_status amo_locus_follow(const amo_model *m, const amo_branch_opts *given, const amo_special *from,
                            size_t other, double to, int points, amo_locus **out)
{
  if (!out) return AMO_ERANGE;
  *out = NULL;
  if (!m || !given || !from || isnan(to)) return AMO_ERANGE;
  amo_branch_known known;
  amo_status st = amo_branch_opts_take(given, &known);
  if (st != AMO_OK) return st;
  const amo_branch_opts *o = &known.branch;
  if (other >= m->np || other == o->parameter || m->param[other].expr != AMO_NODE_NONE || points < 1)
    return AMO_ERANGE;
  walker k = {.o = *o, .type = from->type, .other = (uint32_t)other, .range = fabs(o->to - o->from)};
  k.w.m = m;
  k.w.o = &k.o;
  k.o.branches = false;
  if (k.type == AMO_SPECIAL_HOPF) k.o.kind = AMO_BRANCH_STEADY;
  amo_locus *l = amo_zalloc(1, sizeof *l);
  if (l) l->value = amo_zalloc(2 * ((size_t)points + 1), sizeof *l->value);
  k.p.state = amo_zalloc(2u * m->nq + m->nz, sizeof *k.p.state);
  st = l && l->value && k.p.state ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK) {
    memcpy(k.p.state, from->at.state, (2u * m->nq + m->nz) * sizeof *k.p.state);
    k.p.value = from->at.value;
    k.p.period = from->at.period;
    k.p.t = from->at.t;
    l->other = l->value + points + 1;
    st = prepare(&k);
  }
  if (st == AMO_OK) {
    l->value[0] = k.p.value;
    l->other[0] = k.q;
    l->points = 1;
    st = walk(&k, to, points, l);
  } else if (!fatal(st)) {
    snprintf(l->ended, sizeof l->ended, "there is no branch at the point itself");
    st = AMO_OK;
  }
  amo_follower_release(&k.w);
  amo_point_release(&k.p);
  if (st == AMO_OK)
    *out = l;
  else
    amo_locus_free(l);
  return st;
}

void amo_locus_free(amo_locus *l)
{
  if (!l) return;
  free(l->value);
  free(l);
}
