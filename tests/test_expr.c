// SPDX-License-Identifier: Apache-2.0
/// Derivatives and jets of expressions. They come from two mechanisms that share no code, so each is
/// the judge of the other; known series and direct evaluation judge both.
#include "test_expr_scope.h"

#include <math.h>

enum { ORDER = 16, TERMS = ORDER + 1 };

static const double point[LEAVES] = {0.7, -1.3, 2.1, 0.4, 3.0, -0.25, 2.0, 1.1, 1.2, 1.3, 1.4, 1.5};
// x, y, z, v, a, b, n, q[1..5]

static bool near(double got, double want, double tol)
{
  return fabs(got - want) <= tol * (1.0 + fabs(want));
}

static const char *const smooth[] = {"x",
                                     "x+y",
                                     "x-y*z",
                                     "x*y*z",
                                     "x/z",
                                     "1/x",
                                     "x/(y*z)",
                                     "a*x+b*y",
                                     "x/a+y/b",
                                     "-x",
                                     "x^2",
                                     "x^3",
                                     "x^7",
                                     "x^-3",
                                     "x^1.7",
                                     "z^-0.3",
                                     "z^n",
                                     "x^a",
                                     "y^n",
                                     "z^x",
                                     "a^x",
                                     "x^(y*z)",
                                     "z^b",
                                     "sqrt(x)",
                                     "sqrt(x^2+y^2)",
                                     "exp(x*y)",
                                     "log(x+z)",
                                     "sin(x*z)",
                                     "cos(y)",
                                     "sin(x)*cos(x)",
                                     "tan(x)",
                                     "asin(x)",
                                     "acos(x*0.5)",
                                     "atan(x*y)",
                                     "atan2(x, y)",
                                     "atan2(y, a)",
                                     "atan2(a, y)",
                                     "sinh(x)",
                                     "cosh(y)",
                                     "tanh(x*z)",
                                     "asinh(3*x*z)",
                                     "sinh(x)/cosh(x)",
                                     "abs(y)",
                                     "abs(x-y)*x",
                                     "sign(y)*x^2",
                                     "min(x, y)^2",
                                     "max(x*y, y, z)",
                                     "hypot(x, y, z)",
                                     "if(x > y, sin(x), cos(y))",
                                     "if(y > 0, log(y), x*y)",
                                     "clamp(x*y, -1, 0.5)",
                                     "cbrt(y)",
                                     "log10(z)",
                                     "table(x, 0,1, 1,3, 2,5)*y",
                                     "sum(i=1..5, q[i]^i*x)",
                                     "(x > 0)*y",
                                     "step(x)*x",
                                     "sqrt(z)*exp(-x^2/2)/(1+y^2)",
                                     "(-a*x - b*v - sign(v)*a*(1+b*abs(v))/(1+a*abs(v)))/n",
                                     "(sin(x)*v^2*a - b*cos(x)*sin(x))/(n+a*sin(x)^2)"};
#define SMOOTH (sizeof smooth / sizeof smooth[0])

// d/ds f(x + s e_l) is coefficient 1 of the jet along the line, and the value of the derivative.
static void derivatives(void **state)
{
  (void)state;
  for (size_t i = 0; i < SMOOTH; i++)
    for (uint32_t l = 0; l < LEAVES; l++) {
      if (world_fixed[l]) continue;
      world w = world_new();
      const amo_node f = world_node(&w, smooth[i]);
      double line[LEAVES * 2] = {0}, jet[2];
      for (size_t m = 0; m < LEAVES; m++) line[2 * m] = point[m];
      line[2 * l + 1] = 1.0;
      world_jet(&w, f, line, 1, jet);
      const double df = world_value(&w, amo_diff(w.d, f, l), point);
      if (!near(df, jet[1], 1e-13)) fail_msg("%s by leaf %u: %.17g, jet %.17g", smooth[i], l, df, jet[1]);
      if (jet[0] != world_value(&w, f, point)) fail_msg("%s: value and coefficient 0 differ", smooth[i]);
      world_free(&w);
    }
}

