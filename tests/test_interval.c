// SPDX-License-Identifier: Apache-2.0
/// Intervals contain the truth: every operation against long double at random points, every recurrence against the function
/// itself at a moved point and against the kernels that the steps use.
#include "test_expr_scope.h"

#include <math.h>

#include "expr/enclosure.h"

static uint64_t seed = 12345;

static double uniform(double lo, double hi)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return lo + (hi - lo) * (double)(seed >> 11) * 0x1p-53;
}

// Sizes from 1e-6 to 1e3, intervals from thin to wide.
static amo_interval some(double least, double most)
{
  double x = uniform(least, most), w = pow(10.0, uniform(-18.0, 0.5));
  if (uniform(0, 1) < 0.2) x *= 1e-6;
  if (uniform(0, 1) < 0.3) w = 0.0;
  const amo_interval a = {fmax(x - w, least), fmin(x + w, most)};
  return a.lo <= a.hi ? a : amo_interval_of(x);
}

static double inside(amo_interval a)
{
  const double x = uniform(0, 1);
  const double p = x < 0.2 ? a.lo : x > 0.8 ? a.hi : uniform(a.lo, a.hi);
  return fmin(fmax(p, a.lo), a.hi);
}

static void expect(const char *what, amo_interval d, long double truth, double a, double b)
{
  if (d.lo <= truth && truth <= d.hi) return;
  fail_msg("%s of %.17g, %.17g is %.20Lg, not in [%.17g, %.17g]", what, a, b, truth, d.lo, d.hi);
}

static void arithmetic(void **state)
{
  (void)state;
  for (int i = 0; i < 200000; i++) {
    const amo_interval a = some(-1e3, 1e3), b = some(-30, 30), p = some(0, 50);
    const double x = inside(a), y = inside(b), z = inside(p);
    const long double lx = x, ly = y;
    expect("sum", amo_interval_add(a, b), lx + ly, x, y);
    expect("difference", amo_interval_sub(a, b), lx - ly, x, y);
    expect("product", amo_interval_mul(a, b), lx * ly, x, y);
    if (y != 0.0) expect("quotient", amo_interval_div(a, b), lx / ly, x, y);
    expect("square", amo_interval_sqr(a), lx * lx, x, 0);
    expect("abs", amo_interval_abs(a), fabsl(lx), x, 0);
    expect("root", amo_interval_sqrt(p), sqrtl(z), z, 0);
    expect("power", amo_interval_pow(p, b), powl(z, ly), z, y);
    const double n = floor(uniform(-7, 9));
    if (y != 0.0 || n >= 0.0)
      expect("whole power", amo_interval_pow(b, amo_interval_of(n)), powl(ly, n), y, n);
  }
}

static void functions(void **state)
{
  static const struct {
    const char *name;
    amo_interval (*f)(amo_interval);
    long double (*truth)(long double);
    double least, most;
  } row[] = {
      {"exp", amo_interval_exp, expl, -300, 300},      {"log", amo_interval_log, logl, 1e-9, 1e3},
      {"sin", amo_interval_sin, sinl, -100, 100},      {"cos", amo_interval_cos, cosl, -100, 100},
      {"tan", amo_interval_tan, tanl, -10, 10},        {"asin", amo_interval_asin, asinl, -1, 1},
      {"acos", amo_interval_acos, acosl, -1, 1},       {"atan", amo_interval_atan, atanl, -1e3, 1e3},
      {"sinh", amo_interval_sinh, sinhl, -50, 50},     {"cosh", amo_interval_cosh, coshl, -50, 50},
      {"tanh", amo_interval_tanh, tanhl, -50, 50},     {"asinh", amo_interval_asinh, asinhl, -1e9, 1e9},
      {"sin, far", amo_interval_sin, sinl, -1e9, 1e9}, {"cos, far", amo_interval_cos, cosl, -1e9, 1e9}};
  (void)state;
  for (size_t r = 0; r < sizeof row / sizeof *row; r++)
    for (int i = 0; i < 100000; i++) {
      const amo_interval a = some(row[r].least, row[r].most), d = row[r].f(a);
      const double x = inside(a);
      expect(row[r].name, d, row[r].truth(x), x, 0);
    }
  for (int i = 0; i < 100000; i++) {
    const amo_interval y = some(-5, 5), x = some(-5, 5);
    const double p = inside(y), q = inside(x);
    expect("atan2", amo_interval_atan2(y, x), atan2l(p, q), p, q);
  }
}

