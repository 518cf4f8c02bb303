// SPDX-License-Identifier: Apache-2.0
// The linearised flow: against converged values of the literature, against differences of the exact flow on random
// systems through events of every kind, and against what must hold always (S f- = f+, rank lost in stick).
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow/variation.h"
#include "support/motion.h"
#include "support/near.h"

enum { STATES = 16 };

typedef struct ride {
  amo_model *m;
  amo_flow *f;
  amo_variation *g;
} ride;

static ride open_ride(const char *text, const char *param)
{
  ride r = {motion_model(text), NULL, NULL};
  assert_non_null(r.m);
  amo_sim_opts o = amo_sim_opts_default();
  o.tol = 1e-14;
  assert_int_equal(amo_flow_new(r.m, &o, 1, &r.f), AMO_OK);
  uint32_t p = 0;
  if (param) {
    long i = amo_model_find_parameter(r.m, param);
    assert_true(i >= 0);
    p = (uint32_t)i;
  }
  assert_int_equal(amo_variation_new(r.m, &p, param ? 1 : 0, &r.g), AMO_OK);
  return r;
}

static void close_ride(ride *r)
{
  amo_variation_free(r->g);
  amo_flow_free(r->f);
  amo_model_free(r->m);
}

static void begin(ride *r, double t, const double *y)
{
  assert_int_equal(amo_flow_start(r->f, 0, t, y), AMO_OK);
  amo_variation_begin(r->g, r->f, 0);
}

static void go(ride *r, double t_end)
{
  amo_status st = AMO_OK;
  while (st == AMO_OK && r->f->lane[0].t < t_end) {
    amo_flow_prepare(r->f);
    amo_flow_advance(r->f, t_end);
    st = r->f->lane[0].status;
    if (st == AMO_OK) st = amo_variation_follow(r->g, r->f, 0);
  }
  if (st != AMO_OK) fail_msg("%s %s", r->f->lane[0].message, r->g->message);
}

static double phi(const ride *r, int i, int j)
{
  return r->g->y[(size_t)j * r->g->ns + (size_t)i];
}

static const char block[] =
    "amontons: 1\nparameters: {m: 1, k: 1, Fs: 1, delta: 3, v: 0.2}\ncoordinates: [x]\n"
    "particles: {block: {mass: m, at: [x, 0]}}\nenergy: {potential: k/2*x^2}\n"
    "contacts:\n  belt: {pressed: 1, slip: x' - v, law: {type: curve, static: Fs, "
    "kinetic: Fs/(1 + delta*s)}}\n";

// Leine et al. 1998, recomputed with 40 digits: the fundamental matrix along the cycle, from its largest x.
static void block_over_one_period(void **state)
{
  (void)state;
  static const double want[][5] = {{0.5, 0.86084219739, 0.6004495826, -0.56651658173, 1.3035679957},
                                   {1.0, 0.45034654573, 1.2105127319, -1.0403477304, 1.0565035833},
                                   {2.0, -0.74261876115, 1.6050285385, -1.1339093866, -0.38928935073},
                                   {3.0, -1.4428451792, 0.42683898471, -0.13104151479, -1.919230274},
                                   {8.0, -1.3935806313, -0.39297002063, 0, 0},
                                   {12.001031294830578647, 0, 0, 3.5462772175, 1}};
  ride r = open_ride(block, NULL);
  begin(&r, 0.0, (double[]){1.13394467644165684, 0});
  for (int k = 0; k < 6; k++) {
    go(&r, want[k][0]);
    for (int e = 0; e < 4; e++) assert_near(phi(&r, e / 2, e % 2), want[k][1 + e], 2e-10);
  }
  assert_int_equal(r.g->rank, 1);
  assert_false(r.g->grazing);
  close_ride(&r);
}

// ---- differences of the exact flow ----

static void end_state(ride *r, const double *y, double t_end, double *out, long *events)
{
  assert_int_equal(amo_flow_start(r->f, 0, 0.0, y), AMO_OK);
  while (r->f->lane[0].t < t_end) {
    amo_flow_expand(r->f);
    amo_flow_advance(r->f, t_end);
    assert_int_equal(r->f->lane[0].status, AMO_OK);
  }
  memcpy(out, r->f->lane[0].y, r->f->ns * sizeof *out);
  *events = r->f->lane[0].stats.events;
}

