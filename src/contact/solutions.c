// SPDX-License-Identifier: Apache-2.0
#include "contact/solutions.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/influence.h"

enum { MAX_COMBINATIONS = 20000 };

/// One way a contact may be: stick, or slip with an assumed sign of the reaction.
typedef struct option {
  signed char mode, press;
} option;

typedef struct search {
  amo_solutions *s;
  amo_point *p;
  double t;
  const double *state;
  bool *at_rest;                 // [nc] slip is zero
  signed char *mode;             // [nc] of the combination at hand
  double *response;              // [nq]
  const amo_standing *standing;  // NULL: none is leaving
  const signed char *leaving;
} search;

bool amo_slip_is_zero(const amo_point *p, uint32_t c, double roundings)
{
  const amo_contact *k = &p->m->contact[c];
  double slip = p->reg[k->r_slip], sum = 0.0, size = 0.0;
  for (uint32_t e = 0; e < k->nw; e++) {
    double term = p->reg[k->w[e].reg] * p->reg[p->m->leaf.u + k->w[e].col];
    sum += term;
    size += fabs(term);
  }
  return fabs(slip) <= roundings * DBL_EPSILON * (size + fabs(slip - sum));
}

// ---- storage ----

amo_status amo_solutions_new(const amo_model *m, amo_solutions **out)
{
  *out = NULL;
  amo_solutions *s = calloc(1, sizeof *s);
  if (s == NULL) return AMO_ENOMEM;
  s->m = m;
  s->influence = calloc(m->nc + 1u, sizeof *s->influence);
  s->at_rest = calloc(m->nc + 1u, sizeof *s->at_rest);
  s->trial = calloc(m->nc + 1u, sizeof *s->trial);
  s->response = calloc(3u * m->nq + 1u, sizeof *s->response);
  if (!s->influence || !s->at_rest || !s->trial || !s->response) {
    amo_solutions_free(s);
    return AMO_ENOMEM;
  }
  *out = s;
  return AMO_OK;
}

static void free_solution(amo_solution *x)
{
  free(x->mode);
  free(x->reaction);
}

void amo_solutions_free(amo_solutions *s)
{
  if (s == NULL) return;
  for (size_t i = 0; i < s->count; i++) free_solution(&s->item[i]);
  free(s->item);
  free(s->influence);
  free(s->at_rest);
  free(s->trial);
  free(s->response);
  free(s);
}

static amo_status keep(search *q, int stable)
{
  amo_solutions *s = q->s;
  const amo_model *m = s->m;
  if (s->count == s->capacity) {
    size_t capacity = s->capacity > 0 ? 2 * s->capacity : 8;
    amo_solution *item = realloc(s->item, capacity * sizeof *item);
    if (item == NULL) return AMO_ENOMEM;
    s->item = item;
    s->capacity = capacity;
  }
  amo_solution *x = &s->item[s->count];
  x->mode = calloc(2u * m->nc + 2u, 1);
  x->reaction = calloc(2u * m->nc + m->nq + m->ng + 1u, sizeof *x->reaction);
  if (x->mode == NULL || x->reaction == NULL) {
    free_solution(x);
    return AMO_ENOMEM;
  }
  x->press = x->mode + m->nc;
  x->lambda = x->reaction + m->nc;
  x->acc = x->lambda + m->nc;
  x->multiplier = x->acc + m->nq;
  memcpy(x->mode, q->mode, m->nc);
  memcpy(x->reaction, q->p->reaction, m->nc * sizeof *x->reaction);
  memcpy(x->lambda, q->p->lambda, m->nc * sizeof *x->lambda);
  memcpy(x->acc, q->p->acc, m->nq * sizeof *x->acc);
  memcpy(x->multiplier, q->p->multiplier, m->ng * sizeof *x->multiplier);
  for (uint32_t c = 0; c < m->nc; c++)
    x->press[c] = (signed char)((x->reaction[c] > 0.0) - (x->reaction[c] < 0.0));
  for (uint32_t c = 0; c < m->nc; c++)
    if (m->contact[c].kind == AMO_GUIDE && x->mode[c] != 0 && q->p->press[c] == 0) x->press[c] = 0;
  x->stable = stable;
  s->count++;
  return AMO_OK;
}

// ---- influence of one guide ----

static double along(const amo_point *p, const amo_entry *row, uint32_t n, const double *x)
{
  double sum = 0.0;
  for (uint32_t e = 0; e < n; e++) sum += p->reg[row[e].reg] * x[row[e].col];
  return sum;
}

