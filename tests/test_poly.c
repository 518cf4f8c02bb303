// SPDX-License-Identifier: Apache-2.0
/// First exit of polynomials: against known roots, clustered roots, and dense sampling of random ones.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/near.h"

#include "num/poly.h"

static uint64_t state = 88172645463325252u;
static double uniform(void)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) / 9007199254740992.0;
}

/// Coefficients of sign * prod (x - root).
static void from_roots(const double *root, int n, double factor, double *a)
{
  memset(a, 0, sizeof(double) * AMO_POLY_MAX);
  a[0] = factor;
  for (int i = 0; i < n; i++)
    for (int k = i + 1; k >= 0; k--) a[k] = (k > 0 ? a[k - 1] : 0.0) - root[i] * a[k];
}

static void several_roots_give_the_first(void **unused)
{
  (void)unused;
  double a[AMO_POLY_MAX];
  const double roots[] = {0.7, 0.2, 0.9, 0.95, 1.3, -0.4};
  from_roots(roots, 6, 1.0, a);
  if (a[0] < 0)
    for (int k = 0; k <= 6; k++) a[k] = -a[k];
  assert_near(amo_poly_first_exit(a, 6), 0.2, 1e-13);
}

static void a_dip_between_step_ends_is_found(void **unused)
{
  (void)unused;
  double a[AMO_POLY_MAX];
  const double roots[] = {0.5, 0.5000001};  // positive at both ends, negative for 1e-7
  from_roots(roots, 2, 1.0, a);
  assert_near(amo_poly_first_exit(a, 2), 0.5, 1e-8);
  a[0] += 1e-13;  // lifted off zero: no exit
  assert_true(amo_poly_first_exit(a, 2) > 1.0);
}

static void limits_of_the_interval(void **unused)
{
  (void)unused;
  const double start[] = {0.0, 1.0}, below[] = {-1.0, 5.0}, late[] = {1.0, -0.5};
  assert_true(amo_poly_first_exit(start, 1) == 0.0);
  assert_true(amo_poly_first_exit(below, 1) == 0.0);
  assert_true(amo_poly_first_exit(late, 1) > 1.0);
}

static void random_ones_agree_with_dense_sampling(void **unused)
{
  (void)unused;
  enum { SAMPLES = 4000 };
  int exits = 0;
  for (int trial = 0; trial < 3000; trial++) {
    double a[AMO_POLY_MAX];
    int n = 1 + (int)(uniform() * 24);
    for (int k = 0; k <= n; k++) a[k] = (uniform() - 0.5) * pow(0.8, k);
    a[0] = fabs(a[0]) + 1e-3;
    double x = amo_poly_first_exit(a, n), first = 2.0;
    for (int i = 0; i <= SAMPLES && first > 1.0; i++)
      if (amo_poly_value(a, 1, n, (double)i / SAMPLES) < 0.0) first = (double)i / SAMPLES;
    if (first <= 1.0) assert_true(x <= first && x >= 0.0);  // never later than what sampling sees
    if (x <= 1.0) {                                         // and a true zero
      double size = 0.0;
      for (int k = 0; k <= n; k++) size += fabs(a[k]) * pow(x, k);
      assert_true(fabs(amo_poly_value(a, 1, n, x)) <= 1e-13 * size);
      exits++;
    }
  }
  assert_true(exits > 500);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(several_roots_give_the_first),
      cmocka_unit_test(a_dip_between_step_ends_is_found),
      cmocka_unit_test(limits_of_the_interval),
      cmocka_unit_test(random_ones_agree_with_dense_sampling),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
