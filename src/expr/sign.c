// SPDX-License-Identifier: Apache-2.0
/// Which factors of an expression cannot be negative, whatever its leaves are.
#include <math.h>

#include "expr/dag_impl.h"

static bool even_or_broken(const amo_dag *d, amo_node exponent)
{
  double v = 0.0;
  return amo_node_const(d, exponent, &v) && (v != floor(v) || fmod(v, 2.0) == 0.0);
}

static bool never_negative(const amo_dag *d, amo_node n, int depth)
{
  const amo_cell *x = amo_cell_at(d, n);
  double v = 0.0;
  if (depth == 0) return false;
  if (amo_node_const(d, n, &v)) return v >= 0.0;
  switch (x->op) {
    case AMO_OP_ABS:
    case AMO_OP_SQR:
    case AMO_OP_SQRT:
    case AMO_OP_EXP:
    case AMO_OP_COSH:
    case AMO_OP_POS:
    case AMO_OP_NONNEG: return true;
    case AMO_OP_POW: return even_or_broken(d, x->u.arg[1]) || never_negative(d, x->u.arg[0], depth - 1);
    case AMO_OP_ADD:
    case AMO_OP_MUL:
    case AMO_OP_DIV:
      return never_negative(d, x->u.arg[0], depth - 1) && never_negative(d, x->u.arg[1], depth - 1);
    default: return false;
  }
}

enum { DEEP = 16 };  // levels that are looked at

amo_node amo_node_signed_part(amo_dag *d, amo_node n)
{
  if (n == AMO_NODE_NONE) return n;
  for (int i = 0; i < DEEP; i++) {
    const amo_cell *x = amo_cell_at(d, n);
    if (never_negative(d, n, DEEP)) return amo_const(d, 1.0);
    if (x->op != AMO_OP_MUL && x->op != AMO_OP_DIV) return n;
    if (never_negative(d, x->u.arg[1], DEEP))
      n = x->u.arg[0];
    else if (x->op == AMO_OP_MUL && never_negative(d, x->u.arg[0], DEEP))
      n = x->u.arg[1];
    else
      return n;
  }
  return n;
}

static amo_node presence(amo_dag *d, amo_node n, int depth)
{
  const amo_cell *x = amo_cell_at(d, n);
  double v = 1.0;
  if (depth == 0) return AMO_NODE_NONE;
  switch (x->op) {
    case AMO_OP_SELECT:
      if (amo_node_const(d, x->u.arg[2], &v) && v == 0.0) return x->u.arg[0];
      if (!(amo_node_const(d, x->u.arg[1], &v) && v == 0.0)) return AMO_NODE_NONE;
      return amo_sub(d, amo_const(d, 1.0), x->u.arg[0]);
    case AMO_OP_SQR:
    case AMO_OP_POW: return presence(d, x->u.arg[0], depth - 1);
    case AMO_OP_MUL: {
      const amo_node first = presence(d, x->u.arg[0], depth - 1);
      return first != AMO_NODE_NONE ? first : presence(d, x->u.arg[1], depth - 1);
    }
    default: return AMO_NODE_NONE;
  }
}

amo_node amo_node_presence(amo_dag *d, amo_node n)
{
  return n == AMO_NODE_NONE ? n : presence(d, n, DEEP / 2);
}