/// Acceleration that a unit force along a row causes when guide c is taken away, the rest as it is.
static amo_status response(search *q, const amo_entry *row, uint32_t n, const double *base, double *out)
{
  amo_point *p = q->p;
  double *force = p->extra;
  memset(force, 0, p->m->nq * sizeof *force);
  for (uint32_t e = 0; e < n; e++) force[row[e].col] += p->reg[row[e].reg];
  amo_status st = amo_point_solve(p, q->mode, force);
  for (uint32_t i = 0; st == AMO_OK && i < p->m->nq; i++) out[i] = p->acc[i] - base[i];
  return st;
}

/// Size of the terms of n M^-1 h: the sum of magnitudes behind R0, to tell a true zero from rounding.
static double term_size(const amo_point *p, const double *unit)
{
  double size = 0.0;
  for (uint32_t i = 0; i < p->m->nq; i++) size += fabs(unit[i] * p->reg[p->m->r_h[i]]);
  return size;
}

static amo_status influence(search *q, uint32_t c)
{
  amo_point *p = q->p;
  const amo_model *m = p->m;
  const amo_contact *k = &m->contact[c];
  amo_influence *f = &q->s->influence[c];
  *f = (amo_influence){NAN, NAN, NAN, NAN, 0.0, 0.0};
  if (k->kind != AMO_GUIDE) return AMO_OK;
  double *base = q->response, *unit_n = base + m->nq, *unit_w = unit_n + m->nq;
  memset(p->press, 0, m->nc);  // the other guides without friction
  p->press[c] = AMO_FREED;
  signed char mode = q->mode[c];
  if (mode == 0) q->mode[c] = 1;  // its own stick row out of the way
  amo_point_registers(p, q->t, q->state, q->mode);
  amo_status st = amo_point_solve(p, q->mode, NULL);
  if (st == AMO_ENOANSWER) {  // nothing but the guide makes it move as a whole
    st = amo_influence_kept(p, q->mode, c, !q->at_rest[c], base, f);
    q->mode[c] = mode;
    return st;
  }
  if (st == AMO_OK) memcpy(base, p->acc, m->nq * sizeof *base);
  if (st == AMO_OK) st = response(q, k->n, k->nn, base, unit_n);
  if (st == AMO_OK) st = response(q, k->w, k->nw, base, unit_w);
  q->mode[c] = mode;
  if (st != AMO_OK) return st;
  double nn = along(p, k->n, k->nn, unit_n);
  double zeta = p->reg[k->r_gap_zeta];
  f->L = -along(p, k->n, k->nn, unit_w) / nn;
  f->mu = p->reg[k->r_kinetic];
  f->R0 = -(along(p, k->n, k->nn, base) + zeta) / nn;
  f->R0_size = (term_size(p, unit_n) + fabs(zeta)) / nn;
  double ww = along(p, k->w, k->nw, unit_w), nw = along(p, k->n, k->nn, unit_w), slip = p->reg[k->r_slip];
  // instant stop: impulses that take the slip away and leave the gap closed
  double det = nn * ww - nw * nw;
  if (!q->at_rest[c] && det > 0.0) {
    f->impulse_normal = nw * slip / det;
    f->impulse_tangent = -nn * slip / det;
  }
  return AMO_OK;
}

// ---- judging one combination ----

static bool leaves(const search *q, uint32_t c)
{
  return q->leaving != NULL && q->standing[c] == AMO_LEAVING;
}

static bool reaction_fits(const search *q, uint32_t c)
{
  const amo_point *p = q->p;
  if (p->m->contact[c].kind != AMO_GUIDE || q->mode[c] == 0 || p->press[c] == 0) return true;
  return p->press[c] * p->reaction[c] > 1e-12 * q->s->influence[c].R0_size;
}

static bool friction_fits(const search *q, uint32_t c)
{
  const amo_point *p = q->p;
  if (q->mode[c] == 0) {
    if (amo_point_indeterminate(p, c)) return amo_point_slip_acceleration(p, c) == 0.0;
    return fabs(p->lambda[c]) <= amo_point_bound(p, c) * (1.0 + p->slack);
  }
  if (!q->at_rest[c]) return true;
  // at the bound the slip may begin with its second derivative only
  double least = (leaves(q, c) ? -1e3 : 1.0) * p->slack * amo_point_acceleration_scale(p, c);
  return q->mode[c] * amo_point_slip_acceleration(p, c) > least;
}

