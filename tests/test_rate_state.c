// SPDX-License-Identifier: Apache-2.0
// Rate-and-state friction: steps of speed and normal force against closed forms, steady sliding against its characteristic
// polynomial, a motion through reversals against another integration, and the same contact pressed, guided and supported.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amontons/amontons.h"
#include "support/motion.h"
#include "support/near.h"

static const char *const evolution[] = {"slip", "aging"}, *const form[] = {"log", "regularised"};

// ---- the law alone ----

/// A surface driven at given speed past a block, pressed by a given force; an idle mass makes it a model.
static double coefficient_after(const char *law, const char *drive, const char *normal, double t)
{
  char text[2048];
  snprintf(
      text, sizeof text,
      "amontons: 1\ncoordinates: [x, X]\nprescribed: {X: \"%s\"}\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
      "contacts:\n  c: {pressed: \"%s\", slip: X', law: {type: rate-and-state, mu: 0.7, a: 0.0145, b: 0.016, "
      "length: 0.5, speed: 2, %s}}\noutputs: {mu: c.mu}\n",
      drive, normal, law);
  amo_model *m = motion_model(text);
  amo_sim *s = motion_sim(m, 1e-13);
  amo_sample *p = NULL;
  assert_int_equal(motion_advance(s, t), AMO_OK);
  assert_true(motion_audit(s));
  assert_int_equal(amo_sample_new(m, &p), AMO_OK);
  assert_int_equal(amo_sim_sample(s, t, true, p), AMO_OK);
  const double mu = p->output[0];
  amo_sample_free(p);
  amo_sim_free(s);
  amo_model_free(m);
  return mu;
}

static void speed_steps(void **state)
{
  (void)state;
  static const double ratio[] = {2.718281828459045, 0.1}, xi[] = {0.5, 1, 3};
  const double A = 0.0145, B = 0.016, mu1 = 0.7, v1 = 2.0, L = 0.5;
  for (int e = 0; e < 2; e++)
    for (int f = 0; f < 2; f++)
      for (size_t r = 0; r < 2; r++)
        for (size_t i = 0; i < 3; i++) {
          char law[200], drive[200];
          const double v2 = ratio[r] * v1, D = log(ratio[r]), left = exp(-xi[i]);
          snprintf(law, sizeof law, "evolution: %s, form: %s", evolution[e], form[f]);
          snprintf(drive, sizeof drive, "2*t + (%.17g - 2)*max(t - 1, 0)", v2);
          const double want =
              mu1 + A * D - B * D + (e == 0 ? B * D * left : B * log(1 + (ratio[r] - 1) * left));
          assert_near(coefficient_after(law, drive, "3", 1.0 + xi[i] * L / v2), want, 1e-12);
        }
}

static void normal_steps(void **state)
{
  (void)state;
  static const double xi[] = {0.5, 1, 3};
  const double B = 0.016, alpha = 0.56, l = log(1.1);
  for (int e = 0; e < 2; e++)
    for (size_t i = 0; i < 3; i++) {
      char law[200];
      const double left = exp(-xi[i]);
      snprintf(law, sizeof law, "evolution: %s, alpha: 0.56, normal: 4", evolution[e]);
      const double want = 0.7 + (e == 0 ? -alpha * l * left : B * log(1 + (exp(-alpha * l / B) - 1) * left));
      assert_near(coefficient_after(law, "2*t", "if(t < 1, 5, 5.5)", 1.0 + xi[i] * 0.25), want, 1e-12);
    }
}

/// Two states decay side by side.
static void second_state(void **state)
{
  (void)state;
  const double D = log(3.0), t = 0.1, slip = 6.0 * t;
  const double want = 0.7 + D * (0.0145 - 0.016 * (1 - exp(-slip / 0.5)) - 0.004 * (1 - exp(-slip / 0.1)));
  assert_near(coefficient_after("b2: 0.004, length2: 0.1", "2*t + 4*max(t - 1, 0)", "3", 1.0 + t), want,
              1e-12);
}

// ---- steady sliding with inertia ----

static amo_model *load(const amo_setting *set, size_t n)
{
  char path[512];
  amo_model *m = NULL;
  snprintf(path, sizeof path, "%s/models/db-slider-inertia.yaml", AMO_SOURCE_DIR);
  assert_int_equal(amo_model_load(path, set, n, NULL, &m), AMO_OK);
  return m;
}

static double complex_size(double re, double im)
{
  return hypot(re, im);
}

/// Every eigenvalue, in units of v0/L, is a root of M x^3 + (M + A) x^2 + (kappa (N - alpha T) + A - B) x + N kappa.
static void steady_roots(void **state)
{
  (void)state;
  static const char *const angle[] = {"1", "0", "-1"};
  for (size_t i = 0; i < 3; i++) {
    const amo_setting set = {"T", angle[i]};
    amo_model *m = load(&set, 1);
    amo_steady *s = NULL;
    assert_int_equal(amo_steady_find(m, NULL, NULL, &s), AMO_OK);
    const double T = atof(angle[i]), M = 1e-3, A = 0.0145, B = 0.016, N = 1 + 0.7 * T;
    const double kappa = 1.2 * (B - A) / (1 + 0.14 * T);
    const double c[4] = {N * kappa, kappa * (N - 0.56 * T) + A - B, M + A, M};
    assert_int_equal(s->order, 3);
    for (size_t k = 0; k < 3; k++) {
      const double x = s->re[k] / 1000.0, y = s->im[k] / 1000.0;
      double re = 0.0, im = 0.0, size = 0.0;
      for (int j = 3; j >= 0; j--) {
        const double a = re * x - im * y + c[j], b = re * y + im * x;
        size = size * complex_size(x, y) + fabs(c[j]);
        re = a;
        im = b;
      }
      assert_near(complex_size(re, im) / size, 0.0, 1e-12);
    }
    amo_steady_free(s);
    amo_model_free(m);
  }
}

