// SPDX-License-Identifier: Apache-2.0
#include "contact/solutions.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/search.h"
#include "expr/bounds.h"

/// Size of the terms that make up a slip velocity.
static double slip_size(const amo_point *p, const amo_entry *w, uint32_t n, double slip)
{
  double rest = slip, size = 0.0;
  for (uint32_t e = 0; e < n; e++) {
    const double term = p->reg[w[e].reg] * p->reg[p->m->leaf.u + w[e].col];
    rest -= term;
    size += fabs(term);
  }
  return size + fabs(rest);
}

bool amo_slip_is_zero(const amo_point *p, uint32_t c, double roundings)
{
  const amo_contact *k = &p->m->contact[c];
  const double slip = p->reg[k->r_slip];
  double size = k->spatial ? 0.0 : slip_size(p, k->w, k->nw, slip);
  for (uint32_t a = 0; k->spatial && a < 2; a++)  // all directions are one slip
    size += slip_size(p, k->axis[a].w, k->axis[a].nw, p->reg[k->axis[a].r_slip]);
  return fabs(slip) <= roundings * DBL_EPSILON * size;
}

// ---- storage ----

/// Nothing is known yet.
static void clear(amo_solutions *s)
{
  s->count = 0;
  s->border = s->zero_reaction = s->share_open = s->pressed_open = false;
  for (size_t i = 0; i < s->assessed; i++) amo_pairs_free(&s->pairs[i]);
  s->assessed = 0;
}

amo_status amo_solutions_new(const amo_model *m, amo_solutions **out)
{
  *out = NULL;
  amo_solutions *s = calloc(1, sizeof *s);
  if (s == NULL) return AMO_ENOMEM;
  size_t nc = m->nc + 1u;
  s->m = m;
  s->influence = calloc(nc, sizeof *s->influence);
  s->at_rest = calloc(nc, sizeof *s->at_rest);
  s->trial = calloc(3 * nc, sizeof *s->trial);
  s->err = calloc(amo_prog_registers(m->step) + 1u, sizeof *s->err);
  s->known = calloc(m->np + nc, sizeof *s->known);
  s->start = calloc(2u * amo_prog_registers(m->start.prog) + 2u, sizeof *s->start);
  if (!s->influence || !s->at_rest || !s->trial || !s->err || !s->known || !s->start) {
    amo_solutions_free(s);
    return AMO_ENOMEM;
  }
  s->start_err = s->start + amo_prog_registers(m->start.prog) + 1;
  s->sigma = s->trial + nc;
  s->reaction_sign = s->sigma + nc;
  for (uint32_t c = 0; c < m->nc; c++) s->reads_sigma |= amo_prog_reads(m->step, m->leaf.sigma + c);
  *out = s;
  return AMO_OK;
}

void amo_solutions_free(amo_solutions *s)
{
  if (s == NULL) return;
  for (size_t i = 0; i < s->made; i++) {
    free(s->item[i].mode);
    free(s->item[i].reaction);
  }
  free(s->item);
  free(s->influence);
  free(s->at_rest);
  free(s->trial);
  free(s->err);
  free(s->known);
  free(s->start);
  free(s->long_reg);
  clear(s);
  free(s->pairs);
  amo_fast_free(s->fast);
  amo_exact_free(s->longer);
  free(s);
}

/// Storage of an item, kept for the next search.
static bool make_item(amo_solutions *s)
{
  const amo_model *m = s->m;
  if (s->made == s->capacity) {
    size_t capacity = s->capacity > 0 ? 2 * s->capacity : 8;
    amo_solution *item = realloc(s->item, capacity * sizeof *item);
    if (item == NULL) return false;
    s->item = item;
    s->capacity = capacity;
  }
  amo_solution *x = &s->item[s->made];
  x->mode = calloc(3u * m->nc + 3u, 1);
  x->reaction = calloc(4u * m->nc + m->nq + m->ng + 1u, sizeof *x->reaction);
  if (x->mode == NULL || x->reaction == NULL) {
    free(x->mode);
    free(x->reaction);
    return false;
  }
  x->reaction_sign = x->mode + m->nc;
  x->loose = x->reaction_sign + m->nc;
  x->lambda = x->reaction + m->nc;
  x->acc = x->lambda + m->nc;
  x->multiplier = x->acc + m->nq;
  x->re = x->multiplier + m->ng;
  x->im = x->re + m->nc;
  s->made++;
  return true;
}

amo_solution *amo_solutions_add(amo_solutions *s, const signed char *mode)
{
  if (s->count == s->made && !make_item(s)) return NULL;
  amo_solution *x = &s->item[s->count++];
  memcpy(x->mode, mode, s->m->nc);
  return x;
}

