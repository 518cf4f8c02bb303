// SPDX-License-Identifier: Apache-2.0
/// Values and slopes of series: against long double, and the same bits on one lane and on many, whatever lies beyond the series.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expr/program.h"
#include "expr/lanes.h"
#include "support/near.h"
#include "support/random.h"

enum { W = AMO_LANES, ROOM = (AMO_MAX_ORDER + 1 + AMO_LANES_PADDING) * W };

typedef struct case_of_lanes {
  int order;
  double h[W], wide[ROOM], power[ROOM];       // W lanes
  double one[W][ROOM / W], own[W][ROOM / W];  // each alone
} case_of_lanes;

static void make(case_of_lanes *x, int order, uint64_t *seed)
{
  x->order = order;
  for (int l = 0; l < W; l++) x->h[l] = random_uniform(seed, 0.0, 2.0);
  for (int i = 0; i < ROOM; i++) x->wide[i] = x->power[i] = NAN;
  for (int l = 0; l < W; l++)
    for (int k = 0; k < ROOM / W; k++) x->one[l][k] = k <= order ? random_uniform(seed, -1.0, 1.0) : NAN;
  for (int l = 0; l < W; l++)
    for (int k = 0; k <= order; k++) x->wide[k * W + l] = x->one[l][k];
  amo_lanes_powers(x->power, x->h, order, W);
  for (int l = 0; l < W; l++) amo_lanes_powers(x->own[l], &x->h[l], order, 1);
}

static void check(const case_of_lanes *x)
{
  double value[W], slope[W];
  amo_lanes_value(x->wide, x->power, x->order, W, value);
  amo_lanes_slope(x->wide, x->power, x->order, W, slope);
  for (int l = 0; l < W; l++) {
    double v, s;
    long double exact = 0.0L, rate = 0.0L, size = 0.0L;
    amo_lanes_value(x->one[l], x->own[l], x->order, 1, &v);
    amo_lanes_slope(x->one[l], x->own[l], x->order, 1, &s);
    assert_true(v == value[l] && s == slope[l]);
    for (int k = x->order; k >= 0; k--) {
      const long double p = powl(x->h[l], k);
      exact += x->one[l][k] * p;
      size += fabsl(k * x->one[l][k]) * fmaxl(p, powl(x->h[l], k - 1)) + fabsl(x->one[l][k]) * p;
      if (k > 0) rate += k * x->one[l][k] * powl(x->h[l], k - 1);
    }
    assert_near(v, (double)exact, 64.0 * DBL_EPSILON * (double)size);
    assert_near(s, (double)rate, 64.0 * DBL_EPSILON * (double)size);
  }
}

/// A number below the series at all places up to a little beyond the step; as good as the terms allow; none where one is none.
static void least(const case_of_lanes *x)
{
  for (int l = 0; l < W; l++)
    for (int sign = -1; sign <= 1; sign += 2) {
      const double low = amo_lanes_least(x->one[l], x->own[l], x->order, 1, sign);
      const double wide = amo_lanes_least(x->wide + l, x->power + l, x->order, W, sign);
      long double down = 0.0L;
      for (int k = 1; k <= x->order; k++) down += fminl(sign * x->one[l][k] * powl(x->h[l], k), 0.0L);
      assert_near(low, wide, 1e-13 * (1.0 - (double)down));
      assert_true(low >= sign * x->one[l][0] + 1.06L * down);
      for (int i = 0; i <= 100; i++) {
        const long double at = x->h[l] * (i == 100 ? AMO_LANES_BEYOND : 0.01L * i);
        long double value = 0.0L;
        for (int k = x->order; k >= 0; k--) value = value * at + sign * x->one[l][k];
        assert_true(low <= value);
      }
    }
}

static void least_of_steps(void **state)
{
  (void)state;
  uint64_t seed = 5;
  for (int order = 2; order <= AMO_MAX_ORDER; order++) {
    case_of_lanes x;
    make(&x, order, &seed);
    least(&x);
    x.one[0][order] = NAN;
    assert_true(isnan(amo_lanes_least(x.one[0], x.own[0], order, 1, 1.0)));
    x.wide[order * W] = NAN;
    assert_true(isnan(amo_lanes_least(x.wide, x.power, order, W, 1.0)));
  }
}

static void values_and_slopes(void **state)
{
  (void)state;
  uint64_t seed = 3;
  static case_of_lanes x;
  for (int order = 2; order <= AMO_MAX_ORDER; order++)
    for (int i = 0; i < 50; i++) {
      make(&x, order, &seed);
      check(&x);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_and_slopes), cmocka_unit_test(least_of_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
