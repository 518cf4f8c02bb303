// SPDX-License-Identifier: Apache-2.0
// A model is structure and values are given to each question: asked with values, it answers as a model loaded with the
// same settings does, to the bit, also from many threads at once; and the model itself does not change.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "amontons/amontons.h"

static const char text[] =
    "amontons: 1\n"
    "parameters: {v: 0.5, k: 1, m: 1, w: sqrt(k/m), from: 0.25}\n"
    "coordinates: [x]\n"
    "particles: {block: {mass: m, at: [x, 0]}}\n"
    "energy: {potential: k*x^2/2}\n"
    "contacts: {belt: {pressed: 1, slip: x' - v, law: {type: curve, static: 1, kinetic: 1/(1 + 3*s)}}}\n"
    "initial: {x: 1/k, x': v*w, time: from}\n"
    "require: [v > 0]\n";

static amo_model *load(const char *v, const char *k)
{
  const amo_setting set[] = {{"v", v}, {"k", k}};
  amo_model *m = NULL;
  assert_int_equal(amo_model_parse("belt", text, strlen(text), v ? set : NULL, v ? 2 : 0, NULL, &m), AMO_OK);
  return m;
}

static amo_values *values(const amo_model *m, double v, double k)
{
  amo_values *x = NULL;
  assert_int_equal(amo_values_new(m, &x), AMO_OK);
  assert_int_equal(amo_values_set(x, (size_t)amo_model_find_parameter(m, "v"), v), AMO_OK);
  assert_int_equal(amo_values_set(x, (size_t)amo_model_find_parameter(m, "k"), k), AMO_OK);
  return x;
}

/// Where the motion is at t = 20, the steady state with its growth, and the period of the cycle.
static void ask(const amo_model *m, const amo_values *v, double out[5])
{
  amo_sim_opts o = amo_sim_opts_default();
  o.values = v;
  amo_sim *s = NULL;
  assert_int_equal(amo_sim_new(m, &o, NULL, &s), AMO_OK);
  assert_true(amo_sim_time(s) == 0.25);
  assert_int_equal(amo_sim_run(s, 20.0, NULL, NULL), AMO_OK);
  out[0] = amo_sim_state(s)[0], out[1] = amo_sim_state(s)[1];
  amo_sim_free(s);
  amo_steady_opts so = amo_steady_opts_default();
  so.values = v;
  amo_steady *steady = NULL;
  assert_int_equal(amo_steady_find(m, &so, NULL, &steady), AMO_OK);
  out[2] = steady->state[0], out[3] = steady->growth;
  amo_steady_free(steady);
  amo_cycle_opts co = amo_cycle_opts_default();
  co.sim = &o;
  amo_cycle *cycle = NULL;
  assert_int_equal(amo_cycle_find(m, &co, NULL, NULL, &cycle), AMO_OK);
  out[4] = cycle->period;
  amo_cycle_free(cycle);
}

static void values_answer_like_settings(void **state)
{
  (void)state;
  static const double v[] = {0.5, 0.4, 0.625}, k[] = {1, 2, 0.5};
  amo_model *m = load(NULL, NULL);
  for (int i = 0; i < 3; i++) {
    char vs[32], ks[32];
    snprintf(vs, sizeof vs, "%.17g", v[i]);
    snprintf(ks, sizeof ks, "%.17g", k[i]);
    amo_model *own = load(vs, ks);
    amo_values *x = values(m, v[i], k[i]);
    assert_memory_equal(x->param, amo_model_parameter_values(own), amo_model_parameters(m) * sizeof(double));
    assert_memory_equal(x->initial, amo_model_initial(own), amo_model_states(m) * sizeof(double));
    double a[5], b[5];
    ask(m, x, a);
    ask(own, NULL, b);
    assert_memory_equal(a, b, sizeof a);
    amo_values_free(x);
    amo_model_free(own);
  }
  assert_true(amo_model_parameter_values(m)[0] == 0.5 &&
              amo_model_initial(m)[0] == 1.0);  // of the file, still
  amo_model_free(m);
}

typedef struct asker {
  const amo_model *m;
  double v, out[5];
} asker;

static void *ask_alone(void *ctx)
{
  asker *a = ctx;
  amo_values *x = values(a->m, a->v, 1.5);
  ask(a->m, x, a->out);
  amo_values_free(x);
  return NULL;
}

static void threads_share_a_model(void **state)
{
  (void)state;
  enum { THREADS = 6 };
  amo_model *m = load(NULL, NULL);
  asker a[THREADS], alone;
  pthread_t thread[THREADS];
  for (int i = 0; i < THREADS; i++) {
    a[i] = (asker){.m = m, .v = 0.4 + 0.05 * i};
    assert_int_equal(pthread_create(&thread[i], NULL, ask_alone, &a[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < THREADS; i++) {
    alone = (asker){.m = m, .v = a[i].v};
    ask_alone(&alone);
    assert_memory_equal(alone.out, a[i].out, sizeof alone.out);
  }
  amo_model_free(m);
}

static void what_is_refused(void **state)
{
  (void)state;
  amo_model *m = load(NULL, NULL), *other = load("0.5", "1");
  amo_values *x = NULL;
  assert_int_equal(amo_values_new(NULL, &x), AMO_ERANGE);
  assert_int_equal(amo_values_new(m, NULL), AMO_ERANGE);
  assert_null(amo_model_values(NULL));
  assert_int_equal(amo_values_new(m, &x), AMO_OK);
  assert_int_equal(amo_values_set(NULL, 0, 1.0), AMO_ERANGE);
  assert_int_equal(amo_values_set(x, 99, 1.0), AMO_ERANGE);
  assert_int_equal(amo_values_set(x, 0, NAN), AMO_ERANGE);
  assert_int_equal(amo_values_set(x, (size_t)amo_model_find_parameter(m, "w"), 1.0), AMO_ERANGE);  // follows
  assert_int_equal(amo_values_set(x, 0, -1.0), AMO_ENOANSWER);  // not allowed
  amo_sim_opts o = amo_sim_opts_default();
  amo_steady_opts so = amo_steady_opts_default();
  amo_cycle_opts co = amo_cycle_opts_default();
  amo_quasistatic_opts qo = amo_quasistatic_opts_default();
  co.sim = &o;
  o.values = so.values = qo.values = x;  // of another model
  amo_sim *s = NULL;
  amo_steady *steady = NULL;
  amo_cycle *cycle = NULL;
  amo_quasistatic *q = NULL;
  assert_int_equal(amo_sim_new(other, &o, NULL, &s), AMO_ERANGE);
  assert_int_equal(amo_ensemble_run(other, &o, &(amo_ensemble){.t_end = 1.0}), AMO_ERANGE);
  assert_int_equal(amo_steady_find(other, &so, NULL, &steady), AMO_ERANGE);
  assert_int_equal(amo_cycle_find(other, &co, NULL, NULL, &cycle), AMO_ERANGE);
  assert_int_equal(amo_quasistatic_run(other, &qo, NULL, &q), AMO_ERANGE);
  amo_values_free(x);
  amo_values_free(NULL);
  amo_model_free(other);
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_answer_like_settings),
      cmocka_unit_test(threads_share_a_model),
      cmocka_unit_test(what_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
