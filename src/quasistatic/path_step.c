// SPDX-License-Identifier: Apache-2.0
/// Steps of a path: collocation at the three points of Radau (order 5). Each of them is an equilibrium in which friction
/// opposes the slip there, so that nothing drifts, directions of slip may turn as fast as they like (little friction), and a
/// step may begin where a contact has no force and hence no direction. And the first condition that fails within a step.
#include <float.h>
#include <math.h>
#include <string.h>

#include "num/bracket.h"
#include "num/solve.h"
#include "quasistatic/path_impl.h"

enum { STAGES = AMO_PATH_STAGES, NEWTON = 25 };

#define ROOT6 2.449489742783178

static const double point[STAGES] = {0.4 - ROOT6 / 10.0, 0.4 + ROOT6 / 10.0, 1.0};
/// Velocities at the points are these times the displacements there, over h.
static const double slope[STAGES][STAGES] = {
    {2.0 + ROOT6 / 2.0, -1.2 + 29.0 * ROOT6 / 30.0, 0.4 - 4.0 * ROOT6 / 15.0},
    {-1.2 - 29.0 * ROOT6 / 30.0, 2.0 - ROOT6 / 2.0, 0.4 + 4.0 * ROOT6 / 15.0},
    {-1.0 + 8.0 * ROOT6 / 3.0, -1.0 - 8.0 * ROOT6 / 3.0, 5.0}};

double amo_path_instant(const amo_path *p, double h)
{
  return 4.0 * DBL_EPSILON * (fabs(p->t) + h);
}

/// Matrix and residual of all points together, and Newton's step in the place of the residual. The statics are left at the
/// last point.
static amo_status correct(amo_path *p, double h)
{
  amo_statics *s = p->s;
  const size_t N = s->ny, all = STAGES * N;
  double force = 1.0;
  for (size_t i = 0; i < STAGES; i++) {
    const double *y = p->stage + i * N;
    for (size_t k = 0; k < s->nq; k++) {
      p->velocity[k] = 0.0;
      for (size_t j = 0; j < STAGES; j++)
        p->velocity[k] += slope[i][j] / h * (p->stage[j * N + k] - p->here.y[k]);
    }
    amo_status st = amo_statics_at(s, p->t + point[i] * h, y);
    if (st != AMO_OK) return st;
    if (i == 0) force = amo_statics_force(s);
    amo_statics_rows(s, y, p->velocity, p->mode);
    for (size_t r = 0; r < N; r++) {
      double *row = p->matrix + (i * N + r) * all;
      p->step[i * N + r] = s->rest[r];
      for (size_t j = 0; j < STAGES; j++)
        for (size_t k = 0; k < N; k++)
          row[j * N + k] = (k < s->nq ? 1.0 : force) *
                           (slope[i][j] / h * s->move[r * N + k] + (i == j ? s->still[r * N + k] : 0.0));
    }
  }
  amo_status st = amo_solve(p->matrix, all, p->step, 1);
  for (size_t k = 0; k < all; k++) p->step[k] *= k % N < s->nq ? 1.0 : force;
  return st;
}

/// Newton over all points. Scales of the unknowns are those of the last point, seen through the inverse at hand.
static amo_status collocate(amo_path *p, double h)
{
  amo_statics *s = p->s;
  const size_t N = s->ny;
  for (size_t k = 0; k < STAGES * N; k++)
    p->stage[k] = p->here.y[k % N] + pow(point[k / N] * h, p->lead) * p->here.rate[k % N];
  for (int i = 0; i < NEWTON; i++) {
    amo_status st = correct(p, h);
    if (st != AMO_OK) return st;
    bool settled = true;
    amo_statics_scales(s);
    for (size_t k = 0; k < STAGES * N; k++) {
      p->stage[k] -= p->step[k];
      if (!isfinite(p->stage[k])) return AMO_ENOANSWER;
      settled &= fabs(p->step[k]) <= amo_statics_rounding(s) * s->scale[k % N];
    }
    if (settled) return AMO_OK;
  }
  return AMO_ENOANSWER;
}

/// How far the velocities at the points, led back to the beginning, are from those there.
static double error_of(const amo_path *p, double h)
{
  static const double back[STAGES] = {-(13.0 + 7.0 * ROOT6) / 3.0, (7.0 * ROOT6 - 13.0) / 3.0, -1.0 / 3.0};
  double worst = 0.0;
  for (size_t k = 0; k < p->s->nq; k++) {
    double sum = p->lead == 1 ? h * p->here.rate[k] : 0.0;
    for (size_t i = 0; i < STAGES; i++) sum += back[i] * (p->stage[i * p->s->ny + k] - p->here.y[k]);
    const double off = fabs(sum) / 4.0, scale = p->s->scale[k];
    if (off > amo_statics_rounding(p->s) * scale) worst = fmax(worst, off / (p->o.tol * scale));
  }
  return worst;
}