/// Central differences with two steps, extrapolated. False: the order of events differs within the stencil.
static bool difference(ride *r, const double *y, uint32_t j, double t_end, double *out)
{
  double up[STATES], down[STATES], z[STATES], d[2][STATES];
  long e0, e[4];
  const uint32_t ns = r->f->ns;
  amo_values *v = NULL;
  assert_int_equal(amo_values_new(r->m, &v), AMO_OK);
  end_state(r, y, t_end, up, &e0);
  for (int k = 0; k < 2; k++) {
    const double h = k ? 1e-4 : 2e-4;
    for (int side = 0; side < 2; side++) {
      memcpy(z, y, ns * sizeof *z);
      const double shift = side ? -h : h;
      double kept = 0.0;
      uint32_t index = j < ns ? 0 : r->g->at->vary->param[j - ns];
      if (j < ns) {
        z[j] += shift;
      } else {
        kept = v->param[index];
        assert_int_equal(amo_values_set(v, index, kept + shift), AMO_OK);
        amo_flow_parameters(r->f, 0, v->param);
      }
      end_state(r, z, t_end, side ? down : up, &e[2 * k + side]);
      if (j >= ns) {
        assert_int_equal(amo_values_set(v, index, kept), AMO_OK);
        amo_flow_parameters(r->f, 0, v->param);
      }
    }
    for (uint32_t i = 0; i < ns; i++) d[k][i] = (up[i] - down[i]) / (2 * h);
  }
  amo_values_free(v);
  for (uint32_t i = 0; i < ns; i++) out[i] = (4 * d[1][i] - d[0][i]) / 3;
  return e[0] == e0 && e[1] == e0 && e[2] == e0 && e[3] == e0;
}

static long events_seen;

/// Compare all columns; returns how many could be compared.
static int compare(ride *r, const double *y, double t_end, double tolerance)
{
  double exact[STATES * STATES], column[STATES];
  const uint32_t ns = r->f->ns, n = r->g->columns;
  int compared = 0;
  begin(r, 0.0, y);
  go(r, t_end);
  memcpy(exact, r->g->y, (size_t)n * ns * sizeof *exact);
  events_seen += r->f->lane[0].stats.events;
  if (r->g->grazing) return 0;
  for (uint32_t j = 0; j < n; j++) {
    if (!difference(r, y, j, t_end, column)) continue;
    double size = 1.0;
    for (uint32_t i = 0; i < ns; i++) size = fmax(size, fabs(exact[j * ns + i]));
    for (uint32_t i = 0; i < ns; i++)
      if (!(fabs(exact[j * ns + i] - column[i]) <= tolerance * size)) {
        fprintf(stderr, "state %u, direction %u, to t = %.4f\n", i, j, t_end);
        assert_near(exact[j * ns + i], column[i], tolerance * size);
      }
    compared++;
  }
  return compared;
}

static uint64_t seed = 12345;
static double random_in(double a, double b)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return a + (b - a) * (double)(seed >> 11) / 9007199254740992.0;
}

