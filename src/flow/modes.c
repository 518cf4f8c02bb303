// SPDX-License-Identifier: Apache-2.0
#include "flow/modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/blocks.h"
#include "contact/relax.h"
#include "contact/ways.h"

enum { MOST_COMBINATIONS = 16384 };

/// How far the search in a block has come.
typedef enum phase {
  CHANGING,    // what contradicts is changed
  PROPOSED,    // combinations that relaxed forces propose
  EVERYTHING,  // all combinations
  SIGNED,      // and of the signs of the reactions of sliding guides, which jump where friction outdoes them
  STRESSED,    // the same again, where reactions may be shared by a stress inside that no spring makes
  BY_VALUES,   // those of relaxed forces again, held against the values of the conditions alone
  SETTLED
} phase;

typedef struct progress {
  phase phase;
  int round, rounds;
  uint32_t least;  // fewest changes of a consistent combination; UINT32_MAX: none yet
  double total;    // of all combinations
  bool stressed;   // a stress inside may be there
} progress;

/// Are signs of reactions on trial?
static bool tries_signs(const progress *b)
{
  return b->phase == SIGNED || b->phase == STRESSED;
}

/// What a trial says of a contact, as far as it has been asked.
typedef struct verdict {
  bool known;
  amo_verdict is;
  signed char better;
} verdict;

struct amo_modes {
  amo_arena memory;
  amo_blocks blocks;
  uint32_t failed;  // the block that was looked at last
  amo_ways ways;
  amo_relax *relax;
  progress *block;    // [nc]
  signed char *best;  // [nc] modes, then signs of reactions
  bool *acts;         // [nc]
  verdict *told;      // [nc] by the trial at hand
  double *acc;        // [nq]
};

amo_status amo_modes_new(const amo_model *m, amo_modes **out)
{
  amo_modes *w = *out = calloc(1, sizeof *w);
  if (w == NULL) return AMO_ENOMEM;
  AMO_TAKE(&w->memory, progress, m->nc + 1u, &w->block);
  AMO_TAKE(&w->memory, signed char, 2 * (m->nc + 1u), &w->best);
  AMO_TAKE(&w->memory, bool, m->nc + 1u, &w->acts);
  AMO_TAKE(&w->memory, verdict, m->nc + 1u, &w->told);
  AMO_TAKE(&w->memory, double, m->nq + 1u, &w->acc);
  if (w->memory.failed) return AMO_ENOMEM;  // the engine frees what there is
  amo_status st = amo_blocks_new(m, &w->blocks);
  if (st == AMO_OK) st = amo_ways_new(m->nc, &w->ways);
  return st == AMO_OK ? amo_relax_new(m, &w->relax) : st;
}

void amo_modes_free(amo_modes *w)
{
  if (w == NULL) return;
  amo_blocks_free(&w->blocks);
  amo_ways_free(&w->ways);
  amo_relax_free(w->relax);
  amo_arena_free(&w->memory);
  free(w);
}

// ---- one trial ----

static bool has_sign(const amo_flow *f, const signed char *mode, uint32_t c)
{
  return amo_is_two_sided(&f->m->contact[c]) && mode[c] != 0;
}

/// A trial in which the reactions of sliding guides have the signs that their friction is written for. Where neither sign
/// suits (a paradox of rigid bodies) the present one stays, and so does one that is on trial itself.
static amo_status run_signed(const amo_modes *w, amo_flow *f, int lane, const amo_footing *footing,
                             const signed char *mode, amo_orders orders)
{
  amo_lane *l = &f->lane[lane];
  amo_status st = amo_trial_run(f, lane, mode, l->reaction_sign, footing, orders);
  for (uint32_t c = 0; st == AMO_OK && c < f->m->nc; c++) {
    if (!has_sign(f, mode, c) || tries_signs(&w->block[w->blocks.of[c]])) continue;
    if (amo_trial_reaction_sign(f, c) * l->reaction_sign[c] >= 0) continue;
    l->reaction_sign[c] = (signed char)-l->reaction_sign[c];
    st = amo_trial_run(f, lane, mode, l->reaction_sign, footing, orders);
    if (st == AMO_OK && amo_trial_reaction_sign(f, c) * l->reaction_sign[c] >= 0) continue;
    l->reaction_sign[c] = (signed char)-l->reaction_sign[c];
    st = amo_trial_run(f, lane, mode, l->reaction_sign, footing, orders);
  }
  return st;
}

/// Of the conditions as series; their values alone are another question.
static verdict told_of(const amo_modes *w, const amo_flow *f, const amo_footing *footing, uint32_t c)
{
  verdict *v = &w->told[c];
  if (!v->known) v->is = amo_trial_judge(f, c, &footing[c], &v->better);
  v->known = true;
  return *v;
}

