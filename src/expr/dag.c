// SPDX-License-Identifier: Apache-2.0
/// The arena of nodes and its hash table.
#include <stdlib.h>
#include <string.h>

#include "expr/dag_impl.h"

#define DEFAULT_MAX_NODES ((size_t)1 << 23)

int amo_op_arity(amo_op op)
{
  static const signed char arity[AMO_OP_COUNT] = {
#define AMO_OP_ARITY(name, n, text) n,
      AMO_OP_LIST(AMO_OP_ARITY)
#undef AMO_OP_ARITY
  };
  return arity[op];
}

amo_dag *amo_dag_new(size_t max_nodes)
{
  amo_dag *d = calloc(1, sizeof *d);
  if (!d) return NULL;
  d->max = max_nodes && max_nodes < UINT32_MAX ? max_nodes : DEFAULT_MAX_NODES;
  d->capacity = 256;
  d->table_capacity = 1024;
  d->cell = calloc(d->capacity, sizeof *d->cell);
  d->table = calloc(d->table_capacity, sizeof *d->table);
  if (!d->cell || !d->table) {
    amo_dag_free(d);
    return NULL;
  }
  d->size = 1;
  return d;
}

void amo_dag_allow(amo_dag *d, size_t nodes)
{
  if (nodes >= UINT32_MAX) nodes = UINT32_MAX - 1u;
  if (nodes > d->max) d->max = nodes;
}

void amo_dag_free(amo_dag *d)
{
  if (!d) return;
  amo_map_free(&d->derivative);
  free(d->cell);
  free(d->table);
  free(d);
}

amo_status amo_dag_status(const amo_dag *d)
{
  return d->status;
}
size_t amo_dag_size(const amo_dag *d)
{
  return d->size - 1;
}

void amo_dag_fail(amo_dag *d, amo_status st)
{
  if (d->status == AMO_OK) d->status = st;
}

static bool commutes(uint32_t op)
{
  return op == AMO_OP_ADD || op == AMO_OP_MUL;
}

// Commutative operands hash and compare without order, so a+b and b+a are one node while the text
// of an expression keeps the order in which it was first written.
static uint64_t cell_hash(const amo_cell *c)
{
  uint64_t x = 0, y = 0;
  if (c->op == AMO_OP_CONST) {
    memcpy(&x, &c->u, sizeof x);
  } else if (c->op == AMO_OP_LEAF) {
    x = c->u.leaf;
  } else {
    amo_node a = c->u.arg[0], b = c->u.arg[1];
    if (commutes(c->op) && a > b) {
      a = c->u.arg[1];
      b = c->u.arg[0];
    }
    x = (uint64_t)a << 32 | b;
    y = c->u.arg[2];
  }
  return amo_mix64(amo_mix64(x + 0x9e3779b97f4a7c15u * c->op) + y);
}

static bool cell_equal(const amo_cell *p, const amo_cell *q)
{
  if (p->op != q->op) return false;
  if (p->op == AMO_OP_CONST) return memcmp(&p->u, &q->u, sizeof(double)) == 0;
  if (p->op == AMO_OP_LEAF) return p->u.leaf == q->u.leaf;
  const amo_node *a = p->u.arg, *b = q->u.arg;
  if (a[0] == b[0] && a[1] == b[1] && a[2] == b[2]) return true;
  return commutes(p->op) && a[0] == b[1] && a[1] == b[0];
}

static size_t find_slot(const amo_dag *d, const amo_cell *c)
{
  size_t i = (size_t)cell_hash(c) & (d->table_capacity - 1);
  while (d->table[i] != 0 && !cell_equal(&d->cell[d->table[i]], c)) i = (i + 1) & (d->table_capacity - 1);
  return i;
}

static bool grow_table(amo_dag *d)
{
  const size_t capacity = 2 * d->table_capacity;
  uint32_t *table = calloc(capacity, sizeof *table);
  if (!table) return false;
  free(d->table);
  d->table = table;
  d->table_capacity = capacity;
  for (size_t n = 1; n < d->size; n++) d->table[find_slot(d, &d->cell[n])] = (uint32_t)n;
  return true;
}

