// SPDX-License-Identifier: Apache-2.0
// Laws with memory: rates of loading against differences of the force at rest, families against the same laws written by hand, and
// stops that last far less than a step, just below the speed at which stick-slip is lost.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amontons/amontons.h"
#include "support/motion.h"
#include "support/near.h"
#include "support/random.h"

// ---- rate of loading ----

/// A block that a guide holds, pulled by a spring and a damper from a second one that swings, both on a belt that starts slowly.
static const char chain[] =
    "amontons: 1\ncoordinates: [x, y]\n"
    "particles: {a: {mass: 2, at: [x, 0]}, b: {mass: 0.7, at: [y, 0]}}\n"
    "springs: {s: {along: y - x, stiffness: 30}, g: {along: \"y - 0.2*t - 0.03*t^2\", stiffness: 11}}\n"
    "dampers: {d: {along: y - x, damping: 1.3}}\n"
    "contacts:\n"
    "  guide: {pressed: 2, slip: 3*x' - 0.1*t^2, law: {type: breakaway, in: force, level: 40,\n"
    "          excess: 1, beta: 0.02}}\n"
    "  other: {pressed: 1, slip: y' - 0.2, law: {type: stiction, in: force, static: 0.6, kinetic: 0.4}}\n"
    "initial: {y': 0.3}\n";

static void loading_is_found(void **state)
{
  (void)state;
  amo_model *m = motion_model(chain);
  amo_sim *s = motion_sim(m, 1e-13);
  amo_sample *p = NULL;
  const double h = 1e-5;
  double most = 0.0;
  assert_int_equal(amo_sample_new(m, &p), AMO_OK);
  for (int i = 0; i < 40; i++) {
    double force[3], bound[3];
    for (int k = 0; k < 3; k++) {
      assert_int_equal(motion_advance(s, 0.05 + 0.1 * i + k * h), AMO_OK);
      assert_int_equal(amo_sim_sample(s, amo_sim_time(s), true, p), AMO_OK);
      assert_int_equal(p->mode[0], 0);
      force[k] = fabs(p->force[0]), bound[k] = p->bound[0];
    }
    const double f = fmax(0.0, (force[2] - force[0]) / (2.0 * h));
    assert_near(-log(bound[1] - 40.0) / 0.02, f, 1e-5);
    most = fmax(most, f);
  }
  assert_true(most > 0.5);
  amo_sample_free(p);
  amo_sim_free(s);
  amo_model_free(m);
}

/// Events of two models are the same.
static void same_events(const char *one, const char *other, double until, size_t least)
{
  static motion run[2];
  for (int k = 0; k < 2; k++) {
    amo_model *m = motion_model(k ? other : one);
    assert_non_null(m);
    amo_sim *s = motion_sim(m, 1e-12);
    assert_int_equal(motion_run(s, 1, until, &run[k]), AMO_OK);
    assert_true(motion_audit(s));
    amo_sim_free(s);
    amo_model_free(m);
  }
  assert_int_equal(run[0].events, run[1].events);
  assert_true(run[0].events >= least);
  for (size_t i = 0; i < run[0].events; i++) {
    assert_near(run[0].event[i].t, run[1].event[i].t, 1e-9 * run[0].event[i].t);
    assert_int_equal(run[0].event[i].to, run[1].event[i].to);
  }
}

static void families_are_what_they_say(void **state)
{
  (void)state;
  uint64_t seed = 6;
  for (int i = 0; i < 8; i++) {
    const double v = random_uniform(&seed, 0.02, 0.06), c = random_uniform(&seed, 50, 100),
                 d = random_uniform(&seed, 0, 0.1), A = random_uniform(&seed, 1, 4),
                 beta = random_uniform(&seed, 0.01, 0.1), rate = random_uniform(&seed, 0.5, 3),
                 part = random_uniform(&seed, 0, 1);
    text t[2] = {{.n = 0}, {.n = 0}};
    for (int k = 0; k < 2; k++) {
      put(&t[k],
          "amontons: 1\ncoordinates: [x]\nparticles: {a: {mass: 1, at: [x, 0]}}\n"
          "definitions: {X: %.17g*(t + 0.1*t^2)}\nsprings: {s: {along: X - x, stiffness: %.17g}}\n"
          "dampers: {d: {along: X - x, damping: %.17g}}\ncontacts:\n  guide: {pressed: 1, slip: x', law: ",
          v, c, d);
      if (k == 0)
        put(&t[k],
            "{type: breakaway, in: force, level: 5, excess: %.17g, beta: %.17g, rate: %.17g, part: "
            "%.17g, kinetic: 5 - 0.1*s}}\n",
            A, beta, rate, part);
      else
        put(&t[k],
            "{type: general, in: force, static: \"5 + %.17g*exp(-%.17g*max(0, %.17g*rate(X) + "
            "%.17g*rate(rate(X))))*(1 - %.17g*exp(-%.17g*T))\", kinetic: 5 - 0.1*s, states: {T: {stick: 1, "
            "slip: "
            "0, reset: 0}}}}\n",
            A, beta, c, d, part, rate);
    }
    same_events(t[0].at, t[1].at, 8.0, 3);
  }
}

