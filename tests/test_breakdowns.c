// SPDX-License-Identifier: Apache-2.0
// Forces from extrema (6.9) to (6.14), samples and proportions, predictions, through the library's own door.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "amontons/amontons.h"
#include "fit/relation.h"
#include "fit/stick.h"
#include "num/random.h"

static void near(double a, double b, double part)
{
  if (!(fabs(a - b) <= part * fabs(b))) fail_msg("%.15g is not %.15g", a, b);
}

/// The example of section 6.2; half range below v/omega: no stop.
static void extrema(void **state)
{
  amo_extrema_forces f;
  (void)state;
  assert_true(amo_forces_from_extrema(1.6e6, 16000, 3950, 2700, 0.001, &f));
  near(f.F_plus, 3929.17298847, 1e-10), near(f.F_minus, 2720.82701153, 1e-10);
  near(f.bias_plus, 20.8270115273, 1e-10), near(f.first_plus, 20.48, 1e-12);
  assert_true(amo_forces_from_extrema(1.6e6, 16000, 3870, 2650, 0.002, &f));
  near(f.bias_plus, 90.673513096, 1e-10), near(f.bias_minus, -90.673513096, 1e-10),
      near(f.first_minus, -83.9344262295, 1e-10);
  assert_false(amo_forces_from_extrema(1.6e6, 16000, 3000, 2700, 0.002, &f));
}

static void moments(void **state)
{
  const double x[] = {1, 2, 4}, weight[] = {2, 0, 1};
  amo_moments m;
  amo_proportion p;
  amo_group_test g;
  (void)state;
  assert_int_equal(amo_moments_of(x, NULL, 3, 0, 0, 0.95, &m), AMO_OK);
  near(m.mean, 7.0 / 3, 1e-14), near(m.variance, 7.0 / 3, 1e-14);
  near(m.high - m.mean, 4.302652729749464 * sqrt(7.0 / 9), 1e-12);  // Student's t of two degrees
  assert_int_equal(amo_moments_of(x, weight, 3, 0, 0, 0.95, &m), AMO_OK);
  near(m.mean, 2, 1e-14), near(m.n, 3, 0);
  assert_int_equal(amo_moments_of(x, NULL, 0, 0, 0, 0.95, &m), AMO_ERANGE);
  assert_int_equal(amo_proportion_of(3, 2, 0.95, &p), AMO_ERANGE);
  assert_int_equal(amo_proportion_of(0, 10, 0.95, &p), AMO_OK);
  assert_true(p.wilson[0] == 0 && p.clopper_pearson[0] == 0);
  near(p.clopper_pearson[1], 1 - pow(0.025, 0.1), 1e-12);
  const double group[] = {1, 1, 2, 2, 3, 3}, up[] = {1, 2, 3, 4, 5, 6};
  assert_int_equal(amo_groups_test(group, up, 6, &g), AMO_OK);
  near(g.within, 1.5, 1e-14), near(g.between, 16, 1e-14), near(g.fisher, 16, 1e-14);
  near(g.trend, 6 / sqrt(456 / 72.0), 1e-12);  // all 12 pairs in order, 6 expected
  assert_true(g.trend_p < 0.05);
  assert_int_equal(amo_groups_test(up, up, 1, &g), AMO_ERANGE);
}

/// A quantity that stands on both sides is solved for; its error is that of many draws.
static void predictions(void **state)
{
  static const char *const unknown[] = {"a", "b"};
  const double p[] = {2, 0.5}, covariance[] = {4e-6, 1e-6, 1e-6, 1e-6};
  const amo_equation_names names = {.unknown = unknown, .unknowns = 2};
  amo_prediction q, one;
  amo_random random = {.state = 3};
  double sum = 0, square = 0;
  (void)state;
  assert_int_equal(amo_predict("y = a*exp(-b*y)", &names, p, covariance, NULL, &q), AMO_OK);
  assert_string_equal(q.name, "y");
  near(q.value, p[0] * exp(-p[1] * q.value), 1e-13);
  enum { DRAWS = 2000 };
  for (int i = 0; i < DRAWS; i++) {  // Cholesky: a = 2e-3 u, b = 0.5e-3 u + sqrt(0.75)e-3 w
    const double u = amo_random_normal(&random), w = amo_random_normal(&random);
    const double at[] = {p[0] + 2e-3 * u, p[1] + 0.5e-3 * u + sqrt(0.75) * 1e-3 * w};
    assert_int_equal(amo_predict("y = a*exp(-b*y)", &names, at, NULL, NULL, &one), AMO_OK);
    sum += one.value - q.value, square += (one.value - q.value) * (one.value - q.value);
  }
  near(sqrt(square / DRAWS), q.se, 0.06);
  assert_true(fabs(sum / DRAWS) < 4 * q.se / sqrt(DRAWS));
  assert_int_equal(amo_predict("y = sqrt(-a)", &names, p, covariance, NULL, &q), AMO_ENOANSWER);
  assert_int_equal(amo_predict("y = c", &names, p, covariance, NULL, &q), AMO_EINPUT);
}

