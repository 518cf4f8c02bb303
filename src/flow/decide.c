// SPDX-License-Identifier: Apache-2.0
#include "flow/decide.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "contact/blocks.h"
#include "contact/impact.h"
#include "contact/solutions.h"
#include "expr/bounds.h"
#include "flow/modes.h"
#include "flow/seizure.h"
#include "flow/trial.h"

struct amo_decider {
  amo_arena memory;
  amo_impact *impact;
  amo_footing *footing;
  amo_modes *modes;
  amo_blocks blocks;  // contacts that may act on each other in an impact
  signed char *mode;  // [nc] on trial
  bool *closing;      // [nc] its gap has come to zero
  bool *closed;       // [nc] takes part in the impact
  bool *stops, *all;  // [nc] slips that end at once, and those that may
  bool *struck;       // [blocks] by a support that closes
  bool faint;         // everything that strikes is slower than flights can be told
  double *bounce;
  double *slip;      // [nc] before slips stop at once
  double *err;       // bounds of all registers
  amo_model *own;    // in an impact contacts that give way stick and slide; NULL: there are none
  amo_point *point;  // of that model; NULL: the engine's own will do
};

amo_status amo_decider_new(const amo_model *m, struct amo_decider **out)
{
  const size_t nc = m->nc + 1u;
  struct amo_decider *s = *out = amo_zalloc(1, sizeof *s);
  if (s == NULL) return AMO_ENOMEM;
  AMO_TAKE(&s->memory, amo_footing, nc, &s->footing);
  AMO_TAKE(&s->memory, signed char, nc, &s->mode);
  AMO_TAKE(&s->memory, bool, nc, &s->struck, &s->stops, &s->all, &s->closing, &s->closed);
  AMO_TAKE(&s->memory, double, nc, &s->bounce, &s->slip);
  AMO_TAKE(&s->memory, double, amo_prog_registers(m->step) + 1u, &s->err);
  const amo_model *rigid = m;
  amo_status st = s->memory.failed ? AMO_ENOMEM : amo_blocks_new(m, &s->blocks);
  if (st == AMO_OK) st = amo_modes_new(m, &s->modes);
  if (st == AMO_OK) st = amo_model_held(m, &s->own, &rigid);
  if (st == AMO_OK && s->own) st = amo_point_new(rigid, &s->point);
  return st == AMO_OK ? amo_impact_new(rigid, &s->impact) : st;  // the engine frees what there is
}

amo_point *amo_decide_impact_point(amo_flow *f)
{
  amo_point *p = f->decider->point, *engine = f->point;
  if (!p) return engine;
  amo_point_parameters(p, engine->reg + f->m->leaf.param);
  memcpy(p->xi, engine->xi, f->m->nxi * sizeof *p->xi);
  memset(p->reaction_sign, 1, f->m->nc);
  p->branch = engine->branch;
  return p;
}

void amo_decider_free(struct amo_decider *s)
{
  if (s == NULL) return;
  amo_impact_free(s->impact);
  amo_point_free(s->point);
  amo_held_free(s->own);
  amo_modes_free(s->modes);
  amo_blocks_free(&s->blocks);
  amo_arena_free(&s->memory);
  free(s);
}

/// Sum of the speeds that make the rate of a row, at their largest so far: where everything comes to rest at once, what is
/// left of them is their rounding.
static double rate_size(const amo_flow *f, const amo_lane *l, const amo_entry *row, uint32_t n)
{
  double size = 0.0;
  for (uint32_t e = 0; e < n; e++) size += fabs(f->point->reg[row[e].reg]) * l->scale[f->m->nq + row[e].col];
  return size;
}

/// What rounding may have made of the registers at hand, into decider->err. Only gaps and their rates are held against it.
static void bound_registers(amo_flow *f)
{
  if (f->solutions != NULL)
    (void)amo_rounding_of(f->m->step, f->point->reg, f->m->leaf.count, 0, f->decider->err);
}

static double rounding(const amo_flow *f, uint32_t reg)
{
  return AMO_FULFILLED * f->decider->err[reg];
}

