// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
/// Models: equations against hand-derived ones, the energy identity, mistakes and their messages.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <time.h>
#include <dirent.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "model/schematic.h"
#include "model/yaml.h"
#include "support/probe.h"

#ifndef AMO_SOURCE_DIR
#define AMO_SOURCE_DIR "."
#endif

// ---- equations ----

static const char double_pendulum[] =
    "amontons: 1\nname: double pendulum\nparameters: {m1: 2, m2: 0.7, l1: 1.1, l2: 0.6, g: 9.81}\n"
    "coordinates: [a, b]\ngravity: g\nparticles:\n"
    "  p1: {mass: m1, at: [l1*sin(a), -l1*cos(a)]}\n"
    "  p2: {mass: m2, at: [l1*sin(a) + l2*sin(b), -l1*cos(a) - l2*cos(b)]}\n"
    "initial: {a: 0.4, b: -0.9, a': 1.3, b': 0.8}\n";

// Textbook: M11 = (m1+m2) l1^2, M12 = m2 l1 l2 cos(a-b), M22 = m2 l2^2,
// h1 = -m2 l1 l2 b'^2 sin(a-b) - (m1+m2) g l1 sin a, h2 = m2 l1 l2 a'^2 sin(a-b) - m2 g l2 sin b.
static void equations_double_pendulum(void **state)
{
  (void)state;
  amo_model *m = probe_text(double_pendulum, NULL, 0);
  probe p = probe_new(m);
  probe_eval(&p);
  double m1 = 2, m2 = 0.7, l1 = 1.1, l2 = 0.6, g = 9.81, a = 0.4, b = -0.9, va = 1.3, vb = 0.8;
  probe_near(probe_mass(&p, 0, 0), (m1 + m2) * l1 * l1, 1e-14);
  probe_near(probe_mass(&p, 1, 0), m2 * l1 * l2 * cos(a - b), 1e-14);
  probe_near(probe_mass(&p, 1, 1), m2 * l2 * l2, 1e-14);
  probe_near(p.reg[m->r_h[0]], -m2 * l1 * l2 * vb * vb * sin(a - b) - (m1 + m2) * g * l1 * sin(a), 1e-13);
  probe_near(p.reg[m->r_h[1]], m2 * l1 * l2 * va * va * sin(a - b) - m2 * g * l2 * sin(b), 1e-13);
  probe_free(&p);
  amo_model_free(m);
}

// The same system with the energies written out must give the same numbers.
static void equations_from_energies(void **state)
{
  (void)state;
  static const char text[] =
      "amontons: 1\nparameters: {m1: 2, m2: 0.7, l1: 1.1, l2: 0.6, g: 9.81}\ncoordinates: [a, b]\n"
      "energy:\n"
      "  kinetic: (m1+m2)/2*l1^2*a'^2 + m2/2*l2^2*b'^2 + m2*l1*l2*a'*b'*cos(a-b)\n"
      "  potential: -(m1+m2)*g*l1*cos(a) - m2*g*l2*cos(b)\n"
      "initial: {a: 0.4, b: -0.9, a': 1.3, b': 0.8}\n";
  amo_model *m = probe_text(text, NULL, 0), *n = probe_text(double_pendulum, NULL, 0);
  probe p = probe_new(m), q = probe_new(n);
  probe_accelerate(&p);
  probe_accelerate(&q);
  for (uint32_t i = 0; i < 2; i++) probe_near(p.leaf[m->leaf.acc + i], q.leaf[n->leaf.acc + i], 1e-12);
  probe_near(probe_value(&p, m->report.kinetic), probe_value(&q, n->report.kinetic), 1e-13);
  probe_near(probe_value(&p, m->report.potential), probe_value(&q, n->report.potential), 1e-13);
  probe_free(&p);
  probe_free(&q);
  amo_model_free(m);
  amo_model_free(n);
}

