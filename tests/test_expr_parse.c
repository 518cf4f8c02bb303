// SPDX-License-Identifier: Apache-2.0
/// Reading expressions: what they mean, what is refused and where the report points, hostile texts.
#include "test_expr_scope.h"

#include <math.h>

static const double point[LEAVES] = {0.7, -1.3, 2.1, 0.4, 3.0, -0.25, 2.0, 1, 2, 3, 4, 5};
// x, y, z, v, a, b, n, q[1..5]

static void check_near(const char *text, double got, double want)
{
  if (!(fabs(got - want) <= 1e-14 * (1.0 + fabs(want)))) fail_msg("%s = %.17g, not %.17g", text, got, want);
}

// clang-format off
static const struct {
  const char *text;
  double value;
} meaning[] = {
    {"1+2*3", 7}, {"2^3^2", 512}, {"-2^2", -4}, {"(-2)^2", 4}, {"2^-1", 0.5}, {"2^-2*8", 2},
    {"8/4/2", 1}, {"8-4-2", 2}, {".5+1.5e1+1e-3", 15.501}, {"--x", 0.7}, {"+x - -x", 1.4},
    {"x*y", 0.7 * -1.3}, {"x'", 0.4}, {"x' + x", 1.1}, {"pi", 3.14159265358979323846},
    {"-x^2", -0.49}, {"x^3", 0.343}, {"x^-2", 1 / 0.49}, {"z^0.5", 1.449137674618943857},
    {"z^n", 4.41}, {"z^x", 1.6809450101515975}, {"pow(z, 2)", 4.41}, {"x < 1", 1}, {"x <= 0.7", 1},
    {"x < 0.7", 0}, {"x > y and y > 0", 0}, {"x > y or y > 0", 1}, {"not x > y", 0},
    {"not (x < y or y > 0)", 1}, {"1 < 2 and 2 < 3", 1}, {"if(x > 0, 10, 20)", 10},
    {"if(y > 0, 10, 20)", 20}, {"if(y > 0, 1, x > 5, 2, 3)", 3},
    {"if(x > 0 and not y > 0, 1, 0)", 1}, {"min(x, y, z)", -1.3}, {"max(x, y, z)", 2.1},
    {"clamp(z, 0, 1)", 1}, {"clamp(y, 0, 1)", 0}, {"clamp(x, 0, 1)", 0.7}, {"step(0)", 1},
    {"step(y)", 0}, {"abs(y)", 1.3}, {"abs(2*y)", 2.6}, {"sign(y)", -1}, {"sign(-y)", 1},
    {"hypot(3, 4)", 5}, {"hypot(x, y)", 1.476482306023341}, {"log10(1000)", 3}, {"log2(8)", 3},
    {"log10(z)", 0.32221929473391927}, {"ln(z)", 0.7419373447293773}, {"cbrt(-8)", -2},
    {"cbrt(y)", -1.091392883061106}, {"atan2(y, x)", -1.0768549578753155},
    {"table(x, 0,0, 1,10, 2,0)", 7}, {"table(y, 0,5, 1,10)", 5}, {"table(z, 0,5, 1,10)", 10},
    {"sum(i=1..N, q[i])", 15}, {"sum(i=1..4, q[i]*q[i+1])", 40}, {"product(i=1..5, i)", 120},
    {"sum(i=1..3, sum(j=i..3, i*j))", 25}, {"sum(i=2..1, q[99])", 0}, {"product(k=3..2, k)", 1},
    {"sum(i=1..N-1, (q[i+1]-q[i])^2)", 4}, {"q[(N+1)/2]", 3}, {"q[2*3-N]", 1},
    {"sum(i=1..2,\n q[i])", 3}, {"1 - (1 - x)", 0.7}, {"(x)", 0.7}, {"exp(0)*cos(0)", 1},
    {"sqrt(y^2)", 1.3}, {"x/4", 0.175}, {"tanh(x)/sinh(x)*cosh(x)", 1}, {"2*(3*x)", 4.2}};
