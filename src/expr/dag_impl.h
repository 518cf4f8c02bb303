// SPDX-License-Identifier: Apache-2.0
/// The inside of the DAG, for the files of this room only.
#ifndef AMO_EXPR_DAG_IMPL_H
#define AMO_EXPR_DAG_IMPL_H

#include "expr/dag.h"
#include "expr/map.h"

/// What a node holds; four bytes are enough of a boundary for it, so that a cell takes 24.
typedef union __attribute__((packed, aligned(4))) amo_operands {
  double value;     // CONST
  uint32_t leaf;    // LEAF
  amo_node arg[3];  // the others; unused ones are NONE. Last of ASIN, ACOS, POW: see amo_root_beside
} amo_operands;

enum { AMO_LEAF_BITS = 58 };
#define AMO_ALL_LEAVES (((uint64_t)1 << AMO_LEAF_BITS) - 1u)

typedef struct amo_cell {
  amo_operands u;
  uint32_t beyond;                  // every leaf below has a smaller number: prunes searches
  uint64_t op : 6;                  // amo_op
  uint64_t leaves : AMO_LEAF_BITS;  // which leaves (number modulo 58) occur below: the same
} amo_cell;

struct amo_dag {
  amo_cell *cell;  // cell[0] is NONE; arguments always have smaller numbers than their users
  size_t size, capacity, max;
  uint32_t *table;  // open addressing, 0 = free
  size_t table_capacity;
  amo_map derivative;    // (leaf << 32 | node) -> derivative
  size_t derived;        // cells that came from diff() and rate() of texts
  amo_node nonnegative;  // known not to be below zero; NONE: nothing is
  amo_status status;
};

static inline const amo_cell *amo_cell_at(const amo_dag *d, amo_node n)
{
  return &d->cell[n];
}

/// The node of an operation exactly as given, without algebra. Arguments must not be NONE.
amo_node amo_dag_intern(amo_dag *d, amo_op op, amo_node a, amo_node b, amo_node c);
/// The node of op(a) if there is one already, else NONE.
amo_node amo_dag_find(const amo_dag *d, amo_op op, amo_node a);
void amo_dag_fail(amo_dag *d, amo_status st);  // keeps the first failure
/// sqrt(1 - a^2).
amo_node amo_cathetus(amo_dag *d, amo_node a);
/// A square root that n is an analytic function of, so that it turns where the root does: asin and acos of the cathetus, a^1.5
/// and the like of sqrt(a). It is kept beside the arguments; NONE: there is none.
static inline amo_node amo_root_beside(const amo_dag *d, amo_node n)
{
  const amo_cell *c = &d->cell[n];
  return c->op == AMO_OP_ASIN || c->op == AMO_OP_ACOS || c->op == AMO_OP_POW ? c->u.arg[2] : AMO_NODE_NONE;
}
/// x^n by repeated squaring; n <= 64.
amo_node amo_integer_power(amo_dag *d, amo_node x, unsigned n);
#define AMO_MAX_INTEGER_POWER 64

/// Bits of the leaves of n that `of` [nleaf] names; many leaves: those below n are asked, not all.
uint64_t amo_relevant_leaves(amo_dag *d, amo_node n, const amo_node *of, uint32_t nleaf);

static inline uint64_t amo_leaf_bit(uint32_t leaf)
{
  return (uint64_t)1 << leaf % AMO_LEAF_BITS;
}

#endif
