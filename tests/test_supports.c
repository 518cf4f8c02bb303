// SPDX-License-Identifier: Apache-2.0
/// Supports: closed forms, and random planar systems against time stepping that decides contacts by impulses and
/// knows no modes, no events and no series.
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

// ---- closed forms ----

static const char cube[] =
    "amontons: 1\nparameters: {m: 1, a: 0.1, mu: 0.3, g: 9.81, v: 1}\ncoordinates: [x, y, phi]\ngravity: g\n"
    "bodies: {cube: {mass: m, inertia: m*a^2/6, at: [x, y], angle: phi}}\n"
    "contacts:\n"
    "  front: {support: {point: {on: cube, at: [a/2, -a/2]}, line: {through: [0, 0], along: 0}}, law: {type: "
    "coulomb, mu: "
    "mu}}\n"
    "  rear: {support: {point: {on: cube, at: [-a/2, -a/2]}, line: {through: [0, 0], along: 0}}, law: {type: "
    "coulomb, "
    "mu: mu}}\n"
    "initial: {y: a/2, x': v}\n";

static void cube_slides_to_rest(void **state)
{
  (void)state;
  amo_model *m = motion_model(cube);
  amo_sim *s = motion_sim(m, 1e-12);
  motion run;
  assert_int_equal(motion_run(s, 6, 1.0, &run), AMO_OK);
  assert_int_equal(run.events, 2);  // both edges stop together, and neither lifts
  for (size_t i = 0; i < 2; i++) assert_int_equal(run.event[i].to, AMO_STICK);
  assert_near(run.event[0].t, 1.0 / (0.3 * 9.81), 1e-14);
  assert_near(amo_sim_state(s)[0], 1.0 / (2.0 * 0.3 * 9.81), 1e-15);
  assert_near(amo_sim_state(s)[1], 0.05, 0.0);
  assert_true(motion_audit(s));
  amo_sim_free(s);
  amo_model_free(m);
}

/// A bead that comes to rest on a curve does so as on a wire: what is left of its speed then is rounding, and does not
/// lift it.
static void bead_stops_as_on_a_wire(void **state)
{
  (void)state;
  static const double mu[] = {0.2, 0.1, 0.05, 0.02, 0.3};
  for (int i = 0; i < 5; i++) {
    static motion run[2];
    for (int k = 0; k < 2; k++) {
      char text[512];
      snprintf(text, sizeof text,
               "amontons: 1\ncoordinates: [x, y]\ngravity: 9.81\nparticles: {bead: {mass: 0.1, at: [x, y]}}\n"
               "contacts: {wire: {%s: {point: bead, curve: Y = X^2/2}, law: {type: coulomb, mu: %g}}}\n"
               "initial: {x: 1, y: 0.5}\n",
               k ? "guide" : "support", mu[i]);
      amo_model *m = motion_model(text);
      amo_sim *s = motion_sim(m, 1e-12);
      assert_int_equal(motion_run(s, 4, 20.0, &run[k]), AMO_OK);
      assert_true(motion_audit(s));
      amo_sim_free(s);
      amo_model_free(m);
    }
    assert_true(run[1].events > 0);
    assert_int_equal(run[0].events, run[1].events);
    for (size_t e = 0; e < run[0].events; e++) {
      assert_int_equal(run[0].event[e].from, run[1].event[e].from);
      assert_int_equal(run[0].event[e].to, run[1].event[e].to);
      assert_near(run[0].event[e].t, run[1].event[e].t, 1e-12);
    }
  }
}

static void held_block_never_creeps(void **state)
{
  (void)state;
  amo_model *m =
      motion_model("amontons: 1\ncoordinates: [x, y]\ngravity: 10\nparticles: {b: {mass: 1, at: [x, y]}}\n"
                   "forces: {x: 2.9 + 0.05*sin(7*t)}\ncontacts: {f: {support: y, slip: x', law: {type: "
                   "coulomb, mu: 0.3}}}\n");
  amo_sim *s = motion_sim(m, 1e-12);
  assert_int_equal(motion_advance(s, 1e4), AMO_OK);
  assert_true(amo_sim_state(s)[0] == 0.0 && amo_sim_state(s)[2] == 0.0);
  assert_int_equal(amo_sim_mode(s, 0), AMO_STICK);
  amo_sim_free(s);
  amo_model_free(m);
}

