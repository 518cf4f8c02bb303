// SPDX-License-Identifier: Apache-2.0
#include "quasistatic/rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { MAX_COMBINATIONS = 4096, DIRECTIONS = 8 };

static const double strict = 1e-10;  // conditions closer to zero than this are on the border

// ---- places ----

amo_qs_mode amo_qs_holding(const amo_statics *s, uint32_t c)
{
  if (amo_statics_frictionless(s, c)) return (amo_qs_mode){.kind = AMO_QS_SLIP};
  return (amo_qs_mode){.kind = AMO_QS_STICK, .d = {1.0, 0.0}};
}

void amo_qs_face(const amo_statics *s, const double *rate, amo_qs_mode *mode)
{
  double size = 0.0;
  for (uint32_t i = 0; i < s->nq; i++) size = fmax(size, fabs(rate[i]));
  for (uint32_t c = 0; c < s->nc; c++) {
    if (mode[c].kind != AMO_QS_SLIP || !amo_statics_frictionless(s, c)) continue;
    const double v[2] = {amo_statics_speed(s, rate, c, (double[2]){1.0, 0.0}),
                         amo_statics_speed(s, rate, c, (double[2]){0.0, 1.0})};
    const double speed = hypot(v[0], v[1]);
    const bool moves = speed > strict * size;
    mode[c].d[0] = moves ? v[0] / speed : 0.0;
    mode[c].d[1] = moves ? v[1] / speed : 0.0;
  }
}

void amo_qs_resting_modes(const amo_statics *s, const bool *open, amo_qs_mode *mode)
{
  for (uint32_t c = 0; c < s->nc; c++) {
    const double *v = s->c + 2 * c, speed = hypot(v[0], v[1]);
    mode[c] = open[c] ? (amo_qs_mode){.kind = AMO_QS_OPEN, .d = {1.0, 0.0}} : amo_qs_holding(s, c);
    if (!open[c] && speed > 0.0) mode[c] = (amo_qs_mode){AMO_QS_SLIP, {v[0] / speed, v[1] / speed}};
  }
}

long amo_qs_beyond(const amo_statics *s, const double *y, const bool *open, double tol)
{
  double size = 1e-300;
  for (uint32_t i = 0; i < s->nq; i++) size = fmax(size, s->size[i]);
  for (uint32_t c = 0; c < s->nc; c++) {
    const double *L = y + s->nq + s->nc + 2 * c;
    if (open[c]) continue;
    if (s->m->contact[c].kind == AMO_SUPPORT && y[s->nq + c] < -tol * size) return (long)c;
    if (hypot(L[0], L[1]) > amo_statics_bound(s, y, c) * (1.0 + tol) + tol * size) return (long)c;
  }
  return -1;
}

void amo_qs_places(const amo_statics *s, const double *y, const bool *open, double tol, amo_qs_at *at)
{
  double size = 1e-300, far = 0.0;
  for (uint32_t i = 0; i < s->nq; i++) size = fmax(size, s->size[i]), far = fmax(far, fabs(y[i]));
  for (uint32_t c = 0; c < s->nc; c++) {
    const amo_contact *k = &s->m->contact[c];
    const double *L = y + s->nq + s->nc + 2 * c, R = y[s->nq + c];
    double force = hypot(L[0], L[1]), bound = amo_statics_bound(s, y, c);
    at[c] = (amo_qs_at){AMO_QS_INSIDE, {1.0, 0.0}};
    if (k->kind == AMO_SUPPORT && open[c]) {
      at[c].place = s->gap[c] > 1e-3 * tol * far ? AMO_QS_APART : AMO_QS_VERTEX;
      continue;
    }
    if (force > 0.0) at[c].d[0] = -L[0] / force, at[c].d[1] = -L[1] / force;
    if (amo_has_gap(k) ? fabs(R) <= tol * size && force <= tol * size : bound <= tol * size)
      at[c].place = AMO_QS_VERTEX;
    else if (bound - force <= tol * bound)
      at[c].place = AMO_QS_EDGE;
  }
}

// ---- one combination ----

typedef struct search {
  amo_statics *s;
  const double *y;
  const amo_qs_at *at;
  amo_rate_set *out;
  amo_qs_mode *mode;
  double force, speed;  // sizes of rates of forces and of velocities
} search;

