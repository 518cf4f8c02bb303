// SPDX-License-Identifier: Apache-2.0
// Steady sliding: criteria against eigenvalues on random systems, tangents against differences of another balance
// of forces, the whole verb against closed forms, and a printed criterion that lacks a sign.
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amontons/amontons.h"
#include "contact/point.h"
#include "support/near.h"
#include "num/eigen.h"
#include "num/hurwitz.h"
#include "steady/linear_motion.h"

static uint64_t seed = 20260712;

static double uniform(double a, double b)
{
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return a + (b - a) * (double)(seed >> 11) / 9007199254740992.0;
}

static amo_model *load(const char *name)
{
  const amo_setting regular = {"mu", "0.3"};  // one solution of the contact problem
  const size_t set = !strcmp(name, "painleve-klein");
  char path[512];
  amo_model *m = NULL;
  snprintf(path, sizeof path, "%s/models/%s.yaml", AMO_SOURCE_DIR, name);
  assert_int_equal(amo_model_load(path, set ? &regular : NULL, set, NULL, &m), AMO_OK);
  return m;
}

static size_t parameter(const amo_model *m, const char *name)
{
  for (size_t i = 0; i < amo_model_parameters(m); i++)
    if (!strcmp(amo_model_parameter(m, i).name, name)) return i;
  fail_msg("no parameter %s", name);
  return 0;
}

// ---- Hurwitz against eigenvalues ----

static bool all_positive(const double *h, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!(h[i] > 0.0)) return false;
  return true;
}

/// Matrix of w'' + c w' + s w = 0 for two coordinates, or any matrix.
static size_t random_matrix(double *a)
{
  size_t n = 4;
  if (uniform(0, 1) < 0.5) {
    n = 1 + (size_t)uniform(0, 6);
    double shift = uniform(-2, 0.5);
    for (size_t i = 0; i < n * n; i++) a[i] = uniform(-1, 1) + (i % (n + 1) == 0 ? shift : 0.0);
    return n;
  }
  memset(a, 0, 16 * sizeof *a);
  a[2] = a[7] = 1.0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      a[8 + 4 * i + j] = uniform(-1, 1) - (i == j ? uniform(0, 3) : 0.0);
      a[8 + 4 * i + 2 + j] = uniform(-0.5, 0.5) - (i == j ? uniform(0, 2) : 0.0);
    }
  return n;
}

static void criteria_equal_eigenvalues(void **state)
{
  (void)state;
  long judged = 0, stable = 0;
  for (long trial = 0; trial < 100000; trial++) {
    double a[36], copy[36], p[6], h[6], re[6], im[6], size = 0.0;
    size_t n = random_matrix(a);
    memcpy(copy, a, sizeof copy);
    assert_int_equal(amo_characteristic(copy, n, p), AMO_OK);
    assert_int_equal(amo_hurwitz(p, n, h), AMO_OK);
    memcpy(copy, a, sizeof copy);
    assert_int_equal(amo_eigenvalues(copy, n, re, im), AMO_OK);
    for (size_t i = 0; i < n; i++) size = fmax(size, hypot(re[i], im[i]));
    if (fabs(re[0]) < 1e-9 * size) continue;
    judged++;
    stable += re[0] < 0.0;
    if ((re[0] < 0.0) != all_positive(h, n)) fail_msg("trial %ld, order %zu: growth %g", trial, n, re[0]);
    double product = 1.0, sum = 0.0;  // trace and determinant, from either side
    for (size_t i = 0; i < n; i++) sum -= re[i];
    for (size_t i = 0; i < n; i++)
      product *= im[i] == 0.0 ? -re[i] : im[i] > 0.0 ? hypot(re[i], im[i]) * hypot(re[i], im[i]) : 1.0;
    assert_near(p[0], sum, 1e-11 * (1.0 + size));
    assert_near(p[n - 1], product, 1e-10 * pow(1.0 + size, (double)n));
  }
  assert_true(judged > 99900 && stable > 20000 && stable < 80000);
}

// ---- tangents against differences ----

