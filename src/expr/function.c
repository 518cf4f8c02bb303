// SPDX-License-Identifier: Apache-2.0
#include "expr/function.h"

#include <math.h>
#include <string.h>

typedef amo_value build_fn(amo_dag *d, const amo_value *arg, size_t n, amo_call_error *error);

struct amo_function {
  const char *name;
  const char *arguments;  // what to say when their number is wrong
  size_t least, most;
  bool odd;   // only odd numbers of arguments
  amo_op op;  // used when build is NULL
  build_fn *build;
};

/// What follows a condition that does not hold need not be defined: x > 0 and log(x) < 1.
amo_node amo_truth_and(amo_dag *d, amo_node a, amo_node b)
{
  return amo_select(d, a, b, amo_const(d, 0.0));
}
amo_node amo_truth_not(amo_dag *d, amo_node a)
{
  return amo_sub(d, amo_const(d, 1.0), a);
}
amo_node amo_truth_or(amo_dag *d, amo_node a, amo_node b)
{
  return amo_select(d, a, amo_const(d, 1.0), b);
}

static amo_value number(amo_node n)
{
  return (amo_value){.node = n};
}

// ---- selection ----

static amo_node smaller(amo_dag *d, amo_node a, amo_node b)
{
  return amo_select(d, amo_op1(d, AMO_OP_POS, amo_sub(d, a, b)), b, a);
}

static amo_node larger(amo_dag *d, amo_node a, amo_node b)
{
  return amo_select(d, amo_op1(d, AMO_OP_POS, amo_sub(d, a, b)), a, b);
}

static amo_value build_min(amo_dag *d, const amo_value *arg, size_t n, amo_call_error *error)
{
  amo_node m = arg[0].node;
  (void)error;
  for (size_t i = 1; i < n; i++) m = smaller(d, m, arg[i].node);
  return number(m);
}

static amo_value build_max(amo_dag *d, const amo_value *arg, size_t n, amo_call_error *error)
{
  amo_node m = arg[0].node;
  (void)error;
  for (size_t i = 1; i < n; i++) m = larger(d, m, arg[i].node);
  return number(m);
}

static amo_value build_clamp(amo_dag *d, const amo_value *arg, size_t n, amo_call_error *error)
{
  double lo = 0.0, hi = 0.0;
  (void)n;
  if (amo_node_const(d, arg[1].node, &lo) && amo_node_const(d, arg[2].node, &hi) && lo > hi)
    *error = (amo_call_error){"clamp(x, lo, hi) needs lo <= hi", NULL, 1};
  return number(smaller(d, larger(d, arg[0].node, arg[1].node), arg[2].node));
}

static amo_value build_if(amo_dag *d, const amo_value *arg, size_t n, amo_call_error *error)
{
  amo_value r = arg[n - 1];
  for (size_t i = n - 1; i >= 2; i -= 2) {
    if (!arg[i - 2].truth)
      *error = (amo_call_error){"if() needs a condition here", "compare: if(x > 0, a, b)", (int)i - 2};
    r.node = amo_select(d, arg[i - 2].node, arg[i - 1].node, r.node);
    r.truth = r.truth && arg[i - 1].truth;
  }
  return r;
}

static amo_value build_step(amo_dag *d, const amo_value *arg, size_t n, amo_call_error *error)
{
  (void)n, (void)error;
  return (amo_value){.node = amo_op1(d, AMO_OP_NONNEG, arg[0].node), .truth = true};
}

