// SPDX-License-Identifier: Apache-2.0
/// Compiled code against the interpreter: every bit of every step of every model, on one lane and on many; and programs
/// made of every instruction there is, with branches and without, at orders and values that nobody meets.
/// ctest: slow, timeout 1800
#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "emit/cache.h"
#include "emit/emitted.h"
#include "flow/flow.h"
#include "support/motion.h"
#include "test_expr_scope.h"
#include "support/random.h"

enum { STEPS = 120, LANES = 11, EVENTS = 40 };

static bool has_compiler(void)
{
  return system("cc --version > /dev/null 2>&1") == 0;
}

// ---- models ----

/// All numbers that a run shows, one behind the other.
typedef struct trace {
  double *number;
  size_t count, room;
} trace;

static void put_numbers(trace *t, const double *x, size_t n)
{
  if (t->count + n > t->room) {
    t->room = 2 * t->room + n + 1024;
    t->number = realloc(t->number, t->room * sizeof *t->number);
    assert_non_null(t->number);
  }
  memcpy(t->number + t->count, x, n * sizeof *x);
  t->count += n;
}

static amo_sim_opts options(amo_compile compile)
{
  amo_sim_opts o = amo_sim_opts_default();
  o.compile = compile;
  o.whole = true;  // clusters are models with programs of their own
  o.max_steps = 4 * STEPS;
  o.max_events = EVENTS;
  return o;
}

static void one_lane(const amo_model *m, amo_compile compile, trace *t)
{
  const amo_sim_opts o = options(compile);
  amo_sim *s = NULL;
  if (amo_sim_new(m, &o, NULL, &s) != AMO_OK) return;
  for (int i = 0; i < STEPS && amo_sim_step(s, 1e3) == AMO_OK; i++) {
    const double at = amo_sim_time(s);
    put_numbers(t, &at, 1);
    put_numbers(t, amo_sim_state(s), amo_model_states(m));
    for (size_t k = 0; k < amo_sim_new_events(s); k++) {
      const amo_event *e = amo_sim_new_event(s, k);
      put_numbers(t, (const double[]){e->t, e->kind, e->contact, e->from, e->to, e->impulse}, 6);
    }
  }
  const amo_audit *a = amo_sim_audit(s);
  put_numbers(t, (const double[]){a->contact_violation, a->energy_error, a->dissipated, a->supplied}, 4);
  amo_sim_free(s);
}

static void many_lanes(const amo_model *m, amo_compile compile, trace *t)
{
  const amo_sim_opts o = options(compile);
  const size_t ns = amo_model_states(m), np = amo_model_parameters(m);
  double *parameter = calloc(LANES * np + 1, sizeof *parameter),
         *final = calloc(LANES * ns + 1, sizeof *final);
  double when[LANES] = {0.0};
  amo_status status[LANES] = {AMO_OK};
  uint64_t seed = 7;
  for (size_t i = 0; i < LANES * np; i++)
    parameter[i] = amo_model_parameter_values(m)[i % np] * random_uniform(&seed, 0.98, 1.02);
  const amo_ensemble e = {.count = LANES,
                          .parameter = parameter,
                          .t_end = 10.0,
                          .final_state = final,
                          .final_time = when,
                          .status = status};
  assert_int_equal(amo_ensemble_run(m, &o, &e), AMO_OK);
  put_numbers(t, when, LANES);
  put_numbers(t, final, LANES * ns);
  for (int i = 0; i < LANES; i++) put_numbers(t, &(double){status[i]}, 1);
  free(parameter);
  free(final);
}

static size_t differs_at(const trace *a, const trace *b)
{
  size_t i = 0;
  while (i < a->count && i < b->count && memcmp(&a->number[i], &b->number[i], sizeof(double)) == 0) i++;
  return i;
}

static void compare(const char *path, void (*run)(const amo_model *, amo_compile, trace *), int lanes)
{
  amo_model *plain = NULL, *compiled = NULL;
  trace a = {0}, b = {0};
  assert_int_equal(amo_model_load(path, NULL, 0, NULL, &plain), AMO_OK);
  assert_int_equal(amo_model_load(path, NULL, 0, NULL, &compiled), AMO_OK);
  run(plain, AMO_COMPILE_NEVER, &a);
  run(compiled, AMO_COMPILE_WAIT, &b);
  assert_null(amo_prog_code(plain->step, 0, lanes));
  if (amo_prog_code(compiled->step, 0, lanes) == NULL) fail_msg("%s, %d lanes: not compiled", path, lanes);
  const size_t at = differs_at(&a, &b);
  if (a.count != b.count || at < a.count)
    fail_msg("%s, %d lanes: differs at number %zu of %zu and %zu", path, lanes, at, a.count, b.count);
  free(a.number);
  free(b.number);
  amo_model_free(plain);
  amo_model_free(compiled);
}