// ---- motion ----

/// Transients with inertia, to ten digits: f, phi, theta at v0 t/L = 0.1, 1, 5, 20, 60.
static void transients(void **state)
{
  (void)state;
  static const double s[] = {0.1, 1, 5, 20, 60},
                      want[3][5] = {
                          {0.009979023911, 0.009336957239, -0.002561422598, -0.002630744956, 0.004347110035},
                          {0.1543290719, 0.3997464452, 1.152148357, -0.8371986104, -0.3673269508},
                          {-0.009488540846, -0.2111553832, -1.08966603, 0.7090074439, 0.4110022108}};
  static const amo_setting set[] = {{"T", "-1"}, {"f0", "0.01"}};
  amo_model *m = load(set, 2);
  amo_sim *sim = motion_sim(m, 1e-12);
  amo_sample *p = NULL;
  assert_int_equal(amo_sample_new(m, &p), AMO_OK);
  for (size_t i = 0; i < 5; i++) {
    assert_int_equal(motion_advance(sim, s[i] * 1e-3), AMO_OK);
    assert_int_equal(amo_sim_sample(sim, s[i] * 1e-3, true, p), AMO_OK);
    for (size_t k = 0; k < 3; k++) assert_near(p->output[k], want[k][i], 2e-9 * fabs(want[k][i]));
  }
  assert_true(motion_audit(sim));
  amo_sample_free(p);
  amo_sim_free(sim);
  amo_model_free(m);
}

static const char oscillator[] = "amontons: 1\ncoordinates: [x%s]\nparticles: {b: {mass: 1, at: [x, "
                                 "%s]}}\nsprings: {s: {along: x, stiffness: 1}}\n"
                                 "%s\ncontacts:\n  c: {%s, slip: \"x' - 0.1\", law: {type: rate-and-state, "
                                 "mu: 0.3, a: 0.05, b: 0.03, length: 0.2, "
                                 "speed: 0.1, theta: 0.4, evolution: %s}}\ninitial: {x: 2, x': 0}\n";

typedef struct block {
  double x, v, theta;
} block;

/// The same written out.
static block rate(block y, double t, int e)
{
  const double N = 2.0 + 0.5 * sin(t) - 0.3 * y.x, s = y.v - 0.1, level = (0.3 + 0.03 * y.theta) / 0.05;
  const double w = asinh(s / 0.2 * exp(level)), heals = 0.5 * exp(-y.theta) - fabs(s) / 0.2;
  return (block){y.v, -y.x - 0.05 * w * N, e ? heals : -(s * w - fabs(s) * level + fabs(s) * y.theta) / 0.2};
}

static block plus(block a, double h, block b)
{
  return (block){a.x + h * b.x, a.v + h * b.v, a.theta + h * b.theta};
}

/// Classical Runge-Kutta.
static block integrate(double end, int steps, int e)
{
  block y = {2.0, 0.0, 0.4};
  const double h = end / steps;
  for (int i = 0; i < steps; i++) {
    const double t = i * h;
    const block a = rate(y, t, e), b = rate(plus(y, h / 2, a), t + h / 2, e),
                c = rate(plus(y, h / 2, b), t + h / 2, e), d = rate(plus(y, h, c), t + h, e);
    y = plus(plus(plus(plus(y, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
  }
  return y;
}

/// Slip turns four times; there are no events, and it makes no difference what presses.
static void reversals(void **state)
{
  (void)state;
  static const char *const gap[][4] = {{"", "0", "", "pressed: 2 + 0.5*sin(t) - 0.3*x"},
                                       {", y", "y", "forces: {y: -2 - 0.5*sin(t) + 0.3*x}", "guide: y"},
                                       {", y", "y", "forces: {y: -2 - 0.5*sin(t) + 0.3*x}", "support: y"}};
  for (int e = 0; e < 2; e++)
    for (size_t g = 0; g < 3; g++) {
      char text[2048];
      snprintf(text, sizeof text, oscillator, gap[g][0], gap[g][1], gap[g][2], gap[g][3], evolution[e]);
      amo_model *m = motion_model(text);
      amo_sim *s = motion_sim(m, 1e-12);
      assert_int_equal(motion_advance(s, 10.0), AMO_OK);
      assert_true(motion_audit(s));
      assert_int_equal(amo_sim_stats(s)->events, 0);
      const size_t n = g == 0 ? 1 : 2;
      const block want = integrate(10.0, 200000, e);
      assert_near(amo_sim_state(s)[0], want.x, 1e-8);
      assert_near(amo_sim_state(s)[n], want.v, 1e-8);
      assert_near(amo_sim_state(s)[2 * n], want.theta, 1e-8);
      amo_sim_free(s);
      amo_model_free(m);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(speed_steps),  cmocka_unit_test(normal_steps),
                                     cmocka_unit_test(second_state), cmocka_unit_test(steady_roots),
                                     cmocka_unit_test(transients),   cmocka_unit_test(reversals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
