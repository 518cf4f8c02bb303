// SPDX-License-Identifier: Apache-2.0
/// Newton's method on the gaps of guides and residuals of constraints, over the values that are not given.
#include "model/complete.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "expr/bounds.h"
#include "num/newton.h"

enum { MOST_STEPS = 60, MOST_HALVINGS = 12 };
#define HOLDS AMO_SAME  // relative violation that counts as none, as in the checks of a model file

typedef struct held_tie {
  const amo_sym *sym;
  const amo_entry *entry;
  uint32_t entries, r_position, r_rate;
  bool velocity_only;
} held_tie;

struct amo_complete {
  const amo_model *m;
  held_tie *tie;
  uint32_t ties;
  double *reg, *err, *row, *rhs, *step, *next, *trial, *start;  // row: [ties][nq]
  bool *fixed;                                                  // [2 nq + nz]
  uint32_t *pivot;                                              // [ties] column of a row, nq: none
  bool *used;                                                   // [nq]
  const char *fault;
  double by;
};

bool amo_complete_needed(const amo_model *m)
{
  for (uint32_t c = 0; c < m->nc; c++)
    if (amo_is_two_sided(&m->contact[c])) return true;
  return m->ng > 0;
}

static void collect_ties(amo_complete *c)
{
  const amo_model *m = c->m;
  for (uint32_t i = 0; i < m->nc; i++) {
    const amo_contact *k = &m->contact[i];
    if (amo_is_two_sided(k))
      c->tie[c->ties++] = (held_tie){&k->sym, k->n, k->nn, k->r_gap, k->r_gap_rate, false};
  }
  for (uint32_t i = 0; i < m->ng; i++) {
    const amo_constraint *g = &m->constraint[i];
    c->tie[c->ties++] = (held_tie){&g->sym, g->g, g->ng, g->r_residual, g->r_rate, g->velocity_level};
  }
}

amo_status amo_complete_new(const amo_model *m, amo_complete **out)
{
  amo_complete *c = *out = amo_zalloc(1, sizeof *c);
  if (!c) return AMO_ENOMEM;
  size_t ties = (size_t)m->nc + m->ng + 1, n = m->nq + 1u;
  c->m = m;
  c->tie = amo_zalloc(ties, sizeof *c->tie);
  c->reg = amo_zalloc(amo_prog_registers(m->step) + 1u, sizeof *c->reg);
  c->err = amo_zalloc(amo_prog_registers(m->step) + 1u, sizeof *c->err);
  c->row = amo_zalloc(ties * n, sizeof *c->row);
  c->rhs = amo_zalloc(ties, sizeof *c->rhs);
  c->step = amo_zalloc(n, sizeof *c->step);
  c->next = amo_zalloc(n, sizeof *c->next);
  c->trial = amo_zalloc(2 * n + m->nz, sizeof *c->trial);
  c->start = amo_zalloc(2 * n + m->nz, sizeof *c->start);
  c->fixed = amo_zalloc(2 * n + m->nz, sizeof *c->fixed);
  c->pivot = amo_zalloc(ties, sizeof *c->pivot);
  c->used = amo_zalloc(n, sizeof *c->used);
  if (c->tie && c->reg && c->err && c->row && c->rhs && c->step && c->next && c->trial && c->start &&
      c->fixed && c->pivot && c->used) {
    collect_ties(c);
    return AMO_OK;
  }
  amo_complete_free(c);
  *out = NULL;
  return AMO_ENOMEM;
}

void amo_complete_free(amo_complete *c)
{
  if (!c) return;
  free(c->tie);
  free(c->reg);
  free(c->err);
  free(c->row);
  free(c->rhs);
  free(c->step);
  free(c->next);
  free(c->trial);
  free(c->start);
  free(c->fixed);
  free(c->pivot);
  free(c->used);
  free(c);
}

static void evaluate(amo_complete *c, const double *param, double t, const double *state)
{
  const amo_model *m = c->m;
  double *reg = c->reg;
  amo_load_leaves(m, reg, 1, param, t, state);
  for (uint32_t i = 0; i < m->nc; i++) reg[m->leaf.sigma + i] = 0.0;
  reg[m->leaf.eps] = 1.0;
  amo_prog_prepare1(m->step, reg);
  amo_prog_eval1(m->step, reg, NULL);
}

