// SPDX-License-Identifier: Apache-2.0
#include "contact/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "contact/conditions.h"
#include "contact/ways.h"

enum { MOST_COMBINATIONS = 20000, MOST_FACES = 4 };

struct amo_linear {
  amo_arena memory;
  const amo_model *m;
  size_t n;
  size_t param[AMO_LINEAR_MOST];
  amo_dag *dag;
  amo_prog *prog;  // roots: dh [n][nq], then dbound [n][nc]
  double *reg;
  // of one visit
  amo_point *p;
  double t;
  const double *state;
  signed char *mode, *reaction_sign;
  double *base, *rate;              // acc [nq], lambda [nc], reaction [nc]; rate: [n] of the same
  double *param_own, *param_moved;  // [np] scratch
  bool *at_rest;                    // [nc]
  amo_ways ways;
  amo_affine *face;
  size_t faces;
};

// ---- do the parameters enter the loads only? ----

/// Expressions with derived parameters written out, so that what depends on a parameter shows it.
static amo_status expand(amo_linear *l, const amo_node *root, size_t n, amo_node *out)
{
  const amo_model *m = l->m;
  amo_node *replace = amo_zalloc(m->leaf.count, sizeof *replace),
           *formula = amo_zalloc(m->np, sizeof *formula);
  amo_status st = replace && formula ? AMO_OK : AMO_ENOMEM;
  for (uint32_t i = 0; st == AMO_OK && i < m->np; i++) formula[i] = m->param[i].expr;
  if (st == AMO_OK) st = amo_dag_copy(l->dag, m->dag, formula, m->np, replace + m->leaf.param);
  if (st == AMO_OK) st = amo_dag_copy(l->dag, m->dag, root, n, out);
  for (size_t i = 0; st == AMO_OK && i < n; i++)
    if (out[i] != AMO_NODE_NONE) out[i] = amo_subst(l->dag, out[i], replace, m->leaf.count);
  free(replace);
  free(formula);
  return st == AMO_OK ? amo_dag_status(l->dag) : st;
}

static bool knows(amo_linear *l, amo_node n)
{
  for (size_t k = 0; k < l->n; k++)
    if (n != AMO_NODE_NONE && amo_node_depends(l->dag, n, l->m->leaf.param + (uint32_t)l->param[k], 1))
      return true;
  return false;
}

typedef struct list {
  amo_node *item;
  size_t count, capacity;
  bool failed;
} list;

static void add(list *x, amo_node n)
{
  if (!AMO_ROOM(x->item, x->count, x->capacity))
    x->failed = true;
  else
    x->item[x->count++] = n;
}

static void add_row(list *x, const amo_entry *e, uint32_t n)
{
  for (uint32_t k = 0; k < n; k++) add(x, e[k].node);
}

/// Everything that decides except the loads and the bounds of pressed contacts.
static void list_structure(const amo_model *m, bool started, list *x)
{
  add_row(x, m->mass, m->nmass);
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    add_row(x, k->w, k->nw);
    add(x, k->slip), add(x, k->zeta);
    if (!amo_is_two_sided(k)) continue;
    add_row(x, k->n, k->nn);
    add(x, k->gap), add(x, k->gap_zeta), add(x, k->bound), add(x, k->kinetic);
  }
  for (uint32_t g = 0; g < m->ng; g++) {
    add_row(x, m->constraint[g].g, m->constraint[g].ng);
    add(x, m->constraint[g].zeta);
    add(x, m->constraint[g].residual);
  }
  for (size_t i = 0; started && i < amo_model_states(m); i++) add(x, m->start.state[i]);
}

static amo_status check_structure(amo_linear *l, bool started, const char **why)
{
  list x = {0};
  list_structure(l->m, started, &x);
  amo_node *own = amo_zalloc(x.count, sizeof *own);
  amo_status st = x.failed || !own ? AMO_ENOMEM : expand(l, x.item, x.count, own);
  for (size_t i = 0; st == AMO_OK && i < x.count; i++)
    if (knows(l, own[i])) {
      *why = "more than the loads depends on it";
      st = AMO_ENOANSWER;
    }
  free(own);
  free(x.item);
  return st;
}

