// SPDX-License-Identifier: Apache-2.0
/// Friction in joints against equations derived by hand and integrated here: a pendulum on a pin, a mass on a ball joint,
/// a four-bar linkage whose pins rub on each other's account, and a journal that nothing but its own friction loads.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "num/sizes.h"
#include "contact/solutions.h"
#include "support/motion.h"
#include "support/near.h"
#include "support/probe.h"

enum { MOST = 18 };

typedef void rates_fn(const double *y, double *dy);

/// One step of Runge and Kutta.
static void step(rates_fn *f, int n, double h, double *y)
{
  static const double at[] = {0.0, 0.5, 0.5, 1.0}, part[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double k[MOST] = {0}, x[MOST], sum[MOST] = {0};
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < n; i++) x[i] = y[i] + at[s] * h * k[i];
    f(x, k);
    for (int i = 0; i < n; i++) sum[i] += part[s] * k[i];
  }
  for (int i = 0; i < n; i++) y[i] += h * sum[i];
}

// ---- pendulum on a pin: N^2 is a quadratic ----

static double pin_side = 1.0;  // sign of the slip

static double pin_acceleration(double th, double w)
{
  const double m = 1.0, l = 0.4, r = 0.03, mu = 0.3, g = 9.81, I = 4.0 / 3 * m * l * l;
  const double free = -m * g * l * sin(th) / I, by = -pin_side * mu * r / I;  // th'' = free + by N
  const double ax = m * l * (cos(th) * free - sin(th) * w * w), bx = m * l * cos(th) * by;
  const double ay = m * g + m * l * (sin(th) * free + cos(th) * w * w), by_y = m * l * sin(th) * by;
  const double A = bx * bx + by_y * by_y - 1, B = ax * bx + ay * by_y, C = ax * ax + ay * ay;
  return free + by * (-B - sqrt(B * B - A * C)) / A;
}

static void pin_rates(const double *y, double *dy)
{
  dy[0] = y[1];
  dy[1] = pin_acceleration(y[0], y[1]);
}

static void pendulum(void **state)
{
  (void)state;
  static motion run;
  amo_model *m = probe_file("rough-pin.yaml", NULL, 0);
  amo_sim *s = motion_sim(m, 1e-12);
  assert_non_null(s);
  assert_int_equal(motion_run(s, 6, 20.0, &run), AMO_OK);
  assert_true(motion_audit(s));
  double y[2] = {1.0, 0.0}, t = 0.0;
  size_t turns = 0;
  pin_side = -1.0;
  for (const double h = 1e-3; t < 20.0;) {
    double before[2] = {y[0], y[1]};
    step(pin_rates, 2, h, y);
    t += h;
    if (y[1] * pin_side >= 0.0) continue;
    double part = h * fabs(before[1]) / (fabs(before[1]) + fabs(y[1]));  // back to where it stands
    for (int i = 0; i < 6; i++) {
      memcpy(y, before, sizeof y);
      step(pin_rates, 2, part, y);
      part -= y[1] / pin_acceleration(y[0], y[1]);
    }
    t += part - h;
    y[1] = 0.0;
    assert_true(turns < run.events);
    assert_near(run.event[turns].t, t, 1e-9);
    assert_near(run.event[turns].state[2], y[0], 1e-10);
    turns++;
    if (fabs(sin(y[0])) * 0.4 <= 0.3 * 0.03) break;  // within what friction holds: N = m g at rest
    pin_side = y[0] > 0.0 ? -1.0 : 1.0;
  }
  assert_int_equal(turns, run.events);
  assert_int_equal(run.event[turns - 1].to, 0);
  amo_sim_free(s);
  amo_model_free(m);
}

// ---- ball joint: three forces, slip in two directions ----

static void ball_rates(const double *y, double *dy)  // th, ph, th', ph'
{
  const double m = 1.0, l = 0.5, J = 0.02, r = 0.03, mu = 0.25, g = 9.81, I = m * l * l + J;
  const double S = sin(y[0]), C = cos(y[0]), a = y[2], b = y[3], speed = hypot(a, S * b);
  double N = m * g;
  for (int i = 0; i < 200; i++) {  // a contraction: mu r/l is small
    const double f = mu * N * r / speed;
    dy[2] = (I * S * C * b * b - m * g * l * S - f * a) / I;
    dy[3] = (-2.0 * I * S * C * a * b - f * S * S * b) / (I * S * S);
    // acceleration of the mass along its meridian, its circle and the rod
    const double e = l * (dy[2] - S * C * b * b), c = l * (S * dy[3] + 2.0 * C * a * b);
    const double n = -l * (a * a + S * S * b * b);
    const double along = m * (e + g * S), across = m * c, rod = m * (n - g * C);
    N = sqrt(along * along + across * across + rod * rod);
  }
  dy[0] = a;
  dy[1] = b;
}

