// SPDX-License-Identifier: Apache-2.0
/// Making the engine: memory for all lanes, and where the series of each quantity lie.
#include <math.h>
#include <stdlib.h>

#include "contact/solutions.h"
#include "contact/joints.h"
#include "flow/defect.h"
#include "flow/explained.h"
#include "flow/long_time.h"
#include "flow/flow.h"
#include "flow/lanes.h"
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
  for (uint32_t i = 0; i < f->ns; i++)
    list[i] = (amo_integral){amo_flow_state_register(m, i), i < m->nq       ? m->leaf.u + i
                                                            : i < 2 * m->nq ? m->r_acc[i - m->nq]
                                                                            : m->extra[i - 2 * m->nq].r_rate};
  amo_status st = amo_series_new(m->step, list, f->ns, f->P, f->W, &f->series);
  free(list);
  return st;
}

static bool make_lane(const amo_flow *f, amo_lane *l)
{
  size_t nc = f->m->nc + 1u, nsw = f->nsw + 1u, ns = f->ns + 1u;
  l->y = calloc(ns, sizeof *l->y);
  l->scale = calloc(ns, sizeof *l->scale);
  l->weight = calloc(2u * ns, sizeof *l->weight);  // leading_size with it
  l->mode = calloc(2 * nc + nsw, 1);
  l->step_mode = calloc(2 * nc + nsw, 1);
  l->fresh = calloc(3 * nc + nsw, 1);
  l->gap_speed = calloc(nc, sizeof *l->gap_speed);
  l->gap_last = calloc(nc, sizeof *l->gap_last);
  l->gap_scale = calloc(nc, sizeof *l->gap_scale);
  l->closed_at = calloc(nc, sizeof *l->closed_at);
  l->impulse = calloc(2 * nc + f->m->nxi + f->m->ng, sizeof *l->impulse);
  l->accumulated = calloc(nc, sizeof *l->accumulated);
  l->share = calloc(nc, sizeof *l->share);
  l->impact_mode = calloc(nc, 1);
  l->impact_reaction_sign = calloc(nc, 1);
  l->impact_xi = calloc(f->m->nxi + 1u, sizeof *l->impact_xi);
  l->xi = calloc(f->m->nxi + 1u, sizeof *l->xi);
  l->release_scale = calloc(nc, sizeof *l->release_scale);
  l->condition_scale = calloc(nc + nsw, sizeof *l->condition_scale);
  l->hit = calloc(3 * nc + nsw, sizeof *l->hit);
  l->event = calloc(2 * nc + nsw, sizeof *l->event);
  if (!(l->y && l->scale && l->weight && l->mode && l->step_mode && l->fresh && l->release_scale &&
        l->condition_scale && l->hit && l->event && l->gap_speed && l->gap_last && l->gap_scale &&
        l->closed_at && l->impulse && l->accumulated && l->share && l->impact_mode &&
        l->impact_reaction_sign && l->impact_xi && l->xi))
    return false;
  l->leading_size = l->weight + ns;
  l->reaction_sign = l->mode + nc;
  l->branch = l->reaction_sign + nc;
  l->step_reaction_sign = l->step_mode + nc;
  l->step_branch = l->step_reaction_sign + nc;
  l->reaction_fresh = l->fresh + nc;
  l->gap_zeros = (signed char *)(l->reaction_fresh + nc);
  l->switch_fresh = (bool *)(l->gap_zeros + nc);
  return true;
}

static void free_lane(amo_lane *l)
{
  free(l->y);
  free(l->scale);
  free(l->weight);
  free(l->mode);
  free(l->step_mode);
  free(l->gap_speed);
  free(l->gap_last);
  free(l->gap_scale);
  free(l->closed_at);
  free(l->impulse);
  free(l->accumulated);
  free(l->share);
  free(l->impact_mode);
  free(l->impact_reaction_sign);
  free(l->impact_xi);
  free(l->xi);
  free(l->fresh);
  free(l->release_scale);
  free(l->condition_scale);
  free(l->hit);
  free(l->event);
}

/// Order that costs least for an accuracy: about half the digits' worth of e-folds, more when small.
static int order_for(double tol)
{
  int p = (int)lround(4.0 - 1.5 * log10(tol));
  return p < 9 ? 9 : p > 30 ? 30 : p;  // at least 8: a Runge-Kutta step must fit in
}

/// Is the slip a fixed combination of velocities plus something constant? Then its series is as good as theirs.
static bool follows_states(const amo_model *m, const amo_contact *k)
{
  for (uint32_t e = 0; e < k->nw; e++)
    if (!amo_prog_is_fixed(m->step, k->w[e].reg)) return false;
  return amo_prog_is_fixed(m->step, k->r_zeta);
}

