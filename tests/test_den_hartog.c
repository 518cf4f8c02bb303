// SPDX-License-Identifier: Apache-2.0
// The forced oscillator with Coulomb friction, m x'' + k x + F sgn x' = P cos(w t + phi), against its closed form
// (Den Hartog 1930), and its free decay.
//
// Motion without stops, period 2 pi/w, x(t + pi/w) = -x(t), largest x at t = 0. In 0 < t < pi/w, x' < 0 and
//   x = F/k + (P/k) V cos(w t + phi) + A cos(wn t) + B sin(wn t),   wn^2 = k/m,  beta = w/wn,  V = 1/(1 - beta^2).
// x'(0) = 0, x'(pi/w) = 0, x(pi/w) = -x(0) give A = -F/k, B = -(F/k) sin(th)/(1 + cos(th)), th = pi/beta, and
//   sin(phi) = -(F/P) H/V,   x0 = (P/k) V cos(phi),  |x0| = (P/k) sqrt(V^2 - (F/P)^2 H^2),
//   H = sin(th)/(beta (1 + cos(th))).
// It is a motion without stops if x' < 0 all through the half period, and if the force at the turning point,
// P cos(phi) - k x0, is below -F.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/motion.h"

static const double PI = 3.14159265358979323846;

typedef struct forced {
  double m, k, F, P, w;
} forced;

typedef struct steady {
  double x0, phi, A, B, V, wn;
} steady;

static steady den_hartog(const forced *p)
{
  steady s = {.wn = sqrt(p->k / p->m)};
  const double beta = p->w / s.wn, th = PI / beta;
  const double H = sin(th) / (beta * (1.0 + cos(th)));
  s.V = 1.0 / (1.0 - beta * beta);
  s.A = -p->F / p->k;
  s.B = -p->F / p->k * sin(th) / (1.0 + cos(th));
  const double sine = -p->F / p->P * H / s.V;
  s.phi = s.V > 0.0 ? asin(sine) : PI - asin(sine);  // x0 = (P/k) V cos(phi) > 0
  s.x0 = p->P / p->k * sqrt(s.V * s.V - p->F / p->P * p->F / p->P * H * H);
  return s;
}

static double position(const forced *p, const steady *s, double t)
{
  return p->F / p->k + p->P / p->k * s->V * cos(p->w * t + s->phi) + s->A * cos(s->wn * t) +
         s->B * sin(s->wn * t);
}

static double velocity(const forced *p, const steady *s, double t)
{
  return -p->P / p->k * s->V * p->w * sin(p->w * t + s->phi) - s->A * s->wn * sin(s->wn * t) +
         s->B * s->wn * cos(s->wn * t);
}

static bool without_stops(const forced *p, const steady *s)
{
  if (!(s->x0 > 0.0) || !(p->P * cos(s->phi) - p->k * s->x0 < -p->F)) return false;
  for (int i = 1; i < 1000; i++)
    if (!(velocity(p, s, PI / p->w * i / 1000.0) < 0.0)) return false;
  return true;
}

// The closed form against small classical Runge-Kutta steps of the equation itself over the half period.
static void closed_form_solves_the_equation(const forced *p, const steady *s)
{
  const int n = 4000;
  const double h = PI / p->w / n;
  double x = s->x0, v = 0.0;
  for (int i = 0; i < n; i++) {
    double kx[4], kv[4];
    for (int j = 0; j < 4; j++) {
      const double c = j == 0 ? 0.0 : j == 3 ? h : 0.5 * h;
      const double xs = j ? x + c * kx[j - 1] : x, vs = j ? v + c * kv[j - 1] : v;
      kx[j] = vs;
      kv[j] = (p->P * cos(p->w * (i * h + c) + s->phi) + p->F - p->k * xs) / p->m;
    }
    x += h / 6.0 * (kx[0] + 2.0 * kx[1] + 2.0 * kx[2] + kx[3]);
    v += h / 6.0 * (kv[0] + 2.0 * kv[1] + 2.0 * kv[2] + kv[3]);
  }
  assert_true(fabs(x + s->x0) < 1e-10 * fmax(1.0, s->x0));
  assert_true(fabs(v) < 1e-10 * fmax(1.0, s->x0 * p->w));
}

