// SPDX-License-Identifier: Apache-2.0
#include "contact/solutions.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "contact/search.h"
#include "expr/bounds.h"

enum { FEW = 16, MOST_NODES = 20000, RANKS = 5 };

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
  double size = amo_turns(k) ? 0.0 : slip_size(p, k->w, k->nw, slip);
  for (uint32_t a = 0; a < amo_axes(k); a++)  // all directions are one slip
    size += slip_size(p, k->axis[a].w, k->axis[a].nw, p->reg[k->axis[a].r_slip]);
  return amo_may_stick(k) && fabs(slip) <= roundings * DBL_EPSILON * size;
}

// ---- storage ----

static void forget_pairs(amo_solutions *s, size_t from)
{
  for (size_t i = from; i < s->assessed; i++) amo_pairs_free(&s->pairs[i]);
  s->assessed = from < s->assessed ? from : s->assessed;
}

void amo_solutions_clear(amo_solutions *s)
{
  s->whole.count = s->some.count = s->count = 0;
  s->complete = true;
  s->border = s->zero_reaction = s->share_open = s->exact = false;
  for (uint32_t c = 0; c < s->m->nc; c++) s->influence[c] = (amo_influence){NAN, NAN, NAN, 0.0, 0.0};
  forget_pairs(s, 0);
}

amo_status amo_solutions_new(const amo_model *m, amo_solutions **out)
{
  *out = NULL;
  amo_solutions *s = calloc(1, sizeof *s);
  if (s == NULL) return AMO_ENOMEM;
  s->m = m;
  s->few = FEW;
  s->most_nodes = MOST_NODES;
  AMO_TAKE(&s->memory, amo_influence, m->nc, &s->influence);
  AMO_TAKE(&s->memory, bool, m->nc, &s->at_rest, &s->acts);
  AMO_TAKE(&s->memory, amo_island_answer, (size_t)m->nc + m->nq + m->ng, &s->answer);
  AMO_TAKE(&s->memory, signed char, m->nc, &s->trial, &s->sigma, &s->reaction_sign);
  AMO_TAKE(&s->memory, double, amo_prog_registers(m->step), &s->err);
  AMO_TAKE(&s->memory, double, (size_t)m->np + m->nc, &s->known);
  AMO_TAKE(&s->memory, double, amo_prog_registers(m->start.prog), &s->start, &s->start_err);
  if (amo_islands_new(m, &s->islands) != AMO_OK || s->memory.failed) {
    amo_solutions_free(s);
    return AMO_ENOMEM;
  }
  s->reads_sigma = amo_prog_reads(m->step, m->leaf.sigma, m->nc);
  *out = s;
  return AMO_OK;
}

static void free_list(amo_solution_list *l)
{
  for (size_t i = 0; i < l->capacity; i++) free(l->item[i].reaction);
  free(l->item);
}

void amo_solutions_free(amo_solutions *s)
{
  if (s == NULL) return;
  free_list(&s->whole);
  free_list(&s->some);
  free(s->long_reg);
  forget_pairs(s, 0);
  free(s->pairs);
  amo_islands_free(&s->islands);
  amo_arena_free(&s->memory);
  amo_fast_free(s->fast);
  amo_exact_free(s->longer);
  free(s);
}

/// Place for one more; its storage is kept for the next search.
static amo_solution *list_add(amo_solution_list *l, size_t nc, size_t nq, size_t ng)
{
  const size_t numbers = 6 * nc + nq + ng, room = numbers * sizeof(double) + 3 * nc;
  if (!AMO_ROOM(l->item, l->count, l->capacity)) return NULL;
  amo_solution *x = &l->item[l->count];
  if (x->room < room) {
    free(x->reaction);
    x->reaction = malloc(room);
    x->room = x->reaction != NULL ? room : 0;
    if (x->reaction == NULL) return NULL;
  }
  x->lambda = x->reaction + nc;
  x->acc = x->lambda + nc;
  x->multiplier = x->acc + nq;
  x->re = x->multiplier + ng;
  x->im = x->re + nc;
  x->traction = x->im + nc;
  x->mode = (signed char *)(x->reaction + numbers);
  x->reaction_sign = x->mode + nc;
  x->loose = x->reaction_sign + nc;
  l->count++;
  return x;
}

