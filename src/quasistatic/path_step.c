// SPDX-License-Identifier: Apache-2.0
/// Steps of a path: Dormand-Prince 5(4), and the first guard that fails within one.
#include <math.h>

#include "num/bracket.h"
#include "quasistatic/path_impl.h"

enum { SCAN = 8 };  // looks at the guards within a step

/// Spatial contacts slip against their friction: the direction goes with the state.
static void turn(amo_path *p, const double *y)
{
  for (uint32_t c = 0; c < p->s->nc; c++) {
    const double *L = y + p->s->nq + p->s->nc + 2 * c, force = hypot(L[0], L[1]);
    if (p->mode[c].kind != AMO_QS_SLIP || !p->s->m->contact[c].spatial) continue;
    if (force > 1e-9 * amo_statics_bound(p->s, y, c))
      p->mode[c].d[0] = -L[0] / force, p->mode[c].d[1] = -L[1] / force;
  }
}

static amo_status rates(amo_path *p, double t, const double *y, double *out)
{
  amo_status st = amo_statics_at(p->s, t, y);
  if (st != AMO_OK) return st;
  turn(p, y);
  return amo_statics_rates(p->s, y, p->mode, out);
}

/// From (t, y) by h into `to`; *error relative to tol.
amo_status amo_path_step(amo_path *p, double h, double *to, double *error)
{
  static const double a[AMO_PATH_STAGES][6] = {
      {0},
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
  static const double c[AMO_PATH_STAGES] = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};
  static const double e[AMO_PATH_STAGES] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                            -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
  const size_t n = p->s->ny;
  amo_status st = AMO_OK;
  for (int i = 0; st == AMO_OK && i < AMO_PATH_STAGES; i++) {
    for (size_t k = 0; k < n; k++) {
      to[k] = p->y[k];
      for (int j = 0; j < i; j++) to[k] += h * a[i][j] * p->k[(size_t)j * n + k];
    }
    st = rates(p, p->t + c[i] * h, to, p->k + (size_t)i * n);
  }
  double worst = 0.0, size = 1e-300;
  for (size_t k = 0; st == AMO_OK && k < n; k++) size = fmax(size, fmax(fabs(p->y[k]), fabs(to[k])));
  for (size_t k = 0; st == AMO_OK && k < n; k++) {
    double sum = 0.0;
    for (int i = 0; i < AMO_PATH_STAGES; i++) sum += e[i] * p->k[(size_t)i * n + k];
    worst = fmax(worst, fabs(h * sum) / (p->o.tol * size));
    if (!isfinite(to[k])) st = AMO_ENOANSWER;
  }
  *error = worst;
  return st;
}

// ---- guards: positive while the modes last ----

/// Two a contact, one a switch of an expression, at (t, y). The statics are left there.
amo_status amo_path_guards(amo_path *p, double t, const double *y, double *g)
{
  amo_statics *s = p->s;
  amo_status st = rates(p, t, y, s->rate_t);
  double force = 0.0, speed_size = 0.0, far = 0.0;
  for (uint32_t i = 0; i < s->nq; i++) {
    force = fmax(force, s->size[i]);
    speed_size = fmax(speed_size, fabs(s->rate_t[i]));
    far = fmax(far, fabs(y[i]));
  }
  for (uint32_t c = 0; st == AMO_OK && c < s->nc; c++) {
    const double *L = y + s->nq + s->nc + 2 * c, bound = amo_statics_bound(s, y, c);
    amo_slip_response r;
    double *first = &g[2 * c], *second = &g[2 * c + 1];
    *first = *second = 1.0;
    if (p->mode[c].kind == AMO_QS_OPEN) *first = s->gap[c] + p->slack * far;
    if (p->mode[c].kind != AMO_QS_OPEN && s->m->contact[c].kind == AMO_SUPPORT)
      *second = y[s->nq + c] + p->slack * force;
    if (p->mode[c].kind == AMO_QS_STICK) *first = bound - hypot(L[0], L[1]) + p->slack * force;
    if (p->mode[c].kind != AMO_QS_SLIP || bound == 0.0)
      continue;  // without friction slip has no direction to keep
    double speed = amo_statics_speed(s, s->rate_t, c, p->mode[c].d);
    st = amo_statics_response(s, y, p->mode, c, &r);
    if (st != AMO_OK) break;
    *first = amo_slip_along(&r, p->mode[c].d) > 0.0 ? speed + p->slack * speed_size : -1.0;
  }
  for (uint32_t i = 0; st == AMO_OK && i < p->switches; i++) {
    const amo_expansion *x = s->x;
    g[2 * s->nc + i] = x->branch[i] * amo_expansion_register(x, amo_prog_switch_register(x->m->step, i), 0);
  }
  return st;
}

static amo_status guards_after(amo_path *p, double h)
{
  double error;
  amo_status st = amo_path_step(p, h, p->there, &error);
  return st == AMO_OK ? amo_path_guards(p, p->t + h, p->there, p->guard) : st;
}

static bool violated(const amo_path *p, uint32_t g)
{
  return p->guard[g] < 0.0 || isnan(p->guard[g]);
}

static bool any_violated(const amo_path *p)
{
  for (uint32_t g = 0; g < p->guards; g++)
    if (violated(p, g)) return true;
  return false;
}

/// Longest part of the step h in which every guard holds; false: all of it.
bool amo_path_first_event(amo_path *p, double h, double *at)
{
  double good = 0.0, bad = h;
  bool found = false;
  for (int i = 1; i <= SCAN && !found; i++) {
    double x = h * i / SCAN;
    found = guards_after(p, x) != AMO_OK || any_violated(p);
    if (found)
      bad = x;
    else
      good = x;
  }
  if (!found) return false;
  amo_bracket k = {good, bad, 0};
  for (double x; amo_bracket_next(&k, &x);)
    *(guards_after(p, x) != AMO_OK || any_violated(p) ? &k.b : &k.a) = x;
  *at = k.b;
  return true;
}
