// SPDX-License-Identifier: Apache-2.0
/// Steady states: modes tried in turn, each judged by the contact conditions, then linearised.
#include "amontons/steady.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag_list.h"
#include "base/mem.h"
#include "base/options.h"
#include "contact/conditions.h"
#include "steady/guess.h"
#include "num/eigen.h"
#include "num/hurwitz.h"
#include "steady/relative.h"
#include "steady/linear_motion.h"

enum { SERIES = 6, MOST_CONTACTS = 6 };

typedef struct steady_search {
  amo_arena memory;
  const amo_model *m;
  const double *start;
  double t;
  amo_expansion *x;
  amo_relative *r;
  signed char *mode;
  double *state;
  const char *why;  // the last attempt failed
} steady_search;

AMO_OPTS_INIT(amo_steady_opts, .t = NAN)

// ---- one mode ----

/// Positive now, or zero now and growing along the motion (a load that begins at zero).
static bool positive(double now, double change, double size)
{
  return now > AMO_NOTHING * size || (now >= -AMO_NOTHING * size && change > 0.0);
}

/// What contradicts a condition of contact x->index; NULL: nothing. Signs of guides have been found; elements may stick at their springs.
static const char *contradiction(const steady_search *s, const amo_condition *x)
{
  const uint32_t c = x->index;
  const amo_contact *k = &s->x->m->contact[c];
  const double normal = amo_expansion_reaction(s->x, c, 0), growing = amo_expansion_reaction(s->x, c, 1);
  const double bound = amo_expansion_register(s->x, k->r_bound, 0) * (amo_has_gap(k) ? fabs(normal) : 1.0);
  const double other = amo_turns(k) ? amo_expansion_friction(s->x, c, 1, 0) : 0.0,
               force = hypot(amo_expansion_friction(s->x, c, 0, 0), other);
  bool holds = true;
  if (x->what == AMO_IS_GAP)
    holds =
        positive(amo_expansion_register(s->x, k->r_gap, 0), amo_expansion_register(s->x, k->r_gap, 1), 1e-3);
  else if (x->what == AMO_IS_REACTION && amo_can_open(k))
    holds = positive(normal, growing, fmax(fabs(normal), fabs(growing)));
  else if (x->what == AMO_IS_SLIP && s->mode[c] != 0)
    holds = x->side * amo_expansion_register(s->x, k->r_slip, 0) > 0.0;
  else if (amo_is_room(x))
    holds = force <= bound * (1.0 + AMO_SAME) + 1e-300;
  return holds                        ? NULL
         : x->what == AMO_IS_GAP      ? "surfaces that are apart would overlap"
         : x->what == AMO_IS_REACTION ? "a support would have to pull"
         : x->what == AMO_IS_SLIP     ? "a contact would slip against its direction"
                                      : "a contact would stick beyond its bound";
}

/// Does contact c stand where its mode has it, with a memory that lasts? NULL, or why not.
static const char *misplaced(const steady_search *s, uint32_t c)
{
  const amo_contact *k = &s->x->m->contact[c];
  const bool open = s->mode[c] == AMO_MODE_OPEN;
  const uint32_t whole = s->x->m->contact[amo_whole(k, c)].r_slip;
  if (open && !amo_can_open(k) && !amo_expansion_is_apart(s->x, c))
    return "surfaces that are apart would overlap";
  if (!open && !amo_expansion_is_within(s->x, c)) return "a support would be closed beyond its end";
  if (!open && !amo_can_open(k) && amo_expansion_is_apart(s->x, c))
    return "surfaces that touch would be apart";
  if (s->mode[c] != 0 && !open && k->rest == AMO_YIELDS && amo_expansion_register(s->x, k->r_slip, 0) == 0.0)
    return "at rest a contact that gives way may have any deflection";
  if (s->mode[c] == 0 && k->part_of && amo_expansion_register(s->x, whole, 0) != 0.0)
    return "an element that sticks would bend on and on";
  return NULL;
}

