// SPDX-License-Identifier: Apache-2.0
#include "contact/impact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COMBINATIONS = 20000, TURNS = 50 };
static const double slack = AMO_NOTHING;  // relative, of impulses and velocities
static const double same = AMO_SAME;      // relative, of velocities: two ways to find them agree
static const double apart = 1e-6;  // relative, of velocities: more than rounding leaves of a dependent tie

amo_status amo_impact_new(const amo_model *m, amo_impact **out)
{
  *out = NULL;
  amo_impact *w = calloc(1, sizeof *w);
  if (w == NULL) return AMO_ENOMEM;
  const size_t nc = m->nc + 1u, nxi = m->nxi + 1u;
  w->m = m;
  AMO_TAKE(&w->memory, signed char, nc, &w->mode, &w->reaction_sign);
  AMO_TAKE(&w->memory, double, nc, &w->normal, &w->tangent, &w->target, &w->rate, &w->slip);
  AMO_TAKE(&w->memory, double, nxi, &w->traction, &w->axis);
  AMO_TAKE(&w->memory, double, 2 * nc + nxi + m->ng, &w->found, &w->violation);
  AMO_TAKE(&w->memory, double, m->ng + m->nq + 1u, &w->multiplier, &w->du);
  if (w->memory.failed || amo_ways_new(m->nc, &w->ways) != AMO_OK || amo_relax_new(m, &w->relax) != AMO_OK) {
    amo_impact_free(w);
    return AMO_ENOMEM;
  }
  *out = w;
  return AMO_OK;
}

void amo_impact_free(amo_impact *w)
{
  if (w == NULL) return;
  amo_arena_free(&w->memory);
  amo_ways_free(&w->ways);
  amo_relax_free(w->relax);
  free(w);
}

/// One without a part: it ties nothing, or what it ties is as it should be.
static void stand_aside(amo_impact *w, uint32_t c)
{
  w->mode[c] = amo_can_open(&w->m->contact[c]) ? AMO_MODE_OPEN : 1;
  w->reaction_sign[c] = 1;
}

/// All ways in which contact c may take part.
static void all_ways(amo_impact *w, uint32_t c)
{
  const amo_contact *k = &w->m->contact[c];
  const int with = w->slip[c] < 0.0 ? -1 : 1;
  amo_ways_clear(&w->ways, c);
  amo_ways_add(&w->ways, c, 0, 1);
  if (w->stops != NULL && w->stops[c]) return;
  for (int reaction_sign = 1; reaction_sign >= (amo_is_two_sided(k) ? -1 : 1); reaction_sign -= 2) {
    amo_ways_add(&w->ways, c, with, reaction_sign);
    if (!amo_turns(k)) amo_ways_add(&w->ways, c, -with, reaction_sign);
  }
  if (amo_can_open(k)) amo_ways_add(&w->ways, c, AMO_MODE_OPEN, 1);
}

/// What the ties of this combination have to remove.
static amo_rates violations(const amo_impact *w, const amo_point *p)
{
  const amo_model *m = w->m;
  amo_rates v = {.slip = w->violation};
  v.gap = v.slip + m->nc;
  v.axis = v.gap + m->nc;
  v.constraint = v.axis + m->nxi;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    v.slip[c] = w->slip[c];
    v.gap[c] = amo_has_gap(k) ? w->rate[c] - w->target[c] : 0.0;
    for (uint32_t a = 0; a < amo_axes(k); a++) v.axis[k->xi + a] = w->axis[k->xi + a];
  }
  for (uint32_t g = 0; g < m->ng; g++) v.constraint[g] = p->reg[m->constraint[g].r_rate];
  return v;
}

/// Slip velocity of a spatial contact after the impact.
static void slip_after(const amo_impact *w, const amo_point *p, const amo_contact *k, double out[2])
{
  for (uint32_t a = 0; a < 2; a++)
    out[a] = w->axis[k->xi + a] + amo_along(p, k->axis[a].w, k->axis[a].nw, w->du);
}