// Leine: F(0.2) = 0.625 and the slope of the smoothed curve at 0 is -(2/pi) eps Fs.
static void equations_block(void **state)
{
  (void)state;
  amo_model *m = probe_file("block-on-belt.yaml", NULL, 0);
  probe p = probe_new(m);
  p.leaf[m->leaf.sigma] = -1.0;
  p.leaf[m->leaf.eps] = 1e6;
  probe_eval(&p);
  probe_near(p.reg[m->contact[0].r_slip], -0.2, 1e-15);
  probe_near(p.reg[m->contact[0].r_kinetic], 0.625, 1e-15);
  probe_near(p.reg[m->r_h[0]], -1.1 + 0.625, 1e-15);
  probe_near(probe_value(&p, m->contact[0].kinetic_slope), 3.0 / (1.6 * 1.6), 1e-15);
  p.leaf[m->leaf.sigma] = 0.0;  // stick: friction is an unknown, not part of h
  probe_eval(&p);
  probe_near(p.reg[m->r_h[0]], -1.1, 1e-15);
  p.leaf[m->leaf.u] = 0.2;
  probe_near(probe_value(&p, m->contact[0].kinetic_smooth_slope), -636619.7724, 1e-9);
  probe_near(probe_value(&p, m->contact[0].kinetic_smooth), 0.0, 0.0);
  assert_int_equal(amo_model_states(m), 2);
  assert_string_equal(amo_model_state(m, 1).name, "x'");
  assert_string_equal(amo_model_state(m, 1).unit, "m/s");
  assert_int_equal(amo_model_find_state(m, "x'"), 1);
  assert_int_equal(amo_model_find_state(m, "y"), -1);
  assert_int_equal(amo_model_find_contact(m, "belt"), 0);
  assert_non_null(m->drawing.schematic);
  assert_string_equal(m->drawing.y, "x'");
  probe_free(&p);
  amo_model_free(m);
}

static void equations_string(void **state)
{
  (void)state;
  static const struct {
    const char *d;
    double A, Ip, mass, kt, J, f;
  } row[] = {
      {"1e-3", 7.853981634e-07, 9.8174770425e-14, 0.00065764006215, 0.097683896573, 8.2205007769e-11,
       0.7293141151},
      {"0.25e-3", 4.9087385212e-08, 3.8349519697e-16, 4.1102503884e-05, 0.00038157772099, 3.211133116e-13,
       0.2408946322},
  };
  for (int i = 0; i < 2; i++) {
    amo_setting set[] = {{"d", row[i].d}, {"x", "1e-3"}, {"y", "2e-6"}};
    amo_model *m = probe_file("violin-string.yaml", set, 3);
    assert_true(fabs(probe_param(m, "A") / row[i].A - 1) < 1e-9);
    assert_true(fabs(probe_param(m, "Ip") / row[i].Ip - 1) < 1e-9);
    assert_true(fabs(probe_param(m, "m") / row[i].mass - 1) < 1e-9);
    assert_true(fabs(probe_param(m, "kt") / row[i].kt - 1) < 1e-9);
    assert_true(fabs(probe_param(m, "J") / row[i].J - 1) < 1e-9);
    probe_near(probe_param(m, "k"), 625.0, 1e-12);
    probe p = probe_new(m);
    probe_near(probe_value(&p, m->output[0].node), row[i].f, 1e-9);
    // The same force from the equations: what keeps d(slip)/dt = 0.
    probe_eval(&p);
    double wb = 1 / probe_mass(&p, 0, 0) + 1 / probe_mass(&p, 1, 1);
    double wa = p.reg[m->r_h[0]] / probe_mass(&p, 0, 0) + p.reg[m->r_h[1]] / probe_mass(&p, 1, 1);
    probe_near(-wa / wb, row[i].f, 1e-9);
    probe_free(&p);
    // Derived parameters follow the plain ones.
    double *value = amo_zalloc(m->np, sizeof *value);
    memcpy(value, m->file.param, m->np * sizeof *value);
    value[4] = 2e-3;
    amo_model_derive(m, value);
    probe_near(value[8] / (3.14159265358979324 * 1e-6), 1.0, 1e-14);
    free(value);
    amo_model_free(m);
  }
}