static bool consistent(const amo_modes *w, const amo_flow *f, const amo_footing *footing, uint32_t block)
{
  signed char better;
  bool holds = true;
  f->trial->by_values = w->block[block].phase == BY_VALUES;
  for (uint32_t c = 0; c < f->m->nc && holds; c++)
    holds = w->blocks.of[c] != block || amo_trial_judge(f, c, &footing[c], &better) == AMO_HOLDS;
  f->trial->by_values = false;
  return holds;
}

/// A trial of the modes that is long enough to tell.
static amo_status run_trial(const amo_modes *w, amo_flow *f, int lane, const amo_footing *footing,
                            const signed char *mode)
{
  const uint32_t nc = f->m->nc;
  for (uint32_t c = 0; c < nc; c++) f->lane[lane].stressed[c] = w->block[w->blocks.of[c]].stressed;
  // before the first step the first orders know no length of time: what begins at a limit they do not tell
  const bool all = f->m->plain && !(f->lane[lane].pace > 0.0);
  amo_status st = run_signed(w, f, lane, footing, mode, all ? AMO_ALL_ORDERS : AMO_FIRST_ORDERS);
  memset(w->told, 0, nc * sizeof *w->told);
  bool untold = false;
  for (uint32_t c = 0; st == AMO_OK && c < nc && !untold; c++)
    untold = w->block[w->blocks.of[c]].phase != SETTLED && told_of(w, f, footing, c).is == AMO_UNTOLD;
  if (!untold) return st;
  memset(w->told, 0, nc * sizeof *w->told);
  return run_signed(w, f, lane, footing, mode, AMO_ALL_ORDERS);
}

/// Change what contradicts: at first all at once (fast for simultaneous events), later one at a time. A contact that rested
/// is released only when the others agree with each other, and then the one that is furthest beyond its bound.
static bool improve(const amo_modes *w, const amo_flow *f, const amo_footing *footing, uint32_t block,
                    signed char *mode)
{
  bool changed = false;
  long worst = -1;
  signed char worst_mode = 0;
  for (uint32_t c = 0; c < f->m->nc; c++) {
    const verdict v = w->blocks.of[c] == block ? told_of(w, f, footing, c) : (verdict){.is = AMO_HOLDS};
    const signed char better = v.better;
    if (v.is != AMO_FAILS) continue;
    if (footing[c].rested && mode[c] == 0 && better != AMO_MODE_OPEN) {
      if (worst < 0 || amo_trial_excess(f, c) > amo_trial_excess(f, (uint32_t)worst)) {
        worst = (long)c;
        worst_mode = better;
      }
      continue;
    }
    mode[c] = better;
    changed = true;
    if (w->block[block].round >= 2) break;
  }
  if (changed || worst < 0) return changed;
  mode[worst] = worst_mode;
  return true;
}

// ---- combinations ----

/// Mode of a contact that moves and stays closed.
static int sliding(const amo_flow *f, int lane, uint32_t c)
{
  const signed char now = f->lane[lane].mode[c];
  if (now != AMO_MODE_OPEN && now != 0) return now;
  const double slip = amo_flow_series(f->trial, 0, f->m->contact[c].r_slip)[0];
  return amo_mode_of(&f->m->contact[c], slip, false);
}

static void list_everything(amo_modes *w, const amo_flow *f, int lane, const amo_footing *footing, uint32_t c)
{
  const amo_contact *k = &f->m->contact[c];
  const bool signs = amo_is_two_sided(k) && tries_signs(&w->block[w->blocks.of[c]]);
  amo_ways_clear(&w->ways, c);
  if (!footing[c].closed) {
    amo_ways_add(&w->ways, c, f->lane[lane].mode[c], 1);
    return;
  }
  if (footing[c].at_rest) amo_ways_add(&w->ways, c, 0, 1);
  for (int sign = 1; sign >= (signs ? -1 : 1); sign -= 2) {
    amo_ways_add(&w->ways, c, footing[c].at_rest ? 1 : sliding(f, lane, c), sign);
    if (footing[c].at_rest && !amo_turns(k)) amo_ways_add(&w->ways, c, -1, sign);
  }
  if (amo_can_open(k)) amo_ways_add(&w->ways, c, AMO_MODE_OPEN, 1);
}