// Fixed leaves have no jets: judge the derivative by central differences there.
static void derivatives_by_parameters(void **state)
{
  (void)state;
  for (size_t i = 0; i < SMOOTH; i++)
    for (uint32_t l = 4; l < 7; l++) {
      if (l == 6 && strcmp(smooth[i], "y^n") == 0) continue;  // a negative base has no such derivative
      world w = world_new();
      double up[LEAVES], down[LEAVES];
      const double h = 1e-5;
      const amo_node f = world_node(&w, smooth[i]);
      memcpy(up, point, sizeof up);
      memcpy(down, point, sizeof down);
      up[l] += h;
      down[l] -= h;
      const double df = world_value(&w, amo_diff(w.d, f, l), point);
      const double slope = (world_value(&w, f, up) - world_value(&w, f, down)) / (2 * h);
      if (!near(df, slope, 1e-8)) fail_msg("%s by leaf %u: %.12g, slope %.12g", smooth[i], l, df, slope);
      world_free(&w);
    }
}

static void total_derivative(void **state)
{
  (void)state;
  for (size_t i = 0; i < SMOOTH; i++) {
    world w = world_new();
    const amo_node f = world_node(&w, smooth[i]);
    amo_node rate[LEAVES] = {AMO_NODE_NONE};
    double line[LEAVES * 2] = {0}, jet[2], sum = 0.0;
    for (uint32_t l = 0; l < LEAVES; l++) {
      line[2 * l] = point[l];
      if (world_fixed[l]) continue;
      line[2 * l + 1] = 0.3 + 0.1 * l;
      rate[l] = amo_const(w.d, 0.3 + 0.1 * l);
      sum += world_value(&w, amo_diff(w.d, f, l), point) * line[2 * l + 1];
    }
    world_jet(&w, f, line, 1, jet);
    const double total = world_value(&w, amo_total(w.d, f, rate, LEAVES), point);
    if (!near(total, jet[1], 1e-12) || !near(total, sum, 1e-12))
      fail_msg("%s: total %.17g, jet %.17g, sum %.17g", smooth[i], total, jet[1], sum);
    world_free(&w);
  }
}

static void substitution(void **state)
{
  world w = world_new();
  (void)state;
  const amo_node f = world_node(&w, "x*y + sin(x)");
  const amo_node repl[2] = {world_node(&w, "y*z"), AMO_NODE_NONE};
  assert_int_equal(amo_subst(w.d, f, repl, 2), world_node(&w, "y*z*y + sin(y*z)"));
  assert_int_equal(amo_subst(w.d, f, repl, 0), f);
  assert_true(amo_node_depends(w.d, f, 0, 1));
  assert_false(amo_node_depends(w.d, f, 2, 100));
  assert_false(amo_node_depends(w.d, amo_leaf(w.d, 64), 0, 1));  // the pruning mask alone says yes
  world_free(&w);
}

// ---- jets ----

// Smooth leaf motions with quickly falling coefficients.
static void motion(double *leaf)
{
  memset(leaf, 0, LEAVES * TERMS * sizeof *leaf);
  for (size_t l = 0; l < LEAVES; l++) {
    leaf[l * TERMS] = point[l];
    for (size_t k = 1; k < TERMS && !world_fixed[l]; k++)
      leaf[l * TERMS + k] = cos(1.7 * (double)(l * TERMS + k)) / (double)(k * k);
  }
}

static double horner(const double *c, double s)
{
  double v = 0.0;
  for (size_t k = TERMS; k-- > 0;) v = v * s + c[k];
  return v;
}

