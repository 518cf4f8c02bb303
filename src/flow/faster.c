// SPDX-License-Identifier: Apache-2.0
#include "flow/faster.h"

#include <stdlib.h>

#include "emit/emitted.h"

/// Work that is told at once: engines of many threads do not meet at every step.
static const double portion = 1e6;
/// What AMO_LANES lanes cost, in lanes.
static const double wide = 3.0;

void amo_flow_integrals(const amo_model *m, amo_integral *list)
{
  for (uint32_t i = 0; i < 2 * m->nq + m->nz; i++)
    list[i] = (amo_integral){amo_state_leaf(m, i), amo_rate_register(m, i)};
}

static bool may_compile(const amo_flow *f)
{
  return f->m->emitted != NULL && f->opt.compile != AMO_COMPILE_NEVER && !f->is_trial &&
         f->opt.stepper != AMO_STEPPER_RK8;
}

/// Are inertias constant, and those of single coordinates? Then there may be modes in which nothing is to be solved for.
static bool may_be_free(const amo_flow *f)
{
  const amo_model *m = f->m;
  bool free = !m->plain && f->uniform == NULL && m->nxi == 0 && m->njoint == 0 && m->nmass == m->nq;
  for (uint32_t e = 0; e < m->nmass; e++)
    free &= m->mass[e].row == m->mass[e].col && amo_prog_is_fixed(m->step, m->mass[e].reg);
  return free;
}

/// What is integrated in one call: all states, or those whose rates are registers and, with them, free coordinates.
static void list_states(const amo_flow *f, amo_integral *list, amo_free_coordinate *of, amo_emit_request *r)
{
  const amo_model *m = f->m;
  r->integral = list;
  r->free = of;
  r->frees = m->plain ? 0 : m->nq;
  for (uint32_t i = 0; i < f->ns - f->givens; i++)
    if (m->plain || i < m->nq || i >= 2 * m->nq)
      list[r->integrals++] = (amo_integral){amo_state_leaf(m, i), amo_rate_register(m, i)};
  for (uint32_t e = 0; e < r->frees; e++) {
    const uint32_t q = m->mass[e].row;
    of[q] = (amo_free_coordinate){m->leaf.u + q, m->r_h[q], m->mass[e].reg};
  }
}

/// Lanes decide, land and check their steps one at a time: one lane is needed in any case.
static void want(const amo_flow *f, bool wait)
{
  const amo_model *m = f->m;
  amo_emit_request r = {.prog = m->step, .order = f->P};
  amo_integral *list = calloc(f->ns + 1u, sizeof *list);
  amo_free_coordinate *of = calloc(m->nq + 1u, sizeof *of);
  if (list != NULL && of != NULL && (m->plain || may_be_free(f))) list_states(f, list, of, &r);
  for (r.lanes = f->W; r.lanes > 0; r.lanes = r.lanes > 1 ? 1 : 0)
    amo_emitted_want(m->emitted, &r, m->step, wait);
  free(of);
  free(list);
}

void amo_faster_begin(const amo_flow *f)
{
  if (may_compile(f) && f->opt.compile == AMO_COMPILE_WAIT) want(f, true);
}

static void tell(amo_flow *f)
{
  if (amo_emitted_worth(f->m->emitted, f->interpreted)) want(f, false);
  f->interpreted = 0.0;
}

void amo_faster_count(amo_flow *f)
{
  if (!may_compile(f) || amo_prog_code(f->m->step, f->P, f->W) != NULL) return;
  f->interpreted += (double)amo_prog_instructions(f->m->step) * f->P * (f->W == 1 ? 1.0 : wide);
  if (f->interpreted >= portion) tell(f);
}

void amo_faster_end(amo_flow *f)
{
  if (may_compile(f) && f->interpreted > 0.0) tell(f);
}
