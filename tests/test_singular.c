// SPDX-License-Identifier: Apache-2.0
// Right-hand sides that are continuous but not smooth at a point: sqrt(p), (-y)^1.5 and |z|^n at their zero. Judged by closed forms,
// by the classical Runge-Kutta method with small steps, and by the same mechanism written otherwise.
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
#include "support/random.h"

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
  if (st != AMO_OK) fail_msg("stopped at t = %.12g: %s\n%s", amo_sim_time(s), amo_sim_message(s), model);
  if (!motion_audit(s)) fail_msg("the audit fails\n%s", model);
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
  char model[600];
  double y[4];
  snprintf(model, sizeof model, BALL "initial: {y: 0.01, y': -1}\n", "0");
  const double pi = acos(-1.0), d = pow(5.0 / 4e6, 0.4);
  const double contact = 0.8 * sqrt(pi) * tgamma(0.4) / tgamma(0.9) * d;
  assert_int_equal(run(model, 0.1, y), 2);
  near("speed", y[3], 1.0, 1e-10);
  near("height", y[1], 0.1 - 0.01 - contact, 1e-11);
}

// Under gravity it bounces for ever to the same height, and rubs only while it touches. Two events for each bounce.
static void hertz_bounces(void **ctx)
{
  (void)ctx;
  char model[900];
  double y[4];
  snprintf(model, sizeof model,
           BALL "contacts: {c: {pressed: N, slip: x', law: {type: coulomb, mu: 0.01}}}\n"
                "initial: {y: 0.01, x': 1}\n",
           "9.81");
  assert_int_equal(run(model, 0.99, y), 18);
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
  char model[600];
  double y[3];
  snprintf(model, sizeof model, VESSEL, "1 - sqrt(p)", "0");
  run(model, 5.0, y);
  const double root = sqrt(y[2]);
  near("time", -2.0 * (root + log1p(-root)), 5.0, 1e-10);
  near("x", y[0], cos(5.0), 1e-10);
}