static void exact_numbers_stay_exact(void **state)
{
  (void)state;
  const amo_interval two = amo_interval_of(2.0), three = amo_interval_of(3.0), none = {0.0, 0.0};
  assert_true(amo_interval_is_zero(amo_interval_sub(amo_interval_mul(two, three), amo_interval_of(6.0))));
  assert_true(amo_interval_is_zero(amo_interval_mul(none, amo_interval_whole())));
  assert_true(amo_interval_thin(amo_interval_div(three, two)));
  assert_false(amo_interval_thin(amo_interval_div(two, three)));
  assert_false(amo_interval_finite(amo_interval_div(two, (amo_interval){-1.0, 1.0})));
  assert_false(amo_interval_finite(amo_interval_sqrt((amo_interval){-1e-300, 1.0})));
  assert_false(amo_interval_finite(amo_interval_mul(amo_interval_of(1e200), amo_interval_of(1e200))));
}

// ---- series ----

enum { ORDER = 14, TERMS = ORDER + 1 };

static const char *const texts[] = {"x+y",
                                    "x*y*z",
                                    "x/(3+y*z)",
                                    "1/(4+x)",
                                    "a*x+b*y-z/n",
                                    "x^2+y^3",
                                    "x^7",
                                    "(3+x)^-3",
                                    "(3+x)^1.7",
                                    "(2+y)^n",
                                    "(3+z)^(x*y)",
                                    "sqrt(3+x+y^2)",
                                    "exp(-x^2)",
                                    "log(4+x)",
                                    "sin(x*z)",
                                    "cos(3*y)",
                                    "tan(x/3)",
                                    "asin(x/4)",
                                    "acos(x*0.2)",
                                    "atan(x*y)",
                                    "atan2(x, 3+y)",
                                    "sinh(x)",
                                    "cosh(y)",
                                    "tanh(2*x*z)",
                                    "asinh(5*x*z)",
                                    "abs(x-9)*x",
                                    "min(x, y+9)^2",
                                    "if(x > -9, sin(x), cos(y))",
                                    "hypot(x, 2+y, z)",
                                    "-sign(v+9)*a*(1+b*abs(v+9))/(1+a*abs(v+9))",
                                    "(sin(x)*v^2*a - b*cos(x)*sin(x))/(n+a*sin(x)^2)"};

typedef struct expansion {
  world w;
  amo_prog *p;
  amo_interval *jet, *box;
  double *sharp;
  signed char *branch;
  amo_node node;
} expansion;

static expansion expansion_new(const char *text)
{
  expansion e = {.w = world_new()};
  e.node = world_node(&e.w, text);
  e.p = world_compile(&e.w, &e.node, 1);
  const size_t n = amo_prog_registers(e.p) * TERMS;
  e.jet = make(n, sizeof *e.jet);
  e.box = make(n, sizeof *e.box);
  e.sharp = make(n, sizeof *e.sharp);
  e.branch = make(amo_prog_switches(e.p) + 1, 1);
  return e;
}

static void expansion_free(expansion *e)
{
  free(e->jet);
  free(e->box);
  free(e->sharp);
  free(e->branch);
  amo_prog_free(e->p);
  world_free(&e->w);
}

static void enclose(const expansion *e, amo_interval *jet)
{
  amo_enclose_prepare(e->p, jet, ORDER);
  for (int k = 0; k <= ORDER; k++) amo_enclose_order(e->p, jet, ORDER, k, e->branch);
  amo_enclose_finish(e->p, jet, ORDER, e->branch);
}

// Leaves move along polynomials of degree 2; the box holds them for all times up to h.
static void move_leaves(expansion *e, double leaf[LEAVES][3], double h)
{
  double *reg = make(amo_prog_registers(e->p), sizeof *reg);
  for (size_t l = 0; l < LEAVES; l++) reg[l] = leaf[l][0];
  amo_prog_prepare1(e->p, reg);
  amo_prog_eval1(e->p, reg, NULL);
  for (uint32_t i = 0; i < amo_prog_switches(e->p); i++)
    e->branch[i] = reg[amo_prog_switch_register(e->p, i)] > 0.0 ? 1 : -1;
  free(reg);
  for (size_t l = 0; l < LEAVES; l++) {
    for (size_t k = 0; k < 3; k++) {
      const amo_interval c = amo_interval_of(leaf[l][k]);
      e->jet[l * TERMS + k] = c;
      e->sharp[l * TERMS + k] = leaf[l][k];
    }
    const amo_interval s = {0.0, h}, *c = &e->jet[l * TERMS];
    e->box[l * TERMS] = amo_interval_poly(c, 2, s);
    e->box[l * TERMS + 1] =
        amo_interval_add(c[1], amo_interval_mul(amo_interval_mul(amo_interval_of(2.0), c[2]), s));
    e->box[l * TERMS + 2] = c[2];
  }
}