/// 1 + sigma eps mu L > 0: a centre; < 0: a saddle. Only slipping guides say anything.
static int stability(const search *q)
{
  int stable = -1;
  for (uint32_t c = 0; c < q->s->m->nc; c++) {
    if (q->s->m->contact[c].kind != AMO_GUIDE || q->mode[c] == 0 || q->p->press[c] == 0) continue;
    const amo_influence *f = &q->s->influence[c];
    double k = 1.0 + q->mode[c] * q->p->press[c] * f->mu * f->L;
    if (k < 0.0) return 0;
    stable = 1;
  }
  return stable;
}

static amo_status judge(search *q)
{
  amo_point_registers(q->p, q->t, q->state, q->mode);
  amo_status st = amo_point_solve(q->p, q->mode, NULL);
  if (st == AMO_ENOANSWER) return AMO_OK;  // singular combination: k = 0, no solution of this kind
  if (st != AMO_OK) return st;
  for (uint32_t c = 0; c < q->s->m->nc; c++)
    if (!reaction_fits(q, c) || !friction_fits(q, c)) return AMO_OK;
  return keep(q, stability(q));
}

/// Without friction the reaction would be zero: slip then happens without reaction, and without sign.
static bool unloaded(const search *q, uint32_t c)
{
  const amo_influence *f = &q->s->influence[c];
  return q->s->m->contact[c].kind == AMO_GUIDE && fabs(f->R0) <= 1e-12 * f->R0_size;
}

// ---- visiting all combinations ----

static int options_of(const search *q, uint32_t c, option *o)
{
  bool guide = q->s->m->contact[c].kind == AMO_GUIDE;
  int n = 0;
  if (q->at_rest[c] && !leaves(q, c)) o[n++] = (option){0, 0};
  for (int mode = 1; mode >= -1; mode -= 2) {
    if (!q->at_rest[c] && q->mode[c] != mode) continue;
    if (leaves(q, c) && q->leaving[c] != mode) continue;
    if (unloaded(q, c)) {
      o[n++] = (option){(signed char)mode, 0};
      continue;
    }
    for (int press = 1; press >= (guide ? -1 : 1); press -= 2)
      o[n++] = (option){(signed char)mode, (signed char)press};
  }
  return n;
}

static amo_status visit(search *q)
{
  const amo_model *m = q->s->m;
  option(*choice)[5] = calloc(m->nc + 1u, sizeof *choice);
  int *count = calloc(m->nc + 1u, sizeof *count), *at = calloc(m->nc + 1u, sizeof *at);
  amo_status st = choice && count && at ? AMO_OK : AMO_ENOMEM;
  double total = 1.0;
  for (uint32_t c = 0; st == AMO_OK && c < m->nc; c++) total *= count[c] = options_of(q, c, choice[c]);
  if (total > MAX_COMBINATIONS) st = AMO_ELIMIT;
  for (bool more = true; st == AMO_OK && more;) {
    for (uint32_t c = 0; c < m->nc; c++) {
      q->mode[c] = choice[c][at[c]].mode;
      q->p->press[c] = choice[c][at[c]].press;
    }
    st = judge(q);
    more = false;
    for (uint32_t c = 0; c < m->nc && !more; c++) {  // next combination, like an odometer
      more = ++at[c] < count[c];
      if (!more) at[c] = 0;
    }
  }
  free(choice);
  free(count);
  free(at);
  return st;
}

// ---- class and choice ----

static bool natural_signs(const amo_solutions *s, const amo_solution *x)
{
  for (uint32_t c = 0; c < s->m->nc; c++)
    if (s->m->contact[c].kind == AMO_GUIDE && x->mode[c] != 0 && x->press[c] * s->influence[c].R0 < 0.0)
      return false;
  return true;
}

static bool all_stick(const amo_solutions *s, const amo_solution *x)
{
  for (uint32_t c = 0; c < s->m->nc; c++)
    if (x->mode[c] != 0) return false;
  return s->m->nc > 0;
}

/// Rest first, then stable slips, then what compliance does not decide, then saddles.
static int rank(const amo_solutions *s, const amo_solution *x)
{
  return all_stick(s, x) ? 0 : x->stable == 1 ? 1 : x->stable < 0 ? 2 : 3;
}