/// Rates by the balance of forces of the simulation, which shares no code with the expansion.
static void rates(amo_point *p, double t, const double *y, const signed char *mode, double *out)
{
  const amo_model *m = p->m;
  assert_int_equal(amo_point_evaluate(p, t, y, mode), AMO_OK);
  for (uint32_t i = 0; i < m->nq; i++) out[i] = y[m->nq + i], out[m->nq + i] = p->acc[i];
  for (uint32_t i = 0; i < m->nz; i++) out[2 * m->nq + i] = p->reg[m->extra[i].r_rate];
}

static void tangent_of(const char *name, const double *y, const signed char *mode)
{
  amo_model *m = load(name);
  amo_point *p = NULL;
  amo_expansion *x = NULL;
  amo_linear_motion *t = NULL;
  const size_t n = amo_model_states(m);
  double up[32], down[32], z[32];
  assert_int_equal(amo_point_new(m, &p), AMO_OK);
  amo_point_parameters(p, amo_model_parameter_values(m));
  assert_int_equal(amo_expansion_new(m, 3, &x), AMO_OK);
  amo_expansion_parameters(x, amo_model_parameter_values(m));
  assert_int_equal(amo_expansion_at(x, 0.3, y, mode), AMO_OK);
  memcpy(p->reaction_sign, x->reaction_sign, m->nc);
  rates(p, 0.3, y, mode, up);
  for (uint32_t i = 0; i < n; i++)
    assert_near(amo_expansion_rate(x, i, 0, 0), up[i], 1e-12 * (1.0 + fabs(up[i])));
  assert_int_equal(amo_linear_motion_full(x, &t), AMO_OK);
  for (size_t j = 0; j < n; j++) {
    const double d = 1e-5;
    memcpy(z, y, n * sizeof *z);
    z[j] = y[j] + d;
    rates(p, 0.3, z, mode, up);
    z[j] = y[j] - d;
    rates(p, 0.3, z, mode, down);
    for (size_t i = 0; i < n; i++) {
      double slope = (up[i] - down[i]) / (2.0 * d);
      assert_near(t->full[i * n + j], slope, 1e-6 * (1.0 + fabs(slope)));
    }
  }
  amo_linear_motion_free(t);
  amo_expansion_free(x);
  amo_point_free(p);
  amo_model_free(m);
}

static void tangents_equal_differences(void **state)
{
  (void)state;
  tangent_of("block-on-belt", (double[]){0.3, -0.1}, (signed char[]){-1});
  tangent_of("hump", (double[]){0.3, 0.1}, (signed char[]){-1});
  tangent_of("two-blocks", (double[]){0.3, 0.1, -0.2, 0.05}, (signed char[]){-1, -1});
  tangent_of("two-blocks", (double[]){0.3, 0.1, 0.2, 0.05}, (signed char[]){0, -1});
  tangent_of("painleve-klein", (double[]){0.3, 0.0, 0.7, 0.0}, (signed char[]){1});
  tangent_of("pendulum-constraint", (double[]){0.6, -0.8, 0.4, 0.3}, (signed char[]){1});
  tangent_of("pid", (double[]){0.3, 0.2, 0.1}, (signed char[]){1});
}

// ---- the whole of it against closed forms ----

typedef struct slip {
  double k[6], b[6], f, theta, N, V, M;  // k11 k22 k33 k12 k13 k23
} slip;

/// S and c of Cho and Barber, eqs. 5.8-5.11.
static void closed_form(const slip *s, double S[4], double c[4])
{
  double x[2] = {cos(s->theta), sin(s->theta)}, y[2] = {-x[1], x[0]}, p = s->f * s->N / s->V;
  const double k[4] = {s->k[0], s->k[3], s->k[3], s->k[1]}, b[4] = {s->b[0], s->b[3], s->b[3], s->b[1]};
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      S[2 * i + j] = (k[2 * i + j] + s->f * x[i] * s->k[4 + j]) / s->M;
      c[2 * i + j] = (b[2 * i + j] + s->f * x[i] * s->b[4 + j] + p * y[i] * y[j]) / s->M;
    }
}

