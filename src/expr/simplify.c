// SPDX-License-Identifier: Apache-2.0
/// The algebra of the builders. Rules are modest: each holds exactly or up to one rounding, and none
/// reorders a user's sum. Every rule moves towards fewer or simpler nodes, so the mutual recursion
/// of the builders is a few levels deep whatever the expression.
#include <float.h>
#include <math.h>

#include "expr/dag_impl.h"

static bool is_value(const amo_dag *d, amo_node n, double value)
{
  double v = 0.0;
  return amo_node_const(d, n, &v) && v == value;
}

static bool is_op(const amo_dag *d, amo_node n, amo_op op)
{
  return d->cell[n].op == op;
}
static amo_node arg0(const amo_dag *d, amo_node n)
{
  return d->cell[n].u.arg[0];
}
static amo_node arg1(const amo_dag *d, amo_node n)
{
  return d->cell[n].u.arg[1];
}

static bool is_truth(const amo_dag *d, amo_node n)
{
  return is_op(d, n, AMO_OP_POS) || is_op(d, n, AMO_OP_NONNEG) || is_op(d, n, AMO_OP_SEAM);
}

// -x, or c*x with c < 0: an expression that carries a minus sign in front.
static bool is_negative(const amo_dag *d, amo_node n)
{
  double c = 0.0;
  if (amo_node_const(d, n, &c)) return c < 0.0;
  if (is_op(d, n, AMO_OP_NEG)) return true;
  return is_op(d, n, AMO_OP_MUL) && amo_node_const(d, arg0(d, n), &c) && c < 0.0;
}

// ---- constants ----

static double unary_value(amo_op op, double a)
{
  switch (op) {
    case AMO_OP_NEG: return -a;
    case AMO_OP_SQR: return a * a;
    case AMO_OP_SQRT: return sqrt(a);
    case AMO_OP_EXP: return exp(a);
    case AMO_OP_LOG: return log(a);
    case AMO_OP_SIN: return sin(a);
    case AMO_OP_COS: return cos(a);
    case AMO_OP_TAN: return tan(a);
    case AMO_OP_ASIN: return asin(a);
    case AMO_OP_ACOS: return acos(a);
    case AMO_OP_ATAN: return atan(a);
    case AMO_OP_SINH: return sinh(a);
    case AMO_OP_COSH: return cosh(a);
    case AMO_OP_TANH: return tanh(a);
    case AMO_OP_ASINH: return asinh(a);
    case AMO_OP_ABS: return fabs(a);
    case AMO_OP_SIGN: return (double)((a > 0.0) - (a < 0.0));
    case AMO_OP_POS: return a > 0.0 ? 1.0 : 0.0;
    case AMO_OP_NONNEG:
    case AMO_OP_SEAM: return a >= 0.0 ? 1.0 : 0.0;
    default: return NAN;
  }
}

static double binary_value(amo_op op, double a, double b)
{
  switch (op) {
    case AMO_OP_ADD: return a + b;
    case AMO_OP_SUB: return a - b;
    case AMO_OP_MUL: return a * b;
    case AMO_OP_DIV: return a / b;
    case AMO_OP_POW: return pow(a, b);
    case AMO_OP_ATAN2: return atan2(a, b);
    default: return NAN;
  }
}

// NONE when there is nothing finite to fold to: 1/0 stays 1/0 and shows up when it is evaluated.
static amo_node fold(amo_dag *d, double value)
{
  return isfinite(value) ? amo_const(d, value) : AMO_NODE_NONE;
}

/// cos(pi/2) is zero: a value that the rounding of its argument makes, not the formula.
static double periodic_value(amo_op op, double a)
{
  const double value = unary_value(op, a);
  const bool periodic = op == AMO_OP_SIN || op == AMO_OP_COS || op == AMO_OP_TAN;
  return periodic && fabs(value) <= fabs(a) * (DBL_EPSILON / 2) ? 0.0 : value;
}

// ---- sums ----

static amo_node build_add(amo_dag *d, amo_node a, amo_node b)
{
  if (amo_node_zero(d, a)) return b;
  if (amo_node_zero(d, b)) return a;
  if (is_negative(d, b)) return amo_sub(d, a, amo_neg(d, b));
  if (is_negative(d, a) && !amo_node_const(d, a, NULL)) return amo_sub(d, b, amo_neg(d, a));
  if (a == b) return amo_mul(d, amo_const(d, 2.0), a);
  return amo_dag_intern(d, AMO_OP_ADD, a, b, AMO_NODE_NONE);
}