// x'' = (1-0.3) where the drive holds: M X'' + spring and friction by hand.
static void equations_prescribed(void **state)
{
  (void)state;
  amo_model *m = probe_file("prescribed-slider.yaml", NULL, 0);
  assert_int_equal(m->nq, 2);
  assert_int_equal(m->prescribed.count, 1);
  probe p = probe_new(m);
  double t = 0.7, x = 0.1, y = -0.6, vx = 0.2, l = 0.4, k = 20, M = 2;
  p.leaf[m->leaf.t] = t;
  p.leaf[m->leaf.q] = x;
  p.leaf[m->leaf.q + 1] = y;
  p.leaf[m->leaf.u] = vx;
  p.leaf[m->leaf.sigma] = -1.0;
  probe_accelerate(&p);
  double dx = x - sin(t), L = hypot(dx, y), pull = k * (L - l);
  probe_near(p.reg[m->contact[0].r_slip], vx - cos(t), 1e-14);
  probe_near(p.reg[m->contact[0].r_zeta], sin(t), 1e-14);
  double friction = 0.5 * 9.81 * 0.02;  // on the mass along +slip, sigma = -1
  probe_near(p.reg[m->r_h[0]], -pull * dx / L + friction, 1e-13);
  // slider: M X'' = pull dx/L - friction + drive
  double drive = M * -sin(t) - pull * dx / L + friction;
  probe_near(probe_value(&p, m->prescribed.item[0].drive), drive, 1e-13);
  assert_string_equal(amo_model_output(m, 1).name, "X");
  assert_string_equal(amo_model_output(m, 2).name, "X'");
  assert_string_equal(amo_model_output(m, 3).name, "X.drive");
  probe_near(probe_value(&p, m->output[2].node), cos(t), 1e-15);
  probe_free(&p);
  amo_model_free(m);
}

static void equations_chain(void **state)
{
  (void)state;
  amo_setting set[] = {{"N", "1000"}};
  clock_t start = clock();
  amo_model *m = probe_file("chain.yaml", set, 1);
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  assert_int_equal(m->nq, 1000);
  assert_int_equal(m->nmass, 1000);                 // diagonal
  assert_true(amo_dag_size(m->dag) < 100 * m->nq);  // grows like n
  assert_true(seconds < 5.0);                       // generous: sanitizers run this too
  for (uint32_t c = 0; c < m->nc; c++) assert_int_equal(m->contact[c].nw, 1);
  probe p = probe_new(m);
  probe_eval(&p);
  const double *x = p.leaf + m->leaf.q;
  probe_near(p.reg[m->r_h[500]], -x[500] + 0.7 * (x[501] - 2 * x[500] + x[499]), 1e-13);
  probe_near(p.reg[m->r_h[0]], -x[0] + 0.7 * (x[1] - x[0]), 1e-13);
  assert_string_equal(amo_model_state(m, 999).name, "x[1000]");
  probe_free(&p);
  amo_model_free(m);
  amo_setting one[] = {{"N", "1"}, {"x", "0.5"}, {"x[1]'", "k"}};
  m = probe_file("chain.yaml", one, 3);
  assert_int_equal(m->nq, 1);
  probe_near(m->file.initial[0], 0.5, 0.0);
  probe_near(m->file.initial[1], 1.0, 0.0);
  amo_model_free(m);
}

