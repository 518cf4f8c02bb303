// SPDX-License-Identifier: Apache-2.0
// The rate problem against brute force on random systems: closed forms of one planar contact, all combinations of
// two contacts with matrices of our own, directions of a spatial contact on a fine grid. Paths against closed forms.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "amontons/amontons.h"
#include "quasistatic/rate.h"
#include "support/near.h"

static uint64_t seed = 2207;

static double uniform(double a, double b)
{
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return a + (b - a) * (double)(seed >> 11) / 9007199254740992.0;
}

static amo_model *load(const char *name)
{
  char path[512];
  amo_model *m = NULL;
  snprintf(path, sizeof path, "%s/models/%s.yaml", AMO_SOURCE_DIR, name);
  assert_int_equal(amo_model_load(path, NULL, 0, NULL, &m), AMO_OK);
  return m;
}

static amo_model *parse(const char *text)
{
  amo_model *m = NULL;
  amo_diags *d = amo_diags_new();
  amo_status st = amo_model_parse("test", text, strlen(text), NULL, 0, d, &m);
  for (size_t i = 0; st != AMO_OK && i < amo_diags_count(d); i++)
    print_error("%s\n", amo_diags_get(d, i)->message);
  assert_int_equal(st, AMO_OK);
  amo_diags_free(d);
  return m;
}

static void set(const amo_model *m, double *param, const char *name, double value)
{
  for (size_t i = 0; i < amo_model_parameters(m); i++)
    if (!strcmp(amo_model_parameter(m, i).name, name)) {
      param[i] = value;
      return;
    }
  fail_msg("no parameter %s", name);
}

/// All answers from the unloaded state.
static void answers(amo_statics *s, const double *param, amo_rate_set *out)
{
  amo_qs_known known;
  amo_qs_mode mode[4];
  amo_qs_at at[4];
  amo_expansion_parameters(s->x, param);
  assert_int_equal(amo_qs_known_new(s, &known), AMO_OK);
  assert_int_equal(amo_qs_begin(s, 0.0, &known, mode), AMO_OK);
  amo_qs_places(s, &known, mode, at);
  assert_int_equal(amo_rates_find(s, &known, at, out), AMO_OK);
}

static bool has(const amo_rate_set *r, amo_qs_kind kind, double d)
{
  for (size_t i = 0; i < r->count; i++)
    if (r->item[i].mode[0].kind == kind && (kind != AMO_QS_SLIP || r->item[i].mode[0].d[0] == d)) return true;
  return false;
}

// ---- one planar contact: Cho and Barber, eqs. 11-20 ----

static void planar_sectors_equal_closed_forms(void **state)
{
  (void)state;
  amo_model *m = load("klarbring-mass");
  amo_statics *s = NULL;
  double param[32];
  memcpy(param, amo_model_parameter_values(m), amo_model_parameters(m) * sizeof *param);
  assert_int_equal(amo_statics_new(amo_model_values(m), &s), AMO_OK);
  int count[5] = {0};
  for (int trial = 0; trial < 20000; trial++) {
    double a = uniform(0.2, 2), b = uniform(0.2, 2), c = uniform(-0.99, 0.99) * sqrt(a * b),
           f = uniform(0, 4);
    double C1 = uniform(-1, 1), C2 = uniform(-1, 1);
    set(m, param, "k11", a), set(m, param, "k22", b), set(m, param, "k12", c), set(m, param, "mu", f);
    set(m, param, "C1", C1), set(m, param, "C2", C2);
    amo_rate_set r;
    answers(s, param, &r);
    bool stick = C2 < 0 && fabs(C1) < -f * C2;
    bool open = (a * C2 - c * C1) / (a * b - c * c) > 0;
    bool slip[2];
    for (int k = 0; k < 2; k++) {
      double sigma = k == 0 ? 1 : -1, X = a + sigma * f * c;
      slip[k] = sigma * (C1 + sigma * f * C2) / X > 0 && (c * C1 - a * C2) / X > 0;
    }
    assert_int_equal(r.count, (size_t)stick + open + slip[0] + slip[1]);
    assert_int_equal(has(&r, AMO_QS_STICK, 0), stick);
    assert_int_equal(has(&r, AMO_QS_OPEN, 0), open);
    assert_int_equal(has(&r, AMO_QS_SLIP, 1), slip[0]);
    assert_int_equal(has(&r, AMO_QS_SLIP, -1), slip[1]);
    if (f < a / fabs(c)) assert_int_equal(r.count, 1);  // unique below the critical coefficient
    count[r.count]++;
    amo_rates_free(&r);
  }
  assert_true(count[1] > 10000 && count[3] > 200 && count[0] == 0);
  amo_statics_free(s);
  amo_model_free(m);
}