static void lag_follows_its_curve(void **state)
{
  (void)state;
  static const char head[] = "amontons: 1\ncoordinates: [x]\nparticles: {a: {mass: 1, at: [x, 0]}}\n"
                             "springs: {s: {along: x, stiffness: 1}}\n"
                             "contacts:\n  belt: {pressed: 2, slip: x' - 0.5, law: ";
  text t[2] = {{.n = 0}, {.n = 0}};
  put(&t[0], "%s{type: lagged, static: 1, kinetic: 0.8 + 0.2*exp(-3*s), tau: 0.3}}\n", head);
  put(&t[1],
      "%s{type: general, static: 1, kinetic: phi, states: {phi: {stick: (1 - phi)/0.3, slip: (0.8 + "
      "0.2*exp(-3*s) - "
      "phi)/0.3, initial: 0.8 + 0.2*exp(-1.5)}}}}\n",
      head);
  same_events(t[0].at, t[1].at, 30.0, 4);
}

// ---- preliminary displacement ----

/// The rule of the source (A9), the force found by halving: nothing of the engine's.
typedef struct rule {
  double c, Fs, xa, xb, n, Fp;  // as in models/small-displacement.yaml
  bool saturates, interrupted;
  double F, left;  // force now; irreversible displacement
} rule;

static double reversible(const rule *r, double F)
{
  const double y = r->xa * F / r->Fs;
  return r->saturates ? fmin(fmax(y, -r->xa), r->xa) : y;
}

static double full(const rule *r, double F)
{
  const double s = (fabs(F) - r->Fs) / (r->Fp - r->Fs);
  return s > 0.0 ? copysign(r->xb * pow(s, r->n), F) : 0.0;
}

/// The irreversible displacement if the force goes from r->F to F without turning.
static double left_at(const rule *r, double F)
{
  const bool grows = F * r->F < 0.0 ? true : fabs(F) > fabs(r->F);
  if (!grows || r->interrupted) return r->left;
  return r->left + full(r, F) - (F * r->F < 0.0 ? 0.0 : full(r, r->F));
}

/// The end of the spring moves on by dX in one go.
static double move(rule *r, double dX)
{
  const double X = r->F / r->c + reversible(r, r->F) + r->left + dX;
  double lo = r->F - r->c * fabs(dX), hi = r->F + r->c * fabs(dX);
  if (fabs(r->F) > r->Fs && dX * r->F <= 0.0) r->interrupted = true;
  for (int i = 0; i < 200; i++) {
    const double F = 0.5 * (lo + hi);
    *(F / r->c + reversible(r, F) + left_at(r, F) < X ? &lo : &hi) = F;
  }
  r->left = left_at(r, lo);
  r->F = lo;
  return reversible(r, lo) + r->left;
}

static void rule_of_small_displacement(void **state)
{
  (void)state;
  uint64_t seed = 71;
  enum { STRETCHES = 5 };
  int interrupted = 0, yielded = 0;
  for (int k = 0; k < 40; k++) {
    rule r = {.c = random_uniform(&seed, 1, 20),
              .Fs = 1,
              .xa = random_uniform(&seed, 0, 0.2),
              .xb = random_uniform(&seed, 0.1, 1),
              .n = random_uniform(&seed, 1, 3),
              .Fp = 2,
              .saturates = k % 2};
    double speed[STRETCHES];
    text t = {.n = 0};
    put(&t, "amontons: 1\ncoordinates: [x, X]\nprescribed: {X: \"0");
    for (int i = 0; i < STRETCHES; i++) {
      speed[i] = i % 3 == 2 ? 0.0 : random_uniform(&seed, -2, 2) * (2.0 / r.c + r.xa);
      put(&t, " + %.17g*clamp(t - %d, 0, 1)", speed[i], i);
    }
    put(&t,
        "\"}\nsprings: {s: {along: X - x, stiffness: %.17g}}\ncontacts:\n  g: {pressed: 1, slip: x', law: "
        "{type: "
        "coulomb, in: force, mu: 1000},\n      preliminary: {reversible: \"if(%d*(F - 1) > 0, 0, %.17g)\", "
        "irreversible: \"%.17g*%.17g*(F - 1)^(%.17g - 1)\", above: 1}}\n",
        r.c, r.saturates, r.xa, r.xb, r.n, r.n);
    amo_model *m = motion_model(t.at);
    assert_non_null(m);
    amo_sim *s = motion_sim(m, 1e-13);
    for (int i = 0; i < STRETCHES; i++) {
      const double x = move(&r, speed[i]);
      assert_int_equal(motion_advance(s, i + 1.0), AMO_OK);
      assert_near(amo_sim_state(s)[1], x, 1e-10);
      assert_int_equal(amo_sim_state(s)[0] > 0.0, r.interrupted);
    }
    assert_true(motion_audit(s));
    interrupted += r.interrupted, yielded += r.left != 0.0;
    amo_sim_free(s);
    amo_model_free(m);
  }
  if (interrupted < 10 || yielded < 10) fail_msg("%d interrupted, %d yielded: too few", interrupted, yielded);
}

