// SPDX-License-Identifier: Apache-2.0
/// Lagrange's equations by exact differentiation, one term of the energies at a time.
///
/// The energy identity behind explicit_power. With T(q,u,t), V(q,t) and all coordinates i,
///   d/dt(T_ui) - T_qi = -V_qi + Q_i         (Q: every other force, contacts and drives included)
/// multiply by u_i and sum; with S = 2T - sum u_i T_ui (zero when T is purely quadratic in u)
///   d(T+V)/dt = sum u_i Q_i + [ V_t - T_t + dS/dt ]
/// The bracket is explicit_power. It vanishes unless an energy depends on time explicitly.
#include "model/mechanics.h"

#include <stdlib.h>

#include "base/mem.h"

amo_status amo_mech_init(amo_mech *me)
{
  amo_dag *d = me->dag;
  me->q_of = amo_zalloc(me->leaves, sizeof *me->q_of);
  me->u_of = amo_zalloc(me->leaves, sizeof *me->u_of);
  me->row = amo_zalloc(me->n, sizeof *me->row);
  me->h = amo_zalloc(me->n, sizeof *me->h);
  me->q_nc = amo_zalloc(me->n, sizeof *me->q_nc);
  if (!me->q_of || !me->u_of || !me->row || !me->h || !me->q_nc) return AMO_ENOMEM;
  amo_node zero = amo_const(d, 0.0);
  for (uint32_t l = 0; l < me->leaves; l++) me->q_of[l] = me->u_of[l] = UINT32_MAX;
  for (uint32_t i = 0; i < me->n; i++) {
    me->q_of[me->q[i]] = i;
    me->u_of[me->u[i]] = i;
    me->h[i] = me->q_nc[i] = zero;
  }
  me->kinetic = me->potential = me->explicit_power = zero;
  return amo_dag_status(d);
}

void amo_mech_free(amo_mech *me)
{
  for (uint32_t i = 0; me->row && i < me->n; i++) free(me->row[i].item);
  free(me->row);
  free(me->q_of);
  free(me->u_of);
  free(me->h);
  free(me->q_nc);
  amo_leafset_free(&me->set);
  *me = (amo_mech){0};
}

amo_status amo_mech_gradient(amo_mech *me, amo_node expr, bool velocities, uint32_t **coord, amo_node **value,
                             uint32_t *count)
{
  const uint32_t *of = velocities ? me->u_of : me->q_of;
  const uint32_t *leaf = velocities ? me->u : me->q;
  *coord = NULL;
  *value = NULL;
  *count = 0;
  if (me->status != AMO_OK) return me->status;
  amo_status st = amo_leaves_of(&me->set, me->dag, expr);
  uint32_t *c = st == AMO_OK ? amo_zalloc(me->set.count, sizeof *c) : NULL;
  amo_node *v = st == AMO_OK ? amo_zalloc(me->set.count, sizeof *v) : NULL;
  if (!c || !v) {
    free(c);
    free(v);
    me->status = AMO_ENOMEM;
    return AMO_ENOMEM;
  }
  uint32_t n = 0;
  for (size_t k = 0; k < me->set.count; k++) {
    uint32_t i = me->set.leaf[k] < me->leaves ? of[me->set.leaf[k]] : UINT32_MAX;
    if (i == UINT32_MAX) continue;
    amo_node dv = amo_diff(me->dag, expr, leaf[i]);
    if (amo_node_zero(me->dag, dv)) continue;
    c[n] = i;
    v[n++] = dv;
  }
  *coord = c;
  *value = v;
  *count = n;
  return AMO_OK;
}

static void add_mass(amo_mech *me, uint32_t i, uint32_t j, amo_node m)
{
  if (i < j) {
    uint32_t k = i;
    i = j;
    j = k;
  }
  if (amo_node_zero(me->dag, m)) return;
  amo_mass_row *r = &me->row[i];
  for (size_t k = 0; k < r->count; k++)
    if (r->item[k].col == j) {
      r->item[k].node = amo_add(me->dag, r->item[k].node, m);
      return;
    }
  if (!AMO_ROOM(r->item, r->count, r->cap)) {
    me->status = AMO_ENOMEM;
    return;
  }
  r->item[r->count++] = (amo_mass){j, m};
}

static void add_to(amo_mech *me, amo_node *sum, amo_node term)
{
  *sum = amo_add(me->dag, *sum, term);
}

static void take_from(amo_mech *me, amo_node *sum, amo_node term)
{
  *sum = amo_sub(me->dag, *sum, term);
}

static amo_node by_time(amo_mech *me, amo_node e)  // d/dt, accelerations left out
{
  return amo_total(me->dag, e, me->rate_time, me->leaves);
}