/// Kinetic friction of pressed contacts acts as a load. Plain models have its rate in theirs, if it is linear.
static amo_status check_kinetic(amo_linear *l, const char **why)
{
  const amo_model *m = l->m;
  amo_node *root = amo_zalloc(2u * (size_t)m->nc, sizeof *root), *own = root + m->nc;
  if (!root) return AMO_ENOMEM;
  for (uint32_t c = 0; c < m->nc; c++)
    root[c] = amo_is_two_sided(&m->contact[c]) ? AMO_NODE_NONE : m->contact[c].kinetic;
  amo_status st = expand(l, root, m->nc, own);
  for (uint32_t c = 0; st == AMO_OK && c < m->nc; c++)
    for (size_t k = 0; st == AMO_OK && knows(l, own[c]) && k < l->n; k++) {
      amo_node rate = amo_diff(l->dag, own[c], m->leaf.param + (uint32_t)l->param[k]);
      st = amo_dag_status(l->dag);
      if (st == AMO_OK && m->plain && !knows(l, rate)) continue;
      *why = "friction that acts in slip depends on it";
      if (st == AMO_OK) st = AMO_ENOANSWER;
    }
  free(root);
  return st;
}

/// Derivatives of loads and of bounds of pressed contacts; they must not know the parameters any more.
static amo_status compile(amo_linear *l, const char **why)
{
  const amo_model *m = l->m;
  size_t each = (size_t)m->nq + m->nc, n = 0;
  amo_node *root = amo_zalloc(each * (1 + l->n), sizeof *root), *own = root + each;
  if (!root) return AMO_ENOMEM;
  for (uint32_t i = 0; i < m->nq; i++) root[n++] = m->h[i];
  for (uint32_t c = 0; c < m->nc; c++) root[n++] = amo_is_two_sided(&m->contact[c]) ? 0 : m->contact[c].bound;
  amo_status st = expand(l, root, each, own);
  memcpy(root, own, each * sizeof *root);
  for (size_t k = 0, at = each; st == AMO_OK && k < l->n; k++)
    for (size_t i = 0; st == AMO_OK && i < each; i++, at++) {
      root[at] = root[i] == AMO_NODE_NONE ? amo_const(l->dag, 0.0)
                                          : amo_diff(l->dag, root[i], m->leaf.param + (uint32_t)l->param[k]);
      st = amo_dag_status(l->dag);
      if (st == AMO_OK && knows(l, root[at])) {
        *why = "a load depends on it, but not linearly";
        st = AMO_ENOANSWER;
      }
    }
  if (st == AMO_OK) st = amo_prog_compile(l->dag, own, each * l->n, m->fixed, m->leaf.count, &l->prog);
  if (st == AMO_OK && !(l->reg = amo_zalloc(amo_prog_registers(l->prog), sizeof *l->reg))) st = AMO_ENOMEM;
  free(root);
  return st;
}

