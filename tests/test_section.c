// SPDX-License-Identifier: Apache-2.0
// Sections against motions whose passes are known, periods of made-up sequences, attractors of systems whose attractors
// are known, and a walk along a parameter against separate runs.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/motion.h"
#include "support/near.h"

#define PI 3.14159265358979323846

// ---- sections ----

typedef struct passes {
  double t[512], x[512];
  size_t n;
} passes;

static int note(void *ctx, const amo_sample *p)
{
  passes *w = ctx;
  w->t[w->n] = p->t;
  w->x[w->n++] = p->state[0];
  return w->n == 512;
}

static double velocity(void *ctx, const amo_sample *p)
{
  (void)ctx;
  return p->state[1];
}

static double offset(void *ctx, const amo_sample *p)
{
  return p->state[0] - *(const double *)ctx;
}

static void collect(amo_model *m, amo_section s, double until, passes *out)
{
  amo_sim *sim = motion_sim(m, 1e-13);
  amo_sample *p = NULL;
  assert_int_equal(amo_sample_new(m, &p), AMO_OK);
  out->n = 0;
  while (amo_sim_time(sim) < until) {
    assert_int_equal(amo_sim_step(sim, until), AMO_OK);
    assert_int_equal(amo_section_step(&s, sim, p, note, out), AMO_OK);
  }
  amo_sample_free(p);
  amo_sim_free(sim);
}

// x = cos(2t): zeros of x', of x - 0.5, ticks.
static void oscillator(void **state)
{
  (void)state;
  static passes p, q;
  amo_model *m = motion_model(
      "amontons: 1\ncoordinates: [x]\nenergy: {kinetic: x'^2/2, potential: 2*x^2}\ninitial: {x: 1}\n");
  assert_non_null(m);
  collect(m, (amo_section){.kind = AMO_SECTION_ZERO, .value = velocity, .direction = -1}, 20.0, &p);
  assert_int_equal(p.n, 6);  // maxima; the one at the start is no pass
  for (size_t i = 0; i < p.n; i++) {
    assert_near(p.t[i], PI * (double)(i + 1), 1e-11);
    assert_near(p.x[i], 1.0, 1e-11);
  }
  collect(m, (amo_section){.kind = AMO_SECTION_STATE, .state = 1, .direction = -1}, 20.0, &q);
  assert_int_equal(q.n, p.n);
  for (size_t i = 0; i < p.n; i++) assert_near(q.t[i], p.t[i], 1e-13);
  collect(m, (amo_section){.kind = AMO_SECTION_STATE, .state = 1, .direction = 0}, 20.0, &q);
  assert_int_equal(q.n, 12);
  double half = 0.5;
  collect(m, (amo_section){.kind = AMO_SECTION_ZERO, .value = offset, .ctx = &half, .direction = 1}, 20.0,
          &p);
  assert_int_equal(p.n, 6);
  for (size_t i = 0; i < p.n; i++) assert_near(p.t[i], PI * (double)(i + 1) - PI / 6, 1e-11);
  collect(m, (amo_section){.kind = AMO_SECTION_CLOCK, .phase = 0.25, .period = 0.5}, 20.0, &p);
  assert_int_equal(p.n, 40);
  for (size_t i = 0; i < p.n; i++) assert_near(p.x[i], cos(2 * (0.25 + 0.5 * (double)i)), 1e-11);
  amo_model_free(m);
}

static const char block[] =
    "amontons: 1\nparameters: {v: 0.2, c: 0}\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
    "energy: {potential: x^2/2}\nforces: {x: -c*x'}\ncontacts:\n"
    "  belt: {pressed: 1, slip: x' - v, law: {type: curve, static: 1, kinetic: 1/(1 + 3*s)}}\n"
    "initial: {x: 1.1}\n";

// Every kind of event of the block, against the simulation's own list; passes at events are just after them.
static void events(void **state)
{
  (void)state;
  static motion own;
  static passes p;
  amo_model *m = motion_model(block);
  amo_sim *sim = motion_sim(m, 1e-13);
  assert_int_equal(motion_run(sim, 2, 100.0, &own), AMO_OK);
  for (int stick = 0; stick < 2; stick++) {
    size_t n = 0;
    collect(m,
            (amo_section){.kind = AMO_SECTION_EVENT,
                          .contact = stick - 1,
                          .from = AMO_MODE_ANY,
                          .to = stick ? AMO_MODE_STICKS : AMO_MODE_SLIPS},
            100.0, &p);
    for (size_t i = 0; i < own.events; i++) {
      if ((own.event[i].to == AMO_STICK) != (stick == 1)) continue;
      assert_near(p.t[n], own.event[i].t, 0);
      assert_near(p.x[n++], own.event[i].state[0], 1e-15);
    }
    assert_int_equal(n, p.n);
    assert_true(n > 5);
  }
  amo_sim_free(sim);
  amo_model_free(m);
}