/// A gap that is no more than this is closed.
static double nothing_of_gap(const amo_flow *f, const amo_contact *k)
{
  return fmax(AMO_NOTHING * amo_gap_terms(f->m, k, f->point->reg, 1), rounding(f, k->r_gap));
}

static bool is_apart(const amo_flow *f, const amo_contact *k)
{
  const double *reg = f->point->reg;
  return amo_is_apart(k, reg[k->r_gap], nothing_of_gap(f, k), amo_is_within(k, reg, 1));
}

bool amo_decide_enters(amo_flow *f, uint32_t c)
{
  bound_registers(f);
  return !is_apart(f, &f->m->contact[c]);
}

void amo_decide_open(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  bound_registers(f);
  for (uint32_t c = 0; c < f->m->nc; c++) {
    const amo_contact *k = &f->m->contact[c];
    if (k->r_side != AMO_NO_REGISTER) l->reaction_sign[c] = (signed char)f->point->reg[k->r_side];
    if (amo_has_parted(k, f->point->reg)) l->mode[c] = AMO_MODE_OPEN;
    if (!amo_can_open(k)) continue;
    if (is_apart(f, k))
      l->mode[c] = AMO_MODE_OPEN;
    else
      l->hit[l->hits++] =
          (amo_condition){.what = AMO_IS_GAP, .index = c};  // closes now, maybe with an impact
  }
}

// ---- impacts ----

static void note_closing(amo_flow *f, const amo_lane *l)
{
  memset(f->decider->closing, 0, f->m->nc * sizeof *f->decider->closing);
  for (size_t i = 0; i < l->hits; i++)
    if (l->hit[i].what == AMO_IS_GAP)
      f->decider->closing[l->hit[i].index] = amo_is_within(&f->m->contact[l->hit[i].index], f->point->reg, 1);
}

/// A speed that is no more than rounding strikes nothing: a wall that moves along itself only touches.
static bool closes_at_speed(const amo_flow *f, uint32_t c)
{
  const uint32_t rate = f->m->contact[c].r_gap_rate;
  return f->decider->closing[c] && f->point->reg[rate] < -rounding(f, rate);
}

/// Which contacts are closed; those that a support which closes at speed can act on take part in its impact, and so do
/// supports that have no gap (opened at this very instant, or about to close): events that happen together. False: no impact.
static bool find_parties(amo_flow *f, int lane)
{
  struct amo_decider *s = f->decider;
  const amo_model *m = f->m;
  amo_lane *l = &f->lane[lane];
  const double *reg = f->point->reg;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    s->footing[c].closed = l->mode[c] != AMO_MODE_OPEN || s->closing[c];
    s->closed[c] =
        s->footing[c].closed ||
        (amo_can_open(k) && !amo_is_apart(k, reg[k->r_gap], rounding(f, k->r_gap), amo_is_within(k, reg, 1)));
  }
  amo_blocks_divide(&s->blocks, s->closed);
  memset(s->struck, 0, (m->nc + 1u) * sizeof *s->struck);
  bool any = false;
  for (uint32_t c = 0; c < m->nc; c++)
    if (closes_at_speed(f, c)) s->struck[s->blocks.of[c]] = any = true;
  for (uint32_t c = 0; c < m->nc; c++) {
    s->closed[c] &= s->struck[s->blocks.of[c]];
    if (!s->closed[c] || s->footing[c].closed) continue;
    s->closing[c] = s->footing[c].closed = true;
  }
  return any;
}

/// The speed at which a flight under the loads at hand is as high as the gap is known: nothing can be said of slower ones.
static double least_bounce(const amo_flow *f, const amo_contact *k)
{
  const amo_point *p = f->point;
  double pull = 0.0;
  for (uint32_t e = 0; e < k->nn; e++) {
    const double mass = p->reg[p->diagonal[k->n[e].col]];
    if (mass > 0.0) pull += fabs(p->reg[k->n[e].reg] * p->reg[f->m->r_h[k->n[e].col]]) / mass;
  }
  return 0.25 * sqrt(2.0 * pull * rounding(f, k->r_gap));  // bounds of rounding are generous
}