/// Where the series lie.
static void find_series(amo_flow *f)
{
  const amo_model *m = f->m;
  const size_t it = (size_t)(f->P + 1) * (size_t)f->W;
  for (uint32_t i = 0; i < f->ns; i++) f->state[i] = f->jet + amo_flow_state_register(m, i) * it;
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
  f->jet = calloc((size_t)(amo_prog_registers(m->step) + 1u) * it, sizeof *f->jet);
  f->acc = calloc((m->nq + 1u) * it, sizeof *f->acc);
  f->lambda = calloc((m->nc + 1u) * it + AMO_LANES_PADDING, sizeof *f->lambda);
  f->multiplier = calloc((m->ng + 1u) * it, sizeof *f->multiplier);
  f->reaction = calloc((m->nc + 1u) * it, sizeof *f->reaction);
  f->traction = calloc((m->nxi + 1u) * it, sizeof *f->traction);
  f->speed = calloc(m->nxi > 0 ? (m->nc + 1u) * it : 1u, sizeof *f->speed);
  f->lane = calloc(W, sizeof *f->lane);
  f->balance = calloc(W, sizeof(amo_balance *));
  f->joints = m->njoint > 0 ? calloc(W, sizeof *f->joints) : NULL;
  if (m->njoint > 0 && !f->joints) return AMO_ENOMEM;
  f->branch = calloc((f->nsw + 1u) * W, 1);
  f->param = calloc((m->np + 1u) * W, sizeof *f->param);
  f->standing = calloc(m->nc + 1u, sizeof *f->standing);
  f->switch_value = calloc(f->nsw + 1u, sizeof *f->switch_value);
  f->guess = calloc(m->nc + 1u, 1);
  f->jump = calloc(3u * m->nc + 1u, sizeof *f->jump);
  f->within = calloc(f->ns + 1u, sizeof *f->within);
  f->size = calloc(f->ns + 1u, sizeof *f->size);
  f->error = calloc(amo_prog_registers(m->step) + 1u, sizeof *f->error);
  f->state = calloc(f->ns + 1u, sizeof *f->state);
  f->watch = calloc(m->nc + 1u, sizeof *f->watch);
  f->power = calloc(it + AMO_LANES_PADDING, sizeof *f->power);
  f->calm = calloc((m->nc + f->nsw + 1u) * W, sizeof *f->calm);
  f->leading = calloc(2u * f->ns + 1u, sizeof *f->leading);
  f->rounding = calloc(f->is_trial ? amo_prog_registers(m->step) + 1u : 1u, sizeof *f->rounding);
  if (!f->state || !f->watch || !f->power || !f->calm || !f->rounding || !f->leading || !f->jump || !f->guess)
    return AMO_ENOMEM;
  if (!f->traction || !f->speed) return AMO_ENOMEM;
  if (!f->jet || !f->acc || !f->lambda || !f->multiplier || !f->reaction || !f->lane || !f->balance ||
      !f->branch || !f->param || !f->standing || !f->switch_value || !f->within || !f->error || !f->size)
    return AMO_ENOMEM;
  amo_status st = make_series(f);
  if (st != AMO_OK) return st;
  find_series(f);
  st = amo_linear_series_new(f, &f->uniform);
  if (st != AMO_OK) return st;
  for (int l = 0; l < f->W; l++) {
    if (!make_lane(f, &f->lane[l])) return AMO_ENOMEM;
    if (f->series == NULL && f->uniform == NULL && amo_balance_new(m, &f->balance[l]) != AMO_OK)
      return AMO_ENOMEM;
    if (f->joints != NULL && amo_joints_new(m, &f->joints[l]) != AMO_OK) return AMO_ENOMEM;
    f->jet[m->leaf.t * it + W + (size_t)l] = 1.0;  // dt/dt
  }
  if (amo_has_guides(m)) st = amo_solutions_new(m, &f->solutions);
  if (st == AMO_OK && !f->is_trial) st = make_trials(f);
  if (st == AMO_OK && !f->is_trial && (m->nxi > 0 || amo_has_supports(m)))
    st = amo_long_time_new(m, &f->fate);
  if (st == AMO_OK && !f->is_trial) st = amo_explained_new(f, &f->explained);
  if (st == AMO_OK && !f->is_trial) st = amo_vanish_new(f, &f->vanish);
  f->checks_rates = amo_defect_matters(f);
  if (st == AMO_OK) st = amo_rk8_new(m, &f->rk8);
  return st == AMO_OK ? amo_point_new(m, &f->point) : st;
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
  f->starting = -1;
  f->m = m;
  f->opt = *opt;
  f->ns = 2 * m->nq + m->nz;
  f->nsw = amo_prog_switches(m->step);
  f->W = W;
  f->P = opt->order > 0 ? opt->order : order_for(opt->tol);
  amo_status st = allocate(f);
  if (st != AMO_OK) {
    amo_flow_free(f);
    return st;
  }
  for (int l = 0; l < W; l++) amo_flow_parameters(f, l, m->param_value);
  *out = f;
  return AMO_OK;
}

void amo_flow_free(amo_flow *f)
{
  if (f == NULL) return;
  for (int l = 0; l < f->W; l++) {
    if (f->lane) free_lane(&f->lane[l]);
    if (f->balance && f->uniform == NULL) amo_balance_free(f->balance[l]);
    if (f->joints) amo_joints_free(f->joints[l]);
  }
  free(f->jet);
  free(f->acc);
  free(f->lambda);
  free(f->multiplier);
  free(f->reaction);
  free(f->traction);
  free(f->speed);
  free(f->lane);
  free(f->balance);
  free(f->joints);
  free(f->branch);
  free(f->param);
  free(f->standing);
  free(f->switch_value);
  free(f->within);
  free(f->error);
  free(f->size);
  free(f->state);
  free(f->watch);
  free(f->power);
  free(f->calm);
  free(f->leading);
  free(f->rounding);
  free(f->jump);
  free(f->guess);
  amo_linear_series_free(f->uniform);
  amo_series_free(f->series);
  amo_point_free(f->point);
  amo_rk8_free(f->rk8);
  amo_explained_free(f->explained);
  amo_vanish_free(f->vanish);
  amo_solutions_free(f->solutions);
  amo_decider_free(f->decider);
  amo_long_time_free(f->fate);
  amo_flow_free(f->trials[0]);
  amo_flow_free(f->trials[1]);
  amo_prover_free(f->prover);
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