/// Dropped from h with restitution e: impacts accumulate at t = sqrt(2h/g) (1 + e)/(1 - e), losing all of m g h.
static void bounces_accumulate(void **state)
{
  (void)state;
  static const double e[] = {0.0, 0.3, 0.5, 0.9};
  for (size_t i = 0; i < sizeof e / sizeof *e; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "amontons: 1\ncoordinates: [x, y]\ngravity: 10\nparticles: {b: {mass: 2, at: [x, y]}}\ninitial: "
             "{y: 5}\n"
             "contacts: {f: {support: y >= 0, slip: x', restitution: %g, law: {type: coulomb, mu: 0.3}}}\n",
             e[i]);
    amo_model *m = motion_model(text);
    amo_sim *s = motion_sim(m, 1e-12);
    motion run;
    assert_int_equal(motion_run(s, 4, 30.0, &run), AMO_OK);
    assert_int_equal(run.events, 1);  // of mode: the last impact, which stays closed
    assert_int_equal(run.event[0].to, AMO_STICK);
    assert_near(run.event[0].t, (1.0 + e[i]) / (1.0 - e[i]), 1e-10);
    assert_near(amo_sim_audit(s)->dissipated, 2 * 10 * 5.0, 1e-10);
    assert_true(motion_audit(s));
    amo_sim_free(s);
    amo_model_free(m);
  }
}

// ---- random systems against time stepping ----

enum { MASSES = 2, N = 2 * MASSES };

/// MASSES particles (x_i, y_i) over the plane y = 0, on a full positive definite stiffness, under growing loads.
typedef struct bench {
  double m[MASSES], K[N][N], F[N], C[N], mu, q[N], u[N];
} bench;

static double uniform(uint32_t *seed, double a, double b)
{
  *seed = *seed * 1664525u + 1013904223u;
  return a + (b - a) * (*seed >> 8) / 16777216.0;
}

static bench random_bench(uint32_t seed)
{
  bench b = {.mu = uniform(&seed, 0.1, 1.2)};
  double a[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = uniform(&seed, -1.0, 1.0);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      b.K[i][j] = i == j ? 0.5 : 0.0;
      for (int k = 0; k < N; k++) b.K[i][j] += a[i][k] * a[j][k];
    }
  for (int i = 0; i < N; i++) {
    const bool normal = i % 2 == 1;
    b.F[i] = uniform(&seed, -1.0, normal ? 0.2 : 1.0);
    b.C[i] = uniform(&seed, -1.0, 1.0);
    b.u[i] = uniform(&seed, -1.0, 1.0);
    b.q[i] = normal ? uniform(&seed, 0.0, 0.3) : uniform(&seed, -0.5, 0.5);
  }
  for (int i = 0; i < MASSES; i++) b.m[i] = uniform(&seed, 0.5, 2.0);
  return b;
}

/// Fixed steps: free velocity at the midpoint, then impulses where the gap at the midpoint is closed: the normal one
/// stops the approach, the tangential one stops the slip or is as large as friction allows.
static void step_through(const bench *b, double t_end, long steps, double *q, double *u)
{
  const double h = t_end / (double)steps;
  memcpy(q, b->q, sizeof b->q);
  memcpy(u, b->u, sizeof b->u);
  for (long k = 0; k < steps; k++) {
    double mid[N], t = ((double)k + 0.5) * h, force[N];
    for (int i = 0; i < N; i++) mid[i] = q[i] + 0.5 * h * u[i];
    for (int i = 0; i < N; i++) {
      force[i] = b->F[i] + b->C[i] * t;
      for (int j = 0; j < N; j++) force[i] -= b->K[i][j] * mid[j];
    }
    for (int p = 0; p < MASSES; p++) {
      double *ux = &u[2 * p], *uy = &u[2 * p + 1];
      *ux += h * force[2 * p] / b->m[p];
      *uy += h * force[2 * p + 1] / b->m[p];
      if (mid[2 * p + 1] > 0.0 || *uy >= 0.0) continue;
      const double normal = -*uy;  // per mass
      *uy = 0.0;
      *ux = fabs(*ux) <= b->mu * normal ? 0.0 : *ux - copysign(b->mu * normal, *ux);
    }
    for (int i = 0; i < N; i++) q[i] = mid[i] + 0.5 * h * u[i];
  }
}