/// Restitution of a support that closes; 0 where its bounces have ended: one that has not come apart since it was closed, as far as gaps
/// are told from zero, strikes no second time. Elastic ones do not end: they have to keep their energy.
static double bounce_of(amo_flow *f, amo_lane *l, uint32_t c)
{
  const amo_contact *k = &f->m->contact[c];
  const double speed = -f->point->reg[k->r_gap_rate], bounce = f->point->reg[k->r_restitution];
  const double away = l->t - l->closed_at[c], height = 0.25 * speed * away;  // NaN at first
  f->decider->faint &= speed <= least_bounce(f, k);
  l->accumulated[c] = height <= (1.0 - bounce) * nothing_of_gap(f, k) || away <= AMO_ROUNDED * fabs(l->t);
  return l->accumulated[c] ? 0.0 : bounce;
}

/// The largest sum of speeds that make a rate of a contact.
static double speed_terms(const amo_flow *f, const amo_lane *l)
{
  double most = 0.0;
  for (uint32_t c = 0; c < f->m->nc; c++)
    if (f->decider->closed[c])
      most = amo_larger(most, rate_size(f, l, f->m->contact[c].n, f->m->contact[c].nn));
  return most;
}

static bool prepare_impact(amo_flow *f, int lane)
{
  struct amo_decider *s = f->decider;
  amo_lane *l = &f->lane[lane];
  memset(l->impulse, 0, (2 * f->m->nc + f->m->nxi + f->m->ng) * sizeof *l->impulse);
  memset(l->accumulated, 0, f->m->nc * sizeof *l->accumulated);
  memset(s->bounce, 0, f->m->nc * sizeof *s->bounce);
  note_closing(f, l);
  s->faint = find_parties(f, lane);
  if (!s->faint) return false;
  for (uint32_t c = 0; c < f->m->nc; c++)
    if (closes_at_speed(f, c)) s->bounce[c] = bounce_of(f, l, c);
  return true;
}

/// A slip that is rounding (`part`) of the speeds met so far: its direction means nothing.
static bool crawls(const amo_flow *f, const amo_lane *l, const amo_contact *k, double part)
{
  const amo_slip_axis *x = k->axis;
  if (!k->spatial) return fabs(f->point->reg[k->r_slip]) <= part * rate_size(f, l, k->w, k->nw);
  const double size = rate_size(f, l, x[0].w, x[0].nw) + rate_size(f, l, x[1].w, x[1].nw);
  return hypot(f->point->reg[x[0].r_slip], f->point->reg[x[1].r_slip]) <= part * size;
}

/// An element of a contact that an impact has struck: one that slips goes on along its way, or stands behind its spring; what has bent it
/// has had no time to change.
static void stand_element(amo_lane *l, amo_standing *standing, uint32_t c, double slip)
{
  if (l->mode[c] == 0 || l->mode[c] * slip > 0.0) return;
  standing[c] = AMO_ARRIVING;
  l->mode[c] = 0;
}

/// What stands and what moves after the impact.
static void stand_after_impact(amo_flow *f, int lane, amo_standing *standing, bool impact)
{
  amo_lane *l = &f->lane[lane];
  amo_point *p = f->point;
  for (uint32_t c = 0; c < f->m->nc; c++) {
    const amo_contact *k = &f->m->contact[c];
    const bool closing = f->decider->closing[c];
    if (k->part_of && impact && f->decider->closed[k->part_of - 1])
      stand_element(l, standing, c, p->reg[k->r_slip]);
    if (k->part_of) continue;
    if (!(impact && f->decider->closed[c]) && !closing) continue;
    if (l->mode[c] == AMO_MODE_OPEN && !closing) continue;
    const bool stopped = impact && amo_has_gap(k) && f->decider->impact->mode[c] == 0;
    const bool rest = stopped || amo_slip_is_zero(p, c, 64.0) ||  // or several stopped it, some by sliding
                      ((impact || k->spatial) && crawls(f, l, k, AMO_NOTHING));
    if (rest && standing[c] == AMO_RESTING) continue;
    const double slip = p->reg[k->r_slip];
    standing[c] = rest ? AMO_ARRIVING : AMO_MOVING;
    l->mode[c] = amo_mode_of(k, slip, rest);
  }
}

