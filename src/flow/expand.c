// SPDX-License-Identifier: Apache-2.0
/// Power series of the motion: from the state, coefficient by coefficient,
///   (q,u,z)_{k+1} = (u, u', z')_k / (k+1),
/// where u'_k solves the balance of forces at order k. One factorisation serves all orders; plain models
/// need none and run as one explicit series.
#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/joints.h"
#include "contact/unsolved.h"
#include "flow/defect.h"
#include "flow/direction.h"
#include "flow/faster.h"
#include "flow/flow.h"
#include "flow/from_rest.h"
#include "flow/linear_series.h"
#include "num/rounding.h"

void amo_flow_evaluate_order(amo_flow *f, int k)
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
      f->jet[(size_t)(m->leaf.sigma + c) * amo_flow_item(f) + (size_t)l] = amo_sigma(a->mode[c]);
    for (uint32_t i = 0; i < f->nsw; i++) f->branch[i * (uint32_t)f->W + (uint32_t)l] = a->branch[i];
    if (f->uniform != NULL)
      amo_linear_series_arrange(f, l);
    else if (f->series == NULL)
      amo_balance_arrange(f->balance[l], a->mode, a->reaction_sign);
  }
  if (!any) return;
  if (f->W == 1)
    amo_jet_prepare1(m->step, f->jet, f->P);
  else
    amo_jet_prepare8(m->step, f->jet, f->P);
  if (f->end != NULL) amo_defect_prepare(f);
  if (f->uniform != NULL) amo_linear_series_prepare(f);
}

/// Series of states whose course is told; those of more orders than are asked for are cut.
static void load_given(amo_flow *f)
{
  const int known = f->given_order < f->P ? f->given_order : f->P;
  for (uint32_t i = 0; i < f->givens; i++) {
    double *series = f->state[f->ns - f->givens + i];
    memset(series + 1, 0, (size_t)f->P * sizeof *series);
    if (f->given != NULL)
      memcpy(series + 1, f->given + i * (size_t)(f->given_order + 1) + 1, (size_t)known * sizeof *series);
  }
}

static void load_states(amo_flow *f)
{
  const amo_model *m = f->m;
  if (f->givens > 0) load_given(f);
  for (int l = 0; l < f->W; l++) {
    const amo_lane *a = &f->lane[l];
    if (!a->active) continue;
    f->jet[m->leaf.t * amo_flow_item(f) + (size_t)l] = a->t;
    for (uint32_t i = 0; i < f->ns; i++) f->state[i][l] = a->y[i];
  }
}

/// Coefficient k of the accelerations; a fixed one has no others but the first.
static const double *accelerations(const amo_flow *f, uint32_t q, int k)
{
  static const double none[AMO_LANES] = {0.0};
  if (f->series == NULL) return f->acc + q * amo_flow_item(f) + (size_t)k * (size_t)f->W;
  const uint32_t reg = f->m->r_acc[q];
  return k > 0 && amo_prog_is_fixed(f->m->step, reg) ? none
                                                     : amo_flow_series(f, 0, reg) + (size_t)k * (size_t)f->W;
}

/// to = factor * from, one lane or AMO_LANES: numbers the compiler knows.
static inline void scaled(double *restrict to, const double *restrict from, double factor, size_t W)
{
  if (W == 1)
    *to = *from * factor;
  else
    for (size_t l = 0; l < AMO_LANES; l++) to[l] = from[l] * factor;
}

void amo_flow_next_coefficients(amo_flow *f, int k)
{
  const amo_model *m = f->m;
  const size_t W = (size_t)f->W, it = amo_flow_item(f), at = (size_t)k * W;
  const double inv = 1.0 / (k + 1);
  for (uint32_t q = 0; q < m->nq; q++) {
    double *x = f->jet + (m->leaf.q + q) * it + at, *u = f->jet + (m->leaf.u + q) * it + at;
    scaled(x + W, u, inv, W);
    scaled(u + W, accelerations(f, q, k), inv, W);
  }
  for (uint32_t i = 0; i < m->nz - f->givens; i++) {
    double *z = f->jet + (m->leaf.z + i) * it + at;
    if (k > 0 && amo_prog_is_fixed(m->step, m->extra[i].r_rate))
      memset(z + W, 0, W * sizeof *z);
    else
      scaled(z + W, f->jet + m->extra[i].r_rate * it + at, inv, W);
  }
}

