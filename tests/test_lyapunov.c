// SPDX-License-Identifier: Apache-2.0
// Lyapunov exponents against eigenvalues of linear systems, multipliers of known cycles, the Lorenz system, and the sum
// rule (mean divergence plus jumps at events), which is computed another way.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>
#include <stdio.h>

#include "orbit/frame.h"
#include "support/motion.h"
#include "support/near.h"

typedef struct ride {
  amo_model *m;
  amo_sim *s;
  amo_lyapunov *l;
  const amo_lyapunov_result *r;
} ride;

static ride go(const char *text, double after, double until, size_t blocks)
{
  ride w = {.m = motion_model(text)};
  assert_non_null(w.m);
  w.s = motion_sim(w.m, 1e-12);
  assert_non_null(w.s);
  assert_int_equal(amo_lyapunov_new(w.m, after, until, blocks, &w.l), AMO_OK);
  assert_int_equal(amo_lyapunov_start(w.l, w.s), AMO_OK);
  while (amo_sim_time(w.s) < until) {
    assert_int_equal(amo_sim_step(w.s, amo_sim_time(w.s) < after ? after : until), AMO_OK);
    if (amo_lyapunov_step(w.l, w.s) != AMO_OK) fail_msg("%s", amo_lyapunov_message(w.l));
  }
  assert_true(motion_audit(w.s));
  assert_int_equal(amo_lyapunov_finish(w.l, &w.r), AMO_OK);
  for (size_t i = 0; i < w.r->count; i++)
    printf("  %zu: %.10g +- %.2g\n", i, w.r->exponent[i].value, w.r->exponent[i].error);
  printf("  sum %.12g, divergence %.12g, dimension %.6g\n", w.r->sum, w.r->divergence, w.r->kaplan_yorke);
  return w;
}

static void end(ride *w)
{
  amo_lyapunov_free(w->l);
  amo_sim_free(w->s);
  amo_model_free(w->m);
}

// Two coupled overdamped masses: four real eigenvalues of known sum.
static void linear(void **state)
{
  (void)state;
  ride w = go("amontons: 1\nparameters: {c: 5}\ncoordinates: [a, b]\n"
              "energy: {kinetic: a'^2/2 + b'^2/2, potential: a^2/2 + 3*b^2/2 + (a - b)^2/2}\n"
              "forces: {a: -c*a', b: -2*c*b'}\ninitial: {a: 1, b: 0.4}\n",
              20, 420, 20);
  for (int i = 0; i < 4; i++) {
    double s = w.r->exponent[i].value;
    for (int k = 0; k < 20; k++) {  // the root of (s^2 + 5s + 2)(s^2 + 10s + 4) = 1 beside it
      const double p = s * s + 5 * s + 2, q = s * s + 10 * s + 4;
      s -= (p * q - 1.0) / ((2 * s + 5) * q + p * (2 * s + 10));
    }
    assert_near(w.r->exponent[i].value, s, i < 2 ? 1e-5 : 1e-9);
    assert_true(i == 0 || s < w.r->exponent[i - 1].value - 0.1);
  }
  assert_near(w.r->sum, -15.0, 1e-9);
  assert_near(w.r->divergence, -15.0, 1e-11);
  assert_near(w.r->kaplan_yorke, 0.0, 0);
  assert_int_equal(w.r->finite, 4);
  end(&w);
}

// Quasi-harmonic cycle without stick (hump in the friction curve): T = 6.288395340, multiplier 0.6239099797.
static void cycle_without_events(void **state)
{
  (void)state;
  ride w = go("amontons: 1\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
              "energy: {potential: x^2/2}\nforces: {x: -0.02*x'}\n"
              "contacts: {belt: {pressed: 1, slip: x' - 0.2, law: {type: hump, level: 1, height: 0.02, "
              "speed: 0.1}}}\n"
              "initial: {x: 1.2}\n",
              200 * 6.288395340, 400 * 6.288395340, 10);
  assert_near(w.r->exponent[0].value, 0.0, 1e-10);
  assert_near(w.r->exponent[1].value, log(0.6239099797) / 6.288395340, 1e-9);
  assert_near(w.r->sum, w.r->divergence, 1e-11);
  assert_near(w.r->kaplan_yorke, 1.0, 1e-3);
  assert_true(w.r->autonomous);
  end(&w);
}