/// Supports that fly off, of those that an impact has struck or that touch now, are open. What others have of speed is rounding: they
/// leave by their reactions. So is what impacts throw up that are too slow to be told.
static void release(amo_flow *f, int lane, bool impact)
{
  const struct amo_decider *s = f->decider;
  amo_footing *footing = s->footing;
  amo_lane *l = &f->lane[lane];
  l->stilled = 0.0;
  for (uint32_t c = 0; c < f->m->nc; c++) {
    const amo_contact *k = &f->m->contact[c];
    if (!amo_can_open(k) || !footing[c].closed || !(s->closing[c] || (impact && s->closed[c]))) continue;
    const double rate = f->point->reg[k->r_gap_rate];
    const double least = fmax(rounding(f, k->r_gap_rate), s->faint ? least_bounce(f, k) : 0.0);
    if (!(rate > AMO_NOTHING * rate_size(f, l, k->n, k->nn)) || rate <= least) {
      l->stilled += fmax(rate, 0.0);
      continue;
    }
    footing[c].closed = false;
    l->mode[c] = AMO_MODE_OPEN;
    l->gap_zeros[c] = 1;
    l->closed_at[c] = l->t;
  }
}

/// A rough joint that an impact may press, or a contact that never sticks: their impulses of friction are not known; -1: none.
static long struck_joint(const amo_flow *f)
{
  const struct amo_decider *s = f->decider;
  for (uint32_t c = 0; c < f->m->nc; c++) {
    const amo_contact *k = &f->m->contact[c];
    const bool joint = k->npressing > 0 && f->point->reg[k->r_kinetic_by] > 0.0;
    if (!joint && !(amo_has_gap(k) && k->rest != AMO_STICKS && k->rest != AMO_YIELDS)) continue;
    for (uint32_t i = 0; i < f->m->nc; i++)
      if (s->blocks.of[i] == s->blocks.of[c] && closes_at_speed(f, i)) return (long)c;
  }
  return -1;
}

static void take_impulses(const amo_flow *f, const amo_point *p, amo_lane *l)
{
  const amo_impact *x = f->decider->impact;
  const amo_model *m = p->m;
  memcpy(l->impulse, x->normal, m->nc * sizeof *l->impulse);
  memcpy(l->impulse + m->nc, x->tangent, m->nc * sizeof *l->impulse);
  memcpy(l->impulse + 2 * m->nc, x->traction, m->nxi * sizeof *l->impulse);
  memcpy(l->impulse + 2 * m->nc + m->nxi, x->multiplier, m->ng * sizeof *l->impulse);
  memcpy(l->impact_u, l->y + m->nq, m->nq * sizeof *l->impact_u);
  for (uint32_t c = 0; c < m->nc; c++) {  // friction of slip goes with the normal impulse
    const amo_contact *k = &m->contact[c];
    if (x->mode[c] == 0 || x->mode[c] == AMO_MODE_OPEN) continue;
    const double most = p->reg[k->r_kinetic] * fabs(x->normal[c]), *xi = p->reg + m->leaf.xi + k->xi;
    l->impulse[m->nc + c] = -x->mode[c] * most;
    for (uint32_t a = 0; k->spatial && a < 2; a++) l->impulse[2 * m->nc + k->xi + a] = -most * xi[a];
  }
}