// clang-format on

static void values(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof meaning / sizeof meaning[0]; i++) {
    world w = world_new();
    check_near(meaning[i].text, world_value(&w, world_node(&w, meaning[i].text), point), meaning[i].value);
    world_free(&w);
  }
}

// clang-format off
static const struct {
  const char *text;
  size_t errors;
  int column, length;
  const char *message, *hint;  // parts of them
} mistake[] = {
    {"thta + 1", 1, 1, 4, "unknown name 'thta'", "theta"},
    {"foo + x*bar", 2, 1, 3, "unknown name 'foo'", NULL},
    {"2x", 1, 2, 1, "missing operator", "2*x"},
    {"x y", 1, 3, 1, "missing operator", "*"},
    {"x(3)", 1, 1, 1, "not a function", "*"},
    {"sni(x)", 1, 1, 3, "unknown function 'sni'", "sin"},
    {"1 + sin(x, y)", 1, 5, 3, "sin takes 1 argument, here are 2", NULL},
    {"sin()", 1, 1, 3, "here are 0", NULL},
    {"if(x > 0, 1)", 1, 1, 2, "if(condition, a, b)", NULL},
    {"if(x, 1, 2)", 1, 1, 2, "condition", "x > 0"},
    {"x and y > 0", 1, 3, 3, "joins conditions", "x > 0"},
    {"(x + 1", 1, 1, 1, "missing ')'", NULL},
    {"sin(x", 1, 1, 3, "missing ')'", NULL},
    {"x + 1)", 1, 6, 1, "unexpected ')'", NULL},
    {"x +", 1, 4, 1, "expression ends", NULL},
    {"", 1, 1, 1, "empty expression", NULL},
    {"  ", 1, 3, 1, "empty expression", NULL},
    {"x + * y", 1, 5, 1, "expected a value, found '*'", NULL},
    {"x ** y", 1, 4, 1, "expected a value, found '*'", "^"},
    {"x == 1", 1, 3, 2, "not compared", "<="},
    {"0 < x < 1", 1, 7, 1, "chained", "and"},
    {"x $ y", 1, 3, 1, "unexpected character '$'", NULL},
    {"x && y", 1, 3, 1, "unexpected character '&'", "and"},
    {"\xc2\xb5*x", 1, 1, 1, "unexpected character '\xc2\xb5'", "ASCII"},
    {"x + \xff", 1, 5, 1, "unexpected byte 0xff", NULL},
    {"1e999", 1, 1, 5, "too large", NULL},
    {"inf", 1, 1, 3, "not a value", NULL},
    {"nan", 1, 1, 3, "not a value", "finite"},
    {"-.inf", 1, 2, 4, "'.inf' is not a value", "finite"},
    {"2*.NaN + x", 1, 3, 4, "'.nan' is not a value", "finite"},
    {"x + 0x1F", 1, 5, 4, "'0x1F' is not a decimal number", "decimal"},
    {"0b101", 1, 1, 5, "not a decimal number", NULL},
    {".x", 1, 1, 1, "unexpected character '.'", NULL},
    {"e^x", 1, 1, 1, "unknown name 'e'", "exp"},
    {"sin + 1", 1, 1, 3, "needs arguments", NULL},
    {"q[7]", 1, 1, 4, "index 7 outside 1..5", NULL},
    {"q[0] + q[9] + zz", 3, 1, 4, "index 0 outside 1..5", NULL},
    {"q[1.5]", 1, 3, 3, "whole number", NULL},
    {"q[x]", 1, 3, 1, "not a known whole number", NULL},
    {"q[1", 1, 4, 1, "missing ']'", NULL},
    {"q[999999999999]", 1, 1, 15, "outside 1..5", NULL},
    {"q[9999999999999999999999]", 1, 3, 22, "whole number", NULL},
    {"q[9007199254740992*9007199254740992]", 1, 19, 1, "too large", NULL},
    {"sum(i=1..2000000, x)", 1, 1, 3, "more than 1000000 terms", NULL},
    {"sum(i=1..3000, sum(j=1..3000, x))", 1, 16, 3, "more than 1000000 terms", NULL},
    {"sum(i=1..900000000000000, x)", 1, 1, 3, "terms", NULL},
    {"sum(i, x)", 1, 6, 1, "expected '='", "sum(i=1..N"},
    {"sum(i=1..100000, zz)", 1, 18, 2, "unknown name 'zz'", NULL},
    {"x''", 1, 1, 3, "unknown name 'x'''", NULL},
    {"a, b", 1, 2, 1, "unexpected ','", NULL},
    {"table(x, 1,2, 0,3)", 1, 1, 5, "increasing", NULL},
    {"x = 3", 1, 3, 1, "unexpected '='", NULL}};
