// SPDX-License-Identifier: Apache-2.0
/// Making the engine: memory for all lanes, and where the series of each quantity lie.
#include <math.h>
#include <stdlib.h>

#include "contact/solutions.h"
#include "contact/joints.h"
#include "flow/defect.h"
#include "flow/explained.h"
#include "flow/faster.h"
#include "flow/long_time.h"
#include "flow/flow.h"
#include "flow/implicit.h"
#include "expr/lanes.h"
#include "flow/proof.h"
#include "flow/linear_series.h"
#include "flow/rk8.h"
#include "flow/vanish.h"
#include "flow/decide.h"

/// Plain models: q' = u, u' = acc, z' = rate, all explicit.
static amo_status make_series(amo_flow *f)
{
  const amo_model *m = f->m;
  if (!m->plain) return AMO_OK;
  amo_integral *list = calloc(f->ns + 1u, sizeof *list);
  if (list == NULL) return AMO_ENOMEM;
  amo_flow_integrals(m, list);
  amo_status st = amo_series_new(m->step, list, f->ns - f->givens, f->P, f->W, &f->series);
  free(list);
  return st;
}

void amo_lane_make(const amo_flow *f, amo_lane *l, amo_arena *memory)
{
  size_t nc = f->m->nc + 1u, nsw = f->nsw + 1u, ns = f->ns + 1u;
  AMO_TAKE(memory, double, ns, &l->y, &l->scale, &l->weight, &l->leading_size, &l->decay);
  AMO_TAKE(memory, signed char, 2 * nc + nsw, &l->mode, &l->step_mode);
  AMO_TAKE(memory, bool, 3 * nc + nsw, &l->fresh);
  AMO_TAKE(memory, double, nc, &l->gap_scale, &l->closed_at, &l->release_scale);
  AMO_TAKE(memory, double, 2 * nc + f->m->nxi + f->m->ng, &l->impulse);
  AMO_TAKE(memory, bool, nc, &l->accumulated, &l->stressed);
  AMO_TAKE(memory, amo_lane_share, nc, &l->share);
  AMO_TAKE(memory, signed char, nc, &l->impact_mode, &l->impact_reaction_sign);
  AMO_TAKE(memory, double, f->m->nxi + 1u, &l->impact_xi, &l->xi);
  AMO_TAKE(memory, double, f->m->nq + 1u, &l->impact_u);
  AMO_TAKE(memory, double, nc + nsw, &l->condition_scale);
  AMO_TAKE(memory, amo_condition, 3 * nc + nsw, &l->hit);
  AMO_TAKE(memory, amo_event, 2 * nc + nsw, &l->event);
  if (memory->failed) return;
  l->reaction_sign = l->mode + nc;
  l->branch = l->reaction_sign + nc;
  l->step_reaction_sign = l->step_mode + nc;
  l->step_branch = l->step_reaction_sign + nc;
  l->reaction_fresh = l->fresh + nc;
  l->gap_zeros = (signed char *)(l->reaction_fresh + nc);
  l->switch_fresh = (bool *)(l->gap_zeros + nc);
  l->degree = f->P;
}

/// Order that costs least for an accuracy: about half the digits' worth of e-folds, more when small.
int amo_flow_order_for(double tol)
{
  int p = (int)lround(4.0 - 1.5 * log10(tol));
  return p < 9 ? 9 : p > 30 ? 30 : p;  // at least 8: a Runge-Kutta step must fit in
}

/// Is the slip a fixed combination of velocities plus something constant? Then its series is as good as theirs.
static bool follows_states(const amo_model *m, const amo_contact *k)
{
  return amo_row_is_fixed(m, k->w, k->nw) && amo_prog_is_fixed(m->step, k->r_zeta);
}

/// Where the series lie.
static void find_series(amo_flow *f)
{
  const amo_model *m = f->m;
  const size_t it = (size_t)(f->P + 1) * (size_t)f->W;
  for (uint32_t i = 0; i < f->ns; i++) f->state[i] = f->jet + amo_state_leaf(m, i) * it;
  for (uint32_t c = 0; c < m->nc; c++) {
    amo_watch *w = &f->watch[c];
    w->slip = amo_flow_series(f, 0, m->contact[c].r_slip);
    w->bound = amo_flow_series(f, 0, m->contact[c].r_bound);
    w->stick = amo_flow_stick_force(f, 0, c, &w->stick_fixed);
    w->slip_fixed = amo_prog_is_fixed(m->step, m->contact[c].r_slip);
    w->bound_fixed = amo_prog_is_fixed(m->step, m->contact[c].r_bound);
    w->slip_own = !follows_states(m, &m->contact[c]);
  }
}