static void vessel_empties(void **ctx)
{
  (void)ctx;
  char model[600];
  double y[3];
  snprintf(model, sizeof model, VESSEL, "-sqrt(max(p, 0))", "1");
  run(model, 1.5, y);
  near("p", y[2], 0.0625, 1e-11);
  run(model, 5.0, y);
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

static void rk4_from(rates *f, int n, double t, double length, int steps, double *y)
{
  const double h = length / steps, part[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
  for (int i = 0; i < steps; i++) {
    double d[3] = {0}, z[3], sum[3] = {0};
    for (int s = 0; s < 4; s++) {
      for (int k = 0; k < n; k++) z[k] = y[k] + part[s] * h * d[k];
      f(t + (i + part[s]) * h, z, d);
      for (int k = 0; k < n; k++) sum[k] += weight[s] * d[k] / 6.0;
    }
    for (int k = 0; k < n; k++) y[k] += h * sum[k];
  }
}

static void rk4(rates *f, int n, double t_end, int steps, double *y)
{
  rk4_from(f, n, 0.0, t_end, steps, y);
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
  char model[900];
  double a[4], b[4];
  for (int i = 1; i <= 8; i++) {
    snprintf(model, sizeof model, block, "", "support: y");
    run(model, 1.1 * i, a);
    snprintf(model, sizeof model, block, ", y: g", "pressed: g");
    run(model, 1.1 * i, b);
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

// ---- rest in finite time, at the zero of a root ----

// v' = -c (v - v0)^p: v - v0 = (1 - c (1 - p) t)^(1/(1 - p)), until it stops there.
static void drags_stop(void **ctx)
{
  (void)ctx;
  static const double power[] = {0.3, 0.5, 0.62, 0.9};
  for (size_t i = 0; i < 4; i++)
    for (int moving = 0; moving < 2; moving++) {
      char model[600];
      double y[2];
      const double p = power[i], c = 0.8, v0 = moving ? 0.3 : 0.0, stop = 1.0 / (c * (1.0 - p));
      snprintf(model, sizeof model,
               "amontons: 1\nname: drag\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
               "forces: {x: \"-%.17g*abs(x' - %.17g)^%.17g*sign(x' - %.17g)\"}\ninitial: {x': %.17g}\n",
               c, v0, p, v0, 1.0 + v0);
      run(model, 2.0 * stop, y);
      near("x", y[0], 1.0 / (c * (2.0 - p)) + 2.0 * stop * v0, 1e-10);
      near("x'", y[1], v0, 0.0);
    }
}

// Two vessels even out: the difference of their levels falls as (sqrt(0.7) - t)^2, and stays at zero. Then one is filled.
static void levels_even_out(void **ctx)
{
  (void)ctx;
  static const char vessels[] =
      "amontons: 1\nname: vessels\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
      "definitions: {q: \"sqrt(abs(a - b))*sign(a - b)\"}\n"
      "states: {a: {rate: \"max(0, t - 2) - q\", initial: 1}, b: {rate: \"q\", initial: 0.3}}\n";
  double y[4];
  run(vessels, 1.9, y);
  near("levels", y[2], 0.65, 1e-12);
  near("difference", y[2] - y[3], 0.0, 0.0);
  run(vessels, 3.0, y);
  near("sum", y[2] + y[3], 1.3 + 0.5, 1e-11);
  assert_true(y[2] - y[3] > 0.0);
}

static void stops_with(const char *model, double t_end, const char *words)
{
  amo_model *m = motion_model(model);
  assert_non_null(m);
  amo_sim_opts o = amo_sim_opts_default();
  o.stepper = AMO_STEPPER_TAYLOR;  // implicit steps go through what is stiff
  amo_sim *s;
  assert_int_equal(amo_sim_new(m, &o, NULL, &s), AMO_OK);
  assert_int_equal(motion_advance(s, t_end), AMO_ENOANSWER);
  if (strstr(amo_sim_message(s), words) == NULL)
    fail_msg("'%s' does not say '%s'", amo_sim_message(s), words);
  amo_sim_free(s);
  amo_model_free(m);
}

static void what_cannot_go_on_is_told(void **ctx)
{
  (void)ctx;
  char model[700];
  snprintf(model, sizeof model, VESSEL, "p^2", "1");
  stops_with(model, 2.0, "p grows without bound as t tends to 1");
  stops_with("amontons: 1\nname: run\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
             "forces: {x: \"abs(x')^1.5*x'\"}\ninitial: {x': 1}\n",
             2.0, "x' grows without bound");
  stops_with(
      "amontons: 1\nname: creep\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
      "springs: {k: {along: x, stiffness: 1}}\ncontacts: {c: {pressed: 1, slip: x' - 0.1, law: {type: curve, "
      "static: 0.5, kinetic: \"0.3 + 0.01*log(max(s, 1e-300))\"}}}\n",
      6.0, "the motion is stiff");
}

// ---- laws, loads and gaps ----

static double mean_path(double mu, double b,
                        double q)  // integral of v/(mu + b v^q) from 0 to 1, with v = u^4
{
  const int n = 4000;
  double sum = 0.0;
  for (int i = 0; i <= n; i++) {
    const double u = (double)i / n, v = u * u * u * u, w = i == 0 || i == n ? 1.0 : i % 2 ? 4.0 : 2.0;
    sum += w * v / (mu + b * pow(v, q)) * 4.0 * u * u * u;
  }
  return sum / (3.0 * n);
}

// A body slides to rest under mu + b s^q, in a line and in a plane, pressed, on a support and in a guide: the end of the slip may lie a
// rounding beyond, where s^q is undefined.
static void laws_with_roots(void **ctx)
{
  (void)ctx;
  static const char *way[] = {
      "coordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
      "contacts: {c: {pressed: 1, slip: x', %s}}\ninitial: {x': 1}\n",
      "coordinates: [x, y]\nparticles: {b: {mass: 1, at: [x, y, 0]}}\n"
      "contacts: {c: {pressed: 1, slip: [x', y'], %s}}\ninitial: {x': 0.6, y': 0.8}\n",
      "coordinates: [x, y]\ngravity: 1\nparticles: {b: {mass: 1, at: [x, y]}}\n"
      "contacts: {c: {support: y, slip: x', %s}}\ninitial: {x': 1}\n",
      "coordinates: [x, y]\ngravity: 1\nparticles: {b: {mass: 1, at: [x, y]}}\n"
      "contacts: {c: {guide: y, slip: x', %s}}\ninitial: {x': 1}\n"};
  uint64_t seed = 5;
  for (int i = 0; i < 60; i++) {
    const double q = random_uniform(&seed, 0.3, 2.7), mu = random_uniform(&seed, 0.1, 0.5),
                 b = random_uniform(&seed, -0.05, 0.4);
    char law[200], body[700], model[800];
    double y[4];
    snprintf(law, sizeof law, "law: {type: curve, static: 1, kinetic: \"%.17g + %.17g*s^%.17g\"}", mu, b, q);
    snprintf(body, sizeof body, way[i % 4], law);
    snprintf(model, sizeof model, "amontons: 1\nname: slide\n%s", body);
    run(model, 30.0, y);
    near("path", i % 4 == 1 ? y[0] / 0.6 : y[0], mean_path(mu, b, q), 1e-10);
  }
}

// The same law where the slip begins, under a load that grows: in a plane as in a line.
static void slips_that_begin(void **ctx)
{
  (void)ctx;
  uint64_t seed = 7;
  for (int i = 0; i < 12; i++) {
    const double q = random_uniform(&seed, 1.5, 2.7), mu = random_uniform(&seed, 0.1, 0.5),
                 b = random_uniform(&seed, 0.05, 0.4);
    char law[200], model[700];
    double line[2], plane[4];
    snprintf(law, sizeof law, "law: {type: curve, static: %.17g, kinetic: \"%.17g + %.17g*s^%.17g\"}}}\n", mu,
             mu, b, q);
    snprintf(model, sizeof model,
             "amontons: 1\nname: line\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
             "forces: {x: t}\ncontacts: {c: {pressed: 1, slip: x', %s",
             law);
    run(model, 2.0, line);
    snprintf(model, sizeof model,
             "amontons: 1\nname: plane\ncoordinates: [x, y]\nparticles: {b: {mass: 1, at: [x, y, 0]}}\n"
             "forces: {x: 0.6*t, y: 0.8*t}\ncontacts: {c: {pressed: 1, slip: [x', y'], %s",
             law);
    run(model, 2.0, plane);
    near("along x", plane[0] / 0.6, line[0], 1e-10);
    near("along y", plane[1] / 0.8, line[0], 1e-10);
  }
}

// Pressed with (t - 1)^q: v = 1 - mu (t - 1)^(q + 1)/(q + 1). A fall on a surface that rises with a (t - 1)^q.
static void loads_and_gaps_with_roots(void **ctx)
{
  (void)ctx;
  uint64_t seed = 6;
  for (int i = 0; i < 12; i++) {
    const double q = random_uniform(&seed, 0.3, 2.7), mu = random_uniform(&seed, 0.1, 0.9), a = 0.3 * mu;
    char model[700];
    double y[4];
    snprintf(model, sizeof model,
             "amontons: 1\nname: load\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
             "contacts: {c: {pressed: \"max(0, t - 1)^%.17g\", slip: x', law: {type: coulomb, mu: %.17g}}}\n"
             "initial: {x': 1}\n",
             q, mu);
    run(model, 15.0, y);
    const double s = pow((q + 1.0) / mu, 1.0 / (q + 1.0));
    near("path", y[0], 1.0 + s - mu * pow(s, q + 2.0) / ((q + 1.0) * (q + 2.0)), 1e-10);
    snprintf(
        model, sizeof model,
        "amontons: 1\nname: gap\ncoordinates: [x, y]\ngravity: 1\nparticles: {b: {mass: 1, at: [x, y]}}\n"
        "contacts: {c: {support: \"y - %.17g*max(0, t - 1)^%.17g\"}}\ninitial: {y: 1}\n",
        a, q);
    double low = 1.0, high = sqrt(2.0);
    for (int k = 0; k < 80; k++) {
      const double t = 0.5 * (low + high);
      *(1.0 - 0.5 * t * t > a * pow(t - 1.0, q) ? &low : &high) = t;
    }
    amo_model *m = motion_model(model);
    amo_sim *sim = motion_sim(m, 1e-12);
    double struck = 0.0;
    while (struck == 0.0 && amo_sim_time(sim) < 2.0) {
      assert_int_equal(amo_sim_step(sim, 2.0), AMO_OK);
      for (size_t k = 0; k < amo_sim_new_events(sim); k++)
        if (amo_sim_new_event(sim, k)->contact == 0) struck = amo_sim_time(sim);
    }
    if (struck == 0.0) fail_msg("does not strike\n%s", model);
    near("strikes", struck, low, 1e-11);
    amo_sim_free(sim);
    amo_model_free(m);
  }
}

// ---- saturated angles, and the far tail of a pulse ----

static double angle_at(double t)
{
  return asin(fmax(-1.0, fmin(1.0, 1.5 * sin(t))));
}

// asin(clamp(a, -1, 1)) and acos: roots where they saturate, and nothing moves while they are.
static void saturated_angles(void **ctx)
{
  (void)ctx;
  double y[4], sum = 0.0;
  const double edge = asin(1.0 / 1.5), half_pi = acos(0.0);
  run("amontons: 1\nname: angles\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\nstates:\n"
      "  z: {rate: \"asin(clamp(1.5*sin(t), -1, 1))\", initial: 0}\n"
      "  w: {rate: \"acos(clamp(1.5*sin(t), -1, 1))\", initial: 0}\n",
      3.0, y);
  const int n = 20000;
  for (int i = 0; i <= n; i++) {  // t = edge (1 - u^2): the root is smooth in u
    const double u = (double)i / n, weight = i == 0 || i == n ? 1.0 : i % 2 ? 4.0 : 2.0;
    sum += weight * angle_at(edge * (1.0 - u * u)) * 2.0 * edge * u / (3.0 * n);
  }
  const double left = 3.0 - 2.0 * half_pi + edge;  // of the way down from the second edge
  double fall = 0.0;
  for (int i = 0; i <= n; i++) {
    const double u = (double)i / n, weight = i == 0 || i == n ? 1.0 : i % 2 ? 4.0 : 2.0;
    fall += weight * angle_at(edge - left * u * u) * 2.0 * left * u / (3.0 * n);
  }
  const double z = sum + half_pi * (2.0 * half_pi - 2.0 * edge) + fall;
  near("asin", y[2], z, 1e-9);
  near("acos", y[3], 3.0 * half_pi - z, 1e-9);
}

// Forces in a sticking contact that are next to nothing beside what it can hold are no reason for short steps.
static void far_tails(void **ctx)
{
  (void)ctx;
  double x[2];
  for (int i = 0; i < 2; i++) {
    amo_model *m =
        motion_model("amontons: 1\nname: tail\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
                     "forces: {x: \"8*exp(-((t - 5)/0.05)^2)\"}\n"
                     "contacts: {floor: {pressed: 9.81, slip: x', law: {type: coulomb, mu: 0.3}}}\n");
    amo_sim_opts o = amo_sim_opts_default();
    o.stepper = i == 0 ? AMO_STEPPER_TAYLOR : AMO_STEPPER_RK8;
    if (i == 1) o.max_step = 0.01;
    amo_sim *s = NULL;
    assert_int_equal(amo_sim_new(m, &o, NULL, &s), AMO_OK);
    const amo_status st = motion_advance(s, 10.0);
    if (st != AMO_OK) fail_msg("stopped at t = %.12g: %s", amo_sim_time(s), amo_sim_message(s));
    x[i] = amo_sim_state(s)[0];
    amo_sim_free(s);
    amo_model_free(m);
  }
  assert_true(x[0] > 0.03);
  near("after the pulse", x[1], x[0], 1e-10);
}

// ---- random exponents against a method with steps of its own ----

typedef struct mixture {
  double k, p, c, q, A, w, B, s, d, e, b, r, G, v;
} mixture;
static mixture mix;

static double odd_power(double x, double p)
{
  return copysign(pow(fabs(x), p), x);
}

static void mixed(double t, const double *y, double *d)
{
  d[0] = y[1];
  d[1] = -mix.k * odd_power(y[0], mix.p) - mix.c * odd_power(y[1], mix.q) + mix.A * cos(mix.w * t) +
         mix.B * pow(fmax(0.0, t - 1.0), mix.s) - mix.d * y[2];
  d[2] = mix.e * y[1] - mix.b * odd_power(y[2], mix.r) + mix.G * pow(fabs(sin(t)), mix.v);
}

// Step doubling: what one step and two halves differ by is kept below `tol` of 1.
static void adapt(rates *f, int n, double t_end, double tol, double *y)
{
  double h = 1e-3, t = 0.0;
  while (t < t_end) {
    double once[3], twice[3], off = 0.0;
    h = fmin(h, t_end - t);
    memcpy(once, y, sizeof once);
    memcpy(twice, y, sizeof twice);
    rk4_from(f, n, t, h, 1, once);
    rk4_from(f, n, t, h, 2, twice);
    for (int i = 0; i < n; i++) off = fmax(off, fabs(once[i] - twice[i]) / 15.0);
    if (off <= tol || h < 1e-13) {
      t = h < t_end - t ? t + h : t_end;
      for (int i = 0; i < n; i++) y[i] = twice[i] + (twice[i] - once[i]) / 15.0;
    }
    h *= fmin(3.0, fmax(0.2, 0.9 * pow(tol / fmax(off, 1e-30), 0.2)));
  }
}

static void mix_anew(uint64_t *seed)
{
  double *exponent[] = {&mix.p, &mix.q, &mix.s, &mix.r, &mix.v};
  for (size_t i = 0; i < 5; i++) *exponent[i] = random_uniform(seed, 0.3, 2.7);
  mix.q =
      fmax(mix.q,
           0.5);  // what draws its own argument to zero by less than a root is stiff where that passes slowly
  mix.r = fmax(mix.r, 0.5);
  mix.k = random_uniform(seed, 0.5, 4.0);
  mix.c = random_uniform(seed, 0.0, 0.4);
  mix.A = random_uniform(seed, 0.2, 2.0);
  mix.w = random_uniform(seed, 0.5, 3.0);
  mix.B = random_uniform(seed, -0.3, 0.3);
  mix.d = random_uniform(seed, -0.5, 0.5);
  mix.e = random_uniform(seed, -1.0, 1.0);
  mix.b = random_uniform(seed, 0.0, 0.5);
  mix.G = random_uniform(seed, -0.5, 0.5);
}

static int problems = 40;

static void random_exponents(void **ctx)
{
  (void)ctx;
  uint64_t seed = 7;
  double worst = 0.0;
  for (int i = 0; i < problems; i++) {
    char model[1500];
    double y[3], z[3] = {1.0, 0.0, 0.0};
    mix_anew(&seed);
    snprintf(
        model, sizeof model,
        "amontons: 1\nname: mixture\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
        "forces: {x: \"-%.17g*abs(x)^%.17g*sign(x) - %.17g*abs(x')^%.17g*sign(x') + %.17g*cos(%.17g*t) + "
        "%.17g*max(0, t - 1)^%.17g - %.17g*z\"}\n"
        "states: {z: {rate: \"%.17g*x' - %.17g*sign(z)*abs(z)^%.17g + %.17g*abs(sin(t))^%.17g\", initial: "
        "0}}\n"
        "initial: {x: 1}\n",
        mix.k, mix.p, mix.c, mix.q, mix.A, mix.w, mix.B, mix.s, mix.d, mix.e, mix.b, mix.r, mix.G, mix.v);
    run(model, 6.0, y);
    adapt(mixed, 3, 6.0, 1e-14, z);
    for (int k = 0; k < 3; k++) {
      worst = fmax(worst, fabs(y[k] - z[k]));
      if (!(fabs(y[k] - z[k]) <= 1e-8))
        fail_msg("problem %d, state %d: %.15g, not %.15g\n%s", i, k, y[k], z[k], model);
    }
  }
  print_message("largest difference %.1e\n", worst);
}

// test_singular N: N random problems.
int main(int argc, char **argv)
{
  if (argc > 1) problems = atoi(argv[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hertz_returns),
      cmocka_unit_test(hertz_bounces),
      cmocka_unit_test(vessel_fills),
      cmocka_unit_test(vessel_empties),
      cmocka_unit_test(drag_stops),
      cmocka_unit_test(drag_on_a_spring),
      cmocka_unit_test(drag_on_a_floor),
      cmocka_unit_test(bouc_wen),
      cmocka_unit_test(drags_stop),
      cmocka_unit_test(levels_even_out),
      cmocka_unit_test(what_cannot_go_on_is_told),
      cmocka_unit_test(laws_with_roots),
      cmocka_unit_test(slips_that_begin),
      cmocka_unit_test(loads_and_gaps_with_roots),
      cmocka_unit_test(saturated_angles),
      cmocka_unit_test(far_tails),
      cmocka_unit_test(random_exponents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