/// Do all contacts obey the conditions of their modes in the state found?
static amo_status judge_contacts(steady_search *s)
{
  amo_expansion_along(s->x, s->r->dir, 1.0, 1);
  for (uint32_t c = 0; c < s->m->nc; c++) {
    const amo_contact *k = &s->x->m->contact[c];
    amo_condition list[AMO_MOST_CONDITIONS];
    const char *why = misplaced(s, c);
    int n = amo_conditions(k, c, s->mode[c], 1, AMO_HELD_BY_FRICTION, list);
    if (s->mode[c] == AMO_MODE_OPEN && amo_has_ends(k) && amo_expansion_is_apart(s->x, c)) n = 0;
    for (int i = 0; !why && i < n; i++) why = contradiction(s, &list[i]);
    if (!why) continue;
    s->why = why;
    return AMO_ENOANSWER;
  }
  return AMO_OK;
}

/// From the start with all velocities times `part`: where laws are curved a fast start may lead nowhere.
static amo_status try_from(steady_search *s, double part)
{
  const uint32_t nq = s->m->nq;
  memcpy(s->state, s->start, amo_model_states(s->m) * sizeof *s->state);
  for (uint32_t i = 0; i < nq; i++) s->state[nq + i] *= part;
  amo_status st = amo_guess_slip(s->x, s->t, s->state, s->mode);
  if (st == AMO_OK) st = amo_relative_find(s->r, s->t, s->state, s->mode);
  if (st == AMO_ENOANSWER) s->why = "no state without acceleration was found from this start";
  return st == AMO_OK ? judge_contacts(s) : st;
}

static amo_status try_mode(steady_search *s)
{
  static const double part[] = {1.0, 0.0, 0.5, 0.1, 2.0, -0.5};
  bool moves = false;
  for (uint32_t i = 0; i < s->m->nq; i++) moves |= s->start[s->m->nq + i] != 0.0;
  amo_status st = try_from(s, 1.0);
  const char *why = s->why;
  for (size_t k = 1; moves && st == AMO_ENOANSWER && k < sizeof part / sizeof *part; k++)
    st = try_from(s, part[k]);
  if (st == AMO_ENOANSWER) s->why = why;
  return st;
}

// ---- modes in turn ----

static void modes_of_start(steady_search *s)
{
  const amo_model *m = s->m;
  memset(s->mode, 0, m->nc);
  amo_expansion_registers(s->x, s->t, s->start, s->mode);
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &s->x->m->contact[c];
    const uint32_t r_slip = s->x->m->contact[amo_whole(k, c)].r_slip;
    double slip = amo_expansion_register(s->x, amo_turns(k) ? k->axis[0].r_slip : r_slip, 0);
    if (amo_turns(k)) slip = hypot(slip, amo_expansion_register(s->x, k->axis[1].r_slip, 0));
    s->mode[c] = amo_mode_of(k, slip, slip == 0.0);
    if (amo_expansion_is_apart(s->x, c)) s->mode[c] = AMO_MODE_OPEN;
  }
}

/// Combination number `code`: each contact forward, backward, stick, or (supports) open. False: there is no such.
static bool take_mode(const steady_search *s, size_t code)
{
  static const signed char order[4] = {1, -1, 0, AMO_MODE_OPEN};
  for (uint32_t c = 0; c < s->m->nc; c++, code /= 4) {
    const amo_contact *k = &s->m->contact[c];
    s->mode[c] = order[code % 4];
    if (s->mode[c] == AMO_MODE_OPEN && !k->parts) return false;
    if (s->mode[c] != AMO_MODE_OPEN && amo_mode_of(k, s->mode[c], s->mode[c] == 0) != s->mode[c])
      return false;
  }
  return true;
}

