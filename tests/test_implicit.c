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
             {"spatial-turn", 2.0},   {"bouncing-ball", 2.0},     {"chain-on-guides", 2.0}};
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
      cmocka_unit_test(oscillates_and_relaxes), cmocka_unit_test(oscillates_as_a_mechanism),
      cmocka_unit_test(reacts_slowly),          cmocka_unit_test(grows_in_light),
      cmocka_unit_test(goes_as_series_do),      cmocka_unit_test(errors_follow_tol),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
