// SPDX-License-Identifier: Apache-2.0
/// Spatial slip against independent integrations that know nothing of the engine: Runge-Kutta of the sliding motion in
/// its own variables, and the last moments before a stop in logarithmic speed and slow time, where nothing is singular.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/motion.h"
#include "support/near.h"

static const double k[3][3] = {{1, 1, -1}, {1, 2, -2}, {-1, -2, 3}};
static const double mu = 0.9;

typedef struct load {
  double theta, N, V;
} load;

static amo_model *mass(load f)
{
  char text[2048];
  snprintf(
      text, sizeof text,
      "amontons: 1\nparameters: {mu: 0.9, theta: %.17g, N: %.17g, V: %.17g, c: cos(theta), s: sin(theta)}\n"
      "coordinates: [u1, u2, u3]\nparticles: {m: {mass: 1, at: [u1, u2, u3]}}\n"
      "energy: {potential: (u1^2 + 2*u2^2 + 3*u3^2)/2 + u1*u2 - u1*u3 - 2*u2*u3}\n"
      "forces:\n  u1: (c + s)*V*t + mu*N*c\n  u2: (c + 2*s)*V*t + mu*N*s\n  u3: (-c - 2*s)*V*t - N\n"
      "contacts: {plane: {support: u3, slip: [u1', u2'], law: {type: coulomb, mu: mu}}}\n",
      f.theta, f.N, f.V);
  return motion_model(text);
}

/// Force on the mass in the plane without friction, and the reaction.
static void forces(load f, double t, const double *u, double out[2], double *R)
{
  const double e[2] = {cos(f.theta), sin(f.theta)};
  for (int i = 0; i < 2; i++) {
    out[i] = mu * f.N * e[i];
    for (int j = 0; j < 2; j++) out[i] += k[i][j] * (f.V * t * e[j] - u[j]);
  }
  *R = f.N;
  for (int j = 0; j < 2; j++) *R += k[2][j] * (u[j] - f.V * t * e[j]);
}

static void rates(load f, double t, const double y[4], double dy[4])
{
  double F[2], R;
  forces(f, t, y, F, &R);
  const double s = hypot(y[2], y[3]);
  dy[0] = y[2];
  dy[1] = y[3];
  dy[2] = F[0] - mu * R * y[2] / s;
  dy[3] = F[1] - mu * R * y[3] / s;
}