amo_status amo_linear_new(const amo_model *m, const size_t *param, size_t n, bool started, const char **why,
                          amo_linear **out)
{
  size_t each = (size_t)m->nq + 2u * m->nc;
  amo_linear *l = *out = amo_zalloc(1, sizeof *l);
  *why = "";
  if (!l) return AMO_ENOMEM;
  l->m = m;
  l->n = n;
  memcpy(l->param, param, n * sizeof *param);
  l->dag = amo_dag_new(0);
  AMO_TAKE(&l->memory, signed char, m->nc, &l->mode, &l->reaction_sign);
  AMO_TAKE(&l->memory, double, each, &l->base);
  AMO_TAKE(&l->memory, double, AMO_LINEAR_MOST *each, &l->rate);
  AMO_TAKE(&l->memory, double, m->np, &l->param_own, &l->param_moved);
  AMO_TAKE(&l->memory, amo_affine, (size_t)MOST_FACES * m->nc, &l->face);
  AMO_TAKE(&l->memory, bool, m->nc, &l->at_rest);
  amo_status st = l->dag && !l->memory.failed ? amo_ways_new(m->nc, &l->ways) : AMO_ENOMEM;
  for (uint32_t c = 0; st == AMO_OK && c < m->nc; c++)
    if (amo_can_open(&m->contact[c]) || amo_turns(&m->contact[c]) || m->contact[c].npressing > 0) {
      *why = "joints, one-sided and spatial contacts have no such structure";
      st = AMO_ENOANSWER;
    }
  if (st == AMO_OK) st = check_structure(l, started, why);
  if (st == AMO_OK) st = check_kinetic(l, why);
  if (st == AMO_OK) st = compile(l, why);
  if (st == AMO_OK) return AMO_OK;
  amo_linear_free(l);
  *out = NULL;
  return st;
}

void amo_linear_free(amo_linear *l)
{
  if (!l) return;
  amo_prog_free(l->prog);
  amo_dag_free(l->dag);
  free(l->reg);
  amo_ways_free(&l->ways);
  amo_arena_free(&l->memory);
  free(l);
}

// ---- one combination ----

static void take(const amo_linear *l, double *to, const double *minus)
{
  const amo_model *m = l->m;
  const amo_point *p = l->p;
  for (size_t i = 0; i < m->nq; i++) to[i] = p->acc[i] - (minus ? minus[i] : 0.0);
  for (size_t c = 0; c < m->nc; c++) {
    to[m->nq + c] = p->lambda[c] - (minus ? minus[m->nq + c] : 0.0);
    to[m->nq + m->nc + c] = p->reaction[c] - (minus ? minus[m->nq + m->nc + c] : 0.0);
  }
}

/// Plain models have their solution among the registers: the rate is a difference, exact since all is affine.
static amo_status plain_rate(amo_linear *l, size_t k, double *rate)
{
  const amo_model *m = l->m;
  amo_point *p = l->p;
  const double *own = p->reg + m->leaf.param;
  const double step = fmax(fabs(own[l->param[k]]), 1.0);
  const size_t each = (size_t)m->nq + 2u * m->nc;
  memcpy(l->param_own, own, m->np * sizeof *own);
  memcpy(l->param_moved, own, m->np * sizeof *own);
  l->param_moved[l->param[k]] += step;
  amo_model_derive(m, l->param_moved);
  amo_point_parameters(p, l->param_moved);
  amo_point_registers(p, l->t, l->state, l->mode);
  amo_status st = amo_point_solve(p, l->mode, NULL);
  take(l, rate, l->base);
  for (size_t i = 0; i < each; i++) rate[i] /= step;
  amo_point_parameters(p, l->param_own);
  amo_point_registers(p, l->t, l->state, l->mode);
  return st;
}

/// Accelerations and forces, and their rates with each parameter.
static amo_status solve(amo_linear *l)
{
  const amo_model *m = l->m;
  amo_point *p = l->p;
  size_t each = (size_t)m->nq + 2u * m->nc;
  amo_point_registers(p, l->t, l->state, l->mode);
  for (uint32_t c = 0; c < m->nc; c++) p->reaction_sign[c] = l->mode[c] == 0 ? 0 : l->reaction_sign[c];
  amo_status st = amo_point_solve(p, l->mode, NULL);
  if (st != AMO_OK) return st;
  take(l, l->base, NULL);
  memcpy(l->reg, p->reg, m->leaf.count * sizeof *l->reg);
  amo_prog_prepare1(l->prog, l->reg);
  amo_prog_eval1(l->prog, l->reg, NULL);
  for (size_t k = 0; st == AMO_OK && k < l->n; k++) {
    size_t first = k * ((size_t)m->nq + m->nc);
    if (m->plain) {
      st = plain_rate(l, k, l->rate + k * each);
      continue;
    }
    for (uint32_t i = 0; i < m->nq; i++) p->extra[i] = l->reg[amo_prog_root(l->prog, first + i)];
    st = amo_point_solve(p, l->mode, p->extra);
    take(l, l->rate + k * each, l->base);
  }
  return st;
}

