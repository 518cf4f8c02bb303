// SPDX-License-Identifier: Apache-2.0
// Self-braking against brute force: random particles on random curves, links and rods. The verdict on a point must
// be what the verb rest would say for forces of every direction at that point, asked one by one of the engine.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "amontons/brake.h"
#include "explore/brake/brake.h"
#include "contact/linear.h"
#include "contact/solutions.h"
#include "support/motion.h"
#include "support/near.h"

static uint64_t seed = 88172645463325252u;

static double uniform(double from, double to)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return from + (to - from) * (double)(seed >> 11) / 9007199254740992.0;
}

/// Two particles on a rod, one on a random rough curve, the other on a random smooth one; a point fixed to the rod
/// carries the force. Coordinates: the first particle and the angle of the rod.
static amo_model *random_rod(void)
{
  char text[2000];
  snprintf(text, sizeof text,
           "amontons: 1\nname: rod\ncoordinates: [x, y, f]\n"
           "parameters: {Fx: 0, Fy: 0, mu: %.17g, u: %.17g, v: %.17g}\n"
           "particles:\n  A: {mass: %.17g, at: [x, y]}\n  B: {mass: %.17g, at: [x + %.17g*cos(f), y + "
           "%.17g*sin(f)]}\n"
           "points: {rod: {at: [x, y], angle: f}}\n"
           "loads: {F: {on: rod, at: [u, v], force: [Fx, Fy]}}\n"
           "constraints: {smooth: %.17g*(x + cos(f)) + %.17g*(y + sin(f)) + %.17g*(x + cos(f))^2 = %.17g}\n"
           "contacts: {rough: {guide: {point: A, curve: \"Y = %.17g*X + %.17g*X^2\"}, law: {type: coulomb, "
           "mu: mu}}}\n"
           "initial: {f: 0.3}\n",
           uniform(0.1, 5.0), uniform(-1.5, 1.5), uniform(-1.5, 1.5), uniform(0.02, 0.5), uniform(0.5, 2.0),
           1.0, 1.0, uniform(-1, 1), 1.0, uniform(-0.3, 0.3), 0.0, uniform(-0.5, 0.5), uniform(-0.5, 0.5));
  // the constraint must hold at the start: its constant is what the left side is there
  char *at = strstr(text, " = 0}\n");
  double a = 0, b = 0, c = 0;
  char *left = strstr(text, "smooth: ");
  assert_non_null(at);
  assert_int_equal(sscanf(left, "smooth: %lf*(x + cos(f)) + %lf*(y + sin(f)) + %lf*", &a, &b, &c), 3);
  char rest[1200], full[3300];
  snprintf(rest, sizeof rest, "%s", at + 4);
  *at = '\0';
  double X = cos(0.3), Y = sin(0.3);
  snprintf(full, sizeof full, "%s = %.17g%s", text, a * X + b * Y + c * X * X, rest);
  return motion_model(full);
}

/// The verdicts for a force at the point (u, v) of the rod, from the list of all solutions.
static void ask(const amo_model *m, amo_solutions *s, amo_point *p, double *param, double angle, bool *rest,
                bool *slip)
{
  for (uint32_t i = 0; i < m->np; i++) {
    if (!strcmp(m->param[i].sym.name, "Fx")) param[i] = cos(angle);
    if (!strcmp(m->param[i].sym.name, "Fy")) param[i] = sin(angle);
  }
  amo_point_parameters(p, param);
  double state[6];
  memcpy(state, m->file.initial, sizeof state);
  assert_int_equal(amo_solutions_find(s, p, 0.0, state, NULL), AMO_OK);
  *rest = *slip = false;
  for (size_t i = 0; i < s->count; i++) *(s->item[i].mode[0] == 0 ? rest : slip) = true;
}

