// SPDX-License-Identifier: Apache-2.0
/// Following the loads: between events the rates of the equilibrium are integrated (Dormand-Prince 5(4), each step
/// brought back to equilibrium by Newton); at an event the rate problem says what may come next.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amontons/quasistatic.h"
#include "base/mem.h"
#include "quasistatic/rate.h"
#include "quasistatic/record.h"

enum { STAGES = 7, MAX_EVENTS = 100000, AT_ONCE = 60, SCAN = 8 };

typedef struct path {
  amo_statics *s;
  amo_quasistatic *out;
  amo_quasistatic_opts o;
  double t, h, *y;
  double *k, *trial, *there;  // [STAGES][ny], [ny], [ny]
  amo_qs_mode *mode;
  amo_qs_at *at;
  bool *open;
  double *guard;  // [guards]
  uint32_t switches, guards;
} path;

amo_quasistatic_opts amo_quasistatic_opts_default(void)
{
  return (amo_quasistatic_opts){.start = NAN, .until = NAN, .tol = 1e-11, .jumps = true};
}

// ---- one step ----

/// Spatial contacts slip against their friction: the direction goes with the state.
static void turn(path *p, const double *y)
{
  for (uint32_t c = 0; c < p->s->nc; c++) {
    const double *L = y + p->s->nq + p->s->nc + 2 * c, force = hypot(L[0], L[1]);
    if (p->mode[c].kind != AMO_QS_SLIP || !p->s->m->contact[c].spatial) continue;
    if (force > 1e-9 * amo_statics_bound(p->s, y, c))
      p->mode[c].d[0] = -L[0] / force, p->mode[c].d[1] = -L[1] / force;
  }
}

static amo_status rates(path *p, double t, const double *y, double *out)
{
  amo_status st = amo_statics_at(p->s, t, y);
  if (st != AMO_OK) return st;
  turn(p, y);
  return amo_statics_rates(p->s, y, p->mode, out);
}

/// From (t, y) by h into `to`; *error relative to tol.
static amo_status step(path *p, double h, double *to, double *error)
{
  static const double a[STAGES][6] = {
      {0},
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
  static const double c[STAGES] = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};
  static const double e[STAGES] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                   -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
  const size_t n = p->s->ny;
  amo_status st = AMO_OK;
  for (int i = 0; st == AMO_OK && i < STAGES; i++) {
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
    for (int i = 0; i < STAGES; i++) sum += e[i] * p->k[(size_t)i * n + k];
    worst = fmax(worst, fabs(h * sum) / (p->o.tol * size));
    if (!isfinite(to[k])) st = AMO_ENOANSWER;
  }
  *error = worst;
  return st;
}

// ---- guards: positive while the modes last ----

/// Two a contact, one a switch of an expression, at (t, y). The statics are left there.
static amo_status read_guards(path *p, double t, const double *y, double *g)
{
  amo_statics *s = p->s;
  amo_status st = rates(p, t, y, s->rate_t);
  for (uint32_t c = 0; st == AMO_OK && c < s->nc; c++) {
    const double *L = y + s->nq + s->nc + 2 * c, bound = amo_statics_bound(s, y, c);
    amo_slip_response r;
    double *first = &g[2 * c], *second = &g[2 * c + 1];
    *first = *second = 1.0;
    if (p->mode[c].kind == AMO_QS_OPEN) *first = s->gap[c];
    if (p->mode[c].kind != AMO_QS_OPEN && s->m->contact[c].kind == AMO_SUPPORT) *second = y[s->nq + c];
    if (p->mode[c].kind == AMO_QS_STICK) *first = bound - hypot(L[0], L[1]);
    if (p->mode[c].kind != AMO_QS_SLIP) continue;
    double speed = amo_statics_speed(s, s->rate_t, c, p->mode[c].d);
    st = amo_statics_response(s, y, p->mode, c, &r);
    if (st != AMO_OK) break;
    *first = amo_slip_along(&r, p->mode[c].d) > 0.0 ? speed : -1.0;
  }
  for (uint32_t i = 0; st == AMO_OK && i < p->switches; i++) {
    const amo_expansion *x = s->x;
    g[2 * s->nc + i] = x->branch[i] * amo_expansion_register(x, amo_prog_switch_register(x->m->step, i), 0);
  }
  return st;
}