static amo_node build_sub(amo_dag *d, amo_node a, amo_node b)
{
  if (a == b) return amo_const(d, 0.0);
  if (amo_node_zero(d, b)) return a;
  if (amo_node_zero(d, a)) return amo_neg(d, b);
  if (is_negative(d, b)) return amo_add(d, a, amo_neg(d, b));
  if (is_op(d, a, AMO_OP_NEG)) return amo_neg(d, amo_add(d, arg0(d, a), b));
  return amo_dag_intern(d, AMO_OP_SUB, a, b, AMO_NODE_NONE);
}

static amo_node build_neg(amo_dag *d, amo_node a)
{
  double c = 0.0;
  if (is_op(d, a, AMO_OP_NEG)) return arg0(d, a);
  if (is_op(d, a, AMO_OP_SUB)) return amo_sub(d, arg1(d, a), arg0(d, a));
  if (is_op(d, a, AMO_OP_MUL) && amo_node_const(d, arg0(d, a), &c))
    return amo_mul(d, amo_const(d, -c), arg1(d, a));
  return amo_dag_intern(d, AMO_OP_NEG, a, AMO_NODE_NONE, AMO_NODE_NONE);
}

// ---- products ----

static amo_node mul_by_const(amo_dag *d, double c, amo_node a)
{
  double inner = 0.0;
  if (c == 0.0) return amo_const(d, 0.0);
  if (c == 1.0) return a;
  if (c == -1.0) return amo_neg(d, a);
  if (is_op(d, a, AMO_OP_NEG)) return amo_mul(d, amo_const(d, -c), arg0(d, a));
  if (is_op(d, a, AMO_OP_MUL) && amo_node_const(d, arg0(d, a), &inner) && isnormal(c * inner))
    return amo_mul(d, amo_const(d, c * inner), arg1(d, a));
  return amo_dag_intern(d, AMO_OP_MUL, amo_const(d, c), a, AMO_NODE_NONE);
}

static amo_node build_mul(amo_dag *d, amo_node a, amo_node b)
{
  double c = 0.0;
  const bool ca = amo_node_const(d, a, NULL);
  if (!ca && amo_node_const(d, b, &c)) return mul_by_const(d, c, a);
  if (ca && !amo_node_const(d, b, NULL) && amo_node_const(d, a, &c)) return mul_by_const(d, c, b);
  if (is_op(d, a, AMO_OP_NEG)) return amo_neg(d, amo_mul(d, arg0(d, a), b));
  if (is_op(d, b, AMO_OP_NEG)) return amo_neg(d, amo_mul(d, a, arg0(d, b)));
  if (a == b && !ca) return amo_op1(d, AMO_OP_SQR, a);
  return amo_dag_intern(d, AMO_OP_MUL, a, b, AMO_NODE_NONE);
}

static amo_node build_div(amo_dag *d, amo_node a, amo_node b)
{
  double c = 0.0;
  int exponent = 0;
  const bool cb = amo_node_const(d, b, &c);
  if (amo_node_zero(d, a) && !(cb && c == 0.0)) return a;
  if (cb && (c == 1.0 || c == -1.0)) return c > 0.0 ? a : amo_neg(d, a);
  if (a == b && !cb) return amo_const(d, 1.0);
  // Dividing by a power of two is multiplying by another one, exactly.
  if (cb && fabs(frexp(c, &exponent)) == 0.5 && isnormal(1.0 / c) && !amo_node_const(d, a, NULL))
    return amo_mul(d, amo_const(d, 1.0 / c), a);
  if (is_op(d, a, AMO_OP_NEG)) return amo_neg(d, amo_div(d, arg0(d, a), b));
  if (is_op(d, b, AMO_OP_NEG)) return amo_neg(d, amo_div(d, a, arg0(d, b)));
  if (cb && c < 0.0) return amo_neg(d, amo_div(d, a, amo_const(d, -c)));
  return amo_dag_intern(d, AMO_OP_DIV, a, b, AMO_NODE_NONE);
}

// ---- powers ----

amo_node amo_integer_power(amo_dag *d, amo_node x, unsigned n)
{
  amo_node result = AMO_NODE_NONE;
  for (; n != 0; n >>= 1) {
    if (n & 1u) result = result == AMO_NODE_NONE ? x : amo_mul(d, result, x);
    if (n > 1u) x = amo_op1(d, AMO_OP_SQR, x);
  }
  return result == AMO_NODE_NONE ? amo_const(d, 1.0) : result;
}