enum { ROWS = 30, DRAWS_OF_ROWS = 300 };

/// y = a + b exp(-c x) measured ROWS times: y to 0.02, x to 0.3 where it is large, and rows that scatter by `tau` besides. How many of
/// the 95 % intervals hold a, b, c.
static void measure(bool told, double tau, int held[3])
{
  static const double truth[] = {1, 2, 0.4};
  const char *names[] = {"x", "y"};
  double value[2 * ROWS], sigma[2 * ROWS] = {0}, weight[ROWS];
  amo_random random = {.state = 11};
  for (int draw = 0; draw < DRAWS_OF_ROWS; draw++) {
    for (int i = 0; i < ROWS; i++) {
      const double x = 0.2 * i, blur = i % 3 == 0 ? 0.3 : 0.01;
      value[i] = x + blur * amo_random_normal(&random);
      value[ROWS + i] =
          truth[0] + truth[1] * exp(-truth[2] * x) + hypot(0.02, tau) * amo_random_normal(&random);
      sigma[i] = blur, weight[i] = 1 / 0.02;
    }
    amo_relation_table t = {.column = names, .columns = 2, .rows = ROWS, .value = value};
    if (told) t.weight = weight, t.sigma = sigma, t.scatter = true;
    amo_arena memory = {0};
    amo_fit_parameter p[3];
    for (int k = 0; k < 3; k++) p[k] = (amo_fit_parameter){.start = NAN, .low = -INFINITY, .high = INFINITY};
    amo_relation_fit f = {.called = "y = a + b*exp(-c*x)", .parameter = p};
    const amo_equation_names all = {.column = names, .columns = 2};
    const amo_fit_opts o = amo_fit_opts_default();
    assert_int_equal(amo_equation_new(f.called, &all, NULL, &f.equation), AMO_OK);
    assert_int_equal(amo_relation_begin(&f, &t, &memory), AMO_OK);
    assert_int_equal(amo_relation_solve(&f, &o, &memory), AMO_OK);
    for (int k = 0; k < 3; k++) {
      const int is = amo_equation_names_of(f.equation)[k][0] - 'a';
      held[is] += f.fit->low[k] <= truth[is] && truth[is] <= f.fit->high[k];
    }
    amo_relation_free(&f);
    amo_arena_free(&memory);
  }
}

/// Errors on both sides, and rows that scatter by more: intervals hold what they promise. Of 300, 270 to 296 (fewer than 271 come once in
/// 10000 times); without the errors told they do not.
static void errors_on_both_sides(void **state)
{
  (void)state;
  for (int scatters = 0; scatters < 2; scatters++) {
    int told[3] = {0}, plain[3] = {0};
    measure(true, scatters ? 0.05 : 0, told);
    measure(false, scatters ? 0.05 : 0, plain);
    for (int k = 0; k < 3; k++)
      if (told[k] < 270 || told[k] > 297) fail_msg("%d of 300 intervals of %c hold it", told[k], 'a' + k);
    if (!scatters) assert_true(plain[2] < 255);
  }
}

/// Where the drive has changed its speed within the stick, the slope is that of the end, however small the corner is.
static void corners_of_a_stick(void **state)
{
  (void)state;
  enum { N = 120, TRIES = 400 };
  double t[N], x[N], v[N];
  amo_random random = {.state = 5};
  for (int size = 0; size <= 6; size++) {
    double mean = 0, square = 0;
    for (int i = 0; i < TRIES; i++) {
      for (int k = 0; k < N; k++) {
        t[k] = 0.01 * k, v[k] = NAN;
        x[k] = 3 * t[k] - 0.5 * size * fmin(t[k] - 0.45, 0) + 0.05 * amo_random_normal(&random);
      }
      const amo_trace w = {.t = t, .x = x, .v = v, .n = N};
      amo_stick_line line;
      assert_true(amo_stick_line_fit(&w, 0, N, true, NAN, 0.05, &line));
      const double z = (line.slope - 3) / line.slope_se;
      mean += z / TRIES, square += z * z / TRIES;
    }
    if (fabs(mean) > 0.6 || square > 2.2)
      fail_msg("corner %d: %g standard errors off, rms %g", size, mean, sqrt(square));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(extrema), cmocka_unit_test(moments),
                                     cmocka_unit_test(predictions), cmocka_unit_test(errors_on_both_sides),
                                     cmocka_unit_test(corners_of_a_stick)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
