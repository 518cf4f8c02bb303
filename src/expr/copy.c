// SPDX-License-Identifier: Apache-2.0
/// Expressions of one DAG in another: who wants to derive or combine expressions of a frozen model does it in a
/// DAG of their own, so that a model stays usable from many threads.
#include "expr/dag_impl.h"

static bool known(const amo_dag *from, amo_dag *to, const amo_map *done, amo_node n, amo_node *out)
{
  const amo_cell *c = amo_cell_at(from, n);
  if (c->op == AMO_OP_CONST)
    *out = amo_const(to, c->u.value);
  else if (c->op == AMO_OP_LEAF)
    *out = amo_leaf(to, c->u.leaf);
  else
    return amo_map_get(done, n, out);
  return true;
}

static amo_node rebuild(amo_dag *to, amo_op op, const amo_node x[3])
{
  switch (amo_op_arity(op)) {
    case 1: return amo_op1(to, op, x[0]);
    case 2: return amo_op2(to, op, x[0], x[1]);
    default: return amo_select(to, x[0], x[1], x[2]);
  }
}

static bool copy_one(amo_dag *to, const amo_dag *from, amo_node root, amo_map *done, amo_stack *stack)
{
  bool ok = amo_stack_push(stack, root);
  while (ok && stack->count > 0 && to->status == AMO_OK) {
    const amo_node n = stack->item[stack->count - 1];
    amo_node x[3] = {AMO_NODE_NONE}, ready = AMO_NODE_NONE;
    bool all = true;
    if (known(from, to, done, n, &ready)) {
      stack->count--;
      continue;
    }
    const amo_op op = amo_node_op(from, n);
    for (int i = 0; ok && i < amo_op_arity(op); i++) {
      const amo_node a = amo_node_arg(from, n, i);
      if (known(from, to, done, a, &x[i])) continue;
      all = false;
      ok = amo_stack_push(stack, a);
    }
    if (!all) continue;
    stack->count--;
    ok = amo_map_put(done, n, rebuild(to, op, x));
  }
  return ok;
}

amo_status amo_dag_copy(amo_dag *to, const amo_dag *from, const amo_node *root, size_t n, amo_node *out)
{
  amo_map done = {0};
  amo_stack stack = {0};
  bool ok = true;
  for (size_t i = 0; ok && i < n; i++) {
    out[i] = AMO_NODE_NONE;
    if (root[i] == AMO_NODE_NONE) continue;
    ok = copy_one(to, from, root[i], &done, &stack) && known(from, to, &done, root[i], &out[i]);
  }
  if (!ok && to->status == AMO_OK) amo_dag_fail(to, AMO_ENOMEM);
  amo_map_free(&done);
  amo_stack_free(&stack);
  return to->status;
}
