// SPDX-License-Identifier: Apache-2.0
#include "flow/trial.h"

#include <math.h>
#include <string.h>

#include "contact/conditions.h"
#include "expr/bounds.h"
#include "flow/direction.h"
#include "flow/slip_start.h"
#include "flow/leading.h"
#include "flow/promise.h"

static double scale_of(const amo_flow *tr)
{
  return tr->lane[0].trial;
}

/// A condition of the trial over its trusted length.
static amo_promise promise(const amo_flow *tr, const amo_condition *x, double reaction_sign)
{
  amo_promise g = amo_promise_with(tr, 0, x, reaction_sign);
  amo_poly_scale(g.a, g.degree, scale_of(tr));
  return g;
}

double amo_trial_time_error(const amo_flow *tr)
{
  const amo_lane *l = &tr->lane[0];
  const double found = tr->opt.stepper == AMO_STEPPER_RK8 ? AMO_FAINT : AMO_NOTHING;
  const double pace =
      fmin(l->pace, fabs(l->t));  // what hardly moves may be trusted for ages, in which nothing was found
  return 8.0 * DBL_EPSILON * fabs(l->t) + found * fmax(l->h, pace);
}

/// The first coefficient from `known` on that counts; beyond the last: none. The first of them counts if it is more than rounding of what it
/// is made of, `size`, and of the time; later ones also against each other over the trusted length.
static int leader(const amo_flow *tr, const amo_promise *g, int known, double size)
{
  const double rounding = amo_lane_rounding(&tr->lane[0], scale_of(tr));
  double change = known < g->degree ? (known + 1) * fabs(g->a[known + 1]) / scale_of(tr) : 0.0;
  if (isnan(change)) change = 0.0;  // the series ends early: there is no rate
  if (fabs(g->a[known]) >
      amo_value_rounding(&tr->lane[0], scale_of(tr)) * size + amo_trial_time_error(tr) * change)
    return known;
  if (tr->is_short && !(tr->lane[0].pace > 0.0)) return g->degree + 1;  // over which time?
  double most = size;
  for (int k = known; k <= g->degree; k++) most = fmax(most, fabs(g->a[k]));
  // without any load the first coefficients are exact: late ones, over the long time of nearly polynomial motion, may not drown them
  const double none = (size > 0.0 ? rounding : rounding * rounding) * most;
  int k = known + 1;
  while (k <= g->degree && !(fabs(g->a[k]) > none)) k++;
  return k;
}

/// The sign of coefficient k, which is the first that counts; 0: there is none.
static int sign_at(const amo_flow *tr, const amo_promise *g, int known, int k)
{
  return k > g->degree || (tr->by_values && k > known) ? 0 : g->a[k] > 0.0 ? 1 : -1;
}

static int leading(const amo_flow *tr, const amo_promise *g, int known, double size)
{
  return sign_at(tr, g, known, leader(tr, g, known, size));
}

static amo_span values_of(const amo_flow *tr)
{
  return (amo_span){tr->jet, amo_flow_item(tr), 1};
}

/// What the forces of contact c are measured against.
static double force_size(const amo_flow *tr, uint32_t c)
{
  return tr->series != NULL ? 0.0 : amo_balance_force_size(tr->balance[0], values_of(tr), tr->rounding, c);
}

static double rate_size(const amo_flow *tr, const amo_entry *row, uint32_t n)
{
  return tr->series != NULL ? 0.0
                            : amo_balance_rate_size(tr->balance[0], values_of(tr), tr->rounding, row, n);
}

static amo_promise reaction(const amo_flow *tr, uint32_t c)
{
  return promise(tr, &(amo_condition){.what = AMO_IS_REACTION, .index = c, .side = 1}, 1.0);
}

static int reaction_sign(const amo_flow *tr, uint32_t c)
{
  const amo_promise g = reaction(tr, c);
  return leading(tr, &g, 0, force_size(tr, c));
}

int amo_trial_reaction_sign(const amo_flow *f, uint32_t c)
{
  return reaction_sign(f->trial, c);
}

bool amo_trial_unloaded(const amo_flow *f, uint32_t c)
{
  const amo_flow *tr = f->trial;
  const amo_promise g = reaction(tr, c);
  double most = 0.0;
  for (int k = 0; k <= g.degree; k++) most = fmax(most, fabs(g.a[k]));
  const int k = leader(tr, &g, 0, force_size(tr, c) > 0.0 ? force_size(tr, c) : most);
  return k > 0 && (k > g.degree || tr->lane[0].reaction_sign[c] * g.a[k] >= 0.0);
}

/// Of the bound, with the sign that the reaction takes.
static double bound_sign(const amo_flow *tr, uint32_t c)
{
  return amo_has_gap(&tr->m->contact[c]) && reaction_sign(tr, c) < 0 ? -1.0 : 1.0;
}