static amo_status guards_after(path *p, double h)
{
  double error;
  amo_status st = step(p, h, p->there, &error);
  return st == AMO_OK ? read_guards(p, p->t + h, p->there, p->guard) : st;
}

static bool violated(const path *p, uint32_t g)
{
  return p->guard[g] < 0.0 || isnan(p->guard[g]);
}

static bool any_violated(const path *p)
{
  for (uint32_t g = 0; g < p->guards; g++)
    if (violated(p, g)) return true;
  return false;
}

/// Longest part of the step h in which every guard holds; false: all of it.
static bool first_event(path *p, double h, double *at)
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
  for (int i = 0; i < 200 && bad - good > 1e-16 * (fabs(p->t) + h); i++) {
    double x = 0.5 * (good + bad);
    if (x <= good || x >= bad) break;
    if (guards_after(p, x) != AMO_OK || any_violated(p))
      bad = x;
    else
      good = x;
  }
  *at = bad;
  return true;
}

// ---- decisions ----

/// Branches of expressions for the time to come: an argument at zero goes the way it moves.
static amo_status hold_branches(path *p)
{
  amo_expansion *x = p->s->x;
  x->hold = false;
  amo_status st = amo_statics_at(p->s, p->t, p->y);
  x->hold = true;
  double *dir = amo_zalloc(2 * p->s->nq + p->s->m->nz, sizeof *dir);
  if (!dir) return AMO_ENOMEM;
  amo_expansion_registers_along(x, dir, 1.0, 1);
  for (uint32_t i = 0; i < p->switches; i++)
    if (x->branch[i] == 0)
      x->branch[i] = amo_expansion_register(x, amo_prog_switch_register(x->m->step, i), 1) < 0.0 ? -1 : 1;
  free(dir);
  return st == AMO_OK ? amo_statics_at(p->s, p->t, p->y) : st;
}

static amo_status stop(path *p, amo_quasistatic_status status, const char *why)
{
  p->out->status = status;
  snprintf(p->out->reason, sizeof p->out->reason, "%s", why);
  return AMO_ENOANSWER;
}

/// A gap that has just closed is closed to rounding only: the new modes make it exact.
static void settle_into(path *p, const amo_qs_mode *mode)
{
  const size_t n = p->s->ny;
  double moved = 0.0, size = 1e-300;
  memcpy(p->there, p->y, n * sizeof *p->y);
  if (amo_statics_settle(p->s, p->t, p->there, mode) == AMO_OK) {
    for (size_t k = 0; k < n; k++)
      moved = fmax(moved, fabs(p->there[k] - p->y[k])), size = fmax(size, fabs(p->y[k]));
    if (moved <= 1e-9 * size) memcpy(p->y, p->there, n * sizeof *p->y);
  }
  amo_statics_at(p->s, p->t, p->y);
}

static amo_status change_modes(path *p, const amo_qs_mode *mode, bool jump, size_t answers)
{
  amo_status st = AMO_OK;
  bool closes = false;
  for (uint32_t c = 0; c < p->s->nc; c++)
    closes |= p->mode[c].kind == AMO_QS_OPEN && mode[c].kind != AMO_QS_OPEN;
  if (closes) settle_into(p, mode);
  for (uint32_t c = 0; st == AMO_OK && c < p->s->nc; c++) {
    int from = amo_qs_number(&p->mode[c]), to = amo_qs_number(&mode[c]);
    p->mode[c] = mode[c];
    p->open[c] = mode[c].kind == AMO_QS_OPEN;
    if (from != to) st = amo_record_event(p->out, p->s, p->y, c, from, to, jump, answers);
  }
  return st;
}