static amo_node build_pow(amo_dag *d, amo_node a, amo_node b)
{
  double p = 0.0;
  if (is_value(d, a, 1.0)) return a;
  if (amo_node_const(d, b, &p)) {
    const double n = fabs(p);
    amo_node root = AMO_NODE_NONE;
    if (n == floor(n) && n <= AMO_MAX_INTEGER_POWER)
      root = amo_integer_power(d, a, (unsigned)n);
    else if (n == 0.5)
      root = amo_op1(d, AMO_OP_SQRT, a);
    if (root != AMO_NODE_NONE) return p < 0.0 ? amo_div(d, amo_const(d, 1.0), root) : root;
  }
  const bool halves = amo_node_const(d, b, NULL) && p > 0.0 && 2.0 * p == floor(2.0 * p) && p != floor(p);
  return amo_dag_intern(d, AMO_OP_POW, a, b, halves ? amo_op1(d, AMO_OP_SQRT, a) : AMO_NODE_NONE);
}

static amo_node build_sqr(amo_dag *d, amo_node a)
{
  if (is_op(d, a, AMO_OP_NEG) || is_op(d, a, AMO_OP_ABS)) return amo_op1(d, AMO_OP_SQR, arg0(d, a));
  if (is_truth(d, a)) return a;
  return amo_dag_intern(d, AMO_OP_SQR, a, AMO_NODE_NONE, AMO_NODE_NONE);
}

// ---- switching operators ----

// |x| and x > 0 ask for the sign of x up to orientation and scale: normalise the argument so that
// a-b, b-a and 2*(a-b) share one switch. Returns +1 or -1: sign(*n as given) = factor * sign(*n).
static int orient(const amo_dag *d, amo_dag *build, amo_node *n, double *scale)
{
  int factor = 1;
  double c = 1.0;
  *scale = 1.0;
  if (is_op(d, *n, AMO_OP_NEG)) {
    factor = -1;
    *n = arg0(d, *n);
  } else if (is_op(d, *n, AMO_OP_MUL) && amo_node_const(d, arg0(d, *n), &c)) {
    factor = c < 0.0 ? -1 : 1;
    *scale = fabs(c);
    *n = arg1(d, *n);
  }
  if (is_op(d, *n, AMO_OP_SUB)) {
    const amo_node a = arg0(d, *n), b = arg1(d, *n);
    const bool ca = amo_node_const(d, a, NULL), cb = amo_node_const(d, b, NULL);
    if (ca || (!cb && a > b)) {
      factor = -factor;
      *n = amo_sub(build, b, a);
    }
  }
  return factor;
}

void amo_dag_assume_nonnegative(amo_dag *d, amo_node n)
{
  d->nonnegative = n;
}

static amo_node build_switch(amo_dag *d, amo_op op, amo_node a)
{
  double scale = 1.0;
  if (op == AMO_OP_NONNEG && a == d->nonnegative && a != AMO_NODE_NONE) return amo_const(d, 1.0);
  const int factor = orient(d, d, &a, &scale);
  if (a == AMO_NODE_NONE) return a;
  if (op == AMO_OP_ABS) {
    if (is_op(d, a, AMO_OP_ABS) || is_op(d, a, AMO_OP_SQR) || is_op(d, a, AMO_OP_SQRT) ||
        is_op(d, a, AMO_OP_EXP) || is_truth(d, a))
      return amo_mul(d, amo_const(d, scale), a);
    a = amo_dag_intern(d, op, a, AMO_NODE_NONE, AMO_NODE_NONE);
    return a == AMO_NODE_NONE ? a : amo_mul(d, amo_const(d, scale), a);
  }
  if (op == AMO_OP_SIGN) {
    a = amo_dag_intern(d, op, a, AMO_NODE_NONE, AMO_NODE_NONE);
    return a == AMO_NODE_NONE || factor > 0 ? a : amo_neg(d, a);
  }
  if (factor > 0) return amo_dag_intern(d, op, a, AMO_NODE_NONE, AMO_NODE_NONE);
  const amo_op other = op == AMO_OP_POS ? AMO_OP_NONNEG : AMO_OP_POS;  // -x > 0 is not x >= 0
  return amo_sub(d, amo_const(d, 1.0), amo_dag_intern(d, other, a, AMO_NODE_NONE, AMO_NODE_NONE));
}