static bool moves(amo_mech *me, amo_node e)  // depends on time, q or u
{
  if (amo_leaves_of(&me->set, me->dag, e) != AMO_OK) {
    me->status = AMO_ENOMEM;
    return true;
  }
  for (size_t k = 0; k < me->set.count; k++) {
    uint32_t l = me->set.leaf[k];
    if (l == me->leaf_t || me->q_of[l] != UINT32_MAX || me->u_of[l] != UINT32_MAX) return true;
  }
  return false;
}

static amo_node half_square(amo_dag *d, amo_node factor, amo_node x)
{
  return amo_mul(d, amo_mul(d, amo_const(d, 0.5), factor), amo_op1(d, AMO_OP_SQR, x));
}

/// T = m/2 v^2 with v = dr/dt gives  m r_i r_j  and the force  -m r_i a  with a the part of r''
/// that holds no accelerations: what Lagrange's terms leave over after they cancel.
void amo_mech_inertia(amo_mech *me, amo_node mass, amo_node r)
{
  amo_dag *d = me->dag;
  uint32_t *c = NULL, n = 0;
  amo_node *g = NULL;
  amo_node v = by_time(me, r);
  if (moves(me, mass)) {
    amo_mech_kinetic(me, half_square(d, mass, v));
    return;
  }
  if (amo_mech_gradient(me, r, false, &c, &g, &n) != AMO_OK) return;
  amo_node a = by_time(me, v), rt = amo_diff(d, r, me->leaf_t);
  for (uint32_t i = 0; i < n; i++) {
    amo_node mg = amo_mul(d, mass, g[i]);
    for (uint32_t j = 0; j <= i; j++) add_mass(me, c[i], c[j], amo_mul(d, mg, g[j]));
    take_from(me, &me->h[c[i]], amo_mul(d, mg, a));
  }
  add_to(me, &me->kinetic, half_square(d, mass, v));
  if (!amo_node_zero(d, rt)) {  // S = m v r_t
    amo_node s = amo_mul(d, mass, amo_mul(d, v, rt));
    add_to(me, &me->explicit_power, amo_total(d, s, me->rate_full, me->leaves));
    amo_node vt = amo_mul(d, v, amo_diff(d, v, me->leaf_t));
    take_from(me, &me->explicit_power, amo_mul(d, mass, vt));
  }
  free(c);
  free(g);
}

/// Is the term a quadratic form in the velocities (the usual case)? Then S vanishes. p: its
/// derivatives with respect to the nu velocities it contains.
static bool quadratic(amo_mech *me, amo_node t, const amo_node *p, const uint32_t *cu, uint32_t nu)
{
  amo_dag *d = me->dag;
  amo_node *zero = amo_zalloc(me->leaves, sizeof *zero);
  if (!zero) {
    me->status = AMO_ENOMEM;
    return false;
  }
  for (uint32_t i = 0; i < nu; i++) zero[me->u[cu[i]]] = amo_const(d, 0.0);
  bool yes = amo_node_zero(d, amo_subst(d, t, zero, me->leaves));
  for (uint32_t i = 0; yes && i < nu; i++) {
    yes = amo_node_zero(d, amo_subst(d, p[i], zero, me->leaves));
    for (uint32_t j = 0; yes && j < nu; j++) {
      amo_node m = amo_diff(d, p[i], me->u[cu[j]]);
      yes = amo_subst(d, m, zero, me->leaves) == m;
    }
  }
  free(zero);
  return yes;
}

static void kinetic_term(amo_mech *me, amo_node t)
{
  amo_dag *d = me->dag;
  uint32_t *cu = NULL, *cq = NULL, nu = 0, nq = 0;
  amo_node *p = NULL, *f = NULL;
  if (amo_mech_gradient(me, t, true, &cu, &p, &nu) != AMO_OK) return;
  if (amo_mech_gradient(me, t, false, &cq, &f, &nq) != AMO_OK) goto done;
  amo_node s = amo_mul(d, amo_const(d, 2.0), t);
  for (uint32_t i = 0; i < nu; i++) {
    for (uint32_t j = 0; j < nu; j++)
      if (cu[j] <= cu[i]) add_mass(me, cu[i], cu[j], amo_diff(d, p[i], me->u[cu[j]]));
    take_from(me, &me->h[cu[i]], by_time(me, p[i]));
    take_from(me, &s, amo_mul(d, amo_leaf(d, me->u[cu[i]]), p[i]));
  }
  for (uint32_t i = 0; i < nq; i++) add_to(me, &me->h[cq[i]], f[i]);
  add_to(me, &me->kinetic, t);
  if (!quadratic(me, t, p, cu, nu))
    add_to(me, &me->explicit_power, amo_total(d, s, me->rate_full, me->leaves));
  take_from(me, &me->explicit_power, amo_diff(d, t, me->leaf_t));
done:
  free(cu);
  free(cq);
  free(p);
  free(f);
}