// Chains of blocks on a belt (diagonal masses), coupled masses, forcing in time, a memory with reset, a switch in the
// spring force, a constraint: from random states to random times, parameters included.
static void random_systems(void **state)
{
  (void)state;
  char text[4096];
  int compared = 0;
  for (int k = 0; k < 24; k++) {
    const int kind = k % 6;
    double y[STATES] = {0};
    if (kind == 0)
      snprintf(text, sizeof text, "%s", block);
    else if (kind == 1)
      snprintf(text, sizeof text,
               "amontons: 1\nparameters: {m: %.3f, k: 1, c: %.3f, v: 0.2, w: sqrt(k)*0.7, p: "
               "k}\ncoordinates: [a, b]\n"
               "energy: {kinetic: m/2*a'^2 + b'^2/2, potential: k/2*a^2 + k/2*b^2 + c/2*(a - b)^2}\n"
               "forces: {a: 0.2*p*cos(w*t)}\ncontacts:\n"
               "  A: {pressed: 1, slip: a' - v, law: {type: curve, static: 1, kinetic: 1/(1 + 3*s)}}\n"
               "  B: {pressed: 1, slip: b' - v, law: {type: stiction, static: 1.3, kinetic: 1.1}}\n",
               random_in(0.6, 1.5), random_in(0.3, 1.4));
    else if (kind == 2)
      snprintf(
          text, sizeof text,
          "amontons: 1\nparameters: {k: 1, c: %.3f}\ncoordinates: [a, b]\n"
          "energy: {kinetic: a'^2 + 0.6*a'*b'*cos(a) + b'^2/2, potential: k/2*a^2 + k*b^2 + 0.1*a^4}\n"
          "forces: {b: -0.1*b'}\ncontacts:\n"
          "  A: {pressed: 1 + 0.2*a^2, slip: a' + b' - 0.3, law: {type: stribeck, static: 1, kinetic: 0.6, "
          "speed: 0.3}}\n",
          random_in(0.3, 1.4));
    else if (kind == 3)
      snprintf(
          text, sizeof text,
          "amontons: 1\nparameters: {k: 1, g: %.3f}\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, "
          "0]}}\n"
          "energy: {potential: k/2*x^2}\ncontacts:\n  belt: {pressed: 1, slip: x' - 0.2, law: {type: aging, "
          "static: 1, kinetic: 1/(1 + 3*s), growth: 2, rate: g}}\n",
          random_in(0.05, 0.2));
    else if (kind == 4)
      snprintf(
          text, sizeof text,
          "amontons: 1\nparameters: {k: 1, wall: %.3f}\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, "
          "0]}}\n"
          "energy: {potential: \"k/2*x^2 + if(x > wall, 4*(x - wall)^2, 0)\"}\ncontacts:\n"
          "  belt: {pressed: 1, slip: \"x' - if(t < 7.3, 0.3, 0.35 + 0.1*k)\", law: {type: curve, static: 1, "
          "kinetic: 1/(1 + 2*s)}}\n",
          random_in(0.3, 0.9));
    else
      snprintf(text, sizeof text,
               "amontons: 1\nparameters: {k: 1, h: %.3f}\ncoordinates: [x, y]\n"
               "particles: {A: {mass: 1, at: [x, 0]}, B: {mass: 0.7, at: [y, 0]}}\n"
               "energy: {potential: k/2*x^2 + 0.8*(x - y)^2}\ncontacts:\n"
               "  rel: {pressed: 1, slip: x' - y', law: {type: curve, static: h, kinetic: h/(1 + s)}}\n"
               "  belt: {pressed: 1, slip: y' - 0.25, law: {type: curve, static: 1, kinetic: 1/(1 + 3*s)}}\n",
               random_in(0.2, 0.8));
    ride r = open_ride(text, "k");
    for (uint32_t i = 0; i < 2 * r.m->nq; i++) y[i] = random_in(-1.2, 1.2);
    compared += compare(&r, y, random_in(6.0, 22.0), 3e-7);
    close_ride(&r);
  }
  assert_true(compared > 70);
}