// ---- two planar contacts, by brute force ----

enum { DOF = 4 };  // u1 v1 u2 v2: slip and gap of either contact

static bool gauss(double a[8][8], double *b, int n)
{
  for (int c = 0; c < n; c++) {
    int best = c;
    for (int i = c + 1; i < n; i++)
      if (fabs(a[i][c]) > fabs(a[best][c])) best = i;
    if (fabs(a[best][c]) < 1e-12) return false;
    for (int j = 0; j < n; j++) {
      double x = a[c][j];
      a[c][j] = a[best][j], a[best][j] = x;
    }
    double x = b[c];
    b[c] = b[best], b[best] = x;
    for (int i = 0; i < n; i++) {
      double f = i == c ? 0.0 : a[i][c] / a[c][c];
      for (int j = 0; j < n; j++) a[i][j] -= f * a[c][j];
      b[i] -= f * b[c];
    }
  }
  for (int i = 0; i < n; i++) b[i] /= a[i][i];
  return true;
}

/// mode: 0 stick, 1, -1 slip, 2 open. Forces are K q' - p; all conditions are checked on them.
static bool brute(const double K[DOF][DOF], const double *p, double f, const int *mode)
{
  double a[8][8] = {{0}}, b[8] = {0};  // unknown: q', then R1 L1 R2 L2
  for (int i = 0; i < DOF; i++) {
    for (int j = 0; j < DOF; j++) a[i][j] = K[i][j];
    b[i] = p[i];
  }
  for (int c = 0; c < 2; c++) {
    int u = 2 * c, v = u + 1, R = 4 + 2 * c, L = R + 1;
    a[v][R] = a[u][L] = -1.0;
    if (mode[c] == 2) {
      a[R][R] = a[L][L] = 1.0;
      continue;
    }
    a[R][v] = 1.0;
    if (mode[c] == 0)
      a[L][u] = 1.0;
    else
      a[L][L] = 1.0, a[L][R] = mode[c] * f;
  }
  if (!gauss(a, b, 8)) return false;
  for (int c = 0; c < 2; c++) {
    double slip = b[2 * c], gap = b[2 * c + 1], R = b[4 + 2 * c], L = b[5 + 2 * c];
    if (mode[c] == 2 ? !(gap > 0) : !(R > 0)) return false;
    if (mode[c] == 0 && !(fabs(L) < f * R)) return false;
    if (abs(mode[c]) == 1 && !(mode[c] * slip > 0)) return false;
  }
  return true;
}

static int number(const amo_qs_mode *m)
{
  return m->kind == AMO_QS_OPEN ? 2 : m->kind == AMO_QS_STICK ? 0 : m->d[0] > 0 ? 1 : -1;
}