static void potential_term(amo_mech *me, amo_node v)
{
  uint32_t *c = NULL, n = 0;
  amo_node *g = NULL;
  if (amo_mech_gradient(me, v, false, &c, &g, &n) != AMO_OK) return;
  for (uint32_t i = 0; i < n; i++) take_from(me, &me->h[c[i]], g[i]);
  add_to(me, &me->potential, v);
  add_to(me, &me->explicit_power, amo_diff(me->dag, v, me->leaf_t));
  free(c);
  free(g);
}

static void dissipation_term(amo_mech *me, amo_node r)
{
  uint32_t *c = NULL, n = 0;
  amo_node *g = NULL;
  if (amo_mech_gradient(me, r, true, &c, &g, &n) != AMO_OK) return;
  for (uint32_t i = 0; i < n; i++) take_from(me, &me->q_nc[c[i]], g[i]);
  free(c);
  free(g);
}

typedef void (*term_fn)(amo_mech *me, amo_node term);

/// Calls fn for each summand of `sum`: a long sum written by hand must not couple everything.
static void each_term(amo_mech *me, amo_node sum, term_fn fn)
{
  typedef struct signed_node {
    amo_node node;
    bool minus;
  } signed_node;
  signed_node *stack = NULL;
  size_t depth = 0, cap = 0;
  amo_dag *d = me->dag;
  bool ok = sum != AMO_NODE_NONE && AMO_ROOM(stack, depth, cap);
  if (ok) stack[depth++] = (signed_node){sum, false};
  while (ok && depth) {
    signed_node top = stack[--depth];
    amo_op op = amo_node_op(d, top.node);
    if (op != AMO_OP_ADD && op != AMO_OP_SUB && op != AMO_OP_NEG) {
      fn(me, top.minus ? amo_neg(d, top.node) : top.node);
      continue;
    }
    amo_node a = amo_node_arg(d, top.node, 0);
    ok = AMO_ROOM(stack, depth + 1, cap);
    if (!ok) break;
    if (op == AMO_OP_NEG) {
      stack[depth++] = (signed_node){a, !top.minus};
    } else {
      stack[depth++] = (signed_node){amo_node_arg(d, top.node, 1), top.minus != (op == AMO_OP_SUB)};
      stack[depth++] = (signed_node){a, top.minus};
    }
  }
  if (!ok && sum != AMO_NODE_NONE) me->status = AMO_ENOMEM;
  free(stack);
}

void amo_mech_kinetic(amo_mech *me, amo_node energy)
{
  each_term(me, energy, kinetic_term);
}

void amo_mech_potential(amo_mech *me, amo_node energy)
{
  each_term(me, energy, potential_term);
}

void amo_mech_dissipation(amo_mech *me, amo_node r)
{
  each_term(me, r, dissipation_term);
}

void amo_mech_spring(amo_mech *me, amo_node stiffness, amo_node e)
{
  amo_dag *d = me->dag;
  uint32_t *c = NULL, n = 0;
  amo_node *g = NULL;
  if (moves(me, stiffness)) {
    potential_term(me, half_square(d, stiffness, e));
    return;
  }
  if (amo_mech_gradient(me, e, false, &c, &g, &n) != AMO_OK) return;
  amo_node f = amo_mul(d, stiffness, e);
  for (uint32_t i = 0; i < n; i++) take_from(me, &me->h[c[i]], amo_mul(d, f, g[i]));
  add_to(me, &me->potential, half_square(d, stiffness, e));
  add_to(me, &me->explicit_power, amo_mul(d, f, amo_diff(d, e, me->leaf_t)));
  free(c);
  free(g);
}

void amo_mech_load(amo_mech *me, amo_node force, amo_node r)
{
  uint32_t *c = NULL, n = 0;
  amo_node *g = NULL;
  if (amo_node_zero(me->dag, force)) return;
  if (amo_mech_gradient(me, r, false, &c, &g, &n) != AMO_OK) return;
  for (uint32_t i = 0; i < n; i++) add_to(me, &me->q_nc[c[i]], amo_mul(me->dag, force, g[i]));
  free(c);
  free(g);
}

void amo_mech_damper(amo_mech *me, amo_node damping, amo_node e)
{
  amo_mech_load(me, amo_neg(me->dag, amo_mul(me->dag, damping, by_time(me, e))), e);
}

void amo_mech_force(amo_mech *me, uint32_t coord, amo_node force)
{
  add_to(me, &me->q_nc[coord], force);
}