amo_solution *amo_solutions_add(amo_search *q)
{
  amo_solution *x = list_add(&q->s->some, q->m->nc, q->m->nq, q->m->ng);
  if (x != NULL) memcpy(x->mode, q->mode, q->m->nc);
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

void amo_solutions_forget(amo_search *q)
{
  q->s->some.count = q->first;
  forget_pairs(q->s, q->first_pairs);
}

// ---- solutions of a part: which of them stay ----

/// A motion that depends on how reactions are shared is listed only where no share as of equal springs has a solution.
static void prefer_springs(amo_solution *item, size_t *count)
{
  size_t kept = 0;
  for (size_t i = 0; i < *count; i++) {
    if (item[i].picked && item[i].varies) continue;
    amo_solution x = item[kept];
    item[kept++] = item[i];
    item[i] = x;
  }
  if (kept > 0) *count = kept;
}

/// Is it the same motion, or one of the same many? Supports may be open or closed without a force; *open: how many more in a.
static bool same_motion(const amo_island *m, const amo_solution *a, const amo_solution *b, int *open)
{
  double size = 0.0, off = 0.0;
  *open = 0;
  for (uint32_t c = 0; c < m->nc; c++) {
    const int lifted = (a->mode[c] == AMO_MODE_OPEN) - (b->mode[c] == AMO_MODE_OPEN);
    if (a->mode[c] == b->mode[c]) continue;
    if (lifted == 0 || (lifted > 0 ? b : a)->reaction[c] != 0.0) return false;
    *open += lifted;
  }
  for (uint32_t i = 0; i < m->nq; i++) {
    size = fmax(size, fabs(a->acc[i]) + fabs(b->acc[i]));
    off = fmax(off, fabs(a->acc[i] - b->acc[i]));
  }
  return a->picked || b->picked || off <= AMO_SAME * size;
}

static void take_out(amo_solution *item, size_t *count, size_t i)
{
  const amo_solution gone = item[i];
  memmove(item + i, item + i + 1, (*count - i - 1) * sizeof *item);
  item[--*count] = gone;  // its room is used again
}

static bool has_open_forces(const amo_island *m, const amo_solution *x)
{
  for (uint32_t c = 0; c < m->nc; c++)
    if (x->loose[c] != 0) return true;
  return false;
}

/// Do the reactions of sliding guides have the signs that they would have without friction?
static bool natural_signs(const amo_search *q, const amo_solution *x)
{
  for (uint32_t c = 0; c < q->m->nc; c++)
    if (amo_is_two_sided(&q->m->contact[c]) && x->mode[c] != 0 &&
        x->reaction_sign[c] * q->s->influence[q->m->contact_of[c]].R0 < 0.0)
      return false;
  return true;
}

/// Neither open signs of reactions nor open contacts make several of one motion; the best known share stays, closed, natural signs first.
static void merge_same(const amo_search *q, amo_solution *item, size_t *count)
{
  const amo_island *m = q->m;
  for (size_t i = 0; i < *count; i++)
    for (size_t j = i + 1; j < *count; j++) {
      amo_solution *a = &item[i], *b = &item[j];
      const bool forces = has_open_forces(m, a) && has_open_forces(m, b);
      int open;
      if ((!forces && memcmp(a->mode, b->mode, m->nc) == 0) || !same_motion(m, a, b, &open)) continue;
      if (a->picked != b->picked ? a->picked : open > 0 || (!natural_signs(q, a) && natural_signs(q, b))) {
        const amo_solution better = *b;
        *b = *a;
        *a = better;
      }
      take_out(item, count, j--);
    }
}

// ---- class and choice ----

/// Everything sticks; or nothing slips and nothing accelerates, though supports may be open.
static bool all_stick(const amo_island *m, const amo_solution *x)
{
  bool open = false;
  for (uint32_t c = 0; c < m->nc; c++) {
    if (x->mode[c] != 0 && x->mode[c] != AMO_MODE_OPEN) return false;
    open |= x->mode[c] != 0;
  }
  for (uint32_t i = 0; open && i < m->nq; i++)
    if (x->acc[i] != 0.0) return false;
  return true;
}

/// Rest first, then stable slips, then what compliance does not decide, then saddles, then what needs a stress that no spring makes.
static int find_rank(const amo_island *m, const amo_solution *x)
{
  if (x->picked) return RANKS - 1;
  return all_stick(m, x) ? 0 : x->stable == AMO_SOFT_CENTRE ? 1 : x->stable == AMO_SOFT_UNDECIDED ? 2 : 3;
}

static void sort(const amo_island *m, amo_solution *item, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    amo_solution x = item[i];
    size_t j = i;
    x.rank = find_rank(m, &x);
    for (; j > 0 && x.rank < item[j - 1].rank; j--) item[j] = item[j - 1];
    item[j] = x;
  }
}

