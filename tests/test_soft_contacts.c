// SPDX-License-Identifier: Apache-2.0
/// Contacts that give way run on: a rod whose tip slides on an elastic floor into Painleve's paradox and chatters there; a ball that
/// has come to stick on a rough plane (Hertz) when it lifts off.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/motion.h"

static double any(double from, double to)
{
  static uint64_t seed = 11;
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return from + (to - from) * (double)(seed >> 11) / 9007199254740992.0;
}

static void run(const char *text)
{
  amo_model *m = motion_model(text);
  amo_sim *s = motion_sim(m, 1e-12);
  if (motion_advance(s, 2.0) != AMO_OK) fail_msg("%s\n%s", amo_sim_message(s), text);
  assert_true(motion_audit(s));
  amo_sim_free(s);
  amo_model_free(m);
}

/// Where a reaction of 1e6 N/m falls to nothing, friction gives way by its own size in 1e-15 s.
static void runs_to_the_end(double mu, double angle, double stiffness)
{
  char text[700];
  snprintf(text, sizeof text,
           "amontons: 1\nname: rod\nparameters: {th0: %.17g}\ncoordinates: [x, y, th]\ngravity: 9.81\n"
           "bodies: {rod: {mass: 1, inertia: 1, at: [x, y], angle: th}}\ncontacts:\n"
           "  tip: {support: {point: {on: rod, at: [-1, 0]}, line: {through: [0, 0], along: 0}}, "
           "law: {type: coulomb, mu: %.17g}, stiffness: %.17g}\n"
           "initial: {y: sin(th0), th: th0, x': 1}\n",
           angle, mu, stiffness);
  run(text);
}

/// Thrown at an angle to a plane that rises by `slope`, with weight across it only: no force asks for friction once it sticks.
static void bounces(double mu, double slope, double stiffness)
{
  char text[700];
  snprintf(
      text, sizeof text,
      "amontons: 1\nname: ball\nparameters: {a: %.17g}\ncoordinates: [x, y, f]\n"
      "gravity: [9.81*sin(a), -9.81*cos(a)]\nbodies: {ball: {mass: 1, inertia: 0.4, at: [x, y], angle: f}}\n"
      "contacts:\n  plane: {support: -x*sin(a) + y*cos(a) - 1, slip: \"x'*cos(a) + y'*sin(a) + f'\", "
      "stiffness: {k: %.17g, exponent: 1.5}, law: {type: coulomb, mu: %.17g}}\n"
      "initial: {x: -1.01*sin(a), y: 1.01*cos(a), x': cos(a) + 1.4*sin(a), y': sin(a) - 1.4*cos(a)}\n",
      slope, stiffness, mu);
  run(text);
}

static void rods(void **state)
{
  (void)state;
  runs_to_the_end(1.0, 135.0 * acos(-1.0) / 180.0, 1e6);
  for (int i = 0; i < 20; i++) runs_to_the_end(any(0.3, 4.0), any(1.8, 2.8), pow(10.0, any(4.0, 7.0)));
}

static void balls(void **state)
{
  (void)state;
  bounces(0.5, 0.0, 1e7);
  for (int i = 0; i < 12; i++) bounces(any(0.3, 2.0), any(-1.0, 1.0), pow(10.0, any(5.0, 9.0)));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(rods), cmocka_unit_test(balls)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
