// SPDX-License-Identifier: Apache-2.0
/// Words of a tape: an operation and the numbers of its arguments; a leaf and its number; a constant, alone.
#include "model/clusters_tape.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const uint32_t no_expression = UINT32_MAX;

bool amo_tape_open(amo_tape *x, const amo_dag *d)
{
  *x = (amo_tape){.d = d, .entry = amo_zalloc(amo_dag_size(d) + 1u, sizeof *x->entry)};
  return x->entry != NULL;
}

void amo_tape_close(amo_tape *x)
{
  free(x->entry);
  free(x->word);
  free(x->constant);
  free(x->stack);
  *x = (amo_tape){0};
}

void amo_tape_begin(amo_tape *x)
{
  x->base += x->entries;
  if (x->base > UINT32_MAX / 2u) {  // numbers of another cluster never come back
    memset(x->entry, 0, (amo_dag_size(x->d) + 1u) * sizeof *x->entry);
    x->base = 0;
  }
  x->words = x->constants = x->stacked = 0;
  x->entries = 0;
}

static void put_word(amo_tape *x, uint32_t word)
{
  if (AMO_ROOM(x->word, x->words, x->word_capacity))
    x->word[x->words++] = word;
  else
    x->failed = true;
}

static uint32_t put_constant(amo_tape *x, double value)
{
  put_word(x, AMO_OP_CONST);
  if (AMO_ROOM(x->constant, x->constants, x->constant_capacity))
    x->constant[x->constants++] = value;
  else
    x->failed = true;
  return x->entries++;
}

/// A constant is written down wherever it stands: at one place it may differ from cluster to cluster, at another not.
static uint32_t number_of(amo_tape *x, amo_node n)
{
  double value;
  if (amo_node_const(x->d, n, &value)) return put_constant(x, value);
  return x->entry[n] - x->base - 1u;
}

static bool is_known(const amo_tape *x, amo_node n)
{
  return x->entry[n] > x->base || amo_node_op(x->d, n) == AMO_OP_CONST;
}

static void push(amo_tape *x, amo_node n)
{
  if (AMO_ROOM(x->stack, x->stacked, x->stack_capacity))
    x->stack[x->stacked++] = n;
  else
    x->failed = true;
}

static void write_node(amo_tape *x, amo_node n, amo_tape_leaf leaf, void *ctx)
{
  uint32_t argument[3], l;
  const int arity = amo_op_arity(amo_node_op(x->d, n));
  for (int i = 0; i < arity; i++) argument[i] = number_of(x, amo_node_arg(x->d, n, i));
  put_word(x, (uint32_t)amo_node_op(x->d, n));
  for (int i = 0; i < arity; i++) put_word(x, argument[i]);
  if (amo_node_leaf(x->d, n, &l)) put_word(x, leaf(ctx, l));
  x->entry[n] = x->base + 1u + x->entries++;
}

uint32_t amo_tape_put(amo_tape *x, amo_node n, amo_tape_leaf leaf, void *ctx)
{
  if (n == AMO_NODE_NONE) return no_expression;
  if (!is_known(x, n)) push(x, n);
  while (!x->failed && x->stacked > 0) {
    const amo_node top = x->stack[x->stacked - 1u];
    bool ready = true;
    for (int i = 0; !is_known(x, top) && i < amo_op_arity(amo_node_op(x->d, top)); i++) {
      if (is_known(x, amo_node_arg(x->d, top, i))) continue;
      push(x, amo_node_arg(x->d, top, i));
      ready = false;
    }
    if (!ready) continue;
    x->stacked--;
    if (!is_known(x, top)) write_node(x, top, leaf, ctx);
  }
  return x->failed ? no_expression : number_of(x, n);
}

bool amo_tape_play(const uint32_t *word, size_t count, const uint32_t *leaf, const uint32_t *slot,
                   const double *constant, amo_dag *to, amo_node *node)
{
  size_t constants = 0, entries = 0;
  for (size_t w = 0; w < count; entries++) {
    const amo_op op = (amo_op)word[w++];
    if (op == AMO_OP_LEAF) {
      node[entries] = amo_leaf(to, leaf[word[w++]]);
    } else if (op == AMO_OP_CONST) {
      const size_t i = constants++;
      node[entries] = slot[i] == UINT32_MAX ? amo_const(to, constant[i]) : amo_leaf(to, slot[i]);
    } else {
      amo_node x[3];
      const int arity = amo_op_arity(op);
      for (int i = 0; i < arity; i++) x[i] = node[word[w++]];
      node[entries] = amo_op_of(to, op, x);
    }
  }
  return amo_dag_status(to) == AMO_OK;
}
