// SPDX-License-Identifier: Apache-2.0
// Derivatives of motions where expressions or time scales are hard: powers of deflections that pass zero, bristles, motions that go by
// implicit steps. Judged by motions of parameters a little off.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "amontons/amontons.h"
#include "support/near.h"

typedef struct trial {
  const char *file;
  double until;
  const char *vary[3];  // plain parameters
  double far;   // relative change of them; then half of it: what is left of the difference is of fourth order
  double near;  // relative, of the largest derivative of that state
} trial;

static amo_model *model(const char *file)
{
  char path[512];
  amo_model *m = NULL;
  snprintf(path, sizeof path, "%s/models/%s.yaml", AMO_SOURCE_DIR, file);
  assert_int_equal(amo_model_load(path, NULL, 0, NULL, &m), AMO_OK);
  return m;
}

/// State at the end with parameter p times 1 + change, all from the same start.
static void end_of(const amo_model *m, double until, size_t p, double change, double *out)
{
  amo_values *v = NULL;
  amo_sim *s = NULL;
  assert_int_equal(amo_values_new(m, &v), AMO_OK);
  if (change != 0.0)
    assert_int_equal(amo_values_set(v, p, amo_model_parameter_values(m)[p] * (1.0 + change)), AMO_OK);
  amo_sim_opts o = amo_sim_opts_default();
  o.values = v;
  assert_int_equal(amo_sim_new(m, &o, NULL, &s), AMO_OK);
  assert_int_equal(amo_sim_start(s, 0.0, amo_model_initial(m)), AMO_OK);
  while (amo_sim_time(s) < until) assert_int_equal(amo_sim_step(s, until), AMO_OK);
  for (size_t i = 0; i < amo_model_states(m); i++) out[i] = amo_sim_state(s)[i];
  amo_sim_free(s);
  amo_values_free(v);
}

/// Central difference along parameter p, extrapolated.
static void difference(const amo_model *m, const trial *t, size_t p, double *out)
{
  const double value = amo_model_parameter_values(m)[p];
  double a[8], b[8], d[2][8];
  for (int half = 0; half < 2; half++) {
    const double change = half ? t->far / 2 : t->far;
    end_of(m, t->until, p, change, a);
    end_of(m, t->until, p, -change, b);
    for (size_t i = 0; i < amo_model_states(m); i++) d[half][i] = (a[i] - b[i]) / (2 * change * value);
  }
  for (size_t i = 0; i < amo_model_states(m); i++) out[i] = (4 * d[1][i] - d[0][i]) / 3;
}

static void as_differences(void **state)
{
  (void)state;
  static const trial trials[] = {
      {"bouc-wen-oscillator", 5.0, {"n", "beta", "k"}, 1e-3, 1e-7},  // n = 1.5, from rest: z^n at zero
      {"dahl-stage", 3.0, {"mu", "stiffness", "n"}, 1e-3, 1e-7},
      {"lugre-stick-slip", 30.0, {"Fs", "sigma0", "k"}, 1e-3, 1e-6},
      {"giving-belt", 20.0, {"kt", "ct", "delta"}, 1e-3, 1e-7},
      {"fault", 1e9, {"a", "b", "Dc"}, 1e-6, 3e-5},  // beyond 1e-5 it quakes at another time
  };
  for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
    const trial *t = &trials[i];
    amo_model *m = model(t->file);
    const size_t n = amo_model_states(m);
    size_t p[3];
    for (int k = 0; k < 3; k++) {
      const ptrdiff_t at = (ptrdiff_t)amo_model_find_parameter(m, t->vary[k]);
      assert_true(at >= 0);
      p[k] = (size_t)at;
    }
    amo_sensitivity_opts o = amo_sensitivity_opts_default();
    amo_sensitivity *s = NULL;
    o.until = t->until;
    o.parameter = p;
    o.parameters = 3;
    o.start = amo_model_initial(m);
    assert_int_equal(amo_sensitivity_find(m, &o, NULL, &s), AMO_OK);
    assert_false(
        s->one_sided);  // a run that begins where a deflection is zero begins on a seam, not on a border
    for (int k = 0; k < 3; k++) {
      double expected[8];
      difference(m, t, p[k], expected);
      for (size_t j = 0; j < n; j++)
        assert_near(s->end.parameter[(size_t)k * n + j], expected[j], t->near * fabs(expected[j]) + 1e-300);
    }
    amo_sensitivity_free(s);
    amo_model_free(m);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_differences)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
