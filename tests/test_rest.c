// SPDX-License-Identifier: Apache-2.0
// A body stopped by friction is at rest: velocity 0.0, not small, and the same position bit by bit at any later time.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/motion.h"

static const double LATER[] = {100.0, 101.0, 5e3, 123456.789, 1e6};

// Run to t = 50, by when everything must have stopped; then look again and again. Returns the state at rest.
static void stays_at_rest(const char *text, size_t coordinates, const double *start, double *rest)
{
  static motion got;
  amo_model *m = motion_model(text);
  assert_non_null(m);
  amo_sim *s = motion_sim(m, 1e-12);
  assert_non_null(s);
  assert_true(amo_model_coordinates(m) == coordinates);
  assert_int_equal(amo_sim_start(s, 0.0, start), AMO_OK);
  assert_int_equal(motion_advance(s, 50.0), AMO_OK);
  for (size_t c = 0; c < amo_model_contacts(m); c++) assert_int_equal(amo_sim_mode(s, c), AMO_STICK);
  memcpy(rest, amo_sim_state(s), 2 * coordinates * sizeof *rest);
  for (size_t k = 0; k < sizeof LATER / sizeof *LATER; k++) {
    assert_int_equal(motion_run(s, 0, LATER[k], &got), AMO_OK);
    assert_int_equal(got.events, 0);
    const double *x = amo_sim_state(s), *u = x + coordinates;
    for (size_t i = 0; i < coordinates; i++) {
      if (x[i] != rest[i]) fail_msg("t = %g: position %zu is %.17g, was %.17g", LATER[k], i, x[i], rest[i]);
      if (u[i] != 0.0) fail_msg("t = %g: velocity %zu is %g", LATER[k], i, u[i]);
    }
    for (size_t c = 0; c < amo_model_contacts(m); c++) assert_int_equal(amo_sim_mode(s, c), AMO_STICK);
  }
  assert_true(motion_audit(s));
  amo_sim_free(s);
  amo_model_free(m);
}

// Sliding up an incline steeper than nothing, flatter than the friction angle: stops after v^2/(2 g (sin + mu cos)) and
// does not slide back. x along the incline, gravity's component as a load.
static void incline(void **state)
{
  (void)state;
  const char *text = "amontons: 1\n"
                     "name: incline\n"
                     "parameters: {m: 2, g: 9.81, a: 0.35, mu: 0.4}\n"
                     "coordinates: [x]\n"
                     "particles: {crate: {mass: m, at: [x, 0]}}\n"
                     "loads: {weight: {on: crate, force: [-m*g*sin(a), 0]}}\n"
                     "contacts: {plane: {pressed: m*g*cos(a), slip: x', law: {type: coulomb, mu: mu}}}\n"
                     "initial: {x: 0}\n";
  const double start[2] = {0.1, 3.0};
  double rest[2];
  stays_at_rest(text, 1, start, rest);
  const double stop = 0.1 + 9.0 / (2.0 * 9.81 * (sin(0.35) + 0.4 * cos(0.35)));
  assert_true(fabs(rest[0] - stop) < 1e-12);
}

// Two blocks coupled by springs on rough ground: both stop, held by friction against the springs.
static void two_blocks(void **state)
{
  (void)state;
  const char *text = "amontons: 1\n"
                     "name: two-blocks\n"
                     "parameters: {m: 1, k: 1, c: 1.7, F1: 0.3, F2: 0.21}\n"
                     "coordinates: [x, y]\n"
                     "particles: {a: {mass: m, at: [x, 0]}, b: {mass: 1.4*m, at: [y, 0]}}\n"
                     "energy: {potential: k/2*x^2 + c/2*(y - x)^2}\n"
                     "contacts:\n"
                     "  left: {pressed: 1, slip: x', law: {type: coulomb, mu: F1}}\n"
                     "  right: {pressed: 1, slip: y', law: {type: coulomb, mu: F2}}\n"
                     "initial: {x: 1}\n";
  const double start[4] = {1.1, -0.7, 0.4, 2.0};
  double r[4];
  stays_at_rest(text, 2, start, r);
  assert_true(fabs(-r[0] + 1.7 * (r[1] - r[0])) <= 0.3);  // forces within the bounds
  assert_true(fabs(1.7 * (r[1] - r[0])) <= 0.21);
}

// Two blocks tied by a contact between them and one to the ground: the slip of the first depends on both velocities.
static void stack(void **state)
{
  (void)state;
  const char *text = "amontons: 1\n"
                     "name: stack\n"
                     "parameters: {m: 1, M: 3, k: 2, g: 9.81, mu: 0.25, nu: 0.05}\n"
                     "coordinates: [x, y]\n"
                     "particles: {top: {mass: m, at: [x, 1]}, sled: {mass: M, at: [y, 0]}}\n"
                     "energy: {potential: k/2*y^2}\n"
                     "contacts:\n"
                     "  between: {pressed: m*g, slip: x' - y', law: {type: coulomb, mu: mu}}\n"
                     "  ground: {pressed: (m + M)*g, slip: y', law: {type: coulomb, mu: nu}}\n"
                     "initial: {x: 0}\n";
  const double start[4] = {0.0, 2.3, 5.0, -1.0};
  double r[4];
  stays_at_rest(text, 2, start, r);
  assert_true(fabs(2.0 * r[1]) <= 0.05 * 4.0 * 9.81);
}

// Static friction that grows with the time of rest: once stopped it can only be held better. The law's own clock runs.
static void aging(void **state)
{
  (void)state;
  const char *text = "amontons: 1\n"
                     "name: aging\n"
                     "parameters: {m: 1, k: 1, Fs: 0.4}\n"
                     "coordinates: [x]\n"
                     "particles: {block: {mass: m, at: [x, 0]}}\n"
                     "energy: {potential: k/2*x^2}\n"
                     "contacts: {floor: {pressed: 1, slip: x', law: {type: aging, static: Fs, kinetic: Fs/(1 "
                     "+ 0.5*s), growth: 2, rate: 0.1}}}\n"
                     "initial: {x: 1}\n";
  double start[3] = {3.0, -0.5, 0.0}, rest[2];
  stays_at_rest(text, 1, start, rest);
  assert_true(fabs(rest[0]) <= 0.8);
}

// At rest from the beginning, force at a hair below the bound: no creep, no event.
static void at_the_bound(void **state)
{
  (void)state;
  const char *text = "amontons: 1\n"
                     "name: bound\n"
                     "coordinates: [x]\n"
                     "particles: {block: {mass: 1, at: [x, 0]}}\n"
                     "energy: {potential: x^2/2}\n"
                     "contacts: {floor: {pressed: 1, slip: x', law: {type: coulomb, mu: 1}}}\n"
                     "initial: {x: 0}\n";
  const double near = nextafter(1.0, 0.0), on = 1.0;
  double rest[2];
  stays_at_rest(text, 1, (const double[2]){near, 0.0}, rest);
  assert_true(rest[0] == near);
  stays_at_rest(text, 1, (const double[2]){-near, 0.0}, rest);
  assert_true(rest[0] == -near);
  stays_at_rest(text, 1, (const double[2]){on, 0.0}, rest);  // |F| <= bound holds with equality
  assert_true(rest[0] == on);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(incline), cmocka_unit_test(two_blocks),   cmocka_unit_test(stack),
      cmocka_unit_test(aging),   cmocka_unit_test(at_the_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