// ---- stops far shorter than a step ----

typedef struct drive {
  double m, c, lam, A, beta;
} drive;

/// Least speed of the slider in the first swing after break-away at v: its speed relative to the drive is that of a damped
/// oscillator which begins at -v with the acceleration J/m. Closed form.
static double least_speed(drive d, double v)
{
  const double a = 0.5 * d.lam, w = sqrt(d.c / d.m - a * a), g = d.A * exp(-d.beta * d.c * v) / d.m;
  // u = e^{-at}(P cos wt + Q sin wt), u' = e^{-at}((Qw - aP) cos wt - (Pw + aQ) sin wt)
  const double P = -v, Q = (g - a * v) / w;
  double t = atan2(Q * w - a * P, P * w + a * Q) / w;
  const double half = acos(-1.0) / w;
  while (t < 0.0) t += half;
  for (int i = 0; i < 3; i++, t += half) {  // the first one that is a valley
    const double u = exp(-a * t) * (P * cos(w * t) + Q * sin(w * t));
    if (u < 0.0 && t > 0.0) return v + u;
  }
  fail_msg("no valley");
  return NAN;
}

static double critical_speed(drive d)
{
  double lo = 1e-9 * d.A / sqrt(d.c * d.m), hi = 1e3 * d.A / sqrt(d.c * d.m);
  for (int i = 0; i < 200; i++) {
    const double v = sqrt(lo * hi);
    *(least_speed(d, v) < 0.0 ? &lo : &hi) = v;
  }
  return lo;
}

static void check_side(drive d, double v, bool stops)
{
  const char *const name[] = {"m", "c", "lam", "A", "beta", "v", "F0", "eps", "z"};
  const double number[] = {d.m, d.c, d.lam, d.A, d.beta, v, 2.0 * d.A, 0.0};
  char path[512], value[8][32];
  amo_setting set[9];
  for (int i = 0; i < 8; i++) {
    snprintf(value[i], sizeof value[i], "%.17g", number[i]);
    set[i] = (amo_setting){name[i], value[i]};
  }
  set[8] = (amo_setting){name[8], "release"};
  amo_model *m = NULL;
  static motion run;
  snprintf(path, sizeof path, "%s/models/drive-spring-slider-jump.yaml", AMO_SOURCE_DIR);
  assert_int_equal(amo_model_load(path, set, 9, NULL, &m), AMO_OK);
  amo_sim *s = motion_sim(m, 1e-12);
  assert_int_equal(motion_run(s, 2, 10.0 * sqrt(d.m / d.c), &run), AMO_OK);
  assert_true(run.events >= 1 && run.event[0].to == 1);
  if ((run.events > 1) != stops)
    fail_msg("m %g c %g lam %g A %g beta %g, v = %.17g: %zu events", d.m, d.c, d.lam, d.A, d.beta, v,
             run.events);
  if (stops) assert_int_equal(run.event[1].to, 0);
  amo_sim_free(s);
  amo_model_free(m);
}

static void stops_at_speed_minima(void **state)
{
  (void)state;
  static const struct {
    drive d;
    double v;  // as published, 0: not
  } known[] = {
      {{100, 1e6, 0.4, 420, 0.003}, 0.00168405674299},
      {{100, 1e6, 2, 420, 0.003}, 0.00145644954216},
      {{100, 1e6, 10, 420, 0.003}, 0.00121277714213},
      {{1, 1, 0.002, 1, 0}, 8.89327313442},
      {{1, 1, 0.02, 1, 0}, 2.73924041679},
      {{1, 1, 0.1, 1, 0}, 1.09809262412},
      {{1, 1, 0.4, 1, 0}, 0.366973926704},
  };
  static const double off[] = {1e-3, 1e-5, 1e-7};
  uint64_t seed = 8;
  for (size_t i = 0; i < 12; i++) {
    drive d = {random_uniform(&seed, 0.1, 10), random_uniform(&seed, 1, 1e5), 0,
               random_uniform(&seed, 1, 100), 0};
    const double w = sqrt(d.c / d.m);
    d.lam = w * random_uniform(&seed, 0.001, 0.3);
    d.beta = random_uniform(&seed, 0, 0.5) / (d.A * w);
    if (i < sizeof known / sizeof *known) d = known[i].d;
    const double v = critical_speed(d);
    if (i < sizeof known / sizeof *known) assert_near(v, known[i].v, 1e-9 * v);
    for (size_t k = 0; k < sizeof off / sizeof *off; k++) {
      check_side(d, v * (1.0 - off[k]), true);
      check_side(d, v * (1.0 + off[k]), false);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loading_is_found),      cmocka_unit_test(families_are_what_they_say),
      cmocka_unit_test(lag_follows_its_curve), cmocka_unit_test(rule_of_small_displacement),
      cmocka_unit_test(stops_at_speed_minima),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