static void compare_kernels(expansion *e, const char *text)
{
  const size_t r = amo_prog_root(e->p, 0);
  amo_jet_prepare1(e->p, e->sharp, ORDER);
  for (int k = 0; k <= ORDER; k++) amo_jet_eval1(e->p, e->sharp, ORDER, k, e->branch);
  amo_jet_finish1(e->p, e->sharp, ORDER, e->branch);
  for (size_t k = 0; k < TERMS; k++) {
    const amo_interval c = e->jet[r * TERMS + k], wide = e->box[r * TERMS + k];
    const double x = e->sharp[r * TERMS + k], off = 1e-10 * (1.0 + fabs(x));
    if (!(c.lo - off <= x && x <= c.hi + off))
      fail_msg("%s: coefficient %zu %.17g, not in [%.17g, %.17g]", text, k, x, c.lo, c.hi);
    if (!(c.hi - c.lo < 100.0 * off)) fail_msg("%s: coefficient %zu known to %g only", text, k, c.hi - c.lo);
    if (!(wide.lo <= c.hi && wide.hi >= c.lo)) fail_msg("%s: the box misses coefficient %zu", text, k);
  }
}

// The function at a moved point lies in the series with the remainder over the box: what a proof of a step rests on.
static void series_contain_the_function(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    expansion e = expansion_new(texts[i]);
    for (int trial = 0; trial < 300; trial++) {
      double leaf[LEAVES][3] = {{0}}, moved[LEAVES];
      for (size_t l = 0; l < LEAVES; l++) leaf[l][0] = world_fixed[l] ? uniform(0.5, 2) : uniform(-1, 1);
      if (trial % 2) leaf[6][0] = 3.0;
      for (size_t l = 0; l < LEAVES; l++)
        for (size_t k = 1; k < 3 && !world_fixed[l]; k++) leaf[l][k] = uniform(-1, 1);
      const double h = uniform(0.01, 0.2), s = uniform(0, h);
      move_leaves(&e, leaf, h);
      enclose(&e, e.jet);
      enclose(&e, e.box);
      compare_kernels(&e, texts[i]);
      amo_interval c[TERMS];
      const size_t r = amo_prog_root(e.p, 0) * TERMS;
      for (size_t k = 0; k < TERMS; k++) c[k] = k < ORDER ? e.jet[r + k] : e.box[r + k];
      for (size_t l = 0; l < LEAVES; l++) moved[l] = leaf[l][0] + s * (leaf[l][1] + s * leaf[l][2]);
      const amo_interval got = amo_interval_poly(c, ORDER, amo_interval_of(s));
      const double want = world_value(&e.w, e.node, moved), off = 1e-14 * (1.0 + fabs(want));
      if (!(got.lo - off <= want && want <= got.hi + off))
        fail_msg("%s after %g: %.17g, not in [%.17g, %.17g]", texts[i], s, want, got.lo, got.hi);
      if (h < 0.05 && !(got.hi - got.lo < 1e-9)) fail_msg("%s: known to %g only", texts[i], got.hi - got.lo);
    }
    expansion_free(&e);
  }
}

static void ranges_of_polynomials(void **state)
{
  (void)state;
  for (int i = 0; i < 20000; i++) {
    amo_interval c[6];
    double exact[6];
    for (int k = 0; k < 6; k++) {
      exact[k] = uniform(-2, 2);
      c[k] = amo_interval_of(exact[k]);
    }
    const double from = uniform(-1, 1), to = from + uniform(0, 1), x = fmin(uniform(from, to), to);
    long double v = 0.0L, slope = 0.0L;
    for (int k = 5; k >= 0; k--) {
      slope = slope * x + v;
      v = v * x + exact[k];
    }
    expect("polynomial", amo_interval_poly_range(c, 5, from, to), v, x, 0);
    expect("slope", amo_interval_poly_slope(c, 5, (amo_interval){from, to}), slope, x, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arithmetic),
      cmocka_unit_test(functions),
      cmocka_unit_test(exact_numbers_stay_exact),
      cmocka_unit_test(series_contain_the_function),
      cmocka_unit_test(ranges_of_polynomials),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
