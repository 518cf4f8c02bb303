// SPDX-License-Identifier: Apache-2.0
/// Expressions as a hash-consed DAG: equal sub-expressions are one node, so sharing is automatic
/// and exact derivatives stay small. Nodes are never freed one by one; the DAG owns them all.
#ifndef AMO_EXPR_DAG_H
#define AMO_EXPR_DAG_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

#include "amontons/status.h"

typedef struct amo_dag amo_dag;
typedef uint32_t amo_node;  // index into the DAG
#define AMO_NODE_NONE 0u    // "no expression"; every builder passes it on

/// name, arity, spelling in the model language ("" = not callable by name)
// clang-format off
#define AMO_OP_LIST(X)                                                                    \
  X(CONST, 0, "") X(LEAF, 0, "") X(ADD, 2, "") X(SUB, 2, "")                              \
  X(MUL, 2, "") X(DIV, 2, "") X(NEG, 1, "") X(SQR, 1, "")                                 \
  X(POW, 2, "pow") X(SQRT, 1, "sqrt") X(EXP, 1, "exp") X(LOG, 1, "log")                   \
  X(SIN, 1, "sin") X(COS, 1, "cos") X(TAN, 1, "tan") X(ASIN, 1, "asin")                   \
  X(ACOS, 1, "acos") X(ATAN, 1, "atan") X(ATAN2, 2, "atan2") X(SINH, 1, "sinh")           \
  X(COSH, 1, "cosh") X(TANH, 1, "tanh") X(ASINH, 1, "asinh") X(ABS, 1, "abs")             \
  X(SIGN, 1, "sign")                                                                      \
  X(POS, 1, "")    /* 1 if a > 0 else 0 */                                                \
  X(NONNEG, 1, "") /* 1 if a >= 0 else 0 */                                               \
  X(SEAM, 1, "")   /* the same, where what it chooses between is one smooth function */   \
  X(SELECT, 3, "") /* a != 0 ? b : c */
// clang-format on
/// min, max, comparisons, and/or/not, if(), hypot, log10, cbrt-free powers ... are lowered to these.
/// ABS, SIGN, POS, NONNEG, SEAM are the *switching* operators: the sign of their argument is a discrete
/// choice ("branch") that the integrator holds during a step and locates as an event when it flips (that of a
/// SEAM is not told: nothing happens there). ATAN2 is cut along x < 0; the language's atan2 is made of two of them,
/// each away from its cut (function.c). The sign of SQRT is a choice, too: where its argument touches zero and turns, the
/// root is a kink, while its series would go on through zero; the same goes for ASIN, ACOS and powers of 1.5, 2.5, ...

typedef enum amo_op {
#define AMO_OP_ENUM(name, arity, text) AMO_OP_##name,
  AMO_OP_LIST(AMO_OP_ENUM)
#undef AMO_OP_ENUM
      AMO_OP_COUNT
} amo_op;

amo_dag *amo_dag_new(size_t max_nodes);        // 0: a generous default
void amo_dag_allow(amo_dag *d, size_t nodes);  // so many at least
void amo_dag_free(amo_dag *d);
/// AMO_OK, or the first failure (AMO_ENOMEM, AMO_ELIMIT); sticky. After a failure builders return NONE.
amo_status amo_dag_status(const amo_dag *d);
size_t amo_dag_size(const amo_dag *d);

// ---- building; all simplify (constants folded, 0 and 1 absorbed, canonical operand order) ----
amo_node amo_const(amo_dag *d, double value);
amo_node amo_leaf(amo_dag *d, uint32_t leaf);  // input number `leaf`; meaning is the caller's
amo_node amo_op1(amo_dag *d, amo_op op, amo_node a);
amo_node amo_op2(amo_dag *d, amo_op op, amo_node a, amo_node b);
amo_node amo_select(amo_dag *d, amo_node cond, amo_node yes, amo_node no);
/// How many arguments an operation has, and the node of it on so many.
int amo_op_arity(amo_op op);
amo_node amo_op_of(amo_dag *d, amo_op op, const amo_node x[3]);
static inline amo_node amo_add(amo_dag *d, amo_node a, amo_node b)
{
  return amo_op2(d, AMO_OP_ADD, a, b);
}
static inline amo_node amo_sub(amo_dag *d, amo_node a, amo_node b)
{
  return amo_op2(d, AMO_OP_SUB, a, b);
}
static inline amo_node amo_mul(amo_dag *d, amo_node a, amo_node b)
{
  return amo_op2(d, AMO_OP_MUL, a, b);
}
static inline amo_node amo_div(amo_dag *d, amo_node a, amo_node b)
{
  return amo_op2(d, AMO_OP_DIV, a, b);
}
static inline amo_node amo_neg(amo_dag *d, amo_node a)
{
  return amo_op1(d, AMO_OP_NEG, a);
}