/// At the same loads: let support c go, the others hold. True: there is an equilibrium apart.
static bool jump_apart(path *p, uint32_t c)
{
  amo_statics *s = p->s;
  amo_qs_mode *mode = amo_zalloc(s->nc, sizeof *mode);
  if (!mode) return false;
  for (uint32_t i = 0; i < s->nc; i++)
    mode[i] = (amo_qs_mode){.kind = p->open[i] || i == c ? AMO_QS_OPEN : AMO_QS_STICK, .d = {1.0, 0.0}};
  memcpy(p->trial, p->y, s->ny * sizeof *p->y);
  bool ok = amo_statics_settle(s, p->t, p->trial, mode) == AMO_OK && s->gap[c] > 0.0;
  for (uint32_t i = 0; ok && i < s->nc; i++) {
    const double *L = p->trial + s->nq + s->nc + 2 * i;
    if (mode[i].kind == AMO_QS_OPEN)
      ok = s->m->contact[i].kind != AMO_SUPPORT || s->gap[i] >= 0.0;
    else
      ok = hypot(L[0], L[1]) <= amo_statics_bound(s, p->trial, i) * (1.0 + 1e-9);
  }
  if (ok) {
    memcpy(p->y, p->trial, s->ny * sizeof *p->y);
    ok = change_modes(p, mode, true, 0) == AMO_OK;
  } else {
    amo_statics_at(s, p->t, p->y);
  }
  free(mode);
  return ok;
}

/// No continuous answer: jump if there is somewhere to go.
static amo_status without_answer(path *p, bool *jumped)
{
  bool slip_lost = false;
  for (uint32_t c = 0; p->o.jumps && c < p->s->nc; c++) {
    if (p->s->m->contact[c].kind != AMO_SUPPORT || p->at[c].place == AMO_QS_APART) continue;
    if (jump_apart(p, c)) return *jumped = true, AMO_OK;
  }
  for (uint32_t c = 0; c < p->s->nc; c++) {
    if (p->at[c].place != AMO_QS_EDGE) continue;
    int from = amo_qs_number(&p->mode[c]);
    p->mode[c] = (amo_qs_mode){AMO_QS_SLIP, {p->at[c].d[0], p->at[c].d[1]}};
    slip_lost = true;
    if (from != 0) continue;  // the contact that is forced to leave
    amo_status st = amo_record_event(p->out, p->s, p->y, c, from, amo_qs_number(&p->mode[c]), false, 0);
    if (st != AMO_OK) return st;
  }
  return slip_lost ? stop(p, AMO_QUASISTATIC_DISCONTINUITY,
                          "slip is forced, but no continuous quasi-static slip exists: the motion that "
                          "follows is dynamic")
                   : stop(p, AMO_QUASISTATIC_NONE, "the rate problem has no answer");
}

static amo_status decide(path *p)
{
  amo_rate_set all = {0};
  bool jumped = false;
  amo_qs_places(p->s, p->y, p->open, 1e-9, p->at);
  amo_status st = amo_rates_find(p->s, p->y, p->at, &all);
  if (st == AMO_ELIMIT) st = stop(p, AMO_QUASISTATIC_NONE, "too many contacts change at once");
  if (st == AMO_OK && all.count == 0) {
    st = without_answer(p, &jumped);
  } else if (st == AMO_OK) {
    if (all.count > 1 && !all.border && p->out->status == AMO_QUASISTATIC_OK)
      p->out->status = AMO_QUASISTATIC_NONUNIQUE;
    st = change_modes(p, all.item[0].mode, false, all.count);
  }
  amo_rates_free(&all);
  return st == AMO_OK && jumped ? decide(p) : st;
}

// ---- the way ----

