// SPDX-License-Identifier: Apache-2.0
#include "orbit/half_turn.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "orbit/equations.h"

/// What half a period does to the value of an expression.
typedef enum effect { KEEPS, FLIPS, CHANGES } effect;

static effect product(effect a, effect b)
{
  if (a == CHANGES || b == CHANGES) return CHANGES;
  return a == b ? KEEPS : FLIPS;
}

static effect of_power(const amo_dag *d, amo_node exponent, effect base, effect by)
{
  double p = NAN;
  if (base == KEEPS && by == KEEPS) return KEEPS;
  if (base != FLIPS || !amo_node_const(d, exponent, &p) || p != floor(p)) return CHANGES;
  return fmod(p, 2.0) == 0.0 ? KEEPS : FLIPS;
}

/// e: effects on the arguments.
static effect of_operation(const amo_dag *d, amo_node n, const effect *e)
{
  switch (amo_node_op(d, n)) {
    case AMO_OP_CONST:
    case AMO_OP_LEAF: return KEEPS;  // time itself stands in angles only
    case AMO_OP_ADD:
    case AMO_OP_SUB: return e[0] == e[1] ? e[0] : CHANGES;
    case AMO_OP_MUL:
    case AMO_OP_DIV: return product(e[0], e[1]);
    case AMO_OP_NEG:
    case AMO_OP_SIN:
    case AMO_OP_TAN:
    case AMO_OP_ASIN:
    case AMO_OP_ATAN:
    case AMO_OP_SINH:
    case AMO_OP_TANH:
    case AMO_OP_ASINH:
    case AMO_OP_SIGN: return e[0];
    case AMO_OP_SQR:
    case AMO_OP_ABS:
    case AMO_OP_COS:
    case AMO_OP_COSH: return e[0] == CHANGES ? CHANGES : KEEPS;
    case AMO_OP_POW: return of_power(d, amo_node_arg(d, n, 1), e[0], e[1]);
    case AMO_OP_SELECT: return e[0] == KEEPS && e[1] == e[2] ? e[1] : CHANGES;
    default: break;
  }
  for (int i = 0; i < amo_equations_arity(d, n); i++)
    if (e[i] != KEEPS) return CHANGES;
  return KEEPS;
}

/// Sine and cosine of an angle that makes an odd number of turns in the period change their sign in half of it.
static bool of_angle(const amo_dag *d, amo_node n, const amo_node *angle, const long *turns, size_t count,
                     effect *out)
{
  const amo_op op = amo_node_op(d, n);
  for (size_t i = 0; (op == AMO_OP_SIN || op == AMO_OP_COS) && i < count; i++)
    if (amo_node_arg(d, n, 0) == angle[i]) {
      *out = turns[i] % 2 ? FLIPS : KEEPS;
      return true;
    }
  return false;
}

amo_status amo_half_turn(const amo_model *m, const amo_node *angle, const long *turns, size_t n, bool *same)
{
  const amo_dag *d = m->dag;
  const size_t size = amo_dag_size(d) + 1;
  effect *known = amo_zalloc(size, sizeof *known);
  bool *used = amo_zalloc(size, sizeof *used);
  *same = true;
  if (!known || !used) {
    free(known);
    free(used);
    return AMO_ENOMEM;
  }
  amo_equations_mark(m, used);
  for (amo_node k = 1; k < size; k++) {  // arguments have smaller numbers than their users
    effect e[3] = {KEEPS, KEEPS, KEEPS};
    for (int i = 0; i < amo_equations_arity(d, k); i++) e[i] = known[amo_node_arg(d, k, i)];
    if (!of_angle(d, k, angle, turns, n, &known[k])) known[k] = of_operation(d, k, e);
    *same &= !used[k] || known[k] == KEEPS;
  }
  free(known);
  free(used);
  return AMO_OK;
}
