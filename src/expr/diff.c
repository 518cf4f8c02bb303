// SPDX-License-Identifier: Apache-2.0
/// Exact derivatives: one forward sweep serves partial and total derivatives; the difference is the
/// derivative given to the leaves.
#include "expr/dag_impl.h"

typedef struct sweep {
  amo_dag *d;
  const amo_node *rate;  // derivative of leaf l, or NULL: 1 for `leaf`, 0 for the others
  uint32_t nleaf, leaf;
  uint64_t relevant;  // leaves with a derivative, as in amo_cell.leaves
  amo_map *done;
  amo_stack stack;
} sweep;

static uint64_t key_of(const sweep *s, amo_node n)
{
  return (uint64_t)(s->rate ? 0 : s->leaf) << 32 | n;
}

// The derivative of n if it is known already; false: it must be computed first.
static bool known(const sweep *s, amo_node n, amo_node *out)
{
  const amo_cell *c = &s->d->cell[n];
  if ((c->leaves & s->relevant) == 0) {
    *out = n == AMO_NODE_NONE ? AMO_NODE_NONE : amo_const(s->d, 0.0);
    return true;
  }
  if (c->op == AMO_OP_LEAF) {
    const uint32_t l = c->u.leaf;
    amo_node r = AMO_NODE_NONE;
    if (!s->rate)
      r = l == s->leaf ? amo_const(s->d, 1.0) : AMO_NODE_NONE;
    else if (l < s->nleaf)
      r = s->rate[l];
    *out = r != AMO_NODE_NONE ? r : amo_const(s->d, 0.0);
    return true;
  }
  return amo_map_get(s->done, key_of(s, n), out);
}

static amo_node diff_pow(amo_dag *d, amo_node n, amo_node a, amo_node b, amo_node da, amo_node db)
{
  const amo_node lower = amo_op2(d, AMO_OP_POW, a, amo_sub(d, b, amo_const(d, 1.0)));
  amo_node sum = amo_mul(d, amo_mul(d, b, lower), da);
  if (!amo_node_zero(d, db))  // log(a) must not appear where the exponent is constant: a may be < 0
    sum = amo_add(d, sum, amo_mul(d, amo_mul(d, n, amo_op1(d, AMO_OP_LOG, a)), db));
  return sum;
}

static amo_node diff_atan2(amo_dag *d, amo_node y, amo_node x, amo_node dy, amo_node dx)
{
  const amo_node num = amo_sub(d, amo_mul(d, x, dy), amo_mul(d, y, dx));
  return amo_div(d, num, amo_add(d, amo_op1(d, AMO_OP_SQR, x), amo_op1(d, AMO_OP_SQR, y)));
}

// The factor f of  d g(a) = f * da  for the functions of one argument; n is g(a) itself.
static amo_node outer(amo_dag *d, amo_op op, amo_node n, amo_node a)
{
  const amo_node one = amo_const(d, 1.0), two = amo_const(d, 2.0);
  switch (op) {
    case AMO_OP_SQR: return amo_mul(d, two, a);
    case AMO_OP_EXP: return n;
    case AMO_OP_SIN: return amo_op1(d, AMO_OP_COS, a);
    case AMO_OP_COS: return amo_neg(d, amo_op1(d, AMO_OP_SIN, a));
    case AMO_OP_TAN: return amo_add(d, one, amo_op1(d, AMO_OP_SQR, n));
    case AMO_OP_SINH: return amo_op1(d, AMO_OP_COSH, a);
    case AMO_OP_COSH: return amo_op1(d, AMO_OP_SINH, a);
    case AMO_OP_TANH: return amo_sub(d, one, amo_op1(d, AMO_OP_SQR, n));
    case AMO_OP_ABS: return amo_op1(d, AMO_OP_SIGN, a);
    default: return AMO_NODE_NONE;
  }
}

// The divisor q of  d g(a) = da / q; NONE for functions that are not of this form.
static amo_node divisor(amo_dag *d, amo_op op, amo_node n, amo_node a)
{
  const amo_node one = amo_const(d, 1.0), two = amo_const(d, 2.0);
  switch (op) {
    case AMO_OP_SQRT: return amo_mul(d, two, n);
    case AMO_OP_LOG: return a;
    case AMO_OP_ASIN:
    case AMO_OP_ACOS: return amo_cathetus(d, a);
    case AMO_OP_ASINH: return amo_op1(d, AMO_OP_SQRT, amo_add(d, one, amo_op1(d, AMO_OP_SQR, a)));
    case AMO_OP_ATAN: return amo_add(d, one, amo_op1(d, AMO_OP_SQR, a));
    default: return AMO_NODE_NONE;
  }
}