/// Could this register be zero but for rounding? Where all coordinates are zero there is no other measure.
static bool is_rounding(amo_complete *c, uint32_t reg)
{
  return fabs(c->reg[reg]) <= amo_rounding_of(c->m->step, c->reg, c->m->leaf.count, reg, c->err);
}

/// Violation of a tie, and relative to the sizes of its terms.
static double relative(const amo_complete *c, const held_tie *k, const double *reg, size_t stride,
                       const double *state, bool velocities, double *by)
{
  const bool asked = velocities || !k->velocity_only;
  const double x = asked ? reg[(velocities ? k->r_rate : k->r_position) * stride] : 0.0;
  double steepest = 0.0, largest = 0.0;
  for (uint32_t e = 0; e < k->entries; e++) {  // a coefficient near its zero has the rounding of the others
    steepest = fmax(steepest, fabs(reg[k->entry[e].reg * stride]));
    largest = fmax(largest, fabs(state[k->entry[e].col + (velocities ? c->m->nq : 0)]));
  }
  *by = x;
  return x == 0.0 ? 0.0 : isfinite(x) ? fabs(x) / (fabs(x) + steepest * largest) : INFINITY;
}

bool amo_complete_holds(const amo_complete *c, const double *reg, size_t stride, const double *state)
{
  double by;
  for (uint32_t i = 0; i < c->ties; i++)
    for (int velocities = 0; velocities < 2; velocities++)
      if (!(relative(c, &c->tie[i], reg, stride, state, velocities, &by) <= HOLDS)) return false;
  return true;
}

/// Violations into rhs; the largest one relative to the sizes of its terms, noted with its name.
static double violation(amo_complete *c, const double *state, bool velocities)
{
  double worst = 0.0;
  for (uint32_t i = 0; i < c->ties; i++) {
    const held_tie *k = &c->tie[i];
    double x;
    const double part = relative(c, k, c->reg, 1, state, velocities, &x);
    c->rhs[i] = x;
    if (part <= worst || (part > HOLDS && is_rounding(c, velocities ? k->r_rate : k->r_position))) continue;
    worst = part;
    c->fault = k->sym->name;
    c->by = x;
  }
  return worst;
}

/// The last open column of row r that is not small beside the others.
static uint32_t choose_pivot(const amo_complete *c, uint32_t r, const bool *given)
{
  uint32_t n = c->m->nq;
  const double *row = c->row + (size_t)r * n;
  double largest = 0.0;
  for (uint32_t j = 0; j < n; j++)
    if (!c->used[j] && !(given && given[j])) largest = fmax(largest, fabs(row[j]));
  for (uint32_t j = n; largest > AMO_NOTHING && j-- > 0;)
    if (!c->used[j] && !(given && given[j]) && fabs(row[j]) > 1e-3 * largest) return j;
  return n;
}

/// The change of the open values that takes the violations away to first order.
static void newton_step(amo_complete *c, const bool *given, double *step)
{
  uint32_t n = c->m->nq;
  memset(c->row, 0, (size_t)c->ties * n * sizeof *c->row);
  memset(c->used, 0, n * sizeof *c->used);
  memset(step, 0, n * sizeof *step);
  for (uint32_t i = 0; i < c->ties; i++)
    for (uint32_t e = 0; e < c->tie[i].entries; e++)
      c->row[(size_t)i * n + c->tie[i].entry[e].col] = c->reg[c->tie[i].entry[e].reg];
  for (uint32_t i = 0; i < c->ties; i++) {
    uint32_t p = c->pivot[i] = choose_pivot(c, i, given);
    if (p == n) continue;
    c->used[p] = true;
    double *own = c->row + (size_t)i * n;
    for (uint32_t k = 0; k < c->ties; k++) {  // Gauss-Jordan: few ties
      double f = c->row[(size_t)k * n + p] / own[p];
      if (k == i || f == 0.0) continue;
      for (uint32_t j = 0; j < n; j++) c->row[(size_t)k * n + j] -= f * own[j];
      c->row[(size_t)k * n + p] = 0.0;
      c->rhs[k] -= f * c->rhs[i];
    }
  }
  for (uint32_t i = 0; i < c->ties; i++)
    if (c->pivot[i] < n) step[c->pivot[i]] = -c->rhs[i] / c->row[(size_t)i * n + c->pivot[i]];
}

typedef struct completion {  // positions or velocities at this time
  amo_complete *c;
  const double *param;
  double t;
  const bool *given;
  bool velocities;
} completion;