static amo_model *forced_model(const forced *p, double phi)
{
  char text[1024];
  snprintf(text, sizeof text,
           "amontons: 1\n"
           "name: den-hartog\n"
           "parameters: {m: %.17g, k: %.17g, F: %.17g, P: %.17g, w: %.17g, phi: %.17g}\n"
           "coordinates: [x]\n"
           "particles: {mass: {mass: m, at: [x, 0]}}\n"
           "energy: {potential: k/2*x^2}\n"
           "loads: {P: {on: mass, force: [P*cos(w*t + phi), 0]}}\n"
           "contacts: {floor: {pressed: 1, slip: x', law: {type: coulomb, mu: F}}}\n"
           "initial: {x: 1}\n",
           p->m, p->k, p->F, p->P, p->w, phi);
  return motion_model(text);
}

static void compare_near(const char *what, double got, double want, double tol)
{
  if (!(fabs(got - want) <= tol))
    fail_msg("%s: got %.15g, want %.15g, difference %.2e", what, got, want, got - want);
}

// From the exact state: every turning point and everything between.
static void stays_on_the_steady_motion(const forced *p, const steady *s)
{
  static motion got;
  amo_model *m = forced_model(p, s->phi);
  assert_non_null(m);
  amo_sim *sim = motion_sim(m, 1e-13);
  assert_non_null(sim);
  const double start[2] = {s->x0, 0.0}, half = PI / p->w;
  assert_int_equal(amo_sim_start(sim, 0.0, start), AMO_OK);
  assert_int_equal(amo_sim_mode(sim, 0), AMO_SLIP_BACKWARD);
  assert_int_equal(motion_run(sim, 2, 10.25 * half, &got), AMO_OK);
  assert_int_equal(got.events, 10);
  for (int i = 0; i < 10; i++) {
    const double sigma = i % 2 ? 1.0 : -1.0;
    assert_int_equal(got.event[i].from, (int)sigma);
    assert_int_equal(got.event[i].to, -(int)sigma);
    compare_near("turning time", got.event[i].t, (i + 1) * half, 1e-9 * half);
    compare_near("turning point", got.event[i].state[0], sigma * s->x0, 1e-9 * s->x0);
  }
  compare_near("position", amo_sim_state(sim)[0], position(p, s, 0.25 * half), 1e-9 * s->x0);
  compare_near("velocity", amo_sim_state(sim)[1], velocity(p, s, 0.25 * half), 1e-9 * s->x0 * p->w);
  assert_true(motion_audit(sim));
  amo_sim_free(sim);
  amo_model_free(m);
}

// From elsewhere: friction alone damps the transient; amplitude and phase come out to 1e-8.
static void settles_on_the_steady_motion(const forced *p, const steady *s, int halves)
{
  static motion got;
  amo_model *m = forced_model(p, s->phi);
  assert_non_null(m);
  amo_sim *sim = motion_sim(m, 1e-12);
  assert_non_null(sim);
  const double start[2] = {1.05 * s->x0, 0.0}, half = PI / p->w;
  assert_int_equal(amo_sim_start(sim, 0.0, start), AMO_OK);
  assert_int_equal(motion_advance(sim, (halves - 3.5) * half), AMO_OK);
  assert_int_equal(motion_run(sim, 2, (halves + 0.5) * half, &got), AMO_OK);
  assert_int_equal(got.events, 4);
  for (size_t i = 0; i < 4; i++) {
    const double n = floor(got.event[i].t / half + 0.5), sigma = fmod(n, 2.0) == 0.0 ? 1.0 : -1.0;
    compare_near("settled turning time (phase)", got.event[i].t, n * half, 1e-8 * half);
    compare_near("settled amplitude", got.event[i].state[0], sigma * s->x0, 1e-8 * s->x0);
  }
  assert_true(motion_audit(sim));
  amo_sim_free(sim);
  amo_model_free(m);
}

