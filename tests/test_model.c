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
#include "model/compiled.h"
#include "model/schematic.h"
#include "model/yaml.h"

#ifndef AMO_SOURCE_DIR
#define AMO_SOURCE_DIR "."
#endif

// ---- help ----

static amo_model *load_text(const char *text, const amo_setting *set, size_t nset)
{
  amo_diags *d = amo_diags_new();
  amo_model *m = NULL;
  amo_status st = amo_model_parse("test.yaml", text, strlen(text), set, nset, d, &m);
  if (st != AMO_OK) {
    char *s = amo_diags_render(d);
    print_error("%s", s);
    free(s);
  }
  assert_int_equal(st, AMO_OK);
  amo_diags_free(d);
  return m;
}

static amo_model *load_file(const char *name, const amo_setting *set, size_t nset)
{
  char path[512];
  snprintf(path, sizeof path, AMO_SOURCE_DIR "/models/%s", name);
  amo_diags *d = amo_diags_new();
  amo_model *m = NULL;
  amo_status st = amo_model_load(path, set, nset, d, &m);
  char *s = amo_diags_render(d);
  assert_string_equal(s, "");  // no warnings either
  free(s);
  assert_int_equal(st, AMO_OK);
  amo_diags_free(d);
  return m;
}

/// Expect failure with a message that contains `want`.
static void refuse(const char *text, size_t size, const amo_setting *set, size_t nset, amo_status status,
                   const char *want)
{
  amo_diags *d = amo_diags_new();
  amo_model *m = NULL;
  amo_status st = amo_model_parse("bad.yaml", text, size, set, nset, d, &m);
  char *s = amo_diags_render(d);
  if (st != status || !strstr(s, want)) print_error("wanted '%s', got %s:\n%s", want, amo_status_name(st), s);
  assert_int_equal(st, status);
  assert_null(m);
  assert_non_null(strstr(s, want));
  free(s);
  amo_diags_free(d);
}

/// A state of a model with everything evaluated.
typedef struct probe {
  const amo_model *m;
  double *leaf, *reg;
} probe;

static probe probe_new(const amo_model *m)
{
  probe p = {m, amo_zalloc(m->leaf.count, sizeof(double)),
             amo_zalloc(amo_prog_registers(m->step), sizeof(double))};
  assert_non_null(p.leaf);
  assert_non_null(p.reg);
  memcpy(p.leaf + m->leaf.param, m->param_value, m->np * sizeof(double));
  for (uint32_t i = 0; i < m->nq; i++) {
    p.leaf[m->leaf.q + i] = m->initial[i];
    p.leaf[m->leaf.u + i] = m->initial[m->nq + i];
  }
  for (uint32_t i = 0; i < m->nz; i++) p.leaf[m->leaf.z + i] = m->initial[2 * m->nq + i];
  p.leaf[m->leaf.t] = m->t0;
  p.leaf[m->leaf.eps] = 100.0;
  return p;
}

static void probe_eval(probe *p)
{
  memcpy(p->reg, p->leaf, p->m->leaf.count * sizeof(double));
  amo_prog_prepare1(p->m->step, p->reg);
  amo_prog_eval1(p->m->step, p->reg, NULL);
}

static void probe_free(probe *p)
{
  free(p->leaf);
  free(p->reg);
}

static double value_of(const probe *p, amo_node n)
{
  amo_prog *prog = NULL;
  assert_int_equal(amo_prog_compile(p->m->dag, &n, 1, p->m->fixed, p->m->leaf.count, &prog), AMO_OK);
  double *reg = amo_zalloc(amo_prog_registers(prog), sizeof *reg);
  memcpy(reg, p->leaf, p->m->leaf.count * sizeof *reg);
  amo_prog_prepare1(prog, reg);
  amo_prog_eval1(prog, reg, NULL);
  double v = reg[amo_prog_root(prog, 0)];
  free(reg);
  amo_prog_free(prog);
  return v;
}

static void check_near(double got, double want, double tol)
{
  if (!(fabs(got - want) <= tol * (1.0 + fabs(want)))) {
    print_error("got %.17g, want %.17g\n", got, want);
    fail();
  }
}

static double param(const amo_model *m, const char *name)
{
  for (uint32_t i = 0; i < m->np; i++)
    if (strcmp(m->param[i].sym.name, name) == 0) return m->param_value[i];
  fail_msg("no parameter %s", name);
  return 0.0;
}

static double mass_at(const probe *p, uint32_t i, uint32_t j)
{
  double sum = 0.0;
  for (uint32_t k = 0; k < p->m->nmass; k++)
    if (p->m->mass[k].row == i && p->m->mass[k].col == j) sum += p->reg[p->m->mass[k].reg];
  return sum;
}