static amo_status collide(amo_flow *f, int lane, amo_standing *standing)
{
  amo_lane *l = &f->lane[lane];
  amo_point *p = f->point;
  memcpy(p->xi, l->xi, f->m->nxi * sizeof *p->xi);
  memset(p->reaction_sign, 1, f->m->nc);
  amo_point_registers(p, l->t, l->y, l->mode);
  bound_registers(f);
  const bool impact = prepare_impact(f, lane);
  if (impact && struck_joint(f) >= 0)
    return amo_flow_fail(l, AMO_EUNSUPPORTED,
                         "an impact presses %s at t = %.9g: friction of joints, and of laws that never "
                         "stick, in impacts is not "
                         "known yet",
                         f->m->contact[struck_joint(f)].sym.name, l->t);
  if (impact) {
    amo_flow_note_switches(f);
    amo_point *q = amo_decide_impact_point(f);
    amo_status st = amo_impact_solve(f->decider->impact, q, l->t, l->y, &f->decider->blocks,
                                     f->decider->closed, f->decider->bounce, speed_terms(f, l));
    if (st == AMO_ENOANSWER)
      return amo_flow_fail(l, st, "an impact leaves no velocity that all contacts allow");
    if (st != AMO_OK) return st;
    take_impulses(f, q, l);
    memcpy(l->impact_xi, q->reg + f->m->leaf.xi, f->m->nxi * sizeof *l->impact_xi);
    memcpy(l->impact_mode, f->decider->impact->mode, f->m->nc);
    memcpy(l->impact_reaction_sign, f->decider->impact->reaction_sign, f->m->nc);
    l->struck = true;
    amo_flow_follow_impact(f, lane, standing);
  }
  amo_point_registers(p, l->t, l->y, l->mode);
  bound_registers(f);
  stand_after_impact(f, lane, standing, impact);
  release(f, lane, impact);
  return AMO_OK;
}

// ---- modes ----

/// First guess: a support whose reaction has come to zero opens, one that has closed stays closed; a spatial slip that has come
/// to zero, which has no direction any more, has ended.
static void guess(const amo_flow *f, const amo_lane *l, const amo_standing *standing, signed char *mode)
{
  const amo_footing *footing = f->decider->footing;
  for (uint32_t c = 0; c < f->m->nc; c++)
    mode[c] = f->m->contact[c].spatial && footing[c].closed && standing[c] == AMO_ARRIVING ? 0 : l->mode[c];
  for (size_t i = 0; i < l->hits; i++) {
    const amo_condition *x = &l->hit[i];
    if (x->to == AMO_MODE_OPEN && footing[x->index].closed) mode[x->index] = AMO_MODE_OPEN;
  }
}

static void take(amo_flow *f, int lane, const amo_footing *footing, const signed char *mode)
{
  amo_lane *l = &f->lane[lane];
  const amo_lane *tr = &f->trial->lane[0];
  for (uint32_t c = 0; c < f->m->nc; c++) {
    l->mode[c] = mode[c];
    if (!amo_has_gap(&f->m->contact[c])) continue;
    if (mode[c] == AMO_MODE_OPEN) {
      if (!footing[c].closed) continue;
      l->gap_zeros[c] = (signed char)amo_trial_gap_zeros(f, c);
      l->closed_at[c] = l->t;
    } else {
      l->reaction_fresh[c] = amo_trial_unloaded(f, c);
    }
  }
  memcpy(l->xi, tr->xi, f->m->nxi * sizeof *l->xi);
  memcpy(f->point->xi, tr->xi, f->m->nxi * sizeof *l->xi);
  memcpy(f->point->reaction_sign, l->reaction_sign, f->m->nc);
}

/// Law memory of contacts that begin to stick, as their slip leaves it.
static void reset_memories(amo_flow *f, int lane, const amo_standing *standing)
{
  amo_lane *l = &f->lane[lane];
  amo_point_registers(f->point, l->t, l->y, l->step_mode);
  for (uint32_t c = 0; c < f->m->nc; c++)
    if (standing[c] == AMO_ARRIVING && (l->mode[c] | l->step_mode[c])) amo_reset_memory(f->point, l->y, c);
}

/// At a start several motions may do: the one that compliance would lead to, as its modes.
static void choose_start(amo_flow *f, int lane, const amo_standing *standing, signed char *mode)
{
  amo_lane *l = &f->lane[lane];
  if (f->solutions == NULL || !isnan(l->last_event) || l->stats.steps > 0) return;
  if (amo_solutions_find(f->solutions, f->point, l->t, l->y, standing) != AMO_OK) return;
  if (f->solutions->count == 0)  // none that reactions of springs give: are there others?
    l->stats.one_of_many = amo_solutions_find(f->solutions, f->point, l->t, l->y, NULL) == AMO_OK &&
                           f->solutions->kind == AMO_DEGENERATE;
  if (f->solutions->chosen < 0 || !f->solutions->complete) return;
  const amo_solution *x = &f->solutions->item[f->solutions->chosen];
  for (uint32_t c = 0; c < f->m->nc; c++) {
    if (f->decider->footing[c].closed) mode[c] = x->mode[c];
    if (f->m->contact[c].kind == AMO_GUIDE && x->reaction_sign[c] != 0)
      l->reaction_sign[c] = x->reaction_sign[c];
  }
}