amo_status amo_solutions_assess(amo_solutions *s, const amo_pairs_problem *p, const uint32_t *contact)
{
  amo_pairs one, *all = realloc(s->pairs, (s->assessed + 1) * sizeof *all);
  if (all == NULL) return AMO_ENOMEM;
  s->pairs = all;
  amo_status st = amo_pairs_assess(p, &one);
  if (st != AMO_OK) return st;
  memcpy(one.contact, contact, p->n * sizeof *contact);
  all[s->assessed++] = one;
  return AMO_OK;
}

// ---- class and choice ----

static bool natural_signs(const amo_solutions *s, const amo_solution *x)
{
  for (uint32_t c = 0; c < s->m->nc; c++)
    if (s->m->contact[c].kind == AMO_GUIDE && x->mode[c] != 0 &&
        x->reaction_sign[c] * s->influence[c].R0 < 0.0)
      return false;
  return true;
}

/// Everything sticks; or nothing slips and nothing accelerates, though supports may be open.
static bool all_stick(const amo_solutions *s, const amo_solution *x)
{
  bool open = false;
  for (uint32_t c = 0; c < s->m->nc; c++) {
    if (x->mode[c] != 0 && x->mode[c] != AMO_MODE_OPEN) return false;
    open |= x->mode[c] != 0;
  }
  for (uint32_t i = 0; open && i < s->m->nq; i++)
    if (x->acc[i] != 0.0) return false;
  return s->m->nc > 0;
}

/// Rest first, then stable slips, then what compliance does not decide, then saddles.
static int rank(const amo_solutions *s, const amo_solution *x)
{
  return all_stick(s, x) ? 0 : x->stable == AMO_SOFT_CENTRE ? 1 : x->stable == AMO_SOFT_UNDECIDED ? 2 : 3;
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
    if (rank(s, &s->item[i]) > 2 || !natural_signs(s, &s->item[i])) continue;
    s->chosen = (long)i;
    s->why = "stable under compliance of the contact, reactions signed as without friction";
    return;
  }
}

/// On the border a slip of the only guide without reaction is one of a continuum: any reaction would do.
static bool slips_unloaded(const amo_solutions *s)
{
  uint32_t gaps = 0;
  for (uint32_t c = 0; c < s->m->nc; c++) gaps += amo_has_gap(&s->m->contact[c]);
  if (gaps > 1) return false;  // several are found together
  for (size_t i = 0; i < s->count; i++)
    for (uint32_t c = 0; c < s->m->nc; c++)
      if (s->m->contact[c].kind == AMO_GUIDE && s->item[i].mode[c] != 0 && s->item[i].reaction_sign[c] == 0)
        return true;
  return false;
}

/// Does `slip` differ from `stick` only in contacts that begin to slip although their static friction, larger than
/// the kinetic one, can hold them? Such a contact stays: the static bound is what has to be overcome.
static bool held_back(const amo_solutions *s, const amo_solution *stick, const amo_solution *slip,
                      const double *reg, size_t stride)
{
  bool differs = false;
  for (uint32_t c = 0; c < s->m->nc; c++) {
    const amo_contact *k = &s->m->contact[c];
    if (stick->mode[c] == slip->mode[c]) continue;
    double bound = reg[amo_bound_register(k) * stride], kinetic = reg[amo_kinetic_register(k) * stride];
    if (stick->mode[c] != 0 || slip->mode[c] == AMO_MODE_OPEN || !(bound > kinetic * (1.0 + AMO_NOTHING)))
      return false;
    differs = true;
  }
  return differs;
}

static void drop_held_back(amo_solutions *s, const double *reg, size_t stride)
{
  for (size_t i = 0; i < s->count; i++)
    for (size_t j = 0; j < s->count;) {
      if (!held_back(s, &s->item[i], &s->item[j], reg, stride)) {
        j++;
        continue;
      }
      amo_solution gone = s->item[j];
      for (size_t k = j; k + 1 < s->count; k++) s->item[k] = s->item[k + 1];
      s->item[--s->count] = gone;  // its room is used again
      if (j < i) i--;
    }
}

static void classify(amo_solutions *s)
{
  const bool continuum =
      s->share_open || (s->border && slips_unloaded(s)) || (s->pressed_open && s->count == 0);
  s->kind = continuum ? AMO_DEGENERATE : s->count == 0 ? AMO_NONE : s->count == 1 ? AMO_UNIQUE : AMO_SEVERAL;
  sort(s);
  choose(s);
  if (s->share_open && s->count > 0 && s->item[s->chosen].picked) s->chosen = -1;
  if (s->share_open && s->count > 0)
    s->why =
        "guides share a reaction, and the motion depends on the share through friction; this is one of many";
  if (s->pressed_open && s->count == 0)
    s->why = "supports press against each other as hard as they like, and the motion depends on it through "
             "friction";
}

