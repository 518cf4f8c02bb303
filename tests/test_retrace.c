// SPDX-License-Identifier: Apache-2.0
/// Recorded calculations against the same done by hand, and recorded searches against searches lane by lane.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "explore/contact/batch.h"
#include "num/retrace.h"

enum { W = AMO_RETRACE_LANES };

static const amo_traced zero;

static amo_traced constant(double x)
{
  return (amo_traced){.value = x};
}

// ---- a calculation ----

/// |a| / b - a a, and which way it went: a question about a, one about the result.
static amo_traced calculate(amo_traced a, amo_traced b, bool way[2])
{
  way[0] = amo_retrace_ask(AMO_RETRACE_IS_POSITIVE, a, zero);
  const amo_traced size = amo_retrace_do(AMO_RETRACE_ABSOLUTE, a, zero, zero);
  const amo_traced share = amo_retrace_do(AMO_RETRACE_QUOTIENT, size, b, zero);
  (void)amo_retrace_do(AMO_RETRACE_ROOT, share, zero, zero);  // nobody needs it
  const amo_traced left = amo_retrace_do(AMO_RETRACE_LESS_PRODUCT, share, a, a);
  way[1] = amo_retrace_ask(AMO_RETRACE_IS_ABOVE, left, constant(0.25));
  return left;
}

static void test_replay(void **state)
{
  (void)state;
  double reg[2][W], err[2][W];
  bool way[2];
  amo_retrace *t = NULL;
  for (int l = 0; l < W; l++) {
    reg[0][l] = l < 5 ? 0.1 * (l + 1) : -0.1 * l;
    reg[1][l] = 1.0 + l % 3;
    err[0][l] = err[1][l] = 1e-16 * l;
  }
  err[0][3] = 1.0;  // not certain of its sign
  assert_int_equal(amo_retrace_new(2, &t), AMO_OK);
  amo_retrace_result(t, 0,
                     calculate(amo_retrace_given(t, 0, reg[0][0], err[0][0]),
                               amo_retrace_given(t, 1, reg[1][0], err[1][0]), way));
  assert_int_equal(amo_retrace_finish(t), AMO_OK);
  // two given, two questions, three that are needed, shown
  assert_int_equal(amo_retrace_length(t), 8);
  const unsigned done = amo_retrace_run(t, reg[0], err[0], 0xfeu);
  for (int l = 1; l < W; l++) {
    bool own[2];
    const amo_traced a = {.value = reg[0][l], .bound = err[0][l]},
                     b = {.value = reg[1][l], .bound = err[1][l]};
    const amo_traced x = calculate(a, b, own);
    assert_null(x.tape);
    assert_int_equal(done >> l & 1u, own[0] == way[0] && own[1] == way[1]);
    if (done >> l & 1u) assert_true(amo_retrace_read(t, 0, (size_t)l) == x.value);
  }
  assert_true(done != 0 && done != 0xfeu);
  assert_int_equal(done & 1u, 0);  // it was not asked for
  assert_true(isnan(amo_retrace_read(t, 1, 0)));
  amo_retrace_free(t);
}

static void test_too_long(void **state)
{
  (void)state;
  amo_retrace *t = NULL;
  assert_int_equal(amo_retrace_new(1, &t), AMO_OK);
  amo_traced x = amo_retrace_given(t, 0, 1.0, 0.0);
  for (int i = 0; i < 100000; i++) x = amo_retrace_do(AMO_RETRACE_ADD, x, constant(i), zero);
  assert_true(x.value == 1.0 + 99999.0 * 50000.0);
  assert_int_equal(amo_retrace_finish(t), AMO_ELIMIT);
  amo_retrace_free(t);
  amo_retrace_free(NULL);
}

// ---- searches ----

static uint64_t bits(double x)
{
  uint64_t b;
  memcpy(&b, &x, sizeof b);
  return b;
}

/// States of a model about its initial one, many of them on borders (zero velocities, the same number twice).
static void compare(const char *file, double spread)
{
  amo_diags *d = amo_diags_new();
  amo_model *m = NULL;
  amo_batch *b = NULL;
  char path[512];
  uint32_t random = 1;
  snprintf(path, sizeof path, "%s/models/%s.yaml", AMO_SOURCE_DIR, file);
  assert_int_equal(amo_model_load(path, NULL, 0, d, &m), AMO_OK);
  assert_int_equal(amo_batch_new(m, &b), AMO_OK);
  const size_t ns = amo_model_states(m);
  double x[64];
  assert_true(ns <= 64);
  for (int round = 0; round < 200; round++) {
    for (size_t l = 0; l < W; l++) {
      for (size_t i = 0; i < ns; i++) {
        random = random * 1664525u + 1013904223u;
        const double u = (double)(random >> 8) / (1u << 24) - 0.5;
        x[i] = amo_model_values(m)->initial[i] + (round % 4 == 3 && u > 0.2 ? 0.0 : spread * u);
      }
      amo_batch_put(b, l, 0.0, amo_model_values(m)->param, x);
    }
    amo_batch_evaluate(b, W);
    amo_lane_verdict v[W];
    amo_batch_verdicts(b, 0xffu, 0, v);
    for (size_t l = 0; l < W; l++) {
      const amo_solutions *s;
      assert_int_equal(amo_batch_solutions(b, l, &s), v[l].status);
      if (v[l].status != AMO_OK) continue;
      assert_int_equal(s->kind, v[l].kind);
      assert_int_equal(s->count, v[l].count);
      assert_true(bits(s->influence[0].L) == bits(v[l].L) || (isnan(v[l].L) && isnan(s->influence[0].L)));
      assert_true(bits(s->influence[0].R0) == bits(v[l].R0) || (isnan(v[l].R0) && isnan(s->influence[0].R0)));
      assert_true(s->influence[0].mu == v[l].mu || (isnan(v[l].mu) && isnan(s->influence[0].mu)));
    }
  }
  amo_batch_free(b);
  amo_model_free(m);
  amo_diags_free(d);
}

static void test_searches(void **state)
{
  (void)state;
  static const char *const file[] = {
      "trammel", "link-mechanism", "painleve-klein",    "bouncing-ball",  "generic-pairs",
      "ladder",  "block-on-belt",  "elliptic-pendulum", "klarbring-mass", "machine-slider"};
  for (size_t i = 0; i < sizeof file / sizeof *file; i++) compare(file[i], 1.0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_replay), cmocka_unit_test(test_too_long),
                                     cmocka_unit_test(test_searches)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