static void ball(void **state)
{
  (void)state;
  amo_model *m = probe_file("ball-joint.yaml", NULL, 0);
  amo_sim *s = motion_sim(m, 1e-12);
  double y[4] = {0.9, 0.0, 0.0, 5.0};
  for (int i = 0; i < 8000; i++) step(ball_rates, 4, 2.5e-4, y);
  assert_int_equal(motion_advance(s, 2.0), AMO_OK);
  assert_true(motion_audit(s));
  const double *x = amo_sim_state(s);
  assert_near(x[3], y[0], 1e-9);
  assert_near(x[4], y[1], 1e-9);
  assert_near(x[8], y[2], 1e-9);
  assert_near(x[9], y[3], 1e-9);
  amo_sim_free(s);
  amo_model_free(m);
}

// ---- four-bar linkage: masses, eight constraints, four frictions ----

enum { Q = 9, G = 8, ALL = Q + G };

static double bar_torque = 0.6;
static const double bar_a = 0.1, bar_b = 0.3, bar_c = 0.25, bar_r = 0.012, bar_mu = 0.2;

static void solve(double a[ALL][ALL + 1])
{
  for (int s = 0; s < ALL; s++) {
    int p = s;
    for (int i = s + 1; i < ALL; i++)
      if (fabs(a[i][s]) > fabs(a[p][s])) p = i;
    for (int j = 0; j <= ALL; j++) {
      const double x = a[s][j];
      a[s][j] = a[p][j], a[p][j] = x;
    }
    for (int i = 0; i < ALL; i++) {
      const double f = i == s ? 0.0 : a[i][s] / a[s][s];
      for (int j = s; f != 0.0 && j <= ALL; j++) a[i][j] -= f * a[s][j];
    }
  }
  for (int i = 0; i < ALL; i++) a[i][ALL] /= a[i][i];
}

/// A term k cos(t) in the x row of a pin, k sin(t) in its y row, with its second derivative but for t''.
static void arm(double a[ALL][ALL + 1], const double *y, int pin, int body, double k)
{
  const double t = y[6 + body], w = y[Q + 6 + body];
  for (int row = 0; row < 2; row++) {
    const double d = row == 0 ? -k * sin(t) : k * cos(t);
    a[Q + 2 * pin + row][6 + body] = d;
    a[6 + body][Q + 2 * pin + row] = -d;
    a[Q + 2 * pin + row][ALL] += w * w * (row == 0 ? k * cos(t) : k * sin(t));
  }
}

static void centre(double a[ALL][ALL + 1], int pin, int body, double k)
{
  for (int row = 0; row < 2; row++) {
    a[Q + 2 * pin + row][2 * body + row] = k;
    a[2 * body + row][Q + 2 * pin + row] = -k;
  }
}

static void bar_forces(const double *y, double x[ALL])
{
  const double m[3] = {0.5, 1.0, 0.8}, length[3] = {bar_a, bar_b, bar_c};
  double N[4] = {1, 1, 1, 1};
  for (int pass = 0; pass < 60; pass++) {  // the friction of pins is a small part of their forces
    double a[ALL][ALL + 1] = {{0}};
    for (int b = 0; b < 3; b++) {
      a[2 * b][2 * b] = a[2 * b + 1][2 * b + 1] = m[b];
      a[2 * b + 1][ALL] = -m[b] * 9.81;
      a[6 + b][6 + b] = m[b] * length[b] * length[b] / 12;
    }
    a[6][ALL] = bar_torque;
    centre(a, 0, 0, 1), arm(a, y, 0, 0, -bar_a / 2);
    centre(a, 1, 1, 1), arm(a, y, 1, 1, -bar_b / 2), centre(a, 1, 0, -1), arm(a, y, 1, 0, -bar_a / 2);
    centre(a, 2, 2, 1), arm(a, y, 2, 2, bar_c / 2), centre(a, 2, 1, -1), arm(a, y, 2, 1, -bar_b / 2);
    centre(a, 3, 2, 1), arm(a, y, 3, 2, -bar_c / 2);
    const double w[3] = {y[Q + 6], y[Q + 7], y[Q + 8]};
    const double turn[4] = {w[0], w[1] - w[0], w[2] - w[1], w[2]};
    static const int on[4] = {0, 1, 2, 2}, against[4] = {-1, 0, 1, -1};
    for (int p = 0; p < 4; p++) {
      const double moment = -bar_mu * bar_r * N[p] * (turn[p] > 0.0 ? 1.0 : -1.0);
      a[6 + on[p]][ALL] += moment;
      if (against[p] >= 0) a[6 + against[p]][ALL] -= moment;
    }
    solve(a);
    for (int i = 0; i < ALL; i++) x[i] = a[i][ALL];
    for (int p = 0; p < 4; p++) N[p] = hypot(x[Q + 2 * p], x[Q + 2 * p + 1]);
  }
}