static void choose(const amo_search *q, const amo_solution *item, amo_island_answer *a)
{
  a->chosen = a->count > 0 ? 0 : -1;
  a->why = a->count == 0   ? "no solution"
           : a->count > 1  ? "first of several"
           : q->incomplete ? "the only solution that was found; the search was not complete"
                           : "the only solution";
  if (a->count > 1 && item[0].rank == 0) {
    a->why = "rest is possible and nothing moves";
    return;
  }
  for (size_t i = 0; a->count > 1 && i < a->count; i++) {
    if (item[i].rank > 2 || !natural_signs(q, &item[i])) continue;
    a->chosen = (long)i;
    a->why = "stable under compliance of the contact, reactions signed as without friction";
    return;
  }
}

/// Does `slip` differ from `stick` only in contacts that begin to slip although their static friction, larger than
/// the kinetic one, can hold them? Such a contact stays: the static bound is what has to be overcome.
static bool held_back(const amo_island *m, const amo_solution *stick, const amo_solution *slip,
                      const double *reg, size_t stride)
{
  bool differs = false;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    if (stick->mode[c] == slip->mode[c]) continue;
    double bound = reg[amo_bound_register(k) * stride], kinetic = reg[amo_kinetic_register(k) * stride];
    if (stick->mode[c] != 0 || slip->mode[c] == AMO_MODE_OPEN || !(bound > kinetic * (1.0 + AMO_NOTHING)))
      return false;
    differs = true;
  }
  return differs;
}

static void drop_held_back(const amo_island *m, amo_solution *item, size_t *count, const double *reg,
                           size_t stride)
{
  for (size_t i = 0; i < *count; i++)
    for (size_t j = *count; j-- > 0;) {
      if (!held_back(m, &item[i], &item[j], reg, stride)) continue;
      take_out(item, count, j);
      if (j < i) i--;
    }
}

/// What was found of a part becomes its answer.
static void finish_part(amo_search *q, const double *reg, size_t stride, amo_island_answer *a)
{
  amo_solutions *s = q->s;
  amo_solution *item = s->some.item + q->first;
  *a = (amo_island_answer){.first = q->first, .count = s->some.count - q->first};
  prefer_springs(item, &a->count);
  merge_same(q, item, &a->count);
  drop_held_back(q->m, item, &a->count, reg, stride);
  s->some.count = a->first + a->count;
  sort(q->m, item, a->count);
  choose(q, item, a);
  a->continuum = q->share_open;
  if (q->share_open && a->count > 0 && item[a->chosen].picked) a->chosen = -1;
  if (q->share_open && a->count > 0)
    a->why =
        "guides share a reaction, and the motion depends on the share through friction; this is one of many";
  s->border |= q->border;
  s->zero_reaction |= q->zero_reaction;
  s->share_open |= q->share_open;
  s->complete &= !q->incomplete;
}

// ---- the whole ----

/// The next combination of solutions of the parts; false after the last.
static bool next_combination(amo_solutions *s)
{
  for (uint32_t b = 0; b < s->islands.count; b++) {
    if (++s->answer[b].now < s->answer[b].count) return true;
    s->answer[b].now = 0;
  }
  return false;
}