/// Gauss with pivoting, in place.
static void solve(double *a, double *b, size_t n)
{
  for (size_t c = 0; c < n; c++) {
    size_t p = c;
    for (size_t i = c + 1; i < n; i++)
      if (fabs(a[i * n + c]) > fabs(a[p * n + c])) p = i;
    assert_true(a[p * n + c] != 0.0);
    for (size_t j = 0; j < n; j++) {
      double x = a[c * n + j];
      a[c * n + j] = a[p * n + j];
      a[p * n + j] = x;
    }
    double x = b[c];
    b[c] = b[p];
    b[p] = x;
    for (size_t i = c + 1; i < n; i++) {
      double f = a[i * n + c] / a[c * n + c];
      for (size_t j = c; j < n; j++) a[i * n + j] -= f * a[c * n + j];
      b[i] -= f * b[c];
    }
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t j = i + 1; j < n; j++) b[i] -= a[i * n + j] * b[j];
    b[i] /= a[i * n + i];
  }
}

/// Accelerations and multipliers with all contacts slipping (sigma as set), written to the leaves.
static void accelerate(probe *p)
{
  const amo_model *m = p->m;
  size_t n = m->nq, g = m->ng, N = n + g;
  double *a = amo_zalloc(N * N, sizeof *a), *b = amo_zalloc(N, sizeof *b);
  probe_eval(p);
  for (uint32_t k = 0; k < m->nmass; k++) {
    const amo_entry *e = &m->mass[k];
    a[e->row * N + e->col] = a[e->col * N + e->row] = p->reg[e->reg];
  }
  for (size_t i = 0; i < n; i++) b[i] = p->reg[m->r_h[i]];
  for (size_t k = 0; k < g; k++) {
    const amo_constraint *c = &m->constraint[k];
    for (uint32_t i = 0; i < c->ng; i++) {
      a[(n + k) * N + c->g[i].col] = p->reg[c->g[i].reg];
      a[c->g[i].col * N + n + k] = -p->reg[c->g[i].reg];
    }
    b[n + k] = -p->reg[c->r_zeta];
  }
  solve(a, b, N);
  memcpy(p->leaf + m->leaf.acc, b, n * sizeof *b);
  memcpy(p->leaf + m->leaf.multiplier, b + n, g * sizeof *b);
  for (uint32_t c = 0; c < m->nc; c++)
    p->leaf[m->leaf.lambda + c] = -p->leaf[m->leaf.sigma + c] * p->reg[m->contact[c].r_kinetic];
  free(a);
  free(b);
}

static double random_unit(uint64_t *s)
{
  *s = *s * 6364136223846793005u + 1442695040888963407u;
  return (double)(*s >> 11) / 9007199254740992.0 * 2.0 - 1.0;
}

