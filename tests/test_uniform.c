// SPDX-License-Identifier: Apache-2.0
/// Linear motion takes a way of its own (one matrix per set of modes). It must be the motion that the general way finds:
/// the same model with a force that is not linear, of strength zero, goes that way.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "flow/flow.h"
#include "support/motion.h"
#include "support/near.h"
#include "support/random.h"

enum { STATES = 8, PARAMETERS = 5 };

/// A mass above a rough plane, tied to a second one, with a coupled stiffness, damping, a load that grows and a memory of
/// the displacement. `more` is added to the force.
static amo_model *masses(const char *more)
{
  static text t;
  t.n = 0;
  put(&t,
      "amontons: 1\nparameters: {mu: 0.6, k12: 0.7, e: 0.2, C2: -0.5, none: 0}\n"
      "coordinates: [x, y, w]\n"
      "particles: {a: {mass: 1.3, at: [x, y]}, b: {mass: 0.4, at: [w, 0]}}\n"
      "states: {z: {rate: x - 0.3*z, initial: 0}, s: {rate: x', initial: 0}}\n"
      "energy:\n"
      "  potential: (x^2 + 2*k12*x*y + 2*y^2)/2\n"
      "  dissipation: (0.1*x'^2 + 0.05*y'^2)/2\n"
      "forces: {x: 0.2 - 0.4*t - 0.1*z%s, y: C2*t - 1}\n"
      "constraints: {rod: x - 2*w}\n"
      "contacts: {plane: {support: y, slip: x', restitution: e, law: {type: coulomb, mu: mu}}}\n",
      more);
  return motion_model(t.at);
}

static void start(amo_sim *s, uint64_t *seed, double *y)
{
  memset(y, 0, STATES * sizeof *y);
  y[1] = random_uniform(seed, 0.0, 0.5);
  y[3] = random_uniform(seed, -3.0, 3.0);
  y[4] = random_uniform(seed, 0.0, 2.0);
  y[5] = 0.5 * y[3];
  if (s != NULL) assert_int_equal(amo_sim_start(s, 0.0, y), AMO_OK);
}

static bool is_uniform(const amo_model *m)
{
  amo_sim_opts o = amo_sim_opts_default();
  amo_flow *f;
  assert_int_equal(amo_flow_new(m, &o, 1, &f), AMO_OK);
  const bool yes = f->uniform != NULL;
  amo_flow_free(f);
  return yes;
}

static void agrees_with_the_general_way(void **state)
{
  (void)state;
  amo_model *m = masses(""), *g = masses(" + none*x^3");
  assert_true(is_uniform(m));
  assert_false(is_uniform(g));
  assert_int_equal(amo_model_states(m), STATES);
  amo_sim *a = motion_sim(m, 1e-12), *b = motion_sim(g, 1e-12);
  static motion one, other;
  uint64_t seed = 11;
  size_t events = 0;
  for (int run = 0; run < 40; run++) {
    double y[STATES];
    uint64_t same = seed;
    start(a, &seed, y);
    start(b, &same, y);
    assert_int_equal(motion_run(a, STATES, 15.0, &one), AMO_OK);
    assert_int_equal(motion_run(b, STATES, 15.0, &other), AMO_OK);
    assert_true(motion_audit(a));
    assert_int_equal(one.events, other.events);
    events += one.events;
    for (size_t i = 0; i < one.events; i++) {
      assert_near(one.event[i].t, other.event[i].t, 1e-9);
      assert_int_equal(one.event[i].to, other.event[i].to);
    }
    for (size_t i = 0; i < STATES; i++) assert_near(amo_sim_state(a)[i], amo_sim_state(b)[i], 1e-9);
  }
  assert_true(events > 80);
  amo_sim_free(a);
  amo_sim_free(b);
  amo_model_free(m);
  amo_model_free(g);
}

/// Each lane with parameters of its own, more of them than are kept: bit for bit what a simulation finds.
static void lanes_have_their_own_matrices(void **state)
{
  (void)state;
  enum { COUNT = 96 };
  amo_model *m = masses("");
  static double y[COUNT][STATES], p[COUNT][PARAMETERS], end[COUNT][STATES];
  static signed char mode[COUNT];
  uint64_t seed = 5;
  assert_int_equal(amo_model_parameters(m), PARAMETERS);
  for (int i = 0; i < COUNT; i++) {
    start(NULL, &seed, y[i]);
    memcpy(p[i], amo_model_parameter_values(m), sizeof p[i]);
    p[i][0] = random_uniform(&seed, 0.1, 0.9);
    p[i][1] = random_uniform(&seed, 0.0, 1.0);
  }
  amo_sim_opts o = amo_sim_opts_default();
  o.audit = false;
  const amo_ensemble e = {.count = COUNT,
                          .state = y[0],
                          .parameter = p[0],
                          .t_end = 12.0,
                          .final_state = end[0],
                          .final_mode = mode};
  assert_int_equal(amo_ensemble_run(m, &o, &e), AMO_OK);
  amo_sim *s = motion_sim(m, o.tol);
  for (int i = 0; i < COUNT; i++) {
    for (size_t k = 0; k < 2; k++) assert_int_equal(amo_sim_parameter(s, k, p[i][k]), AMO_OK);
    assert_int_equal(amo_sim_start(s, 0.0, y[i]), AMO_OK);
    assert_int_equal(motion_advance(s, 12.0), AMO_OK);
    assert_int_equal(amo_sim_mode(s, 0), mode[i]);
    assert_memory_equal(amo_sim_state(s), end[i], sizeof end[i]);
  }
  amo_sim_free(s);
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_the_general_way),
      cmocka_unit_test(lanes_have_their_own_matrices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