/// Slip that a unit of friction impulse takes away, by the diagonal of M: the larger of the two axes.
static double mobility(const amo_point *p, const amo_contact *k)
{
  double most = 0.0;
  for (uint32_t a = 0; a < 2; a++) {
    double g = 0.0;
    for (uint32_t e = 0; e < k->axis[a].nw; e++) {
      const double w = p->reg[k->axis[a].w[e].reg];
      g += w * w / p->reg[p->diagonal[k->axis[a].w[e].col]];
    }
    most = fmax(most, g);
  }
  return most;
}

/// Directions of the sliding friction: those of the slips after the impact. True when they have settled. The slip
/// after is what is left of a longer one, so the direction is taken before friction (the same where M is a number
/// times the identity): the step towards it does not overshoot.
static bool turn_directions(const amo_impact *w, amo_point *p)
{
  bool settled = true;
  for (uint32_t c = 0; c < w->m->nc; c++) {
    const amo_contact *k = &w->m->contact[c];
    double g[2];
    if (!amo_turns(k) || w->mode[c] != 1 || !amo_has_gap(k)) continue;
    slip_after(w, p, k, g);
    double *xi = p->reg + w->m->leaf.xi + k->xi;
    const double taken = p->reg[k->r_kinetic] * fabs(w->normal[c]) * mobility(p, k);
    for (uint32_t a = 0; a < 2; a++) g[a] += taken * xi[a];
    const double speed = hypot(g[0], g[1]);
    if (!(speed > 0.0)) continue;
    settled &= fabs(xi[0] - g[0] / speed) + fabs(xi[1] - g[1] / speed) <= 1e-15;
    xi[0] = g[0] / speed;
    xi[1] = g[1] / speed;
  }
  if (!settled) amo_prog_eval1(p->m->step, p->reg, p->branch);
  return settled;
}

/// Before: the directions of the slips that came in.
static void first_directions(const amo_impact *w, amo_point *p)
{
  bool any = false;
  for (uint32_t c = 0; c < w->m->nc; c++) {
    const amo_contact *k = &w->m->contact[c];
    if (!amo_turns(k) || !(w->slip[c] > 0.0)) continue;
    for (uint32_t a = 0; a < 2; a++) p->reg[w->m->leaf.xi + k->xi + a] = w->axis[k->xi + a] / w->slip[c];
    any = true;
  }
  if (any) amo_prog_eval1(p->m->step, p->reg, p->branch);
}

static amo_status solve(amo_impact *w, amo_point *p)
{
  first_directions(w, p);
  for (int turn = 0; turn < TURNS; turn++) {
    memset(w->normal, 0, w->m->nc * sizeof *w->normal);
    memset(w->tangent, 0, w->m->nc * sizeof *w->tangent);
    const amo_span v = {p->reg, 1, 0};
    amo_status st = amo_point_arrange(p, w->mode, w->reaction_sign);
    if (st != AMO_OK) return st;
    const amo_rates rates = violations(w, p);
    amo_balance_solve(
        p->balance, v,
        (amo_result){w->du, w->tangent, w->multiplier, w->normal, w->traction, 1, 0, NULL, &rates, NULL}, 0);
    if (turn_directions(w, p)) return AMO_OK;
  }
  return AMO_ENOANSWER;  // no direction of sliding agrees with itself
}

/// What an impulse of friction may be before the slip goes on. One that comes to rest within the impact has slid until then:
/// where sliding friction is the larger, that may hold too.
static double stick_limit(const amo_point *p, const amo_contact *k)
{
  return fmax(p->reg[k->r_bound], p->reg[k->r_kinetic]);
}

/// The contacts of one block.
typedef struct party {
  const amo_blocks *blocks;
  const bool *acts;
  uint32_t block;
  double speed;  // the largest that the impact is to change: of a gap that closes, a slip that has to end
  double terms;  // the largest sum of speeds that make a velocity before
} party;

/// Velocities that differ by less are the same.
static double doubt(const party *a, double relative)
{
  return fmax(relative * a->speed, AMO_ROUNDED * a->terms);
}

