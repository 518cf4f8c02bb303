// SPDX-License-Identifier: Apache-2.0
#include "amontons/section.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "flow/sim.h"
#include "num/bracket.h"

enum { PIECES = 16 };  // of a step, in which a quantity is looked at

typedef struct section_search {
  amo_section *s;
  amo_sim *sim;
  amo_sample *p;
  int (*hit)(void *ctx, const amo_sample *p);
  void *ctx;
} section_search;

static bool fits(amo_mode_class class, int mode)
{
  switch (class) {
    case AMO_MODE_STICKS: return mode == AMO_STICK;
    case AMO_MODE_SLIPS: return mode == AMO_SLIP_FORWARD || mode == AMO_SLIP_BACKWARD;
    case AMO_MODE_APART: return mode == AMO_OPEN;
    case AMO_MODE_CLOSED: return mode != AMO_OPEN;
    case AMO_MODE_ANY: break;
  }
  return true;
}

static amo_status tell(const section_search *w)
{
  return w->hit(w->ctx, w->p) ? AMO_EINTR : AMO_OK;
}

static amo_status tell_at(const section_search *w, double t)
{
  amo_status st = amo_sim_sample(w->sim, t, false, w->p);
  return st == AMO_OK ? tell(w) : st;
}

// ---- events ----

static amo_status look_at_events(const section_search *w)
{
  for (size_t i = 0; i < amo_sim_new_events(w->sim); i++) {
    const amo_event *e = amo_sim_new_event(w->sim, i);
    if (e->kind != AMO_EVENT_MODE && e->kind != AMO_EVENT_TOUCH) continue;
    if (w->s->contact >= 0 && e->contact != w->s->contact) continue;
    if (!fits(w->s->from, e->from) || !fits(w->s->to, e->to)) continue;
    amo_status st = amo_sim_sample(w->sim, amo_sim_time(w->sim), true, w->p);
    return st == AMO_OK ? tell(w) : st;  // one pass, however many contacts take part
  }
  return AMO_OK;
}

// ---- zeros ----

static amo_status value_at(const section_search *w, double t, double *x)
{
  if (w->s->kind == AMO_SECTION_STATE) {
    amo_sim_dense(w->sim, t, w->p->state);
    *x = w->p->state[w->s->state];
    return AMO_OK;
  }
  amo_status st = amo_sim_sample(w->sim, t, false, w->p);
  *x = st == AMO_OK ? w->s->value(w->s->ctx, w->p) : NAN;
  return st;
}

/// Which side of zero; 0 within rounding of it.
static int side_of(const amo_section *s, double x)
{
  return fabs(x) <= AMO_NOTHING * s->scale || isnan(x) ? 0 : x > 0.0 ? 1 : -1;
}

/// Between a, still on side `from`, and b, no longer: where it leaves.
static amo_status bisect(const section_search *w, double a, double b, int from, bool across, double *t)
{
  const double level = across ? 0.0 : AMO_NOTHING * w->s->scale;
  amo_bracket k = {a, b, 0};
  amo_status st = AMO_OK;
  for (double x, middle; st == AMO_OK && amo_bracket_next(&k, &middle);) {
    st = value_at(w, middle, &x);
    *(from * x > level ? &k.a : &k.b) = middle;
  }
  *t = k.b;
  return st;
}

static amo_status pass(const section_search *w, double a, double b, int side)
{
  const int from = w->s->side;
  double t;
  if (w->s->direction != 0 && w->s->direction != -from) return AMO_OK;
  amo_status st = bisect(w, a, b, from, side == -from, &t);
  return st == AMO_OK ? tell_at(w, t) : st;
}

static amo_status look_at_zeros(const section_search *w)
{
  amo_section *s = w->s;
  const double start = amo_sim_step_start(w->sim), end = amo_sim_time(w->sim);
  double before = start;
  amo_status st = AMO_OK;
  for (int i = 0; i <= PIECES && st == AMO_OK; i++) {
    const double t = i == PIECES ? end : start + (end - start) * i / PIECES;
    double x;
    if ((st = value_at(w, t, &x)) != AMO_OK) break;
    s->scale = fmax(s->scale, isnan(x) ? 0.0 : fabs(x));
    const int side = side_of(s, x);
    if (s->begun && s->side != 0 && side != s->side) st = pass(w, before, t, side);
    s->side = side;
    s->begun = true;
    before = t;
  }
  return st;
}

// ---- ticks ----

static amo_status look_at_clock(const section_search *w)
{
  amo_section *s = w->s;
  const double start = amo_sim_step_start(w->sim), end = amo_sim_time(w->sim);
  amo_status st = AMO_OK;
  if (!s->begun) s->ticks = ceil((start - s->phase) / s->period - AMO_NOTHING);
  s->begun = true;
  while (st == AMO_OK && s->phase + s->ticks * s->period <= end) {
    st = tell_at(w, s->phase + s->ticks * s->period);
    s->ticks++;
  }
  return st;
}

amo_status amo_section_step(amo_section *s, amo_sim *sim, amo_sample *p,
                            int (*hit)(void *ctx, const amo_sample *p), void *ctx)
{
  if (!s || !sim || !p || !hit) return AMO_ERANGE;
  const section_search w = {s, sim, p, hit, ctx};
  switch (s->kind) {
    case AMO_SECTION_EVENT: return look_at_events(&w);
    case AMO_SECTION_ZERO:
    case AMO_SECTION_STATE: return look_at_zeros(&w);
    case AMO_SECTION_CLOCK: return look_at_clock(&w);
  }
  return AMO_ERANGE;
}