// Points (x_i, y_i): straight lines between, constant outside. One switch per point.
static amo_value build_table(amo_dag *d, const amo_value *arg, size_t n, amo_call_error *error)
{
  const amo_node x = arg[0].node;
  amo_node r = arg[n - 1].node;
  for (size_t i = n - 2; i >= 3; i -= 2) {
    const amo_node x1 = arg[i].node, y1 = arg[i + 1].node, x0 = arg[i - 2].node, y0 = arg[i - 1].node;
    double lo = 0.0, hi = 0.0;
    if (amo_node_const(d, x0, &lo) && amo_node_const(d, x1, &hi) && !(lo < hi))
      *error = (amo_call_error){"the points of a table must have increasing x", NULL, (int)i};
    const amo_node slope = amo_div(d, amo_sub(d, y1, y0), amo_sub(d, x1, x0));
    const amo_node line = amo_add(d, y0, amo_mul(d, slope, amo_sub(d, x, x0)));
    r = amo_select(d, amo_op1(d, AMO_OP_NONNEG, amo_sub(d, x, x1)), r, line);
  }
  return number(amo_select(d, amo_op1(d, AMO_OP_NONNEG, amo_sub(d, x, arg[1].node)), r, arg[2].node));
}

// ---- roots and logarithms ----

static amo_value build_hypot(amo_dag *d, const amo_value *arg, size_t n, amo_call_error *error)
{
  amo_node sum = amo_op1(d, AMO_OP_SQR, arg[0].node);
  (void)error;
  for (size_t i = 1; i < n; i++) sum = amo_add(d, sum, amo_op1(d, AMO_OP_SQR, arg[i].node));
  return number(amo_op1(d, AMO_OP_SQRT, sum));
}

// The angle in (-pi, pi]. The function of the DAG serves for both halves of the plane, turned by half a turn where x < 0,
// so that it is never near its own cut: the half is a seam, and only for x < 0 the sign of y is a choice.
static amo_value build_atan2(amo_dag *d, const amo_value *arg, size_t n, amo_call_error *error)
{
  const amo_node y = arg[0].node, x = arg[1].node, one = amo_const(d, 1.0);
  (void)n, (void)error;
  const amo_node right = amo_op1(d, AMO_OP_SEAM, x);
  const amo_node above = amo_op1(d, AMO_OP_NONNEG, amo_select(d, right, one, y));
  const amo_node half = amo_const(d, 3.14159265358979323846);
  const amo_node turn = amo_select(d, above, half, amo_neg(d, half));
  const amo_node opposite = amo_op2(d, AMO_OP_ATAN2, amo_neg(d, y), amo_neg(d, x));
  return number(amo_select(d, right, amo_op2(d, AMO_OP_ATAN2, y, x), amo_add(d, turn, opposite)));
}

static amo_node log_base(amo_dag *d, amo_node a, double (*exact)(double), double log_of_base)
{
  double v = 0.0;
  if (amo_node_const(d, a, &v) && v > 0.0) return amo_const(d, exact(v));
  return amo_div(d, amo_op1(d, AMO_OP_LOG, a), amo_const(d, log_of_base));
}

static amo_value build_log10(amo_dag *d, const amo_value *arg, size_t n, amo_call_error *error)
{
  (void)n, (void)error;
  return number(log_base(d, arg[0].node, log10, 2.302585092994045684));
}

static amo_value build_log2(amo_dag *d, const amo_value *arg, size_t n, amo_call_error *error)
{
  (void)n, (void)error;
  return number(log_base(d, arg[0].node, log2, 0.693147180559945309));
}

static amo_value build_cbrt(amo_dag *d, const amo_value *arg, size_t n, amo_call_error *error)
{
  double v = 0.0;
  (void)n, (void)error;
  if (amo_node_const(d, arg[0].node, &v)) return number(amo_const(d, cbrt(v)));
  const amo_node size = amo_op1(d, AMO_OP_ABS, arg[0].node);
  return number(amo_mul(d, amo_op1(d, AMO_OP_SIGN, arg[0].node),
                        amo_op2(d, AMO_OP_POW, size, amo_const(d, 1.0 / 3.0))));
}

// ---- derivatives ----

static amo_value build_diff(amo_dag *d, const amo_value *arg, size_t n, amo_call_error *error)
{
  uint32_t leaf = 0;
  (void)n;
  if (amo_node_leaf(d, arg[1].node, &leaf)) return number(amo_diff(d, arg[0].node, leaf));
  if (arg[1].node != AMO_NODE_NONE)
    *error = (amo_call_error){"a derivative is taken by a name", "diff(x^2*y, x)", 1};
  return number(AMO_NODE_NONE);
}