// ---- registers and their bounds ----

/// Register of the start program that holds parameter or state `leaf` by formula; AMO_NO_REGISTER: plainly given.
static uint32_t formula_of(const amo_model *m, uint32_t leaf, size_t *derived)
{
  if (leaf < m->leaf.param + m->np)
    return m->param[leaf - m->leaf.param].expr == AMO_NODE_NONE ? AMO_NO_REGISTER
                                                                : amo_prog_root(m->start.prog, (*derived)++);
  return leaf >= m->leaf.q && leaf < m->leaf.sigma ? amo_prog_root(m->start.prog, *derived + leaf - m->leaf.q)
                                                   : AMO_NO_REGISTER;
}

/// States come from completing and settling too: a few units in the last place.
static double leaf_error(const amo_model *m, uint32_t leaf, double x)
{
  return (leaf < m->leaf.q ? 1.0 : 4.0) * amo_given_error(x);
}

void amo_leaf_errors(const amo_model *m, const double *reg, double *err, const double *start,
                     const double *start_err, size_t lanes)
{
  size_t derived = 0;
  for (uint32_t i = m->leaf.param; i < m->leaf.sigma; i++) {
    uint32_t r = formula_of(m, i, &derived);
    for (size_t l = 0; l < lanes; l++) {
      bool same = r != AMO_NO_REGISTER && start[r * lanes + l] == reg[i * lanes + l];
      err[i * lanes + l] = same ? start_err[r * lanes + l] : leaf_error(m, i, reg[i * lanes + l]);
    }
  }
}

/// Formulae of parameters and initial states, with their errors. They are in terms of plain parameters only.
static void start_errors(amo_solutions *s, const double *param)
{
  const amo_model *m = s->m;
  memcpy(s->start + m->leaf.param, param, m->np * sizeof *param);
  amo_prog_prepare1(m->start.prog, s->start);
  amo_prog_eval1(m->start.prog, s->start, NULL);
  for (uint32_t i = 0; i < m->np; i++) s->start_err[m->leaf.param + i] = amo_given_error(param[i]);
  amo_bound_prepare1(m->start.prog, s->start, s->start_err);
  amo_bound1(m->start.prog, s->start, s->start_err);
}

/// Bounds of what follows from parameters alone, unless they are known from the last time.
static void fixed_errors(amo_solutions *s, const amo_point *p)
{
  const amo_model *m = s->m;
  const double *param = p->reg + m->leaf.param, *sigma = p->reg + m->leaf.sigma;
  bool same_param = s->has_known && memcmp(s->known, param, m->np * sizeof *param) == 0;
  bool same_sigma = memcmp(s->known + m->np, sigma, m->nc * sizeof *sigma) == 0;
  memcpy(s->known, param, m->np * sizeof *param);
  memcpy(s->known + m->np, sigma, m->nc * sizeof *sigma);
  s->has_known = true;
  if (!same_param) start_errors(s, param);
  amo_leaf_errors(m, p->reg, s->err, s->start, s->start_err, 1);
  if (!same_param || !same_sigma) amo_bound_prepare1(m->step, p->reg, s->err);
}

static void evaluate(amo_solutions *s, amo_point *p, double t, const double *state)
{
  amo_point_registers(p, t, state, s->sigma);
  amo_point_clear_joints(p);
  fixed_errors(s, p);
  amo_bound1(s->m->step, p->reg, s->err);
}

/// Registers hold with the signs of the slips, which do not depend on them.
static void evaluate_with_signs(amo_solutions *s, amo_point *p, double t, const double *state,
                                const amo_standing *standing)
{
  bool changed = false;
  evaluate(s, p, t, state);
  for (uint32_t c = 0; c < s->m->nc; c++) {
    double slip = p->reg[s->m->contact[c].r_slip];
    bool rest = standing != NULL ? standing[c] != AMO_MOVING : fabs(slip) <= s->err[s->m->contact[c].r_slip];
    signed char sigma = (signed char)(rest ? 0 : slip > 0.0 ? 1 : -1);
    changed |= sigma != s->sigma[c];
    s->sigma[c] = sigma;
  }
  if (changed && s->reads_sigma) evaluate(s, p, t, state);
}

// ---- the search ----

