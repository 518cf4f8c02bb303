// SPDX-License-Identifier: Apache-2.0
// Right-hand sides that are continuous but not smooth at a point: sqrt(p), (-y)^1.5 and |z|^n at their zero. Judged by closed forms,
// by the classical Runge-Kutta method with small steps, and by the same mechanism written otherwise.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/motion.h"

static void near(const char *what, double got, double want, double tol)
{
  if (!(fabs(got - want) <= tol))
    fail_msg("%s: got %.15g, want %.15g, difference %.2e, allowed %.2e", what, got, want, got - want, tol);
}

// All states of a model at t_end; the audit must pass. Returns the number of events.
static long run(const char *model, double t_end, double *y)
{
  amo_model *m = motion_model(model);
  assert_non_null(m);
  amo_sim *s = motion_sim(m, 1e-12);
  assert_non_null(s);
  const amo_status st = motion_advance(s, t_end);
  if (st != AMO_OK) fail_msg("stopped at t = %.12g: %s", amo_sim_time(s), amo_sim_message(s));
  assert_true(motion_audit(s));
  for (size_t i = 0; i < amo_model_states(m); i++) y[i] = amo_sim_state(s)[i];
  const long events = amo_sim_stats(s)->events;
  amo_sim_free(s);
  amo_model_free(m);
  return events;
}

// ---- a ball strikes an elastic floor (Hertz) ----

#define BALL                                                                                 \
  "amontons: 1\nname: ball\nparameters: {kh: 1e6, g: %s}\ncoordinates: [x, y]\ngravity: g\n" \
  "particles: {p: {mass: 1, at: [x, y]}}\ndefinitions: {N: \"kh*max(-y, 0)^1.5\"}\nforces: {y: N}\n"

// Time of contact 2 d/v * integral of 1/sqrt(1 - z^2.5), where d is the deepest point.
static void hertz_returns(void **ctx)
{
  (void)ctx;
  char text[600];
  double y[4];
  snprintf(text, sizeof text, BALL "initial: {y: 0.01, y': -1}\n", "0");
  const double pi = acos(-1.0), d = pow(5.0 / 4e6, 0.4);
  const double contact = 0.8 * sqrt(pi) * tgamma(0.4) / tgamma(0.9) * d;
  assert_int_equal(run(text, 0.1, y), 2);
  near("speed", y[3], 1.0, 1e-10);
  near("height", y[1], 0.1 - 0.01 - contact, 1e-11);
}

// Under gravity it bounces for ever to the same height, and rubs only while it touches. Two events for each bounce.
static void hertz_bounces(void **ctx)
{
  (void)ctx;
  char text[900];
  double y[4];
  snprintf(text, sizeof text,
           BALL "contacts: {c: {pressed: N, slip: x', law: {type: coulomb, mu: 0.01}}}\n"
                "initial: {y: 0.01, x': 1}\n",
           "9.81");
  assert_int_equal(run(text, 0.99, y), 18);
  near("energy", 0.5 * y[3] * y[3] + 9.81 * y[1], 9.81 * 0.01, 1e-11);
  near("speed along", y[2], 1.0 - 0.01 * (9.81 * 0.99 + y[3]), 1e-11);  // mu times the impulse of the floor
}

// ---- vessels ----

#define VESSEL                                                                           \
  "amontons: 1\nname: vessel\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n" \
  "springs: {k: {along: x, stiffness: 1}}\nstates: {p: {rate: \"%s\", initial: %s}}\ninitial: {x: 1}\n"

static void vessel_fills(void **ctx)
{
  (void)ctx;
  char text[600];
  double y[3];
  snprintf(text, sizeof text, VESSEL, "1 - sqrt(p)", "0");
  run(text, 5.0, y);
  const double root = sqrt(y[2]);
  near("time", -2.0 * (root + log1p(-root)), 5.0, 1e-10);
  near("x", y[0], cos(5.0), 1e-10);
}

static void vessel_empties(void **ctx)
{
  (void)ctx;
  char text[600];
  double y[3];
  snprintf(text, sizeof text, VESSEL, "-sqrt(max(p, 0))", "1");
  run(text, 1.5, y);
  near("p", y[2], 0.0625, 1e-11);
  run(text, 5.0, y);
  near("p", y[2], 0.0, 1e-11);
  near("x", y[0], cos(5.0), 1e-10);
}

// ---- drag with the root of speed ----

