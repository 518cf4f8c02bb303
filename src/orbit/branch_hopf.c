// SPDX-License-Identifier: Apache-2.0
/// From a Hopf point of steady states to its cycles: the first one from the eigenvector, small enough that the linear
/// motion is a good guess; how the parameter answers to its size tells how large the others are.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orbit/branch_impl.h"

static const double first_part = 0.01;  // of the size of the branch: the first cycle
static const double tau = 6.283185307179586;

// ---- at the Hopf point ----

/// The factor of the eigenvector with which the first slip comes to zero.
static double reach_of(const amo_derivative *d, const amo_hopf *h)
{
  double least = INFINITY;
  for (uint32_t c = 0; c < d->model->nc; c++) {
    double re = 0.0, im = 0.0;
    for (size_t i = 0; i < d->ns; i++) {
      re += d->slip[c].d[i] * h->re[i];
      im += d->slip[c].d[i] * h->im[i];
    }
    if (hypot(re, im) > 0.0) least = fmin(least, fabs(d->slip[c].value) / hypot(re, im));
  }
  return least;
}

static amo_status add_seed(amo_follower *w, const amo_stop *at, double growth, amo_hopf *h)
{
  const size_t all = w->curve->n + 1;
  if (!AMO_ROOM(w->seed, w->seeds, w->seed_capacity)) return AMO_ENOMEM;
  amo_seed *s = &w->seed[w->seeds];
  *s = (amo_seed){.type = AMO_SPECIAL_HOPF,
                  .t0 = w->t0,
                  .growth = growth,
                  .reach = reach_of(w->derivative, h),
                  .special = w->out->specials - 1,
                  .x = amo_zalloc(all, sizeof *s->x)};
  if (!s->x) return AMO_ENOMEM;
  memcpy(s->x, at->x, all * sizeof *s->x);
  s->hopf = *h;
  *h = (amo_hopf){0};
  w->seeds++;
  return AMO_OK;
}

static amo_status judge_at(amo_follower *w, const amo_stop *s, amo_hopf *h)
{
  amo_status st = w->curve->ops->look(w->curve->ctx, s->x, w->curve->f, w->curve->jacobian);
  if (st == AMO_OK) st = amo_hopf_find(w->derivative, h);
  if (st != AMO_OK) return st;
  const amo_place at = {
      .t = w->t0, .y = s->x, .mode = w->mode, .reaction_sign = w->reaction_sign, .branch = w->switches};
  return amo_hopf_judge(w->m, w->derivative, w->shooter->param, &at, h);
}

/// A coefficient that changes its sign with the growth rate itself is zero at the point.
static amo_status coefficient(amo_follower *w, const amo_stop *left, const amo_stop *right, amo_hopf *h)
{
  amo_hopf other = {0};
  amo_status st = judge_at(w, right, &other);
  const double beyond = st == AMO_OK ? other.lyapunov : NAN;
  amo_hopf_release(&other);
  if (st == AMO_OK) st = judge_at(w, left, h);
  if (st == AMO_OK && h->lyapunov * beyond < 0.0) h->lyapunov = 0.0;
  return st;
}

/// Of the eigenvalues that oscillate the one nearest to the axis.
static double frequency_of(const amo_branch_point *p)
{
  double nearest = INFINITY, frequency = 0.0;
  for (size_t i = 0; i < p->multipliers; i++) {
    const amo_multiplier *v = &p->multiplier[i];
    if (!(v->im > 0.0) || !(fabs(v->re) < nearest)) continue;
    nearest = fabs(v->re);
    frequency = v->im;
  }
  return frequency;
}

amo_status amo_hopf_note(amo_follower *w, const amo_stop *left, const amo_stop *right)
{
  const size_t n = w->curve->n;
  amo_special *s = &w->out->special[w->out->specials - 1];
  amo_hopf h = {0};
  s->frequency = frequency_of(&s->at);
  amo_status st = coefficient(w, left, right, &h);
  // eigenvectors of a matrix whose rates are many powers of ten apart may not be found, or be those of others
  if (st == AMO_OK && !(fabs(h.frequency - s->frequency) <= 1e-6 * s->frequency)) {
    amo_hopf_release(&h);
    return AMO_OK;
  }
  if (st != AMO_OK) return st == AMO_ENOANSWER ? AMO_OK : st;
  s->lyapunov = h.lyapunov;
  s->criticality = h.lyapunov < 0.0    ? AMO_HOPF_SUPERCRITICAL
                   : h.lyapunov > 0.0  ? AMO_HOPF_SUBCRITICAL
                   : h.lyapunov == 0.0 ? AMO_HOPF_DEGENERATE
                                       : AMO_HOPF_UNKNOWN;
  const bool grows = (right->signs.unstable > left->signs.unstable) == (right->x[n] > left->x[n]);
  if (w->o->branches) st = add_seed(w, left, grows ? 1.0 : -1.0, &h);
  amo_hopf_release(&h);
  return st;
}

// ---- the first cycle ----

/// Scales of cycles whose oscillation is `size` times the eigenvector.
static void take_scales(amo_follower *w, const amo_seed *s, double size)
{
  const uint32_t nq = w->m->nq, ns = w->shooter->ns, first[4] = {0, nq, 2 * nq, ns};
  double *scale = w->curve->scale;
  for (int g = 0; g < 3; g++) {
    double most = 0.0;
    for (uint32_t i = first[g]; i < first[g + 1]; i++) {
      scale[i] = fmax(size * hypot(s->hopf.re[i], s->hopf.im[i]), 1e-4 * fabs(s->x[i]));
      most = fmax(most, scale[i]);
    }
    for (uint32_t i = first[g]; i < first[g + 1]; i++)
      scale[i] = most > 0.0 ? fmax(scale[i], 1e-3 * most) : 1.0;
  }
  memcpy(w->state_scale, scale, ns * sizeof *scale);
  scale[ns] = tau / s->hopf.frequency;
  scale[ns + 1] = fabs(w->o->to - w->o->from);
}

