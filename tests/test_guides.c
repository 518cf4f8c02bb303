// SPDX-License-Identifier: Apache-2.0
/// Guides: the models of the mechanisms with one frictional pair, by their geometry, against the coefficients of
/// the check cases; and guides written in different ways, which must say the same.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/probe.h"

enum { MOST = 3, SETTINGS = 16 };  // coordinates, settings of a case

// ---- one pair ----

/// What the theory of one pair asks of a model: reaction without friction, influence coefficient, and along the
/// motion that the guide leaves free (first coordinate at rate 1) inertia and slip. NAN: not for this model.
typedef struct pair {
  double L, R0, A, p;
} pair;

static void spread(const probe *p, const amo_entry *e, uint32_t n, double v[MOST])
{
  memset(v, 0, MOST * sizeof *v);
  for (uint32_t i = 0; i < n; i++) v[e[i].col] += p->reg[e[i].reg];
}

static double dot(const double *a, const double *b)
{
  double s = 0.0;
  for (int i = 0; i < MOST; i++) s += a[i] * b[i];
  return s;
}

/// x = M^-1 b by Gauss; M is positive definite, so no pivoting is needed.
static void over_mass(const probe *p, const double b[MOST], double x[MOST])
{
  double a[MOST][MOST] = {{0}};
  uint32_t n = p->m->nq;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j <= i; j++) a[i][j] = a[j][i] = probe_mass(p, i, j);
  memcpy(x, b, MOST * sizeof *x);
  for (uint32_t c = 0; c < n; c++)
    for (uint32_t i = c + 1; i < n; i++) {
      double f = a[i][c] / a[c][c];
      for (uint32_t j = c; j < n; j++) a[i][j] -= f * a[c][j];
      x[i] -= f * x[c];
    }
  for (uint32_t i = n; i-- > 0;) {
    for (uint32_t j = i + 1; j < n; j++) x[i] -= a[i][j] * x[j];
    x[i] /= a[i][i];
  }
}

/// From M a = h + n R + w lambda, n.a + gap_zeta = 0, lambda = -sign(slip) mu |R|:
///   (1 + sign(slip R) mu L) R = R0,  L = -(n M^-1 w)/(n M^-1 n).
/// The cases count the sign of the coordinate's rate, not of the slip: L turns with the slip per unit of rate.
static pair pair_of(probe *p)
{
  const amo_model *m = p->m;
  const amo_contact *c = &m->contact[0];
  double n[MOST], w[MOST], h[MOST] = {0}, x[MOST], y[MOST], z[MOST];
  assert_int_equal(c->kind, AMO_GUIDE);
  probe_eval(p);
  spread(p, c->n, c->nn, n);
  spread(p, c->w, c->nw, w);
  for (uint32_t i = 0; i < m->nq; i++) h[i] = p->reg[m->r_h[i]];
  over_mass(p, n, x);
  over_mass(p, w, y);
  over_mass(p, h, z);
  pair r = {.L = -dot(n, y) / dot(n, x),
            .R0 = -(dot(n, z) + p->reg[c->r_gap_zeta]) / dot(n, x),
            .A = NAN,
            .p = NAN};
  if (m->nq != 2) return r;
  double d[MOST] = {1.0, -n[0] / n[1]};
  r.A = probe_mass(p, 0, 0) + 2.0 * probe_mass(p, 1, 0) * d[1] + probe_mass(p, 1, 1) * d[1] * d[1];
  r.p = fabs(dot(w, d));
  // No slip along the free motion (pole of a mesh): w is along n, and L jumps between its limits from both sides.
  double turn = r.p <= 1e-12 * sqrt(dot(w, w) * dot(d, d)) ? 0.0 : dot(w, d) < 0.0 ? -1.0 : 1.0;
  r.L *= turn;
  return r;
}

typedef struct pair_case {
  const char *id, *model, *set;  // settings: "a=1 b=2"
  double L, R0, A, p;            // NAN: not given
} pair_case;

static const pair_case cases[] = {
#include "test_guides_cases.inc"
};