// ---- the builders ----

amo_node amo_cathetus(amo_dag *d, amo_node a)
{
  return amo_op1(d, AMO_OP_SQRT, amo_sub(d, amo_const(d, 1.0), amo_op1(d, AMO_OP_SQR, a)));
}

static amo_node build_function(amo_dag *d, amo_op op, amo_node a)
{
  const bool neg = is_negative(d, a);
  switch (op) {
    case AMO_OP_SQRT:
      if (is_op(d, a, AMO_OP_SQR)) return amo_op1(d, AMO_OP_ABS, arg0(d, a));
      break;
    case AMO_OP_SIN:
    case AMO_OP_TAN:
    case AMO_OP_ASIN:
    case AMO_OP_ATAN:
    case AMO_OP_SINH:
    case AMO_OP_TANH:
    case AMO_OP_ASINH:
      if (neg) return amo_neg(d, amo_op1(d, op, amo_neg(d, a)));
      break;
    case AMO_OP_COS:
    case AMO_OP_COSH:
      if (neg) return amo_op1(d, op, amo_neg(d, a));
      break;
    default: break;
  }
  const bool arc = op == AMO_OP_ASIN || op == AMO_OP_ACOS;
  return amo_dag_intern(d, op, a, AMO_NODE_NONE, arc ? amo_cathetus(d, a) : AMO_NODE_NONE);
}

amo_node amo_op1(amo_dag *d, amo_op op, amo_node a)
{
  double v = 0.0;
  if (a == AMO_NODE_NONE || d->status != AMO_OK) return AMO_NODE_NONE;
  if (amo_node_const(d, a, &v)) {
    const amo_node folded = fold(d, periodic_value(op, v));
    if (folded != AMO_NODE_NONE || d->status != AMO_OK) return folded;
    return amo_dag_intern(d, op, a, AMO_NODE_NONE, AMO_NODE_NONE);
  }
  switch (op) {
    case AMO_OP_NEG: return build_neg(d, a);
    case AMO_OP_SQR: return build_sqr(d, a);
    case AMO_OP_ABS:
    case AMO_OP_SIGN:
    case AMO_OP_POS:
    case AMO_OP_NONNEG: return build_switch(d, op, a);
    default: return build_function(d, op, a);
  }
}

amo_node amo_op2(amo_dag *d, amo_op op, amo_node a, amo_node b)
{
  double x = 0.0, y = 0.0;
  if (a == AMO_NODE_NONE || b == AMO_NODE_NONE || d->status != AMO_OK) return AMO_NODE_NONE;
  if (amo_node_const(d, a, &x) && amo_node_const(d, b, &y)) {
    const amo_node folded = fold(d, binary_value(op, x, y));
    if (folded != AMO_NODE_NONE || d->status != AMO_OK) return folded;
    return amo_dag_intern(d, op, a, b, AMO_NODE_NONE);
  }
  switch (op) {
    case AMO_OP_ADD: return build_add(d, a, b);
    case AMO_OP_SUB: return build_sub(d, a, b);
    case AMO_OP_MUL: return build_mul(d, a, b);
    case AMO_OP_DIV: return build_div(d, a, b);
    case AMO_OP_POW: return build_pow(d, a, b);
    default: return amo_dag_intern(d, op, a, b, AMO_NODE_NONE);
  }
}

amo_node amo_select(amo_dag *d, amo_node cond, amo_node yes, amo_node no)
{
  double c = 0.0;
  if (cond == AMO_NODE_NONE || yes == AMO_NODE_NONE || no == AMO_NODE_NONE) return AMO_NODE_NONE;
  if (d->status != AMO_OK) return AMO_NODE_NONE;
  if (amo_node_const(d, cond, &c)) return c != 0.0 ? yes : no;
  if (yes == no) return yes;
  if (is_op(d, cond, AMO_OP_SUB) && is_value(d, arg0(d, cond), 1.0) &&
      is_truth(d, arg1(d, cond)))  // "not c": exchange the sides instead
    return amo_select(d, arg1(d, cond), no, yes);
  return amo_dag_intern(d, AMO_OP_SELECT, cond, yes, no);
}

amo_node amo_op_of(amo_dag *d, amo_op op, const amo_node x[3])
{
  switch (amo_op_arity(op)) {
    case 1: return amo_op1(d, op, x[0]);
    case 2: return amo_op2(d, op, x[0], x[1]);
    default: return amo_select(d, x[0], x[1], x[2]);
  }
}