static amo_node diff_unary(amo_dag *d, amo_op op, amo_node n, amo_node a, amo_node da)
{
  if (op == AMO_OP_NEG) return amo_neg(d, da);
  const amo_node q = divisor(d, op, n, a);
  if (q == AMO_NODE_NONE) return amo_mul(d, outer(d, op, n, a), da);
  const amo_node r = amo_div(d, da, q);
  return op == AMO_OP_ACOS ? amo_neg(d, r) : r;
}

static amo_node derivative(amo_dag *d, amo_node n, const amo_node arg[3], const amo_node da[3])
{
  const amo_op op = amo_node_op(d, n);
  const amo_node a = arg[0], b = arg[1];
  switch (op) {
    case AMO_OP_ADD: return amo_add(d, da[0], da[1]);
    case AMO_OP_SUB: return amo_sub(d, da[0], da[1]);
    case AMO_OP_MUL: return amo_add(d, amo_mul(d, da[0], b), amo_mul(d, a, da[1]));
    case AMO_OP_DIV:
      if (amo_node_zero(d, da[1])) return amo_div(d, da[0], b);
      return amo_div(d, amo_sub(d, da[0], amo_mul(d, n, da[1])), b);
    case AMO_OP_POW: return diff_pow(d, n, a, b, da[0], da[1]);
    case AMO_OP_ATAN2: return diff_atan2(d, a, b, da[0], da[1]);
    case AMO_OP_SELECT: return amo_select(d, a, da[1], da[2]);
    case AMO_OP_SIGN:
    case AMO_OP_POS:
    case AMO_OP_NONNEG:
    case AMO_OP_SEAM: return amo_const(d, 0.0);
    default: return diff_unary(d, op, n, a, da[0]);
  }
}

// Take the top of the stack one step further: push an argument that is missing, or finish it.
static bool step(sweep *s)
{
  amo_dag *d = s->d;
  const amo_node n = s->stack.item[s->stack.count - 1];
  amo_node arg[3] = {AMO_NODE_NONE}, da[3] = {AMO_NODE_NONE}, result = AMO_NODE_NONE;
  if (known(s, n, &result)) {
    s->stack.count--;
    return true;
  }
  bool ready = true;
  for (int i = 0; i < amo_op_arity(amo_node_op(d, n)); i++) {
    arg[i] = amo_node_arg(d, n, i);
    if (known(s, arg[i], &da[i])) continue;
    ready = false;
    if (!amo_stack_push(&s->stack, arg[i])) return false;
  }
  if (!ready) return true;
  result = derivative(d, n, arg, da);
  s->stack.count--;
  return amo_map_put(s->done, key_of(s, n), result);
}

static amo_node run(sweep *s, amo_node n)
{
  amo_node result = AMO_NODE_NONE;
  bool ok = amo_stack_push(&s->stack, n);
  while (ok && s->stack.count > 0 && s->d->status == AMO_OK) ok = step(s);
  if (!ok) amo_dag_fail(s->d, AMO_ENOMEM);
  amo_stack_free(&s->stack);
  if (s->d->status != AMO_OK || !known(s, n, &result)) return AMO_NODE_NONE;
  return result;
}

amo_node amo_diff(amo_dag *d, amo_node n, uint32_t leaf)
{
  if (n == AMO_NODE_NONE || d->status != AMO_OK) return AMO_NODE_NONE;
  sweep s = {.d = d, .leaf = leaf, .relevant = amo_leaf_bit(leaf), .done = &d->derivative};
  return run(&s, n);
}

amo_node amo_total(amo_dag *d, amo_node n, const amo_node *rate, uint32_t nleaf)
{
  if (n == AMO_NODE_NONE || d->status != AMO_OK) return AMO_NODE_NONE;
  if (nleaf == 0) return amo_const(d, 0.0);
  amo_map done = {0};
  sweep s = {.d = d,
             .rate = rate,
             .nleaf = nleaf,
             .relevant = amo_relevant_leaves(d, n, rate, nleaf),
             .done = &done};
  const amo_node result = run(&s, n);
  amo_map_free(&done);
  return result;
}
