// SPDX-License-Identifier: Apache-2.0
#include "flow/explained.h"

#include <math.h>
#include <stdlib.h>

#include "expr/explain.h"

/// What may be missing of a rate times the length of the step, and of a condition, in units of tol times their size. The rest of a
/// series grows like its last power, so its integral is smaller than this by the order.
static const double allowed = 10.0;
enum { HALVINGS = 1100 };  // from the largest number to the smallest

/// What a register is for, and so what its missing part is measured against.
typedef enum use { RATE, FORCE, COEFFICIENT, TIE, KINETIC, BOUND, STICK, SLIP, GAP, SWITCH } use;

typedef struct target {
  uint32_t reg, index;  // index: state, coordinate, contact or switch
  use use;
} target;

struct amo_explained {
  amo_explain *explain;
  target *list;
  size_t count;
};

// ---- which registers ----

static void add(struct amo_explained *x, uint32_t reg, use what, uint32_t index)
{
  if (reg == AMO_NO_REGISTER || !amo_explain_concerns(x->explain, reg)) return;
  x->list[x->count++] = (target){reg, index, what};
}

static void add_row(struct amo_explained *x, const amo_entry *entry, uint32_t n, use what, uint32_t index)
{
  for (uint32_t e = 0; e < n; e++) add(x, entry[e].reg, what, index);
}

/// What the balance is made of, where it is solved.
static void add_balance(struct amo_explained *x, const amo_model *m)
{
  for (uint32_t i = 0; i < m->nq; i++) add(x, m->r_h[i], FORCE, i);
  add_row(x, m->mass, m->nmass, COEFFICIENT, 0);
  for (uint32_t g = 0; g < m->ng; g++) {
    add_row(x, m->constraint[g].g, m->constraint[g].ng, COEFFICIENT, 0);
    add(x, m->constraint[g].r_zeta, COEFFICIENT, 0);
  }
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    add_row(x, k->w, k->nw, TIE, c);
    add_row(x, k->n, k->nn, TIE, c);
    add(x, k->r_zeta, TIE, c);
    for (uint32_t a = 0; a < amo_axes(k); a++) {
      add_row(x, k->axis[a].w, k->axis[a].nw, TIE, c);
      add(x, k->axis[a].r_zeta, TIE, c);
    }
    if (!amo_has_gap(k)) continue;
    add(x, k->r_gap_zeta, TIE, c);
    add(x, k->r_kinetic, KINETIC, c);
    add(x, k->r_gap, GAP, c);
  }
}

static void add_contacts(struct amo_explained *x, const amo_model *m)
{
  for (uint32_t c = 0; c < m->nc; c++) {
    add(x, m->contact[c].r_bound, BOUND, c);
    add(x, m->contact[c].r_slip, SLIP, c);
    if (m->plain || amo_is_massless(&m->contact[c])) add(x, m->contact[c].r_stick, STICK, c);
  }
}

static size_t most_targets(const amo_model *m, uint32_t nsw)
{
  size_t n = (size_t)m->nq + m->nz + m->nmass + nsw + 1u;
  for (uint32_t g = 0; g < m->ng; g++) n += m->constraint[g].ng + 1u;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    n += k->nw + k->nn + k->axis[0].nw + k->axis[1].nw + 9u;
  }
  return n;
}

amo_status amo_explained_new(const amo_flow *f, amo_arena *memory, struct amo_explained **out)
{
  const amo_model *m = f->m;
  amo_explain *explain;
  *out = NULL;
  amo_status st = amo_explain_new(m->step, f->P, f->W, &explain);
  if (st != AMO_OK || explain == NULL) return st;
  struct amo_explained *x = *out = amo_arena_alloc(memory, sizeof *x);
  if (x == NULL) {
    amo_explain_free(explain);
    return AMO_ENOMEM;
  }
  x->explain = explain;
  AMO_TAKE(memory, target, most_targets(m, f->nsw), &x->list);
  if (memory->failed) return AMO_ENOMEM;
  for (uint32_t i = 0; m->plain && i < m->nq; i++) add(x, m->r_acc[i], RATE, m->nq + i);
  for (uint32_t i = 0; i < m->nz; i++) add(x, m->extra[i].r_rate, RATE, 2 * m->nq + i);
  if (!m->plain) add_balance(x, m);
  add_contacts(x, m);
  for (uint32_t i = 0; i < f->nsw;
       i++)  // a root that folds is looked at by itself, and has no size at its zero
    if (amo_prog_switch_kind(m->step, i) != AMO_SWITCH_FOLD)
      add(x, amo_prog_switch_register(m->step, i), SWITCH, i);
  return AMO_OK;
}

void amo_explained_free(struct amo_explained *x)
{
  if (x != NULL) amo_explain_free(x->explain);
}

// ---- what counts ----

double amo_flow_state_size(const amo_flow *f, int lane, uint32_t i, double h)
{
  const amo_lane *l = &f->lane[lane];
  if (l->weight[i] > 0.0) return 1.0 / l->weight[i];
  if (l->leading) return l->leading_size[i];
  double size = 0.0, power = h;
  for (size_t k = 1; k <= 3; k++, power *= h)
    size = amo_larger(size, fabs(f->state[i][k * (size_t)f->W + (size_t)lane]) * power);
  return size;
}

/// Size of the rate of a state: what it takes to move it by its size within the step, or against what draws it back.
static double rate_size(const amo_flow *f, int lane, uint32_t i, double h)
{
  return amo_flow_state_size(f, lane, i, h) *
         (1.0 / h + (f->lane[lane].implicit ? f->lane[lane].decay[i] : 0.0));
}

