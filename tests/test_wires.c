// SPDX-License-Identifier: Apache-2.0
/// Guides along curves in space against equations of their own: a bead on a helix by its arc, a pendulum on a wire by the force
/// in its rod.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "contact/solutions.h"
#include "support/motion.h"
#include "support/near.h"
#include "support/probe.h"

typedef void rates_fn(const double *y, double *dy);

enum { MOST = 8 };

static void runge_kutta(rates_fn *f, size_t n, double t, long steps, double *y)
{
  const double h = t / (double)steps;
  double a[MOST], b[MOST], c[MOST], d[MOST], z[MOST];
  for (long k = 0; k < steps; k++) {
    f(y, a);
    for (size_t i = 0; i < n; i++) z[i] = y[i] + 0.5 * h * a[i];
    f(z, b);
    for (size_t i = 0; i < n; i++) z[i] = y[i] + 0.5 * h * b[i];
    f(z, c);
    for (size_t i = 0; i < n; i++) z[i] = y[i] + h * c[i];
    f(z, d);
    for (size_t i = 0; i < n; i++) y[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
  }
}

// ---- a bead on a helix: s'' = -g sin(alpha) - mu sign(s') sqrt((kappa s'^2)^2 + (g cos(alpha))^2) ----

static const double a = 0.2, p = 0.08, g = 9.81;
static double mu_helix, way;  // of the slip

static void helix_rates(const double *y, double *dy)
{
  const double c = hypot(a, p), pressed = hypot(a / (c * c) * y[1] * y[1], g * a / c);
  dy[0] = y[1];
  dy[1] = -g * p / c - way * mu_helix * pressed;
}

static amo_model *helix(const char *mu, const char *w)
{
  const amo_setting set[] = {{"mu", mu}, {"w", w}};
  sscanf(mu, "%lf", &mu_helix);
  return probe_file("bead-on-helix.yaml", set, 2);
}

static void bead_slides_down(void **state)
{
  (void)state;
  const double c = hypot(a, p);
  for (int w = 0; w > -3; w--) {
    char text[16];
    snprintf(text, sizeof text, "%d", w);
    amo_model *m = helix("0.15", text);
    amo_sim *s = motion_sim(m, 1e-12);
    double y[2] = {0.5 * c, w * c};
    way = -1.0;
    assert_int_equal(motion_advance(s, 2.0), AMO_OK);
    runge_kutta(helix_rates, 2, 2.0, 20000, y);
    assert_near(amo_sim_state(s)[2], p / c * y[0], 1e-9);
    assert_near(amo_sim_state(s)[5], p / c * y[1], 1e-9);
    assert_near(amo_sim_state(s)[0], a * cos(y[0] / c), 1e-9);
    assert_true(motion_audit(s));
    amo_sim_free(s);
    amo_model_free(m);
  }
}

/// Thrown upwards it stops; there friction holds it where mu > p/a.
static void bead_stops(void **state)
{
  (void)state;
  const double c = hypot(a, p);
  static motion run;
  for (int holds = 0; holds < 2; holds++) {
    amo_model *m = helix(holds ? "0.45" : "0.35", "6");
    amo_sim *s = motion_sim(m, 1e-12);
    double y[2] = {0.5 * c, 6.0 * c};
    way = 1.0;
    assert_int_equal(motion_run(s, 6, 1.0, &run), AMO_OK);
    assert_int_equal(run.events, 1);
    runge_kutta(helix_rates, 2, run.event[0].t, 20000, y);
    assert_near(y[1], 0.0, 1e-9);
    assert_near(run.event[0].state[2], p / c * y[0], 1e-9);
    assert_int_equal(run.event[0].to == 0, holds);
    assert_true(motion_audit(s));
    amo_sim_free(s);
    amo_model_free(m);
  }
}

// ---- a pendulum on a wire: x, bob, their velocities; the force T in the rod is the one unknown ----

static const double M1 = 0.5, M2 = 1.0;
static double mu_wire;

typedef struct swing {
  double x, bob[3], wire;  // accelerations; what presses the wire
} swing;

/// With this force in the rod; returns how far the rod would then change its length.
static double with_force(double T, const double e[3], double turn, double slip, swing *out)
{
  const double side = T * e[1], down = T * e[2] - M1 * g;
  out->wire = hypot(side, down);
  out->x = (T * e[0] - (slip > 0.0 ? 1.0 : -1.0) * mu_wire * out->wire) / M1;
  for (int i = 0; i < 3; i++) out->bob[i] = -T * e[i] / M2 - (i == 2 ? g : 0.0);
  return e[0] * (out->bob[0] - out->x) + e[1] * out->bob[1] + e[2] * out->bob[2] + turn;
}

static swing swings(const double *y)
{
  const double e[3] = {y[1] - y[0], y[2], y[3]}, turn = pow(y[5] - y[4], 2) + y[6] * y[6] + y[7] * y[7];
  swing out;
  double low = -1e4, high = 1e4;  // the change falls with T where friction is small
  for (int i = 0; i < 200; i++) {
    const double T = 0.5 * (low + high);
    *(with_force(T, e, turn, y[4], &out) > 0.0 ? &low : &high) = T;
  }
  return out;
}

static void swing_rates(const double *y, double *dy)
{
  const swing s = swings(y);
  memcpy(dy, y + 4, 4 * sizeof *dy);
  dy[4] = s.x;
  memcpy(dy + 5, s.bob, sizeof s.bob);
}

/// State of the model as x, bob and their velocities.
static void place(const double *q, double y[8])
{
  const double *u = q + 5, st = sin(q[3]), ct = cos(q[3]), sp = sin(q[4]), cp = cos(q[4]);
  const double r[3] = {st * cp, st * sp, -ct};
  const double v[3] = {u[3] * ct * cp - u[4] * st * sp, u[3] * ct * sp + u[4] * st * cp, u[3] * st};
  y[0] = q[0];
  y[4] = u[0];
  for (int i = 0; i < 3; i++) {
    y[1 + i] = r[i] + (i == 0 ? q[0] : 0.0);
    y[5 + i] = v[i] + (i == 0 ? u[0] : 0.0);
  }
}

static void pendulum_swings(void **state)
{
  (void)state;
  amo_model *m = probe_file("pendulum-on-wire.yaml", NULL, 0);
  amo_sim *s = motion_sim(m, 1e-12);
  amo_solutions *all = NULL;
  amo_point *at = NULL;
  static motion run;
  double y[8], now[8];
  mu_wire = 0.2;
  assert_int_equal(amo_point_new(m, &at), AMO_OK);
  assert_int_equal(amo_solutions_new(m, &all), AMO_OK);
  amo_point_parameters(at, m->file.param);
  place(m->file.initial, y);
  assert_int_equal(motion_run(s, 10, 2.0, &run), AMO_OK);
  assert_true(run.events > 0 && motion_audit(s));
  const double until = 0.999 * run.event[0].t;
  assert_int_equal(amo_sim_start(s, 0.0, m->file.initial), AMO_OK);
  for (int i = 1; i <= 10; i++) {
    assert_int_equal(motion_advance(s, 0.1 * i * until), AMO_OK);
    runge_kutta(swing_rates, 8, 0.1 * until, 500, y);
    place(amo_sim_state(s), now);
    for (int k = 0; k < 8; k++) assert_near(now[k], y[k], 1e-9);
    const swing x = swings(now);
    assert_int_equal(amo_solutions_find(all, at, 0.1 * i * until, amo_sim_state(s), NULL), AMO_OK);
    assert_int_equal(all->count, 1);
    assert_near(all->item[0].reaction[0], x.wire, 1e-9 * x.wire);
    assert_near(all->item[0].acc[0], x.x, 1e-9 * (1.0 + fabs(x.x)));
  }
  amo_solutions_free(all);
  amo_point_free(at);
  amo_sim_free(s);
  amo_model_free(m);
}

/// Two surfaces of any shape and steepness that meet in the same curve make the same guide.
static void any_two_surfaces(void **state)
{
  (void)state;
  static const char *const pair[] = {"[\"X^2 + Y^2 - 1\", \"Z - X\"]", "[\"3*(Z - X)\", \"X*Z + Y^2 - 1\"]"};
  double z[2];
  for (int i = 0; i < 2; i++) {
    char text[600];
    snprintf(text, sizeof text,
             "amontons: 1\ncoordinates: [x, y, z]\ngravity: [0, 0, -9.81]\n"
             "particles: {b: {mass: 2, at: [x, y, z]}}\ncontacts:\n"
             "  w: {guide: {point: b, curve: %s}, law: {type: coulomb, mu: 0.3}}\n"
             "initial: {x: 0.6, y: 0.8, z: 0.6, x': 1, y': -0.75, z': 1}\n",
             pair[i]);
    amo_model *m = motion_model(text);
    amo_sim *s = motion_sim(m, 1e-12);
    assert_int_equal(motion_advance(s, 1.5), AMO_OK);
    assert_true(motion_audit(s));
    z[i] = amo_sim_state(s)[2];
    amo_sim_free(s);
    amo_model_free(m);
  }
  assert_near(z[0], z[1], 1e-10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bead_slides_down),
      cmocka_unit_test(bead_stops),
      cmocka_unit_test(pendulum_swings),
      cmocka_unit_test(any_two_surfaces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