// clang-format on

static void mistakes(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof mistake / sizeof mistake[0]; i++) {
    world w = world_new();
    amo_node n = 99;
    if (world_parse(&w, mistake[i].text, strlen(mistake[i].text), &n) != AMO_EINPUT)
      fail_msg("'%s' was accepted", mistake[i].text);
    assert_int_equal(n, AMO_NODE_NONE);
    const amo_diag *g = amo_diags_get(w.g, 0);
    assert_non_null(g);
    if (amo_diags_errors(w.g) != mistake[i].errors || g->at.column != mistake[i].column ||
        g->at.length != mistake[i].length || !strstr(g->message, mistake[i].message) ||
        (mistake[i].hint && (!g->hint || !strstr(g->hint, mistake[i].hint))))
      fail_msg("'%s': %zu errors, %d+%d: %s (%s)", mistake[i].text, amo_diags_errors(w.g), g->at.column,
               g->at.length, g->message, g->hint ? g->hint : "no hint");
    world_free(&w);
  }
}

// ---- hostile texts: an answer in bounded time and memory ----

static char *repeated(const char *part, size_t times, const char *end, size_t *length)
{
  const size_t n = strlen(part);
  char *text = make(n * times + strlen(end) + 1, 1);
  for (size_t i = 0; i < times; i++) memcpy(text + i * n, part, n);
  strcpy(text + n * times, end);
  *length = strlen(text);
  return text;
}

static void refused(const char *part, size_t times, const char *end, const char *message)
{
  world w = world_new();
  amo_node n = 0;
  size_t length = 0;
  char *text = repeated(part, times, end, &length);
  assert_int_not_equal(world_parse(&w, text, length, &n), AMO_OK);
  const amo_diag *g = amo_diags_get(w.g, 0);
  assert_non_null(g);
  if (!strstr(g->message, message)) fail_msg("'%.20s...': %s", part, g->message);
  assert_true(amo_diags_count(w.g) <= 25);
  free(text);
  world_free(&w);
}

static void hostile(void **state)
{
  (void)state;
  refused("(", 1000000, "", "nested deeper than 1000 levels");
  refused("(", 1001, "x", "nested deeper than 1000 levels");
  refused("-", 1000000, "x", "nested deeper than 1000 levels");
  refused("not ", 100000, "x", "nested deeper than 1000 levels");
  refused("2^", 400000, "x", "nested deeper than 1000 levels");
  refused("sin(", 200000, "x", "nested deeper than 1000 levels");
  refused("sum(i=1..2,", 90000, "x", "nested deeper than 1000 levels");
  refused("q[(", 1, "", "expected a whole number");
  refused("x+", 600000, "x", "longer than");
  refused("zz ", 300000, "", "unknown name");
  refused("1", 500000, "", "too long");
  refused("q[((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((", 1, "1", "64");
  refused("sum(i=1..1000000,\n\n x*", 1, "zzz)", "unknown name");
  refused("\"", 100000, "", "unexpected");
}

