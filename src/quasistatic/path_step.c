// SPDX-License-Identifier: Apache-2.0
/// Steps of a path: collocation at the three points of Radau (order 5). Each of them is an equilibrium in which friction
/// opposes the slip there, so that nothing drifts, directions of slip may turn as fast as they like (little friction), and a
/// step may begin where a contact has no force and hence no direction. And the first condition that fails within a step.
#include <float.h>
#include <math.h>
#include <string.h>

#include "num/solve.h"
#include "quasistatic/path_impl.h"

enum { STAGES = AMO_PATH_STAGES, NEWTON = 25 };

static const double root6 = 2.449489742783178;

static double point(int i)
{
  return i == 0 ? 0.4 - root6 / 10.0 : i == 1 ? 0.4 + root6 / 10.0 : 1.0;
}

/// Velocities at the points are these times the displacements there, over h.
static double slope_weight(int i, int j)
{
  const double a[STAGES][STAGES] = {{2.0 + root6 / 2.0, -1.2 + 29.0 * root6 / 30.0, 0.4 - 4.0 * root6 / 15.0},
                                    {-1.2 - 29.0 * root6 / 30.0, 2.0 - root6 / 2.0, 0.4 + 4.0 * root6 / 15.0},
                                    {-1.0 + 8.0 * root6 / 3.0, -1.0 - 8.0 * root6 / 3.0, 5.0}};
  return a[i][j];
}

double amo_path_instant(const amo_path *p, double h)
{
  return 4.0 * DBL_EPSILON * (fabs(p->t) + h);
}

static void take_velocities(amo_path *p, double h)
{
  const size_t n = p->s->nq, N = p->s->ny;
  for (int i = 0; i < STAGES; i++)
    for (size_t k = 0; k < n; k++) {
      double sum = 0.0;
      for (int j = 0; j < STAGES; j++)
        sum += slope_weight(i, j) * (p->stage[(size_t)j * N + k] - p->here.y[k]);
      p->velocity[(size_t)i * n + k] = sum / h;
    }
}