// The series at a small time against the function itself at the moved point.
static void jets_reach_the_function(void **state)
{
  double leaf[LEAVES * TERMS], jet[TERMS], moved[LEAVES];
  (void)state;
  motion(leaf);
  for (size_t i = 0; i < SMOOTH; i++)
    for (int side = -1; side <= 1; side += 2) {
      const double s = 0.03 * side;
      world w = world_new();
      const amo_node f = world_node(&w, smooth[i]);
      world_jet(&w, f, leaf, ORDER, jet);
      for (size_t l = 0; l < LEAVES; l++) moved[l] = horner(leaf + l * TERMS, s);
      const double want = world_value(&w, f, moved), got = horner(jet, s);
      if (!near(got, want, 2e-14)) fail_msg("%s at %g: %.17g, not %.17g", smooth[i], s, got, want);
      world_free(&w);
    }
}

static void known_series(void **state)
{
  static const struct {
    const char *text;
    double x0;
    double c[8];  // with x = x0 + t
  } row[] = {
      {"exp(x)", 0, {1, 1, 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040}},
      {"sin(x)", 0, {0, 1, 0, -1. / 6, 0, 1. / 120, 0, -1. / 5040}},
      {"cosh(x)", 0, {1, 0, 1. / 2, 0, 1. / 24, 0, 1. / 720, 0}},
      {"tan(x)", 0, {0, 1, 0, 1. / 3, 0, 2. / 15, 0, 17. / 315}},
      {"tanh(x)", 0, {0, 1, 0, -1. / 3, 0, 2. / 15, 0, -17. / 315}},
      {"asinh(x)", 0, {0, 1, 0, -1. / 6, 0, 3. / 40, 0, -15. / 336}},
      {"atan(x)", 0, {0, 1, 0, -1. / 3, 0, 1. / 5, 0, -1. / 7}},
      {"asin(x)", 0, {0, 1, 0, 1. / 6, 0, 3. / 40, 0, 15. / 336}},
      {"log(x)", 1, {0, 1, -1. / 2, 1. / 3, -1. / 4, 1. / 5, -1. / 6, 1. / 7}},
      {"1/x", 1, {1, -1, 1, -1, 1, -1, 1, -1}},
      {"sqrt(x)", 1, {1, .5, -1. / 8, 1. / 16, -5. / 128, 7. / 256, -21. / 1024, 33. / 2048}},
      {"x^1.5", 1, {1, 1.5, 3. / 8, -1. / 16, 3. / 128, -3. / 256, 7. / 1024, -9. / 2048}},
      {"x^n", 0, {0, 0, 1, 0, 0, 0, 0, 0}},  // n = 2 at a zero of the base
      {"(x+x^2)^n", 0, {0, 0, 1, 2, 1, 0, 0, 0}},
      {"(x+x^2)^a", 0, {0, 0, 0, 1, 3, 3, 1, 0}},                                        // a = 3
      {"(1e-9+x+x^2)^a", 0, {1e-27, 3e-18, 3e-9 + 3e-18, 1 + 6e-9, 3 + 3e-9, 3, 1, 0}},  // and beside it
      {"(x^2)^1.5", 0, {0, 0, 0, NAN, NAN, NAN, NAN, NAN}},  // |x|^3 has no series here
      {"sqrt(0*x + a - a)", 0, {0}},
      {"sqrt(y*0 + b*(x-x))", 0, {0}},
      {"if(x >= 0, x^2, log(x-5))", 0, {0, 0, 1, 0, 0, 0, 0, 0}},  // the other side is NaN
      {"abs(x)", -1, {1, -1, 0, 0, 0, 0, 0, 0}},
      {"abs(x)", 0, {0}},
      {"sign(x)", 2, {1}},
      {"x > 1", 2, {1}},
      {"sign(x)*x^2", -1, {-1, 2, -1, 0, 0, 0, 0, 0}},
      {"x^65", 0, {0}}};
  (void)state;
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    world w = world_new();
    double leaf[LEAVES * 8] = {0}, jet[8];
    for (size_t l = 0; l < LEAVES; l++) leaf[l * 8] = point[l];
    leaf[0] = row[i].x0;
    leaf[1] = 1.0;
    world_jet(&w, world_node(&w, row[i].text), leaf, 7, jet);
    for (size_t k = 0; k < 8; k++)
      if (isnan(row[i].c[k]) ? isfinite(jet[k]) : !near(jet[k], row[i].c[k], 4e-15))
        fail_msg("%s: c[%zu] = %.17g, not %.17g", row[i].text, k, jet[k], row[i].c[k]);
    world_free(&w);
  }
}