static void large_but_right(void **state)
{
  static const struct {
    const char *part;
    size_t times;
    const char *end;
    double value;
  } row[] = {
      {"+", 1000000, "x", 0.7}, {"-", 998, "x", 0.7}, {"x*0+", 200000, "1", 1}, {"1+", 400000, "0", 400000}};
  (void)state;
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    world w = world_new();
    size_t length = 0;
    amo_node n = 0;
    char *text = repeated(row[i].part, row[i].times, row[i].end, &length);
    assert_int_equal(world_parse(&w, text, length, &n), AMO_OK);
    check_near(row[i].part, world_value(&w, n, point), row[i].value);
    free(text);
    world_free(&w);
  }
  world w = world_new();
  const double sum = world_value(&w, world_node(&w, "sum(i=1..200000, sin(i)*q[1])"), point);
  assert_true(fabs(sum - (cos(0.5) - cos(200000.5)) / (2 * sin(0.5))) < 1e-11);
  world_free(&w);
}

// A chain 200000 operations deep is differentiated, substituted, printed and compiled.
static void deep_chain(void **state)
{
  world w = world_new();
  (void)state;
  amo_node n = world_node(&w, "x");
  for (int i = 0; i < 100000; i++) n = amo_op1(w.d, AMO_OP_SIN, amo_add(w.d, n, amo_leaf(w.d, 1)));
  const amo_node dn = amo_diff(w.d, n, 0);
  assert_int_not_equal(dn, AMO_NODE_NONE);
  const amo_node repl[2] = {AMO_NODE_NONE, amo_const(w.d, 0.5)};
  assert_int_not_equal(amo_subst(w.d, n, repl, 2), AMO_NODE_NONE);
  assert_true(amo_node_depends(w.d, n, 1, 1));
  assert_false(amo_node_depends(w.d, n, 2, 5));
  char *text = amo_node_text(w.d, n, NULL, NULL, 60);
  assert_int_equal(strlen(text), 60);
  assert_string_equal(text + 57, "...");
  free(text);
  assert_true(isfinite(world_value(&w, dn, point)));
  world_free(&w);
}

static void node_limit(void **state)
{
  (void)state;
  for (size_t max = 1; max < 40; max++) {
    amo_dag *d = amo_dag_new(max);
    amo_node n = amo_leaf(d, 0);
    for (int i = 0; i < 60; i++) n = amo_op1(d, AMO_OP_SIN, amo_add(d, n, amo_leaf(d, 1)));
    assert_int_equal(n, AMO_NODE_NONE);
    assert_int_equal(amo_dag_status(d), AMO_ELIMIT);
    assert_true(amo_dag_size(d) <= max);
    assert_int_equal(amo_diff(d, 1, 0), AMO_NODE_NONE);
    amo_dag_free(d);
  }
}

// ---- paths, integers, suggestions, text ----

static amo_node path_resolve(const amo_scope *s, amo_dag *d, const amo_name *name, bool *reported)
{
  (void)reported;
  snprintf(s->ctx, 100, "%.*s|%d|%d", (int)name->length, name->text, name->primes, name->indices);
  return amo_const(d, 2.0);
}

static void paths(void **state)
{
  static const char *const row[][2] = {{"a.b[3].c'", "a.b[3].c|1|0"},
                                       {"runs.final.state.x[2]'", "runs.final.state.x[2]|1|0"},
                                       {"2*events[-1].t + 1", "events[-1].t|0|0"},
                                       {"x'.mean", "x'.mean|0|0"}};
  (void)state;
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    char seen[100] = "";
    amo_dag *d = amo_dag_new(0);
    const amo_scope scope = {.ctx = seen, .resolve = path_resolve, .paths = true};
    amo_node n = 0;
    const amo_at at = {.line = 1, .column = 1};
    assert_int_equal(amo_parse(d, row[i][0], strlen(row[i][0]), at, &scope, NULL, &n), AMO_OK);
    assert_string_equal(seen, row[i][1]);
    amo_dag_free(d);
  }
}