static void forced_steady_motion(void **state)
{
  (void)state;
  static const struct {
    double beta, ratio;
    int settle;
  } row[] = {
      // w/wn, F/P
      {0.6, 0.3, 200}, {0.8, 0.2, 0},   {0.8, 0.5, 400}, {0.9, 0.7, 400}, {1.1, 0.5, 400},
      {1.25, 0.3, 0},  {1.5, 0.5, 200}, {2.0, 0.4, 400}, {3.0, 0.2, 0},
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    forced p = {.m = 1.3, .k = 2.1, .P = 1.7};
    p.F = row[i].ratio * p.P;
    p.w = row[i].beta * sqrt(p.k / p.m);
    const steady s = den_hartog(&p);
    print_message("beta %.2f F/P %.2f: x0 = %.12g P/k\n", row[i].beta, row[i].ratio, s.x0 * p.k / p.P);
    assert_true(without_stops(&p, &s));
    compare_near("formula for x0", position(&p, &s, 0.0), s.x0, 1e-13 * s.x0);
    closed_form_solves_the_equation(&p, &s);
    stays_on_the_steady_motion(&p, &s);
    if (row[i].settle) settles_on_the_steady_motion(&p, &s, row[i].settle);
  }
}

// Free decay (L10): turning points x -> -x + 2 (F/k) sgn x, each pi/wn later, until |x| <= F/k: there it stays, for ever.
static void free_decay(void **state)
{
  (void)state;
  static motion got;
  const forced p = {.m = 1.3, .k = 2.1, .F = 0.23, .P = 0.0, .w = 1.0};
  amo_model *m = forced_model(&p, 0.0);
  assert_non_null(m);
  amo_sim *sim = motion_sim(m, 1e-13);
  assert_non_null(sim);
  const double start[2] = {2.0, 0.0}, half = PI / sqrt(p.k / p.m), drop = 2.0 * p.F / p.k;
  assert_int_equal(amo_sim_start(sim, 0.0, start), AMO_OK);
  assert_int_equal(motion_run(sim, 2, 100.0 * half, &got), AMO_OK);
  double x = start[0];
  size_t n = 0;
  while (fabs(x) > p.F / p.k) {
    x = x > 0.0 ? drop - x : -drop - x;
    assert_true(n < got.events);
    compare_near("turning point", got.event[n].state[0], x, 1e-11);
    compare_near("turning time", got.event[n].t, (double)(n + 1) * half, 1e-11 * half * (double)(n + 1));
    compare_near("turning speed", got.event[n].state[1], 0.0, got.event[n].to == AMO_STICK ? 0.0 : 1e-14);
    n++;
  }
  assert_int_equal(got.events, n);
  assert_int_equal(got.event[n - 1].to, AMO_STICK);
  const double stop = got.event[n - 1].state[0];
  static const double later[] = {300.0, 1e3, 12345.678, 1e6};
  for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
    assert_int_equal(motion_run(sim, 2, later[i], &got), AMO_OK);
    assert_true(amo_sim_time(sim) == later[i]);
    assert_int_equal(got.events, 0);
    assert_int_equal(amo_sim_mode(sim, 0), AMO_STICK);
    assert_true(amo_sim_state(sim)[0] == stop);
    assert_true(amo_sim_state(sim)[1] == 0.0);
  }
  assert_true(motion_audit(sim));
  compare_near("energy lost", amo_sim_audit(sim)->dissipated, 0.5 * p.k * (start[0] * start[0] - stop * stop),
               1e-9);
  amo_sim_free(sim);
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forced_steady_motion),
      cmocka_unit_test(free_decay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