static amo_model *load_case(const pair_case *k)
{
  char text[512], file[64];
  amo_setting set[SETTINGS];
  size_t n = 0;
  assert_true(strlen(k->set) < sizeof text);
  strcpy(text, k->set);
  snprintf(file, sizeof file, "%s.yaml", k->model);
  for (char *s = strtok(text, " "); s; s = strtok(NULL, " ")) {
    char *equals = strchr(s, '=');
    assert_true(n < SETTINGS && equals);
    *equals = '\0';
    set[n++] = (amo_setting){s, equals + 1};
  }
  return probe_file(file, set, n);
}

// The cases are printed with 11 digits and more.
static int off(const pair_case *k, const char *what, double got, double want)
{
  if (isnan(want) || fabs(got - want) <= 2e-10 * (fabs(want) + 1e-2)) return 0;
  print_error("%s (%s): %s is %.15g, expected %.15g\n", k->id, k->model, what, got, want);
  return 1;
}

static void coefficients(void **state)
{
  (void)state;
  int wrong = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const pair_case *k = &cases[i];
    amo_model *m = load_case(k);
    probe p = probe_new(m);
    pair got = pair_of(&p);
    wrong += off(k, "L", got.L, k->L) + off(k, "R0", got.R0, k->R0) + off(k, "A", got.A, k->A) +
             off(k, "slip per rate", got.p, k->p);
    probe_free(&p);
    amo_model_free(m);
  }
  assert_int_equal(wrong, 0);
}

// ---- the stackers ----

// Rolling with a given torque: R1 = mg/2 - (H + r)M/(2lr), x'' = M/(mr) (3.43), (3.44).
static void stacker_rolling(void **state)
{
  (void)state;
  amo_setting set[] = {{"M", "250"}, {"H", "4"}};
  amo_model *m = probe_file("stacker-rolling.yaml", set, 2);
  probe p = probe_new(m);
  probe_accelerate(&p);
  probe_near(p.leaf[m->leaf.multiplier], 2000 * 9.81 / 2 - 4.2 * 250 / 0.4, 1e-12);
  probe_near(p.leaf[m->leaf.acc], 250 / (2000 * 0.2), 1e-12);
  probe_free(&p);
  amo_model_free(m);
}

// Elastic mast, driving wheel gripping at constant speed: R1 = (mgl - Kq)/(2l) (3.66) plus half the cart's weight.
static void stacker_elastic(void **state)
{
  (void)state;
  amo_setting set[] = {{"q", "0.01"}, {"q'", "0"}, {"mb", "1"}, {"zeta", "0"}};
  amo_model *m = probe_file("stacker-elastic.yaml", set, 4);
  probe p = probe_new(m);
  double K = 60000 * 6.2 + 2000 * 9.81, force = 60000 * 0.01;
  p.leaf[m->leaf.lambda] = force;  // grip: the cart does not accelerate
  probe_accelerate(&p);
  probe_near(p.leaf[m->leaf.acc], 0.0, 1e-9);
  probe_near(p.leaf[m->leaf.acc + 1], -force / 2000, 1e-12);
  probe_near(p.leaf[m->leaf.reaction], (2000 * 9.81 - K * 0.01) / 2 + 9.81 / 2, 1e-12);
  probe_free(&p);
  amo_model_free(m);
}

// ---- guides by geometry ----

#define BEAD                                                                             \
  "amontons: 1\nparameters: {m: 2, w: 0.7, a: 0.3}\ncoordinates: [x, y, f]\n"            \
  "particles: {bead: {mass: m, at: [x, y]}}\n"                                           \
  "bodies: {arm: {mass: 3, inertia: 0.5, at: [0.2*cos(f), 0.2*sin(f)], angle: f}}\n"     \
  "initial: {f: a, x: 0.8*cos(a), y: 0.8*sin(a), f': w, x': 0.5*cos(a) - 0.8*w*sin(a), " \
  "y': 0.5*sin(a) + 0.8*w*cos(a)}\ncontacts:\n  rod:\n    law: {type: coulomb, mu: 0.4}\n"

