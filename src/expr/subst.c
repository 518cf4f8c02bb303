// SPDX-License-Identifier: Apache-2.0
/// Substitution of leaves or of a switch, and the question which leaves an expression depends on.
#include "expr/dag_impl.h"

typedef struct subst {
  amo_dag *d;
  const amo_node *repl;
  uint32_t nleaf;
  uint64_t relevant;
  amo_node argument, opposite, value;  // of a switch whose sign is `value`; NONE: of none
  bool mixes;
  amo_map done;
  amo_stack stack;
} subst;

static bool known(const subst *s, amo_node n, amo_node *out)
{
  const amo_cell *c = &s->d->cell[n];
  *out = n;
  if ((c->leaves & s->relevant) == 0) return true;
  if (c->op == AMO_OP_LEAF) {
    const uint32_t l = c->u.leaf;
    if (s->repl && l < s->nleaf && s->repl[l] != AMO_NODE_NONE) *out = s->repl[l];
    return true;
  }
  return amo_map_get(&s->done, n, out);
}

/// A switch by the argument at hand, its sign given.
static amo_node held(const subst *s, amo_op op, bool turned)
{
  amo_dag *d = s->d;
  const amo_node one = amo_const(d, 1.0), sign = turned ? amo_neg(d, s->value) : s->value;
  if (op == AMO_OP_SIGN) return sign;
  if (op == AMO_OP_ABS) return s->mixes ? amo_const(d, 0.0) : amo_mul(d, s->argument, s->value);
  return amo_mul(d, amo_const(d, 0.5), amo_add(d, one, sign));
}

static bool is_held(const subst *s, amo_op op, amo_node x)
{
  return s->argument != AMO_NODE_NONE && (x == s->argument || x == s->opposite) &&
         (op == AMO_OP_SIGN || op == AMO_OP_ABS || op == AMO_OP_POS || op == AMO_OP_NONNEG);
}

static amo_node rebuild(const subst *s, amo_node n, const amo_node x[3])
{
  amo_dag *d = s->d;
  const amo_op op = amo_node_op(d, n);
  if (is_held(s, op, amo_node_arg(d, n, 0))) return held(s, op, amo_node_arg(d, n, 0) != s->argument);
  if (op == AMO_OP_SELECT && s->mixes && x[0] != amo_node_arg(d, n, 0))
    return amo_add(d, x[2], amo_mul(d, x[0], amo_sub(d, x[1], x[2])));
  switch (amo_op_arity(op)) {
    case 1: return amo_op1(d, op, x[0]);
    case 2: return amo_op2(d, op, x[0], x[1]);
    default: return amo_select(d, x[0], x[1], x[2]);
  }
}

static bool step(subst *s)
{
  const amo_node n = s->stack.item[s->stack.count - 1];
  amo_node x[3] = {AMO_NODE_NONE}, result = AMO_NODE_NONE;
  if (known(s, n, &result)) {
    s->stack.count--;
    return true;
  }
  bool ready = true;
  for (int i = 0; i < amo_op_arity(amo_node_op(s->d, n)); i++) {
    const amo_node a = amo_node_arg(s->d, n, i);
    if (known(s, a, &x[i])) continue;
    ready = false;
    if (!amo_stack_push(&s->stack, a)) return false;
  }
  if (!ready) return true;
  s->stack.count--;
  return amo_map_put(&s->done, n, rebuild(s, n, x));
}

#define FEW_LEAVES 128

