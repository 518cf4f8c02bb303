// SPDX-License-Identifier: Apache-2.0
/// Switches written by hand, whose two sides may both point at them (sign(a) with a force that drives a to zero, a thermostat, a relay).
/// The value s that stands for the sign of a, between -1 and 1 while a stays zero, is what friction is to a contact that sticks: with
///   da/dt = alpha + beta s        (rates, forces and accelerations are linear in s)
/// a rests while s = -alpha/beta lies between -1 and 1, and leaves when it reaches either. So such a switch is a contact on nothing,
/// of slip a, bound 1 and drag s; several on each other are a small linear system, eliminated in expressions.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

enum { TRIES = 4, ITERATIONS = 6 };  // to find places where a switch is zero
enum { SLOPES = 4 };                 // values: a, beta, da/dt on both sides, then slopes of a
enum { MOST_COUPLED = 6 };           // coordinates by their masses

typedef struct switches {
  amo_loader *ld;
  amo_node argument[AMO_MOST_SWITCHES], rate[AMO_MOST_SWITCHES];
  uint32_t count, first;  // contact of the first
  amo_node *rates;        // [leaf.count] of states, the sign of every switch a leaf
  amo_node a[AMO_MOST_SWITCHES * AMO_MOST_SWITCHES], b[AMO_MOST_SWITCHES];
} switches;

static amo_node sign_of(const switches *x, uint32_t i)
{
  return amo_leaf(x->ld->dag, x->ld->m->leaf.sigma + x->first + i);
}

/// With all switches held by their leaves, as a mixture or a choice.
static amo_node held(const switches *x, amo_node n, bool mixes)
{
  for (uint32_t i = 0; i < x->count; i++)
    n = amo_hold_switch(x->ld->dag, n, x->argument[i], sign_of(x, i), mixes);
  return n;
}

/// Does a contact, guide or constraint act on coordinate q? One pressed contact that acts on nothing else is told instead (-1: none).
static bool is_tied(const amo_model *m, uint32_t q, long *contact)
{
  bool tied = false;
  *contact = -1;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    for (uint32_t e = 0; e < k->nn; e++) tied |= k->n[e].col == q;
    for (uint32_t a = 0; a < amo_slip_rows(k); a++)
      for (uint32_t e = 0; e < amo_slip_row(k, a).nw; e++) {
        if (amo_slip_row(k, a).w[e].col != q) continue;
        tied |= *contact >= 0 || amo_slip_rows(k) > 1 || k->parts || k->nw > 1 || amo_reacts(k);
        *contact = (long)c;
      }
  }
  for (uint32_t g = 0; g < m->ng; g++)
    for (uint32_t e = 0; e < m->constraint[g].ng; e++) tied |= m->constraint[g].g[e].col == q;
  return tied;
}

/// The coordinates whose accelerations hang together with that of q, first q itself; 0: too many, or one of them is tied.
static uint32_t together(const amo_model *m, uint32_t q, uint32_t *list, long *contact)
{
  uint32_t n = 1;
  long other_contact;
  list[0] = q;
  for (uint32_t i = 0; i < n; i++) {
    if (is_tied(m, list[i], i == 0 ? contact : &other_contact)) return 0;
    if (i > 0 && (*contact >= 0 || other_contact >= 0)) return 0;
    for (uint32_t e = 0; e < m->nmass; e++) {
      if (m->mass[e].row != list[i] && m->mass[e].col != list[i]) continue;
      const uint32_t other = m->mass[e].row == list[i] ? m->mass[e].col : m->mass[e].row;
      uint32_t k = 0;
      while (k < n && list[k] != other) k++;
      if (k == n && n == MOST_COUPLED) return 0;
      if (k == n) list[n++] = other;
    }
  }
  return n;
}