/// Same gap rate, gap_zeta, slip, zeta and rows at the initial state, which lies on the guide.
static void same_guide(const char *one, const char *other)
{
  amo_model *ma = probe_text(one, NULL, 0), *mb = probe_text(other, NULL, 0);
  probe a = probe_new(ma), b = probe_new(mb);
  const amo_contact *ca = &ma->contact[0], *cb = &mb->contact[0];
  double na[MOST], nb[MOST], wa[MOST], wb[MOST];
  probe_eval(&a);
  probe_eval(&b);
  spread(&a, ca->n, ca->nn, na);
  spread(&b, cb->n, cb->nn, nb);
  spread(&a, ca->w, ca->nw, wa);
  spread(&b, cb->w, cb->nw, wb);
  probe_near(a.reg[ca->r_gap_rate], b.reg[cb->r_gap_rate], 1e-14);
  probe_near(a.reg[ca->r_gap_zeta], b.reg[cb->r_gap_zeta], 1e-13);
  probe_near(a.reg[ca->r_slip], b.reg[cb->r_slip], 1e-14);
  probe_near(a.reg[ca->r_zeta], b.reg[cb->r_zeta], 1e-13);
  for (int i = 0; i < MOST; i++) {
    probe_near(na[i], nb[i], 1e-14);
    probe_near(wa[i], wb[i], 1e-14);
  }
  probe_free(&a);
  probe_free(&b);
  amo_model_free(ma);
  amo_model_free(mb);
}

// A bead on a swinging arm: the line carried by the arm, a curve of the arm, and expressions.
static void moving_line(void **state)
{
  (void)state;
  static const char line[] = BEAD "    guide: {point: bead, line: {through: [0, 0], along: f}}\n";
  static const char vector[] =
      BEAD "    guide: {point: bead, line: {through: arm, along: [3*cos(f), 3*sin(f)]}}\n";
  static const char curve[] = BEAD "    guide: {point: bead, curve: 5*Y = 0, of: arm}\n";
  static const char text[] =
      BEAD "    guide: y*cos(f) = x*sin(f)\n    slip: x'*cos(f) + y'*sin(f) - (x*sin(f) - y*cos(f))*f'\n";
  same_guide(line, text);
  same_guide(line, vector);
  same_guide(line, curve);
  amo_model *m = probe_text(line, NULL, 0);
  probe p = probe_new(m);
  probe_eval(&p);
  probe_near(p.reg[m->contact[0].r_slip], 0.5, 1e-14);  // as the initial velocities were made
  probe_identity(m);
  probe_free(&p);
  amo_model_free(m);
}

// A guide that is moved, by time and by a prescribed coordinate, supplies power: the identity counts it.
static void moved_guide(void **state)
{
  (void)state;
  static const char text[] =
      "amontons: 1\ncoordinates: [x, y, s]\nparticles: {p: {mass: 2, at: [x, y]}}\nbodies: {b: {mass: 1, "
      "inertia: 1, at: [s, x], angle: s}}\nprescribed: {s: 0.1*sin(3*t)}\n"
      "contacts: {I: {guide: y = s + 0.2*t*x, slip: x' - s', law: {type: coulomb, mu: 0.3}}}\n"
      "initial: {y': 0.3}\noutputs: {N: I.normal, R: I.reaction, most: I.bound, g: I.gap}\n";
  amo_model *m = probe_text(text, NULL, 0);
  probe p = probe_new(m);
  p.leaf[m->leaf.t] = 0.5;
  p.leaf[m->leaf.q] = 0.4;
  p.leaf[m->leaf.lambda] = 0.25;
  probe_accelerate(&p);
  double R = p.leaf[m->leaf.reaction];
  assert_true(fabs(R) > 1e-3);
  probe_near(probe_value(&p, m->output[0].node), R, 0.0);
  probe_near(probe_value(&p, m->output[1].node), R, 0.0);
  probe_near(probe_value(&p, m->output[2].node), 0.3 * fabs(R), 1e-15);
  probe_near(probe_value(&p, m->output[3].node), 0.0 - 0.1 * sin(1.5) - 0.2 * 0.5 * 0.4, 1e-15);
  // drive of s: inertia of b (mass + inertia), reaction -R, friction -lambda
  probe_near(probe_value(&p, m->prescribed.item[0].drive), 2 * -0.9 * sin(1.5) + R + 0.25, 1e-12);
  probe_identity(m);
  probe_free(&p);
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coefficients), cmocka_unit_test(stacker_rolling), cmocka_unit_test(stacker_elastic),
      cmocka_unit_test(moving_line),  cmocka_unit_test(moved_guide),
  };
  return cmocka_run_group_tests_name("guides", tests, NULL, NULL);
}