static void energy_identity(void **state)
{
  (void)state;
  static const char *const file[] = {"block-on-belt.yaml",
                                     "block-aging.yaml",
                                     "violin-string.yaml",
                                     "chain.yaml",
                                     "two-blocks.yaml",
                                     "pid.yaml",
                                     "hump.yaml",
                                     "forced-coulomb.yaml",
                                     "prescribed-slider.yaml",
                                     "pendulum-constraint.yaml",
                                     "rolling-disc.yaml",
                                     "block-static-peak.yaml",
                                     "block-aging-ideal.yaml",
                                     "block-on-plane.yaml",
                                     "particle-on-curve.yaml",
                                     "painleve-klein.yaml",
                                     "painleve-klein-plate.yaml",
                                     "trammel.yaml",
                                     "lecornu-disc.yaml",
                                     "particle-pushed.yaml",
                                     "helix-cylinder.yaml",
                                     "geared-eccentric-disc.yaml",
                                     "drive-spring-slider.yaml",
                                     "drive-spring-slider-aging.yaml",
                                     "generic-pair.yaml",
                                     "crank.yaml",
                                     "link-mechanism.yaml",
                                     "epicyclic-pair.yaml",
                                     "gear-pair.yaml",
                                     "stacker-rigid.yaml",
                                     "stacker-rolling.yaml",
                                     "stacker-elastic.yaml"};
  for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
    amo_model *m = probe_file(file[i], NULL, 0);
    probe_identity(m);
    amo_model_free(m);
  }
  amo_model *m = probe_text(double_pendulum, NULL, 0);
  probe_identity(m);
  amo_model_free(m);
}

// Everything that depends on time by itself: supports, springs, energies, gyroscopic terms, follower
// loads, dampers between points, a prescribed pivot with contact and constraint on it.
static void energy_identity_rheonomic(void **state)
{
  (void)state;
  static const char text[] =
      "amontons: 1\nname: rheonomic\nparameters: {m: 1.3, k: 2, c: 0.4, w: 1.7}\n"
      "definitions: {wob: 0.3*sin(w*t)}\n"
      "coordinates: [x, y, phi, s]\ngravity: [0.3*cos(t), -9]\n"
      "particles: {a: {mass: m, at: [x + wob, y*cos(t)]}, b: {mass: 0.4 + 0.1*x^2, at: [s + x, y, x*y]}}\n"
      "bodies: {disc: {mass: 2, inertia: 0.6, at: [x + cos(phi), s*y], angle: phi + 0.2*t}}\n"
      "springs:\n"
      "  p: {between: [[sin(t), 2], a], stiffness: k, rest: 0.4}\n"
      "  q: {along: x*phi - t, stiffness: k*(1 + 0.1*sin(t))}\n"
      "  r: {between: [a, {on: disc, at: [0.3, -0.2]}], stiffness: 1.5}\n"
      "dampers: {d: {between: [a, [3, t]], damping: c}, e: {along: x*s + sin(t), damping: c*(1 + x^2)}}\n"
      "energy:\n"
      "  kinetic: 0.2*y'^2*(2 + sin(t)) + 0.5*x*y' + 0.1*(x'*phi' + cos(t)*s') - 0.3*t*x + 0.05*y'^4\n"
      "  potential: cos(x - w*t) + 0.5*s^2*phi^2\n"
      "  dissipation: 0.1*(x' - y')^2 + 0.02*abs(phi')^3\n"
      "forces: {y: sin(3*t) - 0.2*y', s: cos(x)}\n"
      "loads:\n"
      "  l: {on: disc, at: [0.5, 0.1], force: [1, t], follower: true}\n"
      "  n: {on: disc, moment: 0.3*cos(t)}\n"
      "  f: {on: a, force: [x, y']}\n"
      "prescribed: {s: 0.4*cos(2*t) + 0.1*t}\n"
      "constraints: {link: x' + 0.5*s' - phi'*y = 0.1*t}\n"
      "states: {z: {rate: x - z, initial: 0.2}}\n"
      "contacts: {rub: {pressed: 3 + sin(x), slip: x' - s'*cos(phi) + y*t + 0.1*z, law: {type: stribeck, "
      "static: 0.4, "
      "kinetic: 0.3, speed: 0.5, viscous: 0.05}}}\n"
      "initial: {x: 0.6, y: 1.1, phi: 0.3, time: 0.4, x': 0.149834, phi': 0.1}\n";
  amo_setting set[] = {{"x'", "0.1*0.4 + 0.1*1.1 - 0.5*(-0.8*sin(0.8) + 0.1)"}};
  amo_model *m = probe_text(text, set, 1);
  assert_int_equal(m->nq, 3);
  probe_identity(m);
  amo_model_free(m);
}