static bool grow_cells(amo_dag *d)
{
  const size_t capacity = 2 * d->capacity;
  amo_cell *cell = realloc(d->cell, capacity * sizeof *cell);
  if (!cell) return false;
  d->cell = cell;
  d->capacity = capacity;
  return true;
}

static amo_node intern_cell(amo_dag *d, const amo_cell *c)
{
  if (d->status != AMO_OK) return AMO_NODE_NONE;
  size_t i = find_slot(d, c);
  if (d->table[i] != 0) return d->table[i];
  if (d->size > d->max) {
    amo_dag_fail(d, AMO_ELIMIT);
    return AMO_NODE_NONE;
  }
  if (d->size == d->capacity && !grow_cells(d)) {
    amo_dag_fail(d, AMO_ENOMEM);
    return AMO_NODE_NONE;
  }
  if (2 * d->size >= d->table_capacity) {
    if (!grow_table(d)) {
      amo_dag_fail(d, AMO_ENOMEM);
      return AMO_NODE_NONE;
    }
    i = find_slot(d, c);
  }
  d->cell[d->size] = *c;
  d->table[i] = (uint32_t)d->size;
  return (amo_node)d->size++;
}

amo_node amo_const(amo_dag *d, double value)
{
  amo_cell c = {.op = AMO_OP_CONST};
  c.u.value = value == 0.0 ? 0.0 : value;  // one zero only: -0 would be a second "structural zero"
  return intern_cell(d, &c);
}

amo_node amo_leaf(amo_dag *d, uint32_t leaf)
{
  amo_cell c = {.op = AMO_OP_LEAF, .beyond = leaf + 1, .leaves = amo_leaf_bit(leaf) & AMO_ALL_LEAVES};
  c.u.leaf = leaf;
  return intern_cell(d, &c);
}

static uint32_t greater(uint32_t a, uint32_t b)
{
  return a > b ? a : b;
}

amo_node amo_dag_intern(amo_dag *d, amo_op op, amo_node a, amo_node b, amo_node c)
{
  amo_cell x = {.op = op};
  x.u.arg[0] = a;
  x.u.arg[1] = b;
  x.u.arg[2] = c;
  x.leaves = d->cell[a].leaves | d->cell[b].leaves | d->cell[c].leaves;  // cell[NONE] has none
  x.beyond = greater(d->cell[a].beyond, greater(d->cell[b].beyond, d->cell[c].beyond));
  return intern_cell(d, &x);
}

amo_node amo_dag_find(const amo_dag *d, amo_op op, amo_node a)
{
  amo_cell x = {.op = op};
  x.u.arg[0] = a;
  x.u.arg[1] = x.u.arg[2] = AMO_NODE_NONE;
  return d->table[find_slot(d, &x)];
}

amo_op amo_node_op(const amo_dag *d, amo_node n)
{
  return (amo_op)d->cell[n].op;
}

amo_node amo_node_arg(const amo_dag *d, amo_node n, int i)
{
  const amo_cell *c = &d->cell[n];
  return i >= 0 && i < amo_op_arity((amo_op)c->op) ? c->u.arg[i] : AMO_NODE_NONE;
}

bool amo_node_const(const amo_dag *d, amo_node n, double *value)
{
  if (n == AMO_NODE_NONE || d->cell[n].op != AMO_OP_CONST) return false;
  if (value) *value = d->cell[n].u.value;
  return true;
}

bool amo_node_leaf(const amo_dag *d, amo_node n, uint32_t *leaf)
{
  if (n == AMO_NODE_NONE || d->cell[n].op != AMO_OP_LEAF) return false;
  if (leaf) *leaf = d->cell[n].u.leaf;
  return true;
}

bool amo_node_zero(const amo_dag *d, amo_node n)
{
  double v = 1.0;
  return amo_node_const(d, n, &v) && v == 0.0;
}