/// The affine function whose value at the parameters at hand is v0, with these rates.
static amo_affine affine(const amo_linear *l, double v0, const double *rate)
{
  amo_affine f = {.c = {v0}};
  double size = fabs(v0);
  for (size_t k = 0; k < l->n; k++) {
    double term = rate[k] * l->p->reg[l->m->leaf.param + l->param[k]];
    f.c[1 + k] = rate[k];
    f.c[0] -= term;
    size += fabs(term);
  }
  if (fabs(f.c[0]) <= AMO_CANCELLED * size)
    f.c[0] = 0.0;  // loads that are proportional: the border runs through zero
  return f;
}

static void put(amo_linear *l, double v0, const double *rate, uint32_t contact, amo_face_kind what)
{
  amo_affine f = affine(l, v0, rate);
  f.contact = contact, f.what = what;
  l->face[l->faces++] = f;
}

static double bound_rate(const amo_linear *l, size_t k, uint32_t c)
{
  size_t root = k * ((size_t)l->m->nq + l->m->nc) + l->m->nq + c;
  return l->reg[amo_prog_root(l->prog, root)];
}

/// A condition of a mode is an affine function of the parameters: its value and its rates, from those of forces and accelerations.
static void put_condition(amo_linear *l, const amo_condition *x)
{
  const amo_model *m = l->m;
  const uint32_t c = x->index;
  const size_t each = (size_t)m->nq + 2u * m->nc, lambda = (size_t)m->nq + c, reaction = lambda + m->nc;
  const double bound = l->p->reg[m->contact[c].r_bound], zeta = l->p->reg[m->contact[c].r_zeta];
  double v[1 + AMO_LINEAR_MOST];
  for (size_t k = 0; k <= l->n; k++) {
    const double *at = k == 0 ? l->base : l->rate + (k - 1) * each;
    if (x->what == AMO_IS_REACTION)
      v[k] = x->side * at[reaction];
    else if (x->what == AMO_IS_SLIP)
      v[k] = x->side * (amo_along(l->p, m->contact[c].w, m->contact[c].nw, at) + (k == 0 ? zeta : 0.0));
    else if (amo_has_gap(&m->contact[c]))
      v[k] = bound * l->reaction_sign[c] * at[reaction] - x->side * at[lambda];
    else
      v[k] = (k == 0 ? bound : bound_rate(l, k - 1, c)) - x->side * at[lambda];
  }
  put(l, v[0], v + 1, c,
      x->what == AMO_IS_REACTION ? AMO_FACE_REACTION
      : x->what == AMO_IS_SLIP   ? AMO_FACE_START
      : x->side > 0              ? AMO_FACE_LIMIT_PLUS
                                 : AMO_FACE_LIMIT_MINUS);
}

/// What the mode of contact c promises, and at rest the sign of the reaction that its bound was taken with. A slip that goes on keeps its
/// sign.
static void put_faces(amo_linear *l, uint32_t c)
{
  const amo_contact *k = &l->m->contact[c];
  amo_condition own[AMO_MOST_CONDITIONS];
  const int n = amo_conditions(k, c, l->mode[c], l->reaction_sign[c], AMO_HELD_BY_FRICTION, own);
  for (int i = 0; i < n; i++)
    if (own[i].what != AMO_IS_SLIP || (l->mode[c] != 0 && l->at_rest[c])) put_condition(l, &own[i]);
  if (l->mode[c] == 0 && amo_has_gap(k))
    put_condition(l, &(amo_condition){AMO_IS_REACTION, c, l->reaction_sign[c], 0});
}