static amo_model *model_of(const bench *b)
{
  char text[4096], *p = text, *end = text + sizeof text;
  p += snprintf(
      p, (size_t)(end - p),
      "amontons: 1\ncoordinates: [q0, q1, q2, q3]\nparticles: {a: {mass: %.17g, at: [q0, q1]}, b: {mass: "
      "%.17g, at: [q2, q3]}}\nenergy: {potential: ",
      b->m[0], b->m[1]);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      p += snprintf(p, (size_t)(end - p), "%s(%.17g)/2*q%d*q%d", i + j > 0 ? " + " : "", b->K[i][j], i, j);
  p += snprintf(p, (size_t)(end - p), "}\nforces: {");
  for (int i = 0; i < N; i++)
    p += snprintf(p, (size_t)(end - p), "%sq%d: %.17g + (%.17g)*t", i > 0 ? ", " : "", i, b->F[i], b->C[i]);
  p += snprintf(p, (size_t)(end - p),
                "}\ncontacts:\n  A: {support: q1, slip: q0', law: {type: coulomb, mu: %.17g}}\n"
                "  B: {support: q3, slip: q2', law: {type: coulomb, mu: %.17g}}\ninitial: {",
                b->mu, b->mu);
  for (int i = 0; i < N; i++)
    p += snprintf(p, (size_t)(end - p), "%sq%d: %.17g, q%d': %.17g", i > 0 ? ", " : "", i, b->q[i], i,
                  b->u[i]);
  snprintf(p, (size_t)(end - p), "}\n");
  return motion_model(text);
}

/// Time stepping is of first order with impacts: the difference must shrink with the step, and be small.
static void random_systems(void **state)
{
  (void)state;
  long events = 0;
  for (uint32_t seed = 1; seed <= 40; seed++) {
    const bench b = random_bench(seed);
    const double t_end = 4.0;
    amo_model *m = model_of(&b);
    assert_non_null(m);
    amo_sim *s = motion_sim(m, 1e-12);
    assert_non_null(s);
    assert_int_equal(motion_advance(s, t_end), AMO_OK);
    assert_true(motion_audit(s));
    double q[N], u[N], worst = 0.0;
    step_through(&b, t_end, 400000, q, u);
    for (int i = 0; i < N; i++)
      worst = fmax(worst, fmax(fabs(q[i] - amo_sim_state(s)[i]), fabs(u[i] - amo_sim_state(s)[N + i])));
    if (!(worst <= 3e-4)) fail_msg("system %u differs by %g", seed, worst);
    events += amo_sim_stats(s)->events;
    amo_sim_free(s);
    amo_model_free(m);
  }
  assert_true(events > 150);  // it has been worth while
}

/// Lanes say the same as single runs, and what is decided is decided alike.
static void ensemble_decides(void **state)
{
  (void)state;
  enum { COUNT = 37 };
  amo_model *m = motion_model("amontons: 1\ncoordinates: [x, y]\nparticles: {b: {mass: 1, at: [x, y]}}\n"
                              "energy: {potential: (x^2 + 2*x*y + 2*y^2)/2}\n"
                              "forces: {x: -0.7451280178851305*t, y: -0.6669214623646301*t}\n"
                              "contacts: {f: {support: y, slip: x', law: {type: coulomb, mu: 1.25}}}\n");
  double start[COUNT][4], end[COUNT][4], at[COUNT];
  unsigned char fate[COUNT];
  amo_status status[COUNT];
  for (int i = 0; i < COUNT; i++)
    memcpy(start[i], (double[]){0.0, 0.0, -24.0 + i, 0.25 * (i % 9)}, sizeof start[i]);
  amo_ensemble e = {.count = COUNT,
                    .state = &start[0][0],
                    .t_end = 1000.0,
                    .final_state = &end[0][0],
                    .fate = fate,
                    .status = status,
                    .final_time = at};
  assert_int_equal(amo_ensemble_run(m, NULL, &e), AMO_OK);
  for (int i = 0; i < COUNT; i++) {
    amo_sim *s = motion_sim(m, 1e-12);
    assert_int_equal(status[i], AMO_OK);
    assert_int_equal(amo_sim_start(s, 0.0, start[i]), AMO_OK);
    while (amo_sim_time(s) < 1000.0 && amo_sim_fate(s) == AMO_FATE_UNDECIDED)
      assert_int_equal(amo_sim_step(s, 1000.0), AMO_OK);
    assert_int_equal(fate[i], amo_sim_fate(s));
    assert_true(fate[i] != AMO_FATE_UNDECIDED);
    for (int k = 0; k < 4 && at[i] == amo_sim_time(s); k++) assert_near(end[i][k], amo_sim_state(s)[k], 0.0);
    amo_sim_free(s);
  }
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cube_slides_to_rest),     cmocka_unit_test(held_block_never_creeps),
      cmocka_unit_test(bead_stops_as_on_a_wire), cmocka_unit_test(bounces_accumulate),
      cmocka_unit_test(random_systems),          cmocka_unit_test(ensemble_decides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