static void factor_lanes(amo_flow *f)
{
  for (int l = 0; l < f->W; l++) {
    amo_lane *a = &f->lane[l];
    if (!a->active) continue;
    amo_status st =
        f->uniform != NULL
            ? amo_linear_series_status(f, l)
            : amo_balance_factor(f->balance[l], (amo_span){f->jet + l, amo_flow_item(f), (size_t)f->W});
    if (st == AMO_OK) continue;
    const amo_span values = {f->jet + l, amo_flow_item(f), (size_t)f->W};
    char why[AMO_UNSOLVED_TEXT];
    amo_flow_fail(a, st, "%s at t = %.9g",
                  amo_unsolved(f->m, values, amo_balance_singular(f->balance[l]), why), a->t);
  }
}

amo_result amo_flow_results(const amo_flow *f, int lane)
{
  return (amo_result){f->acc + lane,
                      f->lambda + lane,
                      f->multiplier + lane,
                      f->reaction + lane,
                      f->traction + lane,
                      amo_flow_item(f),
                      (size_t)f->W,
                      NULL,
                      NULL,
                      f->slack + lane};
}

/// Contacts that are not there bring no force, at any order.
static void clear_open(amo_flow *f, int l)
{
  const size_t W = (size_t)f->W;
  for (uint32_t c = 0; c < f->m->nc; c++)
    for (size_t k = 0; f->lane[l].mode[c] == AMO_MODE_OPEN && k < (size_t)f->P; k++) {
      const size_t at = c * amo_flow_item(f) + k * W + (size_t)l;
      f->lambda[at] = f->reaction[at] = 0.0;
    }
}

static void solve_order(amo_flow *f, int k)
{
  for (int l = 0; l < f->W; l++) {
    if (!f->lane[l].active || f->lane[l].status != AMO_OK) continue;
    const amo_result r = amo_flow_results(f, l);
    amo_balance_solve(f->balance[l], (amo_span){f->jet + l, amo_flow_item(f), (size_t)f->W}, r, k);
    if (k == 0) clear_open(f, l);
  }
}

static void finish_series(amo_flow *f)
{
  if (f->W == 1)
    amo_jet_finish1(f->m->step, f->jet, f->P, f->branch);
  else
    amo_jet_finish8(f->m->step, f->jet, f->P, f->branch);
}

/// As in contact/point.c, of series.
static bool joints_differ(amo_flow *f, int l, amo_span v)
{
  if (f->joints == NULL ||
      !(amo_joints_follow(f->joints[l], f->balance[l], f->jet + l, v, amo_flow_results(f, l), f->lane[l].mode,
                          f->P) > AMO_CANCELLED))
    return false;
  for (int k = 0; k < f->P; k++) amo_flow_evaluate_order(f, k);
  finish_series(f);
  return true;
}

/// What the balance leaves open among sticking contacts. Lanes may have one balance together: each notes its own share.
static void share_out(amo_flow *f)
{
  for (int l = 0; l < f->W; l++) {
    amo_lane *a = &f->lane[l];
    if (!a->active || a->status != AMO_OK) continue;
    amo_balance *b = f->balance[l];
    a->shares = amo_balance_is_open(b);
    if (!a->shares || f->is_short) continue;
    amo_balance_over(b, amo_flow_trusted_length(f, l));
    const amo_span v = {f->jet + l, amo_flow_item(f), (size_t)f->W};
    amo_status st = amo_balance_share_out(b, v, amo_flow_results(f, l), f->P, a->stressed);
    for (int pass = 0; st == AMO_OK && pass < AMO_SHARES && joints_differ(f, l, v); pass++)
      st = amo_balance_share_out(b, v, amo_flow_results(f, l), f->P, a->stressed);
    if (st != AMO_OK) amo_flow_fail(a, st, "out of memory");
    for (uint32_t c = 0; c < f->m->nc; c++) {
      amo_lane_share *x = &a->share[c];
      x->carried = amo_balance_carried(b, c, &x->reach);
      x->leader = amo_balance_leader(b, c, &x->side);
    }
  }
}

static void release_joints(amo_flow *f, int k)
{
  for (int l = 0; l < f->W; l++)
    amo_joints_clear(f->m, f->jet + l, (amo_span){f->jet + l, amo_flow_item(f), (size_t)f->W}, k);
}

