// SPDX-License-Identifier: Apache-2.0
/// Expressions of one DAG in another: who wants to derive or combine expressions of a frozen model does it in a
/// DAG of their own, so that a model stays usable from many threads.
#include "expr/dag_impl.h"

typedef struct copying {
  amo_dag *to;
  const amo_dag *from;
  amo_map done;
  amo_stack stack;
} copying;

static bool known(const copying *x, amo_node n, amo_node *out)
{
  const amo_cell *c = amo_cell_at(x->from, n);
  if (c->op == AMO_OP_CONST)
    *out = amo_const(x->to, c->u.value);
  else if (c->op == AMO_OP_LEAF)
    *out = amo_leaf(x->to, c->u.leaf);
  else
    return amo_map_get(&x->done, n, out);
  return true;
}

static bool copy_one(copying *c, amo_node root)
{
  bool ok = amo_stack_push(&c->stack, root);
  while (ok && c->stack.count > 0 && c->to->status == AMO_OK) {
    const amo_node n = c->stack.item[c->stack.count - 1];
    amo_node x[3] = {AMO_NODE_NONE}, ready = AMO_NODE_NONE;
    bool all = true;
    if (known(c, n, &ready)) {
      c->stack.count--;
      continue;
    }
    const amo_op op = amo_node_op(c->from, n);
    for (int i = 0; ok && i < amo_op_arity(op); i++) {
      const amo_node a = amo_node_arg(c->from, n, i);
      if (known(c, a, &x[i])) continue;
      all = false;
      ok = amo_stack_push(&c->stack, a);
    }
    if (!all) continue;
    c->stack.count--;
    ok = amo_map_put(&c->done, n, amo_op_of(c->to, op, x));
  }
  return ok;
}

amo_status amo_dag_copy(amo_dag *to, const amo_dag *from, const amo_node *root, size_t n, amo_node *out)
{
  copying c = {.to = to, .from = from};
  bool ok = true;
  for (size_t i = 0; ok && i < n; i++) {
    out[i] = AMO_NODE_NONE;
    if (root[i] == AMO_NODE_NONE) continue;
    ok = copy_one(&c, root[i]) && known(&c, root[i], &out[i]);
  }
  if (!ok && to->status == AMO_OK) amo_dag_fail(to, AMO_ENOMEM);
  amo_map_free(&c.done);
  amo_stack_free(&c.stack);
  return to->status;
}
