// SPDX-License-Identifier: Apache-2.0
/// Friction laws: each family's expressions against its formula, and the table itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

#include <cmocka.h>

#include "base/mem.h"
#include "law/law.h"
#include "model/compiled.h"

/// A block (unit mass) sliding with x' = v on the ground under the normal force 2.
static amo_model *block(const char *law, double v, double memory)
{
  char text[1024], speed[40], rest[40];
  amo_diags *d = amo_diags_new();
  amo_model *m = NULL;
  snprintf(text, sizeof text,
           "amontons: 1\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
           "contacts:\n  c: {pressed: 2, slip: x', law: %s}\n",
           law);
  snprintf(speed, sizeof speed, "%.17g", v);
  snprintf(rest, sizeof rest, "%.17g", memory);
  amo_setting set[2] = {{"x'", speed}, {"c.t_stick", rest}};
  amo_status st = amo_model_parse("law.yaml", text, strlen(text), set, memory >= 0 ? 2 : 1, d, &m);
  char *s = amo_diags_render(d);
  if (st != AMO_OK) print_error("%s", s);
  free(s);
  amo_diags_free(d);
  assert_int_equal(st, AMO_OK);
  return m;
}

typedef struct values {
  double bound, kinetic, slope, smooth, smooth_slope, rate_stick, rate_slip;
} values;

static values evaluate(const amo_model *m, double sigma)
{
  const amo_contact *c = &m->contact[0];
  amo_node rate = m->nz ? m->extra[0].rate : c->bound;
  amo_node root[] = {c->bound, c->kinetic, c->kinetic_slope, c->kinetic_smooth, c->kinetic_smooth_slope,
                     rate};
  amo_prog *p = NULL;
  double out[2][6];
  assert_int_equal(amo_prog_compile(m->dag, root, 6, m->fixed, m->leaf.count, &p), AMO_OK);
  double *reg = amo_zalloc(amo_prog_registers(p), sizeof *reg);
  for (int k = 0; k < 2; k++) {
    for (uint32_t i = 0; i < m->np; i++) reg[m->leaf.param + i] = m->file.param[i];
    reg[m->leaf.q] = m->file.initial[0];
    reg[m->leaf.u] = m->file.initial[1];
    for (uint32_t i = 0; i < m->nz; i++) reg[m->leaf.z + i] = m->file.initial[2 + i];
    reg[m->leaf.sigma] = k ? sigma : 0.0;
    reg[m->leaf.eps] = 50.0;
    amo_prog_prepare1(p, reg);
    amo_prog_eval1(p, reg, NULL);
    for (size_t i = 0; i < 6; i++) out[k][i] = reg[amo_prog_root(p, i)];
  }
  free(reg);
  amo_prog_free(p);
  return (values){out[1][0], out[1][1], out[1][2], out[1][3], out[1][4], out[0][5], out[1][5]};
}

static void check_near(double got, double want)
{
  if (!(fabs(got - want) <= 1e-12 * (1.0 + fabs(want)))) {
    print_error("got %.17g, want %.17g\n", got, want);
    fail();
  }
}

static double hyperbola(double s)
{
  return 0.8 / (1 + 3 * s);
}
static double hump(double s)
{
  return 0.8 * (1 + 0.1 * (s / 0.3) * exp(1 - s / 0.3));
}
static double stribeck(double s)
{
  return 0.5 + 0.3 * exp(-pow(s / 0.2, 2)) + 0.04 * s;
}
static double cubic(double s)
{
  return 0.8 - 0.5 * s + 0.5 * s * s * s / (3 * 0.3 * 0.3);
}
static double constant(double s)
{
  (void)s;
  return 0.8;
}