static amo_value build_rate(amo_dag *d, const amo_value *arg, size_t n, amo_call_error *error)
{
  (void)d, (void)arg, (void)n, (void)error;
  return number(AMO_NODE_NONE);  // made by the parser, which knows the scope
}

// ---- the table ----

#define MANY ((size_t)1 << 20)
static const amo_function functions[] = {
#define AMO_OP_FUNCTION(op, arity, text) {text, NULL, arity, arity, false, AMO_OP_##op, NULL},
    AMO_OP_LIST(AMO_OP_FUNCTION)
#undef AMO_OP_FUNCTION
        {"ln", NULL, 1, 1, false, AMO_OP_LOG, NULL},
    {"log10", NULL, 1, 1, false, AMO_OP_COUNT, build_log10},
    {"log2", NULL, 1, 1, false, AMO_OP_COUNT, build_log2},
    {"atan2", NULL, 2, 2, false, AMO_OP_COUNT, build_atan2},
    {"cbrt", NULL, 1, 1, false, AMO_OP_COUNT, build_cbrt},
    {"hypot", "hypot(x, y, ...) takes 2 or more arguments", 2, MANY, false, AMO_OP_COUNT, build_hypot},
    {"min", "min(a, b, ...) takes 2 or more arguments", 2, MANY, false, AMO_OP_COUNT, build_min},
    {"max", "max(a, b, ...) takes 2 or more arguments", 2, MANY, false, AMO_OP_COUNT, build_max},
    {"clamp", "clamp(x, lo, hi) takes 3 arguments", 3, 3, false, AMO_OP_COUNT, build_clamp},
    {"diff", "diff(f, x) takes 2 arguments", 2, 2, false, AMO_OP_COUNT, build_diff},
    {"rate", NULL, 1, 1, false, AMO_OP_COUNT, build_rate},
    {"step", NULL, 1, 1, false, AMO_OP_COUNT, build_step},
    {"if", "if(condition, a, b) takes 3, 5, 7, ... arguments", 3, MANY, true, AMO_OP_COUNT, build_if},
    {"table", "table(x, x1,y1, x2,y2, ...) takes x and two or more points", 5, MANY, true, AMO_OP_COUNT,
     build_table},
};
#define COUNT (sizeof functions / sizeof functions[0])

const amo_function *amo_function_find(const char *text, size_t length)
{
  for (size_t i = COUNT;
       length > 0 && i-- > 0;)  // what is built here goes before the operation of the same name
    if (strlen(functions[i].name) == length && memcmp(functions[i].name, text, length) == 0)
      return &functions[i];
  return NULL;
}

bool amo_function_is_rate(const amo_function *f)
{
  return f->build == build_rate;
}

bool amo_function_derives(const amo_function *f)
{
  return f->build == build_diff || f->build == build_rate;
}

const char *amo_function_name(size_t i)
{
  static const char *const loops[] = {"sum", "product"};
  if (i < COUNT) return functions[i].name;  // "" for the nameless operations: never near anything
  return i < COUNT + 2 ? loops[i - COUNT] : NULL;
}

const char *amo_function_arguments(const amo_function *f, size_t n)
{
  if (n >= f->least && n <= f->most && !(f->odd && n % 2 == 0)) return NULL;
  if (f->arguments) return f->arguments;
  return f->least == 1 ? "takes 1 argument" : "takes 2 arguments";
}

amo_value amo_function_build(amo_dag *d, const amo_function *f, const amo_value *arg, size_t n,
                             amo_call_error *error)
{
  if (f->build) return f->build(d, arg, n, error);
  if (n == 1) return number(amo_op1(d, f->op, arg[0].node));
  return number(amo_op2(d, f->op, arg[0].node, arg[1].node));
}