/// Slips of one body that end together are not all found at one instant: what stands still now that the others do has ended too.
static bool stop_with_others(amo_flow *f, int lane, amo_standing *standing)
{
  const amo_lane *l = &f->lane[lane];
  bool any = false;
  for (uint32_t c = 0; c < f->m->nc; c++) {
    if (standing[c] != AMO_MOVING || l->mode[c] == AMO_MODE_OPEN) continue;
    const bool crawling = f->m->contact[c].spatial && crawls(f, l, &f->m->contact[c], AMO_FAINT);
    if (!amo_slip_is_zero(f->point, c, 64.0) && !crawling) continue;
    standing[c] = AMO_ARRIVING;
    f->decider->footing[c].at_rest = any = true;
    f->decider->mode[c] = 0;
  }
  return any;
}

/// Modes at a state without impact: velocities that have come to zero are zero, then what follows.
static amo_status find_modes(amo_flow *f, int lane, amo_standing *standing)
{
  const amo_model *m = f->m;
  amo_lane *l = &f->lane[lane];
  amo_footing *footing = f->decider->footing;
  signed char *mode = f->decider->mode;
  for (uint32_t c = 0; c < m->nc; c++) {
    if (m->contact[c].kind == AMO_SUPPORT || l->reaction_sign[c] == 0) l->reaction_sign[c] = 1;
    footing[c].at_rest = standing[c] != AMO_MOVING;
    footing[c].rested = standing[c] == AMO_RESTING;
    mode[c] = l->mode[c];
    if (footing[c].at_rest && footing[c].closed && standing[c] != AMO_PASSING) mode[c] = 0;
  }
  amo_point_registers(f->point, l->t, l->y, l->mode);
  amo_settle_sliders(f->point, l->t, l->y, l->mode);
  reset_memories(f, lane, standing);
  amo_point_registers(f->point, l->t, l->y, mode);
  amo_status st = amo_settle(f->point, l->t, l->y, mode);
  if (st == AMO_OK && stop_with_others(f, lane, standing)) st = amo_settle(f->point, l->t, l->y, mode);
  if (st != AMO_OK) return st;
  guess(f, l, standing, mode);
  choose_start(f, lane, standing, mode);
  st = amo_modes_find(f->decider->modes, f, lane, footing, mode);
  if (st != AMO_OK) return st;
  take(f, lane, footing, mode);
  amo_point_registers(f->point, l->t, l->y, mode);
  amo_settle_sliders(f->point, l->t, l->y, l->mode);
  return amo_point_evaluate(f->point, l->t, l->y, l->mode);
}

// ---- slips that stop at once ----

/// Does contact c slip with a friction that depends on reactions?
static bool slides(const amo_flow *f, const amo_lane *l, uint32_t c)
{
  return amo_reacts(&f->m->contact[c]) && l->mode[c] != 0 && l->mode[c] != AMO_MODE_OPEN;
}

/// The impact in which the slips of `stops` end, with the closed contacts of block `block` as its parties: supports push in
/// it and friction keeps within its bounds. AMO_ENOANSWER: there is none; joints share no impulses.
static amo_status stop_in_impact(amo_flow *f, int lane, const bool *stops, uint32_t block)
{
  struct amo_decider *s = f->decider;
  amo_lane *l = &f->lane[lane];
  for (uint32_t c = 0; c < f->m->nc; c++) {
    s->closed[c] = s->footing[c].closed && s->blocks.of[c] == block;
    if (s->closed[c] && f->m->contact[c].npressing > 0) return AMO_ENOANSWER;
  }
  memset(s->bounce, 0, f->m->nc * sizeof *s->bounce);
  s->impact->stops = stops;
  amo_point *p = amo_decide_impact_point(f);
  amo_status st =
      amo_impact_solve(s->impact, p, l->t, l->y, &s->blocks, s->closed, s->bounce, speed_terms(f, l));
  s->impact->stops = NULL;
  if (st != AMO_OK) return st;
  take_impulses(f, p, l);
  memset(s->closing, 0, f->m->nc * sizeof *s->closing);
  return AMO_OK;
}