/// The cone of a contact, with what the other forces ask of it.
static void add_cone(amo_modes *w, const amo_flow *f, int lane, const amo_footing *footing, uint32_t c)
{
  const amo_contact *k = &f->m->contact[c];
  const amo_point *p = f->point;
  amo_cone *x = amo_relax_add(w->relax, p, c);
  x->asked[0] = amo_has_gap(k) ? amo_along(p, k->n, k->nn, w->acc) + p->reg[k->r_gap_zeta] : 0.0;
  if (!amo_turns(k)) x->asked[1] = amo_along(p, k->w, k->nw, w->acc) + p->reg[k->r_zeta];
  for (uint32_t a = 0; a < amo_axes(k); a++)
    x->asked[1 + a] = amo_along(p, k->axis[a].w, k->axis[a].nw, w->acc) + p->reg[k->axis[a].r_zeta];
  x->moving = !footing[c].at_rest;
  if (!x->moving) return;
  x->direction[0] = sliding(f, lane, c);
  for (uint32_t a = 0; a < amo_axes(k); a++) x->direction[a] = p->reg[f->m->leaf.xi + k->xi + a];
}

/// Combinations that relaxed forces propose for one block; AMO_ENOANSWER: they do not settle.
static amo_status list_proposals(amo_modes *w, amo_flow *f, int lane, const amo_footing *footing,
                                 uint32_t block)
{
  const amo_model *m = f->m;
  amo_lane *l = &f->lane[lane];
  signed char *mode = f->point->mirrored;
  if (m->plain) return AMO_ENOANSWER;   // there is no balance to relax
  for (uint32_t c = 0; c < m->nc; c++)  // in slip pressed contacts have their friction among the loads
    mode[c] = (signed char)(footing[c].at_rest || !footing[c].closed ? 0 : sliding(f, lane, c));
  amo_point_registers(f->point, l->t, l->y, mode);
  amo_status st = amo_relax_free_motion(w->relax, f->point, w->acc);
  if (st != AMO_OK) return st;
  amo_relax_begin(w->relax);
  for (uint32_t c = 0; c < m->nc; c++) {
    if (w->blocks.of[c] != block) continue;
    list_everything(w, f, lane, footing, c);
    const bool given = !amo_has_gap(&m->contact[c]) && !footing[c].at_rest;
    if (footing[c].closed && !given) add_cone(w, f, lane, footing, c);
  }
  st = amo_relax_start(w->relax, f->point);
  if (st == AMO_OK) st = amo_relax_sweep(w->relax, AMO_SWEEPS);
  if (st == AMO_OK) amo_relax_propose(w->relax, &w->ways);
  return st;
}

static uint32_t changes(const amo_modes *w, const amo_lane *l, uint32_t nc, uint32_t block)
{
  uint32_t n = 0;
  for (uint32_t c = 0; c < nc; c++)
    n += w->blocks.of[c] == block && amo_ways_now(&w->ways, c).mode != l->step_mode[c];
  return n;
}

/// Has the reaction of a sliding guide of this block come to zero once more, in no time? Then its zero is no rounding.
static bool insists(const amo_modes *w, const amo_flow *f, const amo_lane *l, uint32_t block)
{
  if (l->h > AMO_ROUNDED * fmax(fabs(l->t), l->rhythm)) return false;
  for (size_t i = 0; i < l->hits; i++)
    if (l->hit[i].what == AMO_IS_REACTION && has_sign(f, l->step_mode, l->hit[i].index) &&
        w->blocks.of[l->hit[i].index] == block)
      return true;
  return false;
}

/// The next phase of a block, with the ways that it tries.
static amo_status next_phase(amo_modes *w, amo_flow *f, int lane, const amo_footing *footing, uint32_t block)
{
  progress *b = &w->block[block];
  b->least = UINT32_MAX;
  if (b->phase == CHANGING) {
    b->phase = PROPOSED;
    amo_status st = list_proposals(w, f, lane, footing, block);
    if (st == AMO_OK && amo_ways_total(&w->ways, w->blocks.of, block) <= MOST_COMBINATIONS) return AMO_OK;
    if (st != AMO_OK && st != AMO_ENOANSWER) return st;
  }
  if (b->phase == BY_VALUES || (tries_signs(b) && insists(w, f, &f->lane[lane], block))) return AMO_ENOANSWER;
  while (b->phase >= PROPOSED && b->phase < STRESSED) {
    b->phase++;
    for (uint32_t c = 0; c < f->m->nc; c++)
      if (w->blocks.of[c] == block) list_everything(w, f, lane, footing, c);
    const double total = amo_ways_total(&w->ways, w->blocks.of, block);
    if (b->phase == EVERYTHING) b->total = total;
    if (b->phase == STRESSED) b->stressed = true;
    if (total <= MOST_COMBINATIONS && !(b->phase == SIGNED && total == b->total)) return AMO_OK;
  }
  // forces of the size of rounding: the values agree with the laws as well as they are known, what follows them does not count
  b->phase = BY_VALUES;
  return list_proposals(w, f, lane, footing, block) == AMO_OK ? AMO_OK
         : b->total > MOST_COMBINATIONS                       ? AMO_ELIMIT
                                                              : AMO_ENOANSWER;
}