// A motion that comes to zero and stays there passes once.
static void arrival(void **state)
{
  (void)state;
  static passes p;
  amo_model *m = motion_model(
      "amontons: 1\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
      "contacts: {floor: {pressed: 1, slip: x', law: {type: coulomb, mu: 0.5}}}\ninitial: {x': 2}\n");
  assert_non_null(m);
  collect(m, (amo_section){.kind = AMO_SECTION_ZERO, .value = velocity, .direction = 0}, 10.0, &p);
  assert_int_equal(p.n, 1);
  assert_near(p.t[0], 4.0, 1e-9);
  amo_model_free(m);
}

static void periods(void **state)
{
  (void)state;
  const double scale[] = {1.0, 2.0};
  double period;
  for (size_t p = 1; p <= 6; p++) {
    amo_returns r = {.states = 2};
    for (size_t i = 0; i < 40; i++) {
      const double noise = 1e-9 * sin(12.9898 * (double)i);
      const double y[] = {cos(2 * PI * (double)(i % p) / (double)p) + noise,
                          2.0 * (double)(i % p) + (i < 20 ? 1.0 : 0.0)};
      assert_int_equal(amo_returns_add(&r, 0.5 * (double)i, y), AMO_OK);
    }
    assert_int_equal(amo_returns_turns(&r, scale, 1e-6, 64, &period), p <= 6 ? p : 0);
    assert_int_equal(amo_returns_turns(&r, scale, 1e-10, 64, &period), 0);
    assert_int_equal(amo_returns_turns(&r, scale, 1e-6, p - 1, &period), 0);
    amo_returns_free(&r);
  }
}

// A motion that settles with a multiplier on a ray to a root of unity agrees every n-th time first; its period is that of
// what it settles to, whose own period is p.
static void settling(void **state)
{
  (void)state;
  const double scale[] = {1.0, 1.0};
  for (size_t p = 1; p <= 3; p++)
    for (size_t n = 2; n <= 5; n++)
      for (double size = 0.3; size < 0.99; size += 0.0715) {
        amo_returns r = {.states = 2};
        double period = 0.0;
        size_t turns = 0;
        for (size_t i = 0; i < 4000 && turns == 0; i++) {
          const double left = 0.5 * pow(size, (double)i), angle = 2 * PI * (double)i / (double)n + 0.3;
          const double y[] = {(double)(i % p) + left * cos(angle), left * sin(angle)};
          assert_int_equal(amo_returns_add(&r, 0.5 * (double)i + 0.1 * left * cos(angle), y), AMO_OK);
          turns = amo_returns_turns(&r, scale, 1e-6, 64, &period);
        }
        assert_int_equal(turns, p);
        assert_near(period, 0.5 * (double)p, 1e-5);
        amo_returns_free(&r);
      }
}

// ---- attractors ----

static amo_attractor find(const char *text, double until, bool exponents)
{
  amo_model *m = motion_model(text);
  assert_non_null(m);
  amo_sim *sim = motion_sim(m, 1e-12);
  amo_attractor a;
  amo_attractor_opts o = amo_attractor_opts_default();
  o.until = until;
  o.exponents = exponents;
  assert_int_equal(amo_attractor_find(sim, &o, &a), AMO_OK);
  printf("  %s, period %.12g, %g to %g, sticks %zu, exponent %g; %s\n", amo_attractor_name(a.kind), a.period,
         a.low, a.high, a.sticks, a.exponent, a.why);
  amo_sim_free(sim);
  amo_model_free(m);
  return a;
}