static void copy_part(const amo_island *m, const amo_solution *from, amo_solution *to)
{
  for (uint32_t c = 0; c < m->nc; c++) {
    const uint32_t at = m->contact_of[c];
    to->mode[at] = from->mode[c];
    to->reaction_sign[at] = from->reaction_sign[c];
    to->loose[at] = from->loose[c];
    to->reaction[at] = from->reaction[c];
    to->lambda[at] = from->lambda[c];
    memcpy(to->traction + 2 * at, from->traction + 2 * c, 2 * sizeof *to->traction);
  }
  for (uint32_t i = 0; i < m->nq; i++) to->acc[m->q_of[i]] = from->acc[i];
  for (uint32_t g = 0; g < m->ng; g++) to->multiplier[m->constraint_of[g]] = from->multiplier[g];
  to->picked |= from->picked;
  to->varies |= from->varies;
  if (from->stable == AMO_SOFT_DIVERGENCE || (to->stable != AMO_SOFT_DIVERGENCE && from->stable > to->stable))
    to->stable = from->stable;
  memcpy(to->re + to->eigenvalues, from->re, from->eigenvalues * sizeof *to->re);
  memcpy(to->im + to->eigenvalues, from->im, from->eigenvalues * sizeof *to->im);
  to->eigenvalues += from->eigenvalues;
  if (from->eigenvalues > 0) {
    to->growth = fmax(to->growth, from->growth);
    to->damping = fmax(to->damping, from->damping);
  }
}

/// The combination at hand becomes a solution of the whole.
static amo_status put_together(amo_solutions *s)
{
  amo_solution *x = list_add(&s->whole, s->m->nc, s->m->nq, s->m->ng);
  bool chosen = true;
  if (x == NULL) return AMO_ENOMEM;
  memset(x->reaction, 0, x->room);
  memset(x->mode, AMO_MODE_OPEN, s->m->nc);
  x->picked = x->varies = false;
  x->stable = AMO_SOFT_UNDECIDED;
  x->eigenvalues = 0;
  x->growth = x->damping = 0.0;
  for (uint32_t b = 0; b < s->islands.count; b++) {
    const amo_island m = amo_islands_at(&s->islands, b);
    const amo_island_answer *a = &s->answer[b];
    copy_part(&m, &s->some.item[a->first + a->now], x);
    chosen &= a->chosen == (long)a->now;
  }
  if (chosen) s->chosen = (long)s->whole.count - 1;
  return AMO_OK;
}

amo_class amo_class_of(double count)
{
  return count < 1.0 ? AMO_NONE : count < 2.0 ? AMO_UNIQUE : AMO_SEVERAL;
}

/// Every solution of a part with every one of the others, those first of which no part is of a worse rank.
static amo_status combine(amo_solutions *s)
{
  amo_status st = AMO_OK;
  double total = 1.0;
  bool continuum = false;
  s->chosen = -1;
  s->why = "the only solution";
  for (uint32_t b = s->islands.count; b-- > 0;) {
    amo_island_answer *a = &s->answer[b];
    total *= (double)a->count;
    continuum |= a->continuum;
    if (a->count != 1 || a->continuum || !s->complete) s->why = a->why;
  }
  s->kind = continuum ? AMO_DEGENERATE : amo_class_of(total);
  if (total > AMO_MOST_SOLUTIONS) return AMO_ELIMIT;
  for (int rank = 0; st == AMO_OK && total > 0.0 && rank < RANKS; rank++) do {
      int worst = 0;
      for (uint32_t b = 0; b < s->islands.count; b++) {
        const int own = s->some.item[s->answer[b].first + s->answer[b].now].rank;
        if (own > worst) worst = own;
      }
      if (worst == rank) st = put_together(s);
    } while (next_combination(s) && st == AMO_OK);
  s->item = s->whole.item;
  s->count = s->whole.count;
  return st;
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

/// Switches that are zero rest, unless that asks for more than a share: the one that asks for most leaves, then others are asked anew.
static void leave_switches(amo_solutions *s, amo_point *p, double t, const double *state)
{
  for (;;) {
    double most = 1.0 + AMO_SAME;
    uint32_t which = s->m->nc;
    for (uint32_t c = 0; c < s->m->nc; c++) {
      const amo_contact *k = &s->m->contact[c];
      if (k->rest != AMO_SWITCHES || s->sigma[c] != 0 || !(fabs(p->reg[k->r_stick]) > most)) continue;
      most = fabs(p->reg[k->r_stick]);
      which = c;
    }
    if (which == s->m->nc) return;
    s->sigma[which] = p->reg[s->m->contact[which].r_stick] < 0.0 ? 1 : -1;
    evaluate(s, p, t, state);
  }
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
    signed char sigma = amo_mode_of(&s->m->contact[c], slip, rest);
    changed |= sigma != s->sigma[c];
    s->sigma[c] = sigma;
  }
  if (changed && s->reads_sigma) evaluate(s, p, t, state);
  leave_switches(s, p, t, state);
}