uint64_t amo_relevant_leaves(amo_dag *d, amo_node n, const amo_node *of, uint32_t nleaf)
{
  uint64_t bits = 0;
  amo_map seen = {0};
  amo_stack stack = {0};
  if (nleaf <= FEW_LEAVES) {
    for (uint32_t l = 0; l < nleaf; l++)
      if (of[l] != AMO_NODE_NONE) bits |= amo_leaf_bit(l);
    return bits;
  }
  bool ok = amo_stack_push(&stack, n);
  while (ok && stack.count > 0) {
    const amo_node top = stack.item[--stack.count];
    const amo_cell *c = &d->cell[top];
    uint32_t ignored = 0;
    if ((c->leaves & ~bits) == 0) continue;  // nothing below can add a bit
    if (c->op == AMO_OP_LEAF) {
      if (c->u.leaf < nleaf && of[c->u.leaf] != AMO_NODE_NONE) bits |= amo_leaf_bit(c->u.leaf);
      continue;
    }
    if (amo_map_get(&seen, top, &ignored)) continue;
    ok = amo_map_put(&seen, top, 0);
    for (int i = 0; ok && i < amo_op_arity((amo_op)c->op); i++) ok = amo_stack_push(&stack, c->u.arg[i]);
  }
  if (!ok) amo_dag_fail(d, AMO_ENOMEM);
  amo_map_free(&seen);
  amo_stack_free(&stack);
  return bits;
}

static amo_node transform(subst *s, amo_node n)
{
  amo_dag *d = s->d;
  amo_node result = AMO_NODE_NONE;
  bool ok = amo_stack_push(&s->stack, n);
  while (ok && s->stack.count > 0 && d->status == AMO_OK) ok = step(s);
  if (!ok) amo_dag_fail(d, AMO_ENOMEM);
  if (d->status != AMO_OK || !known(s, n, &result)) result = AMO_NODE_NONE;
  amo_map_free(&s->done);
  amo_stack_free(&s->stack);
  return result;
}

amo_node amo_subst(amo_dag *d, amo_node n, const amo_node *repl, uint32_t nleaf)
{
  if (n == AMO_NODE_NONE || d->status != AMO_OK) return AMO_NODE_NONE;
  subst s = {.d = d, .repl = repl, .nleaf = nleaf, .relevant = amo_relevant_leaves(d, n, repl, nleaf)};
  return transform(&s, n);
}

amo_node amo_hold_switch(amo_dag *d, amo_node n, amo_node argument, amo_node sign, bool mixes)
{
  if (n == AMO_NODE_NONE || d->status != AMO_OK) return AMO_NODE_NONE;
  const amo_node opposite = amo_neg(d, argument);
  subst s = {.d = d,
             .relevant = d->cell[argument].leaves,
             .argument = argument,
             .opposite = opposite,
             .value = sign,
             .mixes = mixes};
  return transform(&s, n);
}

bool amo_node_depends(amo_dag *d, amo_node n, uint32_t first, uint32_t count)
{
  uint64_t relevant = count >= AMO_LEAF_BITS ? AMO_ALL_LEAVES : 0;
  for (uint32_t i = 0; i < count && i < AMO_LEAF_BITS; i++) relevant |= amo_leaf_bit(first + i);
  amo_map seen = {0};
  amo_stack stack = {0};
  if ((d->cell[n].leaves & relevant) == 0 || d->cell[n].beyond <= first) return false;
  bool found = false, ok = amo_stack_push(&stack, n);
  while (ok && !found && stack.count > 0) {
    const amo_node top = stack.item[--stack.count];
    const amo_cell *c = &d->cell[top];
    uint32_t ignored = 0;
    if ((c->leaves & relevant) == 0 || c->beyond <= first || amo_map_get(&seen, top, &ignored)) continue;
    if (c->op == AMO_OP_LEAF) found = c->u.leaf >= first && c->u.leaf - first < count;
    ok = amo_map_put(&seen, top, 0);
    for (int i = 0; ok && i < amo_op_arity((amo_op)c->op); i++) ok = amo_stack_push(&stack, c->u.arg[i]);
  }
  if (!ok) amo_dag_fail(d, AMO_ENOMEM);
  amo_map_free(&seen);
  amo_stack_free(&stack);
  return found || !ok;  // without memory: the safe answer, with the failure recorded
}