static amo_status make_flow(const amo_model *m, const amo_sim_opts *opt, int W, bool trial, amo_flow **out);

/// Two flows of one lane, for decisions.
static amo_status make_trials(amo_flow *f)
{
  amo_sim_opts few = f->opt;
  few.order = AMO_FEW_ORDERS;
  amo_status st = amo_decider_new(f->m, &f->decider);
  if (st == AMO_OK) st = make_flow(f->m, &few, 1, true, &f->trials[0]);
  if (st != AMO_OK) return st;
  f->trials[0]->is_short = true;
  return make_flow(f->m, &f->opt, 1, true, &f->trials[1]);
}

static amo_status allocate(amo_flow *f)
{
  const amo_model *m = f->m;
  size_t W = (size_t)f->W, it = (size_t)(f->P + 1) * W;
  AMO_TAKE(&f->memory, double, (size_t)(amo_prog_registers(m->step) + 1u) * it, &f->jet);
  AMO_TAKE(&f->memory, double, (m->nq + 1u) * it, &f->acc);
  AMO_TAKE(&f->memory, double, (m->nc + 1u) * it + AMO_LANES_PADDING, &f->lambda);
  AMO_TAKE(&f->memory, double, (m->ng + 1u) * it, &f->multiplier);
  AMO_TAKE(&f->memory, double, (m->nc + 1u) * it, &f->reaction, &f->slack);
  AMO_TAKE(&f->memory, double, (m->nxi + 1u) * it, &f->traction);
  AMO_TAKE(&f->memory, double, m->nxi > 0 ? (m->nc + 1u) * it : 1u, &f->speed);
  AMO_TAKE(&f->memory, amo_lane, W, &f->lane);
  AMO_TAKE(&f->memory, amo_balance *, W, &f->balance);
  if (m->njoint > 0) AMO_TAKE(&f->memory, struct amo_joints *, W, &f->joints);
  AMO_TAKE(&f->memory, signed char, (f->nsw + 1u) * W, &f->branch);
  AMO_TAKE(&f->memory, double, (m->np + 1u) * W, &f->param);
  AMO_TAKE(&f->memory, amo_standing, m->nc + 1u, &f->standing);
  AMO_TAKE(&f->memory, double, f->nsw + 1u, &f->switch_value);
  AMO_TAKE(&f->memory, signed char, m->nc + 1u, &f->guess);
  AMO_TAKE(&f->memory, double, 4u * m->nc + 1u, &f->jump);
  AMO_TAKE(&f->memory, double, f->ns + 1u, &f->within, &f->size);
  AMO_TAKE(&f->memory, double, amo_prog_registers(m->step) + 1u, &f->error);
  AMO_TAKE(&f->memory, double *, f->ns + 1u, &f->state);
  AMO_TAKE(&f->memory, amo_starting, f->is_trial && m->nxi > 0 ? m->nc : 1u, &f->starting);
  AMO_TAKE(&f->memory, amo_watch, m->nc + 1u, &f->watch);
  AMO_TAKE(&f->memory, double, it + AMO_LANES_PADDING, &f->power);
  AMO_TAKE(&f->memory, double, 2u * f->ns + 1u, &f->leading);
  AMO_TAKE(&f->memory, double, f->is_trial ? amo_prog_registers(m->step) + 1u : 1u, &f->rounding);
  for (size_t l = 0; f->lane && l < W; l++) amo_lane_make(f, &f->lane[l], &f->memory);
  return f->memory.failed ? AMO_ENOMEM : AMO_OK;
}