static void sort(amo_solutions *s)
{
  for (size_t i = 1; i < s->count; i++)
    for (size_t j = i; j > 0 && rank(s, &s->item[j]) < rank(s, &s->item[j - 1]); j--) {
      amo_solution x = s->item[j];
      s->item[j] = s->item[j - 1];
      s->item[j - 1] = x;
    }
}

static void choose(amo_solutions *s)
{
  s->chosen = s->count > 0 ? 0 : -1;
  s->why = s->count == 1 ? "the only solution" : s->count == 0 ? "no solution" : "first of several";
  if (s->count > 1 && all_stick(s, &s->item[0])) {
    s->why = "rest is possible and nothing moves";
    return;
  }
  for (size_t i = 0; s->count > 1 && i < s->count; i++) {
    if (s->item[i].stable == 0 || !natural_signs(s, &s->item[i])) continue;
    s->chosen = (long)i;
    s->why = "stable under compliance of the contact, reactions signed as without friction";
    return;
  }
}

/// On the border a slip without reaction is one of a continuum: any reaction would do.
static bool slips_unloaded(const amo_solutions *s)
{
  for (size_t i = 0; i < s->count; i++)
    for (uint32_t c = 0; c < s->m->nc; c++)
      if (s->m->contact[c].kind == AMO_GUIDE && s->item[i].mode[c] != 0 && s->item[i].press[c] == 0)
        return true;
  return false;
}

static void classify(search *q)
{
  amo_solutions *s = q->s;
  for (uint32_t c = 0; c < s->m->nc; c++) {
    const amo_influence *f = &s->influence[c];
    if (s->m->contact[c].kind == AMO_GUIDE && fabs(f->mu * fabs(f->L) - 1.0) <= 8.0 * DBL_EPSILON)
      s->border = true;
  }
  s->kind = s->border && slips_unloaded(s) ? AMO_DEGENERATE
            : s->count == 0                ? AMO_NONE
            : s->count == 1                ? AMO_UNIQUE
                                           : AMO_SEVERAL;
  sort(s);
  choose(s);
}

static amo_status search_all(search *q)
{
  const amo_standing *standing = q->standing;
  const amo_model *m = q->s->m;
  amo_point_registers(q->p, q->t, q->state, q->mode);
  for (uint32_t c = 0; c < m->nc; c++) {
    double slip = q->p->reg[m->contact[c].r_slip];
    q->at_rest[c] = standing != NULL ? standing[c] != AMO_MOVING : amo_slip_is_zero(q->p, c, 8.0);
    q->mode[c] = (signed char)(q->at_rest[c] ? 0 : slip > 0.0 ? 1 : -1);
  }
  amo_status st = AMO_OK;
  for (uint32_t c = 0; st == AMO_OK && c < m->nc; c++) st = influence(q, c);
  for (uint32_t c = 0; st == AMO_OK && c < m->nc; c++) q->s->zero_reaction |= unloaded(q, c);
  if (st == AMO_OK) st = visit(q);
  if (st == AMO_OK) classify(q);
  return st;
}

static search begin(amo_solutions *s, amo_point *p, double t, const double *state)
{
  return (search){.s = s,
                  .p = p,
                  .t = t,
                  .state = state,
                  .at_rest = s->at_rest,
                  .mode = s->trial,
                  .response = s->response};
}

amo_status amo_solutions_find(amo_solutions *s, amo_point *p, double t, const double *state,
                              const amo_standing *standing)
{
  return amo_solutions_after(s, p, t, state, standing, NULL);
}

amo_status amo_solutions_after(amo_solutions *s, amo_point *p, double t, const double *state,
                               const amo_standing *standing, const signed char *leaving)
{
  for (size_t i = 0; i < s->count; i++) free_solution(&s->item[i]);
  s->count = 0;
  s->border = s->zero_reaction = false;
  search q = begin(s, p, t, state);
  memset(q.mode, 0, s->m->nc);
  q.standing = standing;
  q.leaving = leaving;
  return search_all(&q);
}

amo_status amo_solutions_influence(amo_solutions *s, amo_point *p, double t, const double *state,
                                   const signed char *mode, uint32_t c, amo_influence *out)
{
  search q = begin(s, p, t, state);
  memcpy(q.mode, mode, s->m->nc);
  for (uint32_t k = 0; k < s->m->nc; k++) q.at_rest[k] = mode[k] == 0;
  amo_status st = influence(&q, c);
  *out = s->influence[c];
  return st;
}