static void runge_kutta(load f, double t, double h, double y[4])
{
  double a[4], b[4], c[4], d[4], z[4];
  rates(f, t, y, a);
  for (int i = 0; i < 4; i++) z[i] = y[i] + 0.5 * h * a[i];
  rates(f, t + 0.5 * h, z, b);
  for (int i = 0; i < 4; i++) z[i] = y[i] + 0.5 * h * b[i];
  rates(f, t + 0.5 * h, z, c);
  for (int i = 0; i < 4; i++) z[i] = y[i] + h * c[i];
  rates(f, t + h, z, d);
  for (int i = 0; i < 4; i++) y[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
}

/// Slip between two times, through precursors in which the speed falls to a hundredth of its peak.
static void slip_agrees(load f, double from, double to, long steps, double tolerance)
{
  amo_model *m = mass(f);
  amo_sim *s = motion_sim(m, 1e-13);
  assert_int_equal(motion_advance(s, from), AMO_OK);
  assert_int_equal(amo_sim_mode(s, 0), AMO_SLIP_FORWARD);
  const double *x = amo_sim_state(s);
  double y[4] = {x[0], x[1], x[3], x[4]}, h = (to - from) / (double)steps;
  for (long i = 0; i < steps; i++) runge_kutta(f, from + (double)i * h, h, y);
  assert_int_equal(motion_advance(s, to), AMO_OK);
  x = amo_sim_state(s);
  const double got[4] = {x[0], x[1], x[3], x[4]};
  for (int i = 0; i < 4; i++) assert_near(got[i], y[i], tolerance);
  assert_true(motion_audit(s));
  amo_sim_free(s);
  amo_model_free(m);
}

static void slip_against_runge_kutta(void **state)
{
  (void)state;
  const double degree = acos(-1.0) / 180.0;
  slip_agrees((load){98 * degree, 1.0, 0.1}, 200.0, 260.0, 400000, 1e-9);
  slip_agrees((load){130 * degree, 1.0, 0.05}, 126.5, 180.0, 800000, 1e-8);  // three precursors
  slip_agrees((load){30 * degree, 1.0, 0.05}, 1.0, 8.0, 400000, 1e-9);
}

/// Rates by d(slow) = (s + kappa)/s dt of u, q = log s, theta and t.
static void slow_rates(load f, const double y[5], double dy[5])
{
  const double kappa = 0.01, s = exp(y[2]), x = cos(y[3]), z = sin(y[3]);
  double F[2], R;
  forces(f, y[4], y, F, &R);
  dy[0] = s * s / (s + kappa) * x;
  dy[1] = s * s / (s + kappa) * z;
  dy[2] = (F[0] * x + F[1] * z - mu * R) / (s + kappa);
  dy[3] = (F[1] * x - F[0] * z) / (s + kappa);
  dy[4] = s / (s + kappa);
}

/// A slip that turns into its stop: time and place of stick.
static void stop_against_slow_time(void **state)
{
  (void)state;
  const load f = {130 * acos(-1.0) / 180.0, 1.0, 0.05};
  amo_model *m = mass(f);
  amo_sim *s = motion_sim(m, 1e-13);
  motion run;
  assert_int_equal(motion_advance(s, 66.0), AMO_OK);
  const double *x = amo_sim_state(s);
  double y[5] = {x[0], x[1], log(hypot(x[3], x[4])), atan2(x[4], x[3]), 66.0}, h = 1e-4;
  while (y[2] > log(1e-13)) {
    double a[5], b[5], c[5], d[5], z[5];
    slow_rates(f, y, a);
    for (int i = 0; i < 5; i++) z[i] = y[i] + 0.5 * h * a[i];
    slow_rates(f, z, b);
    for (int i = 0; i < 5; i++) z[i] = y[i] + 0.5 * h * b[i];
    slow_rates(f, z, c);
    for (int i = 0; i < 5; i++) z[i] = y[i] + h * c[i];
    slow_rates(f, z, d);
    for (int i = 0; i < 5; i++) y[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
    assert_true(y[4] < 70.0);
  }
  assert_int_equal(motion_run(s, 6, 70.0, &run), AMO_OK);
  assert_int_equal(run.events, 1);
  assert_int_equal(run.event[0].to, AMO_STICK);
  assert_near(run.event[0].t, y[4], 1e-9);
  assert_near(run.event[0].state[0], y[0], 1e-10);
  assert_near(run.event[0].state[1], y[1], 1e-10);
  amo_sim_free(s);
  amo_model_free(m);
}

/// A block thrown across a level plane stops after v^2/(2 mu g) in the direction of the throw, whatever it is.
static void straight_stop(void **state)
{
  (void)state;
  amo_model *m = motion_model(
      "amontons: 1\ncoordinates: [x, y, z]\ngravity: [0, 0, -10]\nparticles: {b: {mass: 3, at: [x, y, z]}}\n"
      "contacts: {f: {support: z, slip: [x', y'], law: {type: coulomb, mu: 0.25}}}\n");
  for (int i = 0; i < 12; i++) {
    const double angle = 0.1 + i * 0.5, v = 1.0 + i;
    const double start[6] = {0, 0, 0, v * cos(angle), v * sin(angle), 0};
    amo_sim *s = motion_sim(m, 1e-12);
    assert_int_equal(amo_sim_start(s, 0.0, start), AMO_OK);
    assert_int_equal(motion_advance(s, 20.0), AMO_OK);
    assert_int_equal(amo_sim_mode(s, 0), AMO_STICK);
    assert_near(amo_sim_state(s)[0], v * v / 5.0 * cos(angle), 1e-11 * v * v);
    assert_near(amo_sim_state(s)[1], v * v / 5.0 * sin(angle), 1e-11 * v * v);
    assert_true(motion_audit(s));
    amo_sim_free(s);
  }
  amo_model_free(m);
}

/// A planar problem written in space, turned by any angle, moves as in the plane.
static void planar_in_space(void **state)
{
  (void)state;
  amo_model *flat =
      motion_model("amontons: 1\ncoordinates: [x, z]\nparticles: {b: {mass: 1, at: [x, z]}}\n"
                   "energy: {potential: (x^2 + 2*x*z + 2*z^2)/2}\nforces: {x: sin(0.8*t), z: -1}\n"
                   "contacts: {f: {support: z, slip: x', law: {type: coulomb, mu: 0.2}}}\n");
  amo_sim *a = motion_sim(flat, 1e-12);
  motion plane;
  assert_int_equal(motion_run(a, 2, 30.0, &plane), AMO_OK);
  for (int i = 0; i < 4; i++) {
    char text[1024];
    const double c = cos(0.7 * i), s = sin(0.7 * i);
    snprintf(text, sizeof text,
             "amontons: 1\nparameters: {c: %.17g, s: %.17g}\ncoordinates: [u, v, z]\n"
             "definitions: {x: c*u + s*v, y: c*v - s*u}\nparticles: {b: {mass: 1, at: [u, v, z]}}\n"
             "energy: {potential: (x^2 + 2*x*z + 2*z^2 + y^2)/2}\nforces: {u: c*sin(0.8*t), v: s*sin(0.8*t), "
             "z: -1}\n"
             "contacts: {f: {support: z, slip: [u', v'], law: {type: coulomb, mu: 0.2}}}\n",
             c, s);
    amo_model *m = motion_model(text);
    amo_sim *b = motion_sim(m, 1e-12);
    motion space;
    assert_int_equal(motion_run(b, 3, 30.0, &space), AMO_OK);
    const double *x = amo_sim_state(a), *y = amo_sim_state(b);
    assert_near(c * y[0] + s * y[1], x[0], 1e-8);
    assert_near(y[2], x[1], 1e-8);
    assert_near(c * y[1] - s * y[0], 0.0, 1e-8);
    assert_true(motion_audit(b));
    amo_sim_free(b);
    amo_model_free(m);
  }
  amo_sim_free(a);
  amo_model_free(flat);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slip_against_runge_kutta),
      cmocka_unit_test(stop_against_slow_time),
      cmocka_unit_test(straight_stop),
      cmocka_unit_test(planar_in_space),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