static slip random_slip(void)
{
  slip s = {.f = uniform(0.05, 1.5),
            .theta = uniform(0, 6.28),
            .N = uniform(0.1, 3),
            .V = uniform(0.05, 3),
            .M = uniform(0.5, 3)};
  double g[9], h[9];
  for (int i = 0; i < 9; i++) g[i] = uniform(-1, 1), h[i] = uniform(-0.4, 0.4);
  const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (int e = 0; e < 6; e++)
    for (int i = 0; i < 3; i++) {  // G'G + I/10: positive definite
      s.k[e] += g[3 * i + at[e][0]] * g[3 * i + at[e][1]];
      s.b[e] += h[3 * i + at[e][0]] * h[3 * i + at[e][1]];
    }
  for (int e = 0; e < 3; e++) s.k[e] += 0.1;
  return s;
}

static void steady_equals_closed_form(void **state)
{
  (void)state;
  static const char *const k[] = {"k11", "k22", "k33", "k12", "k13", "k23"}, *const b[] = {"b11", "b22",
                                                                                           "b33", "b12",
                                                                                           "b13", "b23"};
  amo_model *m = load("spatial-mass");
  double param[64], start[6];
  memcpy(param, amo_model_parameter_values(m), amo_model_parameters(m) * sizeof *param);
  int stable = 0;
  for (int trial = 0; trial < 2000; trial++) {
    slip s = random_slip();
    double S[4], c[4];
    closed_form(&s, S, c);
    if (fabs(S[0] * S[3] - S[1] * S[2]) < 0.02) continue;  // other steady motions are near
    for (int e = 0; e < 6; e++) param[parameter(m, k[e])] = s.k[e], param[parameter(m, b[e])] = s.b[e];
    param[parameter(m, "mu")] = s.f, param[parameter(m, "theta")] = s.theta,
                       param[parameter(m, "c")] = cos(s.theta), param[parameter(m, "s")] = sin(s.theta),
                       param[parameter(m, "N")] = s.N;
    param[parameter(m, "V")] = s.V, param[parameter(m, "m")] = s.M;
    for (int i = 0; i < 6; i++) start[i] = uniform(-0.02, 0.02) * s.V;  // near the motion, not on it
    start[2] = start[5] = 0.0;
    start[3] += s.V * cos(s.theta), start[4] += s.V * sin(s.theta);
    amo_steady_opts o = amo_steady_opts_default();
    o.start = start;
    amo_values v = *amo_model_values(m);
    v.param = param;
    o.values = &v;
    amo_steady *r = NULL;
    assert_int_equal(amo_steady_find(m, &o, NULL, &r), AMO_OK);
    assert_near(r->normal[0], s.N, 1e-9 * (1.0 + s.N));
    assert_near(r->slip[0], s.V, 1e-9 * s.V);
    double a1 = c[0] + c[3], a2 = c[0] * c[3] - c[1] * c[2] + S[0] + S[3], a4 = S[0] * S[3] - S[1] * S[2];
    double a3 = c[0] * S[3] + c[3] * S[0] - c[1] * S[2] - c[2] * S[1];
    const double a[4] = {a1, a2, a3, a4}, H[4] = {a1, a1 * a2 - a3, (a1 * a2 - a3) * a3 - a1 * a1 * a4, a4};
    assert_int_equal(r->order, 4);
    double size = 1.0 + a1 + fabs(a2) + fabs(a3);
    for (int i = 0; i < 4; i++) assert_near(r->a[i], a[i], 1e-10 * size);
    for (int i = 0; i < 4; i++) assert_near(r->H[i], H[i], 1e-9 * pow(size, 3));
    // X, Y, G, D, and that D = M^2 a4, X < 0 with D > 0 needs G < 0
    const amo_slip_stiffness *q = &r->stiffness[0];
    double xi[2] = {cos(s.theta), sin(s.theta)};
    double X = s.k[0] * xi[0] * xi[0] + 2 * s.k[3] * xi[0] * xi[1] + s.k[1] * xi[1] * xi[1] +
               s.f * (s.k[4] * xi[0] + s.k[5] * xi[1]);
    assert_near(q->X, X, 1e-9 * (1.0 + fabs(X)));
    assert_near(q->D, s.M * s.M * a4, 1e-9 * (1.0 + fabs(q->D)));
    assert_near(q->G, q->X * q->Y - q->D, 1e-9 * (1.0 + fabs(q->G)));
    if (q->X < 0.0 && q->D > 0.0) assert_true(q->G < 0.0);
    stable += r->stable;
    amo_steady_free(r);
  }
  assert_true(stable > 200 && stable < 1900);
  amo_model_free(m);
}