// ---- the search ----

amo_search amo_search_begin(amo_solutions *s, const amo_island *m)
{
  return (amo_search){.s = s,
                      .m = m,
                      .first = s->some.count,
                      .first_pairs = s->assessed,
                      .widen = 1.0,
                      .mode = s->trial,
                      .reaction_sign = s->reaction_sign,
                      .at_rest = s->at_rest};
}

/// Cut the model into parts; supports that are open for certain join nothing.
static void divide(amo_solutions *s, const double *reg, const double *err, size_t stride, double widen)
{
  for (uint32_t c = 0; c < s->m->nc; c++) {
    const amo_contact *k = &s->m->contact[c];
    s->acts[c] = true;
    if (!amo_can_open(k)) continue;
    const size_t gap = k->r_gap * stride, rate = k->r_gap_rate * stride;
    s->acts[c] =
        !(reg[gap] > widen * AMO_FULFILLED * err[gap] || reg[rate] > widen * AMO_FULFILLED * err[rate]);
  }
  amo_islands_divide(&s->islands, s->acts);
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
  for (uint32_t i = m->leaf.xi; i < m->leaf.xi + m->nxi; i++) {  // directions of spatial slips
    s->long_reg[i] = p->reg[i];
    s->long_err[i] = amo_given_error(p->reg[i]);
  }
}

/// Registers in long double, evaluated when first needed at a state.
static amo_status evaluate_longer(amo_solutions *s, const amo_point *p)
{
  size_t n = amo_prog_registers(s->m->step) + 1u, k = amo_prog_registers(s->m->start.prog) + 1u;
  if (s->exact) return AMO_OK;
  if (s->long_reg == NULL) {
    s->long_reg = calloc(2 * n + 2 * k, sizeof *s->long_reg);
    if (s->long_reg == NULL) return AMO_ENOMEM;
    s->long_err = s->long_reg + n;
    s->long_start = s->long_err + n;
    s->long_start_err = s->long_start + k;
  }
  s->exact = true;
  long_leaves(s, p);
  amo_long_eval(s->m->step, s->long_reg, s->long_err);
  for (uint32_t c = 0; c < s->m->nc; c++) {  // a slip that is zero after all
    uint32_t r = s->m->contact[c].r_slip;
    if (fabsl(s->long_reg[r]) <= s->long_err[r] && s->m->contact[c].rest != AMO_SWITCHES)
      s->long_reg[s->m->leaf.sigma + c] = 0.0L;
  }
  if (s->reads_sigma) amo_long_eval(s->m->step, s->long_reg, s->long_err);
  return AMO_OK;
}

/// One part; again in long double where a double could not tell all signs and p is given.
static amo_status search_part(amo_search *q, const amo_point *p, const double *reg, const double *err,
                              size_t stride, amo_island_answer *a)
{
  amo_solutions *s = q->s;
  amo_status st = amo_search_fast(q, &s->fast, reg, err, stride);
  if (q->unsure && q->standing == NULL && p != NULL && st != AMO_ELIMIT && st != AMO_ENOMEM) {
    amo_solutions_forget(q);
    *q = amo_search_begin(s, q->m);
    st = evaluate_longer(s, p);
    if (st == AMO_OK) st = amo_search_exact(q, &s->longer, s->long_reg, s->long_err, 1);
  }
  if (st == AMO_OK) finish_part(q, reg, stride, a);
  return st;
}