/// Integrate until a guard or the end; *event: a guard.
static amo_status advance(path *p, bool *event)
{
  const double left = p->o.until - p->t;
  double h = fmin(p->h, left), error = 0.0, at = 0.0;
  *event = false;
  for (;;) {
    amo_status st = step(p, h, p->trial, &error);
    if (st == AMO_OK && error <= 1.0) break;
    h *= st != AMO_OK ? 0.25 : fmax(0.2, 0.9 * pow(error, -0.2));
    if (h < 1e-13 * (fabs(p->t) + p->o.until - p->t))
      return stop(p, AMO_QUASISTATIC_DISCONTINUITY,
                  "rates grow beyond all bounds: no continuous quasi-static slip");
  }
  double longer = fmin(p->o.max_step, h * fmin(4.0, 0.9 * pow(fmax(error, 1e-10), -0.2)));
  *event = first_event(p, h, &at);
  amo_status st = step(p, *event ? at : h, p->trial, &error);
  if (st != AMO_OK) st = step(p, at *= 1.0 - 1e-12, p->trial, &error);
  if (st != AMO_OK)
    return stop(p, AMO_QUASISTATIC_DISCONTINUITY, "no continuous quasi-static slip from here on");
  p->t = *event ? p->t + at : h == left ? p->o.until : p->t + h;
  memcpy(p->y, p->trial, p->s->ny * sizeof *p->y);
  p->h = longer;
  memcpy(p->trial, p->y, p->s->ny * sizeof *p->y);
  if (amo_statics_settle(p->s, p->t, p->trial, p->mode) == AMO_OK)
    memcpy(p->y, p->trial, p->s->ny * sizeof *p->y);
  st = read_guards(p, p->t, p->y, p->guard);
  return st == AMO_ENOANSWER
             ? stop(p, AMO_QUASISTATIC_DISCONTINUITY, "no continuous quasi-static slip from here on")
             : st;
}

/// Expressions that have come to their switching point take the other branch.
static void take_switches(path *p)
{
  amo_expansion *x = p->s->x;
  for (uint32_t i = 0; i < p->switches; i++) {
    double g = p->guard[2 * p->s->nc + i], size = 1e-13 * (fabs(p->t) + p->o.max_step);
    if (g <= size) x->branch[i] = (signed char)-x->branch[i];
  }
}

static amo_status follow(path *p)
{
  double last = NAN;
  int at_once = 0;
  amo_status st = decide(p);
  for (uint32_t c = 0; st == AMO_OK && c < p->s->nc; c++) p->out->start[c] = amo_qs_number(&p->mode[c]);
  if (p->out->events && st == AMO_OK && !p->out->event[0].jump) {  // modes of the beginning are no events
    for (size_t i = 0; i < p->out->events; i++) free(p->out->event[i].q);
    p->out->events = 0;
  }
  if (st == AMO_OK) st = amo_record_row(p->out, p->s, p->y, p->mode);
  while (st == AMO_OK && p->t < p->o.until) {
    bool event = false;
    st = advance(p, &event);
    if (st == AMO_OK) st = amo_record_row(p->out, p->s, p->y, p->mode);
    if (st != AMO_OK || !event) continue;
    at_once = p->t - last > 1e-12 * (fabs(p->t) + p->o.max_step) ? 0 : at_once + 1;
    last = p->t;
    if (at_once > AT_ONCE || p->out->events > MAX_EVENTS)
      st = stop(p, AMO_QUASISTATIC_NONE, "modes change without end");
    take_switches(p);
    if (st == AMO_OK) st = amo_statics_at(p->s, p->t, p->y);
    if (st == AMO_OK) st = decide(p);
    if (st == AMO_OK) st = amo_statics_at(p->s, p->t, p->y);
    if (st == AMO_OK) st = amo_record_row(p->out, p->s, p->y, p->mode);
  }
  if (st == AMO_ENOANSWER && p->out->reason[0]) {
    amo_statics_at(p->s, p->t, p->y);
    return amo_record_row(p->out, p->s, p->y, p->mode);
  }
  return st;
}

// ---- the beginning ----

