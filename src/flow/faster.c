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

/// Lanes decide, land and check their steps one at a time: one lane is needed in any case.
static void want(const amo_flow *f, bool wait)
{
  const amo_model *m = f->m;
  amo_integral *list = m->plain ? calloc(f->ns + 1u, sizeof *list) : NULL;
  if (list != NULL) amo_flow_integrals(m, list);
  for (int lanes = f->W; lanes > 0; lanes = lanes > 1 ? 1 : 0) {
    const amo_emit_request r = {m->step, list, list != NULL ? f->ns - f->givens : 0, f->P, lanes};
    amo_emitted_want(m->emitted, &r, m->step, wait);
  }
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
