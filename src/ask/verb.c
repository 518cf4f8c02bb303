// SPDX-License-Identifier: Apache-2.0
// The list of verbs.
#include "ask/verb.h"

#include <string.h>

#include "model/compiled.h"
#include "ask/fit/breakdowns.h"
#include "ask/longrun/chaos.h"
#include "ask/orbit/cycle.h"
#include "ask/fit/fit.h"
#include "ask/motion/simulate.h"

static const amo_verb *const verbs[] = {
    &amo_verb_describe,   &amo_verb_simulate, &amo_verb_evaluate,    &amo_verb_contact,
    &amo_verb_rest,       &amo_verb_brake,    &amo_verb_draw,        &amo_verb_emit,
    &amo_verb_limits,     &amo_verb_map,      &amo_verb_steady,      &amo_verb_quasistatic,
    &amo_verb_cycle,      &amo_verb_continue, &amo_verb_sensitivity, &amo_verb_spectrum,
    &amo_verb_poincare,   &amo_verb_lyapunov, &amo_verb_attractor,   &amo_verb_sweep,
    &amo_verb_breakdowns, &amo_verb_fit,      &amo_verb_statistics,  NULL};

const amo_verb *const *amo_verbs(void)
{
  return verbs;
}

const amo_verb *amo_verb_find(const char *name)
{
  for (size_t i = 0; verbs[i]; i++)
    if (!strcmp(verbs[i]->name, name)) return verbs[i];
  return NULL;
}

/// A question about rest, asked of the model as that sees it.
static amo_status run_held(const amo_verb *v, const amo_call *call, cJSON **result)
{
  amo_model *own;
  amo_call at_rest = *call;
  amo_values values = *call->values;
  amo_status st = amo_model_held(call->model, &own, &at_rest.model);
  if (own) {
    values.model = own;
    at_rest.values = &values;
  }
  if (st == AMO_OK) st = v->run(&at_rest, result);
  amo_held_free(own);
  return st;
}

amo_status amo_verb_run(const amo_verb *v, const amo_call *call, cJSON **result)
{
  *result = NULL;
  if (call->model == NULL) return v->run(call, result);
  if (v->no_joints && call->model->njoint > 0)
    return amo_error(call->diags, (amo_at){0},
                     "simulate, contact, rest and evaluate know them, and what varies those",
                     "%s does not know joints with friction yet", v->name);
  for (uint32_t c = 0; v->no_ends && c < call->model->nc; c++)
    if (amo_has_ends(&call->model->contact[c]))
      return amo_error(call->diags, (amo_at){0}, "simulate, contact, rest, evaluate and steady know them",
                       "%s does not know supports with ends yet (%s)", v->name,
                       call->model->contact[c].sym.name);
  for (uint32_t c = 0; v->no_creep && c < call->model->nc; c++)
    if (amo_never_sticks(&call->model->contact[c]))
      return amo_error(call->diags, (amo_at){0}, "simulate with a slow load",
                       "%s does not know laws that never stick (%s)", v->name,
                       call->model->contact[c].sym.name);
  return v->at_rest ? run_held(v, call, result) : v->run(call, result);
}

volatile int *amo_call_stop(const amo_call *call)
{
  return (volatile int *)call->interrupted;
}

int amo_call_progress(void *ctx, double fraction)
{
  const amo_call *call = ctx;
  if (call->progress) call->progress(call->progress_ctx, fraction);
  return 0;
}
