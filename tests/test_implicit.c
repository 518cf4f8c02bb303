// SPDX-License-Identifier: Apache-2.0
// Implicit steps: stiff equations against published values, mechanisms with events against power series, orders of convergence.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/motion.h"

#define IDLE "amontons: 1\nname: stiff\ncoordinates: {idle: {}}\nparticles: {p: {mass: 1, at: [idle, 0]}}\n"

typedef struct outcome {
  double y[MOTION_STATES];
  amo_stats stats;
} outcome;

static outcome run(const amo_model *m, amo_stepper stepper, double tol, double t_end)
{
  outcome out = {{0}, {0}};
  amo_sim_opts o = amo_sim_opts_default();
  o.tol = tol;
  o.stepper = stepper;
  o.audit = true;
  amo_sim *s;
  assert_int_equal(amo_sim_new(m, &o, NULL, &s), AMO_OK);
  assert_int_equal(motion_advance(s, t_end), AMO_OK);
  assert_true(motion_audit(s));
  memcpy(out.y, amo_sim_state(s), amo_model_states(m) * sizeof *out.y);
  out.stats = *amo_sim_stats(s);
  amo_sim_free(s);
  return out;
}

static outcome run_text(const char *text, amo_stepper stepper, double tol, double t_end)
{
  amo_model *m = motion_model(text);
  assert_non_null(m);
  const outcome out = run(m, stepper, tol, t_end);
  amo_model_free(m);
  return out;
}

static void near(const char *what, double got, double want, double part)
{
  if (!(fabs(got - want) <= part * fabs(want)))
    fail_msg("%s: got %.16g, want %.16g, off by %.1e", what, got, want, (got - want) / want);
}

// ---- published values (test set for IVP solvers, computed there with 16 or more digits) ----

static const char van_der_pol[] =
    IDLE "states:\n  x: {rate: y, initial: 2}\n  y: {rate: \"1e6*((1 - x^2)*y - x)\", initial: 0}\n";

static void oscillates_and_relaxes(void **ctx)
{
  (void)ctx;
  const outcome r = run_text(van_der_pol, AMO_STEPPER_RADAU, 1e-12, 2.0);
  near("x", r.y[2], 1.706167732170483, 1e-11);
  near("y", r.y[3], -0.8928097010247975, 1e-11);
  assert_true(r.stats.steps < 1000);
}

// The same as a mechanism: mu = 1e3, time in its own units.
static void oscillates_as_a_mechanism(void **ctx)
{
  (void)ctx;
  const outcome r =
      run_text("amontons: 1\nname: vdp\ncoordinates: {x: {}}\nparticles: {p: {mass: 1, at: [x, 0]}}\n"
               "forces: {x: \"1e3*(1 - x^2)*x' - x\"}\ninitial: {x: 2}\n",
               AMO_STEPPER_RADAU, 1e-12, 2000.0);
  near("x", r.y[0], 1.706167732170483, 1e-10);
  near("x'", r.y[1], -0.8928097010247975e-3, 1e-10);
  assert_true(r.stats.implicit > 0 && r.stats.steps < 1000);
}

static const char robertson[] =
    IDLE "states:\n  a: {rate: -0.04*a + 1e4*b*c, initial: 1}\n"
         "  b: {rate: 0.04*a - 1e4*b*c - 3e7*b^2, initial: 0}\n  c: {rate: 3e7*b^2, initial: 0}\n";

static void reacts_slowly(void **ctx)
{
  (void)ctx;
  const outcome r = run_text(robertson, AMO_STEPPER_RADAU, 1e-12, 40.0);
  near("a", r.y[2], 0.7158270687194, 1e-11);
  near("b", r.y[3], 0.9185534764558e-5, 1e-9);
  near("c", r.y[4], 0.2841637457459, 1e-11);
}

