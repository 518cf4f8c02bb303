// SPDX-License-Identifier: Apache-2.0
// The engine (Lagrange's equations by exact differentiation, Taylor steps) against equations of motion derived by hand
// from Newton's laws and integrated here by the classical Runge-Kutta method with small fixed steps, two step sizes giving
// the error of this second method.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/motion.h"

enum { DIM = 6 };
static const double PI = 3.14159265358979323846, G = 9.81;

typedef void rhs_fn(double t, const double *y, double *dy);

static void rk4(rhs_fn *f, int n, double t0, double t1, long steps, double *y)
{
  const double h = (t1 - t0) / (double)steps;
  for (long i = 0; i < steps; i++) {
    const double t = t0 + (double)i * h;
    double k[4][DIM], z[DIM];
    f(t, y, k[0]);
    for (int s = 1; s < 4; s++) {
      const double c = s == 3 ? h : 0.5 * h;
      for (int j = 0; j < n; j++) z[j] = y[j] + c * k[s - 1][j];
      f(t + c, z, k[s]);
    }
    for (int j = 0; j < n; j++) y[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
  }
}

// y at t1, and the largest error: twice Richardson's estimate for order 4.
static double second_method(rhs_fn *f, int n, double t1, long steps, double *y)
{
  double coarse[DIM], worst = 0.0;
  memcpy(coarse, y, sizeof(double) * (size_t)n);
  rk4(f, n, 0.0, t1, steps, coarse);
  rk4(f, n, 0.0, t1, 2 * steps, y);
  for (int j = 0; j < n; j++) worst = fmax(worst, fabs(y[j] - coarse[j]) / 15.0);
  return 2.0 * worst;
}

static void near(const char *what, double got, double want, double tol)
{
  if (!(fabs(got - want) <= tol))
    fail_msg("%s: got %.15g, want %.15g, difference %.2e, allowed %.2e", what, got, want, got - want, tol);
}

typedef struct engine {
  amo_model *m;
  amo_sim *s;
  amo_sample *p;
} engine;

static engine engine_run(const char *text, const double *start, double t_end, motion *events)
{
  engine e = {.m = motion_model(text)};
  assert_non_null(e.m);
  e.s = motion_sim(e.m, 1e-13);
  assert_non_null(e.s);
  assert_int_equal(amo_sample_new(e.m, &e.p), AMO_OK);
  assert_int_equal(amo_sim_start(e.s, 0.0, start), AMO_OK);
  assert_int_equal(motion_run(e.s, events ? amo_model_states(e.m) : 0, t_end, events), AMO_OK);
  assert_true(motion_audit(e.s));
  assert_int_equal(amo_sim_sample(e.s, t_end, true, e.p), AMO_OK);
  return e;
}

static void engine_free(engine *e)
{
  amo_sample_free(e->p);
  amo_sim_free(e->s);
  amo_model_free(e->m);
}

// ---- double pendulum -----------------------------------------------------------------------------------
// Angles a, b from the vertical, masses 1 and 0.7, rods 1 and 0.8. Tensions S, T eliminated from Newton's equations.

static void double_pendulum_rates(double t, const double *y, double *dy)
{
  (void)t;
  const double m1 = 1.0, m2 = 0.7, l1 = 1.0, l2 = 0.8;
  const double a = y[0], b = y[1], p = y[2], q = y[3], c = cos(a - b), s = sin(a - b);
  // (m1 + m2) l1 a'' + m2 l2 b'' c = -m2 l2 q^2 s - (m1 + m2) G sin a;   l1 a'' c + l2 b'' = l1 p^2 s - G sin b
  const double r1 = -m2 * l2 * q * q * s - (m1 + m2) * G * sin(a), r2 = l1 * p * p * s - G * sin(b);
  const double det = (m1 + m2) * l1 * l2 - m2 * l2 * c * l1 * c;
  dy[0] = p;
  dy[1] = q;
  dy[2] = (r1 * l2 - m2 * l2 * c * r2) / det;
  dy[3] = ((m1 + m2) * l1 * r2 - l1 * c * r1) / det;
}

static void double_pendulum(void **state)
{
  (void)state;
  const char *text = "amontons: 1\n"
                     "name: double-pendulum\n"
                     "parameters: {l1: 1, l2: 0.8}\n"
                     "coordinates: [a, b]\n"
                     "gravity: 9.81\n"
                     "particles:\n"
                     "  upper: {mass: 1, at: [l1*sin(a), -l1*cos(a)]}\n"
                     "  lower: {mass: 0.7, at: [l1*sin(a) + l2*sin(b), -l1*cos(a) - l2*cos(b)]}\n"
                     "initial: {a: 1.2, b: -0.4}\n";
  double y[4] = {1.2, -0.4, 0.3, 0.0};
  engine e = engine_run(text, y, 5.0, NULL);
  const double tol = second_method(double_pendulum_rates, 4, 5.0, 40000, y) + 1e-10;
  for (int j = 0; j < 4; j++) near("double pendulum", amo_sim_state(e.s)[j], y[j], tol);
  engine_free(&e);
}

// ---- pendulum in Cartesian coordinates with a constraint -------------------------------------------------

static void pendulum_rates(double t, const double *y, double *dy)
{
  (void)t;
  dy[0] = y[1];
  dy[1] = -G / 1.5 * sin(y[0]);
}

static void constrained_pendulum(void **state)
{
  (void)state;
  const char *text = "amontons: 1\n"
                     "name: pendulum\n"
                     "parameters: {l: 1.5, m: 2}\n"
                     "coordinates: [x, y]\n"
                     "gravity: 9.81\n"
                     "particles: {bob: {mass: m, at: [x, y]}}\n"
                     "constraints: {rod: x^2 + y^2 - l^2}\n"
                     "initial: {x: 0, y: -l}\n";
  const double l = 1.5, a0 = 2.0, p0 = 0.5, t1 = 20.0;
  const double start[4] = {l * sin(a0), -l * cos(a0), l * p0 * cos(a0), l * p0 * sin(a0)};
  double y[2] = {a0, p0};
  engine e = engine_run(text, start, t1, NULL);
  const double tol = second_method(pendulum_rates, 2, t1, 100000, y) + 1e-10;
  const double *x = amo_sim_state(e.s);
  near("x", x[0], l * sin(y[0]), l * tol);
  near("y", x[1], -l * cos(y[0]), l * tol);
  near("x'", x[2], l * y[1] * cos(y[0]), 4.0 * l * tol);
  near("y'", x[3], l * y[1] * sin(y[0]), 4.0 * l * tol);
  near("length after 20 s", hypot(x[0], x[1]), l, 1e-13);
  near("velocity along the rod", x[0] * x[2] + x[1] * x[3], 0.0, 1e-12);
  // Force of the constraint phi = r^2 - l^2 is multiplier * grad phi = multiplier * 2 r = -S r/l.
  const double S = 2.0 * (G * cos(y[0]) + l * y[1] * y[1]);
  near("rod force", e.p->multiplier[0] * 2.0 * l, -S, 20.0 * fabs(S) * tol);
  engine_free(&e);
}

// ---- rolling disc -----------------------------------------------------------------------------------------
// x' = R w without friction work: (m + J/R^2) x'' = -k x + m G sin(slope); closed form. Rolling force f = J x''/R^2.

static void rolling_disc(void **state)
{
  (void)state;
  const char *text = "amontons: 1\n"
                     "name: rolling-disc\n"
                     "parameters: {m: 2, R: 0.3, J: 0.07, k: 5, s: 0.2}\n"
                     "coordinates: [x, w]\n"
                     "bodies: {disc: {mass: m, inertia: J, at: [x, R], angle: -w}}\n"
                     "energy: {potential: k/2*x^2}\n"
                     "loads: {weight: {on: disc, force: [m*9.81*sin(s), -m*9.81*cos(s)]}}\n"
                     "constraints: {rolling: x' - R*w'}\n"
                     "initial: {x: 0}\n";
  const double m = 2.0, R = 0.3, J = 0.07, k = 5.0, t1 = 30.0, v0 = 0.9;
  const double start[4] = {0.4, 1.0, v0, v0 / R};
  engine e = engine_run(text, start, t1, NULL);
  const double me = m + J / (R * R), w = sqrt(k / me), rest = m * G * sin(0.2) / k, c = 0.4 - rest;
  const double x = rest + c * cos(w * t1) + v0 / w * sin(w * t1), v = -c * w * sin(w * t1) + v0 * cos(w * t1);
  const double *y = amo_sim_state(e.s);
  near("x", y[0], x, 1e-10);
  near("angle", y[1], 1.0 + (x - 0.4) / R, 1e-9);
  near("x'", y[2], v, 1e-10);
  near("w'", y[3], v / R, 1e-9);
  near("no slip", y[2] - R * y[3], 0.0, 1e-14);
  near("rolling force", fabs(e.p->multiplier[0]), fabs(J / (R * R) * (-k * (x - rest) / me)), 1e-8);
  engine_free(&e);
}

// ---- prescribed slider with friction and a pendulum -----------------------------------------------------
// x = sin t imposed on a slider (mass 3, friction 0.8 N); pendulum (mass 0.5, length 0.6) below it. Newton for the bob:
// l a'' = -G sin a - x'' cos a. Force of the drive: 3 x'' + 0.5 (x'' + l a'' cos a - l a'^2 sin a) + 0.8 sgn x'.

static void slider_rates(double t, const double *y, double *dy)
{
  dy[0] = y[1];
  dy[1] = (-G * sin(y[0]) + sin(t) * cos(y[0])) / 0.6;
}

static void prescribed_slider(void **state)
{
  (void)state;
  static motion events;
  const char *text = "amontons: 1\n"
                     "name: driven-slider\n"
                     "parameters: {l: 0.6, F: 0.8}\n"
                     "coordinates: [x, a]\n"
                     "prescribed: {x: sin(t)}\n"
                     "gravity: 9.81\n"
                     "particles:\n"
                     "  slider: {mass: 3, at: [x, 0]}\n"
                     "  bob: {mass: 0.5, at: [x + l*sin(a), -l*cos(a)]}\n"
                     "contacts: {rail: {pressed: 1, slip: x', law: {type: coulomb, mu: F}}}\n"
                     "outputs: {force: x.drive}\n"
                     "initial: {a: 0.8}\n";
  const double t1 = 10.0;
  double y[2] = {0.8, 0.0}, dy[2];
  engine e = engine_run(text, y, t1, &events);
  const double tol = second_method(slider_rates, 2, t1, 50000, y) + 1e-10;
  near("a", amo_sim_state(e.s)[0], y[0], tol);
  near("a'", amo_sim_state(e.s)[1], y[1], tol);
  assert_int_equal(events.events,
                   3);  // x' = cos t changes sign at pi/2, 3 pi/2, 5 pi/2: straight through, no stick
  for (int i = 0; i < 3; i++) {
    near("reversal", events.event[i].t, (i + 0.5) * PI, 1e-12 * 10.0);
    assert_int_equal(events.event[i].from, i % 2 ? -1 : 1);
    assert_int_equal(events.event[i].to, i % 2 ? 1 : -1);
  }
  slider_rates(t1, y, dy);
  const double acc = -sin(t1), sigma = cos(t1) > 0.0 ? 1.0 : -1.0;
  const double drive = 3.5 * acc + 0.5 * 0.6 * (dy[1] * cos(y[0]) - y[1] * y[1] * sin(y[0])) + 0.8 * sigma;
  near("force of the drive", e.p->output[0], drive, 30.0 * tol);
  engine_free(&e);
}

// ---- prescribed ends at rest for a while ----------------------------------------------------------------
// Friction between a free block and a table that is shaken, x_table = A sin(w t): slip or stick by |A w^2 sin| vs mu g.
// With A w^2 < mu g the block rides along: its position is x_table + const, its velocity exactly the table's.

static void block_on_shaken_table(void **state)
{
  (void)state;
  const char *text = "amontons: 1\n"
                     "name: shaker\n"
                     "parameters: {A: 0.1, w: 3, mu: 0.1, g: 9.81}\n"
                     "coordinates: [table, x]\n"
                     "prescribed: {table: A*sin(w*t)}\n"
                     "particles: {block: {mass: 1, at: [x, 0]}}\n"
                     "contacts: {top: {pressed: g, slip: x' - table', law: {type: coulomb, mu: mu}}}\n"
                     "initial: {x: 0}\n";
  static motion events;
  const double start[2] = {0.25, 0.3};  // the table's speed at t = 0
  const double t1 = 50.0;
  engine e = engine_run(text, start, t1, &events);
  assert_int_equal(events.events, 0);
  near("carried along", amo_sim_state(e.s)[0], 0.25 + 0.1 * sin(3.0 * t1), 1e-11);
  near("speed of the table", amo_sim_state(e.s)[1], 0.3 * cos(3.0 * t1), 1e-12);
  engine_free(&e);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(double_pendulum),       cmocka_unit_test(constrained_pendulum),
      cmocka_unit_test(rolling_disc),          cmocka_unit_test(prescribed_slider),
      cmocka_unit_test(block_on_shaken_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
