// SPDX-License-Identifier: Apache-2.0
/// Following the loads: between events the rates of the equilibrium are integrated (Dormand-Prince 5(4), each step
/// brought back to equilibrium by Newton); at an event the rate problem says what may come next.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amontons/quasistatic.h"
#include "base/mem.h"
#include "quasistatic/path_impl.h"
#include "quasistatic/record.h"

enum { MAX_EVENTS = 100000, AT_ONCE = 60 };

amo_quasistatic_opts amo_quasistatic_opts_default(void)
{
  return (amo_quasistatic_opts){
      .start = NAN, .until = NAN, .tol = 1e-11, .max_steps = 1000000, .jumps = true};
}

// ---- decisions ----

/// Branches of expressions for the time to come: an argument at zero goes the way it moves.
static amo_status hold_branches(amo_path *p)
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

static amo_status stop(amo_path *p, amo_quasistatic_status status, const char *why)
{
  p->out->status = status;
  snprintf(p->out->reason, sizeof p->out->reason, "%s", why);
  return AMO_ENOANSWER;
}

/// A gap that has just closed is closed to rounding only: the new modes make it exact.
static void settle_into(amo_path *p, const amo_qs_mode *mode)
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

static amo_status change_modes(amo_path *p, const amo_qs_mode *mode, bool jump, size_t answers)
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
    const bool reversal = from != AMO_MODE_OPEN && to != AMO_MODE_OPEN && amo_statics_frictionless(p->s, c);
    if (from != to && !reversal) st = amo_record_event(p->out, p->s, p->y, c, from, to, jump, answers);
  }
  return st;
}