/// The same of a tie that the balance may have left to others on which it depends: up to AMO_SAME of the terms it is theirs.
static double doubt_of_tie(const party *a)
{
  return fmax(doubt(a, apart), AMO_SAME * a->terms);
}

/// Does friction contradict the mode of contact c? If so, what would not, as far as that can be told.
static bool friction_contradicts(const amo_impact *w, const amo_point *p, uint32_t c, const party *a,
                                 signed char *better)
{
  const amo_contact *k = &w->m->contact[c];
  double g[2] = {w->slip[c] + amo_along(p, k->w, k->nw, w->du), 0.0};
  if (amo_turns(k)) slip_after(w, p, k, g);
  if (w->mode[c] != 0) {
    const double *xi = p->reg + w->m->leaf.xi + k->xi;
    *better = 0;
    return (amo_turns(k) ? g[0] * xi[0] + g[1] * xi[1] : w->mode[c] * g[0]) < -doubt(a, slack);
  }
  const double *f = w->traction + k->xi, Q = amo_turns(k) ? hypot(f[0], f[1]) : fabs(w->tangent[c]);
  *better = (signed char)(amo_turns(k) || w->tangent[c] < 0.0 ? 1 : -1);
  if (Q > stick_limit(p, k) * fabs(w->normal[c]) * (1.0 + slack)) return true;
  *better = (signed char)(amo_turns(k) || g[0] > 0.0 ? 1 : -1);
  return hypot(g[0], g[1]) > doubt_of_tie(a);  // also one whose tie depends on others has to stand still
}

/// Do the laws contradict the way in which contact c takes part?
static bool contradicts(const amo_impact *w, const amo_point *p, uint32_t c, const party *a, amo_way *better)
{
  const amo_contact *k = &w->m->contact[c];
  const double less = w->target[c] - w->rate[c] - amo_along(p, k->n, k->nn, w->du);
  *better = (amo_way){w->mode[c], w->reaction_sign[c]};
  if (w->mode[c] == AMO_MODE_OPEN) {
    better->mode = 0;
    return less > doubt(a, slack);
  }
  if (less > doubt_of_tie(a)) return true;  // its tie depends on others, which ask for something else
  if (w->reaction_sign[c] * w->normal[c] < 0.0 && (amo_can_open(k) || w->mode[c] != 0)) {
    if (amo_can_open(k))
      better->mode = AMO_MODE_OPEN;
    else
      better->reaction_sign = (signed char)-better->reaction_sign;
    return true;
  }
  return friction_contradicts(w, p, c, a, &better->mode);
}

static bool has(const party *a, const amo_model *m, uint32_t c)
{
  return a->acts[c] && amo_has_gap(&m->contact[c]) && a->blocks->of[c] == a->block;
}

/// Velocities before, and what they ask for after.
static void take_velocities(amo_impact *w, const amo_point *p, const double *bounce)
{
  const amo_model *m = w->m;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    w->slip[c] = p->reg[k->r_slip];
    w->rate[c] = amo_has_gap(k) ? p->reg[k->r_gap_rate] : 0.0;
    w->target[c] = amo_can_open(k) && w->rate[c] < 0.0 ? -bounce[c] * w->rate[c] : 0.0;
    for (uint32_t a = 0; a < amo_axes(k); a++) w->axis[k->xi + a] = p->reg[k->axis[a].r_slip];
    if (amo_turns(k)) w->slip[c] = hypot(w->axis[k->xi], w->axis[k->xi + 1]);
  }
}

/// The cones of a block, with what the velocities ask of them.
static amo_status add_cones(amo_impact *w, amo_point *p, party *a)
{
  amo_relax_begin(w->relax);
  a->speed = 0.0;
  for (uint32_t c = 0; c < w->m->nc; c++) {
    const amo_contact *k = &w->m->contact[c];
    if (!has(a, w->m, c)) continue;
    amo_cone *x = amo_relax_add(w->relax, p, c);
    x->bound = stick_limit(p, k);
    x->asked[0] = w->rate[c] - w->target[c];
    for (uint32_t i = 0; i < x->axes; i++) x->asked[1 + i] = amo_turns(k) ? w->axis[k->xi + i] : w->slip[c];
    a->speed = fmax(a->speed, fmax(-w->rate[c], w->stops && w->stops[c] ? fabs(w->slip[c]) : 0.0));
  }
  return amo_relax_start(w->relax, p);
}