/// Normal forces of joints at order k, from the balance without them.
static void press_joints(amo_flow *f, int k)
{
  for (int l = 0; l < f->W; l++) {
    amo_lane *a = &f->lane[l];
    if (!a->active || a->status != AMO_OK) continue;
    const amo_span v = {f->jet + l, amo_flow_item(f), (size_t)f->W};
    amo_status st = amo_joints_find(f->joints[l], f->balance[l], f->jet + l, v, amo_flow_results(f, l),
                                    a->mode, a->reaction_fresh, k);
    if (st != AMO_OK) amo_flow_fail(a, st, "the friction of the joints allows no slip at t = %.9g", a->t);
  }
}

/// All of order k from the lower orders. With spatial contacts the direction of slip comes from the slip velocity, and
/// what depends on it from a second evaluation; with joints their normal forces come from the reactions.
void amo_flow_expand_order(amo_flow *f, int k)
{
  if (f->series != NULL) {
    amo_flow_evaluate_order(f, k);
    return;
  }
  if (f->joints != NULL) release_joints(f, k);
  amo_flow_evaluate_order(f, k);
  if (f->m->nxi > 0 && !amo_direction_take(f, k)) amo_flow_evaluate_order(f, k);
  if (k == 0) factor_lanes(f);
  solve_order(f, k);
  if (f->joints == NULL) return;
  press_joints(f, k);
  amo_flow_evaluate_order(f, k);
  solve_order(f, k);
}

static void finish_orders(amo_flow *f)
{
  if (f->joints != NULL) release_joints(f, f->P);
  if (amo_jet_finish_needs_order(f->m->step) || f->m->nxi > 0) {
    amo_flow_evaluate_order(f, f->P);
    if (f->m->nxi > 0 && !amo_direction_take(f, f->P)) amo_flow_evaluate_order(f, f->P);
  }
  finish_series(f);
  if (f->series == NULL) share_out(f);
}

/// All orders by compiled code, where there is some and no lane has anything to solve for. False: not so.
static bool expand_freely(amo_flow *f)
{
  const amo_code *c = amo_prog_code(f->m->step, f->P, f->W);
  bool free = c != NULL && c->free_series != NULL;
  for (int l = 0; l < f->W && free; l++) free = !f->lane[l].active || amo_balance_is_free(f->balance[l]);
  if (!free) return false;
  c->free_series(f->jet, f->acc, f->branch);
  factor_lanes(f);
  for (int l = 0; l < f->W; l++) clear_open(f, l);
  return true;
}

static void expand_by_balance(amo_flow *f)
{
  if (f->starts > 0)
    amo_expand_from_rest(f);
  else if (!expand_freely(f))
    for (int k = 0; k < f->P; k++) {
      amo_flow_expand_order(f, k);
      amo_flow_next_coefficients(f, k);
    }
  finish_orders(f);
}

static void expand_uniform(amo_flow *f)
{
  amo_flow_expand_order(f, 0);
  amo_flow_next_coefficients(f, 0);
  amo_linear_series_expand(f);
  finish_series(f);
  share_out(f);
}

void amo_flow_expand_to(amo_flow *f, int orders)
{
  load_states(f);
  take_modes(f);
  for (int k = 0; k < orders; k++) {
    amo_flow_expand_order(f, k);
    amo_flow_next_coefficients(f, k);
  }
}

void amo_flow_prepare(amo_flow *f)
{
  if (f->opt.stepper != AMO_STEPPER_RK8 && !f->lane[0].implicit) amo_flow_expand(f);
}

static void note_expanded(amo_flow *f)
{
  for (int l = 0; l < f->W; l++) {
    amo_lane *a = &f->lane[l];
    if (!a->active) continue;
    a->rearrange = false;
    a->stats.rhs += f->P;
  }
  amo_faster_count(f);
}

void amo_flow_open_series(amo_flow *f)
{
  load_states(f);
  take_modes(f);
}

void amo_flow_close_series(amo_flow *f)
{
  finish_orders(f);
  note_expanded(f);
}

void amo_flow_expand(amo_flow *f)
{
  amo_flow_open_series(f);
  if (f->series != NULL)
    amo_series_run(f->series, f->jet, f->branch);
  else if (f->uniform != NULL)
    expand_uniform(f);
  else
    expand_by_balance(f);
  note_expanded(f);
}
