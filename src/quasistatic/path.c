// SPDX-License-Identifier: Apache-2.0
/// Following the loads: steps between events; at an event the rate problem says what may come next.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amontons/quasistatic.h"
#include "base/mem.h"
#include "base/options.h"
#include "quasistatic/path_impl.h"
#include "quasistatic/record.h"

AMO_OPTS_INIT(amo_quasistatic_opts, .start = NAN, .until = NAN, .tol = 1e-11, .max_steps = 1000000,
              .jumps = true)

// ---- decisions ----

/// Branches of expressions for the time to come: an argument at zero goes the way it moves.
static amo_status hold_branches(amo_path *p)
{
  amo_expansion *x = p->s->x;
  x->hold = false;
  amo_status st = amo_statics_at(p->s, p->t, p->here.y);
  x->hold = true;
  amo_expansion_registers_along(x, p->s->dir, 1.0, 1);
  for (uint32_t i = 0; i < amo_prog_switches(x->m->step); i++)
    if (x->branch[i] == 0)
      x->branch[i] = amo_expansion_register(x, amo_prog_switch_register(x->m->step, i), 1) < 0.0 ? -1 : 1;
  return st == AMO_OK ? amo_statics_at(p->s, p->t, p->here.y) : st;
}

static amo_status stop(amo_path *p, amo_quasistatic_status status, const char *why)
{
  p->out->status = status;
  snprintf(p->out->reason, sizeof p->out->reason, "%s", why);
  return AMO_ENOANSWER;
}

/// Make the state exact in new modes: gaps that close are closed, forces that end are zero, loads that have turned have turned.
/// What a contact without force has of it is rounding.
static void settle_into(amo_path *p, const amo_rate_solution *x)
{
  amo_statics *s = p->s;
  const double instant = 2.0 * amo_path_instant(p, p->o.max_step);
  memcpy(p->there.y, p->here.y, s->ny * sizeof *p->there.y);
  bool near = amo_statics_settle(s, p->t, p->there.y, x->mode) == AMO_OK;
  for (size_t k = 0; near && k < s->nq; k++)
    near = fabs(p->there.y[k] - p->here.y[k]) <= 4.0 * (p->here.error[k] + instant * fabs(x->rate[k]));
  if (near) memcpy(p->here.y, p->there.y, s->ny * sizeof *p->here.y);
  for (uint32_t c = 0; c < s->nc; c++)
    for (size_t a = 0; p->at[c].place == AMO_QS_VERTEX && a < 3; a++)
      p->here.y[a == 0 ? s->nq + c : s->nq + s->nc + 2 * c + a - 1] = 0.0;
}

static amo_status change_modes(amo_path *p, const amo_qs_mode *mode, bool jump, size_t answers)
{
  amo_status st = AMO_OK;
  for (uint32_t c = 0; st == AMO_OK && c < p->s->nc; c++) {
    const int from = amo_qs_number(p->s, c, &p->mode[c]), to = amo_qs_number(p->s, c, &mode[c]);
    const bool smooth = from != AMO_MODE_OPEN && to != AMO_MODE_OPEN && amo_statics_frictionless(p->s, c);
    p->mode[c] = mode[c];
    if (from != to && !smooth) st = amo_record_event(p->out, p->s, p->here.y, c, from, to, jump, answers);
  }
  return st;
}

/// At the same loads: let support c go, the others hold. True: there is an equilibrium apart.
static bool jump_apart(amo_path *p, uint32_t c)
{
  amo_statics *s = p->s;
  for (uint32_t i = 0; i < s->nc; i++) {
    p->trial[i] = amo_qs_holding(s, i);
    if (p->at[i].place == AMO_QS_APART || i == c) p->trial[i].kind = AMO_QS_OPEN;
  }
  memcpy(p->there.y, p->here.y, s->ny * sizeof *p->there.y);
  bool ok = amo_statics_settle(s, p->t, p->there.y, p->trial) == AMO_OK && s->gap[c] > 0.0 &&
            amo_qs_rates(s, &p->there, p->trial) == AMO_OK && amo_qs_beyond(s, &p->there, p->trial) < 0;
  if (ok) {
    memcpy(p->here.y, p->there.y, s->ny * sizeof *p->here.y);
    memcpy(p->here.error, p->there.error, s->ny * sizeof *p->here.error);
    ok = change_modes(p, p->trial, true, 0) == AMO_OK;
  }
  amo_statics_at(s, p->t, p->here.y);
  return ok;
}