static void two_contacts_equal_brute_force(void **state)
{
  (void)state;
  amo_model *m = parse(
      "amontons: 1\n"
      "parameters: {a11: 1, a12: 0, a13: 0, a14: 0, a22: 1, a23: 0, a24: 0, a33: 1, a34: 0, a44: 1, f: 0.5, "
      "p1: 0, p2: 0, p3: 0, p4: 0}\n"
      "coordinates: [u, v, x, y]\n"
      "particles: {A: {mass: 1, at: [u, v]}, B: {mass: 1, at: [x, y]}}\n"
      "energy: {potential: (a11*u^2 + a22*v^2 + a33*x^2 + a44*y^2)/2 + a12*u*v + a13*u*x + a14*u*y + a23*v*x "
      "+ "
      "a24*v*y + a34*x*y}\n"
      "loads: {P: {on: A, force: [p1*t, p2*t]}, Q: {on: B, force: [p3*t, p4*t]}}\n"
      "contacts:\n"
      "  one: {support: v, slip: u', law: {type: coulomb, mu: f}}\n"
      "  two: {support: y, slip: x', law: {type: coulomb, mu: f}}\n");
  amo_statics *s = NULL;
  double param[32];
  memcpy(param, amo_model_parameter_values(m), amo_model_parameters(m) * sizeof *param);
  assert_int_equal(amo_statics_new(amo_model_values(m), &s), AMO_OK);
  static const int value[4] = {0, 1, -1, 2};
  int most = 0, none = 0;
  for (int trial = 0; trial < 4000; trial++) {
    double g[DOF][DOF], K[DOF][DOF] = {{0}}, p[DOF], f = uniform(0.05, 3);
    for (int i = 0; i < DOF; i++)
      for (int j = 0; j < DOF; j++) g[i][j] = uniform(-1, 1);
    for (int i = 0; i < DOF; i++)
      for (int j = 0; j < DOF; j++) {
        for (int k = 0; k < DOF; k++) K[i][j] += g[k][i] * g[k][j];
        if (i == j) K[i][j] += 0.05;
      }
    set(m, param, "f", f);
    for (int i = 0; i < DOF; i++) {
      char name[32];
      p[i] = uniform(-1, 1) - (i % 2) * 0.5;
      snprintf(name, sizeof name, "p%d", i + 1);
      set(m, param, name, p[i]);
      for (int j = i; j < DOF; j++) {
        snprintf(name, sizeof name, "a%d%d", i + 1, j + 1);
        set(m, param, name, K[i][j]);
      }
    }
    amo_rate_set r;
    answers(s, param, &r);
    int found = 0;
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) {
        int mode[2] = {value[i], value[j]}, listed = 0;
        for (size_t k = 0; k < r.count; k++)
          listed += number(&r.item[k].mode[0]) == mode[0] && number(&r.item[k].mode[1]) == mode[1];
        bool holds = brute((const double(*)[DOF])K, p, f, mode);
        if (holds != (listed == 1))
          fail_msg("trial %d: modes %d %d: brute force %d, listed %d", trial, mode[0], mode[1], holds,
                   listed);
        found += holds;
      }
    assert_int_equal(found, (int)r.count);
    most = found > most ? found : most;
    none += found == 0;
    amo_rates_free(&r);
  }
  assert_true(most >= 4);
  assert_int_equal(none, 0);  // at the vertex at least one answer exists
  amo_statics_free(s);
  amo_model_free(m);
}

// ---- directions of a spatial contact ----

/// What is left of the balance across the slip when its speed is chosen along it; zero at an answer.
static double left_over(const double K[3][3], double f, const double *p, double angle, double *speed,
                        double *normal)
{
  double d[2] = {cos(angle), sin(angle)}, kd[3];
  for (int i = 0; i < 3; i++) kd[i] = K[i][0] * d[0] + K[i][1] * d[1];
  // friction rates: speed*kd - p along the axes; normal rate: speed*kd3 - p3
  double X = d[0] * kd[0] + d[1] * kd[1] + f * kd[2];
  *speed = (d[0] * p[0] + d[1] * p[1] + f * p[2]) / X;
  *normal = *speed * kd[2] - p[2];
  return X * (-d[1] * (*speed * kd[0] - p[0]) + d[0] * (*speed * kd[1] - p[1]));
}

static void spatial_directions_equal_grid(void **state)
{
  (void)state;
  amo_model *m = load("spatial-mass-load");
  amo_statics *s = NULL;
  double param[32];
  memcpy(param, amo_model_parameter_values(m), amo_model_parameters(m) * sizeof *param);
  assert_int_equal(amo_statics_new(amo_model_values(m), &s), AMO_OK);
  int several = 0, slips = 0;
  for (int trial = 0; trial < 600; trial++) {
    double g[3][3], K[3][3] = {{0}}, p[3], f = uniform(0.1, 5);
    for (int i = 0; i < 9; i++) g[i / 3][i % 3] = uniform(-1, 1);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 3; k++) K[i][j] += g[k][i] * g[k][j];
        if (i == j) K[i][j] += 0.02;
      }
    static const char *const k[] = {"k11", "k22", "k33", "k12", "k13", "k23"}, *const C[] = {"C1", "C2",
                                                                                             "C3"};
    const double v[] = {K[0][0], K[1][1], K[2][2], K[0][1], K[0][2], K[1][2]};
    for (int i = 0; i < 6; i++) set(m, param, k[i], v[i]);
    for (int i = 0; i < 3; i++) set(m, param, C[i], p[i] = uniform(-1, 1));
    set(m, param, "mu", f);
    amo_rate_set r;
    answers(s, param, &r);
    int expected = 0, got = 0;
    const int grid = 20000;
    double speed, normal, last = left_over((const double(*)[3])K, f, p, 0.0, &speed, &normal);
    for (int i = 1; i <= grid; i++) {
      double now = left_over((const double(*)[3])K, f, p, 6.283185307179586 * i / grid, &speed, &normal);
      if ((now < 0) != (last < 0) && speed > 1e-7 && normal > 1e-7) expected++;
      last = now;
    }
    for (size_t i = 0; i < r.count; i++) {
      if (r.item[i].mode[0].kind != AMO_QS_SLIP) continue;
      got++;
      double rest = left_over((const double(*)[3])K, f, p,
                              atan2(r.item[i].mode[0].d[1], r.item[i].mode[0].d[0]), &speed, &normal);
      assert_near(rest, 0.0, 1e-9 * (1.0 + fabs(speed)));
      assert_near(r.item[i].rate[3], normal, 1e-8 * (1.0 + fabs(normal)));
    }
    assert_int_equal(got, expected);
    slips += got;
    several += r.count > 1;
    amo_rates_free(&r);
  }
  assert_true(several > 5 && slips > 50);
  amo_statics_free(s);
  amo_model_free(m);
}