// d(T+V)/dt = supplied_power + sum_c lambda_c (W_c.u) + sum_g Lambda_g (G_g.u), and
// d(slip)/dt = W.u' + zeta, d(rate)/dt = 0, at random states.
static void check_identity(amo_model *m)
{
  amo_node *rate = amo_zalloc(m->leaf.count, sizeof *rate);
  rate[m->leaf.t] = amo_const(m->dag, 1.0);
  for (uint32_t i = 0; i < m->nq; i++) {
    rate[m->leaf.q + i] = amo_leaf(m->dag, m->leaf.u + i);
    rate[m->leaf.u + i] = amo_leaf(m->dag, m->leaf.acc + i);
  }
  for (uint32_t i = 0; i < m->nz; i++) rate[m->leaf.z + i] = m->extra[i].rate;
  amo_node e =
      amo_total(m->dag, amo_add(m->dag, m->kinetic_energy, m->potential_energy), rate, m->leaf.count);
  uint64_t seed = 12345;
  for (int trial = 0; trial < 10; trial++) {
    probe p = probe_new(m);
    for (uint32_t i = m->leaf.t; i < m->leaf.sigma; i++) p.leaf[i] += 0.5 * random_unit(&seed);
    probe_eval(&p);
    for (uint32_t c = 0; c < m->nc; c++)
      p.leaf[m->leaf.sigma + c] = p.reg[m->contact[c].r_slip] > 0 ? 1.0 : -1.0;
    accelerate(&p);
    double flow = value_of(&p, m->supplied_power), scale = fabs(flow) + 1.0;
    for (uint32_t i = 0; i < m->nq; i++) scale += fabs(p.reg[m->r_h[i]] * p.leaf[m->leaf.u + i]);
    for (uint32_t c = 0; c < m->nc; c++) {
      double slip = p.reg[m->contact[c].r_zeta];
      for (uint32_t k = 0; k < m->contact[c].nw; k++) {
        const amo_entry *w = &m->contact[c].w[k];
        double part = p.leaf[m->leaf.lambda + c] * p.reg[w->reg] * p.leaf[m->leaf.u + w->col];
        flow += part;
        scale += fabs(part);
        slip += p.reg[w->reg] * p.leaf[m->leaf.acc + w->col];
      }
      check_near(value_of(&p, amo_total(m->dag, m->contact[c].slip, rate, m->leaf.count)), slip, 1e-12);
    }
    for (uint32_t c = 0; c < m->ng; c++) {
      for (uint32_t k = 0; k < m->constraint[c].ng; k++) {
        const amo_entry *w = &m->constraint[c].g[k];
        double part = p.leaf[m->leaf.multiplier + c] * p.reg[w->reg] * p.leaf[m->leaf.u + w->col];
        flow += part;
        scale += fabs(part);
      }
      check_near(value_of(&p, amo_total(m->dag, m->constraint[c].rate, rate, m->leaf.count)), 0.0,
                 1e-11 * scale);
    }
    double change = value_of(&p, e);
    if (!(fabs(change - flow) <= 1e-12 * scale)) {
      print_error("%s: dE/dt %.17g, power %.17g\n", m->name, change, flow);
      fail();
    }
    probe_free(&p);
  }
  free(rate);
}

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
  amo_model *m = load_text(double_pendulum, NULL, 0);
  probe p = probe_new(m);
  probe_eval(&p);
  double m1 = 2, m2 = 0.7, l1 = 1.1, l2 = 0.6, g = 9.81, a = 0.4, b = -0.9, va = 1.3, vb = 0.8;
  check_near(mass_at(&p, 0, 0), (m1 + m2) * l1 * l1, 1e-14);
  check_near(mass_at(&p, 1, 0), m2 * l1 * l2 * cos(a - b), 1e-14);
  check_near(mass_at(&p, 1, 1), m2 * l2 * l2, 1e-14);
  check_near(p.reg[m->r_h[0]], -m2 * l1 * l2 * vb * vb * sin(a - b) - (m1 + m2) * g * l1 * sin(a), 1e-13);
  check_near(p.reg[m->r_h[1]], m2 * l1 * l2 * va * va * sin(a - b) - m2 * g * l2 * sin(b), 1e-13);
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
  amo_model *m = load_text(text, NULL, 0), *n = load_text(double_pendulum, NULL, 0);
  probe p = probe_new(m), q = probe_new(n);
  accelerate(&p);
  accelerate(&q);
  for (uint32_t i = 0; i < 2; i++) check_near(p.leaf[m->leaf.acc + i], q.leaf[n->leaf.acc + i], 1e-12);
  check_near(value_of(&p, m->kinetic_energy), value_of(&q, n->kinetic_energy), 1e-13);
  check_near(value_of(&p, m->potential_energy), value_of(&q, n->potential_energy), 1e-13);
  probe_free(&p);
  probe_free(&q);
  amo_model_free(m);
  amo_model_free(n);
}

