// SPDX-License-Identifier: Apache-2.0
// Events at limits: slips, gaps and branches that touch zero and turn, branches whose arguments vanish together, and
// motions that start late. What happens may not depend on the tolerance, nor on when the clock was started.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/motion.h"
#include "support/random.h"

static const double tolerance[] = {1e-7, 1e-8, 1e-10, 1e-12, 1e-13, 1e-14};
enum { TOLERANCES = 6 };

static long events_of(const char *model, double tol, double until)
{
  amo_model *m = motion_model(model);
  amo_sim *s = m ? motion_sim(m, tol) : NULL;
  assert_non_null(s);
  assert_int_equal(motion_advance(s, until), AMO_OK);
  assert_true(motion_audit(s));
  const long n = amo_sim_stats(s)->events;
  amo_sim_free(s);
  amo_model_free(m);
  return n;
}

static void same_for_all(const char *model, double until, long want)
{
  for (int i = 0; i < TOLERANCES; i++) {
    const long n = events_of(model, tolerance[i], until);
    if (n != want) fail_msg("%s: %ld events at tol %g, not %ld", model, n, tolerance[i], want);
  }
}

/// x' = V(1 - cos wt) on a floor, a gap (1 - cos wt), and abs(1 - cos wt): each touches zero once a period.
static void touches(void **state)
{
  uint64_t seed = 3;
  (void)state;
  for (int i = 0; i < 6; i++) {
    const double V = random_uniform(&seed, 0.3, 3.0), w = random_uniform(&seed, 0.7, 4.0);
    text t = {.n = 0};
    put(&t,
        "amontons: 1\nname: slip\nparameters: {V: %.17g, w: %.17g}\ncoordinates: [x]\n"
        "particles: {b: {mass: 1, at: [x, 0]}}\nforces: {x: \"V*w*sin(w*t) + 0.7\"}\n"
        "contacts: {c: {pressed: 1, slip: x', law: {type: coulomb, mu: 0.7}}}\n"
        "initial: {x': V*(1 - cos(w)), time: 1}\n",
        V, w);
    same_for_all(t.at, 20.0, 0);
    t.n = 0;
    put(&t,
        "amontons: 1\nname: gap\nparameters: {V: %.17g, w: %.17g}\ncoordinates: [x, y]\n"
        "particles: {b: {mass: 1, at: [x, y]}}\nforces: {y: \"V*w*w*cos(w*t)\"}\n"
        "contacts: {c: {support: y, slip: x', law: {type: coulomb, mu: 0.7}}}\n"
        "initial: {y: V*(1 - cos(w)), y': V*w*sin(w), time: 1}\n",
        V, w);
    same_for_all(t.at, 20.0, 0);
    t.n = 0;
    put(&t,
        "amontons: 1\nname: branch\nparameters: {V: %.17g, w: %.17g}\ncoordinates: [x]\n"
        "particles: {b: {mass: 1, at: [x, 0]}}\nforces: {x: \"V*abs(1 - cos(w*t))\"}\ninitial: {time: 1}\n",
        V, w);
    same_for_all(t.at, 20.0, 0);
  }
}

/// A dip that is more than the error is not a touch: two events a period, in every tolerance.
static void dips(void **state)
{
  (void)state;
  same_for_all("amontons: 1\nname: dip\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
               "forces: {x: \"abs(0.999 - cos(t))\"}\ninitial: {time: 1}\n",
               20.0, 6);
}

/// A normal force with its sign taken off, read again by the law: one event where it passes zero.
static void one_event_where_arguments_vanish_together(void **state)
{
  uint64_t seed = 5;
  (void)state;
  for (int i = 0; i < 6; i++) {
    const double w = random_uniform(&seed, 0.5, 3.0), p = random_uniform(&seed, 0.1, 1.0);
    text t = {.n = 0};
    put(&t,
        "amontons: 1\nname: load\nparameters: {w: %.17g, p: %.17g}\ncoordinates: [x]\n"
        "particles: {b: {mass: 1, at: [x, 0]}}\n"
        "contacts: {c: {pressed: \"abs(sin(w*t + p))\", slip: \"x' - 5\", law: {type: coulomb, mu: 0.1}}}\n",
        w, p);
    same_for_all(t.at, 20.0, (long)floor((20.0 * w + p) / 3.14159265358979323846));
  }
}

/// Random forced blocks from t0 on, the load shifted with the clock.
static void shifted(uint64_t *seed, bool two)
{
  static const double t0[] = {0.0, 1e3, 1e5};
  static motion first, other;
  const double k = random_uniform(seed, 0.5, 20.0), F = random_uniform(seed, 1.1, 3.0),
               w = random_uniform(seed, 0.5, 6.0), mu = random_uniform(seed, 0.3, 0.9);
  for (int i = 0; i < 3; i++) {
    text t = {.n = 0};
    put(&t, "amontons: 1\nname: shifted\nparameters: {k: %.17g, F: %.17g, w: %.17g, mu: %.17g, t0: %.17g}\n",
        k, F, w, mu, t0[i]);
    put(&t, "coordinates: [x%s]\nparticles: {b: {mass: 1, at: [x, 0]}%s}\n", two ? ", y" : "",
        two ? ", d: {mass: 2, at: [y, 0]}" : "");
    put(&t, "springs: {s: {along: x, stiffness: k}%s}\n", two ? ", r: {along: x - y, stiffness: 2}" : "");
    put(&t, "forces: {x: F*cos(w*(t - t0))}\ncontacts:\n  c: {pressed: 1, slip: x', law: {type: coulomb, mu: "
            "mu}}\n");
    if (two) put(&t, "  e: {pressed: 1, slip: y', law: {type: coulomb, mu: 0.2}}\n");
    put(&t, "initial: {time: t0}\n");
    amo_model *m = motion_model(t.at);
    amo_sim *s = m ? motion_sim(m, 1e-12) : NULL;
    assert_non_null(s);
    if (motion_run(s, 1, t0[i] + 30.0, i == 0 ? &first : &other) != AMO_OK) fail_msg("%s", t.at);
    assert_true(motion_audit(s));
    amo_sim_free(s);
    amo_model_free(m);
    if (i == 0) continue;
    if (first.events != other.events) fail_msg("%zu events, not %zu:\n%s", other.events, first.events, t.at);
    for (size_t e = 0; e < first.events; e++)
      if (fabs(other.event[e].t - t0[i] - first.event[e].t) > 1e-13 * t0[i] + 1e-9 ||
          other.event[e].to != first.event[e].to)
        fail_msg("event %zu at %.12g, not %.12g:\n%s", e, other.event[e].t - t0[i], first.event[e].t, t.at);
  }
}

static void late_starts(void **state)
{
  uint64_t seed = 17;
  (void)state;
  for (int i = 0; i < 60; i++) shifted(&seed, i % 2 == 1);
}

/// 50 Hz for a minute: 12000 events, each a stop or a release.
static void long_run(void **state)
{
  (void)state;
  assert_int_equal(
      events_of("amontons: 1\nname: fifty\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
                "springs: {s: {along: x, stiffness: 4e5}}\nforces: {x: 1.5*cos(100*pi*t)}\n"
                "contacts: {c: {pressed: 1, slip: x', law: {type: coulomb, mu: 0.8}}}\n",
                1e-12, 60.0),
      12000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(touches), cmocka_unit_test(dips),
                                     cmocka_unit_test(one_event_where_arguments_vanish_together),
                                     cmocka_unit_test(late_starts), cmocka_unit_test(long_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