// ---- paths ----

static void jump_lands_where_the_formula_says(void **state)
{
  (void)state;
  for (int trial = 0; trial < 60; trial++) {
    double a = uniform(0.3, 2), b = uniform(0.3, 2), c = uniform(0.3, 0.98) * sqrt(a * b),
           f = a / c * uniform(1.05, 2.5);
    char text[1024];
    snprintf(text, sizeof text,
             "amontons: 1\ncoordinates: [u, v]\nparticles: {A: {mass: 1, at: [u, v]}}\n"
             "energy: {potential: (%.17g*u^2 + %.17g*v^2)/2 + %.17g*u*v}\n"
             "loads: {F: {on: A, force: [\"-max(t - 1, 0)\", \"-min(t, 1)\"]}}\n"
             "contacts: {P: {support: v, slip: u', law: {type: coulomb, mu: %.17g}}}\n",
             a, b, c, f);
    amo_model *m = parse(text);
    amo_quasistatic_opts o = amo_quasistatic_opts_default();
    amo_quasistatic *p = NULL;
    o.until = 2.0 + f;
    assert_int_equal(amo_quasistatic_run(m, &o, NULL, &p), AMO_OK);
    assert_int_equal(p->events, 1);
    assert_true(p->event[0].jump);
    assert_near(p->event[0].t, 1.0 + f, 1e-9);  // stick until F1 = -f |F2|
    double det = a * b - c * c;                 // R2 = 1 at the jump
    assert_near(p->event[0].q[0], (c - f * b) / det, 1e-9 * (1.0 + fabs(f * b / det)));
    assert_near(p->event[0].q[1], (f * c - a) / det, 1e-9 * (1.0 + fabs(f * c / det)));
    assert_true(p->event[0].q[1] > 0.0);
    assert_true(p->violation < 1e-10);
    amo_quasistatic_free(p);
    amo_model_free(m);
  }
}