/// No continuous answer: jump if there is somewhere to go.
static amo_status without_answer(amo_path *p, bool singular, bool *jumped)
{
  bool slip_lost = p->refusals > 0;
  for (uint32_t c = 0; p->o.jumps && c < p->s->nc; c++) {
    if (!amo_can_open(&p->s->m->contact[c]) || p->at[c].place == AMO_QS_APART) continue;
    if (jump_apart(p, c)) return *jumped = true, AMO_OK;
  }
  for (uint32_t c = 0; c < p->s->nc; c++) {
    if (p->at[c].place != AMO_QS_EDGE || amo_statics_frictionless(p->s, c)) continue;
    const int from = amo_qs_number(p->s, c, &p->mode[c]);
    p->mode[c] = (amo_qs_mode){AMO_QS_SLIP, 1.0, {p->at[c].d[0], p->at[c].d[1]}};
    slip_lost = true;
    if (from != 0) continue;  // the contact that is forced to leave
    amo_status st =
        amo_record_event(p->out, p->s, p->here.y, c, from, amo_qs_number(p->s, c, &p->mode[c]), false, 0);
    if (st != AMO_OK) return st;
  }
  return slip_lost ? stop(p, AMO_QUASISTATIC_DISCONTINUITY,
                          "slip is forced, but no continuous quasi-static slip exists: the motion that "
                          "follows is dynamic")
         : singular
             ? stop(p, AMO_QUASISTATIC_NONE, "the stiffness is singular: nothing holds what would move")
             : stop(p, AMO_QUASISTATIC_NONE, "the rate problem has no answer");
}

static amo_status lost(amo_path *p)
{
  return stop(p, AMO_QUASISTATIC_DISCONTINUITY,
              "rates grow beyond all bounds: no continuous quasi-static slip");
}

static amo_status decide(amo_path *p)
{
  amo_rate_set all = {0};
  bool jumped = false;
  amo_qs_places(p->s, &p->here, p->mode, p->at);
  amo_status st = amo_rates_find(p->s, &p->here, p->at, &all);
  if (st == AMO_ELIMIT) st = stop(p, AMO_QUASISTATIC_NONE, "too many contacts change at once");
  const long best = st == AMO_OK ? amo_rates_least(p->s, &all, p->refused, p->refusals) : -1;
  if (st == AMO_OK && best < 0) {
    st = without_answer(p, all.singular, &jumped);
  } else if (st == AMO_OK) {
    if (all.count > 1 && !all.border && p->out->status == AMO_QUASISTATIC_OK)
      p->out->status = AMO_QUASISTATIC_NONUNIQUE;
    settle_into(p, &all.item[best]);
    st = change_modes(p, all.item[best].mode, false, all.count);
    memcpy(p->here.rate, all.item[best].rate, p->s->ny * sizeof *p->here.rate);
    p->lead = p->s->lead;
  }
  amo_rates_free(&all);
  return st == AMO_OK && jumped ? decide(p) : st;
}

// ---- the way ----

/// Step until a condition fails or to the end; *event: one failed.
static amo_status advance(amo_path *p, bool *event)
{
  const double left = p->o.until - p->t, room = fmin(p->h, left);
  double h = room, error = 0.0, at = 0.0, last = INFINITY;
  for (;; last = error) {
    amo_status st = amo_path_step(p, h, &error);
    if (st == AMO_OK && (error <= 1.0 || error > 0.9 * last))
      break;  // shorter is no better: loads have rounding too
    if (st != AMO_OK) error = INFINITY;
    h *= st != AMO_OK ? 0.25 : fmax(0.2, 0.9 * pow(error, -0.25));
    if (h <= amo_path_instant(p, room)) return lost(p);
  }
  const double longer =
      fmin(p->o.max_step, h * (error > 0.0 && error <= 1.0 ? fmin(4.0, 0.9 * pow(error, -0.25)) : 4.0));
  *event = amo_path_first_event(p, h, &at);
  if (!*event)
    memcpy(p->there.y, p->stage + (AMO_PATH_STAGES - 1) * (size_t)p->s->ny, p->s->ny * sizeof *p->there.y);
  p->h = longer;
  p->t = *event ? p->t + at : h == left ? p->o.until : p->t + h;
  if (*event && !p->turned && at <= amo_path_instant(p, h)) {  // no sooner begun than ended
    if (p->refusals == AMO_PATH_REFUSED) return stop(p, AMO_QUASISTATIC_NONE, "modes change without end");
    memcpy(p->refused + p->refusals++ * p->s->nc, p->mode, p->s->nc * sizeof *p->mode);
  } else if (!*event || at > amo_path_instant(p, h)) {
    p->refusals = 0;
  }
  memcpy(p->here.y, p->there.y, p->s->ny * sizeof *p->here.y);
  memcpy(p->here.error, p->there.error, p->s->ny * sizeof *p->here.error);
  amo_status st = amo_path_rates(p, p->t, &p->here, p->mode);
  if (st != AMO_OK) return st == AMO_ENOANSWER ? lost(p) : st;
  p->lead = p->s->lead;
  for (size_t k = 0; *event && k < p->s->ny; k++)
    p->here.error[k] += 2.0 * amo_path_instant(p, h) * fabs(p->here.rate[k]);
  amo_qs_face(p->s, &p->here, p->mode);
  return AMO_OK;
}

/// Expressions that have come to their switching point take the other branch.
static void take_switches(amo_path *p)
{
  amo_expansion *x = p->s->x;
  for (uint32_t i = 0; i < amo_prog_switches(x->m->step); i++)
    if (x->branch[i] * amo_expansion_register(x, amo_prog_switch_register(x->m->step, i), 0) <= 0.0)
      x->branch[i] = (signed char)-x->branch[i];
}