static const char hires[] =
    IDLE "states:\n"
         "  y1: {rate: -1.71*y1 + 0.43*y2 + 8.32*y3 + 0.0007, initial: 1}\n"
         "  y2: {rate: 1.71*y1 - 8.75*y2, initial: 0}\n"
         "  y3: {rate: -10.03*y3 + 0.43*y4 + 0.035*y5, initial: 0}\n"
         "  y4: {rate: 8.32*y2 + 1.71*y3 - 1.12*y4, initial: 0}\n"
         "  y5: {rate: -1.745*y5 + 0.43*y6 + 0.43*y7, initial: 0}\n"
         "  y6: {rate: -280*y6*y8 + 0.69*y4 + 1.71*y5 - 0.43*y6 + 0.69*y7, initial: 0}\n"
         "  y7: {rate: 280*y6*y8 - 1.81*y7, initial: 0}\n"
         "  y8: {rate: -280*y6*y8 + 1.81*y7, initial: 0.0057}\n";

static void grows_in_light(void **ctx)
{
  static const double want[8] = {0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4,
                                 0.1175651343283149e-2, 0.2386356198831331e-2, 0.6238968252742796e-2,
                                 0.2849998395185769e-2, 0.2850001604814231e-2};
  (void)ctx;
  const outcome r = run_text(hires, AMO_STEPPER_RADAU, 1e-12, 321.8122);
  for (int i = 0; i < 8; i++) near("concentration", r.y[2 + i], want[i], 1e-8);  // of sizes up to 1 before
  assert_true(r.stats.steps < 1000);
}

// ---- the same motion as by series ----

static void goes_as_series_do(void **ctx)
{
  static const struct {
    const char *model;
    double t_end;
  } row[] = {{"block-on-belt", 30.0}, {"two-blocks", 20.0},       {"crank", 3.0},
             {"table", 2.0},          {"carriage-pendulum", 3.0}, {"machine-slider-soft", 1.0},
             {"bouncing-ball", 2.0},  {"chain-on-guides", 2.0}};
  (void)ctx;
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    char path[512];
    amo_model *m;
    snprintf(path, sizeof path, "%s/models/%s.yaml", AMO_SOURCE_DIR, row[i].model);
    assert_int_equal(amo_model_load(path, NULL, 0, NULL, &m), AMO_OK);
    const outcome a = run(m, AMO_STEPPER_TAYLOR, 1e-12, row[i].t_end);
    const outcome b = run(m, AMO_STEPPER_RADAU, 1e-12, row[i].t_end);
    for (size_t k = 0; k < amo_model_states(m); k++)
      if (!(fabs(a.y[k] - b.y[k]) <= 1e-8 * fmax(1.0, fabs(a.y[k]))))
        fail_msg("%s: state %zu is %.15g by series, %.15g implicitly", row[i].model, k, a.y[k], b.y[k]);
    if (a.stats.events != b.stats.events)
      fail_msg("%s: %ld events by series, %ld implicitly", row[i].model, a.stats.events, b.stats.events);
    amo_model_free(m);
  }
}

// ---- chosen by itself ----

// A body that falls on a yielding rough floor and is drawn along it. Once its bounces have died out, stiffness costs nothing.
static outcome soft_floor(const char *stiffness, amo_stepper stepper)
{
  char text[600];
  snprintf(
      text, sizeof text,
      "amontons: 1\nname: soft\nparameters: {c: %s, d: 0.4*sqrt(c)}\ncoordinates: [x, y]\ngravity: 9.81\n"
      "particles: {ball: {mass: 1, at: [x, y]}}\n"
      "contacts: {floor: {support: y, slip: x', stiffness: c, damping: d, law: {type: coulomb, mu: 0.3}}}\n"
      "springs: {s: {along: x - sin(3*t), stiffness: 10}}\ninitial: {y: 0.01, x': 1}\n",
      stiffness);
  return run_text(text, stepper, 1e-12, 10.0);
}

