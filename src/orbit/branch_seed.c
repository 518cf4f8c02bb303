// SPDX-License-Identifier: Apache-2.0
/// Where another branch leaves: at a period doubling along the eigenvector of -1, at a branch point along the second
/// direction in which the equations do not change.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/orthogonal.h"
#include "orbit/branch_impl.h"
#include "orbit/floquet.h"

/// Along the present branch. At the point itself two directions leave the equations as they are and the tangent may be
/// any mixture of them; at the stops before and after it there is but one.
static void take_along(const amo_follower *w, double *along)
{
  const size_t all = w->curve->n + 1;
  double size = 0.0;
  for (size_t i = 0; i < all; i++) {
    along[i] = w->here.tangent[i] + w->next.tangent[i];
    size += along[i] * along[i];
  }
  for (size_t i = 0; i < all; i++) along[i] /= sqrt(size);
}

/// The null vector of the scaled equations normal to the present branch.
static bool second_direction(const amo_follower *w, double *direction)
{
  const size_t n = w->curve->n, all = n + 1;
  double *a = amo_zalloc(n * all + all * all + 2 * all, sizeof *a);
  size_t rank;
  if (!a) return false;
  double *z = a + n * all, *along = z + all * all, *v = along + all;
  take_along(w, along);
  for (size_t j = 0; j < all; j++)
    for (size_t i = 0; i < n; i++)
      a[i * all + j] = w->curve->jacobian[j * n + i] * w->curve->scale[j] / w->curve->scale[i];
  const bool ok = amo_null_space(a, n, all, 0.0, z, &rank) == AMO_OK;
  double best = -1.0;
  for (size_t k = n - 1; ok && k <= n;
       k++) {  // the two flattest directions; keep what is left of the larger remainder
    double dot = 0.0, size = 0.0;
    for (size_t i = 0; i < all; i++) dot += z[i * all + k] * along[i];
    for (size_t i = 0; i < all; i++) v[i] = z[i * all + k] - dot * along[i], size += v[i] * v[i];
    if (size <= best) continue;
    best = size;
    for (size_t i = 0; i < all; i++) direction[i] = v[i] / sqrt(size);
  }
  free(a);
  return ok && best > 0.0;
}

static bool flip_direction(const amo_follower *w, double *direction)
{
  const size_t ns = w->shooter->ns, n = w->curve->n;
  amo_multiplier *mu = amo_zalloc(ns, sizeof *mu);
  const bool ok = mu && amo_floquet(w->shot->matrix, w->state_scale, ns, ns, mu, -1.0, direction) == AMO_OK;
  free(mu);
  double size = 0.0;
  for (size_t i = 0; ok && i < ns; i++)
    direction[i] /= w->curve->scale[i], size += direction[i] * direction[i];
  for (size_t i = 0; ok && i < ns; i++) direction[i] /= sqrt(size);
  for (size_t i = ns; i <= n; i++) direction[i] = 0.0;
  return ok && size > 0.0;
}

amo_status amo_follower_seed(amo_follower *w, amo_special_type type, const amo_stop *at)
{
  const size_t all = w->curve->n + 1, ns = w->shooter->ns;
  if (w->branch != w->root || w->problem == &amo_problem_steady) return AMO_OK;
  if (type != AMO_SPECIAL_FLIP && type != AMO_SPECIAL_BRANCH) return AMO_OK;
  if (amo_curve_look(w->curve, at->x) != AMO_OK) return AMO_OK;
  if (!AMO_ROOM(w->seed, w->seeds, w->seed_capacity)) return AMO_ENOMEM;
  amo_seed *s = &w->seed[w->seeds];
  *s = (amo_seed){.type = type, .t0 = w->t0, .x = amo_zalloc(3 * all + 2 * ns, sizeof(double))};
  if (!s->x) return AMO_ENOMEM;
  s->direction = s->x + all;
  s->phase = s->direction + all;
  s->anchor = s->phase + ns;
  s->scale = s->anchor + ns;
  memcpy(s->x, at->x, all * sizeof *s->x);
  memcpy(s->scale, w->curve->scale, all * sizeof *s->x);
  memcpy(s->phase, w->phase, ns * sizeof *s->x);
  memcpy(s->anchor, w->anchor, ns * sizeof *s->x);
  if (type == AMO_SPECIAL_FLIP ? flip_direction(w, s->direction) : second_direction(w, s->direction))
    w->seeds++;
  else
    free(s->x);
  return AMO_OK;
}

// ---- following them ----

static amo_status move_to(amo_follower *w, const amo_seed *s)
{
  const size_t n = w->curve->n, ns = w->shooter->ns;
  const double part = 0.02;
  int steps;
  w->t0 = s->t0;
  memcpy(w->phase, s->phase, ns * sizeof *s->phase);
  memcpy(w->anchor, s->anchor, ns * sizeof *s->anchor);
  memcpy(w->curve->scale, s->scale, (n + 1) * sizeof *s->scale);
  memcpy(w->state_scale, s->scale, ns * sizeof *s->scale);
  double *x = amo_zalloc(n + 1, sizeof *x);
  if (!x) return AMO_ENOMEM;
  for (size_t i = 0; i <= n; i++) x[i] = s->x[i] + part * s->direction[i] * w->curve->scale[i];
  if (s->type == AMO_SPECIAL_FLIP && w->autonomous) x[ns] *= 2.0, w->curve->scale[ns] *= 2.0;
  if (s->type == AMO_SPECIAL_FLIP && !w->autonomous) w->periods *= 2;
  amo_status st = amo_follower_solve(w, x, s->direction, &w->here, &steps);
  free(x);
  return st;
}

static amo_status follow_cycles(amo_follower *w, const amo_seed *s)
{
  const int periods = w->periods, branch = w->branch;
  amo_status st = move_to(w, s);
  if (st == AMO_OK) {
    w->branch = ++w->out->branches;
    if (w->problem->restate) st = w->problem->restate(w, w->here.x, w->here.tangent);
    if (st == AMO_OK) st = amo_follower_follow(w);
  } else if (st == AMO_ENOANSWER) {
    st = AMO_OK;  // no branch there after all
  }
  w->periods = periods;
  w->branch = branch;
  return st;
}

amo_status amo_follower_seeds(amo_follower *w)
{
  amo_status st = AMO_OK;
  for (size_t i = 0; st == AMO_OK && i < w->seeds; i++)
    st =
        w->seed[i].type == AMO_SPECIAL_HOPF ? amo_hopf_follow(w, &w->seed[i]) : follow_cycles(w, &w->seed[i]);
  return st;
}

void amo_seed_release(amo_seed *s)
{
  free(s->x);
  amo_hopf_release(&s->hopf);
}