/// Two coupled supports under random polylines of load: every row is an equilibrium in which gaps, reactions and
/// friction obey their laws; below the critical coefficient there is one answer everywhere, so that nothing jumps.
static void random_paths_obey_the_laws(void **state)
{
  (void)state;
  size_t events = 0, opened = 0;
  for (int trial = 0; trial < 40; trial++) {
    char text[2048], load[4][256];
    for (int k = 0; k < 4; k++) {
      size_t n = (size_t)snprintf(load[k], sizeof load[k], "table(t, 0, %g", k % 2 ? -1.0 : 0.0);
      for (int i = 1; i <= 5; i++)
        n += (size_t)snprintf(load[k] + n, sizeof load[k] - n, ", %d, %.3f", i,
                              k % 2 ? uniform(-2, 0.6) : uniform(-1, 1));
      snprintf(load[k] + n, sizeof load[k] - n, ")");
    }
    snprintf(text, sizeof text,
             "amontons: 1\ncoordinates: [u, v, x, y]\n"
             "particles: {A: {mass: 1, at: [u, v]}, B: {mass: 1, at: [x, y]}}\n"
             "energy: {potential: (2*u^2 + 3*v^2 + 2*x^2 + 3*y^2)/2 + %.3f*u*v + %.3f*u*x + %.3f*u*y + "
             "%.3f*v*x + %.3f*x*y}\n"
             "loads: {P: {on: A, force: [\"%s\", \"%s\"]}, Q: {on: B, force: [\"%s\", \"%s\"]}}\n"
             "contacts:\n  one: {support: v, slip: u', law: {type: coulomb, mu: 0.3}}\n"
             "  two: {support: y, slip: x', law: {type: coulomb, mu: 0.4}}\n",
             uniform(-0.6, 0.6), uniform(-0.6, 0.6), uniform(-0.4, 0.4), uniform(-0.4, 0.4),
             uniform(-0.6, 0.6), load[0], load[1], load[2], load[3]);
    amo_model *m = parse(text);
    amo_quasistatic_opts o = amo_quasistatic_opts_default();
    amo_quasistatic *p = NULL;
    o.until = 5.0;
    assert_int_equal(amo_quasistatic_run(m, &o, NULL, &p), AMO_OK);
    if (p->status != AMO_QUASISTATIC_OK)
      fail_msg("trial %d: status %d at t = %g: %s", trial, (int)p->status, p->t[p->rows - 1], p->reason);
    assert_near(p->t[p->rows - 1], 5.0, 0.0);
    assert_true(p->violation < 1e-9);
    for (size_t r = 0; r < p->rows; r++)
      for (size_t c = 0; c < 2; c++) {
        double gap = p->gap[2 * r + c], normal = p->normal[2 * r + c],
               force = fabs(p->friction[4 * r + 2 * c]);
        assert_true(gap >= -1e-9 && normal >= -1e-9);
        assert_near(gap * normal, 0.0, 1e-8);
        assert_true(force <= (c ? 0.4 : 0.3) * normal + 1e-8);
        if (r > 0 && p->mode[2 * r + c] == 0 && p->mode[2 * r - 2 + c] == 0)  // what sticks does not move
          assert_near(p->q[4 * r + 2 * c], p->q[4 * r - 4 + 2 * c], 1e-9);
        opened += p->mode[2 * r + c] == 2;
      }
    for (size_t i = 0; i < p->events; i++) assert_false(p->event[i].jump);
    events += p->events;
    amo_quasistatic_free(p);
    amo_model_free(m);
  }
  assert_true(events > 200 && opened > 200);
}

// ---- without friction ----

enum { FREE = 2, ALL = 4 };  // coordinates without a gap come first

/// Symmetric and positive.
static void random_stiffness(double K[ALL][ALL])
{
  double b[ALL][ALL];
  for (int i = 0; i < ALL; i++)
    for (int j = 0; j < ALL; j++) b[i][j] = uniform(-1, 1);
  for (int i = 0; i < ALL; i++)
    for (int j = 0; j < ALL; j++) {
      K[i][j] = i == j ? 0.3 : 0.0;
      for (int k = 0; k < ALL; k++) K[i][j] += b[i][k] * b[j][k];
    }
}

/// Solve K q = f by elimination, coordinates of closed gaps held at zero.
static void held(double K[ALL][ALL], const double *f, const bool *closed, double *q)
{
  double a[ALL][ALL + 1];
  for (int i = 0; i < ALL; i++) {
    for (int j = 0; j < ALL; j++) a[i][j] = closed[i] || closed[j] ? i == j : K[i][j];
    a[i][ALL] = closed[i] ? 0.0 : f[i];
  }
  for (int c = 0; c < ALL; c++)
    for (int i = 0; i < ALL; i++) {
      const double factor = i == c ? 0.0 : a[i][c] / a[c][c];
      for (int j = c; factor != 0.0 && j <= ALL; j++) a[i][j] -= factor * a[c][j];
    }
  for (int i = 0; i < ALL; i++) q[i] = a[i][ALL] / a[i][i];
}

/// The only equilibrium in which gaps do not close through and supports do not pull, by trying which are closed.
static void frictionless(double K[ALL][ALL], const double *f, double *q)
{
  double best = -INFINITY;
  for (int combination = 0; combination < 4; combination++) {
    const bool closed[ALL] = {false, false, combination & 1, combination & 2};
    double x[ALL], least = INFINITY;
    held(K, f, closed, x);
    for (int i = FREE; i < ALL; i++) {
      double R = -f[i];
      for (int j = 0; j < ALL; j++) R += K[i][j] * x[j];
      least = fmin(least, closed[i] ? R : x[i]);
    }
    if (least > best) best = least, memcpy(q, x, sizeof x);
  }
  assert_true(best >= -1e-12);
}