// PID hunting: T = 24.00913440352, multipliers 1, 0.192182825733, 0.
static void cycle_with_stick(void **state)
{
  (void)state;
  const double T = 24.00913440352;
  ride w = go("amontons: 1\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
              "states: {y: {rate: x, initial: 0}}\nforces: {x: -4*x - x' - 2*y}\n"
              "contacts: {guide: {pressed: 1, slip: x', law: {type: stiction, static: 1.5, kinetic: 1}}}\n"
              "initial: {x: 1}\n",
              40 * T, 80 * T, 10);
  assert_int_equal(w.r->finite, 2);
  assert_near(w.r->exponent[0].value, 0.0, 1e-5);
  assert_near(w.r->exponent[1].value, log(0.192182825733) / T, 1e-5);
  assert_true(w.r->exponent[2].value == -INFINITY);
  assert_true(isnan(w.r->divergence));
  assert_near(w.r->kaplan_yorke, 1.0, 1e-3);
  end(&w);
}

// Forced Coulomb friction, fast enough not to stick: every reversal is a jump of determinant other than 1.
static void jumps(void **state)
{
  (void)state;
  ride w =
      go("amontons: 1\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\nenergy: {potential: x^2/2}\n"
         "forces: {x: 2*cos(1.7*t) - 0.1*x'}\n"
         "contacts: {floor: {pressed: 1, slip: x', law: {type: curve, static: 0.3, kinetic: 0.3/(1 + s)}}}\n"
         "initial: {x: 1}\n",
         100, 400, 10);
  assert_int_equal(w.r->finite, 2);
  assert_true(w.r->events > 50);
  assert_near(w.r->sum, w.r->divergence, 1e-10);
  assert_false(w.r->autonomous);
  end(&w);
}

// Lorenz' system, sigma = 10, r = 28, b = 8/3: 0.9056, 0, -14.5723; the sum is -41/3.
static void lorenz(void **state)
{
  (void)state;
  ride w = go(
      "amontons: 1\ncoordinates: [q]\nenergy: {kinetic: q'^2/2, potential: q^2/2}\nforces: {q: -5*q' - 5*q}\n"
      "states:\n  x: {rate: 10*(y - x), initial: 1}\n  y: {rate: x*(28 - z) - y, initial: 1}\n"
      "  z: {rate: x*y - 8/3*z, initial: 20}\n",
      20, 620, 20);
  // the overdamped q is only there because a model has a coordinate: -2 and -3
  const amo_exponent *e = w.r->exponent;
  assert_near(e[0].value, 0.9056, 5 * e[0].error);
  assert_true(e[0].error < 0.02);
  assert_near(e[1].value, 0.0, 5 * e[1].error);
  assert_near(e[2].value, -2, 1e-3);
  assert_near(e[3].value, -3, 1e-3);
  assert_near(e[4].value, -14.5723, 5 * e[4].error);
  assert_near(w.r->sum, -5.0 - 41.0 / 3.0, 1e-9);
  assert_near(w.r->kaplan_yorke, 2.0 + e[0].value / 2.0, 1e-12);
  assert_near(w.r->divergence, w.r->sum, 1e-9);
  end(&w);
}

// A block that comes to rest: nothing moves, one direction is neutral, one is lost.
static void rest(void **state)
{
  (void)state;
  ride w =
      go("amontons: 1\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\nenergy: {potential: x^2/2}\n"
         "contacts: {floor: {pressed: 1, slip: x', law: {type: curve, static: 1, kinetic: 0.8}}}\n"
         "initial: {x: 5.3}\n",
         50, 150, 10);
  assert_int_equal(w.r->finite, 1);
  assert_true(w.r->exponent[1].value == -INFINITY);
  assert_near(w.r->exponent[0].value, 0.0, 1e-12);
  end(&w);
}

