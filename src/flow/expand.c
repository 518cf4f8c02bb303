// SPDX-License-Identifier: Apache-2.0
/// Power series of the motion: from the state, coefficient by coefficient,
///   (q,u,z)_{k+1} = (u, u', z')_k / (k+1),
/// where u'_k solves the balance of forces at order k. One factorisation serves all orders; plain models
/// need none and run as one explicit series.
#include <math.h>
#include <string.h>

#include "flow/flow.h"

static size_t item(const amo_flow *f)
{
  return (size_t)(f->P + 1) * (size_t)f->W;
}

static void jet_eval(amo_flow *f, int k)
{
  if (f->W == 1)
    amo_jet_eval1(f->m->step, f->jet, f->P, k, f->branch);
  else
    amo_jet_eval8(f->m->step, f->jet, f->P, k, f->branch);
}

/// Modes enter the program as numbers that stay fixed during a step.
static void take_modes(amo_flow *f)
{
  const amo_model *m = f->m;
  bool any = false;
  for (int l = 0; l < f->W; l++) {
    amo_lane *a = &f->lane[l];
    if (!a->active || !a->rearrange) continue;
    any = true;
    for (uint32_t c = 0; c < m->nc; c++)
      f->jet[(size_t)(m->leaf.sigma + c) * item(f) + (size_t)l] = a->mode[c];
    for (uint32_t i = 0; i < f->nsw; i++) f->branch[i * (uint32_t)f->W + (uint32_t)l] = a->branch[i];
    if (f->series == NULL) amo_balance_arrange(f->balance[l], a->mode, a->press);
  }
  if (!any) return;
  if (f->W == 1)
    amo_jet_prepare1(m->step, f->jet, f->P);
  else
    amo_jet_prepare8(m->step, f->jet, f->P);
}

static void load_states(amo_flow *f)
{
  const amo_model *m = f->m;
  for (int l = 0; l < f->W; l++) {
    const amo_lane *a = &f->lane[l];
    if (!a->active) continue;
    double *base = f->jet + l;
    base[m->leaf.t * item(f)] = a->t;
    for (uint32_t i = 0; i < f->ns; i++) base[amo_flow_state_register(m, i) * item(f)] = a->y[i];
  }
}

static void next_coefficients(amo_flow *f, int k)
{
  const amo_model *m = f->m;
  const size_t W = (size_t)f->W, it = item(f), at = (size_t)k * W;
  const double inv = 1.0 / (k + 1);
  for (uint32_t q = 0; q < m->nq; q++) {
    double *restrict x = f->jet + (m->leaf.q + q) * it + at + W;
    double *restrict u = f->jet + (m->leaf.u + q) * it + at;
    const double *restrict a = f->acc + q * it + at;
    for (size_t l = 0; l < W; l++) {
      x[l] = u[l] * inv;
      u[W + l] = a[l] * inv;
    }
  }
  for (uint32_t i = 0; i < m->nz; i++) {
    double *restrict z = f->jet + (m->leaf.z + i) * it + at + W;
    bool zero = k > 0 && amo_prog_is_fixed(m->step, m->extra[i].r_rate);
    const double *restrict r = f->jet + m->extra[i].r_rate * it + at;
    for (size_t l = 0; l < W; l++) z[l] = zero ? 0.0 : r[l] * inv;
  }
}

static void factor_lanes(amo_flow *f)
{
  for (int l = 0; l < f->W; l++) {
    amo_lane *a = &f->lane[l];
    if (!a->active) continue;
    amo_status st = amo_balance_factor(f->balance[l], (amo_span){f->jet + l, item(f), (size_t)f->W});
    if (st == AMO_OK) continue;
    long q = amo_balance_singular(f->balance[l]);
    amo_flow_fail(a, st, "the mass matrix is singular at t = %.9g (coordinate %s)", a->t,
                  q >= 0 ? f->m->q_sym[q].name : "?");
  }
}

static void solve_order(amo_flow *f, int k)
{
  for (int l = 0; l < f->W; l++) {
    if (!f->lane[l].active || f->lane[l].status != AMO_OK) continue;
    amo_result r = {f->acc + l,   f->lambda + l, f->multiplier + l, f->reaction + l, item(f),
                    (size_t)f->W, NULL};
    amo_balance_solve(f->balance[l], (amo_span){f->jet + l, item(f), (size_t)f->W}, r, k);
  }
}

static void finish_series(amo_flow *f)
{
  if (f->W == 1)
    amo_jet_finish1(f->m->step, f->jet, f->P, f->branch);
  else
    amo_jet_finish8(f->m->step, f->jet, f->P, f->branch);
}

static void expand_by_balance(amo_flow *f)
{
  for (int k = 0; k < f->P; k++) {
    jet_eval(f, k);
    if (k == 0) factor_lanes(f);
    solve_order(f, k);
    next_coefficients(f, k);
  }
  if (amo_jet_finish_needs_order(f->m->step)) jet_eval(f, f->P);
  finish_series(f);
}

void amo_flow_expand(amo_flow *f)
{
  load_states(f);
  take_modes(f);
  if (f->series != NULL)
    amo_series_run(f->series, f->jet, f->branch);
  else
    expand_by_balance(f);
  for (int l = 0; l < f->W; l++) {
    amo_lane *a = &f->lane[l];
    if (!a->active) continue;
    a->rearrange = false;
    a->stats.rhs += f->P;
  }
}