static amo_status try_modes(steady_search *s, const int *wanted)
{
  signed char first[MOST_CONTACTS];
  const uint32_t nc = s->m->nc;
  if (wanted)
    for (uint32_t c = 0; c < nc; c++) s->mode[c] = (signed char)wanted[c];
  else
    modes_of_start(s);
  amo_status st = try_mode(s);
  const char *why = s->why;
  if (st != AMO_ENOANSWER || wanted || nc > MOST_CONTACTS) return st;
  memcpy(first, s->mode, nc);
  for (size_t code = 0; st == AMO_ENOANSWER && code < (size_t)1 << (2 * nc); code++)
    if (take_mode(s, code) && memcmp(first, s->mode, nc) != 0) st = try_mode(s);
  if (st == AMO_ENOANSWER) s->why = why;
  return st;
}

// ---- the result ----

typedef struct owned_steady {
  amo_steady steady;  // first: its address is that of the whole
  amo_arena memory;
} owned_steady;

void amo_steady_free(amo_steady *s)
{
  if (!s) return;
  amo_arena_free(&((owned_steady *)s)->memory);
  free(s);
}

static amo_status new_result(const amo_model *m, amo_steady **out)
{
  owned_steady *o = amo_zalloc(1, sizeof *o);
  if (!o) return AMO_ENOMEM;
  amo_steady *s = *out = &o->steady;
  size_t n = s->states = amo_model_states(m), nc = s->contacts = m->nc;
  AMO_TAKE(&o->memory, double, n, &s->state, &s->re, &s->im, &s->error, &s->a, &s->H);
  AMO_TAKE(&o->memory, int, nc, &s->mode);
  AMO_TAKE(&o->memory, double, nc, &s->slip, &s->angle, &s->normal, &s->friction);
  AMO_TAKE(&o->memory, amo_slip_stiffness, nc, &s->stiffness);
  AMO_TAKE(&o->memory, double, n *n, &s->matrix);
  return o->memory.failed ? AMO_ENOMEM : AMO_OK;
}

static void take_contacts(const steady_search *q, amo_steady *s)
{
  for (uint32_t c = 0; c < q->m->nc; c++) {
    const amo_contact *k = &q->x->m->contact[c];
    s->mode[c] = q->mode[c];
    s->slip[c] = amo_expansion_register(q->x, k->r_slip, 0);
    s->angle[c] = NAN;
    s->normal[c] = amo_expansion_reaction(q->x, c, 0);
    s->friction[c] = amo_expansion_friction(q->x, c, 0, 0);
    if (!amo_turns(k)) continue;
    double g[2] = {amo_expansion_register(q->x, k->axis[0].r_slip, 0),
                   amo_expansion_register(q->x, k->axis[1].r_slip, 0)};
    double f[2] = {s->friction[c], amo_expansion_friction(q->x, c, 1, 0)};
    s->slip[c] = hypot(g[0], g[1]);
    s->friction[c] = hypot(f[0], f[1]);
    if (s->slip[c] > 0.0) s->angle[c] = atan2(g[1], g[0]);
    if (s->slip[c] > 0.0) s->friction[c] = (f[0] * g[0] + f[1] * g[1]) / s->slip[c];
  }
}

static amo_status take_spectrum(amo_steady *s, const amo_linear_motion *t)
{
  const size_t n = s->order = t->order;
  s->neutral = t->neutral;
  s->locked = t->locked;
  double *work = amo_zalloc(n * n, sizeof *work);
  if (!work) return AMO_ENOMEM;
  memcpy(s->matrix, t->reduced, n * n * sizeof *work);
  amo_status st = amo_eigenvalues_judged(t->reduced, t->terms, n, s->re, s->im, s->error);
  memcpy(work, t->reduced, n * n * sizeof *work);
  if (st == AMO_OK) st = amo_characteristic(work, n, s->a);
  if (st == AMO_OK && amo_hurwitz(s->a, n, s->H) != AMO_OK) s->H = NULL;
  free(work);
  s->growth = n > 0 ? s->re[0] : -INFINITY;
  s->frequency = n > 0 ? fabs(s->im[0]) : 0.0;
  s->stable = s->growth < 0.0;
  return st;
}