/// Forces at the start: closed contacts hold, open ones are open; the rest of the coordinates find their place.
static amo_status begin(path *p, amo_diags *diags)
{
  amo_statics *s = p->s;
  amo_status st = hold_branches(p);
  for (uint32_t c = 0; st == AMO_OK && c < s->nc; c++) {
    p->open[c] = s->m->contact[c].kind == AMO_SUPPORT && s->gap[c] > 0.0;
    p->mode[c] = (amo_qs_mode){.kind = p->open[c] ? AMO_QS_OPEN : AMO_QS_STICK, .d = {1.0, 0.0}};
  }
  if (st == AMO_OK) st = amo_statics_settle(s, p->t, p->y, p->mode);
  if (st == AMO_OK) st = hold_branches(p);
  if (st == AMO_OK && !p->o.unstable) {
    st = amo_statics_require_stable(s, diags);
    if (st != AMO_OK) return st;
  }
  if (st == AMO_ENOANSWER) {
    amo_error(diags, (amo_at){0}, "every coordinate needs a stiffness or a contact that holds it",
              "no equilibrium at the start: the stiffness is singular there");
    return st;
  }
  double size = 1e-300;
  for (uint32_t i = 0; i < s->nq; i++) size = fmax(size, s->size[i]);
  for (uint32_t c = 0; st == AMO_OK && c < s->nc; c++) {
    const double *L = p->y + s->nq + s->nc + 2 * c;
    if (p->open[c]) continue;
    if (s->m->contact[c].kind == AMO_SUPPORT && p->y[s->nq + c] < -1e-9 * size) {
      amo_error(diags, (amo_at){0}, "begin with the gap open, or with loads that press",
                "no equilibrium at the start: support %s would have to pull", s->m->contact[c].sym.name);
      st = AMO_ENOANSWER;
    } else if (hypot(L[0], L[1]) > amo_statics_bound(s, p->y, c) * (1.0 + 1e-9) + 1e-9 * size) {
      amo_error(diags, (amo_at){0}, "begin with smaller loads, or nearer to equilibrium",
                "no equilibrium at the start: contact %s would need a friction of %g, but has at most %g",
                s->m->contact[c].sym.name, hypot(L[0], L[1]), amo_statics_bound(s, p->y, c));
      st = AMO_ENOANSWER;
    }
  }
  return st;
}

static void release(path *p)
{
  void *const all[] = {p->y, p->k, p->trial, p->there, p->mode, p->at, p->open, p->guard};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  amo_statics_free(p->s);
}

static amo_status make(path *p, const amo_model *m)
{
  amo_status st = amo_statics_new(m, &p->s);
  if (st != AMO_OK) return st;
  const size_t n = p->s->ny, nc = p->s->nc;
  p->switches = amo_prog_switches(p->s->m->step);
  p->guards = 2 * p->s->nc + p->switches;
  p->y = amo_zalloc(n, sizeof *p->y);
  p->k = amo_zalloc(STAGES * n, sizeof *p->k);
  p->trial = amo_zalloc(n, sizeof *p->trial);
  p->there = amo_zalloc(n, sizeof *p->there);
  p->mode = amo_zalloc(nc, sizeof *p->mode);
  p->at = amo_zalloc(nc, sizeof *p->at);
  p->open = amo_zalloc(nc, sizeof *p->open);
  p->guard = amo_zalloc(p->guards, sizeof *p->guard);
  bool room = p->y && p->k && p->trial && p->there && p->mode && p->at && p->open && p->guard;
  return room ? amo_record_new(p->s, &p->out) : AMO_ENOMEM;
}

amo_status amo_quasistatic_run(const amo_model *m, const amo_quasistatic_opts *opts, amo_diags *diags,
                               amo_quasistatic **out)
{
  path p = {.o = opts ? *opts : amo_quasistatic_opts_default()};
  *out = NULL;
  p.t = isnan(p.o.start) ? m->t0 : p.o.start;
  if (!(p.o.until >= p.t) || !isfinite(p.o.until))
    return amo_error(diags, (amo_at){0}, NULL, "the end must be a time after the start");
  if (!(p.o.max_step > 0.0)) p.o.max_step = (p.o.until - p.t) / 200.0;
  p.h = p.o.max_step;
  amo_status st = make(&p, m);
  if (st == AMO_OK) {
    memcpy(p.y, p.o.state ? p.o.state : m->initial, m->nq * sizeof *p.y);
    st = begin(&p, diags);
  }
  if (st == AMO_OK) st = follow(&p);
  if (st == AMO_OK)
    *out = p.out;
  else
    amo_quasistatic_free(p.out);
  release(&p);
  return st;
}