/// bound - side lambda: negative where stick cannot hold against a force to that side.
static int margin_sign(const amo_flow *tr, const amo_condition *x)
{
  const uint32_t c = x->index;
  const amo_promise g = promise(tr, x, bound_sign(tr, c));
  double reach;
  const double shared = amo_flow_carried(tr, 0, c, &reach) ? reach : 0.0;
  double size = fmax(amo_promise_bound(tr, 0, c), fmax(shared, force_size(tr, c)));
  if (amo_is_massless(&tr->m->contact[c]))
    size = fmax(size, tr->rounding[tr->m->contact[c].r_stick] / DBL_EPSILON);
  return leading(tr, &g, 0, size);
}

/// bound^2 - |lambda|^2 of a spatial contact.
static int cone_sign(const amo_flow *tr, const amo_condition *x)
{
  const amo_promise g = promise(tr, x, bound_sign(tr, x->index));
  const double size = fmax(amo_promise_bound(tr, 0, x->index), force_size(tr, x->index));
  return leading(tr, &g, 0, size * size);
}

/// The first coefficient of a slip that counts, beyond the zero it begins with.
static int slip_leader(const amo_flow *tr, uint32_t c, amo_promise *g)
{
  const amo_contact *k = &tr->m->contact[c];
  *g = promise(tr, &(amo_condition){.what = AMO_IS_SLIP, .index = c, .side = 1}, 1.0);
  return leader(tr, g, 1, fmax(amo_direction_scale(tr, c), rate_size(tr, k->w, k->nw)) * scale_of(tr));
}

/// What has no mass may slip at once, the way it is drawn only.
static int slider_sign(const amo_flow *tr, uint32_t c)
{
  const uint32_t reg = tr->m->contact[c].r_slip;
  const int mode = tr->lane[0].mode[c];
  const amo_promise g = promise(tr, &(amo_condition){.what = AMO_IS_SLIP, .index = c, .side = 1}, 1.0);
  if (mode != (tr->watch[c].stick[0] < 0.0 ? 1 : -1)) return -mode;
  return leading(tr, &g, 0, tr->rounding[reg] / DBL_EPSILON);
}

bool amo_trial_slips_late(const amo_flow *f, uint32_t c)
{
  amo_promise g;
  return slip_leader(f->trial, c, &g) > 1 && f->trial->lane[0].mode[c] * g.a[1] < 0.0;
}

/// The gap of a support that opens, and what its second coefficient is measured against.
static amo_promise gap_of(const amo_flow *tr, uint32_t c, double *size)
{
  const amo_contact *k = &tr->m->contact[c];
  *size = 0.5 * rate_size(tr, k->n, k->nn) * scale_of(tr) * scale_of(tr);
  return promise(tr, &(amo_condition){.what = AMO_IS_GAP, .index = c, .side = 1}, 1.0);
}

int amo_trial_gap_zeros(const amo_flow *f, uint32_t c)
{
  double size;
  const amo_promise g = gap_of(f->trial, c, &size);
  const int k = leader(f->trial, &g, 2, size);
  return k <= g.degree && g.a[k] > 0.0 ? k : 2;
}

static int gap_sign(const amo_flow *tr, uint32_t c)
{
  double size;
  const amo_promise g = gap_of(tr, c, &size);
  return leading(tr, &g, 2, size);
}

static int sign_of(const amo_flow *tr, const amo_condition *x)
{
  amo_promise g;
  const uint32_t c = x->index;
  switch (x->what) {
    case AMO_IS_SLIP:
      if (amo_is_slider(&tr->m->contact[c])) return x->side * slider_sign(tr, c);
      return x->side * sign_at(tr, &g, 1, slip_leader(tr, c, &g));
    case AMO_IS_MARGIN: return margin_sign(tr, x);
    case AMO_IS_CONE: return cone_sign(tr, x);
    case AMO_IS_REACTION: return x->side * reaction_sign(tr, c);
    default: return gap_sign(tr, c);
  }
}

/// Is this asked now? A slip or gap that is not zero keeps its sign for a while, a size is never negative.
static bool is_asked(const amo_condition *x, const amo_footing *footing)
{
  return x->what == AMO_IS_GAP    ? footing->closed
         : x->what == AMO_IS_SLIP ? footing->at_rest
                                  : x->what != AMO_IS_PRESSING;
}

/// Has this to be more than not negative? A slip that begins and a gap that opens have, as far as their series tell: where
/// the law has a root at rest they end early.
static bool is_strict(const amo_flow *tr, const amo_condition *x, signed char mode)
{
  return (x->what == AMO_IS_GAP || (x->what == AMO_IS_SLIP && mode != 0)) && !tr->lane[0].leading &&
         !tr->by_values;
}