/// At the same loads: let support c go, the others hold. True: there is an equilibrium apart.
static bool jump_apart(amo_path *p, uint32_t c)
{
  amo_statics *s = p->s;
  amo_qs_mode *mode = amo_zalloc(s->nc, sizeof *mode);
  if (!mode) return false;
  for (uint32_t i = 0; i < s->nc; i++)
    mode[i] =
        p->open[i] || i == c ? (amo_qs_mode){.kind = AMO_QS_OPEN, .d = {1.0, 0.0}} : amo_qs_holding(s, i);
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
static amo_status without_answer(amo_path *p, bool *jumped)
{
  bool slip_lost = false;
  for (uint32_t c = 0; p->o.jumps && c < p->s->nc; c++) {
    if (p->s->m->contact[c].kind != AMO_SUPPORT || p->at[c].place == AMO_QS_APART) continue;
    if (jump_apart(p, c)) return *jumped = true, AMO_OK;
  }
  for (uint32_t c = 0; c < p->s->nc; c++) {
    if (p->at[c].place != AMO_QS_EDGE || amo_statics_frictionless(p->s, c)) continue;
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

static amo_status decide(amo_path *p)
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
    p->slack = all.border ? 1e-11 : 0.0;
    st = change_modes(p, all.item[0].mode, false, all.count);
  }
  amo_rates_free(&all);
  return st == AMO_OK && jumped ? decide(p) : st;
}

// ---- the way ----

/// Integrate until a guard or the end; *event: a guard.
static amo_status advance(amo_path *p, bool *event)
{
  const double left = p->o.until - p->t;
  double h = fmin(p->h, left), error = 0.0, at = 0.0;
  *event = false;
  for (;;) {
    amo_status st = amo_path_step(p, h, p->trial, &error);
    if (st == AMO_OK && error <= 1.0) break;
    h *= st != AMO_OK ? 0.25 : fmax(0.2, 0.9 * pow(error, -0.2));
    if (h < 1e-13 * (fabs(p->t) + p->o.until - p->t))
      return stop(p, AMO_QUASISTATIC_DISCONTINUITY,
                  "rates grow beyond all bounds: no continuous quasi-static slip");
  }
  double longer = fmin(p->o.max_step, h * fmin(4.0, 0.9 * pow(fmax(error, 1e-10), -0.2)));
  *event = amo_path_first_event(p, h, &at);
  amo_status st = amo_path_step(p, *event ? at : h, p->trial, &error);
  if (st != AMO_OK) st = amo_path_step(p, at *= 1.0 - 1e-12, p->trial, &error);
  if (st != AMO_OK)
    return stop(p, AMO_QUASISTATIC_DISCONTINUITY, "no continuous quasi-static slip from here on");
  p->t = *event ? p->t + at : h == left ? p->o.until : p->t + h;
  memcpy(p->y, p->trial, p->s->ny * sizeof *p->y);
  p->h = longer;
  memcpy(p->trial, p->y, p->s->ny * sizeof *p->y);
  if (amo_statics_settle(p->s, p->t, p->trial, p->mode) == AMO_OK)
    memcpy(p->y, p->trial, p->s->ny * sizeof *p->y);
  st = amo_path_guards(p, p->t, p->y, p->guard);
  if (st == AMO_OK) amo_qs_face(p->s, p->s->rate_t, p->mode);
  return st == AMO_ENOANSWER
             ? stop(p, AMO_QUASISTATIC_DISCONTINUITY, "no continuous quasi-static slip from here on")
             : st;
}

/// Expressions that have come to their switching point take the other branch.
static void take_switches(amo_path *p)
{
  amo_expansion *x = p->s->x;
  for (uint32_t i = 0; i < p->switches; i++) {
    double g = p->guard[2 * p->s->nc + i], size = 1e-13 * (fabs(p->t) + p->o.max_step);
    if (g <= size) x->branch[i] = (signed char)-x->branch[i];
  }
}

static amo_status follow(amo_path *p)
{
  double last = NAN;
  int at_once = 0;
  long steps = 0;
  amo_status st = decide(p);
  for (uint32_t c = 0; st == AMO_OK && c < p->s->nc; c++) p->out->start[c] = amo_qs_number(&p->mode[c]);
  if (p->out->events && st == AMO_OK && !p->out->event[0].jump) {  // modes of the beginning are no events
    for (size_t i = 0; i < p->out->events; i++) free(p->out->event[i].q);
    p->out->events = 0;
  }
  if (st == AMO_OK) st = amo_record_row(p->out, p->s, p->y, p->mode);
  while (st == AMO_OK && p->t < p->o.until) {
    bool event = false;
    if (p->o.on_step && p->o.on_step(p->o.ctx, p->t) != 0) return AMO_EINTR;
    st = ++steps > p->o.max_steps ? stop(p, AMO_QUASISTATIC_NONE, "too many steps") : advance(p, &event);
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
static amo_status begin(amo_path *p, amo_diags *diags)
{
  amo_statics *s = p->s;
  amo_status st = hold_branches(p);
  for (uint32_t c = 0; st == AMO_OK && c < s->nc; c++)
    p->open[c] = s->m->contact[c].kind == AMO_SUPPORT && s->gap[c] > 0.0;
  if (st == AMO_OK) amo_qs_resting_modes(s, p->open, p->mode);
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
  long c = st == AMO_OK ? amo_qs_beyond(s, p->y, p->open, 1e-9) : -1;
  if (c < 0) return st;
  const double *L = p->y + s->nq + s->nc + 2 * c;
  if (s->m->contact[c].kind == AMO_SUPPORT && p->y[s->nq + c] < 0.0)
    amo_error(diags, (amo_at){0}, "begin with the gap open, or with loads that press",
              "no equilibrium at the start: support %s would have to pull", s->m->contact[c].sym.name);
  else
    amo_error(diags, (amo_at){0}, "begin with smaller loads, or nearer to equilibrium",
              "no equilibrium at the start: contact %s would need a friction of %g, but has at most %g",
              s->m->contact[c].sym.name, hypot(L[0], L[1]), amo_statics_bound(s, p->y, (uint32_t)c));
  return AMO_ENOANSWER;
}

static void release(amo_path *p)
{
  void *const all[] = {p->y, p->k, p->trial, p->there, p->mode, p->at, p->open, p->guard};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  amo_statics_free(p->s);
}

static amo_status make(amo_path *p, const amo_model *m)
{
  amo_status st = amo_statics_new(m, &p->s);
  if (st != AMO_OK) return st;
  const size_t n = p->s->ny, nc = p->s->nc;
  p->switches = amo_prog_switches(p->s->m->step);
  p->guards = 2 * p->s->nc + p->switches;
  p->y = amo_zalloc(n, sizeof *p->y);
  p->k = amo_zalloc(AMO_PATH_STAGES * n, sizeof *p->k);
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
  amo_path p = {.o = opts ? *opts : amo_quasistatic_opts_default()};
  if (!out) return AMO_ERANGE;
  *out = NULL;
  if (!m) return AMO_ERANGE;
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