static void frames(void **state)
{
  (void)state;
  const double weight[] = {1, 10, 0.1};
  double y[9] = {1, 2, 3, 2, 4, 6, 0, 1, 5}, growth[3];
  assert_int_equal(amo_frame_orthonormalise(y, 3, 3, weight, growth), 2);
  assert_true(growth[0] > 0 && growth[1] == 0.0 && growth[2] > 0);
  double length = 0, angle = 0;
  for (int i = 0; i < 3; i++) {
    length += weight[i] * weight[i] * y[3 + i] * y[3 + i];
    angle += weight[i] * weight[i] * y[3 + i] * y[i];
  }
  assert_near(length, 1.0, 1e-14);
  assert_near(angle, 0.0, 1e-14);
}

// A damped pendulum on a rod: as constraint in x and y, and in its angle. Two exponents, -c/2 near the bottom.
static void constraint(void **state)
{
  (void)state;
  ride w = go("amontons: 1\ncoordinates: [x, y]\nparticles: {b: {mass: 1, at: [x, y]}}\ngravity: 9.81\n"
              "forces: {x: -0.5*x', y: -0.5*y'}\nconstraints: {rod: x^2 + y^2 = 1}\ninitial: {x: 0.3, y: "
              "-sqrt(0.91)}\n",
              20, 220, 20);
  assert_int_equal(w.r->count, 2);
  assert_int_equal(w.r->finite, 2);
  assert_near(w.r->sum, -0.5, 1e-6);
  assert_near(w.r->exponent[0].value, -0.25, 1e-2);
  assert_near(w.r->exponent[1].value, -0.25, 1e-2);
  end(&w);
}

// A driven, damped pendulum in chaos (Gwinn and Westervelt: damping 0.5, amplitude 1.2, frequency 2/3): by angle, and with
// the bob on a rod. The motions part, the exponents agree.
static void driven_pendulum(void **state)
{
  (void)state;
  ride a = go("amontons: 1\ncoordinates: [p]\nenergy: {kinetic: p'^2/2, potential: -cos(p)}\n"
              "forces: {p: -0.5*p' + 1.2*cos(2/3*t)}\ninitial: {p: 0.2}\n",
              100, 1100, 20);
  ride b = go("amontons: 1\ncoordinates: [x, y]\nenergy: {kinetic: x'^2/2 + y'^2/2, potential: y}\n"
              "forces: {x: -0.5*x' - 1.2*cos(2/3*t)*y, y: -0.5*y' + 1.2*cos(2/3*t)*x}\n"
              "constraints: {rod: x^2 + y^2 = 1}\ninitial: {x: sin(0.2), y: -cos(0.2)}\n",
              100, 1100, 20);
  assert_int_equal(b.r->count, 2);
  assert_true(a.r->exponent[0].value > 0.05);
  assert_near(b.r->exponent[0].value, a.r->exponent[0].value,
              5 * hypot(a.r->exponent[0].error, b.r->exponent[0].error));
  assert_near(a.r->sum, -0.5, 1e-10);
  assert_near(b.r->sum, -0.5, 2e-3);
  end(&a);
  end(&b);
}

static void bad_input(void **state)
{
  (void)state;
  amo_model *m = motion_model("amontons: 1\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n");
  amo_lyapunov *l = NULL;
  assert_non_null(m);
  assert_int_equal(amo_lyapunov_new(m, 1, 1, 10, &l), AMO_ERANGE);
  assert_int_equal(amo_lyapunov_new(m, 0, 1, 1, &l), AMO_ERANGE);
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(frames),
                                     cmocka_unit_test(linear),
                                     cmocka_unit_test(cycle_without_events),
                                     cmocka_unit_test(cycle_with_stick),
                                     cmocka_unit_test(jumps),
                                     cmocka_unit_test(lorenz),
                                     cmocka_unit_test(rest),
                                     cmocka_unit_test(constraint),
                                     cmocka_unit_test(driven_pendulum),
                                     cmocka_unit_test(bad_input)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