static void stiffness_costs_nothing(void **ctx)
{
  static const char *const stiffness[] = {"1e8", "1e10", "1e12"};
  (void)ctx;
  const outcome by_series = soft_floor("1e7", AMO_STEPPER_TAYLOR), same = soft_floor("1e7", AMO_STEPPER_AUTO);
  near("x", same.y[0], by_series.y[0], 1e-10);
  near("x'", same.y[2], by_series.y[2], 1e-10);
  assert_int_equal(same.stats.events, by_series.stats.events);
  for (int i = 0; i < 3; i++) {
    const outcome r = soft_floor(stiffness[i], AMO_STEPPER_AUTO);
    assert_true(r.stats.implicit > 0 && r.stats.steps < 2000);  // by series 10^4, 10^5 and 10^6
    near("x", r.y[0], -6.3348976, 1e-6);
    near("x'", r.y[2], -19.859906, 1e-6);
  }
}

static void relaxations_are_found(void **ctx)
{
  (void)ctx;
  const outcome r = run_text(van_der_pol, AMO_STEPPER_AUTO, 1e-12, 2.0);
  near("x", r.y[2], 1.706167732170483, 1e-11);
  near("y", r.y[3], -0.8928097010247975, 1e-11);
  assert_true(r.stats.implicit > 0 && r.stats.implicit < r.stats.steps && r.stats.steps < 1000);
}

// x'' = w^2 (sin t - x) without damping: a fast oscillation of 1e-7 beside a slow motion does not decay and stays.
static void small_oscillations_stay(void **ctx)
{
  (void)ctx;
  const double w = 2e3, large = w * w / (w * w - 1.0), small = 1e-7, t = 3.0;
  char text[400];
  snprintf(text, sizeof text,
           "amontons: 1\nname: swing\ncoordinates: {x: {}}\nparticles: {p: {mass: 1, at: [x, 0]}}\n"
           "forces: {x: \"%.17g*(sin(t) - x)\"}\ninitial: {x: %.17g, x': %.17g}\n",
           w * w, small, large);
  const outcome r = run_text(text, AMO_STEPPER_AUTO, 1e-12, t);
  const double want = large * sin(t) + small * cos(w * t);
  if (!(fabs(r.y[0] - want) <= 1e-11)) fail_msg("the oscillation is lost: off by %.1e", r.y[0] - want);
}

// A pulse of 1 ms far ahead, beside a decay at 1e4/s that has long died out: long steps do not pass over it.
static void pulses_are_met(void **ctx)
{
  (void)ctx;
  const outcome r =
      run_text("amontons: 1\nname: pulse\ncoordinates: {x: {}}\nparticles: {p: {mass: 1, at: [x, 0]}}\n"
               "forces: {x: \"-1e4*(x' - 0.1*sin(t))\"}\n"
               "states: {s: {rate: \"exp(-((t - 7.3)/0.001)^2)\", initial: 0}}\n",
               AMO_STEPPER_AUTO, 1e-12, 10.0);
  near("area", r.y[2], 0.001 * sqrt(acos(-1.0)), 1e-11);
  assert_true(r.stats.implicit > 0 && r.stats.steps < 5000);
}

// ---- earthquakes: velocities over 14 decades ----

#define FAULT                                                                                              \
  "parameters: {m: 1e4, eta: 4.6e6, sigma: 50e6, a: 0.01, b: 0.015, D: 0.008, V: 1e-9, vs: 1e-6, f0: 0.6," \
  " k: 0.5*sigma*(b - a)/D, th0: 0.9*D/V, z0: \"V/(2*vs)*exp((f0 + b*log(vs*th0/D))/a)\","                 \
  " tau0: \"sigma*a*log(z0 + sqrt(z0^2 + 1)) + eta*V\"}\n"