amo_status amo_path_step(amo_path *p, double h, double *error)
{
  const size_t N = p->s->ny;
  amo_statics_at(p->s, p->t, p->here.y);
  amo_status st = amo_statics_arrange(p->s, p->here.y, p->mode, NULL);
  if (st == AMO_OK) st = collocate(p, h);
  if (st != AMO_OK) return st;
  *error = error_of(p, h);
  memcpy(p->there.y, p->stage + (STAGES - 1) * N, N * sizeof *p->there.y);
  return AMO_OK;
}

// ---- conditions along the way ----

amo_status amo_path_rates(amo_path *p, double t, amo_qs_known *k, amo_qs_mode *mode)
{
  amo_statics *s = p->s;
  amo_status st = amo_statics_at(s, t, k->y);
  for (uint32_t c = 0; st == AMO_OK && c < s->nc; c++) {
    const size_t f = s->nq + s->nc + 2 * c;
    const double *L = k->y + f, force = hypot(L[0], L[1]);
    if (mode[c].kind != AMO_QS_SLIP || !amo_turns(&s->m->contact[c]) || amo_statics_frictionless(s, c))
      continue;
    if (force > hypot(k->error[f], k->error[f + 1]))
      mode[c].d[0] = -L[0] / force, mode[c].d[1] = -L[1] / force;
  }
  return st == AMO_OK ? amo_qs_rates(s, k, mode) : st;
}

/// Do all conditions of the modes hold at time t and the state there, and the branches of expressions?
static bool holds(amo_path *p, double t)
{
  amo_statics *s = p->s;
  bool ok = true;
  memcpy(p->there.error, p->here.error, s->ny * sizeof *p->there.error);
  memcpy(p->trial, p->mode, s->nc * sizeof *p->trial);
  if (amo_path_rates(p, t, &p->there, p->trial) != AMO_OK) return false;
  p->turned = false;
  for (uint32_t i = 0; i < amo_prog_switches(s->m->step); i++)
    p->turned |=
        s->x->branch[i] * amo_expansion_register(s->x, amo_prog_switch_register(s->m->step, i), 0) < 0.0;
  for (uint32_t c = 0; c < s->nc; c++) {
    amo_qs_condition x[AMO_QS_CONDITIONS];
    for (size_t i = 0, n = amo_qs_conditions(s, &p->there, c, &p->trial[c], x); i < n; i++)
      ok &= x[i].value > 0.0 || amo_qs_sign(&x[i]) >= 0;
  }
  return ok && !p->turned;
}

static bool holds_after(amo_path *p, double x)
{
  double error;
  return amo_path_step(p, x, &error) == AMO_OK && holds(p, p->t + x);
}

/// Where a contact loses its force, its direction of slip is lost with it and no step ends: from just before it, at the time x, a
/// straight line to where a condition comes to zero, if that is so near that it cannot be told from the path.
static double extrapolate(amo_path *p, double x, double h)
{
  amo_statics *s = p->s;
  double more = h * sqrt(DBL_EPSILON);
  bool found = false;
  if (!holds_after(p, x)) return x;
  for (uint32_t c = 0; c < s->nc; c++) {
    amo_qs_condition k[AMO_QS_CONDITIONS];
    for (size_t i = 0, n = amo_qs_conditions(s, &p->there, c, &p->trial[c], k); i < n; i++)
      if (k[i].value > 0.0 && k[i].slope < 0.0 && -k[i].value / k[i].slope <= more)
        more = -k[i].value / k[i].slope, found = true;
  }
  for (size_t k = 0; found && k < s->ny; k++) p->there.y[k] += more * p->there.rate[k];
  return found ? x + more : x;
}

/// Between good and bad the first instant at which a condition fails. there is left at it.
static double locate(amo_path *p, double good, double bad, double h)
{
  amo_bracket k = {good, bad, 0};
  double error;
  for (double x; k.b - k.a > amo_path_instant(p, h) && amo_bracket_next(&k, &x);)
    *(holds_after(p, x) ? &k.a : &k.b) = x;
  if (amo_path_step(p, k.b, &error) != AMO_OK) return extrapolate(p, k.a, h);
  holds(p, p->t + k.b);
  return k.b;
}

bool amo_path_first_event(amo_path *p, double h, double *at)
{
  const size_t N = p->s->ny;
  double good = 0.0;
  bool right[STAGES];
  for (int i = 0; i < STAGES; i++) {
    memcpy(p->there.y, p->stage + (size_t)i * N, N * sizeof *p->there.y);
    right[i] = holds(p, p->t + point[i] * h);
  }
  for (int i = 0; i < STAGES; i++) {
    const double x = point[i] * h;
    if (!right[i] && !holds_after(p, x))
      return *at = locate(p, good, x, h), true;  // the step's end is the exact one
    good = x;
  }
  return false;
}