/// Least condition of contact c, relative; negative: violated.
static double judge(const search *q, uint32_t c, const double *rate)
{
  const amo_statics *s = q->s;
  const amo_qs_mode *m = &q->mode[c];
  const bool gap = amo_has_gap(&s->m->contact[c]), support = s->m->contact[c].kind == AMO_SUPPORT;
  const double normal = rate[s->nq + c], *L = rate + s->nq + s->nc + 2 * c;
  double opening = s->gap_t[c];
  for (uint32_t i = 0; i < s->nq; i++) opening += s->n[c * s->nq + i] * rate[i];
  const bool frictionless = m->kind == AMO_QS_SLIP && amo_statics_frictionless(s, c);
  switch (q->at[c].place) {
    case AMO_QS_APART:
    case AMO_QS_INSIDE: return INFINITY;
    case AMO_QS_EDGE:
      if (frictionless) return INFINITY;
      return m->kind == AMO_QS_STICK ? amo_statics_inward(s, q->y, rate, c, q->at[c].d) / q->force
                                     : amo_statics_speed(s, rate, c, m->d) / q->speed;
    default: break;
  }
  if (m->kind == AMO_QS_OPEN) return opening / q->speed;
  double bound = gap ? s->mu[c] * (support ? normal : fabs(normal)) : s->mu_t[c];
  for (uint32_t i = 0; !gap && i < s->nq; i++) bound += s->mu_q[c * s->nq + i] * rate[i];
  double least = support ? normal / q->force : INFINITY;
  if (frictionless) return least;
  if (m->kind == AMO_QS_STICK) return fmin(least, (bound - hypot(L[0], L[1])) / q->force);
  double off = fabs(-m->d[1] * L[0] + m->d[0] * L[1]);  // friction must oppose the slip
  if (s->m->contact[c].spatial && off > 1e-7 * q->force) return -off / q->force;
  return fmin(least, amo_statics_speed(s, rate, c, m->d) / q->speed);
}

static amo_status keep(search *q, const double *rate, double margin)
{
  amo_rate_set *r = q->out;
  if (!AMO_ROOM(r->item, r->count, r->capacity)) return AMO_ENOMEM;
  amo_rate_solution *x = &r->item[r->count];
  x->mode = amo_zalloc(q->s->nc, sizeof *x->mode);
  x->rate = amo_zalloc(q->s->ny, sizeof *x->rate);
  x->margin = margin;
  r->count++;
  if (!x->mode || !x->rate) return AMO_ENOMEM;
  memcpy(x->mode, q->mode, q->s->nc * sizeof *x->mode);
  memcpy(x->rate, rate, q->s->ny * sizeof *x->rate);
  amo_qs_face(q->s, rate, x->mode);
  return AMO_OK;
}

static void take_sizes(search *q, const double *rate)
{
  const amo_statics *s = q->s;
  q->force = q->speed = 1e-300;
  for (uint32_t i = 0; i < s->nq; i++) {
    q->force = fmax(q->force, fabs(s->p[i]));
    q->speed = fmax(q->speed, fabs(rate[i]));
  }
  double stiff = 1e-300;
  for (size_t i = 0; i < (size_t)s->nq * s->nq; i++) stiff = fmax(stiff, fabs(s->K[i]));
  q->speed = fmax(q->speed, q->force / stiff);
}

/// Solve in the modes at hand and keep what holds, on the border or within.
static amo_status try_modes(search *q)
{
  amo_statics *s = q->s;
  amo_status st = amo_statics_rates(s, q->y, q->mode, s->rate_t);
  if (st == AMO_ENOANSWER) return AMO_OK;
  if (st != AMO_OK) return st;
  take_sizes(q, s->rate_t);
  double margin = INFINITY;
  for (uint32_t c = 0; c < s->nc; c++) margin = fmin(margin, judge(q, c, s->rate_t));
  return margin >= -strict ? keep(q, s->rate_t, margin) : AMO_OK;
}

/// A spatial contact without force slips where the direction equation says.
static amo_status try_directions(search *q, uint32_t c)
{
  amo_slip_response r;
  double angle[DIRECTIONS];
  amo_status st = amo_statics_response(q->s, q->y, q->mode, c, &r);
  if (st == AMO_ENOANSWER) return AMO_OK;
  size_t n = st == AMO_OK ? amo_vertex_directions(&r, angle, DIRECTIONS) : 0;
  for (size_t i = 0; st == AMO_OK && i < n; i++) {
    q->mode[c] = (amo_qs_mode){AMO_QS_SLIP, {cos(angle[i]), sin(angle[i])}};
    st = try_modes(q);
  }
  q->mode[c] = (amo_qs_mode){AMO_QS_SLIP, {NAN, NAN}};
  return st;
}