/// Who solves for the unknowns, and where their series lie.
static amo_status make_solvers(amo_flow *f)
{
  const amo_model *m = f->m;
  const size_t W = (size_t)f->W, it = (size_t)(f->P + 1) * W;
  amo_status st = make_series(f);
  if (st != AMO_OK) return st;
  find_series(f);
  st = amo_linear_series_new(f, &f->uniform);
  if (st != AMO_OK) return st;
  for (int l = 0; l < f->W; l++) {
    if (f->series == NULL && f->uniform == NULL && amo_balance_new(m, &f->balance[l]) != AMO_OK)
      return AMO_ENOMEM;
    if (f->joints != NULL && amo_joints_new(m, &f->joints[l]) != AMO_OK) return AMO_ENOMEM;
    f->jet[m->leaf.t * it + W + (size_t)l] = 1.0;  // dt/dt
  }
  f->jams = amo_has_guides(m);
  f->asks_rounding = f->series == NULL;
  for (uint32_t c = 0; c < m->nc; c++) f->asks_rounding |= amo_is_massless(&m->contact[c]);
  f->may_be_implicit = amo_implicit_possible(f);
  f->checks_rates = amo_defect_matters(f);
  AMO_TAKE(&f->memory, double, (amo_prog_registers(m->step) + 1u) * W, &f->ending);
  if (f->checks_rates && m->plain) f->end = f->ending;
  if (f->memory.failed) return AMO_ENOMEM;
  f->ending += amo_state_leaf(m, 0) * W;
  st = f->memory.failed ? AMO_ENOMEM : amo_rk8_new(m, &f->memory, &f->rk8);
  return st == AMO_OK ? amo_point_new(m, &f->point) : st;
}

/// Who decides and checks; trials do neither.
static amo_status make_judges(amo_flow *f)
{
  const amo_model *m = f->m;
  const bool opens = amo_has_supports(m);
  amo_status st = f->jams || opens ? amo_solutions_new(m, &f->solutions) : AMO_OK;
  if (st == AMO_OK) st = make_trials(f);
  if (st == AMO_OK && (m->nxi > 0 || opens)) st = amo_long_time_new(m, &f->memory, &f->fate);
  if (st == AMO_OK) st = amo_explained_new(f, &f->memory, &f->explained);
  return st == AMO_OK ? amo_vanish_new(f, &f->memory, &f->vanish) : st;
}

amo_status amo_flow_new(const amo_model *m, const amo_sim_opts *opt, int W, amo_flow **out)
{
  return make_flow(m, opt, W, false, out);
}

static amo_status make_flow(const amo_model *m, const amo_sim_opts *opt, int W, bool trial, amo_flow **out)
{
  *out = NULL;
  amo_flow *f = calloc(1, sizeof *f);
  if (f == NULL) return AMO_ENOMEM;
  f->is_trial = trial;
  f->m = m;
  f->opt = *opt;
  f->opt.values = amo_values_or_file(opt->values, m);
  f->ns = 2 * m->nq + m->nz;
  for (uint32_t i = 0; i < m->nz; i++) f->givens += m->extra[i].given;
  f->nsw = amo_prog_switches(m->step);
  f->W = W;
  f->P = opt->order > 0 ? opt->order : amo_flow_order_for(opt->tol);
  amo_status st = allocate(f);
  if (st == AMO_OK) st = make_solvers(f);
  if (st == AMO_OK && !trial) st = make_judges(f);
  if (st != AMO_OK) {
    amo_flow_free(f);
    return st;
  }
  for (int l = 0; l < W; l++) amo_flow_parameters(f, l, f->opt.values->param);
  amo_faster_begin(f);
  *out = f;
  return AMO_OK;
}

void amo_flow_free(amo_flow *f)
{
  if (f == NULL) return;
  amo_faster_end(f);
  for (int l = 0; l < f->W; l++) {
    if (f->balance && f->uniform == NULL) amo_balance_free(f->balance[l]);
    if (f->joints) amo_joints_free(f->joints[l]);
  }
  amo_linear_series_free(f->uniform);
  amo_series_free(f->series);
  amo_point_free(f->point);
  amo_explained_free(f->explained);
  amo_solutions_free(f->solutions);
  amo_decider_free(f->decider);
  amo_flow_free(f->trials[0]);
  amo_flow_free(f->trials[1]);
  amo_implicit_free(f->implicit);
  amo_prover_free(f->prover);
  amo_arena_free(&f->memory);
  free(f);
}

void amo_flow_parameters(amo_flow *f, int lane, const double *param)
{
  const amo_model *m = f->m;
  size_t it = (size_t)(f->P + 1) * (size_t)f->W;
  for (uint32_t i = 0; i < m->np; i++) {
    f->param[i * (uint32_t)f->W + (uint32_t)lane] = param[i];
    f->jet[(m->leaf.param + i) * it + (size_t)lane] = param[i];
  }
  f->lane[lane].rearrange = true;
}