/// Where ties depend on each other the combination gives the velocities, but not the share of each: that of the relaxed
/// impulses, which obey every law, is as good as any if the velocities are the same. The rows of relaxed contacts.
static bool is_proposal(const amo_impact *w, const amo_point *p, const party *a)
{
  for (const amo_cone *x = w->relax->cone; x < w->relax->cone + w->relax->count; x++) {
    const amo_contact *k = &w->m->contact[x->contact];
    const double gap = w->rate[x->contact] - w->target[x->contact] + amo_along(p, k->n, k->nn, w->du);
    double g[2] = {w->slip[x->contact] + amo_along(p, k->w, k->nw, w->du), 0.0};
    if (amo_turns(k)) slip_after(w, p, k, g);
    if (!(fabs(gap - x->rate[0]) <= doubt(a, same))) return false;
    for (uint32_t i = 0; i < x->axes; i++)
      if (!(fabs(g[i] - x->rate[1 + i]) <= doubt(a, same))) return false;
  }
  return true;
}

static void take_proposal(amo_impact *w)
{
  for (uint32_t i = 0; i < w->relax->count; i++) {
    const amo_cone *x = &w->relax->cone[i];
    const amo_contact *k = &w->m->contact[x->contact];
    w->normal[x->contact] = x->force[0];
    w->tangent[x->contact] = x->force[1];
    for (uint32_t a = 0; a < amo_axes(k); a++) w->traction[k->xi + a] = x->force[1 + a];
  }
}

/// The combination at hand: AMO_OK if it satisfies the laws, AMO_ENOANSWER if not.
static amo_status try_modes(amo_impact *w, amo_point *p, const party *a, bool proposed)
{
  amo_way better;
  amo_status st = solve(w, p);
  if (st != AMO_OK) return st;
  bool fits = true;
  for (uint32_t c = 0; fits && c < w->m->nc; c++)
    fits = !has(a, w->m, c) || !contradicts(w, p, c, a, &better);
  if (fits) return AMO_OK;
  if (!proposed || !is_proposal(w, p, a)) return AMO_ENOANSWER;
  take_proposal(w);
  return AMO_OK;
}

static void take_ways(amo_impact *w, const party *a)
{
  for (uint32_t c = 0; c < w->m->nc; c++) {
    if (!has(a, w->m, c)) continue;
    const amo_way x = amo_ways_now(&w->ways, c);
    w->mode[c] = x.mode;
    w->reaction_sign[c] = x.reaction_sign;
  }
}

/// Change what contradicts: at first all at once, later one at a time.
static bool improve(amo_impact *w, const amo_point *p, const party *a, bool all)
{
  bool changed = false;
  for (uint32_t c = 0; c < w->m->nc && (all || !changed); c++) {
    amo_way better;
    if (!has(a, w->m, c) || !contradicts(w, p, c, a, &better)) continue;
    changed |= better.mode != w->mode[c] || better.reaction_sign != w->reaction_sign[c];
    w->mode[c] = better.mode;
    w->reaction_sign[c] = better.reaction_sign;
  }
  return changed;
}

/// From the first of the ways at hand, what contradicts is changed.
static amo_status try_near(amo_impact *w, amo_point *p, const party *a, bool proposed)
{
  amo_status st = AMO_ENOANSWER;
  take_ways(w, a);
  for (uint32_t round = 0, rounds = 6 + 3 * w->relax->count; round < rounds; round++) {
    st = try_modes(w, p, a, proposed);
    if (st != AMO_ENOANSWER || !improve(w, p, a, round < 2)) break;
  }
  return st;
}