amo_status amo_solutions_find(amo_solutions *s, amo_point *p, double t, const double *state,
                              const amo_standing *standing)
{
  const double widen = standing != NULL ? p->slack / (DBL_EPSILON / 2) : 1.0;
  amo_status st = AMO_OK;
  amo_solutions_clear(s);
  evaluate_with_signs(s, p, t, state, standing);
  for (uint32_t c = 0; standing != NULL && c < s->m->nc; c++)  // decided by the motion itself
    if (amo_turns(&s->m->contact[c]) && s->sigma[c] == 0) return AMO_EUNSUPPORTED;
  if (amo_undefined_at(s->m, p->reg, 1) >= 0) return AMO_ENOANSWER;
  divide(s, p->reg, s->err, 1, widen);
  for (uint32_t b = 0; st == AMO_OK && b < s->islands.count; b++) {
    const amo_island m = amo_islands_at(&s->islands, b);
    amo_search q = amo_search_begin(s, &m);
    q.standing = standing;
    q.widen = widen;
    st = search_part(&q, p, p->reg, s->err, 1, &s->answer[b]);
  }
  return st == AMO_OK ? combine(s) : st;
}

bool amo_solutions_lane(amo_solutions *s, const double *reg, const double *err, size_t stride)
{
  bool sure = amo_undefined_at(s->m, reg, stride) < 0;
  amo_solutions_clear(s);
  if (sure) divide(s, reg, err, stride, 1.0);
  for (uint32_t b = 0; sure && b < s->islands.count; b++) {
    const amo_island m = amo_islands_at(&s->islands, b);
    amo_search q = amo_search_begin(s, &m);
    sure = search_part(&q, NULL, reg, err, stride, &s->answer[b]) == AMO_OK && !q.unsure;
  }
  return sure && combine(s) == AMO_OK;
}

/// What is asked about the part of contact c, contacts in these modes.
static amo_search begin_in_modes(amo_solutions *s, amo_point *p, double t, const double *state,
                                 const signed char *mode, uint32_t c, amo_island *m)
{
  memcpy(s->sigma, mode, s->m->nc);
  for (uint32_t k = 0; k < s->m->nc; k++) s->acts[k] = mode[k] != AMO_MODE_OPEN;
  evaluate(s, p, t, state);
  amo_islands_divide(&s->islands, s->acts);
  *m = amo_islands_at(&s->islands, s->islands.contacts.island[c]);
  amo_search q = amo_search_begin(s, m);
  q.widen = p->slack / (DBL_EPSILON / 2);
  for (uint32_t k = 0; k < m->nc; k++) {
    q.mode[k] = mode[m->contact_of[k]];
    q.at_rest[k] = q.mode[k] == 0;
  }
  return q;
}

amo_status amo_solutions_influence(amo_solutions *s, amo_point *p, double t, const double *state,
                                   const signed char *mode, uint32_t c, amo_influence *out)
{
  *out = s->influence[c] = (amo_influence){NAN, NAN, NAN, 0.0, 0.0};
  if (mode[c] == AMO_MODE_OPEN) return AMO_OK;
  amo_island m;
  amo_search q = begin_in_modes(s, p, t, state, mode, c, &m);
  amo_status st = amo_influence_fast(&q, &s->fast, p->reg, s->err, s->islands.contacts.local[c], NULL);
  *out = s->influence[c];
  return st;
}

amo_status amo_solutions_left(amo_solutions *s, amo_point *p, double t, const double *state,
                              const signed char *mode, const signed char *reaction_sign, uint32_t c,
                              double *left)
{
  amo_island m;
  amo_search q = begin_in_modes(s, p, t, state, mode, c, &m);
  for (uint32_t k = 0; k < m.nc; k++) q.reaction_sign[k] = reaction_sign[m.contact_of[k]];
  return amo_influence_fast(&q, &s->fast, p->reg, s->err, s->islands.contacts.local[c], left);
}

bool amo_influence_basin(const amo_influence *i, int sigma, bool one_sided, double range[2])
{
  const double up = 1.0 + sigma * i->mu * i->L, down = one_sided ? 0.0 : 2.0 - up;
  const double weak = up < 0.0 ? up : down, strong = up < 0.0 ? down : up, side = up < 0.0 ? 1.0 : -1.0;
  if (!(weak < 0.0 && side * i->R0 < 0.0)) return false;
  const double height = -i->R0 * i->R0 / weak;  // twice that of the saddle
  range[up < 0.0] = i->R0 / weak;
  range[!(up < 0.0)] =
      strong > 0.0 ? (i->R0 - side * sqrt(i->R0 * i->R0 + strong * height)) / strong : -side * INFINITY;
  return true;
}