/// The sign of the acceleration of a gap that is tied: what others make of it.
static int tied_sign(const amo_flow *tr, const amo_contact *k)
{
  amo_promise g = {.degree = tr->P - 1};
  amo_promise_read(&g, tr, amo_flow_series(tr, 0, k->r_gap_zeta), 0,
                   amo_prog_is_fixed(tr->m->step, k->r_gap_zeta), 1.0);
  for (uint32_t e = 0; e < k->nn; e++) {
    amo_promise n = {.degree = g.degree};
    amo_promise_read(&n, tr, amo_flow_series(tr, 0, k->n[e].reg), 0,
                     amo_prog_is_fixed(tr->m->step, k->n[e].reg), 1.0);
    amo_series_add_product(g.a, n.a, tr->acc + k->n[e].col * amo_flow_item(tr), 1.0, g.degree + 1);
  }
  amo_poly_scale(g.a, g.degree, scale_of(tr));
  return leading(tr, &g, 0, rate_size(tr, k->n, k->nn));
}

/// A tie that depends on others at this instant may part from them, or be pressed in by them, in the next: then it is none.
static amo_verdict judge_dependent(const amo_flow *tr, uint32_t c, signed char *better)
{
  const amo_contact *k = &tr->m->contact[c];
  if (tr->series != NULL || !amo_is_tied(k, tr->lane[0].mode[c]) || !amo_balance_spare(tr->balance[0], c))
    return AMO_HOLDS;
  const int sign = tied_sign(tr, k);
  if (sign == 0) return tr->is_short ? AMO_UNTOLD : AMO_HOLDS;
  if (amo_can_open(k)) *better = AMO_MODE_OPEN;
  return AMO_FAILS;
}

amo_verdict amo_trial_judge(const amo_flow *f, uint32_t c, const amo_footing *footing, signed char *better)
{
  const amo_flow *tr = f->trial;
  const amo_contact *k = &tr->m->contact[c];
  const signed char mode = tr->lane[0].mode[c];
  amo_condition list[AMO_MOST_CONDITIONS];
  amo_verdict verdict = AMO_HOLDS;
  *better = mode;
  if (tr->is_short && tr->lane[0].shares) return AMO_UNTOLD;  // shared out over a length of time
  const int n = amo_conditions(k, c, mode, tr->lane[0].reaction_sign[c], amo_flow_hold(tr, 0, c), list);
  for (int i = 0; i < n; i++) {
    if (!is_asked(&list[i], footing)) continue;
    const int sign = sign_of(tr, &list[i]);
    // closed without a force or open: that makes no difference that values could tell
    const bool either = tr->by_values && (list[i].what == AMO_IS_REACTION || list[i].what == AMO_IS_GAP);
    if (sign == 0 && tr->is_short && !either) return AMO_UNTOLD;
    if (sign > 0 || (sign == 0 && !is_strict(tr, &list[i], mode)) || verdict == AMO_FAILS) continue;
    verdict = AMO_FAILS;
    const double slip = amo_flow_series(tr, 0, k->r_slip)[0];
    *better = list[i].to;
    if (*better == 0 && !footing->at_rest) *better = amo_mode_of(k, slip, false);
  }
  return verdict == AMO_HOLDS ? judge_dependent(tr, c, better) : verdict;
}

double amo_trial_excess(const amo_flow *f, uint32_t c)
{
  const amo_flow *tr = f->trial;
  const amo_contact *k = &tr->m->contact[c];
  const double bound = amo_promise_bound(tr, 0, c);
  const double *x = tr->traction + k->xi * amo_flow_item(tr);
  const double force = amo_turns(k) ? hypot(x[0], x[amo_flow_item(tr)]) : fabs(tr->watch[c].stick[0]);
  return bound > 0.0 ? force / bound : INFINITY;
}