/// As an expression; NONE: it is none.
static amo_node acceleration(const switches *x, uint32_t q)
{
  const amo_model *m = x->ld->m;
  uint32_t list[MOST_COUPLED];
  long contact;
  const uint32_t n = together(m, q, list, &contact);
  amo_node a[MOST_COUPLED * MOST_COUPLED] = {0}, b[MOST_COUPLED] = {0};
  for (uint32_t i = 0; i < n; i++) {  // q last: elimination leaves its acceleration first
    b[n - 1 - i] = held(x, m->h[list[i]], true);
    for (uint32_t e = 0; e < m->nmass; e++)
      for (uint32_t k = 0; k < n; k++)
        if ((m->mass[e].row == list[i] && m->mass[e].col == list[k]) ||
            (m->mass[e].col == list[i] && m->mass[e].row == list[k]))
          a[(n - 1 - i) * n + n - 1 - k] = m->mass[e].node;
  }
  amo_eliminate(m->dag, n, a, b);
  if (n == 0 || contact < 0) return n > 0 ? b[n - 1] : AMO_NODE_NONE;
  const amo_contact *k = &m->contact[contact];  // as in plain.c
  return amo_select(m->dag, amo_leaf(m->dag, m->leaf.sigma + (uint32_t)contact), b[n - 1],
                    amo_div(m->dag, amo_neg(m->dag, k->zeta), k->w[0].node));
}

/// da/dt with the signs of all switches as leaves; NONE: it is no expression.
static amo_node rate_of(const switches *x, amo_node a)
{
  amo_model *m = x->ld->m;
  memset(x->rates, 0, m->leaf.count * sizeof *x->rates);
  x->rates[m->leaf.t] = amo_const(m->dag, 1.0);
  for (uint32_t q = 0; q < m->nq; q++) {
    x->rates[m->leaf.q + q] = amo_leaf(m->dag, m->leaf.u + q);
    if (!amo_node_depends(m->dag, a, m->leaf.u + q, 1)) continue;
    x->rates[m->leaf.u + q] = acceleration(x, q);
    if (x->rates[m->leaf.u + q] == AMO_NODE_NONE) return AMO_NODE_NONE;
  }
  for (uint32_t z = 0; z < m->nz; z++)
    if (amo_node_depends(m->dag, a, m->leaf.z + z, 1))
      x->rates[m->leaf.z + z] = held(x, m->extra[z].rate, true);
  return amo_total(m->dag, a, x->rates, m->leaf.count);
}

/// Values of a, beta and the slopes of a by the states, at leaves.
static bool values_at(const switches *x, const amo_node *root, size_t n, const double *leaf, double *value)
{
  return amo_constant_values(x->ld->dag, root, n, leaf, x->ld->inner.count, value) == AMO_OK;
}

/// Move states along the steepest way to a = 0; value: see above.
static bool approach(const switches *x, const amo_node *root, const uint32_t *state, uint32_t n, double *leaf,
                     double *value)
{
  for (int i = 0; i < ITERATIONS; i++) {
    double slope = 0.0;
    for (uint32_t j = 0; j < n; j++) slope += value[SLOPES + j] * value[SLOPES + j];
    for (uint32_t j = 0; slope > 0.0 && j < n; j++) leaf[state[j]] -= value[0] * value[SLOPES + j] / slope;
    if (!values_at(x, root, n + SLOPES, leaf, value)) return false;
  }
  return true;
}

/// The rate with the sign of the last switch.
static amo_node rate_beside(const switches *x, amo_node rate, double sign)
{
  amo_model *m = x->ld->m;
  memset(x->rates, 0, m->leaf.count * sizeof *x->rates);
  x->rates[m->leaf.sigma + x->first + x->count - 1] = amo_const(m->dag, sign);
  return amo_subst(m->dag, rate, x->rates, m->leaf.count);
}

