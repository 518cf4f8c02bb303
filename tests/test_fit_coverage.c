// SPDX-License-Identifier: Apache-2.0
// A small sample of bench_coverage: of 60 intervals at 95 % at least 52 hold the true value (fewer come once in 20000 times).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../bench/fit_coverage.c"

enum { RECORDS = 60, LEAST = 52 };

static void check(coverage *c)
{
  c->records = RECORDS;
  assert_true(coverage_run(c));
  assert_int_equal(c->failed, 0);
  for (int k = 0; c->unknown[k]; k++)
    if (c->held[k] < LEAST)
      fail_msg("%s: %d of %d intervals hold %s", c->model, c->held[k], RECORDS, c->unknown[k]);
}

static void stick_slip(void **state)
{
  (void)state;
  check(&(coverage){.model = AMO_SOURCE_DIR "/models/stribeck-belt.yaml",
                    .quantity = "x",
                    .unknown = {"Fs", "Fk", "vs", "k"},
                    .until = 6.0,
                    .samples = 200,
                    .noise = 0.001,
                    .off = 0.1,
                    .seed = 3});
}

static void rate_and_state(void **state)
{
  (void)state;
  check(&(coverage){.model = AMO_SOURCE_DIR "/models/velocity-steps.yaml",
                    .quantity = "stress",
                    .unknown = {"a", "b", "L", "alpha"},
                    .until = 100.0,
                    .samples = 200,
                    .noise = 2500.0,
                    .off = 0.1,
                    .seed = 4});
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(stick_slip), cmocka_unit_test(rate_and_state)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