static void integers(void **state)
{
  world w = world_new();
  const amo_at at = {.line = 1, .column = 1};
  long v = 0;
  (void)state;
  assert_int_equal(amo_parse_integer("2*(N-1)/4", 9, at, &w.scope, w.g, &v), AMO_OK);
  assert_int_equal(v, 2);
  assert_int_equal(amo_parse_integer("--3-(-N)", 8, at, &w.scope, w.g, &v), AMO_OK);
  assert_int_equal(v, 8);
  static const char *const bad[] = {"", "N/2", "1/0", "1.5", "M", "1 2", "(1", "1)", "1+", "2^3"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_int_equal(amo_parse_integer(bad[i], strlen(bad[i]), at, &w.scope, w.g, &v), AMO_EINPUT);
  assert_int_equal(amo_diags_errors(w.g), sizeof bad / sizeof bad[0]);
  world_free(&w);
}

static const char *text_name(void *ctx, uint32_t leaf)
{
  (void)ctx;
  return world_name[leaf];
}

static void text(void **state)
{
  static const char *const row[][2] = {{"a*x' + b*x", "a*v + b*x"},
                                       {"-x^2", "-x^2"},
                                       {"(x+y)*z", "(x + y)*z"},
                                       {"x-(y-z)", "x - (y - z)"},
                                       {"x+y*-2", "x - 2*y"},
                                       {"x/(y*z)", "x/(y*z)"},
                                       {"2*x*3", "6*x"},
                                       {"(x+y)^2", "(x + y)^2"},
                                       {"if(x>1, y, 2)", "if((x > 1), y, 2)"},
                                       {"x^a", "x^a"},
                                       {"(-x)^3", "-x*x^2"},
                                       {"x-x", "0"},
                                       {"abs(y-x)", "abs(x - y)"},
                                       {"0.1*x", "0.1*x"},
                                       {"sin(-x)", "-sin(x)"},
                                       {"x*1+0", "x"}};
  (void)state;
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    world w = world_new();
    (void)world_node(&w, "x + y + z");
    char *got = amo_node_text(w.d, world_node(&w, row[i][0]), text_name, NULL, 0);
    assert_string_equal(got, row[i][1]);
    free(got);
    world_free(&w);
  }
}

static void sharing(void **state)
{
  static const char *const row[][2] = {{"x+y", "y+x"},
                                       {"x*y", "y*x"},
                                       {"x*x", "x^2"},
                                       {"abs(x-y)", "abs(y-x)"},
                                       {"2*(3*x)", "6*x"},
                                       {"x-(-y)", "x+y"},
                                       {"(-x)*y", "-(x*y)"},
                                       {"abs(-3*x)", "3*abs(x)"},
                                       {"if(x<y,1,2)", "if(y>x,1,2)"},
                                       {"x*0", "0"},
                                       {"0/x", "0"},
                                       {"x/x", "1"},
                                       {"x+x", "2*x"}};
  world w = world_new();
  (void)state;
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
    if (world_node(&w, row[i][0]) != world_node(&w, row[i][1]))
      fail_msg("%s is not %s", row[i][0], row[i][1]);
  // 1/0 is not folded away, and shows when evaluated.
  assert_true(isinf(world_value(&w, world_node(&w, "1/0"), point)));
  world_free(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(values),     cmocka_unit_test(mistakes),
                                     cmocka_unit_test(hostile),    cmocka_unit_test(large_but_right),
                                     cmocka_unit_test(deep_chain), cmocka_unit_test(node_limit),
                                     cmocka_unit_test(paths),      cmocka_unit_test(integers),
                                     cmocka_unit_test(text),       cmocka_unit_test(sharing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