// A fault of 50 MPa with rate-and-state friction, regularised, and radiation damping, at half the critical stiffness.
static const char fault[] =
    "amontons: 1\nname: fault\n" FAULT "coordinates: {x: {}}\nparticles: {p: {mass: m, at: [x, 0]}}\n"
    "springs: {s: {along: V*t + tau0/k - x, stiffness: k}}\ndampers: {d: {along: x, damping: eta}}\n"
    "definitions: {z: \"x'/(2*vs)*exp((f0 + b*log(vs*th/D))/a)\"}\n"
    "states: {th: {rate: \"1 - x'*th/D\", initial: th0}}\n"
    "forces: {x: \"-sigma*a*log(z + sqrt(z^2 + 1))\"}\ninitial: {x': V}\n";

// The same by the law of the contact.
static const char fault_by_law[] =
    "amontons: 1\nname: fault\n" FAULT "coordinates: {x: {}}\nparticles: {p: {mass: m, at: [x, 0]}}\n"
    "springs: {s: {along: V*t + tau0/k - x, stiffness: k}}\ndampers: {d: {along: x, damping: eta}}\n"
    "contacts: {plane: {pressed: sigma, slip: x', law: {type: rate-and-state, mu: f0, a: a, b: b, length: D, "
    "speed: vs, "
    "theta: log(vs*th0/D), evolution: aging, form: regularised}}}\ninitial: {x': V}\n";

// The same in logarithms, which makes all errors relative ones.
static const char fault_in_logarithms[] = IDLE FAULT
    "definitions: {v: exp(lv), l: \"lv - log(2*vs) + (f0 + b*(log(vs/D) + lth))/a\"}\n"
    "states:\n  lv: {rate: \"(tau0 + k*(V*t - x) - eta*v - sigma*a*(l + log(1 + sqrt(1 + "
    "exp(-2*l)))))/(m*v)\", "
    "initial: log(V)}\n  lth: {rate: \"exp(-lth) - v/D\", initial: log(th0)}\n  x: {rate: v, initial: 0}\n";

static void faults_quake(void **ctx)
{
  (void)ctx;
  amo_model *m = motion_model(fault_in_logarithms);
  amo_sim *s = motion_sim(m, 1e-12);
  assert_int_equal(motion_advance(s, 3e9), AMO_OK);  // 95 years, six earthquakes
  const double v = exp(amo_sim_state(s)[2]), th = exp(amo_sim_state(s)[3]), x = amo_sim_state(s)[4];
  amo_sim_free(s);
  amo_model_free(m);
  const outcome r = run_text(fault, AMO_STEPPER_AUTO, 1e-12, 3e9);
  near("x", r.y[0], x, 1e-12);
  near("x', of 0.8 m/s at most", r.y[1], v, 1e-11);
  near("theta", r.y[2], th, 1e-11);
  const outcome l = run_text(fault_by_law, AMO_STEPPER_AUTO, 1e-12, 3e9);
  near("x by the law", l.y[0], x, 1e-12);
  near("x' by the law", l.y[1], v, 1e-11);
  assert_true(r.stats.steps < 5000 && l.stats.steps < 5000);
}

// ---- errors fall with tol ----

static void errors_follow_tol(void **ctx)
{
  (void)ctx;
  for (double tol = 1e-6; tol > 1e-12; tol *= 1e-2) {
    const outcome r = run_text(van_der_pol, AMO_STEPPER_RADAU, tol, 2.0);
    near("x at a given tol", r.y[2], 1.706167732170483, 10.0 * tol);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(oscillates_and_relaxes),
      cmocka_unit_test(oscillates_as_a_mechanism),
      cmocka_unit_test(reacts_slowly),
      cmocka_unit_test(grows_in_light),
      cmocka_unit_test(goes_as_series_do),
      cmocka_unit_test(errors_follow_tol),
      cmocka_unit_test(stiffness_costs_nothing),
      cmocka_unit_test(relaxations_are_found),
      cmocka_unit_test(small_oscillations_stay),
      cmocka_unit_test(pulses_are_met),
      cmocka_unit_test(faults_quake),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