// Through impacts, rebounds, sliding, sticking and lifting off: a ball on a rough floor, a spinning disc, a rod that
// falls on its tip, a mass on a plane that shakes, a plastic landing with a curve of friction, a stop and a floor.
static void random_supports(void **state)
{
  (void)state;
  static const char ball[] =
      "amontons: 1\nparameters: {k: 9.81, e: 0.6}\ncoordinates: [x, y]\nforces: {y: -k}\n"
      "energy: {kinetic: x'^2/2 + y'^2/2, potential: 0.1*x^2}\n"
      "contacts:\n  floor: {support: y + 0.1*sin(x), slip: x', restitution: e, law: {type: coulomb, mu: "
      "0.3}}\n";
  static const char disc[] = "amontons: 1\nparameters: {k: 0.7}\ncoordinates: [x, y, a]\n"
                             "energy: {kinetic: x'^2/2 + y'^2/2 + 0.05*a'^2, potential: 9.81*y}\n"
                             "contacts:\n  floor: {support: y - 0.3, slip: x' + 0.3*a', restitution: k, law: "
                             "{type: coulomb, mu: 0.25}}\n"
                             "initial: {y: 1}\n";
  static const char rod[] = "amontons: 1\nparameters: {k: 0.5}\ncoordinates: [x, y, a]\n"
                            "bodies: {rod: {mass: 1, inertia: 0.1, at: [x, y], angle: a}}\ngravity: 9.81\n"
                            "contacts:\n  tip: {support: y - 0.5*sin(a), slip: x' + 0.5*a'*sin(a), "
                            "restitution: k, law: {type: coulomb, mu: 0.4}}\n"
                            "  heel: {support: y + 0.5*sin(a), slip: x' - 0.5*a'*sin(a), restitution: 0.3, "
                            "law: {type: coulomb, mu: 0.4}}\n";
  static const char shaken[] = "amontons: 1\nparameters: {k: 1.3, mu: 0.4}\ncoordinates: [x, y]\n"
                               "energy: {kinetic: x'^2/2 + y'^2/2, potential: 9.81*y + 3*x^2}\n"
                               "contacts:\n  table: {support: y - 0.3*k*sin(5*t), slip: x' - 0.4*cos(3*t), "
                               "law: {type: coulomb, mu: mu}}\n";
  static const char plastic[] =
      "amontons: 1\nparameters: {k: 2}\ncoordinates: [x, y]\n"
      "energy: {kinetic: x'^2/2 + y'^2/2 + 0.2*x'*y', potential: 9.81*y + k*x^2/2 + 0.3*x*y}\n"
      "contacts:\n  floor: {support: y, slip: x' - 0.2, law: {type: curve, static: 0.4, kinetic: 0.4/(1 + "
      "s)}}\n";
  static const char corner[] =
      "amontons: 1\nparameters: {k: 2}\ncoordinates: [x, y]\nforces: {x: 1.5*cos(2*t)}\n"
      "energy: {kinetic: x'^2/2 + y'^2/2, potential: 9.81*y + k*x^2/2}\n"
      "contacts:\n  floor: {support: y, slip: x', restitution: 0.2, law: {type: coulomb, mu: 0.1}}\n"
      "  wall: {support: 1 - x, slip: y', restitution: 0.8, law: {type: coulomb, mu: 0.1}}\n";
  static const char *const text[] = {ball, disc, rod, shaken, plastic, corner};
  int compared[6] = {0};
  events_seen = 0;
  for (int k = 0; k < 60; k++) {
    const int kind = k % 6;
    double y[STATES] = {0};
    ride r = open_ride(text[kind], "k");
    for (uint32_t i = 0; i < 2 * r.m->nq; i++) y[i] = random_in(-1.2, 1.2);
    y[1] = random_in(0.8, 1.6);
    if (kind == 5) y[0] = random_in(-0.8, 0.8);
    compared[kind] += compare(&r, y, random_in(0.6, kind == 2 ? 1.2 : 3.0), 1e-6);
    close_ride(&r);
  }
  for (int kind = 0; kind < 6; kind++) assert_true(compared[kind] > 40);
  assert_true(events_seen > 300);
}

// Slip in a plane: it turns, stops, sticks and begins again, pressed and supported.
static void random_planes(void **state)
{
  (void)state;
  static const char sliding[] =
      "amontons: 1\nparameters: {k: 1, mu: 0.2}\ncoordinates: [x, y]\n"
      "energy: {kinetic: x'^2/2 + y'^2/2 + 0.1*x'*y', potential: k/2*x^2 + k*y^2}\n"
      "contacts:\n  plane: {pressed: 1, slip: [\"x' - 0.3\", \"y' + 0.2\"], law: {type: coulomb, mu: mu}}\n";
  static const char sticking[] = "amontons: 1\nparameters: {k: 1.5, mu: 1}\ncoordinates: [x, y]\n"
                                 "energy: {kinetic: x'^2/2 + y'^2/2, potential: k/2*x^2 + k*y^2}\n"
                                 "contacts:\n  plane: {pressed: 1, slip: [\"x' - 0.2\", \"y' + 0.1\"], law: "
                                 "{type: stiction, static: 1.2, "
                                 "kinetic: 0.7}}\n";
  static const char driven[] =
      "amontons: 1\nparameters: {k: 1.5, mu: 0.6}\ncoordinates: [x, y]\nforces: {x: cos(t), y: "
      "0.8*sin(1.3*t)}\n"
      "energy: {kinetic: x'^2/2 + y'^2/2, potential: k/4*x^2 + k/5*y^2}\n"
      "contacts:\n  plane: {pressed: 1, slip: [x', y'], law: {type: coulomb, mu: mu}}\n";
  static const char falling[] =
      "amontons: 1\nparameters: {k: 0.5}\ncoordinates: [x, y, z]\n"
      "energy: {kinetic: x'^2/2 + y'^2 + z'^2/2 + 0.3*x'*z', potential: 9.81*z + x^2 + 0.4*x*y}\n"
      "contacts:\n  floor: {support: z + 0.1*x, slip: [x', y'], restitution: k, law: {type: coulomb, mu: "
      "0.15}}\n";
  static const char *const text[] = {sliding, sticking, driven, falling};
  int compared[4] = {0};
  events_seen = 0;
  for (int k = 0; k < 32; k++) {
    const int kind = k % 4;
    double y[STATES] = {0};
    ride r = open_ride(text[kind], "k");
    for (uint32_t i = 0; i < 2 * r.m->nq; i++) y[i] = random_in(-1.2, 1.2);
    if (kind == 3) y[2] = random_in(0.8, 1.6);
    const double end = kind == 0 ? 6.0 : kind == 3 ? 2.5 : 30.0;
    compared[kind] += compare(&r, y, random_in(kind == 3 ? 0.6 : 2.0, end), 1e-6);
    close_ride(&r);
  }
  for (int kind = 0; kind < 4; kind++) assert_true(compared[kind] > 30);
  assert_true(events_seen > 25);
}