// ---- names, families, settings ----

static const char family[] =
    "amontons: 1\nsizes: {N: 3, M: 2*N}\nparameters:\n"
    "  a[1..N]: 2\n  b[i=1..N]: 1 + 0.1*i + c\n  c: d/2\n  d: 4\n  e: [1, 2]\n"
    "definitions:\n  pull[i=1..N]: -a[i]*q[i]\n  all: sum(j=1..N, q[j])\n"
    "coordinates:\n  q[1..N]: {unit: m}\n"
    "particles:\n  p[i=1..N]: {mass: \"b[i]\", at: [\"q[i]\", 0]}\n"
    "forces:\n  q[i=1..N]: pull[i] + M*0\n"
    "contacts:\n  c[i=1..N]: {pressed: 1, slip: \"q[i]'\", law: {type: aging, static: 1, kinetic: 1, growth: "
    "2, rate: 1}}\n"
    "outputs:\n  mean: all/N\n  last: c[3].slip\n  rest: c.t_stick[2]\n  g[i=1..N]: c.force[i]\n"
    "initial:\n  q: [1, 2, 3]\n  q[i=1..N]': 10*i\n  q[2]: e[2]*5\n  c[2].t_stick: 7\n";

static void families(void **state)
{
  (void)state;
  amo_setting set[] = {{"a[2]", "d + 1"}, {"d", "6"}};
  amo_model *m = probe_text(family, set, 2);
  probe p = probe_new(m);
  probe_near(probe_param(m, "a[1]"), 2, 0);
  probe_near(probe_param(m, "a[2]"), 7, 0);
  probe_near(probe_param(m, "b[3]"), 4.3, 1e-15);
  probe_near(m->file.initial[1], 10, 0);
  probe_near(m->file.initial[5], 30, 0);
  probe_near(m->file.initial[7], 7, 0);
  probe_eval(&p);
  probe_near(p.reg[m->r_h[1]], -70, 1e-15);
  probe_near(probe_value(&p, m->output[0].node), 14.0 / 3.0, 1e-15);
  probe_near(probe_value(&p, m->output[1].node), 30.0, 1e-15);
  probe_near(probe_value(&p, m->output[2].node), 7.0, 1e-15);
  assert_string_equal(amo_model_output(m, 5).name, "g[3]");
  assert_string_equal(amo_model_state(m, 7).name, "c[2].t_stick");
  probe_free(&p);
  amo_model_free(m);
  amo_setting size[] = {{"N", "2"}, {"q", "k"}};
  probe_refuse(family, strlen(family), size, 2, AMO_EINPUT, "q has 2 elements but 3 values");
  amo_setting odd[] = {{"a[7]", "1"}};
  probe_refuse(family, strlen(family), odd, 1, AMO_EINPUT, "no 'a[7]' to set; did you mean 'a'");
  amo_setting broken[] = {{"d", "2*("}};
  probe_refuse(family, strlen(family), broken, 1, AMO_EINPUT, "--set d:1:");
  amo_setting cycle[] = {{"d", "c"}};
  probe_refuse(family, strlen(family), cycle, 1, AMO_EINPUT, "depends on itself: ");
  amo_setting huge[] = {{"N", "100000000000"}};
  probe_refuse(family, strlen(family), huge, 1, AMO_EINPUT, "between 0 and");
}