static amo_search begin(amo_solutions *s)
{
  return (amo_search){.s = s,
                      .m = s->m,
                      .widen = 1.0,
                      .mode = s->trial,
                      .reaction_sign = s->reaction_sign,
                      .at_rest = s->at_rest};
}

/// Leaves in long double: derived parameters and initial states from their formulae, others as given.
static void long_leaves(amo_solutions *s, const amo_point *p)
{
  const amo_model *m = s->m;
  long double *start = s->long_start, *start_err = s->long_start_err;
  size_t derived = 0;
  for (uint32_t i = m->leaf.param; i < m->leaf.param + m->np; i++) {
    start[i] = p->reg[i];
    start_err[i] = amo_given_error(p->reg[i]);
  }
  amo_long_eval(m->start.prog, start, start_err);
  for (uint32_t i = m->leaf.param; i < m->leaf.sigma + m->nc; i++) {
    uint32_t r = i < m->leaf.sigma ? formula_of(m, i, &derived) : AMO_NO_REGISTER;
    bool same = r != AMO_NO_REGISTER && s->start[r] == p->reg[i];
    s->long_reg[i] = same ? start[r] : p->reg[i];
    s->long_err[i] = same ? start_err[r] : i < m->leaf.sigma ? leaf_error(m, i, p->reg[i]) : 0.0;
  }
}

static amo_status search_longer(amo_search *q, const amo_point *p)
{
  amo_solutions *s = q->s;
  size_t n = amo_prog_registers(s->m->step) + 1u, k = amo_prog_registers(s->m->start.prog) + 1u;
  if (s->long_reg == NULL) {
    s->long_reg = calloc(2 * n + 2 * k, sizeof *s->long_reg);
    if (s->long_reg == NULL) return AMO_ENOMEM;
    s->long_err = s->long_reg + n;
    s->long_start = s->long_err + n;
    s->long_start_err = s->long_start + k;
  }
  clear(s);
  s->exact = true;
  long_leaves(s, p);
  amo_long_eval(s->m->step, s->long_reg, s->long_err);
  for (uint32_t c = 0; c < s->m->nc; c++) {  // a slip that is zero after all
    uint32_t r = s->m->contact[c].r_slip;
    if (fabsl(s->long_reg[r]) <= s->long_err[r]) s->long_reg[s->m->leaf.sigma + c] = 0.0L;
  }
  if (s->reads_sigma) amo_long_eval(s->m->step, s->long_reg, s->long_err);
  return amo_search_exact(q, &s->longer, s->long_reg, s->long_err, 1);
}

amo_status amo_solutions_find(amo_solutions *s, amo_point *p, double t, const double *state,
                              const amo_standing *standing)
{
  amo_search q = begin(s);
  q.standing = standing;
  if (standing != NULL) q.widen = p->slack / (DBL_EPSILON / 2);
  clear(s);
  s->exact = false;
  evaluate_with_signs(s, p, t, state, standing);
  for (uint32_t c = 0; c < s->m->nc;
       c++)  // at rest a spatial contact may leave in any direction: not enumerable
    if (s->m->contact[c].spatial && s->sigma[c] == 0) return AMO_EUNSUPPORTED;
  amo_status st = amo_search_fast(&q, &s->fast, p->reg, s->err, 1);
  if (q.unsure && standing == NULL && st != AMO_ELIMIT && st != AMO_ENOMEM) st = search_longer(&q, p);
  if (st == AMO_OK) {
    drop_held_back(s, p->reg, 1);
    classify(s);
  }
  return st;
}

bool amo_solutions_lane(amo_solutions *s, const double *reg, const double *err, size_t stride)
{
  amo_search q = begin(s);
  clear(s);
  s->exact = false;
  amo_status st = amo_search_fast(&q, &s->fast, reg, err, stride);
  if (st == AMO_OK) {
    drop_held_back(s, reg, stride);
    classify(s);
  }
  return st == AMO_OK && !q.unsure;
}

amo_status amo_solutions_influence(amo_solutions *s, amo_point *p, double t, const double *state,
                                   const signed char *mode, uint32_t c, amo_influence *out)
{
  amo_search q = begin(s);
  memcpy(q.mode, mode, s->m->nc);
  memcpy(s->sigma, mode, s->m->nc);
  q.widen = p->slack / (DBL_EPSILON / 2);
  for (uint32_t k = 0; k < s->m->nc; k++) q.at_rest[k] = mode[k] == 0;
  evaluate(s, p, t, state);
  amo_status st = amo_influence_fast(&q, &s->fast, p->reg, s->err, c);
  *out = s->influence[c];
  return st;
}