/// c->trial is the whole state, x the part of it that is open.
static amo_status look(void *ctx, const double *x, double *size)
{
  const completion *k = ctx;
  amo_complete *c = k->c;
  memcpy(c->trial + (k->velocities ? c->m->nq : 0), x, c->m->nq * sizeof *x);
  evaluate(c, k->param, k->t, c->trial);
  *size = violation(c, c->trial, k->velocities);
  return AMO_OK;
}

static amo_status step(void *ctx, const double *x, double *move, double *length, double *size)
{
  const completion *k = ctx;
  (void)x, (void)length, (void)size;
  newton_step(k->c, k->given, move);
  return AMO_OK;
}

/// Positions or velocities until nothing gets better.
static bool solve(amo_complete *c, const double *param, double t, double *state, const bool *given,
                  bool velocities)
{
  const uint32_t n = c->m->nq, first = velocities ? n : 0;
  completion k = {c, param, t, given ? given + first : NULL, velocities};
  double size;
  memcpy(c->trial, state, (2 * (size_t)n + c->m->nz) * sizeof *state);
  if (look(&k, state + first, &size) == AMO_OK && size <= HOLDS) return true;
  amo_newton p = {look, step, &k, .n = n, .move = c->step, .trial = c->next};
  p.most = MOST_STEPS, p.halvings = MOST_HALVINGS - 1;
  (void)amo_newton_solve(&p, state + first);
  (void)look(&k, state + first, &size);
  return size <= HOLDS;
}

/// First without touching what the file states, then without touching what is given.
static bool solve_gently(amo_complete *c, const double *param, double t, double *state, const bool *given,
                         bool velocities)
{
  const amo_model *m = c->m;
  const size_t all = 2 * (size_t)m->nq + m->nz;
  bool more = false;
  for (size_t i = 0; i < all; i++) {
    bool hard = given && given[i];
    c->fixed[i] = hard || m->start.stated[i];
    more |= c->fixed[i] != hard;
    c->start[i] = state[i];
  }
  if (more && solve(c, param, t, state, c->fixed, velocities)) return true;
  memcpy(state, c->start, all * sizeof *state);
  return solve(c, param, t, state, given, velocities);
}

amo_status amo_complete_state(amo_complete *c, const double *param, double t, double *state,
                              const bool *given)
{
  c->fault = NULL;
  bool held = solve_gently(c, param, t, state, given, false) && solve_gently(c, param, t, state, given, true);
  return held ? AMO_OK : AMO_ENOANSWER;
}

amo_status amo_complete_supports(amo_complete *c, const double *param, double t, const double *state)
{
  const amo_model *m = c->m;
  evaluate(c, param, t, state);
  for (uint32_t i = 0; i < m->nc; i++) {
    const amo_contact *k = &m->contact[i];
    if (!amo_can_open(k) || amo_has_ends(k) || !(c->reg[k->r_gap] < 0.0)) continue;
    double size = 0.0;
    for (uint32_t e = 0; e < k->nn; e++) size += fabs(c->reg[k->n[e].reg] * state[k->n[e].col]);
    if (-c->reg[k->r_gap] <= HOLDS * size || is_rounding(c, k->r_gap)) continue;
    c->fault = k->sym.name;
    c->by = c->reg[k->r_gap];
    return AMO_ENOANSWER;
  }
  return AMO_OK;
}

const char *amo_complete_fault(const amo_complete *c, double *by)
{
  *by = c->by;
  return c->fault ? c->fault : "";
}

amo_status amo_values_complete(const amo_values *v, double t, const bool *given, amo_diags *diags,
                               double *state)
{
  if (!v || !state) return AMO_ERANGE;
  amo_complete *c = NULL;
  double by;
  amo_status st = amo_complete_new(v->model, &c);
  if (st == AMO_OK && amo_complete_needed(v->model)) st = amo_complete_state(c, v->param, t, state, given);
  if (st == AMO_ENOANSWER) {
    const char *name = amo_complete_fault(c, &by);
    amo_error(diags, (amo_at){0}, "give fewer values: the others follow from guides and constraints",
              "the state does not fit %s: it stays violated by %g", name, by);
  } else if (st == AMO_OK) {
    st = amo_complete_supports(c, v->param, t, state);
    const char *name = amo_complete_fault(c, &by);
    if (st == AMO_ENOANSWER)
      amo_error(diags, (amo_at){0}, "a support is a gap >= 0", "the state penetrates support %s: gap %g",
                name, by);
  }
  amo_complete_free(c);
  return st;
}