/// Springs, loads and constraints without names are numbered, and mean the same.
static void unnamed_lists(void **state)
{
  (void)state;
  static const char head[] = "amontons: 1\ncoordinates: [x, y]\nparticles: {p: {mass: 2, at: [x, y]}}\n"
                             "initial: {x: 1, x': 0, y: 0, y': 1}\n";
  char text[2][512];
  snprintf(text[0], sizeof text[0],
           "%ssprings: {s: {stiffness: 3, between: [[0, 1], p]}}\n"
           "loads: {a: {on: p, force: [1, 2]}}\nconstraints: {c: x^2 + y^2 = 1}\n",
           head);
  snprintf(text[1], sizeof text[1],
           "%ssprings: [{stiffness: 3, between: [[0, 1], p]}]\n"
           "loads: [{on: p, force: [1, 2]}]\nconstraints: [x^2 + y^2 = 1]\n",
           head);
  double h[2][2];
  for (int i = 0; i < 2; i++) {
    amo_model *m = probe_text(text[i], NULL, 0);
    probe p = probe_new(m);
    probe_eval(&p);
    assert_int_equal(m->ng, 1);
    for (int k = 0; k < 2; k++) h[i][k] = p.reg[m->r_h[k]];
    if (i == 1) assert_string_equal(m->constraint[0].sym.name, "constraint1");
    probe_free(&p);
    amo_model_free(m);
  }
  assert_memory_equal(h[0], h[1], sizeof h[0]);
}

// ---- mistakes ----

static void check_bad(const char *dir, const char *name)
{
  char path[512], line[1024];
  amo_diags *d = amo_diags_new();
  amo_model *m = NULL;
  char *text = NULL, *got = NULL;
  size_t size = 0;
  snprintf(path, sizeof path, "%s/%s", dir, name);
  assert_int_equal(amo_file_read(path, AMO_MODEL_BYTES, NULL, &text, &size), AMO_OK);
  amo_status st = amo_model_parse(name, text, size, NULL, 0, d, &m);
  got = amo_diags_render(d);
  assert_true(st == AMO_EINPUT || st == AMO_ELIMIT);
  assert_null(m);
  snprintf(path, sizeof path, "%s/%.*s.expect", dir, (int)(strlen(name) - 5), name);
  FILE *f = fopen(path, "r");
  if (!f) fail_msg("%s is missing", path);
  size_t lines = 0;
  while (fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = '\0';
    if (!strstr(got, line)) {
      print_error("%s: expected '%s' in\n%s\n", name, line, got);
      fail();
    }
    lines++;
  }
  fclose(f);
  assert_true(lines > 0);
  free(got);
  free(text);
  amo_diags_free(d);
}

static void bad_files(void **state)
{
  (void)state;
  const char *dir = AMO_SOURCE_DIR "/tests/bad";
  DIR *list = opendir(dir);
  int count = 0;
  assert_non_null(list);
  for (struct dirent *e; (e = readdir(list));) {
    size_t n = strlen(e->d_name);
    if (n < 6 || strcmp(e->d_name + n - 5, ".yaml") != 0) continue;
    check_bad(dir, e->d_name);
    count++;
  }
  closedir(list);
  assert_true(count >= 90);
}

static void warnings(void **state)
{
  (void)state;
  static const char text[] =
      "amontons: 1\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
      "contacts: {c: {pressed: 1, slip: x', law: {type: curve, static: 1, kinetic: 1 - s}}}\n";
  amo_diags *d = amo_diags_new();
  amo_model *m = NULL;
  assert_int_equal(amo_model_parse("w.yaml", text, strlen(text), NULL, 0, d, &m), AMO_OK);
  assert_true(amo_diags_count(d) >= 1);
  assert_int_equal(amo_diags_errors(d), 0);
  assert_non_null(strstr(amo_diags_get(d, 0)->message, "at sliding speed 10 is -9"));
  amo_model_free(m);
  amo_diags_free(d);
}