// The tangent to the trajectory itself: column Phi f(0) = f(t), through everything.
static void flow_direction(void **state)
{
  (void)state;
  double f0[2], f1[2];
  ride r = open_ride(block, "v");
  begin(&r, 0.0, (double[]){1.1, 0.3});
  assert_int_equal(amo_variation_rates(r.g, r.f, 0, f0), AMO_OK);
  go(&r, 17.0);
  assert_int_equal(amo_variation_rates(r.g, r.f, 0, f1), AMO_OK);
  for (int i = 0; i < 2; i++) assert_near(phi(&r, i, 0) * f0[0] + phi(&r, i, 1) * f0[1], f1[i], 1e-11);
  close_ride(&r);
}

// Columns of a' = -a^2, b' = -2 a b, c' = c cos(w t) in closed form, all of them and the first alone: over steps on which the derivatives
// are no short polynomials the columns are as good as the motion.
static void closed_forms(void **state)
{
  (void)state;
  const double a = 0.7, b = 1.3, c = 0.4, w = 3.0, t = 9.0, s = 1.0 + a * t;
  for (uint32_t few = 0; few < 2; few++) {
    ride r = open_ride("amontons: 1\nparameters: {w: 3}\nstates:\n  a: {rate: -a^2, initial: 0.7}\n"
                       "  b: {rate: -2*a*b, initial: 1.3}\n  c: {rate: c*cos(w*t), initial: 0.4}\n",
                       few ? NULL : "w");
    begin(&r, 0.0, (double[]){a, b, c});
    if (few) r.g->columns = 1;
    go(&r, t);
    assert_near(phi(&r, 0, 0), 1.0 / (s * s), 1e-14);
    assert_near(phi(&r, 1, 0), -2.0 * b * t / (s * s * s), 1e-13);
    if (!few) {
      const double grown = exp(sin(w * t) / w);
      assert_near(phi(&r, 1, 1), 1.0 / (s * s), 1e-14);
      assert_near(phi(&r, 2, 2), grown, 1e-13);
      assert_near(phi(&r, 2, 3), c * grown * (t * cos(w * t) / w - sin(w * t) / (w * w)), 1e-12);
    }
    close_ride(&r);
  }
}

// Eight places in the lanes of one evaluation, or each alone: the same bits.
static void places_in_lanes(void **state)
{
  (void)state;
  enum { PLACES = 11, DIRECTIONS = 3 };
  ride r = open_ride(block, "delta");
  begin(&r, 0.0, (double[]){1.1, 0.9});
  const amo_lane *l = &r.f->lane[0];
  double t[PLACES], y[PLACES][2], df[PLACES][DIRECTIONS][2];
  for (int i = 0; i < PLACES; i++) t[i] = 0.1 * i, y[i][0] = 1.1 + 0.01 * i, y[i][1] = 0.9 - 0.02 * i;
  amo_place at = {.mode = l->mode, .reaction_sign = l->reaction_sign, .branch = l->branch};
  assert_int_equal(amo_derivative_rates_along(r.g->at, &at, PLACES, t, y[0], df[0][0]), AMO_OK);
  for (int i = 0; i < PLACES; i++) {
    at.t = t[i];
    at.y = y[i];
    assert_int_equal(amo_derivative_rates(r.g->to, &at), AMO_OK);
    assert_memory_equal(df[i], r.g->to->df, sizeof df[i]);
  }
  assert_true(df[0][0][1] != 0.0 && df[0][2][1] != 0.0);
  close_ride(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(block_over_one_period), cmocka_unit_test(flow_direction),
      cmocka_unit_test(random_systems),        cmocka_unit_test(random_supports),
      cmocka_unit_test(random_planes),         cmocka_unit_test(closed_forms),
      cmocka_unit_test(places_in_lanes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