/// Eq. 5.43 as printed lacks a "+" before the last term of its coefficient of Nt^3 b. Two readings of the line as it
/// stands are refuted; with the sign it is the third determinant of the linearised model.
static void printed_criterion_lacks_a_sign(void **state)
{
  (void)state;
  amo_model *m = load("spatial-mass-chart");
  double param[16];
  memcpy(param, amo_model_parameter_values(m), amo_model_parameters(m) * sizeof *param);
  int wrong_product = 0, wrong_without = 0;
  for (int trial = 0; trial < 2000; trial++) {
    double psi = uniform(0, 6.28), phi = uniform(0, 6.28), ft = uniform(0, 2), rho = uniform(1.1, 3),
           Nt = uniform(0.1, 5), b = uniform(0.01, 0.5);
    const char *const name[] = {"psi", "phi3", "ft", "rho", "Nt", "b"};
    const double value[] = {psi, phi, ft, rho, Nt, b};
    for (int i = 0; i < 6; i++) param[parameter(m, name[i])] = value[i];
    double start[6] = {0, 0, 0, cos(psi), sin(psi), 0};
    amo_steady_opts o = amo_steady_opts_default();
    o.start = start;
    amo_values v = *amo_model_values(m);
    v.param = param;
    o.values = &v;
    amo_steady *r = NULL;
    assert_int_equal(amo_steady_find(m, &o, NULL, &r), AMO_OK);
    double sp = sin(psi + phi), X = rho + sin(2 * psi) + ft * sp, T = 2 * rho + ft * sp;
    double G = (cos(2 * psi) + ft * cos(psi + phi)) * cos(2 * psi),
           D = rho * rho - 1 + ft * (rho * sp - cos(psi - phi));
    double rest = b * (b + Nt) * ((2 * b + Nt) * (b * T) + 2 * b * Nt * X + T * T - 4 * D) +
                  b * b * Nt * Nt * X + Nt * Nt * G;
    double right = rest + b * pow(Nt, 3) * X;  // the coefficient of Nt^3 b is X
    double product = rest + b * pow(Nt, 3) * (rho + sin(2 * psi) * ft * sp),
           without = rest + b * pow(Nt, 3) * (rho + sin(2 * psi));
    assert_near(right, r->H[2], 1e-9 * (1.0 + fabs(right)));
    wrong_product += (product > 0) != (r->H[2] > 0);
    wrong_without += (without > 0) != (r->H[2] > 0);
    amo_steady_free(r);
  }
  assert_true(wrong_product > 5);
  assert_true(wrong_without > 5);
  amo_model_free(m);
}

// ---- modes ----

static void sticking_contacts_are_locked(void **state)
{
  (void)state;
  amo_model *m = load("two-blocks");
  amo_steady_opts o = amo_steady_opts_default();
  amo_steady *r = NULL;
  int stick[2] = {0, 0};
  o.mode = stick;  // on a moving belt a held block stretches its spring for ever: not steady
  assert_int_equal(amo_steady_find(m, &o, NULL, &r), AMO_ENOANSWER);
  assert_null(r);
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(criteria_equal_eigenvalues), cmocka_unit_test(tangents_equal_differences),
      cmocka_unit_test(steady_equals_closed_form), cmocka_unit_test(printed_criterion_lacks_a_sign),
      cmocka_unit_test(sticking_contacts_are_locked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