static void bar_rates(const double *y, double *dy)
{
  double x[ALL];
  bar_forces(y, x);
  for (int i = 0; i < Q; i++) dy[i] = y[Q + i], dy[Q + i] = x[i];
}

static void four_bar(void **state)
{
  (void)state;
  amo_model *m = probe_file("rough-four-bar.yaml", NULL, 0);
  amo_solutions *all = NULL;
  amo_point *p = NULL;
  amo_sim *s = motion_sim(m, 1e-12);
  double y[2 * Q], x[ALL];
  assert_int_equal(amo_point_new(m, &p), AMO_OK);
  assert_int_equal(amo_solutions_new(m, &all), AMO_OK);
  amo_point_parameters(p, m->file.param);
  for (int i = 1; i <= 40; i++) {  // at states of the motion: contact, evaluate and these equations agree
    assert_int_equal(motion_advance(s, 0.05 * i), AMO_OK);
    memcpy(y, amo_sim_state(s), sizeof y);
    bar_forces(y, x);
    assert_int_equal(amo_solutions_find(all, p, 0.05 * i, y, NULL), AMO_OK);
    assert_int_equal(all->count, 1);
    assert_int_equal(amo_point_evaluate(p, 0.05 * i, y, all->item[0].mode), AMO_OK);
    for (int k = 0; k < Q; k++) {
      assert_near(all->item[0].acc[k], x[k], 1e-9 * (1.0 + fabs(x[k])));
      assert_near(p->acc[k], x[k], 1e-9 * (1.0 + fabs(x[k])));
    }
    for (int k = 0; k < 4; k++) {
      const double N = hypot(x[Q + 2 * k], x[Q + 2 * k + 1]);
      assert_near(all->item[0].reaction[k], N, 1e-9 * N);
      assert_near(p->reaction[k], N, 1e-9 * N);
    }
  }
  assert_true(motion_audit(s));
  memcpy(y, m->file.initial, sizeof y);
  for (int i = 0; i < 400; i++) step(bar_rates, 2 * Q, 0.0285 / 400, y);  // until a slip turns
  assert_int_equal(amo_sim_start(s, 0.0, m->file.initial), AMO_OK);
  assert_int_equal(motion_advance(s, 0.0285), AMO_OK);
  for (int k = 0; k < 2 * Q; k++) assert_near(amo_sim_state(s)[k], y[k], 1e-10);
  amo_sim_free(s);
  amo_solutions_free(all);
  amo_point_free(p);
  amo_model_free(m);
}

/// Modes of rest and motion at a torque, from rest: 0 stick, else the way the crank begins to turn.
static int begins(double torque)
{
  char text[40];
  snprintf(text, sizeof text, "%.17g", torque);
  const amo_setting set[] = {{"w0", "0"}, {"T", text}};
  amo_model *m = probe_file("rough-four-bar.yaml", set, 2);
  amo_solutions *all = NULL;
  amo_point *p = NULL;
  assert_int_equal(amo_point_new(m, &p), AMO_OK);
  assert_int_equal(amo_solutions_new(m, &all), AMO_OK);
  amo_point_parameters(p, m->file.param);
  assert_int_equal(amo_solutions_find(all, p, 0.0, m->file.initial, NULL), AMO_OK);
  assert_int_equal(all->count, 1);
  const int mode = all->item[0].mode[0];
  amo_sim *s = motion_sim(m, 1e-12);
  assert_int_equal(motion_advance(s, 0.01), AMO_OK);
  for (size_t c = 0; c < 4; c++) {  // the motion does what rest says, with all pins
    assert_int_equal(amo_sim_mode(s, c), all->item[0].mode[c]);
    assert_true((all->item[0].mode[c] == 0) == (mode == 0));
  }
  assert_true(motion_audit(s));
  amo_sim_free(s);
  amo_solutions_free(all);
  amo_point_free(p);
  amo_model_free(m);
  return mode;
}

/// The torque at which the linkage, turning as slowly as can be, does not accelerate: there it begins to move.
static double moving_torque(const amo_model *m, double way)
{
  double y[2 * Q], x[ALL], at[2] = {0.0, 1.0}, turns[2];
  for (int i = 0; i < 2 * Q; i++) y[i] = i < Q ? m->file.initial[i] : way * 1e-9 * m->file.initial[i];
  for (int k = 0; k < 2; k++) {
    bar_torque = at[k];
    bar_forces(y, x);
    turns[k] = x[6];
  }
  for (int i = 0; i < 40 && turns[0] != turns[1]; i++) {
    bar_torque = at[1] - turns[1] * (at[1] - at[0]) / (turns[1] - turns[0]);
    bar_forces(y, x);
    at[0] = at[1], turns[0] = turns[1];
    at[1] = bar_torque, turns[1] = x[6];
  }
  return at[1];
}