/// Matrix and residual of all points together, and Newton's step in the place of the residual. The statics are left at the
/// last point.
static amo_status correct(amo_path *p, double h)
{
  amo_statics *s = p->s;
  const size_t N = s->ny, all = STAGES * N;
  double force = 1.0;
  take_velocities(p, h);
  for (int i = 0; i < STAGES; i++) {
    const double *y = p->stage + (size_t)i * N;
    amo_status st = amo_statics_at(s, p->t + point(i) * h, y);
    if (st != AMO_OK) return st;
    if (i == 0) force = amo_statics_force(s);
    amo_statics_rows(s, y, p->velocity + (size_t)i * s->nq, p->mode);
    for (size_t r = 0; r < N; r++) {
      double *row = p->matrix + ((size_t)i * N + r) * all;
      p->step[(size_t)i * N + r] = s->rest[r];
      for (int j = 0; j < STAGES; j++)
        for (size_t k = 0; k < N; k++)
          row[(size_t)j * N + k] = (k < s->nq ? 1.0 : force) * (slope_weight(i, j) / h * s->move[r * N + k] +
                                                                (i == j ? s->still[r * N + k] : 0.0));
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
    p->stage[k] = p->here.y[k % N] + pow(point((int)(k / N)) * h, p->lead) * p->here.rate[k % N];
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
  const size_t n = p->s->nq;
  double weight[STAGES], worst = 0.0;
  for (int i = 0; i < STAGES; i++) {
    weight[i] = 1.0;
    for (int j = 0; j < STAGES; j++)
      if (j != i) weight[i] *= point(j) / (point(j) - point(i));
  }
  for (size_t k = 0; k < n; k++) {
    double sum = p->lead == 1 ? -p->here.rate[k] : 0.0;
    for (int i = 0; i < STAGES; i++) sum += weight[i] * p->velocity[(size_t)i * n + k];
    const double off = fabs(sum) * h / 4.0, scale = p->s->scale[k];
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
  take_velocities(p, h);
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
    if (mode[c].kind != AMO_QS_SLIP || !s->m->contact[c].spatial || amo_statics_frictionless(s, c)) continue;
    if (force > hypot(k->error[f], k->error[f + 1]))
      mode[c].d[0] = -L[0] / force, mode[c].d[1] = -L[1] / force;
  }
  return st == AMO_OK ? amo_qs_rates(s, k, mode) : st;
}

/// The conditions at time t and the state there: numbers that are positive while the modes last (three a contact, one a switch of
/// an expression) into guard. False: one is violated, or there are no rates.
static bool holds(amo_path *p, double t)
{
  amo_statics *s = p->s;
  memcpy(p->there.error, p->here.error, s->ny * sizeof *p->there.error);
  memcpy(p->trial, p->mode, s->nc * sizeof *p->trial);
  if (amo_path_rates(p, t, &p->there, p->trial) != AMO_OK) return false;
  bool ok = true, same = true;
  for (uint32_t i = 0; i < p->switches; i++) {
    double *g = &p->guard[3 * s->nc + i];
    *g = s->x->branch[i] * amo_expansion_register(s->x, amo_prog_switch_register(s->x->m->step, i), 0);
    same &= *g >= 0.0;
  }
  for (uint32_t c = 0; c < s->nc; c++) {
    amo_qs_condition x[AMO_QS_CONDITIONS];
    const size_t n = amo_qs_conditions(s, &p->there, c, &p->trial[c], x);
    for (size_t i = 0; i < 2; i++) {
      p->guard[3 * c + i] = i >= n ? 1.0 : x[i].error > 0.0 ? x[i].value : x[i].slope;
      ok &= i >= n || x[i].value > 0.0 || amo_qs_sign(&x[i]) >= 0;
    }
  }
  for (uint32_t c = 0; c < s->nc; c++) {  // slip that loads do not drive but springs: it is not followed
    amo_slip_response r;
    p->guard[3 * c + 2] = 1.0;
    if (p->trial[c].kind != AMO_QS_SLIP || amo_statics_frictionless(s, c)) continue;
    if (amo_statics_response(s, p->there.y, p->trial, c, NULL, &r) != AMO_OK) return false;
    ok &= (p->guard[3 * c + 2] = amo_slip_along(&r, p->trial[c].d)) > 0.0;
  }
  p->turned = !same;
  return ok && same;
}

static bool holds_after(amo_path *p, double x)
{
  double error;
  return amo_path_step(p, x, &error) == AMO_OK && holds(p, p->t + x);
}

/// Where a line through two values of each condition first comes to zero, between good and bad.
static double crossing(const amo_path *p, double good, double bad)
{
  double first = bad;
  for (uint32_t g = 0; g < p->guards; g++)
    if (p->after[g] < 0.0 && p->before[g] > 0.0)
      first = fmin(first, good + (bad - good) * p->before[g] / (p->before[g] - p->after[g]));
  return first;
}

/// Between good and bad the first instant at which a condition fails.
static double locate(amo_path *p, double good, double bad, double instant)
{
  for (int i = 0; bad - good > instant; i++) {
    const double line = crossing(p, good, bad), middle = 0.5 * (good + bad);
    double x = i % 3 == 2 || !(line < bad) ? middle : line + (i % 3 == 0 ? 0.5 : -0.5) * instant;
    if (!(x > good && x < bad)) x = middle;
    if (x <= good || x >= bad) break;
    const bool ok = holds_after(p, x);
    *(ok ? &good : &bad) = x;
    memcpy(ok ? p->before : p->after, p->guard, p->guards * sizeof *p->guard);
  }
  return bad;
}

bool amo_path_first_event(amo_path *p, double h, double *at)
{
  const size_t N = p->s->ny;
  double good = 0.0;
  bool right[STAGES];
  for (int i = 0; i < STAGES; i++) {
    memcpy(p->there.y, p->stage + (size_t)i * N, N * sizeof *p->there.y);
    right[i] = holds(p, p->t + point(i) * h);
  }
  memset(p->before, 0, p->guards * sizeof *p->before);
  for (int i = 0; i < STAGES; i++) {
    const double x = point(i) * h;
    if (right[i] || holds_after(p, x)) {  // points within a step are not as exact as its end
      good = x;
      continue;
    }
    memcpy(p->after, p->guard, p->guards * sizeof *p->guard);
    *at = locate(p, good, x, amo_path_instant(p, h));
    holds_after(p, *at);
    return true;
  }
  return false;
}