/// The slips of `stops` have no continuation: they stop at once, all of them or one, and what follows is decided again. Guides and joints
/// take any impulse for it where no impact agrees with all laws (the border of the region without solution), supports do not.
static amo_status seize(amo_flow *f, int lane, amo_standing *standing, bool *stops, amo_event_kind kind,
                        const char *why)
{
  struct amo_decider *s = f->decider;
  const uint32_t nc = f->m->nc;
  uint32_t first = 0;
  while (!stops[first]) first++;
  amo_point_registers(f->point, f->lane[lane].t, f->lane[lane].y, f->lane[lane].mode);
  for (uint32_t c = 0; c < nc; c++) s->slip[c] = f->point->reg[f->m->contact[c].r_slip];
  for (uint32_t c = 0; c < nc; c++) s->closed[c] = s->footing[c].closed;
  amo_blocks_divide(&s->blocks, s->closed);
  amo_status st = stop_in_impact(f, lane, stops, s->blocks.of[first]);
  memcpy(s->all, stops, nc * sizeof *stops);
  for (uint32_t c = 0; st == AMO_ENOANSWER && c < nc; c++) {
    if (!s->all[c]) continue;
    memset(stops, 0, nc * sizeof *stops);
    stops[first = c] = true;
    st = stop_in_impact(f, lane, stops, s->blocks.of[c]);
  }
  const bool struck = st == AMO_OK;
  if (st != AMO_OK && st != AMO_ENOANSWER) return st;
  for (uint32_t c = 0; !struck && c < nc; c++) stops[c] = s->all[c] && f->m->contact[c].kind != AMO_SUPPORT;
  for (first = 0; first < nc && !stops[first];) first++;
  if (first == nc) return st;
  amo_seizure_stop(f, lane, standing, stops, first, kind, why);
  if (struck) {
    amo_point_registers(f->point, f->lane[lane].t, f->lane[lane].y, f->lane[lane].mode);
    bound_registers(f);
    stand_after_impact(f, lane, standing, true);
    release(f, lane, true);
  }
  st = find_modes(f, lane, standing);
  for (uint32_t c = 0; st == AMO_OK && c < nc; c++)  // what others hold on a belt that moves cannot stop
    if (stops[c] && fabs(f->point->reg[f->m->contact[c].r_slip]) > AMO_SAME * fabs(s->slip[c]))
      st = AMO_ENOANSWER;
  return st;
}

amo_status amo_decide(amo_flow *f, int lane, amo_standing *standing, bool jumped)
{
  f->point->slack = amo_flow_slack(f, &f->lane[lane]);
  amo_status st = collide(f, lane, standing);
  if (st != AMO_OK) return st;
  amo_seizure_pass_dead_points(f, lane, standing);
  bool *stops = f->decider->stops, any = false;
  if (jumped && f->solutions != NULL && amo_seizure_recall(f, lane, standing, stops))
    return seize(f, lane, standing, stops, AMO_EVENT_IMPACT,
                 "its reaction is outside the basin of the other slip");
  st = find_modes(f, lane, standing);
  if (st != AMO_ENOANSWER) return st;
  for (uint32_t c = 0; c < f->m->nc; c++)
    any |= stops[c] = slides(f, &f->lane[lane], c) && amo_modes_missing(f->decider->modes, c);
  return any ? seize(f, lane, standing, stops, AMO_EVENT_IMPACT, "the slip has no solution") : st;
}

amo_status amo_decide_jam(amo_flow *f, int lane, amo_standing *standing, uint32_t contact)
{
  const amo_lane *l = &f->lane[lane];
  struct amo_decider *s = f->decider;
  for (uint32_t c = 0; c < f->m->nc; c++) s->closed[c] = s->footing[c].closed = l->mode[c] != AMO_MODE_OPEN;
  amo_blocks_divide(&s->blocks, s->closed);
  for (uint32_t c = 0; c < f->m->nc; c++)
    s->stops[c] =
        f->m->contact[c].kind == AMO_GUIDE && slides(f, l, c) && s->blocks.of[c] == s->blocks.of[contact];
  memset(f->lane[lane].impulse, 0, (2 * f->m->nc + f->m->nxi + f->m->ng) * sizeof *f->lane[lane].impulse);
  return seize(f, lane, standing, s->stops, AMO_EVENT_JAM, "friction grows beyond all bounds");
}