// Leine: F(0.2) = 0.625 and the slope of the smoothed curve at 0 is -(2/pi) eps Fs.
static void equations_block(void **state)
{
  (void)state;
  amo_model *m = load_file("block-on-belt.yaml", NULL, 0);
  probe p = probe_new(m);
  p.leaf[m->leaf.sigma] = -1.0;
  p.leaf[m->leaf.eps] = 1e6;
  probe_eval(&p);
  check_near(p.reg[m->contact[0].r_slip], -0.2, 1e-15);
  check_near(p.reg[m->contact[0].r_kinetic], 0.625, 1e-15);
  check_near(p.reg[m->r_h[0]], -1.1 + 0.625, 1e-15);
  check_near(value_of(&p, m->contact[0].kinetic_slope), 3.0 / (1.6 * 1.6), 1e-15);
  p.leaf[m->leaf.sigma] = 0.0;  // stick: friction is an unknown, not part of h
  probe_eval(&p);
  check_near(p.reg[m->r_h[0]], -1.1, 1e-15);
  p.leaf[m->leaf.u] = 0.2;
  check_near(value_of(&p, m->contact[0].kinetic_smooth_slope), -636619.7724, 1e-9);
  check_near(value_of(&p, m->contact[0].kinetic_smooth), 0.0, 0.0);
  assert_int_equal(amo_model_states(m), 2);
  assert_string_equal(amo_model_state(m, 1).name, "x'");
  assert_string_equal(amo_model_state(m, 1).unit, "m/s");
  assert_int_equal(amo_model_find_state(m, "x'"), 1);
  assert_int_equal(amo_model_find_state(m, "y"), -1);
  assert_int_equal(amo_model_find_contact(m, "belt"), 0);
  assert_non_null(m->schematic);
  assert_string_equal(m->plot_y, "x'");
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
    amo_model *m = load_file("violin-string.yaml", set, 3);
    assert_true(fabs(param(m, "A") / row[i].A - 1) < 1e-9);
    assert_true(fabs(param(m, "Ip") / row[i].Ip - 1) < 1e-9);
    assert_true(fabs(param(m, "m") / row[i].mass - 1) < 1e-9);
    assert_true(fabs(param(m, "kt") / row[i].kt - 1) < 1e-9);
    assert_true(fabs(param(m, "J") / row[i].J - 1) < 1e-9);
    check_near(param(m, "k"), 625.0, 1e-12);
    probe p = probe_new(m);
    check_near(value_of(&p, m->output[0].node), row[i].f, 1e-9);
    // The same force from the equations: what keeps d(slip)/dt = 0.
    probe_eval(&p);
    double wb = 1 / mass_at(&p, 0, 0) + 1 / mass_at(&p, 1, 1);
    double wa = p.reg[m->r_h[0]] / mass_at(&p, 0, 0) + p.reg[m->r_h[1]] / mass_at(&p, 1, 1);
    check_near(-wa / wb, row[i].f, 1e-9);
    probe_free(&p);
    // Derived parameters follow the plain ones.
    double *value = amo_zalloc(m->np, sizeof *value);
    memcpy(value, m->param_value, m->np * sizeof *value);
    value[4] = 2e-3;
    amo_model_derive(m, value);
    check_near(value[8] / (3.14159265358979324 * 1e-6), 1.0, 1e-14);
    free(value);
    amo_model_free(m);
  }
}

// x'' = (1-0.3) where the drive holds: M X'' + spring and friction by hand.
static void equations_prescribed(void **state)
{
  (void)state;
  amo_model *m = load_file("prescribed-slider.yaml", NULL, 0);
  assert_int_equal(m->nq, 2);
  assert_int_equal(m->nprescribed, 1);
  probe p = probe_new(m);
  double t = 0.7, x = 0.1, y = -0.6, vx = 0.2, l = 0.4, k = 20, M = 2;
  p.leaf[m->leaf.t] = t;
  p.leaf[m->leaf.q] = x;
  p.leaf[m->leaf.q + 1] = y;
  p.leaf[m->leaf.u] = vx;
  p.leaf[m->leaf.sigma] = -1.0;
  accelerate(&p);
  double dx = x - sin(t), L = hypot(dx, y), pull = k * (L - l);
  check_near(p.reg[m->contact[0].r_slip], vx - cos(t), 1e-14);
  check_near(p.reg[m->contact[0].r_zeta], sin(t), 1e-14);
  double friction = 0.5 * 9.81 * 0.02;  // on the mass along +slip, sigma = -1
  check_near(p.reg[m->r_h[0]], -pull * dx / L + friction, 1e-13);
  // slider: M X'' = pull dx/L - friction + drive
  double drive = M * -sin(t) - pull * dx / L + friction;
  check_near(value_of(&p, m->prescribed[0].drive), drive, 1e-13);
  assert_string_equal(amo_model_output(m, 1).name, "X");
  assert_string_equal(amo_model_output(m, 2).name, "X'");
  assert_string_equal(amo_model_output(m, 3).name, "X.drive");
  check_near(value_of(&p, m->output[2].node), cos(t), 1e-15);
  probe_free(&p);
  amo_model_free(m);
}