/// From now on n counts as zero or more: n >= 0 is no switch. NONE: nothing does.
void amo_dag_assume_nonnegative(amo_dag *d, amo_node n);

// ---- looking ----
amo_op amo_node_op(const amo_dag *d, amo_node n);
amo_node amo_node_arg(const amo_dag *d, amo_node n, int i);
bool amo_node_const(const amo_dag *d, amo_node n, double *value);  // true if a literal constant
bool amo_node_leaf(const amo_dag *d, amo_node n, uint32_t *leaf);
bool amo_node_zero(const amo_dag *d, amo_node n);  // structurally zero
/// Does n depend on any leaf in [first, first+count)?  Iterative; no recursion on depth.
bool amo_node_depends(amo_dag *d, amo_node n, uint32_t first, uint32_t count);
/// What is left of a product without the factors that cannot be negative (squares, roots, broken powers, ...): where n is not zero it
/// has the sign of this. The constant 1 where nothing is left.
amo_node amo_node_signed_part(amo_dag *d, amo_node n);
/// The condition without which a product is zero because one of its factors is chosen to be, as in k*max(x, 0)^1.5; NONE: none is seen.
amo_node amo_node_presence(amo_dag *d, amo_node n);

// ---- transforming (all iterative: depth of an expression never consumes C stack) ----
/// Exact partial derivative with respect to a leaf. Memoised.
amo_node amo_diff(amo_dag *d, amo_node n, uint32_t leaf);
/// Total derivative  sum_l (dn/dl) * rate[l]  over leaves l < nleaf with rate[l] != NONE.
amo_node amo_total(amo_dag *d, amo_node n, const amo_node *rate, uint32_t nleaf);
/// Replace leaf l by repl[l] where repl[l] != NONE (l < nleaf); other leaves stay.
amo_node amo_subst(amo_dag *d, amo_node n, const amo_node *repl, uint32_t nleaf);

/// What SIGN, POS, NONNEG and ABS of an argument (or its negative) make of `sign` in the place of its sign: 1, -1, or with `mixes` anything
/// between, which mixes what they choose between by that share; the argument is then zero.
amo_node amo_hold_switch(amo_dag *d, amo_node n, amo_node argument, amo_node sign, bool mixes);

/// Expressions of `from` (only read) made again in `to`: out[i] of root[i].
amo_status amo_dag_copy(amo_dag *to, const amo_dag *from, const amo_node *root, size_t n, amo_node *out);

/// What expressions are made of. Every node is visited once until amo_visit_forget: a leaf is told to `leaf`, the argument of
/// whatever chooses by a sign or breaks off where it is zero to `choice` (may be NULL).
typedef struct amo_visit {
  const amo_dag *d;
  uint32_t *seen, round;  // [nodes]
  amo_node *stack;
  size_t count, capacity;
} amo_visit;
typedef void (*amo_visit_leaf)(void *ctx, uint32_t leaf);
typedef void (*amo_visit_choice)(void *ctx, amo_node argument);
bool amo_visit_open(amo_visit *w, const amo_dag *d);
void amo_visit_close(amo_visit *w);
void amo_visit_forget(amo_visit *w);
/// False without memory.
bool amo_visit_on(amo_visit *w, amo_node root, amo_visit_leaf leaf, amo_visit_choice choice, void *ctx);

/// Readable infix text ("m*x'' + k*x"); leaf names by callback. Caller frees. Long texts are cut with "...".
typedef const char *(*amo_leaf_namer)(void *ctx, uint32_t leaf);
char *amo_node_text(const amo_dag *d, amo_node n, amo_leaf_namer namer, void *ctx, size_t max_chars);

#endif