/// Size of the friction that can hold contact c; 0 where there is none, INFINITY where none is needed.
static double friction_size(const amo_flow *f, int lane, uint32_t c)
{
  if (amo_flow_is_idle(f, lane, c)) return INFINITY;
  const double bound = fabs(f->watch[c].bound[lane]);
  return amo_has_gap(&f->m->contact[c]) ? bound * fabs(f->reaction[c * amo_flow_item(f) + (size_t)lane])
                                        : bound;
}

/// A force of the balance acts on its coordinate, if that moves at all, and where contacts hold, on what holds them. INFINITY: on neither.
static double force_size(const amo_flow *f, const amo_lane *l, int lane, uint32_t q, double h)
{
  const amo_model *m = f->m;
  double mass = 0.0, least = INFINITY, moves;
  for (uint32_t e = 0; e < m->nmass; e++)
    if (m->mass[e].row == q && m->mass[e].col == q) mass = fabs(*amo_flow_series(f, lane, m->mass[e].reg));
  moves = mass * rate_size(f, lane, m->nq + q, h);
  if (moves > 0.0) least = moves;
  for (uint32_t c = 0; c < m->nc; c++) {
    const double held = l->mode[c] == 0 ? friction_size(f, lane, c) : 0.0;
    if (held > 0.0) least = fmin(least, held);
  }
  return least;
}

/// How far the series of the target itself goes from zero.
static double own_size(const amo_flow *f, const target *t)
{
  return amo_explain_size(f->explained->explain, t->reg);
}

/// A coefficient of friction, by what its force does to the coordinates.
static double kinetic_size(const amo_flow *f, const amo_lane *l, int lane, const target *t, double h)
{
  const amo_contact *k = &f->m->contact[t->index];
  const double normal = fabs(f->reaction[t->index * amo_flow_item(f) + (size_t)lane]);
  double least = k->nw > 0 ? INFINITY : 0.0;
  if (l->mode[t->index] == AMO_MODE_OPEN) return INFINITY;
  for (uint32_t e = 0; e < k->nw; e++) {
    const double lever = normal * fabs(*amo_flow_series(f, lane, k->w[e].reg));
    if (lever > 0.0) least = fmin(least, force_size(f, l, lane, k->w[e].col, h) / lever);
  }
  return fmax(least, own_size(f, t));
}

/// Of an open gap. A surface that sets off with infinite speed is not followed to tol, as long as it stays far away.
static double gap_size(const amo_flow *f, const amo_lane *l, int lane, const target *t, double h)
{
  if (l->mode[t->index] != AMO_MODE_OPEN) return INFINITY;
  const double size = fmax(own_size(f, t), l->gap_scale[t->index]);
  if (!l->leading) return size;
  const double *a = amo_flow_series(f, lane, t->reg);
  double least = a[0], power = h;
  for (int k = 1; k < f->P; k++, power *= h) least -= fabs(a[(size_t)k * (size_t)f->W]) * power;
  return fmax(size, 0.25 * least / (allowed * f->opt.tol));
}

/// A force on a coordinate that ties hold where it is, by itself: reactions are as large.
static double balanced_size(const amo_flow *f, const amo_lane *l, int lane, const target *t, double h)
{
  const double size = force_size(f, l, lane, t->index, h);
  return isfinite(size) ? size : own_size(f, t);
}

static double size_of(const amo_flow *f, int lane, const target *t, double h)
{
  const amo_lane *l = &f->lane[lane];
  const uint32_t i = t->index;
  switch (t->use) {
    case RATE: return rate_size(f, lane, i, h);
    case FORCE: return balanced_size(f, l, lane, t, h);
    case TIE: return l->mode[i] == AMO_MODE_OPEN ? INFINITY : own_size(f, t);  // an open support has none
    case KINETIC: return kinetic_size(f, l, lane, t, h);
    // beside a singular point a bound may begin at zero: there it has no size of its own
    case BOUND:
      return l->mode[i] == 0 && !l->leading && !amo_flow_is_idle(f, lane, i) ? own_size(f, t) : INFINITY;
    case STICK: return l->mode[i] == 0 ? friction_size(f, lane, i) : INFINITY;
    case SLIP: return fmax(own_size(f, t), l->condition_scale[i]);
    case GAP: return gap_size(f, l, lane, t, h);
    case SWITCH: return fmax(own_size(f, t), l->condition_scale[f->m->nc + i]);
    default: return own_size(f, t);
  }
}

static bool complete(amo_flow *f, int lane, double h, const double *power)
{
  const struct amo_explained *x = f->explained;
  if (!amo_explain_look(x->explain, f->jet, lane, h, power)) return true;
  for (size_t i = 0; i < x->count; i++) {
    const double e = amo_explain_missing(x->explain, x->list[i].reg);
    if (e > 0.0 && !(e <= allowed * f->opt.tol * size_of(f, lane, &x->list[i], h))) return false;
  }
  return true;
}

double amo_explained_length(amo_flow *f, int lane, double h)
{
  amo_lane *l = &f->lane[lane];
  if (complete(f, lane, l->trial, f->power + lane)) return h;  // its powers are there
  if (h < l->trial && complete(f, lane, h, NULL)) return h;
  for (int i = 0; i < HALVINGS && h > 0.0; i++) {
    l->stats.rejected++;
    h *= 0.5;
    if (complete(f, lane, h, NULL)) break;
  }
  return h;
}