static void take_ways(const amo_modes *w, amo_flow *f, int lane, uint32_t block, signed char *mode)
{
  for (uint32_t c = 0; c < f->m->nc; c++) {
    if (w->blocks.of[c] != block) continue;
    const amo_way x = amo_ways_now(&w->ways, c);
    mode[c] = x.mode;
    if (tries_signs(&w->block[block]) && has_sign(f, mode, c))
      f->lane[lane].reaction_sign[c] = x.reaction_sign;
  }
}

/// Go on to the next combination that changes less than the best so far; the best one where there is none.
static amo_status next_combination(amo_modes *w, amo_flow *f, int lane, const amo_footing *footing,
                                   uint32_t block, signed char *mode)
{
  progress *b = &w->block[block];
  const uint32_t nc = f->m->nc;
  while (amo_ways_next(&w->ways, w->blocks.of, block))
    if (changes(w, &f->lane[lane], nc, block) < b->least) {
      take_ways(w, f, lane, block, mode);
      return AMO_OK;
    }
  if (b->least == UINT32_MAX) {
    amo_status st = next_phase(w, f, lane, footing, block);
    if (st == AMO_OK) take_ways(w, f, lane, block, mode);
    return st;
  }
  for (uint32_t c = 0; c < nc; c++) {
    if (w->blocks.of[c] != block) continue;
    mode[c] = w->best[c];
    f->lane[lane].reaction_sign[c] = w->best[nc + c];
  }
  b->phase = SETTLED;
  return AMO_OK;
}

/// What the trial says of one block; `ran`: it could be run.
static amo_status look(amo_modes *w, amo_flow *f, int lane, const amo_footing *footing, uint32_t block,
                       bool ran, signed char *mode)
{
  progress *b = &w->block[block];
  if (b->phase == CHANGING) {
    if (ran && !improve(w, f, footing, block, mode)) {
      b->phase = SETTLED;
      return AMO_OK;
    }
    if (ran && ++b->round < b->rounds) return AMO_OK;
    amo_status st = next_phase(w, f, lane, footing, block);
    if (st == AMO_OK) take_ways(w, f, lane, block, mode);
    return st;
  }
  if (ran && consistent(w, f, footing, block)) {
    b->least = changes(w, &f->lane[lane], f->m->nc, block);
    for (uint32_t c = 0; c < f->m->nc; c++) {
      if (w->blocks.of[c] != block) continue;
      w->best[c] = mode[c];
      w->best[f->m->nc + c] = f->lane[lane].reaction_sign[c];
    }
  }
  return next_combination(w, f, lane, footing, block, mode);
}

static void begin(amo_modes *w, const amo_model *m, const amo_footing *footing)
{
  for (uint32_t c = 0; c < m->nc; c++) w->acts[c] = footing[c].closed;
  amo_blocks_divide(&w->blocks, w->acts);
  for (uint32_t i = 0; i < w->blocks.count; i++) w->block[i] = (progress){.phase = CHANGING, .rounds = 6};
  for (uint32_t c = 0; c < m->nc; c++) w->block[w->blocks.of[c]].rounds += 3;
}

amo_status amo_modes_find(amo_modes *w, amo_flow *f, int lane, const amo_footing *footing, signed char *mode)
{
  begin(w, f->m, footing);
  for (bool open = true; open;) {
    amo_status st = run_trial(w, f, lane, footing, mode);
    if (st != AMO_OK && st != AMO_ENOANSWER) return st;
    const bool ran = st == AMO_OK;  // else singular in these modes
    open = false;
    for (uint32_t i = 0; i < w->blocks.count; i++) {
      if (w->block[i].phase == SETTLED) continue;
      st = look(w, f, lane, footing, i, ran, mode);
      w->failed = i;
      if (st != AMO_OK) return st;
      open |= !(w->block[i].phase == SETTLED && ran);
      if (w->block[i].phase != SETTLED) continue;
      open |= memcmp(mode, f->trial->lane[0].mode, f->m->nc) != 0;
      open |= memcmp(f->lane[lane].reaction_sign, f->trial->lane[0].reaction_sign, f->m->nc) != 0;
    }
  }
  return AMO_OK;
}

bool amo_modes_missing(const amo_modes *w, uint32_t c)
{
  return w->blocks.of[c] == w->failed;
}