/// The state here as a row.
static amo_status record(amo_path *p)
{
  amo_status st = amo_statics_at(p->s, p->t, p->here.y);
  return st == AMO_OK ? amo_record_row(p->out, p->s, &p->here, p->mode) : st;
}

static amo_status follow(amo_path *p)
{
  long steps = 0;
  amo_status st = decide(p);
  for (uint32_t c = 0; st == AMO_OK && c < p->s->nc; c++)
    p->out->start[c] = amo_qs_number(p->s, c, &p->mode[c]);
  if (p->out->events && st == AMO_OK && !p->out->event[0].jump) {  // modes of the beginning are no events
    for (size_t i = 0; i < p->out->events; i++) free(p->out->event[i].q);
    p->out->events = 0;
  }
  if (st == AMO_OK) st = record(p);
  while (st == AMO_OK && p->t < p->o.until) {
    bool event = false;
    if (p->o.on_step && p->o.on_step(p->o.ctx, p->t) != 0) return AMO_EINTR;
    st = ++steps > p->o.max_steps ? stop(p, AMO_QUASISTATIC_NONE, "too many steps") : advance(p, &event);
    if (st == AMO_OK) st = record(p);
    if (st != AMO_OK || !event) continue;
    take_switches(p);
    st = amo_statics_at(p->s, p->t, p->here.y);
    if (st == AMO_OK) st = decide(p);
    if (st == AMO_OK) st = record(p);
  }
  return st == AMO_ENOANSWER && p->out->reason[0] ? record(p) : st;
}

// ---- the beginning ----

/// Forces at the start: closed contacts hold, open ones are open; the rest of the coordinates find their place.
static amo_status begin(amo_path *p, amo_diags *diags)
{
  amo_statics *s = p->s;
  amo_status st = hold_branches(p);
  if (st == AMO_OK) st = amo_qs_begin(s, p->t, &p->here, p->mode);
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
  const long c = st == AMO_OK ? amo_qs_beyond(s, &p->here, p->mode) : -1;
  if (c < 0) return st;
  const double *L = p->here.y + s->nq + s->nc + 2 * c;
  if (amo_can_open(&s->m->contact[c]) && p->here.y[s->nq + c] < 0.0)
    amo_error(diags, (amo_at){0}, "begin with the gap open, or with loads that press",
              "no equilibrium at the start: support %s would have to pull", s->m->contact[c].sym.name);
  else
    amo_error(diags, (amo_at){0}, "begin with smaller loads, or nearer to equilibrium",
              "no equilibrium at the start: contact %s would need a friction of %g, but has at most %g",
              s->m->contact[c].sym.name, hypot(L[0], L[1]), amo_statics_bound(s, p->here.y, (uint32_t)c));
  return AMO_ENOANSWER;
}

static amo_status make(amo_path *p, const amo_values *v)
{
  amo_status st = amo_statics_new(v, &p->s);
  if (st == AMO_OK) st = amo_qs_known_new(p->s, &p->here);
  if (st == AMO_OK) st = amo_qs_known_new(p->s, &p->there);
  if (st != AMO_OK) return st;
  amo_arena *memory = &p->s->memory;
  const size_t n = AMO_PATH_STAGES * (size_t)p->s->ny, nc = p->s->nc;
  AMO_TAKE(memory, double, n, &p->stage, &p->velocity, &p->step);
  AMO_TAKE(memory, double, n *n, &p->matrix);
  AMO_TAKE(memory, amo_qs_mode, nc, &p->mode, &p->trial);
  AMO_TAKE(memory, amo_qs_mode, AMO_PATH_REFUSED * nc, &p->refused);
  AMO_TAKE(memory, amo_qs_at, nc, &p->at);
  if (memory->failed) return AMO_ENOMEM;
  return amo_record_new(p->s, &p->out);
}

amo_status amo_quasistatic_run(const amo_model *m, const amo_quasistatic_opts *opts, amo_diags *diags,
                               amo_quasistatic **out)
{
  amo_path p = {.o = amo_quasistatic_opts_default()};
  if (!out) return AMO_ERANGE;
  *out = NULL;
  amo_status st = amo_opts_take(&p.o, sizeof p.o, opts);
  if (st != AMO_OK) return st;
  const amo_values *v = amo_values_or_file(p.o.values, m);
  if (!v) return AMO_ERANGE;
  p.t = isnan(p.o.start) ? v->t0 : p.o.start;
  if (!(p.o.until >= p.t) || !isfinite(p.o.until))
    return amo_error(diags, (amo_at){0}, NULL, "the end must be a time after the start");
  if (!(p.o.max_step > 0.0)) p.o.max_step = (p.o.until - p.t) / 200.0;
  p.h = p.o.max_step;
  st = make(&p, v);
  if (st == AMO_OK) {
    memcpy(p.here.y, p.o.state ? p.o.state : v->initial, m->nq * sizeof *p.here.y);
    st = begin(&p, diags);
  }
  if (st == AMO_OK) st = follow(&p);
  if (st == AMO_OK)
    *out = p.out;
  else
    amo_quasistatic_free(p.out);
  amo_statics_free(p.s);
  return st;
}
