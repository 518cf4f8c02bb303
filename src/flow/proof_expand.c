// SPDX-License-Identifier: Apache-2.0
/// The motion as a power series with interval coefficients, as in expand.c.
#include <string.h>

#include "flow/proof_impl.h"

static void load_fixed(const amo_prover *p, const amo_enclosed_series *x)
{
  const amo_model *m = p->m;
  const size_t W = (size_t)p->f->W, lane = (size_t)p->lane;
  for (uint32_t i = 0; i < m->np; i++)
    x->jet[(m->leaf.param + i) * x->stride] = amo_interval_of(p->f->param[i * W + lane]);
  for (uint32_t c = 0; c < m->nc; c++)
    x->jet[(m->leaf.sigma + c) * x->stride] = amo_interval_of(amo_sigma(p->l->step_mode[c]));
  amo_enclose_prepare(m->step, x->jet, p->N);
}

static bool same_modes(const amo_prover *p)
{
  const uint32_t nc = p->m->nc;
  return memcmp(p->arranged, p->l->step_mode, nc) == 0 &&
         memcmp(p->arranged + nc, p->l->step_reaction_sign, nc) == 0;
}

bool amo_prover_begin(amo_prover *p)
{
  const amo_model *m = p->m;
  for (uint32_t c = 0; c < m->nc; c++)
    if (amo_turns(&m->contact[c]) && p->l->step_mode[c] != AMO_MODE_OPEN)
      return amo_prover_fails(p, "contact %s is spatial", m->contact[c].sym.name);
  load_fixed(p, &p->point);
  load_fixed(p, &p->box);
  if (p->balance == NULL || same_modes(p)) return true;
  memcpy(p->arranged, p->l->step_mode, m->nc);
  memcpy(p->arranged + m->nc, p->l->step_reaction_sign, m->nc);
  if (amo_enclosed_balance_arrange(p->balance, p->l->step_mode, p->l->step_reaction_sign) == AMO_OK)
    return true;
  p->arranged[0] = 99;  // not a mode: arrange again
  return amo_prover_fails(p, "out of memory");
}

static void load_state(const amo_prover *p, const amo_enclosed_series *x, const amo_interval *state,
                       amo_interval t)
{
  const amo_model *m = p->m;
  x->jet[m->leaf.t * x->stride] = t;
  x->jet[m->leaf.t * x->stride + 1] = amo_interval_of(1.0);
  for (uint32_t i = 0; i < p->ns; i++) x->jet[amo_state_leaf(m, i) * x->stride] = state[i];
}

/// Rate of state i at order k.
static amo_interval rate(const amo_prover *p, const amo_enclosed_series *x, uint32_t i, int k)
{
  const amo_model *m = p->m;
  const size_t at = (size_t)k;
  if (i >= m->nq && i < 2 * m->nq && p->balance != NULL) return x->acc[(i - m->nq) * x->stride + at];
  const uint32_t reg = amo_rate_register(m, i);
  if (k > 0 && amo_prog_is_fixed(m->step, reg)) return (amo_interval){0.0, 0.0};
  return x->jet[reg * x->stride + at];
}

bool amo_prover_expand(amo_prover *p, const amo_enclosed_series *x, const amo_interval *state, amo_interval t)
{
  const amo_model *m = p->m;
  load_state(p, x, state, t);
  for (int k = 0; k <= p->N; k++) {
    amo_enclose_order(m->step, x->jet, p->N, k, p->l->step_branch);
    if (p->balance != NULL) {
      const char *why = k == 0 ? amo_enclosed_balance_factor(p->balance, x) : NULL;
      if (why != NULL) return amo_prover_fails(p, "%s", why);
      amo_enclosed_balance_solve(p->balance, x, k);
    }
    for (uint32_t i = 0; k < p->N && i < p->ns; i++)
      x->jet[amo_state_leaf(m, i) * x->stride + (size_t)k + 1] =
          amo_interval_div(rate(p, x, i, k), amo_interval_of(k + 1.0));
  }
  amo_enclose_finish(m->step, x->jet, p->N, p->l->step_branch);
  return true;
}