/// Is beta negative where a is zero, at some places? A kink (max, clamp, a table) has none there, one that points away is never reached, and
/// where a side has no rate (a quantity that stops at its end) it stays on that side.
static bool attracts(const switches *x, amo_node a, amo_node rate, amo_node beta)
{
  amo_model *m = x->ld->m;
  const uint32_t all = 2 * m->nq + m->nz;
  amo_node *root = amo_arena_alloc(&x->ld->arena, (all + SLOPES) * sizeof *root);
  uint32_t *state = amo_arena_alloc(&x->ld->arena, (all + 1u) * sizeof *state), n = 0;
  double *leaf = amo_arena_alloc(&x->ld->arena, (x->ld->inner.count + all + SLOPES) * sizeof *leaf);
  if (!root || !leaf || !state) return false;
  double *value = leaf + x->ld->inner.count, random = 0.5;
  int found = 0;
  root[0] = a;
  root[1] = beta;
  for (int side = 0; side < 2; side++) root[2 + side] = rate_beside(x, rate, 2.0 * side - 1.0);
  for (uint32_t i = 0; i < all; i++) {
    state[n] = amo_state_leaf(m, i);
    if (amo_node_depends(m->dag, a, state[n], 1)) root[SLOPES + n] = amo_diff(m->dag, a, state[n]), n++;
  }
  for (int k = 0; k < TRIES; k++) {
    memcpy(leaf, m->file.param, m->np * sizeof *leaf);
    for (uint32_t l = m->leaf.t; l < x->ld->inner.count; l++) {
      random = fmod(random * 997.0 + 0.6180339887, 1.0);
      leaf[l] = random - 0.4;
    }
    if (!values_at(x, root, n + SLOPES, leaf, value)) continue;
    const double off = fabs(value[0]), size = fabs(value[1]);
    if (!approach(x, root, state, n, leaf, value) || !(fabs(value[0]) < AMO_SAME * off)) continue;
    const double least = fmin(fabs(value[2]), fabs(value[3]));  // nothing moves on that side
    if (!(value[1] < -AMO_SAME * size && least > AMO_SAME * size)) return false;
    found++;
  }
  return found > 0;
}

/// Could this switch have two sides that point at it? It is then the last of the list.
static bool is_candidate(switches *x, amo_node a)
{
  amo_model *m = x->ld->m;
  for (uint32_t i = 0; i < x->count; i++)
    if (x->argument[i] == a || x->argument[i] == amo_neg(m->dag, a)) return false;
  if (!amo_node_depends(m->dag, a, m->leaf.q, m->leaf.sigma - m->leaf.q)) return false;
  const uint32_t own = m->leaf.sigma + x->first + x->count;
  x->argument[x->count++] = a;
  const amo_node rate = rate_of(x, a), beta = rate == AMO_NODE_NONE ? rate : amo_diff(m->dag, rate, own);
  const bool linear =
      beta != AMO_NODE_NONE && !amo_node_zero(m->dag, beta) && !amo_node_depends(m->dag, beta, own, 1);
  if (linear && attracts(x, a, rate, beta)) return true;
  x->count--;
  return false;
}

/// The expressions that forces and rates are made of: what an expression is made of has lower numbers.
static bool *used_nodes(const amo_model *m, size_t n)
{
  bool *used = amo_zalloc(n, sizeof *used);
  for (uint32_t q = 0; used && q < m->nq; q++) used[m->h[q]] = true;
  for (uint32_t z = 0; used && z < m->nz; z++) used[m->extra[z].rate] = true;
  for (size_t i = n; used && i-- > 1;)
    for (int k = 0; used[i] && k < 3; k++) used[amo_node_arg(m->dag, (amo_node)i, k)] = true;
  return used;
}

static void find(switches *x)
{
  amo_dag *d = x->ld->dag;
  const size_t n = amo_dag_size(d) + 1;  // numbers begin with 1
  bool *used = used_nodes(x->ld->m, n);
  if (!used) amo_load_fail(x->ld, AMO_ENOMEM);
  for (size_t i = 1; used && i < n && x->count < AMO_MOST_SWITCHES; i++) {
    const amo_op op = amo_node_op(d, (amo_node)i);
    if (used[i] && (op == AMO_OP_SIGN || op == AMO_OP_POS || op == AMO_OP_NONNEG))
      (void)is_candidate(x, amo_node_arg(d, (amo_node)i, 0));
  }
  free(used);
}

/// How da/dt of switch i depends on the sign of j, where i rests.
static amo_node slope_of(const switches *x, amo_node rate, uint32_t i, uint32_t j)
{
  amo_dag *d = x->ld->dag;
  const uint32_t first = x->ld->m->leaf.sigma + x->first;
  const amo_node none = amo_const(d, -DBL_MIN);
  amo_node slope = amo_diff(d, rate, first + j);
  if (i != j) return slope;
  // what a contact holds does not ask for the switch: its share is then none, or without bounds
  return amo_select(d, slope, slope, none);
}