static void four_bar_at_rest(void **state)
{
  (void)state;
  amo_model *m = probe_file("rough-four-bar.yaml", NULL, 0);
  const double up = moving_torque(m, 1.0), down = moving_torque(m, -1.0);
  amo_model_free(m);
  assert_true(down < up);
  assert_int_equal(begins(up * (1 + 1e-8)), 1);
  assert_int_equal(begins(up * (1 - 1e-8)), 0);
  assert_int_equal(begins(0.5 * (up + down)), 0);
  assert_int_equal(begins(down * (1 + 1e-8)), 0);
  assert_int_equal(begins(down * (1 - 1e-8)), -1);
  bar_torque = 0.6;
}

/// At the dead points of the rocker its slip comes to zero whatever the speed: nothing stops there, at any accuracy.
static void four_bar_dead_points(void **state)
{
  (void)state;
  const amo_setting set[] = {{"mu", "0.01"}};
  amo_model *m = probe_file("rough-four-bar.yaml", set, 1);
  double turned[3];
  for (int i = 0; i < 3; i++) {
    amo_sim *s = motion_sim(m, i == 0 ? 1e-6 : i == 1 ? 1e-9 : 1e-12);
    assert_int_equal(motion_advance(s, 1.0), AMO_OK);
    assert_true(motion_audit(s));
    turned[i] = amo_sim_state(s)[6];
    amo_sim_free(s);
  }
  assert_near(turned[0], turned[2], 1e-3);
  assert_near(turned[1], turned[2], 1e-6);
  amo_model_free(m);
}

// ---- sizes that depend on themselves ----

static void roots(void **state)
{
  (void)state;
  double alone[] = {3, 4, 0}, unit[] = {-1.2, -0.9, 0}, N[2], work[16];
  uint32_t group[2];
  bool other[] = {true};
  amo_sizes s = {.n = 1, .alone = alone, .unit = unit, .work = work, .group = group};
  assert_false(amo_sizes_unique(&s));
  for (int k = 0; k < 2; k++) {
    assert_true(amo_sizes_solve(&s, k ? other : NULL, N));
    assert_near(N[0], hypot(3 - 1.2 * N[0], 4 - 0.9 * N[0]), 1e-12);
    if (k) assert_true(N[0] > 4.0);
  }
  unit[0] = 1.2, unit[1] = 0.9;  // the friction loads the joint: none
  assert_false(amo_sizes_solve(&s, NULL, N));
  assert_false(amo_sizes_solve(&s, other, N));
  double two[] = {3, 4, 0, 0, 2, 1}, by[] = {0.1, 0.2, 0, 0.3, 0, 0.1, 0, 0.2, -0.1, 0.2, 0.1, 0.2};
  s = (amo_sizes){.n = 2, .alone = two, .unit = by, .work = work, .group = group};
  assert_true(amo_sizes_unique(&s));
  assert_true(amo_sizes_solve(&s, NULL, N));
  for (int i = 0; i < 2; i++) {
    double x[3];
    for (int a = 0; a < 3; a++) x[a] = two[3 * i + a] + by[6 * i + a] * N[0] + by[6 * i + 3 + a] * N[1];
    assert_near(N[i], sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), 1e-14);
  }
}

// ---- a reaction that passes zero: its size has a corner there ----

static const char driven_journal[] =
    "amontons: 1\n"
    "name: journal\n"
    "parameters: {m: 2, J: 0.1, r: 0.05, mu: 0.4, w: 3}\n"
    "coordinates: [x, th]\n"
    "bodies: {disc: {mass: m, inertia: J, at: [x, 0], angle: th}}\n"
    "constraints: {drive: x = sin(w*t)}\n"
    "contacts: {pin: {joint: drive, slip: r*th', law: {type: coulomb, mu: mu}}}\n"
    "initial: {th': 100, x': w}\n";

static void corner(void **state)
{
  (void)state;
  amo_model *m = motion_model(driven_journal);
  amo_sim *s = motion_sim(m, 1e-12);
  // J th'' = -mu r m w^2 |sin(w t)|
  const double pi = 3.14159265358979323846, k = 0.4 * 0.05 * 2 * 3 / 0.1;  // lost in a quarter turn
  for (int n = 1; n <= 6; n++) {
    assert_int_equal(motion_advance(s, n * pi / 6), AMO_OK);
    assert_near(amo_sim_state(s)[3], 100.0 - k * n, 1e-10);
  }
  assert_true(motion_audit(s));
  amo_sim_free(s);
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulum),
      cmocka_unit_test(ball),
      cmocka_unit_test(four_bar),
      cmocka_unit_test(four_bar_at_rest),
      cmocka_unit_test(four_bar_dead_points),
      cmocka_unit_test(roots),
      cmocka_unit_test(corner),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