static void hostile(void **state)
{
  (void)state;
  size_t n = 1000000;
  char *s = malloc(2 * n + 100);
  memset(s, '[', n);
  probe_refuse(s, n, NULL, 0, AMO_ELIMIT, "nested deeper than 64");
  memset(s, '{', n);
  probe_refuse(s, n, NULL, 0, AMO_EINPUT, "a key must be a plain name");
  int head = sprintf(s, "amontons: 1\ncoordinates: [x]\nforces: {x: ");
  memset(s + head, '(', n);
  strcpy(s + head + n, "}\n");
  probe_refuse(s, strlen(s), NULL, 0, AMO_EINPUT, "nested deeper");
  head = sprintf(s, "a: [");
  for (size_t i = 0; i < n; i++) memcpy(s + head + 2 * i, "1,", 2);
  probe_refuse(s, (size_t)head + 2 * n, NULL, 0, AMO_ELIMIT, "more than 1000000 values");
  size_t k = 0;
  for (size_t i = 0; i < 50000; i++) k += (size_t)sprintf(s + k, "k%zu: 1\n", i);
  probe_refuse(s, k, NULL, 0, AMO_EINPUT, "unknown key");
  k = (size_t)sprintf(s, "amontons: 1\ncoordinates: [x]\ndefinitions:\n");
  for (size_t i = 0; i < 5000; i++) k += (size_t)sprintf(s + k, "  d%zu: d%zu + x\n", i, i + 1);
  k += (size_t)sprintf(s + k, "  d5000: x\n");
  probe_refuse(s, k, NULL, 0, AMO_EINPUT, "levels deep");
  free(s);
  s = calloc(1, AMO_MODEL_BYTES + 2);
  memset(s, ' ', AMO_MODEL_BYTES + 1);
  probe_refuse(s, AMO_MODEL_BYTES + 1, NULL, 0, AMO_ELIMIT, "larger than 16 MB");
  free(s);
  amo_diags *d = amo_diags_new();
  amo_model *m = NULL;
  assert_int_equal(amo_model_load("/no/such/file.yaml", NULL, 0, d, &m), AMO_EIO);
  assert_int_equal(amo_model_load("/", NULL, 0, d, &m), AMO_EIO);
  assert_null(m);
  amo_diags_free(d);
  amo_model_free(NULL);
}

// The tree the study loader uses too.
static void yaml_tree(void **state)
{
  (void)state;
  static const char text[] = "a: 1\nb: 'x: y'\nc: [p, {q: r}]\nd:\n  e: true\n  f: 2.5\n  g:\n";
  amo_yaml_doc *doc = NULL;
  amo_diags *d = amo_diags_new();
  assert_int_equal(amo_yaml_parse("t.yaml", text, sizeof text - 1, d, &doc), AMO_OK);
  const amo_yaml *r = amo_yaml_root(doc), *b = amo_yaml_get(r, "b"), *e = amo_yaml_get(r, "d");
  assert_string_equal(b->text, "x: y");
  assert_int_equal(b->at.line, 2);
  assert_int_equal(b->at.column, 5);
  assert_int_equal(b->at.length, 4);
  assert_int_equal(r->count, 4);
  assert_string_equal(amo_yaml_get(amo_yaml_get(r, "c")->first->next, "q")->text, "r");
  long n = 0;
  double v = 0;
  bool flag = false;
  assert_int_equal(amo_yaml_integer(amo_yaml_get(r, "a"), "a", d, &n), AMO_OK);
  assert_int_equal(n, 1);
  assert_int_equal(amo_yaml_bool(amo_yaml_get(e, "e"), "e", d, &flag), AMO_OK);
  assert_true(flag);
  assert_int_equal(amo_yaml_number(amo_yaml_get(e, "f"), "f", d, &v), AMO_OK);
  assert_true(v == 2.5);
  assert_int_equal(amo_yaml_integer(amo_yaml_get(e, "f"), "f", d, &n), AMO_EINPUT);
  assert_true(amo_yaml_is_null(amo_yaml_get(e, "g")));
  assert_null(amo_yaml_get(r, "nothing"));
  assert_null(amo_yaml_get(NULL, "nothing"));
  amo_yaml_free(doc);
  amo_diags_free(d);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(yaml_tree),
      cmocka_unit_test(equations_double_pendulum),
      cmocka_unit_test(equations_from_energies),
      cmocka_unit_test(equations_block),
      cmocka_unit_test(equations_string),
      cmocka_unit_test(equations_prescribed),
      cmocka_unit_test(equations_chain),
      cmocka_unit_test(energy_identity),
      cmocka_unit_test(energy_identity_rheonomic),
      cmocka_unit_test(families),
      cmocka_unit_test(unnamed_lists),
      cmocka_unit_test(bad_files),
      cmocka_unit_test(warnings),
      cmocka_unit_test(hostile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