// ---- all of them ----

static int options_of(const search *q, uint32_t c, amo_qs_mode *o)
{
  const amo_qs_at *at = &q->at[c];
  const amo_contact *k = &q->s->m->contact[c];
  int n = 0;
  if (at->place == AMO_QS_APART) return o[n++] = (amo_qs_mode){.kind = AMO_QS_OPEN}, n;
  if (amo_statics_frictionless(q->s, c)) {
    o[n++] = (amo_qs_mode){.kind = AMO_QS_SLIP};
    if (at->place == AMO_QS_VERTEX && k->kind == AMO_SUPPORT) o[n++] = (amo_qs_mode){.kind = AMO_QS_OPEN};
    return n;
  }
  o[n++] = (amo_qs_mode){.kind = AMO_QS_STICK, .d = {at->d[0], at->d[1]}};
  if (at->place == AMO_QS_INSIDE) return n;
  if (at->place == AMO_QS_EDGE) return o[n++] = (amo_qs_mode){AMO_QS_SLIP, {at->d[0], at->d[1]}}, n;
  if (k->spatial) {
    o[n++] = (amo_qs_mode){AMO_QS_SLIP, {NAN, NAN}};
  } else {
    o[n++] = (amo_qs_mode){AMO_QS_SLIP, {1.0, 0.0}};
    o[n++] = (amo_qs_mode){AMO_QS_SLIP, {-1.0, 0.0}};
  }
  if (k->kind == AMO_SUPPORT) o[n++] = (amo_qs_mode){.kind = AMO_QS_OPEN};
  return n;
}

static amo_status visit(search *q)
{
  const uint32_t nc = q->s->nc;
  amo_qs_mode(*choice)[4] = amo_zalloc(nc, sizeof *choice);
  int *count = amo_zalloc(nc, sizeof *count), *at = amo_zalloc(nc, sizeof *at);
  amo_status st = choice && count && at ? AMO_OK : AMO_ENOMEM;
  double total = 1.0;
  for (uint32_t c = 0; st == AMO_OK && c < nc; c++) total *= count[c] = options_of(q, c, choice[c]);
  if (total > MAX_COMBINATIONS) st = AMO_ELIMIT;
  for (bool more = true; st == AMO_OK && more;) {
    long anywhere = -1;
    int spatial = 0;
    for (uint32_t c = 0; c < nc; c++) {
      q->mode[c] = choice[c][at[c]];
      if (q->mode[c].kind == AMO_QS_SLIP && isnan(q->mode[c].d[0])) anywhere = (long)c, spatial++;
    }
    st = spatial > 1 ? AMO_ELIMIT : anywhere >= 0 ? try_directions(q, (uint32_t)anywhere) : try_modes(q);
    more = false;
    for (uint32_t c = 0; c < nc && !more; c++) {
      more = ++at[c] < count[c];
      if (!more) at[c] = 0;
    }
  }
  free(choice);
  free(count);
  free(at);
  return st;
}

static void free_solution(amo_rate_solution *x)
{
  free(x->mode);
  free(x->rate);
}

void amo_rates_free(amo_rate_set *r)
{
  for (size_t i = 0; i < r->count; i++) free_solution(&r->item[i]);
  free(r->item);
  *r = (amo_rate_set){0};
}

/// Those that hold strictly, if there are any.
static void drop_borders(amo_rate_set *r)
{
  size_t n = 0;
  bool any = false;
  for (size_t i = 0; i < r->count; i++) any |= r->item[i].margin > strict;
  r->border = r->count > 0 && !any;
  for (size_t i = 0; any && i < r->count; i++) {
    if (r->item[i].margin > strict)
      r->item[n++] = r->item[i];
    else
      free_solution(&r->item[i]);
  }
  if (any) r->count = n;
}

amo_status amo_rates_find(amo_statics *s, const double *y, const amo_qs_at *at, amo_rate_set *out)
{
  search q = {.s = s, .y = y, .at = at, .out = out, .mode = amo_zalloc(s->nc, sizeof *q.mode)};
  *out = (amo_rate_set){0};
  amo_status st = q.mode ? visit(&q) : AMO_ENOMEM;
  free(q.mode);
  if (st == AMO_OK) drop_borders(out);
  if (st != AMO_OK) amo_rates_free(out);
  return st;
}
