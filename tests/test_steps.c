// SPDX-License-Identifier: Apache-2.0
// Steps are checked: features of loads and laws that are flat far away (pulses, Gaussians, steep saturations) are not stepped
// over, at any tolerance. Judged by fine quadrature and by the classical Runge-Kutta method with small steps.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/motion.h"
#include "support/random.h"

static void near(const char *what, double got, double want, double tol)
{
  if (!(fabs(got - want) <= tol))
    fail_msg("%s: got %.15g, want %.15g, difference %.2e, allowed %.2e", what, got, want, got - want, tol);
}

// State i of a model at t_end; the audit must pass.
static double run(const char *model, double tol, double t_end, size_t i)
{
  amo_model *m = motion_model(model);
  assert_non_null(m);
  amo_sim *s = motion_sim(m, tol);
  assert_non_null(s);
  assert_int_equal(motion_advance(s, t_end), AMO_OK);
  if (!motion_audit(s)) fail_msg("audit fails at tol %g:\n%s", tol, model);
  const double y = amo_sim_state(s)[i];
  amo_sim_free(s);
  amo_model_free(m);
  return y;
}

// ---- features of loads ----

enum { FEATURES = 8 };
static const char *const feature_text[FEATURES] = {
    "exp(-(%s)^2)",   "1 + tanh(%s)", "1/(1 + exp(-(%s)))", "1/cosh(%s)^2",
    "1/(1 + (%s)^4)", "atan(%s)",     "exp(-(%s)^2)*(%s)",  "sin(%s)*exp(-(%s)^2/8)",
};

static double feature(int kind, double s)
{
  switch (kind) {
    case 0: return exp(-s * s);
    case 1: return 1.0 + tanh(s);
    case 2: return 1.0 / (1.0 + exp(-s));
    case 3: return 1.0 / (cosh(s) * cosh(s));
    case 4: return 1.0 / (1.0 + s * s * s * s);
    case 5: return atan(s);
    case 6: return exp(-s * s) * s;
    default: return sin(s) * exp(-s * s / 8.0);
  }
}