static int follows_frictionless(double K[ALL][ALL], const double *amplitude, const double *rate)
{
  char text[2048], *at = text;
  at += sprintf(at,
                "amontons: 1\ncoordinates: [a, b, c, d]\nenergy:\n  kinetic: (a'^2 + b'^2 + c'^2 + d'^2)/2\n"
                "  potential: (0");
  for (int i = 0; i < ALL; i++)
    for (int j = 0; j < ALL; j++) at += sprintf(at, " + (%.17g)*%c*%c", K[i][j], 'a' + i, 'a' + j);
  at += sprintf(at, ")/2\nforces: {");
  for (int i = 0; i < ALL; i++)
    at += sprintf(at, "%s%c: %d + (%.17g)*sin(%.17g*t)", i ? ", " : "", 'a' + i, i < FREE ? 0 : -1,
                  amplitude[i], rate[i]);
  sprintf(at, "}\ncontacts:\n  P: {support: c, slip: [a', b'], law: {type: coulomb, mu: 0}}\n"
              "  S: {support: d, slip: a', law: {type: coulomb, mu: 0}}\n");
  amo_model *m = parse(text);
  amo_quasistatic_opts o = amo_quasistatic_opts_default();
  amo_quasistatic *p = NULL;
  o.until = 10.0;
  assert_int_equal(amo_quasistatic_run(m, &o, NULL, &p), AMO_OK);
  assert_string_equal(p->reason, "");
  assert_int_equal(p->status, AMO_QUASISTATIC_OK);
  assert_true(p->violation < 1e-8);
  for (size_t r = 0; r < p->rows; r++) {
    double f[ALL], q[ALL];
    for (int i = 0; i < ALL; i++) f[i] = (i < FREE ? 0 : -1) + amplitude[i] * sin(rate[i] * p->t[r]);
    frictionless(K, f, q);
    for (int i = 0; i < ALL; i++) assert_near(p->q[r * ALL + (size_t)i], q[i], 1e-8);
    for (int i = 0; i < 4; i++) assert_true(fabs(p->friction[4 * r + (size_t)i]) == 0.0);
  }
  for (size_t i = 0; i < p->events; i++)  // without friction nothing begins or ceases to stick
    assert_true((p->event[i].from == AMO_OPEN) != (p->event[i].to == AMO_OPEN));
  const int events = (int)p->events;
  amo_quasistatic_free(p);
  amo_model_free(m);
  return events;
}

/// Loads that reverse press two smooth supports (one with two directions of slip) and lift them.
static void paths_without_friction_are_those_of_smooth_supports(void **state)
{
  (void)state;
  int events = 0;
  for (int trial = 0; trial < 60; trial++) {
    double K[ALL][ALL], amplitude[ALL], rate[ALL];
    random_stiffness(K);
    for (int i = 0; i < ALL; i++) amplitude[i] = uniform(-2, 2), rate[i] = uniform(0.3, 2);
    events += follows_frictionless(K, amplitude, rate);
  }
  assert_true(events > 60);
}

static void starts_that_hold_nothing_are_refused(void **state)
{
  (void)state;
  amo_model *m = parse("amontons: 1\ncoordinates: [u, v]\nparticles: {A: {mass: 1, at: [u, v]}}\n"
                       "energy: {potential: (u^2 + v^2)/2}\nloads: {F: {on: A, force: [2, -1]}}\n"
                       "contacts: {P: {support: v, slip: u', law: {type: coulomb, mu: 0.5}}}\n");
  amo_quasistatic_opts o = amo_quasistatic_opts_default();
  amo_quasistatic *p = NULL;
  amo_diags *d = amo_diags_new();
  o.until = 1.0;
  assert_int_equal(amo_quasistatic_run(m, &o, d, &p), AMO_ENOANSWER);
  assert_null(p);
  assert_non_null(strstr(amo_diags_get(d, 0)->message, "would need a friction of 2"));
  amo_diags_free(d);
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(planar_sectors_equal_closed_forms),
                                     cmocka_unit_test(two_contacts_equal_brute_force),
                                     cmocka_unit_test(spatial_directions_equal_grid),
                                     cmocka_unit_test(jump_lands_where_the_formula_says),
                                     cmocka_unit_test(random_paths_obey_the_laws),
                                     cmocka_unit_test(paths_without_friction_are_those_of_smooth_supports),
                                     cmocka_unit_test(starts_that_hold_nothing_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