/// Every combination of the ways at hand, until one satisfies the laws.
static amo_status try_all(amo_impact *w, amo_point *p, const party *a, bool proposed)
{
  for (int tried = 0; tried < MOST_COMBINATIONS; tried++) {
    take_ways(w, a);
    const amo_status st = try_modes(w, p, a, proposed);
    if (st != AMO_ENOANSWER) return st;
    if (!amo_ways_next(&w->ways, a->blocks->of, a->block)) return AMO_ENOANSWER;
  }
  return AMO_ELIMIT;
}

/// The modes of a few sweeps are mostly those of many.
static amo_status search(amo_impact *w, amo_point *p, party *a)
{
  amo_status st = add_cones(w, p, a);
  if (st != AMO_OK && st != AMO_ENOANSWER) return st;
  bool grown = st != AMO_OK || w->stops != NULL;  // cones ask for no stop
  w->relax->settled = false;
  for (int sweeps = 32; !grown && sweeps <= AMO_SWEEPS && !w->relax->settled; sweeps *= 8) {
    grown = amo_relax_sweep(w->relax, sweeps) != AMO_OK;
    if (grown) break;
    amo_relax_propose(w->relax, &w->ways);
    st = try_near(w, p, a, true);
    if (st != AMO_ENOANSWER) return st;
  }
  if (!grown) st = try_all(w, p, a, true);
  if (!grown && st != AMO_ENOANSWER && st != AMO_ELIMIT) return st;
  for (uint32_t c = 0; c < w->m->nc; c++)
    if (has(a, w->m, c)) all_ways(w, c);
  return try_all(w, p, a, false);
}

/// The block is done: its modes stay, its impulses are kept.
static amo_status solve_block(amo_impact *w, amo_point *p, party *a)
{
  const amo_model *m = w->m;
  for (uint32_t c = 0; c < m->nc; c++)
    if (a->blocks->of[c] == a->block) amo_ways_clear(&w->ways, c);
  amo_status st = search(w, p, a);
  double *found = w->found, *tangent = found + m->nc, *traction = tangent + m->nc;
  for (uint32_t c = 0; c < m->nc; c++) {
    if (!has(a, m, c)) continue;
    found[c] = w->normal[c];
    tangent[c] = w->tangent[c];
    const amo_contact *k = &m->contact[c];
    if (amo_turns(k)) memcpy(traction + k->xi, w->traction + k->xi, 2 * sizeof *traction);
  }
  return st;
}

amo_status amo_impact_solve(amo_impact *w, amo_point *p, double t, double *state, const amo_blocks *blocks,
                            const bool *acts, const double *bounce, double terms)
{
  const amo_model *m = w->m;
  memset(w->mode, 1, m->nc);
  amo_point_registers(p, t, state, w->mode);
  for (uint32_t c = 0; c < m->nc; c++)  // friction curves are read at the speed that comes in
    w->mode[c] = amo_mode_of(&m->contact[c], p->reg[m->contact[c].r_slip], false);
  amo_point_registers(p, t, state, w->mode);
  take_velocities(w, p, bounce);
  memset(w->found, 0, (2 * m->nc + m->nxi) * sizeof *w->found);
  for (uint32_t c = 0; c < m->nc; c++) stand_aside(w, c);
  amo_status st = AMO_OK;
  for (uint32_t b = 0; st == AMO_OK && b < blocks->count; b++) {
    party a = {blocks, acts, b, 0.0, terms};
    bool any = false;
    for (uint32_t c = 0; c < m->nc && !any; c++) any = has(&a, m, c);
    if (any) st = solve_block(w, p, &a);
  }
  if (st != AMO_OK) return st;
  memcpy(w->normal, w->found, m->nc * sizeof *w->normal);
  memcpy(w->tangent, w->found + m->nc, m->nc * sizeof *w->tangent);
  memcpy(w->traction, w->found + 2 * m->nc, m->nxi * sizeof *w->traction);
  for (uint32_t i = 0; i < m->nq; i++) state[m->nq + i] += w->du[i];
  return AMO_OK;
}