/// Two that multiply each other have no shares where both rest: more than any that would let them.
static void part_products(switches *x, uint32_t i)
{
  amo_dag *d = x->ld->dag;
  const uint32_t first = x->ld->m->leaf.sigma + x->first;
  const amo_node slope = amo_diff(d, rate_of(x, x->argument[i]), first + i), none = amo_const(d, INFINITY);
  for (uint32_t k = 0; k < x->count; k++)
    if (k != i && amo_node_depends(d, slope, first + k, 1))
      x->b[i] = amo_select(d, sign_of(x, i), x->b[i], amo_select(d, sign_of(x, k), x->b[i], none));
}

/// What stands for the sign of each switch, whether it rests or not.
static void solve(switches *x)
{
  amo_dag *d = x->ld->dag;
  const uint32_t n = x->count, leaves = x->ld->m->leaf.count;
  for (uint32_t i = 0; i < n; i++) {
    const amo_node rate = rate_of(x, x->argument[i]), sign = sign_of(x, i);
    for (uint32_t j = 0; j < n; j++)
      x->a[i * n + j] = amo_select(d, sign, amo_const(d, i == j ? 1.0 : 0.0), slope_of(x, rate, i, j));
    memset(x->rates, 0, leaves * sizeof *x->rates);
    for (uint32_t j = 0; j < n; j++) x->rates[x->ld->m->leaf.sigma + x->first + j] = amo_const(d, 0.0);
    x->b[i] = amo_select(d, sign, sign, amo_neg(d, amo_subst(d, rate, x->rates, leaves)));
  }
  amo_eliminate(d, n, x->a, x->b);
  for (uint32_t i = 0; i < n; i++) part_products(x, i);
}

/// The choice where no switch rests, the mixture where one does.
static amo_node settled(const switches *x, amo_node n)
{
  amo_dag *d = x->ld->dag;
  const amo_node chosen = held(x, n, false);
  if (chosen == n) return n;
  amo_node *put = x->rates, all = amo_const(d, 1.0);
  memset(put, 0, x->ld->m->leaf.count * sizeof *put);
  for (uint32_t i = 0; i < x->count; i++) {
    put[x->ld->m->leaf.sigma + x->first + i] = x->b[i];
    all = amo_mul(d, all, sign_of(x, i));
  }
  return amo_select(d, all, chosen, amo_subst(d, held(x, n, true), put, x->ld->m->leaf.count));
}

static bool add_contact(const switches *x, uint32_t i)
{
  amo_model *m = x->ld->m;
  amo_dag *d = m->dag;
  amo_contact *k = &m->contact[x->first + i];
  char name[32];
  snprintf(name, sizeof name, "switch%u", i + 1u);
  const amo_node one = amo_const(d, 1.0), zero = amo_const(d, 0.0);
  k->rest = AMO_SWITCHES;
  k->slip = x->argument[i];
  k->zeta = k->kinetic_slope = k->kinetic_smooth = k->kinetic_smooth_slope = zero;
  k->normal = k->reaction = k->bound = k->kinetic = one;
  k->drag = x->b[i];
  k->stick_force = amo_neg(d, x->b[i]);
  k->chain = x->first > 0 ? 0 : x->first;
  k->law_type = amo_strdup("switch");
  return amo_sym_make(&k->sym, name, "", "a switch of the model's expressions") && k->law_type;
}

void amo_load_switches(amo_loader *ld)
{
  amo_model *m = ld->m;
  switches x = {.ld = ld, .first = m->nc};
  if (ld->status != AMO_OK) return;
  x.rates = amo_arena_alloc(&ld->arena, ld->inner.count * sizeof *x.rates);
  if (!x.rates) {
    amo_load_fail(ld, AMO_ENOMEM);
    return;
  }
  find(&x);
  if (x.count == 0) return;
  solve(&x);
  for (uint32_t q = 0; q < m->nq; q++) m->h[q] = settled(&x, m->h[q]);
  for (uint32_t z = 0; z < m->nz; z++) m->extra[z].rate = settled(&x, m->extra[z].rate);
  m->report.supplied = settled(&x, m->report.supplied);
  for (uint32_t i = 0; i < x.count; i++) {
    // the audit adds the power of moving surfaces, lambda times slip where nothing else moves: here there is none
    const amo_node power = amo_mul(m->dag, amo_leaf(m->dag, m->leaf.lambda + x.first + i), x.argument[i]);
    m->report.supplied = amo_add(m->dag, m->report.supplied, power);
    if (!add_contact(&x, i)) amo_load_fail(ld, AMO_ENOMEM);
  }
  m->nc += x.count;
}