static void place(amo_flow *tr, const amo_flow *f, int lane, const signed char *mode,
                  const signed char *reaction_sign)
{
  const amo_model *m = f->m;
  const amo_lane *from = &f->lane[lane];
  amo_lane *to = &tr->lane[0];
  for (uint32_t i = 0; i < m->np; i++)
    tr->jet[(m->leaf.param + i) * amo_flow_item(tr)] = f->param[i * (uint32_t)f->W + (uint32_t)lane];
  memcpy(to->y, from->y, f->ns * sizeof *to->y);
  memcpy(to->scale, from->scale, f->ns * sizeof *to->scale);
  memcpy(to->mode, mode, m->nc);
  memcpy(to->reaction_sign, reaction_sign, m->nc);
  memcpy(to->stressed, from->stressed, m->nc * sizeof *to->stressed);
  memcpy(to->branch, from->branch, f->nsw);
  memcpy(to->xi, from->xi, m->nxi * sizeof *to->xi);
  memcpy(to->condition_scale, from->condition_scale, (m->nc + f->nsw) * sizeof *to->condition_scale);
  memcpy(to->gap_scale, from->gap_scale, m->nc * sizeof *to->gap_scale);
  memset(to->fresh, 0, m->nc * sizeof *to->fresh);
  for (uint32_t c = 0; c < m->nc; c++)
    to->reaction_fresh[c] = m->contact[c].npressing > 0 && from->reaction_fresh[c];
  tr->given = f->given;
  tr->given_order = f->given_order;
  to->t = from->t;
  to->h = from->h;
  to->pace = from->pace;
  to->rhythm = 0.0;
  to->weighed = false;
  to->active = to->rearrange = true;
  to->status = AMO_OK;
}

static uint32_t mechanism_of(const amo_model *m, uint32_t c)
{
  const amo_slip_axis *x = m->contact[c].axis;
  return x[0].nw > 0 ? m->mechanism[x[0].w[0].col] : x[1].nw > 0 ? m->mechanism[x[1].w[0].col] : UINT32_MAX;
}

/// Contacts of one mechanism that begin to slip from rest together: the first is c. AMO_ENOANSWER: they go nowhere.
static amo_status start_together(amo_flow *f, int lane, uint32_t c)
{
  const amo_model *m = f->m;
  amo_flow *tr = f->trial;
  uint32_t member[AMO_MOST_TOGETHER], n = 0;
  const uint32_t mechanism = mechanism_of(m, c);
  for (uint32_t i = c; i < m->nc; i++) {
    if (!tr->lane[0].fresh[i] || mechanism_of(m, i) != mechanism) continue;
    if (n == AMO_MOST_TOGETHER)
      return amo_flow_fail(&f->lane[lane], AMO_ELIMIT,
                           "more than %d spatial contacts of one mechanism begin to slip at t = %.9g",
                           AMO_MOST_TOGETHER, tr->lane[0].t);
    tr->starting[i].mechanism = mechanism;
    tr->starting[i].rank = (int)n;
    member[n++] = i;
  }
  const bool begin = n == 1 ? amo_slip_start_direction(tr, c) : amo_slip_start_directions(f, member, n);
  for (uint32_t i = 0; i < n; i++) tr->starting[member[i]].begins = begin;
  tr->starts += begin ? n : 0;
  return begin ? AMO_OK : AMO_ENOANSWER;
}

/// Directions of the spatial contacts that begin to slip from rest. AMO_ENOANSWER: there are none.
static amo_status start_slips(amo_flow *f, int lane, const amo_footing *footing)
{
  const amo_model *m = f->m;
  amo_flow *tr = f->trial;
  amo_lane *l = &tr->lane[0];
  amo_status st = AMO_OK;
  tr->starts = 0;
  for (uint32_t c = 0; c < m->nc; c++) {
    tr->starting[c].begins = tr->starting[c].at_limit = false;
    tr->starting[c].rank = -1;
    l->fresh[c] = amo_turns(&m->contact[c]) && l->mode[c] == 1 && footing[c].at_rest;
  }
  for (uint32_t c = 0; st == AMO_OK && c < m->nc; c++)
    if (l->fresh[c] && tr->starting[c].rank < 0) st = start_together(f, lane, c);
  return st;
}

amo_status amo_trial_run(amo_flow *f, int lane, const signed char *mode, const signed char *reaction_sign,
                         const amo_footing *footing, amo_orders orders)
{
  amo_flow *tr = f->trial = f->trials[orders];
  amo_lane *l = &tr->lane[0];
  place(tr, f, lane, mode, reaction_sign);
  if (tr->asks_rounding || f->m->nxi > 0) amo_point_registers(f->point, l->t, l->y, mode);
  if (tr->asks_rounding) (void)amo_rounding_of(f->m->step, f->point->reg, f->m->leaf.count, 0, tr->rounding);
  amo_status st = f->m->nxi > 0 ? start_slips(f, lane, footing) : AMO_OK;
  if (st != AMO_OK) return st;
  amo_flow_expand(tr);
  if (l->status != AMO_OK) return l->status;
  const double pace = f->lane[lane].pace > 0.0 ? f->lane[lane].pace : 1.0;
  double h = tr->is_short ? pace : amo_flow_trusted_length(tr, 0);
  l->leading = isnan(h);
  if (l->leading)
    (void)amo_leading_step(tr, 0, pace, &h);  // the series ends early: judged by what there is of it
  l->trial = h > 0.0 && isfinite(h) ? h : pace;
  return AMO_OK;
}