// bound, kinetic, slopes by central differences, smoothed force; both directions of slip.
static void curves(void **state)
{
  (void)state;
  static const struct {
    const char *law;
    double (*f)(double), bound, scale;
  } row[] = {
      {"{type: coulomb, mu: 0.8}", constant, 0.8, 2},
      {"{type: stiction, static: 1, kinetic: 0.8}", constant, 1, 2},
      {"{type: curve, static: 0.9, kinetic: 0.8/(1 + 3*s)}", hyperbola, 0.9, 2},
      {"{type: curve, in: force, static: 0.9, kinetic: 0.8/(1 + 3*s)}", hyperbola, 0.9, 1},
      {"{type: hump, level: 0.8, height: 0.1, speed: 0.3}", hump, 0.8, 2},
      {"{type: hump, level: 0.8, height: 0.1, speed: 0.3, static: 1.1}", hump, 1.1, 2},
      {"{type: stribeck, static: 0.8, kinetic: 0.5, speed: 0.2, viscous: 0.04}", stribeck, 0.8, 2},
      {"{type: cubic, static: 0.8, slope: 0.5, speed: 0.3}", cubic, 0.8, 2},
      {"{type: breakaway, level: 0.8, excess: 0.3}", constant, 1.1, 2},
      {"{type: general, static: 0.9, kinetic: 0.8/(1 + 3*s)}", hyperbola, 0.9, 2},
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    for (int sign = -1; sign <= 1; sign += 2) {
      double v = sign * 0.25, s = 0.25, e = 1e-6, n = row[i].scale;
      amo_model *m = block(row[i].law, v, -1);
      values got = evaluate(m, sign);
      check_near(got.bound, n * row[i].bound);
      check_near(got.kinetic, n * row[i].f(s));
      double slope = n * (row[i].f(s + e) - row[i].f(s - e)) / (2 * e);
      assert_true(fabs(got.slope + slope) < 1e-8);
      check_near(got.smooth, -n * row[i].f(s) * 0.63661977236758134 * atan(50 * v));
      double a = v - e, b = v + e;
      double rise = -n * 0.63661977236758134 *
                    (row[i].f(fabs(b)) * atan(50 * b) - row[i].f(fabs(a)) * atan(50 * a)) / (2 * e);
      assert_true(fabs(got.smooth_slope - rise) < 1e-7);
      amo_model_free(m);
    }
}

// CV10: F_stick(0, 1, 5, 10, 50) for Fs = 1, beta = 2, a = 0.1 (times the normal force 2).
static void aging(void **state)
{
  (void)state;
  static const double time[] = {0, 1, 5, 10, 50};
  static const double want[] = {1, 1.095162582, 1.393469340, 1.632120559, 1.993262053};
  for (int i = 0; i < 5; i++) {
    amo_model *m =
        block("{type: aging, static: 1, kinetic: 1, growth: 2, rate: 0.1, decay: 10}", 0.1, time[i]);
    values got = evaluate(m, 1);
    assert_true(fabs(got.bound - 2 * want[i]) < 1e-8);
    check_near(got.rate_stick, 1);
    check_near(got.rate_slip, -10 * time[i]);
    assert_true(m->extra[0].reset == AMO_NODE_NONE);
    assert_int_equal(m->extra[0].contact, 0);
    assert_string_equal(m->extra[0].sym.name, "c.t_stick");
    assert_string_equal(m->contact[0].law_type, "aging");
    amo_model_free(m);
  }
  amo_model *m = block("{type: aging, static: 1, kinetic: 1, growth: 2, rate: 0.1}", 0.1, 3);
  values got = evaluate(m, -1);
  check_near(got.rate_slip, 0);
  assert_true(amo_node_zero(m->dag, m->extra[0].reset));
  amo_model_free(m);
}

// A law of the user's own: rate-and-state like memory.
static void general(void **state)
{
  (void)state;
  amo_model *m = block("{type: general, static: 0.6 + 0.1*theta, kinetic: 0.5 + 0.1*theta - 0.05*s, "
                       "states: {theta: {stick: 1, slip: 1 - s*theta, initial: 0.5, reset: theta/2}}}",
                       -0.2, -1);
  values got = evaluate(m, -1);
  assert_string_equal(m->extra[0].sym.name, "c.theta");
  check_near(m->file.initial[2], 0.5);
  check_near(got.bound, 2 * 0.65);
  check_near(got.kinetic, 2 * (0.55 - 0.01));
  check_near(got.rate_stick, 1);
  check_near(got.rate_slip, 1 - 0.2 * 0.5);
  assert_true(m->extra[0].reset != AMO_NODE_NONE);
  amo_model_free(m);
}

static void table(void **state)
{
  (void)state;
  size_t n = 0;
  for (; amo_law_at(n); n++) {
    const amo_law *l = amo_law_at(n);
    int fields = 0;
    assert_ptr_equal(amo_law_find(l->type), l);
    assert_true(*l->doc && *l->formula && l->build);
    for (; l->field[fields].name; fields++) assert_true(*l->field[fields].doc);
    assert_true(fields <= AMO_LAW_FIELDS);
  }
  assert_true(n >= 11);
  assert_null(amo_law_find("nothing"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table),
      cmocka_unit_test(curves),
      cmocka_unit_test(aging),
      cmocka_unit_test(general),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