static void models(void **state)
{
  (void)state;
  glob_t all;
  if (!has_compiler()) skip();
  assert_int_equal(glob(AMO_SOURCE_DIR "/models/*.yaml", 0, NULL, &all), 0);
  for (size_t i = 0; i < all.gl_pathc; i++) {
    compare(all.gl_pathv[i], one_lane, 1);
    compare(all.gl_pathv[i], many_lanes, AMO_LANES);
  }
  globfree(&all);
}

/// Where nothing is to be solved for (a valve in flight) all orders are one call, and only there may they be; the bits are those of above.
static void free_coordinates(void **state)
{
  (void)state;
  static const struct {
    const char *model;
    bool free, plain;
  } is[] = {{"relief-valve", true, false},
            {"bouncing-ball", false, false},  // linear: one matrix for all orders
            {"trammel", false, false},
            {"block-on-belt", false, true}};
  if (!has_compiler()) skip();
  for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
    char path[512];
    amo_model *m = NULL;
    amo_sim *s = NULL;
    const amo_sim_opts o = options(AMO_COMPILE_WAIT);
    snprintf(path, sizeof path, "%s/models/%s.yaml", AMO_SOURCE_DIR, is[i].model);
    assert_int_equal(amo_model_load(path, NULL, 0, NULL, &m), AMO_OK);
    assert_int_equal(amo_sim_new(m, &o, NULL, &s), AMO_OK);
    const amo_code *c = amo_prog_code(m->step, 0, 1);
    assert_non_null(c);
    assert_int_equal(c->free_series != NULL, is[i].free);
    assert_int_equal(c->series != NULL, is[i].plain);
    amo_sim_free(s);
    amo_model_free(m);
  }
}

// ---- every instruction ----

static const char *const expression[] = {"x + y",
                                         "x - y",
                                         "x*y",
                                         "x/y",
                                         "-x",
                                         "x^2",
                                         "x^a",
                                         "x^y",
                                         "x^3",
                                         "z^n",
                                         "sqrt(x)",
                                         "exp(x)",
                                         "log(z)",
                                         "sin(x)",
                                         "cos(y)",
                                         "tan(x)",
                                         "asin(x/9)",
                                         "acos(y/9)",
                                         "atan(x)",
                                         "atan2(x, y)",
                                         "sinh(x)",
                                         "cosh(y)",
                                         "tanh(x)",
                                         "asinh(x)",
                                         "abs(x)",
                                         "sign(y)*x",
                                         "min(x, y)",
                                         "max(x, a)",
                                         "if(x > y, x^2, y)",
                                         "a*x",
                                         "a*x + b*y",
                                         "a*x - b*y + 3*x*z",
                                         "1/x",
                                         "a/y",
                                         "x*0 + y",
                                         "sin(x)*exp(-y)*sqrt(x*x + y*y)",
                                         "3",
                                         "a",
                                         "a*b",
                                         "log(x*y)^2",
                                         "hypot(x, y)",
                                         "z^(-n)",
                                         "0.1*x + 0*y",
                                         "q[1]*q[2]/q[3]"};
enum { ROOTS = sizeof expression / sizeof *expression };

static amo_prog *compile_all(world *w, unsigned char stage)
{
  amo_node node[ROOTS];
  unsigned char stages[ROOTS];
  amo_prog *p = NULL;
  memset(stages, stage, sizeof stages);
  for (size_t i = 0; i < ROOTS; i++)
    assert_int_equal(world_parse(w, expression[i], strlen(expression[i]), &node[i]), AMO_OK);
  assert_int_equal(amo_prog_compile_staged(w->d, node, stages, ROOTS, world_fixed, LEAVES, &p), AMO_OK);
  return p;
}

static void put_known(trace *t, const double *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    put_numbers(t, isnan(x[i]) ? &(double){INFINITY} : &x[i], 1);  // what is none, is none
}

/// Leaves with series.
static void fill_leaves(double *jet, int order, size_t W, uint64_t *seed)
{
  const size_t stride = (size_t)(order + 1) * W;
  for (size_t i = 0; i < LEAVES; i++)
    for (size_t j = 0; j < stride; j++)
      jet[i * stride + j] =
          random_uniform(seed, -1.0, 1.0) * (i == 2 ? 0.2 : 2.0) + (i == 2 && j < W ? 1.5 : 0.0);
  for (size_t l = 0; l < W; l++) jet[6 * stride + l] = (double)(l % 4);    // n: exponents that are whole
  for (size_t l = 0; l < W; l++) jet[5 * stride + l] = l % 3 ? 0.7 : 0.0;  // b: a factor that may be zero
}