/// The linearisation a while later along the motion: the same, unless the system is not the same there.
static amo_status compare_later(steady_search *q, amo_steady *s, const amo_linear_motion *t)
{
  double rate = 1e-290, worst = 0.0, size = 1e-290;
  for (size_t i = 0; i < s->order; i++) rate = fmax(rate, hypot(s->re[i], s->im[i]));
  s->drift = amo_relative_drift(q->r, rate > 1e-280 ? rate : 1.0);
  double later = rate > 1e-280 ? 1.7 / rate : 1.0;
  for (size_t i = 0; i < s->states; i++) q->state[i] = s->state[i] + later * q->r->dir[i];
  amo_linear_motion *u = NULL;
  amo_status st = amo_expansion_at(q->x, s->t + later, q->state, q->mode);
  if (st == AMO_OK) st = amo_linear_motion_full(q->x, &u);
  for (size_t i = 0; st == AMO_OK && i < s->states * s->states; i++) {
    worst = fmax(worst, fabs(u->full[i] - t->full[i]));
    size = fmax(size, fabs(t->full[i]));
  }
  s->frozen = st != AMO_OK || worst > AMO_ROUGH * size;
  amo_linear_motion_free(u);
  return st == AMO_ENOMEM ? st : AMO_OK;
}

static amo_status finish(steady_search *q, amo_steady *s)
{
  amo_linear_motion *t = NULL;
  memcpy(s->state, q->state, s->states * sizeof *s->state);
  s->t = q->t;
  s->residual = q->r->residual;
  take_contacts(q, s);
  amo_status st = amo_linear_motion_make(q->x, &t);
  for (uint32_t c = 0; st == AMO_OK && c < q->m->nc; c++)
    st = amo_linear_motion_stiffness(q->x, t, c, &s->stiffness[c]);
  if (st == AMO_OK) st = take_spectrum(s, t);
  if (st == AMO_OK) st = compare_later(q, s, t);
  amo_linear_motion_free(t);
  if (st == AMO_OK && s->drift > 1e-7) {
    q->why = "loads change in time: there is an instant without acceleration, but no steady motion";
    st = AMO_ENOANSWER;
  }
  return st;
}

amo_status amo_steady_find(const amo_model *m, const amo_steady_opts *opts, amo_diags *diags,
                           amo_steady **out)
{
  if (!out) return AMO_ERANGE;
  *out = NULL;
  amo_steady_opts o = amo_steady_opts_default();
  amo_status st = amo_opts_take(&o, sizeof o, opts);
  if (st != AMO_OK) return st;
  const amo_values *v = amo_values_or_file(o.values, m);
  if (!v) return AMO_ERANGE;
  steady_search q = {
      .m = m, .start = o.start ? o.start : v->initial, .t = isnan(o.t) ? v->t0 : o.t, .why = "no reason"};
  amo_steady *s = NULL;
  st = amo_expansion_new(m, SERIES, &q.x);
  if (st == AMO_OK) st = amo_relative_new(q.x, &q.memory, &q.r);
  AMO_TAKE(&q.memory, signed char, m->nc, &q.mode);
  AMO_TAKE(&q.memory, double, amo_model_states(m), &q.state);
  if (q.memory.failed) st = AMO_ENOMEM;
  if (st == AMO_OK) st = new_result(m, &s);
  if (st == AMO_OK) {
    amo_expansion_parameters(q.x, v->param);
    st = try_modes(&q, o.mode);
  }
  if (st == AMO_OK) st = finish(&q, s);
  const char *why = q.why;
  if (st == AMO_ENOANSWER && m->nz > 0) {
    q.r->settled = true;
    st = try_modes(&q, o.mode);
    if (st == AMO_OK) st = finish(&q, s);
    if (st == AMO_ENOANSWER) q.why = why;
  }
  if (st == AMO_ENOANSWER && diags) amo_error(diags, (amo_at){0}, NULL, "no steady state: %s", q.why);
  if (st == AMO_OK)
    *out = s;
  else
    amo_steady_free(s);
  amo_expansion_free(q.x);
  amo_arena_free(&q.memory);
  return st;
}
