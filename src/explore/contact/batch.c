// SPDX-License-Identifier: Apache-2.0
#include "explore/contact/batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "expr/bounds.h"
#include "explore/contact/trace.h"

enum { W = AMO_LANES, TRACES = 16, PRICE = 128, MOST_CREDIT = 64 * PRICE };

_Static_assert((int)W == (int)AMO_RETRACE_LANES, "searches are recorded for AMO_LANES lanes");

/// A search that was recorded.
typedef struct trace {
  amo_retrace *tape;
  size_t count;  // of solutions
} trace;

struct amo_batch {
  amo_arena memory;
  const amo_model *m;
  amo_point *p;  // for lanes that need more than a double
  amo_solutions *s;
  double *reg, *err;          // [registers][W]
  double *start, *start_err;  // [registers of the start program][W]
  double *state;              // [states] of one lane
  bool started;               // these are evaluated, at the parameters that stand in them
  bool fresh;                 // parameters have changed since the fixed registers were computed
  bool several;               // some contact is spatial: lane by lane
  amo_traced_work *traced;
  trace trace[TRACES];  // those that serve come forward
  size_t traces;
  long
      credit;  // to record costs PRICE, a lane that is served gives 1: recording never takes much of the time
};

amo_status amo_batch_new(const amo_model *m, amo_batch **out)
{
  amo_batch *b = *out = calloc(1, sizeof *b);
  if (b == NULL) return AMO_ENOMEM;
  size_t n = amo_prog_registers(m->step) + 1u, k = amo_prog_registers(m->start.prog) + 1u;
  b->m = m;
  b->fresh = true;
  b->credit = 4 * PRICE;
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
  amo_traced_free(b->traced);
  for (size_t i = 0; i < b->traces; i++) amo_retrace_free(b->trace[i].tape);
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
    double *param = b->start + m->leaf.param * W, *now = b->reg + m->leaf.param * W;
    if (!b->started || memcmp(param, now, m->np * W * sizeof *now) != 0) {
      memcpy(param, now, m->np * W * sizeof *now);
      amo_prog_prepare8(m->start.prog, b->start);
      amo_prog_eval8(m->start.prog, b->start, NULL);
    }
    b->started = true;
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

double *amo_batch_start(amo_batch *b)
{
  b->started = true;
  return b->start;
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

// ---- verdicts ----

static void search_lane(amo_batch *b, size_t lane, uint32_t contact, amo_lane_verdict *out)
{
  const amo_solutions *s;
  *out = (amo_lane_verdict){.status = amo_batch_solutions(b, lane, &s)};
  if (out->status != AMO_OK) return;
  *out = (amo_lane_verdict){AMO_OK, s->kind, s->count, NAN, NAN, NAN};
  if (contact >= b->m->nc) return;
  out->L = s->influence[contact].L;
  out->mu = s->influence[contact].mu;
  out->R0 = s->influence[contact].R0;
}

/// Lanes that go the way of trace i; those of them that are asked for.
static unsigned replay(amo_batch *b, size_t i, unsigned asked, uint32_t contact, amo_lane_verdict *out)
{
  const trace *t = &b->trace[i];
  const unsigned done = amo_retrace_run(t->tape, b->reg, b->err, asked);
  const size_t at = (size_t)AMO_TRACED * contact;
  for (size_t l = 0; l < W; l++) {
    if (!(done >> l & 1u)) continue;
    out[l] = (amo_lane_verdict){AMO_OK,
                                amo_class_of((double)t->count),
                                t->count,
                                amo_retrace_read(t->tape, at + AMO_TRACED_L, l),
                                amo_retrace_read(t->tape, at + AMO_TRACED_MU, l),
                                amo_retrace_read(t->tape, at + AMO_TRACED_R0, l)};
    if (b->credit < MOST_CREDIT) b->credit++;
  }
  return done;
}

/// The search of a lane becomes the first trace; false: it cannot be recorded.
static bool record(amo_batch *b, size_t lane)
{
  trace t = {0};
  bool made = amo_retrace_new((size_t)AMO_TRACED * b->m->nc, &t.tape) == AMO_OK;
  b->credit -= PRICE;
  made = made && amo_trace(b->s, &b->traced, b->reg + lane, b->err + lane, W, t.tape, &t.count) &&
         amo_retrace_finish(t.tape) == AMO_OK;
  if (!made) {
    amo_retrace_free(t.tape);
    return false;
  }
  if (b->traces == TRACES)
    amo_retrace_free(b->trace[TRACES - 1].tape);
  else
    b->traces++;
  memmove(b->trace + 1, b->trace, (b->traces - 1) * sizeof t);
  b->trace[0] = t;
  return true;
}

void amo_batch_verdicts(amo_batch *b, unsigned asked, uint32_t contact, amo_lane_verdict *out)
{
  unsigned left = asked;
  for (size_t i = 0; i < b->traces && left != 0; i++) {
    const unsigned done = replay(b, i, left, contact, out);
    left &= ~done;
    if (done == 0 || i == 0) continue;
    const trace served = b->trace[i];
    b->trace[i] = b->trace[i - 1];
    b->trace[i - 1] = served;
  }
  for (size_t l = 0; l < W; l++) {
    if (!(left >> l & 1u)) continue;
    if (!b->several && b->credit >= PRICE && record(b, l)) left &= ~replay(b, 0, left, contact, out);
    if (left >> l & 1u) search_lane(b, l, contact, &out[l]);
  }
}