static void random_rods(void **unused)
{
  (void)unused;
  int found[4] = {0}, paradoxes = 0;
  for (int round = 0; round < 60; round++) {
    enum { DIRECTIONS = 360 };
    amo_model *m = random_rod();
    amo_brake *b = NULL;
    amo_solutions *s = NULL;
    amo_point *p = NULL;
    amo_braking x;
    double param[16], at[2];
    int resting = 0, sure = 0;
    assert_non_null(m);
    memcpy(param, m->file.param, m->np * sizeof *param);
    for (uint32_t i = 0; i < m->np; i++) {
      if (!strcmp(m->param[i].sym.name, "u")) at[0] = param[i];
      if (!strcmp(m->param[i].sym.name, "v")) at[1] = param[i];
    }
    assert_int_equal(amo_brake_new(m, &b), AMO_OK);
    assert_int_equal(amo_brake_at(b, NULL, 0.0, m->file.initial), AMO_OK);
    assert_int_equal(amo_brake_contacts(b), 1);
    assert_int_equal(amo_brake_part(b, "rod", at, 1e-10, &x), AMO_OK);
    assert_int_equal(amo_solutions_new(m, &s), AMO_OK);
    assert_int_equal(amo_point_new(m, &p), AMO_OK);
    for (int k = 0; k < DIRECTIONS; k++) {
      double angle = (k + 0.5) * AMO_PI / DIRECTIONS;
      bool rest, slip;
      ask(m, s, p, param, angle, &rest, &slip);
      double u = cos(angle) * x.n_plus[0] + sin(angle) * x.n_plus[1];
      double v = cos(angle) * x.n_minus[0] + sin(angle) * x.n_minus[1];
      if (fabs(u * v) > 1e-9) assert_int_equal(rest, u * v < 0.0);
      resting += rest;
      sure += rest && !slip;
    }
    // the sectors counted in steps agree with the angles to a step on each side
    assert_near(resting * AMO_PI / DIRECTIONS, x.psi, 2.0 * AMO_PI / DIRECTIONS);
    assert_near(sure * AMO_PI / DIRECTIONS, x.psi_sure, 2.0 * AMO_PI / DIRECTIONS);
    paradoxes += amo_brake_rough(b, 0).mu * fabs(amo_brake_rough(b, 0).L) > 1.0;
    found[x.kind]++;
    amo_point_free(p);
    amo_solutions_free(s);
    amo_brake_free(b);
    amo_model_free(m);
  }
  assert_true(paradoxes >= 3);  // the sample means something
}

/// Points of the line of parallel displacements: of a rigid part they are where classes differ from debraking.
static void parallel_vectors(void **unused)
{
  (void)unused;
  for (int k = 0; k < 2000; k++) {
    const double angle = uniform(0, 2 * AMO_PI), la = uniform(0.01, 3),
                 lb = uniform(0.01, 3) * (k % 2 ? 1 : -1);
    const double a[3] = {la * cos(angle), la * sin(angle), 0}, b[3] = {lb * cos(angle), lb * sin(angle), 0};
    amo_rough r = {.p = uniform(0.1, 2), .mu = uniform(0.05, 2), .L = uniform(-2, 2)};
    r.mu_kinetic = r.mu;
    amo_braking x = amo_braking_of(a, b, r, 1e-10, 0.0);
    const double kappa = la / (r.p * fabs(lb));
    // brute force: solutions at rest for a unit force along a, by the signs of Q1 = la, Q2 = +-lb
    const double q1 = la, q2 = lb * 1.0;
    bool rest = q1 <= r.mu * r.p * fabs(q2), slip = false;
    for (int e2 = -1; e2 <= 1; e2 += 2)
      for (int e1 = -1; e1 <= 1; e1 += 2) {
        double den = 1 + e1 * e2 * r.mu * r.L, R0 = r.L / r.p * q1 - q2, R = R0 / den;
        double acc = (q1 + e1 * e2 * r.mu * r.p * q2) / den;
        slip |= e1 * R > 0 && e2 * acc > 0;
      }
    assert_true(x.parallel);
    assert_near(x.kappa, kappa, 1e-12 * kappa);
    if (fabs(kappa / r.mu - 1) < 1e-6 || fabs(kappa * fabs(r.L) - 1) < 1e-6) continue;
    assert_int_equal(x.kind, rest && !slip ? AMO_BRAKE_SELF : rest ? AMO_BRAKE_AMBIGUOUS : AMO_BRAKE_MOVES);
    assert_near(x.psi, rest ? AMO_PI : 0.0, 0.0);
    assert_near(x.psi_sure, rest && !slip ? AMO_PI : 0.0, 0.0);
  }
}

static void degenerate(void **unused)
{
  (void)unused;
  const double zero[3] = {0}, one[3] = {1, 0, 0}, up[3] = {0, 1, 0};
  amo_rough r = {.p = 1, .mu = 0.3, .L = 0, .mu_kinetic = 0.3};
  assert_int_equal(amo_braking_of(zero, up, r, 1e-10, 1).kind, AMO_BRAKE_SELF);
  assert_int_equal(amo_braking_of(zero, zero, r, 1e-10, 1).kind, AMO_BRAKE_SELF);
  amo_braking x = amo_braking_of(one, zero, r, 1e-10, 1);
  assert_int_equal(x.kind, AMO_BRAKE_MOVES);
  assert_near(x.psi, 0.0, 0.0);
  r.p = 0.0;  // the contact does not move with the mechanism: friction holds nothing
  x = amo_braking_of(one, up, r, 1e-10, 1);
  assert_int_equal(x.kind, AMO_BRAKE_MOVES);
  assert_near(x.psi, 0.0, 0.0);
  r = (amo_rough){.p = 1, .mu = 0.3, .L = 0, .mu_kinetic = 0.3};
  x = amo_braking_of(one, up, r, 1e-10, 1);
  assert_near(x.psi, 2 * atan(0.3), 1e-15);
}