// sqrt of a series that is zero altogether, and a held branch.
static void branches(void **state)
{
  world w = world_new();
  (void)state;
  const amo_node root[4] = {world_node(&w, "abs(x)*y"), world_node(&w, "sign(x)"),
                            world_node(&w, "sqrt(x^2+v^2)"), world_node(&w, "(x > 0) + 2*(x >= 0) + abs(a)")};
  amo_prog *p = world_compile(&w, root, 4);
  assert_int_equal(amo_prog_switches(p),
                   2);  // all three ask for the sign of x; that of a is fixed; the root may turn
  assert_int_equal(amo_prog_switch_kind(p, 0), AMO_SWITCH_CHOICE);
  assert_int_equal(amo_prog_switch_kind(p, 1), AMO_SWITCH_FOLD);
  assert_int_equal(amo_prog_switch_register(p, 0), 0);
  double *reg = make(amo_prog_registers(p), sizeof *reg);
  memcpy(reg, point, sizeof point);
  reg[0] = reg[3] = 0.0;
  amo_prog_prepare1(p, reg);
  static const struct {
    signed char b;
    double x, want[2], last;
  } row[] = {{-1, 0.0, {0, -1}, 3}, {0, 0.0, {0, 0}, 5}, {1, 0.0, {0, 1}, 6}, {-1, 0.5, {0.65, -1}, 3}};
  for (size_t i = 0; i < 4; i++) {
    reg[0] = row[i].x;
    amo_prog_eval1(p, reg, &row[i].b);
    assert_true(reg[amo_prog_root(p, 0)] == row[i].want[0]);
    assert_true(reg[amo_prog_root(p, 1)] == row[i].want[1]);
    assert_true(reg[amo_prog_root(p, 3)] == row[i].last);
  }
  free(reg);
  double leaf[LEAVES * 4] = {0}, jet[4];
  world_jet(&w, root[2], leaf, 3, jet);
  for (int k = 0; k < 4; k++) assert_true(jet[k] == 0.0);
  amo_prog_free(p);
  world_free(&w);
}

// ---- random expressions: one lane and eight give the same bits ----

typedef struct rng {
  uint64_t s;
} rng;

static uint32_t draw(rng *r, uint32_t n)
{
  r->s = r->s * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(r->s >> 33) % n;
}

static double draw_real(rng *r)
{
  return (double)draw(r, 4001) / 1000.0 - 2.0;
}

static amo_node random_node(world *w, rng *r, amo_node *pool, uint32_t n)
{
  const amo_op op = (amo_op)(AMO_OP_ADD + draw(r, AMO_OP_COUNT - AMO_OP_ADD));
  const amo_node a = pool[draw(r, n)], b = pool[draw(r, n)], c = pool[draw(r, n)];
  switch (op) {
    case AMO_OP_SELECT: return amo_select(w->d, amo_op1(w->d, AMO_OP_POS, a), b, c);
    case AMO_OP_ADD:
    case AMO_OP_SUB:
    case AMO_OP_MUL:
    case AMO_OP_DIV:
    case AMO_OP_POW:
    case AMO_OP_ATAN2: return amo_op2(w->d, op, a, b);
    default: return amo_op1(w->d, op, a);
  }
}