// Integral from a to b in units of the width: Simpson's rule, fine where something happens.
static double integral(int kind, double a, double b)
{
  const double edge[4] = {a, fmax(a, fmin(-40.0, b)), fmin(b, fmax(40.0, a)), b};
  double sum = 0.0;
  for (int piece = 0; piece < 3; piece++) {
    const int n = 40000;
    const double h = (edge[piece + 1] - edge[piece]) / n;
    for (int i = 0; i <= n; i++)
      sum += feature(kind, edge[piece] + i * h) * (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * h / 3.0;
  }
  return sum;
}

static void load_features(void **ctx)
{
  (void)ctx;
  uint64_t r = 9;
  for (int n = 0; n < 96; n++) {
    const int kind = n % FEATURES;
    const double tol = n % 3 == 0 ? 1e-8 : n % 3 == 1 ? 1e-12 : 1e-14;
    const double centre = random_uniform(&r, 1.0, 60.0), end = 80.0;
    double width = pow(10.0, random_uniform(&r, -3.0, 0.5));
    if (kind == 2 || kind == 3) width = fmax(width, 0.3);  // exp and cosh stay within the range of numbers
    char s[64], shape[256], model[1024];
    snprintf(s, sizeof s, "(t - %.17g)/%.17g", centre, width);
    snprintf(shape, sizeof shape, feature_text[kind], s, s);
    snprintf(model, sizeof model,
             "amontons: 1\nname: load\ncoordinates: [x]\nparticles: {P: {mass: 2, at: [x, 0]}}\n"
             "forces: {x: \"3*(%s)\"}\nstates: {z: {rate: \"%s\", initial: 0}}\n",
             shape, shape);
    const double want = width * integral(kind, -centre / width, (end - centre) / width);
    const double scale = fmax(fabs(want), kind == 5 ? end : width);
    near(shape, run(model, tol, end, 2), want, (100.0 * tol + 1e-10) * scale);
    near(shape, run(model, tol, end, 1), 1.5 * want, (100.0 * tol + 1e-10) * 1.5 * scale);
  }
}

// A pulse cut out by max(0, ...): its argument, large far away, is above zero for a moment only.
static void cut_pulses(void **ctx)
{
  (void)ctx;
  uint64_t r = 5;
  for (int n = 0; n < 40; n++) {
    const double centre = random_uniform(&r, 1.0, 60.0), width = pow(10.0, random_uniform(&r, -3.0, 0.5));
    const double tol = n % 2 == 0 ? 1e-6 : 1e-10;
    char model[1024];
    snprintf(model, sizeof model,
             "amontons: 1\nname: pulse\ncoordinates: [x]\nparticles: {P: {mass: 1, at: [x, 0]}}\n"
             "forces: {x: \"max(0, 1 - ((t - %.17g)/%.17g)^2)^2/%.17g\"}\n",
             centre, width, width);
    if (centre - width > 0.0) near("x'", run(model, tol, 80.0, 1), 16.0 / 15.0, 1e-9);
  }
}

// Powers whose first coefficients vanish: the series of any order says that nothing happens, or that it goes on as it began.
static void late_orders(void **ctx)
{
  (void)ctx;
  static const int power[] = {24, 30, 41, 60};
  for (int n = 0; n < 16; n++) {
    const int k = power[n % 4];
    const double from = n / 4 == 1 ? 0.7 : 0.0, end = n / 4 == 2 ? 3.0 : 1.5, tol = n / 4 == 3 ? 1e-8 : 1e-12;
    char model[512];
    snprintf(model, sizeof model,
             "amontons: 1\nname: power\ncoordinates: [x]\nparticles: {P: {mass: 1, at: [x, 0]}}\n"
             "forces: {x: \"(t - %g)^%d\"}\nstates: {z: {rate: \"cos(t)*(1 + x')\"}}\n",
             from, k);
    const double want = (pow(end - from, k + 1) - pow(-from, k + 1)) / (k + 1);
    near("x'", run(model, tol, end, 1), want, (100.0 * tol + 1e-12) * want);
  }
}

// sin(t^12): orders 12, 36, 60, ...; Simpson's rule knows no orders.
static void sparse_orders(void **ctx)
{
  (void)ctx;
  static const char model[] =
      "amontons: 1\nname: sparse\ncoordinates: [x]\nparticles: {P: {mass: 1, at: [x, 0]}}\n"
      "forces: {x: \"sin(t^12)\"}\n";
  const int n = 400000;
  const double h = 1.5 / n;
  double sum = 0.0;
  for (int i = 0; i <= n; i++)
    sum += sin(pow(i * h, 12.0)) * (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * h / 3.0;
  for (int k = 0; k < 3; k++)
    near("x'", run(model, k == 0 ? 1e-8 : k == 1 ? 1e-10 : 1e-13, 1.5, 1), sum, 1e-8);
}

// A block that rests on a belt which sways through standstill: the second stepper goes through as the first does.
static void swaying_belt(void **ctx)
{
  (void)ctx;
  amo_model *m = motion_model(
      "amontons: 1\nname: sway\ncoordinates: [x]\nparticles: {P: {mass: 1, at: [x, 0]}}\nsprings: {s: "
      "{along: "
      "x, stiffness: 5}}\ncontacts: {c: {pressed: 4, slip: \"x' - 0.15*(1 + 1.2*cos(2*t))\", law: {type: "
      "stribeck, static: 0.5, kinetic: 0.3, speed: 0.1}}}\ninitial: {x: -0.4, x': 0.3}\n");
  assert_non_null(m);
  double x[2];
  for (int n = 0; n < 2; n++) {
    amo_sim_opts o = amo_sim_opts_default();
    amo_sim *s = NULL;
    o.tol = 1e-13;
    o.stepper = n == 0 ? AMO_STEPPER_TAYLOR : AMO_STEPPER_RK8;
    o.max_step = n == 0 ? INFINITY : 0.004;
    assert_int_equal(amo_sim_new(m, &o, NULL, &s), AMO_OK);
    assert_int_equal(motion_advance(s, 10.0), AMO_OK);
    x[n] = amo_sim_state(s)[0];
    amo_sim_free(s);
  }
  near("x", x[1], x[0], 1e-10);
  amo_model_free(m);
}

// ---- laws ----

static double law_x, law_v;

// x'' = -k x + N mu(v - x'), slip below the belt speed throughout
static void law_motion(double v, double vs, double end, long steps)
{
  const double h = end / (double)steps;
  double y[2] = {0.0, 0.0};
  for (long n = 0; n < steps; n++) {
    double k[4][2];
    for (int s = 0; s < 4; s++) {
      const double c = s == 0 ? 0.0 : s == 3 ? h : 0.5 * h;
      const double x = y[0] + (s > 0 ? c * k[s - 1][0] : 0.0), u = y[1] + (s > 0 ? c * k[s - 1][1] : 0.0);
      const double slip = (v - u) / vs;
      k[s][0] = u;
      k[s][1] = -100.0 * x + 10.0 * (0.3 + 0.2 * exp(-slip * slip));
    }
    for (int j = 0; j < 2; j++) y[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
  }
  law_x = y[0];
  law_v = y[1];
}

static void stribeck_law(void **ctx)
{
  (void)ctx;
  for (int n = 0; n < 20; n++) {
    const double v = 0.45 + 0.03 * n, vs = n % 2 ? 0.1 : 0.07;
    char model[512];
    snprintf(model, sizeof model,
             "amontons: 1\nname: stribeck\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
             "springs: {s: {along: x, stiffness: 100}}\n"
             "contacts: {belt: {pressed: 10, slip: x' - %.17g, law: {type: stribeck, static: 0.5, kinetic: "
             "0.3, speed: %.17g}}}\n",
             v, vs);
    law_motion(v, vs, 2.0, 40000);
    near("x", run(model, 1e-12, 2.0, 0), law_x, 2e-11);
    near("x'", run(model, 1e-12, 2.0, 1), law_v, 2e-10);
  }
}

static void steep_saturation(void **ctx)
{
  (void)ctx;
  static const char model[] =
      "amontons: 1\nname: saturation\ncoordinates: [x]\nparticles: {P: {mass: 1, at: [x, 0]}}\n"
      "forces: {x: \"-0.3*tanh(x'/0.01)\"}\ninitial: {x': 1}\n";
  // sinh(x'/w) = sinh(1/w) exp(-0.3 t/w), so x' = w asinh(exp((1 - 0.3 t)/w - log 2)) but for what e^(-2/w) adds
  for (int n = 0; n < 3; n++) {
    const double tol = n == 0 ? 1e-9 : n == 1 ? 1e-12 : 1e-14;
    near("x' on the way", run(model, tol, 3.0, 1), 0.01 * asinh(exp(0.1 / 0.01 - log(2.0))),
         1e2 * tol + 1e-13);
    near("x' after", run(model, tol, 10.0, 1), 0.0, 1e2 * tol + 1e-13);
  }
}

// A stuck block and a push that comes late: released, carried on, stuck again.
static void late_push(void **ctx)
{
  (void)ctx;
  static const char model[] =
      "amontons: 1\nname: push\ncoordinates: [x]\nparticles: {P: {mass: 1, at: [x, 0]}}\n"
      "forces: {x: \"10*exp(-(t - 50)^2)\"}\ncontacts: {floor: {pressed: 9.81, slip: x', law: {type: "
      "coulomb, mu: 0.3}}}\n";
  const double hold = 9.81 * 0.3, from = 50.0 - sqrt(log(10.0 / hold));
  double x = 0.0, u = 0.0, t = from;
  const double h = 1e-5;  // the midpoint rule: u' depends on t alone
  while (u >= 0.0) {
    const double a = 10.0 * exp(-(t + 0.5 * h - 50.0) * (t + 0.5 * h - 50.0)) - hold;
    x += u * h + 0.5 * a * h * h;
    u += a * h;
    t += h;
  }
  for (int n = 0; n < 3; n++)
    near("x", run(model, n == 0 ? 1e-8 : n == 1 ? 1e-12 : 1e-14, 100.0, 0), x, 1e-5);
}

// All that depends on time is known to the rounding of time: late in a run the motion is the same but for that, and the audit, which
// reads loads, bounds, speeds of surfaces and rates at rounded times, does not fail for it.
static void late_times(void **ctx)
{
  (void)ctx;
  amo_model *m = motion_model(
      "amontons: 1\nname: late\nparameters: {t0: 0}\ncoordinates: [x, y]\nparticles: {P: {mass: 1, at: [x, "
      "0]}, "
      "Q: {mass: 2, at: [0, y]}}\nsprings: {s: {along: x, stiffness: 5}}\ngravity: 9.81\n"
      "states: {z: {rate: \"sin(40*(t - t0))\"}}\ncontacts:\n  c: {pressed: \"2 + 1.5*sin(37*(t - t0))\", "
      "slip: \"x' - 0.2*cos(31*(t - t0))\", law: {type: coulomb, mu: 0.9}}\n"
      "  table: {support: \"y - 0.02*sin(30*(t - t0))\", restitution: 0.4}\n"
      "forces: {x: \"1.5*sin(3*(t - t0))\"}\ninitial: {x: 0.1, y: 0.05}\n");
  assert_non_null(m);
  double first[5] = {0.0};
  for (int n = 0; n < 5; n++) {
    const double t0 = n == 0 ? 0.0 : pow(10.0, 4 + n);  // 1e5 ... 1e8
    amo_sim *s = motion_sim(m, 1e-12);
    assert_non_null(s);
    assert_int_equal(amo_sim_parameter(s, 0, t0), AMO_OK);
    assert_int_equal(amo_sim_start(s, t0, NULL), AMO_OK);
    assert_int_equal(motion_advance(s, t0 + 1.0), AMO_OK);
    assert_true(motion_audit(s));
    for (int i = 0; i < 5; i++) {
      if (n == 0) first[i] = amo_sim_state(s)[i];
      near("state", amo_sim_state(s)[i], first[i], 1e-10 + 1e-12 * t0);
    }
    amo_sim_free(s);
  }
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(load_features),    cmocka_unit_test(cut_pulses),   cmocka_unit_test(late_orders),
      cmocka_unit_test(sparse_orders),    cmocka_unit_test(swaying_belt), cmocka_unit_test(stribeck_law),
      cmocka_unit_test(steep_saturation), cmocka_unit_test(late_push),    cmocka_unit_test(late_times),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