/// Two sliders on guides that are not parallel, pushed at a point of a massless bar between them: each contact has a
/// wedge of its own, the mechanism rests where both hold.
static void two_contacts(void **unused)
{
  (void)unused;
  for (int round = 0; round < 30; round++) {
    enum { DIRECTIONS = 720 };
    char text[1500];
    const double s = uniform(-1.2, 1.2), w = uniform(0.1, 0.9);
    snprintf(
        text, sizeof text,
        "amontons: 1\nname: pair\nparameters: {Fx: 0, Fy: 0}\ncoordinates: [x, h, y, k]\n"
        "particles: {A: {mass: 1, at: [x, h]}, B: {mass: 2, at: [%.17g*y - %.17g*k, %.17g*y + %.17g*k]}}\n"
        "points: {P: [%.17g*x + %.17g*(%.17g*y - %.17g*k), %.17g*h + %.17g*(%.17g*y + %.17g*k)]}\n"
        "loads: {F: {on: P, force: [Fx, Fy]}}\n"
        "contacts: {a: {guide: h, slip: x', law: {type: coulomb, mu: %.17g}},"
        " b: {guide: k, slip: y', law: {type: coulomb, mu: %.17g}}}\n",
        cos(s), sin(s), sin(s), cos(s), w, 1 - w, cos(s), sin(s), w, 1 - w, sin(s), cos(s), uniform(0.1, 1.5),
        uniform(0.1, 1.5));
    amo_model *m = motion_model(text);
    amo_brake *b = NULL;
    amo_solutions *all = NULL;
    amo_point *p = NULL;
    amo_braking x[2];
    double param[2];
    int resting = 0;
    assert_non_null(m);
    assert_int_equal(amo_brake_new(m, &b), AMO_OK);
    assert_int_equal(amo_brake_at(b, NULL, 0.0, m->file.initial), AMO_OK);
    assert_int_equal(amo_brake_contacts(b), 2);
    assert_int_equal(amo_brake_part(b, "P", NULL, 1e-10, x), AMO_OK);
    assert_int_equal(amo_solutions_new(m, &all), AMO_OK);
    assert_int_equal(amo_point_new(m, &p), AMO_OK);
    for (int k = 0; k < DIRECTIONS; k++) {
      double angle = (k + 0.5) * AMO_PI / DIRECTIONS;
      param[0] = cos(angle);
      param[1] = sin(angle);
      amo_point_parameters(p, param);
      assert_int_equal(amo_solutions_find(all, p, 0.0, m->file.initial, NULL), AMO_OK);
      bool rest = false;
      for (size_t i = 0; i < all->count; i++) rest |= all->item[i].mode[0] == 0 && all->item[i].mode[1] == 0;
      resting += rest;
    }
    assert_near(resting * AMO_PI / DIRECTIONS, amo_brake_angle(x, 2), 4.0 * AMO_PI / DIRECTIONS);
    assert_int_equal(amo_brake_together(x, 2, false), AMO_BRAKE_MOVES);
    amo_point_free(p);
    amo_solutions_free(all);
    amo_brake_free(b);
    amo_model_free(m);
  }
}

/// What friction cannot hold in a determinate way is refused, with a reason.
static void refusals(void **unused)
{
  (void)unused;
  const char *head = "amontons: 1\nname: m\ncoordinates: [x, y]\nparticles: {A: {mass: 1, at: [x, y]}, B: "
                     "{mass: 2, at: [x, 1]}}\n";
  const struct {
    const char *contacts, *why;
  } row[] = {
      {"contacts: {c: {pressed: 1, slip: x', law: {type: coulomb, mu: 0.3}}}\n", "more than one motion"},
      {"contacts: {c: {pressed: 0, slip: x', law: {type: coulomb, mu: 0.3}}}\n", "no contact has friction"},
      {"constraints: {k: y = 0}\ncontacts: {c: {pressed: 1, slip: x', law: {type: coulomb, mu: 0.3}},"
       " d: {pressed: 1, slip: 2*x', law: {type: coulomb, mu: 0.3}}}\n",
       "not determined"}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    char text[1000];
    amo_brake *b = NULL;
    snprintf(text, sizeof text, "%s%s", head, row[i].contacts);
    amo_model *m = motion_model(text);
    assert_non_null(m);
    assert_int_equal(amo_brake_new(m, &b), AMO_OK);
    assert_int_equal(amo_brake_at(b, NULL, 0.0, m->file.initial), AMO_ENOANSWER);
    if (!strstr(amo_brake_reason(b), row[i].why))
      fail_msg("'%s' lacks '%s'", amo_brake_reason(b), row[i].why);
    amo_brake_free(b);
    amo_model_free(m);
  }
}