static void drag_stops(void **ctx)
{
  (void)ctx;
  double y[2];
  run("amontons: 1\nname: drag\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
      "forces: {x: \"-0.5*sqrt(abs(x'))*sign(x')\"}\ninitial: {x': 1}\n",
      7.0, y);
  near("x", y[0], 4.0 / 3.0, 1e-10);
  near("x'", y[1], 0.0, 1e-10);
}

typedef void rates(double t, const double *y, double *d);

static void rk4(rates *f, int n, double t_end, int steps, double *y)
{
  const double h = t_end / steps, part[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
  for (int i = 0; i < steps; i++) {
    double d[3] = {0}, z[3], sum[3] = {0};
    for (int s = 0; s < 4; s++) {
      for (int k = 0; k < n; k++) z[k] = y[k] + part[s] * h * d[k];
      f((i + part[s]) * h, z, d);
      for (int k = 0; k < n; k++) sum[k] += weight[s] * d[k] / 6.0;
    }
    for (int k = 0; k < n; k++) y[k] += h * sum[k];
  }
}

static void dragged(double t, const double *y, double *d)
{
  (void)t;
  d[0] = y[1];
  d[1] = -y[0] - 0.1 * copysign(sqrt(fabs(y[1])), y[1]);
}

static void drag_on_a_spring(void **ctx)
{
  (void)ctx;
  double y[2], z[2] = {1.0, 0.0};
  run("amontons: 1\nname: drag\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
      "springs: {k: {along: x, stiffness: 1}}\nforces: {x: \"-0.1*sqrt(abs(x'))*sign(x')\"}\ninitial: {x: "
      "1}\n",
      20.0, y);
  rk4(dragged, 2, 20.0, 400000, z);
  near("x", y[0], z[0], 2e-8);
  near("x'", y[1], z[1], 2e-8);
}

// The same block, pressed by its weight as a number or by a floor that finds it.
static void drag_on_a_floor(void **ctx)
{
  (void)ctx;
  static const char block[] =
      "amontons: 1\nname: drag\nparameters: {g: 9.81}\ncoordinates: [x, y]\ngravity: g\n"
      "particles: {b: {mass: 1, at: [x, y]}}\nsprings: {k: {along: x, stiffness: 30}}\n"
      "forces: {x: \"-0.1*sqrt(abs(x'))*sign(x')\"%s}\n"
      "contacts: {c: {%s, slip: x', law: {type: coulomb, mu: 0.1}}}\ninitial: {x: 1}\n";
  char text[900];
  double a[4], b[4];
  for (int i = 1; i <= 8; i++) {
    snprintf(text, sizeof text, block, "", "support: y");
    run(text, 1.1 * i, a);
    snprintf(text, sizeof text, block, ", y: g", "pressed: g");
    run(text, 1.1 * i, b);
    near("x", a[0], b[0], 1e-10);
    near("x'", a[2], b[2], 1e-9);
  }
}

// ---- hysteresis of Bouc and Wen ----

static void hysteresis(double t, const double *y, double *d)
{
  d[0] = y[1];
  d[1] = 3.0 * cos(t) - 1.5 * y[0] - 3.5 * y[2] - 0.1 * y[1];
  d[2] = y[1] - 2.0 * fabs(y[1]) * pow(fabs(y[2]), 0.5) * y[2] - y[1] * pow(fabs(y[2]), 1.5);
}

static void bouc_wen(void **ctx)
{
  (void)ctx;
  double y[3], z[3] = {0.0};
  run("amontons: 1\nname: boucwen\nparameters: {n: 1.5}\ncoordinates: [x]\n"
      "particles: {b: {mass: 1, at: [x, 0]}}\ndampers: {d: {along: x, damping: 0.1}}\n"
      "states: {z: {rate: \"x' - 2*abs(x')*abs(z)^(n - 1)*z - x'*abs(z)^n\", initial: 0}}\n"
      "forces: {x: 3*cos(t) - 1.5*x - 3.5*z}\n",
      20.0, y);
  rk4(hysteresis, 3, 20.0, 200000, z);
  near("x", y[0], z[0], 1e-8);
  near("x'", y[1], z[1], 1e-8);
  near("z", y[2], z[2], 1e-8);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hertz_returns),   cmocka_unit_test(hertz_bounces), cmocka_unit_test(vessel_fills),
      cmocka_unit_test(vessel_empties),  cmocka_unit_test(drag_stops),    cmocka_unit_test(drag_on_a_spring),
      cmocka_unit_test(drag_on_a_floor), cmocka_unit_test(bouc_wen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