// ---- spatial slips ----

/// The series of a trial, all of them, become those of a lane.
static void copy_series(amo_flow *f, int lane)
{
  const amo_flow *tr = f->trial;
  const amo_model *m = f->m;
  const size_t W = (size_t)f->W, n = (size_t)(f->P + 1);
  struct {
    double *to;
    const double *from;
    size_t items;
  } part[] = {{f->jet, tr->jet, amo_prog_registers(m->step)},
              {f->acc, tr->acc, m->nq},
              {f->lambda, tr->lambda, m->nc},
              {f->multiplier, tr->multiplier, m->ng},
              {f->reaction, tr->reaction, m->nc},
              {f->traction, tr->traction, m->nxi}};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++)
    for (size_t k = 0; k < part[i].items * n; k++) part[i].to[k * W + (size_t)lane] = part[i].from[k];
}

amo_status amo_flow_start_slips(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  if (f->is_trial) return AMO_OK;
  amo_footing *footing = f->decider->footing;
  bool any = false;
  for (uint32_t c = 0; c < f->m->nc; c++) {
    footing[c] = (amo_footing){l->mode[c] != AMO_MODE_OPEN, l->fresh[c] || l->mode[c] == 0, false};
    any |= f->m->contact[c].spatial && l->mode[c] == 1 && l->fresh[c];
  }
  if (!any) return AMO_OK;
  amo_status st = amo_trial_run(f, lane, l->mode, l->reaction_sign, footing, AMO_ALL_ORDERS);
  if (st == AMO_OK) copy_series(f, lane);
  return st;
}

/// Of the velocities that make up a spatial slip.
static double slip_rounding(const amo_flow *f, int lane, uint32_t c)
{
  double size = 0.0;
  for (uint32_t a = 0; a < 2; a++) {
    const amo_slip_axis *x = &f->m->contact[c].axis[a];
    for (uint32_t e = 0; e < x->nw; e++)
      size += fabs(amo_flow_series(f, lane, x->w[e].reg)[0]) * f->lane[lane].scale[f->m->nq + x->w[e].col];
  }
  return AMO_ROUNDED * size;
}

/// Size of the slip acceleration at the end of the step.
static double turning(const amo_flow *f, int lane, uint32_t c)
{
  double rate[2];
  for (uint32_t a = 0; a < 2; a++)
    rate[a] = amo_poly_slope(amo_flow_series(f, lane, f->m->contact[c].axis[a].r_slip), (size_t)f->W, f->P,
                             f->lane[lane].reached);
  return hypot(rate[0], rate[1]);
}

/// Slower than rounding of its largest speed, or than it changes in the rounding of time; or nearly so and held there, its direction bound to the force on it at a
/// rate that would keep the steps tiny. Then it starts again from rest, where that is no hindrance.
void amo_flow_watch_stops(amo_flow *f, int lane)
{
  amo_lane *l = &f->lane[lane];
  for (uint32_t c = 0; c < f->m->nc; c++) {
    if (!f->m->contact[c].spatial || l->mode[c] != 1) continue;
    const double *s = f->watch[c].slip + lane;
    const double before = fabs(s[0]), speed = fabs(amo_poly_value(s, (size_t)f->W, f->P, l->reached));
    const double most = fmax(l->condition_scale[c], speed);
    const bool held = speed <= AMO_FAINT * most && fabs(speed - before) <= 0.1 * before;
    const double ends = 128.0 * DBL_EPSILON * fabs(l->t) * turning(f, lane, c);  // steps get no shorter
    if (speed <= fmax(AMO_NOTHING * most, fmax(slip_rounding(f, lane, c), ends)) || held)
      l->hit[l->hits++] = (amo_condition){.what = AMO_IS_SLIP, .index = c};
  }
}