static void equations_chain(void **state)
{
  (void)state;
  amo_setting set[] = {{"N", "1000"}};
  clock_t start = clock();
  amo_model *m = load_file("chain.yaml", set, 1);
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  assert_int_equal(m->nq, 1000);
  assert_int_equal(m->nmass, 1000);                 // diagonal
  assert_true(amo_dag_size(m->dag) < 100 * m->nq);  // grows like n
  assert_true(seconds < 5.0);                       // generous: sanitizers run this too
  for (uint32_t c = 0; c < m->nc; c++) assert_int_equal(m->contact[c].nw, 1);
  probe p = probe_new(m);
  probe_eval(&p);
  const double *x = p.leaf + m->leaf.q;
  check_near(p.reg[m->r_h[500]], -x[500] + 0.7 * (x[501] - 2 * x[500] + x[499]), 1e-13);
  check_near(p.reg[m->r_h[0]], -x[0] + 0.7 * (x[1] - x[0]), 1e-13);
  assert_string_equal(amo_model_state(m, 999).name, "x[1000]");
  probe_free(&p);
  amo_model_free(m);
  amo_setting one[] = {{"N", "1"}, {"x", "0.5"}, {"x[1]'", "k"}};
  m = load_file("chain.yaml", one, 3);
  assert_int_equal(m->nq, 1);
  check_near(m->initial[0], 0.5, 0.0);
  check_near(m->initial[1], 1.0, 0.0);
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
                                     "block-aging-ideal.yaml"};
  for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
    amo_model *m = load_file(file[i], NULL, 0);
    check_identity(m);
    amo_model_free(m);
  }
  amo_model *m = load_text(double_pendulum, NULL, 0);
  check_identity(m);
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
  amo_model *m = load_text(text, set, 1);
  assert_int_equal(m->nq, 3);
  check_identity(m);
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
  amo_model *m = load_text(family, set, 2);
  probe p = probe_new(m);
  check_near(param(m, "a[1]"), 2, 0);
  check_near(param(m, "a[2]"), 7, 0);
  check_near(param(m, "b[3]"), 4.3, 1e-15);
  check_near(m->initial[1], 10, 0);
  check_near(m->initial[5], 30, 0);
  check_near(m->initial[7], 7, 0);
  probe_eval(&p);
  check_near(p.reg[m->r_h[1]], -70, 1e-15);
  check_near(value_of(&p, m->output[0].node), 14.0 / 3.0, 1e-15);
  check_near(value_of(&p, m->output[1].node), 30.0, 1e-15);
  check_near(value_of(&p, m->output[2].node), 7.0, 1e-15);
  assert_string_equal(amo_model_output(m, 5).name, "g[3]");
  assert_string_equal(amo_model_state(m, 7).name, "c[2].t_stick");
  probe_free(&p);
  amo_model_free(m);
  amo_setting size[] = {{"N", "2"}, {"q", "k"}};
  refuse(family, strlen(family), size, 2, AMO_EINPUT, "q has 2 elements but 3 values");
  amo_setting odd[] = {{"a[7]", "1"}};
  refuse(family, strlen(family), odd, 1, AMO_EINPUT, "no 'a[7]' to set; did you mean 'a'");
  amo_setting broken[] = {{"d", "2*("}};
  refuse(family, strlen(family), broken, 1, AMO_EINPUT, "--set d:1:");
  amo_setting cycle[] = {{"d", "c"}};
  refuse(family, strlen(family), cycle, 1, AMO_EINPUT, "depends on itself: ");
  amo_setting huge[] = {{"N", "100000000000"}};
  refuse(family, strlen(family), huge, 1, AMO_EINPUT, "between 0 and");
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
  refuse(s, n, NULL, 0, AMO_ELIMIT, "nested deeper than 64");
  memset(s, '{', n);
  refuse(s, n, NULL, 0, AMO_EINPUT, "a key must be a plain name");
  int head = sprintf(s, "amontons: 1\ncoordinates: [x]\nforces: {x: ");
  memset(s + head, '(', n);
  strcpy(s + head + n, "}\n");
  refuse(s, strlen(s), NULL, 0, AMO_EINPUT, "nested deeper");
  head = sprintf(s, "a: [");
  for (size_t i = 0; i < n; i++) memcpy(s + head + 2 * i, "1,", 2);
  refuse(s, (size_t)head + 2 * n, NULL, 0, AMO_ELIMIT, "more than 1000000 values");
  size_t k = 0;
  for (size_t i = 0; i < 50000; i++) k += (size_t)sprintf(s + k, "k%zu: 1\n", i);
  refuse(s, k, NULL, 0, AMO_EINPUT, "unknown key");
  k = (size_t)sprintf(s, "amontons: 1\ncoordinates: [x]\ndefinitions:\n");
  for (size_t i = 0; i < 5000; i++) k += (size_t)sprintf(s + k, "  d%zu: d%zu + x\n", i, i + 1);
  k += (size_t)sprintf(s + k, "  d5000: x\n");
  refuse(s, k, NULL, 0, AMO_EINPUT, "levels deep");
  free(s);
  s = calloc(1, AMO_MODEL_BYTES + 2);
  memset(s, ' ', AMO_MODEL_BYTES + 1);
  refuse(s, AMO_MODEL_BYTES + 1, NULL, 0, AMO_ELIMIT, "larger than 16 MB");
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
      cmocka_unit_test(bad_files),
      cmocka_unit_test(warnings),
      cmocka_unit_test(hostile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