/// The cycle whose oscillation is a small part of `size` times the eigenvector, into w->here.
static amo_status first_cycle(amo_follower *w, amo_seed *s, double size)
{
  const size_t ns = w->shooter->ns, n = w->curve->n;
  double *x = w->trial.x, *direction = w->trial.tangent, length = 0.0;
  int steps;
  take_scales(w, s, size);
  amo_hopf_turn(&s->hopf, w->state_scale, ns);
  memset(direction, 0, (n + 1) * sizeof *direction);
  for (size_t i = 0; i < ns; i++) {
    const double scale = w->state_scale[i];
    w->phase[i] = -s->hopf.im[i] / (scale * scale);  // where the linear motion goes from there
    w->anchor[i] = s->x[i];
    x[i] = s->x[i] + first_part * size * s->hopf.re[i];
    direction[i] = s->hopf.re[i] / scale;
    length += direction[i] * direction[i];
  }
  for (size_t i = 0; i < ns; i++) direction[i] /= sqrt(length);
  x[ns] = tau / s->hopf.frequency;
  x[n] = s->x[ns];
  amo_status st = amo_follower_solve(w, x, direction, &w->here, &steps);
  if (st != AMO_OK) return st == AMO_ELIMIT || st == AMO_EUNSUPPORTED ? AMO_ENOANSWER : st;
  const bool near =
      fabs(w->here.x[n] - s->x[ns]) < 0.05 * w->curve->scale[n] && fabs(w->here.x[ns] - x[ns]) < 0.1 * x[ns];
  return near ? AMO_OK : AMO_ENOANSWER;
}

/// A first guess of the size: where a contact would stop slipping, else that of the steady state, else 1.
static double guess_size(const amo_follower *w, const amo_seed *s)
{
  double most = 0.0;
  if (isfinite(s->reach)) return s->reach;
  for (uint32_t i = 0; i < w->shooter->ns; i++) most = fmax(most, fabs(s->x[i]));
  return most > 0.0 ? most : 1.0;
}

static amo_status find_first(amo_follower *w, amo_seed *s)
{
  const size_t n = w->curve->n;
  double size = guess_size(w, s);
  amo_status st = AMO_ENOANSWER;
  for (int tries = 0; st == AMO_ENOANSWER && tries < 12; tries++) {
    if (tries > 0) size *= 0.25;
    st = first_cycle(w, s, size);
  }
  if (st != AMO_OK) return st;
  const double moved = fabs(w->here.x[n] - s->x[n - 1]) / w->curve->scale[n];
  if (moved < AMO_SAME) return AMO_OK;  // upright: no size can be told from it
  const double better = fmin(s->reach, first_part * size / sqrt(moved));
  if (better < 3.0 * size && better > size / 3.0) return AMO_OK;
  st = first_cycle(w, s, better);
  return st == AMO_ENOANSWER ? first_cycle(w, s, size) : st;
}

// ---- following ----

static void judge(const amo_follower *w, const amo_seed *s, amo_special *at)
{
  const double moved = (w->here.x[w->curve->n] - s->x[w->shooter->ns]) / w->curve->scale[w->curve->n];
  at->criticality = fabs(moved) < AMO_SAME    ? AMO_HOPF_DEGENERATE
                    : moved * s->growth > 0.0 ? AMO_HOPF_SUPERCRITICAL
                                              : AMO_HOPF_SUBCRITICAL;
}

/// Has a branch from another Hopf point ended here? Then its cycles are known.
static bool is_known(amo_follower *w, const amo_seed *s)
{
  amo_branch *b = w->out;
  const double range = fabs(w->o->to - w->o->from);
  for (size_t i = 0; i < b->specials; i++) {
    const amo_special *other = &b->special[i];
    if (other->type != AMO_SPECIAL_HOPF || other->at.branch == 0) continue;
    if (fabs(other->at.value - s->x[w->shooter->ns]) > AMO_ROUGH * range) continue;
    b->special[s->special].cycles = other->at.branch;
    return true;
  }
  return false;
}

amo_status amo_hopf_follow(amo_follower *parent, amo_seed *s)
{
  amo_branch *b = parent->out;
  amo_follower w = {
      .m = parent->m, .o = parent->o, .problem = &amo_problem_cycles, .out = b, .autonomous = true};
  if (is_known(parent, s)) return AMO_OK;
  amo_status st = amo_follower_prepare(&w);
  if (st == AMO_OK) st = amo_follower_unfold(&w);
  if (st == AMO_OK) st = find_first(&w, s);
  if (st == AMO_OK) {
    judge(&w, s, &b->special[s->special]);
    w.branch = w.root = b->special[s->special].cycles = ++b->branches;
    st = w.problem->restate(&w, w.here.x, w.here.tangent);
    if (st == AMO_OK) st = amo_follower_follow(&w);
    if (st == AMO_OK) st = amo_follower_seeds(&w);
  } else if (st == AMO_ENOANSWER) {
    st = AMO_OK;  // the cycles are not found: the special point says so
  }
  parent->shooter->total.rhs += w.shooter ? w.shooter->total.rhs : 0;
  amo_follower_release(&w);
  return st;
}

const char *amo_criticality_name(amo_criticality c)
{
  static const char *const name[] = {"unknown", "supercritical", "subcritical", "degenerate"};
  return (unsigned)c < sizeof name / sizeof *name ? name[c] : "?";
}