static void attractors(void **state)
{
  (void)state;
  amo_attractor a = find(block, 300, true);
  assert_int_equal(a.kind, AMO_ATTRACTOR_CYCLE);
  assert_near(a.period, 12.00103129483, 1e-9);
  assert_near(a.high, 1.133944676442, 1e-9);
  assert_int_equal(a.sticks, 1);
  assert_int_equal(a.turns, 1);

  // undecided, where there was no time
  a = find(block, 20, false);
  assert_int_equal(a.kind, AMO_ATTRACTOR_UNDECIDED);
  assert_true(strlen(a.why) > 10);

  // damped beyond 3/(1.6)^2 = 1.17, steady sliding attracts: x = 1/1.6
  char text[1024];
  snprintf(text, sizeof text, "%s", block);
  char *c = strstr(text, "c: 0}");
  assert_non_null(c);
  memcpy(c, "c: 2}", 5);
  a = find(text, 300, true);
  assert_int_equal(a.kind, AMO_ATTRACTOR_SLIDING);
  assert_near(a.low, 1.0 / 1.6, 1e-7);

  // on a belt that stands still: rest
  char *v = strstr(text, "v: 0.2");
  memcpy(v, "v: 0.0", 6);
  a = find(text, 300, true);
  assert_int_equal(a.kind, AMO_ATTRACTOR_REST);

  // two phases of stick per period (aging static friction): T = 27.18697788617
  a = find(
      "amontons: 1\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\nenergy: {potential: x^2/2}\n"
      "contacts: {belt: {pressed: 1, slip: x' - 0.2, law: {type: aging, static: 1, kinetic: 1/(1 + 3*s), "
      "growth: 2, "
      "rate: 0.1}}}\ninitial: {x: 1.1}\n",
      600, true);
  assert_int_equal(a.kind, AMO_ATTRACTOR_CYCLE);
  assert_near(a.period, 27.18697788617, 1e-5);
  assert_int_equal(a.sticks, 2);

  // forced Duffing oscillator, damping 0.3, force 0.5: the standard chaotic one
  a = find("amontons: 1\ncoordinates: [x]\nenergy: {kinetic: x'^2/2, potential: x^4/4 - x^2/2}\n"
           "forces: {x: -0.3*x' + 0.5*cos(1.2*t)}\ninitial: {x: 0.1}\n",
           600, true);
  assert_int_equal(a.kind, AMO_ATTRACTOR_CHAOS);
  assert_true(a.exponent > 0.08 && a.exponent < 0.25);
}

// ---- a walk ----

static double first(void *ctx, const amo_sample *p)
{
  (void)ctx;
  return p->state[0];
}

// The belt's speed from 0.2 to 0.6: the period of the cycle at each value is that of a run of its own.
static void walk(void **state)
{
  (void)state;
  static motion own;
  amo_model *m = motion_model(block);
  amo_sim *sim = motion_sim(m, 1e-12), *alone = motion_sim(m, 1e-12);
  const amo_section slip = {.kind = AMO_SECTION_EVENT, .contact = -1, .to = AMO_MODE_SLIPS};
  const amo_sweep_opts o = {.size = sizeof o,
                            .parameter = 0,
                            .transient = 60,
                            .duration = 100,
                            .returns = 8,
                            .tol = 1e-6,
                            .turns = 4,
                            .section = &slip,
                            .of = first};
  double y[2] = {1.1, 0};
  for (double v = 0.2; v < 0.65; v += 0.1) {
    amo_sweep_point p;
    assert_int_equal(amo_sweep_visit(sim, &o, v, y, &p), AMO_OK);
    assert_true(amo_sim_audit(sim)->ok);
    assert_int_equal(p.turns, 1);
    assert_int_equal(p.passes, 8);
    assert_near(p.value[7], 1.0, 1e-9);  // released at x = 1
    assert_false(p.still);
    assert_int_equal(amo_sim_parameter(alone, 0, v), AMO_OK);
    assert_int_equal(amo_sim_start(alone, 0, NULL), AMO_OK);
    assert_int_equal(motion_run(alone, 2, 100, &own), AMO_OK);
    double last = NAN, before = NAN;
    for (size_t i = 0; i < own.events; i++)
      if (own.event[i].from == AMO_STICK) before = last, last = own.event[i].t;
    assert_near(p.period, last - before, 1e-8);
    assert_near(amo_sweep_distance(&p, &p), 0.0, 0);
    amo_sweep_point_free(&p);
  }
  amo_sim_free(sim);
  amo_sim_free(alone);
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(oscillator), cmocka_unit_test(events),
                                     cmocka_unit_test(arrival),    cmocka_unit_test(periods),
                                     cmocka_unit_test(settling),   cmocka_unit_test(attractors),
                                     cmocka_unit_test(walk)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