/// Does nothing accelerate, whatever the parameters?
static bool is_held(const amo_linear *l)
{
  const amo_model *m = l->m;
  const size_t each = (size_t)m->nq + 2u * m->nc;
  double size = 0.0, moving = 0.0;
  for (uint32_t i = 0; i < m->nq; i++) {
    double mass = l->p->reg[l->p->diagonal[i]];
    if (!(mass > 0.0)) mass = 1.0;  // ties lend it inertia
    size = fmax(size, fabs(l->p->reg[m->r_h[i]]) / mass);
    moving = fmax(moving, fabs(l->base[i]));
    for (size_t k = 0; k < l->n; k++) {
      double force = l->reg[amo_prog_root(l->prog, k * ((size_t)m->nq + m->nc) + i)];
      double reach = fmax(fabs(l->p->reg[m->leaf.param + l->param[k]]), 1.0);
      size = fmax(size, fabs(force) * reach / mass);
      moving = fmax(moving, fabs(l->rate[k * each + i]) * reach);
    }
  }
  return moving <= AMO_SAME * size || size == 0.0;
}

static amo_status judge(amo_linear *l, const char **why, amo_piece_visitor visit, void *ctx)
{
  const amo_model *m = l->m;
  bool rest = true;
  amo_status st = solve(l);
  if (st == AMO_ENOANSWER) return AMO_OK;  // a singular combination is no solution
  if (st != AMO_OK) return st;
  l->faces = 0;
  for (uint32_t c = 0; c < m->nc; c++) {
    if (l->mode[c] == 0 && !m->plain &&
        (amo_balance_dependent(l->p->balance, c) || amo_balance_spare(l->p->balance, c))) {
      *why = "the friction forces at rest are not determined";
      return AMO_ENOANSWER;
    }
    rest &= l->mode[c] == 0;
    put_faces(l, c);
  }
  amo_piece piece = {l->mode, l->reaction_sign, l->face, l->faces, !rest || is_held(l)};
  return visit(ctx, &piece);
}

// ---- all combinations ----

static void list_ways(amo_linear *l, uint32_t c)
{
  const bool guide = amo_is_two_sided(&l->m->contact[c]);
  const double slip = l->p->reg[l->m->contact[c].r_slip];
  amo_ways_clear(&l->ways, c);
  for (int reaction_sign = 1; l->at_rest[c] && reaction_sign >= (guide ? -1 : 1); reaction_sign -= 2)
    amo_ways_add(&l->ways, c, 0, guide ? reaction_sign : 0);
  for (int mode = 1; mode >= -1; mode -= 2) {
    if (!l->at_rest[c] && amo_mode_of(&l->m->contact[c], slip, false) != mode) continue;
    for (int reaction_sign = 1; reaction_sign >= (guide ? -1 : 1); reaction_sign -= 2)
      amo_ways_add(&l->ways, c, mode, reaction_sign);
  }
}

amo_status amo_linear_visit(amo_linear *l, amo_point *p, double t, const double *state, const char **why,
                            amo_piece_visitor visit, void *ctx)
{
  const amo_model *m = l->m;
  amo_status st = AMO_OK;
  l->p = p;
  l->t = t;
  l->state = state;
  memset(l->mode, 0, m->nc);
  amo_point_registers(p, t, state, l->mode);
  for (uint32_t c = 0; c < m->nc; c++) {
    l->at_rest[c] = amo_slip_is_zero(p, c, 8.0);
    list_ways(l, c);
  }
  if (amo_ways_total(&l->ways, NULL, 0) > MOST_COMBINATIONS) return AMO_ELIMIT;
  for (bool more = true; st == AMO_OK && more; more = amo_ways_next(&l->ways, NULL, 0)) {
    for (uint32_t c = 0; c < m->nc; c++) {
      l->mode[c] = amo_ways_now(&l->ways, c).mode;
      l->reaction_sign[c] = amo_ways_now(&l->ways, c).reaction_sign;
    }
    st = judge(l, why, visit, ctx);
  }
  return st;
}
