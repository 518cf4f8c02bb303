// SPDX-License-Identifier: Apache-2.0
#include "contact/batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "contact/search.h"
#include "expr/bounds.h"

enum { W = AMO_LANES };

struct amo_batch {
  amo_arena memory;
  const amo_model *m;
  amo_point *p;  // for lanes that need more than a double
  amo_solutions *s;
  double *reg, *err;          // [registers][W]
  double *start, *start_err;  // [registers of the start program][W]
  double *state;              // [states] of one lane
  bool fresh;                 // parameters have changed since the fixed registers were computed
  bool several;               // some contact is spatial: lane by lane
};

amo_status amo_batch_new(const amo_model *m, amo_batch **out)
{
  amo_batch *b = *out = calloc(1, sizeof *b);
  if (b == NULL) return AMO_ENOMEM;
  size_t n = amo_prog_registers(m->step) + 1u, k = amo_prog_registers(m->start.prog) + 1u;
  b->m = m;
  b->fresh = true;
  AMO_TAKE(&b->memory, double, n *W, &b->reg, &b->err);
  AMO_TAKE(&b->memory, double, k *W, &b->start, &b->start_err);
  AMO_TAKE(&b->memory, double, amo_model_states(m), &b->state);
  amo_status st = b->memory.failed ? AMO_ENOMEM : amo_point_new(m, &b->p);
  if (st == AMO_OK) st = amo_solutions_new(m, &b->s);
  if (st != AMO_OK) {
    amo_batch_free(b);
    *out = NULL;
    return st;
  }
  for (uint32_t c = 0; c < m->nc; c++)
    b->several |= amo_turns(&m->contact[c]) || m->contact[c].rest == AMO_SWITCHES;
  return AMO_OK;
}

void amo_batch_free(amo_batch *b)
{
  if (b == NULL) return;
  amo_point_free(b->p);
  amo_solutions_free(b->s);
  amo_arena_free(&b->memory);
  free(b);
}

void amo_batch_put(amo_batch *b, size_t lane, double t, const double *param, const double *state)
{
  const amo_leaves *l = &b->m->leaf;
  for (uint32_t i = 0; i < b->m->np; i++) {
    double *to = &b->reg[(l->param + i) * W + lane];
    b->fresh |= *to != param[i];
    *to = param[i];
  }
  b->reg[l->t * W + lane] = t;
  for (uint32_t i = 0; i < 2 * b->m->nq + b->m->nz; i++) b->reg[(l->q + i) * W + lane] = state[i];
}

static void prepare(amo_batch *b)
{
  const amo_model *m = b->m;
  if (b->fresh) {
    memcpy(b->start + m->leaf.param * W, b->reg + m->leaf.param * W, m->np * W * sizeof *b->reg);
    amo_prog_prepare8(m->start.prog, b->start);
    amo_prog_eval8(m->start.prog, b->start, NULL);
    for (size_t i = m->leaf.param * W; i < (m->leaf.param + m->np) * W; i++)
      b->start_err[i] = amo_given_error(b->start[i]);
    amo_bound_prepare8(m->start.prog, b->start, b->start_err);
    amo_bound8(m->start.prog, b->start, b->start_err);
    amo_prog_prepare8(m->step, b->reg);
  }
  amo_leaf_errors(m, b->reg, b->err, b->start, b->start_err, W);
  if (b->fresh) amo_bound_prepare8(m->step, b->reg, b->err);
  b->fresh = false;
}

static void run(amo_batch *b)
{
  prepare(b);
  amo_prog_eval8(b->m->step, b->reg, NULL);
  amo_bound8(b->m->step, b->reg, b->err);
}

void amo_batch_evaluate(amo_batch *b, size_t lanes)
{
  const amo_model *m = b->m;
  bool changed = false;
  for (uint32_t i = 0; i < m->leaf.sigma; i++)
    for (size_t l = lanes; l < W; l++) {  // idle lanes repeat the last, so that nothing odd is computed
      double last = b->reg[i * W + lanes - 1];
      if (i < m->leaf.param + m->np) b->fresh |= b->reg[i * W + l] != last;
      b->reg[i * W + l] = last;
    }
  run(b);
  for (uint32_t c = 0; c < m->nc; c++)
    for (size_t l = 0; l < W; l++) {
      double slip = b->reg[m->contact[c].r_slip * W + l], *sigma = &b->reg[(m->leaf.sigma + c) * W + l];
      double want = amo_mode_of(&m->contact[c], slip, fabs(slip) <= b->err[m->contact[c].r_slip * W + l]);
      changed |= want != *sigma;
      *sigma = want;
    }
  if (!changed || !b->s->reads_sigma) return;
  b->fresh = true;
  run(b);
}

const double *amo_batch_registers(const amo_batch *b, size_t lane)
{
  return b->reg + lane;
}

amo_status amo_batch_solutions(amo_batch *b, size_t lane, const amo_solutions **out)
{
  const amo_leaves *l = &b->m->leaf;
  *out = b->s;
  if (!b->several && amo_solutions_lane(b->s, b->reg + lane, b->err + lane, W)) return AMO_OK;
  for (uint32_t i = 0; i < b->m->np; i++) b->p->reg[l->param + i] = b->reg[(l->param + i) * W + lane];
  for (size_t i = 0; i < amo_model_states(b->m); i++) b->state[i] = b->reg[(l->q + i) * W + lane];
  return amo_solutions_find(b->s, b->p, b->reg[l->t * W + lane], b->state, NULL);
}