static bool same(double a, double b)
{
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void compare_lanes(const amo_prog *p, rng *r)
{
  enum { L = AMO_LANES };
  const size_t n = amo_prog_registers(p), s = amo_prog_switches(p);
  double *wide = make(n * TERMS * L, sizeof *wide), *one = make(n * TERMS, sizeof *one);
  double *value8 = make(n * L, sizeof *value8), *value = make(n, sizeof *value);
  signed char *branch8 = make(s * L, 1), *branch = make(s, 1);
  for (size_t i = 0; i < LEAVES * TERMS * L; i++) wide[i] = draw_real(r) / (1.0 + (double)(i / L % TERMS));
  for (size_t i = 0; i < s * L; i++) branch8[i] = (signed char)((int)draw(r, 3) - 1);
  for (size_t i = 0; i < LEAVES * L; i++) value8[i] = wide[i / L * TERMS * L + i % L];
  amo_jet_prepare8(p, wide, ORDER);
  for (int k = 0; k <= ORDER; k++) amo_jet_eval8(p, wide, ORDER, k, branch8);
  amo_prog_prepare8(p, value8);
  amo_prog_eval8(p, value8, branch8);
  for (size_t l = 0; l < L; l++) {
    for (size_t i = 0; i < LEAVES * TERMS; i++) one[i] = wide[i * L + l];
    for (size_t i = 0; i < LEAVES; i++) value[i] = value8[i * L + l];
    for (size_t i = 0; i < s; i++) branch[i] = branch8[i * L + l];
    amo_jet_prepare1(p, one, ORDER);
    for (int k = 0; k <= ORDER; k++) amo_jet_eval1(p, one, ORDER, k, branch);
    amo_prog_prepare1(p, value);
    amo_prog_eval1(p, value, branch);
    for (uint32_t i = 0; i < 20; i++) {
      const size_t reg = amo_prog_root(p, i), top = amo_prog_is_fixed(p, (uint32_t)reg) ? 1 : TERMS;
      assert_true(same(value[reg], value8[reg * L + l]));
      assert_true(same(value[reg], one[reg * TERMS]));
      for (size_t k = 0; k < top; k++)
        assert_true(same(one[reg * TERMS + k], wide[(reg * TERMS + k) * L + l]));
    }
  }
  free(wide), free(one), free(value8), free(value), free(branch8), free(branch);
}

static void lanes(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    world w = world_new();
    rng r = {seed};
    amo_node pool[60];
    uint32_t n = 0;
    for (uint32_t l = 0; l < LEAVES; l++) pool[n++] = amo_leaf(w.d, l);
    for (; n < 20; n++) pool[n] = amo_const(w.d, draw_real(&r));
    for (; n < 60; n++) pool[n] = random_node(&w, &r, pool, n);
    amo_prog *p = world_compile(&w, pool + 40, 20);
    compare_lanes(p, &r);
    amo_prog_free(p);
    world_free(&w);
  }
}

static void compile_refuses(void **state)
{
  world w = world_new();
  amo_prog *p = NULL;
  (void)state;
  const amo_node none = AMO_NODE_NONE, outside = amo_leaf(w.d, LEAVES);
  assert_int_equal(amo_prog_compile(w.d, &none, 1, world_fixed, LEAVES, &p), AMO_ERANGE);
  assert_int_equal(amo_prog_compile(w.d, &outside, 1, world_fixed, LEAVES, &p), AMO_ERANGE);
  assert_null(p);
  assert_int_equal(amo_prog_compile(w.d, NULL, 0, world_fixed, LEAVES, &p), AMO_OK);
  amo_prog_free(p);
  amo_prog_free(NULL);
  world_free(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives),      cmocka_unit_test(derivatives_by_parameters),
      cmocka_unit_test(total_derivative), cmocka_unit_test(substitution),
      cmocka_unit_test(known_series),     cmocka_unit_test(jets_reach_the_function),
      cmocka_unit_test(branches),         cmocka_unit_test(lanes),
      cmocka_unit_test(compile_refuses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