// ---- the region of loads ----

typedef struct regions {
  size_t rest, slip;
  double x[2];
  bool near;
} regions;

static amo_status count_piece(void *ctx, const amo_piece *piece)
{
  regions *r = ctx;
  bool inside = true;
  for (size_t i = 0; i < piece->faces; i++) {
    const double *c = piece->face[i].c, f = c[0] + c[1] * r->x[0] + c[2] * r->x[1];
    r->near |= fabs(f) <= 1e-7 * (fabs(c[0]) + fabs(c[1]) + fabs(c[2]));
    inside &= f > 0.0;
  }
  if (inside) ++*(piece->mode[0] == 0 ? &r->rest : &r->slip);
  return AMO_OK;
}

/// The affine faces against the engine asked load by load: random rods with both components of the force as loads.
static void regions_against_samples(void **unused)
{
  (void)unused;
  size_t checked = 0, several = 0;
  for (int round = 0; round < 25; round++) {
    amo_model *m = random_rod();
    amo_linear *l = NULL;
    amo_solutions *s = NULL;
    amo_point *p = NULL, *q = NULL;
    const char *why = "";
    const size_t load[2] = {0, 1};  // Fx, Fy
    double param[16];
    assert_non_null(m);
    memcpy(param, m->file.param, m->np * sizeof *param);
    assert_int_equal(amo_linear_new(m, load, 2, true, &why, &l), AMO_OK);
    assert_int_equal(amo_solutions_new(m, &s), AMO_OK);
    assert_int_equal(amo_point_new(m, &p), AMO_OK);
    assert_int_equal(amo_point_new(m, &q), AMO_OK);
    amo_point_parameters(q, m->file.param);
    for (int k = 0; k < 60; k++) {
      regions r = {.x = {uniform(-3, 3), uniform(-3, 3)}};
      param[0] = r.x[0];
      param[1] = r.x[1];
      assert_int_equal(amo_linear_visit(l, q, 0.0, m->file.initial, &why, count_piece, &r), AMO_OK);
      if (r.near) continue;
      amo_point_parameters(p, param);
      assert_int_equal(amo_solutions_find(s, p, 0.0, m->file.initial, NULL), AMO_OK);
      size_t rest = 0;
      for (size_t i = 0; i < s->count; i++) rest += s->item[i].mode[0] == 0;
      assert_int_equal(r.rest, rest);
      assert_int_equal(r.rest + r.slip, s->count);
      several += s->count > 1;
      checked++;
    }
    amo_point_free(p);
    amo_point_free(q);
    amo_solutions_free(s);
    amo_linear_free(l);
    amo_model_free(m);
  }
  assert_true(checked > 1000 && several > 10);
}

/// Parameters that are not plain loads are not taken for such.
static void not_linear(void **unused)
{
  (void)unused;
  amo_model *m = motion_model(
      "amontons: 1\nname: m\nparameters: {F: 1, G: 2*F, k: 3, mu: 0.3, N: 5, w: 1}\ncoordinates: [x, h]\n"
      "particles: {A: {mass: w, at: [x, h]}}\n"
      "forces: {x: G + k*x - k^2, h: -N}\n"
      "contacts: {c: {guide: h, slip: x', law: {type: coulomb, mu: mu}}}\n");
  const struct {
    const char *name;
    amo_status status;
  } row[] = {{"F", AMO_OK}, {"N", AMO_OK}, {"k", AMO_ENOANSWER}, {"mu", AMO_ENOANSWER}, {"w", AMO_ENOANSWER}};
  assert_non_null(m);
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    amo_linear *l = NULL;
    const char *why = "";
    size_t k = 0;
    while (strcmp(m->param[k].sym.name, row[i].name) != 0) k++;
    amo_status st = amo_linear_new(m, &k, 1, true, &why, &l);
    if (st != row[i].status) fail_msg("%s: status %d (%s)", row[i].name, st, why);
    amo_linear_free(l);
  }
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_rods), cmocka_unit_test(parallel_vectors),
                                     cmocka_unit_test(degenerate),  cmocka_unit_test(two_contacts),
                                     cmocka_unit_test(refusals),    cmocka_unit_test(regions_against_samples),
                                     cmocka_unit_test(not_linear)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