/// Registers and coefficients, evaluated by whatever serves.
static void evaluate(const amo_prog *p, int order, int lanes, uint64_t seed, trace *t)
{
  const size_t W = (size_t)lanes, stride = (size_t)(order + 1) * W, n = amo_prog_registers(p);
  const uint32_t switches = amo_prog_switches(p);
  double *jet = calloc(n * stride, sizeof *jet), *reg = calloc(n * W, sizeof *reg);
  signed char *branch = calloc(switches * W + 1, 1);
  fill_leaves(jet, order, W, &seed);
  for (size_t i = 0; i < LEAVES; i++) memcpy(reg + i * W, jet + i * stride, W * sizeof *reg);
  (lanes == 1 ? amo_prog_prepare1 : amo_prog_prepare8)(p, reg);
  (lanes == 1 ? amo_prog_eval1 : amo_prog_eval8)(p, reg, NULL);
  put_known(t, reg, n * W);
  for (size_t i = 0; i < switches * W; i++) branch[i] = (signed char)(random_uniform(&seed, 0.0, 3.0) - 1.0);
  (lanes == 1 ? amo_prog_eval1 : amo_prog_eval8)(p, reg, branch);
  put_known(t, reg, n * W);
  (lanes == 1 ? amo_jet_prepare1 : amo_jet_prepare8)(p, jet, order);
  for (int k = 0; k <= order; k++) (lanes == 1 ? amo_jet_eval1 : amo_jet_eval8)(p, jet, order, k, branch);
  (lanes == 1 ? amo_jet_finish1 : amo_jet_finish8)(p, jet, order, branch);
  put_known(t, jet, n * stride);
  free(jet);
  free(reg);
  free(branch);
}

static void compare_program(unsigned char stage, int order, int lanes)
{
  world w = world_new();
  amo_prog *p = compile_all(&w, stage);
  amo_emitted *e = NULL;
  trace a = {0}, b = {0};
  for (uint64_t seed = 1; seed < 30; seed++) evaluate(p, order, lanes, seed, &a);
  assert_int_equal(amo_emitted_new(&e), AMO_OK);
  amo_emitted_want(e, &(amo_emit_request){.prog = p, .order = order, .lanes = lanes}, p, true);
  assert_non_null(amo_prog_code(p, order, lanes));
  for (uint64_t seed = 1; seed < 30; seed++) evaluate(p, order, lanes, seed, &b);
  assert_int_equal(a.count, b.count);
  const size_t at = differs_at(&a, &b);
  if (at < a.count)
    fail_msg("stage %d, order %d, %d lanes: number %zu is %.17g, interpreted %.17g", stage, order, lanes, at,
             b.number[at], a.number[at]);
  free(a.number);
  free(b.number);
  amo_emitted_free(e);
  amo_prog_free(p);
  world_free(&w);
}

static void instructions(void **state)
{
  (void)state;
  static const int order[] = {1, 2, 3, 7, 22, AMO_MAX_ORDER};
  if (!has_compiler()) skip();
  for (size_t i = 0; i < sizeof order / sizeof *order; i++)
    for (int lanes = 1; lanes <= AMO_LANES; lanes += AMO_LANES - 1) {
      compare_program(AMO_STAGE_ORDER, order[i], lanes);
      compare_program(AMO_STAGE_FINISH, order[i], lanes);
    }
}

// ---- who is asked, and when ----

static void only_when_it_is_worth_it(void **state)
{
  (void)state;
  amo_emitted *e = NULL;
  assert_int_equal(amo_emitted_new(&e), AMO_OK);
  assert_false(amo_emitted_worth(e, 1e6));
  assert_false(amo_emitted_worth(e, 2e7));
  assert_true(amo_emitted_worth(e, 3e7));
  amo_emitted_free(e);
  amo_emitted_free(NULL);
}

/// A model is let go while its compiler runs.
static void let_go(void **state)
{
  (void)state;
  if (!has_compiler()) skip();
  for (int i = 0; i < 5; i++) {
    world w = world_new();
    amo_prog *p = compile_all(&w, AMO_STAGE_ORDER);
    amo_emitted *e = NULL;
    assert_int_equal(amo_emitted_new(&e), AMO_OK);
    amo_emitted_want(e, &(amo_emit_request){.prog = p, .order = 30 + i, .lanes = 1}, p, false);
    amo_emitted_want(e, &(amo_emit_request){.prog = p, .order = 30 + i, .lanes = 1}, p, false);
    amo_emitted_free(e);
    amo_prog_free(p);
    world_free(&w);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(instructions), cmocka_unit_test(models),
                                     cmocka_unit_test(free_coordinates),
                                     cmocka_unit_test(only_when_it_is_worth_it), cmocka_unit_test(let_go)};
  char folder[] = "/tmp/amontons-emit-XXXXXX";
  if (mkdtemp(folder) == NULL || setenv("AMONTONS_CACHE", folder, 1) != 0) return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  amo_cache_clear(folder);
  remove(folder);
  return failed;
}
