// SPDX-License-Identifier: Apache-2.0
/// What an expression is made of: its leaves, and the arguments whose signs it chooses by.
#include <stdlib.h>

#include "expr/dag_impl.h"

bool amo_visit_open(amo_visit *w, const amo_dag *d)
{
  *w = (amo_visit){.d = d, .seen = calloc(d->size, sizeof *w->seen)};
  return w->seen != NULL;
}

void amo_visit_close(amo_visit *w)
{
  free(w->seen);
  free(w->stack);
  *w = (amo_visit){0};
}

void amo_visit_forget(amo_visit *w)
{
  w->round++;
}

static bool push(amo_visit *w, amo_node n)
{
  if (n == AMO_NODE_NONE || w->seen[n] == w->round + 1u) return true;
  if (w->count == w->capacity) {
    const size_t capacity = w->capacity ? 2 * w->capacity : 64;
    amo_node *p = realloc(w->stack, capacity * sizeof *p);
    if (p == NULL) return false;
    w->stack = p;
    w->capacity = capacity;
  }
  w->seen[n] = w->round + 1u;
  w->stack[w->count++] = n;
  return true;
}

static bool chooses(amo_op op)
{
  switch (op) {
    case AMO_OP_ABS:
    case AMO_OP_SIGN:
    case AMO_OP_POS:
    case AMO_OP_NONNEG:
    case AMO_OP_SEAM:
    case AMO_OP_SQRT:
    case AMO_OP_POW:
    case AMO_OP_ASIN:
    case AMO_OP_ACOS: return true;
    default: return false;
  }
}

bool amo_visit_on(amo_visit *w, amo_node root, amo_visit_leaf leaf, amo_visit_choice choice, void *ctx)
{
  bool ok = push(w, root);
  while (ok && w->count > 0) {
    const amo_node n = w->stack[--w->count];
    const amo_cell *c = &w->d->cell[n];
    const amo_op op = (amo_op)c->op;
    if (op == AMO_OP_LEAF) leaf(ctx, c->u.leaf);
    if (choice != NULL && chooses(op)) choice(ctx, c->u.arg[0]);
    for (int i = 0; ok && i < amo_op_arity(op); i++) ok = push(w, c->u.arg[i]);
  }
  return ok;
}
